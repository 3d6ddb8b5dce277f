"""What the fields of a state may hold, declared with each field and checked by one function.

A state that comes from a file is data: somebody may have damaged it, or written it. Compiled loops index with
its queues, orders, places and sizes without a test of their own, so a declaration has to be enough for them
to stay inside of their arrays, and for their searches to end. `tests/unit/solvers/test_states.py` damages the
fields of every solver.

A field is declared by its type in the NamedTuple of the state, and so are the whole numbers of an Event:

    alpha: Reals  # (n,) dual variables
    pool: Annotated[np.ndarray, order(lambda state: state.pool.size)]  # (n,) uint32, the samples
    counters: Counters  # (2,) int64: steps done, seed

Of a field of the type `np.ndarray` nothing is asked but its shape and its type, which `init` fixes.
"""

import functools
import math
import sys
import typing
from collections.abc import Callable
from typing import Annotated, NamedTuple

import numpy as np

MAX, LEAST = sys.float_info.max, math.ulp(0.0)
# Floats count so far, and an epoch is one.
MOST = 2**53


class Range(NamedTuple):
    """The numbers from `lower` to `upper`, both included; a bound may be a function of the state."""

    lower: float | Callable
    upper: float | Callable
    nan: bool = False  # whether nan is among them
    whole: bool = False  # whether whole numbers alone are

    def misses(self, values, state, _fresh):
        """Which of the values are none of them."""
        lower, upper = self.ends(state)
        missed = ~((values >= lower) & (values <= upper))
        if values.dtype.kind == "f":
            missed |= self.whole & (values != np.trunc(values))
            missed &= ~(self.nan & np.isnan(values))
        return missed

    def ends(self, state):
        """Both bounds as numbers."""
        return tuple(end(state) if callable(end) else end for end in self[:2])

    def fault(self, state):
        """What a value is that is none of them."""
        lower, upper = self.ends(state)
        if upper < MAX:
            return f"which is no {'whole ' * self.whole}number from {lower:g} to {upper:g}"
        least = "" if lower <= -MAX else " above 0" if lower == LEAST else f" of {lower:g} or more"
        return f"which is no {'finite ' * (upper == MAX)}number{least}"


class _Same:
    """What the state of a new run on the same problem holds."""

    def misses(self, values, _state, fresh):
        return ~((values == fresh) | ((values != values) & (fresh != fresh)))

    def fault(self, _state):
        return "which is not what the problem and the solver have"


FINITE, NUMBER, ANY = Range(-MAX, MAX), Range(-np.inf, np.inf), Range(-np.inf, np.inf, nan=True)
POSITIVE, NOT_NEGATIVE, UP_TO_INFINITE = Range(LEAST, MAX), Range(0.0, MAX), Range(0.0, np.inf)
GAP = Range(0.0, np.inf, nan=True)
SAME = _Same()
COUNT, FLAG, SEED = Range(0, MOST, whole=True), Range(0, 1, whole=True), Range(0, 2**63 - 1, whole=True)


def below(size):
    """The places of so many, a number or a function of the state."""
    return Range(0, lambda state: (size(state) if callable(size) else size) - 1, whole=True)


class Holds:
    """A declaration: a range for each place, the last of them for all that follow.

    Parameters
    ----------
    *ranges : Range or SAME
    different : callable, optional
        How many entries count, by the state, which all differ; nothing reads what follows them.
    """

    def __init__(self, *ranges, different=None):
        self.ranges, self.different = ranges, different

    def fault(self, array, state=None, fresh=None):
        """What an array holds against the declaration, and where, as the end of a sentence; else None."""
        # A truth value in a file may be any byte.
        values = array.ravel() if array.dtype != bool else array.ravel().view(np.uint8)
        fresh = values if fresh is None else fresh.ravel()
        count = values.size if self.different is None else int(self.different(state))
        for k, allowed in enumerate(self.ranges):
            part = slice(k, k + 1) if k + 1 < len(self.ranges) else slice(k, count)
            missed = np.flatnonzero(allowed.misses(values[part], state, fresh[part]))
            if missed.size:
                place = np.unravel_index(k + missed[0], array.shape)
                where = f" at {[int(i) for i in place]}" if array.ndim else ""
                return f"holds {values[k + missed[0]]}{where}, {allowed.fault(state)}"
        if self.different is not None:
            found, counts = np.unique(values[:count], return_counts=True)
            if found.size < count:
                return f"holds {found[counts.argmax()]} more than once in its first {count} places"
        return None


def order(size, count=None):
    """A declaration of different places of so many: of all of them, or of the first `count` entries."""
    return Holds(below(size), different=size if count is None else count)


Reals = Annotated[np.ndarray, Holds(FINITE)]
NotNegative = Annotated[np.ndarray, Holds(NOT_NEGATIVE)]
Counts = Annotated[np.ndarray, Holds(COUNT)]
Flags = Annotated[np.ndarray, Holds(FLAG)]
Anything = Annotated[np.ndarray, Holds(ANY)]
Fixed = Annotated[np.ndarray, Holds(SAME)]
Counters = Annotated[np.ndarray, Holds(COUNT, SEED)]
# A sum that may overflow before it is taken afresh, its rounding, how often that was done.
Sums = Annotated[np.ndarray, Holds(NUMBER, UP_TO_INFINITE, COUNT)]
# The regularizer's scale, then its parameters.
Theta = Annotated[np.ndarray, Holds(FINITE, SAME)]


@functools.cache
def declared(cls):
    """The declaration of each field of a NamedTuple; None where there is none."""
    hints = typing.get_type_hints(cls, include_extras=True)
    return {name: next(iter(getattr(hint, "__metadata__", ())), None) for name, hint in hints.items()}


def of_event(event_type, numbers):
    """The declaration of `State.event`: whole numbers and truth values are such once there was a step."""
    if np.isnan(numbers[0]):
        return Holds(ANY)
    kinds, given = typing.get_type_hints(event_type), declared(event_type)
    by_kind = {int: COUNT, bool: FLAG}
    return Holds(*(given[name] or by_kind.get(kind, ANY) for name, kind in kinds.items()))


def check(state, fresh, event_type, refusal, names=None):
    """Refuse the first field of a state that holds what it should not.

    Parameters
    ----------
    state, fresh : State
        The one to check, of whose fields only shapes and types are known, and one of a new run.
    event_type : type
        The NamedTuple that `state.event` holds.
    refusal : callable
        Gives the error for the name of a field and what is wrong with it.
    names : collection of str, optional
        The fields to look at; all of them where none are given.
    """
    known = declared(type(state)) | {"event": of_event(event_type, state.event)}
    for name in state._fields if names is None else names:
        fault = known[name] and known[name].fault(getattr(state, name), state, getattr(fresh, name))
        if fault:
            raise refusal(name, fault)
