"""FISTA as a solver: single steps are the run, optima agree with Clarabel and Gauss-Seidel, refusals."""

import numpy as np
import pytest

import workbench as wb
from tests.unit.solvers.test_lbfgs import CLASSES, LABELS, SMOOTH, X
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


def test_a_solution_predicts_scores_and_is_saved(tmp_path):
    p = problem("multinomial", "rows-l1l2")
    solution = wb.solve(p, "proximal-gradient", tol=1e-7, test=(X, CLASSES))
    assert (solution.w.shape, solution.b.shape, solution.alpha.shape) == ((6, 3), (3,), (40, 3))
    predicted = solution.predict(X)
    assert predicted.shape == (40,)
    assert np.mean(predicted == CLASSES) == solution.history["test_score"].iloc[-1]
    solution.save(tmp_path / "model.npz")
    loaded = wb.Solution.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.predict(X), predicted)
    np.testing.assert_array_equal(loaded.b, solution.b)
    logistic = wb.solve(problem("logistic"), "proximal-gradient", tol=1e-7, test=(X, LABELS))
    np.testing.assert_array_equal(logistic.predict(X), np.where(X @ logistic.w + logistic.b >= 0, 1.0, -1.0))
    assert isinstance(logistic.b, float)
    assert logistic.b != 0.0


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
