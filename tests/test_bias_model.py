"""The model of the page on biases and multipliers, its figures and its questions, without a browser."""

import numpy as np
import pytest

import workbench as wb
from workbench.errors import InputError
from workbench.pages import theme
from workbench.pages.bias import model as bias
from workbench.pages.bias.captions import ending, statistics, steps
from workbench.pages.bias.figures import TITLES, BiasFigures
from workbench.pages.bias.page import BiasPlayer
from workbench.pages.bias.questions import QUESTIONS, outcome
from workbench.pages.numerals import numerals

# Sums of n terms in another order.
ROUNDING = 1e-12
# Newton's method ends where the slope over b is that small a share.
BEST = 1e-6
QUICK = {"lam": 0.1, "loss": "Smoothed hinge"}


def settings(**changes):
    return bias.BiasLab(**(QUICK | changes)).settings()


def played(tolerance=1e-4, **changes):
    """A lab whose runs have ended."""
    lab = bias.build(settings(**changes))
    while not bias.play(lab, 0.5, tolerance):
        pass
    return lab


@pytest.mark.parametrize("loss", bias.LOSSES)
def test_every_loss_runs_and_the_trace_is_zhangs_gap(loss):
    lab = bias.build(settings(loss=loss))
    for each in lab.pair:
        run = each.run
        run.epoch(3)
        certificate = run.record()
        zhang = wb.gaps.fixed_bias(run.problem, run.state.alpha, float(run.state.s[0]))
        row = run.rows[-1]
        assert row["fixed"] == pytest.approx(zhang.gap, rel=1e-9, abs=ROUNDING)
        assert abs(row["residual"]) == pytest.approx(zhang.feasibility, rel=1e-9, abs=ROUNDING)
        assert row["best"] == certificate.b


@pytest.mark.parametrize("constraint", [bias.BIAS, bias.SUM])
@pytest.mark.parametrize("regularizer", bias.REGULARIZERS)
def test_the_profile_is_the_primal_at_other_multipliers(regularizer, constraint):
    lab = bias.build(settings(regularizer=regularizer, constraint=constraint))
    run = lab.run
    run.epoch(2)
    run.record()
    profile = bias.profile(run)
    _, w = run.problem.transfer.map(run.state.v)
    for place, value in list(zip(profile["place"], profile["value"], strict=True))[::10]:
        b = float(place) if constraint == bias.BIAS else np.array([place])
        assert value == pytest.approx(wb.certificate(run.problem, w=w, b=b).primal, rel=1e-9)
    if constraint == bias.BIAS:
        assert profile["height"][1] <= profile["value"].min() * (1.0 + BEST)


def test_both_algorithms_find_the_same_bias():
    full, small = played(tolerance=1e-6, eta=1.0).pair
    assert full.run.status == small.run.status == "converged"
    assert full.run.rows[-1]["best"] == pytest.approx(small.run.rows[-1]["best"], abs=1e-2)
    assert full.run.rows[-1]["outer"] < small.run.rows[-1]["outer"] == small.run.epochs


def test_too_large_a_step_diverges_and_says_why():
    lab = played(eta=3.0, algorithms=bias.SMALL)
    assert lab.run.status == "diverged"
    assert "lower eta = 3" in ending(lab, 1e-4)
    text = BiasFigures(theme.LIGHT).show(bias.snapshot(lab))
    assert "lower eta = 3" in text["small"]
    assert "not running" in text["full"]


def test_passes_space_the_steps_of_the_multiplier():
    run = bias.build(settings(passes=5, algorithms=bias.SMALL)).run
    for _ in range(10):
        run.epoch()
        run.record()
    assert [row["outer"] for row in run.rows] == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2]
    # They count wherever certificates are taken.
    run.epoch(20)
    run.record()
    assert run.rows[-1]["outer"] == 6
    with pytest.raises(InputError, match=r"passes = 1.5 is no whole number"):
        wb.solvers.ModifiedAugmentedLagrangian(passes=1.5)


def test_a_dual_that_sums_to_zero_gives_weights_that_do():
    lab = played(constraint=bias.SUM, algorithms=bias.FULL, loss="Squared", tolerance=1e-6)
    v = lab.run.problem.dual_vector(lab.run.last.alpha)
    # w_0 = v for the squared norm: the constraint holds of the weights themselves.
    assert abs(v.sum()) <= 1e-9 * np.abs(v).sum()


