"""Compiled loops of `certificates.bias`: Newton steps, a weighted median, a knapsack in linear time."""

import math
from collections.abc import Callable

from workbench.kernels.arrays import Samples
from workbench.kernels.compilation import (
    FLAGS,
    FLOAT,
    INTEGERS,
    SCALAR_TYPE,
    VECTOR,
    WRITABLE,
    inline,
    lazy_jit,
)
from workbench.kernels.fenchel_young import BALANCED
from workbench.kernels.sample_loops import alpha_of

# The slope counts as zero below this share of the sum of the magnitudes of its n terms, times sqrt(n): as far
# as the sum is rounded. Below that, bisection would take fifty passes over the samples to no end.
FLAT = 2.0**-51
LIMIT = 300
# Nearer than this, as a share, rounding in the predictions decides which way Newton's method goes.
NEAR = 2.0**-50


@inline
def _slope_sum(slope, b, z, sign, shift, weight, theta):
    """Return sum c s p'(s (z + b) + t) and the sum of the magnitudes."""
    total, size = 0.0, 0.0
    for i in range(z.shape[0]):
        part = weight[i] * sign[i] * slope(sign[i] * (z[i] + b) + shift[i], theta)
        total += part
        size += abs(part)
    return total, size


def _newton(
    slope: SCALAR_TYPE, start: FLOAT, z: VECTOR, sign: VECTOR, shift: VECTOR, weight: VECTOR, theta: VECTOR
) -> FLOAT:
    """Find the zero of the slope over b by Newton's method, safeguarded by bisection of a bracket."""
    b, width, flat = start, 1.0, FLAT * math.sqrt(z.shape[0])
    value, size = _slope_sum(slope, b, z, sign, shift, weight, theta)
    if abs(value) <= flat * size:
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
        curvature = (ahead - value) / step
        target = b - value / curvature if curvature > 0.0 else math.nan
        if abs(target - b) <= NEAR * (1.0 + abs(b)):
            break
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
        if abs(value) <= flat * size:
            break
    return b


