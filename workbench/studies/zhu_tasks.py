"""The tasks of Zhu's Figures 5 to 9 and Table II: accuracy by steps, and what L-BFGS needs."""

import time

import numpy as np
from scipy import sparse

from workbench.problems import Problem
from workbench.solvers import LBFGS, PrimalGradient
from workbench.solvers.run import Run

LOGISTIC, LOGISTIC_18, SQUARES = "l2 logistic", "l1.8 logistic", "l2 least squares"
# Loss, regularizer and the samples of a step, as the source has them.
PAIRS = {
    LOGISTIC: ("logistic", "squared-l2", 1),
    LOGISTIC_18: ("logistic", "p-norm:p=1.8", 300),
    SQUARES: ("squared", "squared-l2", 1),
}
# L-BFGS knows the norm of 1.8 with another factor: |w|^2 / 2 for |w|^2 / (2 (p - 1)).
SMOOTH = {"p-norm:p=1.8": ("q-norm:q=1.8", 1.0 / 0.8)}
# The number of timings of which the least is taken, since other work only adds.
TIMINGS = 3


def accuracies(data, pair, m, lams, checks, seed, datasets):
    """Test accuracy of the Primal Gradient Solver on m of the samples, for each lambda.

    Parameters
    ----------
    data, pair : str
        The data set, and a key of `PAIRS`.
    m : int
        Samples, drawn with the seed; the seed fixes the solver's draws as well.
    lams : list of float
    checks : list of int
        The steps after which the last iterate is tested, ascending.

    Returns
    -------
    dict
        accuracy, a list for each lambda with an entry a check (None after an overflow); curve_seconds
        likewise, processor seconds in the solver alone.
    """
    part = _part(datasets[data], m, seed)
    curves = [
        _curve(_problem(pair, part[0], part[1], lam), pair, checks, seed, datasets[data], _accuracy)
        for lam in lams
    ]
    return {"accuracy": [values for values, _ in curves], "curve_seconds": [seconds for _, seconds in curves]}


def errors(d, m, lams, checks, seed, datasets):  # noqa: ARG001, a task takes what its study shares
    """Distance of the unit predictor from the true one on a toy set of two Gaussians, l2 logistic.

    Parameters
    ----------
    d, m : int
        Features and samples. The classes have the identity as covariance and the means +u and -u, u a unit
        vector, which is therefore the best predictor.
    lams, checks, seed
        As for `accuracies`.
    datasets
        Not looked at: every task of an experiment is given what is shared.

    Returns
    -------
    dict
        error, a list for each lambda with an entry a check.
    """
    X, y, u = toy(d, m, seed)
    X = sparse.csr_array(X)
    curves = [_curve(_problem(LOGISTIC, X, y, lam), LOGISTIC, checks, seed, u, _error) for lam in lams]
    return {"error": [values for values, _ in curves]}


def toy(d, m, seed):
    """X (m, d), y (m,) and the unit vector u (d,) of a toy set."""
    rng = np.random.default_rng([seed, d])
    u = rng.normal(size=d)
    u /= np.linalg.norm(u)
    y = np.where(rng.random(m) < 0.5, 1.0, -1.0)
    return rng.normal(size=(m, d)) + y[:, None] * u, y, u


def quasi_newton(data, pair, m, lam, targets, most, seed, datasets):
    """Return the cost of L-BFGS on m of the samples: iterations and processor seconds to each accuracy.

    Parameters
    ----------
    data, pair, m, lam, seed
        As for `accuracies`.
    targets : list of float
        Accuracies, ascending.
    most : int
        Iterations at which the search ends; the accuracy there is the one of the optimum.

    Returns
    -------
    dict
        best_accuracy at the end and relative_gap there; reached, the iterations a target took, None for
        never; reached_seconds.
    """
    data, part = datasets[data], _part(datasets[data], m, seed)
    loss, regularizer, _ = PAIRS[pair]
    regularizer, factor = SMOOTH.get(regularizer, (regularizer, 1.0))
    X, y = part
    base = Problem(X, y, loss, regularizer, lam * factor)
    last = Run(base, LBFGS())
    last.step(most)
    certificate = last.record()
    reached, seconds, count = [], [], 1
    for target in targets:
        count = _least(base, data, target, count, most)
        reached.append(count)
        seconds.append(None if count is None else min(_timed(base, count) for _ in range(TIMINGS)))
        if count is None:
            count = most + 1
    return {
        "best_accuracy": _accuracy(certificate.w, data),
        "relative_gap": float(certificate.relative_gap),
        "reached": reached,
        "reached_seconds": seconds,
    }


def unit_rows(X):
    """Return rows of unit length, as those of RCV1, with a constant feature behind the others."""
    X = sparse.csr_array(sparse.hstack([sparse.csr_array(X), np.ones((X.shape[0], 1))]))
    return sparse.csr_array(sparse.diags_array(1.0 / np.sqrt(X.multiply(X).sum(axis=1))) @ X)


def _part(data, m, seed):
    rows = np.random.default_rng([seed, m]).permutation(data.y.size)[:m]
    return data.X[rows], data.y[rows]


def _problem(pair, X, y, lam):
    loss, regularizer, _ = PAIRS[pair]
    return Problem(X, y, loss, regularizer, lam)


def _curve(problem, pair, checks, seed, truth, measure):
    """Return the measure of the last iterate after each check, and the processor seconds until there."""
    solver = PrimalGradient(batch=PAIRS[pair][2], output="last")
    state, position, total = solver.init(problem, seed=seed), 0, 0.0
    values, seconds = [], []
    for check in checks:
        start = time.process_time()
        count = solver.advance(problem, state, check - position)
        total += time.process_time() - start
        finite = count == check - position
        position = check
        values.append(measure(solver.finish(problem, state)[0], truth) if finite else None)
        seconds.append(total)
        if not finite:
            break
    missing = len(checks) - len(values)
    return values + [None] * missing, seconds + [total] * missing


def _accuracy(w, data):
    return float(np.mean(np.where(data.X_test @ w >= 0.0, 1.0, -1.0) == data.y_test))


def _error(w, u):
    norm = float(np.linalg.norm(w))
    return float(np.linalg.norm(w / norm - u)) if norm > 0.0 else None


def _least(problem, data, target, first, most):
    """Return the least iterations from `first` on that reach the accuracy; None where `most` do not."""
    for count in range(first, most + 1):
        if _accuracy(_after(problem, count), data) >= target:
            return count
    return None


def _after(problem, count):
    solver = LBFGS()
    state = solver.init(problem)
    solver.advance(problem, state, count)
    return solver.finish(problem, state)[0]


def _timed(problem, count):
    solver = LBFGS()
    state, start = solver.init(problem), time.process_time()
    solver.advance(problem, state, count)
    return time.process_time() - start
