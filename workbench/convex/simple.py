"""Rational numbers that a reader takes in at a glance."""

from fractions import Fraction

import sympy as sp

# In the order in which a person would try them.
SMALL = (0, 1, -1, 2, -2, (1, 2), (-1, 2), 3, -3, 5, -5, (1, 10), (-1, 10), 10, -10)
SHARES = ((1, 2), (1, 4), (3, 4), (1, 10), (9, 10), (1, 100), (99, 100))


def simple_numbers(low, high):
    """Small rationals inside an open interval of SymPy numbers, the plainest first."""
    found = [sp.Rational(*number) if isinstance(number, tuple) else sp.Integer(number) for number in SMALL]
    if low.is_finite is not False and high.is_finite is not False:
        width = sp.Rational(float(high - low)).limit_denominator(1000)
        start = low if low.is_Rational else sp.Rational(float(low)).limit_denominator(1000)
        found += [start + width * sp.Rational(*share) for share in SHARES]
    elif low.is_finite is not False:
        found += [sp.floor(low) + k for k in (1, 2, 5, 10)]
    elif high.is_finite is not False:
        found += [sp.ceiling(high) - k for k in (1, 2, 5, 10)]
    return [x for x in dict.fromkeys(found) if bool(low < x) and bool(x < high)]


def simplest_between(low, high):
    """The rational with the smallest denominator in [low, high], for two floats."""
    if low <= 0 <= high:
        return sp.S.Zero
    if high < 0:
        return -simplest_between(-high, -low)
    a, b = Fraction(low), Fraction(high)
    return sp.Rational(*_between(a, b))


def _between(a, b):
    whole = -(-a.numerator // a.denominator)
    if whole <= b:
        return whole, 1
    base = a.numerator // a.denominator
    numerator, denominator = _between(1 / (b - base), 1 / (a - base))
    return base * numerator + denominator, numerator
