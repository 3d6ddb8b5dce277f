"""Derivations in processes of their own: limits, restarts, errors, turns and cancellation."""

import contextlib
import errno
import math
import operator
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError, wait
from types import SimpleNamespace

import psutil
import pytest
import sympy as sp
from pebble.pool.process import PoolManager

from tests.helpers.timed_work import noted, spin
from workbench._support.errors import ConvexityError, DerivationTimeout, ExpressionError
from workbench.conjugates.convex.parse import parse_expression
from workbench.conjugates.convex.worker import Deriver

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


def hang():
    while True:
        pass


def swallow():
    """Hang in Python code that catches whatever is raised in it."""
    while True:
        with contextlib.suppress(BaseException):
            hang()


class Slow:
    """Takes for ever to be read from a pickle."""

    def __reduce__(self):
        return hang, ()


@pytest.fixture(scope="module")
def deriver():
    with Deriver(memory=MEMORY) as made:
        made.run(math.sqrt, 1.0)
        yield made


def is_alive(process):
    with contextlib.suppress(psutil.NoSuchProcess):
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    return False


def wait_until(is_true):
    while not is_true():
        time.sleep(0.01)


def wait_for_process(deriver):
    """Wait until a process has the first of the calls that run."""
    wait_until(lambda: deriver._running and deriver._running[0].task.running())


