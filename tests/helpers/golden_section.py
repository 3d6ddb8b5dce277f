"""The minimum of a convex function of one variable in mpmath, by golden sections."""

import mpmath

# The last width of the bracket near zero, as a share of the last width elsewhere.
SMALLEST = mpmath.mpf(10) ** -16


def least(function, close=1e-24):
    """(value, place) of the minimum, where the bracket is a share `close` of its ends wide.

    Outside of a set that touches 0 the function may be infinite.
    """
    low, high = -mpmath.mpf(1), mpmath.mpf(1)
    while function(low) < function(low / 2):
        low *= 4
    while function(high) < function(high / 2):
        high *= 4
    share = (mpmath.sqrt(5) - 1) / 2
    a, b = high - share * (high - low), low + share * (high - low)
    at_a, at_b = function(a), function(b)
    while high - low > close * (abs(low) + abs(high) + SMALLEST):
        # Where both are infinite, the set lies towards zero.
        if at_a < at_b or (at_a == at_b == mpmath.inf and b > 0):
            high, b, at_b = b, a, at_a
            a = high - share * (high - low)
            at_a = function(a)
        else:
            low, a, at_a = a, b, at_b
            b = low + share * (high - low)
            at_b = function(b)
    return min((function(place), place) for place in (low, a, b, high))
