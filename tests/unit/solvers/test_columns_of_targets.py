"""Targets in several columns: a loss for each, tied by the regularizer; against CVXPY and scikit-learn."""

import cvxpy as cp
import numpy as np
import pytest
from sklearn.linear_model import MultiTaskLasso

import workbench as wb
from workbench._support.errors import InputError

N, LAM = 40, 0.05
random = np.random.default_rng(0)
X = random.normal(size=(N, 5))
TARGETS = X[:, :2] @ random.normal(size=(2, 3)) + 0.3 * random.normal(size=(N, 3)) + 3.0
LABELS = np.where(TARGETS > 3.2, 1.0, -1.0)
WEIGHT = random.uniform(0.5, 2.0, size=N)
LOSSES = {
    "squared": (TARGETS, lambda z: (z - TARGETS) ** 2),
    "logistic": (LABELS, lambda z: cp.logistic(-cp.multiply(LABELS, z))),
    "hinge": (LABELS, lambda z: cp.pos(1 - cp.multiply(LABELS, z))),
}
REGULARIZERS = {
    "rows-l1l2": lambda W: cp.sum(cp.norm(W, 2, axis=1)),
    "trace": cp.normNuc,
    "squared-l2": lambda W: cp.sum_squares(W) / 2,
}


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", LOSSES)
def test_the_optimum_is_that_of_a_cone_solver(loss, regularizer, bias):
    y, losses = LOSSES[loss]
    W, b = cp.Variable((5, 3)), cp.Variable((1, 3)) if bias else np.zeros((1, 3))
    total = cp.sum(cp.multiply(WEIGHT[:, None] * np.ones((1, 3)), losses(X @ W + np.ones((N, 1)) @ b)))
    objective = total / N + LAM * REGULARIZERS[regularizer](W)
    expected = cp.Problem(cp.Minimize(objective)).solve(solver="CLARABEL")
    problem = wb.Problem(X, y, loss, regularizer, lam=LAM, bias=bias, sample_weight=WEIGHT)
    solution = wb.solve(problem, tol=1e-7)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(expected, rel=2e-7)
    certificate = wb.certificate(problem, w=solution.w, b=solution.b if bias else None, alpha=solution.alpha)
    assert certificate.interval[0] <= expected * (1.0 + 1e-8)
    assert certificate.interval[1] >= expected * (1.0 - 1e-8)
    assert certificate.sample_terms.shape == (N,)


def test_weights_alone_have_a_dual_point_and_balls_bound_it():
    problem = wb.Problem(X, LABELS, "hinge", "rows-l1l2", lam=LAM, bias=True)
    solution = wb.solve(problem, tol=1e-7)
    plain = wb.certificate(problem, w=solution.w)
    assert plain.gap >= solution.primal - solution.dual - 1e-12
    exact = wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha, rigorous=True)
    assert exact.interval[0] <= solution.primal <= exact.interval[1] * (1.0 + 1e-12)
    np.testing.assert_allclose(exact.alpha.sum(axis=0), 0.0, atol=1e-12)


@pytest.mark.parametrize(("y", "loss"), [(TARGETS, "squared"), (LABELS, "logistic")])
def test_without_a_tie_each_column_is_a_problem_of_its_own(y, loss):
    together = wb.solve(wb.Problem(X, y, loss, "squared-l2", lam=LAM, bias=True), tol=1e-10)
    for k in range(3):
        alone = wb.solve(wb.Problem(X, y[:, k], loss, "squared-l2", lam=LAM, bias=True), tol=1e-12)
        np.testing.assert_allclose(together.w[:, k], alone.w, atol=1e-4)
        assert together.b[k] == pytest.approx(alone.b, abs=1e-4)


def test_weights_are_those_of_multi_task_lasso_and_its_certificate_is_of_this_problem():
    peer = MultiTaskLasso(alpha=0.1, tol=1e-12, max_iter=10_000).fit(X, TARGETS)
    solution = wb.solve(wb.Problem(X, TARGETS, "squared", "rows-l1l2", lam=0.2, bias=True), tol=1e-10)
    np.testing.assert_allclose(solution.w.T, peer.coef_, atol=1e-5)
    np.testing.assert_allclose(solution.b, peer.intercept_, atol=1e-5)
    judged = wb.certificate(peer, X, TARGETS)
    assert judged.parts[0].problem.columns == (3,)
    assert judged.relative_gap < 1e-8


