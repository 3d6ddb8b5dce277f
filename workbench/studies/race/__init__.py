"""The race: our solvers against others on the same data, by the rules of `RULES`.

Each contestant takes a tolerance and gives a point. P* is the best value that anyone found; everyone gets
the loosest tolerance of a ladder that brings (P - P*) / P* to the mark, and is then timed in turn with the
others, several rounds, on one thread. A ratio is the fastest peer's median time over ours.
"""

import contextlib
import dataclasses
import time
import warnings
from pathlib import Path

import numpy as np

from workbench import data as datasets
from workbench._support.errors import InputError
from workbench._support.system import extras, storage
from workbench.problems import Problem
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.solution import attempt
from workbench.studies.race import accuracy, scales, sparse
from workbench.studies.race.contest import MAX_EPOCHS, MAX_SECONDS, Contestant, Row, cell, peer, timed

RULES = (
    "Our seconds hold the Problem from the peer's own arrays, the solver and the certificates that stop it; "
    "all are seconds of the processor, on one thread. Compilation comes before and is printed. Everyone gets "
    "the loosest tolerance that reaches the mark. Races to an accuracy ask nobody for a certificate; all get "
    "the fastest setting that reaches it."
)
# Pair methods begin at the tolerance that is libsvm's default.
PAIR_LADDER = tuple(1e-3 * 10.0 ** (-k / 2) for k in range(9))
MARKS = (1e-3, 1e-5)
LINEAR = {
    "reuters-acq": ("reuters21578", {"category": "acq"}, (1e-3, 1e-4)),
    "reuters-trade": ("reuters21578", {"category": "trade"}, (1e-3, 1e-4)),
    "news20": ("news20", {}, (1e-4,)),
}
KERNEL_ROWS, GAMMA, COSTS = 5000, 0.05, (1.0, 100.0)
NAMES = (*LINEAR, "a9a-rbf", "elastic-net", *sparse.NAMES, *scales.NAMES, *accuracy.TASKS)


