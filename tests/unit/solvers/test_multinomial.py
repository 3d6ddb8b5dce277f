"""The multinomial loss: terms to fifty digits, biases by Newton, dual points by rounding a transport plan."""

import mpmath
import numpy as np
import pytest
import scipy.optimize
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import workbench as wb
from tests.helpers.amounts import amount
from workbench.problems import Problem
from workbench.problems.losses import Multinomial, simplex
from workbench.problems.losses.multinomial import log_softmax

N, R = 20, 3
m = Multinomial()
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 4))
LABELS = RNG.permutation(np.arange(N) % R)
WEIGHT = RNG.uniform(0.3, 3.0, size=N)


def problem(bias=False, regularizer="squared-l2", lam=0.05, weight=WEIGHT):
    return Problem(X, LABELS, "multinomial", regularizer, lam=lam, bias=bias, sample_weight=weight)


def exact_term(z, p):
    """ln sum e^z - p.z + sum p ln p, to fifty digits."""
    z, p = [mpmath.mpf(float(x)) for x in z], [mpmath.mpf(float(x)) for x in p]
    total = mpmath.log(mpmath.fsum(mpmath.exp(x) for x in z)) * mpmath.fsum(p)
    entropy = mpmath.fsum(x * mpmath.log(x) for x in p if x > 0)
    return total - mpmath.fdot(p, z) + entropy - mpmath.fsum(p) + 1


@settings(max_examples=amount(50, 200))
@given(st.data())
def test_terms_are_right_and_never_negative(data):
    scale = 10.0 ** data.draw(st.integers(-9, 3))
    z = scale * data.draw(arrays(float, (1, R), elements=st.floats(-1, 1)))
    near = data.draw(st.booleans())
    p = data.draw(arrays(float, (1, R), elements=st.floats(0.0, 1.0)))
    p = (p + 1e-12) / (p + 1e-12).sum()
    if near:
        p = np.exp(log_softmax(z + 10.0 ** data.draw(st.integers(-9, -1)) * p))
    term = m.young(z, p)[0][0]
    with mpmath.workdps(50):
        exact = float(exact_term(z[0], p[0]))
    assert term >= 0.0
    assert term == pytest.approx(exact, rel=1e-9, abs=1e-15 * (1.0 + np.abs(z).max()))


def test_terms_at_the_image_vanish_however_large_the_predictions():
    for scale in (1e-8, 1.0, 700.0, 1e6):
        z = scale * RNG.normal(size=(N, R))
        p = simplex.probabilities(m.alpha_at(z, LABELS, WEIGHT), LABELS, WEIGHT)
        assert (m.young(z, np.maximum(p, 0.0))[0] <= 1e-15).all()
        assert np.isfinite(m.values(z, LABELS)).all()


def test_values_are_those_of_the_definition():
    z = RNG.normal(size=(N, R))
    p = np.exp(z) / np.exp(z).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(m.values(z, LABELS), -np.log(p[np.arange(N), LABELS]), rtol=1e-12)
    expected = WEIGHT[:, None] * (np.eye(R)[LABELS] - p)
    np.testing.assert_allclose(m.alpha_at(z, LABELS, WEIGHT), expected, atol=1e-15)
    np.testing.assert_allclose(m.entropies(p), (p * np.log(p)).sum(axis=1), rtol=1e-12)
    assert m.entropies(np.array([[1.0, 0.0, 0.0]])) == [0.0]
    assert m.entropies(np.array([[1.5, -0.5, 0.0]])) == [np.inf]


@given(seed=st.integers(0, 10**6), scale=st.integers(-3, 3))
def test_the_best_biases(seed, scale):
    z = 10.0**scale * np.random.default_rng(seed).normal(size=(N, R))
    b = m.best_bias(z, LABELS, WEIGHT, None)
    assert b.sum() == pytest.approx(0.0, abs=1e-9 * (1 + np.abs(b).max()))
    # The gradient vanishes: the dual point there sums to zero in each class.
    assert np.abs(m.alpha_at(z + b, LABELS, WEIGHT).sum(axis=0)).max() <= 1e-9 * WEIGHT.sum()
    value = WEIGHT @ m.values(z + b, LABELS)
    other = scipy.optimize.minimize(lambda b: WEIGHT @ m.values(z + b, LABELS), np.zeros(R), method="BFGS")
    assert value <= other.fun + 1e-9 * abs(other.fun)
    again = m.best_bias(z, LABELS, WEIGHT, RNG.normal(size=R))
    assert WEIGHT @ m.values(z + again, LABELS) <= value + 1e-10 * (1.0 + value)


