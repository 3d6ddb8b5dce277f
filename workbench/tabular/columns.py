"""What the columns of a DataFrame are: numbers, booleans, categories, dates, free text, or nothing at all."""

from __future__ import annotations

import re
from typing import NamedTuple

from workbench.errors import InputError

NUMBER, BOOLEAN, CATEGORY, DATE, TEXT, EMPTY = "number", "boolean", "category", "date", "free text", "empty"
USABLE = (NUMBER, BOOLEAN, CATEGORY)
# Texts are categories as long as one has so many samples on average, and always up to so few of them.
SAMPLES_PER_CATEGORY, FEW = 4, 10
# A column of texts with at least this share of numbers is one of numbers with a mistake in it.
MOSTLY = 0.8
DATES = re.compile(
    r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}([ T]\d{1,2}(:\d{2})*.*)?|\d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?"
)
# How many names a sentence lists.
LISTED = 8
# How much of a cell is shown.
SHOWN = 40


class Column(NamedTuple):
    """One column of a table.

    Attributes
    ----------
    name : str
    kind : str
        One of the kinds above.
    missing : int
        How many cells are empty.
    """

    name: str
    kind: str
    missing: int


def look(frame, where: str) -> list[Column]:
    """The kind of each column, and how many of its cells are empty.

    Raises
    ------
    InputError
        A column of numbers with a text in it, by its row.
    """
    return [Column(name, kind(frame[name], where), int(frame[name].isna().sum())) for name in frame.columns]


def kind(series, where: str) -> str:
    """The kind of one column."""
    import pandas as pd

    types = pd.api.types
    present = series.dropna()
    if present.empty:
        return EMPTY
    if types.is_bool_dtype(series.dtype) or _all(present, bool):
        return BOOLEAN
    if isinstance(series.dtype, pd.CategoricalDtype):
        return CATEGORY
    if types.is_numeric_dtype(series.dtype) and not types.is_complex_dtype(series.dtype):
        return NUMBER
    if types.is_datetime64_any_dtype(series.dtype) or types.is_timedelta64_dtype(series.dtype):
        return DATE
    if not _all(present, str):
        if pd.to_numeric(present, errors="coerce").notna().all():
            return NUMBER
        return TEXT
    return _kind_of_texts(series, present, where)


def _all(present, type_):
    return present.map(lambda value: isinstance(value, type_)).all()


def _kind_of_texts(series, present, where):
    import pandas as pd

    distinct = present.unique()
    count = len(distinct)
    as_numbers = pd.to_numeric(pd.Series(distinct, dtype=object), errors="coerce")
    numbers = int(as_numbers.notna().sum())
    if numbers == count:
        return NUMBER
    if numbers >= MOSTLY * count and numbers > FEW:
        value = distinct[as_numbers.isna().to_numpy()][0]
        row = int((series == value).to_numpy().argmax())
        raise InputError(
            f"{where}, row {row + 1}, column {series.name!r}: {value[:SHOWN]!r} among numbers; write a "
            "number, leave the cell empty, or take the column out."
        )
    if all(DATES.fullmatch(value.strip()) for value in distinct[:200]):
        return DATE
    return CATEGORY if count <= max(FEW, len(present) / SAMPLES_PER_CATEGORY) else TEXT


def numbers_of(series, where: str):
    """A column of numbers or booleans as float64, with nan for empty cells.

    Raises
    ------
    InputError
        The first cell that is no finite number, by its row.
    """
    import numpy as np
    import pandas as pd

    values = pd.to_numeric(series.astype(object), errors="coerce").to_numpy(dtype=float, na_value=np.nan)
    bad = np.flatnonzero((np.isnan(values) & series.notna().to_numpy()) | np.isinf(values))
    if bad.size:
        shown = str(series.iloc[bad[0]])[:SHOWN]
        raise InputError(
            f"{where}, row {bad[0] + 1}, column {series.name!r}: {shown!r} is not a finite number; write "
            "one, "
            "or leave the cell empty."
        )
    return values


def texts_of(series):
    """A column's values as texts, None where a cell is empty: whole numbers without a point."""
    return [None if empty else as_text(value) for value, empty in zip(series, series.isna(), strict=True)]


def as_text(value) -> str:
    """A category or a label as a user would write it."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return str(bool(value))
    try:
        return f"{value:.15g}"
    except (TypeError, ValueError):
        return str(value)


def listed(names, most=LISTED) -> str:
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
