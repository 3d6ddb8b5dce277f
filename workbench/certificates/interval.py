"""Intervals: lower <= inf P <= P(w, b) <= upper for the floats as stored, rounding of everything included.

What is summed are upper bounds of P and of D at a dual point that is feasible exactly. Losses, norms and
their conjugates are convex, so that a prediction or an entry of v that is known to lie in an interval costs
at most what the worse of its ends does. Predictions and v = X'alpha / (lam n) are sums of k products and
round by at most gamma_k times the sum of the products' magnitudes, |x_i| |w| at most.

Assumed are IEEE arithmetic, rounded to nearest, and a libm within 4 units in the last place;
`workbench.certificates.rigorous` assumes nothing of libm and does not round.

Source       Higham (2002), chapters 3 and 4; docs/certificates.md
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from workbench.certificates import exact_duals
from workbench.kernels import interval_loops, products
from workbench.kernels.interval_loops import LOST, SMALLEST, UNIT, gamma, raised, total_above
from workbench.problems.design import READ_PER_SUM
from workbench.problems.losses import simplex
from workbench.problems.regularizers.base import Transfer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from workbench._support.annotations import Floats
    from workbench.certificates.assembly import Certificate
    from workbench.problems.design import Design
    from workbench.problems.problem import Problem

# A dual point is multiplied into the ball of a dual norm this often: once, and once more for the rounding.
SCALINGS = 4
# The fewest rows of v = X'alpha / (lam n) that are summed before their sums are.
BLOCK = 16
# There may be that many blocks, or more where each of them reads as many entries as the second number says.
CALLS, WORTH_A_CALL = 16, 2**15
INFEASIBLE = "no dual point near this one meets the constraints without rounding"


class Stored(NamedTuple):
    """Numbers and how far they may be off, arrays of one shape."""

    at: Floats
    error: Floats


# Upper bounds of the sums of the losses and of k(-alpha_i) over a part of the samples, and that of X'alpha.
PartBounds: TypeAlias = tuple[float, float, Stored | None]


# What overflows on its way bounds nothing, and is looked for where bounds are put together.
@np.errstate(over="ignore", invalid="ignore")
def of(certificate: Certificate) -> tuple[tuple[float, float] | None, str]:
    """Return ((lower, upper), "") of a certificate, or (None, the reason)."""
    reason = missing(certificate)
    if reason:
        return None, reason
    problem = certificate._problem
    side = _Columns(problem) if problem.tasks else (_Classes if problem.columns else _Univariate)(problem)
    parts = (_linear if problem.kernel is None else _kernel)(certificate, side)
    lower, upper = _ends(problem, problem.n_samples, *parts)
    return ((lower, upper), "") if lower > -np.inf else (None, INFEASIBLE)


def has_balls(problem: Problem) -> bool:
    """Return whether the sums of a problem are known in Arb's balls."""
    return problem.kernel is None and not (problem.regularizer.is_norm and problem.transfer.penalty is None)


def missing(certificate: Certificate) -> str:
    """Return why there is no interval, or an empty text where there may be one."""
    problem = certificate._problem
    if problem.is_constrained:
        return "constraints are met but for rounding"
    if problem.jumps:
        return "predictions are where the loss is finite but for rounding"
    if problem.columns and not problem.tasks and not problem.loss.is_likelihood:
        return f"the loss {problem.loss.name} has no bound of the rounding of its shares"
    if not np.isfinite(certificate.gap):
        return "the gap is infinite"
    return ""


def feasible(
    problem: Problem, alpha: Floats, dual_vector: Callable[[Problem, Floats], Stored]
) -> tuple[Floats, Stored] | tuple[None, None]:
    """Return a dual point near alpha that is feasible without rounding, and its v as `Stored`, or None twice.

    `dual_vector` gives v of a dual point; with a norm that has to lie in the ball of the dual norm.
    """
    scale = 1.0
    for k in range(SCALINGS):
        if k:
            problem.design.rescale(alpha, scale)
        point = exact_duals.exact(problem, alpha if scale == 1.0 else scale * alpha)
        if point is None:
            break
        v = dual_vector(problem, point)
        if isinstance(problem.transfer, Transfer):
            return point, v
        size = problem.transfer.dual_norm_above(v.at.ravel(), v.error.ravel())
        if size <= 1.0:
            return point, v
        scale *= (1.0 - 64.0 * 8.0**k * UNIT) / size
        if not scale > 0.0:
            break
    return None, None


