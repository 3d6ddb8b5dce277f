"""Augmented Lagrangians of the dual: constraints C v = b or C v <= b, an unregularized bias among them.

Constraints A w = c or A w <= c on the weights are taken too.

Solves       min over alpha of (1/n) sum_i k(-alpha_i, y_i) + lam h(v) with C v = b, or C v <= b
State        that of Gauss-Seidel, the multipliers s (r,) and the residual C v - b: feasible at the end
Guarantees   a step with the update "exact" or "bounded" never increases (27) at fixed s and mu
Cost         O(nnz(x_i) + r) a step
Raises       InputError: a problem without constraints, an update that the regularizer does not offer
Source       Zhang (2002), Algorithms 2 and 3, (27) to (31), (36) to (38)

Both run Algorithm 1 on h(v) + s.(C v - b) + (lam n / (2 mu)) |C v - b|^2. All that a step sees of it is
the pull s + (lam n / mu) (C v - b): a tie C x_i adds the pull's product with it to the prediction and
|C x_i|^2 / mu to the curvature of alpha_i. A bound has a slack t >= 0, C v + t = b, which is the best one
after every pass, so that its multiplier stays at or above 0.

The multipliers s of constraints on the weights are variables of the dual, min over alpha and s of
(1/n) sum_i k(-alpha_i, y_i) + lam [ h(v - A's) + s.c ], so no penalty is needed: after a pass Algorithm 2
takes the best s for alpha, and Algorithm 3 a share eta of the way there. Where w = v - A's and all rows are
equations, the best s is linear in alpha, and the steps of Algorithm 2 follow it: they see rows x_i less their
part in the span of A.
"""

import abc
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice, validate_integer, validate_number
from workbench.certificates import constrained_certificate, loss_terms
from workbench.kernels.arrays import frozen
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _general, _multipliers
from workbench.solvers.algorithms._dual_state import Event
from workbench.solvers.algorithms._multipliers import GENERAL, INNER_SHARE, LAST, MU, TOLD, TOLERANCE
from workbench.solvers.algorithms.gauss_seidel import GaussSeidel
from workbench.solvers.algorithms.orders import upcoming
from workbench.solvers.contract import STEPS, DualSolver, solver_state

