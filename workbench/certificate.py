"""Certificates: primal, dual and gap of any point, as a sum of Fenchel-Young terms.

    gap = (1/n) sum_i c_i [ p(u_i) + p*(nu_i) - u_i nu_i ] + lam [ g(w) + h(v) - w.v ]

Every bracket is zero exactly where map (10) or (9) holds and never negative, so the gap does not
cancel and shows which sample holds it open. It is computed from w, b and alpha alone: nothing that a
solver mirrors (v, S) enters. A dual point that is not feasible is first moved to one that is: into the
domain of the loss's conjugate, to sum zero where a bias is unregularized, into the dual norm's ball.
"""

import functools
from dataclasses import dataclass, field

import numpy as np

from workbench import kinks, samples, scaling
from workbench.errors import InputError
from workbench.names import check_number
from workbench.problem import check_targets

# Below this fraction of P(0) a primal or dual value counts as zero in the relative gap.
TINY = 1e-12


@dataclass(frozen=True)
class Certificate:
    """A guarantee: primal - inf P <= gap.

    Attributes
    ----------
    primal, dual, gap : float
        P(w, b), the lower bound -D(alpha) and their difference, which is 0 or more.
    relative_gap : float
        gap / max(|primal|, |dual|, 1e-12 P(0)).
    sample_terms : ndarray (n,)
        The share of each sample in the gap: their sum and `regularizer_term` make up the gap.
    regularizer_term : float
        lam [ g(w) + h(v) - w.v ].
    repairs : tuple of str
        How the dual point was made feasible, and what else was supplied; empty where nothing was.
    rounding_units : float
        How far below zero rounding carried the most negative term, in units in its last place.
    w, alpha : ndarray (D,), (n,)
        The point that was certified, w on the columns of the design; (D, r), (n, r) with r classes.
    b : float or ndarray (r,)
        The unregularized bias; 0 where the problem has none.
    z : ndarray (n,) or (n, r)
        The predictions, bias included.
    """

    primal: float
    dual: float
    gap: float
    relative_gap: float
    sample_terms: np.ndarray = field(repr=False)
    regularizer_term: float
    repairs: tuple
    rounding_units: float
    w: np.ndarray = field(repr=False)
    b: object
    alpha: np.ndarray = field(repr=False)
    z: np.ndarray = field(repr=False)
    _problem: object = field(repr=False, compare=False)
    _v: np.ndarray = field(repr=False, compare=False)

    @functools.cached_property
    def kkt(self):
        """The largest violation of the maps (9) and (10), computed when it is asked for.

        Of |w - grad h(v)| (for a norm, of the distance from w to the proximal point of w + v) and of the
        distance from nu_i to the proximal point of nu_i + u_i.
        """
        worst = samples.of(self._problem).violation(self.z, self.alpha)
        if self.w is None:  # with a kernel, w is the image of alpha by construction
            return worst
        return max(worst, self._problem.transfer.violation(self.w.ravel(), self._v.ravel()))


def certificate(problem, w=None, b=None, alpha=None):
    """Certify a point; where only one side is given, the maps (9) and (10) build the other.

    Parameters
    ----------
    problem : Problem
    w : array_like (d,)
        Weights in the caller's features, from any solver; (d, r) with r classes. With the hinge and other
        piecewise linear losses, the samples at a kink choose the subgradients that bound best.
    b : float or array_like (r,), optional
        The bias. Where it is not given, an unregularized bias is the best one for `w`, any other 0. With
        constraints, the multipliers s, and w is w_0.
    alpha : array_like (n,), optional
        Dual variables; (n, r) with r classes.

    Returns
    -------
    Certificate

    Raises
    ------
    InputError
        Neither side is given, or an entry is not finite or has the wrong shape.
    """
    if w is None and alpha is None:
        raise InputError("certificate: give w, alpha or both; without a point there is nothing to certify")
    free = problem.free_bias or problem.constraints is not None
    if w is None and b is not None and not free:
        raise InputError(f"certificate: b = {b!r} belongs to weights; give w as well")
    weights = None if w is None else problem.join(w, 0.0 if b is None or free else b)
    free = check_bias(problem, b) if free and b is not None else None
    duals = None if alpha is None else check_targets("alpha", alpha, problem.n_samples, problem.columns)
    return certify(problem, weights, duals, free, thorough=True)


def check_bias(problem, b):
    """An unregularized bias as a float, or as (r,) floats with r classes."""
    if problem.constraints is not None:
        return check_targets("b", b, problem.constraints.b.shape[0])
    if problem.columns == ():
        return check_number("certificate", "b", b)
    return check_targets("b", b, *problem.columns)


