"""`solve` and what it returns."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from workbench._support.display import Carded
from workbench._support.display.options import as_options
from workbench._support.display.progress import watched
from workbench._support.errors import ConvergenceWarning, InputError
from workbench._support.names import check_effort, check_whole, of_repr
from workbench._support.system import extras, files
from workbench.certificates.assembly import freeze
from workbench.kernels import claims, compilation
from workbench.kernels.threads import at_most
from workbench.problems import kernels, losses, regularizers
from workbench.problems.design import check_features
from workbench.problems.kernels import Expansion
from workbench.problems.problem import Problem, check_parameters, check_problem
from workbench.solvers import AUTO, Solver, unconverged
from workbench.solvers.in_turn import solve_in_turn
from workbench.solvers.run import Run
from workbench.solvers.stopping import STATUSES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from workbench._support.annotations import Bias, Floats, Integers, ProofStatus
    from workbench.solvers.stopping import Status

# The options of `solve`, and those that a problem in parts takes besides.
OPTIONS = ("solver", "tol", "max_epochs", "seed", "test", "warm_start", "threads")
OF_PARTS = ("client", "scheduler", "workers", "memory", "every", "blocks", "passes", "method")
# What a file holds of the certificate and of the work done: the least value, and whether numbers are whole.
NUMBERS = {
    "primal": (-np.inf, False),
    "dual": (-np.inf, False),
    "gap": (0.0, False),
    "relative_gap": (0.0, False),
    "epochs": (0.0, False),
    "seconds": (0.0, False),
    "steps": (0, True),
}


class ProblemInParts(Protocol):
    """A problem that solves itself, such as a `DistributedProblem`."""

    @property
    def solve(self) -> Callable[..., Solution]: ...


@dataclass(frozen=True, eq=False)
class Solution(Carded):
    """A certified point, in arrays that cannot be written.

    Attributes
    ----------
    w, b : ndarray (d,), float
        Weights in the caller's features, and the bias; (d, r) and (r,) with r classes or columns of y.
    w_embedded : ndarray (D,)
        Weights on the columns that the solver saw; None for both with a kernel.
    multipliers : ndarray (r,) or None
        Of constraints on the dual, the s of w = w_0 + C's; of those on the weights, the s of v = X'alpha /
        (lam n) - A's; None without constraints.
    expansion : Expansion or None
        With a kernel, the predictions without the bias: sum_k alpha_k K(x, x_k) / (lam n).
    alpha : ndarray (n,)
        Dual variables.
    ray : ndarray (n,) or None
        Where the problem is infeasible, dual variables along which the lower bound rises without end.
    primal, dual, gap, relative_gap : float
        Of the certificate: primal - inf P <= gap.
    status : str
        "converged", "precision" (rounding is what remains of the gap), "infeasible" (losses are infinite at
        all weights), "max_epochs", "interrupted", "diverged" or "stalled". The best certified point is kept
        where the last one diverged or has no finite gap.
    epochs, steps, seconds : float, int, float
        Work done; the seconds are the solver's alone.
    classifies : bool
        Whether `predict` gives labels -1 and +1.
    description : dict
        Loss, regularizer, lambda, bias, embedding and solver, as text and numbers, and `Problem.digest`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> solution = wb.solve(wb.Problem(X, y, "squared", lam=0.1), tol=1e-10)
    >>> solution.w.round(4)
    array([ 0.6721, -0.3421])
    >>> solution.predict([[1.0, 1.0]]).round(4)
    array([0.33])
    """

    _card = "solution"

    w: Floats | None = field(repr=False)
    b: Bias
    w_embedded: Floats | None = field(repr=False)
    alpha: Floats = field(repr=False)
    primal: float
    dual: float
    gap: float
    relative_gap: float
    status: Status | None
    epochs: float
    steps: int
    seconds: float
    classifies: bool
    description: dict[str, Any]
    columns: dict[str, NDArray[Any]] = field(repr=False)
    expansion: Expansion | None = field(default=None, repr=False)
    multipliers: Floats | None = field(default=None, repr=False)
    ray: Floats | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        freeze(
            self.w, self.b, self.w_embedded, self.alpha, self.multipliers, self.ray, *self.columns.values()
        )

    @classmethod
    def of(cls, *runs: Run) -> Self:
        """Build the solution that a run has reached, or the last of several consecutive runs of a problem."""
        run, problem = runs[-1], runs[-1].problem
        last = run.present()
        run.centred._set(last_losses=None)  # as much memory as three columns
        bests = [other.best for other in runs if other.best is not None]
        if bests and (len(runs) > 1 or run.status == "diverged" or not np.isfinite(last.gap)):
            last = min(bests, key=lambda certificate: certificate.gap)
        kernel = problem.kernel is not None
        w, b = (None, last.b) if last.w is None else problem.split(last.w, last.b)
        return cls(
            w=w,
            b=b,
            w_embedded=last.w,
            alpha=last.alpha,
            primal=last.primal,
            dual=last.dual,
            gap=last.gap,
            relative_gap=last.relative_gap,
            status=run.status,
            epochs=sum(other.epochs for other in runs),
            steps=sum(other.steps for other in runs),
            seconds=sum(other.seconds for other in runs),
            classifies=problem.loss.kind == "margin",
            description={
                "loss": repr(problem.loss),
                "regularizer": repr(problem.regularizer),
                "lam": problem.lam,
                "bias": problem.bias,
                "embed": problem.embed,
                "solver": repr(run.solver),
                "seed": run.seed,
                "name": ", then ".join(dict.fromkeys(other.solver.name for other in runs)),
                "why": run.why,
                "notice": run.notice or run.reason or "",
                "digest": problem.digest,
                "proof_status": claims.proof_status(problem),
                "interval": last.interval and list(last.interval),
                **({"kernel": repr(problem.kernel)} if kernel else {}),
                **({} if problem.y.ndim == 1 else {"targets": problem.y.shape[1]}),
                **({"apart": "constraints"} if problem.is_constrained else {}),
                **({} if problem.is_unweighted else {"apart": "sample weights"}),
            },
            columns=_history(runs),
            expansion=Expansion.of(problem.kernel_matrix, last.alpha / problem.lam_n) if kernel else None,
            multipliers=last.multipliers,
            ray=run.ray if run.status == "infeasible" else None,
        )

    def plot(self) -> object:
        """Plot the relative gap over the epochs, as a Curve of HoloViews."""
        from workbench._support.display import elements

        return elements.solution(self)

    def __repr__(self) -> str:
        return f"Solution({self.status}, primal={self.primal:.6g}, relative_gap={self.relative_gap:.3g})"

    @property
    def solver(self) -> str:
        """The name of the solver that found it."""
        return str(self.description.get("name", ""))

    @property
    def why(self) -> str:
        """Why that solver, where "auto" chose it; else empty."""
        return str(self.description.get("why", ""))

    @property
    def notice(self) -> str:
        """Why the run crawled, diverged or stalled, or ended its precision, with advice; else empty."""
        return str(self.description.get("notice", ""))

    @property
    def proof_status(self) -> ProofStatus:
        """{term: {claim: "proved" or "checked"}} of loss and regularizer; the gap needs "bound"."""
        proof_status: ProofStatus = self.description.get("proof_status", {})
        return proof_status

    @property
    def interval(self) -> tuple[float, float] | None:
        """(lower, upper) with lower <= inf P <= P(w, b) <= upper, rounding included, or None."""
        interval = self.description.get("interval")
        return None if interval is None else tuple(interval)

    @property
    def n_features(self) -> int:
        """The columns that data to predict needs."""
        if self.expansion is not None:
            return self.expansion.n_features
        return 0 if self.w is None else int(self.w.shape[0])

    @property
    def history(self) -> pd.DataFrame:
        """One row a certificate on the way, as a DataFrame."""
        extras.need("tables", "history")
        import pandas as pd

        return pd.DataFrame(self.columns)

    def decision_function(self, X: ArrayLike | sp.sparray | sp.spmatrix) -> Floats:
        """Return the predictions X w + b, (m,); (m, r) with r classes.

        For a precomputed kernel X holds K(x, x_k), one column a sample.

        Raises
        ------
        InputError
            X is not such data, or a row is so large that its prediction is not finite.
        """
        design = check_features(X, self.n_features)
        with np.errstate(over="ignore", invalid="ignore"):
            if self.expansion is not None:
                z = self.expansion(design) + self.b
            else:
                assert self.w is not None  # without an expansion
                z = design @ self.w + self.b
        lost = np.argwhere(~np.isfinite(z))
        if lost.size:
            raise InputError(
                f"X: the prediction of row {int(lost[0][0])} overflows; scale the features, and solve anew"
            )
        return z

    def predict(self, X: ArrayLike) -> Floats | Integers:
        """Labels -1 and +1 for a margin loss, classes for r of them, else the predictions; (m,) or (m, r)."""
        z = self.decision_function(X)
        if z.ndim == 2 and "targets" not in self.description:
            classes: Integers = z.argmax(axis=1)
            return classes
        return np.where(z >= 0.0, 1.0, -1.0) if self.classifies else z

    def problem(self, X: ArrayLike, y: ArrayLike) -> Problem:
        """Build the problem that this solves, on the data it was solved on or on others.

        Raises
        ------
        InputError
            The loss or the regularizer is a function of the caller's own, or there were constraints or
            sample weights, which a solution does not keep.
        """
        said = self.description
        if "apart" in said:
            raise InputError(
                f"solution: the problem had {said['apart']}, which are not kept with it; make it again with "
                "Problem(...) and certify the point w, b"
            )
        names = ("loss", "regularizer", "lam", "bias", "embed")
        for name in names:
            if name not in said:
                raise InputError(f"solution: description has no {name}; solve the problem anew")
        terms = [said[name] for name in names]
        text = str(said.get("kernel"))
        kernel = None if self.expansion is None else of_repr("kernel", kernels.REGISTRY, text)
        loss = of_repr("loss", losses.REGISTRY, terms[0])
        regularizer = of_repr("regularizer", regularizers.REGISTRY, terms[1])
        lam, bias, embed = terms[2:]
        return Problem(X, y, loss, regularizer, lam, bias, embed, kernel=kernel)

    def saved(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the contents of a file: the part for JSON, and the arrays."""
        names = (*NUMBERS, "status", "classifies", "description")
        meta = {name: getattr(self, name) for name in names}
        meta["b"] = np.asarray(self.b).tolist()
        arrays: dict[str, NDArray[Any]] = {"alpha": self.alpha}
        if self.w is not None and self.w_embedded is not None:
            arrays |= {"w": self.w, "w_embedded": self.w_embedded}
        optional = {"multipliers": self.multipliers, "ray": self.ray}
        arrays |= {name: array for name, array in optional.items() if array is not None}
        if self.expansion is not None:
            arrays |= {f"expansion_{name}": np.asarray(x) for name, x in vars(self.expansion).items()}
        history = {f"history_{name}": column for name, column in self.columns.items()}
        return meta, arrays | history

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the solution to one .npz file."""
        files.save(path, *self.saved())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Raises
        ------
        InputError
            The file is not a solution, or names the entry that is missing or wrong.
        """
        meta, arrays = files.load(path)
        columns = arrays.beginning("history_").columns()
        for name in ("epoch", "relative_gap") if columns else ():
            arrays.get(f"history_{name}", np.ndarray)
        saved = arrays.beginning("expansion_")
        expansion = w = embedded = None
        classes: tuple[int, ...] = ()
        if saved.entries:
            expansion = Expansion.of_saved(saved)
        else:
            w = arrays.array("w", (None,), (None, None))
            classes = w.shape[1:]
            embedded = arrays.array("w_embedded", (None, *classes))
        optional: dict[str, Any] = {
            name: arrays.array(name, (None,)) if name in arrays.entries else None
            for name in ("multipliers", "ray")
        }
        numbers: dict[str, Any] = {name: meta.number(name, *allowed) for name, allowed in NUMBERS.items()}
        return cls(
            w=w,
            w_embedded=embedded,
            expansion=expansion,
            b=_bias(meta, classes),
            alpha=arrays.array("alpha", (None, *classes)),
            columns=columns,
            **optional,
            **numbers,
            status=_status(meta),
            classifies=meta.get("classifies", bool),
            description=_description(meta),
        )


