"""Conjugation refuses functions that are not convex by name, and its steps can be read."""

import re

import mpmath
import pytest
import sympy as sp

import workbench as wb
from tests.corpora import table
from tests.corpora.conjugate_cases import CLOSED, IMPLICIT, derived
from tests.helpers.amounts import few
from workbench._support.errors import ConvexityError, ExpressionError, UndecidedError
from workbench.conjugates.convex.curvature import refuse_bent_down
from workbench.conjugates.convex.function import Part
from workbench.conjugates.convex.parse import parse_expression
from workbench.conjugates.convex.setting import Setting

V = sp.Symbol("v", real=True)
NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"
WITNESS = re.compile(
    rf"not convex: between \w+ = {NUMBER} and \w+ = {NUMBER}.*, its value at the midpoint {NUMBER} "
    rf"= {NUMBER} lies above the chord's {NUMBER}; restrict the domain"
)
NOT_CONVEX = table("formulas")["not_convex"]


@pytest.mark.parametrize("text", NOT_CONVEX)
def test_refusal_names_two_points_and_the_midpoint(text):
    with pytest.raises(wb.ConvexityError) as refusal:
        wb.conjugate(text)
    match = WITNESS.search(str(refusal.value))
    assert match, str(refusal.value)
    with mpmath.workdps(30):
        left, right, middle, value, chord = (mpmath.mpf(number) for number in match.groups())
        parsed = parse_expression(text)
        p = sp.lambdify(parsed.variable, parsed.expr, "mpmath")
        assert abs(middle - (left + right) / 2) <= 1e-5 * (1 + abs(middle))
        assert p((left + right) / 2) > (p(left) + p(right)) / 2
        # What the sentence says is what the function does, to the digits shown.
        assert value > chord
        assert abs(p(middle) - value) <= 1e-5 * abs(value) + abs(
            p(middle * (1 + mpmath.mpf("1e-5"))) - p(middle)
        )


REFUSED = {
    # formula: (domain, error, what the sentence says)
    "1/u": (None, wb.ConvexityError, r"finite on \(-oo, 0\) and \(0, oo\) but not between them"),
    "-log(u**2 - 1)": (None, wb.ConvexityError, r"finite on \(-oo, -1\) and \(1, oo\)"),
    "1/(1 - u**2)": (None, wb.ConvexityError, r"finite on \(-oo, -1\) and \(-1, 1\)"),
    "tan(u)": ("0 <= u <= 2", wb.ConvexityError, r"finite on \(0, pi/2\) and \(pi/2, 2\)"),
    "log(abs(u))": (None, wb.ConvexityError, r"finite on \(-oo, 0\) and \(0, oo\)"),
    "-1/u**2": (None, wb.ConvexityError, r"finite on \(-oo, 0\) and \(0, oo\)"),
    "log(-1 - u**2)": (None, ExpressionError, "real and finite on no interval"),
    "-log(u - 1) - log(-u)": (None, ExpressionError, "real and finite on no interval"),
    "-log(u)": ("u < 0", ExpressionError, "real and finite on no interval"),
    "1/u + u": ("u == 0", ExpressionError, "it is not finite at u = 0"),
    "u**2": ("u > 2 and u < 1", ExpressionError, r"\(2, 1\) is empty"),
    "u**2/2": ("u < 0 or u > 1", ExpressionError, "union"),
    "0 if u < 0 else 1": (None, wb.ConvexityError, "jumps from 0 to 1 at u = 0"),
    "u**2 if u < 1 else u**2 + 1": (None, wb.ConvexityError, "jumps from 1 to 2 at u = 1"),
    "u**2 if u < 1 else u - 1/2": (None, wb.ConvexityError, "jumps from 1 to 1/2 at u = 1"),
    "5 if u == 0 else u**2": (None, wb.ConvexityError, "at u = 0 alone it is 5"),
    "-5 if u == 0 else u**2": (None, wb.ConvexityError, "at u = 0 alone it is -5"),
    "piecewise((u**2, u < 1), (5, u <= 1), (u**2, True))": (
        None,
        wb.ConvexityError,
        "at u = 1 alone it is 5",
    ),
    "oo": (None, ExpressionError, "infinite everywhere"),
    "oo if u < 0 else oo": (None, ExpressionError, "infinite everywhere; give it"),
}


