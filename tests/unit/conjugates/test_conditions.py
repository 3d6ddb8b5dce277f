"""Conjugates whose formula depends on the parameters: cases, narrowed ranges, borders, witnesses."""

import copy
import functools

import numpy as np
import pytest
import sympy as sp

import workbench as wb
from workbench._support.errors import InputError
from workbench.conjugates.convex.curvature import refuse_bent_down
from workbench.conjugates.convex.function import ConvexFunction, Knot, Part
from workbench.conjugates.convex.pair import CasedFunction
from workbench.conjugates.convex.setting import Setting, Split

oo = np.inf


@functools.cache
def derived(text, *parameters, domain=None):
    return wb.conjugate(text, domain=domain, parameters=dict(parameters))


A, REAL = ("a", "a > 0"), ("a", "real")
# text, parameters, how many cases, [(values, v, q(v) worked out by hand)]
VALUES = [
    (
        "max(0, u - a, 2*u - 10)",
        (A,),
        2,
        [
            ({"a": 7}, 0.5, 2.5),
            ({"a": 3}, 0.5, 1.5),
            ({"a": 3}, 1.5, 6.5),
            ({"a": 5}, 1.5, 7.5),
            ({"a": 7}, 2.1, oo),
        ],
    ),
    (
        "max(0, abs(u) - a)",
        (REAL,),
        2,
        [({"a": -2}, 0.5, -2), ({"a": 0}, 1, 0), ({"a": 3}, -0.5, 1.5), ({"a": 3}, 1.25, oo)],
    ),
    (
        "max(u**2, a)",
        (REAL,),
        2,
        [({"a": -4}, 2, 1), ({"a": 4}, 2, 0), ({"a": 4}, 6, 9), ({"a": 4}, 0, -4), ({"a": 0}, 0, 0)],
    ),
    (
        "max(0, u - a)**2 + max(0, 4 - u)",
        (A,),
        2,
        [({"a": 6}, -0.5, -2), ({"a": 6}, 2, 13), ({"a": 4}, 2, 9), ({"a": 1}, 6, 15), ({"a": 1}, -1, -4)],
    ),
    (
        "max(a*u, b*u)",
        (REAL, ("b", "real")),
        2,
        [
            ({"a": 1, "b": 3}, 2, 0),
            ({"a": 3, "b": 1}, 2, 0),
            ({"a": 1, "b": 3}, 4, oo),
            ({"a": 2, "b": 2}, 2, 0),
        ],
    ),
    ("exp(a*u)", (REAL,), 3, [({"a": 2}, 2, -1), ({"a": 2}, -1, oo), ({"a": -2}, -2, -1), ({"a": 0}, 0, -1)]),
]


@pytest.mark.parametrize(("text", "parameters", "count", "rows"), VALUES, ids=[row[0] for row in VALUES])
def test_every_region_has_its_formula(text, parameters, count, rows):
    pair = derived(text, *parameters)
    assert (pair.conditions, len(pair.cases), pair.witness) == (sp.true, count, None)
    for values, v, expected in rows:
        assert pair.q(v, **values) == pytest.approx(expected, rel=1e-12)
        assert pair.case(**values).pair.q(v, **values) == pytest.approx(expected, rel=1e-12)
    assert pair.verify().status == "proved"


NARROWED = [  # text, parameters, the range in words, values outside it, q at values inside
    ("u**2/2 + (5 - a)*abs(u)", (A,), "a <= 5", {"a": 6}, ({"a": 5}, 2, 2)),
    ("a*u**2", (("a", "a > -1"),), "a >= 0", {"a": -0.5}, ({"a": 0.25}, 2, 4)),
    ("abs(u)**p", (("p", "p > 0"),), "p >= 1", {"p": 0.5}, ({"p": 1}, 0.5, 0)),
    ("u**4 + (10 - a)*u**2", (REAL,), "a <= 10", {"a": 11}, ({"a": 10}, 4, 3)),
]


@pytest.mark.parametrize(("text", "parameters", "words", "outside", "inside"), NARROWED)
def test_a_narrowed_range_is_said_and_kept(text, parameters, words, outside, inside):
    pair = derived(text, *parameters)
    assert str(pair.conditions) == words
    ((name, value),) = outside.items()
    with pytest.raises(wb.ConvexityError, match=rf"parameter {name} = {value}.* is outside .*not convex"):
        pair.q(0.0, **outside)
    with pytest.raises(wb.ConvexityError, match="is outside"):
        pair.p(0.0, **outside)
    values, v, expected = inside
    assert pair.q(v, **values) == pytest.approx(expected, rel=1e-12)


