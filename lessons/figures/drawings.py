"""Data and figures of the lessons from 13 on.

HoloViews is imported inside the functions, since checkers run without it.
"""

from typing import NamedTuple

import numpy as np


def relevant_features(d, k, n, seed):
    """Return samples of d features -1 and 1 whose label is the sign of the sum of the first k.

    Returns
    -------
    X : ndarray (n, d)
    y : ndarray (n,)
    u : ndarray (d,)
        The comparator: 1 at the features that count.
    """
    rng = np.random.default_rng(seed)
    u = (np.arange(d) < k).astype(float)
    X = rng.choice([-1.0, 1.0], (3 * n, d))
    X = X[X @ u != 0][:n]
    return X, np.sign(X @ u), u


def _mistakes(X, y, rule, eta):
    """Return the flags of the mistakes of the workbench's own solver on a stream."""
    from workbench import Problem, solvers

    if rule == "winnow":
        solver, regularizer = solvers.Winnow(eta=eta), f"normalized-entropy:mu={1 / X.shape[1]!r}"
    elif rule == 2:
        solver, regularizer = solvers.Perceptron(eta=eta), "squared-l2"
    else:
        solver, regularizer = solvers.PNorm(eta=eta), f"q-norm:q={rule / (rule - 1.0)!r}"
    problem = Problem(X, y, "hinge", regularizer, lam=1.0)
    state, flags = solver.init(problem), []
    for k in range(len(y)):
        before = state.mistakes[k]
        solver.visit(problem, state, np.array([k], dtype=np.uint32))
        flags.append(state.mistakes[k] > before)
    return np.array(flags)


def mistakes_and_bound(run, rule, d, k, n, wrong_labels):
    """Return the mistakes of a function of exercise 15.5 over a stream, beside the bound of its theorem.

    Parameters
    ----------
    run : callable or None
        run(X, y, rule, eta, epochs) returns the flags of the mistakes and the average of the weights; None
        for the workbench's own solvers.
    rule : {"Perceptron", "p-norm", "Winnow"}
    d, k, n : int
        Features, those that count, samples.
    wrong_labels : float
        The share of the labels that are turned.

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    from workbench import bounds

    X, y, u = relevant_features(d, k, n, seed=15)
    y = y * np.where(np.random.default_rng(1).random(n) < wrong_labels, -1.0, 1.0)
    if rule == "Winnow":
        p, eta = "winnow", float(np.arctanh(2.0 / k))
        bound = bounds.winnow(X, y, u / k, eta=eta, margin=2.0 / k).bound
    else:
        p, eta = 2 if rule == "Perceptron" else 2 * float(np.log(d)), 1.0
        bound = bounds.p_norm(X, y, u, p=p, margin=2.0).bound
    mistakes = _mistakes(X, y, p, eta) if run is None else run(X, y, p, eta, 1)[0]
    total = np.cumsum(np.asarray(mistakes, dtype=float))
    steps = np.arange(1, n + 1)
    curves = [
        hv.Curve((steps, total), "samples", "mistakes", label=rule),
        hv.Curve((steps[[0, -1]], [bound, bound]), "samples", "mistakes", label="bound").opts(
            line_dash="dashed", color="#D55E00"
        ),
    ]
    title = f"{rule}, d = {d}: {total[-1]:.0f} mistakes, at most {bound:.1f}"
    return hv.Overlay(curves).opts(title=title, width=600, legend_position="top_left", ylim=(0, 1.1 * bound))


def two_rings(n, seed):
    """Return samples (n, 2) of two classes in the plane, the second around the first, and labels (n,)."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    radius, angle = np.where(y > 0, 0.6, 1.3) + 0.2 * rng.normal(size=n), 2 * np.pi * rng.random(n)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1), y


