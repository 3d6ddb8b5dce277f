"""Going back and on in a run: its states bit for bit, and every page's lab at each of its places."""

import dataclasses
from typing import NamedTuple

import numpy as np
import pytest
from bokeh.plotting import figure

import workbench as wb
from workbench.keyframes import KEYFRAMES, Keyframes
from workbench.pages import theme
from workbench.pages.kept_run import KeptRun
from workbench.pages.roads import model as roads
from workbench.pages.screening import model as screening
from workbench.pages.screening.frame import frame as screening_frame
from workbench.pages.time_marks import TimeMarks, curve

SOLVERS = {
    "gauss-seidel": ({"loss": "logistic", "regularizer": "elastic-net"}, "gauss-seidel"),
    "proximal-gradient": ({"loss": "logistic", "regularizer": wb.norms.L1()}, "proximal-gradient"),
    "coordinate-descent": ({"loss": "logistic", "regularizer": wb.norms.L1()}, "coordinate-descent"),
    "maximal-violating-pair": ({"loss": "hinge", "bias": True}, wb.solvers.MaximalViolatingPair(tol=0.0)),
    "a kernel": (
        {"loss": "hinge", "bias": True, "kernel": "rbf:gamma=0.1"}, wb.solvers.MaximalViolatingPair(tol=0.0),
    ),
    "augmented-lagrangian": ({"loss": "hinge", "bias": True}, "modified-augmented-lagrangian"),
    "primal-gradient": ({"loss": "logistic", "regularizer": "p-norm:p=1.5"}, "primal-gradient"),
    "sdca": ({"loss": "hinge"}, "sdca"),
    "pdhg": ({"loss": "hinge"}, "pdhg"),
    "frank-wolfe": ({"loss": "hinge"}, "frank-wolfe"),
}  # fmt: skip


def made(name):
    """A fresh run of one of `SOLVERS` on small data."""
    rng = np.random.default_rng(0)
    X, noise = rng.normal(size=(40, 6)), rng.normal(size=40)
    options, solver = SOLVERS[name]
    problem = wb.Problem(X, np.where(X[:, 0] + 0.3 * noise > 0.0, 1.0, -1.0), lam=0.05, **options)
    return wb.Run(problem, solver, seed=3)


def state_of(run):
    return {name: array.copy() for name, array in run.state._asdict().items()}


