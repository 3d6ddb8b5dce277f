"""A problem whose loss is a parabola, as least squares: each f_i(z) is c_i [a (z - y_i)^2 / 2 + rest]."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from workbench._support.annotations import Floats
    from workbench.problems.problem import Problem


class LeastSquares(NamedTuple):
    """The parabolas of all samples, whatever the kind of the loss and its spelling."""

    curvature: float  # a
    targets: Floats  # (n,) the predictions y at which the samples' losses are least
    rest: float  # what the loss is there


def of(problem: Problem) -> LeastSquares | None:
    """`LeastSquares` of a problem; None where its loss is not a parabola."""
    parabola = problem.loss.parabola
    if parabola is None:
        return None
    # p(u) = a (u + b / a)^2 / 2 + rest, and u = s z + t with s = +-1.
    a, b, value = parabola
    targets = 0.0 - problem.sign * (problem.shift + b / a)
    return LeastSquares(a, targets, value - 0.5 * b * b / a)
