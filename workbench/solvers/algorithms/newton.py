"""Newton's method on the primal, for smooth losses.

Solves       min over w and b of (1/n) sum_i c_i f(w.x_i + b, y_i) + lam g(w), with w = grad h(v)
State        v, w, b and the predictions, and the dual point to which the last step leads
Guarantees   no step increases the primal objective; near the optimum errors and the gap are squared
Cost         a step: three passes over the data and O(nnz(x_i)^2) for each sample where p'' is not zero, and
             O(D^3) to factor the matrix; with more than 2,000 unknowns some passes of conjugate gradients
Raises       InputError: a loss with kinks or of unbounded curvature, a regularizer whose map (9) has kinks
Source       Zhang (2002), (2) and the maps (9) and (10); Boyd and Vandenberghe (2004), section 9.5, for the
             line search; Qi and Sun (1993) where p'' jumps, as that of the squared hinge

The scales of the features and a common shift of theirs do not matter to it, as they do to coordinate steps.
"""

import abc
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench.certificates import loss_terms
from workbench.certificates.assembly import relative_gap
from workbench.kernels import newton_loops
from workbench.problems.losses import simplex
from workbench.problems.regularizers import having
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _newton_system as system
from workbench.solvers.algorithms.gradients import check_gradient, check_weights
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

# A step is taken where P falls by this share of what the slope along it promises, and doubled while that adds
# another share to what P falls by.
ARMIJO, WORTHWHILE = 1e-4, 0.1
# These tries shorten a step to nothing. A damping rises by one factor and falls by another, and is dropped
# below a share of lam.
TRIES, RAISED, EASED, LEAST_DAMPING = 60, 10.0, 10.0, 1e-2
# P is known to this share of its size.
ROUNDING = 2e-15

# The places of State.event.
STEP_SIZE, DECREMENT, ITERATIONS = 0, 1, 5
# The places of State.numbers.
DAMPING, VALUE, BEFORE, FREE = range(4)


class Event(NamedTuple):
    """Numbers of the last step."""

    step_size: float  # 1 for the step of Newton's method; with a damping, lam / (lam + damping)
    decrement: float  # what the whole step promised, as minus the slope of P along it
    change: float  # the largest change of an entry of w
    tries: int  # how often the step was shortened; minus how often it was doubled
    curved: int  # samples with p'' > 0, which make up the matrix
    iterations: int  # of conjugate gradients; 0 where the matrix was factored


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    v: np.ndarray  # (D,) or (D, r), w = grad h(v)
    w: np.ndarray  # in the shape of v, on the columns of the design
    b: np.ndarray  # () or (r,), 0 where no bias is free
    z: np.ndarray  # (n,) or (n, r) the predictions, bias included
    alpha: np.ndarray  # in the shape of z, those before the last step as it changes them to first order
    # (4,) the damping, P and the decrement one step earlier, whether the bias is free
    numbers: np.ndarray
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (6,) the fields of Event


