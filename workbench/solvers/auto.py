"""Which solver suits a problem: a rule from its sizes, its loss, its regularizer and its bias.

Where several would do, the one of least estimated work is chosen. The unit of work is about a nanosecond on
one core; the estimates only have to rank:

    gauss-seidel      (1 + kappa) passes of 2 nnz + C n,   kappa = L mean c |x_i|^2 / (lam n)
    newton            8 steps (1 for least squares) of 5 nnz + C n + matrix
    proximal-point    30 steps of the same, with the matrix from few samples
    matrix            nnz^2 / n for sparse rows, n D^2 / 10 for dense ones, and D^3 / 20; above 200 unknowns
                      50 passes of conjugate gradients where that is less

L bounds the curvature of the loss, 1 / min(1, C) where it has kinks; C is the cost of a sample's step, 20
where it is closed and 100 where it is found by Newton's method. kappa is what the convergence of dual
coordinate steps depends on: large for small lam, for few samples and for features of large scale.
"""

from typing import NamedTuple

import numpy as np

from workbench import solvers
from workbench.errors import InputError
from workbench.solvers import _newton_system as system
from workbench.solvers.newton import Newton
from workbench.solvers.proximal_point import ProximalPoint

NAME = "auto"
# Steps of Newton's method on a smooth loss, and of proximal points on one with kinks.
SMOOTH_STEPS, KINKED_STEPS = 8, 30
# The work of a sample, by whether its coordinate step is closed, and of any step of Newton's method.
CLOSED, SEARCHED, OVERHEAD = 40.0, 400.0, 5e5
# Iterations of conjugate gradients a step; the share of the samples at a kink; passes that are always needed.
ITERATIONS, KINKED_SHARE, PASSES = 50, 0.2, 5.0


class Choice(NamedTuple):
    """A solver and why it was chosen, as the end of a sentence."""

    solver: object
    why: str


def choose(problem):
    """The solver for a problem, as a `Choice`.

    Raises
    ------
    InputError
        No solver takes the problem; what the first of those that come into question says of it.
    """
    first = None
    for name, why in candidates(problem):
        solver = solvers.get(name)
        try:
            solver.init(problem)
        except InputError as error:
            first = first or error
            continue
        return Choice(solver, why)
    raise first


def candidates(problem):
    """(name, why) of the solvers that come into question, the best first."""
    if problem.kernel is not None:
        return _of_a_kernel(problem)
    if problem.constraints is not None:
        return [("augmented-lagrangian", "the dual has constraints")]
    regularizer = problem.regularizer
    if not regularizer.is_legendre:
        kind = "a norm" if regularizer.is_norm else "a regularizer that makes weights zero"
        names = ["coordinate-descent", "gauss-seidel", "augmented-lagrangian", "proximal-gradient"]
        return [(name, f"{regularizer.name} is {kind}") for name in names]
    return _of_a_smooth_map(problem)


def _of_a_kernel(problem):
    pairs = ("maximal-violating-pair", "pairs of samples suit a kernel with an unregularized bias")
    single = ("gauss-seidel", "single samples suit a kernel without an unregularized bias")
    return [pairs, single] if problem.free_bias else [single, pairs]


def _of_a_smooth_map(problem):
    """Newton's method, or steps of single dual variables, where the map (9) is smooth: by their work."""
    newton = _newton(problem)
    rivals = _rivals(problem)
    work, rest = estimates(problem, newton)
    few = f"{newton} needs about {work / 1e6:.2g} ms where dual coordinate steps need {rest / 1e6:.2g}"
    if rest < work:
        many = f"dual coordinate steps need about {rest / 1e6:.2g} ms, {newton} {work / 1e6:.2g}"
        return [*((name, many) for name in rivals), (newton, few)]
    return [(newton, few), *((name, f"{newton} does not take the problem") for name in rivals)]


def _newton(problem):
    """Newton's method for a smooth loss of bounded curvature, else with proximal points."""
    loss = problem.loss
    smooth = not loss.kinks.size and loss.curvature < np.inf
    return Newton.name if smooth else ProximalPoint.name


def _rivals(problem):
    """The solvers by single dual variables, or pairs of them, in the order of their speed."""
    if not problem.free_bias:
        return ["gauss-seidel", "lbfgs"]
    return ["maximal-violating-pair", "augmented-lagrangian", "lbfgs", "proximal-gradient"]


def estimates(problem, newton):
    """The work of Newton's method and of dual coordinate steps on a problem."""
    design, loss = problem.design, problem.loss
    n, size, nnz = problem.n_samples, design.shape[1], design.nnz
    classes = problem.columns[0] if problem.columns else 1
    sample = (CLOSED if loss.conjugate_form else SEARCHED) * classes
    unknowns = size * classes
    dense = n * size**2 / 10.0 if design.dense is not None else nnz**2 / n
    curved = 1.0 if newton == Newton.name else KINKED_SHARE
    factored = curved * dense * classes * (classes + 1) / 2 + unknowns**3 / 20.0
    iterated = ITERATIONS * 2.0 * nnz * classes
    matrix = factored if unknowns <= system.SMALL else iterated
    if system.SMALL < unknowns <= system.FACTORED:
        matrix = min(factored, iterated)
    steps = 1 if loss.parabola else SMOOTH_STEPS if newton == Newton.name else KINKED_STEPS
    direct = steps * (OVERHEAD + 5.0 * nnz * classes + 3.0 * sample * n + matrix)
    return direct, (PASSES + kappa(problem)) * (2.0 * nnz * classes + sample * n)


def kappa(problem):
    """L mean c |x_i|^2 / (lam n), what the number of passes of dual coordinate steps grows with."""
    curvature = problem.loss.curvature
    bound = curvature if 0.0 < curvature < np.inf else 1.0
    squares = float(problem.design.column_squares() @ np.ones(problem.design.shape[1]))
    return bound * float(problem.weight.mean()) * squares / problem.n_samples / problem.lam_n
