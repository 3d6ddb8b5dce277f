"""The model of the page on biases and multipliers, and the engine that answers it, without a browser."""

import numpy as np
import pytest

import workbench as wb
from workbench._support.errors import InputError
from workbench.pages import datasets
from workbench.pages.bias import model as bias
from workbench.pages.bias.declaration import EXTRAS, Bias
from workbench.pages.wasm.engine import Engine

# Sums of n terms in another order.
ROUNDING = 1e-12
# Newton's method ends where the slope over b is that small a share.
BEST = 1e-6


class Asked:
    """An engine with a problem of the page, and its last answer."""

    def __init__(self, constraint=bias.BIAS, algorithm=bias.FULL, loss="smoothed-hinge", **changes):
        self.answers = []
        self.engine = Engine(bias.problem("Breast cancer", constraint), self.answers.append)
        regularizer = changes.pop("regularizer", "squared-l2")
        solver = bias.solver(bias.BiasLab(**changes).param.values(), algorithm)
        self.ask("problem", loss=loss, regularizer=regularizer, lam=0.1, solver=solver)

    def ask(self, type, **contents):
        self.engine.take({"version": 1, "id": 0, "type": type, **contents})
        answer = self.answers[-1]
        if answer["type"] == "error":
            raise InputError(answer["text"])
        return answer

    def run(self, gap):
        self.ask("frame")
        self.engine.take({"version": 1, "id": 1, "type": "run", "gap": gap})
        while self.engine.proceed():
            pass
        return next(message for message in reversed(self.answers) if message["type"] == "frame")


@pytest.mark.parametrize("algorithm", bias.PARTS)
@pytest.mark.parametrize("loss", bias.LOSSES.values())
def test_every_loss_runs_and_its_multipliers_tell_zhangs_gap(loss, algorithm):
    asked = Asked(loss=loss, algorithm=algorithm)
    frame = asked.ask("epoch", count=3)
    run = asked.engine.run
    zhang = wb.gaps.fixed_bias(run.problem, run.state.alpha, float(run.state.s[0]))
    assert frame["multipliers"]["gap"] == pytest.approx(zhang.gap, rel=1e-9, abs=ROUNDING)
    assert abs(frame["multipliers"]["residual"][0]) == pytest.approx(
        zhang.feasibility, rel=1e-9, abs=ROUNDING
    )
    assert frame["b"] == run.certificate().b


@pytest.mark.parametrize("regularizer", bias.REGULARIZERS.values())
def test_the_profile_of_weights_that_sum_to_zero_is_the_bound_at_other_multipliers(regularizer):
    asked = Asked(bias.ZERO, algorithm=bias.SMALL, regularizer=regularizer)
    asked.ask("epoch", count=2)
    profile, run = asked.ask("profile", **bias.PROFILE), asked.engine.run
    problem, alpha = run.problem, run.state.alpha
    free, v = problem.unconstrained, problem.dual_vector(run.state.alpha)
    # All of the bound but the regularizer's part, then that part at v - s.
    k = wb.certificate(free, alpha=alpha).dual + free.lam * free.transfer.map(v)[0]
    for place, value in list(zip(profile["place"], profile["value"], strict=True))[::10]:
        assert value == pytest.approx(k - free.lam * free.transfer.map(v - place)[0], rel=1e-9)
    assert profile["height"][1] == pytest.approx(wb.certificate(problem, alpha=alpha).dual, rel=1e-9)
    assert profile["height"][1] >= profile["value"].max() * (1.0 - BEST)


@pytest.mark.parametrize("algorithm", bias.PARTS)
def test_weights_sum_to_zero_and_the_multiplier_is_the_best_one_at_the_end(algorithm):
    asked = Asked(bias.ZERO, algorithm=algorithm, eta=0.5)
    frame = asked.run(1e-8)
    certificate = asked.engine.run.certificate()
    assert frame["status"] == "converged"
    assert abs(certificate.w.sum()) <= 1e-12 * np.abs(certificate.w).sum()
    assert frame["multipliers"]["s"][0] == pytest.approx(frame["b"][0], rel=1e-3)
    assert abs(frame["multipliers"]["residual"][0]) <= 1e-3


