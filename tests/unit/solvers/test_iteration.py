"""Adaptors over runs, the run itself with its history, and scores on held-out samples."""

import itertools

import numpy as np
import pytest
from scipy.sparse import csr_array

import workbench as wb
from tests.helpers.cases import bits, problem, samples
from workbench import iteration
from workbench._support.errors import InputError
from workbench.problems import Problem
from workbench.problems.held_out import HeldOut
from workbench.solvers import GaussSeidel
from workbench.solvers.run import MANY, Run

COLUMNS = [
    "step",
    "epoch",
    "seconds",
    "primal",
    "dual",
    "gap",
    "relative_gap",
    "nonzeros",
    "support",
    "feasibility",
    "test_score",
]


def slow_run(**options):
    """A run that takes many epochs to converge."""
    return Run(problem("logistic", "squared-l2", lam=1e-4), GaussSeidel(scale=0.05), **options)


# Adaptors


def test_steps_advances_by_each_size_and_yields_the_run():
    run = slow_run()
    seen = [(other is run, other.steps) for other in iteration.steps(run, [1, 5, 0, 30])]
    assert seen == [(True, 1), (True, 6), (True, 6), (True, 36)]


def test_steps_stops_where_an_iterate_overflows():
    run = Run(problem("squared", "entropy:mu=0.3"), GaussSeidel(update="gradient", eta=1e300))
    states = list(iteration.steps(run, itertools.repeat(7, 100)))
    assert len(states) < 100
    assert run.steps < 7 * len(states)
    assert np.isfinite(run.state.alpha).all()
    # It stays where it overflowed.
    assert run.step(5) == 0


@pytest.mark.parametrize(("limit", "total"), [(1, 12), (2.5, 30), (0.5, 6), (0.05, 0), (25, 300), (1.4, 16)])
def test_epochs_ends_at_the_limit_and_never_asks_for_nothing(limit, total):
    run = slow_run()
    sizes = []
    for size in iteration.epochs(run, limit):
        assert size > 0
        sizes.append(size)
        run.step(size)
    assert run.steps == sum(sizes) == total
    assert list(iteration.epochs(run, limit)) == []


