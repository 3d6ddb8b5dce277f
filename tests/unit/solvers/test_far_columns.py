"""Columns far from zero beside a free bias: solvers see them centred, the caller's arrays are certified.

Judged by CVXPY on columns that were moved back, and by sums in 50 digits of the arrays that are returned.
"""

import cvxpy
import mpmath
import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from workbench._support.errors import InputError
from workbench.estimators.models import DualClassifier, DualRegressor
from workbench.problems import centring

LAM, FAR = 1e-3, 3e7
TIMES = 1.7e12 + np.random.default_rng(4).integers(-60_000, 60_000, 24)
LOSSES = {
    "hinge": lambda z, y: cvxpy.pos(1 - cvxpy.multiply(y, z)),
    "squared-hinge": lambda z, y: cvxpy.square(cvxpy.pos(1 - cvxpy.multiply(y, z))) / 2,
    "squared": lambda z, y: cvxpy.square(z - y),
    "huber": lambda z, y: cvxpy.huber(z - y, 1) / 2,
}
NORMS = {"squared-l2": lambda w: cvxpy.sum_squares(w) / 2, "l1": cvxpy.norm1}


def drawn(loss):
    """Data of a few columns near zero with weights, and the second column moved far from zero."""
    rng = np.random.default_rng(7)
    near, weight = rng.normal(size=(60, 3)), rng.uniform(0.5, 2.0, 60)
    near[:, 1] = np.round(near[:, 1], 6)
    X = near.copy()
    X[:, 1] += FAR
    # Moved back, the column is the one that a caller's floats say.
    near[:, 1] = X[:, 1] - FAR
    y = near @ [1.0, -2.0, 0.5] + 0.5 * rng.normal(size=60)
    return X, near, np.where(y > 0.0, 1.0, -1.0) if "hinge" in loss else y, weight


def optimum(loss, norm, near, y, weight):
    """inf P by Clarabel, on columns near zero."""
    w, b = cvxpy.Variable(near.shape[1]), cvxpy.Variable()
    losses = cvxpy.multiply(weight, LOSSES[loss](near @ w + b, y))
    program = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(losses) / y.size + LAM * NORMS[norm](w)))
    program.solve(solver=cvxpy.CLARABEL, tol_gap_abs=1e-11, tol_gap_rel=1e-11, tol_feas=1e-11)
    return program.value


def exact_primal(loss, norm, X, y, weight, w, b):
    """P(w, b) of the floats in 50 digits."""
    with mpmath.workdps(50):
        z = [mpmath.fdot(map(mpmath.mpf, row), map(mpmath.mpf, w)) + mpmath.mpf(b) for row in X.tolist()]
        margin = [max(1 - t * u, mpmath.mpf(0)) for t, u in zip(y.tolist(), z, strict=True)]
        beyond = [abs(u - mpmath.mpf(t)) for t, u in zip(y.tolist(), z, strict=True)]
        values = {
            "hinge": margin,
            "squared-hinge": [m * m / 2 for m in margin],
            "squared": [r * r for r in beyond],
            "huber": [r * r / 2 if r <= 1 else r - mpmath.mpf(1) / 2 for r in beyond],
        }[loss]
        size = [mpmath.mpf(x) for x in w.tolist()]
        g = mpmath.fsum(map(abs, size)) if norm == "l1" else mpmath.fsum(x * x for x in size) / 2
        return mpmath.fdot(map(mpmath.mpf, weight.tolist()), values) / y.size + mpmath.mpf(LAM) * g


def made(loss, norm, kind=np.asarray):
    X, _, y, weight = drawn(loss)
    return wb.Problem(kind(X), y, loss, norm, LAM, bias=True, sample_weight=weight)


CASES = [(loss, norm) for loss in LOSSES for norm in NORMS]


