"""Proximal-point steps on the dual, each by Newton's method on the primal: for losses with kinks.

Solves       min over w and b of (1/n) sum_i c_i f(w.x_i + b, y_i) + lam g(w), with w = grad h(v)
State        that of Newton's method, and the dual coordinates nu about which the loss is smoothed
Guarantees   no proximal step increases the dual objective D; the loss of a step is smooth, whatever f is
Cost         a step: that of Newton's method, where only samples at a kink make up the matrix
Raises       InputError: a loss that is not finite everywhere, a regularizer whose map (9) has kinks
Source       Rockafellar (1976), Algorithm with (A'); Li, Sun and Toh (2018) for the semismooth Newton steps

A proximal step minimizes D(alpha') + (t / 2n) sum_i c_i (nu'_i - nu_i)^2. In the primal that is the problem
of the smoothed loss

    p_t(u) = max over nu' of  u nu' - p*(nu') - (t / 2) (nu' - nu_i)^2

whose slope is the maximizer, a step of one dual coordinate. This is the augmented Lagrangian of the
constraints z = X w + b with the multipliers alpha. As t falls the steps converge superlinearly.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError, shown
from workbench._support.names import validate_number
from workbench.certificates.assembly import relative_gap
from workbench.kernels import newton_loops
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _newton_system as system
from workbench.solvers.algorithms.gradients import check_everywhere
from workbench.solvers.algorithms.newton import (
    Event,
    PrimalNewton,
    check_problem,
    first_order,
    is_whole,
    losses_at,
    value_of,
)
from workbench.solvers.contract import fresh_counters, fresh_event, solver_state

# A proximal problem is solved once Newton's step promises this share of what the proximal step has gained,
# or nothing beyond rounding.
SOLVED, ROUNDING = 0.1, 1e-15
# Below this share of the first t, rounding of the steps outweighs what they gain.
LEAST = 1e-12

# After a step that was halved more often than this the share rises to the second number, or by the third.
SHORT, CAUTIOUS, RAISED, LEAST_SHARE = 25, 0.01, 10.0, 1e-6

# The places of State.event and of State.numbers.
TRIED = 3
DAMPING, T, FIRST, SMOOTHED, PRIMAL, TERMS, PROMISED, ADDED = range(8)


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    v: np.ndarray  # (D,) w = grad h(v)
    w: np.ndarray  # (D,) on the columns of the design
    b: np.ndarray  # () the bias, 0 where none is free
    z: np.ndarray  # (n,) the predictions, bias included
    center: np.ndarray  # (n,) the dual coordinates nu of the last proximal step
    alpha: np.ndarray  # (n,) the dual variables of the smoothed loss at z
    dual: np.ndarray  # (n,) those before the last step as it changes them to first order, if feasible
    bent: np.ndarray  # (n,) its curvature there
    # (8,) the damping, the weight t of the proximal term, the first t; at z the sums of the smoothed losses,
    # of the losses and of the Fenchel-Young terms; what the last step of Newton's method promised; the share
    # of the most curvature that is added to that of the losses
    numbers: np.ndarray
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (6,) the fields of Event


@dataclass(frozen=True)
class ProximalPoint(PrimalNewton):
    """Proximal-point steps with semismooth Newton inside.

    Parameters
    ----------
    decay : float
        The weight t of the proximal term is multiplied by it after every proximal step, in (0, 1).

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1)
    >>> wb.solve(problem, wb.solvers.ProximalPoint(), tol=1e-6).status
    'converged'
    """

    decay: float = 0.5
    doubles: ClassVar[bool] = False
    name: ClassVar[str] = "proximal-point"
    needs: ClassVar[tuple[str, ...] | None] = ("finite loss", "no Lipschitz slope", "Legendre")

    def __post_init__(self):
        if not 0.0 < validate_number(self, "decay", above=0.0) < 1.0:
            raise InputError(f"{self.name}: decay = {shown(self.decay)} is not below 1; use 0.5")

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at v = 0 and nu = 0, or at given weights and dual variables."""
        check_problem(self.name, problem)
        check_everywhere(self.name, problem)
        if problem.columns:
            raise InputError(
                f"{self.name}: the {problem.loss.name} loss has {problem.columns[0]} dual variables a "
                "sample; use solver='newton'"
            )
        v, w, b, z = self.start(problem, warm_start)
        slopes = losses_at(problem, z).alpha
        problem._set(last_losses=None)  # the losses that are asked for again are the smoothed ones
        # Weights in an array have no dual variables, and those of map (10) are at hand.
        alpha = np.zeros_like(z) if warm_start is None else slopes
        if starts.is_named(warm_start):
            alpha = starts.duals(problem, warm_start)
        center = np.clip(problem.nu(alpha), *problem.loss.interval)
        alpha, dual, bent = np.zeros((3, z.size))
        numbers, counters = np.zeros(8), fresh_counters(seed)
        state = State(v, w, b, z, center, alpha, dual, bent, numbers, counters, fresh_event(Event))
        # In the units of p over those of its slopes squared.
        size = float(np.mean(slopes**2)) or 1.0
        state.numbers[[T, FIRST]] = max(problem.zero_value, np.finfo(float).tiny) / size
        self._renew(problem, state)
        state.dual[...] = state.alpha
        return state

    def losses_at(self, problem, state, z):
        """Compute the smoothed losses at predictions z, and the sums of the losses and of their terms."""
        alpha, bent = np.empty((2, *z.shape))
        scalars = (problem.loss.scalar(part) for part in ("value", "curvature", "coordinate"))
        at = problem.samples, z, state.center, float(state.numbers[T]), *problem.loss.interval
        smoothed, *others = newton_loops.proximal()(*scalars, *at, problem.loss.kinks, alpha, bent)
        return system.Samples(smoothed, alpha, bent, tuple(others))

    def value_at(self, problem, state, z):
        """Sum the smoothed losses at predictions z."""
        scalars = (problem.loss.scalar(part) for part in ("value", "coordinate"))
        at = problem.samples, z, state.center, float(state.numbers[T]), *problem.loss.interval
        return newton_loops.proximal_value()(*scalars, *at)

    def _renew(self, problem, state):
        """Renew the losses at z in the state."""
        here = self.losses_at(problem, state, state.z)
        state.alpha[...], state.bent[...] = here.alpha, here.bent
        state.numbers[SMOOTHED:PROMISED] = here.value, *here.others

    def _equations(self, problem, state, here):
        """Build Newton's equations, with a share of the most curvature that each loss may have added.

        Where most samples lie on straight pieces, lam alone bounds a step, and a wide feature makes it as
        many times too long as it is wide. The share bounds the change of the predictions.
        """
        share = state.numbers[ADDED]
        if share > 0.0:
            here = here._replace(bent=np.maximum(here.bent, share * problem.weight / state.numbers[T]))
        return system.Equations(problem, here, state.v)

    def step(self, problem, state):
        """Take a step of Newton's method, after a proximal step if the last subproblem is solved."""
        numbers, n = state.numbers, problem.n_samples
        here = system.Samples(float(numbers[SMOOTHED]), state.alpha, state.bent)
        equations = self._equations(problem, state, here)
        ahead = equations.solve()
        moved = problem.nu(here.alpha) - state.center
        gained = 0.5 * numbers[T] * float(problem.weight @ (moved * moved)) / n
        rounding = ROUNDING * abs(here.value) / n
        # Where the map (9) may be flat, a step that promises nothing shows nothing.
        is_optimal = ahead.decrement <= rounding and numbers[TERMS] <= ROUNDING * numbers[PRIMAL]
        if is_optimal and problem.regularizer.is_quadratic:
            # A smaller t would only let the rounding of its steps grow.
            numbers[PROMISED] = ahead.decrement
            return
        if numbers[ADDED] < CAUTIOUS and ahead.decrement <= max(SOLVED * gained, rounding):
            state.center[...] = problem.nu(here.alpha)
            numbers[T] = max(self.decay * numbers[T], LEAST * numbers[FIRST])
            equations = self._equations(problem, state, self.losses_at(problem, state, state.z))
            ahead = equations.solve()
        self.search(problem, state, equations, ahead)
        if problem.regularizer.is_quadratic:
            share = numbers[ADDED]
            if state.event[TRIED] > SHORT:
                numbers[ADDED] = max(RAISED * share, CAUTIOUS)
            else:
                numbers[ADDED] = share / RAISED if share > LEAST_SHARE else 0.0
        self._renew(problem, state)
        numbers[PROMISED] = ahead.decrement
        dual, moved = first_order(problem, equations.here, ahead) if is_whole(state) else (state.alpha, ())
        state.dual[...] = state.alpha if moved else dual

    def point(self, state):
        """Return what `certify` takes of the state; it finds the best bias for the weights itself.

        A small t magnifies the rounding of predictions in the dual variables of the smoothed loss, and wide
        features that of the dual variables in v; those to first order meet Newton's equations for v.
        """
        return {"w": state.w, "alpha": state.dual}

    def iterate(self, state):
        """Return both sides, whose overflow or standstill ends a run, since one may stand still alone."""
        return np.concatenate([super().iterate(state), state.alpha])

    def estimate(self, problem, state):
        """Estimate the relative gap, with half the decrease that Newton's last step promised added."""
        primal, terms, promised = state.numbers[PRIMAL:ADDED].tolist()
        if not state.steps:
            return None
        primal = primal / problem.n_samples + problem.lam * value_of(problem, state.v, state.w)
        # Both are never negative but for rounding.
        return relative_gap(problem, max(terms / problem.n_samples + 0.5 * promised, 0.0), primal)
