"""The solver that is chosen: each row of the rule, its reason, and problems that only one solver takes."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp

import workbench as wb
from tests.helpers.cases import samples
from workbench._support.errors import ConvergenceWarning, InputError, WorkbenchWarning
from workbench.problems import Problem, attainable
from workbench.solvers import auto
from workbench.solvers import run as stepping
from workbench.solvers.in_turn import TRIAL, solve_in_turn
from workbench.solvers.solution import Solution
from workbench.solvers.stopping import EPOCHS, FIRST_DUE

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
CLASSES = np.arange(40) % 3
WIDE = np.random.default_rng(0).normal(size=(40, 60))
SPARSE = sp.random_array((60, 2100), density=0.05, rng=np.random.default_rng(0), format="csr")
SPARSE_LABELS = np.where(np.arange(60) % 2, 1.0, -1.0)

RULE = {
    "few columns, smooth": ("newton", X, LABELS, {"loss": "logistic"}),
    "few columns, free bias": ("proximal-point", X, LABELS, {"loss": "hinge", "bias": True}),
    "few columns, kinks, small kappa": ("gauss-seidel", X, LABELS, {"loss": "hinge", "lam": 1.0}),
    "few columns, kinks, large kappa": ("proximal-point", X, LABELS, {"loss": "hinge", "lam": 1e-4}),
    "few columns of any scale": ("proximal-point", 1e3 * X, LABELS, {"loss": "hinge", "lam": 1.0}),
    "curvature without a bound": ("proximal-point", X, LABELS, {"loss": "hinge:p=1.5", "bias": True}),
    "classes": ("newton", X, CLASSES, {"loss": "multinomial"}),
    "few samples, quadratic pieces": ("newton", WIDE, LABELS, {"loss": "squared-hinge"}),
    "many columns": ("gauss-seidel", SPARSE, SPARSE_LABELS, {"loss": "logistic"}),
    "many columns, free bias, hinge": (
        "maximal-violating-pair",
        SPARSE,
        SPARSE_LABELS,
        {"loss": "hinge", "bias": True},
    ),
    "many columns, free bias": ("newton", SPARSE, SPARSE_LABELS, {"loss": "logistic", "bias": True}),
    "many columns, free bias, small kappa": (
        "augmented-lagrangian",
        SPARSE,
        SPARSE_LABELS,
        {"loss": "logistic", "bias": True, "lam": 10.0},
    ),
    "an entropy": ("newton", X, LABELS, {"loss": "logistic", "regularizer": "entropy", "embed": "balanced"}),
    "a domain of the loss": (
        "gauss-seidel",
        np.exp(-(X**2)),
        LABELS,
        {"loss": "negative-log", "regularizer": "entropy"},
    ),
    "zeros wanted": ("coordinate-descent", X, TARGETS, {"loss": "squared", "regularizer": "elastic-net"}),
    "zeros wanted, kinks": ("gauss-seidel", X, LABELS, {"loss": "hinge", "regularizer": "elastic-net"}),
    "zeros wanted, kinks, free bias": (
        "conic",
        X,
        LABELS,
        {"loss": "hinge", "regularizer": "elastic-net", "bias": True},
    ),
    "zeros wanted, powers, free bias": (
        "conic",
        X,
        LABELS,
        {"loss": "hinge:p=1.5", "regularizer": "elastic-net", "bias": True},
    ),
    "zeros wanted, curved kinks, free bias": (
        "augmented-lagrangian",
        X,
        LABELS,
        {
            "loss": wb.losses.custom("max(0, 1 - u)**1.5 + max(0, -u)", kind="margin"),
            "regularizer": "elastic-net",
            "bias": True,
        },
    ),
    "a norm": ("coordinate-descent", X, TARGETS, {"loss": "squared", "regularizer": "l1"}),
    "a norm of a matrix": ("proximal-gradient", X, CLASSES, {"loss": "multinomial", "regularizer": "trace"}),
    "a kernel": ("gauss-seidel", X, LABELS, {"kernel": "rbf"}),
    "a kernel, free bias": ("maximal-violating-pair", X, LABELS, {"kernel": "rbf", "bias": True}),
    "constraints": ("augmented-lagrangian", X, LABELS, {"constraints": (np.eye(6)[:1], np.zeros(1))}),
}


@pytest.mark.parametrize(("name", "data", "y", "options"), RULE.values(), ids=RULE)
def test_the_rule_is_kept_and_solves(name, data, y, options):
    solution = wb.solve(Problem(data, y, **{"lam": 0.01, **options}), tol=1e-4)
    assert solution.solver == name
    assert solution.status == "converged"
    assert solution.why
    assert name in auto.__doc__


def test_a_choice_of_ones_own_has_no_reason():
    solution = wb.solve(Problem(X, LABELS), "gauss-seidel")
    assert (solution.solver, solution.why) == ("gauss-seidel", "")


def test_the_choice_is_saved(tmp_path):
    solution = wb.solve(Problem(X, LABELS, "logistic"))
    solution.save(tmp_path / "solution.npz")
    loaded = wb.Solution.load(tmp_path / "solution.npz")
    assert (loaded.solver, loaded.why) == ("newton", solution.why)


def test_a_norm_and_a_loss_with_kinks_have_their_solver(monkeypatch):
    solution = wb.solve(Problem(X, LABELS, "hinge", "l1", lam=0.1))
    assert (solution.solver, solution.status) == ("conic", "converged")
    monkeypatch.setattr(auto, "SMALL_PROGRAM", 0.0)
    solution = wb.solve(Problem(X, LABELS, "hinge", "l1", lam=0.1))
    assert (solution.solver, solution.status) == ("pdhg", "converged")


# Where the gap stands still the next solver goes on from the best point, and the solution says so.
def test_the_next_solver_goes_on_where_the_gap_stands_still():
    rng = np.random.default_rng(0)
    counts = sp.random_array((40, 2100), density=0.02, rng=rng, format="csr") * 100.0
    labels = rng.permutation(np.tile([1.0, -1.0], 40))
    problem = Problem(sp.vstack([counts, 0.999 * counts]), labels, lam=1e-5)
    assert auto.choose(problem).solver.name == "gauss-seidel"
    solution = wb.solve(problem, tol=1e-8)
    assert solution.status == "converged"
    assert solution.solver.startswith("gauss-seidel, then proximal-point")
    assert "gauss-seidel left a relative gap of" in solution.why
    # A run by hand is the first solver's, whose steps and history open those of the solution.
    first, *others = solve_in_turn(problem, 1e-8)
    alone = wb.Run(problem, "auto")
    alone.step(first.steps)
    np.testing.assert_array_equal(alone.state.alpha, first.state.alpha)
    for name in ("steps", "epochs"):
        assert getattr(solution, name) == sum(getattr(run, name) for run in (first, *others))
    for name in ("step", "epoch", "seconds"):
        assert solution.history[name].is_monotonic_increasing
    assert solution.history["gap"].tolist() == [row["gap"] for run in (first, *others) for row in run.rows]
    with pytest.warns(WorkbenchWarning, match="gauss-seidel makes little progress"):
        assert wb.solve(problem, "gauss-seidel", tol=1e-8).status == "max_epochs"
    assert wb.certificate(problem, w=solution.w, alpha=solution.alpha).relative_gap <= 1e-8


# Epochs of seconds: the rule is asked long before the epochs after which a certificate is due.
def test_slow_epochs_are_tried_by_their_seconds(monkeypatch):
    rng = np.random.default_rng(0)
    uneven = rng.normal(size=(100, 40)) * 10.0 ** rng.uniform(-2, 2, 40)
    problem = Problem(uneven, np.sign(rng.normal(size=100)), "logistic", "linf", lam=1e-3)
    clock = itertools.count()
    monkeypatch.setattr(stepping, "time", SimpleNamespace(perf_counter=lambda: float(next(clock))))
    runs = solve_in_turn(problem)
    assert [run.solver.name for run in runs] == ["proximal-gradient", "conic"]
    assert runs[-1].status == "converged"
    assert runs[0].epochs < TRIAL < FIRST_DUE


ENDLESS = {"kink": "max(-u, -2*u)", "smooth": "log(1 + exp(-u)) - u"}


# Losses without a lower bound and norms: a direction says that there is no minimum, and no solver goes on.
@pytest.mark.parametrize("bias", [False, "constant", True])
@pytest.mark.parametrize("regularizer", ["l1", "linf", "l2"])
@pytest.mark.parametrize("loss", ENDLESS.values(), ids=ENDLESS)
def test_a_problem_without_a_minimum_ends_with_a_direction(loss, regularizer, bias):
    problem = Problem(X, LABELS, wb.losses.custom(loss, kind="margin"), regularizer, lam=1e-3, bias=bias)
    for solver in ("auto", *(choice.solver for choice in auto.taking(problem))):
        with pytest.warns(ConvergenceWarning, match=r"no minimum: it falls without end along w = \["):
            solution = wb.solve(problem, solver)
        assert solution.status == "diverged"
        assert solution.epochs < EPOCHS
    larger = Problem(X, LABELS, problem.loss, regularizer, lam=10.0, bias=bias)
    assert not attainable.is_endless(larger, wb.certificate(larger, w=np.ones(6)))


def test_a_direction_is_seen_with_the_bias_that_belongs_to_it():
    x = np.random.default_rng(0).normal(size=(40, 4))
    labels = np.where(x @ [1.0, -1.0, 0.5, 0.0] > 0.0, 1.0, -1.0)
    problem = Problem(x, labels, wb.losses.custom("exp(-u) - u", kind="margin"), "l1", lam=1e-3, bias=True)
    with pytest.warns(ConvergenceWarning, match=r"no minimum: it falls without end along w = \["):
        assert wb.solve(problem).status == "diverged"


def test_a_bias_along_which_the_losses_fall_is_refused():
    loss = wb.losses.custom(ENDLESS["kink"], kind="margin")
    uneven = np.where(np.arange(40) < 30, 1.0, -1.0)
    for labels, said in ((uneven, "larger"), (-uneven, "smaller")):
        with pytest.raises(InputError, match=f"falls without end for {said} biases"):
            Problem(X, labels, loss, bias=True)
    assert Problem(X, np.where(np.arange(40) < 20, 1.0, -1.0), loss, bias=True).free_bias


# Scales slow steps of first order down, and cone programs take a norm without single steps.
def test_a_smooth_loss_and_a_norm_of_uneven_features_converge():
    rng = np.random.default_rng(0)
    uneven = rng.normal(size=(60, 30)) * 10.0 ** rng.uniform(-2, 2, 30)
    problem = Problem(uneven, np.where(uneven @ rng.normal(size=30) > 0, 1.0, -1.0), "logistic", "linf", 1e-4)
    solution = wb.solve(problem)
    assert (solution.solver, solution.status) == ("proximal-gradient, then conic", "converged")
    assert 5 < len(wb.solve(problem, "conic").history) <= 12


# Beside a least value of zero no gap of another point is relatively small, and w = 0 is that point.
@pytest.mark.parametrize("solver", ["auto", "conic", "pdhg"])
@pytest.mark.parametrize("loss", ["huber", "epsilon-insensitive:epsilon=0.1"])
def test_a_warm_start_gives_way_where_all_losses_vanish_at_zero(loss, solver):
    problem = Problem(X, np.zeros(len(X)), loss, "l1", lam=0.1)
    solution = wb.solve(problem, solver, warm_start={"w": np.full(X.shape[1], 1e-3)})
    assert (solution.status, solution.primal, solution.gap) == ("converged", 0.0, 0.0)


# A limit that is given is kept; without one the solvers take turns where the epochs of the first are too few.
def test_solvers_take_turns_where_no_limit_is_given(monkeypatch):
    monkeypatch.setattr(auto, "SMALL_PROGRAM", 0.0)
    rng = np.random.default_rng(0)
    uneven = rng.normal(size=(60, 10)) * np.logspace(-1, 1, 10)
    problem = Problem(uneven, rng.integers(0, 3, 60), "multinomial", "trace", lam=1e-3)
    runs = solve_in_turn(problem)
    solution = Solution.of(*runs)
    assert solution.status == "converged"
    assert solution.epochs > EPOCHS
    assert len(runs) > 2
    assert solution.solver == "proximal-gradient, then pdhg"
    assert solution.why.count("went on from there") == 1
    assert [run.status for run in solve_in_turn(problem, max_epochs=EPOCHS)] == ["max_epochs"]
    with pytest.warns(WorkbenchWarning, match="proximal-gradient makes little progress"):
        assert wb.Run(problem, "proximal-gradient").until() == "max_epochs"


def test_what_nobody_takes_is_refused_as_by_the_first():
    densities = Problem(np.exp(-(X**2)), LABELS, "negative-log", "l1", lam=0.1)
    with pytest.raises(InputError, match="coordinate-descent"):
        wb.solve(densities)


def test_a_path_may_change_its_solver():
    solutions = wb.path(Problem(X, LABELS, "hinge"), [1.0, 1e-4])
    assert [solution.solver for solution in solutions] == ["gauss-seidel", "proximal-point"]
    assert {solution.status for solution in solutions} == {"converged"}


# One sentence instead of silent epochs, and none if the scales are not the reason.
def test_a_crawl_is_noticed():
    uneven = Problem(X * np.logspace(-3, 3, 6), LABELS, "logistic")
    with pytest.warns(WorkbenchWarning, match=r"differ in scale by a factor of 1e\+06; standardize"):
        solution = wb.solve(uneven, "gauss-seidel", max_epochs=300)
    assert "solver='auto'" in solution.notice
    with pytest.warns(WorkbenchWarning, match="times its standard deviation"):
        wb.solve(Problem(X + 1000.0, LABELS, "logistic"), "gauss-seidel", max_epochs=300)
    assert wb.solve(Problem(X, LABELS, "logistic"), "gauss-seidel", tol=1e-12).notice == ""
