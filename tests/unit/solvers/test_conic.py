"""Losses in parabolas, or touched by them, with norms and squares, as cone programs."""

import numpy as np
import pytest
from sklearn.datasets import load_wine

import workbench as wb
from tests.helpers.amounts import latin
from tests.helpers.cases import samples
from workbench._support.errors import InputError
from workbench.problems import Problem, cone_program
from workbench.solvers.algorithms import conic

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
WEIGHT = np.linspace(0.5, 2.0, 40)
BEND = wb.losses.custom("max(0, 1 - u, 2 - 3*u)", kind="margin")
TILTED = wb.losses.custom("max(u/4, -3*u/4)", kind="residual")
POWERS = wb.losses.custom("max(0, u)**3/3 + max(0, -1 - u)**1.5", kind="residual")
LOSSES = {
    "hinge": LABELS,
    BEND: LABELS,
    "squared-hinge": LABELS,
    "epsilon-insensitive:epsilon=0.2": TARGETS,
    "epsilon-insensitive:epsilon=0": TARGETS,
    TILTED: TARGETS,
    "huber:delta=0.5": TARGETS,
    "squared": TARGETS,
    "logistic": LABELS,
    "hinge:p=1.5": LABELS,
    "hinge:p=3": LABELS,
    "epsilon-insensitive:epsilon=0.2,p=1.2": TARGETS,
    POWERS: TARGETS,
    wb.losses.custom("exp(-u)", kind="margin"): LABELS,
}
REGULARIZERS = (
    "l1",
    "linf",
    "l2",
    "group-l1linf:size=2",
    "group-l1l2:size=2",
    "sparse-group:size=2,share=0.5",
    "elastic-net:epsilon=0.1",
    "q-norm:q=1.5",
    "q-norm:q=3,power=1.5",
    wb.norms.Tree(groups=((0,), (1, 2), tuple(range(6)))),
)
LAM = 0.02


@pytest.mark.parametrize(("loss", "regularizer"), latin(LOSSES, REGULARIZERS), ids=str)
def test_the_gap_closes(loss, regularizer):
    problem = Problem(X, LOSSES[loss], loss, regularizer, LAM, bias=True, sample_weight=WEIGHT)
    solution = wb.solve(problem, "conic", tol=1e-7)
    assert solution.status == "converged"
    assert wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha).relative_gap <= 1e-7


MATRIX_NORMS = ("l1", "rows-l1l2", "rows-l1linf", "linf", "trace", "group-l1linf:size=2", "elastic-net")


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("regularizer", MATRIX_NORMS)
def test_the_gap_of_classes_closes(regularizer, bias):
    classes = np.digitize(TARGETS, [-1.0, 1.0])
    problem = Problem(X, classes, "multinomial", regularizer, LAM, bias=bias, sample_weight=WEIGHT)
    solution = wb.solve(problem, "conic", tol=1e-7)
    assert solution.status == "converged"
    assert wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha).relative_gap <= 1e-7


@pytest.mark.parametrize(
    ("loss", "regularizer"),
    latin(["squared", "huber:delta=0.5", "epsilon-insensitive:epsilon=0.2", TILTED, POWERS], MATRIX_NORMS),
    ids=str,
)
def test_the_gap_of_several_columns_closes(loss, regularizer):
    targets = np.column_stack([TARGETS, TARGETS**2, -TARGETS])
    problem = Problem(X, targets, loss, regularizer, LAM, sample_weight=WEIGHT)
    solution = wb.solve(problem, "conic", tol=1e-7)
    assert solution.status == "converged"
    assert wb.certificate(problem, w=solution.w, b=solution.b, alpha=solution.alpha).relative_gap <= 1e-7


# Their columns differ by a factor of a thousand.
@pytest.mark.parametrize("regularizer", ["rows-l1linf", "linf", "trace"])
def test_wines_as_they_were_measured_are_solved(regularizer):
    solution = wb.solve(Problem(*load_wine(return_X_y=True), "multinomial", regularizer, 1e-3), tol=1e-6)
    assert solution.status == "converged"
    assert solution.solver.endswith("conic")
    features, targets = np.split(load_wine().data, [10], axis=1)
    solution = wb.solve(Problem(features, targets, "squared", regularizer, 1e-2), tol=1e-6)
    assert solution.status == "converged"
    assert solution.solver.endswith("conic")


