"""Dual Gauss-Seidel on kernels: the linear one against no kernel at all, the others against CVXPY."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

import workbench as wb
from tests.helpers.cases import LOSSES, samples
from tests.unit.solvers.test_oracles import cvxpy_loss
from workbench.solvers import GaussSeidel

AGREEMENT = 1e-6


def kernel_problem(loss, kernel, n=30, lam=0.05, **options):
    X, labels, targets = samples(n=n)
    y = labels if "hinge" in loss or loss == "logistic" else targets
    X = rbf_kernel(X, gamma=0.3) if kernel == "precomputed" else X
    return wb.Problem(X, y, loss, lam=lam, kernel=kernel, **options)


@pytest.mark.parametrize("options", [{}, {"update": "gradient"}, {"scale": 0.7}], ids=str)
@pytest.mark.parametrize("loss", LOSSES)
def test_the_linear_kernel_steps_as_no_kernel_does(loss, options):
    weight = np.linspace(0.2, 2.0, 30)
    runs = [
        wb.Run(kernel_problem(loss, kernel, sample_weight=weight), GaussSeidel(**options), seed=4)
        for kernel in ("linear", None)
    ]
    for _ in range(60):
        for run in runs:
            run.step()
        np.testing.assert_allclose(runs[0].state.alpha, runs[1].state.alpha, rtol=1e-9, atol=1e-10)
        ours, theirs = (run.last_event for run in runs)
        np.testing.assert_allclose(ours, theirs, rtol=1e-8, atol=1e-10)
    ours, theirs = (run.certificate() for run in runs)
    assert ours.primal == pytest.approx(theirs.primal, rel=1e-9)
    assert ours.gap == pytest.approx(theirs.gap, rel=1e-6, abs=1e-12)


@pytest.mark.filterwarnings("ignore:Solution may be inaccurate")
@pytest.mark.parametrize("loss", LOSSES)
def test_the_optimum_is_cvxpys(loss):
    p = kernel_problem(loss, "rbf:gamma=0.3")
    K = rbf_kernel(p.rows.toarray(), gamma=0.3)
    # f = L c with K = L L' and |f|^2 = |c|^2.
    values, vectors = np.linalg.eigh(K)
    L = vectors * np.sqrt(np.maximum(values, 0.0))
    c = cp.Variable(30)
    model = cp.Problem(cp.Minimize(cvxpy_loss(loss, L @ c, p.y) / 30 + p.lam * cp.sum_squares(c) / 2))
    model.solve(solver=cp.CLARABEL)
    ours = wb.solve(p, tol=1e-8, max_epochs=20_000)
    assert ours.status == "converged"
    assert ours.primal == pytest.approx(model.value, rel=AGREEMENT)
    np.testing.assert_allclose(ours.decision_function(p.rows), L @ c.value, atol=1e-3)


def test_the_most_violating_order_on_a_kernel():
    run = wb.Run(kernel_problem("hinge", "rbf"), GaussSeidel(order="most-violating"))
    assert run.until(gap=1e-6, max_epochs=100) == "converged"


def test_rows_that_are_not_kept_change_nothing(monkeypatch):
    cached = wb.solve(kernel_problem("logistic", "rbf"), tol=1e-6)
    monkeypatch.setattr("workbench.solvers.algorithms.gauss_seidel.KERNEL_BYTES", 0)
    p = kernel_problem("logistic", "rbf")
    computed = wb.solve(p, tol=1e-6)
    assert not p.kernel_matrix.whole
    np.testing.assert_array_equal(cached.alpha, computed.alpha)
