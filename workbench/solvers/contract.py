"""The contract of a solver, and a guide to writing one of your own.

A solver is a frozen dataclass of its parameters that inherits from `Solver`, or from `DualSolver` where its
state holds dual variables. Its state is a NamedTuple of NumPy arrays under the decorator `solver_state`; it
says what a step did in an `Event`, a NamedTuple of numbers. Here is a whole one, steepest descent on the
dual of ridge regression:

    from dataclasses import dataclass
    from typing import ClassVar, NamedTuple

    import numpy as np

    from workbench.solvers.contract import DualSolver, fresh_counters, fresh_event, solver_state

    class Event(NamedTuple):
        step_size: float

    @solver_state
    class State(NamedTuple):
        alpha: np.ndarray  # (n,) dual variables
        counters: np.ndarray  # (2,) int64: steps done, seed
        event: np.ndarray  # (1,) the fields of Event

    @dataclass(frozen=True)
    class SteepestDescent(DualSolver):
        name: ClassVar[str] = "steepest-descent"
        event_type: ClassVar[type] = Event

        def init(self, problem, warm_start=None, seed=0):
            return State(np.zeros(problem.n_samples), fresh_counters(seed), fresh_event(Event))

        def advance(self, problem, state, n_steps):
            for done in range(n_steps):
                downhill = problem.y - self.product(problem, state.alpha)
                curvature = downhill @ self.product(problem, downhill)
                if not curvature > 0.0:
                    return done
                state.event[0] = downhill @ downhill / curvature
                state.alpha[:] += state.event[0] * downhill
                state.counters[0] += 1
            return n_steps

        def product(self, problem, alpha):
            return problem.design @ problem.dual_vector(alpha) + 0.5 * alpha / problem.weight

        def epoch_steps(self, problem):
            return 1

`wb.solve(problem, SteepestDescent())` runs it, with certificates, a history and Ctrl-C. What must hold, and
what `tests/unit/solvers/test_contract.py` asks of every solver here:

- n single steps and one run of n agree bit for bit. So nothing that matters later stands outside the state,
  and a step does not depend on how many were asked for at once.
- A state can be copied and taken up: it holds arrays of numbers whose shapes and types `init` fixes, and
  every change happens inside them. What is random is a function of the seed and the number of the step.
- No stopping rule stands inside. `advance` does the steps that it is asked for; it does fewer only where
  no step is possible, as after an overflow or where nothing is left to do. `solvers.stopping` decides
  when a run ends, and by certificates alone.
- The problem is read-only. `init` refuses what the solver is not made for with an `InputError` that names
  what it needs and what to use instead.
- Indices are places in the design, so with a constant feature or an embedding there are D and not d.
"""

from __future__ import annotations

import abc
import typing
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self, TypeAlias, TypedDict, TypeVar

import numpy as np

from workbench._support.names import Public

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from dataclasses import Field

    from numpy.typing import NDArray

    from workbench._support.annotations import Bias, Floats, Integers
    from workbench.problems.losses.base import Loss
    from workbench.problems.problem import Problem
    from workbench.problems.regularizers.base import Regularizer


# What a solver may need of a loss and a regularizer, each a test of the two; `Solver.needs` names them.
CAPABILITIES: dict[str, Callable[[Loss, Regularizer], bool]] = {
    "finite loss": lambda loss, _: tuple(loss.finite_on) == (-np.inf, np.inf),
    "smooth loss": lambda loss, _: not loss.kinks.size,
    "Lipschitz slope": lambda loss, _: not loss.kinks.size and loss.curvature < np.inf,
    "no Lipschitz slope": lambda loss, _: bool(loss.kinks.size) or loss.curvature == np.inf,
    "quadratic loss": lambda loss, _: loss.parabola is not None,
    "smooth conjugate": lambda _, regularizer: not regularizer.is_norm,
    "squared l2": lambda _, regularizer: regularizer.is_quadratic,
    "Legendre": lambda _, regularizer: regularizer.is_legendre,
    "proximal point": lambda _, regularizer: regularizer.has_prox,
    "gradient": lambda _, regularizer: regularizer.has_gradient,
    "separable": lambda _, regularizer: regularizer.separable_parts is not None,
}
# The places of State.counters that every solver has.
STEPS, SEED = range(2)
# The State of the solver whose method it is, which no other solver takes.
OwnState: TypeAlias = Any
StateClass = TypeVar("StateClass")
EventType = TypeVar("EventType", bound=NamedTuple)