def part_bounds(problem: Problem, w: Floats, alpha: Floats) -> PartBounds:
    """Upper bounds of the sums of the losses at w and of k(-alpha_i), and X'alpha with what it may be off by.

    For samples that are a part of all, with one prediction each; infinite ones and None where no dual point
    near alpha is feasible.
    """
    side = _Univariate(problem)
    z = problem.design @ w
    losses = _total(z.shape[0], lambda chosen: side.losses(_predictions(problem, w, z, chosen), chosen))
    exact = exact_duals.exact(problem, alpha)
    if exact is None:
        return losses, np.inf, None
    return losses, _conjugates(side, exact), _products(problem.design, exact)


def joined_bounds(parts: Sequence[PartBounds]) -> PartBounds:
    """Return the `part_bounds` of all samples of some parts."""
    losses, conjugates = (total_above([part[side] for part in parts]) for side in (0, 1))
    shares, count = [share for *_, share in parts if share is not None], len(parts) + 8.0
    if len(shares) < len(parts):
        return losses, conjugates, None
    error = sum(share.error for share in shares) + gamma(count) * sum(np.abs(share.at) for share in shares)
    at: Floats = sum((share.at for share in shares), np.zeros(()))
    return losses, conjugates, Stored(at, raised(error, count))


def whole_bounds(
    problem: Problem, parts: Sequence[PartBounds], w: Floats, n: int
) -> tuple[tuple[float, float] | None, str]:
    """((lower, upper), "") of a problem with n samples, or (None, the reason), from its `part_bounds`."""
    losses, conjugates, share = joined_bounds(parts)
    g, outside = problem.transfer.value_above(np.ascontiguousarray(w))
    if outside or share is None or not isinstance(problem.transfer, Transfer):
        return None, INFEASIBLE
    v = _divided(share, problem.lam * n)
    ends = _ends(problem, n, losses, conjugates, g, problem.transfer.conjugate_above(*v))
    return (ends, "") if np.isfinite(ends).all() else (None, "the bounds overflow")


def _ends(
    problem: Problem, n: int, losses: float, conjugates: float, g: float, h: float
) -> tuple[float, float]:
    """(lower, upper) from upper bounds of the sums of the losses and of k(-alpha_i), of g and of h."""
    lam = problem.lam
    upper, bound = (raised(raised(s / n) + raised(lam * r)) for s, r in ((losses, g), (conjugates, h)))
    # A sum that overflows on its way bounds nothing.
    return float(-np.inf if np.isnan(bound) else -bound), float(np.inf if np.isnan(upper) else upper)


def _linear(certificate: Certificate, side: _Side) -> tuple[float, float, float, float]:
    """Bound the sums of losses and of k, then g and h, from above, for w and v = X'alpha / (lam n)."""
    problem, w = certificate._problem, np.ascontiguousarray(certificate.w)
    g, share = problem.transfer.value_above(w.ravel())

    def loss(chosen: slice) -> float:
        z = _predictions(problem, w, certificate.z, chosen)
        error = z.error
        if problem.origin is not None:  # b is rounded once
            error = error + 2.0 * UNIT * np.abs(problem.inward(w, certificate.b))
        if share:  # g is that of w but for this share
            reach = problem.design.lengths(0, chosen)[0] * raised(float(np.linalg.norm(w)), w.size)
            if problem.origin is not None:  # in the caller's features
                reach = reach + raised((np.abs(problem.origin) @ np.abs(w)).max(), w.size)
            error = error + raised(share * reach).reshape(-1, *(1,) * (z.at.ndim - 1))
        return side.losses(Stored(z.at, error), chosen)

    losses = _total(problem.n_samples, loss)
    alpha, v = feasible(problem, certificate.alpha, _dual_vector)
    if alpha is None or v is None:
        return losses, np.inf, g, 0.0
    h, transfer = 0.0, problem.transfer
    if isinstance(transfer, Transfer):
        h = transfer.conjugate_above(v.at.ravel(), v.error.ravel())
    return losses, _conjugates(side, alpha), g, h


def _total(n: int, bound: Callable[[slice], float]) -> float:
    """Bound a sum over n samples from above by `bound(chosen)` of its parts."""
    parts = [bound(chosen) for chosen in exact_duals.in_parts(n)]
    return parts[0] if len(parts) == 1 else total_above(parts)


