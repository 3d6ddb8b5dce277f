"""The Primal Gradient Solver: stochastic subgradients, and the map of the conjugate in place of a projection.

Solves       min over w of (1/n) sum_i c_i f(w.x_i, y_i) + lam g(w)
State        theta (D,), minus the sum of all subgradients, with w_t = grad h(theta / ((t + 1) lam))
Guarantees   E[P(w) - inf P] <= L^2 (1 + ln T) / (2 lam T) for the random and the averaged iterate of T
             steps with independent batches, where g is 1-strongly convex in a norm and L bounds the dual
             norm of the subgradients that are met; no other choice is needed, of a step size say
Cost         O(k nnz) a step for the p-norms with or without a ball, and for the last and the random
             iterate of a sum over the coordinates; O(k nnz + d) for any other; a row of the kernel a sample
Raises       InputError: a regularizer or loss that does not fit, a batch above n, a ball that may be too
             small, a warm start
Source       Zhu et al. (2009), Figures 1 and 2, Theorem 1, with the errata of `wb.errata()`

The points that count are w_0 to w_(T-1), those at which subgradients are taken: the proof bounds their mean
value (the paper prints w_1 to w_T). The dual variables are the means of the subgradients as they were drawn,
alpha_i = -n / (T + 1) sum c_i f'(z_i) / k, so that w_T = grad h(X'alpha / (lam n)) exactly.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError, shown
from workbench._support.names import validate_choice, validate_integer, validate_number
from workbench.certificates import loss_terms
from workbench.problems.regularizers import having
from workbench.solvers.algorithms import _primal_general, _primal_kernel, _primal_steps, _records
from workbench.solvers.algorithms._primal_steps import FACTOR, RATE, SCALE, TOTAL, State
from workbench.solvers.algorithms.gauss_seidel import KERNEL_BYTES
from workbench.solvers.algorithms.gradients import check_everywhere
from workbench.solvers.contract import Solver, fresh_counters, fresh_event
from workbench.solvers.warm_start import is_solution

ORDERS = ("independent", "shuffled")
OUTPUTS = ("average", "last", "random")
KNOWN = "known"
# How far below its bound a ball may lie, for rounding.
ROUNDING = 1e-12
# No run is this long.
HOPELESS = 1e7
# A mean of this many steps makes up for a first iterate whose predictions lie as far out.
FORGOTTEN = 1e6


class Event(NamedTuple):
    """Numbers of the last step."""

    # The last sample of the batch.
    index: int  # type: ignore[assignment]  # hides the method of tuples
    pull: float  # what theta moved along it: -c f'(z) / k
    active: int  # how many samples of the batch had a slope
    rate: float  # 1 / ((t + 1) lam), by which theta is multiplied
    norm: float  # of the new iterate in its p-norm; nan where it is not kept


@dataclass(frozen=True)
class PrimalGradient(Solver):
    """Zhu's Figure 1.

    Parameters
    ----------
    batch : int
        The samples k of a step, all different.
    order : {"independent", "shuffled"}
        A fresh draw each step, as in the theorem, or through all samples in a new order each epoch.
    output : {"average", "last", "random"}
        The point that is certified: the mean of the iterates, the last one, or one drawn uniformly.
    ball : float or "known", optional
        Keep the iterates in a p-norm ball that holds the optimum. It is refused below
        sqrt((p - 1) P(0) / lam), the radius for which that is known and for which "known" stands; where no
        ball is given and the slopes of the loss are not bounded, it is taken. A ball spares the average
        the first iterates, which may lie far out. One that is part of the problem is one of its
        regularizer: "p-norm:p=1.8,ball=3".

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", lam=0.1)
    >>> wb.solve(problem, wb.solvers.PrimalGradient(), tol=1e-2).status
    'converged'
    """

    batch: int = 1
    order: str = "independent"
    output: str = "average"
    ball: float | str | None = None
    name: ClassVar[str] = "primal-gradient"
    event_type: ClassVar[type] = Event

    @classmethod
    def by_name(cls):
        """With even draws: the dual variables are means over the draws, and these spare them their noise."""
        return cls(order="shuffled")

    def __post_init__(self):
        validate_choice(self, "order", ORDERS)
        validate_choice(self, "output", OUTPUTS)
        validate_integer(self, "batch", 1)
        if self.ball is not None and self.ball != KNOWN:
            validate_number(self, "ball", "primal-gradient", above=0.0)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at theta = 0, whatever a `Solution` holds, since the step sizes begin there."""
        _check(problem)
        if warm_start is not None and not is_solution(warm_start):
            raise InputError(
                "primal-gradient: it starts at zero, where its rate begins; leave warm_start out"
            )
        if self.batch > problem.n_samples:
            raise InputError(
                f"primal-gradient: batch = {self.batch} is more than the {problem.n_samples} samples; "
                f"use batch = {problem.n_samples} or less"
            )
        n, size = problem.n_samples, problem.rows.shape[1]
        shape, kernel = self._shape(problem), problem.kernel is not None
        _check_rate(problem, shape)
        duals, theta = np.zeros(n), np.zeros(n if kernel else size)
        mirror = duals if kernel else theta if shape is not None and shape[0] == 2.0 else np.zeros(size)
        averaged, chosen = (mirror.size if self.output == name else 0 for name in ("average", "random"))
        numbers = np.zeros(8)
        numbers[RATE], numbers[SCALE], numbers[FACTOR] = 1.0 / problem.lam, 1.0, 0.0 if shape else 1.0
        if shape is None:
            _, mirror[:] = problem.transfer.map(theta)
        state = State(
            theta,
            mirror,
            duals,
            np.zeros((averaged, 2)),
            np.zeros(chosen),
            np.arange(n, dtype=np.uint32),
            numbers,
            fresh_counters(seed, 0, 0),
            fresh_event(Event),
        )
        if kernel:
            problem.kernel_matrix.keep(KERNEL_BYTES)
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self._runner(problem, state)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        return self._runner(problem, state)(n_steps) if n_steps > 0 else 0

    @np.errstate(over="ignore", invalid="ignore")
    def weights(self, state):
        """Return the output weights (D,), in the coordinates of the mirror."""
        steps = state.steps
        if self.output == "random" and steps:
            return state.chosen.copy()
        if self.output == "average" and steps:
            total, seen = state.averaged.T
            return (total + state.mirror * (state.numbers[TOTAL] - seen)) / steps
        return state.numbers[FACTOR] * state.mirror

    def point(self, state):
        """Return what `certify` takes of the state: the weights, and the mean subgradient as alpha."""
        n, count = state.duals.shape[0], state.steps + 1
        if state.mirror is state.duals:
            # The weights are factors of the samples, alpha / (lam n), and the rate is 1 / (count lam).
            return {"alpha": self.weights(state) * (n / (state.numbers[RATE] * count))}
        return {"w": self.weights(state), "alpha": state.duals * (n / count)}

    def last_point(self, state):
        """Return the last iterate beside another output."""
        return None if self.output == "last" else replace(self, output="last").point(state)

    def iterate(self, state):
        """Return the numbers of the state, whose overflow or standstill ends a run."""
        return state.numbers

    def epoch_steps(self, problem):
        """Return the number of steps that make at most n visits of a sample."""
        return problem.n_samples // self.batch

    def has_ball(self, problem):
        """Return whether the iterates may be kept in a ball: w is a number times a mirror of theta."""
        return self._shape(problem) is not None

    def _shape(self, problem):
        """p, the factor kappa of h and the ball where w is a number times a mirror; None for the others."""
        shape = problem.regularizer.squared_norm
        if shape is None and self.ball is None:
            return None
        if shape is None:
            raise InputError(
                f"primal-gradient: ball = {shown(self.ball)} needs a p-norm, not {problem.regularizer!r}; "
                f"leave it out, or use {' or '.join(having('squared_norm'))}"
            )
        p, kappa, ball = shape
        # See `_check_ball`.
        bound = float(np.sqrt(kappa * problem.zero_value / problem.lam))
        if self.ball == KNOWN or (self.ball is None and problem.loss.lipschitz == np.inf):
            ball = min(ball, bound)
        elif self.ball is not None:
            _check_ball(self.ball, bound)
            ball = min(ball, float(self.ball))
        return p, kappa, ball

    def _runner(self, problem, state):
        """Return the function of a count that runs the compiled steps."""
        shape, lam, samples = self._shape(problem), float(problem.lam), problem.samples
        slope, batch = problem.loss.scalar("slope"), np.zeros(int(self.batch))
        flags = self.order == "shuffled", self.output == "average"
        arguments: tuple[object, ...]
        if problem.kernel is not None:
            numbers = _primal_kernel.Settings(lam, float(shape[2]), *flags)
            arguments = problem.kernel_matrix.arguments, samples, slope, numbers, batch, state
            compiled = _primal_kernel.steps()
        elif shape is not None:
            p, kappa, ball = map(float, shape)
            settings = _primal_steps.Settings(lam, p, kappa, ball, *flags)
            rows = _records.compressed(problem.lean_arrays)
            arguments, compiled = (rows, samples, slope, settings, batch, state), _primal_steps.steps()
        else:
            regularizer, transfer, size = problem.regularizer, problem.transfer, state.theta.shape[0]
            linear, local = regularizer.entry["linear"], np.arange(size, dtype=np.uint32)
            general = _primal_general.Settings(lam, *flags, linear and not flags[1], linear)
            space = _primal_general.Space(transfer.theta.copy(), np.empty(size), local, np.empty(size))
            rows, functions = (
                _records.compressed(problem.row_arrays),
                _records.regularizer_functions(regularizer),
            )
            arguments = rows, samples, slope, functions, transfer.weights, general, batch, space, state
            compiled = _primal_general.steps()
        return lambda count: compiled(count, *arguments)


