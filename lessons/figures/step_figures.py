"""Pictures of steps: a solver of the student's own beside the workbench's, a gap that closes, axis by axis.

Bokeh, HoloViews and Panel are imported inside the functions, since checkers run without them.
"""

import numpy as np

import workbench as wb

BLUE, ORANGE, GREEN, GRAY = "#0072B2", "#D55E00", "#009E73", "#999999"
# Below this a gap is rounding, and a logarithmic axis cannot show zero.
LEAST = 1e-16
UNANSWERED = "Your points appear here once the exercise above is answered"


def _is_answered(answer):
    return answer is not None and answer is not ...


def own_gaps(problem, own, solver, counts, unit="passes", names=("alpha",), into=None):
    """Return the relative gaps of a student's solver over those of the workbench.

    Parameters
    ----------
    problem : Problem
    own : callable
        Of a count: what the student's solver returns. Without an answer, the figure has the
        workbench's curve alone.
    solver : Solver or str
        The workbench's, which is run for the same counts.
    counts : sequence of int
    unit : {"passes", "steps"}
    names : tuple of str
        What `wb.certificate` calls the values that are returned; more of them are left out.
    into : callable, optional
        Makes those values of what is returned.

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    theirs, mine = [], []
    run = wb.Run(problem, solver, seed=0)
    for count in counts:
        if unit == "passes":
            run.epoch(count - run.epochs)
        else:
            run.step(count - run.steps)
        theirs.append(max(run.certificate().relative_gap, LEAST))
        point = own(count)
        if not _is_answered(point):
            continue
        point = into(point) if into else point
        values = point if isinstance(point, tuple) else (point,)
        certificate = wb.certificate(problem, **dict(zip(names, values, strict=False)))
        mine.append(max(certificate.relative_gap, LEAST))
    curve = hv.Curve((counts, theirs), unit, "relative gap", label="the workbench").opts(color=BLUE)
    # Longer titles are cut off at the edge of the figure.
    title = "Answer the exercise above to see your curve"
    if mine:
        yours = hv.Curve((counts, mine), unit, "relative gap", label="yours").opts(color=ORANGE)
        curve *= yours.opts(line_dash="dashed", line_width=3)
        title = f"after {counts[-1]} {unit}: yours {mine[-1]:.1e}, the workbench {theirs[-1]:.1e}"
    return hv.Overlay([curve] if not mine else curve).opts(
        logy=True, width=620, height=340, title=title, legend_position="top_right"
    )


def axis_steps(X, y, lam, steps):
    """Two samples, the hinge: level lines of the dual over the box, and exact steps along the axes.

    The level lines are ellipses drawn from their formula, cut off at the box.

    Parameters
    ----------
    X : ndarray (2, d)
    y : ndarray (2,)
        Labels.
    lam : float
    steps : int
        How many steps are shown, from beta = alpha y = 0, along each axis in turn.

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    Z = y[:, None] * X
    Q = Z @ Z.T / (lam * 4)  # D(beta) = beta.Q beta / 2 - sum(beta) / 2, as n = 2
    path = [np.zeros(2)]
    for k in range(steps):
        beta, i = path[-1].copy(), k % 2
        beta[i] = np.clip(beta[i] + (0.5 - Q[i] @ beta) / Q[i, i], 0.0, 1.0)
        path.append(beta)
    path = np.array(path)
    values = np.einsum("ki,ij,kj->k", path, Q, path) / 2 - path.sum(axis=1) / 2
    least = np.linalg.solve(Q, np.full(2, 0.5))
    root = np.linalg.cholesky(np.linalg.inv(Q))
    angle = np.linspace(0.0, 2 * np.pi, 721)
    circle = root @ np.stack([np.cos(angle), np.sin(angle)])
    floor = -least.sum() / 4
    levels, even = [], floor + (values.max() - floor) * np.linspace(0.05, 4, 9)
    for value in np.unique([*values, *even]):
        line = least[:, None] + np.sqrt(2 * max(value - floor, 0.0)) * circle
        inside = np.all((line >= 0) & (line <= 1), axis=0)
        level = hv.Curve(np.where(inside, line, np.nan).T, "beta 1", "beta 2")
        levels.append(level.opts(color=GRAY, line_width=1))
    steps_drawn = hv.Curve(path, label="steps").opts(color=ORANGE, line_width=3)
    places = hv.Points(path).opts(color=ORANGE, size=7)
    title = f"after {steps} steps: beta = ({path[-1][0]:.4f}, {path[-1][1]:.4f}), D = {values[-1]:.6f}"
    return (hv.Overlay(levels) * steps_drawn * places).opts(
        width=460, height=460, xlim=(-0.03, 1.03), ylim=(-0.03, 1.03), title=title, show_legend=False
    )


