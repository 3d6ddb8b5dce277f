"""Conjugation as a caller meets it: domains, calls, parameters, refusals, steps and claims."""

import copy
import functools
import math
import re

import mpmath
import numpy as np
import pytest
import sympy as sp

import workbench as wb
from workbench.convex import comparison, judged, spans
from workbench.convex import conjugate as derivation
from workbench.convex.curvature import Proof
from workbench.convex.function import ConvexFunction, Knot, Part
from workbench.convex.parse import parse_expression
from workbench.convex.proof import STATUSES, Claim, Verification
from workbench.convex.spans import Span, assembled
from workbench.errors import ExpressionError, InputError

Interval = sp.Interval
V = sp.Symbol("v", real=True)
IMPLICIT = ("exp(u) + u**4/4", "cosh(u) + abs(u)**3/3", "u**2/2 + log(1 + exp(u))", "exp(u) - log(u)")
CLOSED = ("exp(u)", "-log(u)", "log(1 + exp(u))", "abs(u)", "max(0, 1 - u)**2/2", "sqrt(1 + u**2)", "2*u - 1")


@functools.cache
def derived(text, domain=None, **parameters):
    return wb.conjugate(text, domain=domain, parameters=parameters)


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
    "7": (sp.Reals, sp.FiniteSet(0)),
}


@pytest.mark.parametrize("text", NATURAL)
def test_natural_domain(text):
    pair = derived(text)
    assert (pair.p.domain, pair.q.domain) == NATURAL[text]


UNIT = {
    "text": "0 <= u <= 1", "open text": "0 < u < 1", "half-open text": "u > 0 and u <= 1",
    "SymPy": Interval(0, 1), "half-open SymPy": Interval.Lopen(0, 1), "open SymPy": Interval.open(0, 1),
    "tuple": (0, 1), "floats": (0.0, 1.0),
}  # fmt: skip


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
def test_values_that_are_no_points(text):
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


def supremum(p, v, low, high):
    """sup of u v - p(u), by thirds of an interval that holds the maximizer."""
    for _ in range(220):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if left * v - p(left) < right * v - p(right):
            low = left
        else:
            high = right
    return low * v - p(low)


DIRECT = {
    "exp(u) + u**4/4": (lambda u: mpmath.exp(u) + u**4 / 4, -20, 20),
    "cosh(u) + abs(u)**3/3": (lambda u: mpmath.cosh(u) + abs(u) ** 3 / 3, -20, 20),
    "u**2/2 + log(1 + exp(u))": (lambda u: u**2 / 2 + mpmath.log1p(mpmath.exp(u)), -40, 40),
    "exp(u) - log(u)": (lambda u: mpmath.exp(u) - mpmath.log(u), 0, 20),
}


