"""Work on a visitor's file in a process of its own, with limits of memory and processor time.

    answer = await run(function, *arguments, visitor=ADDRESS, **READING)

The process is a copy of one that has imported what the function needs, so it begins at once, and it ends with
its answer: the result, or the sentence that refuses.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import signal
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

from workbench.errors import InputError
from workbench.system import processes

# What a job may take above what the imports took, and how long: reading a file, or fitting it as well.
READING = {"memory": 512, "seconds": 8}
FITTING = {"memory": 1536, "seconds": 90}
# The parent's patience by the clock, times the processor time.
PATIENCE = 10
WARM = (
    "workbench.tables.uploads", "workbench.tables.fitting", "pandas", "sklearn.datasets", "pyarrow.parquet",
)  # fmt: skip
# One thread each: the machine's others belong to other visitors. Other pools of memory than the system's
# reserve more address space than they use.
ALONE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")
ALONE["ARROW_DEFAULT_MEMORY_POOL"] = "system"
# A server has other visitors.
NICENESS = 5
# Exit codes, which Windows does not have.
OUT_OF_TIME, KILLED = (-getattr(signal, name, 0) or None for name in ("SIGXCPU", "SIGKILL"))
CANCELLED = "Cancelled, since something else was asked for."
_places = ThreadPoolExecutor(max_workers=max(2, os.cpu_count() or 1), thread_name_prefix="tables")
_turns = weakref.WeakValueDictionary()
# Who starts a process also asks which others have ended, and an exit code can be read once.
_changing = threading.Lock()
_context, reserve = processes.starter(WARM, ALONE)


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
        self.limits, self.call = (memory, seconds), (function, arguments)
        self.cancelled, self._process, self._guard = False, None, threading.Lock()

    def wait(self):
        """The function's result.

        Raises
        ------
        InputError
            The function's own, or that a limit was reached.
        Cancelled
        """
        if self.cancelled:
            raise Cancelled(CANCELLED)
        answers, theirs = _context.Pipe(duplex=False)
        process = _context.Process(target=_work, args=(theirs, *self.call, *self.limits), daemon=True)
        with _changing:
            process.start()
        theirs.close()
        with self._guard:
            self._process = process
            if self.cancelled:
                process.kill()
        late = threading.Timer(PATIENCE * (2 + self.limits[1]), process.kill)
        late.start()
        try:
            kind, found = pickle.loads(answers.recv_bytes())
        except (EOFError, OSError):
            kind = None
        late.cancel()
        late.join()
        with self._guard:
            self._process = None
        answers.close()
        with _changing:
            process.join()
            code = process.exitcode
            process.close()
        if self.cancelled:
            raise Cancelled(CANCELLED)
        if kind == "found":
            return found
        if kind == "refused":
            raise found
        if kind == "failed":
            raise RuntimeError(found)
        raise InputError(self._said(kind, code))

    def cancel(self):
        """End it, at whatever place it is."""
        with self._guard:
            self.cancelled = True
            if self._process is not None:
                self._process.kill()

    def _said(self, kind, code):
        memory, seconds = self.limits
        if kind == "memory":
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


def _work(answers, function, arguments, memory, seconds):
    """What the process does; its answer is pickled within the limits."""
    import psutil

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with contextlib.suppress(OSError, AttributeError):
        os.nice(NICENESS)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.__stderr__.fileno())
    processes.limit("RLIMIT_CPU", int(time.process_time() + seconds) + 1)
    processes.limit("RLIMIT_AS", psutil.Process().memory_info().vms + memory * 2**20)
    processes.limit("RLIMIT_CORE", 0)
    try:
        answer = pickle.dumps(("found", function(*arguments)))
    except InputError as error:
        answer = pickle.dumps(("refused", error))
    except MemoryError:
        answer = pickle.dumps(("memory", ""))
    except Exception as error:
        answer = pickle.dumps(("failed", f"{type(error).__name__}: {error}"))
    answers.send_bytes(answer)
