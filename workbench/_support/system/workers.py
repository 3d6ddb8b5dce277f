"""Calls in processes of their own, each of which is killed at its limit of time or memory.

SymPy, or whatever reads a visitor's file, can compute for hours inside one call that no thread could
interrupt, so such a call runs where it can be killed. The processes come from a *fork server*, itself started
fresh and with the imports done: a worker that was killed is replaced by a fork of it in milliseconds, where
*spawn* would import everything anew each time, and nothing is ever forked from a program that has threads,
locks and a running event loop. Each call has a thread that waits for its process.

Time is processor time, so that a busy machine stops nothing that an idle one would finish.
"""

import contextlib
import importlib
import math
import os
import pickle
import signal
import threading
import time
import traceback
from concurrent.futures import Future, InvalidStateError

import psutil

from workbench._support.errors import InputError
from workbench._support.system import processes
from workbench._support.system.schedule import Job, Schedule

WARM_LIMIT = 20.0  # seconds to start a process with its imports, which take about one
TIMEOUT = 20.0
TICK = 0.05  # seconds between two looks at the processor time of those that run
# By the clock a call may take so many times as long.
BACKSTOP = 10
CPU_MARGIN = 2  # seconds that the parent has to stop a call before the kernel does
OUT_OF_MEMORY = 81  # exit code; any number that nothing else uses
OUT_OF_TIME = -getattr(signal, "SIGXCPU", 0)  # the exit code where the kernel was first
# Who starts a process also asks which others have ended, and an exit code can be read once.
_changing = threading.Lock()


class Pending(Future):
    """The future of one call. Unlike others it can be cancelled while it runs.

    Its process dies where nobody else asked for the same.
    """

    def __init__(self, job, on_cancel):
        super().__init__()
        self.job, self._on_cancel = job, on_cancel

    def cancel(self):
        before = self.cancelled()
        if super().cancel() and not before:
            self.set_running_or_notify_cancel()  # tells those who wait
            self._on_cancel(self)
        return self.cancelled()

    def running(self):
        """Whether its process is at work on it."""
        return not self.done() and self.job.at_work


