"""Derivations in a process of their own: limits, restarts, errors and cancellation."""

import asyncio
import contextlib
import math
import operator
import os
import pickle
import signal
import sys
import time
from concurrent.futures import CancelledError, wait

import pytest
import sympy as sp

from tests.helpers import coroutines
from workbench._support.errors import ConvexityError, DerivationTimeout, ExpressionError
from workbench._support.system import workers
from workbench.conjugates.convex.parse import parse_expression
from workbench.conjugates.convex.worker import Deriver

LIMIT = 0.3
MEMORY = 2**30


def refuse(text):
    raise ConvexityError(text)


class Stubborn(Exception):
    """An error that no pickle brings back."""

    def __init__(self, *, place):
        super().__init__(f"at {place}")


def stubborn():
    raise Stubborn(place="the door")


def timed_out():
    raise TimeoutError("a time-out of its own")


def deeper(level=0):
    return deeper(level + 1)


def fill(size):
    return len(bytearray(size))


def spin():
    while True:
        pass


def swallow():
    """Hang in Python code that catches whatever is raised in it."""
    while True:
        with contextlib.suppress(BaseException):
            spin()


class Slow:
    """Takes for ever to be read from a pickle."""

    def __reduce__(self):
        return spin, ()


@pytest.fixture(autouse=True)
def unhurried(monkeypatch):
    """However busy the machine is, processor time alone ends a derivation."""
    monkeypatch.setattr(workers, "BACKSTOP", 10_000)


@pytest.fixture(scope="module")
def deriver():
    with Deriver(memory=MEMORY) as made:
        made.run(math.sqrt, 1.0)
        yield made


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def works(deriver):
    assert deriver.run(math.sqrt, 16.0) == 4.0


def test_a_function_runs_in_another_process(deriver):
    assert deriver.run(os.getpid) != os.getpid()
    assert deriver.run(parse_expression, "log(1 + exp(u))").expr == parse_expression("log(1 + exp(u))").expr


def test_several_run_in_order(deriver):
    futures = [deriver.submit(pow, 2, k) for k in range(6)]
    assert [future.result() for future in futures] == [1, 2, 4, 8, 16, 32]


@pytest.mark.parametrize(
    ("function", "args"),
    [(spin, ()), (pow, (10, 10**9)), (swallow, ()), (sp.factorint, (10**120 + 7,)), (Slow, ())],
    ids=["Python", "C", "swallow", "sympy", "result"],
)
def test_what_hangs_is_killed_and_the_next_call_works(deriver, function, args):
    before = deriver.run(os.getpid)
    with pytest.raises(DerivationTimeout, match=r"longer than 0\.3 s of processor time and was stopped"):
        deriver.run(function, *args, timeout=LIMIT)
    assert deriver.run(os.getpid) != before
    assert not alive(before)


def test_what_gets_no_processor_time_is_told_so(deriver, monkeypatch):
    monkeypatch.setattr(workers, "BACKSTOP", 1)
    before = deriver.run(os.getpid)
    with pytest.raises(DerivationTimeout, match=r"got 0\.0 s .* within 1 s .* is busy, try again$"):
        deriver.run(time.sleep, 1000, timeout=1.0)
    assert not alive(before)
    works(deriver)


def test_memory_has_a_limit(deriver):
    before = deriver.run(os.getpid)
    with pytest.raises(DerivationTimeout, match="more than 1 GiB of memory and was stopped; try a simpler"):
        deriver.run(bytearray, 2 * MEMORY)
    assert deriver.run(os.getpid) != before
    assert deriver.run(fill, MEMORY // 8) == MEMORY // 8


@pytest.mark.parametrize("function", [os._exit, os.abort, sys.exit])
def test_a_worker_that_dies_is_replaced(deriver, function):
    args = () if function is os.abort else (3,)
    with pytest.raises((DerivationTimeout, RuntimeError), match=r"broke down \(exit code|SystemExit: 3"):
        deriver.run(function, *args)
    works(deriver)


def test_a_worker_that_dies_with_no_work_is_replaced(deriver):
    process = deriver.run(os.getpid)
    os.kill(process, signal.SIGKILL)
    while alive(process):
        time.sleep(0.01)
    works(deriver)


def test_a_worker_killed_at_its_work_is_replaced(deriver):
    process = deriver.run(os.getpid)
    future = deriver.submit(time.sleep, 1000)
    while not future.running():
        time.sleep(0.01)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(DerivationTimeout, match="broke down"):
        future.result()
    works(deriver)


def test_input_errors_come_back_as_themselves(deriver):
    with pytest.raises(ExpressionError) as caught:
        deriver.run(parse_expression, "u +")
    with pytest.raises(ExpressionError) as wanted:
        parse_expression("u +")
    assert str(caught.value) == str(wanted.value)
    with pytest.raises(ConvexityError, match=r"^not convex at 0$"):
        deriver.run(refuse, "not convex at 0")


def test_other_errors_come_back_with_where_they_were_raised(deriver):
    with pytest.raises(ZeroDivisionError) as caught:
        deriver.run(operator.truediv, 1, 0)
    assert "in the worker" in caught.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Stubborn: at the door"):
        deriver.run(stubborn)
    with pytest.raises(TimeoutError, match="of its own"):
        deriver.run(timed_out)
    with pytest.raises(DerivationTimeout, match="deeper than Python's stack"):
        deriver.run(deeper)
    works(deriver)


def test_what_cannot_travel_is_an_error_and_no_hang(deriver):
    with pytest.raises((AttributeError, pickle.PicklingError)):
        deriver.run(math.sqrt, lambda: 1)
    with pytest.raises((AttributeError, pickle.PicklingError)):
        deriver.run(eval, "lambda: 1")
    works(deriver)


@pytest.mark.parametrize("timeout", [0, -1, math.inf, math.nan])
def test_the_timeout_is_a_positive_number(deriver, timeout):
    with pytest.raises(ValueError, match="no number of seconds above 0"):
        deriver.submit(math.sqrt, 1.0, timeout=timeout)


def test_cancelling_kills_the_work(deriver):
    before = deriver.run(os.getpid)
    running, waiting = deriver.submit(time.sleep, 1000), deriver.submit(time.sleep, 1000)
    while not running.running():
        time.sleep(0.01)
    assert waiting.cancel()
    assert running.cancel()
    assert running.cancelled()
    with pytest.raises(CancelledError):
        running.result()
    assert not wait([running, waiting]).not_done
    assert deriver.run(os.getpid) != before
    assert not running.cancel() or running.cancelled()


def test_an_event_loop_goes_on_meanwhile(deriver):
    async def page():
        future = asyncio.wrap_future(deriver.submit(time.sleep, 1000))
        beats = 0
        while beats < 5:
            await asyncio.sleep(0.01)
            beats += 1
        future.cancel()
        return beats, await asyncio.wrap_future(deriver.submit(math.sqrt, 9.0))

    assert coroutines.run(page()) == (5, 3.0)
