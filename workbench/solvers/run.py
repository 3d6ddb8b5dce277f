"""A run: one solver on one problem, step by step or at full speed, with its certified history."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from workbench import solvers
from workbench._support.display import Carded
from workbench._support.errors import InputError, WorkbenchWarning
from workbench._support.names import check_number, check_whole
from workbench._support.system import extras
from workbench.certificates import Certificate, certify
from workbench.certificates.assembly import TINY
from workbench.problems.held_out import HeldOut
from workbench.problems.problem import Problem, check_problem
from workbench.problems.regularizers.norm_transfers import NormTransfer
from workbench.solvers import auto, unconverged
from workbench.solvers.iteration import epochs, steps
from workbench.solvers.stopping import Stopping

if TYPE_CHECKING:
    import pandas as pd

    from workbench._support.annotations import Floats
    from workbench.solvers.stopping import Status

# A stop is asked for within an epoch, too, after this number of seconds; slices grow by that factor.
ATTENTION, SLICE_GROWTH = 0.25, 4
# The largest number of steps in one call of a solver where no stop is asked for.
MANY = 4096
# A run crawls if after this number of epochs the second half of them left this share of the gap, or more,
# and the relative gap is not yet as small as this.
CRAWL, SLOW, NEAR = 100, 0.3, 1e-5


class Run(Carded):
    """One solver on one problem.

    Parameters
    ----------
    problem : Problem
    solver : str or Solver, optional
        A name or an object of `workbench.solvers`, or one of your own, see `workbench.solvers.contract`;
        "auto" for the first one of the rule of `workbench.solvers.auto`; Gauss-Seidel without shrinking where
        not given.
    seed : int
        Fixes the order of a shuffled run.
    test : (X_test, y_test), optional
        Held-out samples whose score stands in the history.
    warm_start : Solution, dict or array_like, optional
        Where to start, see `workbench.solvers.warm_start`: a `Solution` of this problem or a similar one, or
        {"w": ..., "b": ...} or {"alpha": ...}, of which each solver takes what it needs. An array holds
        dual variables for a solver of the dual, weights for one of the primal.

    Attributes
    ----------
    centred : Problem
        The problem as its solver sees it: `problem.centred`, which is `problem` itself where no column is far
        from zero and no kernel is factored.
    state : State
        The solver's arrays, changed in place by every step; those of `centred`.
    steps : int
    epochs : float
        Steps over `epoch_steps`; an epoch is n coordinate visits.
    epoch_steps : int
        Steps that make an epoch: n for one coordinate a step, 1 for a solver that visits all samples.
    seconds : float
        Time spent in the solver alone, without certificates.
    last, best : Certificate or None
        The last one recorded, and the one of least gap.
    status : str or None
        "converged", "precision", "infeasible", "max_epochs", "interrupted", "diverged" or "stalled" after
        `until`.
    opening : Certificate or None
        That of the warm start; of the solver's own where the warm start has no bound and a larger value.
    stopping : Stopping
        The criterion that `until` set last, or one of your own.
    reason : str or None
        Why a run diverged, stalled or ran out of precision, where that is known, with what helps.
    notice : str or None
        What makes the run crawl, with what helps; looked for when it does, and empty where nothing is seen.
    why : str
        Why this solver, where "auto" chose it; else empty.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> run = wb.Run(wb.Problem(X, y, "hinge", lam=0.1), "gauss-seidel", seed=0)
    >>> run.step(1)
    1
    >>> run.last_event.index, run.last_event.alpha_after
    (2, -0.32)
    >>> run.until(gap=1e-6, max_epochs=100)
    'converged'
    >>> bool(run.certificate().relative_gap <= 1e-6)
    True
    """

    _card = "run"

    # What overflows is told by its certificate.
    @np.errstate(over="ignore", invalid="ignore")
    def __init__(
        self,
        problem: Problem,
        solver: str | solvers.Solver | None = None,
        seed: int = 0,
        test: tuple[ArrayLike, ArrayLike] | None = None,
        warm_start: object = None,
    ) -> None:
        self.problem = check_problem("Run", problem)
        self.centred = problem.centred
        if isinstance(problem.transfer, NormTransfer) and problem.transfer.reason:
            raise InputError(
                f"{problem.regularizer.label}: no solver takes it, since the dual norm is "
                f"{problem.transfer.reason}; nest or separate the groups"
            )
        self.why, self.seed, state = "", check_whole("run", "seed", seed, 0, 2**63 - 1), None
        if isinstance(solver, str) and solver == auto.NAME:
            solver, self.why, state = auto.choose(self.centred, self.seed)
        self.solver = solvers.GaussSeidel() if solver is None else solvers.get(solver)
        self.test = test if test is None else HeldOut(problem, *test)
        if problem.is_constrained and not self.solver.takes_constraints:
            raise InputError(
                f"{self.solver.name}: constraints are not supported; use augmented-lagrangian or "
                "modified-augmented-lagrangian"
            )
        if problem.tasks and not self.solver.takes_columns:
            raise InputError(
                f"{self.solver.name}: y of {problem.y.shape[1]} columns is not supported; use lbfgs, "
                "proximal-gradient, conic or pdhg, or one problem a column where the regularizer ties none"
            )
        if state is None or warm_start is not None:
            state = self.solver.init(self.centred, warm_start=warm_start, seed=self.seed)
        self.state = state
        self.opening = None if warm_start is None else self.certificate()
        if self.opening is not None and not self._is_worth_keeping(self.opening):
            self._leave_warm_start(self.opening)
        self.epoch_steps = self.solver.epoch_steps(self.centred)
        self.seconds = 0.0
        self.status: Status | None = None
        self.reason: str | None = None
        self.notice: str | None = None
        self.slice = 1
        self.rows: list[dict[str, float]] = []
        self.last: Certificate | None = None
        self.best: Certificate | None = None
        self.stopping = Stopping()
        self.stopping.begin(self)

    def _is_worth_keeping(self, opening: Certificate) -> bool:
        """Check if the warm start has a finite gap and a dual bound above zero.

        Where lam fell far, the image of what was near one optimum may overflow; and where the least value is
        zero, as it may be at the solver's own start, no gap of another point is relatively small.
        """
        return bool(np.isfinite(opening.gap)) and opening.dual > TINY * self.problem.gap_scale

    def _leave_warm_start(self, opening: Certificate) -> None:
        """Begin at the solver's own start where that is zero, or is better than a start without a gap."""
        warm, self.state = self.state, self.solver.init(self.centred, seed=self.seed)
        own = self.certificate()
        lower = (own.primal, own.gap) < (opening.primal, opening.gap)
        zero = own.primal <= TINY * self.problem.gap_scale
        if lower and (zero or not np.isfinite(opening.gap)):
            self.opening = own
        else:
            self.state = warm

    @property
    def steps(self) -> int:
        return self.state.steps

    @property
    def epochs(self) -> float:
        return self.state.steps / self.epoch_steps

    def steps_left(self, max_epochs: float) -> int:
        """Return the number of steps until the run has done `max_epochs` epochs in all."""
        return int(max_epochs * self.epoch_steps) - self.state.steps

    @property
    def ray(self) -> Floats | None:
        """A dual ray that proves that no weights have finite losses; None where none is known."""
        if self.problem.prediction_ends is None or np.isfinite(self.present().primal):
            return None
        return self.problem.feasibility.ray

    @property
    def last_event(self) -> Any:
        """The last step's event; None before the first."""
        return self.solver.last_event(self.state)

    def step(self, count: float = 1) -> int:
        """Do `count` steps; returns how many were done, fewer where an iterate overflowed."""
        return self.step_until(int(count), None)

    @np.errstate(over="ignore", invalid="ignore")
    def _advance(self, count: int) -> int:
        started = time.perf_counter()
        done = self.solver.advance(self.centred, self.state, count)
        self.seconds += time.perf_counter() - started
        return done

    def step_until(self, count: int, stop: Callable[[], bool] | None) -> int:
        """Do `count` steps, fewer where `stop` is asked after a part of them and says so.

        Many steps are done in slices, which the clock makes as long as it takes to pay attention, and a
        kernel may be compiled between two of them: n steps and n times one are the same to the bit.
        """
        if not self.solver.resumes or (stop is None and count <= MANY):
            return self._advance(count)
        done, asked = 0, time.perf_counter()
        while done < count:
            size = min(self.slice, count - done)
            started = time.perf_counter()
            moved = self._advance(size)
            now = time.perf_counter()
            done += moved
            if moved < size:
                break
            if now - started < ATTENTION / SLICE_GROWTH:
                self.slice = max(self.slice, SLICE_GROWTH * size)
            elif now - started > ATTENTION:
                self.slice = max(1, size // SLICE_GROWTH)
            if stop is not None and now - asked > ATTENTION and done < count:
                if stop():
                    break
                asked = now
        return done

    def epoch(self, count: float = 1) -> int:
        """Do `count` epochs."""
        return self.step(count * self.epoch_steps)

    def advance(self, seconds: float) -> int:
        """Do as many steps as fit into a time budget, at least one; returns how many."""
        deadline = time.perf_counter() + check_number("run", "seconds", seconds, above=0.0)
        done, size = 0, 1
        while True:
            started = time.perf_counter()
            count = self.step(size)
            done += count
            now = time.perf_counter()
            if now >= deadline or count < size:
                return done
            # As many as the rest of the budget should hold, but not a leap on the word of one step.
            size = max(1, min(4 * size, int(size * (deadline - now) / max(now - started, 1e-9))))

    def certificate(self) -> Certificate:
        """Compute the certificate of the present point."""
        certificate = certify(self.centred, **self.solver.point(self.state))
        if self.problem.has_factored_kernel:
            return certify(self.problem, alpha=certificate.alpha)
        return certificate

    def present(self) -> Certificate:
        """Return the certificate of the present state; the last one recorded if no step was done since."""
        return self.last if self.last is not None and self._is_certified() else self.certificate()

    def record(self) -> Certificate:
        """Certify the present state, add a row to the history and return the certificate."""
        opening = self.opening if self.steps == 0 else None
        certificate = self.last = self.certificate() if opening is None else opening
        if self.best is None or certificate.gap < self.best.gap:
            self.best = certificate
        self.rows.append(self._row(certificate))
        return certificate

    def _row(self, certificate: Certificate) -> dict[str, float]:
        w, b = np.empty(0), certificate.b
        if certificate.w is not None:
            w, b = self.problem.split(certificate.w, certificate.b)
        score = np.nan
        if self.test is not None:
            with_kernel = self.problem.kernel is not None
            score = self.test.score_of(certificate) if with_kernel else self.test.score(w, b)
        return {
            "step": self.steps,
            "epoch": self.epochs,
            "seconds": self.seconds,
            "primal": certificate.primal,
            "dual": certificate.dual,
            "gap": certificate.gap,
            "relative_gap": certificate.relative_gap,
            "nonzeros": int(np.count_nonzero(w)),
            "support": int(np.count_nonzero(certificate.alpha)),
            "feasibility": self.solver.feasibility(self.centred, self.state),
            "test_score": score,
        }

    @property
    def history(self) -> pd.DataFrame:
        """One row a certificate, as a DataFrame."""
        extras.need("tables", "history")
        import pandas as pd

        return pd.DataFrame(self.rows)

    def until(
        self, gap: float = 1e-6, max_epochs: float | None = None, stop: Callable[[], bool] | None = None
    ) -> Status | None:
        """Run to a relative gap, with at most `max_epochs` epochs in all; returns the status.

        Parameters
        ----------
        gap : float
            The relative gap that counts as converged.
        max_epochs : float, optional
            The most epochs that the run may have done at the end; where not given, as for `Stopping`.
        stop : callable, optional
            Asked between epochs, and within long ones; true ends the run as "interrupted".
        """
        for _ in self.certificates(gap, max_epochs, stop):
            pass
        return self.status

    def certificates(
        self,
        gap: float = 1e-6,
        max_epochs: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Iterator[Certificate]:
        """`until` as a generator that yields each certificate on the way."""
        return self.follow(Stopping(gap, max_epochs, stop))

    def follow(self, stopping: Stopping) -> Iterator[Certificate]:
        """Run until a `Stopping` ends it; a generator that yields each certificate on the way."""
        self.stopping, self.status, self.reason = stopping, None, None
        stopping.begin(self)
        if not self._is_certified():
            yield self.record()
        met = stopping.met(self.present())
        if met is not None:
            self.status, self.reason = met
            return
        for _ in steps(self, epochs(self, stopping.max_epochs), stopping.stop):
            if stopping.is_due(self):
                yield self.record()
                if self.judge() is not None:
                    return
        if not self._is_certified():
            yield self.record()
            self.judge()
        if self.status is None:
            self.status, self.reason = stopping.exhausted(self)

    def judge(self) -> Status | None:
        """Have the criterion judge the last certificate, that of the present state; returns the status."""
        self.status, self.reason = self.stopping.judge(self, self.present())
        if self.status is None:
            self._notice_a_crawl()
        return self.status

    def _notice_a_crawl(self) -> None:
        """Say once that the scales of the features make the run crawl, where they do."""
        if self.notice is not None or self.solver.scale_free or self.epochs < CRAWL:
            return
        if self.last is None or self.last.relative_gap <= NEAR:
            return
        halfway = [row["gap"] for row in self.rows if row["epoch"] <= 0.5 * self.epochs]
        if halfway and self.last.gap > SLOW * min(halfway):
            if self.stopping.is_followed(self):
                return
            self.notice = unconverged.crawling(self)
            if self.notice:
                text = f"{self.solver.name} makes little progress: {self.notice}"
                warnings.warn(text, WorkbenchWarning, stacklevel=2)

    def _is_certified(self) -> bool:
        return bool(self.rows) and self.rows[-1]["step"] == self.steps

    def plot(self) -> object:
        """Plot the relative gap over the epochs so far, as a Curve of HoloViews."""
        from workbench._support.display import elements

        return elements.run(self)

    def __repr__(self) -> str:
        gap = f", relative_gap={self.rows[-1]['relative_gap']:.3g}" if self.rows else ""
        return f"Run({self.solver!r}, {self.epochs:.4g} epochs{gap})"
