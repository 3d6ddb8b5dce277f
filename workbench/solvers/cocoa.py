"""CoCoA+: Gauss-Seidel on parts of the samples, which tell each other one vector a round.

Solves       as Gauss-Seidel does; what the parts would do at once is done one part after the other
State        alpha (n,), v (K, D): the vector that each of the K parts goes by
Guarantees   no round increases the dual objective; with one part it is Gauss-Seidel
Cost         O(nnz(X) + K D) a step, which is a pass over all samples
Raises       InputError: several predictions a sample, a kernel, a free bias, a norm, more parts than samples
Source       Ma et al. (2015), CoCoA+ with sigma' = K; docs/mathematics.md, section 12
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench.errors import InputError
from workbench.names import check_whole
from workbench.solvers import gauss_seidel, orders
from workbench.solvers._shrinking import fresh_progress
from workbench.solvers.contract import STEPS, DualSolver, fresh_counters, fresh_event, solver_state
from workbench.solvers.fields import Counters, Reals


class Event(NamedTuple):
    """What the last pass did."""

    round: int  # the round that it belongs to
    told: bool  # whether the round ended with it, so that all parts go by one vector again
    apart: float  # how far the farthest part's vector was from the mean of all


@solver_state
class State(NamedTuple):
    """The whole of a run between two passes."""

    alpha: Reals  # (n,) dual variables, each moved by its own part alone
    v: Reals  # (K, D) the vector of each part: v of the round's start and K times what it moved since
    counters: Counters  # (2,) int64: passes done, seed of the orders
    event: np.ndarray  # (3,) the fields of Event


@dataclass(frozen=True)
class CoCoA(DualSolver):
    """CoCoA+ with K parts.

    With v_k = X_k'alpha_k / (lam n) of part k and any moves m_k of them, since h is convex,

        h(v + sum_k m_k) <= (1/K) sum_k h(v + K m_k),

    so each part does Gauss-Seidel's steps on its own term of the right-hand side: lam / K takes the place of
    lam. A round ends with the sum of all moves, which is the mean of the parts' vectors v + K m_k.

    Parameters
    ----------
    parts : int
        K, ranges of rows of about one size.
    passes : int
        How many passes each part makes over its rows in a round.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1)
    >>> wb.solve(problem, wb.solvers.CoCoA(parts=2), tol=1e-6).status
    'converged'
    """

    parts: int = 8
    passes: int = 1
    name: ClassVar[str] = "cocoa"
    event_type: ClassVar[type] = Event
    holds_dual: ClassVar[bool] = True

    def __post_init__(self):
        for name in ("parts", "passes"):
            check_whole(self.name, name, getattr(self, name), 1, usual=type(self).__dict__[name])

    @property
    def patience(self):
        """A part may stand still until it is told of the others."""
        return self.passes + 1

    def init(self, problem, warm_start=None, seed=0):
        """The state at alpha = 0 (inside the domain where zero is at its steep end) or at a given alpha."""
        gauss_seidel.check(self.name, problem)
        if problem.columns or problem.kernel is not None:
            what = "a loss with several predictions" if problem.columns else "a kernel"
            raise InputError(f"cocoa: {what} is not available; use solver='gauss-seidel'")
        check_whole(self.name, "parts", self.parts, 1, problem.n_samples, min(8, problem.n_samples))
        alpha, v, *_ = gauss_seidel.start(problem, warm_start)
        state = State(alpha, np.tile(v, (self.parts, 1)), fresh_counters(seed), fresh_event(Event))
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self._steps(self._local(problem), state, 0)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many passes in place; returns how many, fewer where an iterate overflowed."""
        local, n = self._local(problem), problem.n_samples
        owner = np.arange(n) * self.parts // n
        ends = np.searchsorted(owner, np.arange(1, self.parts))
        for done in range(n_steps):
            visits = orders.epoch("shuffled", n, state.seed, state.steps)
            for k, own in enumerate(np.split(visits[np.argsort(owner[visits], kind="stable")], ends)):
                if self._steps(local, state, k)(own.size, own) < own.size:
                    return done
            state.counters[STEPS] += 1
            mean, told = state.v.mean(axis=0), state.steps % self.passes == 0
            apart = np.linalg.norm(state.v - mean, axis=1).max()
            state.event[:] = -(-state.steps // self.passes), told, apart
            if told:
                state.v[:] = mean
        return n_steps

    def finish(self, problem, state):
        """The point (w, alpha) that the state stands for, w on the columns of the design."""
        return problem.transfer.map(problem.dual_vector(state.alpha))[1], state.alpha.copy()

    def epoch_steps(self, problem):
        """One: each step visits all samples."""
        return 1

    def _local(self, problem):
        """The problem whose steps move one part as far as that of all allows."""
        return problem.replace(lam=problem.lam / self.parts)

    def _steps(self, local, state, k):
        """The compiled steps of part k, as a function of how many and in which order."""
        v, theta, total = state.v[k], local.transfer.theta.copy(), 0.0
        slopes = v
        if not local.transfer.is_identity:
            slopes = np.empty_like(v)
            total = local.regularizer.function("refresh")(local.transfer.weights, v, slopes, theta)
        unused = np.zeros(0, dtype=np.uint32), np.zeros(4, dtype=np.int64), fresh_progress()
        return INNER.runner(local, gauss_seidel.State(
            state.alpha, v, slopes, np.array([total, 0.0, 0.0]), theta, state.counters,
            fresh_event(gauss_seidel.Event), *unused,
        ))  # fmt: skip


INNER = gauss_seidel.GaussSeidel()
