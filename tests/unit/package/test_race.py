"""The race of benchmarks/benchopt: its cells, the rules by which runs become rows, and runs on small data."""

import json
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

PROJECT = Path(__file__).resolve().parents[3]
COURSE = {
    "data": {"simulated": {"n": [60], "d": [8]}},
    "objective": {"loss": ["squared"], "lam": [0.1]},
    "marks": [1e-2, 1e-4],
}


@pytest.fixture(scope="module")
def race():
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(PROJECT / "benchmarks" / "benchopt")
        import race

        yield race
        del sys.modules["race"]


def frame(**values):
    """Return runs as benchopt keeps them: for each solver (tolerance, value, seconds) of each run."""
    runs = [
        {
            "dataset_name": "simulated[60x8]",
            "objective_name": "race[squared]",
            "p_dataset_n": 60,
            "p_dataset_d": 8,
            "p_obj_loss": "squared",
            "p_obj_regularizer": "squared-l2",
            "p_obj_lam": 0.1,
            "p_obj_bias": False,
            "solver_name": name,
            "stop_val": tol,
            "objective_value": value,
            "objective_best": min(value, 2.0),
            "objective_bound": 1.99,
            "objective_seconds": seconds,
            "objective_preparation": 0.5,
        }
        for name, points in values.items()
        for tol, value, seconds in points
    ]
    return pd.DataFrame(runs)


def test_the_recorded_cells_are_those_of_the_courses(race):
    recorded_race = json.loads((PROJECT / "docs/results.json").read_text("utf-8"))["race"]
    expected = [cell for course in race.COURSES.values() for cell in race.cells(course)]
    recorded = [(row["task"], row["mark"]) for row in recorded_race["rows"]]
    assert len(set(expected)) == len(expected) == 90
    assert recorded == expected
    assert recorded_race["missing"] == [
        f"{task}, mark {mark:g}" for task, mark in expected if (task, mark) not in recorded
    ]
    for row in recorded_race["rows"]:
        assert row.keys() == {"task", "mark", "seconds", "tolerances", "ratio", "against", "notes"}
        assert race.compared(row["seconds"]) == {"ratio": row["ratio"], "against": row["against"]}


def test_every_solver_gets_the_loosest_tolerance_that_reaches_the_mark(race):
    runs = frame(
        workbench=[(3e38, 2.1, 0.1), (0.1, 2.01, 0.2), (0.01, 2.0001, 0.4)],
        peer=[(3e38, 2.01, 0.3), (0.1, 2.0001, 0.5), (0.1, 2.0001, 0.9), (0.1, 2.0001, 0.6)],
    )
    coarse, fine = race.rows(runs, COURSE)
    assert [coarse["mark"], fine["mark"]] == COURSE["marks"]
    assert coarse["tolerances"] == {"workbench": 0.1, "peer": 1.0}
    assert fine["tolerances"] == {"workbench": 0.01, "peer": 0.1}
    assert fine["seconds"] == {"workbench": 0.4, "peer": 0.6}  # the median of its repetitions
    assert (fine["ratio"], fine["against"]) == (pytest.approx(1.5), "peer")
    assert fine["notes"]["P*"] == 2.0
    assert fine["notes"]["P* above a lower bound by"] == pytest.approx(0.005)
    assert (coarse["task"], coarse["mark"]) == next(race.cells(COURSE))


def test_the_best_value_is_over_all_solvers(race):
    """A peer that goes below the reference moves the mark for all."""
    runs = frame(workbench=[(0.1, 2.0, 0.1)], peer=[(0.1, 1.99, 0.2)])
    _, fine = race.rows(runs, COURSE)
    assert fine["notes"]["P*"] == 1.99
    assert fine["notes"]["did not reach the mark"] == ["workbench"]
    assert (fine["ratio"], list(fine["seconds"])) == (None, ["peer"])


def test_a_peer_that_does_not_reach_the_mark_is_named(race):
    runs = frame(workbench=[(0.1, 2.0, 0.1)], peer=[(0.1, 2.5, 0.2), (0.01, np.nan, 0.2)])
    row = next(race.rows(runs, COURSE))
    assert row["notes"]["did not reach the mark"] == ["peer"]
    assert "; peer did not reach the mark" in race.line(row)


