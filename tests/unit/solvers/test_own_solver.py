"""A solver of one's own: the one of the guide, and what is refused; a solver by name and as an object."""

import dataclasses
import sys
import types
import typing

import numpy as np
import pytest

import workbench as wb
from tests.helpers import solver_guide
from tests.helpers.cases import samples
from workbench import solvers
from workbench._support.errors import InputError
from workbench.solvers import contract
from workbench.teaching.testing import check_solver

X, LABELS, TARGETS = samples(n=30, d=6, seed=3)
RIDGE = {"loss": "squared", "lam": 0.05}


@pytest.fixture(scope="module")
def steepest():
    """The class in the docstring of the contract, in a module as if it had been imported."""
    guide = sys.modules["guide"] = types.ModuleType("guide")
    exec(solver_guide.TEXT, vars(guide))
    yield guide.SteepestDescent
    del sys.modules["guide"]


def test_the_solver_of_the_guide_solves(steepest):
    p = wb.Problem(X, TARGETS, **RIDGE)
    solution = wb.solve(p, steepest(), tol=1e-10)
    assert solution.status == "converged"
    np.testing.assert_allclose(solution.w, wb.solve(p, "lbfgs", tol=1e-12).w, atol=1e-4)
    check_solver(steepest())


def test_its_solution_is_saved_and_starts_another(steepest, tmp_path):
    p = wb.Problem(X, TARGETS, **RIDGE)
    run = wb.Run(p, steepest(), seed=7)
    assert run.step(9) == 9
    assert run.last_event.step_size > 0.0
    run.until(1e-10)
    wb.Solution.of(run).save(tmp_path / "solution.npz")
    loaded = wb.Solution.load(tmp_path / "solution.npz")
    np.testing.assert_array_equal(loaded.alpha, run.state.alpha)
    assert wb.solve(p, "gauss-seidel", tol=1e-8, warm_start=loaded).steps == 0


def test_it_goes_where_any_solver_goes(steepest):
    p = wb.Problem(X, TARGETS, **RIDGE)
    assert [solution.status for solution in wb.path(p, [1.0, 0.1], steepest(), tol=1e-4)] == ["converged"] * 2
    table = wb.sweep(p, {"lam": [1.0, 0.1]}, steepest(), tol=1e-4, scheduler="synchronous", cache=None)
    assert table["status"].tolist() == ["converged"] * 2
    model = wb.DualRegressor(loss="squared", lam=0.1, solver=steepest(), fit_intercept=False, tol=1e-6)
    assert model.fit(X, TARGETS).solution_.status == "converged"


def test_a_solver_without_a_part_of_the_contract_says_which(steepest):
    class Half(contract.DualSolver):
        name = "half"

        def init(self, problem, warm_start=None, seed=0):
            return None

    with pytest.raises(TypeError, match="advance"):
        Half()


@pytest.mark.parametrize("fields", [("alpha",), ("alpha", "event"), ("alpha", "counters")])
def test_a_state_without_counters_or_event_is_none(fields):
    made = typing.NamedTuple("Made", [(name, np.ndarray) for name in fields])
    with pytest.raises(TypeError, match=r"Made is not a state: it needs the field (counters|event)"):
        contract.solver_state(made)


# By name and as an object


@pytest.mark.parametrize("name", solvers.REGISTRY)
def test_a_solver_is_the_same_by_name_and_as_an_object(name):
    solver = solvers.get(name)
    assert solvers.get(solver) is solver
    assert type(solver) is solvers.REGISTRY[name]
    assert solver == solver.by_name() == dataclasses.replace(solver)
    assert solver.event_type is not None
    assert isinstance(solver, solvers.Solver)


@pytest.mark.parametrize("name", ["gauss-seidel", "lbfgs", "proximal-gradient", "primal-gradient"])
def test_every_door_takes_both(name):
    p = wb.Problem(X, LABELS, "logistic", lam=0.05)
    by_name, as_object = (wb.Run(p, chosen, seed=2) for chosen in (name, solvers.get(name)))
    for run in (by_name, as_object):
        run.until(1e-3, max_epochs=50)
    np.testing.assert_array_equal(by_name.last.alpha, as_object.last.alpha)
    assert by_name.solver == as_object.solver
    for door in (
        lambda solver: wb.solve(p, solver, tol=1e-3, max_epochs=50).alpha,
        lambda solver: wb.path(p, [0.1], solver, tol=1e-3, max_epochs=50)[0].alpha,
    ):
        np.testing.assert_array_equal(door(name), door(solvers.get(name)))
    tables = [
        wb.sweep(p, {"lam": [0.1]}, solver, tol=1e-3, max_epochs=50, scheduler="synchronous", cache=None)
        for solver in (name, solvers.get(name))
    ]
    assert tables[0].drop(columns="seconds").equals(tables[1].drop(columns="seconds"))


REFUSED = {
    "unknown": ("gauss-seidl", "solver: 'gauss-seidl' is not known; did you mean 'gauss-seidel'[?] known"),
    "class": (solvers.LBFGS, r"solver: LBFGS is a class; make an object of it: LBFGS\(\)"),
    "other": (3, "solver: 3 is neither a name nor a solver; pass an object of workbench.solvers, or one of"),
}


@pytest.mark.parametrize(("solver", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_solver_is_refused_at_every_door(solver, words):
    p = wb.Problem(X, LABELS, "logistic", lam=0.05)
    for door in (
        lambda: wb.Run(p, solver),
        lambda: wb.solve(p, solver),
        lambda: wb.path(p, [0.1], solver),
        lambda: wb.sweep(p, {"lam": [0.1]}, solver),
        lambda: wb.DualClassifier(solver=solver).fit(X, LABELS),
    ):
        with pytest.raises(InputError, match=words):
            door()
