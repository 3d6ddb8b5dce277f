"""Lambda by cross-validation along a warm-started path, every point of which carries its certificate."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, NamedTuple

import joblib
import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import check_whole
from workbench.certificates import loss_terms
from workbench.kernels.threads import at_most
from workbench.problems import Problem
from workbench.problems.held_out import HeldOut
from workbench.solvers import auto
from workbench.solvers.solution import attempt

if TYPE_CHECKING:
    from workbench.solvers import Solver

FOLDS = 5
# Decades of lambda from where the weights vanish, and points in each of them.
DECADES, DENSITY = 6, 4
# Where no lambda has all weights zero, the model without weights is within this share of its loss from the
# optimum at the first one.
NEARLY = 0.1
# A norm's first lambda is larger by this share, so that rounding leaves no weight.
ROUNDING = 1e-9
# What a point of the path must reach; the model itself is solved further.
TOLERANCE = 1e-2
# The path ends when a decade, and at least this number of points, have not lowered the held-out loss.
WORSE = 2
# With more entries of X, for each class, three folds and a point a decade do.
MANY, FEWER_FOLDS, FEWER = 400_000, 3, 1
# Matrices with more entries are worth several threads.
THREADED = 2_000_000
# Samples of each label, or samples, below which nothing is held out.
LEAST = 2


class Point(NamedTuple):
    """One lambda of the path.

    Attributes
    ----------
    lam : float
    loss, loss_error : float
        The mean held-out loss, and the standard error of this mean over the folds.
    score, score_error : float
        Held-out accuracy, or R squared, in the same way.
    nonzeros : float
        Weights that are not zero, on average over the folds.
    gap : float
        The largest relative gap of the folds' certificates.
    """

    lam: float
    loss: float
    loss_error: float
    score: float
    score_error: float
    nonzeros: float
    gap: float


class Choice(NamedTuple):
    """A lambda and the reason for it.

    Attributes
    ----------
    lam : float
    path : tuple of Point
        From the largest lambda; empty where nothing could be held out.
    chosen : int
        The place of lambda on the path.
    folds : int
    sentence : str
    start : dict or None
        Weights of a fold at this lambda, from which the solution on all samples is near.
    solver : str, Solver or None
        The solver of the path.
    why : str
        The reason for this solver, where "auto" chose it.
    baseline : float
        The mean held-out score of the most frequent label, or of the mean, of the training parts alone.
    """

    lam: float
    path: tuple
    chosen: int
    folds: int
    sentence: str
    start: dict | None = None
    solver: str | Solver | None = None
    why: str = ""
    baseline: float = 0.0


def choose(
    fold_of,
    X,
    y,
    shape,
    labels,
    solver,
    one_se=False,
    folds=None,
    seed=0,
    watch=None,
    weight=None,
    n_jobs=None,
) -> Choice:
    """Return the lambda of least held-out loss.

    Parameters
    ----------
    fold_of : callable
        (train, test) row numbers to (X_train, X_test), so that scales come from the training part alone.
    X, y : all samples, which set the range of lambda
    shape : dict
        The other arguments of `Problem`.
    labels : bool
        True if y holds labels, which every fold should have in the same shares.
    solver : str or Solver
        "auto" chooses one for a middle lambda.
    one_se, folds, seed, weight
        As for `wb.fit`; held-out losses are weighted, too.
    watch : callable, optional
        Called with the number of lambdas done, of all, and the last `Point`.
    n_jobs : int, optional
        Number of folds that are solved at a time, in threads; -1 for one a core, None for one.
    """
    whole = Problem(X, y, lam=1.0, sample_weight=weight, **shape)
    large = X.shape[0] * X.shape[1] * (whole.columns or (1,))[0] > MANY
    density = FEWER if large else DENSITY
    if folds is None:
        folds = FEWER_FOLDS if large else FOLDS
    parts = splits(y, labels, folds, seed)
    if not parts:
        lams = grid(whole, density)
        lam = float(lams[len(lams) // 2])
        return Choice(lam, (), 0, 0, f"λ = {lam:.3g}, a middle one: there are too few rows to hold any out")
    runs, held_out, largest = [], [], 0.0
    for train, test in parts:
        X_train, X_test = fold_of(train, test)
        weights = [None if weight is None else weight[rows] / weight[rows].mean() for rows in (train, test)]
        # The weights vanish in every fold, too.
        problem = Problem(X_train, y[train], lam=1.0, sample_weight=weights[0], **shape)
        largest = max(largest, largest_lambda(problem))
        runs.append([X_train, y[train], X_test, y[test], _without_weights(problem), weights])
        held_out.append((problem, X_test, y[test]))
    lams = grid(whole, density, largest)
    why = ""
    if solver == auto.NAME:
        # One for all, so that no more than its kernels are compiled.
        solver, why, _ = auto.choose(whole.replace(lam=lams[len(lams) // 2]))
    path, starts, worse = [], [], 0
    for done, lam in enumerate(lams, 1):
        with at_most(threads(X)):
            path.append(_point(float(lam), runs, shape, solver, seed, n_jobs))
        starts.append({"w": runs[0][4].w, "b": runs[0][4].b})
        best = min(path, key=lambda point: point.loss)
        worse = worse + 1 if path[-1].loss > best.loss else 0
        if watch is not None:
            watch(done, len(lams), path[-1])
        if worse == max(WORSE, density):
            break
    least = min(range(len(path)), key=lambda k: path[k].loss)
    limit = path[least].loss + path[least].loss_error
    place = next(k for k, point in enumerate(path) if point.loss <= limit) if one_se else least
    rule = "the largest within one standard error of the least" if one_se else "the least"
    text = f"λ = {path[place].lam:.3g} of {len(path)} by {len(parts)}-fold cross-validation"
    text += f": {rule} held-out loss{edge(place, len(lams))}"
    baseline = np.mean([HeldOut(problem, X_test, y_test).baseline for problem, X_test, y_test in held_out])
    chosen = path[place].lam, tuple(path), place, len(parts), text
    return Choice(*chosen, starts[place], solver, why, float(baseline))


def edge(place, count):
    """Return the sentence on a lambda at an end of the grid."""
    if place == 0:
        return "; it is the largest of the grid, where weights vanish or nearly do: the columns may not help"
    if place == count - 1:
        return "; it is the smallest of the grid, and a smaller one may be better: give lam"
    return ""


def threads(X):
    """Return 1 for small matrices, whose threads only wait for each other; None for all threads."""
    return 1 if X.shape[0] * X.shape[1] <= THREADED else None


def _point(lam, runs, shape, solver, seed, n_jobs=None):
    """Solve every fold for one lambda, from where the larger one ended."""

    def solve_fold(run):
        X_train, y_train, X_test, y_test, before, weights = run
        problem = Problem(X_train, y_train, lam=lam, sample_weight=weights[0], **shape)
        run[4] = solution = _solve(problem, solver, seed, before)
        if solution.status == "interrupted":
            raise KeyboardInterrupt
        test = Problem(X_test, y_test, shape["loss"], lam=lam, sample_weight=weights[1])
        z = solution.decision_function(X_test)
        loss = loss_terms.loss_side(test).loss(z) / len(y_test)
        score = HeldOut(problem, X_test, y_test).score_predictions(z)
        nonzeros = 0 if solution.w is None else int(np.count_nonzero(solution.w))
        return loss, score, nonzeros, solution.relative_gap

    folds = joblib.Parallel(n_jobs, backend="threading")(joblib.delayed(solve_fold)(run) for run in runs)
    losses, scores, nonzeros, gaps = zip(*folds, strict=True)
    (loss, loss_error), (score, score_error) = _mean(losses), _mean(scores)
    return Point(lam, loss, loss_error, score, score_error, float(np.mean(nonzeros)), float(max(gaps)))


def _solve(problem, solver, seed, start):
    """Solve from a start, where the solver can start from weights."""
    try:
        return attempt(problem, solver, TOLERANCE, seed=seed, warm_start=start)
    except InputError:
        if not isinstance(start, dict):
            raise
        return attempt(problem, solver, TOLERANCE, seed=seed)


def _mean(values):
    """Return the mean over the folds and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def grid(problem, density=DENSITY, largest=0.0):
    """Return lambdas from `largest_lambda`, or a larger one, over six decades, largest first."""
    largest = max(largest_lambda(problem), largest)
    return largest * np.logspace(0.0, -DECADES, DECADES * density + 1)


