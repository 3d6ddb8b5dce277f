"""Losses that are infinite somewhere: feasible weights, certificates, and dual rays where there are none."""

import cvxpy
import numpy as np
import pytest

import workbench as wb
from tests.long import random_infinite

HARD = {"text": "0", "kind": "margin", "domain": "u >= 1"}
INTERPOLATION = {"text": "0", "kind": "residual", "domain": "u == 0"}
TUBE = {"text": "0", "kind": "residual", "domain": "abs(u) <= 0.1"}


def loss(how):
    return wb.losses.custom(**how)


def data(seed=0, n=12, d=3):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, X @ rng.standard_normal(d)


@pytest.mark.parametrize("k", range(8))
def test_random_problems_agree_with_cvxpy(k):
    problem, oracle, text = random_infinite.drawn(np.random.default_rng([3, k]))
    outcome, detail = random_infinite.compared(problem, oracle)
    assert outcome in ("solved", "infeasible", "refused"), f"{text}: {detail}"


def test_hard_margin_is_that_of_cvxpy_with_a_certificate_of_its_own_arrays():
    X, z = data()
    y = np.sign(z)
    problem = wb.Problem(X, y, loss(HARD), lam=0.1, bias=True)
    solution = wb.solve(problem, tol=1e-8)
    w, b = cvxpy.Variable(3), cvxpy.Variable()
    margins = cvxpy.multiply(y, X @ w + b)
    best = cvxpy.Problem(cvxpy.Minimize(0.1 * cvxpy.sum_squares(w) / 2), [margins >= 1]).solve()
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(best, rel=1e-6)
    assert wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha).relative_gap <= 1e-8
    assert (y * (X @ solution.w + solution.b)).min() >= 1.0 - 1e-13


def test_minimum_norm_interpolation_is_that_of_the_pseudoinverse():
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((4, 9)), rng.standard_normal(4)
    solution = wb.solve(wb.Problem(X, y, loss(INTERPOLATION), lam=1.0), tol=1e-10)
    assert solution.w == pytest.approx(np.linalg.pinv(X) @ y, abs=1e-8)
    basis = wb.solve(wb.Problem(X, y, loss(INTERPOLATION), "l1", lam=1.0))
    assert np.count_nonzero(basis.w) == 4
    assert X @ basis.w == pytest.approx(y, abs=1e-12)


@pytest.mark.parametrize(("how", "factor"), [(HARD, 1.0 - 1e-9), (INTERPOLATION, 1.0 + 1e-9), (TUBE, 3.0)])
def test_no_certificate_is_finite_at_infeasible_weights(how, factor):
    X, z = data(d=20)
    y = np.sign(z) if how["kind"] == "margin" else z
    problem = wb.Problem(X, y, loss(how), lam=0.1)
    solution = wb.solve(problem)
    moved = wb.certificate(problem, w=factor * solution.w, alpha=solution.alpha)
    assert np.isfinite(wb.certificate(problem, w=solution.w, alpha=solution.alpha).primal)
    assert (moved.primal, moved.gap) == (np.inf, np.inf)
    assert np.isfinite(moved.dual)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("how", [HARD, INTERPOLATION, TUBE])
def test_an_infeasible_problem_has_a_ray(how, bias):
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((30, 3)), np.sign(rng.standard_normal(30))
    problem = wb.Problem(X, y, loss(how), lam=0.1, bias=bias)
    with pytest.warns(wb.ConvergenceWarning, match="no weights are feasible"):
        solution = wb.solve(problem)
    assert solution.status == "infeasible"
    assert np.isinf(solution.primal)
    assert np.abs(X.T @ solution.ray).max() <= 1e-12 * np.abs(solution.ray).sum()
    assert abs(solution.ray.sum()) <= 1e-12 or not bias
    duals = [wb.certificate(problem, alpha=t * solution.ray).dual for t in (1e3, 1e6)]
    assert 0.0 < 100.0 * duals[0] < duals[1]


def test_sentence_has_both_sides_of_the_proof():
    """Along alpha_i y_i >= 0 finite losses, y_i z_i >= 1, need the sum of |alpha_i|; here that is 2 of 0."""
    problem = wb.Problem([[1.0], [1.0], [2.0]], [1, -1, 1], loss(HARD), lam=0.1)
    words = r"only for u >= 1 with.* \(1 for sample 0, -1 for sample 1\).* 0 .* at least 2;"
    with pytest.warns(wb.ConvergenceWarning, match=words):
        wb.solve(problem)


def test_ray_survives_a_file(tmp_path):
    rng = np.random.default_rng(2)
    problem = wb.Problem(rng.standard_normal((9, 2)), rng.standard_normal(9), loss(INTERPOLATION))
    with pytest.warns(wb.ConvergenceWarning):
        solution = wb.solve(problem)
    solution.save(tmp_path / "s.npz")
    again = wb.Solution.load(tmp_path / "s.npz")
    assert (again.ray == solution.ray).all()
    assert (again.status, again.notice) == ("infeasible", solution.notice)


def test_contradicting_boxes_of_weights_are_part_of_the_proof():
    X, y = np.array([[1.0], [2.0]]), np.array([3.0, 6.0])
    free = wb.Problem(X, y, loss(INTERPOLATION), lam=0.1)
    assert wb.solve(free, tol=1e-9).w == pytest.approx([3.0])
    with pytest.warns(wb.ConvergenceWarning, match="no weights are feasible"):
        boxed = wb.solve(wb.Problem(X, y, loss(INTERPOLATION), "bounded:radius=1", lam=0.1))
    assert boxed.ray is not None


def test_solvers_of_finite_losses_refuse_and_a_kernel_does():
    X, z = data()
    problem = wb.Problem(X, np.sign(z), loss(HARD))
    for name in ("newton", "lbfgs", "proximal-gradient", "primal-gradient", "pdhg", "proximal-point"):
        with pytest.raises(wb.InputError, match="finite"):
            wb.Run(problem, name)
    with pytest.raises(wb.InputError, match="infinite at some predictions"):
        wb.Problem(X, np.sign(z), loss(HARD), kernel="rbf")


def test_rounding_of_huge_weights_excuses_no_prediction():
    problem = wb.Problem([[1.0, -1.0]], [1.0], loss(INTERPOLATION), lam=0.1)
    huge = wb.certificate(problem, w=[1e20, 1e20], alpha=[0.0])
    assert (huge.primal, huge.gap) == (np.inf, np.inf)
