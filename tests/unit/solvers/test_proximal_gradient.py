"""FISTA as a solver: single steps are the run, optima agree with Clarabel and Gauss-Seidel, refusals."""

import numpy as np
import pytest

import workbench as wb
from tests.unit.solvers.test_lbfgs import LABELS, SMOOTH, X
from workbench.problems import Problem
from workbench.solvers import ProximalGradient


def problem(loss, regularizer="l1", bias=True, X=X, **options):
    return Problem(X, SMOOTH[loss], loss, regularizer, lam=0.02, bias=bias, **options)


def test_two_classes_are_the_logistic_loss():
    """With w_1 = -w_0 the multinomial loss of two classes is the logistic one of 2 w_1."""
    lam = 0.05
    two = Problem(X, (LABELS > 0).astype(int), "multinomial", "squared-l2", lam=2.0 * lam, bias=True)
    one = Problem(X, LABELS, "logistic", "squared-l2", lam=lam, bias=True)
    a, b = (wb.solve(p, "proximal-gradient", tol=1e-12, max_epochs=20_000) for p in (two, one))
    np.testing.assert_allclose(a.w[:, 1] - a.w[:, 0], b.w, atol=1e-5)
    assert a.b[1] - a.b[0] == pytest.approx(b.b, abs=1e-5)
    assert a.primal == pytest.approx(b.primal, rel=1e-9)


def test_the_restart_and_the_rate():
    """Without restarts the values obey FISTA's bound 2 L |w_0 - w*|^2 / (k + 1)^2."""
    p = problem("squared", "l1", False)
    best = wb.solve(p, "proximal-gradient", tol=1e-12, max_epochs=50_000)
    run = wb.Run(p, ProximalGradient(restart=False))
    constant = run.state.numbers[1]
    for k in range(1, 200):
        run.step()
        bound = 2.0 * constant * best.w @ best.w / (k + 1) ** 2
        assert run.certificate().primal - best.primal <= bound + 1e-12


def test_the_lipschitz_constant_bounds_the_curvature():
    rng, raised = np.random.default_rng(0), []
    for shape in ((40, 6), (5, 30), (1, 7), (9, 2)):
        data = rng.normal(size=shape)
        p = Problem(data, rng.normal(size=shape[0]), "squared", "l1")
        largest = np.linalg.norm(data, 2) ** 2
        constant = wb.Run(p, ProximalGradient()).state.numbers[1]
        assert largest <= constant * p.n_samples / 2.0 * (1 + 1e-12) <= 1.05 * largest
        run = wb.Run(p, ProximalGradient(step="backtracking"))
        least = run.state.numbers[1]
        run.step(20)
        assert run.state.numbers[1] <= 2.0 * constant
        raised.append(run.state.numbers[1] > least)
    assert any(raised)
    p = Problem(np.zeros((4, 3)), rng.normal(size=4), "squared", "l1")
    assert wb.solve(p, "proximal-gradient").status == "converged"
