"""Ranges of parameters for which a function is convex have no hole at a pole, by an oracle of chords."""

from types import SimpleNamespace

import pytest
import sympy as sp

import workbench as wb
from tests.helpers.supremum import MP, Function, bend
from workbench.conjugates.convex import regions
from workbench.conjugates.convex.parse import parse_expression
from workbench.conjugates.convex.setting import Setting, Split

PLACES = {MP.mpf(k) * scale for k in range(-64, 65) for scale in (MP.mpf(1) / 8, MP.mpf(4), MP.mpf(1) / 4096)}


def is_convex(text, values):
    """True if no place of a grid lies above the chord of its neighbours."""
    p = Function(SimpleNamespace(p=text, domain=None, variable="u"), values)
    return p.inner is not None and bend(p, PLACES) is None


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "parameter", "declared", "inside", "outside"),
    [
        ("(1 + u**2)**p", "p", "p > 0", ("1/2", "9/16", "1", "5/4", "3"), ("1/4", "7/16")),
        ("abs(u)*log(abs(u) + a)", "a", "a > 0", ("1", "3/2", "7"), ("1/2", "15/16")),
    ],
)
def test_range_is_that_of_the_oracle(text, parameter, declared, inside, outside):
    pair = wb.conjugate(text, parameters={parameter: declared})
    (symbol,) = pair.conditions.free_symbols
    for value in (*inside, *outside):
        expected = value in inside
        assert is_convex(text, {parameter: MP.mpf(sp.Rational(value).p) / sp.Rational(value).q}) is expected
        assert bool(pair.conditions.subs(symbol, sp.Rational(value))) is expected
    with pytest.raises(wb.ConvexityError):
        pair.q(0.25, **{parameter: float(sp.Rational(outside[-1]))})


def test_a_pole_between_two_signs_splits_a_range():
    setting = Setting(parse_expression("abs(u)**p", {"p": "p > 0"}).parameters)
    (p,) = (parameter.symbol for parameter in setting.parameters.values())
    poles = (-2 * p / (1 - 2 * p) + 4 / (1 - 2 * p)) ** (p - 1)
    conditions = set()
    for region in ((), (p < 2,), (p > 2,)):
        part = Setting(setting.parameters, region)
        try:
            part.sign(part.enter(poles))
        except Split as split:
            conditions |= set(split.conditions)
    assert sp.Eq(p, sp.Rational(1, 2)) in conditions


@pytest.mark.parametrize("declared", ["1/4 <= p <= 1/2", "1/4 < p <= 1/2", "1/4 <= p < 1/2", "1/4 < p < 1/2"])
def test_closed_ends_of_a_range_belong_to_it(declared):
    setting = Setting(parse_expression("abs(u)**p", {"p": declared}).parameters)
    (p,) = (parameter.symbol for parameter in setting.parameters.values())
    for end, is_closed in ((sp.Rational(1, 4), "4 <=" in declared), (sp.Rational(1, 2), "<= 1" in declared)):
        if is_closed:
            with pytest.raises(Split) as split:
                setting.sign(setting.enter(p - end))
            assert sp.Eq(p, end) in split.value.conditions
        else:
            assert abs(setting.sign(setting.enter(p - end))) == 1


@pytest.mark.long
@pytest.mark.parametrize("declared", ["1/4 < p < 3/4", "1/4 < p <= 1/2"])
def test_border_of_a_range_has_its_own_conjugate(declared):
    pair = wb.conjugate("(1 + u**2)**p", parameters={"p": declared})
    assert pair.q(0.6, p=0.5) == pytest.approx(-0.8, rel=1e-15)
    assert pair.q(1.5, p=0.5) == float("inf")


@pytest.mark.parametrize("declared", ["a >= 0", "real"])
def test_interval_that_shrinks_to_a_point_stays_proved(declared):
    pair = wb.conjugate("indicator(abs(u) <= a)", parameters={"a": declared})
    assert pair.verify().status == "proved"
    assert (pair.q(-3.0, a=0.0), pair.q(-3.0, a=2.0)) == (0.0, 6.0)
    if declared == "real":
        with pytest.raises(wb.ExpressionError):
            pair.q(1.0, a=-1.0)


@pytest.mark.parametrize(
    ("text", "domain"), [("u**2", "u == 3"), ("u**2 + indicator(abs(u - 3) <= 0)", None)]
)
def test_domain_of_one_point_is_proved(text, domain):
    pair = wb.conjugate(text, domain)
    assert pair.verify().statuses == dict.fromkeys(pair.verify().statuses, "proved")
    assert pair.q(2.0) == -3.0


def test_too_many_regions_are_undecided(monkeypatch):
    monkeypatch.setattr(regions, "REGIONS", 1)
    with pytest.raises(wb.UndecidedError, match="narrow"):
        wb.conjugate("indicator(abs(u) <= a)", parameters={"a": "a >= 0"})
