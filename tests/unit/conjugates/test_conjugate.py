"""Conjugation as a caller meets it: domains, calls, parameters, refusals, steps and claims."""

import math

import numpy as np
import pytest
import sympy as sp

import workbench as wb
from tests.corpora.conjugate_cases import CLOSED, IMPLICIT, derived
from tests.helpers.typed_functions import TypedFunction, supremum
from workbench._support.errors import ExpressionError, InputError

Interval = sp.Interval
V = sp.Symbol("v", real=True)


# Domains

NATURAL = {
    # formula: (domain of p, domain of q)
    "u**2": (sp.Reals, sp.Reals),
    "exp(u)": (sp.Reals, Interval(0, sp.oo)),  # u v - e^u tends to 0 at v = 0
    "exp(-u)": (sp.Reals, Interval(-sp.oo, 0)),
    "-log(u)": (Interval.open(0, sp.oo), Interval.open(-sp.oo, 0)),  # ln u has no bound
    "-log(-u)": (Interval.open(-sp.oo, 0), Interval.open(0, sp.oo)),
    "-log(1 - u) - u": (Interval.open(-sp.oo, 1), Interval.open(-1, sp.oo)),
    "u*log(u)": (Interval(0, sp.oo), sp.Reals),
    "u*log(u) + (1 - u)*log(1 - u)": (Interval(0, 1), sp.Reals),
    "1/sqrt(u)": (Interval.open(0, sp.oo), Interval(-sp.oo, 0)),
    "-sqrt(u)": (Interval(0, sp.oo), Interval.open(-sp.oo, 0)),
    "-sqrt(1 - u**2)": (Interval(-1, 1), sp.Reals),
    "u**(3/2)": (Interval(0, sp.oo), sp.Reals),
    "log(1 + exp(u))": (sp.Reals, Interval(0, 1)),
    "sqrt(1 + u**2)": (sp.Reals, Interval(-1, 1)),
    "abs(u)": (sp.Reals, Interval(-1, 1)),
    "max(0, u)": (sp.Reals, Interval(0, 1)),
    "max(0, 1 - u)**2/2": (sp.Reals, Interval(-sp.oo, 0)),
    "u**2 if u >= 0 else oo": (Interval(0, sp.oo), sp.Reals),
    "2*u - 1": (sp.Reals, sp.FiniteSet(2)),
    "max(-log(u), u)": (Interval.open(0, sp.oo), Interval(-sp.oo, 1)),  # a maximum is real where both are
    "max(-sqrt(u), -u)": (Interval(0, sp.oo), Interval.open(-sp.oo, 0)),
    "7": (sp.Reals, sp.FiniteSet(0)),
}


@pytest.mark.parametrize("text", NATURAL)
def test_natural_domain(text):
    pair = derived(text)
    assert (pair.p.domain, pair.q.domain) == NATURAL[text]


UNIT = {
    "text": "0 <= u <= 1",
    "open text": "0 < u < 1",
    "half-open text": "u > 0 and u <= 1",
    "SymPy": Interval(0, 1),
    "half-open SymPy": Interval.Lopen(0, 1),
    "open SymPy": Interval.open(0, 1),
    "tuple": (0, 1),
    "floats": (0.0, 1.0),
}


@pytest.mark.parametrize("domain", UNIT.values(), ids=UNIT)
def test_given_domain_and_its_closure(domain):
    """p is closed: an end that was left out comes back where p has a limit there."""
    pair = wb.conjugate("u**2", domain=domain)
    assert pair.p.domain == Interval(0, 1)
    assert pair.q.domain == sp.Reals
    assert pair.p([-0.1, 0, 0.5, 1, 1.1]).tolist() == [math.inf, 0, 0.25, 1, math.inf]
    assert pair.q([-1, 0, 1, 2, 3]).tolist() == [0, 0, 0.25, 1, 2]


@pytest.mark.parametrize("domain", ["u == 2", "2 <= u <= 2", sp.FiniteSet(2), (2, 2)])
def test_one_point(domain):
    pair = wb.conjugate("u**2", domain=domain)
    assert (pair.p.domain, pair.q.domain) == (sp.FiniteSet(2), sp.Reals)
    assert pair.q.expr == 2 * V - 4
    assert pair.p([1, 2, 3]).tolist() == [math.inf, 4, math.inf]


