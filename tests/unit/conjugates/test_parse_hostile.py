"""The formulas that somebody hostile would try: each is refused, at once and wherever it stands."""

import time

import pytest
import sympy as sp

from tests.corpora import table
from workbench._support.errors import ExpressionError
from workbench.conjugates.convex import parse
from workbench.conjugates.convex.parse import domain_of, parse_domain, parse_expression, parse_parameters
from workbench.conjugates.convex.syntax.build import Builder

PARAMETERS = {"a": "a > 0", "p": "p > 1"}
PATIENCE = 5.0  # seconds of this thread's processor time; a refusal takes milliseconds

HOSTILE = table("formulas")["hostile"] | {
    "surrogate": "u\ud800",
    "very long integer": "9" * 900,
    "long exponent": "1e" + "9" * 500,
    "square of squares": "square(" * 20 + "10" + ")" * 20,
    "exponents that add": "*".join(["(7*u)**90"] * 40),
    "exp": "exp(" * 30 + "1" + ")" * 30,
    "factors": "*".join(["9" * 29] * 20) + "*" + "*".join(["9" * 29] * 10),
    "a million characters": "u+" * 500_000 + "u",
    "a million parentheses": "(" * 10**6,
    "a million blanks": " " * 10**6,
    "a million nulls": "\0" * 10**6,
    "parentheses": "(" * 300 + "u" + ")" * 300,
    "calls": "exp(" * 200 + "u" + ")" * 200,
    "minus": "-" * 900 + "u",
    "not": "not " * 240 + "u",
    "powers": "u**" * 300 + "u",
    "conditionals": "u if u > 0 else " * 60 + "u",
    "many parts": "u+" * 400 + "u",
    "commas": "," * 999,
    "many names": "+".join(f"v{k}" for k in range(100)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_at_once_wherever_it_stands(name):
    text = HOSTILE[name]
    readers = [
        lambda: parse_expression(text, PARAMETERS),
        lambda: parse_expression(text, PARAMETERS, "u"),
        lambda: parse_domain(f"u > {text}", "u", PARAMETERS),
        lambda: parse_domain(f"[0, {text})", "u", PARAMETERS),
        lambda: domain_of((0, text), "u", PARAMETERS),
        lambda: parse_parameters({"q": f"q > {text}"}),
        lambda: parse_parameters({text: "positive"}),
    ]
    for read in readers:
        start = time.thread_time()
        with pytest.raises(ExpressionError) as caught:
            read()
        assert time.thread_time() - start < PATIENCE
        sentence = str(caught.value)
        assert sentence.isprintable()
        assert len(sentence) < 1000


def test_what_sympy_does_not_finish_is_refused(monkeypatch):
    monkeypatch.setattr(parse, "SECONDS", 0.02)

    def endless(*_):
        while True:
            sp.Integer(7).factors()

    monkeypatch.setattr(Builder, "add", endless)
    readers = [lambda: parse_expression("1 + u"), lambda: parse_domain("u > 1 + a", "u", PARAMETERS)]
    readers += [
        lambda: domain_of((0, "1 + a"), "u", PARAMETERS),
        lambda: parse_parameters({"q": "q > 1 + 2"}),
    ]
    for read in readers:
        with pytest.raises(ExpressionError, match="SymPy takes too long to evaluate it; write it shorter"):
            read()


def test_an_end_that_is_not_real_is_refused():
    with pytest.raises(ExpressionError, match=r"the ends of .*: an end is not a real number"):
        domain_of((0, "where(p == -1, erf(2), tan(1/2)**2) + acosh(sec(10)/a**p)"), "u", PARAMETERS)


@pytest.mark.parametrize("text", [None, 5, b"u", ["u"], object(), float, 1.5])
def test_only_text_is_read(text):
    with pytest.raises(ExpressionError, match="is not text; write it as in"):
        parse_expression(text)


def test_text_of_a_class_of_its_own_is_read_as_text():
    class Sly(str):
        def __len__(self):
            return 1

        def __getitem__(self, key):
            return "u"

        def strip(self, *_):
            return "u"

    with pytest.raises(ExpressionError, match="cannot stand in a formula"):
        parse_expression(Sly("u.__class__"))
    with pytest.raises(ExpressionError, match="1001 characters are too many; 1000 is the most"):
        parse_expression(Sly("u" * 1001))


def test_long_sums_and_products_do_not_count_as_depth():
    assert parse_expression("+".join(["u"] * 140)).expr == 140 * parse_expression("u").expr
    assert parse_expression("*".join(["u"] * 60)).expr == parse_expression("u").expr ** 60
