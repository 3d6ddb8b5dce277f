"""Steps and time to a target as the training set grows: PGS and L-BFGS, one training set after another."""

import time
from typing import NamedTuple

import numpy as np

from workbench.pages.inverse_time.model import MAX_STEPS, Goal, make_problem, make_solver
from workbench.solvers import LBFGS
from workbench.solvers.run import Run

# After so many steps the target is looked at; the time counts the steps alone.
LOOKS = np.unique(np.round(2.0 ** np.arange(3, np.log2(MAX_STEPS) + 0.01, 0.25)).astype(int))
MAX_ITERATIONS = 60
# L-BFGS scatters little over training sets, and its time grows with them.
REFERENCES = 3


class Cell(NamedTuple):
    """What one training set took; +inf where the target was not reached, nan where it was not tried.

    The seconds are the processor's, so that another process beside this one does not count.
    """

    m: int
    seed: int
    steps: float
    seconds: float
    reference_steps: float
    reference_seconds: float


def cell(settings, m, seed):
    """The steps and the time to the target on one training set."""
    problem = make_problem(settings, m, seed)
    with_reference = seed < REFERENCES
    lower = 0.0
    if settings["measure"] == "Suboptimality":
        lower = lower_bound(problem, 0.01 * settings["target"])
    goal = Goal(settings, problem, lower)
    steps, seconds = _pgs(settings, problem, seed, goal)
    reference = _lbfgs(problem, goal) if with_reference else (np.nan, np.nan)
    return Cell(problem.n_samples, seed, steps, seconds, *reference)


def lower_bound(problem, accuracy):
    """A certified lower bound of the problem, this close to its value."""
    run = Run(smooth(problem), LBFGS())
    run.until(gap=accuracy / max(problem.zero_value, accuracy), max_epochs=500)
    return run.best.dual


def _pgs(settings, problem, seed, goal):
    run = Run(problem, make_solver(settings, problem.n_samples), seed=seed)
    seconds = 0.0
    for steps in LOOKS:
        seconds += _step(run, steps - run.steps)
        if goal.reached(run.solver.point(run.state)["w"]):
            return float(steps), seconds
    return np.inf, np.inf


def smooth(problem):
    """The same objective with a regularizer that L-BFGS takes: |w|_p^2 / 2 and lam / (p - 1)."""
    p = problem.regularizer.p
    regularizer = "squared-l2" if p == 2.0 else f"q-norm:q={p!r}"
    return problem.replace(regularizer=regularizer, lam=problem.lam / (p - 1.0))


def _lbfgs(problem, goal):
    """The least number of iterations, and the time of a fresh run of so many."""
    problem = smooth(problem)
    run = Run(problem, LBFGS())
    for iterations in range(1, MAX_ITERATIONS + 1):
        if not run.step():
            break
        if goal.reached(run.state.w):
            fresh = Run(problem, LBFGS())
            return float(iterations), _step(fresh, iterations)
    return np.inf, np.inf


def _step(run, count):
    """Do so many steps; returns the seconds of this thread's processor."""
    start = time.thread_time()
    run.step(count)
    return time.thread_time() - start
