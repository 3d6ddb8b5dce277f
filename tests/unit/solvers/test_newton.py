"""Newton's method and proximal points: the optima of others, on data of any scale, and true equations."""

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.solvers import ProximalPoint
from workbench.solvers.algorithms import _newton_system as system
from workbench.solvers.algorithms.newton import losses_at

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
CLASSES = np.arange(40) % 3
SCALES = np.array([1e-3, 1e3, 1.0, 30.0, 0.2, 1.0])
# What made every other solver here crawl.
DATA = {"scaled": X * SCALES, "shifted": X + 1000.0, "plain": X}
every_data = pytest.mark.parametrize("data", DATA.values(), ids=DATA)
biases = pytest.mark.parametrize("bias", [False, True])
KINKED = {"hinge": LABELS, "epsilon-insensitive:epsilon=0.3": TARGETS}


# Of the solver for kinks, and of that for curvature.
SOLVED = {
    "hinge": "proximal-point",
    "epsilon-insensitive:epsilon=0.3": "proximal-point",
    "logistic": "newton",
    "squared-hinge": "newton",
}


@every_data
@biases
@pytest.mark.parametrize("loss", SOLVED)
def test_the_gap_closes_on_data_of_any_scale(loss, data, bias):
    p = Problem(data, KINKED.get(loss, LABELS), loss, lam=1e-3, bias=bias)
    assert wb.solve(p, SOLVED[loss], tol=1e-7).status == "converged"


@biases
@pytest.mark.parametrize("loss", KINKED)
def test_a_run_that_goes_on_stays_at_the_optimum(loss, bias):
    run = wb.Run(Problem(X, KINKED[loss], loss, lam=1e-3, bias=bias), "proximal-point")
    assert run.until(gap=1e-13, max_epochs=200) == "converged"
    run.step(100)
    assert run.certificate().relative_gap <= 1e-13


@pytest.mark.parametrize(("loss", "y"), [("logistic", LABELS), ("multinomial", X[:, :3].argmax(axis=1))])
def test_a_step_is_doubled_where_that_gains(loss, y):
    p = Problem(X, y, loss, lam=1e-3)
    run = wb.Run(p, "newton")
    run.step(1)
    event, w = run.last_event, run.state.w
    assert event.tries < 0
    assert event.step_size == 0.5**event.tries
    # From w = 0 the step before the last doubling led to half of w, and once more does not pay.
    half, whole, double = (wb.certificate(p, w=share * w).primal for share in (0.5, 1.0, 2.0))
    assert whole < half
    assert double > whole - 0.1 * (p.zero_value - whole)


def test_the_dual_point_of_the_last_step_is_as_good_as_the_weights():
    p = Problem(DATA["scaled"], LABELS, "logistic", lam=1e-3)
    run = wb.Run(p, "newton")
    while not run.certificate().relative_gap <= 1e-3:
        run.step(1)
    assert wb.certificate(p, w=run.state.w).gap > 3.0 * run.certificate().gap


def test_a_tiny_lambda_is_no_trouble():
    p = Problem(DATA["scaled"], LABELS, "hinge", lam=1e-9)
    assert wb.solve(p, "proximal-point", tol=1e-6).status == "converged"


# A step solves (lam + M H) dv = X'alpha/n - lam v, here with all derivatives by differences.
@biases
@pytest.mark.parametrize("regularizer", ["squared-l2", "q-norm:q=1.5", "q-norm:q=3,power=1.5", "entropy"])
def test_a_step_solves_newtons_equations(regularizer, bias):
    p = Problem(X, LABELS, "logistic", regularizer, lam=0.1, bias=bias, sample_weight=np.linspace(0.5, 2, 40))
    v = np.random.default_rng(0).normal(size=6)
    w, b = p.transfer.map(v)[1], 0.3 * bias
    z = X @ w + b
    ahead = system.Equations(p, losses_at(p, z), v).solve()

    def equations(point):
        v, b = point[:6], point[6] if bias else 0.0
        alpha = losses_at(p, X @ p.transfer.map(v)[1] + b).alpha
        return np.append(p.dual_vector(alpha) - v, alpha.sum() / 40 if bias else 0.0)

    here = np.append(v, b)
    jacobian = np.column_stack(
        [(equations(here + h) - equations(here - h)) / 2e-6 for h in 1e-6 * np.eye(7)[: 6 + bias]]
    )
    step = np.append(ahead.v - v, np.ravel(ahead.b))[: 6 + bias]
    np.testing.assert_allclose((jacobian @ step)[: 6 + bias], -equations(here)[: 6 + bias], atol=1e-6)