@pytest.mark.parametrize(("loss", "tol"), [("hinge:p=1.5", 1e-8), ("logistic", 1e-11)])
def test_few_steps_do_for_a_smooth_loss_without_pieces(loss, tol):
    rng = np.random.default_rng(0)
    sparse = rng.normal(size=(100, 50)) * (rng.random((100, 50)) < 0.2)
    labels = np.where(sparse @ rng.normal(size=50) + 0.5 * rng.normal(size=100) > 0.0, 1.0, -1.0)
    problem = Problem(sparse, labels, loss, "linf", 1e-4, bias="constant")
    assert wb.solve(problem, "conic", tol=tol, max_epochs=16).status == "converged"


@pytest.mark.parametrize(
    ("loss", "regularizer", "tol"),
    [
        ("hinge", "q-norm:q=1.5", 1e-8),
        ("hinge:p=1.5", "q-norm:q=1.5", 1e-8),
        ("hinge:p=1.5", "linf", 1e-7),
        ("hinge:p=1.5", "l2", 1e-7),
    ],
)
def test_one_program_does_for_powers(loss, regularizer, tol):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(60, 30))
    labels = np.where(features @ rng.normal(size=30) + 2.0 * rng.normal(size=60) > 0.0, 1.0, -1.0)
    problem = Problem(features, labels, loss, regularizer, 1e-4)
    assert wb.solve(problem, "conic", tol=tol, max_epochs=1).status == "converged"


@pytest.mark.parametrize("loss", ["squared-hinge", "smoothed-hinge:width=0.4", "epsilon-insensitive:p=2"])
def test_pieces_that_are_parabolas_and_powers_make_up_the_same_program(loss):
    problem = Problem(X, TARGETS if "insensitive" in loss else LABELS, loss, "l2", LAM, bias=True)
    ends = problem.loss.entry["lower"], problem.loss.entry["upper"]
    powers = cone_program.Segments.of_powers(problem.loss.powers, ends)
    programs = cone_program.of(problem), cone_program.of(problem, powers)
    first, second = (conic._clarabel(program, 1e-10).x[:7] for program in programs)
    np.testing.assert_allclose(first, second, atol=1e-6)


def test_a_semidefinite_matrix_that_no_memory_holds_is_refused():
    problem = Problem(np.eye(80), np.arange(80) % 3, "multinomial", "trace", LAM)
    with pytest.raises(InputError, match=r"trace of 80 features takes more memory .*'proximal-gradient'"):
        wb.solve(problem, "conic")
    assert wb.solve(problem, tol=1e-3).status == "converged"


def test_magnitudes_that_the_dual_point_holds_at_zero_are_zero():
    solution = wb.solve(Problem(X, TARGETS, "huber", "l1", 0.3), "conic", tol=1e-8)
    lasso = wb.solve(Problem(X, TARGETS, "huber", "l1", 0.3), "coordinate-descent", tol=1e-10)
    assert 0 < np.count_nonzero(lasso.w) < 6
    np.testing.assert_array_equal(solution.w != 0.0, lasso.w != 0.0)


def test_a_warm_start_does_not_hide_that_the_least_value_is_zero():
    problem = Problem(X, np.full(40, 3.0), "epsilon-insensitive:epsilon=0", lam=0.1, bias=True)
    solution = wb.solve(problem, "conic", warm_start={"w": np.ones(6), "b": 1.0})
    # Beside an optimum of zero any rounding is large.
    assert (solution.status, solution.primal, solution.gap) == ("precision", 0.0, 0.0)


def test_a_linear_program_needs_no_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "clarabel", None)
    assert wb.solve(Problem(X, LABELS, "hinge", "linf", LAM), "conic").status == "converged"
    with pytest.raises(InputError, match=r"pip install .*\[cones\]"):
        wb.solve(Problem(X, LABELS, "squared-hinge", "linf", LAM), "conic")


def test_the_pieces_are_derived():
    assert wb.losses.get("logistic").parabolas.shape == (0, 5)
    # p'(u) = max(0, u)^2 - 1.5 max(0, -1 - u)^0.5, solved for u.
    expected = [(-1.0, -1.0, 1.0 / 1.5**2, 2.0), (1.0, 0.0, 1.0, 0.5)]
    np.testing.assert_allclose(POWERS.powers, expected)
    low, high, a, b, c = BEND.parabolas.T
    for u in (-2.0, 0.7, 4.0):
        k = int(np.flatnonzero((low <= u) & (u <= high))[0])
        assert a[k] * u * u / 2 + b[k] * u + c[k] == pytest.approx(max(0.0, 1.0 - u, 2.0 - 3.0 * u))
    assert cone_program.is_linear(Problem(X, LABELS, BEND, "l1"))
    assert not cone_program.is_linear(Problem(X, LABELS, BEND, "l2"))
