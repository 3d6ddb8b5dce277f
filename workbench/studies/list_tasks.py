"""The task of the bounds of List et al.: what each says along one run of maximal violating pairs."""

import time

import numpy as np
import scipy.optimize
from scipy import sparse

from workbench.certificates.gaps import svm_from_predictions
from workbench.problems import Problem
from workbench.solvers import MaximalViolatingPair
from workbench.solvers.run import Run

# t_hat - b_hat at which a run stands for the optimum, far below the least bound that is compared.
OPTIMAL = 1e-9
MAX_STEPS = 300_000
BIASES = 9
# The tolerance of HiGHS, whose default is too coarse for gaps.
LP_TOLERANCE = 1e-10


def bounds(data, kernel, n, C, selection, checks, seed, datasets):
    """Return the bounds and the true suboptimality after each check, in the units of 1/2 |f|^2 + C sum xi.

    Parameters
    ----------
    data, kernel : str
        A data set and a kernel of `Problem`.
    n : int
        Samples, drawn with the seed.
    C : float
    selection : {"first-order", "second-order"}
    checks : list of int
        Pair steps, ascending.
    datasets : dict of str to Dataset

    Returns
    -------
    dict
        optimum, then lists with an entry a check: forward (19), backward and sigma (two linear programs),
        remark_1, lemma_8, count, primal and dual suboptimality (the primal one at the best bias), and
        worst_bias, the largest primal suboptimality for biases from b_hat to t_hat.
    """
    start = time.process_time()
    rows = np.random.default_rng(seed).permutation(datasets[data].y.size)[:n]
    y = datasets[data].y[rows]
    base = Problem(datasets[data].X[rows], y, "hinge", lam=1.0 / (C * n), bias=True, kernel=kernel)
    best = _gap(base, _solved(base).state, C)
    optimum = 0.5 * (best.primal + best.dual)
    run = Run(base, MaximalViolatingPair(tol=OPTIMAL, selection=selection))
    entries = []
    for check in checks:
        if run.step(check - run.steps) == 0:
            break
        entries.append(_bounds(base, run, C, optimum))
    lists = {name: [entry[name] for entry in entries] for name in entries[0]}
    return lists | {
        "optimum": optimum,
        "optimum_gap": best.gap,
        "cpu_seconds": time.process_time() - start,
    }


def _solved(base):
    run = Run(base, MaximalViolatingPair(tol=OPTIMAL))
    run.step(MAX_STEPS)
    return run


def _gap(base, state, C):
    # y_i a_i = C alpha_i, so that f is alpha's own.
    a = np.clip(C * base.y * state.alpha, 0.0, C)
    predictions = base.kernel_matrix.product(state.alpha / base.lam_n)
    return svm_from_predictions(predictions, base.y, C, a)


def _bounds(base, run, C, optimum):
    gap = _gap(base, run.state, C)
    a = np.clip(C * base.y * run.state.alpha, 0.0, C)
    slope = base.y * base.kernel_matrix.product(run.state.alpha / base.lam_n) - 1.0
    between = np.linspace(-max(gap.t_hat, gap.b_hat), -min(gap.t_hat, gap.b_hat), BIASES)
    return {
        "steps": run.steps,
        "forward": gap.gap,
        "backward": backward(slope, base.y, C, a),
        "sigma": sigma(slope, base.y, C, a),
        "remark_1": gap.remark_1,
        "lemma_8": gap.lemma_8,
        "count": gap.count,
        "primal_error": gap.primal - optimum,
        "dual_error": optimum - gap.dual,
        "worst_bias": float((gap.dual + gap.at(between)).max() - optimum),
    }


def backward(slope, y, C, a):
    """Return min over b and xi of a.(slope + b y + xi) + (C - a).xi with xi and the first bracket 0 or more.

    Parameters
    ----------
    slope : ndarray (n,)
        The gradient of W at a, y_i f(x_i) - 1.
    """
    n = y.size
    matrix = sparse.hstack([sparse.csc_array(-y[:, None]), -sparse.eye_array(n)])
    cost = np.concatenate([[0.0], np.full(n, C)])
    optimum = _program(cost, [(None, None)] + [(0.0, None)] * n, A_ub=matrix, b_ub=slope)
    return float(a @ slope + optimum)


def sigma(slope, y, C, a):
    """Return max over feasible mu of slope.(a - mu), (17)."""
    return float(slope @ a - _program(slope, (0.0, C), A_eq=y[None, :], b_eq=[0.0]))


def _program(cost, limits, **constraints):
    options = {"primal_feasibility_tolerance": LP_TOLERANCE, "dual_feasibility_tolerance": LP_TOLERANCE}
    result = scipy.optimize.linprog(cost, bounds=limits, method="highs", options=options, **constraints)
    if result.status != 0:
        raise ArithmeticError(f"HiGHS could not solve the linear program of a gap: {result.message}")
    return float(result.fun)
