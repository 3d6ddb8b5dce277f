"""Perceptron, Winnow and the p-norm algorithm: one online rule, three transfer functions.

Solves       nothing: the rule looks for a w with y_i w.x_i > margin, and knows no regularization weight
State        alpha (n,), v (D,) = X'alpha / (lam n), w = grad h(v)
Guarantees   finitely many mistakes where the classes can be told apart with a margin; none on the gap
Cost         O(nnz(x_i)) a step; O(D) more a call, for the weights, and a mistake, for their average
Raises       InputError: another loss or regularizer than its own, a parameter out of range
Source       Zhang (2002), (24), after Grove, Littlestone and Schuurmans (1997); averaged as Freund and
             Schapire (1999) do; `workbench.bounds` has the bounds of their mistakes

(24) sets lam n = 1: v moves by eta y x whatever lambda is. The certificate is that of the problem at this w,
with the dual point of map (10): an honest bound that stays away from zero, so a run ends at "max_epochs",
or "stalled" after an epoch without a mistake. Its large margin relative with a gap that closes is
Gauss-Seidel with update="gradient".
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import validate_choice, validate_number
from workbench.solvers import warm_start as starts
from workbench.solvers.algorithms import _online_steps, _records
from workbench.solvers.algorithms._online_steps import State
from workbench.solvers.algorithms.orders import upcoming
from workbench.solvers.contract import STEPS, Solver, fresh_counters, fresh_event

ORDERS = ("cyclic", "shuffled")
OUTPUTS = ("last", "average")


class Event(NamedTuple):
    """Numbers of the last step, for a page to explain."""

    # The sample.
    index: int  # type: ignore[assignment]  # hides the method of tuples
    prediction: float  # w.x_i before the step
    mistake: bool  # whether y_i w.x_i was at most the margin
    alpha_before: float
    alpha_after: float


@dataclass(frozen=True)
class Online(Solver):
    """The common part of the three.

    Parameters
    ----------
    eta : float
        The learning rate; the path of the Perceptron does not depend on it.
    margin : float
        A sample with y w.x of at most this counts as a mistake: 0 for (24), more for large margins.
    order : {"cyclic", "shuffled"}
    output : {"last", "average"}
        The last weights, or the mean of those that predicted, one a step.
    """

    eta: float = 1.0
    margin: float = 0.0
    order: str = "cyclic"
    output: str = "last"
    name: ClassVar[str]
    regularizers: ClassVar[tuple]
    converges: ClassVar[bool] = False
    event_type: ClassVar[type] = Event

    def __post_init__(self):
        validate_number(self, "eta", above=0.0)
        validate_number(self, "margin", at_least=0.0)
        validate_choice(self, "order", ORDERS)
        validate_choice(self, "output", OUTPUTS)

    def init(self, problem, warm_start=None, seed=0):
        """Create the state at v = 0, or at given dual variables."""
        self._check(problem)
        alpha = starts.duals(problem, warm_start).copy()
        v = np.ascontiguousarray(problem.dual_vector(alpha))
        theta, slopes, total = problem.transfer.mirror(v)
        _online_steps.steps()
        return State(
            alpha,
            np.zeros(problem.n_samples, dtype=np.int64),
            v,
            slopes,
            problem.transfer.map(v)[1],
            np.array([total, 0.0, 0.0]),
            theta,
            np.zeros_like(v),
            np.zeros(1, dtype=np.int64),
            fresh_counters(seed),
            fresh_event(Event),
        )

    def advance(self, problem, state, n_steps):
        """Do that many steps in place; returns how many were done, fewer where the weights overflowed."""
        done = 0
        while done < n_steps:
            order = upcoming(self.order, problem.n_samples, state, n_steps - done)
            count = self.visit(problem, state, order)
            done += count
            if count < order.shape[0]:
                break
        return done

    def visit(self, problem, state, order):
        """Visit these samples in place, in this order; returns how many were visited."""
        regularizer, weights = problem.regularizer, problem.transfer.weights
        rows, functions = _records.compressed(problem.row_arrays), _records.regularizer_functions(regularizer)
        lam_n, eta, margin = map(float, (problem.lam_n, self.eta, self.margin))
        averages = self.output == "average"
        settings = _online_steps.Settings(lam_n, eta, margin, regularizer.entry["linear"], averages)
        steps = _online_steps.steps()
        count = steps(order, rows, problem.y, problem.weight, functions, weights, settings, state)
        state.counters[STEPS] += count
        state.w[:] = problem.transfer.map(state.v)[1]
        return count

    def finish(self, problem, state):
        """Return the point (w, alpha) of the state; alpha may lie outside the loss's domain."""
        return self.weights(state), state.alpha.copy()

    def weights(self, state):
        """Return the weights (D,) of the state: the last ones or the average."""
        if self.output == "last" or state.steps == 0:
            return state.w.copy()
        return (state.total + state.survived[0] * state.w) / state.steps

    def point(self, state):
        """Return what `certify` takes of the state: the weights."""
        return {"w": self.weights(state)}

    def iterate(self, state):
        """Return the weights, whose overflow or standstill ends a run."""
        return state.w

    def epoch_steps(self, problem):
        """One visit of each sample."""
        return problem.n_samples

    def _check(self, problem):
        """Refuse by name what the rule is not made for."""
        if problem.loss.kind != "margin":
            raise InputError(
                f"{self.name}: the {problem.loss.name} loss has no labels -1 and +1; use 'hinge' or another "
                "margin loss"
            )
        if problem.regularizer.name not in self.regularizers:
            raise InputError(
                f"{self.name}: the rule belongs to the regularizer {' or '.join(self.regularizers)}, not to "
                f"{problem.regularizer.label}; use one of them"
            )
        if problem.kernel is not None or problem.free_bias:
            raise InputError(
                f"{self.name}: a kernel or bias = True is not available; use bias = 'constant' and no kernel"
            )


@dataclass(frozen=True)
class Perceptron(Online):
    """w = v: squared l2. The parameters are those of `Online`.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> run = wb.Run(wb.Problem(X, y, "hinge", lam=0.1), wb.solvers.Perceptron())
    >>> run.until(max_epochs=10)  # an epoch without a mistake
    'stalled'
    """

    name: ClassVar[str] = "perceptron"
    regularizers: ClassVar[tuple] = ("squared-l2",)


@dataclass(frozen=True)
class Winnow(Online):
    """w_j = mu_j e^(v_j), normalized or not; embed="balanced" of the problem gives signed weights.

    The parameters are those of `Online`.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> run = wb.Run(wb.Problem(X, y, "hinge", "entropy", lam=0.1), wb.solvers.Winnow())
    >>> run.until(max_epochs=10)  # an epoch without a mistake
    'stalled'
    """

    eta: float = 0.01
    name: ClassVar[str] = "winnow"
    regularizers: ClassVar[tuple] = ("entropy", "normalized-entropy")


@dataclass(frozen=True)
class PNorm(Online):
    """w = grad of a power of |v|_p, the dual of the q-norm with 1/p + 1/q = 1.

    The parameters are those of `Online`.

    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> run = wb.Run(wb.Problem(X, y, "hinge", "q-norm:q=2", lam=0.1), wb.solvers.PNorm())
    >>> run.until(max_epochs=10)  # an epoch without a mistake
    'stalled'
    """

    name: ClassVar[str] = "p-norm"
    regularizers: ClassVar[tuple] = ("q-norm",)
