"""Which solver suits a problem: a rule from its sizes, its loss, its regularizer and its bias.

D is the number of columns, n that of samples, kappa = L mean c |x|^2 / (lam n), with L the bound of the
loss's curvature, 1 where it has kinks: what the number of passes of dual coordinate steps grows with.

    a kernel                        maximal-violating-pair for the hinge with an unregularized bias;
                                    gauss-seidel without one; else as for the rows of L, K = LL'
    several columns of y            lbfgs, proximal-gradient, conic or pdhg, by what has gradients
    constraints on dual or weights  augmented-lagrangian
    weights that become zero        coordinate-descent where the slopes of the loss are Lipschitz; else
                                    gauss-seidel; for what these do not take, conic where loss and regularizer
                                    make up a cone program that is not too large; else augmented-lagrangian
                                    for an unregularized bias, proximal-gradient (then conic for another
                                    smooth loss), or pdhg where the loss has kinks
    D < n and D <= 2,000            newton, or proximal-point where the loss has kinks; but gauss-seidel for
                                    kinks, no free bias and kappa <= max(10, D / 10)
    n <= 2,000, p smooth with a     newton
    quadratic conjugate
    any other, no free bias         gauss-seidel
    any other, with a free bias     maximal-violating-pair for the hinge; augmented-lagrangian for
                                    kappa <= 1, else newton or proximal-point

Where the first choice refuses a problem, the next one that takes it is chosen. And where the certified gap
of one falls so slowly that it would not get there, or not at all, the next one goes on from its best point:
see `solvers.in_turn`. A cone program is the next choice wherever there is one that is not too large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench import solvers
from workbench._support.errors import InputError
from workbench.problems import cone_program
from workbench.solvers.algorithms.newton import Newton
from workbench.solvers.algorithms.proximal_point import ProximalPoint

if TYPE_CHECKING:
    from workbench.problems.problem import Problem
    from workbench.solvers.contract import State


NAME = solvers.AUTO
# Up to this many columns, or samples, Newton's method is quickest; such a small kappa stands for few passes.
FEW, SMALL_KAPPA, COLUMNS_A_PASS, TINY_KAPPA = 2000, 10.0, 10.0, 1.0
# A factorization of an interior-point method costs about as many operations as the data has numbers, times
# the lesser of n and D; some twenty of that number take about ten seconds.
SMALL_PROGRAM = 3e8


class Choice(NamedTuple):
    """A solver, why it was chosen, as a sentence, and the state at which it starts."""

    solver: solvers.Solver
    why: str
    state: State


def choose(problem: Problem, seed: int = 0) -> Choice:
    """Choose the first solver that accepts a problem, with its initial state, as a `Choice`.

    Raises
    ------
    InputError
        No solver takes the problem; what the first that comes into question says of it.
    """
    refusals: list[str] = []
    choice = next(taking(problem, refusals, seed=seed), None)
    if choice is None:
        terms = f"the {problem.loss.name} loss with {problem.regularizer.label}"
        raise InputError(f"no solver accepts {terms} in this problem; {refusals[0]}")
    return choice


def taking(problem, refusals=None, after=None, seed=0):
    """Yield the candidates that accept a problem as `Choice`s, the best first; `after` names one to skip to.

    The messages of the others are appended to `refusals`.
    """
    ahead = candidates(problem)
    names = [name for name, _ in ahead]
    for name, why in ahead[names.index(after) + 1 if after in names else 0 :]:
        solver = solvers.get(name)
        try:
            state = solver.init(problem, seed=seed)
        except InputError as error:
            if refusals is not None:
                refusals.append(str(error))
        else:
            yield Choice(solver, why, state)


def candidates(problem):
    """(name, why) of the solvers that come into question, the best first."""
    if problem.kernel is not None:
        pairs = ("maximal-violating-pair", "pairs of dual variables suit a kernel with an unregularized bias")
        single = ("gauss-seidel", "single dual variables suit a kernel without an unregularized bias")
        return [pairs, single] if problem.free_bias else [single, pairs]
    if problem.tasks:
        tied = "y has several columns, and"
        return [
            ("lbfgs", f"{tied} loss and regularizer have gradients"),
            ("proximal-gradient", f"{tied} the regularizer has a proximal point"),
            *[("conic", f"{tied} loss and regularizer make up a cone program")] * is_small(problem),
            ("pdhg", f"{tied} the regularizer has a proximal point, and the loss no gradient"),
        ]
    if problem.is_constrained:
        where = "dual has" if problem.weight_constraints is None else "weights have"
        return [("augmented-lagrangian", f"the {where} constraints")]
    if not problem.regularizer.is_legendre:
        name = problem.regularizer.name
        cones = ("conic", f"loss and regularizer make up a cone program, and {name} takes no single steps")
        whole, small = cone_program.is_whole(problem), is_small(problem)
        return [
            ("coordinate-descent", f"{name} makes weights zero, and one weight at a time finds out which"),
            ("gauss-seidel", f"{name} makes weights zero, and the loss has no Lipschitz slopes"),
            *[cones] * (whole and small),
            ("augmented-lagrangian", f"{name} makes weights zero, and the bias is not regularized"),
            ("proximal-gradient", f"{name} has a proximal point, and neither dual steps nor single weights"),
            *[cones] * (small and not whole),
            ("pdhg", f"{name} has a proximal point, and the loss has no gradient"),
        ]
    return _of_a_smooth_map(problem)


def _of_a_smooth_map(problem):
    """Newton's method, or steps of dual variables, where the map (9) is smooth."""
    size, n = problem.design.shape[1], problem.n_samples
    newton, passes = _newton(problem), kappa(problem)
    single = ["maximal-violating-pair", "augmented-lagrangian"] if problem.free_bias else ["gauss-seidel"]
    if size < n and size <= FEW:
        quick = passes <= max(SMALL_KAPPA, size / COLUMNS_A_PASS)
        if newton == ProximalPoint.name and not problem.free_bias and quick:
            names, why = [*single, newton], f"few passes of single dual variables do: kappa = {passes:.2g}"
        else:
            names, why = [newton, *single], f"{size:,} columns are few, and no scale of theirs slows {newton}"
    elif n <= FEW and newton == Newton.name and problem.loss.conjugate_form:
        names, why = [newton, *single], f"{n:,} samples are few, and their loss is quadratic in pieces"
    else:
        known = f"more than {FEW:,}" if size > FEW else f"no fewer than the {n:,} samples"
        names, why = [*single, newton], f"the {size:,} columns are {known}"
        if problem.free_bias and passes > TINY_KAPPA:
            names = [single[0], newton, *single[1:]]
    names += ["conic"] * is_small(problem)
    return [(name, why) for name in (*names, "lbfgs", "proximal-gradient")]


def is_small(problem):
    """Return whether a cone program of the problem's size takes no more than seconds."""
    # Several columns of y are as many problems; the outputs of classes make up one.
    outputs = problem.columns[0] ** 2 if problem.columns and not problem.tasks else 1
    left = SMALL_PROGRAM - problem.design.size * min(problem.design.shape) * outputs
    return left >= 0 and cone_program.triangle(problem) ** 3 <= left


def _newton(problem):
    """Newton's method for a smooth loss of bounded curvature, else with proximal points."""
    loss = problem.loss
    return Newton.name if not loss.kinks.size and loss.curvature < np.inf else ProximalPoint.name


def kappa(problem):
    """L mean c |x|^2 / (lam n), see above."""
    curvature = problem.loss.curvature
    bound = curvature if 0.0 < curvature < np.inf else 1.0
    squares = float(problem.design.squares[1].sum()) / problem.n_samples
    return bound * float(problem.weight.mean()) * squares / problem.lam_n
