"""The race on one problem: its events, its standings, its process, without a browser."""

import asyncio
import re
import time
from types import SimpleNamespace

import pytest

import workbench as wb
from tests.helpers import coroutines
from workbench import solvers
from workbench._support.errors import InputError
from workbench.pages import theme
from workbench.pages.numerals import numerals
from workbench.pages.race import model as race
from workbench.pages.race.figures import RaceFigure, stairs
from workbench.pages.race.page import table
from workbench.studies import race as live

COURSE = {"data": "digits", "options": {}, "loss": "logistic", "regularizer": "squared-l2", "lam": 0.1}
# Rounding of a primal value.
ROUNDING = 1e-9


@pytest.fixture(scope="module")
def events():
    """A race of digits for a moment of processor time, in which everyone has a fit on any machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(live, "time", SimpleNamespace(perf_counter=time.process_time))
        return list(live.run(**COURSE, seconds=3.0))


@pytest.fixture
def standings(events):
    table = race.Standings()
    for event in events:
        table.add(event)
    return table


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
@pytest.mark.parametrize("loss", race.LOSSES.values())
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
@pytest.mark.parametrize("loss", race.LOSSES.values())
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
    model = race.RaceModel(loss="Squared", regularizer="Elastic net")
    names, absent = model.entrants()
    assert absent == ["celer", "skglm"]
    text = table(race.Standings(), names, absent)
    assert text.count("not started: it is not installed") == 2


def test_the_table_has_the_fastest_fit_that_reaches_each_mark(standings):
    for name, seconds, best in standings.rows():
        for mark, spent in zip(race.MARKS, seconds, strict=True):
            enough = [fit["seconds"] for fit in standings.fits[name] if fit["relative"] <= mark]
            assert spent == (min(enough) if enough else None)
        assert best is None or best["relative"] == min(fit["relative"] for fit in standings.fits[name])
    winner = standings.winner(1e-2)
    assert standings.seconds_to(winner, 1e-2) == min(
        row[1][0] for row in standings.rows() if row[1][0] is not None
    )
    assert winner in table(standings, list(standings.fits), [])


def test_the_table_marks_the_first_at_each_mark(standings):
    names = [name for name, _, _ in standings.rows()]
    text = table(standings, names, ())
    marked = re.findall(r"<b>([^<]+)</b>", text)
    reached = [mark for mark in race.MARKS if standings.winner(mark)]
    first = [standings.seconds_to(standings.winner(mark), mark) for mark in reached]
    assert first
    assert sorted(marked) == sorted(numerals(race.spelled_seconds(seconds)) for seconds in first)


def test_the_figure_holds_every_fit_and_its_lines_only_fall(standings):
    figure = RaceFigure(theme.LIGHT)
    key = figure.key(standings.start["names"])
    assert all(name in key for name in standings.fits)
    assert figure.figure.title.visible  # it says that nothing has run
    figure.show(standings)
    assert not figure.figure.title.visible
    for name, place in figure.places.items():
        assert figure.sources[f"fits {place}"].data["seconds"] == [
            fit["seconds"] for fit in standings.fits[name]
        ]
        steps = stairs(standings.fits[name])
        assert steps["within"] == sorted(steps["within"])
        assert steps["best"] == sorted(steps["best"], reverse=True)
    assert len(set(figure.places.values())) == len(standings.fits)


def raced(script):
    """Run a script with a racer and the events that it tells."""

    async def session():
        events, racer = asyncio.Queue(), race.Racer()
        try:
            await script(racer, events)
        finally:
            racer.cancel()
            await asyncio.wait({racer._task})

    return coroutines.run(session())


async def until(events, *kinds):
    while True:
        event = await asyncio.wait_for(events.get(), 600)
        if event["kind"] in kinds:
            return event


@pytest.mark.long
def test_a_race_runs_in_a_process_of_its_own_and_dies_when_cancelled():
    async def script(racer, events):
        # Far from over after the first fit.
        assert racer.start(COURSE | {"lam": 1e-7, "seconds": 60.0}, events.put)
        assert not racer.start(COURSE, events.put)
        await until(events, "fit")
        process = racer._process
        racer.cancel()
        assert (await until(events, "end"))["why"] == "cancelled"
        await asyncio.wait({racer._task})
        assert process.returncode is not None
        assert not racer.running

    raced(script)


def test_a_refused_course_and_a_hanging_start_end_in_a_sentence(monkeypatch):
    async def script(racer, events):
        racer.start(COURSE | {"loss": "no such loss", "seconds": 1.0}, events.put)
        refused = await until(events, "refused", "end")
        assert "no such loss" in race.ending(refused)[0]
        await asyncio.wait({racer._task})
        monkeypatch.setattr(race, "START_SECONDS", 0.1)
        racer.start(COURSE | {"seconds": 1.0}, events.put)
        assert "stopped" in race.ending(await until(events, "end"))[0]
        await asyncio.wait({racer._task})

    raced(script)


@pytest.mark.parametrize("name", race.PRESETS)
def test_every_preset_has_contestants_of_both_kinds(name):
    model = race.RaceModel()
    try:
        model.param.update(**race.PRESETS[name])
    except ValueError:
        pytest.skip("the data are not on this machine")
    names, _ = model.entrants()
    ours = [name for name in names if name.startswith("workbench ")]
    assert 0 < len(ours) < len(names)
    compile(race.code(model.course()), "shown", "exec")
