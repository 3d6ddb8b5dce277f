"""Rates, regret and forward gaps: against hand formulas, runs, brute force and CVXPY."""

import cvxpy as cp
import mpmath
import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score

import workbench as wb
from workbench._support.errors import InputError

random = np.random.default_rng(1)
X = random.normal(size=(40, 6))
TARGETS = X @ random.normal(size=6) + random.normal(size=40)
LABELS = np.sign(TARGETS)


def observed(problem, optimum):
    """The share of D - min D that a cyclic sweep leaves, over ten late ones."""
    run, left = wb.Run(problem, wb.solvers.GaussSeidel(order="cyclic")), []
    while not left or left[-1] > 1e-10 * abs(optimum):
        run.epoch(1)
        left.append(optimum - run.certificate().dual)
    return (left[-1] / left[-11]) ** 0.1


@pytest.mark.parametrize(
    ("loss", "regularizer", "lam"),
    [
        ("squared", "squared-l2", 0.02),
        ("hinge", "squared-l2", 0.002),
        ("huber", "elastic-net:epsilon=0.3", 0.03),
    ],
)
def test_a_run_falls_at_the_rate_of_the_dual_hessian(loss, regularizer, lam):
    problem = wb.Problem(X, LABELS if loss == "hinge" else TARGETS, loss, regularizer, lam=lam)
    solution = wb.solve(problem, "gauss-seidel", tol=1e-14)
    rate = wb.bounds.gauss_seidel_rate(problem, solution.alpha)
    assert rate.dual == rate.alpha**2
    assert rate.dual == pytest.approx(observed(problem, solution.dual), abs=0.01)


def test_the_rate_of_ridge_regression_is_that_of_its_matrix_in_50_digits():
    few = wb.Problem(X[:3], TARGETS[:3], "squared", lam=0.02)
    with mpmath.workdps(50):
        A = mpmath.matrix(X[:3].tolist())
        H = A * A.T / mpmath.mpf(few.lam * 3) + mpmath.eye(3) / 2
        lower = mpmath.matrix(3, 3)
        for i in range(3):
            for j in range(i + 1):
                lower[i, j] = H[i, j]
        values = mpmath.eig(mpmath.eye(3) - lower**-1 * H, right=False)
        expected = float(max(abs(value) for value in values))
    assert wb.bounds.gauss_seidel_rate(few, wb.solve(few).alpha).alpha == pytest.approx(expected, rel=1e-10)
    kernel = wb.Problem(X[:3], TARGETS[:3], "squared", lam=0.02, kernel="linear")
    assert wb.bounds.gauss_seidel_rate(kernel, wb.solve(kernel).alpha).alpha == pytest.approx(expected)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (lambda: wb.Problem(X, TARGETS, "squared", "l1"), "a norm is not available"),
        (lambda: wb.Problem(X, TARGETS, "squared", bias=True), "unregularized bias"),
        (lambda: wb.Problem(X, LABELS > 0, "multinomial"), "several predictions"),
    ],
)
def test_problems_without_a_rate_are_refused(problem, text):
    with pytest.raises(InputError, match=text):
        wb.bounds.gauss_seidel_rate(problem(), np.zeros(40))


@pytest.mark.parametrize("regularizer", ["squared-l2", "p-norm:p=1.5"])
def test_regret_lies_below_its_bounds_and_is_that_of_a_loop(regularizer):
    problem, steps = wb.Problem(X, LABELS, "hinge", regularizer, lam=0.05), 60
    shown = wb.bounds.regret(problem, steps, seed=3)
    assert 0.0 < shown.regret <= shown.bound <= shown.log_bound
    p = 2.0 if regularizer == "squared-l2" else 1.5
    q, theta, total, drawn, bound = p / (p - 1.0), np.zeros(6), 0.0, [], 0.0
    run = wb.Run(problem, wb.solvers.PrimalGradient(), seed=3)
    for t in range(1, steps + 1):
        norm = np.linalg.norm(theta / (0.05 * t), ord=q)
        w = (
            (p - 1.0) * norm ** (2.0 - q) * np.sign(theta) * np.abs(theta / (0.05 * t)) ** (q - 1.0)
            if norm
            else theta
        )
        run.step(1)
        i = run.last_event.index
        drawn.append(i)
        margin = LABELS[i] * (X[i] @ w)
        total += max(0.0, 1.0 - margin) + 0.05 * np.linalg.norm(w, ord=p) ** 2 / (2.0 * (p - 1.0))
        slope = LABELS[i] * X[i] * (margin < 1.0)
        theta, bound = theta + slope, bound + np.linalg.norm(slope, ord=q) ** 2 / (2.0 * 0.05 * t)
    u = cp.Variable(6)
    losses = cp.sum(cp.pos(1 - cp.multiply(LABELS[drawn], X[drawn] @ u)))
    size = cp.sum_squares(u) if p == 2.0 else cp.square(cp.pnorm(u, 1.5))
    least = cp.Problem(cp.Minimize(losses + steps * 0.05 / (2.0 * (p - 1.0)) * size)).solve(solver="CLARABEL")
    assert shown.bound == pytest.approx(bound, rel=1e-9)
    assert shown.regret == pytest.approx(total - least, rel=1e-6)
    assert shown.accuracy(0.1) == pytest.approx(10.0 * shown.log_bound / steps)
    assert shown.delta(shown.accuracy(0.25)) == pytest.approx(0.25)