def test_the_figures_draw_what_was_traced():
    lab = played()
    frame = bias.snapshot(lab)
    figures = BiasFigures(theme.LIGHT)
    text = figures.show(frame)
    assert set(text) == set(figures.figures) == set(TITLES)
    row = lab.run.rows[-1]
    drawn = figures.sources[bias.FULL, "curves"].data
    assert drawn["certified"][-1] == row["gap"]
    assert drawn["multiplier"][-1] == row["multiplier"]
    assert f"{row['gap']:.2e} certified" in text["full"]
    assert numerals(f"{row['fixed']:.2e}") in statistics(frame)
    assert numerals(f"{row['multiplier']:.5g}") in steps(lab, frame)


def test_a_place_one_looks_back_at_is_marked_on_the_spiral_and_within_its_frame():
    lab = bias.build(bias.BiasLab(source="Breast cancer", lam=0.01, eta=10.0).settings())
    for each in lab.pair:
        for _ in range(80):
            each.run.epoch()
            each.run.record()
    figures = BiasFigures(theme.LIGHT)
    figures.show(bias.snapshot(lab))
    assert all(list(figures.sources[each.algorithm, "here"].data["multiplier"]) == [] for each in lab.pair)
    for each in lab.pair:
        each.run.seek(1)
    figures.show(bias.snapshot(lab))
    spiral = figures.figures["spiral"]
    for each in lab.pair:
        row, found = each.run.along()[1], figures.sources[each.algorithm, "here"].data
        assert found == {"multiplier": [row["multiplier"]], "residual": [row["residual"]]}
        assert spiral.x_range.start <= row["multiplier"] <= spiral.x_range.end
        assert spiral.y_range.start <= row["residual"] <= spiral.y_range.end


@pytest.mark.parametrize("name", bias.PRESETS)
def test_every_preset_builds_and_its_code_gives_its_solvers(name):
    model = bias.BiasLab()
    try:
        model.param.update(**bias.PRESETS[name])
    except ValueError:
        pytest.skip("the data are not on this machine")
    assert model.mu == bias.PRESETS[name].get("mu", 1.0)
    lab = bias.build(model.settings())
    program = bias.code(model.settings(), 1e-4)
    start, rest = program.split("for solver in (")
    scope = {"S": wb.solvers}
    exec("chosen = (" + rest.split("):")[0] + ")", scope)
    assert scope["chosen"] == tuple(each.run.solver for each in lab.pair)
    compile(start + "for solver in (" + rest, "shown", "exec")


def test_the_problem_is_prepared_once():
    first = bias.build(settings())
    second = bias.build(settings(lam=0.2, loss="Logistic"), first)
    assert second.run.problem.rows is first.run.problem.rows
    assert second.run.problem.lam == 0.2
    other = bias.build(settings(constraint=bias.SUM), second)
    assert other.run.problem.constraints is not None


def test_questions_are_answered_by_the_runs():
    came = {}
    for name, question in QUESTIONS.items():
        unfinished = bias.build(settings(**question.change))
        assert outcome(name, unfinished) is None
        lab = played(**question.change)
        came[name] = outcome(name, lab)
        assert came[name] in question.options
    assert came["A large η"] == "it oscillates until it is stopped"
    assert came["A small η"] == "later, or not at all"


def test_a_refused_choice_is_a_sentence_that_names_the_mend():
    with pytest.raises(InputError, match="use 'exact'"):
        bias.build(settings(regularizer="q-norm", q=4.0, update="bounded"))


def test_values_out_of_bounds_are_refused_by_the_model():
    model = bias.BiasLab()
    for name, value in (("mu", 0.0), ("eta", -1.0), ("passes", 0), ("constraint", "none"), ("lam", np.inf)):
        with pytest.raises(ValueError, match=name):
            setattr(model, name, value)


def test_the_player_plays_both_algorithms():
    model = bias.BiasLab(**QUICK)
    player = BiasPlayer(model, None, None)
    player.lab = player.construct(model.settings())
    player.do("epoch")
    assert [each.run.epochs for each in player.lab.pair] == [1.0, 1.0]
    assert "paused" in player.sentence()
    assert set(player.picture()["runs"]) == {bias.FULL, bias.SMALL}
