"""Reading tables of numbers, .csv and .tsv: one column is the target, the others are features.

pandas does the work. When it refuses, or when what it read cannot be used, the text is gone through
again row by row in Python, which either names the first cell at fault or settles the matter.

The first row is a header when one of its cells is not a number (the target's cell apart when labels
are texts).
"""

from __future__ import annotations

import csv
import io
import math
import warnings
from collections.abc import Iterator
from numbers import Integral
from typing import TYPE_CHECKING

from workbench.data.sentences import said
from workbench.errors import InputError
from workbench.system.allowance import Allowance

if TYPE_CHECKING:
    import numpy as np

SEPARATORS = (",", ";", "\t")
# How much of a faulty cell is shown.
SHOWN = 40


def read(
    content: bytes, where: str, target=None, separator: str | None = None, text_labels: bool = False,
    allowance: Allowance | None = None,
):  # fmt: skip
    """Read the feature columns and the target column.

    Parameters
    ----------
    content : bytes, UTF-8
    where : str
        The file's name, for errors.
    target : str or int, optional
        The target's name, or its place counted from 0; the last column by default.
    separator : str, optional
        By default the first of comma, semicolon and tab that stands in the first line.
    text_labels : bool
        Whether the target column holds texts rather than numbers.
    allowance : Allowance, optional
        The time after which the search for a fault ends with an error of its own.

    Returns
    -------
    X : ndarray, shape (n, d), float64
    y : ndarray, shape (n,), float64, or strings with text_labels
    names : tuple of d strings
    """
    text = decode(content, where)
    if separator is None:
        separator = sniff(text)
    names, body, skipped = _split_header(text, where, separator, target, text_labels)
    place = find_target(names, target, where, named=skipped > 0)
    columns = _read_fast(body, separator, len(names), place if text_labels else None)
    if columns is None:
        columns = _read_slowly(body, where, separator, names, place, text_labels, skipped, allowance)
    numbers, labels = columns
    y = labels if text_labels else numbers[:, place].copy()
    X = numbers if text_labels else _without(numbers, place)
    return X, y, tuple(name for j, name in enumerate(names) if j != place)


def sniff(text: str) -> str:
    """Return the first of comma, semicolon and tab that stands in the first line, a comma where none does."""
    first_line = text.lstrip("\n").partition("\n")[0]
    return next((mark for mark in SEPARATORS if mark in first_line), ",")


def header(text: str, where: str, separator: str) -> list[str]:
    """Return the columns' names as far as they can be told without knowing the target."""
    return _split_header(text, where, separator, None, False)[0]


def find_target(names: list[str], target, where: str, named: bool) -> int:
    """Return the place of the target column, counted from 0.

    Parameters
    ----------
    names : list of str
        The names in the header, or stand-ins for them.
    target : str, int or None
    where : str
    named : bool
        Whether the file has a header.
    """
    if len(names) < 2:
        raise InputError(said("one_column", where=where))
    if target is None:
        return len(names) - 1
    if named and isinstance(target, str) and target in names:
        if names.count(target) > 1:
            raise InputError(
                f"{where} has several columns named {target!r}; give the target's number instead."
            )
        return names.index(target)
    place = _as_place(target)
    if place is not None and -len(names) <= place < len(names):
        return place % len(names)
    shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
    known = f"its columns are {shown}" if named else "it has no header"
    raise InputError(
        f"{where} has no column target={target!r}; {known}, and numbers go from 0 to {len(names) - 1}."
    )


def _as_place(target) -> int | None:
    """Return a target given as a number, also one typed as text, or None."""
    if isinstance(target, Integral) and not isinstance(target, bool):
        return int(target)
    if isinstance(target, str) and target.strip().lstrip("-").isdecimal() and len(target) < 10:
        try:
            return int(target)
        except ValueError:  # such as "--3"
            return None
    return None


