"""The columns of a table: their cells, and the rules that say what becomes of each.

The rules, in the order in which they are asked:

1. A column without a value, with one value in every row, or with dates is left out.
2. A column of whole numbers that counts the rows is left out.
3. True and false are 1 and 0.
4. Numbers get mean 0 and deviation 1, unless `standardize` is False.
5. Text is a category, one column of 0 and 1 for each, as long as a value has four rows on average or there
   are at most ten; categories with fewer than one row in a hundred share one column. Other text is left out.
6. Empty cells are refused, unless `missing` fills them: by the mean or the median of the training rows; for
   categories and for true and false by the most frequent value; with "indicator" a column flags them.

What is left out is named; `keep` names columns that stay in whatever rules 1, 2 and 5 say. A matrix of LIBSVM
is used as it is; with `standardize` each feature is divided by its largest absolute value.
"""

from __future__ import annotations

import decimal
import numbers
from typing import NamedTuple

from workbench._support.errors import InputError, shown
from workbench.data.tables import text as delimited
from workbench.data.tables.libsvm import LARGEST

NUMBER, BOOLEAN, CATEGORY = "number", "boolean", "category"
DATE, TEXT, CONSTANT, COUNTER, EMPTY = "date", "text", "constant", "counter", "empty"
USED = (NUMBER, BOOLEAN, CATEGORY)
REASONS = {
    DATE: "it holds dates",
    TEXT: "nearly every row has a text of its own",
    CONSTANT: "it has one value in every row",
    COUNTER: "it counts the rows",
    EMPTY: "every cell is empty",
}
# Texts are categories with this many rows a value on average, and always up to FEW of them.
ROWS_PER_CATEGORY, FEW = 4, 10
# Names in a sentence, and letters of a cell in a message.
LISTED, SHOWN = 8, 40


class Decision(NamedTuple):
    """The kind of a column by the rules, and the number of its empty cells."""

    name: str
    kind: str
    empty: int = 0

    @property
    def is_used(self):
        """True if the column becomes numbers."""
        return self.kind in USED


# Cells


def plain(frame):
    """Return the frame with float64, int64 and bool, and texts with None for an empty cell."""
    others = [j for j, dtype in enumerate(frame.dtypes) if str(dtype) not in PLAIN]
    names, frame = frame.columns, frame.set_axis(range(frame.shape[1]), axis=1)
    for j in others:
        frame[j] = plain_column(frame[j].rename(names[j]))
    return frame.set_axis(names, axis=1)


PLAIN = ("float64", "int64", "bool")


def plain_column(series):
    """Return a column as float64, int64 or bool where none of its cells loses a digit, else as texts.

    A column with empty cells is of floats or of texts. Categories and dates are texts.
    """
    import pandas as pd

    if str(series.dtype) in PLAIN:
        return series
    if getattr(series.dtype, "kind", "") in "iuf" and series.dtype.itemsize < 8 and not series.hasnans:
        return series.astype("float64" if series.dtype.kind == "f" else "int64")
    empty, is_category = series.isna(), isinstance(series.dtype, pd.CategoricalDtype)
    values = series[~empty].tolist()
    if any(isinstance(value, complex) for value in values):
        raise InputError(
            f"column {series.name!r} holds complex numbers; give their two parts as columns of their own"
        )
    if values and all(isinstance(value, bool) for value in values) and not empty.any():
        return series.astype(bool)
    is_number = all(isinstance(x, numbers.Real | decimal.Decimal) and not isinstance(x, bool) for x in values)
    if is_number and not is_category:
        whole = [int(value) for value in values if isinstance(value, numbers.Integral)]
        if len(whole) == len(series) and all(-(2**63) <= value < 2**63 for value in whole):
            return series.astype("int64")
        if all(abs(value) < 2**1023 and value == float(value) for value in whole):
            return series.astype("float64")
    texts = series.astype(object).map(str if is_number else as_text).astype(object)
    texts[empty] = None
    return texts