def _history(runs: Sequence[Run]) -> dict[str, NDArray[Any]]:
    """Concatenate the histories of consecutive runs; steps, epochs and seconds add up."""
    rows: list[dict[str, float]] = []
    done: dict[str, float] = dict.fromkeys(("step", "epoch", "seconds"), 0)
    for run in runs:
        rows += [{**row, **{name: row[name] + before for name, before in done.items()}} for row in run.rows]
        ends = zip(done, (run.steps, run.epochs, run.seconds), strict=True)
        done = {name: done[name] + end for name, end in ends}
    return {name: np.array([row[name] for row in rows]) for name in (rows or [{}])[0]}


def _status(meta: files.Saved) -> Status | None:
    """Read the status of a saved solution."""
    status = meta.get("status", str, type(None))
    if status not in STATUSES:
        raise meta.refusal("status", f"is {status!r}, which is not one of {', '.join(map(str, STATUSES))}")
    known: Status | None = status
    return known


def _description(meta: files.Saved) -> dict[str, Any]:
    """Read the description of a saved solution, and check what other functions read of it."""
    saved = files.Saved(meta.path, meta.get("description", dict), "description: ")
    if not saved.number("lam") > 0.0:
        raise saved.refusal("lam", f"is {saved.entries['lam']}, which is not above 0")
    for name in ("loss", "regularizer", "solver"):
        saved.get(name, str)
    for name in {"name", "why", "notice"} & {*saved.entries}:
        saved.get(name, str)
    interval, proof_status = saved.entries.get("interval"), saved.entries.get("proof_status", {})
    if interval is not None and not _are(float, interval, list, 2):
        raise saved.refusal("interval", f"is {str(interval)[:40]}, which are not two numbers")
    if not _are(dict, proof_status, dict) or not all("bound" in claims for claims in proof_status.values()):
        raise saved.refusal("proof_status", f"is {str(proof_status)[:40]}, which are not claims of terms")
    return saved.entries


