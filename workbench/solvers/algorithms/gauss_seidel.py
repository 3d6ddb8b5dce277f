"""Dual Gauss-Seidel: one coordinate of the dual at a time.

Solves       min over alpha of (1/n) sum_i k(-alpha_i, y_i) + lam h(v),  v = X'alpha / (lam n)
State        alpha (n,), v (D,), slopes (D,), sums (3,): feasible after every step
Guarantees   "exact" and "bounded" (with scale <= 1) and "newton" never increase the dual objective
Cost         O(nnz(x_i)) an evaluation, for every regularizer
Raises       InputError: an update that the regularizer does not offer, a parameter out of range
Source       Zhang (2002), Algorithm 1, (11), (13), (22), (23), (25), (26)
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from workbench._support.errors import InputError, shown
from workbench._support.names import validate_choice, validate_number
from workbench.certificates import loss_terms
from workbench.certificates.assembly import relative_gap
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _general, _kernel_steps, _linear, _multinomial_steps, _shrinking
from workbench.solvers.algorithms._coordinate import CLOSED_FORM, GRADIENT, NEWTON, SEARCH
from workbench.solvers.algorithms._dual_state import Event, State
from workbench.solvers.algorithms.orders import ORDERS, upcoming
from workbench.solvers.contract import STEPS, DualSolver, fresh_counters, fresh_event

UPDATES = ("exact", "bounded", "gradient", "newton")

# The most memory for the matrix of a kernel with the space it shares, see `KernelMatrix.keep`.
KERNEL_BYTES = 2**29

# With fewer non-zeros a certificate costs about what a call of the kernel does.
ESTIMATED_FROM = 2**16


@dataclass(frozen=True)
class GaussSeidel(DualSolver):
    """Zhang's Algorithm 1.

    Parameters
    ----------
    update : {"exact", "bounded", "gradient", "newton"}
        "exact" minimizes (*) over the coordinate: in closed form for squared l2, to a relative 1e-13
        otherwise. "bounded" uses the closed form with an upper bound of the curvature. "gradient" is
        (11). "newton" takes one Newton step on (*), backtracked.
    order : {"cyclic", "shuffled", "most-violating"}
        The samples in turn, in a fresh random order each epoch, or always the one farthest from (10),
        whose search costs a product with X a step.
    shrinking : bool
        Leave samples alone whose steps have become small beside the others', as those at an end of the
        domain of their dual variable, and test them now and then; for squared l2 with the updates "exact"
        and "bounded".
    scale : float
        The factor t of section 6.2: the step of any rule is multiplied by it, then clipped.
    eta : float
        The learning rate of "gradient".

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1)
    >>> wb.solve(problem, wb.solvers.GaussSeidel(), tol=1e-6).status
    'converged'
    """

    update: str = "exact"
    order: str = "shuffled"
    scale: float = 1.0
    eta: float = 0.01
    shrinking: bool = field(default=False, repr=False)
    name: ClassVar[str] = "gauss-seidel"
    needs: ClassVar[tuple[str, ...] | None] = ("smooth conjugate",)
    orders: ClassVar[tuple] = ORDERS
    updates: ClassVar[tuple] = UPDATES
    event_type: ClassVar[type] = Event
    holds_dual: ClassVar[bool] = True

    def __post_init__(self):
        validate_choice(self, "update", self.updates)
        validate_choice(self, "order", self.orders)
        validate_number(self, "scale", above=0.0)
        validate_number(self, "eta", above=0.0)
        if self.shrinking and (self.order == "most-violating" or self.update in ("gradient", "newton")):
            raise InputError(
                f"gauss-seidel: shrinking does not go with order = {shown(self.order)} and update = "
                f"{shown(self.update)}; use the orders cyclic or shuffled and the updates exact or bounded"
            )

    @classmethod
    def by_name(cls):
        """With shrinking, which leaves the optimum as it is."""
        return cls(shrinking=True)

    @property
    def patience(self):
        """After how many checks without a change of alpha a run has stalled, with shrinking a full one."""
        return 4 if self.shrinking else 1

    @property
    def advice(self):
        """Advice where the iterate grows without end."""
        smaller = f"eta={self.eta / 10:g}" if self.update == "gradient" else f"scale={self.scale / 2:g}"
        return f"take smaller steps, such as {smaller}, or scale the features"

    @property
    def monotone(self):
        """True if no step may increase the dual objective."""
        return self.update != "gradient" and self.scale <= 1.0

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at a given alpha, or at 0 (inside the domain if p* is steep at zero)."""
        self.rule(problem)
        queue = np.arange(problem.n_samples, dtype=np.uint32)
        alpha, v = start(problem, warm_start)
        state = fresh(problem, alpha, v, fresh_counters(seed), queue)
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        back_end(self, problem).runner(self, problem, state)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        run = back_end(self, problem).runner(self, problem, state)
        done = 0
        while done < n_steps:
            count = n_steps - done
            order = None
            if self.order == "most-violating":
                count, order = 1, _most_violating(problem, state)
            elif not self.shrinks(problem):
                order = upcoming(self.order, problem.n_samples, state, count)
                count = order.shape[0]
            moved = run(count, order)
            state.counters[STEPS] += moved
            done += moved
            if moved < count:
                break
        return done

    def rule(self, problem):
        """Return the rule of the compiled steps and the curvature bounds it needs, or refuse the problem."""
        check(self.name, problem)
        unused = np.zeros(problem.n_samples)
        if problem.columns:
            _multinomial_steps.check(self, problem)
            return CLOSED_FORM, unused
        if problem.kernel is not None:
            if self.update == "newton":
                raise InputError(
                    f"{self.name}: update = 'newton' is not available with a kernel, where 'exact' costs the "
                    "same; use 'exact' or 'gradient'"
                )
            return (GRADIENT if self.update == "gradient" else CLOSED_FORM), unused
        if self.update == "gradient":
            return GRADIENT, unused
        if self.update == "newton":
            return NEWTON, unused
        if self.update == "exact" and not problem.regularizer.is_quadratic:
            return SEARCH, unused
        bound = problem.curvature_bound
        if bound is None:
            raise InputError(
                f"{self.name}: update = 'bounded' needs a bound of the curvature, which "
                f"{problem.regularizer!r} does not have; use 'exact', 'newton' or 'gradient'"
            )
        return CLOSED_FORM, bound

    def shrinks(self, problem):
        """Return whether samples may leave the active set on this problem."""
        return self.shrinking and _is_plain(problem)

    def estimate(self, problem, state):
        """Return the relative gap after the last full pass; None if a certificate is cheap."""
        if not self.shrinks(problem) or problem.design.size < ESTIMATED_FROM:
            return None
        gap, loss = state.progress[_shrinking.GAP], state.progress[_shrinking.LOSS]
        primal = loss / problem.n_samples + 0.5 * problem.lam * (state.v @ state.v)
        return relative_gap(problem, gap / problem.n_samples, primal)