def test_half_lines_and_the_formulas_own_domain():
    assert wb.conjugate("u**2", domain=(0, math.inf)).q.domain == sp.Reals
    assert wb.conjugate("u**2", domain="u >= 1").p.domain == Interval(1, sp.oo)
    # The logarithm ends at 0 whatever was named.
    assert wb.conjugate("-log(u)", domain="u > -1").p.domain == Interval.open(0, sp.oo)
    # At 1 the value is 0, so the slopes below that at the end belong to it.
    pair = wb.conjugate("-log(u)", domain="u >= 1")
    assert pair.q([-3.0, -1.0, 0.0]).tolist() == [-3.0, -1.0, math.inf]


def test_ends_that_no_point_attains():
    exp, log, softplus = (derived(text).q for text in ("exp(u)", "-log(u)", "log(1 + exp(u))"))
    assert exp([-1e-9, 0.0, 1.0]).tolist() == [math.inf, 0.0, -1.0]
    assert log([-1.0, 0.0, 1e-9]).tolist() == [-1.0, math.inf, math.inf]
    assert softplus([-1e-9, 0.0, 1.0, 1.000001]).tolist() == [math.inf, 0.0, 0.0, math.inf]


# Calls


def test_shapes():
    q = derived("exp(u)").q
    assert type(q(1)) is type(q(np.float32(1))) is type(q(np.array(1.0))) is float
    for shape in ((0,), (3,), (2, 0), (2, 1, 3)):
        assert q(np.ones(shape)).shape == shape
        assert np.all(q(np.ones(shape)) == -1)
    assert q([[0, 1], [1, 0]]).tolist() == [[0, -1], [-1, 0]]


@pytest.mark.parametrize("text", [*CLOSED, IMPLICIT[0]])
def test_nan_stays_nan_and_infinite_slopes_have_infinite_values(text):
    pair = derived(text)
    for function in (pair.p, pair.q):
        assert math.isnan(function(math.nan))
        values = function([math.nan, math.inf, -math.inf])
        assert np.isnan(values).tolist() == [True, False, False]
    # No slope is infinite, so neither belongs to the domain of q.
    assert pair.q([math.inf, -math.inf]).tolist() == [math.inf, math.inf]


def test_far_values():
    q = derived("exp(u)").q
    assert q(1e300) == pytest.approx(1e300 * (math.log(1e300) - 1), rel=1e-15)
    assert q(1e-300) == pytest.approx(1e-300 * (math.log(1e-300) - 1), rel=1e-15)
    assert derived("log(1 + exp(u))").q(1e-20) == pytest.approx(1e-20 * (math.log(1e-20) - 1), rel=1e-15)
    assert derived("sqrt(1 + u**2)").q(1 - 2**-40) == pytest.approx(-math.sqrt(2**-39 - 2**-80), rel=1e-15)


