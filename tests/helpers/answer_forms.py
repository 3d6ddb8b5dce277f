"""The forms in which a right value may come: other types, shapes and containers."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import sympy
from scipy import sparse


def _exact(value):
    """A number as a Fraction, or as SymPy has an infinity."""
    return Fraction(float(value)) if np.isfinite(value) else sympy.sympify(float(value))


def _symbol(value):
    return sympy.sympify(float(value))


# What else may stand for a number, a row of numbers and a matrix,
NUMBERS = (
    {
        "SymPy": _symbol,
        "Fraction": _exact,
        "Decimal": lambda x: Decimal(float(x)),
        "(1, 1)": lambda x: np.array([[x]]),
        "Series": lambda x: pd.Series([x]),
        "array": np.array,
        "list": lambda x: [x],
    },
    {
        "column": lambda x: x[:, None],
        "row": lambda x: x[None, :],
        "Series": lambda x: pd.Series(x, index=range(5, 5 + len(x))),
        "DataFrame": pd.DataFrame,
        "list of SymPy": lambda x: list(map(_symbol, x)),
        "tuple of Fractions": lambda x: tuple(map(_exact, x)),
        "objects": lambda x: np.array([_exact(item) for item in x], dtype=object),
        "SymPy's column": lambda x: sympy.Matrix(list(map(_symbol, x))),
        "masked": np.ma.array,
    },
    {
        "DataFrame": pd.DataFrame,
        "lists": np.ndarray.tolist,
        "SymPy": lambda x: sympy.Matrix(x.tolist()),
        "sparse": sparse.csr_array,
        "sparse matrix": sparse.csr_matrix,
        "Fortran": np.asfortranarray,
        "list of rows": list,
        "objects": lambda x: x.astype(object),
    },
)
# for a row of truth values, for a row of texts and for a text.
FLAGS = {
    "whole": lambda x: x.astype(int),
    "list": np.ndarray.tolist,
    "Series": pd.Series,
    "column": lambda x: x[:, None],
}
NAMES = {
    "tuple": tuple,
    "array": np.array,
    "Series": pd.Series,
    "column": lambda x: np.array(x)[:, None],
    "capitals": lambda x: [item.upper() for item in x],
}
TEXT = {"capitals": str.upper, "spaces": " {} ".format, "of NumPy": np.str_}


def forms(value):
    """The value in other forms, by their names."""
    if isinstance(value, str):
        return {name: how(value) for name, how in TEXT.items()}
    if isinstance(value, tuple):
        parts = [list(forms(entry).items()) for entry in value]
        chosen = [[part[k % len(part)] for part in parts] for k in range(max(map(len, parts)))]
        return {
            " and ".join(name for name, _ in pairs): [tuple, list][k % 2](other for _, other in pairs)
            for k, pairs in enumerate(chosen)
        }
    array = np.asarray(value)
    if array.dtype.kind == "U":
        kinds = NAMES
    elif array.dtype.kind == "b" and array.ndim == 1:
        kinds, value = FLAGS, array
    else:
        kinds, value = NUMBERS[array.ndim], array.astype(float) if array.ndim else float(array)
    return {name: how(value) for name, how in kinds.items()}


def dressed(solution, place):
    """Functions that return what `solution` does in other forms, by their names.

    Parameters
    ----------
    solution : callable
    place : tuple
        Arguments at which the forms are looked up.
    """

    def other(kind):
        return lambda *arguments: forms(solution(*arguments))[kind]

    return {kind: other(kind) for kind in forms(solution(*place))}
