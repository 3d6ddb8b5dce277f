"""Maximal violating pair: two dual variables at a time, for the hinge loss with an unregularized bias.

Solves       min over alpha of D(alpha) with sum alpha = 0, which is the dual of the L1-SVM, C = 1 / (lam n)
State        alpha (n,), gradient (n,), order (n,): feasible after every step
Guarantees   no step increases the dual objective; at the end t_hat - b_hat <= tol, so gap <= tol
Cost         O(active set) a step, and a row of the kernel where it is not cached
Raises       InputError: another loss, regularizer or bias; a cache for less than two rows; a kernel
             that is not positive semi-definite
Source       List et al. (2007), section 3.3 and Lemma 8; second-order selection after Fan, Chen and
             Lin (2005); shrinking after Joachims (1999)
"""

import weakref
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice, validate_number
from workbench.certificates import bias, loss_terms
from workbench.kernels.arrays import frozen
from workbench.problems.definiteness import not_positive
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _pairs
from workbench.solvers.algorithms._pairs import State
from workbench.solvers.contract import STEPS, DualSolver, fresh_counters, fresh_event

SELECTIONS = ("first-order", "second-order")
CACHE_BYTES = 2**29
# Bytes a sample of the cache's tables, and of these with two rows, the least that a step needs.
TABLE_BYTES = 24
ROWS_BYTES = TABLE_BYTES + 16


class Event(NamedTuple):
    """Numbers of the last step, for a page to explain."""

    # The sample whose alpha went down, from the top set.
    index: int  # type: ignore[assignment]  # hides the method of tuples
    partner: int  # the sample whose alpha went up, from the bottom set
    alpha_before: float
    alpha_after: float
    partner_before: float
    partner_after: float
    violation: float  # t_hat - b_hat before the step
    curvature: float  # K_ii + K_jj - 2 K_ij
    free: float  # how far both would have moved without their boxes
    dual_change: float  # of D, 0 or less


