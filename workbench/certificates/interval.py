"""Intervals: lower <= inf P <= P(w, b) <= upper for the floats as stored, rounding of everything included.

What is summed are upper bounds of P and of D at a dual point that is feasible exactly. Losses, norms and
their conjugates are convex, so that a prediction or an entry of v that is known to lie in an interval costs
at most what the worse of its ends does. Predictions and v = X'alpha / (lam n) are first taken as the
certificate has them, with the classical bound gamma_k |x_i| |w| of their rounding; where that leaves more
than the gap, they are computed anew with twice the bits.

Assumed are IEEE arithmetic, rounded to nearest, and a libm within 4 units in the last place.

Source       Higham (2002), chapters 3 and 4; docs/certificates.md
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from workbench.certificates import exact_duals
from workbench.kernels import interval_loops
from workbench.kernels.interval_loops import LOST, SAFE, SMALLEST, UNIT, gamma, raised
from workbench.kernels.sample_loops import each_piece
from workbench.kernels.term_loops import CHUNK
from workbench.problems.design import NO_INDICES
from workbench.problems.losses import simplex

# What is left by rounding below this share of the gap, or of the values, is not worth a second look.
ENOUGH, TINY = 0.1, 1e-8
# A dual point is multiplied into the ball of a dual norm so often: once, and once more for what that rounds.
SCALINGS = 4
INFEASIBLE = "no dual point near this one meets the constraints without rounding"


class Stored(NamedTuple):
    """Numbers and how far they may be off, arrays of one shape."""

    at: np.ndarray
    error: np.ndarray


# What overflows on its way bounds nothing, and is looked for where bounds are put together.
@np.errstate(over="ignore", invalid="ignore")
def of(certificate, sharp=False):
    """((lower, upper), "") of a certificate, as near as it can be where asked for, or (None, the reason)."""
    reason = missing(certificate)
    if reason:
        return None, reason
    found = (_Linear if certificate._problem.kernel is None else _Kernel)(certificate)
    size = max(abs(certificate.primal), abs(certificate.dual))
    enough = certificate.gap + (0.0 if sharp else max(ENOUGH * certificate.gap, TINY * size))
    lower, upper = -np.inf, np.inf
    for bounds in found.ways:
        lowest, highest = bounds()
        lower, upper = max(lower, lowest), min(upper, highest)
        if upper - lower <= enough:
            break
    return ((float(lower), float(upper)), "") if lower > -np.inf else (None, INFEASIBLE)


def missing(certificate):
    """Why there is no interval; "" where there may be one."""
    problem = certificate._problem
    if problem.constraints is not None:
        return "constraints C v = b are met but for rounding"
    if problem.columns and not problem.loss.is_likelihood:
        return f"the loss {problem.loss.name} has no bound of the rounding of its shares"
    if not np.isfinite(certificate.gap):
        return "the gap is infinite"
    return ""


def feasible(certificate, sharp):
    """A dual point near that of the certificate that is feasible without rounding, and its v.

    In the ball of a dual norm, too, with v computed anew where it shall be `sharp`; None twice for none.
    """
    problem, scale = certificate._problem, 1.0
    for _ in range(SCALINGS):
        alpha = exact_duals.exact(problem, certificate.alpha if scale == 1.0 else scale * certificate.alpha)
        if alpha is None:
            break
        v = _sharp_v(problem, alpha) if sharp else _stored_v(problem, certificate, alpha, scale)
        if not problem.regularizer.is_norm:
            return alpha, v
        size = problem.transfer.dual_norm_above(v.at.ravel(), v.error.ravel())
        if size <= 1.0:
            return alpha, v
        scale *= (1.0 - 64.0 * UNIT) / size
        if not scale > 0.0:
            break
    return None, None


def _quick(certificate):
    """Bounds about the values of a certificate themselves, from slopes and a few sums; nothing where not.

    Each value is known but for its own rounding and its slope times what its argument may be off by.
    """
    problem, loss, transfer = certificate._problem, certificate._problem.loss, certificate._problem.transfer
    nothing = -np.inf, np.inf
    if problem.columns or problem.free_bias or not problem.is_unweighted:
        return nothing
    alpha = exact_duals.exact(problem, certificate.alpha)
    if alpha is not certificate.alpha or not min(loss.lipschitz, loss.curvature) < np.inf:
        return nothing
    v = _stored_v(problem, certificate, alpha, 1.0)
    off = transfer.rounding(certificate.w.ravel(), v.at, v.error)
    if off is None:
        return nothing
    n, lam = problem.n_samples, problem.lam
    side = _Univariate(problem)
    u = side.arguments_of(_predictions(problem, certificate.w, certificate.z))
    primal = certificate.primal + (side.rounding_of_losses(u, certificate.primal) / n + lam * off[0])
    dual = -certificate.dual + (side.rounding_of_conjugates(alpha) / n + lam * off[1])
    if problem.regularizer.is_norm:
        size = transfer.dual_norm_above(v.at, v.error)
        if size > 1.0:
            # D is convex, so a multiple s of the point has at most s D + (1 - s) D(0).
            s = (1.0 - 64.0 * UNIT) / size
            dual = s * dual + (1.0 - s) * side.at_zero() + 8.0 * UNIT * abs(dual)
    return -raised(dual, 16.0), raised(primal, 16.0)


def part_bounds(problem, w, alpha):
    """Upper bounds of the sums of the losses at w and of k(-alpha_i), and X'alpha with what it may be off by.

    For samples that are a part of all, with one prediction each; infinite ones and None where no dual point
    near alpha is feasible.
    """
    side, design = _Univariate(problem), problem.design
    losses = side.losses(side.arguments_of(_predictions(problem, w, design @ w)))
    alpha = exact_duals.exact(problem, alpha)
    if alpha is None:
        return losses, np.inf, None
    error = design.lengths[1][1] * _size(alpha)
    return losses, side.conjugates(alpha), Stored(design.transposed(alpha), raised(error))


def joined_bounds(parts):
    """The `part_bounds` of all samples of some parts."""
    losses, conjugates, shares = zip(*parts, strict=True)
    sums, count = [raised(math.fsum(part), 4.0) for part in (losses, conjugates)], len(parts) + 8.0
    if any(each is None for each in shares):
        return *sums, None
    error = sum(each.error for each in shares) + gamma(count) * sum(np.abs(each.at) for each in shares)
    return *sums, Stored(sum(each.at for each in shares), raised(error, count))


def whole_bounds(problem, parts, w, n):
    """((lower, upper), "") of a problem with n samples, or (None, the reason), from its `part_bounds`."""
    losses, conjugates, share = joined_bounds(parts)
    g, outside = problem.transfer.value_above(np.ascontiguousarray(w))
    if outside or share is None:
        return None, INFEASIBLE
    lam = problem.lam
    v, error = share.at / (lam * n), share.error / (lam * n)
    h = problem.transfer.conjugate_above(v, raised(error) + 8.0 * UNIT * np.abs(v))
    sums = losses / n, conjugates / n
    upper, lower = (
        raised(raised(part) + raised(lam * each)) for part, each in zip(sums, (g, h), strict=True)
    )
    if not np.isfinite([lower, upper]).all():
        return None, "the bounds overflow"
    return (float(-lower), float(upper)), ""


class _Bounds:
    """Upper bounds of P at the stored point and of D at a feasible one."""

    can_sharpen = True

    def __init__(self, certificate):
        self.certificate, self.problem = certificate, certificate._problem
        self.side = _Classes(self.problem) if self.problem.columns else _Univariate(self.problem)

    @property
    def ways(self):
        """Functions that give bounds, the quickest first."""
        return (self.bounds, self.sharp) if self.can_sharpen else (self.bounds,)

    def sharp(self):
        return self.bounds(sharp=True)

    def bounds(self, sharp=False):
        n, lam = self.problem.n_samples, self.problem.lam
        losses, g = self.primal(sharp)
        conjugates, h = self.dual(sharp)
        upper = raised(raised(losses / n) + raised(lam * g))
        lower = -raised(raised(conjugates / n) + raised(lam * h))
        # A sum that overflows on its way bounds nothing.
        return (-np.inf if np.isnan(lower) else lower), (np.inf if np.isnan(upper) else upper)


class _Linear(_Bounds):
    """With weights w and v = X'alpha / (lam n)."""

    @property
    def ways(self):
        return functools.partial(_quick, self.certificate), *super().ways

    def primal(self, sharp):
        """Upper bounds of the sum of the losses and of g."""
        problem, certificate = self.problem, self.certificate
        transfer, w = problem.transfer, np.ascontiguousarray(certificate.w)
        g, share = transfer.value_above(w.ravel())
        b = problem.inward(w, certificate.b)
        if sharp:
            u = self.side.arguments(w, b)
        else:
            u = self.side.arguments_of(_predictions(problem, w, certificate.z))
        if problem.origin is not None:  # b is rounded once
            u = u._replace(error=u.error + 2.0 * UNIT * np.abs(b))
        if share:  # g is that of w but for this share
            moved = share * problem.design.lengths[0][0] * raised(np.linalg.norm(w), w.size)
            u = u._replace(error=u.error + moved.reshape(-1, *(1,) * (u.at.ndim - 1)))
        return self.side.losses(u), g

    def dual(self, sharp):
        """Upper bounds of the sum of k(-alpha_i) and of h."""
        transfer = self.problem.transfer
        alpha, v = feasible(self.certificate, sharp)
        if alpha is None:
            return np.inf, 0.0
        if self.problem.regularizer.is_norm:
            return self.side.conjugates(alpha), 0.0
        return self.side.conjugates(alpha), transfer.conjugate_above(v.at.ravel(), v.error.ravel())