def back_end(solver, problem):
    """Return the module whose compiled steps fit a solver and a problem; its `runner` binds them."""
    if problem.columns:
        return _multinomial_steps
    if problem.kernel is not None:
        return _kernel_steps
    return _linear if _is_plain(problem) and solver.update != "newton" else _general


def _is_plain(problem):
    """Return whether w = v: squared l2 with K = I, without a kernel."""
    return problem.kernel is None and not problem.columns and problem.transfer.is_identity


def fresh(problem, alpha, v, counters, queue):
    """Create the `State` at alpha and at a v that may be another's, both without copies.

    Parameters
    ----------
    problem : Problem
    alpha, v, counters : ndarray
    queue : ndarray (n,) of uint32
        Of the samples for shrinking; empty without.
    """
    slopes, theta, total = v, problem.transfer.theta.copy(), 0.0
    if problem.columns:
        slopes = _multinomial_steps.slopes(problem, v)
    elif problem.kernel is None and not problem.transfer.is_identity:
        theta, slopes, total = problem.transfer.mirror(v)
    sums, passes = np.array([total, 0.0, 0.0]), np.zeros(4, dtype=np.int64)
    event, progress = fresh_event(Event), _shrinking.fresh_progress()
    return State(alpha, v, slopes, sums, theta, counters, event, queue, passes, progress)


def start(problem, warm_start):
    """Return alpha and v at the first point of a run."""
    if problem.columns:
        alpha = starts.duals(problem, warm_start)
        if warm_start is not None:
            alpha = loss_terms.loss_side(problem).feasible(alpha)[0].copy()
        return alpha, _multinomial_steps.by_class(problem, problem.dual_vector(alpha))
    nu = np.full(problem.n_samples, problem.loss.start)
    if warm_start is not None:
        nu = np.clip(problem.nu(starts.duals(problem, warm_start)), *problem.loss.interval)
    alpha = problem.alpha(nu)
    if problem.kernel is not None:
        problem.kernel_matrix.keep(KERNEL_BYTES)
        return alpha, problem.kernel_matrix.product(alpha / problem.lam_n)
    return alpha, np.ascontiguousarray(problem.dual_vector(alpha))


def _most_violating(problem, state):
    """Return the sample that violates (10) most at this state, as an order of one."""
    first = 1.0
    if not problem.regularizer.entry["linear"]:
        total = state.sums[0]
        first = problem.regularizer.function("outer_slope")(total, state.theta) if total > 0.0 else 0.0
    z = state.v if problem.kernel is not None else problem.design @ (first * state.slopes)
    return np.array([np.argmax(loss_terms.Univariate(problem).distances(z, state.alpha))], dtype=np.uint32)


def check(name, problem):
    """Refuse by name what single coordinates of the dual cannot do."""
    instead = "use solver='proximal-gradient', or 'pdhg' for a loss with kinks"
    if problem.regularizer.is_norm:
        raise InputError(f"{name}: the norm {problem.regularizer.label} has no smooth conjugate; {instead}")
    if problem.free_bias:
        raise InputError(
            f"{name}: bias = True asks for sum alpha = 0, which single coordinates cannot keep; use "
            "bias = 'constant', solver = 'maximal-violating-pair' with the hinge, or solver = "
            "'proximal-gradient' with a differentiable loss"
        )