@dataclass(frozen=True)
class MaximalViolatingPair(DualSolver):
    """The decomposition method of SVMlight and LIBSVM with pairs.

    Parameters
    ----------
    tol : float
        No more steps once t_hat - b_hat, in units of a prediction, is at most this; 0 for never. The gap is
        then at most this, too; a run that asked for less has stalled.
    selection : {"first-order", "second-order"}
        "first-order" takes the most violating pair; "second-order" the most violating sample of the
        top set and the partner with which it gains most.
    shrinking : bool
        Leave samples alone that stay at an end of their box; all are tested again and again, and before the
        method ends.
    cache_bytes : int
        The most memory for kernel rows, the whole matrix included where it is kept.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1, bias=True)
    >>> wb.solve(problem, wb.solvers.MaximalViolatingPair(tol=0.0), tol=1e-6).status
    'converged'
    """

    tol: float = 1e-3
    selection: str = "second-order"
    shrinking: bool = True
    cache_bytes: int = CACHE_BYTES
    name: ClassVar[str] = "maximal-violating-pair"
    event_type: ClassVar[type] = Event
    monotone: ClassVar[bool] = True
    # A certificate costs as much as an epoch, and the method knows itself when it is done.
    check_share: ClassVar[float] = 1.0

    @classmethod
    def by_name(cls):
        """Without a tolerance of its own: the gap that was asked for decides, not one that nobody chose."""
        return cls(tol=0.0)

    def __post_init__(self):
        validate_number(self, "tol", at_least=0.0)
        validate_number(self, "cache_bytes", above=0.0)
        validate_choice(self, "selection", SELECTIONS)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at alpha = 0, or at the nearest feasible point to a given alpha."""
        self._check(problem)
        n = problem.n_samples
        alpha = np.zeros(n)
        if warm_start is not None:
            start = starts.duals(problem, warm_start)
            alpha = bias.balance(problem, loss_terms.loss_side(problem).feasible(start)[0])[0].copy()
        matrix = problem.kernel_matrix
        matrix.keep(int(self.cache_bytes))
        gradient = matrix.product(alpha / problem.lam_n) - _targets(problem)
        _pairs.steps()
        return State(
            alpha,
            gradient,
            np.arange(n, dtype=np.uint32),
            np.array([n, 0, 0, _pairs.RUNNING]),
            np.zeros(1),
            fresh_counters(seed),
            fresh_event(Event),
        )

    def advance(self, problem, state, n_steps):
        """Do that many pair steps in place; returns how many, fewer where the method has ended."""
        matrix, sizes = problem.kernel_matrix, state.sizes
        largest = max(float(matrix.diagonal.max()), np.finfo(float).tiny)
        tol, lam_n, lam = map(float, (self.tol, problem.lam_n, problem.lam))
        second_order = self.selection == "second-order"
        settings = _pairs.Settings(tol, lam_n, lam, largest, second_order, bool(self.shrinking))
        targets, box = _targets(problem), problem.loss.hinge[0] * problem.weight
        rows, cache = matrix.arguments, _cache(matrix, state, int(self.cache_bytes))
        done = _pairs.steps()(n_steps, rows, cache, matrix.diagonal, targets, box, settings, state)
        state.counters[STEPS] += done
        if sizes[_pairs.ENDED] == _pairs.NOT_POSITIVE:
            i, j, curvature = int(state.event[0]), int(state.event[1]), float(state.event[7])
            # The pair that shows it made no step.
            state.event[:] = np.nan
            raise not_positive(f"K[{i}, {i}] + K[{j}, {j}] - 2 K[{i}, {j}] = {curvature:.3g}")
        return done

    def ending(self, state):
        """Return whether t_hat - b_hat fell to the tolerance over all samples; the gap may be open."""
        if not (self.tol > 0.0 and state.sizes[_pairs.ENDED] == _pairs.SATISFIED):
            return None
        return (
            f"{self.name}: t_hat - b_hat fell to tol = {self.tol:g} before the relative gap to its own; give "
            "MaximalViolatingPair(tol=0.0), which goes on"
        )

    def _check(self, problem):
        needed = {
            "loss = 'hinge'": problem.has_boxes,
            "regularizer = 'squared-l2'": problem.regularizer.separable_parts == (0.0, 1.0)
            and bool((problem.transfer.weights == 1.0).all()),
            "bias = True": problem.bias is True,
        }
        missing = [text for text, met in needed.items() if not met]
        if missing:
            raise InputError(
                f"maximal-violating-pair: {problem!r} with bias={problem.bias!r} is not supported; the "
                "solver needs the loss s max(0, b - yz), b > 0, and the regularizer |w|^2 / 2: give "
                f"{', '.join(missing)}, or use gauss-seidel"
            )
        least = ROWS_BYTES * problem.n_samples
        if self.cache_bytes < least:
            raise InputError(
                f"maximal-violating-pair: cache_bytes = {self.cache_bytes} is too small for two rows of "
                f"{problem.n_samples} samples; {least} or more are needed"
            )


def _targets(problem):
    """Return b y_i, (n,): the dual is a quadratic form minus their product with alpha in [0, c_i s] y_i."""
    return problem.loss.hinge[1] * problem.y


_caches: dict[int, _pairs.RowCache] = {}


def _cache(matrix, state, n_bytes):
    """Return the cached rows of a run, which are dropped together with its state."""
    key = id(state.alpha)
    if key not in _caches:
        n = matrix.n_samples
        left = max(matrix.keep(n_bytes), ROWS_BYTES * n)
        memory = np.empty(min(n * n, (left - TABLE_BYTES * n) // 8))
        tables = (np.full(n, -1), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64))
        _caches[key] = _pairs.RowCache(frozen(memory), memory, *tables, np.zeros(3, dtype=np.int64))
        weakref.finalize(state.alpha, _caches.pop, key, None)
    return _caches[key]