def test_solutions_predict_columns_after_saving_and_start_others(tmp_path):
    fits, warmed = {}, {"squared": "proximal-gradient", "logistic": "proximal-gradient", "hinge": "pdhg"}
    for name, (y, _) in LOSSES.items():
        problem = wb.Problem(X, y, name, "rows-l1l2", lam=LAM, bias=True)
        solution = wb.solve(problem, tol=1e-6, test=(X, y))
        solution.save(tmp_path / "s.npz")
        loaded = wb.Solution.load(tmp_path / "s.npz")
        z = X @ solution.w + solution.b
        np.testing.assert_allclose(
            loaded.predict(X), z if name == "squared" else np.where(z >= 0, 1, -1), atol=1e-12
        )
        again = wb.Run(loaded.problem(X, y), warmed[name], warm_start=loaded)
        assert again.problem.digest == problem.digest
        assert name == "hinge" or again.certificate().relative_gap <= 1e-5
        fits[name] = solution.history["test_score"].iloc[-1]
    spread = ((TARGETS - TARGETS.mean(axis=0)) ** 2).sum()
    residual = (
        (TARGETS - wb.solve(wb.Problem(X, TARGETS, "squared", "rows-l1l2", LAM, True)).predict(X)) ** 2
    ).sum()
    assert fits["squared"] == pytest.approx(1.0 - residual / spread, abs=1e-5)
    assert fits["logistic"] > 0.9


def test_screening_discards_rows_that_are_zero_at_the_optimum():
    problem = wb.Problem(X, TARGETS, "squared", "rows-l1l2", lam=0.5, bias=True)
    solution = wb.solve(problem, tol=1e-10)
    screened = wb.screening(problem, w=solution.w, b=solution.b, alpha=solution.alpha)
    assert set(np.flatnonzero(screened.status == "discarded")) == {2, 3, 4}
    np.testing.assert_array_equal(solution.w[2:], 0.0)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"loss": "multinomial"}, "one label a sample"),
        ({"kernel": "rbf"}, "do not go with a kernel; give one column"),
        ({"loss": wb.losses.custom("0", kind="residual", domain="u >= 0")}, "infinite at some predictions"),
        ({"embed": "balanced"}, "embed = 'balanced'"),
        ({"constraints": (np.ones((1, 5)), [0.0])}, "do not go with constraints"),
        ({"loss": "hinge", "y": np.full((N, 2), 2.0)}, r"y\[0, 0\] is 2; the hinge loss needs labels"),
        ({"loss": "hinge", "y": np.ones((N, 2)), "bias": True}, "needs both classes"),
        ({"y": TARGETS[:, :1]}, r"y has shape \(40, 1\)"),
        ({"y": [[1.0, 2.0], [1.0]] * 20}, "y"),
    ],
)
def test_combinations_without_meaning_are_refused(options, text):
    with pytest.raises(InputError, match=text):
        wb.Problem(X, **{"y": TARGETS, "loss": "squared", **options})


@pytest.mark.parametrize("solver", list(wb.solvers.REGISTRY))
def test_other_solvers_say_which_take_columns(solver):
    problem = wb.Problem(X, TARGETS, "squared", "squared-l2", lam=LAM)
    chosen = wb.solvers.get(solver)
    if chosen.takes_columns:
        assert wb.solve(problem, chosen, tol=1e-5).status == "converged"
        return
    with pytest.raises(
        InputError, match="y of 3 columns is not supported; use lbfgs, proximal-gradient, conic or pdhg"
    ):
        wb.Run(problem, chosen)


def test_stability_bounds_hold_for_columns():
    problem = wb.Problem(X, TARGETS, "squared", "squared-l2", lam=LAM)
    solution = wb.solve(problem, tol=1e-12)
    stability = wb.stability(problem, w=solution.w, alpha=solution.alpha, samples=[4])
    keep = np.arange(N) != 4
    # Without the sample, the sum over the others is over n as before.
    without = wb.Problem(X[keep], TARGETS[keep], "squared", "squared-l2", lam=LAM * N / (N - 1))
    z = X[4] @ wb.solve(without, tol=1e-12).w
    assert (stability.prediction[0, :, 0] <= z + 1e-9).all()
    assert (stability.prediction[0, :, 1] >= z - 1e-9).all()