@pytest.mark.long
def test_the_witness_has_plain_numbers():
    witness = derived("u**4 + (10 - a)*u**2", REAL).witness
    assert {str(symbol): value for symbol, value in witness.values.items()} == {"a": 11}
    left, middle, right = witness.points
    assert (left, middle, right) == (-sp.Rational(1, 2), 0, sp.Rational(1, 2))
    with pytest.raises(wb.ConvexityError, match=r"between u = -1 and u = 1, its value at the midpoint 0 = 0"):
        wb.conjugate("-u**2")
    with pytest.raises(wb.ConvexityError, match=r"between u = 1\.\d\d and u = 1\.\d\d, .* midpoint 1\.\d\d "):
        wb.conjugate("u**2 + exp(-400*(u - 1.45)**2)/20")


def test_a_function_convex_for_none_of_the_declared_values_is_refused():
    with pytest.raises(wb.ConvexityError, match="between u = "):
        wb.conjugate("a*u**2", parameters={"a": "a < 0"})


def test_a_value_outside_the_declared_range_names_it():
    with pytest.raises(InputError, match=r"parameter a = -1\.0 is outside 0 < a < oo"):
        derived("max(0, u - a, 2*u - 10)", A).q(0.5, a=-1)


@pytest.mark.parametrize("change", ["shift", "end", "order", "condition"])
def test_one_case_that_is_replaced_is_not_proved(change):
    pair = copy.copy(derived("max(0, u - a, 2*u - 10)", A))
    (first, low), (second, high) = pair.q.cases
    part = high.parts[0]
    if change == "condition":
        cases = [(second, low), (first, high)]
    else:
        parts = {
            "shift": (part._replace(expr=part.expr + sp.Rational(1, 10**12)), *high.parts[1:]),
            "end": (part, high.parts[1]._replace(high=sp.Rational(21, 10))),
            # The first part that holds a place is the one that is evaluated.
            "order": (part._replace(high=part.high + 1), *high.parts[1:]),
        }[change]
        cases = [(first, low), (second, ConvexFunction(high.variable, parts, high.knots, high.setting))]
    pair.q = CasedFunction(cases, pair.setting, pair)
    assert pair.verify().status != "proved"


def test_a_narrow_fault_far_from_every_sample_is_not_proved():
    pair = wb.conjugate("u**2/2")
    v = pair.q.variable
    (part,) = pair.q.parts
    low, high = sp.Rational(27, 10), sp.Rational(29, 10)
    bump = part._replace(low=low, high=high, expr=part.expr + (v - low) * (high - v))
    parts = [part._replace(high=low), bump, part._replace(low=high)]
    knots = [Knot(place, place**2 / 2) for place in (low, high)]
    pair.q = ConvexFunction(v, [one._replace(inverse=None) for one in parts], knots, pair.setting)
    assert pair.verify().status != "proved"


def test_questions_cover_all_declared_values():
    a = derived("a*u**2", A).setting.parameters["a"]
    setting = Setting({"a": a})
    assert setting.sign(setting.enter(a.symbol + 1)) == 1
    with pytest.raises(Split) as split:
        setting.sign(setting.enter(a.symbol - 5))
    assert [str(condition) for condition in split.value.conditions] == ["a < 5", "Eq(a, 5)", "a > 5"]
    assert setting.peek(setting.enter(a.symbol - 5)) is None
    assert Setting({"a": a}, (sp.Gt(a.symbol, 7),)).peek(setting.enter(a.symbol)) == 1


def test_a_limit_at_an_end_says_where_a_function_begins_to_bend_down():
    """p'' = e^u - a e^-u is not a polynomial, and its limit at 0 is 1 - a."""
    a = derived("a*u**2", A).setting.parameters["a"]
    setting, u = Setting({"a": a}), sp.Symbol("u", real=True)
    form = setting.enter(sp.exp(u) - a.symbol * sp.exp(-u))
    with pytest.raises(Split) as split:
        refuse_bent_down(Part(sp.S.Zero, sp.oo, form), form, u, setting)
    assert {*map(str, split.value.conditions)} == {"a < 1", "Eq(a, 1)", "a > 1"}


@pytest.mark.parametrize("name", ["nan", "NaN", "oo", "zoo", "inf", "Infinity"])
def test_infinity_and_nan_are_not_names(name):
    with pytest.raises(wb.ExpressionError, match="choose another name"):
        wb.conjugate("u**2", variable=name)
    with pytest.raises(wb.ExpressionError, match="choose another name"):
        wb.conjugate("a*u**2", parameters={name: f"{name} > 0", "a": "positive"})


def test_formulas_are_set_by_case_where_there_are_several():
    assert derived("u**2/a", REAL).q.latex == r"\frac{a v^{2}}{4}"
    several = derived("a*u**2", REAL).q.latex
    assert several.startswith(r"\begin{cases}0, ")
    assert r"\text{for } a > 0" in several
