"""Who is served next where several ask for calls in processes, by rules that know no clock.

Requests start in turns: a visitor has one call at work, and of several who wait the one goes first
who has had a turn the longest time ago. Nobody knows beforehand how long a call takes, so each
starts as if it were short. Where all places are taken, one that has had its quick seconds is *set back* for
a newcomer: it is stopped and begins anew in its turn, once at most. Those that were set back never take
the last place, so a newcomer waits for nobody's quick seconds but those of other newcomers.
"""

import itertools
import math


class Job:
    """One request, of all who ask for the same.

    Attributes
    ----------
    visitors : list
        Of those who still wait for it, in the order of asking.
    used : float
        Seconds of processor time that its present run has taken.
    set_back : bool
        Whether it was stopped for others.
    at_work : bool
        Whether a process has it.
    """

    def __init__(self, key, payload, timeout, memory=0):
        self.key, self.payload, self.timeout, self.memory = key, payload, timeout, memory
        self.futures = []  # the futures of those who wait, as many as visitors
        self.visitors = []
        self.used, self.set_back, self.at_work, self.order = 0.0, False, False, 0


class Schedule:
    """The jobs that wait and those that run.

    Parameters
    ----------
    places : int
        How many may run at a time.
    quick : float
        Seconds of processor time after which a job may be set back; infinite where it never is.
    """

    def __init__(self, places=1, quick=math.inf):
        self.places, self.quick = places, quick
        self.waiting, self.running = [], []
        self._count = itertools.count()
        self._turns = {}  # of each visitor with jobs: when the last one started

    def add(self, job):
        """Have a job wait for its turn."""
        job.order = next(self._count)
        self.waiting.append(job)

    def start(self):
        """The job whose turn it is, which runs from now on; None where there is no place or no job."""
        startable = [job for job in self.waiting if self._may_start(job)]
        if not startable:
            return None
        # Beyond one place, those that were set back wait for newcomers.
        later = any(job.set_back for job in self.running)
        job = min(startable, key=lambda job: (job.set_back and later, self._last_turn(job), job.order))
        self.waiting.remove(job)
        self.running.append(job)
        job.used = 0.0
        for visitor in job.visitors:
            self._turns[visitor] = next(self._count)
        return job

    def preempted(self):
        """The running job to be set back for a newcomer who finds no place, or None."""
        waits = any(not job.set_back and self._is_free(job) for job in self.waiting)
        if not waits or len(self.running) < self.places:
            return None
        ripe = [job for job in self.running if not job.set_back and job.used >= self.quick]
        return min(ripe, key=lambda job: job.used, default=None)

    def requeue(self, job):
        """Have a running job, whose process is stopped, begin anew in its turn."""
        self.running.remove(job)
        job.set_back = True
        for visitor in job.visitors:
            self._turns.pop(visitor, None)  # it was none
        self.add(job)

    def end(self, job):
        """Forget a job that is done, or that nobody waits for any longer."""
        for jobs in (self.waiting, self.running):
            if job in jobs:
                jobs.remove(job)
        present = {visitor for job in (*self.waiting, *self.running) for visitor in job.visitors}
        self._turns = {visitor: turn for visitor, turn in self._turns.items() if visitor in present}

    def _may_start(self, job):
        if len(self.running) >= self.places or not self._is_free(job):
            return False
        others = sum(other.set_back for other in self.running)
        return not job.set_back or others < max(self.places - 1, 1)

    def _is_free(self, job):
        """Whether one of its visitors has nothing at work."""
        busy = {visitor for other in self.running for visitor in other.visitors}
        return any(visitor not in busy for visitor in job.visitors)

    def _last_turn(self, job):
        return min(self._turns.get(visitor, -1) for visitor in job.visitors)
