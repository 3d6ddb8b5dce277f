"""Two points and their midpoint that show a function not to be convex, in numbers that are easy to read."""

import mpmath
import sympy as sp

from workbench._support.errors import ConvexityError, UndecidedError
from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import Undecided, Undefined
from workbench.conjugates.convex.evaluation import DIGITS, compiled, value_at
from workbench.conjugates.convex.evidence import digits
from workbench.conjugates.convex.primitives import formula

# A second difference below this, relative to the values, is a fault of the function and not of rounding.
FAULT = mpmath.mpf(10) ** -15
# Below that, in as many digits, the checker's intervals, which decide, are not asked.
HAIR, FINE = mpmath.mpf(10) ** -120, 140
STEPS = [sp.Rational(*pair) for pair in ((1, 1), (2, 1), (1, 2), (1, 4), (1, 10), (5, 1), (1, 20))]
STEPS += [sp.Rational(1, 10**k) for k in range(2, 17)]
# A place without a value is a hole, which the limit fills, where the chord is fine this part of it aside.
HOLE = 1000
# In the order in which a person would try them.
SMALL = (0, 1, -1, 2, -2, (1, 2), (-1, 2), 3, -3, 5, -5, (1, 10), (-1, 10), 10, -10)
SHARES = ((1, 2), (1, 4), (3, 4), (1, 10), (9, 10), (1, 100), (99, 100))
FEW, DECADES = 6, (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 100, 300)


class NotConvex(ConvexityError):
    """A `ConvexityError` that keeps its witness: values of the parameters, two points and the midpoint."""

    def __init__(self, sentence, values=None, points=None):
        super().__init__(sentence)
        self.values, self.points = dict(values or {}), points

    def __reduce__(self):
        return ConvexityError, self.args


