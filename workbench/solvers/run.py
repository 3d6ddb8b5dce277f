"""A run: one solver on one problem, step by step or at full speed, with its certified history."""

import dataclasses
import os
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from workbench import solvers
from workbench._support.display import Carded
from workbench._support.errors import InputError, WorkbenchWarning, shown
from workbench._support.names import check_number, check_whole
from workbench._support.system import extras, files
from workbench.certificates import Certificate, certify
from workbench.certificates.assembly import TINY
from workbench.problems import attainable
from workbench.problems.held_out import HeldOut
from workbench.problems.problem import Problem, check_problem
from workbench.solvers import auto, fields, unconverged
from workbench.solvers.iteration import epochs, steps
from workbench.solvers.stopping import NUMBERS, PATIENCE, ROUNDED, STATUSES, Stopping

if TYPE_CHECKING:
    import pandas as pd

# What fields of saved states were called before.
OLD_NAMES = {"progress": "watch"}
# What a row of the history holds.
HISTORY = {
    "step": fields.COUNT,
    "epoch": fields.NOT_NEGATIVE,
    "seconds": fields.NOT_NEGATIVE,
    "primal": fields.ANY,
    "dual": fields.ANY,
    "gap": fields.GAP,
    "relative_gap": fields.GAP,
    "nonzeros": fields.COUNT,
    "support": fields.COUNT,
    "feasibility": fields.ANY,
    "test_score": fields.ANY,
}
# Parts of a problem of which a saved run holds fingerprints alone.
ARRAYS = ("X", "y", "sample_weight", "constraints")
# A stop is asked for within an epoch, too, once so many seconds have passed; slices grow by that factor.
ATTENTION, SLICE_GROWTH = 0.25, 4
# A run crawls if after so many epochs the second half of them left this share of the gap, or more, and the
# relative gap is not yet as small as this.
CRAWL, SLOW, NEAR = 100, 0.3, 1e-5
# After so many epochs, or the seconds after which a certificate is due, the solver that "auto" chose is
# judged by how its gap falls.
TRIAL = 30


class Before(NamedTuple):
    """What the solvers have done that a run handed over."""

    steps: int = 0
    epochs: float = 0.0
    names: tuple = ()
    seconds: float = 0.0


class Start(NamedTuple):
    """The point at which a solver takes a run over, as `workbench.solvers.warm_start` reads it."""

    w: np.ndarray | None
    b: object
    alpha: np.ndarray
    w_embedded: np.ndarray | None