@pytest.mark.parametrize(("loss", "norm"), CASES)
def test_the_optimum_of_a_moved_column_is_found_and_stated(loss, norm):
    X, near, y, weight = drawn(loss)
    best = optimum(loss, norm, near, y, weight)
    problem = made(loss, norm)
    solution = wb.solve(problem, tol=1e-8)
    value = exact_primal(loss, norm, X, y, weight, solution.w, solution.b)
    assert solution.status == "converged"
    assert float(value) == pytest.approx(best, rel=3e-8)
    # What is stated is true of the very arrays that are returned.
    assert abs(value - mpmath.mpf(solution.primal)) <= 1e-13 * value
    for rigorous in (False, True):
        certificate = wb.certificate(problem, solution.w, solution.b, solution.alpha, rigorous=rigorous)
        assert (certificate.b, certificate.primal) == (solution.b, solution.primal)
        lower, upper = certificate.interval
        assert lower <= best * (1 + 1e-9)
        assert lower <= value <= upper
        assert upper - lower <= 1.1e-8 * float(value)


def takers(name):
    """(problem far from zero, the same near zero) for what a solver takes with a free bias."""
    for loss, norm in CASES:
        far, (_, near, y, weight) = made(loss, norm), drawn(loss)
        try:
            wb.solvers.get(name).init(far)
        except InputError:
            continue
        yield far, wb.Problem(near, y, loss, norm, LAM, bias=True, sample_weight=weight)


CONVERGING = [name for name, solver in wb.solvers.REGISTRY.items() if solver.converges]


@pytest.mark.parametrize("name", CONVERGING)
@pytest.mark.filterwarnings("ignore::workbench._support.errors.WorkbenchWarning")
def test_every_solver_comes_as_near_as_without_the_move(name):
    for problems in takers(name):
        far, near = (wb.Run(problem, name) for problem in problems)
        for run in (far, near):
            run.until(gap=1e-6, max_epochs=60)
        assert far.best.relative_gap <= max(3.0 * near.best.relative_gap, 1e-6), far.problem


@pytest.mark.parametrize("loss", ["squared-hinge", "multinomial"])
def test_many_steps_are_one_run_and_a_warm_start_is_at_its_end(loss):
    X, _, y, weight = drawn("squared")
    labels = (
        np.digitize(y, [-1.0, 1.0]).astype(float) if loss == "multinomial" else np.where(y > 0, 1.0, -1.0)
    )
    problem = wb.Problem(X, labels, loss, lam=LAM, bias=True, sample_weight=weight)
    once, often = wb.Run(problem, "newton"), wb.Run(problem, "newton")
    once.step(5)
    for _ in range(5):
        often.step(1)
    for one, other in zip(once.state, often.state, strict=True):
        np.testing.assert_array_equal(one, other)
    solution = wb.solve(problem, "newton", tol=1e-10)
    again = wb.solve(problem, "newton", tol=1e-8, warm_start=solution)
    assert (solution.status, again.status, again.epochs) == ("converged", "converged", 0.0)
    np.testing.assert_array_equal(again.b, solution.b)
    # Weights and bias without dual variables, in the caller's features.
    start = {"w": solution.w, "b": solution.b}
    assert wb.solve(problem, "newton", tol=1e-8, warm_start=start).epochs <= 1.0


def test_a_saved_solution_starts_where_it_ended(tmp_path):
    problem = made("squared-hinge", "squared-l2")
    wb.solve(problem, "newton", tol=1e-9).save(tmp_path / "solution.npz")
    loaded = wb.Solution.load(tmp_path / "solution.npz")
    again = wb.solve(problem, "newton", tol=1e-8, warm_start=loaded)
    assert (again.status, again.steps) == ("converged", 0)
    np.testing.assert_allclose(again.b, loaded.b, rtol=1e-12)


def test_sparse_columns_are_moved_where_hardly_an_entry_is_zero():
    dense, sparse = made("huber", "l1").centred.design, made("huber", "l1", sp.csr_array).centred.design
    np.testing.assert_array_equal(dense.toarray(), sparse.toarray())
    X = np.where(np.random.default_rng(1).random((300, 4)) < 0.98, 0.0, 5.0)
    X[:, 3] = FAR + np.arange(300.0)
    X[5, 3] = 0.0
    problem = wb.Problem(sp.csr_array(X), np.arange(300.0), "squared", lam=LAM, bias=True)
    centred = problem.centred
    assert np.flatnonzero(centred.origin).tolist() == [3]
    assert centred.design.dense is None
    assert centred.design.nnz <= problem.design.nnz + 1
    np.testing.assert_array_equal(centred.design.toarray() + centred.origin, X)


