"""Paths over lambda."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import problem, samples
from workbench._support.errors import InputError
from workbench.solvers import MaximalViolatingPair


@pytest.mark.parametrize("loss", ["hinge", "squared", "logistic"])
def test_a_path_has_the_optima_of_its_problems(loss):
    p, lams = problem(loss, "elastic-net:epsilon=0.2"), [0.1, 1.0, 0.3]
    solutions = wb.path(p, lams, tol=1e-8)
    for lam, solution in zip(lams, solutions, strict=True):
        alone = wb.solve(p.replace(lam=lam), tol=1e-8)
        assert solution.status == "converged"
        assert solution.description["lam"] == lam
        assert solution.primal == pytest.approx(alone.primal, rel=2e-8)


def test_a_warm_start_saves_epochs():
    X, labels, _ = samples(n=300, d=10)
    p, lams = wb.Problem(X, labels, "squared-hinge"), np.geomspace(1e-1, 1e-3, 9)
    warm, cold = (wb.path(p, lams, tol=1e-7, warm=warm) for warm in (True, False))
    assert sum(s.epochs for s in warm) < sum(s.epochs for s in cold)
    assert [s.description["lam"] for s in warm] == list(lams)


def test_a_path_of_a_kernel_shares_its_rows():
    X, labels, _ = samples(n=60)
    p = wb.Problem(X, labels, "hinge", kernel="rbf", bias=True)
    solutions = wb.path(p, [0.1, 0.01], MaximalViolatingPair(1e-6))
    assert [s.status for s in solutions] == ["converged"] * 2
    assert p.kernel_matrix.known.any()


def test_an_empty_path_is_refused():
    with pytest.raises(InputError, match="lams is empty"):
        wb.path(problem("hinge", "squared-l2"), [])
    with pytest.raises(InputError, match="lam = -1 must be"):
        wb.path(problem("hinge", "squared-l2"), [0.1, -1])


CERTIFIED = {
    "ridge": ("squared", "squared-l2", True),
    "hinge": ("hinge", "squared-l2", "constant"),
    "lasso": ("squared", "l1", True),
    "hinge, l1": ("hinge", "l1", True),
    "groups": ("logistic", "group-l1l2:size=2", False),
    "elastic net": ("squared", "elastic-net:epsilon=0.3", False),
}


@pytest.mark.parametrize("name", CERTIFIED)
def test_a_certified_path_holds_for_every_lambda_drawn_in_between(name):
    loss, regularizer, bias = CERTIFIED[name]
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 6))
    z = X @ np.array([1.0, -1.0, 0.5, 0.0, 0.0, 0.0]) + 0.4 * rng.normal(size=40)
    problem = wb.Problem(X, z if loss == "squared" else np.sign(z), loss, regularizer, 1e-2, bias=bias)
    path = wb.path(problem, (1e-2, 2.0), gap=2e-2)
    assert (path.ends[0], path.ends[-1]) == (2.0, pytest.approx(1e-2))
    assert (np.diff(path.ends) < 0.0).all()
    for lam in (2.0, 1e-2, *np.exp(rng.uniform(np.log(1e-2), np.log(2.0), 60))):
        at, here = path.at(lam), problem.replace(lam=lam)
        point = wb.certificate(here, w=at.w, b=at.b if bias else None, alpha=at.alpha)
        assert point.gap <= 2e-2 * point.primal * (1.0 + 1e-9)
        best = wb.solve(here, tol=1e-7)
        assert point.primal - best.primal <= 2e-2 * point.primal
    # The gap between two neighbours falls as the square of their distance, which leaves few of them.
    assert len(path) <= 20


def test_a_certified_path_of_a_linear_program_takes_few_solutions():
    X, labels, _ = samples(n=60, d=6)
    path = wb.path(wb.Problem(X, labels, "hinge", "l1", 1e-3, bias=True), gap=1e-3)
    assert len(path) < 80
    between = path.at(np.sqrt(path.ends[3] * path.ends[4]))
    assert between.relative_gap <= 1e-3
    assert between.interval[0] <= between.dual <= between.primal <= between.interval[1]


@pytest.mark.parametrize("regularizer", ["entropy:mu=0.3", "entropy:mu=2"])
def test_a_certified_path_holds_where_objectives_are_below_zero(regularizer):
    X, labels, _ = samples(n=24, d=4, seed=1)
    problem = wb.Problem(X, labels, "squared-hinge", regularizer, embed="balanced")
    path = wb.path(problem, (2.0, 20.0), gap=1e-2)
    assert path[0].primal < 0.0
    for lam in np.geomspace(2.0, 20.0, 9).clip(2.0, 20.0):
        at, here = path.at(lam), problem.replace(lam=lam)
        assert at.relative_gap <= 1e-2
        assert at.dual - 1e-9 <= wb.solve(here, tol=1e-8).primal <= at.primal + 1e-9


def test_a_certified_path_refuses_a_range_over_which_the_objective_passes_zero():
    X, labels, _ = samples(n=24, d=4, seed=1)
    problem = wb.Problem(X, labels, "squared-hinge", "entropy:mu=0.3", embed="balanced")
    with pytest.raises(InputError, match="passes zero between lam"):
        wb.path(problem, (1e-3, 20.0), gap=1e-2)


def test_a_certified_path_may_be_one_lambda():
    path = wb.path(problem("hinge", "squared-l2"), [0.1], gap=1e-2)
    assert (len(path), path.at(0.1).primal) == (1, path[0].primal)


def test_a_certified_path_refuses_what_it_cannot_promise():
    X, y = np.random.default_rng(0).normal(size=(20, 3)), np.tile([1.0, -1.0], 10)
    with pytest.raises(InputError, match="kernel"):
        wb.path(wb.Problem(X, y, kernel="rbf"), gap=1e-2)
    with pytest.raises(InputError, match="max_epochs"):
        wb.path(wb.Problem(X, y, lam=1e-4), (1e-4, 1e-3), "gauss-seidel", max_epochs=1, gap=1e-6)
    with pytest.raises(InputError, match="lams is missing"):
        wb.path(wb.Problem(X, y))
    with pytest.raises(InputError, match="outside of its range"):
        wb.path(wb.Problem(X, y), (0.1, 1.0), gap=0.1).at(2.0)
    with pytest.raises(InputError, match="gap=1e-3"):
        wb.path(wb.Problem(X, y), [0.1]).at(0.1)
