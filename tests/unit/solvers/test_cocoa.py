"""CoCoA+ in one process: one part is Gauss-Seidel, parts go by their own rows until they are told."""

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.solvers import CoCoA, GaussSeidel

RNG = np.random.default_rng(8)
X = RNG.normal(size=(40, 4))
LABELS = np.where(X[:, 0] - X[:, 1] + 0.6 * RNG.normal(size=40) > 0.0, 1.0, -1.0)


def problem(loss="hinge", regularizer="squared-l2", lam=0.1, **options):
    return wb.Problem(X, LABELS, loss, regularizer, lam=lam, **options)


@pytest.mark.parametrize("passes", [1, 3])
def test_one_part_is_gauss_seidel_bit_for_bit(passes):
    ours, other = wb.Run(problem(), CoCoA(1, passes), seed=5), wb.Run(problem(), GaussSeidel(), seed=5)
    ours.step(7)
    other.epoch(7)
    np.testing.assert_array_equal(ours.state.alpha, other.state.alpha)


def test_a_part_sees_nothing_of_the_others_within_a_round():
    """Other labels in the second half change nothing in the first until its parts are told."""
    turned = np.where(np.arange(40) < 20, LABELS, -LABELS)
    runs = [wb.Run(wb.Problem(X, y, lam=0.1), CoCoA(2, 3), seed=1) for y in (LABELS, turned)]
    firsts = []
    for steps in (3, 1):
        for run in runs:
            run.step(steps)
        firsts.append([run.state.alpha[:20].copy() for run in runs])
        assert [run.last_event.exchanged for run in runs] == [steps == 3] * 2
    np.testing.assert_array_equal(*firsts[0])
    assert np.abs(firsts[1][0] - firsts[1][1]).max() > 1e-3


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "entropy:mu=0.3"])
def test_the_vectors_of_all_parts_are_that_of_the_dual_variables(regularizer):
    run = wb.Run(problem("logistic", regularizer), CoCoA(5, 2), seed=0)
    for steps in range(1, 5):
        run.step()
        v = run.problem.dual_vector(run.state.alpha)
        np.testing.assert_allclose(run.state.v.mean(axis=0), v, atol=1e-12)
        event = run.last_event
        assert (event.round, event.exchanged) == ((steps + 1) // 2, steps % 2 == 0)
        assert event.apart > 0.0
        assert (np.ptp(run.state.v, axis=0).max() == 0.0) == event.exchanged


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2", "entropy:mu=0.3"])
def test_no_round_of_several_passes_lets_the_dual_objective_rise_and_all_reach_the_optimum(regularizer):
    p = problem("logistic", regularizer)
    run = wb.Run(p, CoCoA(8, 4), seed=0)
    for _ in range(10):
        run.record()
        run.step(4)
    assert (np.diff(run.history["dual"]) >= -1e-12).all()
    solution = wb.solve(p, CoCoA(8, 4), tol=1e-6, max_epochs=20_000)
    assert solution.status == "converged"
    assert solution.primal == pytest.approx(wb.solve(p, tol=1e-9).primal, rel=1e-6)


def test_several_classes_are_refused_and_so_are_parameters_that_are_no_counts():
    with pytest.raises(InputError, match="cocoa: a loss with several predictions is not available"):
        wb.Run(wb.Problem(X, np.arange(40) % 3, "multinomial"), CoCoA())
    with pytest.raises(InputError, match="cocoa: parts = 0 is not a whole number, 1 or more; write parts=8"):
        CoCoA(parts=0)
    with pytest.raises(InputError, match=r"cocoa: passes = 1\.5 is not a whole number, 1 or more"):
        CoCoA(passes=1.5)
