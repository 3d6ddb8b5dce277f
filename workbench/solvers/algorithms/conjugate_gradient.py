"""Conjugate gradients on the dual of ridge regression, preconditioned by symmetric Gauss-Seidel.

Solves       A alpha = y with A = X K^-1 X' / (lam n) + diag(1 / (a c)): least squares, squared l2
State        alpha (n,), the residual, the direction, their products; A is never formed
Guarantees   no step increases the dual objective; without rounding at most n steps
Cost         two passes over the data a step, two more for the preconditioner
Raises       InputError: another loss or regularizer, a bias that is not regularized, a kernel
Source       Zhang (2002), section 4; Golub and Van Loan (2013), section 11.5

With A = D + L + L' the preconditioner is M = (D + L) D^-1 (D + L'): a forward and a backward sweep of
Gauss-Seidel over the rows, each of which keeps a vector like v in place of products with A. It pays where
n is about d or less. Where n exceeds d, A is diagonal but for a matrix of rank d; with equal weights plain
conjugate gradients end within d + 1 steps then, and preconditioner="none" may need fewer.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice
from workbench.kernels.compilation import FLOAT, INDICES, OFFSETS, VECTOR, WRITABLE, lazy_jit
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms._coordinate import row_product
from workbench.solvers.contract import STEPS, DualSolver, Solver, fresh_counters, fresh_event, solver_state

PRECONDITIONERS = ("gauss-seidel", "none")


class Event(NamedTuple):
    """Numbers of the last step, for a page to explain."""

    step_size: float  # how far along the direction
    conjugation: float  # the factor of the old direction in the new one
    residual: float  # |y - A alpha| after the step
    dual_change: float  # of D, 0 or less


@solver_state
class State(NamedTuple):
    """The whole of a run between two steps."""

    alpha: np.ndarray  # (n,) dual variables
    residual: np.ndarray  # (n,) y - A alpha
    direction: np.ndarray  # (n,) where the next step goes
    numbers: np.ndarray  # (1,) residual' M^-1 residual
    counters: np.ndarray  # (2,) int64: steps done, the seed, which nothing depends on
    event: np.ndarray  # (4,) the fields of Event


@dataclass(frozen=True)
class ConjugateGradient(DualSolver):
    """Preconditioned conjugate gradients.

    Parameters
    ----------
    preconditioner : {"gauss-seidel", "none"}

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> problem = wb.Problem(X, y, "squared", lam=0.1)
    >>> wb.solve(problem, wb.solvers.ConjugateGradient(), tol=1e-6).status
    'converged'
    """

    preconditioner: str = "gauss-seidel"
    name: ClassVar[str] = "conjugate-gradient"
    needs: ClassVar[tuple[str, ...] | None] = ("quadratic loss", "squared l2")
    event_type: ClassVar[type] = Event
    monotone: ClassVar[bool] = True
    # A step visits all samples.
    epoch_steps = Solver.epoch_steps

    def __post_init__(self):
        validate_choice(self, "preconditioner", PRECONDITIONERS)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at alpha = 0, or at given dual variables."""
        _check(problem)
        alpha = starts.duals(problem, warm_start).copy()
        residual = problem.least_squares.targets - _product(problem, alpha)
        direction = self._precondition(problem, residual)
        return State(
            alpha,
            residual,
            direction,
            np.array([residual @ direction]),
            fresh_counters(seed),
            fresh_event(Event),
        )

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many, fewer where the residual is zero."""
        for done in range(n_steps):
            product = _product(problem, state.direction)
            curvature, before = state.direction @ product, state.numbers[0]
            if not 0.0 < curvature < np.inf:
                return done
            step = before / curvature
            state.alpha[:] += step * state.direction
            state.residual[:] -= step * product
            solved = self._precondition(problem, state.residual)
            state.numbers[0] = state.residual @ solved
            factor = state.numbers[0] / before
            state.direction[:] = solved + factor * state.direction
            state.counters[STEPS] += 1
            size = np.linalg.norm(state.residual)
            state.event[:] = step, factor, size, -0.5 * step * before / problem.n_samples
        return n_steps

    def _precondition(self, problem, residual):
        """M^-1 residual."""
        if self.preconditioner == "none":
            return residual.copy()
        solved, v = np.empty_like(residual), np.zeros(problem.rows.shape[1])
        _sweeps()(*problem.row_arrays, _map(problem), _diagonal(problem), residual, problem.lam_n, v, solved)
        return solved


def _product(problem, alpha):
    """Multiply alpha by A in two passes over the rows."""
    v = _map(problem) * (problem.rows.T @ alpha) / problem.lam_n
    return problem.rows @ v + alpha / (problem.loss.parabola[0] * problem.weight)


def _diagonal(problem):
    """Return the diagonal of A, (n,)."""
    return problem.curvature_bound + 1.0 / (problem.loss.parabola[0] * problem.weight)


def _map(problem):
    """Return the factors by which map (9) multiplies the entries of v, (D,)."""
    return problem.transfer.weights / problem.regularizer.separable_parts[1]


def _check(problem):
    """Refuse by name what is not a linear system."""
    needed = {
        "loss = 'squared'": problem.loss.parabola is not None,
        "regularizer = 'squared-l2'": problem.regularizer.is_quadratic,
        "bias = False or 'constant'": not problem.free_bias,
        "no kernel": problem.kernel is None,
    }
    missing = [text for text, met in needed.items() if not met]
    if missing:
        raise InputError(
            f"conjugate-gradient: the {problem.loss.name} loss with {problem.regularizer.label} does not "
            "give a linear system, as the squared loss and a sum of weighted squares do; it needs "
            f"{', '.join(missing)}, or use gauss-seidel"
        )


def _symmetric_sweeps(
    indptr: OFFSETS,
    indices: INDICES,
    data: VECTOR,
    weights: VECTOR,
    diagonal: VECTOR,
    residual: VECTOR,
    lam_n: FLOAT,
    v: WRITABLE,
    solved: WRITABLE,
) -> None:
    """Compute (D + L')^-1 D (D + L)^-1 residual; v holds sum_j x_j t_j / (K lam n) over the rows so far."""
    n = solved.shape[0]
    for i in range(n):
        lo, hi = indptr[i], indptr[i + 1]
        solved[i] = (residual[i] - row_product(indices, data, lo, hi, v)) / diagonal[i]
        for k in range(lo, hi):
            v[indices[k]] += weights[indices[k]] * solved[i] * data[k] / lam_n
    v[:] = 0.0
    for i in range(n - 1, -1, -1):
        lo, hi = indptr[i], indptr[i + 1]
        solved[i] -= row_product(indices, data, lo, hi, v) / diagonal[i]
        for k in range(lo, hi):
            v[indices[k]] += weights[indices[k]] * solved[i] * data[k] / lam_n


_sweeps = lazy_jit(_symmetric_sweeps)