def test_the_best_biases_where_all_probabilities_are_zero_or_one():
    for scale in (1e3, 1e5, 1e8):
        for margin in (1.0, -1.0):
            z = scale * margin * np.eye(R)[LABELS]
            b = m.best_bias(z, LABELS, np.ones(N), None)
            assert np.isfinite(b).all()
            other = scale * np.array([0.1, -0.3, 0.2])
            assert m.values(z + b, LABELS).sum() <= m.values(z + other, LABELS).sum() * (1 + 1e-12)


@given(seed=st.integers(0, 10**6))
def test_a_rounded_plan_has_both_kinds_of_sums(seed):
    rng = np.random.default_rng(seed)
    alpha = m.alpha_at(10.0 ** rng.uniform(-2, 2) * rng.normal(size=(N, R)), LABELS, WEIGHT)
    moved, (text,) = simplex.balance(alpha, LABELS, WEIGHT)
    p = simplex.probabilities(moved, LABELS, WEIGHT)
    assert (p >= -1e-15).all()
    np.testing.assert_allclose(moved.sum(axis=1), 0.0, atol=1e-13)
    np.testing.assert_allclose(moved.sum(axis=0), 0.0, atol=1e-12)
    assert text.startswith("dual variables moved by at most")
    # It moves no more mass than twice what the columns are off by.
    assert np.abs(moved - alpha).sum() <= 2.0 * np.abs(alpha.sum(axis=0)).sum() + 1e-12
    again, _ = simplex.balance(moved, LABELS, WEIGHT)
    np.testing.assert_allclose(again, moved, atol=1e-13)


def test_a_dual_point_off_the_simplex_is_moved_to_the_nearest():
    alpha = RNG.normal(size=(N, R))
    moved, (text,) = simplex.feasible(alpha, LABELS, WEIGHT)
    p, q = simplex.probabilities(alpha, LABELS, WEIGHT), simplex.probabilities(moved, LABELS, WEIGHT)
    assert (q >= -1e-15).all()
    np.testing.assert_allclose(q.sum(axis=1), 1.0)
    assert text.startswith("20 of 20 rows of dual variables moved into the domain")
    # The projection onto the simplex: p - q has one value where q > 0 and is at most that elsewhere.
    for row, near in zip(p - q, q, strict=True):
        inside = near > 1e-12
        np.testing.assert_allclose(row[inside], row[inside][0], atol=1e-12)
        assert (row[~inside] <= row[inside][0] + 1e-12).all()
    assert simplex.feasible(moved, LABELS, WEIGHT)[1] == ()


@pytest.mark.parametrize("bias", [False, "constant", True])
@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net", "entropy", "q-norm:q=1.5", "l1"])
def test_certificates_of_matrices(regularizer, bias):
    p = problem(bias, regularizer)
    w, alpha = np.abs(RNG.normal(size=(4, R))), RNG.normal(size=(N, R))
    for point in ({"w": w}, {"alpha": alpha}, {"w": w, "alpha": alpha}):
        c = wb.certificate(p, **point)
        assert c.gap >= 0.0
        assert c.gap == pytest.approx(c.primal - c.dual, rel=1e-9)
        assert c.sample_terms.shape == (N,)
        assert (c.z.shape, c.alpha.shape) == ((N, R), (N, R))
        assert c.kkt > 0.0
        assert np.asarray(c.b).shape == ((R,) if bias is True else ())
    weights, b = p.split(wb.certificate(p, w=w).w)
    np.testing.assert_allclose(weights, w)
    if bias == "constant":
        np.testing.assert_array_equal(b, np.zeros(R))
        joined = p.join(w, [0.1, 0.2, 0.3])
        np.testing.assert_allclose(p.split(joined)[1], [0.1, 0.2, 0.3])


def test_more_classes_than_labels():
    p = Problem(X, LABELS, "multinomial:classes=5")
    assert p.columns == (5,)
    assert wb.certificate(p, w=np.zeros((4, 5))).primal == pytest.approx(np.log(5.0))
    assert p.zero_value == pytest.approx(np.log(5.0))
