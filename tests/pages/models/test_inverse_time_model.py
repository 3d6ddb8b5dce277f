"""The model of the page of inverse time: the best predictors, goals and recorded curves, against oracles."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from mpmath import mp
from scipy.stats import norm

import workbench as wb
from tests.helpers.coroutines import answer_of
from tests.helpers.node_engine import missing
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.pages import bundling
from workbench.pages.hosts import blocks
from workbench.pages.inverse_time import curves
from workbench.pages.inverse_time import model as it
from workbench.pages.inverse_time.declaration import InverseTime
from workbench.solvers import LBFGS, PrimalGradient

SOURCE = "Two Gaussians, 20 features"
# Four standard errors of a share near 0.84 of 4000 test samples.
SHARE = 4.0 * 0.37 / np.sqrt(it.TESTED)
FRAMES = Path(__file__).parents[1] / "hosts" / "inverse_time.test.mjs"
TARGETS = (0.5, 0.1, 0.03, 0.01)


def settings(**values):
    return InverseTime(**values).settings()


def test_the_reference_is_the_best_predictor_of_the_population():
    population = it.population(SOURCE, "Logistic")
    mean, deviation = it.means(20)
    accuracy = np.mean(population.y_test * (population.X_test @ population.reference) > 0.0)
    assert accuracy == pytest.approx(norm.cdf(np.sqrt(np.sum((mean / deviation) ** 2))), abs=SHARE)
    np.testing.assert_allclose(population.reference, 2.0 * mean / deviation**2, rtol=1e-12)


@pytest.mark.parametrize("loss", it.LOSSES)
def test_no_fit_on_fresh_samples_is_better_than_the_reference(loss):
    X, y = it.draw(SOURCE, 20_000, 5)
    fitted = wb.solve(wb.Problem(X, y, it.LOSSES[loss], lam=1e-5), tol=1e-3)
    goal = it.Goal(settings(source=SOURCE, loss=loss), None)
    assert goal.distance(it.population(SOURCE, loss).reference) == 0.0
    # But by the chance of the test samples.
    assert abs(goal.distance(fitted.w)) < 0.01


@pytest.mark.parametrize("loss", it.LOSSES)
def test_the_best_multiple_has_the_least_expected_loss(loss):
    """Its derivative by 50 digits is zero: the margin is c z with z normal, of mean and variance s."""
    s = 1.05
    values = {
        "Logistic": (lambda u: -1 / (1 + mp.exp(u)), ()),
        "Hinge": (lambda u: mp.mpf(-1) if u < 1 else mp.mpf(0), (1,)),
        "Squared": (lambda u: 2 * (u - 1), ()),
    }
    slope, kinks = values[loss]
    c = it.best_multiple(it.LOSSES[loss], s)
    with mp.workdps(50):
        ends = sorted([-14, s, 17, *(kink / mp.mpf(c) for kink in kinks)])
        moment = mp.quad(lambda z: z * slope(c * z) * mp.npdf(z, s, mp.sqrt(s)), ends)
    assert abs(moment) < 1e-10


def test_training_sets_are_drawn_anew_for_each_seed_and_within_what_there_is():
    (X, _), (again, _), (other, _) = (it.draw("Two Gaussians, 10 features", 50, s) for s in (0, 0, 1))
    np.testing.assert_array_equal(X, again)
    assert not np.array_equal(X, other)
    assert it.draw(it.CANCER, 10_000, 0)[1].size == it.FEW[-1]


@pytest.mark.parametrize("p", [2.0, 1.5])
def test_the_constant_of_the_reference_is_its_regularizer(p):
    chosen = settings(p=p)
    problem, reference = (
        it.make_problem(chosen, 800, 0),
        it.population(chosen["source"], "Logistic").reference,
    )
    value = problem.transfer.bracket(reference, np.zeros(10), 0.0).value
    assert it.regularized_reference(chosen) == pytest.approx(value)


@pytest.mark.parametrize("p", [2.0, 1.5])
def test_lbfgs_minimizes_the_same_objective(p):
    problem = it.make_problem(settings(p=p, lam=0.01), 400, 1)
    w = np.linspace(-1.0, 1.0, 10)
    assert certify(curves.smooth(problem), w=w).primal == pytest.approx(certify(problem, w=w).primal)
    lower = curves.lower_bound(problem)
    best = wb.solve(problem, "primal-gradient", tol=1e-3, max_epochs=5000)
    assert lower <= best.primal
    assert best.dual - 1e-5 <= lower


@pytest.mark.parametrize("loss", it.LOSSES)
@pytest.mark.parametrize("measure", it.MEASURES)
def test_a_cell_counts_the_steps_to_the_target(measure, loss):
    chosen, target = settings(measure=measure, loss=loss), 0.35 if measure == "Direction" else 0.15
    distances, reference = curves.cell(chosen, 400, 0)
    look = int(np.argmax(distances <= target))
    problem = it.make_problem(chosen, 400, 0)
    goal = it.Goal(chosen, problem, curves.lower_bound(problem) if measure == "Suboptimality" else 0.0)
    run = wb.Run(problem, PrimalGradient(), seed=0)
    for steps in curves.LOOKS[: look + 1]:
        run.step(int(steps) - run.steps)
        assert (goal.distance(run.solver.point(run.state)["w"]) <= target) == (steps == curves.LOOKS[look])
    if problem.loss.curvature == 0.0:
        assert np.isinf(reference).all()
    else:
        fitted = wb.Run(curves.smooth(problem), LBFGS())
        fitted.step(3)
        assert reference[2] == pytest.approx(min(goal.distance(fitted.state.w), *reference[:2]), rel=1e-6)
    assert np.isinf(curves.cell(chosen, 400, curves.REFERENCES)[1]).all()


# The recorded curves


def test_recorded_curves_are_those_of_the_presets_and_present_sources():
    assert {curves.key(chosen) for chosen in curves.preset_settings()} == set(curves.recorded()), curves.FIX


@pytest.mark.parametrize("place", range(len(it.PRESETS)))
def test_recorded_curves_are_computed_again(place):
    chosen = curves.preset_settings()[place]
    record, seed, size = curves.recorded()[curves.key(chosen)], place % 3, place % 2
    distances, reference = curves.cell(chosen, int(record["m"][size]), seed)
    np.testing.assert_allclose(record["distances"][size, seed], distances, rtol=1e-5, atol=1e-6)
    if record["reference"].size:
        known = np.isfinite(reference)
        np.testing.assert_allclose(
            record["reference"][size, seed][known], reference[known], rtol=1e-4, atol=1e-5
        )


@pytest.mark.parametrize("loss", it.LOSSES)
def test_more_samples_take_no_more_steps(loss):
    """Inverse time: medians over the recorded training sets, near the least loss that 200 samples reach."""
    chosen = next(preset for preset in curves.preset_settings() if preset["loss"] == loss)
    record = curves.recorded()[curves.key(chosen)]
    reached = record["distances"] <= 0.05
    steps = np.where(reached.any(axis=2), record["looks"][reached.argmax(axis=2)], np.inf)
    few, many = np.median(steps, axis=1)[[0, 4]]
    assert many < few


# What the page answers


def test_presets_lie_within_bounds():
    for values in it.PRESETS.values():
        InverseTime().change(values)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "data", "source": "none", "samples": 200, "seed": 0}, "source"),
        ({"type": "data", "source": SOURCE, "samples": 7, "seed": 0}, "samples = 7"),
        ({"type": "length", "source": SOURCE, "samples": 200, "seed": -1, "p": "2"}, "seed = -1"),
        ({"type": "regularizer", "source": SOURCE, "p": "two"}, "p = 'two' is not a number"),
        ({"type": "regularizer", "source": SOURCE, "p": "nan"}, "p = nan"),
        ({"type": "loss", "name": "huber"}, "unknown loss"),
        ({"type": "curve", "lam": "0", "p": "2", "source": SOURCE}, "lam = 0.0"),
        ({"type": "curve", "lam": "0.1", "p": "2", "seeds": 10**6}, "seeds = 1000000"),
        ({"type": "curve", "lam": "0.1", "p": "2", "rate": 1}, "rate"),
    ],
)
def test_messages_are_checked(message, words):
    with pytest.raises(InputError, match=words):
        answer_of(InverseTime(), message)


def test_a_file_carries_the_curves_of_its_presets_and_its_own():
    page = InverseTime(lam=0.00005)
    page.carry({"samples": [400]})
    messages = page.packed_messages()
    numbers = [message["lam"] for message in messages if message["type"] == "curve"]
    assert numbers[0] == "0.00005"
    assert set(numbers[1:]) == {"0.002", "0.01", "0.0006"}
    assert {message["samples"] for message in messages if message["type"] == "data"} == {200, 400, 1600}


def test_frames_hold_under_node(tmp_path):
    if bundling.node() is None:
        missing("there is no Node")
    page = InverseTime()
    facts = {
        key: fact for key, fact in page.answer({"type": "page"}).items() if key not in ("figures", "styles")
    }
    message = next(message for message in page.packed_messages() if message["type"] == "curve")
    record = curves.recorded()[curves.key(settings())]
    medians = []
    for target in TARGETS:
        reached = record["distances"] <= target
        steps = np.where(reached.any(axis=2), record["looks"][reached.argmax(axis=2)].astype(float), np.inf)
        medians.append([target, np.median(steps, axis=1).tolist()])
    population = it.population(page.source, page.loss)
    predictions = population.X_test.astype(np.float32) @ population.reference
    value = {
        "facts": facts,
        "answers": {
            "record": answer_of(page, message),
            "test": page.answer({"type": "test", "source": page.source}),
            "reference": population.reference,
        },
        "recorded": {
            "medians": medians,
            "accuracy": float(np.mean(np.where(predictions >= 0.0, 1.0, -1.0) == population.y_test)),
        },
    }
    (tmp_path / "inverse_time.block").write_bytes(blocks.packed(value))
    command = [bundling.node(), "--test", FRAMES]
    run = subprocess.run(command, env=os.environ | {"DRAWN": str(tmp_path)}, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
