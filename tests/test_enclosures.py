"""Proved bounds and signs: against known values, dense samples in many digits, and functions that hide."""

import re

import mpmath
import pytest
import sympy as sp

from workbench.convex.enclosures import infimum, sign_of, supremum
from workbench.convex.intervals import REALS, Unbounded, compiled, exact

u, a = sp.Symbol("u", real=True), sp.Symbol("a", positive=True)
R = sp.Rational


def curvature(text):
    return sp.diff(sp.sympify(text, locals={"u": u}), u, 2)


SUPREMA = [  # expression, ends, its supremum
    (curvature("log(1 + exp(u))"), (-sp.oo, sp.oo), R(1, 4)),
    (sp.diff(sp.log(1 + sp.exp(u)), u), (-sp.oo, sp.oo), 1),
    (curvature("log(cosh(u))"), (-sp.oo, sp.oo), 1),
    (curvature("sqrt(u**2 + 1/100)"), (-sp.oo, sp.oo), 10),
    (-u * sp.log(u), (0, 1), sp.exp(-1)),
    (u * sp.exp(-u), (0, sp.oo), sp.exp(-1)),
    (u / sp.sqrt(1 + u**2), (-sp.oo, sp.oo), 1),
    (curvature("u**(3/2)"), (0, 1), sp.oo),
    (sp.Integer(2) + 0 * u, (-sp.oo, sp.oo), 2),
    (sp.sin(u) - sp.cos(u), (0, 10), sp.sqrt(2)),
    (1 / u, (sp.sqrt(2), sp.oo), 1 / sp.sqrt(2)),
    (-1 / u - 1 / (1 - u), (0, 1), -4),
    (12 * u**2 * sp.exp(-(u**2)), (-sp.oo, sp.oo), 12 * sp.exp(-1)),
]


@pytest.mark.parametrize(("expression", "ends", "value"), SUPREMA, ids=str)
def test_a_supremum_is_enclosed_and_proved(expression, ends, value):
    found = supremum(expression, u, *map(sp.sympify, ends))
    low = infimum(-expression, u, *map(sp.sympify, ends))
    assert found.proved
    assert found.low <= float(value) <= found.high or found.low == float(value)
    assert found.high - found.low <= 1e-9 * (1 + abs(float(value))) or found.low == found.high == float(value)
    assert (low.low, low.high) == (-found.high, -found.low)


def test_a_parameter_has_a_value():
    found = supremum(sp.diff(sp.sqrt(u**2 + a**2), u, 2), u, -sp.oo, sp.oo, {a: 0.25})
    assert found.low <= 4 <= found.high
    with pytest.raises(ValueError, match="no value for a"):
        supremum(a * u, u, 0, 1)


POSITIVE = [
    (12 * u**2, (-sp.oo, sp.oo)),
    (sp.cosh(u) - 1, (-sp.oo, sp.oo)),
    (sp.exp(u) - u**2, (0, sp.oo)),
    (1 / u + sp.log(u), (0, sp.oo)),
    (2 - sp.sin(u), (-sp.oo, sp.oo)),
    (sp.expand((u - R(1, 3)) ** 2 * (u**2 + 1)) + (1 - sp.cos(u - R(1, 3))) / 10, (-1, 1)),
    (sp.expand((u**2 - 2) ** 2) + R(1, 10**6), (-sp.oo, sp.oo)),
    (sp.diff(u**u, u, 2), (0, sp.oo)),
    (curvature("u**2 + exp(-400*(u - 29/20)**2)/2000"), (-sp.oo, sp.oo)),
]


@pytest.mark.parametrize(("expression", "ends"), POSITIVE, ids=str)
def test_a_sign_is_proved(expression, ends):
    found = sign_of(expression, u, *map(sp.sympify, ends))
    assert found.relation in (">0", ">=0")
    assert found.proved
    assert ("boxes" in found.status) == (found.boxes > 0)


NARROW = [  # negative only close to the last number
    (curvature("u**2 + exp(-400*(u - 29/20)**2)/20"), (-sp.oo, sp.oo), 1.45),
    ((u - R(7, 3)) ** 2 - R(1, 10**8), (-sp.oo, sp.oo), 7 / 3),
    (sp.exp(u) - sp.E * u - R(1, 10**7), (-5, 5), 1),
    (sp.log(u) ** 2 - R(1, 10**6), (0, sp.oo), 1),
]


@pytest.mark.parametrize(("expression", "ends", "place"), NARROW, ids=str)
def test_a_narrow_place_is_found_and_its_witness_is_simple(expression, ends, place):
    found = sign_of(expression, u, *map(sp.sympify, ends))
    assert found.relation == "<0"
    assert abs(found.witness - place) < 0.1
    assert found.witness.q <= 10**5
    assert expression.subs(u, found.witness).evalf(30) < 0


@pytest.mark.long
def test_what_is_not_decided_says_how_far_it_came():
    hidden = (sp.exp(u) - sp.exp(sp.pi / 4) * sp.cos(u - sp.pi / 4)) ** 2 + (u - sp.pi / 4) ** 4
    found = sign_of(sp.expand(hidden), u, sp.S.Zero, sp.Integer(1), boxes=100)
    assert (found.relation, found.witness) == ("undecided", None)
    assert re.fullmatch(r"checked to boxes of 2\^-\d+ of the interval; undecided near 0.785\d*", found.status)
    assert found.depth > 3


IMAGES = ["u**3 - u", "exp(-u)*sin(u)", "sqrt(u**2 + 1)/u", "log(u**2)", "tanh(u)/cosh(u)", "acos(u/9)",
          "atan(u)**3", "Abs(u - 1)*sign(u)", "Max(u, 1 - u)", "LambertW(u**2)", "u**(2/3)*(u**2)**pi",
          "asinh(u) + acosh(1 + u**2)", "coth(u)*sech(u)", "erf(u) + csch(u)", "1/(u**2 - 1)"]  # fmt: skip


@pytest.mark.parametrize("text", IMAGES)
def test_an_image_holds_every_value(text):
    expression = sp.sympify(text, locals={"u": u})
    image, value = compiled(expression, (u,)), sp.lambdify(u, expression, "mpmath")
    for low, high in ((R(-5, 2), R(3, 2)), (R(1, 10), R(1, 5)), (R(2), R(7)), (R(-1), R(-1, 3))):
        box = exact(low)[0], exact(high)[1]
        try:
            bottom, top = image(box)
        except Unbounded:
            bottom, top = REALS
        for k in range(41):
            with mpmath.workdps(30):
                x = low + (high - low) * R(k, 40)
                try:
                    y = value(mpmath.mpf(x.p) / x.q)
                except (ZeroDivisionError, ValueError):
                    continue
            if not isinstance(y, mpmath.mpc) and mpmath.isfinite(y):
                assert float(bottom) <= float(y) + 1e-12 * abs(float(y))
                assert float(y) <= float(top) + 1e-12 * abs(float(y))
