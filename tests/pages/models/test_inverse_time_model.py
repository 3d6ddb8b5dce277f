"""The model of the page of inverse time: goals, bounds and cells of sweeps, against the library."""

import json

import numpy as np
import pytest
from scipy.stats import norm

import workbench as wb
from tests.helpers.node_engine import module_script, printed
from workbench._support.errors import InputError
from workbench.certificates import certify
from workbench.data.examples.gaussians import two_gaussians
from workbench.pages.inverse_time import model as it
from workbench.pages.inverse_time import sweep as sweeps
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.page import PRESETS, TABLE
from workbench.solvers import LBFGS, PrimalGradient

# Four standard errors of a share near 0.84 of 4000 test samples.
SHARE = 4.0 * 0.37 / np.sqrt(it.TESTED)


def settings(**values):
    return it.InverseTime(**values).settings()


def test_the_reference_is_the_best_predictor_of_the_population():
    people = it.population("Two Gaussians, 20 features")
    mean, deviation = it.means(20)
    accuracy = np.mean(people.y_test * (people.X_test @ people.reference) > 0.0)
    assert accuracy == pytest.approx(norm.cdf(np.sqrt(np.sum((mean / deviation) ** 2))), abs=SHARE)
    # No fit on fresh samples has a smaller loss but by the chance of the test samples.
    X, y = it.draw("Two Gaussians, 20 features", 20_000, 5)
    fitted = wb.solve(wb.Problem(X, y, "logistic", lam=1e-5), "lbfgs", tol=1e-3)
    goal = it.Goal(settings(source="Two Gaussians, 20 features"), None)
    assert goal.distance(people.reference) == 0.0
    assert abs(goal.distance(fitted.w)) < 0.01


def test_training_sets_are_drawn_anew_for_each_seed_and_within_what_there_is():
    (X, _), (again, _), (other, _) = (it.draw("Two Gaussians, 10 features", 50, s) for s in (0, 0, 1))
    np.testing.assert_array_equal(X, again)
    assert not np.array_equal(X, other)
    assert it.draw(it.CANCER, 10_000, 0)[1].size == it.FEW[-1]


@pytest.mark.parametrize("p", [2.0, 1.5])
def test_the_constant_of_the_reference_is_its_regularizer(p):
    chosen = settings(p=p)
    problem = it.make_problem(chosen, 800, 0)
    constants = it.constants(problem, it.population(chosen["source"]).reference)
    reference = it.population(chosen["source"]).reference
    assert pytest.approx(problem.transfer.bracket(reference, np.zeros(10), 0.0).value) == constants.G


@pytest.mark.parametrize("p", [2.0, 1.5])
def test_lbfgs_minimizes_the_same_objective(p):
    problem = it.make_problem(settings(p=p, lam=0.01), 400, 1)
    w = np.linspace(-1.0, 1.0, 10)
    assert certify(sweeps.smooth(problem), w=w).primal == pytest.approx(certify(problem, w=w).primal)
    lower = sweeps.lower_bound(problem, 1e-6)
    best = wb.solve(problem, tol=1e-8, max_epochs=5000)
    assert best.dual - 1e-6 <= lower <= best.primal
    assert LBFGS().name == "lbfgs"


@pytest.mark.parametrize("measure", it.MEASURES)
def test_a_cell_counts_the_steps_to_the_target(measure):
    chosen = settings(measure=measure, target=0.35 if measure == "Direction" else 0.1)
    cell = sweeps.cell(chosen, 400, 0)
    assert cell.steps in sweeps.LOOKS
    problem = it.make_problem(chosen, 400, 0)
    lower = sweeps.lower_bound(problem, 1e-3) if measure == "Suboptimality" else 0.0
    goal = it.Goal(chosen, problem, lower)
    run = wb.Run(problem, PrimalGradient(), seed=0)
    before = sweeps.LOOKS[max(0, np.searchsorted(sweeps.LOOKS, cell.steps) - 1)]
    if before < cell.steps:
        run.step(before)
        assert not goal.reached(run.solver.point(run.state)["w"])
    run.step(int(cell.steps) - run.steps)
    assert goal.reached(run.solver.point(run.state)["w"])
    assert sweeps.cell(chosen, 400, 0).steps == cell.steps
    assert 1 <= cell.reference_steps <= sweeps.MAX_ITERATIONS
    assert np.isnan(sweeps.cell(chosen, 400, sweeps.REFERENCES).reference_steps)


def test_more_samples_take_no_more_steps():
    """Inverse time: medians over the same seeds, near the least loss that 200 samples reach."""
    chosen = settings()
    few, many = (np.median([sweeps.cell(chosen, m, seed).steps for seed in range(5)]) for m in (200, 3200))
    assert many < few


def test_every_choice_has_a_control_and_presets_lie_within_bounds():
    names = {name for specs in TABLE.values() for name in specs}
    assert names == {*it.INPUTS, *it.SWEPT, "c", "tolerance"}
    for values in PRESETS.values():
        it.InverseTime(**values)
    with pytest.raises(InputError, match="batch"):
        PrimalGradient(batch=0)


def test_samples_are_drawn_as_numpy_draws_them():
    """The classes and all normal numbers to the bit, but for the last place of the tail's logarithm."""
    d, m, seed = 40, 5000, [3, 5000]
    mean, deviation = it.means(d)
    population = {"mean": mean.tolist(), "deviation": deviation.tolist()}
    data = json.dumps([population, m, training_sets.state(seed), training_sets.strips().tolist()])
    drawn = printed(
        module_script("inverse_time/draw") + f"\nconst [population, m, state, strips] = {data};\n"
        "const { values, y } = twoGaussians(population, m, state, Float64Array.from(strips));\n"
        "console.log(JSON.stringify([Array.from(values), Array.from(y)]));"
    )
    X, y = two_gaussians(d, m, np.random.default_rng(seed))
    values = np.reshape(drawn[0], X.shape)
    np.testing.assert_array_equal(drawn[1], y)
    assert np.count_nonzero(values != X) <= 1e-3 * X.size
    np.testing.assert_allclose(values, X, rtol=0.0, atol=2e-15)