def _conjugates(side: _Side, alpha: Floats) -> float:
    return _total(alpha.shape[0], lambda chosen: side.conjugates(alpha[chosen], chosen))


def _kernel(certificate: Certificate, side: _Side) -> tuple[float, float, float, float]:
    """Bound the same four sums for predictions f = K alpha / (lam n); K is semidefinite as stored."""
    problem, b = certificate._problem, certificate.b
    f = _kernel_predictions(problem, certificate.alpha)
    z = f.at + b
    off = f.error + 2.0 * UNIT * (np.abs(z) + np.abs(f.at)) * np.any(b)
    losses = side.losses(Stored(z, off), slice(None))
    g = _energy(problem, certificate.alpha, f)
    alpha = exact_duals.exact(problem, certificate.alpha)
    if alpha is None:
        return losses, np.inf, g, 0.0
    return losses, _conjugates(side, alpha), g, _energy(problem, alpha, _kernel_predictions(problem, alpha))


def _kernel_predictions(problem: Problem, alpha: Floats) -> Stored:
    # Of a positive semidefinite matrix no entry is larger than its two diagonal ones make it.
    roots, n = np.sqrt(np.abs(problem.kernel_matrix.diagonal)), problem.n_samples
    off = gamma(np.count_nonzero(alpha)) * roots * raised(float((roots * np.abs(alpha)).sum()), n) + n * LOST
    return _divided(Stored(problem.kernel_matrix.product(alpha), off), problem.lam_n)


def _energy(problem: Problem, alpha: Floats, f: Stored) -> float:
    """Bound alpha.f / (2 lam n), which is both g and h, from above."""
    most = interval_loops.product_above(alpha, f.at) + raised(float(np.abs(alpha) @ f.error), alpha.size)
    return float(max(raised(most / (2.0 * problem.lam_n)), 0.0))


class _Univariate:
    """Sample i has f(z) = c_i p(s_i z + t_i)."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.loss, self.is_shifted = problem, problem.loss, problem.shift.any()

    def losses(self, z: Stored, chosen: slice) -> float:
        problem, (lower, upper) = self.problem, self.loss.finite_on
        u = problem.argument(z.at, chosen)
        error = z.error + 2.0 * UNIT * np.abs(u) * self.is_shifted
        if (u - error <= lower).any() or (u + error >= upper).any():
            return np.inf
        scalars = self.loss.scalar("value"), self.loss.scalar("value_rounding")
        return float(interval_loops.convex_sum(*scalars, self.loss.theta, u, error, problem.weight[chosen]))

    def conjugates(self, alpha: Floats, chosen: slice) -> float:
        problem, loss, weight = self.problem, self.loss, self.problem.weight[chosen]
        nu = problem.nu(alpha, chosen)
        error = np.where(weight == 1.0, 0.0, 2.0 * UNIT * np.abs(nu))
        ends = float(loss.entry["lower"]), float(loss.entry["upper"])
        scalars = loss.scalar("conjugate"), loss.scalar("conjugate_rounding")
        total = interval_loops.convex_sum(*scalars, loss.theta, nu, error, weight, *ends)
        if self.is_shifted:
            # c (p*(nu) - t nu) = c p*(nu) + s t alpha, without rounding of s t.
            total += interval_loops.product_above(problem.sign[chosen] * problem.shift[chosen], alpha)
        return float(total + 2.0 * UNIT * abs(total))


class _Classes:
    """ln sum_j e^(z_j) - z_y, and sum_j p_j ln p_j."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def losses(self, z: Stored, chosen: slice) -> float:
        labels, weight = self.problem.labels[chosen], self.problem.weight[chosen]
        own = np.arange(labels.shape[0]), labels
        beyond = z.at - z.at[own][:, None]
        off = (z.error + z.error[own][:, None] + 2.0 * UNIT * np.abs(beyond)).max(axis=1)
        top = beyond.max(axis=1)
        values = top + np.log(np.exp(beyond - top[:, None]).sum(axis=1))
        values += off + 8.0 * UNIT * (z.at.shape[1] + 8.0) * (1.0 + np.abs(top))
        return float(interval_loops.product_above(raised(values), weight))

    def conjugates(self, alpha: Floats, chosen: slice) -> float:
        labels, weight = self.problem.labels[chosen], self.problem.weight[chosen]
        p = simplex.probabilities(alpha, labels, weight)
        error = 4.0 * UNIT * np.abs(p)
        error[np.arange(labels.shape[0]), labels] = 4.0 * UNIT
        ends = np.clip(p - error, 0.0, 1.0), np.clip(p + error, 0.0, 1.0)
        parts = [np.where(end > 0.0, end * np.log(np.where(end > 0.0, end, 1.0)), 0.0) for end in ends]
        worst = np.maximum(*parts)
        worst = worst + 16.0 * UNIT * np.abs(worst)
        totals = worst.sum(axis=1)
        totals += (worst.shape[1] + 2.0) * UNIT * np.abs(worst).sum(axis=1) + LOST
        return float(interval_loops.product_above(totals, weight))