@biases
@pytest.mark.parametrize("make", [np.asarray, sp.csr_array], ids=["dense", "sparse"])
def test_the_matrix_of_the_multinomial_loss_is_its_hessian(make, bias):
    p = Problem(make(X), CLASSES, "multinomial", lam=0.1, bias=bias)
    point = np.random.default_rng(1).normal(size=18 + 3 * bias)

    def gradient(point):
        z = X @ point[:18].reshape(6, 3) + (point[18:] if bias else 0.0)
        alpha = losses_at(p, z).alpha
        return -np.concatenate([(X.T @ alpha).ravel(), alpha.sum(axis=0)[: 3 * bias]])

    z = X @ point[:18].reshape(6, 3) + (point[18:] if bias else 0.0)
    matrix = losses_at(p, z).gram(p)
    # The common number of the biases is fixed by a matrix that is zero where they sum to zero.
    if bias:
        matrix[18:, 18:] -= 40 / 9
    np.testing.assert_allclose(matrix, scipy.optimize.approx_fprime(point, gradient, 1e-7), atol=1e-4)


@biases
@pytest.mark.parametrize("loss", ["logistic", "multinomial"])
def test_conjugate_gradients_end_where_factors_do(monkeypatch, loss, bias):
    y = CLASSES if loss == "multinomial" else LABELS
    p = Problem(sp.csr_array(X), y, loss, lam=0.01, bias=bias)
    factored = wb.solve(p, "newton", tol=1e-10)
    monkeypatch.setattr(system, "SMALL", 0)
    monkeypatch.setattr(system, "FACTORED", 0)
    run = wb.Run(p, "newton")
    run.step(1)
    assert run.last_event.iterations > 0
    assert run.until(1e-10) == "converged"
    np.testing.assert_allclose(run.last.w, factored.w_embedded, atol=1e-5)


def test_few_features_spare_several_classes_iterations(monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 30)) @ rng.normal(size=(30, 30)), np.arange(300) % 10
    spent = []
    for few in (0, 30):
        monkeypatch.setattr(system, "FEW", few)
        run = wb.Run(wb.Problem(X, y, "multinomial", lam=1e-2), "newton")
        spent.append(sum(run.last_event.iterations for _ in range(6) if run.step()))
        assert run.certificate().relative_gap < 1e-6
    assert spent[1] < 0.7 * spent[0]


def test_where_conjugate_gradients_are_lost_the_matrix_is_factored(monkeypatch):
    monkeypatch.setattr(system, "SMALL", 0)
    monkeypatch.setattr(system, "TRIED", 0.2)
    solution = wb.solve(Problem(DATA["scaled"], LABELS, "logistic", lam=1e-6), "newton", tol=1e-7)
    assert solution.status == "converged"


WIDE = np.random.default_rng(0).normal(size=(40, 90))
WAYS = {"factored": {}, "few samples": {"SMALL": 0}, "iterated": {"SMALL": 0, "FACTORED": 0}}


@pytest.mark.parametrize("far", [0.0, 50.0])
@pytest.mark.parametrize("damping", [0.0, 0.7])
@pytest.mark.parametrize("regularizer", ["squared-l2", "q-norm:q=1.5"])
def test_every_way_to_solve_gives_the_same_step(monkeypatch, regularizer, damping, far):
    """With a free bias, also where the slopes are those of straight parts alone, far from the targets."""
    p = Problem(WIDE, TARGETS, "huber", regularizer, lam=0.1, bias=True)
    v = np.random.default_rng(1).normal(size=90) * (not far)
    here = losses_at(p, WIDE @ p.transfer.map(v)[1] + far)
    assert (here.curved == 0) == bool(far)
    steps = []
    for changes in WAYS.values():
        with monkeypatch.context() as patch:
            for name, value in changes.items():
                patch.setattr(system, name, value)
            steps.append(system.Equations(p, here, v).solve(1e-12, damping))
    for step in steps:
        np.testing.assert_allclose(step.w, steps[0].w, atol=1e-8)
        np.testing.assert_allclose(step.b, steps[0].b, atol=1e-8)


