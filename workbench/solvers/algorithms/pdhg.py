"""PDHG: primal-dual hybrid gradient steps towards the saddle point, with restarts.

Solves       the saddle R(w, alpha) = (1/n) sum_i [ -k(-alpha_i) - alpha_i (w.x_i + b) ] + lam g(w)
State        w, b, alpha, the sums of these since the last restart and the point of it
Guarantees   the mean since a restart has R(w, .) - R(., alpha) = O(1/t); restarts keep what was reached
Cost         two passes over the data a step; every tenth step costs two more, for the mean
Raises       InputError: a regularizer without a proximal point, a kernel, a loss that is infinite somewhere
Source       Chambolle and Pock (2011), Algorithm 1; restarts at the mean, judged by the residual of a step,
             and the primal weight as Applegate et al. (2021, 2023) have them; docs/mathematics.md, section 12

A step is

    w <- prox of tau lam g at w + tau X'alpha / n,    b <- b + tau sum alpha / n,
    alpha_i <- argmin k(-a) + a (w'.x_i + b') + (n / 2 sigma c_i) (a - alpha_i)^2,   w' = 2 w - (w before),

with tau sigma |X|^2 = n^2, |X| in the weights c. Without restarts its path winds around the saddle point.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench.kernels import sample_loops
from workbench.kernels.sample_loops import each_piece
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms.gradients import (
    check_everywhere,
    check_prox,
    check_weights,
    largest_singular_value,
)
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

# The mean is looked at after these steps; its residual has to have fallen to this share for a restart, and
# a stretch as long as this share of all steps ends in one anyway.
LOOK, FALLEN, LONG = 10, 0.3, 0.36
# How much of the new estimate of the primal weight is taken.
SMOOTHED = 0.5

# The places of State.numbers: the primal weight, the residual at the last restart.
RATIO, RESIDUAL = range(2)
# The places of State.counters.
SINCE = 2


class Event(NamedTuple):
    """Numbers of the last step."""

    primal_step: float  # tau
    dual_step: float  # sigma
    change: float  # the largest change of an entry of w
    residual: float  # the length of the step, in the norm in which it does not expand
    restarted: bool  # whether the mean took the iterate's place


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    w: np.ndarray  # (D,) or (D, r)
    b: np.ndarray  # () or (r,), 0 where no bias is free
    alpha: np.ndarray  # (n,) or (n, r)
    sum_w: np.ndarray  # of the w since the last restart
    sum_b: np.ndarray
    sum_alpha: np.ndarray
    first_w: np.ndarray  # where the last restart was
    first_alpha: np.ndarray
    # (3,) the primal weight, the residual at the last restart, |X| / n
    numbers: np.ndarray
    # (3,) int64: steps done, the seed, which is not used, steps since the restart
    counters: np.ndarray
    event: np.ndarray  # (5,) the fields of Event


class Point(NamedTuple):
    """A primal and a dual point."""

    w: np.ndarray
    b: np.ndarray
    alpha: np.ndarray


@dataclass(frozen=True)
class PDHG(Solver):
    """Chambolle and Pock's algorithm.

    Parameters
    ----------
    restart : bool
        Go on from the mean of the iterates where that is much nearer to the saddle point.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", "l1", lam=0.1)
    >>> wb.solve(problem, wb.solvers.PDHG(), tol=1e-6).status
    'converged'
    """

    restart: bool = True
    name: ClassVar[str] = "pdhg"
    takes_columns: ClassVar[bool] = True
    event_type: ClassVar[type] = Event
    advice: ClassVar[str] = "scale the features"

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at w = 0 and alpha = 0, or at the given ones."""
        _check(problem)
        w, b, alpha = starts.both(problem, warm_start)
        size = largest_singular_value(problem, problem.free_bias) / problem.n_samples
        state = State(
            w,
            b,
            alpha,
            np.zeros_like(w),
            np.zeros_like(b),
            np.zeros_like(alpha),
            w.copy(),
            alpha.copy(),
            np.array([1.0, np.inf, size if size > 0.0 else 1.0]),
            fresh_counters(seed, 0),
            fresh_event(Event),
        )
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self._step(problem, state, Point(w, b, alpha))
        return state

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        for done in range(n_steps):
            here = Point(state.w, state.b, state.alpha)
            ahead = self._step(problem, state, here)
            if not (np.isfinite(ahead.w).all() and np.isfinite(ahead.alpha).all()):
                return done
            change, residual = np.abs(ahead.w - state.w).max(), self._residual(problem, state, here, ahead)
            for part, new in zip(here, ahead, strict=True):
                part[...] = new
            for total, new in zip((state.sum_w, state.sum_b, state.sum_alpha), ahead, strict=True):
                total += new
            state.counters[STEPS] += 1
            state.counters[SINCE] += 1
            if not np.isfinite(state.numbers[RESIDUAL]):
                state.numbers[RESIDUAL] = residual
            restarted = self.restart and state.counters[SINCE] % LOOK == 0 and self._restart(problem, state)
            tau, sigma = _sizes(state)
            state.event[:] = tau, sigma, change, residual, restarted
        return n_steps

    def _step(self, problem, state, here):
        """Take a step from a point; the primal part comes first, so that no earlier iterate is needed."""
        tau, sigma = _sizes(state)
        n = problem.n_samples
        pulled = here.w + tau * problem.design.transposed(here.alpha) / n
        w = problem.transfer.prox(pulled.ravel(), tau * problem.lam).reshape(here.w.shape)
        b = here.b + tau * here.alpha.sum(axis=0) / n if problem.free_bias else here.b
        z = problem.design @ (2.0 * w - here.w) + (2.0 * b - here.b)
        return Point(w, b, _dual_point(problem, z, here.alpha, n / sigma))

    def _residual(self, problem, state, here, ahead):
        """Return the length of a step, the root of |w|^2 / tau + 2 alpha.X w / n + |alpha|^2 / sigma."""
        tau, sigma = _sizes(state)
        dw, db, dalpha = (new - old for new, old in zip(ahead, here, strict=True))
        weight = problem.weight if dalpha.ndim == 1 else problem.weight[:, None]
        square = (np.vdot(dw, dw) + np.vdot(db, db)) / tau + float(np.sum(dalpha**2 / weight)) / sigma
        mixed = float(np.vdot(dalpha, problem.design @ dw + db)) / problem.n_samples
        return float(np.sqrt(max(square + 2.0 * mixed, 0.0)))

    def _restart(self, problem, state):
        """Take the mean's place where it pays; whether it did."""
        count = int(state.counters[SINCE])
        mean = Point(state.sum_w / count, state.sum_b / count, state.sum_alpha / count)
        residual = self._residual(problem, state, mean, self._step(problem, state, mean))
        now = float(state.event[3])
        better = min(residual, now)
        if not (better <= FALLEN * state.numbers[RESIDUAL] or count >= LONG * state.steps):
            return False
        if residual < now:
            for part, new in zip((state.w, state.b, state.alpha), mean, strict=True):
                part[...] = new
        moved = np.linalg.norm(state.w - state.first_w), np.linalg.norm(state.alpha - state.first_alpha)
        if min(moved) > 0.0:
            target = np.log(moved[1] / moved[0])
            state.numbers[RATIO] = np.exp(SMOOTHED * target + (1.0 - SMOOTHED) * np.log(state.numbers[RATIO]))
        state.first_w[...], state.first_alpha[...] = state.w, state.alpha
        for total in (state.sum_w, state.sum_b, state.sum_alpha):
            total[...] = 0.0
        # The primal weight changed, and lengths with it: the next step measures anew.
        state.numbers[RESIDUAL], state.counters[SINCE] = np.inf, 0
        return True

    def point(self, state):
        """Return what `certify` takes of the state: both sides; it finds the best bias itself."""
        return {"w": state.w, "alpha": state.alpha}

    def iterate(self, state):
        """Return both sides, whose overflow or standstill ends a run, since one may stand still alone."""
        return np.concatenate([state.w.ravel(), np.atleast_1d(state.b), state.alpha.ravel()])


