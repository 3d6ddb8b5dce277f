"""A limit on the time that one SymPy call may take."""

import contextlib
import signal
import threading
import time

from workbench.conjugates.convex.checker.forms import BUDGET

INTERRUPTIBLE = ("sympy", "mpmath", "workbench")
AGAIN = 0.02
# Seconds that the work of `_slowness` took on the machine on which the limits were set.
LAPS, LAP_SECONDS = 10_000, 0.0032
SLOWEST = 3.0


class OutOfTime(BaseException):
    """A call was stopped; no `Exception`, since SymPy swallows those in the middle of its searches."""


@contextlib.contextmanager
def seconds(limit):
    """Stop the block with `OutOfTime` after seconds of processor time.

    A processor that is slow at that moment, or shares its core, has as many times as long, so that a
    result depends neither on the machine nor on its load. Where signals do not reach (in other threads), the
    limit is one of the `BUDGET`, which a search asks between its steps.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        with BUDGET.limited_to(limit):
            yield
        return

    start = time.process_time()
    allowed, is_measured = limit, False

    def stop(_, frame):
        nonlocal allowed, is_measured
        # Stop the timer first: another signal would now interrupt this handler and not the SymPy call.
        signal.setitimer(signal.ITIMER_PROF, 0)
        if not is_measured and time.process_time() - start >= allowed:
            allowed, is_measured = allowed * _slowness(), True
        # The timer counts in ticks of the kernel, and may be early.
        rest = min(allowed - (time.process_time() - start), BUDGET.remaining)
        signal.setitimer(signal.ITIMER_PROF, max(rest, AGAIN), AGAIN)
        # An exception in a callback of the garbage collector or a finalizer would be lost: ask again soon.
        if rest <= 0.0 and (frame is None or _root(frame) in INTERRUPTIBLE):
            raise OutOfTime

    before = signal.signal(signal.SIGPROF, stop)
    outer, _ = signal.setitimer(signal.ITIMER_PROF, limit, AGAIN)
    if 0.0 < outer < limit:
        allowed = outer
        signal.setitimer(signal.ITIMER_PROF, outer, AGAIN)
    try:
        yield
    finally:
        # A block inside another gives the other what is left of its time.
        rest = max(outer - (time.process_time() - start), 1e-3) if outer else 0.0
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
        signal.setitimer(signal.ITIMER_PROF, rest, AGAIN if rest else 0)


def _root(frame):
    """Return the package that a frame is of."""
    return frame.f_globals.get("__name__", "").split(".")[0]


def _slowness():
    """Return by which factor this processor is now slower than the reference machine; at least 1."""
    start = time.process_time()
    # Hashes, small objects and texts, as in SymPy.
    {(lap % 97, lap): str(lap) for lap in range(LAPS)}
    return min(max((time.process_time() - start) / LAP_SECONDS, 1.0), SLOWEST)


def attempt(function, *arguments, limit=3.0, default=None, **options):
    """Return the result of a SymPy call, or the default if it fails, takes too long or no time is left."""
    limit = min(limit, BUDGET.remaining)
    if limit <= 0:
        return default
    try:
        with seconds(limit):
            return function(*arguments, **options)
    except (OutOfTime, Exception):
        # SymPy's searches raise errors of many kinds where they meet what they do not know.
        return default
