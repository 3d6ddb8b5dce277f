"""Races by the clock: their events, their process, and those that were recorded, without a browser."""

import asyncio
import time
from types import SimpleNamespace

import pytest

import workbench as wb
from tests.helpers import coroutines
from workbench import solvers
from workbench._support.errors import InputError
from workbench.pages.compare import model as compare
from workbench.pages.compare import races
from workbench.pages.compare.declaration import Compare
from workbench.pages.wording import content
from workbench.studies import race as live

COURSE = {"data": "digits", "options": {}, "loss": "logistic", "regularizer": "squared-l2", "lam": 0.1}
PEERED = ("hinge", "logistic", "squared", "squared-hinge")
# Rounding of a primal value.
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def events():
    """A race of digits for a moment of processor time, in which everyone has a fit on any machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "time", SimpleNamespace(perf_counter=time.process_time))
        return list(live.run(**COURSE, seconds=3.0))


def test_everyone_is_certified_against_one_lower_bound(events):
    start, *fits, end = events
    assert end["kind"] == "end"
    task = wb.data.load("digits")
    problem = wb.Problem(task.X, task.y, "logistic", lam=0.1)
    best = wb.solve(problem, tol=1e-9)
    assert best.dual - ROUNDING <= best.primal
    assert start["bound"] <= best.primal + ROUNDING
    assert {fit["name"] for fit in fits} == set(start["names"])
    for fit in fits:
        assert fit["primal"] >= start["bound"] - ROUNDING
        assert fit["relative"] == pytest.approx(
            (fit["primal"] - start["bound"]) / fit["primal"], abs=ROUNDING
        )
        # What a point's own certificate proves cannot be better than what it is worth.
        assert fit["primal"] - best.primal <= (fit["gap"] + ROUNDING) * fit["primal"] + ROUNDING


@pytest.mark.filterwarnings("ignore:'penalty' was deprecated:FutureWarning")  # its successor is too new
@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2"])
@pytest.mark.parametrize("loss", PEERED)
def test_peers_solve_our_problem(loss, regularizer):
    """Wherever a constant of an objective is wrong, its solver ends elsewhere."""
    task = wb.data.load("digits")
    X, y = task.X[:200], task.y[:200]
    best = wb.solve(wb.Problem(X, y, loss, regularizer, 0.1), tol=1e-6, max_epochs=3000).primal
    problem = wb.Problem(X, y, loss, regularizer, 0.1)
    for peer in live._peers(X, y, loss, regularizer, 0.1):
        stochastic = peer.name == "SGDClassifier"
        setting = 256 if stochastic else peer.ladder[min(8, len(peer.ladder) - 1)]
        reached = wb.certificate(problem, w=peer.run(setting)).primal
        assert reached == pytest.approx(best, rel=0.05 if stochastic else 0.01), peer.name


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net:epsilon=0.2"])
@pytest.mark.parametrize("loss", PEERED)
def test_ours_are_those_that_take_the_problem(loss, regularizer):
    problem = wb.Problem([[1.0, 0.5], [0.25, 1.0]], [1.0, -1.0], loss, regularizer, 0.1)
    known = live.ours("squared", "squared-l2")
    if loss == "hinge":  # it takes smooth losses too, but newton is quicker there
        known.append("proximal-point")
    for name in known:
        if name in live.ours(loss, regularizer):
            wb.Run(problem, solvers.get(name))
        else:
            with pytest.raises(InputError):
                wb.Run(problem, solvers.get(name))


def test_peers_that_are_missing_are_named(monkeypatch):
    monkeypatch.setattr(live.importlib.util, "find_spec", lambda name: None)
    assert live.absent("squared", "elastic-net:epsilon=0.1") == ["celer", "skglm"]


def test_who_refuses_labels_of_one_class_does_not_start():
    course = races.course(Compare(source=compare.ONE, loss="Logistic").settings() | {"seconds": 0.01})
    start = next(live.run(**course))
    assert (start["n"], start["d"]) == (1, 1)
    assert start["names"]
    assert all(name.startswith("workbench ") for name in start["names"])


async def started(process_of, send, **changes):
    """Begin a race; returns its task once its process runs."""
    task = asyncio.ensure_future(races.run(COURSE | changes, send))
    while not process_of:
        await asyncio.sleep(0.01)
    return task


@pytest.fixture
def processes(monkeypatch):
    """The processes that races start."""
    made, make = [], asyncio.create_subprocess_exec

    async def start(*arguments, **options):
        made.append(await make(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(races.asyncio, "create_subprocess_exec", start)
    return made


def test_the_process_of_a_race_ends_with_its_question(processes):
    async def session():
        task = await started(processes, [].append, seconds=60.0)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        assert processes[0].returncode is not None

    coroutines.run(session())


def test_a_second_race_of_a_page_is_refused_and_that_of_another_waits(processes):
    async def session():
        first, second = Compare(seconds=60), Compare()
        task = asyncio.ensure_future(first.answer_race(seconds=60))
        while not processes:
            await asyncio.sleep(0.01)
        with pytest.raises(InputError, match="one is running on this page"):
            await first.answer_race()
        events = []
        second.channels.append(SimpleNamespace(emit=events.append))
        other = asyncio.ensure_future(second.answer_race())
        while not events:
            await asyncio.sleep(0.01)
        assert events == [{"race": {"kind": "wait"}}]
        other.cancel()
        task.cancel()
        await asyncio.wait({task, other})
        assert len(processes) == 1
        assert not first.is_racing

    coroutines.run(session())


def test_a_refused_course_and_a_hanging_start_end_in_a_sentence(monkeypatch):
    async def session():
        with pytest.raises(InputError, match="no such loss"):
            await races.run(COURSE | {"loss": "no such loss", "seconds": 1.0}, [].append)
        monkeypatch.setattr(races, "START_SECONDS", 0.1)
        events = []
        await races.run(COURSE | {"seconds": 1.0}, events.append)
        assert events == [{"kind": "end", "why": "stopped"}]

    coroutines.run(session())


@pytest.mark.parametrize("changes", [{"regularizer": "ℓ1"}, {"intercept": True}])
def test_no_race_is_run_where_others_minimize_something_else(changes):
    with pytest.raises(InputError, match="without a free intercept"):
        races.course(Compare(**changes).settings())


PRESETS = content("compare")["presets"]


@pytest.mark.parametrize("entry", races.recorded(), ids=lambda entry: entry["settings"]["source"])
def test_a_recorded_race_is_that_of_a_preset(entry):
    settings, (start, *fits, end) = entry["settings"], entry["events"]
    courses = [Compare(**preset).settings() for preset in PRESETS.values() if _is_here(preset)]
    assert any(all(course[name] == settings[name] for name in races.COURSE) for course in courses)
    assert {fit["name"] for fit in fits} == set(start["names"])
    assert len({(fit["name"], fit["setting"]) for fit in fits}) == len(fits)
    assert end["kind"] == "end"
    X, _, _ = compare.load(settings["source"])
    assert (start["n"], start["d"]) == X.shape


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_with_a_race_has_contestants_of_ours(name):
    if not _is_here(PRESETS[name]):
        pytest.skip("the data are not on this machine")
    settings = Compare(**PRESETS[name]).settings()
    try:
        course = races.course(settings)
    except InputError:
        assert settings["intercept"] or settings["regularizer"] not in races.REGULARIZERS
        return
    assert live.ours(course["loss"], course["regularizer"])
    compile(races.code(settings), "shown", "exec")


def _is_here(preset):
    return preset.get("source", compare.TOGETHER) in compare.sources()