@np.errstate(over="ignore", invalid="ignore")
def certify(problem, w=None, alpha=None, b=None, thorough=False):
    """`certificate` for weights on the columns of the design, without checks: the solvers' entrance.

    `b` is an unregularized bias alone; None for the best one. `thorough` has the samples at a kink choose
    their subgradients, which may cost more than all else; without it map (10) decides.
    """
    if problem.kernel is not None:
        from workbench import kernel_certificate

        return kernel_certificate.certify(problem, alpha)
    if problem.constraints is not None:
        from workbench import constrained_certificate

        return constrained_certificate.certify(problem, w, alpha, b)
    side = samples.of(problem)
    z = None if w is None else problem.features @ w
    best = side.best_bias(z, b) if problem.free_bias and z is not None and (alpha is None or b is None) else b
    if alpha is None:
        alpha, v, repairs = _image(problem, side, w, z, b, best, thorough)
    else:
        alpha, v, repairs = _repaired(problem, side, alpha)
    # The ball of a dual norm holds v by now, and a norm's conjugate is zero there.
    h, mapped = (0.0, np.zeros_like(v)) if problem.regularizer.is_norm else problem.transfer.map(v.ravel())
    if w is None:
        w = mapped.reshape(v.shape)
        z = problem.features @ w
        if problem.regularizer.is_norm:
            repairs += ("weights taken as zero, since the conjugate of a norm determines none",)
        best = side.best_bias(z, b) if problem.free_bias and b is None else b
    if problem.free_bias:
        b = best if b is None else b
        z = z + b
    losses, conjugate = side.bracket(z, alpha, b if problem.free_bias else 0.0)
    bracket = problem.transfer.bracket(w.ravel(), v.ravel(), h)
    return _assemble(problem, w, b, alpha, v, z, losses, conjugate, bracket, h, repairs)


def _image(problem, side, w, z, b, best, thorough):
    """The dual point that map (10) gives for predictions z, taken at the best bias where that is free."""
    at, repairs = 0.0 if best is None else best, ()
    image = side.alpha_at(z, at)
    point = _feasible_image(problem, side, image)
    # Map (10) is a set at a kink; the better of two choices is kept.
    settled = kinks.settle(problem, z + at, w, image) if thorough else image
    if settled is not image:
        settled = _feasible_image(problem, side, settled)
        point = min(point, settled, key=lambda either: _dual(problem, side, *either[:2]))
    alpha, v, repairs = point
    if problem.free_bias and b is not None and not np.array_equal(b, best):
        repairs = (*repairs, "dual point taken at the best bias for w, where it sums to zero")
    return alpha, v, repairs


def _feasible_image(problem, side, alpha):
    """A dual point of map (10) with sum zero where that is needed, at its best multiple for a norm."""
    alpha, repairs = side.balance(alpha) if problem.free_bias else (alpha, ())
    v = problem.dual_vector(alpha)
    if not problem.regularizer.is_norm:
        return alpha, v, repairs
    return _scaled(alpha, v, scaling.best(problem, side, alpha, v), repairs)


def _dual(problem, side, alpha, v):
    """D(alpha) at a feasible point."""
    h = 0.0 if problem.regularizer.is_norm else problem.transfer.map(v)[0]
    return side.conjugate(alpha) / problem.n_samples + problem.lam * h


def _repaired(problem, side, alpha):
    """The given dual point moved to a feasible one: the loss's domain, sum zero, the dual norm's ball."""
    alpha, repairs = side.feasible(alpha)
    if problem.free_bias:
        alpha, moved = side.balance(alpha)
        repairs += moved
    v = problem.dual_vector(alpha)
    alpha, v, repairs = _scaled(alpha, v, scaling.published(problem, v), repairs)
    return (alpha if repairs else alpha.copy()), v, repairs


def _scaled(alpha, v, scale, repairs):
    if scale == 1.0:
        return alpha, v, repairs
    text = f"dual point multiplied by {scale:.6g}, which keeps it in the dual norm's ball"
    return scale * alpha, scale * v, (*repairs, text)


def _assemble(problem, w, b, alpha, v, z, losses, conjugate, bracket, h, repairs, multiplied=0.0):
    n = problem.n_samples
    primal = losses.value / n + problem.lam * (bracket.value + multiplied)
    dual = 0.0 - (conjugate / n + problem.lam * h)
    terms = losses.terms / n
    regularizer_term = problem.lam * bracket.sum
    gap = float(terms.sum()) + regularizer_term
    if np.isnan(gap) or np.isnan(primal) or np.isnan(dual):
        # Overflow on both sides leaves no finite value; an infinite gap promises nothing, rightly.
        primal, dual, gap = np.inf, -np.inf, np.inf
    if dual == -np.inf:
        gap = np.inf
    size = max(abs(primal), abs(dual), TINY * problem.zero_value)
    # All of these are zero where every target lies in the flat part of the loss, and then so is the gap.
    relative = (gap / size if size > 0.0 else 0.0) if np.isfinite(gap) else np.inf
    return Certificate(
        primal=float(primal), dual=float(dual), gap=gap, relative_gap=float(relative),
        sample_terms=terms, regularizer_term=regularizer_term, repairs=repairs,
        rounding_units=max(losses.units, bracket.units), w=w, b=0.0 if b is None else b, alpha=alpha, z=z,
        _problem=problem, _v=v,
    )  # fmt: skip
