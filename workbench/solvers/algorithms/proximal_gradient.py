"""FISTA: accelerated proximal gradient steps on the primal.

Solves       min over w of F(w) + lam g(w),  F(w) = min over b of (1/n) sum_i c_i f(w.x_i + b, y_i)
State        w, the extrapolated point and the bias; the certificate builds the dual point
Guarantees   P(w_k) - inf P <= 2 L |w_0 - w*|^2 / (k + 1)^2 without restarts, L the largest that was used
Cost         two passes over the data a step, one more for each try of the backtracking
Raises       InputError: a loss without a gradient, a regularizer without a proximal point
Source       Beck and Teboulle (2009); the restart is O'Donoghue and Candes (2015), their gradient scheme;
             an L that also falls is Scheinberg, Goldfarb and Bai (2014), Algorithm 3

An unregularized bias is minimized over exactly in every step: F is as smooth as the loss, and its gradient
is that of the loss at the best bias.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.names import validate_choice
from workbench.certificates import loss_terms
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _proximal_steps as compiled_steps
from workbench.solvers.algorithms._proximal_steps import (
    BOTH_WAYS,
    DECAY,
    GROWTH,
    LIPSCHITZ,
    ROUNDING,
    TRIES,
    UPWARDS,
)
from workbench.solvers.algorithms.gradients import (
    check_gradient,
    check_prox,
    check_weights,
    largest_singular_value,
)
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

STEP_RULES = ("lipschitz", "backtracking")


class Event(NamedTuple):
    """Numbers of the last step."""

    step_size: float  # 1 / L
    momentum: float  # the factor of the extrapolation that follows
    change: float  # the largest change of an entry of w
    tries: int  # how often the backtracking raised L
    restarted: bool  # whether the momentum began anew


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    w: np.ndarray  # (D,) or (D, r), on the columns of the design
    before: np.ndarray  # w one step earlier
    extrapolated: np.ndarray  # where the next gradient is taken
    b: np.ndarray  # () or (r,), the best bias there; 0 where none is free
    # (2,) FISTA's t and the Lipschitz constant L
    numbers: np.ndarray
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (5,) the fields of Event


@dataclass(frozen=True)
class ProximalGradient(Solver):
    """FISTA with restarts, for a loss with a gradient and a regularizer with a proximal point.

    Parameters
    ----------
    step : {"lipschitz", "backtracking"}
        1 / L with the loss's Lipschitz constant, from the largest singular value of the data; or with
        the least L of a doubling sequence whose parabola lies above the loss. A loss whose curvature has
        no bound is always searched, and its L falls again where that serves.
    restart : bool
        Drop the momentum when it points uphill.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "squared", "l1", lam=0.1)
    >>> wb.solve(problem, wb.solvers.ProximalGradient(), tol=1e-6).status
    'converged'
    """

    step: str = "lipschitz"
    restart: bool = True
    name: ClassVar[str] = "proximal-gradient"
    takes_columns: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...] | None] = ("finite loss", "smooth loss", "proximal point")
    event_type: ClassVar[type] = Event

    def __post_init__(self):
        validate_choice(self, "step", STEP_RULES)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at w = 0, or at given weights in the caller's features."""
        check(problem)
        w, _ = starts.weights(problem, warm_start)
        searched = self.step == "backtracking" or not _is_bounded(problem)
        constant = _least(problem) if searched else _lipschitz(problem)
        state = State(
            w.copy(),
            w.copy(),
            w.copy(),
            np.zeros(problem.columns),
            np.array([1.0, constant]),
            fresh_counters(seed),
            fresh_event(Event),
        )
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        if self._runner(problem, state) is None:
            self._ahead(problem, loss_terms.loss_side(problem), state)
        return state

    def _runner(self, problem, state):
        """Return the compiled steps; None with r classes or a norm whose proximal point is not compiled."""
        return compiled_steps.runner(problem, state, self._rule(problem), self.restart)

    def _rule(self, problem):
        if not _is_bounded(problem):
            return BOTH_WAYS
        return LIPSCHITZ if self.step == "lipschitz" else UPWARDS

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        run = self._runner(problem, state)
        if run is not None:
            done = run(n_steps)
            state.counters[STEPS] += done
            return done
        side = loss_terms.loss_side(problem)
        for done in range(n_steps):
            w, b, constant, tries = self._ahead(problem, side, state)
            if not np.isfinite(w).all():
                return done
            self._accept(state, w, b, constant, tries)
        return n_steps

    def _ahead(self, problem, side, state):
        """Take the proximal step from the extrapolated point; return w, b, L and how often L was raised."""
        (t, last), point, rule, tries = state.numbers.tolist(), state.extrapolated, self._rule(problem), 0
        constant = DECAY * last if rule == BOTH_WAYS else last
        while True:
            if rule == BOTH_WAYS:
                # With L falling from L_k to L, t_(k+1) (t_(k+1) - 1) / L takes the place of t_k^2 / L_k.
                following = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t * constant / last))
                point[...] = state.w + (t - 1.0) / following * (state.w - state.before)
            if rule == BOTH_WAYS or tries == 0:
                z, b, direction = _downhill(problem, side, point, state.b)
                here = 0.0 if rule == LIPSCHITZ else side.loss(z) / problem.n_samples
            w = _proximal(problem, point + direction / constant, problem.lam / constant)
            if rule == LIPSCHITZ or tries == TRIES:
                return w, b, constant, tries
            if _is_below(problem, side, w, point, b, here, direction, constant):
                return w, b, constant, tries
            constant, tries = GROWTH * constant, tries + 1

    def _accept(self, state, w, b, constant, tries):
        t = state.numbers[0]
        move = w - state.w
        restarted = self.restart and np.vdot(state.extrapolated - w, move) > 0.0
        following = 1.0 if restarted else 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * t * t))
        momentum = 0.0 if restarted else (t - 1.0) / following
        change = np.abs(move).max()
        state.before[...] = state.w
        state.w[...] = w
        state.extrapolated[...] = w + momentum * move
        state.b[...] = b
        state.numbers[:] = following, constant
        state.counters[STEPS] += 1
        state.event[:] = 1.0 / constant, momentum, change, tries, restarted

    def point(self, state):
        """Return what `certify` takes of the state: the weights; it finds the best bias for them itself."""
        return {"w": state.w}

    def iterate(self, state):
        """Return the weights, whose overflow or standstill ends a run."""
        return state.w


