"""The model of the page of inverse time: goals, bounds, sweeps and the two iterates, against the library."""

import numpy as np
import pytest
from scipy.stats import norm

import workbench as wb
from workbench.certificates import certify
from workbench.errors import InputError
from workbench.pages.inverse_time import model as it
from workbench.pages.inverse_time import sweep as sweeps
from workbench.pages.inverse_time.figures import InverseTimeDrawing, bound_of
from workbench.pages.inverse_time.page import PRESETS, TABLE, frame
from workbench.solvers import LBFGS, PrimalGradient
from workbench.teaching import check

# Four standard errors of a share near 0.84 of 4000 test samples.
SHARE = 4.0 * 0.37 / np.sqrt(it.TESTED)
SMALL = {"target": 0.1, "seeds": 3}


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
    found = it.constants(problem, it.population(chosen["source"]).reference)
    reference = it.population(chosen["source"]).reference
    assert pytest.approx(problem.transfer.bracket(reference, np.zeros(10), 0.0).value) == found.G


def test_the_least_number_of_steps_is_that_of_the_lesson():
    def least_steps(epsilon, G, L, c, m):
        found = it.Constants(L, G)
        return float(it.theorem_2(found, it.best_lam(found, epsilon), epsilon, c, m))

    check("9.4", least_steps)


def test_the_steps_of_theorem_1_are_the_least_that_reach_a_gap():
    found = it.Constants(4.0, 1.0)
    steps = it.theorem_1_steps(found.L, 0.01, 0.5)
    assert it.theorem_1(found.L, 0.01, steps) == pytest.approx(0.5)
    assert it.theorem_1_steps(found.L, 1e-5, 1e-9) == np.inf


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
    found = sweeps.cell(chosen, 400, 0)
    assert found.steps in sweeps.LOOKS
    problem = it.make_problem(chosen, 400, 0)
    lower = sweeps.lower_bound(problem, 1e-3) if measure == "Suboptimality" else 0.0
    goal = it.Goal(chosen, problem, lower)
    run = wb.Run(problem, PrimalGradient(), seed=0)
    before = sweeps.LOOKS[max(0, np.searchsorted(sweeps.LOOKS, found.steps) - 1)]
    if before < found.steps:
        run.step(before)
        assert not goal.reached(run.solver.point(run.state)["w"])
    run.step(int(found.steps) - run.steps)
    assert goal.reached(run.solver.point(run.state)["w"])
    assert sweeps.cell(chosen, 400, 0).steps == found.steps
    assert 1 <= found.reference_steps <= sweeps.MOST_ITERATIONS
    assert np.isnan(sweeps.cell(chosen, 400, sweeps.REFERENCES).reference_steps)


def test_more_samples_take_no_more_steps():
    """Inverse time: medians over the same seeds, near the least loss that 200 samples reach."""
    chosen = settings()
    cells = [sweeps.cell(chosen, m, seed) for m in (200, 3200) for seed in range(5)]
    few, many = sweeps.summary(cells, "steps").median
    assert many < few


def test_a_sweep_fills_in_and_stops_when_told():
    chosen = settings(source=it.CANCER, measure="Test accuracy", lam=0.01, **SMALL)
    cells = list(sweeps.sweep(chosen, lambda: False))
    assert [cell.m for cell in cells] == 3 * list(it.FEW)
    assert list(sweeps.sweep(chosen, lambda: True)) == []
    told = iter([False] * 3 + [True] * 100)
    assert len(list(sweeps.sweep(settings(target=1e-3), lambda: next(told)))) == 0


def test_a_summary_keeps_what_was_not_reached():
    cells = [sweeps.Cell(100, k, steps, 1.0, np.nan, np.nan) for k, steps in enumerate((8, np.inf, np.inf))]
    found = sweeps.summary(cells, "steps")
    assert (found.median[0], found.missed) == (np.inf, 2)
    assert sweeps.summary(cells, "reference_steps").m.size == 0


def test_the_run_certifies_both_iterates_and_theorem_1_holds():
    lab = it.build(settings(lam=0.02))
    it.play(lab, 0.2, 1e-4)
    run = lab.run
    other = wb.Run(run.problem, PrimalGradient(output="last"), seed=0)
    other.step(run.steps)
    last = other.certificate()
    assert run.lasts[-1] == (last.primal, last.gap)
    shown = frame(lab)
    curves = shown["curves"]
    best = wb.solve(run.problem, tol=1e-7, max_epochs=5000)
    later = curves["step"] >= 10
    bound = it.theorem_1(lab.constants.L, 0.02, curves["step"][later])
    assert (curves["average"][later] - best.dual <= bound).all()
    assert (curves["lower"] <= best.primal).all()
    said = InverseTimeDrawing().show(shown)
    assert "Theorem 1 bounds the expected excess by" in said["pgs_gap"]


def test_the_sweep_is_drawn_with_what_theorems_say():
    drawing = InverseTimeDrawing()
    for measure, words in (
        ("Test loss", "Theorem 2"), ("Direction", "say nothing"), ("Suboptimality", "Theorem 1"),
    ):  # fmt: skip
        chosen = settings(measure=measure, target=0.2)
        cells = [sweeps.Cell(200, 0, 64.0, 1e-3, 2.0, 1e-3), sweeps.Cell(400, 0, np.inf, np.inf, 2.0, 2e-3)]
        said = drawing.show_sweep(cells, chosen, it.Constants(3.0, 9.0), 0.01, False)
        assert words in said["sweep_steps"]
        assert "1 of 2 runs did not reach it" in said["sweep_steps"]
        assert drawing.sources["missed"].data["m"] == [400]
    m = np.array([1e2, 1e6])
    assert np.isinf(bound_of(settings(measure="Direction"), it.Constants(3.0, 9.0), 0.01, m)[1]).all()


def test_every_choice_has_a_control_and_presets_lie_within_bounds():
    names = {name for specs in TABLE.values() for name in specs}
    assert names == {*it.INPUTS, *it.SWEPT, "c", "tolerance"}
    for values in PRESETS.values():
        it.InverseTime(**values)
    with pytest.raises(InputError, match="batch"):
        PrimalGradient(batch=0)


def test_the_code_gives_a_certified_optimum(capsys):
    chosen = settings(lam=0.05, samples=200)
    exec(it.code(chosen, 1e-1), {})
    primal, dual, gap = map(float, capsys.readouterr().out.split())
    best = wb.solve(it.make_problem(chosen, 200, 0), tol=1e-6)
    assert dual <= best.primal <= primal <= best.primal + gap