class State(Protocol):
    """The common part of all states: a NamedTuple of arrays under `solver_state`."""

    _fields: ClassVar[tuple[str, ...]]

    def __iter__(self) -> Iterator[NDArray[Any]]: ...

    @property
    def counters(self) -> Integers: ...

    @property
    def event(self) -> Floats: ...

    @property
    def steps(self) -> int: ...

    @property
    def seed(self) -> int: ...


class CertifiablePoint(TypedDict, total=False):
    """The arguments of `certify` from a state."""

    w: Floats | None
    alpha: Floats | None
    b: Bias | None


class Solver(Public, abc.ABC):
    """A solver: what a run, a page and a certificate ask of it.

    n is the number of samples, D that of the columns of the design; with r classes w has shape (D, r) and
    alpha (n, r).

    >>> import workbench as wb
    >>> isinstance(wb.solvers.get("newton"), wb.solvers.Solver)
    True
    """

    # A solver is a frozen dataclass of its parameters.
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    # What it is called in text, and the NamedTuple of `last_event`.
    name: ClassVar[str]
    event_type: ClassVar[type[Any]]

    # How often to certify, as a share of the steps that are done.
    check_share: ClassVar[float] = 0.1
    # Whether it solves problems with constraints on the dual.
    takes_constraints: ClassVar[bool] = False
    # True if it solves problems with several columns of y.
    takes_columns: ClassVar[bool] = False
    # Whether the method heads for the optimum.
    converges: ClassVar[bool] = True
    # Whether its steps do not depend on the scales of the features.
    scale_free: ClassVar[bool] = False
    # Whether the certified lower bound is the dual objective of the iterate itself, so that one that falls
    # far shows divergence; elsewhere it is that of a point made for the certificate.
    holds_dual: ClassVar[bool] = False
    # Whether a call of few steps costs few steps, so that many may be done in slices.
    resumes: ClassVar[bool] = True
    # The `CAPABILITIES` of loss and regularizer without which `init` refuses, so that a race lists who can
    # start before anything is compiled; None where they are not stated, and then it does not race.
    needs: ClassVar[tuple[str, ...] | None] = None

    @property
    def patience(self) -> int:
        """The number of checks without a change of the iterate after which a run has stalled."""
        return 1

    @property
    def advice(self) -> str:
        """Advice where the iterate grows without end."""
        return "take smaller steps, or scale the features"

    @classmethod
    def takes(cls, loss: Loss, regularizer: Regularizer) -> bool:
        """Return whether a loss and a regularizer have all that it needs; False for unstated needs."""
        return cls.needs is not None and all(CAPABILITIES[name](loss, regularizer) for name in cls.needs)

    @classmethod
    def by_name(cls) -> Self:
        """Return the solver that its name alone stands for."""
        return cls()

    @abc.abstractmethod
    def init(self, problem: Problem, warm_start: object = None, seed: int = 0) -> State:
        """Create the state before the first step, a NamedTuple under `solver_state`.

        Parameters
        ----------
        problem : Problem
        warm_start : Solution, dict, array_like or None
            Where to start, see `workbench.solvers.warm_start`; None for the solver's own start.
        seed : int
            Of whatever is random; kept in the state.

        Raises
        ------
        InputError
            The problem is not one that this solver takes; it says what is needed, and what to use instead.
        """

    @abc.abstractmethod
    def advance(self, problem: Problem, state: OwnState, n_steps: int) -> int:
        """Do `n_steps` steps in place and count them; returns how many were done.

        Fewer are done only where no step is possible: the iterate overflowed, or nothing is left to do.
        """

    def finish(self, problem: Problem, state: OwnState) -> tuple[Floats | None, Floats | None]:
        """Return copies of the point (w, alpha) of the state.

        With a kernel w (D,) is None, and so is alpha (n,) if the solver has no dual variables of its own.
        """
        w, alpha = (self.point(state).get(name) for name in ("w", "alpha"))
        return None if w is None else np.array(w), None if alpha is None else np.array(alpha)

    @abc.abstractmethod
    def point(self, state: OwnState) -> CertifiablePoint:
        """Return what `certify` takes of the state, a dict: "w" (D,), "alpha" (n,), "b".

        One of "w" and "alpha" is enough, and the certificate builds the other side. "b" may be left out or
        None, for the best bias.
        """

    def last_point(self, state: OwnState) -> CertifiablePoint | None:
        """Return the point of the last iterate as `point` does; None where `point` has that already."""
        return None

    @abc.abstractmethod
    def iterate(self, state: OwnState) -> Floats:
        """Return the array of the state whose overflow or standstill ends a run."""

    def epoch_steps(self, problem: Problem) -> int:
        """Return the number of steps that make n visits of a sample: n at one sample a step, 1 for all n."""
        return 1

    def last_event(self, state: OwnState) -> Any:
        """Return the last step as an `event_type`; None before the first."""
        return decoded(self.event_type, state.event)

    def ending(self, state: OwnState) -> str | None:
        """Why the solver does no more steps, as a sentence with what helps; None where nothing is known."""
        return None

    def trouble(self, state: OwnState) -> str | None:
        """Why the run cannot go well, as a sentence with the advice; None where nothing is seen."""
        return None

    def feasibility(self, problem: Problem, state: OwnState) -> float:
        """Return how far the iterate is from meeting the constraints of the dual; 0 where it always does."""
        return 0.0

    def pace(self, state: OwnState) -> int | None:
        """Return the number of steps until the solver knows its gap better; None if any number will do."""
        return None

    def estimate(self, problem: Problem, state: OwnState) -> float | None:
        """Estimate the relative gap, so that no certificate is computed while it is large.

        None where it sees none: then every check is a certificate. No run ends on an estimate.
        """
        return None


