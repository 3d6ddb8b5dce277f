"""Primal coordinate descent: against scikit-learn, step by step, dense and sparse, and what it refuses."""

import cvxpy as cp
import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import ElasticNet

import workbench as wb
from workbench.problems.design import Design
from workbench.solvers import CoordinateDescent
from workbench.solvers.algorithms._models import LOOKS

# With both gaps at 1e-12 strong convexity promises weights to sqrt(2 gap / lam) and no better.
ORACLE = 5e-6


def matrix(n=40, d=15, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, :3] @ np.array([1.0, -2.0, 0.5]) + 0.1 * rng.normal(size=n)


def problem(regularizer="elastic-net:epsilon=0.5", lam=0.1, bias=False, **options):
    X, y = matrix(**options)
    return wb.Problem(X, y, "squared", regularizer, lam, bias=bias)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("n", "d"), [(40, 15), (15, 40)])
def test_agrees_with_scikit_learn(n, d, seed):
    X, y = matrix(n, d, seed)
    epsilon, lam = 0.5, 0.1
    ours = wb.solve(
        wb.Problem(X, y, "squared", f"elastic-net:epsilon={epsilon}", lam), "coordinate-descent", tol=1e-12
    )
    # Their objective is half of ours.
    theirs = ElasticNet(
        alpha=lam * (1 + epsilon) / 2,
        l1_ratio=epsilon / (1 + epsilon),
        fit_intercept=False,
        tol=1e-12,
        max_iter=100_000,
    ).fit(X, y)
    assert ours.status == "converged"
    np.testing.assert_allclose(ours.w, theirs.coef_, atol=ORACLE)


def test_the_event_is_the_soft_thresholded_step():
    p = problem(lam=0.2)
    X, y, n = p.rows.toarray(), p.y, p.n_samples
    run = wb.Run(p, CoordinateDescent())
    w = np.zeros(X.shape[1])
    for j in range(X.shape[1]):
        run.step()
        g, a = 2.0 / n * X[:, j] @ (y - X @ w), 2.0 / n * X[:, j] @ X[:, j]
        free = g + a * w[j]
        w[j] = np.sign(free) * max(abs(free) - 0.2 * 0.5, 0.0) / (a + 0.2)
        event = run.last_event
        assert (event.index, event.before) == (j, 0.0)
        np.testing.assert_allclose((event.after, event.gradient, event.curvature), (w[j], g, a), rtol=1e-12)