def test_epochs_are_single_at_first_and_a_tenth_of_those_done_later():
    run = slow_run()
    sizes = []
    for size in iteration.epochs(run, 60):
        sizes.append(size // 12)
        run.step(size)
    assert sizes[:20] == [1] * 20
    assert sizes[20:25] == [2] * 5
    assert sum(sizes) == 60


def test_record_certifies_each_state():
    run = slow_run()
    certificates = list(iteration.record(iteration.steps(run, [12, 12])))
    assert [row["step"] for row in run.rows] == [12, 24]
    assert [row["gap"] for row in run.rows] == [c.gap for c in certificates]
    assert certificates[0].gap != certificates[1].gap


def test_take_until_passes_the_first_that_is_enough():
    source = iter(range(10))
    assert list(iteration.take_until(source, lambda item: item >= 3)) == [0, 1, 2, 3]
    assert next(source) == 4
    assert list(iteration.take_until([1, 2], lambda item: False)) == [1, 2]


def test_throttle_passes_the_first_the_last_and_what_is_due(monkeypatch):
    now = iter([0.0, 0.4, 0.9, 1.0, 1.5, 5.0, 5.1, 5.2])
    monkeypatch.setattr(iteration.time, "monotonic", lambda: next(now))
    # Item k arrives at the time above; one a second passes, and the one that was held back at the end.
    assert list(iteration.throttle(range(8), 1.0)) == [0, 3, 5, 7]
    monkeypatch.setattr(iteration.time, "monotonic", lambda: 0.0)
    assert list(iteration.throttle([7], 1.0)) == [7]
    assert list(iteration.throttle([], 1.0)) == []


def test_the_adaptors_combine_as_their_docstring_says():
    run = slow_run()
    n = run.problem.n_samples
    stream = iteration.record(iteration.steps(run, iteration.every(n)))
    last = list(iteration.take_until(stream, lambda c: c.relative_gap <= 0.1))[-1]
    assert last.relative_gap <= 0.1 < run.rows[-2]["relative_gap"]
    assert run.steps == n * len(run.rows)


# The run


def test_advance_fills_a_budget_with_at_least_one_step(monkeypatch):
    """A clock that moves a millisecond a reading: the slices grow fourfold at most and then fit the rest."""
    clock = itertools.count(0.0, 1e-3)
    monkeypatch.setattr("workbench.solvers.run.time.perf_counter", lambda: next(clock))
    run = slow_run()
    sizes, step = [], run.step
    monkeypatch.setattr(run, "step", lambda count=1: sizes.append(count) or step(count))
    assert run.advance(0.02) == sum(sizes) == run.steps > 1
    assert sizes[:3] == [1, 4, 16]
    assert all(later <= 4 * size for size, later in itertools.pairwise(sizes))
    assert run.advance(1e-9) == 1
    assert run.seconds == pytest.approx(1e-3 * len(sizes))
    with pytest.raises(InputError, match="seconds = 0 must be"):
        run.advance(0)


def test_step_and_epoch_count():
    run = slow_run()
    assert run.last_event is None
    assert (run.step(), run.step(5), run.epoch(2), run.step(0)) == (1, 5, 24, 0)
    assert run.steps == 30
    assert run.epochs == 2.5
    assert run.last_event.index in range(12)


def test_many_steps_are_done_in_slices_of_the_same_bits(monkeypatch):
    many, single = slow_run(seed=3), slow_run(seed=3)
    assert sum(single.step() for _ in range(2 * MANY)) == 2 * MANY
    sizes, advance = [], GaussSeidel.advance
    monkeypatch.setattr(GaussSeidel, "advance", lambda *args: sizes.append(args[-1]) or advance(*args))
    assert many.step(2 * MANY) == sum(sizes) == 2 * MANY
    assert 1 < len(sizes) < MANY
    assert bits(many.state) == bits(single.state)


def test_the_history_has_a_row_a_certificate():
    X, labels, _ = samples()
    run = slow_run(test=(X[:6], labels[:6]))
    run.until(gap=1e-12, max_epochs=4)
    history = run.history
    assert list(history.columns) == COLUMNS
    assert history["step"].tolist() == [0, 12, 24, 36, 48]
    assert history["epoch"].tolist() == [0, 1, 2, 3, 4]
    assert (history["dual"].diff().dropna() > 0.0).all()
    np.testing.assert_allclose(history["gap"], history["primal"] - history["dual"], rtol=1e-9)
    last, certificate = history.iloc[-1], run.certificate()
    assert last["gap"] == certificate.gap == run.last.gap
    assert last["support"] == 12
    assert last["nonzeros"] == np.count_nonzero(certificate.w)
    assert history["seconds"].is_monotonic_increasing
    assert last["test_score"] == run.test.score(*run.problem.split(certificate.w))


def test_the_best_certificate_does_not_change_with_the_state():
    run = slow_run()
    run.record()
    alpha = run.best.alpha.copy()
    run.epoch(3)
    np.testing.assert_array_equal(run.best.alpha, alpha)
    assert run.record().gap < wb.certificate(run.problem, alpha=alpha).gap
    assert run.best.gap == run.last.gap


def test_certificates_can_be_watched_on_the_way():
    run = slow_run()
    gaps = [c.relative_gap for c in run.certificates(gap=0.2, max_epochs=500)]
    assert run.status == "converged"
    assert gaps[-1] <= 0.2 < min(gaps[:-1])
    assert len(gaps) == len(run.rows)


# Scores


def test_the_score_of_labels_is_the_accuracy():
    p = problem("hinge", "squared-l2", bias="constant")
    X = np.array([[1.0, 0, 0, 0, 0], [-2.0, 0, 0, 0, 0], [0.0, 0, 0, 0, 0], [0.5, 0, 0, 0, 0]])
    scored = HeldOut(p, X, [1, -1, -1, 1])
    w = np.array([1.0, 0, 0, 0, 0])
    # A prediction of zero counts as +1.
    assert scored.score(w, 0.0) == 0.75
    assert scored.score(w, -0.1) == 1.0
    assert scored.score(-w, 0.0) == 0.0


def test_the_score_of_targets_is_r_squared():
    p = problem("squared", "squared-l2")
    X, y = np.diag(np.arange(1.0, 6.0)), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    scored = HeldOut(p, X, y)
    assert scored.score(np.ones(5), 0.0) == 1.0
    assert scored.score(np.zeros(5), 3.0) == 0.0
    assert scored.score(np.zeros(5), 0.0) == pytest.approx(1.0 - 55.0 / 10.0)
    constant = HeldOut(p, X, np.full(5, 2.0))
    assert constant.score(np.zeros(5), 2.0) == 1.0


def test_sparse_test_data_score_like_dense():
    X, labels, _ = samples()
    p = Problem(X, labels)
    w = np.linspace(-1.0, 1.0, 5)
    dense, sparse = (HeldOut(p, form, labels).score(w, 0.0) for form in (X, csr_array(X)))
    assert dense == sparse
