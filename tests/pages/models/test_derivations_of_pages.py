"""Derivations for pages: equal requests are one, and neither who leaves nor a restart loses any."""

import asyncio
import os
import subprocess
import sys

import pytest

from tests.helpers import coroutines
from tests.helpers.timed_work import noted, spin
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages import derivations
from workbench.pages.derivations import DerivationQueue


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """An empty shelf, nothing remembered, and a function that says how often it ran."""
    shelf = outcomes.Shelf(tmp_path / "derivations")
    monkeypatch.setattr(outcomes, "shelf", lambda: shelf)
    monkeypatch.setattr(derivations, "_cache", type(derivations._cache)())
    monkeypatch.setattr(sketches, "noted", noted, raising=False)
    monkeypatch.setattr(sketches, "spin", spin, raising=False)
    return shelf


@pytest.fixture
def runs(tmp_path):
    path = tmp_path / "runs"
    path.write_text("")
    return path


def count(runs):
    return len(runs.read_text())


async def started(runs):
    while not count(runs):
        await asyncio.sleep(0.01)


def test_six_visitors_wait_for_one_derivation(runs):
    async def visits():
        return await asyncio.gather(*(DerivationQueue().ask("noted", str(runs)) for _ in range(6)))

    found = coroutines.run(visits())
    assert len(set(found)) == 1
    assert count(runs) == 1


def test_the_one_who_asked_first_may_leave(runs):
    async def visits():
        first, second = DerivationQueue(), DerivationQueue()
        one = asyncio.ensure_future(first.ask("noted", str(runs), 0.5))
        other = asyncio.ensure_future(second.ask("noted", str(runs), 0.5))
        await started(runs)
        first.cancel()
        with pytest.raises(asyncio.CancelledError):
            await one
        return await other

    assert coroutines.run(visits())
    assert count(runs) == 1
    assert not derivations._claims


def test_a_visitor_s_new_request_ends_the_one_before(runs):
    async def visit():
        desk = DerivationQueue()
        one = asyncio.ensure_future(desk.ask("noted", str(runs), 1e6))
        await started(runs)
        assert await desk.ask("spin", 0.01)
        with pytest.raises(asyncio.CancelledError):
            await one

    coroutines.run(visit())
    assert not derivations._claims


def test_a_fourth_visitor_s_short_one_is_back_while_three_are_at_their_limit(runs):
    """More visitors with endless derivations than there are places, then a short one."""

    async def visits():
        long = [asyncio.ensure_future(DerivationQueue().ask("spin", 1e6 + k)) for k in range(6)]
        await asyncio.sleep(0.01)
        assert await DerivationQueue().ask("noted", str(runs), 0.01)
        waiting = [one for one in long if not one.done()]
        for one in long:
            one.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        return len(waiting)

    assert coroutines.run(visits()) == 6
    assert count(runs) == 1


def test_a_restart_keeps_what_was_derived(runs, alone):
    coroutines.run(DerivationQueue().ask("noted", str(runs)))
    derivations._cache.clear()
    assert coroutines.run(DerivationQueue().ask("noted", str(runs)))
    assert count(runs) == 1
    (entry,) = alone.folder.iterdir()
    entry.write_text("broken")
    derivations._cache.clear()
    assert coroutines.run(DerivationQueue().ask("noted", str(runs)))
    assert count(runs) == 2


PROCESS = """
import asyncio
from tests.helpers.timed_work import noted
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages.derivations import DerivationQueue
sketches.noted = noted
asyncio.run(DerivationQueue().ask("noted", {runs!r}, 0.5))
"""


def test_processes_of_a_server_derive_once(runs, tmp_path):
    code = PROCESS.format(runs=str(runs))
    environment = {**os.environ, "WORKBENCH_CACHE": str(tmp_path / "cache")}
    processes = [subprocess.Popen([sys.executable, "-c", code], env=environment) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert count(runs) == 1


def test_presets_need_no_worker(monkeypatch):
    from workbench.pages import preset_outcomes

    monkeypatch.setattr(derivations, "shared", None)
    for request in preset_outcomes.requests():
        assert coroutines.run(DerivationQueue().ask(*request))