def test_a_model_does_its_part_before_all_columns_are_looked_at():
    """A look costs as much as many passes: a dozen close this gap, not one after each plan of visits."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 100)) + 0.7 * rng.normal(size=(400, 1))
    y = X[:, 0] - X[:, 1] + rng.normal(size=400)
    run = wb.Run(wb.Problem(X, y, "squared", "l1", 0.01), CoordinateDescent())
    assert run.until(gap=1e-9, max_epochs=5000) == "converged"
    assert run.state.counters[LOOKS] <= 40


@pytest.mark.parametrize("n", [1, 30])
def test_dense_sparse_and_column_order_agree(n):
    X, y = matrix(n, 20)
    X[:, 4] = 0.0
    kinds = (X, np.asfortranarray(X), sp.csr_array(X), sp.csc_array(X))
    solutions = [
        wb.solve(wb.Problem(rows, y, "squared", "elastic-net", 0.1), "coordinate-descent", tol=1e-13)
        for rows in kinds
    ]
    for solution in solutions:
        assert solution.status == "converged"
        assert solution.w[4] == 0.0
        np.testing.assert_allclose(solution.w, solutions[0].w, atol=1e-12)


@pytest.mark.parametrize("size", [1e-12, 1e12])
def test_ill_scaled_features_converge(size):
    X, y = matrix()
    lam = 0.1 * size**2
    ours = wb.solve(wb.Problem(size * X, y, "squared", lam=lam), "coordinate-descent", tol=1e-10)
    reference = wb.solve(wb.Problem(X, y, "squared", lam=0.1), "coordinate-descent", tol=1e-10)
    assert ours.status == "converged"
    assert ours.primal == pytest.approx(reference.primal, rel=1e-9)


# The design, dense until rows are asked for


def test_a_full_dense_matrix_is_copied_unless_it_is_read_only():
    X, _ = matrix()
    design = Design(X)
    assert not np.shares_memory(design.dense, X)
    assert not design.dense.flags.writeable
    assert X.flags.writeable
    assert not np.shares_memory(Design(X[:]).dense, X)
    X.setflags(write=False)
    assert np.shares_memory(Design(X).dense, X)
    assert Design(np.eye(30)).dense is None


@pytest.mark.parametrize(("form", "order"), [(np.ascontiguousarray, "C"), (np.asfortranarray, "F")])
def test_a_full_dense_matrix_is_copied_once_in_its_own_order(form, order):
    X = form(matrix()[0])
    design = wb.Problem(X, matrix()[1], "squared", "l1").design
    for name, read in (("column_arrays", "F"), ("step_arrays", "C")):
        *_, values = getattr(design, name)
        assert np.shares_memory(values, design.dense) == (order == read)
        np.testing.assert_array_equal(values, X.ravel(order=read))


def test_groups_that_take_many_passes_converge():
    X, y = matrix(n=10, d=4)
    X[:, 1] = X[:, 0] + 0.03 * X[:, 1]
    p = wb.Problem(X, y, "squared", wb.norms.GroupL1L2(size=2), lam=1e-4)
    assert wb.solve(p, "coordinate-descent", tol=1e-8, max_epochs=5000).status == "converged"


# Newton's method on the support of blocks


@pytest.mark.parametrize("lam", [1e-1, 1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("norm", ["l1", "elastic-net:epsilon=0.5", "rows-l1l2"])
def test_classes_converge_at_raw_scales(norm, bias, lam):
    """Columns of spreads from 0.1 to 300; the oracle is an exponential cone program in standard units."""
    X, y = load_wine(return_X_y=True)
    ours = wb.solve(wb.Problem(X, y, "multinomial", norm, lam, bias=bias), max_epochs=200)
    assert ours.status == "converged"
    spread = X.std(axis=0)
    v, b = cp.Variable((13, 3)), cp.Variable((1, 3))
    w = cp.multiply(np.repeat(1.0 / spread[:, None], 3, axis=1), v)
    z = (X / spread) @ v + (np.ones((178, 1)) @ b if bias else 0.0)
    size = cp.sum(cp.norm(w, 2, axis=1)) if norm == "rows-l1l2" else cp.norm1(w)
    if norm.startswith("elastic-net"):
        size = 0.5 * size + 0.5 * cp.sum_squares(w)
    loss = cp.sum(cp.log_sum_exp(z, axis=1)) - cp.sum(cp.multiply(np.eye(3)[y], z))
    theirs = cp.Problem(cp.Minimize(loss / 178 + lam * size)).solve(solver="CLARABEL")
    assert ours.primal == pytest.approx(theirs, rel=2e-6)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(
    ("load", "loss", "norm"),
    [
        (load_wine, "multinomial", wb.norms.SparseGroup(size=3)),
        (load_breast_cancer, "logistic", wb.norms.GroupL1L2(size=5)),
        (load_breast_cancer, "squared", wb.norms.SparseGroup(size=5)),
    ],
)
def test_groups_converge_at_raw_scales(load, loss, norm, bias):
    raw = wb.Problem(*load(return_X_y=True), loss, norm, lam=1e-3, bias=bias)
    assert wb.solve(raw, CoordinateDescent(), max_epochs=5, tol=1e-9).status == "converged"


def test_a_classifier_of_raw_classes_certifies_what_it_returns():
    X, y = load_wine(return_X_y=True)
    model = wb.MultinomialClassifier(regularizer="l1", lam=1e-3, tol=1e-6).fit(X, y)
    problem = wb.Problem(X, y, "multinomial", "l1", 1e-3, bias=True)
    solution = model.solution_
    certificate = wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha)
    assert certificate.relative_gap <= 1e-6


def test_derivatives_of_blocks_are_those_of_differences():
    rng = np.random.default_rng(0)
    w, entries = rng.normal(size=6), np.array([0, 1, 3, 4, 5])
    w[2] = 0.0
    groups = wb.norms.SparseGroup(groups=[[0, 3], [1, 2, 4], [5]], share=0.3).at(6).blocks
    slopes, hessian = groups.derivatives(w, entries)
    steps = 1e-6 * np.eye(6)[entries]
    rises = [(groups.value(w + step) - groups.value(w - step)) / 2e-6 for step in steps]
    bends = [
        (groups.derivatives(w + step, entries)[0] - groups.derivatives(w - step, entries)[0]) / 2e-6
        for step in steps
    ]
    np.testing.assert_allclose(slopes, rises, atol=1e-8)
    np.testing.assert_allclose(hessian, bends, atol=1e-8)
