"""A worker process: what it runs, and its parent's view of it."""

import importlib
import math
import os
import pickle
import signal
import time
import traceback

import psutil

from workbench.errors import DerivationTimeout, InputError
from workbench.system import processes

WARM_LIMIT = 20.0  # seconds to start a process and import SymPy, which takes about one
WARM_MODULES = (
    "sympy", "workbench.convex.conjugate", "workbench.convex.verify", "workbench.derivations.sketches",
)  # fmt: skip
OUT_OF_MEMORY = 81  # exit code; any number that nothing else uses
OUT_OF_TIME = -getattr(signal, "SIGXCPU", 0)  # the exit code where the kernel was first
CPU_MARGIN = 2  # seconds that the parent has to stop a derivation before the kernel does
CONTEXT, _ = processes.starter(WARM_MODULES)


class Worker:
    """The parent's view of a worker process, which may still be starting.

    Parameters
    ----------
    warm : callable
        Called in the process before all else, with the arguments that follow.
    """

    def __init__(self, warm, *arguments):
        self.connection, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_answer, args=(theirs, warm, arguments), daemon=True)
        self.process.start()
        theirs.close()
        self.sentinel, self.ready = self.process.sentinel, False
        self._last = 0.0
        try:
            self._times = psutil.Process(self.process.pid).cpu_times
        except psutil.Error:  # it has ended, as its sentinel will say
            self._times = None
        self.begin()

    def begin(self):
        """Count time from now on."""
        self._clock, self._before = time.monotonic(), self._processor()

    def send(self, payload, timeout):
        """Have one derivation begin."""
        self.begin()
        self.connection.send((payload, timeout))

    @property
    def used(self):
        """Seconds of processor time since `begin`."""
        return self._processor() - self._before

    @property
    def elapsed(self):
        """Seconds since `begin`."""
        return time.monotonic() - self._clock

    def _processor(self):
        if self._times is not None:
            try:
                times = self._times()
                self._last = times.user + times.system
            except psutil.Error:  # it has ended
                pass
        return self._last

    def stop(self):
        """End the process, whatever it does; returns its exit code."""
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        code = self.process.exitcode
        self.connection.close()
        self.process.close()
        return code


def _answer(connection, warm, arguments):
    """What the process does: derivations, until its parent closes the connection or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm(*arguments)
    try:
        connection.send_bytes(b"")
        while True:
            connection.send_bytes(work(*connection.recv()))
    except (EOFError, OSError):
        pass


def warm(memory, niceness=0):
    """Import what derivations need and take on the limits; runs once in each worker."""
    processes.limit("RLIMIT_CPU", math.ceil(time.process_time() + WARM_LIMIT + CPU_MARGIN))
    for module in WARM_MODULES:
        importlib.import_module(module)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    processes.limit("RLIMIT_AS", memory)
    processes.limit("RLIMIT_CORE", 0)


def work(payload, timeout):
    """One derivation. Its outcome is pickled here, within the limits."""
    # Should the parent die, nobody else would stop a derivation that hangs.
    processes.limit("RLIMIT_CPU", math.ceil(time.process_time() + timeout + CPU_MARGIN))
    try:
        function, args = pickle.loads(payload)
        return _packed(True, function(*args))
    except MemoryError:
        # A process that ran out of memory keeps what filled it; a fresh one is certain to have room.
        os._exit(OUT_OF_MEMORY)
    except RecursionError:
        text = "the derivation went deeper than Python's stack; try a simpler formula"
        return _packed(False, DerivationTimeout(text))
    except InputError as error:
        return _packed(False, error)
    except BaseException as error:
        return _failure(error)


def _packed(succeeded, outcome):
    """An outcome as bytes, read once: SymPy evaluates as it reads, and that too must fit the limits."""
    packed = pickle.dumps((succeeded, outcome))
    pickle.loads(packed)
    return packed


def _failure(error):
    """An unexpected error, or where it cannot travel or would end the parent, a RuntimeError like it."""
    error.add_note("in the worker:\n" + traceback.format_exc())
    if isinstance(error, Exception):
        try:
            return _packed(False, error)
        except Exception:
            pass
    return _packed(False, RuntimeError(f"{type(error).__name__}: {error}"))