def decode(content: bytes, where: str) -> str:
    """Return the text with plain line ends, or name the first line that is no text."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError(said("utf16", where=where))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(said("not_utf8", where=where, line=line)) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(said("table_zero_byte", where=where, line=line))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _split_header(text: str, where: str, separator: str, target, text_labels: bool):
    """Return the columns' names, the text of the rows and how many lines stand before it.

    Without a header no line stands before the rows, and the names are "column 0", "column 1", ...
    """
    source = io.StringIO(text)
    line, first = next(_rows(source, where, separator), (0, None))
    if first is None:
        raise InputError(said("no_rows", where=where))
    exempt = None
    if text_labels and (target is None or _as_place(target) is not None):
        exempt = (-1 if target is None else _as_place(target)) % len(first)
    texts = [j for j, cell in enumerate(first) if cell.strip() and _number(cell) is None and j != exempt]
    if not texts:
        return [f"column {j}" for j in range(len(first))], text, 0
    names = [cell.strip() or f"column {j}" for j, cell in enumerate(first)]
    body = text[source.tell() :]
    if not body.strip():
        raise InputError(said("header_only", where=where))
    return names, body, line


def _rows(
    source: io.StringIO, where: str, separator: str, skipped: int = 0, allowance: Allowance | None = None
) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not blank, each with the number of its last line."""
    reader = csv.reader(source, delimiter=separator)
    try:
        for row in reader:
            if allowance is not None:
                allowance.check(where, skipped + reader.line_num)
            if row and (len(row) > 1 or row[0].strip()):
                yield skipped + reader.line_num, row
    except csv.Error as error:
        line = skipped + reader.line_num
        raise InputError(
            f"{where}, line {line}: {error}; look for a quotation mark that is not closed."
        ) from None


def _read_fast(body: str, separator: str, width: int, label_place: int | None):
    """Return numbers (n, d) and labels by pandas, or None when the rows have to be looked at singly."""
    import numpy as np
    import pandas as pd

    kinds = {j: str if j == label_place else np.float64 for j in range(width)}
    options = {"sep": separator, "header": None, "na_filter": False, "float_precision": "round_trip"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            frame = pd.read_csv(io.StringIO(body), dtype=kinds, **options)
    except Exception:  # whatever it is, the slow way finds the place
        return None
    if frame.shape[1] != width:
        return None
    labels = None
    if label_place is not None:
        labels = np.array([str(label).strip() for label in frame.pop(label_place)], dtype=str)
    numbers = frame.to_numpy(dtype=np.float64, copy=True)
    usable = np.isfinite(numbers).all() and (labels is None or (labels != "").all())
    return (np.ascontiguousarray(numbers), labels) if usable and len(numbers) else None


def _read_slowly(
    body: str, where: str, separator: str, names: list[str], place: int, text_labels: bool, skipped: int,
    allowance: Allowance | None = None,
):  # fmt: skip
    """Return numbers (n, d) and labels, or raise the error for the first cell at fault."""
    import numpy as np

    numbers, labels = [], []
    label_place = place if text_labels else None
    for line, row in _rows(io.StringIO(body), where, separator, skipped, allowance):
        if len(row) != len(names):
            cells = said("cell" if len(row) == 1 else "cells", count=len(row))
            raise InputError(said("ragged", where=where, line=line, cells=cells, width=len(names)))
        values = []
        for j, cell in enumerate(row):
            reason = cell_fault(cell, is_target=j == place, text_labels=text_labels)
            if reason is not None:
                column = repr(names[j])
                raise InputError(said("in_cell", where=where, line=line, column=column, reason=reason))
            if j == label_place:
                labels.append(cell.strip())
            else:
                values.append(float(cell))
        numbers.append(values)
    if not numbers:
        raise InputError(said("no_rows", where=where))
    return np.array(numbers, dtype=np.float64), None if label_place is None else np.array(labels, dtype=str)


def cell_fault(cell: str, is_target: bool = False, text_labels: bool = False) -> str | None:
    """Return what is wrong with one cell and how to correct it, or None."""
    shown = repr(cell.strip()[:SHOWN])
    if not cell.strip():
        return said("cell_empty")
    if is_target and text_labels:
        return None
    value = _number(cell)
    if value is None and is_target:
        return said("cell_label", shown=shown)
    if value is None:
        return said("cell_text", shown=shown)
    if not math.isfinite(value):
        return said("cell_infinite", shown=shown)
    return None


def _number(cell: str) -> float | None:
    """Return a number without Python's underscores, or None."""
    try:
        return None if "_" in cell else float(cell)
    except ValueError:
        return None


def _without(numbers: np.ndarray, place: int) -> np.ndarray:
    import numpy as np

    return np.ascontiguousarray(np.delete(numbers, place, axis=1))