class _Columns:
    """The sum over the columns of y."""

    def __init__(self, problem: Problem) -> None:
        self.sides = [_Univariate(task) for task in problem.tasks]

    def losses(self, z: Stored, chosen: slice) -> float:
        error = np.broadcast_to(z.error, z.at.shape)
        columns = (Stored(z.at[:, k], error[:, k]) for k in range(len(self.sides)))
        parts = zip(self.sides, columns, strict=True)
        return float(total_above([side.losses(column, chosen) for side, column in parts]))

    def conjugates(self, alpha: Floats, chosen: slice) -> float:
        columns = zip(self.sides, np.ascontiguousarray(alpha.T), strict=True)
        return float(total_above([side.conjugates(column, chosen) for side, column in columns]))


_Side: TypeAlias = _Univariate | _Classes | _Columns


def _size(values: Floats) -> Floats | float:
    """Upper bounds of the lengths of columns."""
    size: Floats | float = raised(np.sqrt(np.sum(values * values, axis=0)), values.shape[0] + 8.0) + SMALLEST
    return size


def _predictions(problem: Problem, w: Floats, z: Floats, chosen: slice) -> Stored:
    """Bound the rounding of chosen predictions of a certificate with weights w (D,) or (D, r)."""
    off, z = np.multiply.outer(_rounding(problem.design, 0, w, chosen=chosen), _size(w)), z[chosen]
    return Stored(z, off + 4.0 * UNIT * np.abs(z))


def _dual_vector(problem: Problem, alpha: Floats) -> Stored:
    """Compute v of a dual point."""
    return _divided(_products(problem.design, alpha), problem.lam_n)


def _products(design: Design, alpha: Floats) -> Stored:
    """X'alpha, in sums over blocks of rows and then over the blocks, which round less than one long sum.

    Sums over long columns are in blocks and chains anyway: those of the certificate's own product.
    """
    n, size = design.shape
    columns = np.ascontiguousarray(alpha.reshape(n, -1).T)
    if design.is_by_columns:
        known = [(design.transposed(column), design.chain(column)) for column in columns]
        totals, most = np.array([total for total, _ in known]), max(chain for _, chain in known)
    else:
        # A block is a call, which some thousand entries are worth.
        blocks = min(max(CALLS, design.size // WORTH_A_CALL), 1 + design.size // (READ_PER_SUM * size))
        step = max(BLOCK, math.isqrt(n), n // blocks)
        totals, most, product = np.zeros((columns.shape[0], size)), step + n / step, products.transposed()
        for column, total in zip(columns, totals, strict=True):
            for first in range(0, n, step):
                part = np.zeros(size)
                product(design.matrix, column, first, min(first + step, n), part)
                total += part
    error = np.multiply.outer(_rounding(design, 1, alpha, most), _size(alpha))
    return Stored(totals.T.reshape(error.shape), raised(error))


def _rounding(
    design: Design, axis: int, factors: Floats, most: float = np.inf, chosen: slice = slice(None)
) -> Floats:
    """Return the rounding of products of rows (axis 0) or columns with factors, in shares of their length.

    A product with zero does not round, and no sum is longer than `most`.
    """
    lengths, counts = design.lengths(axis, chosen)
    rounding: Floats = gamma(np.minimum(counts, min(most, np.count_nonzero(factors, axis=0).max()))) * lengths
    return rounding


def _divided(stored: Stored, divisor: float) -> Stored:
    """Divide stored numbers by a number that was rounded once."""
    at = stored.at / divisor
    return Stored(at, raised(stored.error / divisor) + 8.0 * UNIT * np.abs(at))
