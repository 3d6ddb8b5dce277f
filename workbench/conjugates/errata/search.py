"""Suprema, infima and slopes by plain search: the independent side of every counterexample."""

import math

_GOLDEN = (math.sqrt(5.0) - 1.0) / 2.0
# An interval of length 100 shrinks to the rounding of its ends.
_CUTS = 80


def highest_at(function, low, high):
    """Return the maximizer and the maximum of a concave function on [low, high] (golden section)."""
    ends = ((low, function(low)), (high, function(high)))
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = function(left), function(right)
    for _ in range(_CUTS):
        if at_left < at_right:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = function(right)
        else:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = function(left)
    return max(((left, at_left), (right, at_right), *ends), key=lambda pair: pair[1])


def highest(function, low, high):
    """Return the supremum of a concave function on [low, high]; as exact as its values, unlike the place."""
    return highest_at(function, low, high)[1]


def lowest(function, low, high):
    """Return the infimum of a convex function on [low, high]."""
    return -highest(lambda u: -function(u), low, high)


def lowest_at(function, low, high):
    """Return the minimizer of a convex function; exact at a kink, to eight digits at a smooth minimum."""
    return highest_at(lambda u: -function(u), low, high)[0]


def highest_on_square(function, low, high):
    """Return the supremum of a jointly concave function of two variables, both in [low, high]."""
    return highest(lambda u: highest(lambda s: function(u, s), low, high), low, high)


def lowest_on_square(function, low, high):
    """Return the infimum of a jointly convex function of two variables, both in [low, high]."""
    return -highest_on_square(lambda u, s: -function(u, s), low, high)


def slope(function, point, step=1e-3):
    """Return the derivative by differences; its error is of fourth order in the step."""
    near = function(point + step) - function(point - step)
    far = function(point + 2 * step) - function(point - 2 * step)
    return (8.0 * near - far) / (12.0 * step)


def root(increasing, low, high):
    """Return the zero of an increasing function, by bisection."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if increasing(middle) > 0 else (middle, high)
    return (low + high) / 2


def along_ray(function):
    """Return the supremum of a concave function over t >= 0: +inf where it still climbs at t = 1e9."""
    values = [function(10.0**power) for power in range(10)]
    return math.inf if values[-1] > values[-2] + 1.0 else max(function(0.0), *values)


def norm(vector, exponent):
    """Return the p-norm."""
    return sum(abs(entry) ** exponent for entry in vector) ** (1.0 / exponent)


def dot(left, right):
    """Return the inner product."""
    return sum(a * b for a, b in zip(left, right, strict=True))
