"""Derivations in processes of their own, each of which is killed at its limit of time or memory.

SymPy can compute for hours inside one call that no thread could interrupt, so a derivation runs where it
can be killed. The processes come from a *fork server*, itself started fresh and with SymPy imported: a
worker that was killed is replaced by a fork of it in milliseconds, where *spawn* would import SymPy anew
each time, and nothing is ever forked from a program that has threads, locks and a running event loop.

Time is processor time, so that a busy machine stops nothing that an idle one would finish.
"""

import atexit
import contextlib
import math
import os
import pickle
import threading
from concurrent.futures import Future, InvalidStateError
from multiprocessing import Pipe, connection

from workbench.convex.worker_process import (
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    WARM_LIMIT,
    Worker,
    warm,
)
from workbench.convex.worker_schedule import Job, Schedule
from workbench.errors import DerivationTimeout

TIMEOUT = 20.0  # seconds of processor time for one derivation
MEMORY = 2 * 2**30
TICK = 0.05  # seconds between two looks at the processor time of those that run
QUICK = 0.5  # seconds of processor time after which a derivation makes place for a newcomer
# By the clock a derivation may take so many times as long.
BACKSTOP = 10
# More processes than cores let a newcomer begin beside long derivations, which the system then slows down.
PLACES = min((os.cpu_count() or 1) + 2, 8)
# A server's pages come first; a machine with other things to do still lets derivations go on.
NICENESS = 5


class Derivation(Future):
    """The future of one derivation. Unlike others it can be cancelled while it runs.

    Its process dies where nobody else asked for the same.
    """

    def __init__(self, left):
        super().__init__()
        self._left = left
        self.job = None

    def cancel(self):
        before = self.cancelled()
        if super().cancel() and not before:
            self.set_running_or_notify_cancel()  # tells those who wait
            self._left(self)
        return self.cancelled()

    def running(self):
        """Whether its process is at work on it."""
        return not self.done() and self.job is not None and self.job.at_work

    def settle(self, outcome, error):
        """Take on what came out, unless it was cancelled in the meantime."""
        with contextlib.suppress(InvalidStateError):
            if error is not None:
                self.set_exception(error)
            else:
                self.set_result(outcome)


