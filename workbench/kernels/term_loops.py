"""Compiled loops over the generated scalars: Fenchel-Young terms, one a sample or a coordinate."""

import math

from workbench.kernels.compilation import FLOAT, PRIMAL_TYPE, SCALAR_TYPE, VECTOR, inline, lazy_jit
from workbench.kernels.fenchel_young import ON_THE_SET, SMALLEST_PART

# A sum of sums of this many parts rounds less than one long sum.
CHUNK = 256


@inline
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


@inline
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


@inline
def _separable_chunk(primal, inner, w, v, weights, theta, lo, hi):
    total = value = worst = 0.0
    for j in range(lo, hi):
        g = primal(w[j], weights[j], theta)
        term, units = young(g, weights[j] * inner(v[j], theta), w[j] * v[j])
        total += term
        value += g
        worst = max(worst, units)
    return total, value, worst


def _separable_sum(
    primal: PRIMAL_TYPE, inner: SCALAR_TYPE, w: VECTOR, v: VECTOR, weights: VECTOR, theta: VECTOR
) -> tuple[FLOAT, FLOAT, FLOAT]:
    total = value = worst = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        hi = min(lo + CHUNK, w.shape[0])
        part, g, units = _separable_chunk(primal, inner, w, v, weights, theta, lo, hi)
        total += part
        value += g
        worst = max(worst, units)
    return total, value, worst


def _simplex_sum(
    w: VECTOR, star: VECTOR, v: VECTOR, weights: VECTOR, total: FLOAT, h: FLOAT
) -> tuple[FLOAT, FLOAT, FLOAT]:
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


@inline
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


@inline
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


def _norm_of(x: VECTOR, p: FLOAT) -> FLOAT:
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


_inlined_norm_of = inline(_norm_of)


def _norm_sum(w: VECTOR, v: VECTOR, q: FLOAT, power: FLOAT) -> tuple[FLOAT, FLOAT, FLOAT]:
    """Return the sums of g(w) = |w|_q^power / power: Young's inequality between norms, and Hoelder's."""
    norms = _inlined_norm_of(w, q), _inlined_norm_of(v, q / (q - 1.0))
    total, worst = _powers(norms[0], norms[1], power, power / (power - 1.0))
    return _plus_hoelder(total, norms[0] ** power / power, worst, w, v, norms, q)


def _ball_sum(w: VECTOR, v: VECTOR, p: FLOAT, ball: FLOAT) -> tuple[FLOAT, FLOAT, FLOAT]:
    """Return the sums of g(w) = |w|_p^2 / (2 (p - 1)) on a ball, without cancellation; infinite outside."""
    norm, dual_norm = norms = _inlined_norm_of(w, p), _inlined_norm_of(v, p / (p - 1.0))
    if norm > ball * (1.0 + ON_THE_SET):
        return math.inf, math.inf, 0.0
    if (p - 1.0) * dual_norm <= ball:
        apart = norm - (p - 1.0) * dual_norm
        total = apart * apart / (2.0 * (p - 1.0))
    else:
        total = max(ball - norm, 0.0) * (dual_norm - (norm + ball) / (2.0 * (p - 1.0)))
    return _plus_hoelder(total, norm * norm / (2.0 * (p - 1.0)), 0.0, w, v, norms, p)


def _samples_beyond(
    value: SCALAR_TYPE,
    conjugate: SCALAR_TYPE,
    of_value: SCALAR_TYPE,
    of_conjugate: SCALAR_TYPE,
    u: VECTOR,
    nu: VECTOR,
    theta: VECTOR,
) -> FLOAT:
    worst = 0.0
    for i in range(u.shape[0]):
        budget = of_value(u[i], theta) + of_conjugate(nu[i], theta)
        a, b = value(u[i], theta), conjugate(nu[i], theta)
        worst = max(worst, beyond(a, b, u[i] * nu[i], budget))
    return worst


def _separable_beyond(
    primal: PRIMAL_TYPE,
    inner: SCALAR_TYPE,
    of_primal: PRIMAL_TYPE,
    of_inner: SCALAR_TYPE,
    w: VECTOR,
    v: VECTOR,
    weights: VECTOR,
    theta: VECTOR,
) -> FLOAT:
    worst = 0.0
    for j in range(w.shape[0]):
        c = weights[j]
        budget = of_primal(w[j], c, theta) + c * of_inner(v[j], theta)
        worst = max(worst, beyond(primal(w[j], c, theta), c * inner(v[j], theta), w[j] * v[j], budget))
    return worst


# The sum of g(w) + h(v) - w.v as terms that are never negative, that of g(w), and the worst rounding.
separable_sum = lazy_jit(_separable_sum)
simplex_sum = lazy_jit(_simplex_sum)
norm_sum = lazy_jit(_norm_sum)
ball_sum = lazy_jit(_ball_sum)
norm_of = lazy_jit(_norm_of)
# The worst `beyond` of the samples, from p, p* and the rounding of both.
samples_beyond = lazy_jit(_samples_beyond)
# The worst `beyond` of the coordinates.
separable_beyond = lazy_jit(_separable_beyond)
