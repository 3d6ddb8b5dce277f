"""Bounds and signs in intervals, against known values, dense samples and functions that hide."""

import math

import mpmath
import pytest
import sympy as sp
from flint import arb

from tests.corpora import table
from workbench.conjugates.convex.checker import balls, grammar
from workbench.conjugates.convex.checker.forms import Undecided, Undefined
from workbench.conjugates.convex.curvature import least as least_spelled

u = sp.Symbol("u", real=True)
R = sp.Rational
LINE = ("-oo", "oo")

SUPREMA = table("formulas")["suprema"]


def least(tree, ends, *more, **options):
    return balls.least(tree, "u", *(grammar.parse(str(end)) for end in ends), *more, **options)


def negative(text):
    return grammar.negative(grammar.parse(text))


@pytest.mark.parametrize(("text", "ends", "value"), SUPREMA)
def test_an_extreme_value_is_enclosed(text, ends, value):
    bound = least(negative(text), ends)
    low, high = -float(bound.upper), -float(bound.lower)
    assert low <= math.nextafter(value, math.inf)
    assert high >= math.nextafter(value, -math.inf)
    # A supremum that is a limit at a singular end is bounded by nothing at times, and never wrongly.
    assert high == math.inf or high - low <= 1e-9 * (1 + abs(value))


def test_most_extreme_values_are_enclosed_narrowly():
    loose = [
        text
        for text, ends, value in SUPREMA
        if math.isfinite(value) and math.isinf(float(least(negative(text), ends).lower))
    ]
    assert loose == ["-u*log(u)", "u*exp(-u)", "12*u**2*exp(-u**2)"]


POSITIVE = table("formulas")["positive"]


@pytest.mark.parametrize(("text", "ends"), POSITIVE)
def test_a_sign_is_decided(text, ends):
    ends = [grammar.parse(str(end)) for end in ends]
    assert balls.nonnegative(grammar.parse(text), "u", *ends)
    lower = grammar.add(grammar.parse(text), grammar.number(-20))
    assert not balls.nonnegative(lower, "u", *ends)


NARROW = table("formulas")["narrow"]


@pytest.mark.parametrize(("text", "ends", "place"), NARROW)
def test_a_narrow_place_is_found(text, ends, place):
    expression = sp.sympify(text, locals={"u": u}, rational=True)
    bound = least_spelled(expression, u, *map(sp.sympify, ends), arb(0), True)
    assert bound.upper < 0
    assert abs(float(bound.place) - place) < 0.1
    assert expression.subs(u, sp.Rational(bound.place.str(30, radius=False))).evalf(30) < 0


@pytest.mark.parametrize(("text", "ends"), [("cos(u)", ("-pi/2", "pi/2")), ("tan(u)", (0, "pi/2"))])
def test_places_stay_within_an_inexact_end(text, ends):
    bound = least(grammar.parse(text), ends, arb(0), True)
    assert bound.upper >= 0
    assert not least(grammar.parse(text), (1, 2), arb(0), True).upper >= 0


def test_undecided_signs_are_left_open():
    hidden = "cosh(u) - 1 - u**2/2"
    bound = least(grammar.parse(hidden), (-1, 1), arb(0), boxes=100)
    assert bound.lower < 0 <= bound.upper


IMAGES = table("formulas")["images"]


@pytest.mark.parametrize("text", IMAGES)
def test_an_image_holds_every_value(text):
    names = {"u": u, "abs": sp.Abs, "max": sp.Max}
    tree, value = grammar.parse(text), sp.lambdify(u, sp.sympify(text, locals=names, rational=True), "mpmath")
    checks = 0
    for low, high in ((R(-5, 2), R(3, 2)), (R(1, 10), R(1, 5)), (R(2), R(7)), (R(-1), R(-1, 3))):
        try:
            box = balls.interval(str(low))[0], balls.interval(str(high))[1]
            bottom, top = map(float, balls.evaluate(tree, {"u": box}))
        except (Undecided, Undefined):
            continue
        for k in range(41):
            with mpmath.workdps(30):
                x = low + (high - low) * R(k, 40)
                try:
                    y = value(mpmath.mpf(x.p) / x.q)
                except (ZeroDivisionError, ValueError):
                    continue
            if not isinstance(y, mpmath.mpc) and mpmath.isfinite(y):
                checks += 1
                assert bottom - 1e-12 * abs(float(y)) <= float(y) <= top + 1e-12 * abs(float(y))
    assert checks >= 41
