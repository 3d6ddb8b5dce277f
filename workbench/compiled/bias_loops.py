"""Compiled loops of `certificates.bias`: Newton steps for the bias, a quadratic knapsack in linear time."""

import functools
import math

import numpy as np
from numba import njit, types

from workbench.compiled import compilation
from workbench.compiled.compilation import FLOAT, SCALAR, VECTOR, WRITABLE

INLINE = {"error_model": "numpy", "nogil": True}
# The slope counts as zero below this share of the sum of the magnitudes it is made of.
FLAT = 2.0**-51
LIMIT = 300


@njit(**INLINE)
def _slope_sum(slope, b, z, sign, shift, weight, theta):
    """sum c s p'(s (z + b) + t) and the sum of the magnitudes."""
    total, size = 0.0, 0.0
    for i in range(z.shape[0]):
        part = weight[i] * sign[i] * slope(sign[i] * (z[i] + b) + shift[i], theta)
        total += part
        size += abs(part)
    return total, size


def _newton(slope, start, z, sign, shift, weight, theta):
    """The zero of the slope over b: Newton's method between two ends of different sign, else their middle."""
    b, width = start, 1.0
    value, size = _slope_sum(slope, b, z, sign, shift, weight, theta)
    if abs(value) <= FLAT * size:
        return b
    low, high = -math.inf, math.inf
    last = math.inf
    for _ in range(LIMIT):
        if value > 0.0:
            high = b
        else:
            low = b
        step = 1e-6 * (1.0 + abs(b))
        ahead, _ = _slope_sum(slope, b + step, z, sign, shift, weight, theta)
        behind, _ = _slope_sum(slope, b - step, z, sign, shift, weight, theta)
        curvature = (ahead - behind) / (2.0 * step)
        target = b - value / curvature if curvature > 0.0 else math.nan
        if not (low < target < high) or (abs(value) > 0.5 * last and low > -math.inf and high < math.inf):
            if low == -math.inf:
                target, width = high - width, 2.0 * width
            elif high == math.inf:
                target, width = low + width, 2.0 * width
            else:
                target = 0.5 * (low + high)
        elif abs(target - b) > width and (low == -math.inf or high == math.inf):
            target, width = b + math.copysign(width, target - b), 2.0 * width
        if target in (b, low, high):
            break
        last, b = abs(value), target
        value, size = _slope_sum(slope, b, z, sign, shift, weight, theta)
        if abs(value) <= FLAT * size:
            break
    return b


@njit(**INLINE)
def _breakpoints(x, lower, upper, active, low, high):
    """Where the sum of the clipped x_i - t bends between two values of t."""
    points = np.empty(2 * active.shape[0])
    m = 0
    for i in active:
        for point in (x[i] - upper[i], x[i] - lower[i]):
            if low < point < high:
                points[m] = point
                m += 1
    return points[:m]


@njit(**INLINE)
def _sort_out(x, lower, upper, active, low, high, fixed, free, count):
    """Between low and high: add samples at an end to `fixed`, those that move to `free`; keep the others."""
    kept = 0
    for i in active:
        first, last = x[i] - upper[i], x[i] - lower[i]
        if last <= low:
            fixed += lower[i]
        elif first >= high:
            fixed += upper[i]
        elif first <= low and last >= high:
            free += x[i]
            count += 1
        else:
            active[kept] = i
            kept += 1
    return active[:kept], fixed, free, count


def _knapsack(x, lower, upper, out):
    """The nearest point of a box with sum zero: x_i - t clipped, where t makes the sum vanish.

    The sum falls piecewise linearly in t, with two breakpoints a sample. Each round looks at the median of
    the breakpoints left and drops half of them, so the rounds cost n + n / 2 + n / 4 + ...
    """
    active = np.arange(x.shape[0])
    low, high = -math.inf, math.inf
    fixed, free, count = 0.0, 0.0, 0
    while True:
        active, fixed, free, count = _sort_out(x, lower, upper, active, low, high, fixed, free, count)
        points = _breakpoints(x, lower, upper, active, low, high)
        if points.shape[0] == 0:
            break
        pivot = np.median(points)
        total = fixed + free - count * pivot
        for i in active:
            total += min(max(x[i] - pivot, lower[i]), upper[i])
        # Where the sum vanishes at the pivot, the ends meet there and no sample is left between them.
        low = pivot if total >= 0.0 else low
        high = pivot if total <= 0.0 else high
        if low == high or not abs(total) < math.inf:
            break
    if low == high or count == 0:
        t = low if low > -math.inf else high
    else:
        t = min(max((fixed + free) / count, low), high)
    for i in range(x.shape[0]):
        out[i] = min(max(x[i] - t, lower[i]), upper[i])
    return t


NEWTON = FLOAT(types.FunctionType(SCALAR), FLOAT, *[VECTOR] * 5)


@functools.cache
def newton():
    """The bias at which the slope of the primal vanishes."""
    return compilation.jit(_newton, NEWTON)


@functools.cache
def knapsack():
    """The projection onto a box and the plane of sum zero; returns the shift t."""
    return compilation.jit(_knapsack, FLOAT(VECTOR, VECTOR, VECTOR, WRITABLE))
