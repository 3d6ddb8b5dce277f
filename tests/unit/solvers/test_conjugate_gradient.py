"""Conjugate gradients for dual ridge: a dense factorization, the preconditioner as a matrix, iterations."""

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from workbench.problems import Problem
from workbench.solvers import ConjugateGradient, GaussSeidel

# The gap that everyone has to reach in the comparison.
GAP = 1e-8
# The rounding of a dense solve of these systems.
ROUNDING = 1e-9


def problem(seed, sparse=False, **options):
    """A ridge problem with columns and rows of different lengths and fewer samples than features."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 80))
    d = int(n * rng.uniform(1.0, 3.0))
    X = rng.normal(size=(n, d)) * rng.uniform(0.2, 3.0, size=d) * rng.uniform(0.5, 2.0, size=(n, 1))
    if seed % 2:
        X = X * (rng.random((n, d)) < 0.3)
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    return Problem(sp.csr_array(X) if sparse else X, y, "squared", lam=10.0 ** rng.uniform(-4, -1), **options)


def matrix(p):
    """A, formed."""
    X = p.rows.toarray()
    return (X * p.transfer.weights) @ X.T / p.lam_n + np.diag(0.5 / p.weight)


def epochs(p, solver):
    run = wb.Run(p, solver)
    while run.certificate().relative_gap > GAP:
        assert run.epoch()
    return run.epochs


@pytest.mark.parametrize("seed", range(20))
def test_fewer_iterations_than_without_and_than_epochs_of_gauss_seidel(seed):
    p = problem(seed)
    ours = epochs(p, ConjugateGradient())
    assert ours < epochs(p, ConjugateGradient("none"))
    assert ours < epochs(p, GaussSeidel(order="cyclic"))


@pytest.mark.parametrize("preconditioner", ["gauss-seidel", "none"])
@pytest.mark.parametrize("bias", [False, "constant"])
def test_the_solution_is_that_of_the_linear_system(bias, preconditioner):
    p = problem(1, bias=bias)
    weight = np.linspace(0.3, 2.0, p.n_samples)
    K = tuple(np.linspace(0.5, 2.0, p.rows.shape[1]))
    p = problem(1, bias=bias, sample_weight=weight, regularizer=wb.regularizers.SquaredL2(K))
    solution = wb.solve(p, ConjugateGradient(preconditioner), tol=1e-14)
    alpha = np.linalg.solve(matrix(p), p.y)
    np.testing.assert_allclose(solution.alpha, alpha, atol=1e-5 * np.abs(alpha).max())
    # Rounding of weighted sums leaves more open than was asked for.
    assert solution.status in ("converged", "precision")
    assert solution.relative_gap <= 1e-14
    best = wb.certificate(p, alpha=alpha)
    assert solution.primal == pytest.approx(best.primal, rel=ROUNDING)


def test_the_preconditioner_is_the_symmetric_gauss_seidel_matrix():
    p = problem(3, sample_weight=None)
    A = matrix(p)
    lower, diagonal = np.tril(A), np.diag(np.diag(A))
    M = lower @ np.linalg.solve(diagonal, lower.T)
    residual = np.random.default_rng(0).normal(size=p.n_samples)
    solved = ConjugateGradient()._precondition(p, residual)
    np.testing.assert_allclose(M @ solved, residual, atol=ROUNDING * np.abs(A).max())


def test_a_step_tells_what_it_gained_and_never_loses():
    p = problem(2)
    run = wb.Run(p, ConjugateGradient())
    assert run.last_event is None
    dual = run.certificate().dual
    for _ in range(8):
        assert run.step() == 1
        after, event = run.certificate().dual, run.last_event
        assert after - dual == pytest.approx(-event.dual_change, rel=1e-6)
        assert event.dual_change < 0.0
        residual = p.y - matrix(p) @ run.state.alpha
        assert event.residual == pytest.approx(np.linalg.norm(residual), rel=1e-6)
        dual = after


def test_it_ends_within_rank_plus_one_steps_without_a_preconditioner():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 4))
    p = Problem(X, rng.normal(size=60), "squared", lam=1e-2)
    run = wb.Run(p, ConjugateGradient("none"))
    run.step(5)
    assert run.certificate().relative_gap < 1e-12


def test_targets_of_zero_leave_nothing_to_do():
    run = wb.Run(Problem(np.eye(3), np.zeros(3), "squared"), ConjugateGradient())
    assert run.step(3) == 0
    assert run.until(gap=1e-6) == "converged"
