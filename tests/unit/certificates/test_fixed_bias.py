"""Zhang's gap at fixed bias: right at that bias, silent about the others, the certificate beside it."""

import cvxpy as cp
import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import LOSSES, REGULARIZERS, samples
from workbench._support.errors import InputError
from workbench.certificates.gaps import fixed_bias
from workbench.problems import Problem

X, LABELS, TARGETS = samples(n=30, d=4, seed=2)
CLARABEL = 1e-6


def problem(loss, regularizer="squared-l2", **options):
    margin = "hinge" in loss or loss == "logistic"
    return Problem(X, LABELS if margin else TARGETS, loss, regularizer, lam=0.05, bias=True, **options)


def optimum_at(bias):
    """inf over w of the hinge loss with squared l2 at a given bias."""
    w = cp.Variable(4)
    loss = cp.sum(cp.pos(1.0 - cp.multiply(LABELS, X @ w + bias))) / 30
    model = cp.Problem(cp.Minimize(loss + 0.05 * 0.5 * cp.sum_squares(w)))
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10)
    return model.value


@pytest.mark.parametrize("bias", [-1.0, 0.0, 0.4, 3.0])
def test_it_bounds_the_suboptimality_at_that_bias(bias):
    p, best = problem("hinge"), optimum_at(bias)
    rng = np.random.default_rng(0)
    for _ in range(10):
        g = fixed_bias(p, LABELS * rng.uniform(0, 1, size=30), bias)
        assert g.label == "at fixed bias"
        assert g.gap >= g.primal - best - CLARABEL
        assert g.dual <= best + CLARABEL
        assert g.gap == pytest.approx(g.primal - g.dual, abs=1e-12)
        assert g.certificate.gap >= 0.0
        # The primal at the best bias is at most that at this one, for the same w.
        assert g.certificate.primal <= g.primal + 1e-12


def test_it_may_vanish_at_a_bad_point_and_the_certificate_tells():
    """The optimum at a fixed bad bias has gap zero there, and is far from the optimum over all biases."""
    bias = 3.0
    w = cp.Variable(4)
    slack = cp.Variable(30, nonneg=True)
    constraint = cp.multiply(LABELS, X @ w + bias) >= 1.0 - slack
    cp.Problem(cp.Minimize(cp.sum(slack) / 30 + 0.025 * cp.sum_squares(w)), [constraint]).solve(
        solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12
    )
    alpha = LABELS * np.clip(constraint.dual_value * 30, 0.0, 1.0)
    g = fixed_bias(problem("hinge"), alpha, bias)
    assert g.gap <= 1e-5
    assert g.feasibility > 0.1
    assert g.feasibility == pytest.approx(abs(alpha.sum()) / 30)
    best = wb.certificate(problem("hinge"), alpha=alpha)
    assert g.certificate.gap > 0.01
    assert np.abs(g.certificate.alpha.sum()) <= 1e-12
    assert best.dual == pytest.approx(g.certificate.dual)


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", LOSSES)
def test_it_is_never_negative_and_one_with_the_certificate_where_alpha_is_feasible(loss, regularizer):
    p = problem(loss, regularizer, sample_weight=np.linspace(0.5, 2.0, 30))
    rng = np.random.default_rng(1)
    for _ in range(5):
        g = fixed_bias(p, rng.normal(size=30), float(rng.normal()))
        assert g.gap >= 0.0
        assert g.feasibility > 0.0
        feasible = g.certificate.alpha
        w = wb.certificate(p, alpha=feasible)
        same = fixed_bias(p, feasible, w.b)
        assert same.feasibility <= 1e-12
        assert same.gap == pytest.approx(w.gap, rel=1e-9, abs=1e-12)


def test_several_classes():
    p = Problem(X, np.arange(30) % 3, "multinomial", lam=0.05, bias=True)
    alpha = np.random.default_rng(0).normal(size=(30, 3))
    g = fixed_bias(p, alpha, [0.1, 0.2, -0.3])
    assert g.gap == pytest.approx(g.primal - g.dual, rel=1e-9)
    assert g.gap > 0.0
    assert g.feasibility > 0.0
    assert len(g.repairs) == 1


def test_bad_input_is_refused_by_name():
    with pytest.raises(InputError, match="the problem has bias=False; make it with bias=True"):
        fixed_bias(Problem(X, LABELS), np.zeros(30), 0.0)
    with pytest.raises(InputError, match="the norm l1 gives alpha no weights"):
        fixed_bias(problem("hinge", "l1"), np.zeros(30), 0.0)
    with pytest.raises(InputError, match=r"alpha has shape \(2,\) where \(30,\)"):
        fixed_bias(problem("hinge"), np.zeros(2), 0.0)
    with pytest.raises(InputError, match="b = nan must be a finite number"):
        fixed_bias(problem("hinge"), np.zeros(30), np.nan)
