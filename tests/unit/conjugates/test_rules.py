"""The calculus of conjugates: each rule against numeric suprema, and what it may call proved."""

import dataclasses

import numpy as np
import pytest
import sympy as sp
from scipy.optimize import minimize, minimize_scalar

from tests.corpora.conjugate_cases import derived as conjugate
from workbench._support.errors import ConvexityError, ExpressionError
from workbench.conjugates.convex import rules, vector

# A bounded scalar search stops at 1e-10 of its interval; the values are flat there.
TOLERANCE = 1e-7


def supremum(p, v, low=-40.0, high=40.0):
    maxima = [
        -minimize_scalar(lambda u: p(u) - u * v, bounds=ends, method="bounded", options={"xatol": 1e-11}).fun
        for ends in ((low, (low + high) / 2), ((low + high) / 2, high), (low, high))
    ]
    return max(maxima)


@pytest.fixture(scope="module")
def softplus():
    return conjugate("log(1 + exp(u))")


LONG = [pytest.param(*values, marks=pytest.mark.long) for values in ((1, -1, 0), (0.5, -0.25, 2))]


def logistic(u):
    return np.logaddexp(0.0, u)


@pytest.mark.parametrize(("scale", "slope", "shift"), [(2, 3, -1), *LONG])
def test_affine_change_of_variable(softplus, scale, slope, shift):
    pair = rules.affine(softplus, sp.Rational(scale), sp.Rational(slope), shift)
    assert pair.verify().status == "proved"
    ends = sorted((0.0, scale * slope))
    for share in (0.1, 0.5, 0.85):
        v = ends[0] + share * (ends[1] - ends[0])
        expected = supremum(lambda u: scale * logistic(slope * u + shift), v, -400, 400)
        assert pair.q(v) == pytest.approx(expected, abs=TOLERANCE)
    assert pair.q(ends[0] - 0.01) == pair.q(ends[1] + 0.01) == np.inf
    assert np.isfinite(pair.q(np.array(ends))).all()
    assert pair.p(0.75) == pytest.approx(scale * logistic(slope * 0.75 + shift))


@pytest.mark.long
def test_affine_change_with_symbols(softplus):
    pair = rules.affine(softplus, "a", "s", "t", {"a": "a > 0", "s": "s < 0", "t": "real"})
    assert pair.verify().status == "proved"
    a, s, t = 0.5, -2.0, 0.75
    expected = supremum(lambda u: a * logistic(s * u + t), -0.3)
    assert pair.q(-0.3, a=a, s=s, t=t) == pytest.approx(expected, abs=TOLERANCE)
    assert pair.q(0.1, a=a, s=s, t=t) == np.inf


def test_affine_terms():
    pair = rules.add_affine(conjugate("exp(u)"), "c", 2, {"c": "real"})
    assert pair.verify().status == "proved"
    expected = supremum(lambda u: np.exp(u) + 0.5 * u + 2, 1.5, -40, 20)
    assert pair.q(1.5, c=0.5) == pytest.approx(expected, abs=TOLERANCE)
    assert pair.q(0.5, c=0.5) == pytest.approx(-2)
    assert pair.q(0.4, c=0.5) == np.inf


def test_an_implicit_conjugate_follows_the_change_and_stays_checked():
    base = conjugate("exp(u) + u**4")
    pair = rules.affine(base, 2, -3, 1)
    assert pair.verify().status == "checked"
    assert pair.q.implicit
    expected = supremum(lambda u: 2 * (np.exp(1 - 3 * u) + (1 - 3 * u) ** 4), 1.25, -3, 3)
    assert pair.q(1.25) == pytest.approx(expected, abs=TOLERANCE)


def test_even_functions():
    pair = rules.even(conjugate("exp(u) - u", "u >= 0"))
    assert pair.verify().status == "proved"
    for v in (-3.0, -0.5, 0.0, 2.0):
        expected = supremum(lambda u: np.exp(abs(u)) - abs(u), v, -20, 20)
        assert pair.q(v) == pytest.approx(expected, abs=TOLERANCE)


def test_even_wants_a_base_that_never_falls():
    with pytest.raises(ConvexityError, match="not to fall"):
        rules.even(conjugate("(u - 1)**2", "u >= 0"))


def test_restriction():
    pair = rules.restrict(conjugate("u**2/2"), -1, 2)
    assert pair.verify().status == "proved"
    assert np.allclose(pair.q(np.array([-3.0, 0.5, 5.0])), [2.5, 0.125, 8.0])