@pytest.mark.parametrize("regularizer", ["squared-l2", "q-norm:q=1.5", "normalized-entropy:mu=0.3"])
def test_a_damping_holds_the_bias_back_too(regularizer):
    p = Problem(X, LABELS, "logistic", regularizer, lam=0.1, bias=True)
    v = np.random.default_rng(0).normal(size=6)
    equations = system.Equations(p, losses_at(p, X @ p.transfer.map(v)[1] + 2.0), v)
    near, nearer = (equations.solve(damping=size) for size in (1e6, 1e7))
    assert np.abs(near.b) > 0.0
    for one, two in ((near.b, nearer.b), (near.w, nearer.w)):
        np.testing.assert_allclose(np.ravel(two), 0.1 * np.ravel(one), rtol=1e-3, atol=1e-15)


@pytest.mark.parametrize(
    ("loss", "regularizer", "bias"),
    [
        ("epsilon-insensitive:epsilon=0.2,p=1.05", "normalized-entropy:mu=0.3", True),
        ("hinge", "q-norm:q=1.1", "constant"),
        ("epsilon-insensitive:epsilon=0.2", "q-norm:q=3,power=1.5", True),
    ],
)
def test_proximal_points_end_where_the_map_is_steep_or_flat(loss, regularizer, bias):
    y = LABELS if loss == "hinge" else TARGETS
    embed = "balanced" if "entropy" in regularizer else None
    solution = wb.solve(Problem(X, y, loss, regularizer, lam=0.1, bias=bias, embed=embed), "proximal-point")
    assert solution.status == "converged"
    assert solution.relative_gap <= 1e-4


ODD = {
    "a zero column": np.hstack([X, np.zeros((40, 1))]),
    "a doubled column": np.hstack([X, X[:, :1]]),
    "more features than samples": np.random.default_rng(0).normal(size=(40, 90)),
    "one sample": X[:1],
}


@biases
@pytest.mark.parametrize(("name", "loss"), [("newton", "squared"), ("proximal-point", "hinge")])
@pytest.mark.parametrize("data", ODD.values(), ids=ODD)
def test_odd_data_are_solved(data, name, loss, bias):
    y = (TARGETS if loss == "squared" else LABELS)[: data.shape[0]]
    if bias and data.shape[0] == 1 and loss == "hinge":
        # With labels of one kind no bias is best.
        with pytest.raises(InputError):
            Problem(data, y, loss, lam=1e-3, bias=True)
        return
    assert wb.solve(Problem(data, y, loss, lam=1e-3, bias=bias), name).status == "converged"


@pytest.mark.parametrize("loss", ["epsilon-insensitive:epsilon=0.1,p=1.5", "hinge:p=1.2", "hinge:p=3"])
def test_curvature_without_a_bound_is_for_proximal_points(loss):
    y = TARGETS if loss.startswith("eps") else LABELS
    p = Problem(X, y, loss, lam=1e-3)
    with pytest.raises(InputError, match=r"has no known bound; use solver='proximal-point'|too sharply"):
        wb.solve(p, "newton")
    ours, theirs = (
        wb.solve(p, name, tol=1e-8, max_epochs=20_000) for name in ("proximal-point", "gauss-seidel")
    )
    assert ours.status == "converged"
    assert abs(ours.primal - theirs.primal) <= ours.gap + theirs.gap


def test_an_own_loss_is_second_to_none():
    own = wb.losses.custom("max(0, 1 - u) + u**2/10", kind="margin")
    p = Problem(DATA["scaled"], LABELS, own, lam=1e-4, bias=True)
    assert wb.solve(p, "proximal-point", tol=1e-8).status == "converged"


@pytest.mark.parametrize("decay", [0.0, 1.0, -1.0, np.nan])
def test_invalid_decay_is_refused(decay):
    with pytest.raises(InputError, match="proximal-point: decay"):
        ProximalPoint(decay)