def kernel_classifier(run, X, y, kernel, gamma, lam):
    """Return the lines of predictions 0, -1 and +1, and the support vectors, of a kernel SVM in the plane.

    Parameters
    ----------
    run : callable or None
        run(K, y, lam, tol) returns dual variables (n,); None for the workbench's own solver.
    X, y : ndarray (n, 2), (n,)
    kernel : {"Gaussian", "polynomial"}
        exp(-gamma |x - x'|^2) or (1 + gamma x.x')^3.
    gamma, lam : float

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv
    from contourpy import contour_generator

    from workbench import Problem, solve

    def matrix(A):
        if kernel == "polynomial":
            return (1 + gamma * A @ X.T) ** 3
        return np.exp(-gamma * np.sum((A[:, None, :] - X) ** 2, axis=2))

    K, lam_n = matrix(X), lam * len(y)
    if run is None:
        problem = Problem(K, y, "hinge", lam=lam, bias=True, kernel="precomputed")
        alpha = solve(problem, "maximal-violating-pair", tol=1e-4, max_epochs=5000).alpha
    else:
        alpha = np.asarray(run(K, y, lam, 1e-4), dtype=float)
    z = K @ alpha / lam_n
    # P is piecewise linear in the bias, with its corners where a margin is 1.
    losses = np.maximum(0, 1 - y[:, None] * (z[:, None] + (y - z)[None, :])).mean(axis=0)
    b = (y - z)[losses.argmin()]
    place = np.linspace(-2, 2, 61)
    grid = np.stack(np.meshgrid(place, place), axis=-1).reshape(-1, 2)
    lines = contour_generator(place, place, (matrix(grid) @ alpha / lam_n + b).reshape(61, 61))
    parts = []
    for level, dash in ((0, "solid"), (-1, "dashed"), (1, "dashed")):
        options = {"color": "black", "line_dash": dash}
        parts += [hv.Curve(line, "x1", "x2").opts(**options) for line in lines.lines(level)]
    support = alpha != 0
    for label, colour in ((1, "#0072B2"), (-1, "#D55E00")):
        for mask, size in ((support, 7), (~support, 3)):
            points = X[(y == label) & mask]
            parts.append(hv.Scatter(points, "x1", "x2").opts(color=colour, size=size))
    loss = losses.min()
    title = f"{np.mean(np.sign(z + b) == y):.0%} right, {support.sum()} support vectors, mean loss {loss:.3f}"
    return hv.Overlay(parts).opts(
        title=title, width=480, height=460, xlim=(-2, 2), ylim=(-2, 2), show_legend=False
    )


def grouped_features(n, seed):
    """Sixty features in twelve groups of five, of which three count.

    Returns
    -------
    X, y : ndarray (n, 60), (n,)
    groups : ndarray (60,) of int
    truth : ndarray (60,)
    """
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(12), 5)
    sizes = np.zeros(12)
    sizes[[2, 5, 9]] = [1.0, 2.0, 0.5]
    truth = rng.normal(size=60) * sizes[groups]
    X = rng.normal(size=(n, 60))
    return X, X @ truth + 0.5 * rng.normal(size=n), groups, truth


def group_lengths(run, lam, groups):
    """Return the lengths of the groups that the group lasso finds, beside those of the true weights.

    Parameters
    ----------
    run : callable or None
        run(X, y, groups, lam, tol) returns w (d,) and a feasible alpha (n,); None for the workbench's solver.
    lam : float
    groups : {"groups of five", "single features"}

    Returns
    -------
    holoviews.Overlay
    """
    import holoviews as hv

    from workbench import Problem, certificate, norms, solve

    X, y, five, truth = grouped_features(80, seed=14)
    labels = five if groups == "groups of five" else np.arange(60)
    sets = [list(map(int, np.flatnonzero(labels == g))) for g in range(labels.max() + 1)]
    problem = Problem(X, y, "squared", norms.GroupL1L2(groups=sets), lam=lam)
    if run is None:
        solution = solve(problem, "proximal-gradient", tol=1e-6, max_epochs=5000)
        w, gap = solution.w, solution.gap
    else:
        w, alpha = run(X, y, labels, lam, 1e-4)
        gap = certificate(problem, w=w, alpha=alpha).gap

    def lengths(u):
        return [(f"{g}", float(length)) for g, length in enumerate(np.sqrt(np.bincount(five, u**2)))]

    pairs = lengths(w)
    used = sum(length > 0 for _, length in pairs)
    title = f"lambda = {lam:g}: {np.sum(w != 0)} weights in {used} of 12 groups, gap {gap:.1e}"
    bars = hv.Bars(pairs, "group", "length").opts(color="#0072B2", fill_alpha=0.6)
    marks = hv.Scatter(lengths(truth), "group", "length").opts(color="#D55E00", marker="diamond", size=9)
    return (bars * marks).opts(title=title, width=600, height=340, show_legend=False)


def few_of_many(n, d, seed):
    """Return samples (n, d) with correlated neighbours, targets (n,), and weights (d,) of which ten count."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    X[:, 1:] = 0.8 * X[:, 1:] + 0.6 * X[:, :-1]
    truth = np.zeros(d)
    truth[rng.choice(d, 10, replace=False)] = rng.choice([-1.0, 1.0], 10)
    return X, X @ truth + 0.3 * rng.normal(size=n), truth