class Deriver:
    """Runs functions in worker processes, each within its limits.

    The functions and their arguments travel pickled, so a function stands at the top level of a module
    that the worker can import. An `InputError` comes back as it was raised; whatever takes longer than
    its `timeout`, or more than `memory` bytes, ends in a `DerivationTimeout`, and the next call finds a
    fresh worker. The time that a worker needs to start does not count.

    Parameters
    ----------
    memory : int
        Bytes that a worker may take.
    places : int
        Workers at a time.
    quick : float
        Seconds of processor time after which a derivation may have to begin anew, once, for another
        visitor's; see `worker_schedule`.
    niceness : int
        By how much workers stand back behind other processes.
    """

    def __init__(self, memory=MEMORY, places=1, quick=math.inf, niceness=0):
        self._memory, self._niceness = memory, niceness
        self._schedule, self._lock = Schedule(places, quick), threading.Lock()
        self._jobs = {}  # by key
        self._workers, self._idle = {}, []  # at work, by job; the others
        self._closed = self._thread = None
        self._hears, self._bell = Pipe(duplex=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def closed(self):
        """Whether it takes nothing any more."""
        return bool(self._closed)

    def submit(self, function, *args, timeout=TIMEOUT, visitor=None, key=None):
        """A `concurrent.futures.Future` of function(*args); returns at once.

        Parameters
        ----------
        function : callable
        timeout : float
            Seconds of processor time; by the clock it may take `BACKSTOP` times as long.
        visitor : object, optional
            Who asks: a visitor has one derivation at work at a time. By default nobody else.
        key : hashable, optional
            Those who ask with the same key while it is under way get one derivation's outcome.
        """
        if not 0 < timeout < math.inf:
            raise ValueError(f"timeout: {timeout!r} is no number of seconds above 0, such as {TIMEOUT:g}")
        payload = pickle.dumps((function, args))  # what cannot travel fails here, where it is passed
        derivation = Derivation(self._leave)
        key = object() if key is None else (key, timeout)
        with self._lock:
            if self._closed:
                raise RuntimeError("this Deriver is closed; make another")
            job = self._jobs.get(key)
            if job is None:
                job = self._jobs[key] = Job(key, payload, timeout)
                self._schedule.add(job)
            job.asked.append(derivation)
            job.visitors.append(object() if visitor is None else visitor)
            derivation.job = job
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="deriver", daemon=True)
                self._thread.start()
        self._ring()
        return derivation

    def run(self, function, *args, timeout=TIMEOUT):
        """function(*args), computed in a worker."""
        derivation = self.submit(function, *args, timeout=timeout)
        try:
            return derivation.result()
        except BaseException:  # Ctrl-C too: then the worker is not to go on
            derivation.cancel()
            raise

    def close(self):
        """Stop the workers and cancel what is under way."""
        with self._lock:
            self._closed = True
            asked = [derivation for job in self._jobs.values() for derivation in job.asked]
        for derivation in asked:
            derivation.cancel()
        if self._thread is not None:
            self._ring()
            self._thread.join()

    # From any thread

    def _ring(self):
        """Have the thread look after its jobs."""
        with contextlib.suppress(OSError):  # closed
            self._bell.send_bytes(b"")

    def _leave(self, derivation):
        """One who asked does so no longer."""
        with self._lock:
            job = derivation.job
            if job is None or derivation not in job.asked:
                return
            place = job.asked.index(derivation)
            del job.asked[place], job.visitors[place]
            if not job.asked:
                self._jobs.pop(job.key, None)  # who asks from now on begins anew
        self._ring()

    # In the thread, which alone has to do with processes

    def _run(self):
        try:
            while not self._closed:
                self._turn()
        finally:
            for worker in (*self._workers.values(), *self._idle):
                worker.stop()
            self._hears.close()
            with self._lock:
                self._closed = True
                left = list(self._jobs.values())
            for job in left:  # none, unless this thread broke down: nobody is to wait for ever
                self._finish(job, error=_no_process())

    def _turn(self):
        """Wait until something happens, and see to it."""
        busy = {worker: job for job, worker in self._workers.items()}
        heard = {self._hears: None}
        for worker in (*busy, *self._idle):
            heard |= {worker.connection: worker, worker.sentinel: worker}
        ready = connection.wait(list(heard), TICK if busy else None)
        while self._hears.poll():
            self._hears.recv_bytes()
        for worker in dict.fromkeys(heard[one] for one in ready if heard[one] is not None):
            if worker in busy:
                self._attend(busy[worker], worker)
            else:  # it has nothing to say, so it has ended
                self._idle.remove(worker)
                worker.stop()
        self._look_after()
        self._begin()

    def _attend(self, job, worker):
        """Hear what a worker says, or of its end."""
        try:
            # What was said before the end still counts.
            message = worker.connection.recv_bytes() if worker.connection.poll() else None
        except (EOFError, OSError):
            message = None
        if message is None:
            del self._workers[job]
            self._finish(job, error=_ended(worker.stop(), worker.ready, job.timeout, self._memory))
        elif not worker.ready:
            worker.ready = True
            self._set_to_work(job, worker)
        else:
            self._idle.append(self._workers.pop(job))
            try:
                succeeded, outcome = pickle.loads(message)
            except Exception as broken:  # it was read once in the worker; here a module may be missing
                succeeded, outcome = False, broken
            self._finish(job, **({"outcome": outcome} if succeeded else {"error": outcome}))

    def _look_after(self):
        """Stop what nobody waits for, what has reached a limit, and what makes place for a newcomer."""
        for job, worker in list(self._workers.items()):
            late = _late(worker, job.timeout)
            if late is not None or not job.asked:
                self._stop(job)
                self._finish(job, error=late)
            elif worker.ready:
                job.used = worker.used
        with self._lock:
            for job in [job for job in self._schedule.waiting if not job.asked]:
                self._schedule.end(job)
            while (job := self._schedule.victim()) is not None:
                self._stop(job)
                self._schedule.put_back(job)

    def _begin(self):
        """Start whose turn it is."""
        while True:
            with self._lock:
                job = self._schedule.start()
            if job is None:
                break
            try:
                worker = self._warm_worker() or Worker(warm, self._memory, self._niceness)
            except Exception as error:
                self._finish(job, error=_no_process(error))
                continue
            self._workers[job] = worker
            if worker.ready:
                self._set_to_work(job, worker)
        # One that is warm is enough for whoever comes next; others return memory to the system.
        while len(self._idle) > 1:
            self._idle.pop().stop()

    def _warm_worker(self):
        """An idle worker, or None; one that has ended is no worker."""
        while self._idle:
            worker = self._idle.pop()
            if worker.process.is_alive():
                return worker
            worker.stop()
        return None

    def _set_to_work(self, job, worker):
        job.at_work = True
        with contextlib.suppress(OSError):  # it has just ended, as its sentinel will say
            worker.send(job.payload, job.timeout)

    def _stop(self, job):
        job.at_work = False
        self._workers.pop(job).stop()

    def _finish(self, job, outcome=None, error=None):
        """Give those who asked what came out."""
        with self._lock:
            if self._jobs.get(job.key) is job:
                del self._jobs[job.key]
            self._schedule.end(job)
            asked, job.asked, job.visitors = job.asked, [], []
        for derivation in asked:
            derivation.settle(outcome, error)