@inline
def _middle_of_three(x, lo, hi):
    """Return the median of the first, the central and the last of x[lo:hi]."""
    a, b, c = x[lo], x[(lo + hi) // 2], x[hi - 1]
    return max(min(a, b), min(max(a, b), c))


@inline
def _parted(x, y, lo, hi, pivot):
    """Order x[lo:hi], and y with it, as less than the pivot, equal, greater: where the last two begin."""
    less, k, greater = lo, lo, hi
    while k < greater:
        if x[k] < pivot:
            x[k], x[less] = x[less], x[k]
            y[k], y[less] = y[less], y[k]
            less += 1
            k += 1
        elif x[k] > pivot:
            greater -= 1
            x[k], x[greater] = x[greater], x[k]
            y[k], y[greater] = y[greater], y[k]
        else:
            k += 1
    return less, greater


@inline
def _crossing(points, jumps, pull, tolerance):
    """Return where a slope of -pull that jumps up by `jumps` at `points` crosses zero, or a middle.

    Both arrays (m,) lose their order. Each round keeps the side of a pivot on which the slope crosses.
    """
    lo, hi, slope = 0, points.shape[0], -pull
    above, value = math.inf, points[0]
    while lo < hi:
        pivot = _middle_of_three(points, lo, hi)
        less, greater = _parted(points, jumps, lo, hi, pivot)
        before = slope
        for k in range(lo, less):
            before += jumps[k]
        if less > lo and before >= -tolerance:
            hi, above = less, pivot
            continue
        slope, value = before, pivot
        for k in range(less, greater):
            slope += jumps[k]
        if slope >= -tolerance:
            for k in range(greater, hi):
                above = min(above, points[k])
            break
        lo = greater
    return 0.5 * (value + above) if abs(slope) <= tolerance and above < math.inf else value


def _straight(
    samples: Samples, places: VECTOR, low: VECTOR, high: VECTOR, z: VECTOR, points: WRITABLE, jumps: WRITABLE
) -> FLOAT:
    """Find the best bias of a piecewise linear loss: the breakpoint over b at which the primal is lowest.

    The loss has kinks at `places`, with the slopes `low` before and `high` after; `points` and `jumps`, one a
    kink and sample, are space to work in.
    """
    sign, shift, weight, _, lower, upper = samples
    n = z.shape[0]
    # The slope of the primal for b at minus infinity, and the sum of its jumps.
    start = total = 0.0
    for i in range(n):
        start += weight[i] * sign[i] * (lower if sign[i] > 0.0 else upper)
    for k in range(places.shape[0]):
        for i in range(n):
            # u = s (z + b) + t with s = +-1, so b = s (kink - t) - z.
            points[k * n + i] = sign[i] * (places[k] - shift[i]) - z[i]
            jumps[k * n + i] = (high[k] - low[k]) * weight[i]
            total += jumps[k * n + i]
    return _crossing(points, jumps, -start, BALANCED * total)


@inline
def _sides(s, t, z, b, places, low, high, lower, upper):
    """Return the slopes of p left and right of b; breakpoints decide the side, not rounded margins."""
    left = right = lower if s > 0.0 else upper
    for k in range(places.shape[0]):
        point, jump = s * (places[k] - t) - z, s * (high[k] - low[k])
        left += jump if point < b else 0.0
        right += jump if point <= b else 0.0
    return left, right


def _subgradients(
    samples: Samples, places: VECTOR, low: VECTOR, high: VECTOR, z: VECTOR, b: FLOAT, alpha: WRITABLE
) -> None:
    """Fill in the dual point of map (10) at the best b: one share of the way at all kinks gives sum zero."""
    sign, shift, weight, _, lower, upper = samples
    first = last = 0.0
    for i in range(z.shape[0]):
        left, right = _sides(sign[i], shift[i], z[i], b, places, low, high, lower, upper)
        first += weight[i] * sign[i] * left
        last += weight[i] * sign[i] * right
    share = min(max(first / (first - last), 0.0), 1.0) if first != last else 0.0
    for i in range(z.shape[0]):
        left, right = _sides(sign[i], shift[i], z[i], b, places, low, high, lower, upper)
        nu = min(max(left + share * (right - left), lower), upper)
        alpha[i] = alpha_of(nu, sign[i], weight[i], lower, upper)


@inline
def _sort_out(x, lower, upper, active, size, low, high, fixed, free, count):
    """Between low and high: add samples at an end to `fixed`, those that move to `free`; keep the others."""
    n_active = 0
    for k in range(size):
        i = active[k]
        first, last = x[i] - upper[i], x[i] - lower[i]
        if last <= low:
            fixed += lower[i]
        elif first >= high:
            fixed += upper[i]
        elif first <= low and last >= high:
            free += x[i]
            count += 1
        else:
            active[n_active] = i
            n_active += 1
    return n_active, fixed, free, count


@inline
def _median(points, spare, size):
    """Return the median of points[:size], which are reordered."""
    lo, hi, at = 0, size, size // 2
    while True:
        less, greater = _parted(points, spare, lo, hi, _middle_of_three(points, lo, hi))
        if at < less:
            hi = less
        elif at >= greater:
            lo = greater
        else:
            return points[at]


def _knapsack(
    x: VECTOR,
    lower: VECTOR,
    upper: VECTOR,
    active: INTEGERS,
    points: WRITABLE,
    spare: FLAGS,
    out: WRITABLE,
) -> FLOAT:
    """Project x onto the box with sum zero: x_i - t clipped, with the t that makes the sum vanish.

    The sum falls piecewise linearly in t, with two breakpoints a sample. Each round looks at the median of
    the breakpoints left and drops half of them, so the rounds cost n + n / 2 + n / 4 + ... `active` (n,),
    `points` and `spare` (2 n,) are space to work in.
    """
    size = x.shape[0]
    for i in range(size):
        active[i] = i
    low, high = -math.inf, math.inf
    fixed, free, count = 0.0, 0.0, 0
    while True:
        size, fixed, free, count = _sort_out(x, lower, upper, active, size, low, high, fixed, free, count)
        m = 0
        for k in range(size):
            i = active[k]
            for point in (x[i] - upper[i], x[i] - lower[i]):
                if low < point < high:
                    points[m] = point
                    m += 1
        if m == 0:
            break
        pivot = _median(points, spare, m)
        total = fixed + free - count * pivot
        for k in range(size):
            i = active[k]
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


@inline
def exact_sum(x, parts):
    """Return the sum rounded once, by at most (n,) parts that do not overlap (Shewchuk 1997)."""
    count = 0
    for term in x:
        carry, n_parts = term, 0
        for k in range(count):
            small, large = parts[k], carry
            if abs(small) > abs(large):
                small, large = large, small
            carry = large + small
            lost = small - (carry - large)
            if lost != 0.0:
                parts[n_parts] = lost
                n_parts += 1
        parts[n_parts] = carry
        count = n_parts + 1
    total = lost = 0.0
    while count > 0 and lost == 0.0:
        count -= 1
        before = total
        total = before + parts[count]
        lost = parts[count] - (total - before)
    # A half unit goes to even, unless what lies below says where it belongs.
    if count > 0 and lost * parts[count - 1] > 0.0 and (total + 2.0 * lost) - total == 2.0 * lost:
        total += 2.0 * lost
    return total


def _balanced(samples: Samples, alpha: VECTOR, most: FLOAT, spare: WRITABLE, out: WRITABLE) -> FLOAT:
    """Balance alpha to sum zero in its box; return 0, or the sum if it is above `most` of the magnitudes.

    The sum is zero to the last digit of the smallest variable that can make it so: a bias may be larger than
    everything else by many powers of ten, and multiplies what is left.
    """
    sign, _, weight, _, lower, upper = samples
    n, size = alpha.shape[0], 0.0
    for i in range(n):
        size += abs(alpha[i])
        out[i] = alpha[i]
    total = exact_sum(alpha, spare)
    if abs(total) > most * size:
        return total
    for _ in range(2):
        smallest = -1
        for i in range(n):
            if out[i] != 0.0 and (smallest < 0 or abs(out[i]) < abs(out[smallest])):
                a = alpha_of(lower, sign[i], weight[i], lower, upper)
                b = alpha_of(upper, sign[i], weight[i], lower, upper)
                if min(a, b) <= out[i] - total <= max(a, b):
                    smallest = i
        if total == 0.0 or not abs(total) < math.inf or smallest < 0:
            break
        out[smallest] -= total
        total = exact_sum(out, spare)
    return 0.0


NEWTON = Callable[[SCALAR_TYPE, FLOAT, VECTOR, VECTOR, VECTOR, VECTOR, VECTOR], FLOAT]

newton = lazy_jit(_newton)
knapsack = lazy_jit(_knapsack)
balanced = lazy_jit(_balanced)
straight = lazy_jit(_straight)
subgradients = lazy_jit(_subgradients)