def hidden_layer(X, V, c):
    """Return the activations (n, k) of a hidden layer with weights V (d, k) and numbers c (k,)."""
    return np.maximum(X @ V + c, 0.0)


class Roads(NamedTuple):
    """The gap of three methods over passes through the data, for logistic regression.

    Attributes
    ----------
    curves : dict of str to (ndarray, ndarray)
        Passes and gaps.
    promised : (ndarray, ndarray)
        Passes, and what SDCA's theorem bounds the expected gap by after them.
    """

    curves: dict
    promised: tuple

    def passes(self, tol):
        """After how many passes each method has reached a gap."""
        return {
            name: int(at[np.argmax(gaps <= tol)]) if np.any(gaps <= tol) else f"more than {int(at[-1])}"
            for name, (at, gaps) in self.curves.items()
        }


def road_problem(features):
    """Return the samples (200, 20) and labels of the figure of roads; `features` as for `roads`."""
    rng = np.random.default_rng(161)
    X = rng.normal(size=(200, 20))
    y = np.where(rng.random(200) < 1 / (1 + np.exp(-X[:, :5].sum(axis=1))), 1.0, -1.0)
    return (X if features == "of equal size" else X * np.geomspace(3.0, 0.3, 20)), y


def measured_roads(run, lam, features, most=400):
    """Run Frank-Wolfe, PDHG and SDCA for a number of passes.

    Parameters
    ----------
    run : callable or None
        run(X, y, lam, tol) returns alpha and the gaps of all steps; None for the workbench's own solver.
    lam : float
    features : {"of equal size", "of unequal sizes"}
    most : int

    Returns
    -------
    Roads
    """
    from workbench import Problem, Run, solvers
    from workbench.solvers.algorithms import sdca

    X, y = road_problem(features)
    n, problem = len(y), Problem(X, y, "logistic", lam=lam)
    curves = {}
    # One look of a method: (number of steps, their cost in passes).
    plans = {
        "Frank-Wolfe": (solvers.FrankWolfe(), 1, 2),
        "PDHG": (solvers.PDHG(), 1, 2),
        "SDCA": (solvers.SDCA(), n, 1),
    }
    for name, (solver, steps, cost) in plans.items():
        if name == "Frank-Wolfe" and run is not None:
            gaps = np.asarray(run(X, y, lam, 1e-7)[1], dtype=float)[: most // cost + 1]
        else:
            going, gaps = Run(problem, solver, seed=0), []
            while len(gaps) <= most // cost and (not gaps or gaps[-1] > 1e-8):
                gaps.append(going.certificate().gap)
                going.step(steps)
        curves[name] = cost * np.arange(len(gaps)), np.array(gaps)
    at = np.arange(max(passes[-1] for passes, _ in curves.values()) + 1)
    return Roads(curves, (at, sdca.rate(problem).gap(n * at, curves["SDCA"][1][0])))


def roads(run, lam, features):
    """Return the figure of `measured_roads`, an Overlay of HoloViews; the parameters are the same."""
    import holoviews as hv

    result = measured_roads(run, lam, features)
    lines = {**result.curves, "SDCA, promised": result.promised}
    looks = (("#0072B2", "solid"), ("#E69F00", "dashed"), ("#009E73", "dashdot"), ("#009E73", "dotted"))
    curves = [
        hv.Curve(points, "passes through the data", "gap", label=name).opts(color=colour, line_dash=dash)
        for (name, points), (colour, dash) in zip(lines.items(), looks, strict=True)
    ]
    counts = ", ".join(f"{name} {count}" for name, count in result.passes(1e-6).items())
    return hv.Overlay(curves).opts(
        title=f"passes to a gap of 1e-6: {counts}",
        logy=True,
        width=600,
        ylim=(1e-8, 1e4),
        legend_position="top_right",
    )
