"""Whose derivation runs: turns, joined requests and places, told by order and never by the clock."""

import math
import os
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.timed_work import noted, spin
from workbench._support.errors import DerivationTimeout
from workbench._support.system import workers
from workbench._support.system.schedule import Job, Schedule
from workbench.conjugates.convex.worker import Deriver

QUICK = 1.0
LONG = 20.0


def job(name, *visitors):
    made = Job(name, b"", LONG)
    made.futures, made.visitors = [None] * len(visitors), list(visitors)
    return made


def begun(schedule):
    """The names of those that start now."""
    started = []
    while (one := schedule.start()) is not None:
        started.append(one.key)
    return started


def finish(schedule, name):
    schedule.end(next(one for one in schedule.running if one.key == name))
    return begun(schedule)


def simulate(schedule, needs, order):
    """Run jobs of so many seconds to their end, a slice of processor time in turn; name -> time of its end.

    Every running job gets the same share of one processor. Jobs are added in the order of asking.
    """
    ends, clock, waiting, slice_ = {}, 0.0, sorted(order), 0.05
    while len(ends) < len(needs):
        while waiting and waiting[0][0] <= clock:
            _, name, visitor = waiting.pop(0)
            schedule.add(job(name, visitor))
        while (one := schedule.preempted()) is not None:
            schedule.requeue(one)
        begun(schedule)
        assert len(schedule.running) <= schedule.places
        busy = [visitor for one in schedule.running for visitor in one.visitors]
        assert len(busy) == len(set(busy))
        for one in list(schedule.running):
            one.used += slice_
            clock += slice_
            if one.used >= needs[one.key]:
                schedule.end(one)
                ends[one.key] = clock
        if not schedule.running:
            clock += slice_
    return ends


# The rules


def test_visitors_take_turns():
    schedule = Schedule(places=1)
    for name in ("a1", "a2", "a3", "b1", "b2", "c1"):
        schedule.add(job(name, name[0]))
    order = begun(schedule)
    while schedule.running:
        order += finish(schedule, order[-1])
    assert order == ["a1", "b1", "c1", "a2", "b2", "a3"]


def test_a_visitor_has_one_at_work():
    schedule = Schedule(places=3)
    for name in ("a1", "a2", "b1"):
        schedule.add(job(name, name[0]))
    assert begun(schedule) == ["a1", "b1"]
    assert finish(schedule, "a1") == ["a2"]


def test_what_another_visitor_asks_for_too_does_not_wait_for_the_first():
    schedule = Schedule(places=3)
    schedule.add(job("a1", "a"))
    schedule.add(job("both", "a", "b"))
    assert begun(schedule) == ["a1", "both"]


def test_a_newcomer_takes_the_place_of_one_that_had_its_quick_seconds():
    schedule = Schedule(places=3, quick=QUICK)
    for name in "abc":
        schedule.add(job(name, name))
    assert begun(schedule) == ["a", "b", "c"]
    for one, used in zip(schedule.running, (9.0, 5.0, 0.5), strict=True):
        one.used = used
    assert schedule.preempted() is None  # nobody waits
    schedule.add(job("new", "d"))
    running = schedule.preempted()
    assert running.key == "b"  # of those that are due the one that loses least
    schedule.requeue(running)
    assert begun(schedule) == ["new"]
    assert finish(schedule, "new") == ["b"]
    assert schedule.preempted() is None


def test_those_that_were_set_back_leave_a_place():
    schedule = Schedule(places=2, quick=QUICK)
    for name in "ab":
        schedule.add(job(name, name))
    begun(schedule)
    for one in list(schedule.running):
        schedule.requeue(one)
    assert begun(schedule) == ["a"]  # b waits, although there is a place
    schedule.add(job("new", "c"))
    assert begun(schedule) == ["new"]
    assert finish(schedule, "new") == []
    assert finish(schedule, "a") == ["b"]


@given(
    st.lists(st.floats(2.0, LONG), min_size=1, max_size=8),
    st.integers(2, 6),
    st.floats(0.1, 0.9),
    st.floats(0.0, 30.0),
)
def test_a_short_one_waits_for_no_long_one(longs, places, short, asked):
    needs = {f"long {k}": need for k, need in enumerate(longs)} | {"short": short}
    order = [(0.0, name, name) for name in needs if name != "short"] + [(asked, "short", "short")]
    ends = simulate(Schedule(places, QUICK), needs, order)
    # Before its turn each newcomer has its quick seconds; in its own, the places share the processor.
    ahead = (len(longs) + places) * (QUICK + 0.1) if asked < len(longs) * (QUICK + 0.1) else 0.0
    assert ends["short"] - asked <= ahead + places * (QUICK + short + 0.2)
    # And everybody is served, each having begun anew once at most.
    assert max(ends.values()) <= asked + sum(needs.values()) * 2 + len(needs)


# With processes


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    monkeypatch.setattr(workers, "BACKSTOP", 10_000)


def test_equal_requests_under_way_are_one(tmp_path):
    note = tmp_path / "runs"
    with Deriver() as deriver:
        blocker = deriver.submit(spin, LONG)
        asked = [deriver.submit(noted, str(note), visitor=k, key="same") for k in range(6)]
        assert asked[0].cancel()  # the others' goes on
        assert blocker.cancel()
        assert len({one.result() for one in asked[1:]}) == 1
    assert note.read_text() == "."


def test_one_who_leaves_does_not_stop_it_for_others_and_the_last_one_does():
    with Deriver() as deriver:
        first, second = (deriver.submit(spin, LONG, visitor=k, key="same") for k in range(2))
        while not second.running():
            time.sleep(0.01)
        assert first.cancel()
        assert first.cancelled()
        assert second.running()
        assert second.cancel()
        assert deriver.run(math.sqrt, 4.0) == 2.0
        again = deriver.submit(math.sqrt, 9.0, key="same")
        assert again.result() == 3.0


def test_another_limit_is_another_request():
    with Deriver() as deriver:
        short = deriver.submit(spin, 0.3, key="same", timeout=0.1)
        other = deriver.submit(spin, 0.3, key="same", timeout=LONG)
        assert isinstance(short.exception(), DerivationTimeout)
        assert other.result()


def test_short_ones_end_while_more_long_ones_than_places_are_under_way():
    endless = 1e6
    with Deriver(places=2, quick=0.3) as deriver:
        long = [deriver.submit(spin, endless, visitor=f"long {k}", timeout=endless) for k in range(4)]
        while not any(one.running() for one in long):
            time.sleep(0.01)
        short = [deriver.submit(spin, 0.02, visitor=f"short {k}") for k in range(3)]
        assert all(one.result() for one in short)
        assert not any(one.done() for one in long)


def test_workers_stand_back():
    here = os.getpriority(os.PRIO_PROCESS, 0)
    with Deriver(niceness=5) as deriver:
        assert deriver.run(os.getpriority, os.PRIO_PROCESS, 0) == min(here + 5, 19)
