"""Work on a visitor's file in a process of its own, with limits of memory and processor time.

    answer = await run(function, *arguments, visitor=ADDRESS, **READING)

The process imports what the function needs before its limits begin, takes the arguments as a pickle from its
parent, and answers with a pickle: the result, or the sentence that refuses. It takes further jobs unless a
limit was reached; one waits in reserve, since its imports take seconds.
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
WARM = (
    "workbench.tables.uploads", "workbench.tables.fitting", "pandas", "sklearn.datasets", "pyarrow.parquet",
)  # fmt: skip
# A server has other visitors.
NICENESS = 5
# Processes that wait for jobs; the answers after which one takes another, and the bytes it may have grown by.
KEPT, AGAIN, GROWN = 2, ("found", "refused"), 128 * 2**20
# How an answer begins: whether the process takes another job.
STAYS, ENDS = b"+", b"-"
# Exit codes, which Windows does not have.
OUT_OF_TIME, KILLED = (-getattr(signal, name, 0) or None for name in ("SIGXCPU", "SIGKILL"))
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
        late = threading.Timer(PATIENCE * (2 + self.limits[1]), process.kill)
        late.start()
        kind, found, stays = None, None, False
        try:
            _send(process.stdin, self.request)
            answer = _received(process.stdout)
            if answer is not None:
                stays, (kind, found) = answer.startswith(STAYS), pickle.loads(answer[len(STAYS) :])
        except OSError:
            pass
        finally:
            late.cancel()
            with self._guard:
                self._process = None
            _given_back(process, stays and not self.cancelled)
        if self.cancelled:
            raise Cancelled(CANCELLED)
        if kind == "refused":
            raise found
        if kind == "failed":
            raise RuntimeError(found)
        if kind != "found":
            raise InputError(self._said(None if kind == "memory" else process.returncode))
        return found

    def cancel(self):
        """End it, at whatever place it is."""
        with self._guard:
            self.cancelled = True
            if self._process is not None:
                self._process.kill()

    def _said(self, code):
        memory, seconds = self.limits
        if code is None:
            return f"The file takes more than {memory} MB of memory here; take a part of its rows or columns."
        if code == OUT_OF_TIME:
            return (
                f"The file takes more than {seconds} s of processor time here; take a part of its rows or "
                "columns."
            )
        if code == KILLED:
            return "The machine is too busy to go on with the file; try again in a minute."
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
    """A process that waits, or a new one; another begins meanwhile where none is left."""
    with _lock:
        while _reserve and _reserve[-1].poll() is not None:
            _end(_reserve.pop())
        process = _reserve.pop() if _reserve else _begun()
        if not _reserve:
            _reserve.append(_begun())
    return process


def _given_back(process, again):
    """Keep a process for the next job, or end it."""
    with _lock:
        if again and process.poll() is None and len(_reserve) < KEPT:
            _reserve.append(process)
            return
    _end(process)


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


def _send(file, content):
    file.write(len(content).to_bytes(8, "little"))
    file.write(content)
    file.flush()


def _received(file):
    """The next message, None where the other side has ended."""
    size = file.read(8)
    content = file.read(int.from_bytes(size, "little")) if len(size) == 8 else b""
    return content if content and len(content) == int.from_bytes(size, "little") else None


def _limit(memory, seconds):
    """Hold this process to its limits from here on; later jobs have limits of their own."""
    try:
        import resource
    except ImportError:  # no such limits on Windows
        return
    spent = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    limits = {resource.RLIMIT_CPU: int(spent + seconds) + 1, resource.RLIMIT_CORE: 0,
              resource.RLIMIT_AS: memory}  # fmt: skip
    for kind, most in limits.items():
        hard = resource.getrlimit(kind)[1]
        resource.setrlimit(kind, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _answer(request, idle):
    module, name, arguments, memory, seconds = pickle.loads(request)
    function = getattr(importlib.import_module(module), name)
    _limit(idle + memory * 2**20, seconds)
    try:
        answer = "found", function(*arguments)
        return answer[0], pickle.dumps(answer)
    except InputError as error:
        answer = "refused", error
    except MemoryError:
        answer = "memory", ""
    except Exception as error:
        answer = "failed", f"{type(error).__name__}: {error}"
    return answer[0], pickle.dumps(answer)


def main():
    """Answer requests until there are none, or memory does not come back."""
    import psutil

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    for name in WARM:
        with contextlib.suppress(ImportError):  # pyarrow is an extra
            importlib.import_module(name)
    memory = psutil.Process().memory_info
    idle = memory().vms
    while (request := _received(sys.stdin.buffer)) is not None:
        kind, answer = _answer(request, idle)
        stays = kind in AGAIN and memory().vms <= idle + GROWN + len(answer)
        _send(answers, (STAYS if stays else ENDS) + answer)
        if not stays:
            return


if __name__ == "__main__":
    main()
