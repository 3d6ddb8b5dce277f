"""Lambda by cross-validation along a warm-started path, every point of which carries its certificate."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from workbench.certificates import certify, loss_terms
from workbench.compiled.threads import at_most
from workbench.names import check_whole
from workbench.problem import Problem
from workbench.problem.held_out import HeldOut
from workbench.solution import attempt
from workbench.solvers import auto

FOLDS = 5
# Decades of lambda from where the weights are nearly zero, and points in each three of them.
DECADES, DENSITY = 6, 5
# What a point of the path must reach; the model itself is solved further.
TOLERANCE = 1e-2
# The path ends when the held-out loss has been worse than the best so often in a row.
WORSE = 2
# With more entries of X, for each class, three folds and a point a decade do.
MANY, FEWER = 400_000, 3
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
    """A lambda and why it was taken.

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
        What solved the path.
    why : str
        Why this solver, where "auto" chose it.
    """

    lam: float
    path: tuple
    chosen: int
    folds: int
    sentence: str
    start: dict | None = None
    solver: object = None
    why: str = ""


def choose(
    fold_of, X, y, shape, labels, solver, one_se=False, folds=None, seed=0, watch=None, weight=None
) -> Choice:
    """The lambda of least held-out loss.

    Parameters
    ----------
    fold_of : callable
        (train, test) row numbers to (X_train, X_test), so that scales come from the training part alone.
    X : ndarray or csr_array (n, D)
        All samples, which set the range of lambda.
    y : ndarray (n,)
        As the loss takes it.
    shape : dict
        The other arguments of `Problem`.
    labels : bool
        Whether y holds labels, which every fold should have in the same shares.
    solver : str or Solver
        "auto" chooses one for a middle lambda.
    one_se : bool
        Whether to take the largest lambda within one standard error of the least loss.
    folds : int, optional
        Of scikit-learn's KFold, or StratifiedKFold for labels, with shuffled rows; 5, or 3 for much data.
    seed : int
    watch : callable, optional
        Called with the number of lambdas done, of all, and the last `Point`.
    weight : ndarray (n,), optional
        The weights of the samples, by which held-out losses count, too.
    """
    whole = Problem(X, y, lam=1.0, sample_weight=weight, **shape)
    large = X.shape[0] * X.shape[1] * (whole.columns or (1,))[0] > MANY
    lams = grid(whole, FEWER if large else DENSITY)
    why = ""
    if solver == auto.NAME:
        # One for all, so that no more than its kernels are compiled.
        solver, why, _ = auto.choose(whole.replace(lam=lams[len(lams) // 2]))
    if folds is None:
        folds = FEWER if large else FOLDS
    parts = splits(y, labels, folds, seed)
    if not parts:
        lam = float(lams[len(lams) // 2])
        return Choice(lam, (), 0, 0, f"λ = {lam:.3g}, a middle one: there are too few rows to hold any out")
    runs = []
    for train, test in parts:
        X_train, X_test = fold_of(train, test)
        weights = [None if weight is None else weight[rows] / weight[rows].mean() for rows in (train, test)]
        runs.append([X_train, y[train], X_test, y[test], None, weights])
    path, starts, worse = [], [], 0
    for done, lam in enumerate(lams, 1):
        with at_most(threads(X)):
            path.append(_point(float(lam), runs, shape, solver, seed))
        starts.append({"w": runs[0][4].w, "b": runs[0][4].b})
        best = min(path, key=lambda point: point.loss)
        worse = worse + 1 if path[-1].loss > best.loss else 0
        if watch is not None:
            watch(done, len(lams), path[-1])
        if worse == WORSE:
            break
    least = min(range(len(path)), key=lambda k: path[k].loss)
    limit = path[least].loss + path[least].loss_error
    place = next(k for k, point in enumerate(path) if point.loss <= limit) if one_se else least
    rule = (
        "the largest within one standard error of the least held-out loss"
        if one_se
        else ("the least held-out loss")
    )
    text = f"λ = {path[place].lam:.3g} of {len(path)} by {len(parts)}-fold cross-validation: {rule}"
    return Choice(path[place].lam, tuple(path), place, len(parts), text, starts[place], solver, why)


def threads(X):
    """One for small matrices, whose threads only wait for each other; None for as many as there are."""
    return 1 if X.shape[0] * X.shape[1] <= THREADED else None


def _point(lam, runs, shape, solver, seed):
    """Solve every fold for one lambda, from where the larger one ended."""
    losses, scores, nonzeros, gaps = [], [], [], []
    for run in runs:
        X_train, y_train, X_test, y_test, before, weights = run
        problem = Problem(X_train, y_train, lam=lam, sample_weight=weights[0], **shape)
        run[4] = solution = attempt(problem, solver, TOLERANCE, seed=seed, warm_start=before)
        if solution.status == "interrupted":
            raise KeyboardInterrupt
        test = Problem(X_test, y_test, shape["loss"], lam=lam, sample_weight=weights[1])
        z = solution.decision_function(X_test)
        losses.append(loss_terms.of(test).loss(z) / len(y_test))
        scores.append(HeldOut(problem, X_test, y_test).score_predictions(z))
        nonzeros.append(np.count_nonzero(solution.w) if solution.w is not None else 0)
        gaps.append(solution.relative_gap)
    (loss, loss_error), (score, score_error) = _mean(losses), _mean(scores)
    return Point(lam, loss, loss_error, score, score_error, float(np.mean(nonzeros)), float(max(gaps)))


def _mean(values):
    """The mean over the folds and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))


def grid(problem, density=DENSITY):
    """Lambdas from where the weights are nearly zero, over six decades with so many points in each three.

    For a norm that is the slope of the loss at w = 0, for others the variance of the samples: there the
    regularizer outweighs the curvature of every loss.
    """
    if problem.regularizer.is_norm and problem.kernel is None:
        zero = certify(problem, w=np.zeros((problem.design.shape[1], *problem.columns)))
        largest = float(np.abs(problem.design.transposed(zero.alpha)).max()) / problem.n_samples
    elif problem.kernel is not None:
        largest = float(problem.kernel_matrix.diagonal.mean())
    else:
        rows = problem.rows
        squares = float(rows.multiply(rows).sum()) / rows.shape[0]
        centers = np.asarray(rows.mean(axis=0)).ravel()
        largest = squares - float(centers @ centers) if problem.free_bias else squares
    largest = largest if np.isfinite(largest) and largest > 0.0 else 1.0
    return largest * np.logspace(0.0, -DECADES, DECADES * density // 3 + 1)


def splits(y, labels, folds=FOLDS, seed=0):
    """Row numbers (train, test) of each fold by scikit-learn; none where there are too few.

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
