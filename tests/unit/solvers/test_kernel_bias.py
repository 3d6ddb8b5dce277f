"""Kernels with an unregularized bias and any loss, against CVXPY, scikit-learn and the normal equations."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.svm import SVR

import workbench as wb
from workbench._support.errors import InputError

N, LAM = 30, 0.02
X = np.random.default_rng(3).normal(size=(N, 2))
TARGETS = 5.0 + np.sin(2.0 * X[:, 0])
LABELS = np.where(TARGETS > 5.2, 1.0, -1.0)
K = np.exp(-0.5 * ((X[:, None] - X[None]) ** 2).sum(axis=2))
LOSSES = {
    "huber": (TARGETS, lambda z: cp.sum(cp.huber(z - TARGETS)) / 2),
    "epsilon-insensitive:epsilon=0.1": (TARGETS, lambda z: cp.sum(cp.pos(cp.abs(z - TARGETS) - 0.1))),
    "squared-hinge": (LABELS, lambda z: cp.sum_squares(cp.pos(1 - cp.multiply(LABELS, z))) / 2),
    "logistic": (LABELS, lambda z: cp.sum(cp.logistic(-cp.multiply(LABELS, z)))),
}


def problem(loss, y, kernel="rbf:gamma=0.5"):
    return wb.Problem(K if kernel == "precomputed" else X, y, loss, lam=LAM, bias=True, kernel=kernel)


@pytest.mark.parametrize("kernel", ["rbf:gamma=0.5", "precomputed"])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_optimum_is_that_of_a_cone_solver(loss, kernel):
    y, total = LOSSES[loss]
    u, b = cp.Variable(N), cp.Variable()
    values, vectors = np.linalg.eigh(K)
    objective = total(vectors @ cp.multiply(np.sqrt(values), u) + b) / N + LAM / 2 * cp.sum_squares(u)
    expected = cp.Problem(cp.Minimize(objective)).solve(solver="CLARABEL")
    solution = wb.solve(problem(loss, y, kernel), tol=1e-8)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(expected, rel=1e-6)
    assert solution.interval[0] <= expected * (1.0 + 1e-6)
    assert abs(solution.alpha.sum()) <= 1e-9 * np.abs(solution.alpha).sum()


def test_squared_loss_solves_the_normal_equations():
    # alpha = 2 (y - K alpha / (lam n) - b) and sum alpha = 0.
    ones = np.ones((N, 1))
    system = np.block([[K / (LAM * N) + 0.5 * np.eye(N), ones], [ones.T, np.zeros((1, 1))]])
    *alpha, b = np.linalg.solve(system, np.append(TARGETS, 0.0))
    solution = wb.solve(problem("squared", TARGETS), tol=1e-12)
    np.testing.assert_allclose(solution.alpha, alpha, atol=1e-8)
    assert solution.b == pytest.approx(b, abs=1e-8)
    assert wb.certificate(problem("squared", TARGETS), alpha=alpha).relative_gap < 1e-12


def test_epsilon_insensitive_loss_predicts_as_scikit_learn_does():
    peer = SVR(kernel="rbf", gamma=0.5, C=1.0 / (LAM * N), epsilon=0.1, tol=1e-8).fit(X, TARGETS)
    solution = wb.solve(problem("epsilon-insensitive:epsilon=0.1", TARGETS), tol=1e-10)
    new = np.random.default_rng(4).normal(size=(9, 2))
    np.testing.assert_allclose(solution.predict(new), peer.predict(new), atol=1e-5)
    assert wb.certificate(peer, X, TARGETS).relative_gap < 1e-6


def test_a_saved_solution_predicts_warm_starts_and_certifies(tmp_path):
    kernel_problem = problem("logistic", LABELS)
    solution = wb.solve(kernel_problem, tol=1e-8)
    solution.save(tmp_path / "s.npz")
    loaded = wb.Solution.load(tmp_path / "s.npz")
    np.testing.assert_array_equal(loaded.decision_function(X), solution.decision_function(X))
    z = K @ loaded.alpha / (LAM * N) + loaded.b
    np.testing.assert_allclose(loaded.decision_function(X), z, atol=1e-12)
    assert wb.certificate(kernel_problem, alpha=loaded.alpha).relative_gap <= 1e-8
    again = wb.solve(loaded.problem(X, LABELS), solver="newton", tol=1e-6, warm_start=loaded)
    assert (again.status, again.steps) == ("converged", 0)


@pytest.mark.parametrize("solver", ["newton", "lbfgs", "augmented-lagrangian", "proximal-gradient"])
def test_solvers_of_features_take_the_rows_of_the_factor(solver):
    assert wb.solve(problem("squared-hinge", LABELS), solver, tol=1e-6).status == "converged"


def test_a_matrix_without_full_rank_is_factored():
    kernel_problem = wb.Problem(X, TARGETS, "squared", lam=LAM, bias=True, kernel="linear")
    linear = wb.Problem(X, TARGETS, "squared", lam=LAM, bias=True)
    assert kernel_problem.kernel_matrix.factor().shape == (N, 2)
    assert wb.solve(kernel_problem, tol=1e-10).primal == pytest.approx(
        wb.solve(linear, tol=1e-10).primal, rel=1e-9
    )
    zeros = wb.Problem(np.zeros((4, 1)), [1.0, 2.0, 3.0, 6.0], "squared", lam=1.0, bias=True, kernel="linear")
    assert wb.solve(zeros).b == pytest.approx(3.0)


def test_more_samples_than_are_factored_are_refused():
    many = np.zeros((8193, 1))
    with pytest.raises(InputError, match="at most 8,192 samples and not 8,193; use bias=False"):
        wb.Problem(many, np.ones(8193), "squared", bias=True, kernel="linear")