# --- what ended a derivation from outside, as a user should read it


def _stopped(text, cause=None):
    error = DerivationTimeout(f"the derivation {text}")
    error.__cause__ = cause
    return error


def _late(worker, timeout):
    """The error for a worker that has reached a limit of time, or None."""
    limit = timeout if worker.ready else WARM_LIMIT
    used, elapsed = worker.used, worker.elapsed
    if used > limit:
        return _out_of_time(limit) if worker.ready else _no_process()
    if elapsed > BACKSTOP * limit:
        return _stopped(
            f"got {used:.1f} s of processor time within {elapsed:.0f} s and was stopped: "
            "the machine is busy, try again"
        )
    return None


def _out_of_time(timeout):
    return _stopped(
        f"took longer than {timeout:g} s of processor time and was stopped; try a simpler formula or a "
        "longer limit"
    )


def _no_process(cause=None):
    return _stopped(
        f"found no process that starts within {WARM_LIMIT:g} s of processor time and the limit of memory; "
        "raise that limit", cause
    )  # fmt: skip


def _ended(code, ready, timeout, memory):
    """The error for a process that came to an end at its work."""
    if not ready:
        return _no_process()
    if code == OUT_OF_TIME:
        return _out_of_time(timeout)
    if code == OUT_OF_MEMORY:
        return _stopped(
            f"needed more than {memory / 2**30:g} GiB of memory and was stopped; try a simpler formula or a "
            "larger limit"
        )
    return _stopped(f"broke down (exit code {code}), mostly for want of memory; try a simpler formula")


# --- the one that a server shares

_shared = {}
_lock = threading.Lock()
_divided = [1]


def share(processes):
    """Divide the places between so many processes of a server; before any of them serves."""
    _divided[:] = [processes]


def shared():
    """The one `Deriver` of this process, made at the first call and closed when Python ends."""
    with _lock:
        process = os.getpid()  # a fork of the program has threads of its own to start
        if process not in _shared or _shared[process].closed:
            places = max(2, PLACES // _divided[0])
            _shared[process] = Deriver(places=places, quick=QUICK, niceness=NICENESS)
            atexit.register(close_shared)
        return _shared[process]


def close_shared():
    """Close this process's shared `Deriver`, where there is one."""
    with _lock:
        deriver = _shared.pop(os.getpid(), None)
    if deriver is not None:
        deriver.close()