# Limits


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (hang, ()),
        (pow, (10, 10**9)),
        (swallow, ()),
        (sp.factorint, (10**120 + 7,)),
        (Slow, ()),
        (time.sleep, (1000,)),
    ],
    ids=["Python", "C", "swallow", "sympy", "result", "no processor time"],
)
def test_endless_call_is_killed_and_the_next_one_served(deriver, function, args):
    before = deriver.run(os.getpid)
    with pytest.raises(DerivationTimeout, match=r"took longer than 0\.3 s and was stopped; try a simpler"):
        deriver.run(function, *args, timeout=0.3)
    assert deriver.run(os.getpid) != before
    assert not is_alive(before)


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of address space")
def test_memory_has_a_limit(deriver):
    before = deriver.run(os.getpid)
    with pytest.raises(
        DerivationTimeout, match="more than 1,024 MB of memory and was stopped; try a simpler"
    ):
        deriver.run(bytearray, 2 * MEMORY)
    assert deriver.run(os.getpid) != before
    assert deriver.run(fill, MEMORY // 8) == MEMORY // 8


@pytest.mark.parametrize("timeout", [0, -1, math.inf, math.nan])
def test_timeout_is_a_positive_number(deriver, timeout):
    with pytest.raises(ValueError, match="not a number of seconds above 0"):
        deriver.submit(math.sqrt, 1.0, timeout=timeout)


def test_starting_a_worker_does_not_count_as_time():
    # Importing SymPy alone takes several times this limit.
    with Deriver() as fresh:
        assert fresh.run(math.sqrt, 4.0, timeout=0.2) == 2.0
        assert "sympy" in fresh.run(eval, "list(__import__('sys').modules)")


# Ends


@pytest.mark.parametrize("function", [os._exit, os.abort, sys.exit])
def test_worker_that_dies_is_replaced(deriver, function):
    args = () if function is os.abort else (3,)
    with pytest.raises((DerivationTimeout, RuntimeError), match=r"broke down|SystemExit: 3"):
        deriver.run(function, *args)
    assert deriver.run(math.sqrt, 16.0) == 4.0


def test_worker_killed_at_its_call_is_replaced(deriver):
    process = deriver.run(os.getpid)
    future = deriver.submit(time.sleep, 1000)
    wait_for_process(deriver)
    os.kill(process, signal.SIGKILL)
    with pytest.raises(DerivationTimeout, match="was killed or broke down"):
        future.result()
    assert deriver.run(math.sqrt, 16.0) == 4.0


def test_closing_stops_everything():
    made = Deriver()
    process = made.run(os.getpid)
    futures = [made.submit(time.sleep, 1000) for _ in range(3)]
    made.close()
    made.close()
    assert all(future.cancelled() for future in futures)
    assert not is_alive(process)
    with pytest.raises(RuntimeError, match="closed; make another"):
        made.run(math.sqrt, 1.0)


def no_process(**options):
    raise OSError(errno.ENOMEM, "Cannot allocate memory")


PIPES = {"Pipe": Deriver.context.Pipe, "RLock": Deriver.context.RLock}


@pytest.mark.parametrize(
    ("name", "value"),
    [("modules", ("no_such_module",)), ("context", SimpleNamespace(Process=no_process, **PIPES))],
    ids=["import", "fork"],
)
def test_process_that_cannot_start_is_an_error(monkeypatch, name, value):
    monkeypatch.setattr(Deriver, name, value)
    with Deriver() as broken, pytest.raises(DerivationTimeout, match="found no process that starts"):
        broken.run(math.sqrt, 1.0)


def test_call_that_a_broken_pool_never_saw_is_an_error(monkeypatch):
    """The pool breaks between a call's entry in its queue and the scheduler's look at that."""
    monkeypatch.setattr(Deriver, "modules", ("no_such_module",))
    schedule = PoolManager.schedule

    def late(manager, task):
        wait_until(lambda: not manager.context.alive)
        schedule(manager, task)

    monkeypatch.setattr(PoolManager, "schedule", late)
    with Deriver() as broken, pytest.raises(DerivationTimeout, match="found no process that starts"):
        broken.submit(math.sqrt, 1.0).result(timeout=60)


ORPHAN = """
import os, signal
from workbench.conjugates.convex.worker import Deriver
deriver = Deriver()
print(deriver.run(os.getpid), flush=True)
deriver.submit(pow, 10, 10**9, timeout=0.5)
while deriver._running[0].task.running() is False:
    pass
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(os, "wait4"), reason="needs limits of processor time")
def test_worker_outlives_its_parent_by_little():
    done = subprocess.run([sys.executable, "-c", ORPHAN], capture_output=True, text=True)
    wait_until(lambda: not is_alive(int(done.stdout)))


SCRIPT = """
print("started")
import math, sys, time
from workbench.conjugates.convex.worker import shared
print(shared().run(math.sqrt, 4.0))
shared().submit(time.sleep, 1000)
"""


@pytest.mark.parametrize("way", ["file", "command", "stdin"])
def test_script_without_guard_runs_once_and_ends(tmp_path, way):
    file = tmp_path / "script.py"
    file.write_text(SCRIPT)
    arguments = {"file": [file], "command": ["-c", SCRIPT], "stdin": ["-"]}[way]
    done = subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        input=SCRIPT if way == "stdin" else None,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["started", "2.0"]


# Errors


def test_input_errors_come_back_as_themselves(deriver):
    with pytest.raises(ExpressionError) as raised:
        deriver.run(parse_expression, "u +")
    with pytest.raises(ExpressionError) as expected:
        parse_expression("u +")
    assert str(raised.value) == str(expected.value)
    with pytest.raises(ConvexityError, match=r"^not convex at 0$"):
        deriver.run(refuse, "not convex at 0")


def test_other_errors_come_back_with_their_place(deriver):
    with pytest.raises(ZeroDivisionError) as raised:
        deriver.run(operator.truediv, 1, 0)
    assert "in the worker" in raised.value.__notes__[0]
    with pytest.raises(RuntimeError, match="Stubborn: at the door"):
        deriver.run(stubborn)
    with pytest.raises(TimeoutError, match="of its own"):
        deriver.run(timed_out)
    with pytest.raises(DerivationTimeout, match="deeper than Python's stack"):
        deriver.run(deeper)


# The queue


def test_a_visitor_has_one_call_at_a_time(tmp_path):
    with Deriver(places=2) as two:
        first = two.submit(time.sleep, 1000, visitor="a")
        second = two.submit(noted, str(tmp_path / "runs"), visitor="a")
        assert two.submit(math.sqrt, 4.0, visitor="b").result() == 2.0
        assert first.running()
        assert not second.running()
        assert not (tmp_path / "runs").exists()
        assert first.cancel()
        assert second.result()


def test_a_waiting_call_starts_when_a_slot_is_free():
    with Deriver(places=2) as two:
        endless = [two.submit(hang, visitor=k, timeout=0.5) for k in range(3)]
        assert two.submit(spin, 0.01, visitor="short").result()
        errors = [future.exception() for future in endless]
        assert all(isinstance(error, DerivationTimeout) for error in errors)


def test_cancelling_kills_the_call(deriver):
    before = deriver.run(os.getpid)
    running, waiting = deriver.submit(time.sleep, 1000), deriver.submit(time.sleep, 1000)
    wait_for_process(deriver)
    assert (running.running(), waiting.running()) == (True, False)
    assert waiting.cancel()
    assert running.cancel()
    assert running.cancelled()
    with pytest.raises(CancelledError):
        running.result()
    assert not wait([running, waiting]).not_done
    assert deriver.run(math.sqrt, 4.0) == 2.0
    wait_until(lambda: not is_alive(before))


def test_workers_run_at_low_priority():
    here = os.getpriority(os.PRIO_PROCESS, 0)
    with Deriver(niceness=5) as polite:
        assert polite.run(os.getpriority, os.PRIO_PROCESS, 0) == min(here + 5, 19)