def refusal(expression, u, setting, values, center, ends):
    """Return the error for a function that is not convex near a place.

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
    p = Graph(expression, u, inner)
    points = chord(p, low, high, center)
    if points is None:
        text = f"its second derivative seems negative at {u} = {center}{_assignments(values)}"
        fix = "restrict the domain to an interval where it is convex"
        return UndecidedError(
            f"could not decide whether the function is convex: {text}, and no chord lies below it; {fix}"
        )
    return NotConvex(sentence(p, u, points, values), values, points)


def refuted(pair):
    """Return the error for a pair that numbers contradict or do not show, with a witness or undecided."""
    for case in pair.cases:
        member, values = case.pair, case.pair.setting.sample()
        setting, u = member.setting, member.p.variable
        inner = {t: form.xreplace(values) for t, form in setting.backward.items()}
        ends = (sp.sympify(end).xreplace(inner) for end in (member.shape.low, member.shape.high))
        p = Graph(setting.enter(member.expression), u, inner)
        if points := chord(p, *ends):
            return NotConvex(sentence(p, u, points, values), values, points)
    result = pair.verify()
    if not result.fault:
        return UndecidedError(
            "could not decide whether what was derived is the conjugate: it is not proved, and numbers do "
            f"not show it either ({result.claims[-1].detail}); write the function in another way"
        )
    return UndecidedError(
        f"could not decide whether the function is convex: what was derived for it and numbers disagree "
        f"({result.fault}); write it out in pieces"
    )


class Graph:
    """A function in numbers, whose witnesses the checker decides."""

    def __init__(self, expression, u, numbers, text=None):
        self.value = compiled(expression, u, numbers=numbers)
        self.u, self.numbers, self.text = str(u), numbers, text or formula(expression)

    def __call__(self, place):
        return self.value(place)

    def lies_above(self, left, middle, right):
        """Return whether the function lies above its chord at the middle, which is not a hole."""
        if not self._lies_above(left, middle, right):
            return False
        aside = (right - left) / HOLE
        return not mpmath.isnan(self(value_at(middle, {}))) or all(
            self._lies_above(left + shift, middle + shift, right + shift) for shift in (-aside, aside)
        )

    def _lies_above(self, left, middle, right):
        with mpmath.workdps(FINE):
            places = [mpmath.mpf(x.p) / x.q for x in (left, middle, right)]
            a, m, b = (self.value(place, digits=FINE) for place in places)
            if not (mpmath.isfinite(a) and mpmath.isfinite(b)):
                return False
            if not (mpmath.isnan(m) or m - (a + b) / 2 > HAIR * (abs(a) + abs(b) + abs(m))):
                return False
        try:
            values = {
                str(symbol): balls.interval(digits(value_at(value, {})))
                for symbol, value in dict(self.numbers).items()
            }
            return balls.lies_above(grammar.parse(self.text), self.u, values, left, middle, right)
        except (Undecided, Undefined, grammar.GrammarError):
            return False


def chord(p, low, high, center=None):
    """(left, middle, right) with p(middle) above the chord, the plainest found; None where none is."""
    near = [] if center is None else [min(max(sp.sympify(center), low), high)]
    # Beside an end that is closer than any of the steps.
    gaps = [
        abs(end - middle) / 2 for middle in near for end in (low, high) if end.is_Rational and end != middle
    ]
    plain = simple_numbers(low, high)
    far = [sign * sp.Integer(10) ** k for k in DECADES for sign in (1, -1)]
    ways = [(plain[:FEW], STEPS[:2]), (near, [*STEPS, *gaps]), (plain, STEPS), (far, None), (near, None)]
    for centers, steps in ways:
        for middle in centers:
            for step in steps or (abs(middle) / 2,):
                # At an end of the domain, the three places lie on its inner side.
                inside = middle + step * (bool(middle <= low) - bool(middle >= high))
                left, right = inside - step, inside + step
                if bool(low <= left) and bool(right <= high) and p.lies_above(left, inside, right):
                    return left, inside, right
    return None


def simple_numbers(low, high):
    """Small rationals inside an open interval of SymPy numbers, the plainest first."""
    numbers = [sp.Rational(*number) if isinstance(number, tuple) else sp.Integer(number) for number in SMALL]
    if low.is_finite is not False and high.is_finite is not False:
        width = sp.Rational(float(high - low)).limit_denominator(1000)
        start = low if low.is_Rational else sp.Rational(float(low)).limit_denominator(1000)
        numbers += [start + width * sp.Rational(*share) for share in SHARES]
    elif low.is_finite is not False:
        numbers += [sp.floor(low) + k for k in (1, 2, 5, 10)]
    elif high.is_finite is not False:
        numbers += [sp.ceiling(high) - k for k in (1, 2, 5, 10)]
    return [x for x in dict.fromkeys(numbers) if bool(low < x) and bool(x < high)]


def sentence(p, u, points, values):
    """Return the sentence that says what the witness shows."""
    a, m, b = (p(value_at(x, {})) for x in points)
    heights = m, (a + b) / 2
    # Enough digits to tell them apart.
    pairs = ([mpmath.nstr(value, digits) for value in heights] for digits in range(6, DIGITS))
    height, line = next((pair for pair in pairs if pair[0] != pair[1]), map(str, heights))
    above = "is not finite" if mpmath.isnan(m) else f"= {height} lies above the chord's {line}"
    # Enough digits to tell the places apart.
    texts = [_plain(point) for point in points]
    if len({*texts}) < len(texts):
        texts = [_plain(point, DIGITS) for point in points]
    return (
        f"the function is not convex: between {u} = {texts[0]} and {u} = {texts[2]}{_assignments(values)}, "
        f"its value at the midpoint {texts[1]} {above}; "
        "restrict the domain to an interval where it is convex"
    )


def _assignments(values):
    return "".join(f", {symbol} = {_plain(value)}" for symbol, value in sorted(values.items(), key=str))


def _plain(value, digits=8):
    """Return a rational as a decimal where that is short."""
    value = sp.sympify(value)
    if value.is_Rational and value.q > 1 and 10**6 % value.q == 0:
        return mpmath.nstr(mpmath.mpf(value.p) / value.q, 12)
    return str(value) if value.is_Rational and value.q < 1000 else mpmath.nstr(value_at(value, {}), digits)