def gap_gauge(history):
    """Return the gap as a gauge: the objective from above, the bound from below, the optimum between.

    Parameters
    ----------
    history : DataFrame
        `Run.history`, with the columns epoch, primal and dual.

    Returns
    -------
    bokeh.plotting.figure
        The best objective and the best bound met so far; any value in the fog may still be the optimum.
    """
    from bokeh.plotting import figure

    epoch = history["epoch"].to_numpy(float)
    upper = np.minimum.accumulate(history["primal"].to_numpy(float))
    lower = np.maximum.accumulate(history["dual"].to_numpy(float))
    title = f"the optimum lies between {lower[-1]:.6f} and {upper[-1]:.6f}"
    plot = figure(width=620, height=340, title=title, x_axis_label="epoch", y_axis_label="value")
    plot.varea(epoch, lower, upper, color=GRAY, alpha=0.35)
    plot.line(epoch, upper, color=BLUE, line_width=3, legend_label="P, best so far")
    plot.line(epoch, lower, color=ORANGE, line_width=3, legend_label="-D, best so far")
    return plot


def erratum_figure(entry):
    """One erratum: both formulas side by side above the three numbers that decide between them.

    Parameters
    ----------
    entry : Erratum

    Returns
    -------
    panel.Column
    """
    import html

    import holoviews as hv
    import panel as pn

    from workbench.teaching.notebook import formula

    wording = "as printed" if entry.cause == "misprint" else "as transcribed"
    values = entry.check()
    finite = [value for value in values if np.isfinite(value)]
    top = 1.5 * max(map(abs, finite), default=1.0) or 1.0
    names = (wording, "corrected", "true")
    heights = [(f"{n}: {x:.5g}", np.clip(x, -top, top)) for n, x in zip(names, values, strict=True)]
    bars = hv.Bars(heights, "formula", "value").opts(
        width=560, height=280, title=f"{entry.source}: {entry.where} ({entry.cause})", color=BLUE
    )
    sides = ((wording, entry.printed), ("corrected", entry.corrected))
    pair = pn.FlexBox(*(pn.Column(f"{side}:", formula(text)) for side, text in sides), gap="2em")
    return pn.Column(pair, pn.pane.HTML(html.escape(entry.counterexample), width=560), bars)


