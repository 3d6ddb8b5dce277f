"""Derivations in a process of their own, which is killed at its limit of time or memory.

SymPy can compute for hours inside one call that no thread could interrupt, so a derivation runs where it
can be killed. The process comes from a *fork server*, itself started fresh and with SymPy imported: a
worker that was killed is replaced by a fork of it in milliseconds, where *spawn* would import SymPy anew
each time, and nothing is ever forked from a program that has threads, locks and a running event loop.
"""

import atexit
import contextlib
import math
import os
import pickle
import threading
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool

from pebble import ProcessExpired, ProcessPool

from workbench.convex.worker_process import (
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    WARM_LIMIT,
    ready,
    start_context,
    warm,
    work,
)
from workbench.errors import DerivationTimeout

TIMEOUT = 20.0  # seconds for one derivation
MEMORY = 2 * 2**30


class Derivation(Future):
    """The future of one derivation. Unlike others it can be cancelled while it runs: its process dies."""

    def __init__(self, timeout, memory):
        super().__init__()
        self._limits = timeout, memory
        self._task = None

    def cancel(self):
        return super().cancel() if self._task is None else self._task.cancel()

    def running(self):
        return self._task is not None and self._task.running()

    def follow(self, task):
        """Take the outcome of a task of the pool as its own."""
        self._task = task
        task.add_done_callback(self._finish)
        if self.cancelled():
            task.cancel()

    def fail(self, error):
        with contextlib.suppress(InvalidStateError):  # cancelled in the meantime
            self.set_exception(error)

    def _finish(self, task):
        if task.cancelled():
            super().cancel()
            self.set_running_or_notify_cancel()
            return
        error = task.exception()
        if error is not None:
            self.fail(_explained(error, *self._limits))
            return
        try:
            succeeded, outcome = pickle.loads(task.result())
        except Exception as broken:  # it was read once in the worker; here a module may be missing
            succeeded, outcome = False, broken
        if succeeded:
            with contextlib.suppress(InvalidStateError):
                self.set_result(outcome)
        else:
            self.fail(outcome)


class Deriver:
    """Runs functions in a worker process, one after the other, each within its limits.

    The functions and their arguments travel pickled, so a function stands at the top level of a module
    that the worker can import. An `InputError` comes back as it was raised; whatever takes longer than
    its `timeout`, or more than `memory` bytes, ends in a `DerivationTimeout`, and the next call finds a
    fresh worker. The time that a worker needs to start does not count.
    """

    def __init__(self, memory=MEMORY):
        self._memory = memory
        self._pool = self._first = None
        self._closed = False
        self._open = set()
        # Starting a pool takes a second, in which nobody who submits should wait.
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="deriver")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def submit(self, function, *args, timeout=TIMEOUT):
        """A `concurrent.futures.Future` of function(*args); returns at once."""
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout: {timeout!r} is no number of seconds above 0, such as {TIMEOUT:g}")
        payload = pickle.dumps((function, args))  # what cannot travel fails here, where it is passed
        if self._closed:
            raise RuntimeError("this Deriver is closed; make another")
        derivation = Derivation(timeout, self._memory)
        self._open.add(derivation)
        derivation.add_done_callback(self._open.discard)
        self._starter.submit(self._schedule, derivation, payload, timeout)
        return derivation

    def run(self, function, *args, timeout=TIMEOUT):
        """function(*args), computed in the worker."""
        derivation = self.submit(function, *args, timeout=timeout)
        try:
            return derivation.result()
        except BaseException:  # Ctrl-C too: then the worker is not to go on
            derivation.cancel()
            raise

    def close(self):
        """Stop the worker and cancel what is under way."""
        self._closed = True
        self._starter.shutdown(wait=False, cancel_futures=True)
        for derivation in list(self._open):
            derivation.cancel()
        if self._first is not None:
            self._first.cancel()  # the thread below may wait for a worker that is starting
        self._starter.shutdown(wait=True)
        self._drop_pool()

    def _schedule(self, derivation, payload, timeout):
        if derivation.cancelled():
            derivation.set_running_or_notify_cancel()
            return
        try:
            derivation.follow(self._live_pool().schedule(work, args=(payload, timeout), timeout=timeout))
        except Exception as error:
            derivation.fail(_explained(error, timeout, self._memory))

    def _live_pool(self):
        """The pool with a worker that was warm once; a broken one is replaced."""
        if self._pool is None or not self._pool.active:
            self._drop_pool()
            context = start_context()
            self._pool = ProcessPool(1, initializer=warm, initargs=(self._memory,), context=context)
            try:
                self._first = self._pool.schedule(ready)
                self._first.result(WARM_LIMIT)
            except FutureTimeout:
                self._drop_pool()
                raise BrokenProcessPool(f"not ready after {WARM_LIMIT:g} s") from None
        return self._pool

    def _drop_pool(self):
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.stop()
            pool.join()


def _explained(error, timeout, memory):
    """What ended a derivation from outside, as a user should read it."""
    size = f"{memory / 2**30:g} GiB"
    code = getattr(error, "exitcode", None)
    if isinstance(error, FutureTimeout) or code == OUT_OF_TIME:
        text = f"took longer than {timeout:g} s and was stopped; try a simpler formula or a longer limit"
    elif code == OUT_OF_MEMORY:
        text = f"needed more than {size} of memory and was stopped; try a simpler formula or a larger limit"
    elif isinstance(error, ProcessExpired):
        text = f"broke down (exit code {code}), mostly for want of memory; try a simpler formula"
    elif isinstance(error, BrokenProcessPool):
        text = f"found no process that starts within {WARM_LIMIT:g} s and {size} of memory; raise that limit"
    else:
        return error
    explained = DerivationTimeout(f"the derivation {text}")
    explained.__cause__ = error
    return explained


_shared = {}
_lock = threading.Lock()


def shared():
    """The one `Deriver` of this process, made at the first call and closed when Python ends."""
    with _lock:
        process = os.getpid()  # a fork of the program has threads of its own to start
        if process not in _shared:
            _shared[process] = Deriver()
            atexit.register(close_shared)
        return _shared[process]


def close_shared():
    """Close this process's shared `Deriver`, where there is one."""
    with _lock:
        deriver = _shared.pop(os.getpid(), None)
    if deriver is not None:
        deriver.close()