def _check(problem):
    """Refuse by name what has no single slope a sample, or no strongly convex regularizer."""
    regularizer, loss = problem.regularizer, problem.loss
    if regularizer.is_norm:
        raise InputError(
            f"primal-gradient: the norm {regularizer.label} has no smooth conjugate; use p-norm with p near "
            "1, or solver='proximal-gradient'"
        )
    check_everywhere("primal-gradient", problem)
    if problem.columns:
        raise InputError(
            f"primal-gradient: the {loss.name} loss has {problem.columns[0]} predictions a sample; "
            "use solver='proximal-gradient'"
        )
    if problem.free_bias:
        raise InputError(
            "primal-gradient: bias = True leaves a weight without a regularizer, and its step sizes need "
            "one; use bias='constant'"
        )
    if regularizer.entry["structure"] == "norm" and regularizer.squared_norm is None:
        raise InputError(
            f"primal-gradient: {regularizer!r} is not strongly convex; use q in (1, 2] with power = 2"
        )


def _check_rate(problem, shape):
    """Refuse what the theorem says nothing of, or holds out nothing for within `HOPELESS` steps.

    The slopes of a convex loss are largest at the farthest predictions that the ball of radius B allows, at
    B |x|_q, which B |x|_2 bounds for q >= 2, and on the simplex of sum A at A |x|_inf, where the entropy is
    strongly convex with 1 / A. Losses of bounded curvature are left to their known ball or simplex.
    """
    loss, on_simplex = problem.loss, problem.regularizer.entry["structure"] == "simplex"
    if loss.lipschitz < np.inf:
        if shape is None:
            _check_first_step(problem)
        return
    if shape is None and not on_simplex and not _growth(problem) <= FORGOTTEN:
        raise InputError(
            f"primal-gradient: the slopes of {loss!r} have no bound, and with {problem.regularizer!r} and "
            f"lam = {problem.lam:g} the first steps may diverge; use the logistic loss, the squared-l2 "
            "regularizer, whose ball holds the steps, or solver='gauss-seidel'"
        )
    if loss.curvature < np.inf:
        return
    convexity = 1.0
    if on_simplex:
        ball = float(problem.transfer.theta[1])
        size, convexity = abs(problem.rows).max(axis=1).toarray().ravel(), 1.0 / ball
    elif problem.kernel is not None:
        ball, size = np.inf, np.sqrt(problem.kernel_matrix.diagonal)
    else:
        ball = np.inf if shape is None else shape[2]
        size = np.sqrt(np.asarray(problem.rows.power(2).sum(1)).ravel())
    slope = loss.scalar("slope")
    with np.errstate(over="ignore", invalid="ignore"):
        ends = [problem.sign * side * ball * size + problem.shift for side in (-1.0, 1.0)]
        slopes = [problem.weight * [abs(slope(u, loss.theta)) for u in end] for end in ends]
        bound = np.max(np.maximum(*slopes) * size, initial=0.0, where=size > 0.0) ** 2
        rate = 0.5 * bound * (1.0 + np.log(HOPELESS)) / (problem.lam * convexity * HOPELESS)
    if not rate <= problem.zero_value:
        raise InputError(
            f"primal-gradient: the slopes of {loss!r} grow so steeply that {HOPELESS:.0e} steps are "
            "not enough; use solver='gauss-seidel' or 'proximal-gradient', or scale the features"
        )