class _Kernel(_Bounds):
    """With predictions f = K alpha / (lam n), K as stored and positive semidefinite."""

    @property
    def can_sharpen(self):
        return self.problem.kernel_matrix.given is not None

    def primal(self, sharp):
        certificate = self.certificate
        f = self._predictions(certificate.alpha, sharp)
        b = certificate.b
        z = f.at + b
        error = f.error + 2.0 * UNIT * (np.abs(z) + np.abs(f.at)) if np.any(b) else f.error
        losses = self.side.losses(self.side.arguments_of(Stored(z, error)))
        return losses, self._energy(certificate.alpha, f)

    def dual(self, sharp):
        alpha = exact_duals.exact(self.problem, self.certificate.alpha)
        if alpha is None:
            return np.inf, 0.0
        return self.side.conjugates(alpha), self._energy(alpha, self._predictions(alpha, sharp))

    def _predictions(self, alpha, sharp):
        problem = self.problem
        matrix, n = problem.kernel_matrix, problem.n_samples
        if sharp:
            given = np.ascontiguousarray(matrix.given).ravel()
            out, error = _exactly(*NO_INDICES, given, (n, 1, n), alpha, np.zeros(n))
        else:
            # Of a positive semidefinite matrix no entry is larger than its two diagonal ones make it.
            roots = np.sqrt(np.abs(matrix.diagonal))
            out = matrix.product(alpha)
            error = gamma(n) * roots * raised(float((roots * np.abs(alpha)).sum()), n) + n * LOST
        f = out / problem.lam_n
        return Stored(f, raised(error / problem.lam_n) + 4.0 * UNIT * np.abs(f))

    def _energy(self, alpha, f):
        """An upper bound of alpha.f / (2 lam n), which is g and h."""
        most = interval_loops.product_sum()(alpha, f.at)
        most += raised(float((np.abs(alpha) * f.error).sum()), alpha.size)
        return max(raised(most / (2.0 * self.problem.lam_n)), 0.0)


