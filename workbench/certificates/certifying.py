"""Certificates: primal, dual and gap of any point, as a sum of Fenchel-Young terms.

    gap = (1/n) sum_i c_i [ p(u_i) + p*(nu_i) - u_i nu_i ] + lam [ g(w) + h(v) - w.v ]

Every bracket is zero exactly where map (10) or (9) holds and never negative, so the gap does not
cancel and shows which sample holds it open. It is computed from w, b and alpha alone: nothing that a
solver mirrors (v, S) enters. A dual point that is not feasible is first moved to one that is: into the
domain of the loss's conjugate, to sum zero where a bias is unregularized, into the dual norm's ball.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.annotations import Floats, Repairs
from workbench._support.errors import InputError, shown
from workbench._support.names import check_number
from workbench._support.system import extras
from workbench.certificates import (
    constrained_certificate,
    kernel_certificate,
    loss_terms,
    primal_domain,
    scaling,
    subgradients,
)
from workbench.certificates.assembly import Certificate, Point, assemble
from workbench.problems.design import check_targets
from workbench.problems.problem import Problem
from workbench.problems.regularizers.constrained import Constrained

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats, Repairs
    from workbench.certificates.loss_terms import Side

# A feasible dual point, its v = X'alpha / (lam n) and how it was repaired.
DualPoint: TypeAlias = tuple[Floats, Floats, Repairs]


def certificate(
    problem: Problem,
    w: ArrayLike | None = None,
    b: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    rigorous: bool = False,
    multipliers: ArrayLike | None = None,
) -> Certificate:
    """Certify a point; where only one side is given, the maps (9) and (10) build the other.

    Parameters
    ----------
    problem : Problem
    w : array_like (d,)
        Weights in the caller's features, from any solver; (d, r) with r classes. With the hinge and other
        piecewise linear losses, the samples at a kink choose the subgradients that bound best.
    b : float or array_like (r,), optional
        The bias. Where it is not given, an unregularized bias is the best one for `w`, any other 0.
    alpha : array_like (n,), optional
        Dual variables; (n, r) with r classes.
    rigorous : bool
        Whether `certificate.interval` is summed in Arb's balls, which assume nothing of the elementary
        functions of the machine and take some hundred times as long.
    multipliers : array_like (r,), optional
        With constraints C v = b or C v <= b, the s of w = w_0 + C's, of which g takes w_0. Where they are not
        given, those that bring w_0 closest to grad h(v), or without weights those of the least loss. With
        constraints on the weights they are always those of the best bound at alpha; given ones are checked.

    Returns
    -------
    Certificate

    Raises
    ------
    InputError
        Neither side is given, or an entry is not finite or has the wrong shape.
    MissingExtraError
        `rigorous` without the extra `proofs`.
    """
    if rigorous:
        extras.need("proofs", "certificate: rigorous=True", "flint")
    if w is None and alpha is None:
        raise InputError("certificate: give w, alpha or both; without a point there is nothing to certify")
    constraints, free = problem.constraints or problem.weight_constraints, problem.free_bias
    if constraints is None and multipliers is not None:
        raise InputError(
            "certificate: multipliers belong to constraints; make the problem with constraints=(C, b) or "
            "weight_constraints=(A, c), or "
            "leave them out"
        )
    if w is None and b is not None and not free:
        raise InputError(f"certificate: b = {shown(b)} belongs to weights; give w as well")
    weights = None if w is None else problem.join(w, 0.0 if b is None or free else b)
    bias = check_bias(problem, b) if free and b is not None else None
    duals = None if alpha is None else check_targets("alpha", alpha, problem.n_samples, problem.columns)
    s = None
    if constraints is not None and multipliers is not None:
        s = check_targets("multipliers", multipliers, constraints.b.shape[0])
        below = np.flatnonzero(constraints.bounds & (s < 0.0))
        if below.size:
            raise InputError(
                f"multipliers[{below[0]}] is {s[below[0]]:g}, and that of a bound is at least 0; "
                "give 0 or more, or leave the multipliers out"
            )
    problem = problem if problem.kernel is not None else problem.centred
    if bias is not None and problem.origin is not None:
        at = certify(problem, None, duals).w if weights is None else weights
        bias = bias if at is None else problem.inward(at, bias)
    certified = certify(problem, weights, duals, bias, s, thorough=True, fixed=weights is not None)
    return dataclasses.replace(certified, _rigorous=True) if rigorous else certified


def check_bias(problem: Problem, b: ArrayLike) -> Bias:
    """Convert an unregularized bias to a float, or to floats (r,) with r classes."""
    if problem.columns == ():
        return check_number("certificate", "b", b)
    return check_targets("b", b, problem.columns[0])


@np.errstate(over="ignore", invalid="ignore")
def certify(
    problem: Problem,
    w: Floats | None = None,
    alpha: Floats | None = None,
    b: Bias | None = None,
    multipliers: Floats | None = None,
    thorough: bool = False,
    fixed: bool = False,
) -> Certificate:
    """`certificate` for weights on the columns of the design, without checks: the solvers' entrance.

    `b` is an unregularized bias alone, of the design's columns; None for the best one. Where these are
    centred, the certificate is that of the caller's bias, which is a float, too. `thorough` has the samples
    at a kink choose their subgradients, which may cost more than all else; without it map (10) decides.
    Weights at which a loss is infinite are moved to where it is finite, unless they are `fixed`.

    The point is copied before anything is computed of it: a solver goes on in the arrays that it passes.
    """
    w, alpha = (None if part is None else np.array(part) for part in (w, alpha))
    b = np.array(b) if isinstance(b, np.ndarray) else b
    if problem.kernel is not None and alpha is not None:
        return kernel_certificate.certify(problem, alpha)
    if problem.constraints is not None:
        return constrained_certificate.certify(problem, problem.constraints, w, alpha, multipliers, fixed)
    side, free = loss_terms.loss_side(problem), problem.free_bias
    moves: Repairs = ()
    if problem.weight_constraints is not None and w is not None:
        w, moves = primal_domain.onto_constraints(problem, problem.weight_constraints, w)
    z = None if w is None else problem.design @ w
    best = side.best_bias(z, b) if free and z is not None and (alpha is None or b is None) else b
    if alpha is not None:
        alpha, v, repairs = _repaired(problem, side, alpha)
    elif w is not None and z is not None:
        alpha, v, repairs = _image(problem, side, w, z, b, best, thorough)
    else:
        raise ValueError("certify: neither w nor alpha is given")
    # The ball of a dual norm holds v by now, and a norm's conjugate is zero there.
    h, mapped = (0.0, np.zeros_like(v)) if problem.regularizer.is_norm else problem.transfer.map(v.ravel())
    if w is None or z is None:
        w = mapped.reshape(v.shape)
        if problem.weight_constraints is not None:
            w, moves = primal_domain.onto_constraints(problem, problem.weight_constraints, w)
        z = problem.design @ w
        if problem.regularizer.is_norm:
            repairs += ("weights taken as zero, since the conjugate of a norm determines none",)
        best = side.best_bias(z, b) if free and b is None else b
    exact = best if b is None else b
    if problem.jumps and not fixed:
        w, moved_bias, moved = primal_domain.feasible(problem, w, 0.0 if exact is None else float(exact))
        exact, b, repairs = (moved_bias if free else exact), (moved_bias if free else b), repairs + moved
        z = problem.design @ w
    stated, lost = b, 0.0
    offset: Bias = 0.0
    if free and exact is not None:
        stated = problem.outward(w, exact)
        offset = exact if problem.origin is None else problem.inward(w, stated)
        if problem.origin is not None:
            lost = max(float(side.loss(z + offset) - side.loss(z + exact)) / problem.n_samples, 0.0)
        z = z + offset
    lifted: Floats | float = 0.0
    if problem.jumps:
        z, lifted = primal_domain.onto_ends(problem, w, float(offset), z, alpha)
    losses, conjugate = side.bracket(z, alpha, offset)
    losses.terms[...] += lifted
    bracket = problem.transfer.bracket(w.ravel(), v.ravel(), h)
    s = problem.transfer.multipliers(v) if isinstance(problem.transfer, Constrained) else None
    point = Point(w, stated, alpha, v, z, s)
    return assemble(problem, point, losses, conjugate, bracket, h, moves + repairs, lost=lost)


def _image(
    problem: Problem, side: Side, w: Floats, z: Floats, b: Bias | None, best: Bias | None, thorough: bool
) -> DualPoint:
    """Compute the dual point of map (10) for predictions z, at the best bias if that is unregularized."""
    at = 0.0 if best is None else best
    image = side.alpha_at(z, at)
    point = _feasible_image(problem, side, image)
    if thorough and problem.loss.kinks.size and not problem.tasks:
        point = _at_kinks(problem, side, z + at if np.any(at) else z, w, image, point)
    alpha, v, repairs = point
    if problem.free_bias and b is not None and not np.array_equal(b, at):
        repairs = (*repairs, "dual point taken at the best bias for w, where it sums to zero")
    return alpha, v, repairs


def _at_kinks(
    problem: Problem, side: Side, z: Floats, w: Floats, image: Floats, point: DualPoint
) -> DualPoint:
    """Choose the better of `point` and a dual point chosen at kinks, where map (10) is a set."""
    v = problem.dual_vector(image) if point[0] is not image else point[1]
    chosen, alpha, v = subgradients.chosen_at_kinks(problem, z, w, image, v)
    if chosen.size == 0:
        return point
    plain = not problem.free_bias and not problem.regularizer.is_norm
    if plain and isinstance(side, loss_terms.Univariate):
        # All that tells the two apart are the chosen samples.
        k = [side.conjugate_at(dual, chosen) / problem.n_samples for dual in (point[0], alpha)]
        h = [problem.lam * problem.transfer.map(image)[0] for image in (point[1], v)]
        return (alpha, v, ()) if k[1] + h[1] < k[0] + h[0] else point
    other = _feasible_image(problem, side, alpha)
    return min(point, other, key=lambda either: _dual(problem, side, *either[:2]))


def _feasible_image(problem: Problem, side: Side, alpha: Floats) -> DualPoint:
    """Make a dual point of map (10) feasible: with sum zero where needed, at its best multiple for a norm."""
    repairs: Repairs = ()
    if problem.free_bias:
        alpha, repairs = side.balance(alpha)
    v = problem.dual_vector(alpha)
    if not problem.regularizer.is_norm:
        return alpha, v, repairs
    return _scaled(problem, alpha, v, scaling.best_multiple(problem, side, alpha, v), repairs)


def _dual(problem: Problem, side: Side, alpha: Floats, v: Floats) -> float:
    """D(alpha) at a feasible point."""
    h = 0.0 if problem.regularizer.is_norm else problem.transfer.map(v)[0]
    return side.conjugate(alpha) / problem.n_samples + problem.lam * h


def _repaired(problem: Problem, side: Side, alpha: Floats) -> DualPoint:
    """Move a dual point to a feasible one: into the loss's domain, to sum zero, into the dual norm's ball."""
    alpha, repairs = side.feasible(alpha)
    if problem.free_bias:
        alpha, moved = side.balance(alpha)
        repairs += moved
    v = problem.dual_vector(alpha)
    return _scaled(problem, alpha, v, scaling.published(problem, v), repairs)


def _scaled(problem: Problem, alpha: Floats, v: Floats, scale: float, repairs: Repairs) -> DualPoint:
    if scale == 1.0:
        return alpha, v, repairs
    problem.design.rescale(alpha, scale)
    text = f"dual point multiplied by {scale:.6g}, which keeps it in the dual norm's ball"
    return scale * alpha, scale * v, (*repairs, text)