class Run(Carded):
    """One solver on one problem.

    Parameters
    ----------
    problem : Problem
    solver : str or Solver, optional
        A name or an object of `workbench.solvers`, or one of your own, see `workbench.solvers.contract`;
        "auto" for the rule of `workbench.solvers.auto`; Gauss-Seidel without shrinking where not given.
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
        from zero.
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
        "converged", "precision", "max_epochs", "interrupted", "diverged" or "stalled" after `until`.
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
    ):
        self.problem = check_problem("Run", problem)
        self.centred = problem.centred
        self.why, self.is_auto = "", isinstance(solver, str) and solver == auto.NAME
        self.seed, state = check_whole("run", "seed", seed, 0, 2**63 - 1), None
        if self.is_auto:
            solver, self.why, state = auto.choose(self.centred, self.seed)
        self.solver = solvers.GaussSeidel() if solver is None else solvers.get(solver)
        self.test = test if test is None else HeldOut(problem, *test)
        if problem.constraints is not None and not self.solver.takes_constraints:
            raise InputError(
                f"{self.solver.name}: constraints C v = b are not its; use augmented-lagrangian or "
                "modified-augmented-lagrangian"
            )
        if state is None or warm_start is not None:
            state = self.solver.init(self.centred, warm_start=warm_start, seed=self.seed)
        self.state = state
        self.opening = None if warm_start is None else self.certificate()
        if self.opening is not None and not self._is_worth_keeping():
            self._leave_warm_start()
        self.epoch_steps = self.solver.epoch_steps(self.centred)
        self.before = Before()
        self.seconds = 0.0
        self.status = None
        self.reason = None
        self.notice = None
        self.slice = 1
        # The step at which the slice under way ends; what a saved run was in the midst of.
        self.until_step, self.midst = 0, None
        self.rows = []
        self.last = None
        self.best = None
        self.stopping = Stopping()
        self.stopping.begin(self)

    def _is_worth_keeping(self):
        """Whether the warm start has a finite gap and a bound above zero.

        Where lam fell far, the image of what was near one optimum may overflow; and where the least value is
        zero, as it may be at the solver's own start, no gap of another point is relatively small.
        """
        return np.isfinite(self.opening.gap) and self.opening.dual > TINY * self.problem.gap_scale

    def _leave_warm_start(self):
        """Begin at the solver's own start where that is zero, or is better than a start without a gap."""
        warm, self.state = self.state, self.solver.init(self.centred, seed=self.seed)
        opening = self.certificate()
        lower = (opening.primal, opening.gap) < (self.opening.primal, self.opening.gap)
        zero = opening.primal <= TINY * self.problem.gap_scale
        if lower and (zero or not np.isfinite(self.opening.gap)):
            self.opening = opening
        else:
            self.state = warm

    @property
    def steps(self) -> int:
        return self.before.steps + self.state.steps

    @property
    def epochs(self) -> float:
        return self.before.epochs + self.state.steps / self.epoch_steps

    def steps_left(self, max_epochs: float) -> int:
        """The steps until the run has done so many epochs in all."""
        return int((max_epochs - self.before.epochs) * self.epoch_steps) - self.state.steps

    @property
    def solver_name(self) -> str:
        """The solver's name, behind those of the ones that it went on from."""
        return ", then ".join(dict.fromkeys([*self.before.names, self.solver.name]))

    @property
    def last_event(self) -> tuple | None:
        """What the last step did; None before the first."""
        return self.solver.last_event(self.state)

    @np.errstate(over="ignore", invalid="ignore")
    def step(self, count: int = 1) -> int:
        """Do `count` steps; returns how many were done, fewer where an iterate overflowed."""
        started = time.perf_counter()
        done = self.solver.advance(self.centred, self.state, int(count))
        self.seconds += time.perf_counter() - started
        return done

    def step_until(self, count: int, stop: Callable[[], bool] | None) -> int:
        """Do `count` steps, fewer where `stop` is asked meanwhile and says so.

        The steps are done in slices, which the clock makes as long as it takes to pay attention: n steps
        and n times one are the same to the bit.
        """
        if not self.solver.resumes or stop is None:
            return self.step(count)
        done, asked = 0, time.perf_counter()
        while done < count:
            size = min(self.slice, count - done)
            started = time.perf_counter()
            moved = self.step(size)
            now = time.perf_counter()
            done += moved
            if moved < size:
                break
            if now - started < ATTENTION / SLICE_GROWTH:
                self.slice = max(self.slice, SLICE_GROWTH * size)
            elif now - started > ATTENTION:
                self.slice = max(1, size // SLICE_GROWTH)
            if now - asked > ATTENTION and done < count:
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
        """The certificate of the present point."""
        return certify(self.centred, **self.solver.point(self.state))

    def present(self) -> Certificate:
        """The certificate of the present state: the last one recorded where no step was done since."""
        fresh = self.last is not None and self._is_certified()
        return self.last if fresh else self.certificate()

    def record(self) -> Certificate:
        """Certify the present state, add a row to the history and return the certificate."""
        first = self.opening is not None and self.steps == 0
        certificate = self.last = self.opening if first else self.certificate()
        if self.best is None or certificate.gap < self.best.gap:
            self.best = certificate
        self.rows.append(self._row(certificate))
        return certificate

    def _row(self, certificate):
        kernel = self.problem.kernel is not None
        w, b = (np.empty(0), certificate.b) if kernel else self.problem.split(certificate.w, certificate.b)
        score = np.nan
        if self.test is not None:
            score = self.test.score_of(certificate) if kernel else self.test.score(w, b)
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
    def history(self) -> "pd.DataFrame":
        """One row a certificate, as a DataFrame."""
        extras.need("tables", "history")
        import pandas as pd

        return pd.DataFrame(self.rows)

    def until(
        self, gap: float = 1e-6, max_epochs: float | None = None, stop: Callable[[], bool] | None = None
    ) -> str | None:
        """Run to a relative gap, at most to so many epochs in all; returns the status.

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
        keep: Callable[[Self], object] | None = None,
    ) -> Iterator[Certificate]:
        """`until` as a generator that yields each certificate on the way.

        `keep` is called with the run wherever it can be saved and taken up as if it had not stopped.
        """
        return self.follow(Stopping(gap, max_epochs, stop, keep))

    def follow(self, stopping: Stopping) -> Iterator[Certificate]:
        """Run until a `Stopping` ends it; a generator that yields each certificate on the way.

        Where "auto" chose the solver and its gap stands still, or falls too slowly to get there, the next
        solver of the rule goes on from the best point.
        """
        self.stopping, self.status, self.reason = stopping, None, None
        stopping.begin(self)
        midst, self.midst = self.midst, None
        if midst is not None:
            stopping.resume(*midst)
        else:
            if not self._is_certified():
                yield self.record()
            # A run that was taken up has rows, and no certificate of this very point yet.
            self.last = self.present()
            met = stopping.met(self.last)
            if met is not None:
                self.status, self.reason = met
                return
        yield from self._stretch(stopping, midst is not None)
        while self._hand_over(stopping):
            yield from self._stretch(stopping)
        if self.before.names and self.best.gap < self.last.gap:
            self.last = self.best

    def _stretch(self, stopping, midst=False):
        """`follow` with one solver, until the run ends or another solver should go on."""
        for _ in steps(self, self._slices(stopping, midst), self._pause(stopping)):
            if stopping.is_due(self):
                yield self.record()
                if self.judge() is not None or self._is_slow(stopping):
                    return
        if not self._is_certified():
            yield self.record()
            self.judge()
        if self.status is None:
            self.status, self.reason = stopping.exhausted(self)

    def _slices(self, stopping, midst):
        """The sizes of the slices, first the rest of the one in whose midst the run was saved."""
        rest = min(self.until_step - self.steps, self.steps_left(stopping.max_epochs))
        if midst and rest > 0:
            yield rest
        for size in epochs(self, stopping.max_epochs):
            self.until_step = self.steps + size
            if stopping.keep is not None:
                stopping.keep(self)
            yield size

    def _pause(self, stopping):
        """What is asked within a long slice: whether to stop, once the run was kept."""
        if stopping.keep is None:
            return stopping.stop

        def pause():
            stopping.keep(self)
            return stopping.stop is not None and stopping.stop()

        return pause

    def _is_slow(self, stopping):
        """Whether the gap, falling as in the later half of the epochs so far, will not be small in time."""
        done, last = self.epochs - self.before.epochs, self.rows[-1]
        tried = done >= TRIAL or self.seconds - self.before.seconds >= PATIENCE
        if not (self.is_auto and tried and done > 0.0):
            return False
        halfway = self.before.epochs + 0.5 * done
        gap, epoch = min((row["gap"], -row["epoch"]) for row in self.rows if row["epoch"] <= halfway)
        with np.errstate(all="ignore"):
            rate = np.log(gap / self.best.gap) / (last["epoch"] + epoch)
            wanted = np.log(self.best.relative_gap / max(stopping.gap, ROUNDED))
        if not wanted > rate * stopping.epochs_left(self):
            return False
        # Another method of first order would be as slow, and would begin anew.
        return self._successor(scale_free=True) is not None

    def _successor(self, again=False, scale_free=False):
        """What goes on where this solver gets no further, as an `auto.Choice`; None for nothing.

        The first one again, behind the last, where each of them has only run out of epochs.
        """
        behind = auto.taking(self.centred, after=self.solver.name)
        behind = (choice for choice in behind if choice.solver.scale_free or not scale_free)
        return next(behind, auto.choose(self.centred) if again else None)

    def _hand_over(self, stopping):
        """Have the next solver go on from the best point; whether there is one, and anything left to do."""
        goes_on = self.status == "max_epochs" and stopping.has_time(self)
        open_ended = goes_on or self.status in (None, "stalled", "diverged")
        is_left = self.is_auto and open_ended and self.best.relative_gap > ROUNDED
        is_left = is_left and not attainable.is_endless(self.problem, self.last)
        choice = self._successor(goes_on, self.status is None) if is_left else None
        if choice is None:
            return False
        best = self.best
        w, b = (None, best.b) if self.problem.kernel is not None else self.problem.split(best.w, best.b)
        start = Start(w, b, best.alpha, best.w)
        try:
            state = choice.solver.init(self.centred, warm_start=start, seed=self.seed)
        except InputError:
            state = choice.solver.init(self.centred, seed=self.seed)
        left = f"{self.solver.name} left a relative gap of {best.relative_gap:.1e}"
        if choice.solver.name not in (*self.before.names, self.solver.name):
            self.why = f"{self.why}; {left}, and {choice.solver.name} went on from there"
        names = (*self.before.names, self.solver.name)
        self.before = Before(self.steps, self.epochs, names, self.seconds)
        self.solver, self.state, self.status, self.reason = choice.solver, state, None, None
        self.epoch_steps, self.slice = self.solver.epoch_steps(self.centred), 1
        stopping.hand_over(self)
        return True

    def judge(self) -> str | None:
        """Have the criterion judge the last certificate, that of the present state; returns the status."""
        self.status, self.reason = self.stopping.judge(self, self.last)
        if self.status is None:
            self._notice_a_crawl()
        return self.status

    def _notice_a_crawl(self):
        """Say once that the scales of the features make the run crawl, where they do."""
        if self.notice is not None or self.solver.scale_free or self.epochs < CRAWL:
            return
        if self.last.relative_gap <= NEAR:
            return
        halfway = [row["gap"] for row in self.rows if row["epoch"] <= 0.5 * self.epochs]
        if halfway and self.last.gap > SLOW * min(halfway):
            if self.is_auto and (self.stopping.has_time(self) or self._successor() is not None):
                return
            self.notice = unconverged.crawling(self)
            if self.notice:
                text = f"{self.solver.name} makes little progress: {self.notice}"
                warnings.warn(text, WorkbenchWarning, stacklevel=2)

    def _is_certified(self):
        return bool(self.rows) and self.rows[-1]["step"] == self.steps

    def plot(self) -> object:
        """The relative gap over the epochs so far, a Curve of HoloViews."""
        from workbench._support.display import elements

        return elements.run(self)

    def __repr__(self):
        gap = f", relative_gap={self.rows[-1]['relative_gap']:.3g}" if self.rows else ""
        return f"Run({self.solver!r}, {self.epochs:.4g} epochs{gap})"

    def save(self, path: str | os.PathLike) -> None:
        """Write everything that is needed to go on later; the data itself is not written."""
        criterion, before = self.stopping.saved()
        meta = {
            "kind": "run",
            "solver": self.solver.name,
            "parameters": dataclasses.asdict(self.solver),
            "problem": self.problem.digest,
            "parts": self.problem.parts,
            "seconds": self.seconds,
            "status": self.status,
            "notice": self.notice,
            "until_step": self.until_step,
            "criterion": criterion,
            "auto": self.is_auto,
            "before": self.before._asdict(),
        }
        arrays = {f"state_{name}": value for name, value in self.state._asdict().items()}
        columns = {f"history_{name}": self.history[name].to_numpy() for name in self.history}
        # With a kernel a certificate has no weights.
        point = [name for name in ("w", "b", "alpha") if getattr(self.best, name, None) is not None]
        best = {f"best_{name}": np.asarray(getattr(self.best, name)) for name in point}
        files.save(path, meta, arrays | columns | best | {"criterion_before": before})

    @classmethod
    def load(
        cls,
        path: str | os.PathLike,
        problem: Problem,
        test: tuple[ArrayLike, ArrayLike] | None = None,
        solver: solvers.Solver | None = None,
    ) -> Self:
        """Take up a saved run on the same problem: it goes on bit for bit as if it had not stopped.

        A run of a solver of your own asks for it as `solver`; the others stand in the file.

        Raises
        ------
        InputError
            The file is none, belongs to another problem, or an entry is not what it should be: the fields
            of a state hold what `workbench.solvers.fields` declares.
        """
        meta, arrays = files.load(path, "run")
        _check_problem(meta, problem)
        if solver is None:
            solver = _saved_solver(meta)
        else:
            _check_solver(meta, solver := solvers.get(solver))
        run = cls(problem, solver, seed=_saved_seed(arrays), test=test)
        run._take_up(meta, arrays)
        return run

    def resume(self, path: str | os.PathLike) -> None:
        """Go on where a saved run of the same problem, solver and seed stopped, bit for bit.

        Raises
        ------
        InputError
            As for `load`; it names what differs.
        """
        meta, arrays = files.load(path, "run")
        _check_problem(meta, self.problem)
        seed = _saved_seed(arrays)
        if seed != self.seed:
            raise InputError(f"{path}: the run has seed = {seed}, this one {self.seed}; pass the same seed")
        if self.is_auto and "auto" in meta and meta.get("auto", bool):
            # The solver that this rule chose may have handed over to another.
            self.solver = _saved_solver(meta)
            self.state = self.solver.init(self.centred, seed=seed)
            self.epoch_steps = self.solver.epoch_steps(self.centred)
        else:
            _check_solver(meta, self.solver)
        self._take_up(meta, arrays)

    def _take_up(self, meta, arrays):
        """The state, the history and the criterion of a file, checked."""
        seconds, status = meta.number("seconds", fields.NOT_NEGATIVE), check_status(meta)
        state = arrays.beginning("state_")
        found = {
            name: state.array(_stored(state, name), value.shape, dtype=value.dtype, finite=False)
            for name, value in self.state._asdict().items()
        }
        for name in state.entries:
            if name not in found and name not in OLD_NAMES.values():
                raise state.refusal(name, f"is no field of the state of {self.solver.name}")
        fields.check(type(self.state)(**found), self.state, self.solver.event_type, state.refusal)
        before = _saved_before(meta)
        midst, until_step = _saved_midst(meta, arrays, self.solver.iterate(self.state).shape)
        for name, value in self.state._asdict().items():
            np.copyto(value, found[name])
        columns = check_history(arrays.beginning("history_"))
        lists = [column.tolist() for column in columns.values()]
        self.rows = [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
        self.seconds, self.status, self.last = seconds, status, None
        self.notice = meta.get("notice", str, type(None)) if "notice" in meta else None
        self.is_auto = "auto" in meta and meta.get("auto", bool)
        self.before = before
        if self.rows:
            self.best = _saved_best(self.centred, arrays.beginning("best_"))
        if self.rows and until_step > self.steps:
            self.until_step, self.midst = until_step, midst


def check_history(saved):
    """The columns of a saved history, all or none of those that a run records."""
    columns = saved.columns()
    for name in HISTORY if columns else ():
        fault = fields.Holds(HISTORY[name]).fault(saved.get(name, np.ndarray))
        if fault:
            raise saved.refusal(name, fault)
    for name in columns:
        if name not in HISTORY:
            raise saved.refusal(name, f"is no column of a history, which has {', '.join(HISTORY)}")
    return columns


def check_status(meta):
    """The status of a saved run or solution."""
    status = meta.get("status", str, type(None))
    if status not in STATUSES:
        raise meta.refusal("status", f"is {status!r}, which is none of {', '.join(map(str, STATUSES))}")
    return status


def _saved_best(problem, saved):
    """The certificate of the best point of a saved run."""
    w = b = None
    if "w" in saved:
        w = saved.array("w", (problem.design.shape[1], *problem.columns))
    if "b" in saved and (problem.free_bias or problem.constraints is not None):
        shape = problem.columns if problem.free_bias else problem.equalities.b.shape
        b = saved.array("b", shape)
        b = b if b.shape else float(b)
    alpha = saved.array("alpha", (problem.n_samples, *problem.columns))
    return certify(problem, w=w, alpha=alpha, b=b if b is None else problem.inward(w, b))


def _saved_before(meta):
    """`Run.before` of a saved run; files of old have none."""
    if "before" not in meta:
        return Before()
    found = files.Saved(meta.path, meta.get("before", dict), "before: ", meta.fix)
    names = found.get("names", list)
    if not all(isinstance(name, str) and name in solvers.REGISTRY for name in names):
        raise found.refusal("names", f"is {shown(names)}, of which one is no solver")
    steps_before = int(found.number("steps", fields.COUNT))
    epochs_before, spent = (
        found.number(name, fields.NOT_NEGATIVE) if name in found else 0.0 for name in ("epochs", "seconds")
    )
    return Before(steps_before, epochs_before, tuple(names), spent)


def _saved_solver(meta):
    """The solver of a saved run, with its parameters."""
    name, parameters = meta.get("solver", str), meta.get("parameters", dict)
    if name not in solvers.REGISTRY:
        raise meta.refusal("solver", f"is {shown(name)}, which is none of {', '.join(solvers.REGISTRY)}")
    try:
        for field in dataclasses.fields(solvers.REGISTRY[name]):
            if isinstance(field.default, bool) != isinstance(parameters.get(field.name, field.default), bool):
                raise InputError(f"{field.name} = {parameters[field.name]!r}; {field.default!r} is usual")
        return solvers.REGISTRY[name](**parameters)
    except (InputError, TypeError) as error:
        raise meta.refusal("parameters", f"are not those of {name} ({error})") from None


def _stored(state, name):
    """The name under which a saved state holds a field."""
    old = OLD_NAMES.get(name)
    return old if name not in state and old in state else name


def _check_solver(meta, solver):
    """Refuse a saved run of another solver, or of one with other parameters."""
    if meta.get("solver", str) != solver.name or meta.get("parameters", dict) != dataclasses.asdict(solver):
        raise meta.refusal("solver", f"is {meta.get('solver', str)!r} with other parameters than {solver!r}")


def _check_problem(meta, problem):
    """Refuse a saved run of another problem, by what differs."""
    if meta.get("problem", str) == problem.digest:
        return
    there = meta.get("parts", dict) if "parts" in meta else {}
    here = problem.parts
    said = []
    for name in dict.fromkeys((*here, *there)):
        ours, theirs = here.get(name, "none"), str(there.get(name, "none"))[:80]
        if there and ours != theirs:
            values = "holds other values" if name in ARRAYS else f"is {theirs} there and {ours} here"
            said.append(f"{name} {values}")
    differs = f", in which {', '.join(said)}" if said else ""
    raise InputError(
        f"{meta.path}: the run belongs to another problem{differs}; pass the same data, loss, regularizer "
        "and lam"
    )


def _saved_seed(arrays):
    """The seed of a saved run."""
    state = arrays.beginning("state_")
    counters = state.array("counters", (None,), dtype=np.int64)
    if len(counters) < 2 or counters.min() < 0:
        raise state.refusal("counters", "does not begin with the steps and the seed")
    return int(counters[1])


def _saved_midst(meta, arrays, shape):
    """What the criterion of a saved run knew, and the step at which its slice ends; older files have none."""
    if "criterion" not in meta:
        return None, 0
    numbers = files.Saved(meta.path, meta.get("criterion", dict), "criterion: ", meta.fix)
    found = {name: numbers.number(name, allowed) for name, allowed in NUMBERS.items()}
    before = arrays.array("criterion_before", shape, finite=False)
    return (found, before), meta.number("until_step", fields.COUNT)
