"""Two points and their midpoint that show a function not to be convex, in numbers that are easy to read."""

import mpmath
import sympy as sp

from workbench.convex.evaluation import at, compiled
from workbench.convex.simple import simple_numbers
from workbench.errors import ConvexityError

# A second difference below this, relative to the values, is a fault of the function and not of rounding.
FAULT = mpmath.mpf(10) ** -15
STEPS = [sp.Rational(*pair) for pair in ((1, 1), (2, 1), (1, 2), (1, 4), (1, 10), (5, 1), (1, 20))]
STEPS += [sp.Rational(1, 10**k) for k in range(2, 9)]
FEW = 6


class NotConvex(ConvexityError):
    """A `ConvexityError` that keeps its witness: values of the parameters, two points and the midpoint."""

    def __init__(self, sentence, values=None, points=None):
        super().__init__(sentence)
        self.values, self.points = dict(values or {}), points

    def __reduce__(self):
        return ConvexityError, self.args


def refusal(expression, u, setting, values, center, ends):
    """The error for a function that is not convex near a place.

    Parameters
    ----------
    expression : sympy.Expr
        The whole function, in the symbols of the setting.
    values : dict
        Values of the parameters at which it is not convex.
    center : sympy.Rational or None
        A place near which p'' is negative or the slope falls.
    ends : tuple
        Ends of an interval around it.
    """
    values = setting.sample() | {symbol: value for symbol, value in values.items() if symbol != u}
    inner = {t: form.xreplace(values) for t, form in setting.backward.items()}
    low, high = (sp.sympify(end).xreplace(inner) for end in ends)
    p = compiled(expression, u, given=inner)
    points = chord(p, low, high, center)
    if points is None:
        text = f"its second derivative is negative at {u} = {center}{_shown(values)}"
        fix = "restrict the domain to an interval where it is convex"
        return NotConvex(f"the function is not convex: {text}; {fix}", values)
    return NotConvex(sentence(p, u, points, values), values, points)


def chord(p, low, high, center=None):
    """(left, middle, right) with p(middle) above the chord, the plainest found; None where none is."""
    near = [] if center is None else [sp.sympify(center)]
    plain = simple_numbers(low, high)
    for centers, steps in ((plain[:FEW], STEPS[:2]), (near, STEPS), (plain, STEPS)):
        for middle in centers:
            for step in steps:
                left, right = middle - step, middle + step
                if bool(low <= left) and bool(right <= high) and _lies_above(p, left, middle, right):
                    return left, middle, right
    return None


def _lies_above(p, left, middle, right):
    a, m, b = (p(mpmath.mpf(x.p) / x.q) for x in (left, middle, right))
    if not (mpmath.isfinite(a) and mpmath.isfinite(b)):
        return False
    return bool(mpmath.isnan(m) or m - (a + b) / 2 > FAULT * (abs(a) + abs(b) + abs(m)))


def sentence(p, u, points, values):
    """What the witness shows, in words."""
    left, middle, right = points
    a, m, b = (p(at(x, {})) for x in points)
    above = (
        "is not finite"
        if mpmath.isnan(m)
        else f"= {mpmath.nstr(m, 6)} lies above the chord's {mpmath.nstr((a + b) / 2, 6)}"
    )
    between = f"between {u} = {_plain(left)} and {u} = {_plain(right)}{_shown(values)}"
    return (
        f"the function is not convex: {between}, its value at the midpoint {_plain(middle)} {above}; "
        "restrict the domain to an interval where it is convex"
    )


def _shown(values):
    return "".join(f", {symbol} = {_plain(value)}" for symbol, value in sorted(values.items(), key=str))


def _plain(value):
    """A rational as a decimal where that is short."""
    value = sp.sympify(value)
    if value.is_Rational and value.q > 1 and 10**6 % value.q == 0:
        return mpmath.nstr(mpmath.mpf(value.p) / value.q, 12)
    return str(value) if value.is_Rational and value.q < 1000 else mpmath.nstr(at(value, {}), 8)
