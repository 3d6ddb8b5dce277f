"""Primal coordinate descent for sparse weights: working sets, safe screening and extrapolation.

Solves       min over w of (1/n) sum_i c_i f(w.x_i + b, y_i) + lam g(w) for f with a Lipschitz slope and
             g = e |w|_1 + k |w|^2 / 2 or a norm of groups by their lengths
State        w (D,), the better dual point, the model of the loss on the working set
Guarantees   no accepted point increases the primal objective; what is discarded is zero at every optimum
Cost         O(nnz of column j) a step, or O(working set) with its Gram matrix; a look reads all columns kept
             several outputs or groups: also Newton's method on the k nonzero weights, O(n k^2 + k^3), no
             oftener than visits have cost as much
Raises       InputError: a loss without a bounded curvature, a regularizer without blocks, a kernel
Source       Fercoq, Gramfort and Salmon (2015) for the ball; Massias, Gramfort and Salmon (2018) for working
             sets and extrapolated dual points; Yuan, Ho and Lin (2012) for the line search
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice
from workbench.certificates import screening
from workbench.certificates.assembly import relative_gap
from workbench.problems.regularizers import having
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _models
from workbench.solvers.algorithms._block_sets import BlockSearch
from workbench.solvers.algorithms._columns import LEFT, MEMORY, SIZE
from workbench.solvers.algorithms._models import DISCARDED, GAP, IDLE, LOOKED, LOOKS
from workbench.solvers.algorithms._working_sets import Search
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event, solver_state

ORDERS = ("cyclic", "shuffled")
# After this many looks in a row that change nothing, nothing is left to do.
IDLE_LOOKS = 3


class Event(NamedTuple):
    """Numbers of the last step, for a page to explain."""

    # The feature, or the group.
    index: int  # type: ignore[assignment]  # hides the method of tuples
    before: float
    after: float
    gradient: float  # g_j, minus the slope of the loss before the step
    curvature: float  # a_j
    working_set: int  # how many features it holds
    discarded: int  # how many are zero for certain
    looks: int  # how often the gap was computed


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps; a copy of these arrays brings the run back to it."""

    w: np.ndarray  # (D,) the accepted weights on the columns of the design
    z: np.ndarray  # (n,) their predictions at the last model, without the bias
    b: np.ndarray  # () the best bias there; 0 where none is free
    alpha: np.ndarray  # (n,) the best dual point so far
    products: np.ndarray  # (D,) X'alpha of the candidates
    candidates: np.ndarray  # (D,) bool: not discarded
    # int64: steps done, seed, and those of `_columns` and `_models`
    counters: np.ndarray
    numbers: np.ndarray  # see `_columns` and `_models`
    event: np.ndarray  # (8,) the fields of Event
    # (D,) uint32, the working set first
    queue: np.ndarray
    places: np.ndarray  # (D,) uint32, the order of this pass
    norms: np.ndarray  # (2, D) the columns' lengths, centred with a free bias, and as they are
    share: np.ndarray  # (D,) lam n e
    ridge: np.ndarray  # (D,) lam n k
    trial: np.ndarray  # (D,) the weights of the model
    residual: np.ndarray  # (n,) the slope of the loss at the model's predictions
    bend: np.ndarray  # (n,) the curvature of the loss in the model
    curvature: np.ndarray  # (D,) that of the model
    means: np.ndarray  # (D,) of the columns under `bend`, with a free bias
    shift: np.ndarray  # the model's bias, where weights come in groups or outputs are several
    gram: np.ndarray  # the working set's Gram matrix
    slopes: np.ndarray  # the slopes of the model there
    history: np.ndarray  # (MEMORY + 2, D) the last iterates on the working set


