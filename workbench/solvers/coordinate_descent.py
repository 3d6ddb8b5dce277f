"""Primal coordinate descent for least squares: one weight at a time, others fixed.

Solves       min over w of (1/n) sum_i c_i a (w.x_i - y_i)^2 / 2 + lam g(w), g = e |w|_1 + k |w|^2 / 2
State        w (D,), residual (n,); the certificate builds the dual point
Guarantees   no step increases the primal objective
Cost         O(nnz of column j) a step; the columns are made once from a sparse or C-ordered matrix
Raises       InputError: another loss or regularizer, an unregularized bias, a kernel
Source       Friedman, Hastie and Tibshirani (2010), section 2; the shrinking is that of Gauss-Seidel
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench.errors import InputError
from workbench.problem import least_squares
from workbench.regularizers import having
from workbench.solvers import _columns, _shrinking
from workbench.solvers import warm_start as starts
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

ORDERS = ("cyclic", "shuffled")


class Event(NamedTuple):
    """What the last step did, for a page to explain."""

    index: int  # the feature
    before: float
    after: float
    gradient: float  # g_j, minus the slope of the loss before the step
    curvature: float  # a_j


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps; saving these arrays saves the run."""

    w: np.ndarray  # (D,) weights on the columns of the design
    residual: np.ndarray  # (n,) y - X w, each times the root of its sample's weight
    counters: np.ndarray  # (2,) int64: steps done, seed of the order
    event: np.ndarray  # (5,) the fields of Event
    queue: np.ndarray  # (D,) uint32, the active set in the order of this pass, then others
    queue_counters: np.ndarray  # (4,) int64, see `_shrinking`
    progress: np.ndarray  # (8,) see `_shrinking`
    curvature: np.ndarray  # (D,) a_j
    settings: np.ndarray  # (3,) a / n, lam e, lam k


@dataclass(frozen=True)
class CoordinateDescent(Solver):
    """Cyclic or shuffled coordinate descent with shrinking.

    Parameters
    ----------
    order : {"cyclic", "shuffled"}
        The features in turn, or in a fresh random order each pass.
    """

    order: str = "cyclic"
    name: ClassVar[str] = "coordinate-descent"
    event_type: ClassVar[type] = Event
    # Weights outside the active set are all tested again before so many checks have passed.
    patience: ClassVar[int] = 4

    def __post_init__(self):
        if self.order not in ORDERS:
            known = " or ".join(ORDERS)
            raise InputError(f"coordinate-descent: order = {self.order!r} is not known; use {known}")

    def init(self, problem, warm_start=None, seed=0):
        """The state at w = 0, or at weights in the caller's features."""
        _check(problem)
        design, n = problem.weighted, problem.n_samples
        squares = least_squares.of(problem)
        w, residual = np.zeros(design.shape[1]), np.sqrt(problem.weight) * squares.targets
        if warm_start is not None:
            w = starts.weights(problem, warm_start)[0].copy()
            residual -= design @ w
        threshold, ridge = problem.regularizer.separable_parts
        settings = np.array([squares.curvature / n, problem.lam * threshold, problem.lam * ridge])
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        _columns.steps()
        return State(
            w, residual, fresh_counters(seed), fresh_event(Event),
            np.arange(design.shape[1], dtype=np.uint32), np.zeros(4, dtype=np.int64),
            _shrinking.fresh_progress(), squares.curvature / n * design.column_squares(), settings,
        )  # fmt: skip

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        if n_steps <= 0:
            return 0
        done = _columns.steps()(
            n_steps, state.queue, state.queue_counters, state.progress, state.seed,
            self.order == "shuffled", *problem.weighted.column_arrays, state.curvature, state.settings,
            state.w, state.residual, state.event,
        )  # fmt: skip
        state.counters[STEPS] += done
        return done

    def estimate(self, problem, state):
        """The relative gap that the last full pass left; None with l1, whose terms may be infinite."""
        scale, threshold, ridge = state.settings
        if ridge == 0.0:
            return None
        w = state.w
        primal = 0.5 * scale * (state.residual @ state.residual) + threshold * np.abs(w).sum()
        primal += float(problem.weight.mean()) * least_squares.of(problem).rest
        return state.progress[_shrinking.GAP] / max(primal + 0.5 * ridge * (w @ w), np.finfo(float).tiny)

    def finish(self, problem, state):
        """The weights that the state stands for; a certificate builds the dual point."""
        return state.w.copy(), None

    def point(self, state):
        """What `certify` takes of the state."""
        return {"w": state.w}

    def iterate(self, state):
        """The array whose overflow or standstill ends a run."""
        return state.w

    def epoch_steps(self, problem):
        """The steps that visit as many features as there are."""
        return problem.design.shape[1]


def _check(problem):
    """Refuse by name what is no least squares with a separable regularizer."""
    regularizer = problem.regularizer
    needed = {
        "loss = 'squared'": problem.loss.parabola is not None,
        f"regularizer = {' or '.join(map(repr, having('separable_parts')))}": (
            regularizer.separable_parts is not None
            and (regularizer.is_norm or bool((problem.transfer.weights == 1.0).all()))
        ),
        "bias = False or 'constant'": not problem.free_bias,
        "no kernel": problem.kernel is None,
    }
    missing = [text for text, met in needed.items() if not met]
    if missing:
        raise InputError(
            f"coordinate-descent: {problem!r} is not its problem, which has a parabola as loss and "
            f"e |w|_1 + k |w|^2 / 2 without weights as regularizer; it needs {', '.join(missing)}, or use "
            "solver = 'proximal-gradient' or 'gauss-seidel'"
        )