class Workers:
    """Runs functions in worker processes, each within its limits; a subclass says what `fault`s are.

    The functions and their arguments travel pickled, so a function stands at the top level of a module
    that the worker can import. Its errors come back as they were raised; whatever takes longer than
    its `timeout`, or more memory, is a fault, and the next call finds a fresh worker. The time that a worker
    needs to start does not count.

    Parameters
    ----------
    starter : multiprocessing.context.BaseContext
        Of `processes.starter`.
    modules : sequence of str
        What a worker imports before its first call, where the starter has not.
    memory : int
        Bytes that a call may take above what the imports took.
    places : int
        Workers at a time.
    quick : float
        Seconds of processor time after which a call may have to begin anew, once, for another
        visitor's; see `schedule`.
    niceness : int
        By how much workers stand back behind other processes.
    kept : int
        How many idle workers wait for whoever comes next; others return memory to the system.
    """

    def __init__(self, starter, modules, memory, places=1, quick=math.inf, niceness=0, kept=1):
        self.memory, self._kept = memory, kept
        self._start = lambda: _Worker(starter, modules, niceness)
        self._schedule, self._lock = Schedule(places, quick), threading.Lock()
        self._jobs, self._idle, self._threads = {}, [], set()  # jobs by key
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def fault(self, kind, job, worker):
        """The error of a job that was ended: "start", "time", "clock", "memory", "deep" or "broken"."""
        raise NotImplementedError

    def submit(self, function, *args, timeout=TIMEOUT, visitor=None, key=None, memory=None):
        """A `concurrent.futures.Future` of function(*args); returns at once.

        Parameters
        ----------
        function : callable
        timeout : float
            Seconds of processor time; by the clock it may take `BACKSTOP` times as long.
        visitor : object, optional
            Who asks: a visitor has one call at work at a time. By default nobody else.
        key : hashable, optional
            Those who ask with the same key while it is under way get one call's outcome.
        memory : int, optional
            In place of the workers' own.
        """
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout: {timeout!r} is no number of seconds above 0, such as {TIMEOUT:g}")
        payload = pickle.dumps((function, args))  # what cannot travel fails here, where it is passed
        key = object() if key is None else (key, timeout)
        with self._lock:
            if self.closed:
                raise RuntimeError(f"this {type(self).__name__} is closed; make another")
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = Job(key, payload, timeout, memory or self.memory)
                self._schedule.add(job)
            pending = Pending(job, self._leave)
            job.futures.append(pending)
            job.visitors.append(object() if visitor is None else visitor)
            self._begin()
        return pending

    def run(self, function, *args, timeout=TIMEOUT):
        """function(*args), computed in a worker."""
        pending = self.submit(function, *args, timeout=timeout)
        try:
            return pending.result()
        except BaseException:  # Ctrl-C too: then the worker is not to go on
            pending.cancel()
            raise

    def close(self):
        """Stop the workers and cancel what is under way."""
        with self._lock:
            self.closed = True
            queue = [pending for job in self._jobs.values() for pending in job.futures]
            threads = list(self._threads)
        for pending in queue:
            pending.cancel()
        for thread in threads:
            thread.join()
        while self._idle:
            self._idle.pop().stop()

    def _leave(self, pending):
        """One who asked does so no longer."""
        with self._lock:
            job = pending.job
            if pending not in job.futures:
                return
            place = job.futures.index(pending)
            del job.futures[place], job.visitors[place]
            if not job.futures:
                self._jobs.pop(job.key, None)  # who asks from now on begins anew
                if job in self._schedule.waiting:
                    self._schedule.end(job)
            self._begin()

    def _begin(self):
        """Start whose turn it is; with the lock."""
        while not self.closed and (job := self._schedule.start()) is not None:
            thread = threading.Thread(target=self._serve, args=(job,), name="worker", daemon=True)
            self._threads.add(thread)
            thread.start()

    # In the thread of a job

    def _serve(self, job):
        worker = None
        try:
            worker = self._idle_worker() or self._start()
            kind, result = self._outcome(job, worker)
        except _Stopped as stopped:
            kind, result = stopped.args[0], None
        except Exception as error:  # no process, or an outcome of which a module is missing here
            kind, result = "start" if worker is None else "raised", error
        job.at_work = False
        keeps = kind in ("found", "raised", "deep")
        with self._lock:
            keeps = keeps and len(self._idle) < self._kept and not self.closed
            if keeps:
                self._idle.append(worker)
        if worker is not None and not keeps:
            worker.stop()
        if kind == "ended":
            kind = {OUT_OF_TIME: "time", OUT_OF_MEMORY: "memory"}.get(worker.code, "broken")
            kind = kind if worker.ready else "start"
        if kind not in ("found", "raised", "left", "set back"):
            cause, result = result, self.fault(kind, job, worker)
            result.__cause__ = cause
        with self._lock:
            self._threads.discard(threading.current_thread())
            queue = []
            if kind == "set back":
                self._schedule.requeue(job)
            else:
                if self._jobs.get(job.key) is job:
                    del self._jobs[job.key]
                self._schedule.end(job)
                queue, job.futures, job.visitors = job.futures, [], []
            self._begin()
        for pending in queue:
            with contextlib.suppress(InvalidStateError):  # it was cancelled in the meantime
                (pending.set_result if kind == "found" else pending.set_exception)(result)

    def _idle_worker(self):
        """One that is warm, or None; one that has ended is no worker."""
        while True:
            with self._lock:
                worker = self._idle.pop() if self._idle else None
            if worker is None or worker.is_alive():
                return worker
            worker.stop()

    def _outcome(self, job, worker):
        """What the process says of a job: ("found", result), ("raised", error) or ("deep", None)."""
        if not worker.ready:
            self._receive(job, worker, WARM_LIMIT)
            worker.ready = True
        worker.begin()
        job.at_work = True
        with contextlib.suppress(OSError):  # it has just ended, as the next line hears
            worker.connection.send((job.payload, job.timeout, job.memory))
        return pickle.loads(self._receive(job, worker, job.timeout))

    def _receive(self, job, worker, limit):
        """What a worker says next; `_Stopped` where it ends, is at a limit or makes place for a newcomer."""
        while not worker.connection.poll(TICK):
            if worker.used > limit:
                raise _Stopped("time" if worker.ready else "start")
            if worker.elapsed > BACKSTOP * limit:
                raise _Stopped("clock")
            job.used = worker.used if worker.ready else 0.0
            with self._lock:
                if not job.futures:
                    raise _Stopped("left")
                if self._schedule.preempted() is job:
                    raise _Stopped("set back")
        try:
            return worker.connection.recv_bytes()
        except (EOFError, OSError):
            raise _Stopped("ended") from None


