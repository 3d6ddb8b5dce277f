"""L-BFGS through SciPy: the quasi-Newton reference for smooth primal problems.

Solves       min over w and b of (1/n) sum_i c_i f(w.x_i + b, y_i) + lam g(w), both terms with a gradient
State        the start, w and b after the steps done so far
Guarantees   no step increases the primal objective
Cost         a call of k steps after s others repeats these: s + k evaluations or a few more
Raises       InputError: a loss or a regularizer without a gradient, a kernel
Source       Byrd, Lu, Nocedal and Zhu (1995), as scipy.optimize.minimize has it; Zhu (2009), section V

SciPy cannot take up a run: its correction pairs are its own. But its path from a given start is always the
same, so each call begins there anew. Runs look at a certificate only when the steps have doubled, which
bounds what is repeated by the work itself.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import scipy.optimize

from workbench._support.errors import InputError, shown
from workbench._support.names import validate_integer
from workbench.certificates import loss_terms
from workbench.problems.regularizers import having
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms.gradients import SMOOTH, check_gradient, check_weights
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

# SciPy takes memory for the square of their number.
MOST_PAIRS = 1000


class Event(NamedTuple):
    """Numbers of the last step."""

    value: float  # P(w, b) after it
    change: float  # the largest change of an entry of w or b


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    start: np.ndarray  # (D k + k,) or (D k,) the first point, weights before biases, with k = r or 1
    w: np.ndarray  # (D,) or (D, r), on the columns of the design
    b: np.ndarray  # () or (r,), 0 where no bias is free
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (2,) the fields of Event


@dataclass(frozen=True)
class LBFGS(Solver):
    """SciPy's L-BFGS-B without bounds and without a stopping rule of its own.

    Parameters
    ----------
    memory : int
        How many correction pairs it keeps.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", lam=0.1)
    >>> wb.solve(problem, wb.solvers.LBFGS(), tol=1e-6).status
    'converged'
    """

    memory: int = 10
    name: ClassVar[str] = "lbfgs"
    takes_columns: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...] | None] = ("finite loss", "smooth loss", "gradient")
    event_type: ClassVar[type] = Event
    check_share: ClassVar[float] = 1.0
    resumes: ClassVar[bool] = False

    def __post_init__(self):
        validate_integer(self, "memory", 1)
        if self.memory > MOST_PAIRS:
            raise InputError(f"{self.name}: memory = {shown(self.memory)} is more than {MOST_PAIRS}; use 10")

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at w = 0, or at given weights in the caller's features."""
        _check(problem)
        w, bias = starts.weights(problem, warm_start)
        b = np.zeros(problem.columns) if bias is None else bias.reshape(problem.columns)
        start = np.concatenate([w.ravel(), b.ravel()]) if problem.free_bias else w.flatten()
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        _objective(problem, start)
        return State(start, w.copy(), b.copy(), fresh_counters(seed), fresh_event(Event))

    def advance(self, problem, state, n_steps):
        """Do that many steps more; returns how many were done, fewer where no step goes down."""
        before = state.steps
        if n_steps <= 0:
            return 0
        last = [state.start, state.start]

        def keep(intermediate_result):
            last[:] = last[1], intermediate_result.x.copy()

        result = scipy.optimize.minimize(
            lambda x: _objective(problem, x),
            state.start,
            jac=True,
            method="L-BFGS-B",
            callback=keep,
            options={
                "maxiter": before + n_steps,
                "maxfun": np.inf,
                "maxcor": int(self.memory),
                "ftol": 0.0,
                "gtol": 0.0,
            },
        )
        state.w[...], state.b[...] = _parts(problem, result.x)
        state.counters[STEPS] = max(before, result.nit)
        if result.nit:
            state.event[:] = result.fun, np.abs(last[1] - last[0]).max()
        return state.steps - before

    def point(self, state):
        """Return what `certify` takes of the state: the weights, and the bias where it is free."""
        free = state.start.size > state.w.size
        b = state.b.copy() if state.b.shape else float(state.b)
        return {"w": state.w.copy(), "b": b if free else None}

    def iterate(self, state):
        """Return the weights and the bias, whose overflow or standstill ends a run."""
        return np.append(state.w, state.b)


def _parts(problem, x):
    """Split the point into weights (D,) or (D, r), and biases () or (r,)."""
    size = problem.rows.shape[1] * (problem.columns[0] if problem.columns else 1)
    w = x[:size].reshape(-1, *problem.columns)
    return w, x[size:].reshape(problem.columns) if problem.free_bias else np.zeros(problem.columns)


def _objective(problem, x):
    """P(w, b) and its gradient."""
    side, n = loss_terms.loss_side(problem), problem.n_samples
    w, b = _parts(problem, x)
    z = problem.rows @ w + b
    alpha = side.alpha_at(z, 0.0)
    g, slope = problem.transfer.value_and_gradient(w.ravel())
    # Minus the gradient of the loss is lam v at the dual point of map (10).
    gradient = problem.lam * (slope - problem.dual_vector(alpha).ravel())
    if problem.free_bias:
        gradient = np.concatenate([gradient, np.ravel(-alpha.sum(axis=0) / n)])
    return side.loss(z) / n + problem.lam * g, gradient


def _check(problem):
    """Refuse by name what has no gradient."""
    check_weights("lbfgs", problem)
    check_gradient("lbfgs", problem)
    regularizer = problem.regularizer
    if not regularizer.has_gradient:
        raise InputError(
            f"lbfgs: {regularizer.label} has no gradient on the whole space; use "
            f"{' or '.join(having('has_gradient'))}, or solver='gauss-seidel'"
        )
    if regularizer.smoothness < SMOOTH:
        raise InputError(
            f"lbfgs: the slope of {regularizer!r} bends too sharply for gradient steps (its Hölder exponent "
            f"is {regularizer.smoothness:.3g}, and {SMOOTH:g} is needed); use solver='gauss-seidel'"
        )