class _Univariate:
    """Sample i has f(z) = c_i p(s_i z + t_i)."""

    def __init__(self, problem):
        self.problem, self.loss = problem, problem.loss

    def arguments(self, w, b):
        """u_i of the stored weights and bias, with twice the bits."""
        problem = self.problem
        shift = problem.sign * problem.shift
        # x_i.w + t_i comes first: a large target and a large bias mostly cancel.
        start, lost = interval_loops.two_sum.py_func(shift, b)
        out, error = _lines(problem.design, w, start)
        if not np.any(b):
            return Stored(problem.sign * out, error)
        u = out + lost
        return Stored(problem.sign * u, error + 2.0 * UNIT * np.abs(u))

    def arguments_of(self, z):
        u = self.problem.argument(z.at)
        shifted = 2.0 * UNIT * np.abs(u) if self.problem.shift.any() else 0.0
        return Stored(u, z.error + shifted)

    def rounding_of_losses(self, u, mean):
        """What the sum of the losses may be off by, where their mean was computed as given or less."""
        loss, n = self.loss, self.problem.n_samples
        total = SAFE * UNIT * self._sum("value_rounding", u.at, self.problem.weight)
        if loss.lipschitz < np.inf:
            total += loss.lipschitz * float(u.error.sum())
        else:
            total += (1.0 + 1e-8) * self._sum("slope", u.at, u.error)
            total += loss.curvature * float((u.error * (u.error + 1e-8 * (1.0 + np.abs(u.at)))).sum())
        # A loss is nowhere below -p*(0).
        below = max(0.0, loss.scalar("conjugate")(0.0, loss.theta))
        return (1.0 + 1e-8) * total + 2.0 * gamma(n / CHUNK + CHUNK) * n * (abs(mean) + 2.0 * below)

    def rounding_of_conjugates(self, alpha):
        """What the sum of k(-alpha_i) may be off by, at weights of one."""
        problem, loss, n = self.problem, self.loss, self.problem.n_samples
        nu, conjugate = problem.nu(alpha), loss.scalar("conjugate")
        total = SAFE * UNIT * self._sum("conjugate_rounding", nu, problem.weight)
        ends = [float(loss.entry[end]) for end in ("lower", "upper")]
        known = [abs(conjugate(end, loss.theta)) for end in ends if abs(end) < np.inf]
        if len(known) == 2 and ends[0] <= 0.0 <= ends[1]:
            # Convex, and nowhere below -p(0).
            size = n * max(*known, abs(loss.scalar("value")(0.0, loss.theta)))
        else:
            size = self._sum("conjugate", nu, problem.weight)
        shifted = float(np.abs(problem.shift * alpha).sum()) if problem.shift.any() else 0.0
        return (1.0 + 1e-8) * total + 2.0 * gamma(n / CHUNK + CHUNK) * (size + shifted)

    def at_zero(self):
        """An upper bound of D(0)."""
        return raised(self.conjugates(np.zeros(self.problem.n_samples)) / self.problem.n_samples)

    def _sum(self, part, at, weight):
        function, kernel, theta = self.loss.scalar(part), interval_loops.weighted_sum(), self.loss.theta
        found = each_piece(at.shape[0], lambda *piece: kernel(function, theta, at, weight, *piece))
        return sum(found)

    def losses(self, u):
        problem, (lower, upper) = self.problem, self.loss.finite_on
        value, rounding = (self.loss.scalar(part) for part in ("value", "value_rounding"))
        if (u.at - u.error <= lower).any() or (u.at + u.error >= upper).any():
            return np.inf
        return interval_loops.convex_sum(value, rounding, self.loss.theta, u.at, u.error, problem.weight)

    def conjugates(self, alpha):
        problem, loss = self.problem, self.loss
        nu = problem.nu(alpha)
        error = np.where(problem.weight == 1.0, 0.0, 2.0 * UNIT * np.abs(nu))
        ends = float(loss.entry["lower"]), float(loss.entry["upper"])
        conjugate, rounding = (loss.scalar(part) for part in ("conjugate", "conjugate_rounding"))
        total = interval_loops.convex_sum(conjugate, rounding, loss.theta, nu, error, problem.weight, *ends)
        if problem.shift.any():
            # c (p*(nu) - t nu) = c p*(nu) + s t alpha, without rounding of s t.
            total += interval_loops.product_sum()(problem.sign * problem.shift, alpha)
        return total + 2.0 * UNIT * abs(total)