def tangent(u, p, v):
    """Return a function with its line of slope v on the left, its conjugate on the right.

    Parameters
    ----------
    u : ndarray (k,)
        Increasing places.
    p : ndarray (k,)
        The function there.
    v : float

    Returns
    -------
    holoviews.Layout
        The supremum is taken over the places; a slope for which that is at an end lacks a visible tangent.
    """
    import holoviews as hv

    slopes = np.linspace(-1.5, 1.5, 301)
    heights = np.outer(slopes, u) - p
    places = np.argmax(heights, axis=1)
    q = np.where((places > 0) & (places < u.size - 1), np.max(heights, axis=1), np.nan)
    place = int(np.argmax(v * u - p))
    height = v * u[place] - p[place]
    is_inside = 0 < place < u.size - 1
    graph = hv.Curve((u, p), "u", "p(u)", label="p") * hv.VLine(0).opts(color=GRAY, line_width=1)
    right = hv.Curve((slopes, q), "v", "q(v)", label="q") * hv.VLine(0).opts(color=GRAY, line_width=1)
    if is_inside:
        graph *= hv.Curve((u, v * u - height), "u", "p(u)", label="line of slope v").opts(color=ORANGE)
        graph *= hv.Points([(u[place], p[place])]).opts(size=9, color="black")
        graph *= hv.Points([(0.0, -height)], label="-q(v)").opts(size=11, color=ORANGE, marker="diamond")
        right *= hv.Points([(v, height)], ["v", "q(v)"]).opts(size=11, color=ORANGE, marker="diamond")
    title = f"q({v:.2f}) = {height:.3f}" if is_inside else f"no tangent of slope {v:.2f} in sight"
    return (
        graph.opts(title=title, width=400, height=340, ylim=(-2, 4.5), legend_position="top_right")
        + right.opts(title="", width=330, height=340, xlim=(-1.55, 1.55), ylim=(-1.1, 1.3), show_legend=False)
    ).opts(toolbar=None)


def own_conjugate(text, p, own, slopes):
    """Return a student's conjugate as points on the one that is derived from a formula.

    Parameters
    ----------
    text : str
        The function as `wb.conjugate` takes it.
    p : callable
        The same function of a number, which answers faster.
    own : callable
        Of the function and a slope: the value of the conjugate, and where the supremum is taken.
    slopes : ndarray (k,)

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    pair = wb.conjugate(text)
    fine = np.linspace(slopes[0], slopes[-1], 601)
    derived = pair.q(fine)
    curve = hv.Curve((fine, np.where(np.isfinite(derived), derived, np.nan)), "v", "q(v)", label="derived")
    overlay = hv.Overlay([curve.opts(color=BLUE)])
    answers = [own(p, v) for v in slopes]
    title = UNANSWERED
    if all(map(_is_answered, answers)):
        values = np.array([float(answer[0]) for answer in answers])
        inside = np.isfinite(values)
        points = hv.Points((slopes[inside], values[inside]), ["v", "q(v)"], label="yours")
        overlay *= points.opts(color=ORANGE, size=8)
        title = f"{text}: {inside.sum()} of {slopes.size} slopes have a tangent"
    return overlay.opts(width=560, height=320, title=title, legend_position="top_right")


def own_entropy(X, y, mu, own):
    """Weights of maximum entropy, by a student's multipliers on those of the workbench.

    Parameters
    ----------
    X : ndarray (n, d)
    y : ndarray (n,)
    mu : ndarray (d,)
    own : callable
        Of X, y, mu, a tolerance and a number of steps: the multipliers (n,).

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    solution = wb.maximum_entropy(X, y, mu)
    places = np.arange(1, mu.size + 1)
    axes = ["face", "probability"]
    overlay = hv.Curve((places, solution.w), *axes, label="the workbench").opts(color=BLUE)
    overlay *= hv.Curve((places, mu), *axes, label="prior").opts(color=GRAY, line_dash="dotted")
    alpha = own(X, y, mu, 1e-10, 100)
    title = UNANSWERED
    if _is_answered(alpha):
        parts = mu * np.exp(X.T @ alpha - np.max(X.T @ alpha))
        w = mu.sum() * parts / parts.sum()
        overlay *= hv.Points((places, w), axes, label="yours").opts(color=ORANGE, size=9)
        title = f"alpha = {np.round(alpha, 6)}: entropy relative to the prior {solution.value:.6f}"
    return overlay.opts(width=560, height=320, title=title, legend_position="top_left")