@pytest.mark.parametrize("text", REFUSED)
def test_refused(text):
    domain, error, message = REFUSED[text]
    with pytest.raises(error, match=message) as refusal:
        wb.conjugate(text, domain=domain)
    assert "\n" not in str(refusal.value)


def test_parameters_for_which_convexity_fails():
    # Where the function is convex for other values, the range is narrowed and said: test_conditions.
    with pytest.raises(wb.ConvexityError, match=r"p = 0\.5.*, its value at the midpoint"):
        wb.conjugate("abs(u)**p", parameters={"p": "0 < p < 1"})
    with pytest.raises(wb.ConvexityError, match="not convex"):
        wb.conjugate("b*u if u < 0 else a*u", parameters={"a": "a < b", "b": "a < b"})


@pytest.mark.parametrize(
    "value", [None, b"u", 1j, lambda u: u, [], sp.I * V, sp.nan, sp.zoo, sp.Function("f")(V)]
)
def test_an_invalid_formula_is_refused(value):
    with pytest.raises(ExpressionError):
        wb.conjugate(value)


# Steps


def balanced(latex):
    r"""Return True if every brace and every \left is closed, in order."""
    depth, low = 0, 0
    for token in re.findall(r"(?<!\\)[{}]|\\left\b|\\right\b", latex):
        depth += 1 if token in ("{", r"\left") else -1
        low = min(low, depth)
    return depth == low == 0


@pytest.mark.parametrize("text", few([*CLOSED, *IMPLICIT, "7", "-log(1 - u) - u"], 6))
def test_steps(text):
    pair = derived(text)
    assert len(pair.steps) >= 3
    assert pair.steps[0].title == "What is asked"
    assert pair.steps[-1].title == "The conjugate"
    assert pair.q.latex in pair.steps[-1].latex
    for step in pair.steps:
        assert step.title
        assert step.reason.endswith(".")
        assert step.latex
        assert balanced(step.latex)
    assert balanced(pair.p.latex)
    assert balanced(pair.q.latex)


def test_steps_name_kinks_ends_and_missing_closed_forms():
    titles = [step.title for step in wb.conjugate("abs(u) + u**2/2", domain="u <= 1").steps]
    assert "The kink at u = 0" in titles
    assert "The end u = 1 of the domain" in titles
    assert len(wb.conjugate("u**2", domain="u == 2").steps) == 2
    assert any("No closed form" in step.reason for step in derived(IMPLICIT[0]).steps)


def test_small_curvature_is_not_concavity():
    """Only intervals tell the two apart: p'' is at least 0.15 of one, and down to -0.05 of the other."""
    u = sp.Symbol("u", real=True)
    flat, bent = (u**2 / 10 + sp.sin(u) / divisor for divisor in (20, 4))
    refuse_bent_down(Part(sp.Integer(-3), sp.Integer(3), flat), flat, u, Setting())
    with pytest.raises(ConvexityError, match="not convex"):
        refuse_bent_down(Part(sp.Integer(-3), sp.Integer(3), bent), bent, u, Setting())


def test_a_refusal_of_the_search_is_not_about_the_text():
    with pytest.raises(UndecidedError):
        wb.conjugate("-log(cos(u))")


@pytest.mark.parametrize(
    ("text", "domain"), [("erf(u)", "u <= 0"), ("exp(u**2)", "u >= 1000"), ("abs(u)**1.001", None)]
)
def test_hard_functions_have_conjugates(text, domain):
    """They ended in a GrammarError, in Python's limit of digits, and without the limit of a power."""
    pair = wb.conjugate(text, domain=domain)
    assert pair.verify().status in ("proved", "checked")


def test_a_parameter_named_e_is_refused_with_the_meaning_of_e():
    with pytest.raises(ExpressionError, match=r"Euler's number 2\.71828"):
        wb.conjugate("max(0, abs(u) - e)", parameters={"e": "e > 0"})