def _are(kind: type, values: Any, container: type, count: int | None = None) -> bool:
    """Return whether the values are a container of n values of that kind."""
    if not isinstance(values, container) or not isinstance(values, list | dict):
        return False
    if len(values) != (count or len(values)):
        return False
    return all(isinstance(value, kind) for value in (values.values() if isinstance(values, dict) else values))


def _bias(meta: files.Saved, shape: tuple[int, ...]) -> Bias:
    """Read the bias of a saved solution: a number, or an array of the shape, one for each class."""
    value = meta.get("b", int, float, list)
    try:
        b = np.asarray(value, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        raise meta.refusal("b", f"is {str(value)[:40]}, which are not numbers") from None
    if b.shape not in ((), shape):
        raise meta.refusal("b", f"has shape {b.shape} where {shape} is needed")
    if not np.isfinite(b).all():
        raise meta.refusal("b", f"is {value}, which is not finite")
    return b if b.shape else float(b)


def solve(
    problem: Problem | ProblemInParts,
    solver: str | Solver = "auto",
    tol: float = 1e-6,
    max_epochs: float | None = None,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    warm_start: Solution | dict[str, ArrayLike] | ArrayLike | None = None,
    threads: int | None = None,
    **cluster: object,
) -> Solution:
    """Solve a problem to a relative gap.

    Parameters
    ----------
    problem : Problem or DistributedProblem
    solver : str or solver
        A name or an object of `workbench.solvers`, or "auto": the rule of `workbench.solvers.auto` by the
        shape of the problem; `Solution.solver` names the choice, `Solution.why` its reason.
    tol : float
        The relative gap to reach.
    max_epochs : float, optional
        The most epochs of n coordinate visits. Where not given, 1,000; with "auto" a run that is not there by
        then goes on, by other solvers too, until 30 seconds of solving have passed.
    seed : int
        Fixes the order of a shuffled run.
    test : (X_test, y_test), optional
        Held-out samples whose score stands in the history.
    warm_start : Solution, dict or array_like, optional
        As for `Run`.
    threads : int, optional
        The most threads that products with large matrices, certificates and BLAS take; by default one a core.
        Kernels give the same bits with any number.
    **cluster
        Of a `DistributedProblem` alone: client, and what else `studies.distributed.solving.solve` takes.

    Returns
    -------
    Solution
        An interrupt (Ctrl-C) ends the run at the next check and keeps what was reached. In notebooks and
        terminals a long call shows a bar with the gap.

    Warns
    -----
    ConvergenceWarning
        The relative gap was not reached; what to try instead.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> solution = wb.solve(wb.Problem(X, y, "hinge", lam=0.1), tol=1e-8)
    >>> solution.status
    'converged'
    >>> bool(solution.primal - solution.dual <= 1e-8 * solution.primal)
    True
    """
    if not isinstance(problem, Problem) and hasattr(problem, "solve"):
        excluded = {
            "solver": solver != "auto",
            "test": test is not None,
            "threads": threads is not None,
        }
        for name in (name for name, is_set in excluded.items() if is_set):
            raise InputError(f"solve: {name} is not for a problem in parts; leave it out")
        solution = problem.solve(tol=tol, max_epochs=max_epochs, seed=seed, warm_start=warm_start, **cluster)
        warn_unconverged(None, solution)
        return solution
    whole = check_problem("solve", problem, solver)
    check_parameters("solve", [name for name in cluster if name not in OF_PARTS], OPTIONS)
    for name in cluster:
        raise InputError(
            f"solve: {name} is for problems in parts; write wb.DistributedProblem((problem, 8)), or leave it "
            "out"
        )
    if threads is not None:
        check_whole("solve", "threads", threads, 1, usual=2)
    with at_most(threads):
        runs = reach(whole, solver, tol, max_epochs, seed, test, warm_start)
        solution = Solution.of(*runs)
    compilation.progress["solves"] += 1
    warn_unconverged(runs[-1], solution, stacklevel=3)
    return solution


def reach(
    problem: Problem,
    solver: str | Solver | None = "auto",
    tol: float = 1e-6,
    max_epochs: float | None = None,
    seed: int = 0,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    warm_start: object = None,
    watch: Callable[..., Iterable[object]] = watched,
    signals: Iterable[signal.Signals] = (),
) -> list[Run]:
    """Run the solvers that `solve` runs, with the same arguments, to their ends, without a warning.

    Parameters
    ----------
    watch : callable
        As for `solve_in_turn`.
    signals : iterable of signal.Signals
        What ends them at the next check, besides the first Ctrl-C.
    """
    tol, max_epochs = check_effort("solve", tol, max_epochs)
    with interruptible(*signals) as interrupted:
        stop = interrupted.is_set
        if isinstance(solver, str) and solver == AUTO:
            return solve_in_turn(problem, tol, max_epochs, seed, test, warm_start, stop, watch)
        run = Run(problem, solver, seed=seed, test=test, warm_start=warm_start)
        for _ in watch(run.certificates(tol, max_epochs, stop), run, tol):
            pass
    return [run]


def attempt(problem: Problem, *arguments: Any, **options: Any) -> Solution:
    """Return the solution of `solve`, with the same arguments and without a warning."""
    solution = Solution.of(*reach(problem, *arguments, **options))
    compilation.progress["solves"] += 1
    return solution


def warn_unconverged(
    run: Run | None,
    solution: Solution,
    category: type[Warning] = ConvergenceWarning,
    stacklevel: int = 3,
    words: dict[str, Any] | None = None,
) -> None:
    """Warn where a solution did not reach its gap; without its last run, with the solution's own notice.

    `words` has the caller's names of arguments, as `display.options.as_options` takes them.
    """
    if solution.status != "converged":
        said = solution.notice if run is None else unconverged.sentence(run, solution)
        warnings.warn(as_options(said, words or {}), category, stacklevel=stacklevel)


@contextlib.contextmanager
def interruptible(*signals: signal.Signals) -> Iterator[threading.Event]:
    """Yield an event that the first Ctrl-C sets instead of raising; the second raises as usual.

    Only the main thread receives signals; elsewhere the event is never set.

    Parameters
    ----------
    *signals : signal.Signals
        Others that do the same.
    """
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def first(_signum: int, _frame: object) -> None:
        event.set()
        restore()

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    before = {number: signal.signal(number, first) for number in (signal.SIGINT, *signals)}
    try:
        yield event
    finally:
        restore()
