"""The supremum of u v - p(u) in numbers alone: no derivative, no formula, one concave maximization."""

import mpmath

from workbench.convex.evaluation import DIGITS

GOLDEN = (mpmath.sqrt(5) - 1) / 2
# 16^14 > 1e16: where a maximum is not found by then, growth in proportion to u is taken to be endless.
ROUNDS, FACTOR = 14, 16
# Whether a maximum stands at an end shows long before its last digit.
COARSE, FINE = mpmath.mpf(10) ** -8, mpmath.mpf(10) ** (-DIGITS // 2)


def supremum(p, v, low, high, cuts=()):
    """sup of u v - p(u) over (low, high), +inf where it grows without end; None where numbers do not tell."""
    with mpmath.workdps(DIGITS):

        def height(u):
            value = u * v - p(u)
            return value if mpmath.isfinite(value) else -mpmath.inf

        left, right = _ends(low, high)
        best = max((height(cut) for cut in cuts), default=-mpmath.inf)
        for _ in range(ROUNDS):
            near = _bracket(height, left, right, COARSE * (right - left))
            middle = (near[0] + near[1]) / 2
            best = max(best, height(middle))
            wider = _widened(middle, left, right, low, high)
            if wider is None:
                near = _bracket(height, *near, FINE * (1 + abs(near[0])))
                return max(best, height((near[0] + near[1]) / 2))
            left, right = wider
        growth = [height(middle * k) for k in (1, 2, 4)]
        steady = growth[2] - growth[1] > 1.999 * (growth[1] - growth[0]) > 0
        return mpmath.inf if steady else None


def _ends(low, high):
    left = low if mpmath.isfinite(low) else (high if mpmath.isfinite(high) else mpmath.mpf(0)) - 8
    right = high if mpmath.isfinite(high) else (low if mpmath.isfinite(low) else mpmath.mpf(0)) + 8
    return left, right


def _widened(middle, left, right, low, high):
    """A longer interval where the maximum stands at an end that is not the domain's, else None."""
    close = mpmath.mpf(10) ** -6 * (right - left)
    if middle - left < close and mpmath.isinf(low):
        return left - FACTOR * (right - left), right
    if right - middle < close and mpmath.isinf(high):
        return left, right + FACTOR * (right - left)
    return None


def _bracket(height, left, right, width):
    """The maximizer within a width, by golden section; where p is infinite, the height counts as -inf."""
    a, b = left + GOLDEN**2 * (right - left), left + GOLDEN * (right - left)
    fa, fb = height(a), height(b)
    for _ in range(140):
        if fa >= fb:
            right, b, fb = b, a, fa
            a = left + GOLDEN**2 * (right - left)
            fa = height(a)
        else:
            left, a, fa = a, b, fb
            b = left + GOLDEN * (right - left)
            fb = height(b)
        if right - left < width:
            break
    return left, right
