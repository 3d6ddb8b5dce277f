"""A student's function called within bounds: of time, of what it prints, of what it stops with.

The call runs in a thread of its own and is given up from outside. A signal would do it on some systems only,
and a trace function sees no sleep.
"""

import contextlib
import contextvars
import ctypes
import io
import sys
import threading
import time
from typing import Any

# Processor time, so that no busy machine refuses a slow but honest answer; the clock, for one that sleeps.
PROCESSOR_SECONDS, CLOCK_SECONDS = 10.0, 60.0
MAX_PRINTED = 2_000
# Seconds between two looks at the clock, and seconds for a call to stop.
PAUSE, FAREWELL = 0.1, 1.0


class Endless(Exception):
    """A call that did not return."""


# No answer catches it with `except Exception`, and no thread prints its traceback.
class _Stop(SystemExit):
    pass


def bounded(function, *arguments):
    """Return the value of a function, or raise its error, within limits.

    Returns
    -------
    value : object
    error : BaseException or None

    Raises
    ------
    Endless
        It takes longer than any answer should.
    """
    outcome: list[tuple[Any, BaseException | None]] = []

    def work():
        try:
            outcome.append((function(*arguments), None))
        except BaseException as error:
            outcome.append((None, error))

    # NumPy keeps its error state in the context.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), daemon=True)
    with contextlib.redirect_stdout(_Short(sys.stdout)), contextlib.redirect_stderr(_Short(sys.stderr)):
        thread.start()
        try:
            _wait(thread)
        finally:
            stopped = _stop(thread)
    if not outcome or isinstance(outcome[0][1], _Stop):
        raise Endless("" if stopped else " It is still running: restart the kernel.")
    return outcome[0]


def _wait(thread):
    clock, processor = time.monotonic(), time.process_time()
    while thread.is_alive():
        thread.join(PAUSE)
        if time.process_time() - processor > PROCESSOR_SECONDS or time.monotonic() - clock > CLOCK_SECONDS:
            return


def _stop(thread):
    """Return whether the thread has ended; what it calls outside of Python, such as a sleep, ends it late."""
    end = time.monotonic() + FAREWELL
    while thread.is_alive() and time.monotonic() < end:
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(_Stop))
        thread.join(PAUSE)
    return not thread.is_alive()


class _Short(io.TextIOBase):
    """Passes on the first letters that are written to it."""

    def __init__(self, stream):
        self.stream, self.room = stream, MAX_PRINTED

    def write(self, text):
        if self.room > 0:
            self.stream.write(text[: self.room])
            if len(text) > self.room:
                self.stream.write(" ...\n")
        self.room -= len(text)
        return len(text)

    def flush(self):
        self.stream.flush()