def own_bounds(problem, own, epochs):
    """Draw a student's reading of the dual variables of a run, on the workbench's bounds.

    Parameters
    ----------
    problem : Problem
    own : callable
        Of alpha: the lower bound, the objective, and more that is not drawn.
    epochs : sequence of int

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    run, rows, mine = wb.Run(problem, wb.solvers.GaussSeidel(), seed=0), [], []
    for epoch in epochs:
        run.epoch(epoch - run.epochs)
        certificate = wb.certificate(problem, alpha=run.state.alpha)
        rows.append((certificate.primal, certificate.dual))
        answer = own(run.state.alpha.copy())
        if _is_answered(answer):
            mine += [(epoch, float(answer[0])), (epoch, float(answer[1]))]
    series = zip(np.array(rows).T, ("P", "-D"), (BLUE, GREEN), strict=True)
    curves = [
        hv.Curve((epochs, values), "epoch", "value", label=name).opts(color=colour)
        for values, name, colour in series
    ]
    title = UNANSWERED
    if mine:
        curves.append(hv.Points(mine, ["epoch", "value"], label="yours").opts(color=ORANGE, size=8))
        title = f"after {epochs[-1]} epochs: between {rows[-1][1]:.6f} and {rows[-1][0]:.6f}"
    return hv.Overlay(curves).opts(width=620, height=340, title=title, legend_position="top_right")


# Claims of lesson 11's hunt, epsilon = 1/2: p of an array, q of a number, the ends of the claimed domain.
CLAIMS = {
    "a": (lambda u: np.maximum(0, u) ** 2 / 2, lambda v: v**2 / 2, (0, np.inf)),
    "b": (np.exp, lambda v: v * np.log(v) - v, (0, np.inf)),
    "c": (lambda u: np.maximum(0, np.abs(u) - 0.5), lambda v: 0.5 * abs(v), (-1, 1)),
    "d": (lambda u: np.sqrt(1 + u**2), lambda v: -np.sqrt(1 - v**2), (-1, 1)),
    "e": (lambda u: np.log1p(np.exp(-u)), lambda v: v * np.log(v) + (1 - v) * np.log(1 - v), (0, 1)),
    "f": (lambda u: u**4 / 4, lambda v: 0.75 * abs(v) ** (4 / 3), (-np.inf, np.inf)),
    "g": (
        lambda u: np.where(u > 0, -np.log(np.maximum(u, 1e-300)), np.inf),
        lambda v: -1 - np.log(v),
        (0, np.inf),
    ),
}


def own_verdicts(own):
    """Draw the places where a student's referee refutes the seven claims of lesson 11.

    Parameters
    ----------
    own : callable
        Of p, q, the places and the slopes: whether the claim is wrong at each slope (k,).

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    us, vs = np.linspace(-30.0, 30.0, 60_001), np.round(np.arange(-1.75, 1.8, 0.5), 2)
    points, refuted, answered = [], [], True
    for letter, (p, inside, (low, high)) in CLAIMS.items():
        verdicts = own(p, lambda v, q=inside, a=low, b=high: q(v) if a < v < b else np.inf, us, vs)
        answered = answered and _is_answered(verdicts)
        wrong = np.asarray(verdicts, dtype=bool) if answered else np.zeros(vs.size, dtype=bool)
        points += [(v, letter) for v in vs[~wrong]]
        refuted += [(v, letter) for v in vs[wrong]]
    dots = hv.Points(points, ["slope v", "claim"], label="agrees").opts(color=BLUE, size=6)
    overlay = hv.Overlay([dots])
    title = "The verdicts of your referee appear here once the exercise above is answered"
    if refuted:
        crosses = hv.Points(refuted, ["slope v", "claim"], label="refuted")
        overlay *= crosses.opts(color=ORANGE, marker="x", size=11, line_width=3)
    if answered:
        title = f"{len({letter for _, letter in refuted})} of {len(CLAIMS)} claims are refuted"
    return overlay.opts(width=560, height=320, title=title, legend_position="right")
