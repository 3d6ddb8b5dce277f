"""What the server makes of a report on the page on biases: it certifies both runs itself."""

import numpy as np
import pytest

from workbench.errors import InputError
from workbench.pages.bias import model as bias
from workbench.pages.bias import served
from workbench.solvers import augmented_lagrangian


def lab_of(**choices):
    return bias.build(bias.BiasLab(**choices).settings())


def reported(lab, epochs):
    """What an honest browser says of the same problems after some epochs and steps."""
    other = bias.build(lab.settings)
    for each in other.pair:
        for _ in range(epochs):
            each.run.epoch()
            each.run.record()
        each.run.step(7)
        each.run.record()
    return other, {"status": None, "runs": [told(each.run) for each in other.pair]}


def told(run):
    state = run.state
    return {
        "step": run.steps, "status": run.status, "alpha": state.alpha.copy(), "event": [],
        "multiplier": np.array([state.s[0], state.moved[0], *state.numbers]),
        "rows": np.array([[row[name] for name in served.ROW] for row in run.rows]).ravel(),
    }  # fmt: skip


@pytest.mark.parametrize("choices", [{}, {"loss": "Logistic", "eta": 1.0}, {"algorithms": bias.SMALL}])
def test_runs_that_were_taken_back_go_on_as_if_they_had_not_left(choices):
    lab = lab_of(**choices)
    other, report = reported(lab, 25)
    served.take_back(lab, report, 1e-4)
    for each, same in zip(lab.pair, other.pair, strict=True):
        assert each.run.rows[-1]["outer"] == same.run.rows[-1]["outer"]
        for _ in range(2):
            assert each.run.steps == same.run.steps
            assert [row["step"] for row in each.run.rows] == [row["step"] for row in same.run.rows]
            for name in ("gap", "fixed"):
                apart = abs(each.run.rows[-1][name] - same.run.rows[-1][name])
                assert apart <= 1e-10 * same.run.problem.zero_value, name
            # Not how often the multiplier has moved: near the optimum rounding says when it does again.
            for name in ("multiplier", "seen", "mu"):
                assert each.run.rows[-1][name] == pytest.approx(same.run.rows[-1][name], rel=1e-7), name
            for run in (each.run, same.run):
                run.epoch(30)
                run.record()


ROWS = len(served.ROW)
LIES = {
    "another primal": lambda run: run["rows"].__setitem__(-ROWS + 2, run["rows"][-ROWS + 2] + 1e-6),
    "no gap": lambda run: run["rows"].__setitem__(-ROWS + 4, np.nan),
    "another gap at s": lambda run: run["rows"].__setitem__(-ROWS + 6, 0.0),
    "no number of steps of s": lambda run: run["rows"].__setitem__(-1, np.nan),
    "converged too early": lambda run: run.update(status="converged"),
    "diverged without a reason": lambda run: run.update(status="diverged"),
    "other dual variables": lambda run: run.update(alpha=0.5 * run["alpha"]),
    "dual variables without end": lambda run: run.update(alpha=np.inf + run["alpha"]),
    "too few of them": lambda run: run.update(alpha=run["alpha"][1:]),
    "another multiplier": lambda run: run["multiplier"].__setitem__(0, run["multiplier"][0] + 0.1),
    "a softness of zero": lambda run: run["multiplier"].__setitem__(2 + augmented_lagrangian.MU, 0.0),
    "half a step of s": lambda run: run["multiplier"].__setitem__(2 + augmented_lagrangian.TAKEN, 0.5),
    "another kind of bias": lambda run: run["multiplier"].__setitem__(2 + augmented_lagrangian.GENERAL, 1.0),
    "half a multiplier": lambda run: run.update(multiplier=run["multiplier"][:5]),
    "a multiplier of words": lambda run: run.update(multiplier="s"),
    "no rows": lambda run: run.update(rows=np.empty(0)),
    "a step that is none": lambda run: run.update(step="7"),
    "nothing": lambda run: run.clear(),
}


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("lie", LIES)
def test_the_browsers_numbers_are_never_taken_for_true(lie, place):
    lab = lab_of()
    _, report = reported(lab, 5)
    LIES[lie](report["runs"][place])
    with pytest.raises(InputError, match="The server computes from here on"):
        served.take_back(lab, report, 1e-4)


@pytest.mark.parametrize("runs", [None, [], "two", [None, None]])
def test_a_report_of_other_runs_is_refused(runs):
    lab = lab_of()
    _, report = reported(lab, 1)
    with pytest.raises(InputError, match="does not fit this run"):
        served.take_back(lab, report | {"runs": report["runs"][:1] if runs is None else runs}, 1e-4)


def test_a_run_that_diverged_keeps_its_reason():
    lab = lab_of(eta=10.0)
    other = lab_of(eta=10.0)
    while not bias.play(other, 1.0, 1e-4):
        pass
    served.take_back(lab, {"runs": [told(each.run) for each in other.pair]}, 1e-4)
    assert [each.run.status for each in lab.pair] == ["converged", "diverged"]
    assert bias.reason(lab.other.run) == bias.reason(other.other.run) != ""


def test_other_constraints_slow_runs_and_large_data_stay_with_the_server(monkeypatch):
    lab, lends = lab_of(), served.Lent.suits
    assert lends(None, lab)
    assert not lends(None, lab_of(constraint=bias.SUM))
    lab.other.run.seconds = 2.0
    assert not lends(None, lab)
    assert served.data(lab)["key"] == "Breast cancer"
    monkeypatch.setattr(served, "MOST_BYTES", 1000)
    assert served.data(lab) is None
