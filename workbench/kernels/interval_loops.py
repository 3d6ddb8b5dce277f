"""Compiled loops that bound sums and scalar products of the floats as stored, rounding included.

Sums keep their rounding errors in a second number (Ogita, Rump and Oishi 2005, Dot2), so that only those of
the second sum are left. Of a convex function the larger value at the two ends of an interval bounds all
between; what the formula of a value may be off by is what `codegen.rounding` printed beside it.
"""

import math

from numba import njit, types

from workbench.kernels import compilation
from workbench.kernels.compilation import (
    FLOAT,
    INDICES,
    INTEGER,
    OFFSETS,
    PRIMAL,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
)
from workbench.kernels.sample_loops import each_piece

INLINE = {"error_model": "numpy", "nogil": True}
UNIT = 2.0**-53
# The printed bounds are of first order, in units of the unit roundoff, and count a function of libm as 4 of
# them: four times as much holds for 4 units in the last place, and for what is of second order.
SAFE = 4.0
# What an operation may lose where its result leaves the normal floats; far above that, so that its products
# with other bounds stay among them, where processors are quick.
LOST = 1e-140
# A length whose square leaves the normal floats.
SMALLEST = 1e-140
# Veltkamp's splitting factor, 2^27 + 1.
SPLIT = 134217729.0


def raised(value, units=4.0):
    """A little more than a result of so many roundings."""
    return value + units * UNIT * abs(value) + LOST


def gamma(count):
    """What a sum of so many products may round by, as a share of the sum of their magnitudes."""
    share = (count + 8.0) * UNIT
    return share / (1.0 - share)


@njit(**INLINE)
def two_sum(a, b):
    """a + b and what it rounds by, exactly. Knuth."""
    s = a + b
    other = s - a
    return s, (a - (s - other)) + (b - other)


@njit(**INLINE)
def two_product(a, b):
    """a b and what it rounds by, exactly but for underflow; nan where a part overflows. Dekker."""
    product = a * b
    big, wide = SPLIT * a, SPLIT * b
    head, lead = big - (big - a), wide - (wide - b)
    tail, trail = a - head, b - lead
    return product, ((head * lead - product) + head * trail + tail * lead) + tail * trail


@njit(**INLINE)
def above(total, rest, size, count):
    """An upper bound of a sum of so many numbers whose magnitudes add up to `size`, from its two parts."""
    second = count * 2.0 * UNIT
    bound = total + rest
    bound += 2.0 * UNIT * abs(bound) + 2.0 * second * second * size + count * LOST
    return math.inf if math.isnan(bound) else bound


def _lines(offsets, indices, values, stride, apart, length, factors, start, out, error):
    """start_i + sum_k x_ik factors_k of each row or column of a matrix, and how far that may be off.

    A compressed matrix has offsets and indices; of a dense one line i has values[i stride + k apart].
    """
    dense = indices.shape[0] == 0 and offsets.shape[0] == 0
    for i in range(out.shape[0]):
        lo, hi = (0, length) if dense else (int(offsets[i]), int(offsets[i + 1]))
        total, rest, size = start[i], 0.0, abs(start[i])
        for k in range(lo, hi):
            x = values[i * stride + k * apart] if dense else values[k]
            product, lost = two_product(x, factors[k] if dense else factors[indices[k]])
            total, carried = two_sum(total, product)
            rest += lost + carried
            size += abs(product)
        out[i] = total + rest
        second = (hi - lo + 2) * 2.0 * UNIT
        bound = 2.0 * UNIT * abs(out[i]) + 2.0 * second * second * size + (hi - lo + 2) * LOST
        error[i] = math.inf if math.isnan(bound) else bound


@njit(**INLINE)
def _value_above(function, rounding, x, theta):
    value = function(x, theta)
    bound = value + SAFE * UNIT * (rounding(x, theta) + abs(value)) + LOST
    return math.inf if math.isnan(bound) else bound


def _convex_sum(function, rounding, theta, at, error, weight, lower, upper, begin, end):
    """An upper bound of sum_i weight_i f(x_i), f convex, x_i within error_i of at_i and between the ends."""
    total = rest = size = 0.0
    for i in range(begin, end):
        x, e = at[i], error[i]
        if e > 0.0:
            e += 4.0 * UNIT * (abs(x) + e)
        first = _value_above(function, rounding, min(max(x - e, lower), upper), theta)
        last = _value_above(function, rounding, min(max(x + e, lower), upper), theta) if e > 0.0 else first
        part = weight[i] * max(first, last)
        total, carried = two_sum(total, part)
        # The product rounds as well.
        rest += carried + UNIT * abs(part)
        size += abs(part)
        if not abs(part) < math.inf:
            return math.inf
    return above(total, rest, size, end - begin + 1)


def convex_sum(function, rounding, theta, at, error, weight, lower=-math.inf, upper=math.inf):
    """An upper bound of sum_i weight_i f(x_i), f convex, x_i within error_i of at_i and between the ends."""
    arguments = function, rounding, theta, at, error, weight, float(lower), float(upper)
    parts = each_piece(at.shape[0], lambda *piece: _compiled_sum()(*arguments, *piece))
    return parts[0] if len(parts) == 1 else sum(raised(part, 16.0) for part in parts)


def _weighted_sum(function, theta, at, weight, first, last):
    """sum_i weight_i |f(x_i)|."""
    total = 0.0
    for i in range(first, last):
        total += weight[i] * abs(function(at[i], theta))
    return total


def _primal_sum(primal, rounding, w, weights, theta):
    """An upper bound of sum_j psi(w_j) at weights as they are stored."""
    total = rest = size = 0.0
    for j in range(w.shape[0]):
        value = primal(w[j], weights[j], theta)
        part = value + SAFE * UNIT * (rounding(w[j], weights[j], theta) + abs(value)) + LOST
        if not abs(part) < math.inf:
            return math.inf
        total, carried = two_sum(total, part)
        rest += carried
        size += abs(part)
    return above(total, rest, size, w.shape[0] + 1)


def _product_sum(x, y):
    """An upper bound of x.y."""
    total = rest = size = 0.0
    for i in range(x.shape[0]):
        product, lost = two_product(x[i], y[i])
        total, carried = two_sum(total, product)
        rest += lost + carried
        size += abs(product)
    return above(total, rest, size, x.shape[0] + 1)


lines = compilation.late(
    _lines, types.void(OFFSETS, INDICES, VECTOR, *(INTEGER,) * 3, VECTOR, VECTOR, WRITABLE, WRITABLE)
)
_compiled_sum = compilation.late(
    _convex_sum, FLOAT(SCALAR_TYPE, SCALAR_TYPE, *(VECTOR,) * 4, FLOAT, FLOAT, INTEGER, INTEGER)
)
weighted_sum = compilation.late(_weighted_sum, FLOAT(SCALAR_TYPE, VECTOR, VECTOR, VECTOR, INTEGER, INTEGER))
primal_sum = compilation.late(
    _primal_sum, FLOAT(types.FunctionType(PRIMAL), types.FunctionType(PRIMAL), VECTOR, VECTOR, VECTOR)
)
product_sum = compilation.late(_product_sum, FLOAT(VECTOR, VECTOR))
