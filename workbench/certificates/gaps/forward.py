"""The forward gap of a primal point of any concave problem with convex constraints.

For sup { phi(u) : c(u) <= 0 } a point u maximizes the Lagrangian phi - lam.c exactly where grad phi(u) =
sum_i lam_i grad c_i(u), so that the least -lam.c(u) over such lam >= 0 is a linear program.

Source       List et al. (2007), (8), (9), Definition 1, Lemmas 3 and 4
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.problems.design import as_numbers, check_targets

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from workbench._support.annotations import Floats

# A constraint above this share of the largest is violated.
FEASIBLE = 1e-9


class ForwardGap(NamedTuple):
    """The forward gap of a feasible point, which lies at most this far below the optimum.

    >>> import workbench as wb
    >>> wb.gaps.forward_gap([1.0, 1.0], [-0.5], [[1.0, 0.0]])  # no multiple of (1, 0) is (1, 1)
    ForwardGap(gap=inf, multipliers=None)
    """

    gap: float  # infinite where no multipliers make the point a maximizer of the Lagrangian
    multipliers: Floats | None  # (m,) that attain it


def forward_gap(gradient: ArrayLike, values: ArrayLike, jacobian: ArrayLike) -> ForwardGap:
    """Compute the forward gap of a feasible point u of sup { phi(u) : c(u) <= 0 }.

    Parameters
    ----------
    gradient : array_like (d,)
        Of the concave phi at u.
    values : array_like (m,)
        c(u), 0 or less.
    jacobian : array_like (m, d)
        The gradients of the convex c_i at u, one a row.

    Returns
    -------
    ForwardGap

    Examples
    --------
    >>> import workbench as wb
    >>> wb.gaps.forward_gap([1.0], [-0.5], [[1.0]]).gap  # u = 0.5 below u <= 1, phi = u: the optimum is 1
    0.5
    """
    from scipy.optimize import linprog

    matrix = as_numbers("jacobian", jacobian, "give numbers")
    if matrix.ndim != 2:
        raise InputError(f"jacobian has shape {matrix.shape}; give one row a constraint")
    slope = check_targets("gradient", gradient, matrix.shape[1])
    c = check_targets("values", values, matrix.shape[0])
    beyond = np.flatnonzero(c > FEASIBLE * max(1.0, float(np.abs(c).max(initial=0.0))))
    if beyond.size:
        raise InputError(f"values[{beyond[0]}] = {c[beyond[0]]:g} is above 0; give a feasible point")
    answer = linprog(-np.minimum(c, 0.0), A_eq=matrix.T, b_eq=slope, bounds=(0.0, None))
    if answer.status == 2:
        return ForwardGap(np.inf, None)
    if answer.status != 0:
        raise InputError(f"forward_gap: the linear program has no optimum ({answer.message}); scale the rows")
    return ForwardGap(float(answer.fun), np.asarray(answer.x))
