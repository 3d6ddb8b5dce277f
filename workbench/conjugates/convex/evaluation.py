"""Expressions in numbers, to many digits."""

import mpmath
import sympy as sp

from workbench.conjugates.convex.primitives import elementary

DIGITS = 40
LARGEST = mpmath.mpf(10) ** 500
# The precision is at most this, whatever the sizes of the terms of a sum; it bounds the time.
MOST_DIGITS = 1200


def number(value, digits=DIGITS):
    """Return a float, rational or SymPy number as an mpf; a float stands for the decimal it prints as."""
    with mpmath.workdps(digits):
        if isinstance(value, mpmath.mpf):
            return +value
        if isinstance(value, (sp.Basic,)):
            return (
                mpmath.mpf(sp.N(value, digits))
                if value.is_finite
                else mpmath.mpf(str(value).replace("oo", "inf"))
            )
        return mpmath.mpf(float(value))


def compiled(expression, *symbols, numbers=(), digits=DIGITS):
    """Return the expression as a function of mpf numbers that gives an mpf, or nan where it is not real.

    `numbers` are numbers for further symbols; a call may name other digits.
    """
    # Numbers enter as arguments: put into the formula, SymPy would look for exact roots of them.
    numbers = dict(numbers)
    text = sp.lambdify((*symbols, *numbers), elementary(sp.sympify(expression)), [{"exp": _exp}, "mpmath"])
    values = [number(value, digits) for value in numbers.values()]

    def call(*arguments, digits=digits):
        with mpmath.workdps(digits):
            try:
                return _real(text(*arguments, *values))
            except (ZeroDivisionError, ValueError, ArithmeticError, MemoryError, TypeError):
                # A TypeError: max, min and conditions compare no complex numbers.
                return mpmath.nan

    return call


def magnitude(*values):
    """Return the number of digits between 1 and the numbers in expressions, which 1 + x needs to show x."""
    numbers = [
        n
        for value in values
        for n in ([value] if isinstance(value, mpmath.mpf) else value.atoms(sp.Rational))
    ]
    sizes = [abs(mpmath.mag(number(n))) for n in numbers if n != 0 and mpmath.isfinite(number(n))]
    return int(min(max(sizes, default=0) * 0.302, MOST_DIGITS)) + 1


def _exp(x):
    """exp, infinite or 0 where its exponent alone would fill the memory."""
    if isinstance(x, mpmath.mpf) and abs(x) > LARGEST:
        return mpmath.inf if x > 0 else mpmath.mpf(0)
    return mpmath.exp(x)


def _real(value):
    value = mpmath.mpmathify(value)
    if isinstance(value, mpmath.mpc):
        # Cardano's formulas pass through the complex plane and come back with a rounding beside them.
        small = abs(value.imag) <= mpmath.mpf(10) ** (8 - DIGITS) * (abs(value.real) + 1)
        return value.real if small else mpmath.nan
    return value


def value_at(expression, values, digits=DIGITS):
    """Return the number that an expression is for the given values of its symbols."""
    expression = sp.sympify(expression)
    if expression.is_infinite:
        return mpmath.inf if expression is sp.oo else -mpmath.inf
    return compiled(
        expression, numbers={symbol: values[symbol] for symbol in expression.free_symbols}, digits=digits
    )()