@pytest.mark.parametrize("text", IMPLICIT)
def test_no_closed_form(text):
    pair = derived(text)
    assert (pair.p.implicit, pair.q.implicit) == (False, True)
    slopes = np.array([-17.5, -2, -0.125, 0, 0.75, 3, 29])
    typed = TypedFunction(text, low=0.0 if "log(u)" in text else -math.inf)
    expected = [float(supremum(typed, v)[0]) for v in slopes]
    np.testing.assert_allclose(pair.q(slopes), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("text", CLOSED)
def test_closed_forms_say_so(text):
    assert not derived(text).q.implicit


# Parameters


def test_parameters():
    q = derived("a*exp(u)", a="0 < a <= 2").q
    assert q(1.0, a=1) == q(1.0, a=np.float64(1)) == q(1.0, a=sp.Integer(1)) == -1.0
    assert q(1.0, a=2) == pytest.approx(-math.log(2) - 1, rel=1e-15)
    for values, message in {
        (): r"parameter a: a value is missing; call with a=\.\.\.",
        (("a", 3),): "parameter a = 3.0 is outside 0 < a <= 2",
        (("a", 0),): "parameter a = 0.0 is outside 0 < a <= 2",
        (("a", math.nan),): "parameter a = nan is outside",
        (("a", math.inf),): r"parameter a = \+inf is outside",
        (("a", 1), ("b", 2)): "parameter 'b' does not occur; the parameters are: a",
    }.items():
        with pytest.raises(InputError, match=message):
            q(1.0, **dict(values))
    with pytest.raises(InputError, match="the parameters are: none"):
        derived("exp(u)").q(1.0, a=1)


def test_parameters_of_domains_and_of_each_other():
    pair = derived("max(b*u, c*u)", b="b < c", c="c > b")
    b, c = (sp.Symbol(name, real=True) for name in "bc")
    assert str(pair.q.domain) == str(Interval(b, c))
    assert pair.q([-2, -1, 0, 3, 4], b=-1, c=3).tolist() == [math.inf, 0, 0, 0, math.inf]
    with pytest.raises(InputError, match=r"parameter b = 3\.0 is outside"):
        pair.q(0.0, b=3, c=1)
    pair = derived("u**2/2", domain="abs(u) <= r", r="r > 0")
    assert pair.q([-2, 0.5, 2], r=1).tolist() == [1.5, 0.125, 1.5]
    assert pair.p([-1.5, 1.5], r=1).tolist() == [math.inf, math.inf]


def test_undeclared_names():
    with pytest.raises(ExpressionError, match="a and u are undeclared"):
        wb.conjugate("a*u**2")


# Constants, names, SymPy


@pytest.mark.parametrize(("text", "slope", "value"), [("7", 0, -7), ("u", 1, 0), ("2*u - 1/2", 2, 0.5)])
def test_affine_functions(text, slope, value):
    pair = derived(text)
    assert pair.q.domain == sp.FiniteSet(slope)
    assert pair.q([slope - 0.5, slope, slope + 0.5]).tolist() == [math.inf, value, math.inf]
    back = wb.conjugate(pair.q.expr, domain=pair.q.domain, variable="v").q
    assert sp.expand(back.expr.subs(back.variable, pair.p.variable) - pair.p.expr) == 0


def test_exponentials_of_lamberts_function_are_simplified():
    """e^W(z) = z / W(z)."""
    q = derived("u + exp(u) + u**2/2").q.expr
    assert q.has(sp.LambertW)
    assert not any(node.has(sp.LambertW) for node in q.atoms(sp.exp))


def test_constants_of_other_variables():
    assert str(wb.conjugate("3", variable="t").p.variable) == "t"
    pair = wb.conjugate("3", domain="0 <= t <= 1")
    assert (str(pair.p.variable), pair.p.domain) == ("t", Interval(0, 1))
    assert pair.q([-1, 2]).tolist() == [-3, -1]
    assert wb.conjugate(sp.Integer(3)).q(0.0) == -3


@pytest.mark.parametrize("name", ["x", "t", "theta", "w1"])
def test_other_variables(name):
    pair = wb.conjugate(f"log(1 + exp({name}))")
    assert str(pair.p.variable) == name
    assert pair.q.expr.free_symbols == {pair.q.variable} == {V}
    assert sp.simplify(pair.q.expr - derived("log(1 + exp(u))").q.expr) == 0
    assert name in pair.steps[1].latex or rf"\{name}" in pair.steps[1].latex or name == "w1"


def test_the_conjugates_variable_is_another_one():
    assert [str(name) for name in wb.conjugate("v**2").q.expr.free_symbols] == ["s"]
    pair = derived("v*u**2/2", v="v > 0")
    assert str(pair.q.variable) != "v"
    assert pair.q(2.0, v=4.0) == 0.5


def test_sympy_is_read_as_its_text():
    x, y = sp.Symbol("x"), sp.Symbol("x", positive=True)
    pairs = [wb.conjugate(expr) for expr in ("x*log(x) - x", x * sp.log(x) - x, y * sp.log(y) - y)]
    assert len({pair.q.expr for pair in pairs}) == 1
    # A symbol's own assumptions name no domain; the formula does.
    assert {pair.p.domain for pair in pairs} == {Interval(0, sp.oo)}
    pair = wb.conjugate(sp.Piecewise((x**2, x > 0), (sp.oo, True)))
    assert pair.p.domain == Interval(0, sp.oo)
    assert wb.conjugate(sp.Abs(x) + sp.Max(0, x)).q.domain == Interval(-1, 2)
