"""Derivations and proofs are of the function as it was typed, at any scale."""

import math

import pytest
import sympy as sp

import workbench as wb
from tests.helpers.amounts import few
from tests.helpers.typed_functions import TypedFunction, all_functions, judged, supremum
from workbench.conjugates.convex import curvature, limits, shape, tidy, verify
from workbench.conjugates.convex.conjugate_pieces import joined
from workbench.conjugates.convex.function import Knot, Part
from workbench.conjugates.convex.parse import from_sympy, parse_expression
from workbench.conjugates.convex.piece_conjugate import Chart
from workbench.conjugates.convex.setting import Setting, Split

U = sp.Symbol("u", real=True)
# Text: {v: q(v)}.
LOST = {
    "sqrt(u)**2": {0.3: 0.0, -5.0: 0.0, 1.5: math.inf},
    "exp(2*log(u))": {-3.0: 0.0, 3.0: 2.25},
    "u**0.5*u**1.5": {-3.0: 0.0, 3.0: 2.25},
    "log(u) - log(u) + u**2": {-3.0: 0.0, 3.0: 2.25},
    "0*log(u) + u": {0.5: 0.0, 1.5: math.inf},
    "sqrt(-u)**2": {0.3: 0.0, -1.5: math.inf},
    "sin(asin(u))": {3.0: 2.0, -1.0: 2.0},
    "cosh(acosh(u))": {0.0: -1.0, 1.5: math.inf},
    "u**2 if u > 1 else 2*sqrt(u)**2 - 1": {-2.0: 1.0, 4.0: 4.0},
}
HOLES = {
    "u**2/u": {1.0: 0.0, 2.0: math.inf},
    "(u**2 - 1)/(u - 1)": {1.0: -1.0, 0.5: math.inf},
    "abs(u)/abs(u)*u**2": {3.0: 2.25},
}
SCALED = {
    "1e-12*u*log(u)": {-1e-12: 1e-12 * math.exp(-2), 2e-12: 1e-12 * math.e},
    "1e-300*u*log(u)": {-1e-300: 1e-300 * math.exp(-2), 2e-300: 1e-300 * math.e},
    "1e300*(u*log(u))": {-1e300: 1e300 * math.exp(-2), 2e300: 1e300 * math.e},
    "1e-100*max(0, 1 - u)": {-0.3e-100: -0.3e-100, 1e-100: math.inf},
    "1e-200*exp(u)": {2e-200: 2e-200 * (math.log(2) - 1), -1e-200: math.inf},
}


@pytest.mark.parametrize("text", [*LOST, *HOLES, *SCALED])
def test_conjugate_of_typed_text(text):
    pair = wb.conjugate(text)
    for v, value in {**LOST, **HOLES, **SCALED}[text].items():
        assert pair.q(v) == pytest.approx(value, rel=1e-12, abs=0.0)
    assert pair.proof()["function"]["text"] == text


@pytest.mark.parametrize(
    "text", ["sqrt(u)**2", "sin(asin(u))", "(u**2 - 1)/(u - 1)", "u**2/u", "1e-300*u*log(u)"]
)
def test_typed_text_is_proved(text):
    assert wb.conjugate(text).verify().status == "proved"


# Text: slopes, at which the oracle has the supremum to 50 digits, and the last part as it is printed.
PLAIN = {
    "abs(u)**1.05": ((0.5, -1.0, 2.0), "(20*v/21)**21/20"),
    "abs(u)**1.001": ((0.9, -1.0, 1.001), "(1000*v/1001)**1001/1000"),
    "sqrt(u**2 - 2*u + 1)": ((-0.75, 0.3, 0.9), "v"),
    "-log((1 + tanh(u))/2)": ((-1.5, -0.25), "-v*log(-v)/2 + (v + 2)*log(v + 2)/2 - log(2)"),
    "u*atan(u) - log(1 + u**2)/2": ((-1.5, 0.3, 1.0), "-log(cos(v))"),
}


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=[pytest.mark.long] * (k not in (0, 2))) for k, text in enumerate(PLAIN)],
)
def test_conjugate_is_the_supremum_and_reads_plainly(text):
    pair = wb.conjugate(text)
    slopes, printed = PLAIN[text]
    assert str(pair.q.parts[-1].expr) == printed
    for v in slopes:
        assert pair.q(v) == pytest.approx(float(supremum(TypedFunction(text), v)[0]), rel=1e-13)


def test_coefficient_of_a_high_power_is_raised_with_its_base():
    for form in (sp.Rational(20**20, 21**21) * U**21 - U, -(sp.Integer(7) ** 30) * U**30):
        short = tidy.with_short_powers(form)
        assert len(str(short)) < 30 < len(str(form))
        assert sp.expand(short - form) == 0
    for form in (U**2 / 2, sp.Integer(10) ** 300 * U**2, sp.log(U)):
        assert tidy.with_short_powers(form) == form


def test_half_line_far_from_zero_is_proved():
    pair = wb.conjugate("exp(u)", "u <= -1e5")
    assert pair.verify().status == "proved"
    assert (pair.q(0.0), pair.q(2.0), pair.q(-1.0)) == (0.0, -2e5, math.inf)


def test_range_narrows_to_the_exponent_that_makes_it_convex():
    setting = Setting(parse_expression("u**a*log(u)", {"a": "a >= 1"}).parameters)
    a = setting.parameters["a"].symbol
    piece = Part(sp.S.Zero, sp.oo, setting.enter(U**a * sp.log(U)))
    with pytest.raises(Split) as split:
        curvature.refuse_bent_down(piece, piece.expr, U, setting)
    assert sp.Eq(a, 1) in split.value.conditions


