"""The stopping criterion of all solvers, which knows runs only by what they show.

    converged    the certified relative gap of the present point is small enough, rounding included
    precision    the gap is small enough, but what rounding leaves open of it is not; or the gap is within
                 that rounding and falls no further
    infeasible   the losses are infinite at all weights, as a dual ray proves
    diverged     the problem has no minimum, the dual objective or an entry of the iterate grows without end,
                 or the solver says why it cannot go well
    interrupted  the caller asked for it
    stalled      no step changes the iterate any more, or the solver does none, as by a criterion of its own
    max_epochs   the run was long enough

They are looked at in this order. No solver holds a stopping rule, and no run converges on an estimate: that
only decides when a certificate is worth its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from workbench._support.names import check_number
from workbench.problems import attainable, feasibility

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench._support.annotations import Floats
    from workbench.certificates.assembly import Certificate
    from workbench.solvers.contract import Solver
    from workbench.solvers.run import Run


Status: TypeAlias = Literal[
    "converged", "precision", "infeasible", "diverged", "interrupted", "stalled", "max_epochs"
]
# None before a run has ended.
STATUSES = (None, *get_args(Status))
# A dual objective that has fallen this many times P(0) below the first one, of a solver whose iterate it
# belongs to, only comes from a step size that diverges: every convergent rule improves on its start.
DIVERGENCE = 1e3
# What helps where rounding is what remains.
PRECISION = (
    "rounding in the data's own numbers is what remains of the gap: centre and standardize the features "
    "(sklearn.preprocessing.StandardScaler), or ask for a larger gap"
)
# A run without a limit does this many epochs.
EPOCHS = 1000
# Where a solver estimates its gap, a certificate is due after this many epochs even without good news, or
# after this many seconds of solving since the last one (only runs that long depend on the clock).
FIRST_DUE, PATIENCE = 64.0, 5.0
# A gap this small is compared with what rounding leaves open once some certificates did not make it smaller.
ROUNDED, RESTING = 1e-10, 5


class Verdict(NamedTuple):
    """The verdict of a criterion on a certified point."""

    status: Status | None = None  # None to go on
    reason: str | None = (
        None  # why the run is infeasible, diverged, stalled or ran out of precision, with what helps
    )


class Stopping:
    """The criterion of a run.

    A run calls `begin`, then `is_due` after each slice of steps; where that holds it certifies the state and
    calls `judge`. `exhausted` is for a run that has no steps left. Another criterion inherits from this one
    and goes into `run.follow`, or into `run.stopping` where a page paces the run itself.

    Parameters
    ----------
    gap : float
        The relative gap that counts as converged.
    max_epochs : float, optional
        The most epochs that the run may have done at the end; 1,000 where not given.
    stop : callable, optional
        Asked between slices; once it has said true it is not asked again.
    """

    def __init__(
        self, gap: float = 1e-6, max_epochs: float | None = None, stop: Callable[[], bool] | None = None
    ) -> None:
        self.aim(gap, max_epochs)
        self.stop = None if stop is None else _Latch(stop)
        self.before: Floats = np.empty(0)
        self.still = 0
        self.due, self.trust = FIRST_DUE, 1.0
        self.promise: float | None = None

    def aim(self, gap: float, max_epochs: float | None = None) -> None:
        """Another gap and another limit for a run that goes on."""
        self.gap = check_number("run", "gap", gap, at_least=0.0, usual=1e-6)
        most = EPOCHS if max_epochs is None else max_epochs
        self.max_epochs = check_number("run", "max_epochs", most, above=0.0, usual=EPOCHS)

    def begin(self, run: Run) -> None:
        """Take note of the iterate before the next steps."""
        self.before = run.solver.iterate(run.state).copy()
        self.still = 0

    def is_followed(self, run: Run) -> bool:
        """Return True if another solver may continue from where the run ends."""
        return False

    def is_met(self, certificate: Certificate) -> bool:
        """Return whether the point of this certificate is good enough."""
        return certificate.relative_gap <= self.gap

    def met(self, certificate: Certificate) -> Verdict | None:
        """Return the `Verdict` on a point that is good enough, judged with rounding; None if it is not."""
        if not self.is_met(certificate):
            return Verdict("precision", PRECISION) if certificate.is_within(self.gap) else None
        share = certificate.relative_interval
        if share is None or share <= self.gap:
            return Verdict("converged")
        # Further steps may still help where the gap is the larger part.
        reason = PRECISION + certificate.interval_advice
        return Verdict("precision", reason) if _is_mostly_rounding(certificate) else None

    def is_due(self, run: Run) -> bool:
        """Return whether to certify the present state: always, or if the solver's estimate is small enough.

        A certificate is also due where the run ends, where it was asked to stop, whenever the epochs
        have doubled and after some seconds. Where one falls short of the estimate, the next must promise
        more.
        """
        estimate = run.solver.estimate(run.centred, run.state)
        promised = estimate is not None and estimate * self.trust <= self.gap
        self.promise = estimate if promised else None
        waited = run.seconds - run.rows[-1]["seconds"] >= PATIENCE
        late = waited or run.epochs >= min(self.due, self.max_epochs)
        if not (estimate is None or promised or late or self._is_stopped()):
            return False
        self.due = max(self.due, 2.0 * run.epochs)
        return True

    def judge(self, run: Run, certificate: Certificate) -> Verdict:
        """Judge the present state by its certificate, as a `Verdict`."""
        iterate = run.solver.iterate(run.state)
        rested = np.array_equal(self.before, iterate)
        np.copyto(self.before, iterate)
        if self.promise is not None and not self.is_met(certificate):
            promise = max(self.promise, np.finfo(float).tiny)
            self.trust = max(1.0, float(certificate.relative_gap) / float(promise))
        met = self.met(certificate)
        if met is not None:
            return met
        if run.ray is not None:
            return Verdict("infeasible", feasibility.sentence(run.problem, run.ray))
        if attainable.is_endless(run.problem, certificate):
            return Verdict("diverged", attainable.endless(run.problem, certificate))
        reason = run.solver.trouble(run.state)
        if reason is None and is_growing(run, run.rows[0]["dual"], certificate):
            reason = growing(run.solver)
        if reason is not None:
            return Verdict("diverged", reason)
        if self._is_stopped():
            return Verdict("interrupted")
        self.still = self.still + 1 if rested else 0
        if self.still >= run.solver.patience:
            return Verdict("stalled")
        if _is_rounding(run, certificate):
            return Verdict("precision", PRECISION)
        return Verdict("max_epochs" if run.epochs >= self.max_epochs else None)

    def exhausted(self, run: Run) -> Verdict:
        """Judge a run that can take no further step: "max_epochs", or "stalled" if epochs are left."""
        short = run.steps_left(self.max_epochs) > 0
        return Verdict("stalled", run.solver.ending(run.state)) if short else Verdict("max_epochs")

    def _is_stopped(self) -> bool:
        return self.stop is not None and self.stop()


def _is_rounding(run: Run, certificate: Certificate) -> bool:
    """Return whether the gap has stopped falling and rounding leaves as much open, or all digits hold."""
    if not certificate.relative_gap <= ROUNDED:
        return False
    # A prediction that is off by one rounding error misses a smooth loss by the square of it.
    if certificate.gap <= np.finfo(float).eps ** 2 * run.problem.gap_scale:
        return True
    gaps = [row["gap"] for row in run.rows]
    rests = gaps.index(min(gaps)) < len(gaps) - RESTING
    return rests and certificate.interval is not None and _is_mostly_rounding(certificate)


def _is_mostly_rounding(certificate: Certificate) -> bool:
    """Return whether the gap is the smaller part of the interval."""
    lower, upper = certificate.interval or (-np.inf, np.inf)
    return 2.0 * certificate.gap <= upper - lower


def is_growing(run: Run, first: float, certificate: Certificate) -> bool:
    """Return whether the iterate grows without end, where the dual objective was `first` at the start."""
    fallen = first - certificate.dual if run.solver.holds_dual else 0.0
    iterate = run.solver.iterate(run.state)
    return fallen > DIVERGENCE * run.problem.zero_value or not np.isfinite(iterate).all()


def growing(solver: Solver) -> str:
    """Explain that the iterate grows without end."""
    return f"{solver.name}: the iterate grows without end; {solver.advice}"


class _Latch:
    """A stop request that, once made, stays."""

    def __init__(self, ask: Callable[[], bool]) -> None:
        self.ask, self.made = ask, False

    def __call__(self) -> bool:
        self.made = self.made or bool(self.ask())
        return self.made
