"""Certificates of problems with constraints C v = b or C v <= b on the dual.

With w = w_0 + C's and a dual point that meets the constraints, the gap is that of the samples at the
predictions of w and that of the regularizer at w_0: the multipliers' terms cancel, since
(1/n) sum_i alpha_i s.(C x_i) = lam s.C v, but for lam s.(b - C v) >= 0 of the bounds. A dual point is first
moved into the domain and to the constraints; where none is found there, the gap is infinite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench.certificates import loss_terms, primal_domain
from workbench.certificates.assembly import Point, assemble
from workbench.kernels.fenchel_young import Bracket

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Repairs
    from workbench.certificates.assembly import Certificate
    from workbench.certificates.loss_terms import Side
    from workbench.problems.constraints import Constraints
    from workbench.problems.problem import Problem

# The units of rounding by which w - C's may miss grad h(v) and still stand for it.
ROUNDING = 16.0


def certify(
    problem: Problem,
    constraints: Constraints,
    w: Floats | None,
    alpha: Floats | None,
    multipliers: Floats | None,
    fixed: bool = False,
) -> Certificate:
    """Certify weights w = w_0 + C's, dual variables and multipliers s, of which w or alpha may be missing."""
    side = loss_terms.loss_side(problem)
    if alpha is None:
        if w is None:
            raise ValueError("certify: neither w nor alpha is given")
        alpha = side.alpha_at(problem.design @ w, 0.0)
    alpha, repairs = _feasible(problem, constraints, side, alpha)
    v = problem.dual_vector(alpha)
    h, mapped = problem.transfer.map(v)
    assert constraints.C is not None  # the constraint of a bias is not one of the caller's
    ties, shift = constraints.ties, constraints.C.T
    if w is None:
        w_0, z_0 = mapped, problem.design @ mapped
        s = _of_least_loss(problem, constraints, side, z_0) if multipliers is None else multipliers
        s = constraints.projected(s)
        w, z = w_0 + shift @ s, z_0 + ties @ s
    else:
        s = _nearest(constraints, shift, w - mapped) if multipliers is None else multipliers
        s = constraints.projected(s)
        w_0, z = problem.regularized(w, s), problem.design @ w
        # An entropy is infinite beside its domain, where rounding may have carried w_0.
        size = np.abs(w) + np.abs(shift) @ np.abs(s)
        if (np.abs(w_0 - mapped) <= ROUNDING * np.finfo(float).eps * size).all():
            w_0 = mapped
    lifted: Floats | float = 0.0
    if problem.jumps:
        if not fixed:
            moved, _, how = primal_domain.feasible(problem, w, 0.0)
            w_0, w, z, repairs = w_0 + (moved - w), moved, problem.design @ moved, repairs + how
        z, lifted = primal_domain.onto_ends(problem, w, 0.0, z, alpha)
    multiplied = float(s @ constraints.b)
    losses, conjugate = side.bracket(z, alpha, ties @ s)
    losses.terms[...] += lifted
    # Of a bound s.C v counts as it is, and what it lacks to s.b is a part of the gap, (34).
    slack = np.where(
        constraints.bounds, s * np.maximum(-constraints.residual(problem.lam_n, alpha), 0.0), 0.0
    )
    conjugate -= problem.lam_n * (multiplied - float(slack.sum()))
    bracket = problem.transfer.bracket(w_0, v, h)
    bracket = Bracket(np.append(bracket.terms, slack), bracket.value, bracket.units)
    if not constraints.is_met(problem.lam_n, alpha):
        conjugate, repairs = np.inf, (*repairs, "no dual point that meets the constraints was found")
    point = Point(w, None, alpha, v, z, s)
    return assemble(problem, point, losses, conjugate, bracket, h, repairs, multiplied)


def _feasible(
    problem: Problem, constraints: Constraints, side: Side, alpha: Floats
) -> tuple[Floats, Repairs]:
    """Return the dual point moved into the domain and to the constraints, and what was moved."""
    alpha, repairs = side.feasible(alpha)
    if constraints.is_met(problem.lam_n, alpha):
        return alpha, repairs
    moved = constraints.project(problem.lam_n, alpha, problem.dual_ends())
    farthest = float(np.abs(moved - alpha).max())
    return moved, (*repairs, f"dual variables moved by at most {farthest:.3g} to meet the constraints")


def _nearest(constraints: Constraints, shift: Floats, moved: Floats) -> Floats:
    """Return the multipliers s for which C's is closest to w - grad h(v)."""
    if constraints.bounds.any():
        from scipy.optimize import lsq_linear

        return np.asarray(
            lsq_linear(shift, moved, (constraints.projected(np.full_like(constraints.b, -np.inf)), np.inf)).x
        )
    s, *_ = np.linalg.lstsq(shift, moved, rcond=None)
    return np.asarray(s, dtype=float)


def best_multiplier(certificate: Certificate) -> float:
    """Return the multiplier of a single constraint C v = b that is best for the certificate's w_0."""
    problem, s = certificate._problem, certificate.multipliers
    assert problem.constraints is not None
    assert s is not None
    z = certificate.z - problem.constraints.ties @ s
    return least_over(problem, z, float(s[0]))


def least_over(problem: Problem, z: Floats, start: float) -> float:
    """Return the s of a single constraint for which the primal is least at the w_0 with the predictions z."""
    from scipy.optimize import minimize_scalar

    assert problem.constraints is not None
    side, ties = loss_terms.loss_side(problem), problem.constraints.ties[:, 0]
    charge = problem.lam_n * float(problem.constraints.b[0])
    with np.errstate(all="ignore"):
        found = float(minimize_scalar(lambda s: side.loss(z + s * ties) + charge * s, (start, start + 1.0)).x)
    return max(found, 0.0) if problem.constraints.bounds[0] else found


def _of_least_loss(problem: Problem, constraints: Constraints, side: Side, z: Floats) -> Floats:
    """Return the multipliers that lower the primal at the weights w_0 with the predictions z.

    Any multipliers give a true bound; where the loss has kinks these may miss the least value.
    """
    from scipy.optimize import minimize

    ties, n = constraints.ties, problem.n_samples
    charge = problem.lam * constraints.b

    def value(s: Floats) -> tuple[float, Floats]:
        at = z + ties @ s
        slope: Floats = charge - ties.T @ side.alpha_at(at, 0.0) / n
        return side.loss(at) / n + float(charge @ s), slope

    zeros = np.zeros(constraints.b.shape[0])
    with np.errstate(all="ignore"):
        if constraints.bounds.any():
            limits = [(0.0 if bound else None, None) for bound in constraints.bounds]
            s: Floats = minimize(value, zeros, jac=True, method="L-BFGS-B", bounds=limits).x
        else:
            s = minimize(value, zeros, jac=True, method="BFGS").x
    return s if np.isfinite(s).all() and value(s)[0] <= value(zeros)[0] else zeros
