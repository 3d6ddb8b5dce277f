"""The `Certificate` of a point, assembled from the Fenchel-Young terms of its samples and its regularizer."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from workbench._support.display import Carded
from workbench.certificates import interval as quick_bounds
from workbench.certificates import loss_terms
from workbench.kernels import claims

if TYPE_CHECKING:
    from workbench._support.annotations import Bias, Floats, ProofStatus, Repairs
    from workbench.kernels.fenchel_young import Bracket
    from workbench.problems.problem import Problem


# Below this fraction of `Problem.gap_scale` a primal or dual value counts as zero in the relative gap.
TINY = 1e-12
# What is left to try where only the interval is too wide.
BALLS = "; wb.certificate(problem, w=w, b=b, alpha=alpha, rigorous=True) bounds the rounding more closely"


@dataclass(frozen=True, eq=False)
class Certificate(Carded):
    """A guarantee: primal - inf P <= gap.

    Its arrays are its own and cannot be written: they hold the point that the numbers belong to.

    Attributes
    ----------
    primal, dual, gap : float
        P(w, b), the lower bound -D(alpha) and their difference, which is 0 or more.
    relative_gap : float
        gap / max(|primal|, |dual|, 1e-12 s), with s = P(0), or less where the loss outgrows a fourth power.
    sample_terms : ndarray (n,)
        The share of each sample in the gap: their sum and `regularizer_term` make up the gap.
    regularizer_term : float
        lam [ g(w) + h(v) - w.v ].
    repairs : tuple of str
        How the dual point was made feasible, and what else was supplied; empty where nothing was.
    rounding_units : float
        How far below zero rounding carried the most negative term, in units in its last place.
    w, alpha : ndarray (D,), (n,)
        The point that was certified, w on the columns of the design; (D, r), (n, r) with r classes. w is
        None with a kernel.
    b : float or ndarray (r,)
        The unregularized bias, in the caller's features; 0 without one.
    multipliers : ndarray (r,) or None
        Of constraints on the dual, the s at which the primal is taken; of constraints on the weights, the s
        of the dual point v = X'alpha / (lam n) - A's; None without constraints.
    z : ndarray (n,) or (n, r)
        The predictions, bias included.
    """

    _card = "certificate"

    primal: float
    dual: float
    gap: float
    relative_gap: float
    sample_terms: Floats = field(repr=False)
    regularizer_term: float
    repairs: Repairs
    rounding_units: float
    w: Floats | None = field(repr=False)
    b: Bias
    alpha: Floats = field(repr=False)
    z: Floats = field(repr=False)
    multipliers: Floats | None = field(repr=False)
    _problem: Problem = field(repr=False, compare=False)
    _v: Floats | None = field(repr=False, compare=False)
    # What the rounding of the caller's bias adds to the primal, where columns far from zero were centred.
    _lost: float = field(default=0.0, repr=False, compare=False)
    _rigorous: bool = field(default=False, repr=False)  # whether the interval is one of balls

    def __post_init__(self) -> None:
        freeze(self.sample_terms, self.w, self.b, self.alpha, self.z, self.multipliers, self._v)

    @property
    def proof_status(self) -> ProofStatus:
        """{term: {claim: "proved" or "checked"}} of loss and regularizer; the gap needs "bound"."""
        return claims.proof_status(self._problem)

    def __repr__(self) -> str:
        gaps = f"gap={self.gap:.3g}, relative_gap={self.relative_gap:.3g}"
        return f"Certificate(primal={self.primal:.6g}, {gaps}, bound={claims.weakest(self.proof_status)!r})"

    @property
    def interval(self) -> tuple[float, float] | None:
        """(lower, upper) with lower <= inf P <= P(w, b) <= upper for the floats as stored, or None.

        Rounding is included in both ends, which `gap` leaves out; computed when it is asked for. Assumed are
        IEEE arithmetic, a libm within 4 units in the last place and, with a kernel, that the matrix as stored
        is positive semidefinite; of libm nothing where the certificate was made with `rigorous`. Weights that
        meet a constraint but for rounding count as meeting it.
        """
        return self._interval[0]

    @property
    def interval_reason(self) -> str:
        """The reason why there is no interval; "" where there is one."""
        return self._interval[1]

    @property
    def interval_advice(self) -> str:
        """The call that bounds the rounding of this point more closely; "" without one."""
        return BALLS if quick_bounds.has_balls(self._problem) and not self._rigorous else ""

    @property
    def relative_interval(self) -> float | None:
        """The relative gap with rounding, that of upper - lower; None without an interval."""
        if self.interval is None:
            return None
        lower, upper = self.interval
        return relative_gap(self._problem, upper - lower, self.primal, self.dual)

    @functools.cached_property
    def _interval(self) -> tuple[tuple[float, float] | None, str]:
        if self._rigorous:
            from workbench.certificates import rigorous

            return rigorous.of(self)
        return quick_bounds.of(self)

    def is_within(self, gap: float) -> bool:
        """Return whether the relative gap is that small but for what rounding of the bias adds to it."""
        if not self._lost:
            return self.relative_gap <= gap
        return relative_gap(self._problem, max(self.gap - self._lost, 0.0), self.primal, self.dual) <= gap

    @functools.cached_property
    def kkt(self) -> float:
        """The largest violation of the maps (9) and (10), computed when it is asked for.

        Of |w - grad h(v)| (for a norm, of the distance from w to the proximal point of w + v) and of the
        distance from nu_i to the proximal point of nu_i + u_i.
        """
        worst = loss_terms.loss_side(self._problem).violation(self.z, self.alpha)
        if self.w is None or self._v is None:  # with a kernel, w is the image of alpha by construction
            return worst
        w = self._problem.regularized(self.w, self.multipliers)
        return max(worst, self._problem.transfer.violation(w.ravel(), self._v.ravel()))


def freeze(*values: object) -> None:
    """Forbid writes to those of the values that are arrays."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


