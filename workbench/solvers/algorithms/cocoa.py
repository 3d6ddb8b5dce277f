"""CoCoA+: Gauss-Seidel on parts of the samples, which tell each other one vector a round.

Solves       as Gauss-Seidel does; what the parts would do at once is done one part after the other
State        alpha (n,), v (K, D): the vector that each of K parts goes by; both as the round began; sigma'
Guarantees   no round increases the dual objective; with one part it is Gauss-Seidel
Cost         O(nnz(X) + K D) a step, which is a pass over all samples
Raises       InputError: several predictions a sample, a kernel, a free bias, a norm, more parts than samples
Source       Ma et al. (2015), CoCoA+, with sigma' by measurement; docs/mathematics.md, section 12
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import check_whole
from workbench.certificates import loss_terms
from workbench.solvers.algorithms import gauss_seidel, orders
from workbench.solvers.contract import STEPS, DualSolver, Solver, fresh_counters, fresh_event, solver_state

# Where on the line from where a round began to where it led D is looked at.
PLACES = np.array([0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])
# sigma' of a round over the bend that was measured: what moves next may share more features. A bend that was
# measured is forgotten by this share a round.
SAFETY, KEPT = 1.5, 0.9


def next_sigma(total, squares, bend, parts):
    """Compute sigma' for the next round, and the curvature that it follows from.

    The bend is how much more h bent along the sum of a round's moves than along them one by one, the largest
    so far but for what is forgotten.

    Parameters
    ----------
    total : ndarray (D,)
        The sum of the moves m_k of this round.
    squares : float
        The sum of |m_k|^2.
    bend : float
        Of the rounds before; 0 at first.
    parts : int
        K, with which no round lets D rise.
    """
    bend = max(float(total @ total) / max(squares, 1e-300), KEPT * bend)
    return min(max(SAFETY * bend, 1.0), float(parts)), bend


def farthest(duals):
    """Return where a round ends on its line: as far as it led, or where D is least if D would rise."""
    # A change below rounding does not count as a rise.
    rises = duals[-1] > duals[0] + 4.0 * np.spacing(abs(duals[0]))
    return PLACES[np.argmin(duals)] if rises else 1.0


def between(start, end, share):
    """Interpolate between two points; shares 0 and 1 give the ends bit for bit."""
    if share in (0.0, 1.0):
        return end if share else start
    return start + share * (end - start)


class Event(NamedTuple):
    """Numbers of the last pass."""

    round: int  # the round that it belongs to
    exchanged: bool  # whether the round ended with it, so that all parts go by one vector again
    apart: float  # how far the farthest part's vector was from the mean of all


@solver_state
class State(NamedTuple):
    """The whole of a run between two passes."""

    alpha: np.ndarray  # (n,) dual variables, each moved by its own part alone
    # (K, D) the vector of each part: v of the round's start and sigma' times what it moved since
    v: np.ndarray
    begun: np.ndarray  # (n,) alpha as the round began
    shared: np.ndarray  # (D,) v as the round began, the same for all parts
    # (2,) sigma' of this round, from 1 to K, and the bend that was measured until then
    sigma: np.ndarray
    counters: np.ndarray  # (2,) int64: passes done, seed of the orders
    event: np.ndarray  # (3,) the fields of Event


@dataclass(frozen=True)
class CoCoA(DualSolver):
    """CoCoA+ with K parts.

    With v_k = X_k'alpha_k / (lam n) of part k and any moves m_k of them, since h is convex,

        h(v + sum_k m_k) <= (1/sigma) sum_k h(v + sigma m_k) + (1 - K/sigma) h(v),

    for sigma = K, and for any smaller sigma for which h bends no more along the sum of the moves than sigma
    times as along them one by one. So each part does Gauss-Seidel's steps on its own term of the right-hand
    side, with lam / sigma in place of lam. sigma is K in the first round and then by what the last one
    measured. A round ends with the sum of all moves, cut back on its line where D would rise.

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
    # A step visits all samples.
    epoch_steps = Solver.epoch_steps

    def __post_init__(self):
        for name in ("parts", "passes"):
            check_whole(self.name, name, getattr(self, name), 1, usual=type(self).__dict__[name])

    @property
    def patience(self):
        """Checks without a change of alpha before a run has stalled: a part may rest within a round."""
        return self.passes + 1

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at a given alpha, or at 0 (inside the domain if p* is steep at zero)."""
        gauss_seidel.check(self.name, problem)
        if problem.columns or problem.kernel is not None:
            what = "a loss with several predictions" if problem.columns else "a kernel"
            raise InputError(f"cocoa: {what} is not available; use solver='gauss-seidel'")
        check_whole(self.name, "parts", self.parts, 1, problem.n_samples, min(8, problem.n_samples))
        alpha, v = gauss_seidel.start(problem, warm_start)
        state = State(
            alpha,
            np.tile(v, (self.parts, 1)),
            alpha.copy(),
            v.copy(),
            np.array([self.parts, 0.0]),
            fresh_counters(seed),
            fresh_event(Event),
        )
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        self._steps(problem, state, 0)
        return state

    def advance(self, problem, state, n_steps):
        """Do that many passes in place; returns how many, fewer where an iterate overflowed."""
        n = problem.n_samples
        owner = np.arange(n) * self.parts // n
        ends = np.searchsorted(owner, np.arange(1, self.parts))
        for done in range(n_steps):
            local = problem.replace(lam=problem.lam / state.sigma[0])
            visits = orders.epoch("shuffled", n, state.seed, state.steps)
            for k, own in enumerate(np.split(visits[np.argsort(owner[visits], kind="stable")], ends)):
                if self._steps(local, state, k)(own.size, own) < own.size:
                    return done
            state.counters[STEPS] += 1
            exchanged = state.steps % self.passes == 0
            apart = np.linalg.norm(state.v - state.v.mean(axis=0), axis=1).max()
            state.event[:] = -(-state.steps // self.passes), exchanged, apart
            if exchanged:
                self._exchange(problem, state)
        return n_steps

    def _exchange(self, problem, state):
        """End a round: all parts' moves on one line, on which D must not rise, and sigma' for the next."""
        side, (sigma, _) = loss_terms.loss_side(problem), state.sigma
        moves = (state.v - state.shared) / sigma
        v = between(state.shared, state.v.mean(axis=0), self.parts / sigma)
        duals = [
            side.conjugate(between(state.begun, state.alpha, share)) / problem.n_samples
            + problem.lam * problem.transfer.map(between(state.shared, v, share))[0]
            for share in PLACES
        ]
        share = farthest(duals)
        state.sigma[:] = next_sigma(v - state.shared, float(np.sum(moves**2)), state.sigma[1], self.parts)
        state.alpha[:] = between(state.begun, state.alpha, share)
        state.v[:] = between(state.shared, v, share)
        state.begun[:], state.shared[:] = state.alpha, state.v[0]

    def _steps(self, local, state, k):
        """Return the function of (count, order) that runs the compiled steps of part k."""
        queue = np.zeros(0, dtype=np.uint32)
        inner = gauss_seidel.fresh(local, state.alpha, state.v[k], state.counters, queue)
        return gauss_seidel.back_end(INNER, local).runner(INNER, local, inner)


INNER = gauss_seidel.GaussSeidel()
