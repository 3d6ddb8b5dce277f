"""The tasks of Zhang's Figures 2 to 7: gap and break-even point after every iteration, on one category."""

import time

import numpy as np

from workbench.certificates.gaps import fixed_bias
from workbench.problems import Problem
from workbench.solvers import GaussSeidel, ModifiedAugmentedLagrangian
from workbench.solvers.algorithms.augmented_lagrangian import State
from workbench.solvers.run import Run
from workbench.studies.scores import break_even
from workbench.studies.zhang_methods import problem

MU = 1.0


def convergence(category, algorithm, lam, step, order, iterations, datasets):
    """Algorithm 1 with a constant feature, iteration by iteration.

    Parameters
    ----------
    category : str
        The data set to take.
    algorithm : str
        Of `zhang_methods`: LM-Perc takes the exact update (25), the others (23).
    lam : float
    step : float
        The factor t of the exact update for LM-Perc, the learning rate eta for the others.
    order : int or None
        None visits the samples as they come; a seed fixes another order, the same in each iteration.
    iterations : int
    datasets : dict of str to Dataset
        With a constant feature.

    Returns
    -------
    dict
        Lists with an entry an iteration, the start first: gaps, duals (D(alpha), which is minimized), points
        (percent). An overflow ends them early.
    """
    data, start = datasets[category], time.process_time()
    X, y = _ordered(data.X, data.y, order)
    exact = algorithm == "LM-Perc"
    solver = GaussSeidel("exact" if exact else "gradient", "cyclic", **{"scale" if exact else "eta": step})
    run = Run(problem(algorithm, X, y, lam, bias=False), solver)
    run.record()
    points = [_point(run, data)]
    for _ in range(iterations):
        if run.epoch() < run.epoch_steps or not np.isfinite(run.record().gap):
            break
        points.append(_point(run, data))
    rows = run.rows[: len(points)]
    return {
        "gaps": [float(row["gap"]) for row in rows],
        "duals": [-float(row["dual"]) for row in rows],
        "points": points,
        "cpu_seconds": time.process_time() - start,
    }


def multiplier(category, eta, lam, scale, order, iterations, datasets):
    """Algorithm 3 with an unregularized bias, iteration by iteration, mu = 1.

    Parameters
    ----------
    eta : float
        The learning rate of s in (31).
    scale : float
        Of the update (30): 0.1 takes a tenth of the exact step.
    category, lam, order, iterations, datasets
        As for `convergence`; the constant feature is left out.

    Returns
    -------
    dict
        Lists with an entry an iteration, the start first: gaps at the fixed bias s, best_gaps at the best
        bias and a feasible dual point, feasibility |sum alpha| / n, biases s.
    """
    data, start = datasets[category], time.process_time()
    X, y = _ordered(data.X[:, :-1], data.y, order)
    base = Problem(X, y, "hinge", "squared-l2", lam, bias=True)
    run = Run(base, ModifiedAugmentedLagrangian(MU, "exact", "cyclic", scale, eta=eta))
    state, rows = run.state, []  # the arrays of a state are written in place
    assert isinstance(state, State)
    for iteration in range(iterations + 1):
        gap = fixed_bias(base, state.alpha, float(state.s[0]))
        rows.append((gap.gap, gap.certificate.gap, gap.feasibility, float(gap.bias)))
        if iteration < iterations:
            run.epoch()
    names = ("gaps", "best_gaps", "feasibility", "biases")
    lists = {
        name: [float(value) for value in column] for name, column in zip(names, np.array(rows).T, strict=True)
    }
    return lists | {"cpu_seconds": time.process_time() - start}


def _ordered(X, y, order):
    if order is None:
        return X, y
    rows = np.random.default_rng(order).permutation(y.size)
    return X[rows], y[rows]


def _point(run, data):
    w, _ = run.solver.finish(run.problem, run.state)
    return break_even(data.y_test, data.X_test @ run.problem.split(w)[0])
