"""Calls in processes of their own, each of which is killed at its limit of time or memory.

SymPy, or a reader of a visitor's file, can compute for hours inside one call that no thread could interrupt,
so such a call runs in a process of a `pebble.ProcessPool`. The processes are forks of a server that has done
the imports, see `processes`, so that a new one is there in milliseconds and nothing is forked from a program
that has threads, locks and a running event loop.

Limits: the kernel counts processor time (`RLIMIT_CPU`) and address space (`RLIMIT_AS`), and the pool kills by
the clock what takes `PATIENCE` times its seconds. Windows has neither of the first two and macOS no limit of
address space: there the pool's clock alone ends a call that takes too much.
"""

import contextlib
import functools
import importlib
import math
import os
import pickle
import signal
import threading
import time
import traceback
from concurrent.futures import CancelledError, InvalidStateError
from concurrent.futures import TimeoutError as ClockError
from concurrent.futures.process import BrokenProcessPool
from typing import ClassVar

import pebble

from workbench._support.errors import InputError
from workbench._support.system import processes

TIMEOUT = 20.0
# By the clock, which alone counts on Windows, a call may take PATIENCE times as long on a busy machine.
PATIENCE = 10 if os.name == "posix" else 3
WATCH = 0.1  # seconds between two looks at whether the pool still works
OUT_OF_MEMORY = 81  # exit code; any number that nothing else uses
KINDS = {OUT_OF_MEMORY: "memory", -getattr(signal, "SIGXCPU", 0): "time"}


