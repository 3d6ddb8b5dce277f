"""Limits of processor time on single calls: they stop, give what a slow processor needs, and nest."""

import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest
import sympy as sp

from workbench.conjugates.convex import conjugate, decisions, limited
from workbench.conjugates.convex.checker import balls
from workbench.conjugates.convex.checker.forms import BUDGET, Face, Undecided, constant


@pytest.fixture(autouse=True)
def interruptible(monkeypatch):
    monkeypatch.setattr(limited, "INTERRUPTIBLE", (__name__.partition(".")[0],))


def spin(seconds):
    """Use `seconds` of processor time, and return how much it was."""
    started = time.process_time()
    while time.process_time() - started < seconds:
        pass
    return time.process_time() - started


@pytest.mark.parametrize("slowness", [1.0, 3.0])
def test_a_slow_processor_gets_proportionally_more_time(monkeypatch, slowness):
    monkeypatch.setattr(limited, "_slowness", lambda: slowness)
    started = time.process_time()
    assert limited.attempt(spin, 5.0, limit=0.1, default="stopped") == "stopped"
    assert 0.095 * slowness <= time.process_time() - started < 5.0
    # Within what a slow one has, and beyond the limit as it stands, by more than the clock ticks late.
    assert (limited.attempt(spin, 0.5, limit=0.25, default=0.0) >= 0.5) == (slowness == 3.0)


def test_a_call_inside_another_leaves_the_outer_limit(monkeypatch):
    monkeypatch.setattr(limited, "_slowness", lambda: 1.0)
    endings = []

    def outer():
        endings.append(limited.attempt(spin, 5.0, limit=0.05, default="inner"))
        spin(5.0)

    started = time.process_time()
    assert limited.attempt(outer, limit=0.2, default="outer") == "outer"
    assert endings == ["inner"]
    assert time.process_time() - started < 5.0


def test_the_measurement_of_slowness_is_not_interrupted(monkeypatch):
    """A finalizer that happens to run when a limit is reached must not be left by an exception."""
    inside = {"__name__": "workbench.conjugates.convex.slow"}
    exec("def slowness():\n    burn(5)\n    return 1.0\n", inside)
    inside["burn"] = eval("lambda ticks: sum(k * k for k in range(200_000 * ticks))", inside)
    monkeypatch.setattr(limited, "_slowness", inside["slowness"])
    monkeypatch.setattr(limited, "INTERRUPTIBLE", ("workbench",))
    finished = []

    def finalizer():  # in this module, which no limit interrupts now
        spin(0.3)
        finished.append(True)

    limited.attempt(finalizer, limit=0.02)
    assert finished


def test_budgets_of_threads_are_their_own():
    """Left in another order than entered, a shared budget would stay over for good."""
    inside, left, seen = threading.Event(), threading.Event(), []

    def other():
        with BUDGET.limited_to(1e9):
            seen.append(BUDGET.is_over)
            inside.set()
            left.wait(60.0)
        seen.append(BUDGET.remaining)

    thread = threading.Thread(target=other)
    with BUDGET.limited_to(0.0):
        thread.start()
        inside.wait(60.0)
        assert BUDGET.is_over
    left.set()
    thread.join()
    assert seen == [False, math.inf]
    assert BUDGET.remaining == math.inf


def test_questions_stay_open_once_the_budget_is_over():
    a = sp.Symbol("a", real=True)
    with BUDGET.limited_to(0.0):
        assert decisions.Solver([a > 0]).possible().verdict == "unknown"
        with pytest.raises(Undecided):
            Face().holds(("<", ("name", "a"), ("number", Fraction(1))))
    assert decisions.Solver([a > 0]).example().values == {a: 1}


def test_search_in_another_thread_ends_where_its_time_does(monkeypatch):
    text = "u**2/2 + log(2)"
    with ThreadPoolExecutor(1) as pool:
        assert not pool.submit(conjugate.conjugate, text).result().q.implicit
        monkeypatch.setattr(conjugate, "SEARCH_SECONDS", 0.0)
        pair = pool.submit(conjugate.conjugate, text).result()
    # Without time there is no closed form, and values come from numbers.
    assert pair.q.implicit
    assert pair.q(3.0) == pytest.approx(4.5 - math.log(2.0), rel=1e-15)


def test_numbers_of_millions_of_digits_are_read_at_once():
    low, high = balls.interval("1.5e43000000")
    assert 0 < high - low < low / 10**9
    with pytest.raises(Undecided, match="digits"):
        Face().term(constant(10**9000))