def test_columns_stay_where_a_move_is_of_no_use_or_would_round():
    X, _, y, _ = drawn("squared")
    for bias in (False, "constant"):
        assert wb.Problem(X, y, "squared", bias=bias).centred.origin is None
    near = np.column_stack([X[:, 0] + 5.0, np.ones(60)])
    problem = wb.Problem(near, y, "squared", bias=True)
    assert problem.centred is problem
    with np.errstate(all="raise"):
        rounded = np.full((300, 1), 1e12) + np.arange(300.0)[:, None]
        rounded[7] = 0.1
        assert centring.origin(wb.Problem(rounded, rounded[:, 0], "squared").design, np.ones(300)) is None
    # The problem itself, and its fingerprint, are the caller's.
    moved = wb.Problem(X, y, "squared", bias=True)
    np.testing.assert_array_equal(moved.rows.toarray(), X)
    assert moved.digest != wb.Problem(X + 1.0, y, "squared", bias=True).digest
    assert moved.replace(lam=0.5).centred.design is moved.centred.design


def test_timestamps_are_regressed_on():
    y = 0.002 * (TIMES - 1.7e12) + 3.0
    model = DualRegressor("huber").fit(TIMES[:, None], y)
    assert model.coef_ == pytest.approx([0.002], rel=1e-6)
    assert model.score(TIMES[:, None], y) == pytest.approx(1.0, abs=1e-9)
    assert model.n_iter_ <= 200


@pytest.mark.parametrize("spread", [1e3, 1e6, 1e9])
def test_timestamps_beside_small_features_are_classified_by(spread):
    rng = np.random.default_rng(3)
    near = np.column_stack([np.round(spread * rng.normal(size=200)), rng.normal(size=(200, 2))])
    y = np.where(near @ [1.0 / spread, 1.0, -1.0] + rng.normal(size=200) > 0.0, 1.0, -1.0)
    X, weight = near.copy(), np.ones(200)
    X[:, 0] += 1.7e12
    solution = wb.solve(wb.Problem(X, y, "hinge", lam=LAM, bias=True), tol=1e-6)
    assert solution.status == "converged"
    value = exact_primal("hinge", "squared-l2", X, y, weight, solution.w, solution.b)
    assert abs(value - mpmath.mpf(solution.primal)) <= 1e-12 * value


@pytest.mark.filterwarnings("ignore::workbench._support.errors.ConvergenceWarning")
def test_what_rounding_of_the_bias_adds_is_stated_and_ends_the_run():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.normal(size=100) + 1.7e12, rng.normal(size=100)])
    near = np.column_stack([X[:, 0] - 1.7e12, X[:, 1]])
    y, weight = np.where(near @ [1.0, -2.0] > 0.3 * rng.normal(size=100), 1.0, -1.0), np.ones(100)
    solution = wb.solve(wb.Problem(X, y, "hinge", lam=LAM, bias=True), tol=1e-8)
    value = exact_primal("hinge", "squared-l2", X, y, weight, solution.w, solution.b)
    assert solution.status == "precision"
    assert "centre" in solution.notice
    assert 1e-8 < solution.relative_gap < 1e-3
    assert abs(value - mpmath.mpf(solution.primal)) <= 1e-12 * value
    best = optimum("hinge", "squared-l2", near, y, weight)
    assert solution.dual == pytest.approx(best, rel=1e-7)


def test_a_classifier_on_a_moved_column_is_that_of_the_column_near_zero():
    X, near, y, _ = drawn("hinge")
    model = DualClassifier("hinge", lam=LAM).fit(X, y)
    best = optimum("hinge", "squared-l2", near, y, np.ones(60))
    value = exact_primal("hinge", "squared-l2", X, y, np.ones(60), model.coef_[0], model.intercept_[0])
    assert float(value) == pytest.approx(best, rel=2e-6)
