"""Compiled loops over the generated scalars: Fenchel-Young terms, one a sample or a coordinate."""

import math

from numba import njit, types

from workbench.kernels import compilation
from workbench.kernels.compilation import FLOAT, PRIMAL, SCALAR_TYPE, VECTOR
from workbench.kernels.fenchel_young import ON_THE_SET, SMALLEST_PART

INLINE = {"error_model": "numpy", "nogil": True}
TABLE = types.Array(types.float64, 2, "C")
# A sum of sums of this many parts rounds less than one long sum.
CHUNK = 256


@njit(**INLINE)
def young(a, b, product):
    """Return a + b - product without its rounding below zero, and the amount of that rounding.

    In units in the last place of the largest part; a part that is not finite makes the term infinite.
    """
    raw = a - product + b
    # A finite sum has finite parts.
    if 0.0 <= raw < math.inf:
        return raw, 0.0
    if not (abs(a) < math.inf and abs(b) < math.inf and abs(product) < math.inf):
        return math.inf, 0.0
    if raw > 0.0:
        return raw, 0.0
    largest = max(max(abs(a), abs(b)), max(abs(product), SMALLEST_PART))
    _, exponent = math.frexp(largest)
    return 0.0, -raw / math.ldexp(1.0, exponent - 53)


@njit(**INLINE)
def beyond(a, b, product, budget):
    """Return how far a + b - product lies below zero, in units of the possible rounding of its parts.

    `budget` is the rounding of a and b over the unit roundoff, as their formulas pass it on; the product and
    the two additions round as well.
    """
    raw = a - product + b
    if not raw < 0.0 or not abs(raw) < math.inf:
        return 0.0
    parts = abs(a) + abs(b) + abs(product)
    # A budget that overflowed says nothing.
    budget = budget if 0.0 <= budget < math.inf else 0.0
    return -raw / (2.0**-53 * max(budget + 3.0 * parts, SMALLEST_PART))


@njit(**INLINE)
def _separable_chunk(primal, inner, w, v, weights, theta, lo, hi):
    total = value = worst = 0.0
    for j in range(lo, hi):
        g = primal(w[j], weights[j], theta)
        term, units = young(g, weights[j] * inner(v[j], theta), w[j] * v[j])
        total += term
        value += g
        worst = max(worst, units)
    return total, value, worst


def _separable_sum(primal, inner, w, v, weights, theta):
    total = value = worst = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        hi = min(lo + CHUNK, w.shape[0])
        part, g, units = _separable_chunk(primal, inner, w, v, weights, theta, lo, hi)
        total += part
        value += g
        worst = max(worst, units)
    return total, value, worst


def _simplex_sum(w, star, v, weights, total, h):
    """Return the sums of w ln(w / w*) - w + w*, and of w ln(w / (c A)); infinite off the simplex."""
    gap = value = worst = weight = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        part = g = 0.0
        for j in range(lo, min(lo + CHUNK, w.shape[0])):
            x, divergence = w[j], 0.0
            if x < 0.0:
                return math.inf, math.inf, 0.0
            weight += x
            if x > 0.0:
                log_share = math.log(x / (weights[j] * total))
                g += x * log_share
                ratio = x / star[j]
                # Where w* underflows, its logarithm is still known: ln(c A) + v - h / A. A ratio that
                # underflows belongs to a w below every other rounding.
                if not ratio < math.inf:
                    divergence = x * (log_share - v[j] + h / total)
                elif ratio > 0.0:
                    divergence = x * math.log(ratio)
            term, units = young(divergence, -x, -star[j])
            part += term
            worst = max(worst, units)
        gap += part
        value += g
    if abs(weight - total) > ON_THE_SET * total:
        return math.inf, math.inf, 0.0
    return gap, value, worst


@njit(**INLINE)
def _powers(a, b, p, q):
    """Young's |a|^p / p + |b|^q / q - a b, where 1/p + 1/q = 1, and the units of `young`.

    Near equality, a = b^(q-1), a power rounds by ln|b| units and would bring the sum below zero; with
    L = ln(a / b^(q-1)) the sum is b^q [ (e^(pL) - 1) / p - (e^L - 1) ], which does not cancel.
    """
    if a * b > 0.0:
        log_b = math.log(abs(b))
        ratio = math.log(abs(a)) - (q - 1.0) * log_b
        if p * abs(ratio) <= 0.5:
            power = math.exp(q * log_b)
            return young(power * math.expm1(p * ratio) / p, 0.0, power * math.expm1(ratio))
    return young(abs(a) ** p / p, abs(b) ** q / q, a * b)


