"""Pictures of lessons: certain labels, balls of the best weights, support vectors, a repair, value functions.

HoloViews is imported inside the functions, since checkers run without it.
"""

import numpy as np

BLUE, ORANGE = "#0072B2", "#D55E00"
TURN = np.linspace(0.0, 2.0 * np.pi, 181)
PLANE = {"width": 440, "height": 420, "xlim": (-3.5, 3.5), "ylim": (-3.5, 3.5), "show_legend": False}


def certain_labels(X, w, gap, lam):
    """Return the samples in the plane, filled where the best weights give the label that these weights give.

    Parameters
    ----------
    X : ndarray (n, 2)
    w : array_like (2,)
    gap : float
        Of the weights, with half the squared 2-norm as the regularizer.
    lam : float

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    sure = is_certain(X, w, gap, lam)
    parts = [
        _prediction_line(w, 0.0),
        *samples(X, X @ np.asarray(w, dtype=float) > 0, np.where(sure, 1.0, 0.0)),
    ]
    return hv.Overlay(parts).opts(title=f"{sure.sum()} of {len(X)} certain (filled), gap {gap:.1g}", **PLANE)


def support_vectors(X, y, w, alpha):
    """Return the samples in the plane, filled where alpha is not zero, with the lines of the margins 0 and 1.

    Parameters
    ----------
    X : ndarray (n, 2)
    y : ndarray (n,)
        Labels.
    w : array_like (2,)
        Not zero.
    alpha : ndarray (n,)

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    support = np.asarray(alpha) != 0.0
    points = samples(X, np.asarray(y) > 0, np.where(support, 1.0, 0.0))
    return hv.Overlay([*margin_lines(w), *points]).opts(
        title=f"{support.sum()} of {len(X)} samples are support vectors (filled)", **PLANE
    )


def samples(X, positive, opacity, levels=(1.0, 0.0)):
    """Return the samples in a layer for each sign and level of opacity, from 0 (hollow) to 1 (filled)."""
    import holoviews as hv

    layers = []
    for side, colour in ((positive, BLUE), (~positive, ORANGE)):
        for level in levels:
            options = {"color": colour, "line_color": colour, "fill_alpha": level, "size": 6}
            layers.append(hv.Scatter(X[side & (opacity == level)], "x1", "x2").opts(**options))
    return layers


def margin_lines(w):
    """Return the lines where predictions are 0, 1 and -1."""
    return [_prediction_line(w, level) for level in (0.0, 1.0, -1.0)]


def _prediction_line(w, level):
    """Return the line w.x = level, dashed unless the level is zero."""
    import holoviews as hv

    w = np.asarray(w, dtype=float)
    foot, direction = level * w / (w @ w), np.array([-w[1], w[0]]) / np.hypot(*w) * 8.0
    dash = "solid" if level == 0.0 else "dashed"
    ends = np.array([foot - direction, foot + direction])
    return hv.Curve(ends, "x1", "x2").opts(color="black", line_width=1, line_dash=dash)


def is_certain(X, w, gap, lam):
    """Return where the sign of a prediction is that of the best weights, (n,) of bool."""
    return np.abs(X @ np.asarray(w, dtype=float)) > np.sqrt(2.0 * gap / lam) * np.linalg.norm(X, axis=1)


def weight_balls(weights, gaps, lam):
    """Return the balls of radius sqrt(2 gap / lam) around weights, each of which holds the best weights.

    Parameters
    ----------
    weights : dict of str to array_like (2,)
        By whose they are.
    gaps : sequence of float
    lam : float

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    parts = []
    for (whose, w), gap, colour in zip(weights.items(), gaps, (BLUE, ORANGE), strict=True):
        radius = np.sqrt(2.0 * gap / lam)
        circle = (w[0] + radius * np.cos(TURN), w[1] + radius * np.sin(TURN))
        parts += [
            hv.Curve(circle, "w1", "w2", label=f"{whose}, radius {radius:.2g}").opts(color=colour),
            hv.Scatter([tuple(w)], "w1", "w2").opts(color=colour, size=7),
        ]
    return hv.Overlay(parts).opts(
        title="the best weights lie in both balls",
        width=440,
        height=420,
        data_aspect=1,
        legend_position="top",
    )


def dual_ball_repair(v):
    """Return the dual ball of the 1-norm in the plane, a point, and the multiple of it that lies in the ball.

    Parameters
    ----------
    v : array_like (2,)

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    v = np.asarray(v, dtype=float)
    repaired = v * min(1.0, 1.0 / max(np.abs(v).max(), np.finfo(float).tiny))
    square = hv.Curve([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)], "v1", "v2").opts(color="black")
    way = hv.Curve(np.array([v, repaired]), "v1", "v2").opts(color="gray", line_dash="dashed")
    before = hv.Scatter([tuple(v)], "v1", "v2").opts(color=ORANGE, size=9, fill_alpha=0.0)
    after = hv.Scatter([tuple(repaired)], "v1", "v2").opts(color=BLUE, size=9)
    return (square * way * before * after).opts(
        title=f"scaled by {np.abs(repaired).max() / max(np.abs(v).max(), np.finfo(float).tiny):.2f}",
        width=420,
        height=420,
        xlim=(-2.2, 2.2),
        ylim=(-2.2, 2.2),
    )


def value_functions(prices):
    """Return V(t) of the problems (A) and (B) of lesson 18, each with the lines of two multipliers below it.

    Parameters
    ----------
    prices : sequence of float
        The multipliers, above zero.

    Returns
    -------
    holoviews.Layout
    """
    import holoviews as hv

    ts = np.linspace(0.0, 1.0, 201)
    jump = hv.Curve([(0.0, 0.0), (1.0, 0.0)], "t", "value").opts(color="black")
    ends = [
        hv.Scatter([(0.0, height)], "t", "value").opts(color="black", size=8, fill_alpha=filled)
        for height, filled in ((1.0, 1.0), (0.0, 0.0))
    ]
    problems = (
        ("(A): V(t) = -sqrt(t)", [hv.Curve((ts, -np.sqrt(ts)), "t", "value").opts(color="black")], 0.25),
        ("(B): V(0) = 1, V(t) = 0 for t > 0", [jump, *ends], 0.0),
    )
    plots = []
    for title, curves, offset in problems:
        for price, colour in zip(prices, (BLUE, ORANGE), strict=True):
            heights = -offset / price - price * ts
            line = hv.Curve((ts, heights), "t", "value", label=f"multiplier {price:g}")
            curves = [*curves, line.opts(color=colour)]
        plots.append(
            hv.Overlay(curves).opts(
                title=title,
                width=380,
                height=320,
                xlim=(-0.05, 1),
                ylim=(-1.2, 1.2),
                legend_position="top_right",
            )
        )
    return hv.Layout(plots).opts(toolbar=None)