@np.errstate(over="ignore")
def _growth(problem):
    """Return how many times the first steps may enlarge the distance to the optimum.

    Step t multiplies the part of theta along x_i by 1 - L / (t + 1) with L = c_i p'' x_i'h''x_i / lam at
    most, and the product of those beyond -1 is below 2^L.
    """
    bound = problem.curvature_bound
    if bound is None:
        return np.inf
    return np.exp2(problem.loss.curvature * problem.n_samples * (problem.weight * bound).max())


@np.errstate(over="ignore", invalid="ignore")
def _check_first_step(problem):
    """Refuse a first step so long that the mean takes too many steps to make up for it.

    The first iterate is grad h(alpha_i x_i / (2 lam)) for some sample i, where alpha is the dual point of
    the start, and an exponential, say, takes it anywhere where lam is small.
    """
    rows = problem.rows
    _, w = problem.transfer.map(np.zeros(rows.shape[1]))
    alpha = loss_terms.loss_side(problem).alpha_at(rows @ w, 0.0)
    v = abs(rows).multiply(np.abs(alpha)[:, None]).max(axis=0).toarray().ravel() / (2.0 * problem.lam)
    farthest = np.maximum(*(np.abs(problem.transfer.map(side * v)[1]) for side in (-1.0, 1.0)))
    far = float((abs(rows) @ farthest).max(initial=0.0))
    if not far <= FORGOTTEN:
        raise InputError(
            f"primal-gradient: with {problem.regularizer!r} and lam = {problem.lam:g} the first step may "
            f"lead to predictions as large as {far:.1e}; use a larger lam, scale the features, or use "
            "solver='gauss-seidel'"
        )


def _check_ball(ball, bound):
    """Refuse a ball that is not known to hold the optimum.

    At the optimum the loss and lam w.v add up to mean -k(-alpha), which f(0) bounds sample by sample, and
    w.v is |w|^2 / kappa or more: so |w|_p^2 <= kappa P(0) / lam for every loss that is never negative.
    """
    if ball < bound * (1.0 - ROUNDING):
        raise InputError(
            f"primal-gradient: ball = {ball:g} may not hold the optimum, which is known to lie within "
            f"sqrt((p - 1) P(0) / lam) = {bound:.6g}; use ball = {1.00001 * bound:.5g} or more, or make it "
            "part of the problem with the regularizer 'p-norm:p=...,ball=...'"
        )