def largest_lambda(problem):
    """Return the least lambda at which all weights vanish, and the bias alone is left where that is free.

    Let alpha be the dual point of map (10) for the model without weights, with the best bias. A norm has no
    weights from lambda = |X'alpha|_* / n on, and the elastic net from the lambda on at which
    h(X'alpha / (lam n)) is zero. Where no lambda is large enough, as with squared l2, it is the one at which
    that model is certified to be within `NEARLY` of its loss from the optimum: the gap is lambda h(v) there.
    The problem has lambda 1.
    """
    side, z = loss_terms.loss_side(problem), np.zeros((problem.n_samples, *problem.columns))
    bias = _best_bias(problem)
    alpha = side.alpha_at(z, bias)
    if problem.free_bias:
        alpha, _ = side.balance(alpha)
    loss = side.loss(z + bias) / problem.n_samples
    with np.errstate(over="ignore", invalid="ignore"):
        if problem.kernel is not None:
            energy = float(alpha @ problem.kernel_matrix.product(alpha)) / problem.n_samples**2
            largest = energy / (2.0 * NEARLY * loss) if loss > 0.0 else 0.0
        else:
            largest = _of_regularizer(problem, problem.dual_vector(alpha).ravel(), NEARLY * loss)
    return largest if np.isfinite(largest) and largest > 0.0 else 1.0


