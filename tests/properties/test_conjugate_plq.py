"""Conjugates of convex piecewise linear-quadratic functions against a supremum in rational arithmetic."""

from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import sympy as sp
from hypothesis import event, given, settings
from hypothesis import strategies as st

import workbench as wb
from tests.helpers.amounts import amount

U = sp.Symbol("u", real=True)
# Each example derives one or two conjugates, which takes a tenth of a second to a second.
EXAMPLES = settings(max_examples=amount(2, 60))
OO = float("inf")

QUARTERS = st.integers(-12, 12).map(lambda k: Fraction(k, 4))
POSITIVE = st.sampled_from([Fraction(1, 3), Fraction(1, 2), Fraction(1), Fraction(7, 4), Fraction(3)])
CURVATURES = st.one_of(st.just(Fraction(0)), POSITIVE)
JUMPS = st.one_of(st.just(Fraction(0)), POSITIVE)
# Both exact as floats, to be put into calls.
SLOPES = st.integers(-40, 40).map(lambda k: Fraction(k, 4))


class Quadratic(NamedTuple):
    """a u^2/2 + b u + c on [low, high]; the ends are infinite or rational."""

    low: Fraction | float
    high: Fraction | float
    a: Fraction
    b: Fraction
    c: Fraction

    def value(self, u):
        return self.a * u * u / 2 + self.b * u + self.c

    def slope(self, u):
        return self.a * u + self.b


class Plq:
    """A closed convex function by its quadratics on consecutive intervals; of one point if low = high."""

    def __init__(self, *parts):
        self.parts = parts
        self.low, self.high = parts[0].low, parts[-1].high

    def __repr__(self):
        return f"Plq{self.parts}"

    def __call__(self, u):
        return next((part.value(u) for part in self.parts if part.low <= u <= part.high), OO)

    def supremum(self, v):
        """sup of u v - p(u): at an end of a piece, at a vertex, or endless."""
        values = []
        for low, high, a, b, c in self.parts:
            if a == 0 and ((high == OO and v > b) or (low == -OO and v < b)):
                return OO
            if a == 0 and low == -OO and high == OO:
                values.append(-c)
            places = [end for end in (low, high) if abs(end) != OO]
            if a > 0 and low <= (v - b) / a <= high:
                places.append((v - b) / a)
            values += [u * v - (a * u * u / 2 + b * u + c) for u in places]
        return max(values)

    def subdifferential(self, u):
        """The least and the greatest slope at a point of the domain."""
        left = next((part.slope(u) for part in self.parts if part.low < u <= part.high), -OO)
        right = next((part.slope(u) for part in self.parts if part.low <= u < part.high), OO)
        return left, right

    def slopes(self):
        """The domain of the conjugate: an end is finite where p has an affine tail, and then it belongs."""
        first, last = self.parts[0], self.parts[-1]
        low = first.b if first.low == -OO and first.a == 0 else -OO
        high = last.b if last.high == OO and last.a == 0 else OO
        return sp.FiniteSet(exact(low)) if low == high else sp.Interval(exact(low), exact(high))

    def domain(self):
        return sp.Interval(exact(self.low), exact(self.high))

    def points(self):
        """Ends, kinks, and points between and beyond them, all in the domain."""
        ends = sorted({end for part in self.parts for end in (part.low, part.high) if abs(end) != OO})
        inner = [(left + right) / 2 for left, right in pairwise(ends)]
        first, last = (ends[0], ends[-1]) if ends else (Fraction(0), Fraction(1))
        outer = [first - Fraction(7, 4), last + Fraction(5, 2)]
        return [u for u in sorted({*ends, *inner, *outer}) if self.low <= u <= self.high]

    # Ways to write the function

    def condition(self):
        """The domain in text, None for the whole line."""
        low, high = ("" if abs(end) == OO else str(end) for end in (self.low, self.high))
        if self.low == self.high:
            return f"u == {low}"
        if low and high:
            return f"{low} <= u <= {high}"
        return f"u >= {low}" if low else f"u <= {high}" if high else None

    def conditional(self):
        """The pieces in text, as "... if u < 1 else ..."."""
        texts = [f"({part.a})*u**2/2 + ({part.b})*u + ({part.c})" for part in self.parts]
        text = texts[-1]
        for part, formula in zip(reversed(self.parts[:-1]), reversed(texts[:-1]), strict=True):
            text = f"({formula}) if u < {part.high} else ({text})"
        return text

    def piecewise(self):
        """The pieces in text, as "piecewise((..., u <= 1), ...)"."""
        cases = [
            f"(({part.a})*u**2/2 + ({part.b})*u + ({part.c}), "
            + ("True)" if part is self.parts[-1] else f"u <= {part.high})")
            for part in self.parts
        ]
        return f"piecewise({', '.join(cases)})"

    def symbolic(self):
        """The pieces as SymPy's Piecewise."""
        cases = [
            (exact(part.a) * U**2 / 2 + exact(part.b) * U + exact(part.c), sp.Lt(U, exact(part.high)))
            for part in self.parts
        ]
        return sp.Piecewise(*cases[:-1], (cases[-1][0], True))