@pytest.mark.parametrize("constraint", [bias.BIAS, bias.SUM])
@pytest.mark.parametrize("regularizer", bias.REGULARIZERS.values())
def test_the_profile_is_the_primal_at_other_multipliers(regularizer, constraint):
    asked = Asked(constraint, regularizer=regularizer)
    asked.ask("epoch", count=2)
    profile, run = asked.ask("profile", **bias.PROFILE), asked.engine.run
    _, w = run.problem.transfer.map(run.state.v)
    for place, value in list(zip(profile["place"], profile["value"], strict=True))[::10]:
        point = {"w": w, "b": float(place)}
        if constraint != bias.BIAS:
            s = np.array([place])
            point = {"w": w + run.problem.constraints.C.T @ s, "multipliers": s}
        assert value == pytest.approx(wb.certificate(run.problem, **point).primal, rel=1e-9)
    assert profile["height"][1] <= profile["value"].min() * (1.0 + BEST)


def test_the_best_shift_is_that_of_the_certified_weights():
    asked = Asked(bias.SUM)
    asked.ask("epoch", count=2)
    frame, run = asked.ask("certificate"), asked.engine.run
    point = run.certificate()
    w = point.w - point.multipliers
    places = frame["b"] + np.linspace(-1.0, 1.0, 2001)
    losses = [run.problem.loss_sum(run.problem.design @ (w + place)) for place in places]
    assert np.argmin(losses) == 1000


@pytest.mark.parametrize("algorithm", bias.PARTS)
def test_the_solver_has_what_is_set(algorithm):
    chosen = {
        "mu": 3.0,
        "eta": 0.7,
        "passes": 4,
        "update": "gradient",
        "rate": 0.3,
        "order": "cyclic",
        "scale": 0.6,
    }
    made = bias.solver(chosen, algorithm)
    assert {name: getattr(made, name, value) for name, value in chosen.items()} == chosen


def test_both_algorithms_find_the_same_bias():
    full, small = (Asked(algorithm=part, eta=1.0).run(1e-6) for part in bias.PARTS)
    assert full["status"] == small["status"] == "converged"
    assert full["b"] == pytest.approx(small["b"], abs=1e-2)


def test_too_large_a_step_diverges_and_says_why():
    frame = Asked(algorithm=bias.SMALL, eta=3.0).run(1e-4)
    assert frame["status"] == "diverged"
    assert "lower eta = 3" in frame["reason"]


def test_a_dual_that_sums_to_zero_gives_weights_that_do():
    asked = Asked(bias.SUM, loss="squared")
    asked.run(1e-6)
    run = asked.engine.run
    v = run.problem.dual_vector(run.certificate().alpha)
    # w_0 = v for the squared norm: the constraint holds of the weights themselves.
    assert abs(v.sum()) <= 1e-9 * np.abs(v).sum()


def test_a_refused_choice_is_a_sentence_that_names_the_mend():
    with pytest.raises(InputError, match="use 'exact'"):
        Asked(regularizer="q-norm:q=4", update="bounded")


def test_every_preset_is_within_the_bounds():
    for name, preset in bias.PRESETS.items():
        model = bias.BiasLab()
        source = preset.get("source", model.source)
        assert source in datasets.SOURCES
        if source not in model.param.source.objects:
            continue  # the data are not on this machine
        model.param.update(**preset)
        assert {key: getattr(model, key) for key in preset} == preset, name


def test_the_script_has_what_each_constraint_and_algorithm_needs():
    facts = Bias().facts()
    assert set(facts["extras"]) == set(EXTRAS) == {bias.BIAS, bias.SUM, bias.ZERO}
    assert {name for shown in facts["shown"].values() for name in shown} == set(facts["solvers"])
    assert {getattr(wb.solvers, name).__name__ for name in facts["classes"].values()} == set(
        facts["classes"].values()
    )
