"""Numbers inside an interval, for one set of sample values of the parameters."""

import mpmath

from workbench.conjugates.convex.evaluation import value_at

SHARE, SMALLEST = mpmath.mpf(37) / 89, mpmath.mpf(10) ** -6


def place(low, high, draw, share=SHARE):
    """Return a number inside the interval for one set of sample values."""
    low, high = value_at(low, draw), value_at(high, draw)
    if mpmath.isinf(low) and mpmath.isinf(high):
        return mpmath.mpf(1) / 7 + share - mpmath.mpf(1) / 2
    if mpmath.isinf(low):
        return high - 2 * share * _unit(high)
    if mpmath.isinf(high):
        return low + 2 * share * _unit(low)
    return low + (high - low) * share


def _unit(end):
    """1, or for an end far out a length that the digits of its neighbours show."""
    return max(mpmath.mpf(1), abs(end) * SMALLEST)


def places(low, high, draw, count=12):
    """Numbers spread over the interval, out to the far ends of a half line and close to finite ends."""
    a, b = value_at(low, draw), value_at(high, draw)
    with mpmath.workdps(50):
        steps = [mpmath.mpf(10) ** (mpmath.mpf(-3) + mpmath.mpf(k) * 5 / (count - 1)) for k in range(count)]
        if mpmath.isinf(a) and mpmath.isinf(b):
            half = steps[::2]
            return [-s for s in reversed(half)] + half
        if mpmath.isinf(a):
            return [b - s * _unit(b) for s in reversed(steps)]
        if mpmath.isinf(b):
            return [a + s * _unit(a) for s in steps]
        shares = [mpmath.mpf(2 * k + 1) / (2 * count) for k in range(count)]
        shares = [mpmath.mpf("1e-4"), *shares, 1 - mpmath.mpf("1e-4")]
        return [a + (b - a) * share for share in shares]