class _Classes:
    """ln sum_j e^(z_j) - z_y, and sum_j p_j ln p_j."""

    def __init__(self, problem):
        self.problem = problem
        self.rows = np.arange(problem.n_samples)

    def arguments(self, w, b):
        n, r = self.problem.n_samples, self.problem.columns[0]
        z, error = np.empty((2, n, r))
        starts = np.broadcast_to(b, (r,))
        for j in range(r):
            z[:, j], error[:, j] = _lines(self.problem.design, w[:, j], np.full(n, float(starts[j])))
        return Stored(z, error)

    @staticmethod
    def arguments_of(z):
        return z

    def losses(self, z):
        labels, weight = self.problem.labels, self.problem.weight
        own = self.rows, labels
        beyond = z.at - z.at[own][:, None]
        off = (z.error + z.error[own][:, None] + 2.0 * UNIT * np.abs(beyond)).max(axis=1)
        top = beyond.max(axis=1)
        values = top + np.log(np.exp(beyond - top[:, None]).sum(axis=1))
        values += off + 8.0 * UNIT * (z.at.shape[1] + 8.0) * (1.0 + np.abs(top))
        return interval_loops.product_sum()(raised(values), weight)

    def conjugates(self, alpha):
        labels, weight = self.problem.labels, self.problem.weight
        p = simplex.probabilities(alpha, labels, weight)
        error = 4.0 * UNIT * np.abs(p)
        error[self.rows, labels] = 4.0 * UNIT
        ends = np.clip(p - error, 0.0, 1.0), np.clip(p + error, 0.0, 1.0)
        parts = [np.where(end > 0.0, end * np.log(np.where(end > 0.0, end, 1.0)), 0.0) for end in ends]
        worst = np.maximum(*parts)
        worst = worst + 16.0 * UNIT * np.abs(worst)
        totals = worst.sum(axis=1)
        totals += (worst.shape[1] + 2.0) * UNIT * np.abs(worst).sum(axis=1) + LOST
        return interval_loops.product_sum()(totals, weight)