def exact(number):
    if abs(number) == OO:
        return sp.oo if number > 0 else -sp.oo
    return sp.Rational(number.numerator, number.denominator)


@st.composite
def functions(draw):
    """Slopes from left to right never fall: curvatures are nonnegative, kinks bend up."""
    kind = draw(st.sampled_from(("line", "line", "up", "down", "interval", "interval", "point")))
    if kind == "point":
        a = draw(QUARTERS)
        return Plq(Quadratic(a, a, draw(CURVATURES), draw(QUARTERS), draw(QUARTERS)))
    need = {"line": 0, "up": 1, "down": 1, "interval": 2}[kind]
    cuts = sorted(draw(st.sets(QUARTERS, min_size=need, max_size=need + 2)))
    ends = [*([-OO] if kind in ("line", "down") else []), *cuts, *([OO] if kind in ("line", "up") else [])]
    slope, value, parts = draw(QUARTERS), draw(QUARTERS), []
    for low, high in pairwise(ends):
        # The value and the slope are those at the piece's finite end on the left, or on the right of -oo.
        a, anchor = draw(CURVATURES), low if low != -OO else high if high != OO else Fraction(0)
        b = slope - a * anchor
        part = Quadratic(low, high, a, b, value - a * anchor**2 / 2 - b * anchor)
        parts.append(part)
        if high != OO:
            slope, value = part.slope(high) + draw(JUMPS), part.value(high)
    return Plq(*parts)


@st.composite
def sums(draw):
    """A sum of absolute values, maxima and their squares: (text, the function that it is)."""
    kinds = st.sampled_from(("abs", "max", "down", "square", "down square"))
    terms = draw(st.lists(st.tuples(kinds, POSITIVE, QUARTERS), min_size=1, max_size=3))
    a, b, c = draw(CURVATURES), draw(QUARTERS), draw(QUARTERS)
    shapes = {
        "abs": "abs(u - ({}))",
        "max": "max(0, u - ({}))",
        "down": "max(({}) - u, 0)",
        "square": "max(0, u - ({}))**2/2",
        "down square": "max(0, ({}) - u)^2/2",
    }
    text = " + ".join(f"{weight}*{shapes[kind].format(place)}" for kind, weight, place in terms)
    text += f" + ({a})*u**2/2 + ({b})*u + ({c})"
    parts = []
    for low, high in pairwise([-OO, *sorted({place for _, _, place in terms}), OO]):
        total = [a, b, c]
        for kind, weight, place in terms:
            rises = low != -OO and low >= place
            if kind == "abs" or rises == (kind in ("max", "square")):
                sign = weight if rises else -weight
                more = (weight, -weight * place, weight * place**2 / 2)
                more = more if kind.endswith("square") else (0, sign, -sign * place)
                total = [x + y for x, y in zip(total, more, strict=True)]
        parts.append(Quadratic(low, high, *total))
    return text, Plq(*parts)


