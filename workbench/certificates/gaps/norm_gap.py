"""Duality gaps from a primal point alone: kappa = grad f(z), made feasible by a shift and a scaling.

    kappa = grad f(Xw + b),   alpha = -n kappa,   gap = P(w, b) + D(alpha)

D is infinite where the dual norm of v exceeds 1 or, with an unregularized bias, where kappa does not sum
to zero, so the raw gap mostly is. The repair moves kappa to sum zero within the loss's domain (the mean
subtracted, a quadratic knapsack, or a transport plan rounded) and multiplies it by min(1, 1 / |v|_*).

Source       Mairal, SPAMS documentation, appendix A; docs/mathematics.md, section 6
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.errors import InputError
from workbench._support.names import Public
from workbench.certificates import certify, check_bias, loss_terms, scaling
from workbench.problems.problem import Problem
from workbench.problems.regularizers.norm_transfers import BALL, NormTransfer

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats, Repairs
    from workbench.certificates.loss_terms import Side


@dataclass(frozen=True, eq=False)
class NormGap(Public):
    """The gap of a primal point, before and after the repair of its dual point.

    Attributes
    ----------
    raw : float or None
        The gap with kappa = grad f(z) as it is, +inf where that is infeasible; None where not available.
    repaired : float or None
        The gap with kappa moved and scaled as published.
    kappa : ndarray (n,) or (n, r), or None
        The feasible dual point of `repaired`, in the sign and scale of the gradient: -alpha / n.
    scaling : float or None
        What the moved gradient was multiplied by, min(1, 1 / |v|_*).
    reason : str
        Why the raw gap is infinite, or why there is none; empty where raw is finite.
    better, better_scaling : float or None
        The gap and the factor that a search over all feasible multiples finds.
    repairs : tuple of str
        What was done to kappa.
    b : float or ndarray (r,)
        The bias the gap holds at: the given one, or the best one where none was given.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> problem = wb.Problem(np.eye(2), [1.0, 2.0], "squared", "l1", lam=1.0)
    >>> wb.gaps.norm_gap(problem, [0.5, 1.5]).scaling
    1.0
    """

    raw: float | None
    repaired: float | None
    kappa: Floats | None = field(repr=False)
    scaling: float | None
    reason: str
    better: float | None = None
    better_scaling: float | None = None
    repairs: Repairs = ()
    b: Bias = 0.0


def norm_gap(problem: Problem, w: ArrayLike, b: ArrayLike | None = None) -> NormGap:
    """Compute the gap that a primal point alone gives, for a loss with a gradient and any regularizer.

    Parameters
    ----------
    problem : Problem
    w : array_like (d,) or (d, r)
        Weights in the caller's features.
    b : float or array_like (r,), optional
        The bias; the best one for w where an unregularized bias is not given.

    Returns
    -------
    NormGap

    Raises
    ------
    InputError
        A loss without a gradient, or shapes that do not fit.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> problem = wb.Problem(np.eye(2), [1.0, 2.0], "squared", "l1", lam=1.0)
    >>> wb.gaps.norm_gap(problem, [0.5, 1.5]).repaired
    1.0
    """
    if problem.loss.kinks.size:
        raise InputError(
            f"norm_gap: the {problem.loss.name} loss has no gradient at its kinks; use wb.certificate"
        )
    weights = problem.join(w, 0.0 if b is None or problem.free_bias else b)
    reason = getattr(problem.transfer, "reason", "")
    if reason:
        return NormGap(None, None, None, None, reason)
    side, z = loss_terms.loss_side(problem), problem.design @ weights
    stated: Bias = 0.0 if b is None else check_bias(problem, b)
    if problem.free_bias and b is None:
        stated = side.best_bias(z)
    shift = stated if problem.free_bias else 0.0
    alpha = side.alpha_at(z + shift, 0.0)
    return _gaps(problem, side, weights, shift, stated, alpha)


def _gaps(problem: Problem, side: Side, weights: Floats, shift: Bias, stated: Bias, alpha: Floats) -> NormGap:
    free = shift if problem.free_bias else None
    balanced, repairs = side.balance(alpha) if problem.free_bias else (alpha, ())
    v = problem.dual_vector(balanced)
    reason = _infeasible(problem, alpha, repairs)
    scale = scaling.published(problem, v)
    if scale < 1.0:
        repairs = (*repairs, f"kappa multiplied by {scale:.6g}, into the dual norm's ball")
    published = certify(problem, w=weights, alpha=scale * balanced, b=free)
    searched = scaling.best_multiple(problem, side, balanced, v)
    better = certify(problem, w=weights, alpha=searched * balanced, b=free)
    if better.gap > published.gap:
        better, searched = published, scale
    return NormGap(
        # Where nothing was infeasible, nothing was moved: the raw point is the repaired one.
        raw=np.inf if reason else published.gap,
        repaired=published.gap,
        kappa=published.alpha / -problem.n_samples,
        scaling=scale,
        reason=reason,
        better=better.gap,
        better_scaling=searched,
        repairs=repairs,
        b=stated,
    )


def _infeasible(problem: Problem, alpha: Floats, repairs: Repairs) -> str:
    """Why the dual objective is infinite at alpha; empty where it is not."""
    reasons = []
    if repairs:
        total = np.abs(alpha.sum(axis=0)).max() / problem.n_samples
        reasons.append(f"kappa sums to {total:.3g} and not to zero, as an unregularized bias needs")
    reach = problem.transfer.reach(problem.dual_vector(alpha).ravel())
    if reach * BALL < 1.0:
        reasons.append(f"the dual norm of X'kappa is {1.0 / reach:.6g} lam, above lam")
    return "; ".join(reasons)


def largest_lam(problem: Problem) -> float:
    """Return the least lambda for which w = 0 is optimal: the dual norm of X'kappa there."""
    side, z = loss_terms.loss_side(problem), np.zeros(problem.n_samples)
    if problem.free_bias:
        z = z + side.best_bias(z)
    v = problem.lam * problem.dual_vector(side.alpha_at(z, 0.0))
    if isinstance(problem.transfer, NormTransfer):
        return problem.transfer.dual_norm(v)
    threshold, _ = problem.regularizer.separable_parts or (0.0, 0.0)
    return float(np.abs(v).max() / threshold) if threshold > 0.0 else np.inf
