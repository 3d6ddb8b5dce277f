"""The criterion that ends a run, on runs that are nothing but numbers: which status, and when to certify."""

from types import SimpleNamespace

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import problem
from workbench._support.errors import InputError
from workbench.solvers import GaussSeidel
from workbench.solvers.stopping import FIRST_DUE, PATIENCE, RESTING, Stopping, Verdict


class Stub:
    """The part of a run that a criterion sees."""

    def __init__(self, **solver):
        plain = {
            "iterate": lambda state: state,
            "ending": lambda state: "stub: no step is left",
            "trouble": lambda state: None,
            "estimate": lambda problem, state: None,
            "holds_dual": True,
            "patience": 1,
            "name": "stub",
            "advice": "do less",
        }
        self.solver = SimpleNamespace(**plain | solver)
        self.state, self.problem = (
            np.zeros(3),
            SimpleNamespace(zero_value=1.0, gap_scale=1.0, loss=wb.losses.Hinge()),
        )
        self.centred = self.problem
        self.rows, self.epochs, self.steps, self.epoch_steps = [{"dual": 0.0, "seconds": 0.0}], 1.0, 3, 3
        self.seconds, self.ray = 0.0, None

    def steps_left(self, max_epochs):
        return int(max_epochs * self.epoch_steps) - self.steps


def point(relative_gap=0.5, dual=0.0):
    within = {"is_within": lambda gap: relative_gap <= gap}
    return SimpleNamespace(relative_gap=relative_gap, relative_interval=None, dual=dual, **within)


def judged(run, certificate, *criterion, moves=True):
    stopping = Stopping(*criterion)
    stopping.begin(run)
    if moves:
        run.state += 1.0
    return stopping.judge(run, certificate)


def test_a_run_goes_on_while_nothing_ends_it():
    assert judged(Stub(), point()) == Verdict(None, None)


@pytest.mark.parametrize(
    ("solver", "certificate", "status", "reason"),
    [
        ({}, point(1e-6), "converged", None),
        ({"trouble": lambda state: "stub: it swings"}, point(), "diverged", "stub: it swings"),
        ({"trouble": lambda state: "stub: it swings"}, point(0.0), "converged", None),
        ({}, point(dual=-1001.0), "diverged", "stub: the iterate grows without end; do less"),
        ({"holds_dual": False}, point(dual=-1001.0), None, None),
        ({}, point(dual=-999.0), None, None),
        ({}, point(np.nan), None, None),
    ],
)
def test_a_certificate_is_judged(solver, certificate, status, reason):
    assert judged(Stub(**solver), certificate) == (status, reason)


@pytest.mark.parametrize("entry", [np.inf, -np.inf, np.nan])
def test_an_iterate_that_is_not_finite_has_diverged(entry):
    run = Stub()
    run.state[1] = entry
    assert judged(run, point()).status == "diverged"


def test_a_run_has_stalled_after_so_many_checks_without_a_change():
    run = Stub(patience=3)
    stopping = Stopping()
    stopping.begin(run)
    assert [stopping.judge(run, point()).status for _ in range(2)] == [None, None]
    run.state += 1.0
    assert [stopping.judge(run, point()).status for _ in range(4)] == [None, None, None, "stalled"]
    assert judged(Stub(), point(), moves=False).status == "stalled"


def test_a_stop_is_told_from_a_standstill_and_stays():
    asked = []
    stopping = Stopping(stop=lambda: asked.append(True) or len(asked) == 2)
    run = Stub()
    stopping.begin(run)
    run.state += 1.0
    assert stopping.judge(run, point()).status is None
    assert [stopping.judge(run, point()).status for _ in range(3)] == ["interrupted"] * 3
    assert len(asked) == 2


def test_the_epochs_end_a_run_after_everything_else():
    run = Stub()
    run.epochs = 5.0
    assert judged(run, point(), 1e-6, 5.0).status == "max_epochs"
    assert judged(run, point(1e-7), 1e-6, 5.0).status == "converged"
    run.steps = 15
    assert Stopping(1e-6, 5.0).exhausted(run).status == "max_epochs"
    run.steps = 14
    assert Stopping(1e-6, 5.0).exhausted(run) == ("stalled", "stub: no step is left")


def test_without_an_estimate_every_state_is_certified():
    stopping, run = Stopping(1e-6), Stub()
    assert all(stopping.is_due(run) for _ in range(3))


