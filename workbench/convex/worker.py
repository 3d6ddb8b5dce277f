"""Derivations in a process of their own, which is killed at its limit of time or memory.

SymPy can compute for hours inside one call that no thread could interrupt, so a derivation runs where it
can be killed. The process comes from a *fork server*, itself started fresh and with SymPy imported: a
worker that was killed is replaced by a fork of it in milliseconds, where *spawn* would import SymPy anew
each time, and nothing is ever forked from a program that has threads, locks and a running event loop.
"""

import atexit
import contextlib
import functools
import importlib
import math
import multiprocessing
import os
import pickle
import signal
import threading
import time
import traceback
from concurrent.futures import Future, InvalidStateError, ThreadPoolExecutor
from concurrent.futures import TimeoutError as FutureTimeout
from concurrent.futures.process import BrokenProcessPool

from pebble import ProcessExpired, ProcessPool

from workbench.convex.worker_start import start_context
from workbench.errors import DerivationTimeout, InputError

TIMEOUT = 20.0  # seconds for one derivation
WARM_LIMIT = 60.0  # seconds to start a process and import SymPy, which takes about one
MEMORY = 2 * 2**30
WARM_MODULES = ("sympy", "workbench.convex.parse")
OUT_OF_MEMORY = 81  # exit code; any number that nothing else uses
CPU_MARGIN = 5  # seconds that the parent has to stop a derivation before the kernel does


class Derivation(Future):
    """The future of one derivation. Unlike others it can be cancelled while it runs: its process dies."""

    def __init__(self, timeout, memory):
        super().__init__()
        self._limits = timeout, memory
        self._task = None

    def cancel(self):
        return super().cancel() if self._task is None else self._task.cancel()

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
            return
        error = task.exception()
        try:
            succeeded, outcome = (False, None) if error else pickle.loads(task.result())
        except Exception as broken:
            error = broken
        if error:
            self.fail(_explained(error, *self._limits))
        elif not succeeded:
            self.fail(_explained(outcome, *self._limits))
        else:
            with contextlib.suppress(InvalidStateError):
                self.set_result(outcome)


class Deriver:
    """Runs functions in a worker process, one after the other, each within its limits.

    The functions and their arguments travel pickled, so a function stands at the top level of a module
    that the worker can import. An `InputError` comes back as it was raised; whatever takes longer than
    its `timeout`, or more than `memory` bytes, ends in a `DerivationTimeout`, and the next call finds a
    fresh worker. The time that a worker needs to start does not count.
    """

    def __init__(self, memory=MEMORY):
        self._memory = memory
        self._pool = None
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
            raise ValueError(
                f"timeout: {timeout!r} is no number of seconds above 0; leave it out for {TIMEOUT:g}"
            )
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
        self._starter.shutdown(wait=True, cancel_futures=True)
        for derivation in list(self._open):
            derivation.cancel()
        self._drop_pool()

    def _schedule(self, derivation, payload, timeout):
        if derivation.cancelled():
            return
        try:
            derivation.follow(self._live_pool().schedule(_work, args=(payload, timeout), timeout=timeout))
        except Exception as error:
            derivation.fail(_explained(error, timeout, self._memory))

    def _live_pool(self):
        """The pool with a worker that was warm once; a broken one is replaced."""
        if self._pool is None or not self._pool.active:
            self._drop_pool()
            self._pool = ProcessPool(
                1, initializer=_warm, initargs=(self._memory,), context=start_context(WARM_MODULES)
            )
            try:
                self._pool.schedule(_ready).result(WARM_LIMIT)
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
    """The error as a user should read it."""
    if isinstance(error, InputError):
        return error
    if isinstance(error, BrokenProcessPool):
        text = (
            f"the process for derivations did not start within {WARM_LIMIT:g} s and {memory / 2**30:g} GiB of "
            "memory; raise the memory limit or try again"
        )
    elif isinstance(error, ProcessExpired) and error.exitcode != OUT_OF_MEMORY:
        text = (
            f"the derivation's process broke down (exit code {error.exitcode}), mostly for want of memory; "
            "try a simpler formula"
        )
    elif isinstance(error, ProcessExpired | MemoryError):
        text = (
            f"the derivation needed more than {memory / 2**30:g} GiB of memory and was stopped; try a simpler "
            "formula or raise the memory limit"
        )
    elif isinstance(error, FutureTimeout):
        text = (
            f"the derivation took longer than {timeout:g} s and was stopped; try a simpler formula or raise the "
            "time limit"
        )
    elif isinstance(error, RecursionError):
        text = "the derivation went deeper than Python's stack; try a simpler formula"
    else:
        return error
    explained = DerivationTimeout(text)
    explained.__cause__ = error
    return explained


# What follows runs in the worker.


def _warm(memory):
    """Import what derivations need and take on the limits of memory; runs once in each worker."""
    # Pebble stops a worker by SIGTERM and handles that in Python, which a hanging call of C never
    # reaches; by default the signal kills at once.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    alarm = getattr(signal, "alarm", lambda seconds: None)
    alarm(math.ceil(WARM_LIMIT))
    for module in WARM_MODULES:
        importlib.import_module(module)
    alarm(0)
    _limit("RLIMIT_AS", memory)
    _limit("RLIMIT_CORE", 0)


def _limit(name, value):
    """Lower a resource limit of this process, where the platform has it."""
    try:
        import resource

        kind = getattr(resource, name)
        _, hard = resource.getrlimit(kind)
        resource.setrlimit(kind, (value if hard == resource.RLIM_INFINITY else min(value, hard), hard))
    except (ImportError, AttributeError, ValueError, OSError):
        pass  # Windows has no such limits, and macOS refuses some


def _ready():
    """Nothing: its end says that a worker is warm."""


def _work(payload, timeout):
    """One derivation. Its outcome is pickled here, within the limits, and not by the pool."""
    # Should the parent die, nobody else would stop a derivation that hangs.
    _limit("RLIMIT_CPU", math.ceil(time.process_time() + timeout + CPU_MARGIN))
    try:
        function, args = pickle.loads(payload)
        return pickle.dumps((True, function(*args)))
    except MemoryError:
        # A process that ran out of memory keeps what filled it; a fresh one is certain to have room.
        os._exit(OUT_OF_MEMORY)
    except Exception as error:
        return _packed(error)


def _packed(error):
    """A failure as bytes; an error that does not survive pickling becomes a RuntimeError with its text."""
    if not isinstance(error, InputError):
        error.add_note("in the worker:\n" + traceback.format_exc())
    try:
        packed = pickle.dumps((False, error))
        pickle.loads(packed)
    except Exception:
        return pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return packed


@functools.cache
def _shared(process):
    deriver = Deriver()
    atexit.register(deriver.close)
    return deriver


_lock = threading.Lock()


def shared():
    """The one `Deriver` of this process, made at the first call and closed when Python ends."""
    with _lock:
        return _shared(os.getpid())