def test_an_unknown_course_ends_in_a_sentence(race):
    with pytest.raises(SystemExit, match="unknown course iris; expected some of reuters, news20, kernels"):
        race.main(["lasso", "iris"])


def test_racing_some_courses_keeps_the_recorded_others(race, tmp_path, monkeypatch, capsys):
    results = tmp_path / "results.json"
    results.write_text('{"race": {}, "papers": {"one": 1}}')
    monkeypatch.setattr(race, "RESULTS", results)
    monkeypatch.setattr(race, "COURSES", {"one": COURSE, "two": COURSE | {"marks": [1e-9]}})
    monkeypatch.setattr(
        race, "measured", lambda name: frame(workbench=[(0.1, 2.0, 0.1)], peer=[(0.1, 2.0, 0.2)])
    )
    race.main(["one"])
    assert json.loads(results.read_text())["race"] == {}
    assert "2.00 peer: workbench 100.0 ms, peer 200.0 ms" in capsys.readouterr().out
    race.write(list(race.rows(race.measured("one"), COURSE)))
    written = json.loads(results.read_text())
    assert written["papers"] == {"one": 1}
    assert written["race"]["missing"] == ["simulated 60 8, squared, squared-l2, lam=0.1, mark 1e-09"]
    assert len(written["race"]["rows"]) == 2


# (objective, peers) of small problems; each names every peer that can have it.
COORDINATES = {"scikit-learn": {"solver": ["coordinate-descent"]}}
CLASSIFIERS = {"scikit-learn": {"solver": ["lbfgs", "newton-cg", "newton-cholesky", "sag"]}}
SMALL = {
    "hinge": ({"loss": ["hinge"], "lam": [0.1]}, ["liblinear", "clarabel"]),
    "bias": ({"loss": ["hinge"], "lam": [0.1], "bias": [True]}, ["libsvm", "clarabel"]),
    "squared-hinge": ({"loss": ["squared-hinge"], "lam": [0.1]}, ["liblinear"]),
    "logistic": ({"loss": ["logistic"], "lam": [0.1]}, ["liblinear", CLASSIFIERS]),
    "l1": ({"loss": ["logistic"], "regularizer": ["l1"], "lam": ["max/10"]}, ["liblinear", "celer"]),
    "lasso": (
        {"loss": ["squared"], "regularizer": ["l1"], "lam": ["max/10"]},
        [COORDINATES, "celer", "skglm"],
    ),
    "elastic-net": (
        {"loss": ["squared"], "regularizer": ["elastic-net:epsilon=1"], "lam": [0.1]},
        [COORDINATES, "celer", "skglm"],
    ),
}


@pytest.mark.filterwarnings("ignore:'penalty' was deprecated:FutureWarning")  # its successor is too new
@pytest.mark.parametrize("name", SMALL)
def test_every_solver_minimizes_the_objective(race, name, tmp_path, monkeypatch):
    """Wherever a constant of a peer's objective is wrong, it ends elsewhere."""
    for package in ("benchopt", "celer", "clarabel", "skglm"):
        pytest.importorskip(package)
    objective, peers = SMALL[name]
    target = "few" if objective["loss"] == ["squared"] else "labels"
    course = {"data": {"simulated": {"n": [60], "d": [30], "target": [target]}}, "objective": objective}
    course |= {"marks": [1e-3, 1e-5], "ours": "auto", "peers": peers}
    monkeypatch.setattr(race, "OUTPUT", tmp_path)
    monkeypatch.setattr(race, "REPETITIONS", 1)
    monkeypatch.setattr(race, "COURSES", {name: course})
    runs = race.measured(name)
    expected = sum(len(peer["scikit-learn"]["solver"]) if isinstance(peer, dict) else 1 for peer in peers)
    assert [(row["task"], row["mark"]) for row in race.rows(runs, course)] == list(race.cells(course))
    for row in race.rows(runs, course):
        assert row["notes"]["did not reach the mark"] == []
        assert len(row["seconds"]) == 1 + expected
        assert row["notes"]["P* above a lower bound by"] <= 1e-8
    assert (runs["objective_seconds"] <= runs["time"] + 0.1).all()