def test_sum_is_the_inf_convolution_of_the_conjugates():
    left, right = conjugate("u**2/2"), conjugate("abs(u)")
    pair = rules.sum_of(left, right)
    assert pair.verify().status == "proved"
    for v in (-2.0, 0.5, 3.0):
        expected = -supremum(lambda s, v=v: float(left.q(v - s)) + float(right.q(s)), 0, -1, 1)
        assert pair.q(v) == pytest.approx(expected, abs=TOLERANCE)


def test_infimal_convolution_gives_huber():
    pair = rules.infimal_convolution(conjugate("u**2/2"), conjugate("abs(u)"))
    assert pair.verify().status == "proved"
    assert np.allclose(pair.p(np.array([-3.0, 0.5, 2.0])), [2.5, 0.125, 1.5])
    assert np.allclose(pair.q(np.array([-1.0, 0.5, 1.5])), [0.5, 0.125, np.inf])


def test_domains_that_touch_are_said_to_need_the_closure():
    # exp(u) [] exp(-u) is 0 everywhere and attained nowhere; its conjugates share 0 alone.
    pair = rules.infimal_convolution(conjugate("exp(u)"), conjugate("exp(-u)"))
    detail = {claim.name: claim.detail for claim in pair.verify().claims}["qualification"]
    assert "closure" in detail
    assert np.allclose(pair.p(np.array([-2.0, 3.0])), 0)


def test_domains_that_meet_need_no_closure():
    pair = rules.sum_of(conjugate("exp(u)"), conjugate("-log(u)", "u > 0"))
    detail = {claim.name: claim.detail for claim in pair.verify().claims}["qualification"]
    assert "no closure" in detail


def test_domains_apart_are_refused():
    with pytest.raises(ConvexityError, match="do not meet"):
        rules.sum_of(conjugate("u**2", "u >= 2"), conjugate("u**2", "0 <= u <= 1"))
    with pytest.raises(ConvexityError, match="do not meet"):
        rules.infimal_convolution(conjugate("u"), conjugate("2*u"))


def test_linear_change_is_proved_in_every_dimension():
    claims = rules.linear_change_claims()
    assert [claim.status for claim in claims] == ["proved"] * 3


def test_linear_change_against_a_numeric_supremum():
    matrix = np.array([[1.0, 0.5, 0.0], [-0.25, 2.0, 1.0], [0.0, 0.0, 0.5]])
    shift, scale = np.array([0.5, -1.0, 0.25]), 0.5
    base = vector.quadratic()
    K = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 1.5]])
    pair = rules.linear_change(base, matrix, shift, scale)
    assert pair.verify().status == "proved"
    for v in np.random.default_rng(1).normal(size=(3, 3)):
        minimum = minimize(lambda u, v=v: float(pair.p(u, K=K)) - u @ v, np.zeros(3))
        assert pair.q(v, K=K) == pytest.approx(-minimum.fun, rel=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda pair: rules.affine(pair, -1), ConvexityError, "scale"),
        (lambda pair: rules.affine(pair, 1, 0), ExpressionError, "slope"),
        (lambda pair: rules.affine(pair, 1, "s", parameters={"s": "real"}), ExpressionError, "slope"),
        (lambda pair: rules.affine(pair, "a"), ExpressionError, "not declared"),
    ],
)
def test_bases_that_a_rule_cannot_use_are_refused(softplus, call, error, words):
    with pytest.raises(error, match=words):
        call(softplus)


def test_a_matrix_without_inverse_is_refused():
    with pytest.raises(ExpressionError, match="invertible"):
        rules.linear_change(vector.quadratic(), [[1.0, 2.0], [2.0, 4.0]])


# --- nothing wrong is called proved


def test_a_wrong_identity_fails():
    x = sp.Symbol("x", positive=True)
    assert rules.identity("right", (x + 1) ** 2 - x**2 - 2 * x - 1, "").status == "proved"
    assert rules.identity("wrong", (x + 1) ** 2 - x**2 - 2 * x - 2, "").status == "failed"


@pytest.mark.long
def test_a_result_that_numbers_contradict_fails(softplus):
    right = rules.affine(softplus, 2, 3, 1)
    wrong = rules.affine(softplus, 2, 3, 2)
    assert rules.numbers(right.p, right.q, right.p.setting).status == "checked"
    failed = rules.numbers(right.p, wrong.q, right.p.setting)
    assert failed.status == "failed"
    assert rules.confirmed(right.verification, check=failed).status == "failed"


def test_a_base_that_was_only_checked_stays_checked(softplus):
    weak = softplus.verify()
    first = dataclasses.replace(weak.claims[0], status="checked")
    base = rules.RulePair("weak", softplus.p, softplus.q, (), rules.Verification((first, *weak.claims[1:])))
    assert rules.affine(base, 2).verify().status == "checked"
