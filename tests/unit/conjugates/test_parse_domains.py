"""The interval that a function lives on, from text and from SymPy."""

import numpy as np
import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st
from sympy import FiniteSet, Interval, Rational, oo

from tests.corpora import table
from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.parse import domain_of, parse_domain

U = sp.Symbol("u", real=True)
DECLARED = {"a": "a > 0", "b": "b > a", "p": "p > 1", "r": "r < 0", "c": "real"}
A, B, P = (sp.Symbol(name, positive=True) for name in "abp")
R, C = sp.Symbol("r", negative=True), sp.Symbol("c", real=True)

DOMAINS = {
    "u > 0": Interval.open(0, oo),
    "0 <= u < 1": Interval.Ropen(0, 1),
    "u >= a and u <= b": Interval(A, B),
    "abs(u) <= 1": Interval(-1, 1),
    "abs(u) < a": Interval.open(-A, A),
    "abs(u - 1) <= 2": Interval(-1, 3),
    "2*abs(u) <= 1": Interval(Rational(-1, 2), Rational(1, 2)),
    "abs(u) == 0": FiniteSet(0),
    "u == 0": FiniteSet(0),
    "u >= 1 and u <= 1": FiniteSet(1),
    "1 - 2*u >= 0": Interval(-oo, Rational(1, 2)),
    "a*u < 1": Interval.open(-oo, 1 / A),
    "r*u < 1": Interval.open(1 / R, oo),
    "(u > 0)": Interval.open(0, oo),
    "(u + 1)^1 > 0": Interval.open(-1, oo),
    "u > 0 and u > a": Interval.open(A, oo),
    "u > 0 and u > c": Interval.open(sp.Max(0, C), oo),
    "u < oo": sp.S.Reals,
    "real": sp.S.Reals,
    " all ": sp.S.Reals,
    "R": sp.S.Reals,
    "[0, 1)": Interval.Ropen(0, 1),
    "(0, oo)": Interval.open(0, oo),
    "(-oo, oo)": sp.S.Reals,
    "[0, oo]": Interval(0, oo),
    " ( -1/2 , sqrt(2) ] ": Interval.Lopen(Rational(-1, 2), sp.sqrt(2)),
    "[-a, a]": Interval(-A, A),
    "(max(0, 1), 2)": Interval.open(1, 2),
    "(1, p)": Interval.open(1, P),
    "[c, a]": Interval(C, A),
    "{0}": FiniteSet(0),
    "{a}": FiniteSet(A),
    "[2, 2]": FiniteSet(2),
}


@pytest.mark.parametrize("text", DOMAINS)
def test_domain(text):
    domain, variable = parse_domain(text, parameters=DECLARED)
    assert domain == DOMAINS[text]
    assert variable == (U if "u" in text else None)
    assert parse_domain(text, "u", DECLARED) == (DOMAINS[text], U)
    assert domain_of(text, U, DECLARED) == DOMAINS[text]
    assert domain_of(domain, U, DECLARED) == domain


NO_DOMAIN = table("refused_texts")["domain"]


@pytest.mark.parametrize("text", NO_DOMAIN)
def test_an_invalid_domain_is_refused(text):
    with pytest.raises(ExpressionError, match=r"^domain[:,]") as caught:
        parse_domain(text, parameters=DECLARED)
    assert caught.match(NO_DOMAIN[text])


u, a = sp.symbols("u a")


@pytest.mark.parametrize(
    ("given_", "expected"),
    [
        (None, None),
        ((0, 1), Interval(0, 1)),
        ([0.1, a], Interval(Rational(1, 10), A)),
        (("0", "oo"), Interval(0, oo)),
        ((-float("inf"), np.float64(0.5)), Interval(-oo, Rational(1, 2))),
        ((np.int64(0), 3), Interval(0, 3)),
        (u > 0, Interval.open(0, oo)),
        (sp.And(u > 0, u <= a), Interval.Lopen(0, A)),
        (sp.Eq(u, 0), FiniteSet(0)),
        (sp.true, sp.S.Reals),
        (Interval(0, a), Interval(0, A)),
        (Interval(-oo, oo), sp.S.Reals),
        (FiniteSet(0), FiniteSet(0)),
    ],
)
def test_other_objects_are_read_as_domains(given_, expected):
    assert domain_of(given_, "u", DECLARED) == expected


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ((1, 0), "is empty"),
        ((0,), "a tuple holds two ends"),
        ((0, "__import__('os')"), "is not a name"),
        ((0, float("nan")), "nan is not a number"),
        ((0, None), "is not a SymPy expression"),
        (sp.S.EmptySet, "it is empty"),
        (sp.false, "it is empty"),
        (sp.Union(Interval(0, 1), Interval(2, 3)), "a union is not the domain"),
        (sp.Or(u > 1, u < 0), "a union is not the domain"),
        (FiniteSet(0, 1), "a union is not the domain"),
        (sp.S.Integers, "Integers is not read"),
        (Interval(0, sp.Symbol("z")), "the symbol z is not known"),
        (sp.And(u > 0, sp.Symbol("x") > 1), "'x' is not known"),
        (5, "int is not a domain"),
        (u, "is not a comparison"),
    ],
)
def test_other_objects_as_domains_are_refused(given_, says):
    with pytest.raises(ExpressionError, match=says):
        domain_of(given_, "u", DECLARED)


numbers = st.integers(-30, 30).map(lambda k: Rational(k, 4))


@given(low=numbers, high=numbers, low_open=st.booleans(), high_open=st.booleans(), factor=st.integers(1, 5))
def test_every_spelling_of_an_interval_is_the_same(low, high, low_open, high_open, factor):
    first, second = "<" if low_open else "<=", "<" if high_open else "<="
    spellings = (
        f"{low} {first} u {second} {high}",
        f"u {second} {high} and {low} {first} u",
        f"{factor}*u {second} {factor}*({high}) and -u {first} {-low}",
        f"{'(' if low_open else '['}{low}, {high}{')' if high_open else ']'}",
    )
    expected = Interval(low, high, low_open, high_open)
    for text in spellings:
        if expected is sp.S.EmptySet:
            with pytest.raises(ExpressionError, match="is empty"):
                parse_domain(text, "u")
        else:
            assert parse_domain(text, "u")[0] == expected
