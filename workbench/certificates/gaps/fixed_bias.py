"""The gap of an augmented Lagrangian's iterate: at fixed bias, with the certificate beside it.

While sum alpha is not zero, the dual of a problem with an unregularized bias is infinite. Zhang takes the
multiplier s as the bias of the primal and drops the penalty from (27):

    gap = P(w, s) + (1/n) sum_i k(-alpha_i) + lam h(v) + (s/n) sum_i alpha_i,    w = grad h(v)

It bounds the suboptimality at that bias alone: at s far from the best bias it may vanish at a bad point.

Source       Zhang (2002), section 6.3 with (27) and (28)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.errors import InputError, shown
from workbench._support.names import Public
from workbench.certificates import Certificate, certify, check_bias, loss_terms
from workbench.problems.design import check_targets
from workbench.problems.problem import Problem

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Repairs

LABEL = "at fixed bias"


@dataclass(frozen=True, eq=False)
class FixedBiasGap(Public):
    """Zhang's gap of an iterate (alpha, s), which holds at the bias s only.

    Attributes
    ----------
    gap, primal, dual : float
        primal - inf_w P(w, s) <= gap, and gap = primal - dual is 0 or more.
    label : str
        "at fixed bias", to stand wherever the gap is shown.
    bias : float
        s.
    feasibility : float
        |sum_i alpha_i| / n, which has to vanish; the largest of the classes' with r classes.
    certificate : Certificate
        Of w at the best bias and alpha moved to sum zero: this one bounds the distance to the optimum.
    repairs : tuple of str
        What was moved before the gap at fixed bias was taken: into the domain of the loss's conjugate.

    Examples
    --------
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1, bias=True)
    >>> result = wb.gaps.fixed_bias(problem, [0.2, -0.1], 0.0)
    >>> result.label, result.feasibility
    ('at fixed bias', 0.05)
    """

    gap: float
    primal: float
    dual: float
    label: str
    bias: Bias
    feasibility: float
    certificate: Certificate = field(repr=False)
    repairs: Repairs


@np.errstate(over="ignore", invalid="ignore")
def fixed_bias(problem: Problem, alpha: ArrayLike, bias: ArrayLike) -> FixedBiasGap:
    """Zhang's gap of dual variables whose sum need not be zero, at the bias given by the multiplier s.

    Parameters
    ----------
    problem : Problem
        With bias=True and a regularizer with a smooth conjugate.
    alpha : array_like (n,)
        Dual variables; (n, r) with r classes.
    bias : float or array_like (r,)
        The multiplier s.

    Returns
    -------
    FixedBiasGap

    Raises
    ------
    InputError
        A problem without an unregularized bias, a norm, shapes that do not fit.

    Examples
    --------
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1, bias=True)
    >>> result = wb.gaps.fixed_bias(problem, [0.2, -0.1], 0.0)
    >>> bool(result.gap >= 0.0)
    True
    """
    if not problem.free_bias:
        raise InputError(f"fixed_bias: the problem has bias={shown(problem.bias)}; make it with bias=True")
    if problem.regularizer.is_norm:
        raise InputError(
            f"fixed_bias: the norm {problem.regularizer.label} gives alpha no weights; use wb.gaps.norm_gap"
        )
    alpha = check_targets("alpha", alpha, problem.n_samples, problem.columns)
    bias = check_bias(problem, bias)
    side = loss_terms.loss_side(problem)
    alpha, repairs = side.feasible(alpha)
    v = problem.dual_vector(alpha)
    h, mapped = problem.transfer.map(v.ravel())
    w = mapped.reshape(v.shape)
    losses, conjugate = side.bracket(problem.design @ w + bias, alpha)
    bracket = problem.transfer.bracket(mapped, v.ravel(), h)
    n, totals = problem.n_samples, alpha.sum(axis=0)
    return FixedBiasGap(
        gap=losses.sum / n + problem.lam * bracket.sum,
        primal=losses.value / n + problem.lam * bracket.value,
        dual=0.0 - (conjugate / n + problem.lam * h + float(np.sum(bias * totals)) / n),
        label=LABEL,
        bias=bias,
        feasibility=float(np.abs(totals).max()) / n,
        certificate=certify(problem, w=w, alpha=alpha),
        repairs=repairs,
    )
