"""Every solver starts from a Solution, from weights or from dual variables by name."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import samples, terms_for
from workbench import solvers
from workbench._support.errors import InputError
from workbench.solvers import warm_start

X, LABELS, TARGETS = samples(n=30, d=4, seed=1)
CONVERGENT = [name for name, solver in solvers.REGISTRY.items() if solver.converges]
for_each_solver = pytest.mark.parametrize("name", CONVERGENT)
PRIMAL = ("coordinate-descent", "lbfgs", "newton", "proximal-gradient", "proximal-point")


def problem(name, lam=0.1, X=X):
    loss, regularizer, bias = terms_for(name)
    y = TARGETS if loss == "squared" else LABELS
    return wb.Problem(X, y[: X.shape[0]], loss, regularizer, lam=lam, bias=bias)


@for_each_solver
def test_a_path_runs_with_every_solver(name):
    tol = 1e-2 if name == "primal-gradient" else 1e-6
    path = wb.path(problem(name), [0.3, 0.1, 0.03], solver=name, tol=tol, max_epochs=20_000)
    assert [solution.status for solution in path] == ["converged"] * 3


@for_each_solver
def test_a_solution_is_where_its_own_problem_begins(name):
    p = problem(name)
    best = wb.solve(p, name, tol=1e-2 if name == "primal-gradient" else 1e-8, max_epochs=20_000)
    again = wb.solve(p, name, tol=1e-7, max_epochs=1, warm_start=best)
    if name == "primal-gradient":
        # It begins at zero, whatever it is given.
        assert again.columns["gap"][0] == wb.Run(p, solvers.get(name)).certificate().gap
    else:
        assert again.status == "converged"


@pytest.mark.parametrize("name", [name for name in CONVERGENT if name != "primal-gradient"])
def test_weights_and_dual_variables_have_names(name):
    p = problem(name)
    best = wb.solve(p, name, tol=1e-8, max_epochs=20_000)
    cold = wb.solve(p, name, tol=1e-4, max_epochs=20_000)
    both = [{"w": best.w, "b": best.b}]
    if p.regularizer.name != "l1":
        both.append({"alpha": best.alpha})
    for start in both:
        warm = wb.solve(p, name, tol=1e-4, max_epochs=20_000, warm_start=start)
        assert warm.status == "converged"
        assert warm.epochs <= cold.epochs


@pytest.mark.parametrize("name", PRIMAL)
def test_an_array_that_could_be_either_is_refused_by_a_primal_solver(name):
    p = problem(name, X=X[:4])
    assert p.n_samples == p.n_features
    with pytest.raises(InputError, match="as many as there are samples and as there are features; give warm"):
        wb.solve(p, name, warm_start=np.zeros(4))
    assert wb.solve(p, name, max_epochs=2, warm_start={"w": np.zeros(4)}).gap >= 0.0


@pytest.mark.parametrize("name", PRIMAL)
def test_a_primal_solver_begins_at_the_weights_that_it_is_given(name):
    w = np.array([0.3, -0.2, 0.0, 1.0])
    run = wb.Run(problem(name), name, warm_start={"w": w})
    np.testing.assert_allclose(run.certificate().w, w)


REFUSED = {
    "nothing": ({}, r"warm_start: nothing is given; give 'w'"),
    "another name": ({"weights": np.zeros(4)}, r"warm_start: 'weights' is given; give 'w'"),
    "shape": ({"alpha": np.zeros(3)}, r"warm_start: alpha has shape \(3,\) where \(30,\) is needed"),
    "nan": ({"w": np.full(4, np.nan)}, r"warm_start: w\[0\] is nan"),
}


@pytest.mark.parametrize(("start", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_start_is_refused(start, message):
    for name in ("gauss-seidel", "lbfgs"):
        with pytest.raises(InputError, match=message):
            wb.Run(problem(name), solvers.REGISTRY[name](), warm_start=start)


def test_weights_alone_give_the_dual_variables_at_their_best_bias():
    p = wb.Problem(X, TARGETS + 3.0, "squared", lam=0.1, bias=True)
    best = wb.solve(p, tol=1e-12)
    np.testing.assert_allclose(warm_start.duals(p, {"w": best.w}), best.alpha, atol=1e-5)


def test_weights_alone_are_refused_with_a_kernel():
    p = wb.Problem(X, LABELS, "hinge", kernel="rbf", bias=True)
    with pytest.raises(InputError, match="a kernel problem has no weights; give alpha"):
        wb.Run(p, solvers.MaximalViolatingPair(), warm_start={"w": np.zeros(4)})
