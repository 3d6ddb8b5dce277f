"""The gap of the SVM: against Clarabel, libsvm and the definition, along runs of maximal violating pairs."""

import os

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
import scipy.sparse.linalg
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import SVC

import workbench as wb
from tests.helpers.amounts import amount
from tests.helpers.naive_mvp import maximal_violating_pair
from workbench._support.errors import InputError
from workbench.certificates.gaps import svm, svm_from_predictions

# Clarabel's relative accuracy, and libsvm's at tol = 1e-9.
CLARABEL = 1e-6
LIBSVM = 1e-7
# Sums of n terms in different orders.
ROUNDING = 1e-12


def plane(n=60, seed=0):
    """Two overlapping clouds in the plane."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    return rng.normal(size=(n, 2)) + 0.7 * y[:, None], y


def feasible(y, C, seed):
    """A random point of the box with y.a = 0, some entries at either end."""
    rng = np.random.default_rng(seed)
    a = C * np.clip(rng.uniform(-0.5, 1.5, size=y.shape[0]), 0.0, 1.0)
    positive, negative = a[y > 0].sum(), a[y < 0].sum()
    smaller = min(positive, negative)
    a[y > 0] *= smaller / positive if positive else 0.0
    a[y < 0] *= smaller / negative if negative else 0.0
    return a


def by_definition(f, y, C, a, b):
    """(19) at the paper's bias -b, as it is printed."""
    gradient = y * f - 1.0
    c = -b
    return float(np.sum(a * np.maximum(gradient - c * y, 0) + (C - a) * np.maximum(c * y - gradient, 0)))


def primal_optimum(X, y, C):
    w, b = cp.Variable(X.shape[1]), cp.Variable()
    objective = 0.5 * cp.sum_squares(w) + C * cp.sum(cp.pos(1 - cp.multiply(y, X @ w + b)))
    model = cp.Problem(cp.Minimize(objective))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return model.value


# The gap and its parts


@given(st.integers(2, 30), st.integers(0, 10**6), st.sampled_from([1e-3, 1.0, 250.0]))
def test_the_gap_is_the_minimum_of_its_definition(n, seed, C):
    X, y = plane(n, seed)
    y[0], y[-1] = 1.0, -1.0
    a = feasible(y, C, seed)
    K = X @ X.T
    g = svm(K, y, C, a)
    f = K @ (y * a)
    scale = ROUNDING * C * n * (1.0 + np.abs(f).max())
    assert g.gap >= 0.0
    assert g.gap == pytest.approx(by_definition(f, y, C, a, g.bias), abs=scale)
    assert (np.diff(g.breakpoints) >= 0.0).all()
    expected = [by_definition(f, y, C, a, b) for b in g.breakpoints]
    np.testing.assert_allclose(g.values, expected, atol=scale)
    assert min(expected) >= g.gap - scale
    # The bias of f(x) + b, with the sign that lets the slacks be the hinge loss.
    np.testing.assert_allclose(g.slacks, np.maximum(0.0, 1.0 - y * (f + g.bias)), atol=scale / C)
    assert g.primal == pytest.approx(0.5 * (y * a) @ f + C * g.slacks.sum(), abs=scale)
    assert g.dual == pytest.approx(a.sum() - 0.5 * (y * a) @ f, abs=scale)
    assert g.gap == pytest.approx(g.primal - g.dual, abs=scale)
    assert g.gap <= g.remark_1 + scale
    assert g.remark_1 <= g.lemma_8
    assert g.lemma_8 == C * n * max(0.0, g.t_hat - g.b_hat)


@given(st.integers(0, 10**6))
def test_the_function_of_the_bias_is_the_one_drawn(seed):
    X, y = plane(20, seed)
    a = feasible(y, 2.0, seed)
    g = svm(X @ X.T, y, 2.0, a)
    f = X @ X.T @ (y * a)
    biases = np.concatenate([g.breakpoints[[0, -1]] + [-3.0, 5.0], np.linspace(-4.0, 4.0, 23)])
    expected = [by_definition(f, y, 2.0, a, b) for b in biases]
    np.testing.assert_allclose(g.at(biases), expected, rtol=1e-11, atol=1e-11)


def test_the_sets_and_the_pair_are_those_of_the_paper():
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
    a = np.array([0.0, 1.0, 0.5, 0.0, 0.5, 1.0])
    f = np.array([0.3, -0.4, 0.1, 0.2, -0.6, 0.8])
    g = svm_from_predictions(f, y, 1.0, a)
    np.testing.assert_array_equal(g.top, [False, True, True, True, True, False])
    np.testing.assert_array_equal(g.bottom, [True, False, True, False, True, True])
    # y_i grad W(a)_i = f_i - y_i.
    m = f - y
    assert g.t_hat == max(m[g.top]) == m[3]
    assert g.b_hat == min(m[g.bottom]) == m[2]
    assert g.violating_pair == (3, 2)
    assert g.count == sum((g.top & (m > g.b_hat)) | (g.bottom & (m < g.t_hat)))
    assert g.remark_1 == g.count * (g.t_hat - g.b_hat)


def test_the_bounds_hold_for_every_bias_between():
    X, y = plane(40, 3)
    K = X @ X.T
    best = primal_optimum(X, y, 1.0)
    for a, _ in maximal_violating_pair(K, y, 1.0, tol=1e-4, every=7):
        g = svm(K, y, 1.0, a)
        w = X.T @ (y * a)
        for b in np.linspace(-g.t_hat, -g.b_hat, 9) if g.violating_pair else ():
            primal = 0.5 * w @ w + np.maximum(0.0, 1.0 - y * (X @ w + b)).sum()
            assert primal - best <= g.remark_1 + CLARABEL * best
            assert g.gap <= g.at(b) + ROUNDING * best


