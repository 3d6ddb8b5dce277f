"""References of 400 digits for the generated formulas; 1 + e^-700 needs 355 to hold 50 of e^-700."""

import mpmath
import numpy as np
import sympy as sp

from workbench.conjugates.codegen.table import parameter_table
from workbench.conjugates.convex.primitives import elementary
from workbench.conjugates.terms import regularizers as reg
from workbench.kernels import compilation

DIGITS = 400
# Relative rounding of a formula of two or three operations and one elementary function.
TOLERANCE = 4 * 2.0**-52
# Below this, floats have fewer digits or none.
UNDERFLOW = 1e-306
_SIZES = (
    0.0,
    1e-300,
    1e-160,
    1e-20,
    1e-9,
    1e-4,
    0.1,
    0.25,
    0.3,
    0.5,
    0.75,
    1.0,
    1.5,
    2.0,
    3.7,
    30.0,
    36.5,
    700.0,
    1e9,
    1e150,
)
_STEP = mpmath.mpf(10) ** -25


def places():
    """Ordinary and extreme arguments of both signs, with the floats next to each."""
    beside = {place for x in _SIZES for place in (x, np.nextafter(x, -9.0), np.nextafter(x, 9.0))}
    return sorted({float(sign * place) for place in beside for sign in (1, -1)})


def compiled(term, part, signature=compilation.SCALAR):
    return compilation.formula(f"{term.name.replace('-', '_')}_{part}", signature)


def values_of(term):
    """A value inside its range for each parameter by name, not exact in binary but for exponents above 1."""
    values, exponents = {}, iter((3.0, 2.0, 4.0))
    for name, (low, _, high, *_) in parameter_table(term).items():
        values[name] = next(exponents) if low == 1.0 and high > 4.0 else low + 0.6 * min(high - low, 1.0)
    return values


def theta(term, scale=None):
    """The parameters as the generated functions read them; a regularizer's begin with its scale."""
    values = values_of(term).values()
    return np.array([*values] if scale is None else [scale, *values])


def number(x):
    return x if isinstance(x, mpmath.mpf) else mpmath.mpf(float(x))


def reference(term, expression, *symbols, scale=0.0):
    """The elementary form of an expression of a term as a function of numbers of many digits."""
    known = values_of(term)
    values = {symbol: sp.Float(known[symbol.name], DIGITS) for symbol in term.symbols}
    values |= {reg.SCALE: sp.Float(scale, DIGITS), reg.DIVISOR: sp.Float(scale, DIGITS)}
    function = sp.lambdify(symbols, elementary(expression).subs(values), "mpmath")
    return lambda *arguments: number(function(*(number(x) for x in arguments)))


def one_sided(function, x):
    """The derivatives from the left and from the right, to some 20 digits."""
    step = _STEP * (abs(number(x)) if x else mpmath.mpf(10) ** -20)
    right = (function(x + 2 * step) - function(x + step)) / step
    return (function(x - step) - function(x - 2 * step)) / step, right


def close(value, expected, slack=0):
    """Within the rounding of a formula; `slack` is allowed besides, for a cancellation that is its nature."""
    if abs(expected) > mpmath.mpf(10) ** 306:
        return not value < 1e306 if expected > 0 else not value > -1e306
    return abs(number(value) - expected) <= TOLERANCE * abs(expected) + slack + UNDERFLOW


def between(value, ends, slack=0):
    """Within the interval of a subdifferential."""
    left, right = sorted(ends)
    inside = left <= number(value) <= right if mpmath.isfinite(left) and mpmath.isfinite(right) else False
    return inside or close(value, left, slack) or close(value, right, slack)