@pytest.mark.parametrize("text", IMPLICIT)
def test_no_closed_form(text):
    pair = derived(text)
    assert (pair.p.implicit, pair.q.implicit) == (False, True)
    p, low, high = DIRECT[text]
    slopes = np.array([-17.5, -2, -0.125, 0, 0.75, 3, 29])
    with mpmath.workdps(40):
        wanted = [float(supremum(p, mpmath.mpf(v), mpmath.mpf(low), mpmath.mpf(high))) for v in slopes]
    np.testing.assert_allclose(pair.q(slopes), wanted, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("text", CLOSED)
def test_closed_forms_say_so(text):
    assert not derived(text).q.implicit


# Parameters


def test_parameters():
    q = derived("a*exp(u)", a="0 < a <= 2").q
    assert q(1.0, a=1) == q(1.0, a=np.float64(1)) == q(1.0, a=sp.Integer(1)) == -1.0
    assert q(1.0, a=2) == pytest.approx(-math.log(2) - 1, rel=1e-15)
    for values, message in {
        (): r"parameter a has no value; call with a=\.\.\.",
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


# Refusals


NUMBER = r"(-?[\d.]+(?:e-?\d+)?)"
WITNESS = re.compile(
    rf"not convex: between \w+ = {NUMBER} and \w+ = {NUMBER}.*, its value at the midpoint {NUMBER} "
    rf"= {NUMBER} lies above the chord's {NUMBER}; restrict the domain"
)
NOT_CONVEX = (
    "sin(u)", "u**3", "-abs(u)", "abs(u**2 - 1)", "sqrt(abs(u))", "log(u)", "exp(-u**2)", "min(u, 2*u)",
    "u**4 - u**2/100", "exp(u) - u**2/1000", "u**2 if u > 0 else u", "u*exp(u)",
    "min(max(0, 1 - u), 2)", "log(1 + u**2)", "sqrt(1 - u**2)",
)  # fmt: skip


@pytest.mark.parametrize("text", NOT_CONVEX)
def test_refusal_names_two_points_and_the_midpoint(text):
    with pytest.raises(wb.ConvexityError) as refusal:
        wb.conjugate(text)
    found = WITNESS.search(str(refusal.value))
    assert found, str(refusal.value)
    with mpmath.workdps(30):
        left, right, middle, value, chord = (mpmath.mpf(number) for number in found.groups())
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
    "1/u + u": ("u == 0", ExpressionError, "no finite value at u = 0"),
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


HOSTILE = (
    "__import__('os').system('true')", "u.__class__", "(lambda: u)()", "9**9**9**9*u**2", "exec(u)",
    "(" * 300 + "u" + ")" * 300, "u; u", "u[0]", "", " ", "u = 2", "1/0", "u\x00",
    "u" * 100_000, "+".join(["u**2"] * 5_000),
)  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text(text):
    with pytest.raises(ExpressionError):
        wb.conjugate(text)
    with pytest.raises(ExpressionError):
        wb.conjugate("u**2", domain=text or "; ")


@pytest.mark.parametrize(
    "value", [None, b"u", 1j, lambda u: u, [], sp.I * V, sp.nan, sp.zoo, sp.Function("f")(V)]
)
def test_what_is_no_formula(value):
    with pytest.raises(ExpressionError):
        wb.conjugate(value)


# Steps


def balanced(latex):
    r"""Whether every brace and every \left is closed, in order."""
    depth, low = 0, 0
    for token in re.findall(r"(?<!\\)[{}]|\\left\b|\\right\b", latex):
        depth += 1 if token in ("{", r"\left") else -1
        low = min(low, depth)
    return depth == low == 0


@pytest.mark.parametrize("text", [*CLOSED, *IMPLICIT, "7", "-log(1 - u) - u"])
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


def test_steps_name_kinks_ends_and_what_has_no_closed_form():
    titles = [step.title for step in wb.conjugate("abs(u) + u**2/2", domain="u <= 1").steps]
    assert "The kink at u = 0" in titles
    assert "The end u = 1 of the domain" in titles
    assert len(wb.conjugate("u**2", domain="u == 2").steps) == 2
    assert any("No closed form" in step.reason for step in derived(IMPLICIT[0]).steps)


# What is claimed of a pair

PARAMETRIC = ("abs(u)**p/p", {"p": "p > 1"})
RIGHT = ("exp(u)", "-log(u)", "log(1 + exp(u))", "abs(u)", "max(0, 1 - u)**2/2", "u**2/2", "max(0, 1 - u)")
STEPS = {"convex": "p'' >= 0 on (", "piece": "q(p'(u)) - u p'(u) + p(u) simplifies to 0"}


def right(text):
    return derived(PARAMETRIC[0], **PARAMETRIC[1]) if text == PARAMETRIC[0] else derived(text)


def with_conjugate(pair, parts, knots=None):
    """The pair with another q: formulas on intervals, without the numbers that could stand in for them."""
    broken = copy.copy(pair)
    parts = [part._replace(inverse=None) for part in parts]
    broken.q = ConvexFunction(pair.q.variable, parts, pair.q.knots if knots is None else knots, pair.setting)
    return broken


def changed(pair, change, where=None):
    """The pair with change(q's formula, v) in all parts or in one."""
    chosen = range(len(pair.q.parts)) if where is None else (where,)
    parts = [
        part._replace(expr=change(part.expr, pair.q.variable)) if k in chosen else part
        for k, part in enumerate(pair.q.parts)
    ]
    return with_conjugate(pair, parts)


def failed(pair):
    """The detail of the numbers that failed; of the other claims, only that of the domain may have."""
    verification = pair.verify()
    assert verification.status == "failed"
    found = {claim.name: claim.detail for claim in verification.claims if claim.status == "failed"}
    assert found.keys() <= {"numbers", "domain"}
    return found["numbers"]


CHANGES = {
    "shift": lambda q, v: q + 1,
    "little shift": lambda q, v: q - sp.Rational(1, 10**12),
    "scale": lambda q, v: q * sp.Rational(1001, 1000) + sp.Rational(1, 10**6),
    "tilt": lambda q, v: q + v / 100 + sp.Rational(1, 7),
    "sign": lambda q, v: -q - 1,
    "bend": lambda q, v: q + (v - 3) ** 2 / 100,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("text", [*RIGHT, PARAMETRIC[0]])
def test_a_wrong_formula_fails(text, change):
    assert re.fullmatch(r"q\(.+\) = .+, not .+", failed(changed(right(text), CHANGES[change])))


@pytest.mark.parametrize(("text", "part"), [("max(0, 1 - u)**2/2 + abs(u)", k) for k in range(3)])
def test_one_wrong_part_of_several_fails(text, part):
    pair = derived(text)
    assert pair.verify().status == "proved"
    failed(changed(pair, CHANGES["tilt"], part))


def test_a_wrong_domain_fails():
    exp, log, soft = (derived(text) for text in ("exp(u)", "-log(u)", "log(1 + exp(u))"))
    (part,) = exp.q.parts
    failed(with_conjugate(exp, [part._replace(low=sp.Integer(1))], ()))
    failed(with_conjugate(exp, [part._replace(high=sp.Integer(4))]))
    failed(with_conjugate(exp, [Part(sp.Integer(-1), sp.S.Zero, sp.S.Zero), part]))
    failed(with_conjugate(log, [*log.q.parts, Part(sp.S.Zero, sp.oo, sp.S.Zero)]))
    (part,) = soft.q.parts
    failed(with_conjugate(soft, [part, Part(sp.S.One, sp.Integer(2), sp.S.Zero)]))
    line = derived("2*u - 1")
    failed(with_conjugate(line, [], (Knot(sp.Integer(3), sp.S.One),)))
    failed(with_conjugate(line, [], (Knot(sp.Integer(2), sp.S.Zero),)))
    failed(with_conjugate(line, [Part(-sp.oo, sp.oo, sp.S.One)], ()))


@pytest.mark.parametrize("text", ["exp(u)", "log(1 + exp(u))", "max(0, 1 - u)**2/2", PARAMETRIC[0]])
def test_a_wrong_span_is_not_proved(text):
    pair = copy.copy(right(text))
    for change in ("shift", "scale", "bend"):
        for k, span in enumerate(pair.spans):
            if span.kind != "piece":
                continue
            wrong = span._replace(expr=CHANGES[change](span.expr, pair.q.variable))
            broken = copy.copy(pair)
            broken.spans = (*pair.spans[:k], wrong, *pair.spans[k + 1 :])
            # The derivation's own notes count for nothing: what is judged is the q that is evaluated.
            assert broken.verify().status == "proved"
            broken.q = assembled(pair.shape, broken.spans, pair.ends, pair.q.variable, pair.setting)
            verification = broken.verify()
            pieces = [claim.status for claim in verification.claims if claim.name.startswith("piece")]
            assert pieces.count("checked") == 1
            assert verification.status == "failed"


def test_a_wrong_derivation_is_refused(monkeypatch):
    """Numbers that share no formula with the derivation contradict it before anything is given."""
    solve = spans._solve

    def wrong(shape, k, v, setting):
        return [span._replace(expr=span.expr + v / 1000) for span in solve(shape, k, v, setting)]

    monkeypatch.setattr(spans, "_solve", wrong)
    with pytest.raises(wb.ConvexityError, match=r"the derivation and the numbers disagree \(q\(.+, not .+\)"):
        wb.conjugate("exp(u)")
    monkeypatch.setattr(spans, "_solve", solve)
    monkeypatch.setattr(derivation, "end_values", lambda *_: (None, None))
    line = Span(-sp.oo, sp.oo, "place", 0, sp.S.Zero, sp.S.Zero)
    monkeypatch.setattr(derivation, "spans_of", lambda *_: (line,))
    with pytest.raises(wb.ConvexityError, match="disagree"):
        wb.conjugate("u**2")


@pytest.mark.parametrize("text", [*RIGHT, PARAMETRIC[0], "7", *IMPLICIT, "u**2 + sin(u)"])
def test_a_status_is_that_of_the_weakest_claim(text):
    verification = right(text).verify()
    statuses = [claim.status for claim in verification.claims]
    assert verification.status == min(statuses, key=STATUSES.index)
    assert (verification.status == "proved") == (set(statuses) == {"proved"})
    assert verification.status == ("checked" if right(text).q.implicit else "proved")
    for claim in verification.claims:
        assert len(claim.detail.split()) >= 5
        assert "\n" not in claim.detail
        unproved = claim.status == "checked" and claim.name != "numbers"
        assert claim.detail.startswith("missing step: ") == unproved


def test_nothing_claimed_is_nothing_proved():
    assert Verification(()).status == "failed"
    kinds = {name: Claim(name, name, "a sentence") for name in STATUSES}
    assert Verification((kinds["proved"], kinds["checked"])).status == "checked"
    assert Verification((kinds["checked"], kinds["failed"], kinds["proved"])).status == "failed"


@pytest.mark.parametrize("text", IMPLICIT)
def test_without_a_closed_form_nothing_is_proved(text):
    verification = derived(text).verify()
    assert verification.status == "checked"
    assert any("no closed form" in claim.detail for claim in verification.claims)


def test_convexity_that_intervals_show_is_named():
    pair = derived("u**2 + sin(u)*exp(-u**2)/3")
    convex = next(claim for claim in pair.verify().claims if claim.name == "convex")
    assert convex.status == "proved"
    assert re.fullmatch(r"with interval arithmetic, \d+ boxes", convex.kind)
    assert convex.detail.endswith(f"proved {convex.kind}")


@pytest.mark.parametrize("name", ["convex", "piece on (-oo, oo)"])
def test_a_step_that_is_missing_is_named(monkeypatch, name):
    """Whatever is not shown, the claim is checked, says which step is missing, and so is the whole."""
    pair = wb.conjugate("exp(u)")
    if name == "convex":
        doubt = Proof("checked", "no negative value at the sampled points")
        pair.shape = pair.shape._replace(proofs=(doubt,))
    else:
        monkeypatch.setattr(judged, "conjugate_identity", lambda *_: False)
    verification = pair.verify()
    (claim,) = [claim for claim in verification.claims if claim.name == name]
    assert (claim.status, verification.status) == ("checked", "checked")
    assert f"missing step: {STEPS[name.split()[0]]}" in claim.detail
    # Numbers alone imply nothing.
    assert verification.claims[-1].status == "checked"


def test_a_limit_known_in_numbers_alone_is_not_proved():
    pair = copy.deepcopy(wb.conjugate("exp(u)"))
    pair.setting.unproved.append("the limit of exp(u) as u tends to -oo is 0")
    claims = {claim.name: claim for claim in pair.verify().claims}
    assert claims["domain"].status == "checked"
    assert "missing step: the limit of" in claims["domain"].detail
    assert pair.verify().status == "checked"


def test_numbers_that_contradict_outweigh_a_proof(monkeypatch):
    pair = wb.conjugate("exp(u)")
    supremum = comparison.supremum
    monkeypatch.setattr(comparison, "supremum", lambda *a: supremum(*a) + mpmath.mpf(10) ** -9)
    assert pair.verify().status == "failed"