# Along a run


def check_run(X, y, C, best, every):
    """At every recorded step: true suboptimality <= G(a) <= C count delta <= C n delta; G is gap / lam."""
    gaps, K = [], (X @ X.T).toarray() if sp.issparse(X) else X @ X.T
    p = wb.Problem(X, y, "hinge", lam=1.0 / (C * y.shape[0]), bias=True)
    for a, delta in maximal_violating_pair(K, y, C, tol=1e-4, every=every):
        g = svm(K, y, C, a)
        slack = CLARABEL * best
        assert g.primal - best <= g.gap + slack
        assert g.dual <= best + slack
        assert g.gap <= g.remark_1 * (1.0 + ROUNDING) + ROUNDING * C
        assert g.remark_1 <= g.lemma_8
        assert max(0.0, delta) == pytest.approx(max(0.0, g.t_hat - g.b_hat), abs=1e-9)
        general = wb.certificate(p, alpha=y * a / C)
        assert g.gap == pytest.approx(general.gap / p.lam, rel=1e-9, abs=1e-9 * best)
        gaps.append(g.gap)
    assert len(gaps) >= 10
    assert gaps[-1] <= 1e-3 * best < gaps[0]


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_a_run_in_the_plane_is_certified_at_every_step(C):
    X, y = plane()
    check_run(X, y, C, primal_optimum(X, y, C), every=1)


def test_a_run_on_a9a_is_certified_at_every_recorded_step():
    if wb.data.locate("a9a") is None:
        text = "a9a is not in WORKBENCH_DATA"
        if os.environ.get("CI"):
            pytest.fail(text)
        pytest.skip(text)
    data = wb.data.load("a9a")
    n = amount(120, 300)
    X, y = sp.csr_array(data.X)[:n], data.y[:n]
    K = (X @ X.T).toarray()
    exact = SVC(C=0.1, kernel="precomputed", tol=1e-9).fit(K, y)
    a = np.zeros(n)
    a[exact.support_] = np.abs(exact.dual_coef_[0])
    peer = svm(K, y, 0.1, a)
    assert peer.gap <= LIBSVM * peer.primal
    check_run(X, y, 0.1, peer.primal, every=5)


def test_libsvm_s_solution_is_certified_with_its_bias():
    X, y = plane(80, 5)
    for kernel in (X @ X.T, np.exp(-0.5 * np.sum((X[:, None] - X[None]) ** 2, axis=2))):
        peer = SVC(C=2.0, kernel="precomputed", tol=1e-9).fit(kernel, y)
        a = np.zeros(80)
        a[peer.support_] = np.abs(peer.dual_coef_[0])
        g = svm(kernel, y, 2.0, a)
        assert g.gap <= LIBSVM * g.primal
        assert g.bias == pytest.approx(peer.intercept_[0], abs=1e-6)
        margins = y * peer.decision_function(kernel)
        np.testing.assert_allclose(g.slacks, np.maximum(0.0, 1.0 - margins), atol=1e-6)
        # Halfway to it the bound is neither trivial nor short of the truth.
        half = svm(kernel, y, 2.0, 0.5 * a)
        assert half.gap >= half.primal - g.primal > 0.01 * g.primal


def test_any_operator_serves_as_the_kernel():
    X, y = plane()
    a = feasible(y, 1.0, 1)
    operator = scipy.sparse.linalg.LinearOperator((60, 60), matvec=lambda x: X @ (X.T @ x), dtype=float)
    assert svm(operator, y, 1.0, a).gap == pytest.approx(svm(X @ X.T, y, 1.0, a).gap, rel=ROUNDING)


def test_a_million_breakpoints():
    rng = np.random.default_rng(0)
    y = np.where(rng.random(10**6) < 0.3, 1.0, -1.0)
    a = feasible(y, 1.0, 0)
    f = rng.normal(size=10**6)
    g = svm_from_predictions(f, y, 1.0, a)
    assert g.gap <= g.values.min() <= g.gap * (1 + ROUNDING)


# What is refused

Y = np.array([1.0, -1.0, 1.0, -1.0])
A = np.full(4, 0.5)
BAD = {
    "outside the box": ({"a": [0.5, 0.5, 1.5, 1.5]}, r"a\[2\] = 1.5 lies outside the box \[0, 1\]"),
    "below the box": ({"a": [-0.5, 0.5, 1.0, 0.0]}, r"a\[0\] = -0.5 lies outside"),
    "off the plane": ({"a": [0.5, 0.0, 0.5, 0.5]}, "y.a is 0.5 where 0 is needed"),
    "one class": ({"y": np.ones(4), "a": np.zeros(4)}, r"only labels \+1; .*both classes"),
    "other labels": ({"y": [1, 0, 1, 0]}, r"y\[1\] is 0; use labels -1 and \+1"),
    "C zero": ({"C": 0.0}, "C = 0.0 must be a finite number above 0"),
    "C infinite": ({"C": np.inf}, "C = inf must be"),
    "a too short": ({"a": [0.5]}, r"a has shape \(1,\) where \(4,\)"),
    "a nan": ({"a": [np.nan, 0, 0, 0]}, r"a\[0\] is nan"),
    "y too long": ({"y": np.ones(5)}, r"y has shape \(5,\)"),
    "K not square": ({"K": np.ones((4, 3))}, r"K has shape \(4, 3\); give the square"),
    "K a vector": ({"K": np.ones(4)}, r"K has shape \(4,\)"),
    "K with nan": ({"K": np.full((4, 4), np.nan)}, "row 0 of K gives nan"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_name(change, message):
    with pytest.raises(InputError, match=message):
        svm(**({"K": np.eye(4), "y": Y, "C": 1.0, "a": A} | change))