def check(problem):
    """Refuse by name what has no gradient or no proximal point."""
    check_weights("proximal-gradient", problem)
    check_gradient("proximal-gradient", problem)
    check_prox("proximal-gradient", problem)


def _proximal(problem, x, tau):
    """argmin_w |w - x|^2 / 2 + tau g(w), in the shape of x."""
    return problem.transfer.prox(x.ravel(), tau).reshape(x.shape)


def _is_bounded(problem):
    """Return whether the curvature of the loss is known to have a bound."""
    return problem.loss.curvature < np.inf


def _downhill(problem, side, point, b):
    """Predictions at a point, the best bias where it is free, and minus the gradient of the loss."""
    z = problem.design @ point
    b = side.best_bias(z, b) if problem.free_bias else 0.0
    z = z + b
    # It is lam v at the dual point of map (10).
    return z, b, problem.lam * problem.dual_vector(side.alpha_at(z, 0.0))


def _is_below(problem, side, w, point, b, here, direction, constant):
    """Return whether the loss at w lies below the parabola of that curvature that touches it at a point."""
    move = w - point
    # At the bias of the extrapolated point the loss is at least that at the best one.
    there = side.loss(problem.design @ w + b) / problem.n_samples
    parabola = here - np.vdot(direction, move) + 0.5 * constant * np.vdot(move, move)
    return there <= parabola + ROUNDING * here


def _lipschitz(problem):
    """Bound the curvature of the loss in w: the loss's own times the largest singular value squared."""
    largest = largest_singular_value(problem)
    return problem.loss.curvature * largest**2 / problem.n_samples if largest > 0.0 else 1.0


def _least(problem):
    """Return an initial constant L: the curvature if all columns of the data were orthogonal."""
    squares = problem.weighted.squares[1]
    curvature = problem.loss.curvature if _is_bounded(problem) else 1.0
    constant = curvature * float(np.max(squares, initial=0.0)) / problem.n_samples
    return constant if constant > 0.0 else 1.0