def test_proof_of_simplified_text_is_rejected():
    proof = wb.conjugate("u", domain="u >= 0").proof()
    typed = {**proof, "function": {**proof["function"], "domain": "", "text": "sqrt(u)**2"}}
    simplified = {**proof, "function": {**proof["function"], "domain": ""}}
    shown = [{claim.name: claim.shown for claim in verify.claims.check(text)} for text in (typed, simplified)]
    assert [text["cover"] for text in shown] == [True, False]


def test_isolated_place_makes_a_domain_not_convex():
    with pytest.raises(wb.ConvexityError, match="finite at u = 0"):
        wb.conjugate("sqrt(u**2*(u - 1))**2")


def test_point_outside_typed_domain_is_refused():
    with pytest.raises(wb.ExpressionError, match="not finite at u = -1"):
        wb.conjugate("sqrt(u)**2", domain="{-1}")


def test_regularizer_keeps_typed_domain():
    regularizer = wb.regularizers.custom("sqrt(w)**4")
    assert regularizer.entry["lower"] == 0.0
    assert regularizer.proof_status["bound"] == "proved"


def test_parameters_enter_typed_text():
    parsed = parse_expression("a*exp(a*u)", {"a": "real"})
    (a,) = (parameter.symbol for parameter in parsed.parameters.values())
    assert (
        parsed.with_values({a: sp.Rational(-1, 2)}, sp.Symbol("w", real=True)).text
        == "(-1/2)*exp((-1/2)*(w))"
    )


def test_requirements_survive_simplification():
    assert [need.function for need in parse_expression("log(u) - log(u)").needs] == [U]
    assert from_sympy(sp.sqrt(U) ** 3).needs[0].function == U
    assert parse_expression("sqrt(u)**2").where_real == sp.Piecewise((U, U >= 0), (sp.oo, True))


LIMITS = {
    "log(u)/10**12": sp.oo,
    "1 + log(u)/10**12": sp.oo,
    "1/u + log(u)/10**12": sp.oo,
    "10**300/u": 0,
    "exp(exp(exp(u)))": sp.oo,
    "1/(10**300*u) + 1/10**290": sp.Rational(1, 10**290),
}


@pytest.mark.parametrize("text", LIMITS)
def test_limit_at_any_scale(text):
    assert limits.one_sided(sp.sympify(text, {"u": U}), U, sp.oo, -1, Setting()) == LIMITS[text]


@pytest.mark.parametrize("center", ["20", "21.7", "23.99", "50", "1e5"])
def test_dip_far_out_is_found(center):
    with pytest.raises(wb.ConvexityError, match="midpoint"):
        wb.conjugate(f"u**2 + 3*exp(-1000*(u - {center})**2)/1000")


def test_undecided_convexity_raises(monkeypatch):
    text = "u**2 + abs(u)"
    assert wb.conjugate(text).verify().status == "proved"
    monkeypatch.setattr(shape, "refuse_bent_down", lambda *arguments: False)
    assert wb.conjugate(text).verify().status == "proved"
    monkeypatch.setattr(verify.claims.Proof, "convex", lambda self: "that p'' >= 0 on piece 1")
    with pytest.raises(wb.UndecidedError, match=r"whether u\*\*2 \+ abs"):
        wb.conjugate(text)


def test_search_says_whether_curvature_is_decided(monkeypatch):
    piece = Part(-sp.oo, sp.oo, U**2 + sp.exp(-(U**2)) / 10)
    assert curvature.refuse_bent_down(piece, piece.expr, U, Setting())
    monkeypatch.setattr(curvature, "least", lambda *arguments: None)
    monkeypatch.setattr(curvature, "_sign_between", lambda *arguments: None)
    assert not curvature.refuse_bent_down(piece, piece.expr, U, Setting())


def test_conjugate_is_real_in_every_part():
    expression, v = sp.sqrt(U**4 + 1), sp.Symbol("v", real=True)
    piece = Part(sp.S.Zero, sp.oo, expression, slopes=(sp.S.Zero, sp.oo))
    chart = Chart(piece, U, v, Setting(), sp.S.Zero, (1, 1), (True, True))
    angle = 1 + 216 / chart.W**4
    unreal, real = (
        chart.W * sp.sqrt(6 * outer(inner(angle) / 3) + 3) / 6
        for outer, inner in ((sp.cos, sp.acos), (sp.cosh, sp.acosh))
    )
    assert [chart.accepts(unreal), chart.accepts(real)] == [False, True]


def test_parts_meet_where_their_formula_has_no_value():
    parts = [Part(low, high, sp.sin(U) / U) for low, high in ((-sp.oo, sp.S.Zero), (sp.S.Zero, sp.oo))]
    knots = [Knot(sp.S.Zero, sp.S.One)]
    assert joined(U, parts, knots) == (parts, knots)
    smooth = [part._replace(expr=U**2) for part in parts]
    assert [len(piece) for piece in joined(U, smooth, knots)] == [1, 0]


@pytest.mark.parametrize("case", few(all_functions(), 2), ids=lambda case: f"{case.text} on {case.domain}")
def test_typed_functions_have_their_suprema_to_50_digits(case):
    outcome, detail = judged(case)
    assert outcome in ("right", "refused", "undecided"), detail
