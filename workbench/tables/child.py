"""Work on a visitor's file in a process of its own, with limits of memory and processor time.

    answer = await run(function, *arguments, visitor=ADDRESS, **READING)

The process imports what the function needs before its limits begin, takes the arguments as a pickle from its
parent, and answers with a pickle: the result, or the sentence that refuses. One waits in reserve, since its
imports take seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

from workbench.errors import InputError

# What a job may take above what the imports took, and how long: reading a file, or fitting it as well.
READING = {"memory": 512, "seconds": 8}
FITTING = {"memory": 1536, "seconds": 90}
# The parent's patience by the clock, times the processor time.
PATIENCE = 10
WARM = ("workbench.tables.uploads", "workbench.tables.fitting", "pandas", "sklearn.datasets", "pyarrow.parquet")
# A server has other visitors.
NICENESS = 5
CANCELLED = "Cancelled, since something else was asked for."
_reserve, _lock = [], threading.Lock()
_places = ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1), thread_name_prefix="tables")
_turns = weakref.WeakValueDictionary()


class Cancelled(InputError):
    """The job was ended by whoever asked for it."""


class Job:
    """One call in a process of its own.

    Parameters
    ----------
    function : callable
        Of a module, by whose name the process finds it.
    *arguments
        What a pickle takes.
    memory : int
        Megabytes of address space beyond those after the imports.
    seconds : int
        Of processor time.
    """

    def __init__(self, function, *arguments, memory, seconds):
        self.limits = memory, seconds
        self.request = pickle.dumps((function.__module__, function.__qualname__, arguments, memory, seconds))
        self.cancelled, self._process, self._guard = False, None, threading.Lock()

    def wait(self):
        """The function's result.

        Raises
        ------
        InputError
            The function's own, or that a limit was reached.
        Cancelled
        """
        with self._guard:
            if self.cancelled:
                raise Cancelled(CANCELLED)
            self._process = process = _taken()
        try:
            answer, _ = process.communicate(self.request, timeout=PATIENCE * self.limits[1])
        except subprocess.TimeoutExpired:
            answer = b""
        finally:
            _end(process)
        if self.cancelled:
            raise Cancelled(CANCELLED)
        if process.returncode in (-signal.SIGXCPU, -signal.SIGKILL) or not answer:
            raise InputError(self._said(process.returncode))
        kind, found = pickle.loads(answer)
        if kind == "memory":
            raise InputError(self._said(None))
        if kind == "refused":
            raise found
        if kind == "failed":
            raise RuntimeError(found)
        return found

    def cancel(self):
        """End it, at whatever place it is."""
        with self._guard:
            self.cancelled = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

    def _said(self, code):
        memory, seconds = self.limits
        if code is None:
            return f"The file takes more than {memory} MB of memory here; take a part of its rows or columns."
        if code == -signal.SIGXCPU:
            return (
                f"The file takes more than {seconds} s of processor time here; take a part of its rows or "
                "columns."
            )
        return "The file ended the process that read it; take a part of its rows, or save it anew."


async def run(function, *arguments, visitor=None, **limits):
    """The result of a job, which is cancelled when whoever awaits it is.

    Parameters
    ----------
    function, *arguments, **limits
        As for `Job`.
    visitor : str, optional
        Each has one job at a time; others of the same one wait.
    """
    turn = _turns.setdefault(visitor, asyncio.Lock()) if visitor else contextlib.nullcontext()
    async with turn:
        job = Job(function, *arguments, **limits)
        try:
            return await asyncio.get_running_loop().run_in_executor(_places, job.wait)
        finally:
            job.cancel()


def reserve():
    """Have a process ready for the next job."""
    with _lock:
        if not _reserve:
            _reserve.append(_begun())


def close():
    """End the process in reserve."""
    with _lock:
        while _reserve:
            _end(_reserve.pop())


def _taken():
    with _lock:
        process = _reserve.pop() if _reserve else None
        if process is None or process.poll() is not None:
            process = _begun()
        _reserve[:] = [_begun()]
    return process


def _begun():
    # One thread each: the machine's others belong to other visitors.
    one = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
    one["ARROW_DEFAULT_MEMORY_POOL"] = "system"  # others reserve more address space than they use
    return subprocess.Popen(
        [sys.executable, "-m", "workbench.tables.child"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=os.environ | one,
    )  # fmt: skip


def _end(process):
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):
            pipe.close()
    process.wait()


def _limit(memory, seconds):
    """Hold this process to its limits from here on."""
    import resource

    import psutil

    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    limits = {
        resource.RLIMIT_CPU: int(spent + seconds) + 1, resource.RLIMIT_CORE: 0,
        resource.RLIMIT_AS: psutil.Process().memory_info().vms + memory * 2**20,
    }  # fmt: skip
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, hard))


def main():
    """Answer one request."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    for name in WARM:
        with contextlib.suppress(ImportError):  # pyarrow is an extra
            importlib.import_module(name)
    request = sys.stdin.buffer.read()
    if not request:
        return
    module, name, arguments, memory, seconds = pickle.loads(request)
    del request
    function = getattr(importlib.import_module(module), name)
    _limit(memory, seconds)
    try:
        answer = pickle.dumps(("found", function(*arguments)))
    except InputError as error:
        answer = pickle.dumps(("refused", error))
    except MemoryError:
        answer = pickle.dumps(("memory", ""))
    except Exception as error:
        answer = pickle.dumps(("failed", f"{type(error).__name__}: {error}"))
    answers.write(answer)
    answers.flush()


if __name__ == "__main__":
    main()
