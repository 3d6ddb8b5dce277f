"""Turns: no more at a time than there are places, first pictures before runs, nothing lost by who leaves."""

import asyncio

from tests.helpers import coroutines
from workbench.pages.server.turns import Turns


async def work(turns, name, done, urgent=False):
    async with turns.take(urgent):
        done.append(name)
        await asyncio.sleep(0)


def test_urgent_work_goes_first_and_each_kind_in_order():
    async def scene():
        turns, done = Turns(1), []
        async with turns.take():
            asked = [("a", False), ("b", False), ("c", True), ("d", True)]
            tasks = [asyncio.ensure_future(work(turns, name, done, hurry)) for name, hurry in asked]
            await asyncio.sleep(0)
            assert done == []
        await asyncio.gather(*tasks)
        return turns, done

    turns, done = coroutines.run(scene())
    assert done == ["c", "d", "a", "b"]
    assert turns.free == 1


def test_the_number_at_work_is_limited():
    async def scene():
        turns, inside, most = Turns(3), 0, 0

        async def visit():
            nonlocal inside, most
            async with turns.take():
                inside += 1
                most = max(most, inside)
                await asyncio.sleep(0.001)
                inside -= 1

        await asyncio.gather(*(visit() for _ in range(20)))
        return turns.free, most

    assert coroutines.run(scene()) == (3, 3)


def test_a_cancelled_visitor_frees_its_place():
    async def scene():
        turns, done = Turns(1), []
        async with turns.take():
            waits = asyncio.ensure_future(work(turns, "waits", done))
            granted = asyncio.ensure_future(work(turns, "granted", done, urgent=True))
            last = asyncio.ensure_future(work(turns, "last", done))
            await asyncio.sleep(0)
            waits.cancel()
        # Its turn has come, but it has not gone on yet.
        granted.cancel()
        await last
        async with turns.take():
            pass
        return done, turns.free

    assert coroutines.run(scene()) == (["last"], 1)


def test_a_failure_frees_its_place():
    async def scene():
        turns = Turns(1)
        try:
            async with turns.take():
                raise RuntimeError
        except RuntimeError:
            return turns.free

    assert coroutines.run(scene()) == 1
