"""What the columns of a DataFrame are: numbers, booleans, categories, dates, free text, or nothing at all."""

from __future__ import annotations

import datetime
import decimal
import numbers
import re
from typing import NamedTuple

from workbench.errors import InputError

# How much of a cell is shown.
SHOWN = 40
NUMBER, BOOLEAN, CATEGORY, DATE, TEXT, EMPTY = "number", "boolean", "category", "date", "free text", "empty"
# Numbers with something else among them: whoever gave the table is asked.
MIXED = "mixed column"
USABLE = (NUMBER, BOOLEAN, CATEGORY)
# Texts are categories as long as one has so many samples on average, and always up to so few of them.
SAMPLES_PER_CATEGORY, FEW = 4, 10
DATES = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}(:\d{2})*.*)?|\d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?"
)
# How many names a sentence lists.
LISTED = 8
# Squares of larger numbers, summed over a row, are no longer finite.
LARGEST = 1e100


class Column(NamedTuple):
    """One column of a table.

    Attributes
    ----------
    name : str
    kind : str
        One of the kinds above.
    missing : int
        How many cells are empty.
    note : str
        The notation of its numbers, where that is not the plain one.
    fault : str
        Of a mixed column, what is strange in which row.
    """

    name: str
    kind: str
    missing: int
    note: str = ""
    fault: str = ""


def look(frame) -> list[Column]:
    """The kind of each column, and how many of its cells are empty."""
    return [inspect_column(frame[name]) for name in frame.columns]


def inspect_column(series, labels: bool = False) -> Column:
    """One column.

    Parameters
    ----------
    series : Series
    labels : bool
        Whether it is a target, whose texts may be labels.
    """
    import pandas as pd

    types, present = pd.api.types, series.dropna()

    def column(kind, note="", fault=""):
        return Column(series.name, kind, len(series) - len(present), note, fault)

    if present.empty:
        return column(EMPTY)
    if types.is_bool_dtype(series.dtype) or _all(present, bool):
        return column(BOOLEAN)
    if types.is_complex_dtype(series.dtype) or _all(present, complex):
        return column(
            MIXED,
            fault=_fault(
                series, present.iloc[0], "a complex number; give its two parts as columns of their own"
            ),
        )
    if isinstance(series.dtype, pd.CategoricalDtype):
        return column(CATEGORY)
    if types.is_numeric_dtype(series.dtype):
        return column(NUMBER)
    if types.is_datetime64_any_dtype(series.dtype) or types.is_timedelta64_dtype(series.dtype):
        return column(DATE)
    if not _all(present, str):
        kinds = {
            DATE: (datetime.date, datetime.time, datetime.timedelta),
            NUMBER: (numbers.Real, decimal.Decimal),
        }
        return column(next((kind for kind, types in kinds.items() if _all(present, types)), TEXT))
    distinct = present.unique()
    if all(DATES.fullmatch(value.strip()) for value in distinct[:200]):
        return column(DATE)
    return column(CATEGORY if len(distinct) <= max(FEW, len(present) / SAMPLES_PER_CATEGORY) else TEXT)


def _all(present, types):
    return all(isinstance(value, types) for value in present)


def _fault(series, value, reason):
    row = next(k for k, each in enumerate(series, 1) if isinstance(each, type(value)) and each == value)
    return f"row {row}, column {series.name!r}: {str(value)[:SHOWN]!r} {_is(reason)}"


def _is(reason):
    return reason if reason.startswith("among") else f"is {reason}"


def exact_of(series):
    """A column of numbers, booleans or texts of numbers without loss.

    Returns
    -------
    ndarray (n,)
        Of float64 or integers; of Python's objects where neither holds all of it: whole numbers of any size,
        floats, nan for an empty cell, and what is no number as it stands.
    """
    import numpy as np
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        series = series.astype(object)
    if pd.api.types.is_bool_dtype(series.dtype):
        return series.to_numpy(dtype=float, na_value=np.nan)
    if isinstance(series.dtype, np.dtype) and series.dtype.kind in "iuf":
        values = series.to_numpy()
        return values if values.dtype.kind in "iu" else values.astype(np.float64)
    empty = series.isna().to_numpy()
    cells = series.astype(object).tolist()
    exact = np.empty(len(cells), dtype=object)
    for k, (cell, none) in enumerate(zip(cells, empty, strict=True)):
        if none:
            exact[k] = np.nan
        elif isinstance(cell, str):
            exact[k] = cell
        else:
            exact[k] = _exact(cell)
    return exact


def _exact(cell):
    """A cell of any library as Python's number."""
    if isinstance(cell, decimal.Decimal):
        return int(cell) if cell == cell.to_integral_value() else float(cell)
    return cell.item() if hasattr(cell, "item") else cell


def numbers_of(series, where: str, offset=0):
    """A column of numbers or booleans, less an offset, as float64 with nan for empty cells.

    Parameters
    ----------
    series : Series
    where : str
        The file's name, for errors.
    offset : int or float
        Subtracted before anything is rounded.

    Raises
    ------
    InputError
        The first cell that is no finite number, or one that cannot be squared, by its row.
    """
    import numpy as np

    exact = exact_of(series)
    if exact.dtype != object and offset == 0:
        values = exact.astype(np.float64)
    else:
        values = np.array([_less(cell, offset) for cell in exact.tolist()], dtype=np.float64)
    bad = np.flatnonzero((np.isnan(values) & series.notna().to_numpy()) | np.isinf(values))
    if bad.size:
        text = str(series.iloc[bad[0]])[:SHOWN]
        raise InputError(
            f"{where}, row {bad[0] + 1}, column {series.name!r}: {text!r} is not a finite number; write "
            "one, or leave the cell empty."
        )
    large = np.flatnonzero(np.abs(values) > LARGEST)
    if large.size:
        raise InputError(
            f"{where}, row {large[0] + 1}, column {series.name!r}: {values[large[0]]:g} is above "
            f"{LARGEST:g}, and the column has numbers too large to be squared; write it in another unit."
        )
    return values


def _less(cell, offset):
    """A cell less an offset, nan where it is no number."""
    if isinstance(cell, (str, complex)):
        return float("nan")
    try:
        return float(cell - offset if offset else cell)
    except OverflowError:
        return float("inf")
    except (TypeError, ValueError):
        return float("nan")


def texts_of(series):
    """A column's values as texts, None where a cell is empty: whole numbers without a point."""
    return [None if empty else as_text(value) for value, empty in zip(series, series.isna(), strict=True)]


def labels_of(series, where: str):
    """A target's values as labels, None where a cell is empty: numbers in any notation as plain ones."""
    if inspect_column(series, labels=True).kind != NUMBER:
        return texts_of(series)
    return [None if value != value else as_text(value) for value in numbers_of(series, where).tolist()]


def as_text(value) -> str:
    """A category or a label as a user would write it."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return str(bool(value))
    try:
        return f"{value:.15g}"
    except (TypeError, ValueError, OverflowError):
        return str(value)


def listing(names, most=LISTED) -> str:
    """The first names as a text."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


def counts_rows(values) -> bool:
    """Whether numbers are nearly the rows' own: whole, nearly all different, in about as long a range."""
    import numpy as np

    n = len(values)
    if n < FEW or not np.array_equal(values, np.round(values)):
        return False
    return len(np.unique(values)) >= 0.95 * n and np.ptp(values) + 1 <= 1.05 * n + 1