def test_an_estimate_spares_certificates_until_it_promises_the_gap():
    estimates = iter([1e-2, 1e-7, 1e-7, 1e-10, 1e-2])
    run = Stub(estimate=lambda problem, state: next(estimates))
    stopping = Stopping(1e-6, 1e4)
    stopping.begin(run)
    assert not stopping.is_due(run)
    assert stopping.is_due(run)
    # The promise was a hundred times too good: no run converges on it, and the next has to promise more.
    assert stopping.judge(run, point(1e-5)).status != "converged"
    assert not stopping.is_due(run)
    assert stopping.is_due(run)
    assert stopping.judge(run, point(1e-6)).status == "converged"
    assert not stopping.is_due(run)


def test_a_certificate_is_due_whenever_the_epochs_have_doubled_at_the_limit_and_where_a_run_is_stopped():
    run = Stub(estimate=lambda problem, state: 1.0)
    stopping = Stopping(1e-6, 1e4)
    for epochs, due in ((FIRST_DUE - 1, False), (FIRST_DUE, True), (2 * FIRST_DUE - 1, False), (1e4, True)):
        run.epochs = epochs
        assert stopping.is_due(run) == due
    run.epochs = 3.0
    assert Stopping(1e-6, 3.0).is_due(run)
    assert Stopping(1e-6, 1e4, lambda: True).is_due(run)


def test_a_certificate_is_due_some_seconds_after_the_last():
    run, stopping = Stub(estimate=lambda problem, state: 1.0), Stopping(1e-6, 1e4)
    for seconds, last, due in ((PATIENCE - 0.1, 0.0, False), (PATIENCE, 0.0, True), (PATIENCE, 1.0, False)):
        run.seconds, run.rows[-1]["seconds"] = seconds, last
        assert stopping.is_due(run) == due


def test_a_gap_that_rounding_moves_ends_a_run():
    run, stopping, statuses = Stub(), Stopping(0.0), []
    stopping.begin(run)
    run.rows = []
    gaps = (2e-17, 1e-17, *[2e-17] * (RESTING + 1))
    for gap, upper in zip(gaps, [1e-16] * (len(gaps) - 1) + [1.5 * gaps[-1]], strict=True):
        run.rows.append({"dual": 0.0, "gap": gap})
        run.state += 1.0
        certificate = point(gap)
        vars(certificate).update(gap=gap, interval=(0.0, upper))
        statuses.append(stopping.judge(run, certificate).status)
    assert statuses == [None] * (RESTING + 1) + ["precision", None]


def test_bad_numbers_are_refused():
    with pytest.raises(InputError, match=r"gap = -1\.0 must be a finite number, 0 or more"):
        Stopping(-1.0)
    with pytest.raises(InputError, match="max_epochs = 0 must be a finite number above 0"):
        Stopping(max_epochs=0)


class Steps(Stopping):
    """Stop after a number of steps."""

    def judge(self, run, certificate):
        return Verdict("max_epochs" if run.steps >= 30 else None)


def test_a_criterion_of_one_s_own_ends_a_run():
    run = wb.Run(problem("logistic", "squared-l2", lam=1e-4), GaussSeidel(scale=0.05))
    certificates = list(run.follow(Steps(0.0)))
    assert (run.status, run.steps) == ("max_epochs", 36)
    assert len(certificates) == len(run.rows)


@pytest.mark.parametrize("gap", [1e-1, 1e-3, 1e-8])
@pytest.mark.parametrize("solver", ["gauss-seidel", "lbfgs", "proximal-gradient", "primal-gradient"])
def test_a_run_that_has_converged_holds_the_certificate_of_its_last_point(solver, gap):
    p = problem("logistic", "squared-l2", lam=0.1)
    run = wb.Run(p, solver)
    if run.until(gap, max_epochs=300) == "converged":
        assert run.rows[-1]["step"] == run.steps
        assert run.certificate().relative_gap == run.last.relative_gap <= gap
    else:
        assert run.status == "max_epochs"
        assert run.certificate().relative_gap > gap


class Quiet(GaussSeidel):
    """It promises nothing, and after 40 steps it has none left."""

    def estimate(self, problem, state):
        return 1.0

    def advance(self, problem, state, n_steps):
        return super().advance(problem, state, min(n_steps, 40 - state.steps))


@pytest.mark.parametrize(("gap", "status"), [(0.9, "converged"), (1e-12, "stalled")])
def test_a_run_without_steps_left_is_certified_before_it_has_stalled(gap, status):
    run = wb.Run(problem("logistic", "squared-l2", lam=1e-3), Quiet())
    assert run.record().relative_gap > 0.9
    assert run.until(gap) == status
    assert run.rows[-1]["step"] == run.steps == 40
