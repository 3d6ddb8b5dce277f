"""Pictures of lessons: labels that a gap makes certain, the ball of the best weights, a dual point's repair.

HoloViews is imported inside the functions, since checkers run without it.
"""

import numpy as np

BLUE, ORANGE = "#0072B2", "#D55E00"
TURN = np.linspace(0.0, 2.0 * np.pi, 181)


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

    z = X @ np.asarray(w, dtype=float)
    sure = is_certain(X, w, gap, lam)
    direction = np.array([-w[1], w[0]]) / np.hypot(*w) * 5.0
    line = hv.Curve(np.array([-direction, direction]), "x1", "x2").opts(color="black", line_width=1)
    parts = [line]
    for sign, colour in ((1, BLUE), (-1, ORANGE)):
        for mask, filled in ((sure, 1.0), (~sure, 0.0)):
            points = X[(np.sign(z) == sign) & mask]
            options = {"color": colour, "line_color": colour, "fill_alpha": filled, "size": 6}
            parts.append(hv.Scatter(points, "x1", "x2").opts(**options))
    return hv.Overlay(parts).opts(
        title=f"{sure.sum()} of {len(X)} certain (filled), gap {gap:.1g}",
        width=440,
        height=420,
        xlim=(-3.5, 3.5),
        ylim=(-3.5, 3.5),
        show_legend=False,
    )


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