def _sizes(state):
    """Return the step sizes tau and sigma, with tau sigma |X|^2 / n^2 = 1."""
    ratio, size = state.numbers[RATIO], state.numbers[2]
    return 1.0 / (ratio * size), ratio / size


def _dual_point(problem, z, alpha, stiffness):
    """Minimize sum_i k(-a_i) + a_i z_i + (stiffness / 2 c_i) (a_i - alpha_i)^2 over a."""
    if problem.tasks:
        columns = np.ascontiguousarray(z.T), np.ascontiguousarray(alpha.T)
        parts = zip(problem.tasks, *columns, strict=True)
        return np.stack([_dual_point(task, own, duals, stiffness) for task, own, duals in parts], axis=1)
    if problem.columns:
        return problem.loss.nearest(z, alpha, problem.labels, problem.weight, stiffness)
    kernel, point = sample_loops.dual_prox(), np.empty_like(alpha)
    arguments = problem.loss.scalar("coordinate"), problem.samples, z, alpha, float(stiffness)
    each_piece(z.shape[0], lambda *piece: kernel(*arguments, *piece, point))
    return point


def _check(problem):
    """Refuse by name what has no proximal point."""
    check_weights("pdhg", problem)
    check_prox("pdhg", problem)
    check_everywhere("pdhg", problem)