def _size(values):
    """Upper bounds of the lengths of columns."""
    return raised(np.sqrt(np.sum(values * values, axis=0)), values.shape[0] + 8.0) + SMALLEST


def _predictions(problem, w, z):
    """The predictions of a certificate; w is (D,) or (D, r)."""
    (_, off), _ = problem.design.lengths
    return Stored(z, np.multiply.outer(off, _size(w)) + 4.0 * UNIT * np.abs(z))


def _stored_v(problem, certificate, alpha, scale):
    """v of a feasible dual point near a multiple of that of the certificate, from its v."""
    _, (lengths, off) = problem.design.lengths
    error = np.multiply.outer(off, _size(alpha)) / problem.lam_n
    if alpha is not certificate.alpha:
        error += np.multiply.outer(lengths, _size(alpha - scale * certificate.alpha)) / problem.lam_n
    v = certificate._v.reshape(error.shape)
    v = v if scale == 1.0 else scale * v
    return Stored(v, raised(error) + 8.0 * UNIT * np.abs(v))


def _sharp_v(problem, alpha):
    """v of a dual point, with twice the bits."""
    n, size = problem.design.shape
    columns = [np.ascontiguousarray(column) for column in alpha.reshape(n, -1).T]
    found = [_lines(problem.design, column, np.zeros(size), by_columns=True) for column in columns]
    out, error = (np.stack(part, axis=1).reshape(size, *problem.columns) for part in zip(*found, strict=True))
    v = out / problem.lam_n
    return Stored(v, raised(error / problem.lam_n) + 8.0 * UNIT * np.abs(v))


def _lines(design, factors, start, by_columns=False):
    """start_i + x_i.factors of rows or columns x_i, and how far that may be off, with twice the bits."""
    if design.dense is None:
        arrays = design.column_arrays if by_columns else design.row_arrays
        return _exactly(*arrays, (0, 0, 0), factors, start)
    n, size = design.shape
    by_rows = design.dense.flags.c_contiguous
    down, along = (size, 1) if by_rows else (1, n)
    strides = (along, down, n) if by_columns else (down, along, size)
    values = design.dense.ravel(order="C" if by_rows else "F")
    return _exactly(*NO_INDICES, values, strides, factors, start)


def _exactly(offsets, indices, values, strides, factors, start):
    out, error = np.empty((2, start.shape[0]))
    vectors = np.ascontiguousarray(factors, dtype=float), np.ascontiguousarray(start, dtype=float)
    interval_loops.lines()(offsets, indices, np.ascontiguousarray(values), *strides, *vectors, out, error)
    return out, error