def test_the_forward_gap_bounds_the_distance_to_the_optimum():
    A, d = np.array([[1.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), np.array([1.0, 0.0, 0.0])
    v = cp.Variable(2)
    best = cp.Problem(cp.Maximize(3 * v[0] + v[1] - cp.sum_squares(v) / 2), [A @ v <= d]).solve(
        solver="CLARABEL"
    )
    for u in ([1.0, 0.0], [0.5, 0.5], [0.9, 0.05], [0.0, 0.0]):
        gradient, values = np.array([3.0, 1.0]) - u, A @ u - d
        shown = wb.gaps.forward_gap(gradient, values, A)
        assert shown.gap >= best - (3 * u[0] + u[1] - np.dot(u, u) / 2) - 1e-7
        np.testing.assert_allclose(A.T @ shown.multipliers, gradient, atol=1e-9)
        assert shown.gap == pytest.approx(-shown.multipliers @ values, abs=1e-9)
    # By hand at (1, 0): lam = (2, 0, 1) satisfies complementarity, so the point is optimal.
    assert wb.gaps.forward_gap([2.0, 1.0], [0.0, -1.0, 0.0], A).gap == pytest.approx(0.0, abs=1e-12)
    # A circle u.u <= 1 at (0.6, 0): grad phi = (1, 0) = lam (1.2, 0), so -lam c = 0.64 / 1.2.
    assert wb.gaps.forward_gap([1.0, 0.0], [-0.64], [[1.2, 0.0]]).gap == pytest.approx(0.64 / 1.2)
    assert wb.gaps.forward_gap([1.0, 1.0], [-0.64], [[1.2, 0.0]]).gap == np.inf
    with pytest.raises(InputError, match=r"values\[0\] = 0.5 is above 0"):
        wb.gaps.forward_gap([1.0], [0.5], [[1.0]])


def test_the_rate_certifying_pair_is_the_best_of_all_and_large_enough():
    K, C = X @ X.T, 2.0
    for a in (np.zeros(40), np.where(LABELS > 0, 0.5 * (LABELS < 0).sum(), 0.5 * (LABELS > 0).sum()) / 20):
        shown = wb.gaps.svm(K, LABELS, C, a)
        m, up = K @ (LABELS * a) - LABELS, np.where(LABELS > 0, a, C - a)
        drops = np.minimum(up[:, None], (C - up)[None, :]) * (m[:, None] - m[None, :])
        i, j, tau = shown.rate_certifying_pair
        assert drops[i, j] == drops.max()
        assert tau == pytest.approx(drops.max() / shown.gap)
        assert 1.0 / 40**2 <= tau <= 1.0
    solution = wb.solve(wb.Problem([[1.0], [-1.0]], [1.0, -1.0], "hinge", lam=10.0, bias=True), tol=1e-12)
    assert (
        wb.gaps.svm(
            [[1.0, -1.0], [-1.0, 1.0]], [1, -1], 0.05, 0.05 * np.abs(solution.alpha)
        ).rate_certifying_pair
        is None
    )


def test_support_vectors_bound_the_errors_of_leaving_one_out():
    problem = wb.Problem(X, LABELS, "hinge", lam=0.05)
    solution = wb.solve(problem, tol=1e-12)
    shown = wb.stability(problem, w=solution.w, alpha=solution.alpha)
    wrong = 0
    for i in range(40):
        keep = np.arange(40) != i
        w = wb.solve(wb.Problem(X[keep], LABELS[keep], "hinge", lam=0.05 * 40 / 39), tol=1e-10).w
        wrong += LABELS[i] * (X[i] @ w) <= 0.0
    assert shown.errors[0] <= wrong <= shown.errors[1] <= shown.support
    assert shown.support == np.count_nonzero(solution.alpha)


def test_break_even_is_where_precision_equals_recall():
    labels, scores = np.array([1, 1, -1, 1, -1, -1]), np.array([0.9, 0.8, 0.7, 0.6, 0.5, 0.4])
    above = scores > 0.65
    assert precision_score(labels > 0, above) == recall_score(labels > 0, above) == pytest.approx(2 / 3)
    assert wb.break_even(labels, scores) == pytest.approx(200 / 3)
