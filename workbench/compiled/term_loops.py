"""Compiled loops over the generated scalars: Fenchel-Young terms, one a sample or a coordinate."""

import math

from numba import njit, types

from workbench.compiled import compilation
from workbench.compiled.compilation import FLOAT, PRIMAL, SCALAR_TYPE, VECTOR
from workbench.compiled.fenchel_young import SMALLEST_PART

INLINE = {"error_model": "numpy", "nogil": True}
TABLE = types.Array(types.float64, 2, "C")
# A sum of sums of so many parts rounds less than one long sum.
CHUNK = 256


@njit(**INLINE)
def young(a, b, product):
    """a + b - product, 0 or more in exact arithmetic, with rounding removed, and how much of it there was.

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
    """How far a + b - product lies below zero, in units of what the rounding of its parts may make of it.

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
    """Of w ln(w / w*) - w + w*, and of g(w) = w ln(w / (c A))."""
    gap = value = worst = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        part = g = 0.0
        for j in range(lo, min(lo + CHUNK, w.shape[0])):
            x, divergence = w[j], 0.0
            if x < 0.0:
                return math.inf, math.inf, 0.0
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
    return gap, value, worst


def _hoelder_sum(w, v, norm, dual_norm, p):
    """Of Young's |a|^p / p + |b|^q / q - a b over a = w / norm, b = v / dual_norm; see `young_parts`."""
    q = p / (p - 1.0)
    gap = worst = 0.0
    for lo in range(0, w.shape[0], CHUNK):
        part = 0.0
        for j in range(lo, min(lo + CHUNK, w.shape[0])):
            a, b = w[j] / norm, v[j] / dual_norm
            if a == 0.0 and b == 0.0:
                continue
            if a * b > 0.0:
                log_b = math.log(abs(b))
                ratio = math.log(abs(a)) - (q - 1.0) * log_b
                if p * abs(ratio) <= 0.5:
                    power = math.exp(q * log_b)
                    term, units = young(power * math.expm1(p * ratio) / p, 0.0, power * math.expm1(ratio))
                    part += term
                    worst = max(worst, units)
                    continue
            term, units = young(abs(a) ** p / p, abs(b) ** q / q, a * b)
            part += term
            worst = max(worst, units)
        gap += part
    return gap, worst


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


# The sums of psi(w_j) + c_j phi(v_j) - w_j v_j and of psi(w_j), and the worst rounding.
separable_sum = compilation.late(
    _separable_sum,
    types.UniTuple(FLOAT, 3)(
        types.FunctionType(PRIMAL),
        SCALAR_TYPE,
        VECTOR,
        VECTOR,
        VECTOR,
        VECTOR,
    ),
)
simplex_sum = compilation.late(
    _simplex_sum, types.UniTuple(FLOAT, 3)(VECTOR, VECTOR, VECTOR, VECTOR, FLOAT, FLOAT)
)
hoelder_sum = compilation.late(_hoelder_sum, types.UniTuple(FLOAT, 2)(VECTOR, VECTOR, FLOAT, FLOAT, FLOAT))
# The worst `beyond` of the samples, from p, p* and the rounding of both.
samples_beyond = compilation.late(
    _samples_beyond, FLOAT(SCALAR_TYPE, SCALAR_TYPE, SCALAR_TYPE, SCALAR_TYPE, VECTOR, VECTOR, VECTOR)
)
# The worst `beyond` of the coordinates.
separable_beyond = compilation.late(
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