def _best_bias(problem):
    """Return the bias of the model without weights: the best one where it is free, else 0."""
    z = np.zeros((problem.n_samples, *problem.columns))
    return loss_terms.loss_side(problem).best_bias(z) if problem.free_bias else np.zeros(problem.columns)[()]


def _without_weights(problem):
    """Return the model without weights, from which a path begins; None with a kernel."""
    if problem.kernel is not None:
        return None
    return {"w": np.zeros((problem.n_features, *problem.columns)), "b": _best_bias(problem)}


def _of_regularizer(problem, v, most):
    """Return the least lambda at which g(0) + h(v / lambda) is 0, else at which lambda times it is `most`."""
    transfer = problem.transfer
    if problem.regularizer.is_norm:
        return (1.0 + ROUNDING) / transfer.reach(v)
    size = float(np.abs(v).max())
    if not size > 0.0:
        return 0.0
    least, center = transfer.map(np.zeros_like(v))

    def excess(lam):
        return transfer.map(v / lam)[0] - least - float(center @ v) / lam

    if excess(size * 1e12) == 0.0 and excess(size * 1e6) == 0.0:  # a kink at 0
        return (1.0 + ROUNDING) * _first(lambda lam: excess(lam) == 0.0, size)
    return _first(lambda lam: lam * excess(lam) <= most, size) if most > 0.0 else 0.0


def _first(holds, lam):
    """Return the least number from which on a statement holds, to a relative 1e-12."""
    while not holds(lam) and lam < 1e300:
        lam *= 16.0
    for factor in 16.0 ** (0.5 ** np.arange(44)):
        while lam > 1e-300 and holds(lam / factor):
            lam /= factor
    return float(lam)


def splits(y, labels, folds=FOLDS, seed=0):
    """Return row numbers (train, test) of each fold by scikit-learn, an empty list where there are too few.

    A fold whose training part lacks a label is left out.
    """
    from sklearn.model_selection import KFold, StratifiedKFold

    folds = check_whole("fit", "folds", folds, 2, usual=FOLDS)
    counts = np.unique(y, return_counts=True)[1]
    folds = min(folds, len(y))
    if labels:
        folds = min(folds, int(counts.max()))
    if folds < 2 or len(y) < 2 * LEAST or (labels and (counts.size < 2 or np.sort(counts)[-2] < LEAST)):
        return []
    splitter = (StratifiedKFold if labels else KFold)(folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a label rarer than the folds
        parts = list(splitter.split(np.zeros((len(y), 1)), y))
    if labels:
        parts = [part for part in parts if np.unique(y[part[0]]).size == counts.size]
    return parts if len(parts) > 1 else []