class _Stopped(Exception):
    """A job whose process does not answer, and why."""


class _Worker:
    """The parent's view of a worker process, which may still be starting."""

    def __init__(self, starter, modules, niceness):
        self.connection, theirs = starter.Pipe()
        self.process = starter.Process(target=_answer, args=(theirs, modules, niceness), daemon=True)
        with _changing:
            self.process.start()
        theirs.close()
        self.ready, self.code, self._last = False, None, 0.0
        try:
            self._times = psutil.Process(self.process.pid).cpu_times
        except psutil.Error:  # it has ended, as its connection will say
            self._times = None
        self.begin()

    def begin(self):
        """Count time from now on."""
        self._clock, self._before = time.monotonic(), self._processor()

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

    def is_alive(self):
        with _changing:
            return self.process.is_alive()

    def stop(self):
        """End the process, whatever it does; `code` is then its exit code."""
        with _changing:
            if self.process.is_alive():
                self.process.kill()
            self.process.join()
            self.code = self.process.exitcode
            self.process.close()
        self.connection.close()


def _answer(connection, modules, niceness):
    """What the process does: calls, until its parent closes the connection or ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    processes.limit("RLIMIT_CPU", math.ceil(time.process_time() + WARM_LIMIT + CPU_MARGIN))
    for module in modules:
        importlib.import_module(module)
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
    processes.limit("RLIMIT_CORE", 0)
    usage = psutil.Process().memory_info().vms
    try:
        connection.send_bytes(b"")
        while True:
            payload, timeout, memory = connection.recv()
            # Should the parent die, nobody else would stop a call that hangs.
            processes.limit("RLIMIT_CPU", math.ceil(time.process_time() + timeout + CPU_MARGIN))
            processes.limit("RLIMIT_AS", usage + memory)
            connection.send_bytes(_work(payload))
    except (EOFError, OSError):
        pass


def _work(payload):
    """The outcome of one call. It is pickled here, within the limits."""
    try:
        function, args = pickle.loads(payload)
        return _packed("found", function(*args))
    except MemoryError:
        # A process that ran out of memory keeps what filled it; a fresh one is certain to have room.
        os._exit(OUT_OF_MEMORY)
    except RecursionError:
        return _packed("deep", None)
    except BaseException as error:
        if not isinstance(error, InputError):
            error.add_note("in the worker:\n" + traceback.format_exc())
        if isinstance(error, Exception):
            try:
                return _packed("raised", error)
            except Exception:
                pass
        # It cannot travel, or would end the parent.
        return _packed("raised", RuntimeError(f"{type(error).__name__}: {error}"))


def _packed(kind, outcome):
    """An outcome as bytes, read once: SymPy evaluates as it reads, and that too must fit the limits."""
    packed = pickle.dumps((kind, outcome))
    pickle.loads(packed)
    return packed