@st.composite
def maxima(draw):
    """The greatest of some lines: (text, the function that it is)."""
    lines = draw(st.lists(st.tuples(QUARTERS, QUARTERS), min_size=2, max_size=4, unique_by=lambda ab: ab[0]))
    text = f"max({', '.join(f'({b})*u + ({c})' for b, c in lines)})"
    crossings = {(d - b) / (a - c) for (a, b) in lines for (c, d) in lines if a != c}
    parts = []
    for low, high in pairwise([-OO, *sorted(crossings), OO]):
        inside = (low if low != -OO else high - 2) / 2 + (high if high != OO else low + 2) / 2
        b, c = max(lines, key=lambda line: line[0] * inside + line[1])
        if parts and (parts[-1].b, parts[-1].c) == (b, c):
            parts[-1] = parts[-1]._replace(high=high)
        else:
            parts.append(Quadratic(low, high, Fraction(0), b, c))
    return text, Plq(*parts)


def value(function, place):
    """The value at a rational place, exactly."""
    if function.domain.contains(exact(place)) != sp.true:
        return OO
    number = function.expr.subs(function.variable, exact(place))
    return Fraction(int(number.p), int(number.q))


def check(pair, p, slopes):
    """q is the supremum, exactly, and its domain the slopes of p with the ends that belong."""
    event(f"{len(p.parts)} pieces from {p.low > -OO} to {p.high < OO}")
    assert not pair.p.implicit
    assert not pair.q.implicit
    assert pair.p.domain == p.domain()
    assert pair.q.domain == p.slopes()
    ends = [end for end in (p.slopes().inf, p.slopes().sup) if end.is_finite]
    kinks = [v for u in p.points() for v in p.subdifferential(u) if abs(v) != OO]
    for v in {*slopes, *kinks, *(Fraction(int(end.p), int(end.q)) for end in ends)}:
        expected = p.supremum(v)
        assert value(pair.q, v) == expected
        # A third is not a float, and a near one may lie off the domain.
        if float(v) == v:
            assert pair.q(float(v)) == float(expected)
    for u in {*p.points(), *slopes}:
        assert value(pair.p, u) == p(u)


SOME = st.lists(SLOPES, min_size=4, max_size=8)


FORMS = (Plq.conditional, Plq.piecewise, Plq.symbolic)


@EXAMPLES
@given(functions(), SOME, st.sampled_from(FORMS), st.integers(0, 4))
def test_pieces_have_their_supremum_and_come_back(p, slopes, form, share):
    """u v <= p(u) + q(v), with equality exactly where v is a subgradient at u; the conjugate of q is p."""
    text = form(p)
    domain = p.condition() if isinstance(text, str) else p.domain()
    pair = wb.conjugate(text, domain=domain, variable="u")
    check(pair, p, slopes)
    for u in p.points():
        least, greatest = p.subdifferential(u)
        low = least if least != -OO else min(greatest, Fraction(0)) - 50
        high = greatest if greatest != OO else max(least, Fraction(0)) + 50
        for v in {*slopes, low + (high - low) * share / 4}:
            gap = p(u) + value(pair.q, v) - u * v
            assert gap == 0 if least <= v <= greatest else gap > 0
    back = wb.conjugate(pair.q.expr, domain=pair.q.domain, variable="v").q
    assert back.domain == p.domain()
    for u in {*p.points(), *(v / 4 for v in slopes)}:
        assert value(back, u) == p(u)


@EXAMPLES
@given(st.one_of(sums(), maxima()), SOME)
def test_sums_of_kinks_and_maxima_of_lines(case, slopes):
    text, p = case
    check(wb.conjugate(text), p, slopes)
