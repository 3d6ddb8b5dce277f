"""The rules of the race, with contestants whose speed is known, and the command's refusals."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import workbench as wb
from tests.helpers.cases import LOSSES, problem
from workbench._support.errors import InputError
from workbench.cli import app
from workbench.studies import race
from workbench.studies.race import accuracy, contest


def value_of(tol):
    return 1.0 + tol


def test_everyone_gets_the_loosest_tolerance_that_reaches_the_mark():
    asked = []

    def recording(tol):
        asked.append(tol)
        return tol

    exact, fast = race.Contestant("workbench", recording), race.Contestant("peer", lambda tol: 0.1 * tol)
    rows = list(race._race("task", (1e-2, 1e-4), value_of, [exact, fast], lambda: 1.0, 3))
    assert [row.mark for row in rows] == [1e-2, 1e-4]
    assert rows[0].tolerances == pytest.approx({"workbench": 1e-2, "peer": 1e-1})
    assert rows[1].tolerances == pytest.approx({"workbench": 1e-4, "peer": 1e-3})
    assert rows[1].against == "peer"
    assert rows[1].ratio == rows[1].seconds["peer"] / rows[1].seconds["workbench"]
    assert asked.count(rows[0].tolerances["workbench"]) == 4


def test_who_does_not_reach_the_mark_has_no_time():
    bad = race.Contestant("peer", lambda tol: 0.5)
    good = race.Contestant("workbench", float)
    rows = list(race._race("task", (1e-3,), value_of, [good, bad], lambda: 1.0, 1))
    assert list(rows[0].seconds) == ["workbench"]
    assert race.as_dict(rows[0])["ratio"] is None


@pytest.mark.parametrize("loss", [name for name in LOSSES if name in ("hinge", "squared-hinge", "logistic")])
def test_the_value_that_counts_is_the_primal(loss):
    p = problem(loss, "elastic-net:epsilon=0.2")
    w = np.linspace(-1.0, 1.0, 5)
    assert contest.primal(p, w) == pytest.approx(wb.certificate(p, w=w).primal, rel=1e-12)


def test_who_takes_long_is_timed_in_fewer_rounds(monkeypatch):
    monkeypatch.setattr(contest, "MAX_SECONDS", -1.0)
    row, calls = contest.Row("a task", 1e-3), []
    contest.timed(row, {"workbench": lambda: calls.append("workbench")}, 5)
    assert len(calls) == len(row.seconds) == 1


def test_unknown_data_is_refused():
    with pytest.raises(InputError, match="'iris' is not known; known are reuters-acq"):
        list(race.run(["iris"]))


def test_the_command_prints_one_object(monkeypatch):
    row = race.Row("task", 1e-3, {"workbench": 1.0, "peer": 2.0}, {}, 2.0, "peer")
    monkeypatch.setattr(race, "run", lambda names, repeats, say: iter([row]))
    result = CliRunner().invoke(app, ["race", "--json"])
    assert result.exit_code == 0
    assert json.loads(result.stdout)["rows"][0]["ratio"] == 2.0
    assert "against peer" in CliRunner().invoke(app, ["race"]).stdout


def fast_and_slow():
    """Settings with their accuracy and seconds."""
    for name, effort, reached, spent in (
        ("workbench", 1, 0.80, 0.1),
        ("workbench", 2, 0.90, 0.3),
        ("workbench", 3, 0.92, 0.2),
        ("peer", 1, 0.90, 0.4),
        ("peer", 2, 0.95, 0.5),
        ("late", 9, 0.70, 0.1),
    ):
        yield accuracy.Setting(name, 1e-3, effort, "hinge"), reached, spent


def test_everyone_takes_the_setting_that_reaches_the_accuracy_soonest():
    chosen = accuracy.fastest(list(fast_and_slow()), 0.9)
    assert {name: setting.effort for name, setting in chosen.items()} == {"workbench": 3, "peer": 1}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # efforts are ends, not failures
def test_the_contestants_of_the_accuracy_race_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 5))
    y = np.where(X @ rng.normal(size=5) > 0.0, 1.0, -1.0)
    seen = set()
    for setting in accuracy.settings():
        if setting.lam == 1e-3 and setting.effort in (0.5, 4, 16):
            w = accuracy.fit(setting, X, y, 1)
            assert accuracy.accuracy(w, X, y) > 0.85
            seen.add((setting.contestant, setting.loss, setting.averages))
    assert len(seen) == 9


def test_a_cell_of_the_accuracy_race(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.where(X @ rng.normal(size=4) > 0.0, 1.0, -1.0)
    task = type("Task", (), {"X": X, "y": y, "X_test": X, "y_test": y})
    monkeypatch.setattr(accuracy.datasets, "load", lambda name: task)
    monkeypatch.setattr(accuracy, "LAMS", (1e-2,))
    monkeypatch.setattr(accuracy, "SEEDS", range(2))
    (row,) = race.run(["a9a-accuracy"], repeats=1)
    assert set(row.seconds) == {"workbench", "SGDClassifier", "L-BFGS"}
    assert row.notes["ratios"][row.against] == row.ratio
    assert race.as_dict(row)["mark"] == 0.995
