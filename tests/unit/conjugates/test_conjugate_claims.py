"""Claims of a pair: a wrong formula fails, and nothing unproved is called proved."""

import copy
import re

import pytest
import sympy as sp

import workbench as wb
from tests.corpora.conjugate_cases import IMPLICIT, derived
from tests.helpers.amounts import few, latin
from workbench.conjugates.convex import conjugate as derivation
from workbench.conjugates.convex import conjugate_pieces, verify
from workbench.conjugates.convex.checker import claims
from workbench.conjugates.convex.function import ConvexFunction, Knot, Part
from workbench.conjugates.convex.proof import STATUSES, Claim, Verification

PARAMETRIC = ("abs(u)**p/p", {"p": "p > 1"})
RIGHT = ("exp(u)", "-log(u)", "log(1 + exp(u))", "abs(u)", "max(0, 1 - u)**2/2", "u**2/2", "max(0, 1 - u)")


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
    """The detail of the numbers that failed, or why nothing was compared."""
    verification = pair.verify()
    assert verification.status == "failed"
    return verification.claims[-1].detail


CHANGES = {
    "shift": lambda q, v: q + 1,
    "little shift": lambda q, v: q - sp.Rational(1, 10**12),
    "scale": lambda q, v: q * sp.Rational(1001, 1000) + sp.Rational(1, 10**6),
    "tilt": lambda q, v: q + v / 100 + sp.Rational(1, 7),
    "sign": lambda q, v: -q - 1,
    "bend": lambda q, v: q + (v - 3) ** 2 / 100,
}


@pytest.mark.parametrize(("text", "change"), latin([*RIGHT, PARAMETRIC[0]], CHANGES))
def test_a_wrong_formula_fails(text, change):
    assert re.fullmatch(r"q\(.+\) = .+, not .+", failed(changed(right(text), CHANGES[change])))


@pytest.mark.parametrize(("text", "part"), [("max(0, 1 - u)**2/2 + abs(u)", k) for k in range(3)])
def test_one_wrong_part_of_several_fails(text, part):
    pair = derived(text)
    assert pair.verify().status == "proved"
    failed(changed(pair, CHANGES["tilt"], part))


def test_a_wrong_domain_fails():
    exp, log, line = (derived(text) for text in ("exp(u)", "-log(u)", "2*u - 1"))
    (part,) = exp.q.parts
    failed(with_conjugate(exp, [part._replace(low=sp.Integer(1))], ()))
    failed(with_conjugate(exp, [part._replace(high=sp.Integer(4))]))
    failed(with_conjugate(exp, [Part(sp.Integer(-1), sp.S.Zero, sp.S.Zero), part]))
    failed(with_conjugate(log, [*log.q.parts, Part(sp.S.Zero, sp.oo, sp.S.Zero)]))
    failed(with_conjugate(line, [], (Knot(sp.Integer(3), sp.S.One),)))
    failed(with_conjugate(line, [], (Knot(sp.Integer(2), sp.S.Zero),)))
    failed(with_conjugate(line, [Part(-sp.oo, sp.oo, sp.S.One)], ()))


@pytest.mark.parametrize("text", few(["exp(u)", "log(1 + exp(u))", "max(0, 1 - u)**2/2", PARAMETRIC[0]], 1))
def test_a_wrong_span_is_not_proved(text):
    pair = copy.copy(right(text))
    for change in ("shift", "scale", "bend"):
        for k, part in enumerate(pair.conjugate_pieces):
            if part.index is None:
                continue
            wrong = part._replace(expr=CHANGES[change](part.expr, pair.q.variable))
            broken = copy.copy(pair)
            broken.conjugate_pieces = (*pair.conjugate_pieces[:k], wrong, *pair.conjugate_pieces[k + 1 :])
            # The derivation's own notes count for nothing: what is judged is the q that is evaluated.
            assert broken.verify().status == "proved"
            broken.q = ConvexFunction(pair.q.variable, broken.conjugate_pieces, pair.q.knots, pair.setting)
            assert broken.verify().status == "failed"


def test_a_wrong_derivation_is_refused(monkeypatch):
    """Numbers that share no formula with the derivation contradict it before anything is given."""
    solve = conjugate_pieces._solve

    def wrong(shape, k, v, setting):
        return [
            (*others, solved._replace(value=solved.value + v / 1000))
            for *others, solved in solve(shape, k, v, setting)
        ]

    monkeypatch.setattr(conjugate_pieces, "_solve", wrong)
    with pytest.raises(wb.UndecidedError, match=r"numbers disagree \(q\(.+, not .+\)"):
        wb.conjugate("exp(u)")
    monkeypatch.setattr(conjugate_pieces, "_solve", solve)
    line = Part(-sp.oo, sp.oo, sp.S.Zero, root=sp.S.Zero)
    monkeypatch.setattr(derivation, "conjugate_pieces_of", lambda *_: ([line], []))
    with pytest.raises(wb.UndecidedError, match="disagree"):
        wb.conjugate("u**2")


def test_an_error_of_the_search_leaves_the_question_open(monkeypatch):
    def broken(*_):
        raise AttributeError("no such coefficient")

    monkeypatch.setattr(derivation, "closed_shape", broken)
    with pytest.raises(wb.UndecidedError, match=r"exp\(u\) is convex: .*AttributeError \(no such"):
        wb.conjugate("exp(u)")


def test_an_error_of_the_checker_accepts_nothing(monkeypatch):
    def broken(_):
        raise IndexError("no such face")

    monkeypatch.setattr(claims._Case, "convex", broken)
    claims_by_name = {claim.name: claim for claim in wb.conjugate("exp(u)").verify().claims}
    assert claims_by_name["convex"].status == "checked"
    assert "IndexError: no such face" in claims_by_name["convex"].detail


@pytest.mark.parametrize("text", few([*RIGHT, PARAMETRIC[0], "7", *IMPLICIT, "u**2 + sin(u)"], 7))
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


def test_an_empty_list_of_claims_is_not_proved():
    assert Verification(()).status == "failed"
    kinds = {name: Claim(name, name, "a sentence") for name in STATUSES}
    assert Verification((kinds["proved"], kinds["checked"])).status == "checked"
    assert Verification((kinds["checked"], kinds["failed"], kinds["proved"])).status == "failed"


@pytest.mark.parametrize("text", IMPLICIT)
def test_a_conjugate_without_a_closed_form_is_not_proved(text):
    verification = derived(text).verify()
    assert verification.status == "checked"
    assert any("a closed form of q" in claim.detail for claim in verification.claims)


@pytest.mark.long
def test_convexity_is_shown_by_intervals_where_exact_tests_fail():
    pair = derived("u**2 + sin(u)*exp(-u**2)/3")
    convex = next(claim for claim in pair.verify().claims if claim.name == "convex")
    assert convex.status == "proved"


@pytest.mark.parametrize("name", claims.NAMES)
def test_a_step_that_is_missing_is_named(monkeypatch, name):
    """Whatever is not shown, the claim is checked, says which step is missing, and so is the whole."""
    pair = wb.conjugate("exp(u)")
    monkeypatch.setattr(claims.Proof, name, lambda proof: "a step")
    verification = verify.verify(pair)
    (claim,) = [claim for claim in verification.claims if claim.name == name]
    assert (claim.status, verification.status) == ("checked", "checked")
    assert claim.detail == "missing step: a step"
    # Numbers alone imply nothing.
    assert verification.claims[-1].status == "checked"