UPDATES, ORDERS = ("exact", "bounded", "gradient"), ("cyclic", "shuffled")
# A profile reaches at least this far around two places that nearly agree.
LEAST_SPREAD = 0.5
# The rows of State.limits.
AT, LEFT, MOVED = range(3)


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps; a copy of these arrays brings the run back to it."""

    alpha: np.ndarray  # (n,) dual variables
    v: np.ndarray  # (D,) X'alpha / (lam n), less A's with constraints on the weights
    slopes: np.ndarray  # (D,) see Gauss-Seidel
    sums: np.ndarray  # (3,) see Gauss-Seidel
    theta: np.ndarray  # the regularizer's scale, then its parameters
    counters: np.ndarray  # (2,) int64: steps done, seed of the order
    event: np.ndarray  # (7,) the fields of Event
    s: np.ndarray  # (r,) the multipliers; for an unregularized bias, the bias
    pull: np.ndarray  # (r,) s + (lam n / mu) (C v - b), or what of a prediction A's has become in this pass
    moved: np.ndarray  # (r,) the last step of s
    limits: (
        np.ndarray
    )  # (3, q) of constraints on the weights: s, what A w - c was before its last step, the step
    # (9,) mu, |C v - b| at the last test, the inner tolerance, whether s swings, steps of s in this window,
    # its turns and path there, the path in the one before, whether b may differ from 0
    numbers: np.ndarray


class Multipliers(NamedTuple):
    """The multipliers of a state."""

    s: np.ndarray  # (r,) for an unregularized bias, the bias
    pull: np.ndarray  # (r,) s + (lam n / mu) (C v - b)
    residual: np.ndarray  # (r,) lam (C v - b), for a bias the mean of alpha; A w - c before the last step
    moved: np.ndarray  # (r,) the last step of s
    mu: float
    gap: float  # at these multipliers, see `gap_at`


@dataclass(frozen=True)
class _Lagrangian(DualSolver):
    """The common part of both algorithms: passes of Gauss-Seidel on the augmented objective."""

    mu: float = 1.0
    update: str = "exact"
    order: str = "shuffled"
    scale: float = 1.0
    rate: float = 0.01
    # A step is one of a dual variable.
    event_type: ClassVar[type] = Event
    takes_constraints: ClassVar[bool] = True
    follows: ClassVar[bool] = False
    # Between two steps of s alpha may rest for some passes.
    patience: ClassVar[int] = 20

    def __post_init__(self):
        validate_number(self, "mu", above=0.0)
        validate_choice(self, "update", UPDATES)
        validate_choice(self, "order", ORDERS)
        validate_number(self, "scale", above=0.0)
        validate_number(self, "rate", above=0.0)

    @property
    def inner(self):
        """Algorithm 1 on the augmented objective."""
        return GaussSeidel(update=self.update, order=self.order, scale=self.scale, eta=self.rate)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at alpha = 0 and s = 0, or at a given alpha and s."""
        _check(self.name, problem)
        alpha = None if warm_start is None else starts.duals(problem, warm_start)
        inner = self.inner.init(problem.unconstrained, alpha, seed)
        fields = {name: value for name, value in inner._asdict().items() if name in State._fields}
        if fields["slopes"] is fields["v"]:
            # Where w = v Gauss-Seidel keeps no slopes; its steps with constraints do.
            fields["theta"], fields["slopes"], total = problem.unconstrained.transfer.mirror(fields["v"])
            fields["sums"][0] = total
        zeros, numbers = np.zeros_like(problem.dual_constraints.b), np.zeros(9)
        numbers[MU], numbers[LAST], numbers[GENERAL] = self.mu, np.inf, problem.constraints is not None
        numbers[TOLERANCE] = INNER_SHARE * problem.zero_value
        known = None if warm_start is None else starts.multipliers(problem, warm_start)
        s = zeros if known is None else problem.dual_constraints.projected(known)
        limits = problem.weight_constraints
        limited = np.zeros((3, 0 if limits is None else limits.b.shape[0]))
        pull = np.zeros(problem.data.weight_ties.shape[1]) if self._follows(problem) else zeros.copy()
        state = State(**fields, s=s, pull=pull, moved=zeros.copy(), limits=limited, numbers=numbers)
        if warm_start is not None:
            _limit(problem, state, 1.0)
        _renew(problem, state)
        self._steps(problem, state)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many steps of alpha in place, those of s between passes; returns how many were done."""
        n, done = problem.n_samples, 0
        while done < n_steps:
            asked = min(n_steps - done, n - state.steps % n)
            count = self._steps(problem, state)(asked, upcoming(self.order, n, state, asked))
            state.counters[STEPS] += count
            done += count
            if count < asked:
                break
            if state.steps % n == 0:
                _limit(problem, state, self.share(state))
                self.end_pass(problem, state, _residual(problem, state))
        return done

    def share(self, state):
        """Return the share of the way of multipliers on the weights to the best ones for alpha."""
        return 1.0

    @abc.abstractmethod
    def end_pass(self, problem, state, residual):
        """Take the steps of s between passes; the residual is that of the dual constraints at alpha."""

    def _follows(self, problem):
        """Check if the steps see the best multipliers of constraints on the weights as they move."""
        limits = problem.weight_constraints
        plain = limits is not None and not limits.bounds.any() and not problem.free_bias
        return self.follows and plain and problem.transfer.base.is_identity

    def _steps(self, problem, state):
        if self._follows(problem):
            tied = _general.Tied(frozen(problem.data.weight_ties), state.pull, -1.0 / problem.lam_n)
            return _general.runner(self.inner, problem.unconstrained, state, tied)
        ties = problem.dual_constraints.ties
        if problem.dual_constraints.bounds.any():
            # One without a pull has room, and is not felt until it is left.
            ties = ties * (~problem.dual_constraints.bounds | (state.pull != 0.0))
        tied = _general.Tied(frozen(ties), state.pull, 1.0 / float(state.numbers[MU]))
        return _general.runner(self.inner, problem.unconstrained, state, tied)

    def point(self, state):
        """Return what `certify` takes of the state: for a bias it finds the best one itself."""
        return {"alpha": state.alpha} | ({"multipliers": state.pull.copy()} if state.numbers[GENERAL] else {})

    def feasibility(self, problem, state):
        """Return lam |C v - b|, for a bias the mean of alpha; or how far w lay beyond constraints on it."""
        constraints, limits = problem.dual_constraints, problem.weight_constraints
        residual = problem.lam * constraints.residual(problem.lam_n, state.alpha)
        beyond = 0.0 if limits is None else limits.violation(state.limits[LEFT]).max(initial=0.0)
        return float(max(constraints.violation(residual).max(initial=0.0), beyond))

    def multipliers(self, problem, state):
        """Return the `Multipliers` of a state."""
        if problem.weight_constraints is not None and not problem.free_bias:
            s, left, moved = state.limits.copy()
            return Multipliers(s, s, left, moved, float(state.numbers[MU]), gap_at(problem, state, state.s))
        residual = problem.lam * problem.dual_constraints.residual(problem.lam_n, state.alpha)
        copies = (state.s.copy(), state.pull.copy(), residual, state.moved.copy())
        return Multipliers(*copies, float(state.numbers[MU]), gap_at(problem, state, state.s))

    def trouble(self, state):
        """Report that the multipliers oscillate; None if they do not."""
        if state.numbers[TOLD]:
            return f"{self.name}: the multipliers swing and do not come to rest; {self.advice}"
        return None


@dataclass(frozen=True)
class AugmentedLagrangian(_Lagrangian):
    """Zhang's Algorithm 2: a full step of the multipliers whenever the inner problem is solved.

    Parameters
    ----------
    mu : float
        The penalty is (lam n / (2 mu)) |C v - b|^2 at first; mu falls where C v - b does not halve.
    update : {"exact", "bounded", "gradient"}
        Of alpha, as in Gauss-Seidel.
    order : {"cyclic", "shuffled"}
    scale : float
        Every step of alpha is multiplied by it.
    rate : float
        The learning rate of the update "gradient".

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1, bias=True)
    >>> wb.solve(problem, wb.solvers.AugmentedLagrangian(), tol=1e-6).status
    'converged'
    """

    name: ClassVar[str] = "augmented-lagrangian"
    advice: ClassVar[str] = "scale the features alike, or begin with another mu"
    follows: ClassVar[bool] = True

    def end_pass(self, problem, state, residual):
        """Take a step of s or of mu if the inner problem is solved."""
        _renew(problem, state)
        gap = gap_at(problem, state, state.pull[: state.s.shape[0]])
        _between(_multipliers.settle, problem, state, residual, float(problem.lam), gap)
        if problem.dual_constraints.bounds.any():
            # Their slacks are others at another s or mu.
            _renew(problem, state)


@dataclass(frozen=True)
class ModifiedAugmentedLagrangian(_Lagrangian):
    """Zhang's Algorithm 3: a small step of the multipliers after every pass over the samples, or every few.

    Parameters
    ----------
    mu, update, order, scale, rate
        As for `AugmentedLagrangian`; mu stays.
    eta : float
        The learning rate of s in (31). Large ones are unstable, which the run notices and says.
    passes : int
        Passes over the samples between two steps of s.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1, bias=True)
    >>> wb.solve(problem, wb.solvers.ModifiedAugmentedLagrangian()).status
    'converged'
    """

    eta: float = 0.1
    passes: int = 1
    name: ClassVar[str] = "modified-augmented-lagrangian"

    def __post_init__(self):
        super().__post_init__()
        validate_number(self, "eta", above=0.0)
        validate_integer(self, "passes", 1)

    @property
    def advice(self):
        """Advice where the multipliers swing."""
        return f"lower eta = {self.eta:g}"

    def share(self, state):
        """eta, where it is the turn of the multipliers, and at most all of the way."""
        return 0.0 if state.steps // state.alpha.shape[0] % self.passes else min(self.eta, 1.0)

    def end_pass(self, problem, state, residual):
        """(31), where it is the turn of s."""
        if self.share(state):
            _between(_multipliers.move, problem, state, residual, float(self.eta))
            state.s[...] = problem.dual_constraints.projected(state.s)
        _renew(problem, state)


def _limit(problem, state, share):
    """Move the multipliers of constraints on the weights towards the best ones for alpha; renew v."""
    if not state.limits.size or share == 0.0:
        return
    transfer, v = problem.transfer, problem.dual_vector(state.alpha)
    _, w = transfer.base.map(transfer.pulled(v, state.limits[AT]))
    state.limits[LEFT] = transfer.constraints.residual(1.0, w)
    state.limits[MOVED] = share * (transfer.multipliers(v, state.limits[AT].copy()) - state.limits[AT])
    state.limits[AT] += state.limits[MOVED]
    state.v[...] = transfer.pulled(v, state.limits[AT])
    state.theta[...], state.slopes[...], state.sums[0] = transfer.base.mirror(state.v)
    state.sums[1] = 0.0
    state.pull[state.s.shape[0] :] = 0.0


def _between(compiled, problem, state, residual, *numbers):
    """Call one of `_multipliers` between two passes."""
    multipliers = _multipliers.Multipliers(state.s, state.pull, state.moved, state.numbers)
    compiled()(multipliers, residual, float(problem.lam_n), *numbers)


def _residual(problem, state):
    """C v - b; of a bound C v + t - b with the slack t >= 0 that is best at these alpha, s and mu.

    The pull on a bound is then max(0, s + (lam n / mu) (C v - b)), and a step of s takes that value.
    """
    constraints = problem.dual_constraints
    residual = constraints.residual(problem.lam_n, state.alpha)
    most = np.maximum(residual, -state.numbers[MU] * state.s / problem.lam_n)
    return np.where(constraints.bounds, most, residual)


def _renew(problem, state):
    """Recompute the pull; on a bound with room it is exactly zero."""
    residual = _residual(problem, state)
    _between(_multipliers.renew, problem, state, residual)
    room = residual > problem.dual_constraints.residual(problem.lam_n, state.alpha)
    state.pull[: room.size][room] = 0.0


def gap_at(problem, state, multipliers):
    """Compute the gap of the dual at these multipliers, without a penalty; v and w satisfy their map exactly.

    At s that is Zhang's gap at fixed bias, `wb.gaps.fixed_bias`; at the pull it is that of (27) or (37).
    """
    _, w = problem.unconstrained.transfer.map(state.v)
    z = problem.design @ w + problem.dual_constraints.ties @ multipliers
    losses, _ = loss_terms.loss_side(problem).bracket(z, state.alpha)
    return losses.sum / problem.n_samples


def profile(problem, state, count, beyond):
    """Evaluate the primal over a single multiplier, at the weights of the state.

    Of a constraint on the weights, the lower bound at the dual variables of the state.

    Parameters
    ----------
    count : int
        How many places.
    beyond : float
        How far they reach beyond the multiplier and the best place, as a share of the distance of the two.

    Returns
    -------
    dict
        "place" and "value" (count,) of the curve, and "at", "height" of the multiplier and of the best place.
    """
    if problem.weight_constraints is not None and not problem.free_bias:
        value, s, best = _bound_over(problem, state)
    else:
        value, s, best = _primal_over(problem, state)
    ends = [s, best] if np.isfinite(best) else [s]
    margin = beyond * max(max(ends) - min(ends), LEAST_SPREAD)
    place = np.linspace(min(ends) - margin, max(ends) + margin, count)
    return {
        "place": place,
        "value": np.array([value(s) for s in place]),
        "at": np.array(ends),
        "height": np.array([value(s) for s in ends]),
    }


def _bound_over(problem, state):
    """Return the lower bound over the multiplier of a constraint on the weights, s and the best s."""
    transfer, v = problem.transfer, problem.dual_vector(state.alpha)
    losses, c = loss_terms.loss_side(problem).conjugate(state.alpha), float(transfer.constraints.b[0])

    def value(s):
        h = transfer.base.map(transfer.pulled(v, np.array([s])))[0]
        return -losses / problem.n_samples - problem.lam * (h + c * s)

    return value, float(state.limits[AT, 0]), float(transfer.multipliers(v)[0])


def _primal_over(problem, state):
    """Return the primal over the multiplier of a constraint on the dual, s and the best s."""
    h, w = problem.transfer.map(state.v)
    side, z, ties = loss_terms.loss_side(problem), problem.design @ w, problem.dual_constraints.ties[:, 0]
    charged = problem.lam * float(problem.dual_constraints.b[0])
    level = problem.lam * problem.transfer.bracket(w, state.v, h).value

    def value(s):
        return side.loss(z + s * ties) / problem.n_samples + level + charged * s

    s = float(state.s[0])
    if problem.free_bias:
        return value, s, float(side.best_bias(z))
    return value, s, constrained_certificate.least_over(problem, z, s)


def _check(name, problem):
    """Refuse what has no constraints, or dual variables that are not single numbers."""
    if not (problem.free_bias or problem.is_constrained):
        raise InputError(
            f"{name}: the problem has no constraints; give some, bias = True, or use gauss-seidel"
        )
    if problem.kernel is not None:
        raise InputError(f"{name}: {problem.kernel!r} is not available; use maximal-violating-pair")
    if problem.columns:
        raise InputError(
            f"{name}: the {problem.loss.name} loss has {problem.columns[0]} dual variables a sample; use "
            "solver = 'proximal-gradient'"
        )
