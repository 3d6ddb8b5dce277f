"""Run kernels in Python, with the bits that their machine code returns.

Numbers are NumPy scalars, which round, overflow and divide by zero as the machine does. Functions of `math`
are the ones that machine code calls, and return infinity or nan where Python raises an error. Where machine
code has vectors, Python has whole arrays (`kernels.lanes`).
"""

import functools
import math
import types as python_types
from typing import Any

import numpy as np
from numba import types


def call(dispatcher, arguments):
    """Return what a compiled function of a declared signature returns."""
    return run(dispatcher.py_func, map(_to_numpy, dispatcher.declared.args, arguments))


def run(function, arguments):
    """Return what a compiled function returns for arguments of its types; a float may be Python's."""
    with np.errstate(all="ignore"):
        return _to_python(
            _in_python(function)(*(np.float64(a) if type(a) is float else a for a in arguments))
        )


def count_entries(arguments):
    """Count the entries of all arrays."""
    return sum(count_entries(a) if isinstance(a, tuple) else getattr(a, "size", 0) for a in arguments)


def _to_numpy(kind, argument):
    """Return an argument as a compiled function has it: a number of NumPy, and no compiled function."""
    if isinstance(kind, types.Number):
        return kind.cast_python_value(argument)
    if isinstance(argument, tuple):
        parts = map(_to_numpy, kind.types, argument)
        return argument._make(parts) if hasattr(argument, "_make") else tuple(parts)
    return _in_python(argument.py_func) if isinstance(kind, types.FunctionType) else argument


def _to_python(result):
    """Return a result as a compiled function gives it to Python: its numbers are Python's."""
    if isinstance(result, tuple):
        return tuple(map(_to_python, result))
    return result.item() if isinstance(result, np.generic) else result


@functools.cache
def _in_python(function):
    """Return a function in which `math` is lenient, and inlined functions are functions of Python."""
    names = dict(function.__globals__)
    for name in function.__code__.co_names:
        inner: Any = names.get(name)
        if inner is math:
            names[name] = LENIENT
        elif hasattr(inner, "py_func"):
            names[name] = _in_python(inner.py_func)
    return python_types.FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )


class _Lenient:
    """`math` with numbers of NumPy, and its infinity or nan where `math` raises an error."""

    # Exact in NumPy, too, whose other functions differ from the machine's in the last bit.
    copysign, frexp, ldexp, sqrt = np.copysign, np.frexp, np.ldexp, np.sqrt

    def __getattr__(self, name):
        exact: Any = getattr(math, name)
        limit: Any = getattr(np, name, None)

        def lenient(x):
            try:
                result = exact(x)
            except (OverflowError, ValueError):
                return limit(x)
            return np.float64(result) if isinstance(result, float) else result

        value = lenient if callable(exact) else exact
        setattr(self, name, value)
        return value


LENIENT = _Lenient()