def same(one, other):
    """Whether all there is in two values is the same, bit for bit."""
    if type(one) is not type(other):
        return False
    if dataclasses.is_dataclass(one):
        return same(vars(one), vars(other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, np.ndarray) and one.dtype != object:
        return one.shape == other.shape and one.tobytes() == other.tobytes()
    if isinstance(one, float):
        return one == other or (one != one and other != other)
    if isinstance(one, str | int | np.ndarray | np.generic | type(None)):
        return np.array_equal(one, other)
    return one is other or repr(one) == repr(other)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_sought_state_is_the_one_that_was_there(name):
    plain, seen = made(name), {}
    steps = [0, 1, 2, 7, 40, 41, 95, 230, 231, 700]
    for step in steps:
        plain.step(step - plain.steps)
        seen[step] = state_of(plain)
    run = made(name)
    keyframes = Keyframes(run)
    keyframes.advance(700)
    for step in (700, 95, 231, 0, 230, 41, 40, 700, 2, 7, 1):
        keyframes.seek(step)
        # A run that cannot go on stands where it ended.
        assert run.steps == min(step, plain.steps)
        assert same(state_of(run), seen[step])
    keyframes.seek(41)
    keyframes.advance(700 - 41)
    assert same(state_of(run), seen[700])


@pytest.mark.parametrize("most_bytes", [2**26, 3000])
def test_states_take_only_so_much_memory(most_bytes):
    run = made("gauss-seidel")
    keyframes = Keyframes(run, most_bytes=most_bytes)
    for _ in range(300):
        keyframes.advance(run.epoch_steps)
        size = sum(array.nbytes for _, state in keyframes.frames for array in state.values())
        assert len(keyframes.frames) <= KEYFRAMES
        assert size <= most_bytes or len(keyframes.frames) <= 2
    assert [step for step, _ in keyframes.frames][:2] == [0, keyframes.spacing]


class Case(NamedTuple):
    """How a page makes, plays and draws a lab, and the names of what it draws of the whole run."""

    build: object
    play: object
    frame: object
    whole: tuple
    runs: object = lambda lab: [each.run for each in lab.pair]


def kept_run(epochs=0):
    """A run that may be looked back at, certified after each of so many epochs."""
    plain = made("gauss-seidel")
    run = KeptRun(plain.problem, plain.solver, seed=3)
    run.record()
    for _ in range(epochs):
        run.epoch()
        run.record()
    return run


CASES = {
    "screening": Case(
        lambda: screening.build(screening.ScreeningModel(tolerance=1e-4).settings()),
        lambda lab: screening.move(lab, 60), lambda lab: screening_frame(lab, 0, 30, screening.LINES),
        ("curves",), lambda lab: list(lab.runs.values()),
    ),
    "roads": Case(
        lambda: roads.build(roads.RoadsModel().settings()), lambda lab: roads.play(lab, 0.0, 1e-6),
        lambda lab: roads.frame(lab, 1), ("curves", "saddle", "bracket"),
        lambda lab: list(lab.roads.values()),
    ),
}  # fmt: skip


def seen(case, lab):
    """What a lab shows of its present place, without the curves of the whole run and without times."""
    frame = {name: value for name, value in case.frame(lab).items() if name not in case.whole}
    if "row" in frame:
        frame["row"] = frame["row"] | {"seconds": 0.0}
    if "runs" in frame:
        frame["runs"] = {
            name: run | {"curves": None, "row": run["row"] | {"seconds": 0.0}}
            for name, run in frame["runs"].items()
        }
    return frame


def played(case, count):
    """A lab after so many turns, and what it showed before and after each of them."""
    lab = case.build()
    frames = [seen(case, lab)]
    for _ in range(count):
        case.play(lab)
        frames.append(seen(case, lab))
    return lab, frames


@pytest.mark.parametrize("name", CASES)
def test_a_lab_shows_each_place_as_it_was(name):
    case = CASES[name]
    lab, frames = played(case, 24)
    runs, whole = case.runs(lab), case.frame(lab)
    last = max(run.places for run in runs) - 1
    ends = [(run.status, run.reason) for run in runs]
    for place in (last, 3, 0, 11, 4, 5, last // 2):
        for run in runs:
            run.seek(place)
        assert max(run.at for run in runs) == place
        assert same(seen(case, lab), frames[place])
        assert all(run.status is None or run.at == run.places - 1 for run in runs)
    for run in runs:
        run.seek(last)
    assert same(seen(case, lab), frames[last])
    for part in set(case.whole) & {"curves", "rows"}:
        assert same(case.frame(lab)[part], whole[part])
    assert [(run.status, run.reason) for run in runs] == ends


@pytest.mark.parametrize("name", CASES)
def test_going_on_from_a_past_place_gives_what_was_there(name):
    case = CASES[name]
    lab, frames = played(case, 12)
    runs = case.runs(lab)
    longest = max(runs, key=lambda run: run.places)
    steps = [longest.step_of(entry) for entry in longest.along(longest.traces[0])]
    for run in runs:
        run.seek(5)
    case.play(lab)
    assert same(seen(case, lab), frames[6])
    # What lies ahead stays, each place once.
    assert [longest.step_of(entry) for entry in longest.along(longest.traces[0])] == steps
    for _ in range(len(frames) - 7):
        case.play(lab)
    assert same(seen(case, lab), frames[-1])
    assert longest.at == longest.places - 1


def test_a_step_from_a_past_place_is_a_place_of_its_own():
    run = kept_run(6)
    run.seek(2)
    run.step()
    run.record()
    epochs = [row["step"] / run.epoch_steps for row in run.along()]
    assert epochs == [0.0, 1.0, 2.0, 2.0 + 1.0 / run.epoch_steps, 3.0, 4.0, 5.0, 6.0]
    assert (run.at, run.places) == (3, 8)
    fresh = kept_run()
    fresh.step(run.steps)
    assert same(state_of(run), state_of(fresh))


def test_the_key_says_how_far_the_curve_before_went():
    run, plot = kept_run(), figure()
    marks = TimeMarks({"gap": plot}, (), {"gap": None}, theme.LIGHT)
    # What has not gone anywhere leaves nothing to be seen.
    marks.haunt({"gap": curve(run)})
    assert marks.key("gap") == ""
    run.step(3)
    run.record()
    marks.haunt({"gap": curve(run)})
    assert "before, to step 3<" in marks.key("gap")
    for _ in range(12):
        run.epoch()
        run.record()
    marks.haunt({"gap": curve(run)})
    went = f"before, to epoch {run.epochs:.4g}<"
    assert went in marks.key("gap")
    # Where one looks back, the whole curve stays.
    run.seek(2)
    marks.haunt({"gap": curve(run)})
    assert went in marks.key("gap")
    assert marks.key("objective") == ""
    marks.haunt({})
    assert marks.key("gap") == ""