class Workers:
    """Run functions in worker processes, in the order of asking and one at a time for each visitor.

    The functions and their arguments travel pickled, so a function stands at the top level of a module
    that the worker can import. Its errors come back as they were raised. The time that a worker needs to
    start does not count.

    Parameters
    ----------
    starter : multiprocessing.context.BaseContext
        Of `processes.starter`.
    modules : sequence of str
        Imported by a worker before its first call, where the starter has not.
    memory : int
        Bytes that a call may take above the imports.
    places : int
        Number of workers.
    niceness : int
        By how much workers stand back behind other processes.
    calls : int
        Number of calls after which a worker is replaced; 0 for never.

    Attributes
    ----------
    error : type
        Class of the errors for reached limits.
    sentences : dict of str to str
        Their messages for "start", "time", "memory", "deep" (the recursion) and "broken", with the fields
        ``timeout`` (seconds) and ``memory`` (megabytes).
    """

    error: ClassVar[type[Exception]] = RuntimeError
    sentences: ClassVar[dict[str, str]] = {}

    def __init__(self, starter, modules, memory, places=1, niceness=0, calls=0):
        prepare = modules, niceness, memory
        self._make = lambda: pebble.ProcessPool(places, calls, _prepare, prepare, context=starter)
        self.memory, self.places, self.closed = memory, places, False
        self._pool, self._is_opening, self._waiting, self._running = None, False, [], []
        self._lock = threading.RLock()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def submit(self, function, *args, timeout=TIMEOUT, visitor=None, memory=None):
        """Return a future of function(*args) at once; cancelled, it ends the call even while that runs.

        Parameters
        ----------
        function : callable
        timeout : float
            Seconds of processor time; by the clock it may take `PATIENCE` times as long.
        visitor : object, optional
            Further calls of the same visitor wait until this one has ended.
        memory : int, optional
            In place of the workers' own.
        """
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout: {timeout!r} is not a number of seconds above 0, such as {TIMEOUT:g}")
        payload = pickle.dumps((function, args))  # what cannot be pickled fails here, where it is passed
        call = _Call(payload, timeout, object() if visitor is None else visitor, memory or self.memory)
        with self._lock:
            if self.closed:
                raise RuntimeError(f"this {type(self).__name__} is closed; make another")
            self._waiting.append(call)
        call.future.add_done_callback(lambda _: self._leave(call))
        self._start_calls()
        return call.future

    def run(self, function, *args, timeout=TIMEOUT):
        """Return function(*args), computed in a worker."""
        future = self.submit(function, *args, timeout=timeout)
        try:
            return future.result()
        except BaseException:  # Ctrl-C too: then the worker is not to go on
            future.cancel()
            raise

    def close(self):
        """Stop the workers and cancel all calls."""
        with self._lock:
            self.closed = True
            calls, pool, self._pool = [*self._waiting, *self._running], self._pool, None
        for call in calls:
            call.future.cancel()
        _stop(pool)

    def _start_calls(self):
        with self._lock:
            if not (self._waiting or self._running) or self.closed or self._is_opening:
                return
            if self._pool is None or not self._pool.active:
                # The first process takes as long as its imports to start.
                self._is_opening = True
                threading.Thread(target=self._open, daemon=True).start()
                return
            for call in list(self._waiting):
                visitors = {other.visitor for other in self._running}
                if len(self._running) < self.places and call.visitor not in visitors:
                    limits = call.payload, call.timeout, call.memory
                    try:
                        call.task = self._pool.schedule(_work, limits, timeout=PATIENCE * call.timeout)
                    except RuntimeError:  # the pool broke just now; `_open`, which watches it, goes on
                        return
                    self._waiting.remove(call)
                    self._running.append(call)
                    call.task.add_done_callback(functools.partial(self._end, call))
                    with contextlib.suppress(RuntimeError):  # it runs for the second time, or is done
                        call.future.set_running_or_notify_cancel()

    def _open(self):
        """Make a pool, the first one or in place of one that broke, and watch it until it ends."""
        _stop(self._pool)
        for call in list(self._running):
            # A pool that breaks ends the tasks that its scheduler has seen; others would wait for ever.
            with contextlib.suppress(InvalidStateError):
                call.task.set_exception(BrokenProcessPool())
        pool, refused = self._make(), []
        try:
            is_open = pool.active  # starts its processes
        except (BrokenProcessPool, OSError):
            is_open = False
        with self._lock:
            is_open = is_open and not self.closed
            self._is_opening, self._pool = False, pool if is_open else None
            if not is_open:
                refused, self._waiting = self._waiting, []
        if not is_open:
            _stop(pool)
        for call in refused:
            self._settle(call, "start", None)
        self._start_calls()
        while is_open and pool.active:
            time.sleep(WATCH)
        self._start_calls()

    def _leave(self, call):
        """Forget a call whose future is done; where it was cancelled, end its process."""
        with self._lock:
            if call in self._waiting:
                self._waiting.remove(call)
            if call.task is not None:
                call.task.cancel()
        if call.future.cancelled():
            with contextlib.suppress(RuntimeError):  # it ran and has told those that wait
                call.future.set_running_or_notify_cancel()
        self._start_calls()

    def _end(self, call, task):
        """Hand a call's outcome on."""
        kind, result = self._outcome(task)
        with self._lock:
            self._running.remove(call)
            if kind == "start" and not call.is_second and not call.future.done():
                # The pool broke while the call waited in it: a worker without a call was killed.
                call.is_second, kind = True, "waiting"
                self._waiting.insert(0, call)
        if kind not in ("waiting", "cancelled"):
            self._settle(call, kind, result)
        self._start_calls()

    def _settle(self, call, kind, result):
        if kind in self.sentences:
            sentence = self.sentences[kind].format(timeout=call.timeout, memory=call.memory // 2**20)
            kind, result = "raised", self.error(sentence)
        with contextlib.suppress(InvalidStateError):  # cancelled in the meantime
            (call.future.set_result if kind == "returned" else call.future.set_exception)(result)

    def _outcome(self, task):
        """Return ("returned", value), ("raised", error) or (a key of `sentences`, None)."""
        try:
            return pickle.loads(task.result())
        except CancelledError:
            return "cancelled", None
        except ClockError:
            return "time", None
        except BrokenProcessPool:
            return "start", None
        except pebble.ProcessExpired as error:
            return KINDS.get(error.exitcode, "broken"), None
        except Exception as error:  # a module of the outcome is missing here
            return "raised", error


class _Call:
    def __init__(self, payload, timeout, visitor, memory):
        self.payload, self.timeout, self.visitor, self.memory = payload, timeout, visitor, memory
        self.future: pebble.ProcessFuture = pebble.ProcessFuture()
        self.task, self.is_second = None, False


def _stop(pool):
    if pool is not None:
        pool.stop()
        pool.join()


# In a worker

_imports: list[str] = []


def _prepare(modules, niceness, memory):
    """Prepare a worker: its imports, its limits and how it ends and stands back."""
    import psutil

    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # ends a call in C at once
    for module in modules:
        importlib.import_module(module)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    processes.limit("RLIMIT_CORE", 0)
    _imports[:] = [psutil.Process().memory_info().vms]
    processes.limit("RLIMIT_AS", _imports[0] + memory)


def _work(payload, timeout, memory):
    """Return the outcome of one call, pickled within its limits."""
    # Should the parent die, nobody else would stop a call that hangs. The limit is a whole number, and a new
    # process has used some hundredths of a second.
    processes.limit("RLIMIT_CPU", math.ceil(time.process_time() + 0.98 * timeout))
    processes.limit("RLIMIT_AS", _imports[0] + memory)
    try:
        function, args = pickle.loads(payload)
        packed = _packed("returned", function(*args))
    except MemoryError:
        # A process that ran out of memory keeps what filled it; a fresh one is certain to have room.
        os._exit(OUT_OF_MEMORY)
    except RecursionError:
        packed = _packed("deep", None)
    except BaseException as error:
        packed = _packed_error(error)
    processes.limit("RLIMIT_CPU", math.inf)
    return packed


def _packed(kind, outcome):
    """Pickle an outcome and read it once: SymPy evaluates as it reads, and that too must fit the limits."""
    packed = pickle.dumps((kind, outcome))
    pickle.loads(packed)
    return packed


def _packed_error(error):
    if not isinstance(error, InputError):
        error.add_note("in the worker:\n" + traceback.format_exc())
    if isinstance(error, Exception):
        with contextlib.suppress(Exception):
            return _packed("raised", error)
    # It cannot be pickled, or would end the parent.
    return _packed("raised", RuntimeError(f"{type(error).__name__}: {error}"))
