"""Paths over lambda."""

import numpy as np
import pytest
from cases import problem, samples

import workbench as wb
from workbench.errors import InputError
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
