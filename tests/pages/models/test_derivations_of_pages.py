"""Derivations for pages: equal requests are one, and neither who leaves nor a restart loses any."""

import asyncio
import errno
import os
import subprocess
import sys

import pytest

from tests.helpers import coroutines
from tests.helpers.timed_work import noted, spin
from workbench._support.errors import DerivationTimeout, UndecidedError
from workbench._support.system import storage
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages import derivations
from workbench.pages.derivations import DerivationQueue


@pytest.fixture(autouse=True)
def alone(tmp_path, monkeypatch):
    """An empty folder, nothing remembered, and a function that says how often it ran."""
    folder = tmp_path / "derivations"
    folder.mkdir()
    monkeypatch.setattr(outcomes, "folder", lambda: folder)
    monkeypatch.setattr(derivations, "_cache", type(derivations._cache)())
    monkeypatch.setattr(sketches, "noted", noted, raising=False)
    monkeypatch.setattr(sketches, "spin", spin, raising=False)
    return folder


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

    answers = coroutines.run(visits())
    assert len(set(answers)) == 1
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
    assert not derivations._running


def test_a_visitor_s_new_request_ends_the_one_before(runs):
    async def visit():
        desk = DerivationQueue()
        one = asyncio.ensure_future(desk.ask("noted", str(runs), 1e6))
        await started(runs)
        assert await desk.ask("spin", 0.01)
        with pytest.raises(asyncio.CancelledError):
            await one

    coroutines.run(visit())
    assert not derivations._running


def test_a_restart_keeps_what_was_derived(runs, alone):
    coroutines.run(DerivationQueue().ask("noted", str(runs)))
    derivations._cache.clear()
    assert coroutines.run(DerivationQueue().ask("noted", str(runs)))
    assert count(runs) == 1
    (entry,) = alone.iterdir()
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


def test_two_servers_share_one_cache(runs, tmp_path):
    code = PROCESS.format(runs=str(runs))
    environment = {**os.environ, "WORKBENCH_CACHE": str(tmp_path / "cache")}
    for _ in range(2):
        subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert count(runs) == 1


def test_endless_derivation_is_a_sentence_and_the_next_request_is_served(runs, monkeypatch):
    assert derivations.BUDGET < derivations.TIMEOUT <= 7.0
    monkeypatch.setattr(derivations, "TIMEOUT", 0.3)

    async def visit():
        queue = DerivationQueue()
        with pytest.raises(DerivationTimeout, match=r"took longer than 0\.3 s and was stopped"):
            await queue.ask("spin", 1e6)
        return await queue.ask("noted", str(runs), 0.01)

    assert coroutines.run(visit())


def test_full_disk_loses_the_cache_only(runs, monkeypatch):
    def fail(*paths):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage.os, "replace", fail)
    assert coroutines.run(DerivationQueue().ask("noted", str(runs)))
    derivations._cache.clear()
    assert coroutines.run(DerivationQueue().ask("noted", str(runs)))
    assert count(runs) == 2


def test_presets_need_no_worker(monkeypatch):
    from workbench.pages import preset_outcomes

    monkeypatch.setattr(derivations, "shared", None)
    for request in preset_outcomes.requests():
        assert coroutines.run(DerivationQueue().ask(*request))


def test_budget_of_a_page_is_enough_for_a_proof():
    request = sketches.pair, "exp(u) + u**2", None, (), None
    assert sketches.within(derivations.BUDGET, *request)["status"] == "proved"
    with pytest.raises(UndecidedError):
        sketches.within(0.0, *request)