def numbers_of(series, where: str):
    """Return a column of numbers or booleans as float64, nan for an empty cell.

    The first cell that is not a finite number, or that cannot be squared, is refused by its row.
    """
    import numpy as np
    import pandas as pd

    cells = plain_column(series)
    if cells.dtype == object:
        cells = pd.to_numeric(cells.map(lambda cell: delimited.BOOLEANS.get(cell, cell)), errors="coerce")
    values, empty = cells.to_numpy(dtype=float), series.isna().to_numpy()
    bad = np.flatnonzero(~empty & ~(np.abs(values) <= LARGEST))
    if bad.size:
        row, fault = bad[0], "is not a finite number; write one, or leave the cell empty"
        if np.isinf(values[row]):  # What was read as a number no longer has its text.
            fault = "is infinite or above 1.8e308; write a finite number, or leave the cell empty"
        elif np.isfinite(values[row]):
            fault = f"is above {LARGEST:g}, too large to be squared; write the column in another unit"
        text = shown(str(series.iloc[row])[:SHOWN])
        raise InputError(f"{where}, row {row + 1}, column {series.name!r}: {text} {fault}.")
    return values


def texts_of(series):
    """Return the values of a column as texts, None where a cell is empty."""
    return [None if empty else as_text(value) for value, empty in zip(series, series.isna(), strict=True)]


def as_text(value) -> str:
    """Return a category or a label as a user would write it: whole numbers without a point."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return str(bool(value))
    try:
        return f"{value:.15g}" if value % 1 or abs(value) >= 2**53 else str(int(value))
    except (TypeError, ValueError, OverflowError, ArithmeticError):
        return str(value)


def listing(names, most=LISTED) -> str:
    """Return the first names as a text."""
    names = list(names)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(str, names[:most])) + more


# The rules


def decide(frame, keep=(), whole=False, where="the table") -> tuple[Decision, ...]:
    """Return the decisions of the rules on the columns of a DataFrame.

    The columns in `keep` stay; with `whole` all columns of numbers do, as those of an array, which have no
    names to judge by. An `InputError` names a column that is not there, or says that none is left.
    """
    unknown = [name for name in keep if name not in frame.columns]
    if unknown:
        columns = listing(frame.columns)
        raise InputError(f"{where} has no column {unknown[0]!r} to keep; its columns are {columns}.")
    holes = frame.isna().sum().tolist()
    decisions = tuple(
        Decision(name, kind_of(series, name in keep, whole), count)
        for (name, series), count in zip(frame.items(), holes, strict=True)
    )
    if not any(decision.is_used for decision in decisions):
        reasons = listing(f"{decision.name!r}, {REASONS[decision.kind]}" for decision in decisions)
        texts = frame[[decision.name for decision in decisions if decision.kind == TEXT]]
        advice = ["give one more feature, or keep one by its name", *delimited.remarks(texts)]
        raise InputError(
            f"{where} has no column left to learn from: {reasons or 'it has none'}; {'; '.join(advice)}."
        )
    return decisions


def kind_of(series, is_kept=False, whole=False) -> str:
    """Return the kind of a column; of one that is kept, the kind with which it can be used."""
    present = series.dropna()
    if not len(present):
        return EMPTY
    kind = type_of(present)
    if is_kept and kind in (DATE, TEXT):
        return CATEGORY
    if is_kept or kind == DATE or (whole and kind in (NUMBER, BOOLEAN)):
        return kind
    if present.nunique() == 1:
        return CONSTANT
    return COUNTER if kind == NUMBER and counts_rows(present) else kind


def type_of(series) -> str:
    """Return number, boolean, category, date or text by the cells of a column."""
    cells = plain_column(series)
    if cells.dtype != object:
        return BOOLEAN if cells.dtype == bool else NUMBER
    distinct = cells.dropna().unique()
    if all(delimited.DATES.fullmatch(text.strip()) for text in distinct):
        return DATE
    is_short = len(distinct) <= max(FEW, cells.notna().sum() / ROWS_PER_CATEGORY)
    return CATEGORY if is_short or str(series.dtype) == "category" else TEXT


def counts_rows(series) -> bool:
    """Return True if numbers nearly count the rows: whole, all different, in about as long a range."""
    import numpy as np

    # Whole numbers beyond 2^53 are told apart as they are.
    values, n = plain_column(series).to_numpy(), len(series)
    if n < FEW or not np.isfinite(values).all() or not np.array_equal(values, np.round(values)):
        return False
    return len(np.unique(values)) >= 0.95 * n and np.ptp(values) + 1 <= 1.05 * n + 1