class HasGapScale(Protocol):
    """A problem, or what stands for one where only the scale of its gaps is known."""

    @property
    def gap_scale(self) -> float: ...


class Point(NamedTuple):
    """A primal and a feasible dual point, with what is computed of both."""

    w: Floats | None  # (D,); None with a kernel
    b: Bias | None
    alpha: Floats  # (n,)
    v: Floats | None  # (D,) X'alpha / (lam n)
    z: Floats  # (n,) predictions, bias included
    multipliers: Floats | None = None  # (r,) of constraints

    @property
    def is_finite(self) -> bool:
        """True if all weights, biases, dual variables and predictions are finite."""
        return all(part is None or np.isfinite(part).all() for part in (self.w, self.b, self.alpha, self.z))


def assemble(
    problem: Problem,
    point: Point,
    losses: Bracket,
    conjugate: float,
    bracket: Bracket,
    h: float,
    repairs: Repairs,
    multiplied: float = 0.0,
    lost: float = 0.0,
) -> Certificate:
    """Assemble the certificate of a point.

    From the brackets of the samples and of the regularizer, the sum of k(-alpha_i) and h(v); `multiplied` is
    what multipliers of constraints add to g, `lost` what rounding of the bias adds to the losses.
    """
    n = problem.n_samples
    primal = losses.value / n + problem.lam * (bracket.value + multiplied)
    dual = 0.0 - (conjugate / n + problem.lam * h)
    terms = np.divide(losses.terms, n, out=losses.terms)
    regularizer_term = problem.lam * bracket.sum
    gap = float(terms.sum()) + regularizer_term
    if np.isnan(gap) or np.isnan(primal) or np.isnan(dual) or not point.is_finite:
        # Overflow on both sides leaves no finite value; an infinite gap promises nothing, rightly. A loss
        # that is flat on one side has one even at predictions that are not finite.
        primal, dual, gap = np.inf, -np.inf, np.inf
    if dual == -np.inf:
        gap = np.inf
    return Certificate(
        primal=float(primal),
        dual=float(dual),
        gap=gap,
        relative_gap=relative_gap(problem, gap, primal, dual),
        sample_terms=terms,
        regularizer_term=regularizer_term,
        repairs=repairs,
        rounding_units=max(losses.units, bracket.units),
        w=point.w,
        b=0.0 if point.b is None else point.b,
        alpha=point.alpha,
        z=point.z,
        multipliers=point.multipliers,
        _problem=problem,
        _v=point.v,
        _lost=lost,
    )


def relative_gap(problem: HasGapScale, gap: float, *values: float) -> float:
    """Return a gap divided by the largest of |values| and 1e-12 `gap_scale`; infinite if it is not finite."""
    if not np.isfinite(gap):
        return np.inf
    size = max(*map(abs, values), TINY * problem.gap_scale)
    # All of these are zero where every target lies in the flat part of the loss, and then so is the gap.
    return float(gap / size) if size > 0.0 else 0.0
