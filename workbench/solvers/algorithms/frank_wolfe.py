"""Frank-Wolfe on the dual: the generalized conditional gradient method, which linearizes lam h alone.

Solves       min over alpha of (1/n) sum_i k(-alpha_i, y_i) + lam h(v),  v = X'alpha / (lam n)
State        alpha, v and the direction's values; feasible after every step
Guarantees   "exact" never increases the dual objective; D - D* is O(1/t), linear where k is strongly convex
Cost         two passes over the data a step, and O(n + D) for each try of the line search
Raises       InputError: a norm, a kernel, a loss that is infinite at some predictions
Source       Bredies, Lorenz and Maass (2009); Bach (2015), "Duality between subgradient and conditional
             gradient methods"; Jaggi (2013) for the gap; docs/mathematics.md, section 12

With w = grad h(v) the linearized problem min (1/n) sum_i [k(-s_i) + s_i w.x_i] is solved by map (10), s_i in
-df(z_i), and what it promises,

    (1/n) sum_i [ k(-alpha_i) + alpha_i z_i - k(-s_i) - s_i z_i ]
        = (1/n) sum_i [ k(-alpha_i) + alpha_i z_i + f(z_i) ],

is the certificate of (w, alpha), for every loss. Linearizing k as well, as the classical method does, gives
the same where k is linear on its domain, as for the hinge, and minus infinity where that is unbounded.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice
from workbench.certificates import loss_terms
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms.gradients import check_everywhere
from workbench.solvers.contract import STEPS, DualSolver, Solver, fresh_counters, fresh_event, solver_state

STEP_RULES = ("exact", "open-loop")
# The slope of D along the way is brought to zero by secants and halvings, which end at neighbouring numbers.
TRIES = 100


class Event(NamedTuple):
    """Numbers of the last step."""

    step_size: float  # the share of the way to the linearized problem's minimizer
    gap: float  # what the linearized problem promised, which is the certificate's gap before the step
    dual_change: float  # of D, 0 or less with exact steps
    change: float  # the largest change of a dual variable


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    alpha: np.ndarray  # (n,) or (n, r) dual variables
    v: np.ndarray  # (D,) or (D, r), X'alpha / (lam n)
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (4,) the fields of Event


@dataclass(frozen=True)
class FrankWolfe(DualSolver):
    """Generalized conditional gradient steps on the dual.

    Parameters
    ----------
    step : {"exact", "open-loop"}
        The best share of the way, where the slope of D along it vanishes; or 2 / (t + 2).

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", lam=0.1)
    >>> wb.solve(problem, wb.solvers.FrankWolfe(), tol=1e-3).status
    'converged'
    """

    step: str = "exact"
    name: ClassVar[str] = "frank-wolfe"
    event_type: ClassVar[type] = Event
    # A step visits all samples.
    epoch_steps = Solver.epoch_steps

    def __post_init__(self):
        validate_choice(self, "step", STEP_RULES)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at given dual variables, or at alpha = 0 (moved inside the domain if outside)."""
        _check(problem)
        side = loss_terms.loss_side(problem)
        if warm_start is not None:
            alpha = side.feasible(starts.duals(problem, warm_start))[0]
        elif problem.columns:
            alpha = np.zeros((problem.n_samples, *problem.columns))
        else:
            alpha = problem.alpha(np.full(problem.n_samples, problem.loss.start))
        if problem.free_bias:
            alpha = side.balance(alpha)[0]
        state = State(alpha.copy(), problem.dual_vector(alpha), fresh_counters(seed), fresh_event(Event))
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self._direction(problem, side, state)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many, fewer where the direction is zero or overflowed."""
        side = loss_terms.loss_side(problem)
        for done in range(n_steps):
            target, gap = self._direction(problem, side, state)
            ahead = target - state.alpha
            if not np.isfinite(ahead).all() or not ahead.any():
                return done
            drift = problem.dual_vector(ahead)
            share, change = self._share(problem, side, state, ahead, drift)
            if share == 0.0:
                return done
            # Rounding may carry a point between two of the domain out of it.
            state.alpha[...] = side.feasible(state.alpha + share * ahead)[0]
            state.v[...] += share * drift
            state.counters[STEPS] += 1
            state.event[:] = share, gap, change, share * np.abs(ahead).max()
        return n_steps

    def _direction(self, problem, side, state):
        """Minimize the linearized problem; return the minimizer and the gap that it proves."""
        w = problem.transfer.map(state.v.ravel())[1].reshape(state.v.shape)
        z = problem.design @ w
        b = side.best_bias(z) if problem.free_bias else 0.0
        bracket, _ = side.bracket(z + b, state.alpha, b)
        return side.alpha_at(z, b), bracket.sum / problem.n_samples

    def _share(self, problem, side, state, ahead, drift):
        """Return how far to go, and by how much D changes."""

        def dual(share):
            h = problem.transfer.map((state.v + share * drift).ravel())[0]
            return side.conjugate(state.alpha + share * ahead) / problem.n_samples + problem.lam * h

        def slope(share):
            w = problem.transfer.map((state.v + share * drift).ravel())[1]
            along = side.conjugate_slope(state.alpha + share * ahead, ahead)
            return along / problem.n_samples + problem.lam * float(drift.ravel() @ w)

        share = _root(slope) if self.step == "exact" else 2.0 / (state.steps + 2.0)
        return share, dual(share) - dual(0.0)


def _root(slope):
    """Return where a function that rises crosses zero between 0 and 1, else the nearest end."""
    low, high, at_high = 0.0, 1.0, slope(1.0)
    if not at_high > 0.0:
        return 1.0
    at_low = slope(0.0)
    if not at_low < 0.0:
        return 0.0
    for k in range(TRIES):
        middle = 0.5 * (low + high)
        if k % 3 and np.isfinite(at_high - at_low):
            middle = low - at_low * (high - low) / (at_high - at_low)
        if not low < middle < high:
            break
        value = slope(middle)
        if value == 0.0:
            return middle
        if value < 0.0:
            low, at_low = middle, value
        else:
            high, at_high = middle, value
    return low if -at_low < at_high else high


def _check(problem):
    """Refuse by name what has no linearized problem with a solution, or no differentiable h."""
    if problem.kernel is not None:
        raise InputError("frank-wolfe: a kernel is not available; use gauss-seidel, or leave it out")
    if problem.regularizer.is_norm:
        raise InputError(
            f"frank-wolfe: the norm {problem.regularizer.label} has no differentiable conjugate; use "
            "elastic-net, or solver='proximal-gradient'"
        )
    check_everywhere("frank-wolfe", problem)