@dataclass(frozen=True)
class CoordinateDescent(Solver):
    """Cyclic or shuffled coordinate descent on working sets.

    Parameters
    ----------
    order : {"cyclic", "shuffled"}
        The features of the working set in turn, or in a fresh random order each pass.
    screening : bool
        Leave out for good the features that the gap shows to be zero at every optimum.
    extrapolation : bool
        Try the points to which the last passes lead, for the weights and for the dual variables.

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "logistic", "l1", lam=0.1)
    >>> wb.solve(problem, wb.solvers.CoordinateDescent(), tol=1e-6).status
    'converged'
    """

    order: str = "cyclic"
    screening: bool = True
    extrapolation: bool = True
    name: ClassVar[str] = "coordinate-descent"
    needs: ClassVar[tuple[str, ...] | None] = ("finite loss", "Lipschitz slope", "separable")
    event_type: ClassVar[type] = Event
    # Weights outside the working set are all tested again before this many checks have passed.
    patience: ClassVar[int] = 4

    def __post_init__(self):
        validate_choice(self, "order", ORDERS)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at w = 0, or at given weights in the caller's features."""
        _check(problem)
        blocks, n, size = problem.transfer.blocks, problem.n_samples, problem.design.shape[1]
        cols = problem.columns
        w = starts.weights(problem, warm_start)[0].copy()
        # No domain depends on lambda: a solution's dual point screens here, too, once it is scaled.
        known = starts.duals(problem, warm_start) if starts.is_solution(warm_start) else None
        count, entries = blocks.count, w.size
        widest = 0 if _in_blocks(problem) else min(size, _models.WIDEST)
        state = State(
            w=w,
            z=np.zeros((n, *cols)),
            b=np.zeros(cols),
            alpha=np.zeros((n, *cols)),
            products=np.zeros(entries),
            candidates=np.ones(count, dtype=bool),
            counters=fresh_counters(seed, *[0] * (_models.COUNTERS - 2)),
            numbers=np.zeros(_models.NUMBERS),
            event=fresh_event(Event),
            queue=np.arange(count, dtype=np.uint32),
            places=np.arange(count, dtype=np.uint32),
            norms=np.zeros((2, count)),
            share=problem.lam_n * blocks.share,
            ridge=problem.lam_n * blocks.ridge,
            trial=w.flatten(),
            residual=np.zeros((n, *cols)),
            bend=np.zeros((n, *cols)),
            curvature=np.zeros(count),
            means=np.zeros(size),
            shift=np.zeros(max(1, *cols, 1)),
            gram=np.zeros((widest, widest)),
            slopes=np.zeros(widest),
            history=np.zeros((MEMORY + 2, entries)),
        )
        # Compiles what is missing, so that the seconds of a run are those of its steps.
        search = self._search(problem, state)
        search.begin(known)
        search.visit(0)
        return state

    def _search(self, problem, state):
        return (BlockSearch if _in_blocks(problem) else Search)(self, problem, state)

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where an iterate overflowed."""
        done, counters = 0, state.counters
        search = self._search(problem, state)
        while done < n_steps and counters[SIZE] and counters[IDLE] < IDLE_LOOKS:
            planned = min(n_steps - done, int(counters[LEFT]))
            moved = search.visit(planned)
            counters[STEPS] += moved
            done += moved
            if moved:
                state.event[5:] = counters[SIZE], counters[DISCARDED], counters[LOOKS]
            if moved < planned:
                break
            if counters[LEFT] == 0:
                search.turn()
        if search.squares is not None:
            state.w[...] = state.trial.reshape(state.w.shape)
        return done

    def pace(self, state):
        """Return the number of visits planned until progress is checked again."""
        return int(state.counters[LEFT])

    def estimate(self, problem, state):
        """Return the relative gap at the last check."""
        return relative_gap(problem, *state.numbers[[GAP, _models.PRIMAL, _models.DUAL]])

    def point(self, state):
        """Return what `certify` takes of the state: the weights, and the dual point of a look just taken.

        At zero weights that is the image of map (10), whose products are at hand before it is scaled.
        """
        counters = state.counters
        if counters[LOOKED] != counters[STEPS] or (counters[LOOKS] == 1 and not state.w.any()):
            return {"w": state.w}
        return {"w": state.w, "alpha": state.alpha}

    def iterate(self, state):
        """Return the model's weights and the bias, whose overflow or standstill ends a run."""
        return np.append(state.trial, state.b)

    def epoch_steps(self, problem):
        """As many visits as there are features (or groups), or samples where these are more."""
        return max(problem.transfer.blocks.count, problem.n_samples)


def _in_blocks(problem):
    """Return whether weights come in groups, or outputs are several."""
    return problem.columns != () or problem.transfer.blocks.groups is not None


def _check(problem):
    """Refuse by name what has unbounded curvature, is not a sum of blocks, or has a kernel."""
    name, loss = problem.regularizer.name, problem.loss
    missing = []
    if not screening.has_ball(problem):
        missing.append(
            f"a loss of bounded curvature, and the slope of {loss.name} "
            f"{'jumps' if loss.kinks.size else 'has none'}: solver = 'gauss-seidel' takes it where the "
            "regularizer is not a norm"
        )
    if problem.transfer.blocks is None:
        known = " or ".join(map(repr, having("separable_parts")))
        missing.append(
            f"regularizer = {known}, or a group norm of Euclidean lengths, in place of {name}: solver = "
            "'proximal-gradient' takes every norm, 'gauss-seidel' the others"
        )
    if problem.kernel is not None:
        missing.append("no kernel: solver = 'gauss-seidel' takes it")
    if missing:
        raise InputError(f"coordinate-descent: it needs {'; and '.join(missing)}")