@njit(**INLINE)
def _plus_hoelder(total, value, worst, w, v, norms, p):
    """Add |w|_p |v|_q - w.v: Young's inequality coordinate by coordinate, at norms of one."""
    norm, dual_norm = norms
    if norm * dual_norm == 0.0 or not total < math.inf:
        return total, value, worst
    q = p / (p - 1.0)
    gap = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        part = 0.0
        for j in range(lo, min(lo + CHUNK, w.shape[0])):
            a, b = w[j] / norm, v[j] / dual_norm
            if a == 0.0 and b == 0.0:
                continue
            term, units = _powers(a, b, p, q)
            part += term
            worst = max(worst, units)
        gap += part
    return total + norm * dual_norm * gap, value, worst


def _norm_of(x, p):
    """|x|_p, with the largest entry taken out before the powers."""
    largest = total = 0.0
    for entry in x:
        if entry != entry:
            return math.nan
        largest = max(largest, abs(entry))
    if largest == 0.0 or not largest < math.inf:
        return largest
    for lo in range(0, x.shape[0], CHUNK):
        part = 0.0
        for j in range(lo, min(lo + CHUNK, x.shape[0])):
            part += (abs(x[j]) / largest) ** p
        total += part
    return largest * total ** (1.0 / p)


_inlined_norm_of = njit(**INLINE)(_norm_of)


def _norm_sum(w, v, q, power):
    """Return the sums of g(w) = |w|_q^power / power: Young's inequality between norms, and Hoelder's."""
    norms = _inlined_norm_of(w, q), _inlined_norm_of(v, q / (q - 1.0))
    total, worst = _powers(norms[0], norms[1], power, power / (power - 1.0))
    return _plus_hoelder(total, norms[0] ** power / power, worst, w, v, norms, q)


def _ball_sum(w, v, p, ball):
    """Return the sums of g(w) = |w|_p^2 / (2 (p - 1)) on a ball, without cancellation; infinite outside."""
    norm, dual_norm = norms = _inlined_norm_of(w, p), _inlined_norm_of(v, p / (p - 1.0))
    if norm > ball * (1.0 + ON_THE_SET):
        return math.inf, math.inf, 0.0
    if (p - 1.0) * dual_norm <= ball:
        total = (norm - (p - 1.0) * dual_norm) ** 2 / (2.0 * (p - 1.0))
    else:
        total = max(ball - norm, 0.0) * (dual_norm - (norm + ball) / (2.0 * (p - 1.0)))
    return _plus_hoelder(total, norm**2 / (2.0 * (p - 1.0)), 0.0, w, v, norms, p)


def _samples_beyond(value, conjugate, of_value, of_conjugate, u, nu, theta):
    worst = 0.0
    for i in range(u.shape[0]):
        budget = of_value(u[i], theta) + of_conjugate(nu[i], theta)
        a, b = value(u[i], theta), conjugate(nu[i], theta)
        worst = max(worst, beyond(a, b, u[i] * nu[i], budget))
    return worst


def _separable_beyond(primal, inner, of_primal, of_inner, w, v, weights, theta):
    worst = 0.0
    for j in range(w.shape[0]):
        c = weights[j]
        budget = of_primal(w[j], c, theta) + c * of_inner(v[j], theta)
        worst = max(worst, beyond(primal(w[j], c, theta), c * inner(v[j], theta), w[j] * v[j], budget))
    return worst


THREE = types.UniTuple(FLOAT, 3)
# The sum of g(w) + h(v) - w.v as terms that are never negative, that of g(w), and the worst rounding.
separable_sum = compilation.lazy_jit(
    _separable_sum, THREE(types.FunctionType(PRIMAL), SCALAR_TYPE, VECTOR, VECTOR, VECTOR, VECTOR)
)
simplex_sum = compilation.lazy_jit(_simplex_sum, THREE(VECTOR, VECTOR, VECTOR, VECTOR, FLOAT, FLOAT))
norm_sum = compilation.lazy_jit(_norm_sum, THREE(VECTOR, VECTOR, FLOAT, FLOAT))
ball_sum = compilation.lazy_jit(_ball_sum, THREE(VECTOR, VECTOR, FLOAT, FLOAT))
norm_of = compilation.lazy_jit(_norm_of, FLOAT(VECTOR, FLOAT))
# The worst `beyond` of the samples, from p, p* and the rounding of both.
samples_beyond = compilation.lazy_jit(
    _samples_beyond, FLOAT(SCALAR_TYPE, SCALAR_TYPE, SCALAR_TYPE, SCALAR_TYPE, VECTOR, VECTOR, VECTOR)
)
# The worst `beyond` of the coordinates.
separable_beyond = compilation.lazy_jit(
    _separable_beyond,
    FLOAT(
        types.FunctionType(PRIMAL),
        SCALAR_TYPE,
        types.FunctionType(PRIMAL),
        SCALAR_TYPE,
        VECTOR,
        VECTOR,
        VECTOR,
        VECTOR,
    ),
)
