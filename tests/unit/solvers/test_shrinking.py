"""Gauss-Seidel with shrinking and in most-violating order: the contract, and the same optima."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import LOSSES, in_parts, problem, samples
from workbench._support.errors import InputError
from workbench.solvers import GaussSeidel
from workbench.solvers.algorithms import _linear, _shrinking, gauss_seidel

TIGHT = 1e-9


def large(loss, n=200, d=15, lam=1e-2, seed=2, **options):
    """Large enough that samples leave the active set."""
    X, labels, targets = samples(n=n, d=d, seed=seed)
    margin = "hinge" in loss or loss == "logistic"
    return wb.Problem(X, labels if margin else targets, loss, lam=lam, **options)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
@pytest.mark.parametrize("loss", LOSSES)
def test_single_steps_equal_one_run_and_a_copied_one(loss, order):
    solver = GaussSeidel(order=order, shrinking=True)
    assert in_parts(large(loss), solver, 1500, 701).steps == 1501


@pytest.mark.parametrize(
    "loss", ["hinge", "squared-hinge", "smoothed-hinge", "epsilon-insensitive:epsilon=0.3"]
)
def test_samples_leave_the_active_set_and_are_tested_again(loss):
    run = wb.Run(large(loss), GaussSeidel(shrinking=True))
    least, full_passes = 200, 0
    for _ in range(3000):
        run.step(20)
        least = min(least, run.state.queue_counters[_shrinking.ACTIVE])
        full_passes += run.state.queue_counters[_shrinking.FULL_PASS]
    assert least < 150
    assert full_passes > 2
    assert sorted(run.state.queue.tolist()) == list(range(200))
    assert run.certificate().relative_gap < 1e-4


@pytest.mark.parametrize("seed", range(40))
def test_what_is_found_quadratic_steps_as_the_loss_itself(seed):
    rng = np.random.default_rng(seed)
    p = problem(LOSSES[seed % len(LOSSES)], "squared-l2")
    loss = p.loss
    kink, quadratic, second, first = _linear.quadratic(loss)
    assert bool(quadratic) == (loss.name != "logistic")
    if quadratic:
        nu = float(np.clip(rng.normal(), *loss.interval))
        u, curvature = 3.0 * rng.normal(), rng.uniform(0.1, 4.0)
        ours = _linear.soft.py_func(u - first + curvature * nu, kink) / (curvature + second)
        theirs = loss.scalar("coordinate")(nu, u, curvature, loss.theta)
        clipped = np.clip([ours, theirs], *loss.interval)
        assert clipped[0] == pytest.approx(clipped[1], rel=1e-12, abs=1e-12)


def test_the_estimate_is_near_the_gap(monkeypatch):
    monkeypatch.setattr(gauss_seidel, "ESTIMATED_FROM", 0)
    run = wb.Run(large("hinge"), GaussSeidel(shrinking=True))
    assert run.solver.estimate(run.problem, run.state) == np.inf
    run.epoch(30)
    estimate, gap = run.solver.estimate(run.problem, run.state), run.certificate().relative_gap
    assert 0.01 * gap <= estimate <= 100.0 * gap
    assert GaussSeidel().estimate(run.problem, run.state) is None


def test_a_shrinking_run_needs_few_certificates(monkeypatch):
    monkeypatch.setattr(gauss_seidel, "ESTIMATED_FROM", 0)
    p = large("hinge")
    on = wb.solve(p, "gauss-seidel", tol=1e-8)
    off = wb.solve(p, GaussSeidel(), tol=1e-8)
    assert on.status == off.status == "converged"
    assert len(on.history) < len(off.history)


def test_an_empty_row_and_one_sample():
    for X, y in (([[0.0]], [1.0]), ([[0.0], [1.0]], [1.0, -1.0]), ([[2.0]], [-1.0])):
        for loss in LOSSES:
            solution = wb.solve(wb.Problem(X, y, loss, lam=0.1), tol=1e-8)
            assert solution.status == "converged"


def test_shrinking_where_it_has_no_meaning():
    with pytest.raises(InputError, match="shrinking does not go with order = 'most-violating'"):
        GaussSeidel(order="most-violating", shrinking=True)
    with pytest.raises(InputError, match="update = 'newton'"):
        GaussSeidel(update="newton", shrinking=True)
    # Another regularizer has no plain kernel; nothing shrinks, and the run is the same.
    p = problem("hinge", "elastic-net:epsilon=0.2")
    on, off = (wb.Run(p, GaussSeidel(shrinking=value), seed=1) for value in (True, False))
    on.step(50)
    off.step(50)
    assert on.state.alpha.tobytes() == off.state.alpha.tobytes()


@pytest.mark.parametrize(
    "regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "normalized-entropy:mu=0.3"]
)
@pytest.mark.parametrize("loss", LOSSES)
def test_the_most_violating_order_takes_the_sample_farthest_from_its_optimum(loss, regularizer):
    p = problem(loss, regularizer)
    run = wb.Run(p, GaussSeidel(order="most-violating"))
    for _ in range(15):
        certificate, nu = run.certificate(), p.nu(run.state.alpha)
        u = p.argument(certificate.z)
        coordinate = p.loss.scalar("coordinate")
        distance = [
            abs(np.clip(coordinate(a, b, 1.0, p.loss.theta), *p.loss.interval) - a)
            for a, b in zip(nu, u, strict=True)
        ]
        run.step()
        assert distance[run.last_event.index] == pytest.approx(max(distance), rel=1e-9, abs=1e-12)
    assert run.until(gap=1e-6, max_epochs=3000) == "converged"
