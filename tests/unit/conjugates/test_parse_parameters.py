"""Declared parameters: their ranges, what follows from their relations, and what their symbols know."""

import pytest
import sympy as sp
from sympy import Rational, oo

from tests.corpora import table
from workbench._support.errors import ExpressionError
from workbench.conjugates.convex.parse import Parameter, parse_expression, parse_parameters

U = sp.Symbol("u", real=True)
A = sp.Symbol("a", positive=True)

RANGES = {
    # what is declared of p: (lower, open, upper, open), and what its symbol knows
    "p > 1": ((1, True, oo, True), "positive"),
    "p >= 1": ((1, False, oo, True), "positive"),
    "1 < p": ((1, True, oo, True), "positive"),
    "0 < p < 1": ((0, True, 1, True), "positive"),
    "p > 1 and p <= 2": ((1, True, 2, False), "positive"),
    "p > 1 and p > 3 and p >= 2": ((3, True, oo, True), "positive"),
    "p >= 3 and p > 3": ((3, True, oo, True), "positive"),
    "p >= 0": ((0, False, oo, True), "nonnegative"),
    "p < 0": ((-oo, True, 0, True), "negative"),
    "p <= -1/2": ((-oo, True, Rational(-1, 2), False), "negative"),
    "p <= 0": ((-oo, True, 0, False), "nonpositive"),
    "-1 < p < 1": ((-1, True, 1, True), None),
    "abs(p) <= 1": ((-1, False, 1, False), None),
    "2*p > 1": ((Rational(1, 2), True, oo, True), "positive"),
    "1 - p >= 0": ((-oo, True, 1, False), None),
    "p > sqrt(2)": ((sp.sqrt(2), True, oo, True), "positive"),
    "sqrt(2) < p < 1.5": ((sp.sqrt(2), True, Rational(3, 2), True), "positive"),
    "p == 2": ((2, False, 2, False), "positive"),
    "0 < p < oo": ((0, True, oo, True), "positive"),
    "positive": ((0, True, oo, True), "positive"),
    "nonnegative": ((0, False, oo, True), "nonnegative"),
    "negative": ((-oo, True, 0, True), "negative"),
    "nonpositive": ((-oo, True, 0, False), "nonpositive"),
    " real ": ((-oo, True, oo, True), None),
}


@pytest.mark.parametrize("text", RANGES)
def test_the_range_of_a_parameter(text):
    bound, sign = RANGES[text]
    parameter = parse_parameters({"p": text})["p"]
    assert parameter.bounds == (bound,)
    assert parameter.symbol == sp.Symbol("p", real=True, **({sign: True} if sign else {}))
    assert parse_expression("u + p", {"p": text}).expr == U + parameter.symbol


def test_other_ways_to_declare():
    p, q = sp.symbols("p q")
    expected = parse_parameters({"p": "1 < p <= 2"})
    for given_ in (["p > 1", "p <= 2"], ("p > 1", p <= 2), sp.And(p > 1, p <= 2), expected["p"]):
        assert parse_parameters({"p": given_}) == expected
    assert parse_parameters(None) == parse_parameters({}) == {}
    assert parse_parameters(expected) == expected
    assert parse_parameters({**expected, "q": q > p})["q"].symbol.is_positive
    assert parse_parameters({"p": "p > 1"})["p"] == Parameter("p", ((1, True, oo, True),))


def test_relations_between_parameters():
    parameters = parse_parameters({"b": "b > a", "a": "positive"})
    assert parameters["b"].bounds == ((0, True, oo, True), (A, True, oo, True))
    assert parameters["b"].symbol.is_positive
    assert parameters["a"].bounds == ((0, True, oo, True),)
    assert parse_parameters({"a": "a < b", "b": "b <= 0"})["a"].symbol.is_negative
    assert parse_parameters({"a": "a > 1", "b": "b >= 2*a + 1"})["b"].bounds[0] == (3, True, oo, True)
    chain = parse_parameters({"a": "0 < a < b", "b": "b < c", "c": "c < 5"})
    assert chain["a"].bounds[0] == (0, True, 5, True)
    # A relation says something about both, wherever it stands.
    assert parse_parameters({"a": "a > 0", "b": "real", "c": "a < c < b"})["b"].symbol.is_positive


BAD = table("refused_texts")["parameter"]


@pytest.mark.parametrize("text", BAD)
def test_an_invalid_parameter_is_refused(text):
    with pytest.raises(ExpressionError, match=r"^parameter p[:,]") as caught:
        parse_parameters({"p": text})
    assert caught.match(BAD[text])


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"p": 5}, "int is not an assumption; write text such as 'p > 0'"),
        ({"p": None}, "NoneType is not an assumption"),
        ({"p": []}, "a list holds 1 to 10 texts, not 0"),
        ({"p": sp.false}, "never true"),
        ({"p": sp.Symbol("q") > 1}, "the symbol q is not known"),
        ({"p": sp.Or(sp.Symbol("p") > 1, sp.Symbol("p") < 0)}, "Or is not a comparison"),
        ({"exp": "real"}, "exp is a function"),
        ({"lambda": "real"}, "write lam"),
        ({"pi": "real"}, "pi is a constant"),
        ({"_p": "real"}, "is not a name"),
        ({"p q": "real"}, "is not a name"),
        ({5: "real"}, "a name is text, not int"),
        ({"p" * 21: "real"}, "20 is the most"),
        ({f"p{k}": "real" for k in range(11)}, "11 are too many; 10 are the most"),
        ("p > 1", "str is not a dict"),
        ([("p", "p > 1")], "list is not a dict"),
        ({"p": "p > 1", "q": "q > p and q < 1"}, "parameter q: no number has 1 < q < 1"),
        ({"a": "a < b", "b": "b < a"}, "the relations go in a circle"),
        ({"a": "a < b", "b": "b <= c", "c": "c <= a"}, "the relations go in a circle"),
    ],
)
def test_invalid_parameters_are_refused(declared, says):
    with pytest.raises(ExpressionError, match=says):
        parse_parameters(declared)