class PrimalNewton(Solver):
    """Newton's method on the primal, with the losses that `losses_at` gives it."""

    check_share: ClassVar[float] = 0.0
    scale_free: ClassVar[bool] = True
    event_type: ClassVar[type] = Event
    # Whether the objective is that of the problem, so that a longer step may gain more.
    doubles: ClassVar[bool] = True

    def losses_at(self, problem, state, z):
        """Compute the losses at predictions z, as `system.Samples` or `system.Classes`."""
        return losses_at(problem, z)

    def value_at(self, problem, state, z):
        """Sum the losses at predictions z."""
        return loss_terms.loss_side(problem).loss(z)

    def start(self, problem, warm_start):
        """v, w, b and z at weights that were given, else at v = 0."""
        shape, b = (problem.design.shape[1], *problem.columns), np.zeros(problem.columns)
        v = np.zeros(shape)
        if warm_start is not None:
            w, bias = starts.weights(problem, warm_start)
            z = problem.design @ w
            b = b if bias is None else np.array(bias, dtype=float).reshape(b.shape)
            # Elsewhere w may be no image of any v, and that of map (10) is near the optimum.
            v = problem.dual_vector(losses_at(problem, z + b).alpha)
            if problem.transfer.is_identity:
                v = w.copy()
        w = problem.transfer.map(v.ravel())[1].reshape(shape)
        return v, w, b, problem.design @ w + b

    def search(self, problem, state, equations, ahead, share=system.SHARE):
        """Step along the solution of the equations, shortened until the objective decreases enough."""
        here = equations.here
        if not problem.regularizer.is_quadratic:
            ahead, size, tries, point = self._damped(problem, state, equations, ahead, share)
        else:
            tries = self._tries(problem, state, here, ahead)
            size = 0.5**tries
            point = _along(state, ahead, size) if tries < TRIES else None
        change = 0.0
        if point is not None:
            change = float(np.abs(point[1] - state.w).max(initial=0.0))
            for mine, new in zip((state.v, state.w, state.b, state.z), point, strict=True):
                mine[...] = new
        curved = problem.n_samples if problem.columns else here.curved
        state.event[:] = size, max(ahead.decrement, 0.0), change, tries, curved, ahead.iterations

    def _tries(self, problem, state, here, ahead):
        """Return how often to halve the step where g is quadratic along it; minus how often to double it."""
        dv, n, most = ahead.v - state.v, problem.n_samples, TRIES
        slope = 0.5 * problem.lam_n * float(np.vdot(state.v, ahead.w) + np.vdot(dv, state.w))
        bend = problem.lam_n * float(np.vdot(dv, ahead.w))
        least = ARMIJO * n * ahead.decrement
        slack = ROUNDING * (abs(here.value) + problem.lam_n * value_of(problem, state.v, state.w))

        def change(tries, then=None):
            """By how much n P changes, where the losses become that."""
            size = 0.5**tries
            then = self.value_at(problem, state, state.z + size * ahead.z) if then is None else then
            return then - here.value + size * (slope + 0.5 * size * bend)

        # Where a whole step ends, the next most likely begins.
        there = self.losses_at(problem, state, state.z + ahead.z) if self.doubles else None
        tries, gain = 0, change(0, there and there.value)
        while tries < most and not gain <= slack - 0.5**tries * least:
            tries += 1
            gain = change(tries)
        if there is None or tries > 0:
            return tries
        # P is convex, so that its slope there bounds what a longer step adds.
        rising = slope + bend - float(np.vdot(there.alpha, ahead.z))
        while -most < tries and rising < WORTHWHILE * gain:
            farther = change(tries - 1)
            if not farther < (1.0 + WORTHWHILE) * gain - slack:
                break
            tries, gain = tries - 1, farther
        return tries

    def _damped(self, problem, state, equations, ahead, share):
        """Find a step where w is not linear in v; a larger damping bends the step as well as shortens it."""
        n, lam = problem.n_samples, problem.lam
        now = equations.here.value / n + lam * value_of(problem, state.v, state.w)
        damping = state.numbers[DAMPING]
        for tries in range(TRIES):
            if damping > 0.0:
                ahead = equations.solve(share, damping)
            v, b = ahead.v, state.b + ahead.b
            w = problem.transfer.map(v.ravel())[1].reshape(v.shape)
            z = problem.design @ w + b
            then = self.losses_at(problem, state, z).value / n + lam * value_of(problem, v, w)
            if then <= now - ARMIJO * ahead.decrement + ROUNDING * abs(now):
                state.numbers[DAMPING] = damping / EASED if damping > LEAST_DAMPING * lam else 0.0
                return ahead, lam / (lam + damping), tries, (v, w, b, z)
            damping = max(RAISED * damping, lam)
        return ahead, 0.0, TRIES, None

    @abc.abstractmethod
    def step(self, problem, state):
        """Do one step in place."""

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        with np.errstate(over="ignore", invalid="ignore"):
            for done in range(n_steps):
                try:
                    self.step(problem, state)
                except FloatingPointError:
                    return done
                if not np.isfinite(state.w).all():
                    return done
                state.counters[STEPS] += 1
        return n_steps

    def iterate(self, state):
        """Return the weights and the bias, whose overflow or standstill ends a run."""
        return np.append(state.w, state.b)


