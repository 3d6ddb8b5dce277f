"""Diagnosis of wrong values: the one change that makes them of the right ones, in words."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

# An answer typed in with six digits is right; a forgotten factor is not.
RELATIVE, ABSOLUTE = 1e-5, 1e-8
# Half a unit of the third digit, as a share of the unit of the first: 0.333 is right for 1/3.
HALF_DIGIT = 0.00501
# A ratio above this agrees with a whole number by chance, within the tolerance.
MAX_FACTOR = 5000
# Before a cause that only one value speaks for.
PERHAPS = "perhaps "
FACTOR = "{:.4g} times the right value: look for a factor"
SIGN = "right but for its sign"
# Changes of the right value itself,
ALONE = {
    "1 over the right value": np.reciprocal,
    "the square of the right value": np.square,
    "the square root of the right value: a square is missing": np.sqrt,
    "the right value without its sign: an absolute value too many": np.abs,
}
# to it and a size among the arguments,
WITH = {"times": np.multiply, "divided by": np.divide, "plus": np.add, "minus": np.subtract}
# or to an argument, a number or an array, before it was used.
MISREAD: dict[str, Callable[[Any], Any]] = {
    "right for -{0} in place of {0}: look at the sign of {0}": np.negative,
    "right for {0} = 1, as if {0} were missing": np.ones_like,
    "right for {0} = 0, as if its term were missing": np.zeros_like,
    "right for |{0}| in place of {0}": np.abs,
    "right for {0} + 1 in place of {0}: count again": lambda value: value + 1,
    "right for {0} - 1 in place of {0}: count again": lambda value: value - 1,
    "right for {0} squared in place of {0}": np.square,
}


def same(result, right):
    """Return whether two values agree but for rounding; infinities count."""
    return np.shape(result) == np.shape(right) and bool(
        np.allclose(result, right, rtol=RELATIVE, atol=ABSOLUTE)
    )


def same_rounded(result, right):
    """Return whether typed values agree with others of their shape in three digits, or all of a whole one."""
    return np.shape(result) == np.shape(right) and bool(np.all(close_rounded(result, right)))


def close(result, right):
    """Return the mask where two values of one shape agree but for rounding."""
    return np.isclose(result, right, rtol=RELATIVE, atol=ABSOLUTE)


def close_rounded(result, right):
    """Return the mask where typed values have three digits of the others, or all of a whole number."""
    right = np.asarray(right, dtype=float)
    with np.errstate(all="ignore"):
        unit = 10.0 ** np.floor(np.log10(np.abs(right)))
        near = np.abs(result - right) <= HALF_DIGIT * unit
    return close(result, right) | (near & (right != np.round(right)))


def cause(results, due, inputs=((),), names=(), right=None):
    """Return the explanation of the wrong values where they and the right ones are finite; "" if unknown.

    Parameters
    ----------
    results, due : list
        The value in each case, and the right one.
    inputs : sequence of tuple
        The arguments in each case, and `names` theirs.
    right : callable, optional
        The right function of them.

    Where one value alone is wrong the explanation begins with "perhaps", but for a sign.
    """
    text = _cause(results, due, inputs, names, right)
    wrong = sum(
        np.count_nonzero(~close(x, value) & np.isfinite(np.asarray(value, dtype=float)))
        for x, value in zip(results, due, strict=True)
    )
    return f"{PERHAPS}{text}" if text and text != SIGN and wrong == 1 else text


def _cause(results, due, inputs, names, right):
    # As floats, since NumPy neither negates nor subtracts truth values.
    flags = all(np.asarray(value).dtype == bool for value in due)
    results, due = ([np.asarray(array, dtype=float) for array in values] for values in (results, due))
    finite = [np.isfinite(x) & np.isfinite(value) for x, value in zip(results, due, strict=True)]

    def explained(values):
        return all(
            np.shape(value) == x.shape and same(x[mask], np.asarray(value, dtype=float)[mask])
            for x, value, mask in zip(results, values, finite, strict=True)
        )

    with np.errstate(all="ignore"):
        off = [mask & ~close(x, value) for x, value, mask in zip(results, due, finite, strict=True)]
        wrong, instead = (
            np.concatenate([x[there] for x, there in zip(values, off, strict=True)])
            for values in (results, due)
        )
        if not wrong.size:
            return ""
        ratios = wrong / instead
        factors = np.maximum(ratios, 1 / ratios)
        whole = np.all(ratios > 0.0) and factors.max() <= MAX_FACTOR and same(factors, factors.round())
        if explained([-value for value in due]):
            return SIGN
        if ratios[0] and (whole or ratios.size > 1) and explained([ratios[0] * value for value in due]):
            return FACTOR
        if flags:
            return (
                "the opposite of the right value, each time"
                if explained([1 - value for value in due])
                else ""
            )
        arguments = list(_arguments(inputs, names))
        for text, values in _ways(due, arguments, inputs, right):
            if explained(values):
                return text
        if whole:
            return FACTOR
        if same(wrong, -instead):
            return SIGN
        more = wrong[0] - instead[0]
        if wrong.size > 1 and explained([value + more for value in due]):
            return f"{abs(more):.4g} {'more' if more > 0 else 'less'} than the right value, each time"
        if all(same(*(np.sort(x, axis=None) for x in pair)) for pair in zip(results, due, strict=True)):
            return "among the right values, but in another order"
    return ""


def _ways(due, arguments, inputs, right):
    """(in words, the values in each case) of all that may have been done."""
    yield "0, each time", [np.zeros(value.shape) for value in due]
    yield from ((f"{name} itself, unchanged", numbers) for _, name, numbers in arguments)
    if right is not None:
        yield from ((text, _values(right, others)) for text, others in _misread(arguments, inputs))
    yield from ((text, [change(value) for value in due]) for text, change in ALONE.items())
    sizes = [(name, numbers) for _, name, numbers in arguments]
    sizes += _lengths(sizes)
    for (how, change), (name, numbers) in itertools.product(WITH.items(), sizes):
        text = f"the right value {how} {name}, each time: look for {name} in your formula"
        fits = all(np.shape(size) in ((), value.shape) for size, value in zip(numbers, due, strict=True))
        yield text, [change(value, size) if fits else None for value, size in zip(due, numbers, strict=True)]


def _arguments(inputs, names):
    """(place, name, what it is in each case) of the arguments that are numbers or arrays of numbers."""
    for k, numbers in enumerate(zip(*inputs, strict=True)):
        if all(isinstance(number, int | float | np.number | np.ndarray) for number in numbers):
            values = list(map(np.asarray, numbers))
            if all(value.dtype.kind in "fiu" for value in values):
                yield k, names[k] if k < len(names) else f"argument {k + 1}", values


def _lengths(sizes):
    """Return the lengths of arrays, and the products of a number and a length."""
    lengths = [
        (f"{name}.shape[{axis}]" if axis else f"len({name})", [float(x.shape[axis]) for x in numbers])
        for name, numbers in sizes
        for axis in range(min(map(np.ndim, numbers)))
    ]
    products = [
        (f"{name} * {length}", list(map(np.multiply, numbers, others)))
        for name, numbers in sizes
        if not any(map(np.ndim, numbers))
        for length, others in lengths
    ]
    return lengths + products


def _misread(arguments, inputs):
    """(in words, the arguments of all cases) where one is changed, or two are exchanged."""

    def with_changes(case, changed):
        return [changed.get(k, value) for k, value in enumerate(case)]

    for k, name, _ in arguments:
        for text, change in MISREAD.items():
            yield text.format(name), [with_changes(case, {k: change(case[k])}) for case in inputs]
    for (k, one, _), (j, other, _) in itertools.combinations(arguments, 2):
        text = f"right with {one} and {other} exchanged"
        yield text, [with_changes(case, {k: case[j], j: case[k]}) for case in inputs]
    for (k, one, _), (j, other, _) in itertools.permutations(arguments, 2):
        yield f"right with {other} in place of {one}", [with_changes(case, {k: case[j]}) for case in inputs]


def _values(right, inputs):
    """Return the values at other arguments; None if they do not exist."""
    values = []
    for case in inputs:
        try:
            values.append(np.asarray(right(*case), dtype=float))
        except Exception:
            return [None] * len(inputs)
    return values
