"""`auto`: the solvers of the rule in turn, each from the best point of those before."""

import itertools
from typing import NamedTuple

import numpy as np

from workbench._support.display.progress import watched
from workbench._support.errors import InputError
from workbench.problems import attainable
from workbench.solvers import auto
from workbench.solvers.run import Run
from workbench.solvers.stopping import EPOCHS, PATIENCE, ROUNDED, Stopping, Verdict

# Without a limit the solvers take turns, from the second round on longer ones by this share of all epochs so
# far, until this many seconds of solving have passed.
SECONDS, LONGER = 30.0, 0.5
# After this many epochs, or the seconds after which a certificate is due, a solver is judged by how its gap
# falls.
TRIAL = 30


class Start(NamedTuple):
    """The point from which a solver goes on, as `workbench.solvers.warm_start` reads it."""

    w: np.ndarray | None
    b: object
    alpha: np.ndarray
    w_embedded: np.ndarray | None
    multipliers: np.ndarray | None

    @classmethod
    def of(cls, problem, best):
        """Take the point of a certificate as a start."""
        w, b = (None, best.b) if problem.kernel is not None else problem.split(best.w, best.b)
        return cls(w, b, best.alpha, best.w, best.multipliers)


def solve_in_turn(
    problem, gap=1e-6, max_epochs=None, seed=0, test=None, warm_start=None, stop=None, watch=watched
) -> list[Run]:
    """Solve by the rule of `workbench.solvers.auto`; returns the run of each solver that had its turn.

    A solver that gets no further, or whose gap falls too slowly, hands its best point to the next one.

    Parameters
    ----------
    problem, seed, test, warm_start
        As for `Run`.
    gap, max_epochs, stop
        As for `Run.until`; the limit is that of all epochs.
    watch : callable
        Takes the certificates of a run, the run and the gap, and gives the certificates.
    """
    runs = [Run(problem, auto.NAME, seed=seed, test=test, warm_start=warm_start)]
    while True:
        run, turn = runs[-1], Turn(gap, max_epochs, stop, runs[:-1])
        for _ in watch(run.follow(turn), run, gap):
            pass
        best = min(
            (run.best for run in runs if run.best is not None), key=lambda certificate: certificate.gap
        )
        choice = turn.following(run) if best.relative_gap > ROUNDED else None
        if choice is None or (max_epochs is not None and turn.total(run) >= max_epochs):
            return runs
        start = Start.of(problem, best)
        try:
            runs.append(Run(problem, choice.solver, seed=seed, test=test, warm_start=start))
        except InputError:  # of a start that this solver does not take
            runs.append(Run(problem, choice.solver, seed=seed, test=test))
        runs[-1].why = run.why
        if choice.solver.name not in {run.solver.name for run in runs[:-1]}:
            left = f"{run.solver.name} left a relative gap of {best.relative_gap:.1e}"
            runs[-1].why += f"; {left}, and {choice.solver.name} went on from there"


class Turn(Stopping):
    """The criterion of one solver among several.

    A run whose gap falls too slowly has stalled, where a solver that scales do not slow is left.

    Parameters
    ----------
    gap, max_epochs, stop
        As for `Stopping`; the limit is that of all runs together.
    earlier : list of Run
        Those before.
    """

    def __init__(self, gap, max_epochs, stop, earlier):
        self.epochs, self.seconds = (sum(getattr(run, of) for run in earlier) for of in ("epochs", "seconds"))
        self.is_open, self.is_slow = max_epochs is None, False
        limit = max(EPOCHS, LONGER * self.epochs) if self.is_open else max_epochs - self.epochs
        super().__init__(gap, limit, stop)

    def total(self, run):
        """Return the epochs of all runs until now."""
        return self.epochs + run.epochs

    def judge(self, run, certificate):
        """Judge the present state by its certificate, as a `Verdict`."""
        verdict = super().judge(run, certificate)
        if verdict.status is not None:
            return verdict
        if self.is_open and self.total(run) >= EPOCHS and not self.seconds_left(run):
            return Verdict("max_epochs")
        # Another method of first order would be as slow, and would begin anew.
        self.is_slow = self._falls_slowly(run) and next(self._behind(run, scale_free=True), None) is not None
        return Verdict("stalled") if self.is_slow else verdict

    def following(self, run):
        """Choose the solver that continues after a run has ended, as an `auto.Choice`; None for no solver.

        The first one again, behind the last, where time is left and each of them has only run out of epochs.
        """
        again = run.status == "max_epochs" and self.seconds_left(run) > 0.0
        is_left = again or run.status in ("stalled", "diverged")
        if not is_left or attainable.is_endless(run.problem, run.last):
            return None
        first = auto.taking(run.centred) if again else ()
        return next(itertools.chain(self._behind(run, self.is_slow), first), None)

    def is_followed(self, run):
        """Check if another solver may continue from where the run ends."""
        return self.seconds_left(run) > 0.0 or next(self._behind(run), None) is not None

    def seconds_left(self, run):
        """Seconds of solving until runs without a limit end; 0 for those with one."""
        return max(0.0, SECONDS - self.seconds - run.seconds) if self.is_open else 0.0

    def _behind(self, run, scale_free=False):
        behind = auto.taking(run.centred, after=run.solver.name)
        return (choice for choice in behind if choice.solver.scale_free or not scale_free)

    def _falls_slowly(self, run):
        """Check if the gap, falling as in the later half of the epochs so far, will not be small in time."""
        if run.epochs == 0.0 or (run.epochs < TRIAL and run.seconds < PATIENCE):
            return False
        left = self.max_epochs - run.epochs
        if self.is_open and run.seconds > 0.0:
            left = min(left, self.seconds_left(run) * run.epochs / run.seconds)
        rows = (row for row in run.rows if row["epoch"] <= 0.5 * run.epochs)
        gap, epoch = min((row["gap"], -row["epoch"]) for row in rows)
        with np.errstate(all="ignore"):
            rate = np.log(gap / run.best.gap) / (run.epochs + epoch)
            needed = np.log(run.best.relative_gap / max(self.gap, ROUNDED))
        return bool(needed > rate * left)