def run(names=NAMES, repeats=5, say=None):
    """Race on these data sets; yields one `Row` a cell.

    Parameters
    ----------
    names : iterable of str
        Of `NAMES`.
    repeats : int
        Rounds of timing; the median counts.
    say : callable, optional
        Told what is going on.
    """
    for name in names:
        if name not in NAMES:
            raise InputError(f"race: data {name!r} is not known; known are {', '.join(NAMES)}")
    say = say or (lambda text: None)
    for name in names:
        if name in accuracy.TASKS:
            say(name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield accuracy.cell(name, repeats)
            continue
        special = {"a9a-rbf": _kernel_cells, "elastic-net": _elastic_cells}
        for module in (sparse, scales):
            special |= dict.fromkeys(module.NAMES, module.cells)
        cells = special.get(name, _linear_cells)
        for task, marks, value, contestants, reference in cells(name):
            say(task)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                yield from _race(task, marks, value, contestants, reference, repeats)


def _race(task, marks, value, contestants, reference, repeats):
    start = time.perf_counter()
    best = reference()
    results = {c.name: [] for c in contestants}
    for contestant in contestants:
        for tol in contestant.ladder:
            began = time.process_time()
            reached = value(contestant.run(tol))
            best = min(best, reached)
            results[contestant.name].append((tol, reached))
            if reached <= best * (1.0 + 0.1 * min(marks)) or time.process_time() - began > MAX_SECONDS:
                break
    prepared = time.perf_counter() - start
    for mark in marks:
        row = Row(task, mark, notes={"preparation seconds, compilation included": prepared, "P*": best})
        for name, points in results.items():
            enough = [tol for tol, reached in points if reached <= best * (1.0 + mark)]
            if enough:
                row.tolerances[name] = enough[0]
        runs = {
            c.name: lambda c=c, tol=row.tolerances[c.name]: c.run(tol)
            for c in contestants
            if c.name in row.tolerances
        }
        timed(row, runs, repeats)
        yield row


# Linear classifiers: liblinear, and scikit-learn's solvers of logistic regression


def _linear_cells(name):
    key, options, lams = LINEAR[name]
    task = datasets.load(key, **options)
    X, y = task.X, task.y
    for lam in lams:
        for loss in ("hinge", "squared-hinge", "logistic"):
            terms, peers = {"loss": loss, "lam": lam}, linear_peers(X, y, loss, lam)
            yield cell(f"{name} {loss} lam={lam:g}", MARKS, X, y, terms, peers, "gauss-seidel", 1e-8)


def linear_peers(X, y, loss, lam):
    """liblinear, and scikit-learn's solvers of logistic regression."""
    options = {"C": 1.0 / (lam * len(y)), "fit_intercept": False, "max_iter": MAX_EPOCHS}
    if loss == "logistic":
        for solver in ("liblinear", "lbfgs", "newton-cg"):
            yield from peer(solver, "sklearn.linear_model.LogisticRegression", X, y, solver=solver, **options)
        return
    options |= {"loss": "hinge"} if loss == "hinge" else {"loss": "squared_hinge", "C": options["C"] / 2}
    yield from peer("liblinear", "sklearn.svm.LinearSVC", X, y, dual=True, **options)


# The kernel machine: libsvm


def _kernel_cells(name):
    from sklearn.metrics.pairwise import rbf_kernel

    task = datasets.load("a9a")
    X, y = task.X[:KERNEL_ROWS], task.y[:KERNEL_ROWS]
    K = rbf_kernel(X, gamma=GAMMA)
    for cost in COSTS:
        lam = 1.0 / (cost * X.shape[0])
        judge = Problem(K, y, "hinge", lam=lam, bias=True, kernel="precomputed")
        for kind, rows in (("precomputed", K), (f"rbf:gamma={GAMMA}", X)):
            contestants = [_our_pairs(rows, y, lam, kind), _libsvm(rows, y, cost, kind, lam)]
            value, best = _dual_value(judge), _our_pairs(K, y, lam, "precomputed")
            yield (
                f"a9a {kind} C={cost:g}",
                (1e-6,),
                value,
                contestants,
                lambda v=value, c=best: v(c.run(1e-7)),
            )


def _dual_value(judge):
    """D(alpha), which is minimized."""

    def value(alpha):
        f = judge.kernel_matrix.product(alpha / judge.lam_n)
        # Both sides are negative; a mark is on the size, so the value is turned into a distance from zero.
        return -1.0 / (0.5 * alpha @ f / judge.n_samples - alpha @ judge.y / judge.n_samples)

    return value


def _our_pairs(rows, y, lam, kind):
    def go(tol):
        problem = Problem(rows, y, "hinge", lam=lam, bias=True, kernel=kind)
        return attempt(problem, MaximalViolatingPair(tol), tol=0.0, max_epochs=10_000).alpha

    return Contestant("workbench", go, PAIR_LADDER)


def _libsvm(rows, y, cost, kind, lam):
    from sklearn.svm import SVC

    options = {"kernel": "precomputed"} if kind == "precomputed" else {"gamma": GAMMA}

    def go(tol):
        machine = SVC(C=cost, tol=tol, **options).fit(rows, y)
        alpha = np.zeros(y.size)
        factors = machine.dual_coef_
        factors = factors.toarray() if hasattr(factors, "toarray") else factors
        alpha[machine.support_] = factors[0] * lam * y.size
        return alpha

    return Contestant("libsvm", go, PAIR_LADDER)


# Elastic-net least squares: scikit-learn, celer and skglm


def _elastic_cells(name):
    for shape, (n, d) in {"tall": (20_000, 200), "wide": (500, 5000)}.items():
        rng = np.random.default_rng(0)
        X = np.asfortranarray(rng.normal(size=(n, d)))
        y = X[:, :20] @ rng.normal(size=20) + 0.5 * rng.normal(size=n)
        epsilon, lam = 1.0, 0.1
        terms = {"loss": "squared", "regularizer": f"elastic-net:epsilon={epsilon}", "lam": lam}
        peers = elastic_peers(X, y, lam, epsilon)
        task = f"elastic-net {shape} {n}x{d}"
        yield cell(task, sparse.MARKS, X, y, terms, peers, "coordinate-descent", 1e-11)


def elastic_peers(X, y, lam, epsilon):
    """The peers that are installed; their objective is half of ours."""
    alpha, ratio = lam * (1 + epsilon) / 2, epsilon / (1 + epsilon)
    options = {"alpha": alpha, "l1_ratio": ratio, "fit_intercept": False, "max_iter": MAX_EPOCHS}
    yield from peer("scikit-learn", "sklearn.linear_model.ElasticNet", X, y, **options)
    yield from peer("celer", "celer.ElasticNet", X, y, **options)
    with contextlib.suppress(ImportError):
        from skglm import GeneralizedLinearEstimator
        from skglm.datafits import Quadratic
        from skglm.penalties import L1_plus_L2
        from skglm.solvers import AndersonCD

        def skglm(tol):
            solver = AndersonCD(tol=tol, fit_intercept=False, max_iter=1000)
            model = GeneralizedLinearEstimator(Quadratic(), L1_plus_L2(alpha, ratio), solver)
            return model.fit(X, y).coef_, 0.0

        yield Contestant("skglm", skglm)


def as_dict(row):
    """The row as plain numbers and text, what is not finite as None."""
    values = dataclasses.asdict(row)
    return {name: None if isinstance(x, float) and not np.isfinite(x) else x for name, x in values.items()}


def check_plot(path):
    """Refuse a plot that could not be written, before any work is done for it."""
    extras.need("race", "race --plot", "matplotlib")
    from matplotlib.backend_bases import FigureCanvasBase

    path = Path(path)
    kinds = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in kinds:
        raise InputError(f"--plot {path}: the name ends in none of {', '.join(kinds)}; use .png or .svg")


def plot(rows, path):
    """Bars of the ratios, theirs / ours, to a file; needs matplotlib."""
    check_plot(path)
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    names = [f"{row.task}, mark {row.mark:g}" for row in rows]
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.3 * len(rows)), layout="constrained")
    axes.barh(names, [row.ratio for row in rows])
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("seconds of the fastest peer / ours")
    with storage.whole(path) as file:
        figure.savefig(file, format=Path(path).suffix.removeprefix(".").lower())
    plt.close(figure)