class DualSolver(Solver):
    """A solver whose state holds the dual variables `alpha` and moves some of them a step."""

    def point(self, state: OwnState) -> CertifiablePoint:
        """Return what `certify` takes of the state: the dual variables alone."""
        return {"alpha": state.alpha}

    def finish(self, problem: Problem, state: OwnState) -> tuple[Floats | None, Floats | None]:
        """Return copies of w = grad h(v), None with a kernel, and of alpha."""
        if problem.kernel is not None:
            return None, state.alpha.copy()
        v = problem.dual_vector(state.alpha)
        return problem.transfer.map(v.ravel())[1].reshape(v.shape), state.alpha.copy()

    def iterate(self, state: OwnState) -> Floats:
        """Return the dual variables, whose overflow or standstill ends a run."""
        alpha: Floats = state.alpha
        return alpha

    def epoch_steps(self, problem: Problem) -> int:
        """Return the number of steps that make n visits of a coordinate."""
        return problem.n_samples


def solver_state(cls: type[StateClass]) -> type[StateClass]:
    """Give a NamedTuple of arrays `steps` and `seed` by name: the class decorator of every state.

    The fields `counters`, int64 and beginning with the steps and the seed, and `event`, the fields of the
    solver's Event as floats, have to be there.
    """
    missing = [name for name in ("counters", "event") if name not in getattr(cls, "_fields", ())]
    if missing:
        raise TypeError(f"{cls.__qualname__} is not a state: it needs the field {' and '.join(missing)}")
    steps = property(lambda state: int(state.counters[STEPS]), doc="The steps done so far.")
    seed = property(lambda state: int(state.counters[SEED]), doc="The seed of whatever is random.")
    for name, value in (("steps", steps), ("seed", seed)):
        setattr(cls, name, value)
    return cls


def fresh_counters(seed: int, *others: int) -> Integers:
    """`State.counters` before the first step: no steps, the seed, and what else a solver counts."""
    return np.array([0, seed, *others], dtype=np.int64)


def fresh_event(event_type: Any) -> Floats:
    """`State.event` before the first step: nan in each place."""
    return np.full(len(event_type._fields), np.nan)


def decoded(event_type: type[EventType], numbers: Floats) -> EventType | None:
    """`State.event` as the NamedTuple, its whole numbers and truth values as such; None for a fresh one.

    The first field of an Event is never nan after a step.
    """
    if np.isnan(numbers[0]):
        return None
    kinds = typing.get_type_hints(event_type).values()
    return event_type(*(kind(number) for kind, number in zip(kinds, numbers.tolist(), strict=True)))