@dataclass(frozen=True)
class Newton(PrimalNewton):
    """Newton's method with a line search; semismooth where p'' jumps.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", lam=0.1)
    >>> wb.solve(problem, wb.solvers.Newton(), tol=1e-6).status
    'converged'
    """

    name: ClassVar[str] = "newton"
    needs: ClassVar[tuple[str, ...] | None] = ("finite loss", "Lipschitz slope", "Legendre")

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at v = 0, or at given weights in the caller's features."""
        check_problem(self.name, problem)
        check_gradient(self.name, problem)
        if problem.loss.curvature == np.inf:
            raise InputError(
                f"newton: the curvature of the {problem.loss.name} loss has no known bound; use "
                "solver='proximal-point', or 'gauss-seidel'"
            )
        v, w, b, z = self.start(problem, warm_start)
        numbers = np.array([0.0, np.nan, np.nan, problem.free_bias])
        state = State(v, w, b, z, np.zeros_like(z), numbers, fresh_counters(seed), fresh_event(Event))
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self.losses_at(problem, state, z)
        return state

    def step(self, problem, state):
        """One step of Newton's method with its line search."""
        here = self.losses_at(problem, state, state.z)
        value = here.value / problem.n_samples + problem.lam * value_of(problem, state.v, state.w)
        # Inexact steps converge superlinearly where their residuals fall with the decrement.
        promised = relative_gap(problem, state.event[DECREMENT], value)
        share = min(system.SHARE, np.sqrt(promised)) if promised > 0.0 else system.SHARE
        state.numbers[VALUE:FREE] = value, state.event[DECREMENT]
        equations = system.Equations(problem, here, state.v)
        ahead = equations.solve(share)
        self.search(problem, state, equations, ahead, share)
        if is_whole(state):
            state.alpha[...] = first_order(problem, here, ahead)[0]

    def point(self, state):
        """Return what `certify` takes of the state: the weights, the bias and any dual point.

        The image of the weights under map (10) is as near to the optimum as they are, but the gap weighs what
        its v misses by the scales of the features; the new v is the image of this dual point.
        """
        point = {"w": state.w}
        if is_whole(state):
            point["alpha"] = state.alpha
        if state.numbers[FREE]:
            point["b"] = state.b.copy() if state.b.shape else float(state.b)
        return point

    def estimate(self, problem, state):
        """Estimate the relative gap if decrements go on to fall as the last two did, squared.

        No less than the last one after a step that was doubled; None where that cannot be told, as after one
        that was halved.
        """
        value, before = state.numbers[VALUE:FREE]
        size, now = state.event[[STEP_SIZE, DECREMENT]]
        if size > 1.0:
            return relative_gap(problem, now, value)
        if not (size == 1.0 and now < before):
            return None
        return relative_gap(problem, now * (now / before) ** 2, value)


def is_whole(state):
    """Return whether the last step was Newton's own, of equations that were solved exactly."""
    return state.event[STEP_SIZE] == 1.0 and state.event[ITERATIONS] == 0.0


def first_order(problem, here, ahead):
    """Return the dual variables as the whole step changes them to first order, made feasible, and how."""
    return loss_terms.loss_side(problem).feasible(here.alpha - here.times(ahead.z))


def losses_at(problem, z):
    """Compute the losses at predictions z as `system.Samples` or `system.Classes`, or take the last ones."""
    last = problem.last_losses
    if last is not None and np.array_equal(last[0], z):
        return last[1]
    problem._set(last_losses=None)  # frees memory before more is needed
    del last
    if problem.columns:
        labels, weight = problem.labels, problem.weight
        values, p, bend = problem.loss.local(z, labels)
        alpha = weight[:, None] * (simplex.hot(labels, p.shape[1]) - p)
        losses: system.Samples | system.Classes = system.Classes(float(weight @ values), alpha, bend, weight)
    else:
        alpha, bent = np.empty((2, *z.shape))
        scalars = (problem.loss.scalar(part) for part in ("value", "slope", "curvature"))
        value = newton_loops.local()(*scalars, problem.samples, z, 0.0, alpha, bent)
        losses = system.Samples(value, alpha, bent)
    problem._set(last_losses=(z.copy(), losses))
    return losses


def check_problem(name, problem):
    """Refuse what no Newton step on the primal serves: a kernel, a map (9) with kinks."""
    check_weights(name, problem)
    if not problem.regularizer.is_legendre:
        known = ", ".join(having("is_legendre"))
        raise InputError(
            f"{name}: the map w = grad h(v) of {problem.regularizer.label} has kinks, or none is known; use "
            f"{known}, or solver='coordinate-descent' or 'proximal-gradient'"
        )


def value_of(problem, v, w):
    """g(w) for w = grad h(v)."""
    v, w = v.ravel(), w.ravel()
    if problem.regularizer.is_quadratic:
        return 0.5 * float(v @ w)
    return float(v @ w) - problem.transfer.map(v)[0]


def _along(state, ahead, size):
    """Return the point (v, w, b, z) after a fraction `size` of the step, for a quadratic g."""
    here, steps = (state.v, state.w, state.b, state.z), (ahead.v - state.v, ahead.w, ahead.b, ahead.z)
    return [part + size * step for part, step in zip(here, steps, strict=True)]
