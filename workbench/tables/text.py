"""Delimited text as a DataFrame: encoding, separator, decimal mark and header are found out and said."""

from __future__ import annotations

import collections
import contextlib
import csv
import io
import itertools
import re
from typing import NamedTuple

from workbench.errors import InputError
from workbench.tables import numerals
from workbench.tables.sentences import sentence

# Where two fit equally well the earlier one wins: a comma stands within cells more often than the others.
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "spaces"}
# How well spaces count as fitting where they fit exactly: any other mark that fits goes before.
SPACES = 0.1
# Beyond it floating point does not hold every whole number.
EXACT = 2.0**53
# Excel's first line that tells the separator.
TOLD = re.compile(r"sep=(.)\n")
# Lines that the choice of a separator, a decimal mark and a header looks at.
SAMPLE = 200
MISSING = (
    "",
    "?",
    "NA",
    "N/A",
    "n/a",
    "#N/A",
    "nan",
    "NaN",
    "NAN",
    "-nan",
    "-NaN",
    "NULL",
    "null",
    "None",
    "<NA>",
)
COMMA_NUMBER = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d*),\d+([eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(\.\d{3})+,\d+")


class Layout(NamedTuple):
    """How a text is to be read."""

    separator: str
    decimal: str
    thousands: str | None
    names: list[str] | None  # None where the first row is data
    skipped: int  # lines before the rows

    def sentence(self) -> str:
        """What was found, for the reader."""
        head = "names in the first row" if self.names else "no header, so columns are called by their place"
        mark = ", decimal commas" if self.decimal == "," else ""
        return f"{SEPARATORS[self.separator]} between cells{mark}, {head}"


def decode(content: bytes, where: str) -> tuple[str, list[str]]:
    """The text with plain line ends, and what is to be said of its encoding."""
    notes = []
    name = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = content.decode(name)
    except UnicodeDecodeError:
        if name == "utf-16":
            raise InputError(f"{where} begins as UTF-16 and is not; save it as UTF-8.") from None
        if b"\0" in content:
            line = content.count(b"\n", 0, content.index(b"\0")) + 1
            raise InputError(sentence("table_zero_byte", where=where, line=line)) from None
        text = content.decode("cp1252", "replace")
        notes.append("read as Windows-1252, since it is not UTF-8")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(sentence("table_zero_byte", where=where, line=line))
    if name == "utf-16":
        notes.append("read as UTF-16")
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def read(text: str, where: str, limits, separator: str | None = None):
    """The table as a DataFrame whose columns hold numbers, booleans or texts, and its `Layout`.

    Parameters
    ----------
    text : str
    where : str
        The file's name, for errors.
    limits : Limits
        Lines, columns and cells are counted before anything is parsed.
    separator : str, optional
        Where the suffix tells it.

    Raises
    ------
    InputError
        Names the line or the column, and the fix.
    """
    import pandas as pd

    limits.check(where, rows=text.count("\n"))
    layout = find_layout(text, where, limits, separator)
    body = text.split("\n", layout.skipped)[-1] if layout.skipped else text
    if not body.strip():
        raise InputError(sentence("header_only", where=where))
    width = len(layout.names) if layout.names else len(next(_rows(body, layout.separator, where))[1])
    # Where a cell is quoted this counts too many, and errs on the safe side.
    limits.check(where, columns=width, numbers=body.count(layout.separator) + body.count("\n"))
    _check_width(body, layout, width, where)
    names = [f"column {j}" for j in range(width)] if layout.names is None else _checked(layout.names, where)
    if layout.separator == " ":
        body = "\n".join(line.strip() for line in body.split("\n"))
    options = {
        "sep": r"\s+" if layout.separator == " " else layout.separator,
        "header": None,
        "index_col": False,
        "keep_default_na": False,
        "na_values": list(MISSING),
        "skipinitialspace": True,
    }
    try:
        frame = pd.read_csv(
            io.StringIO(body),
            decimal=layout.decimal,
            thousands=layout.thousands,
            low_memory=False,
            **options,
            **_exactly(pd),
        )
        # Of whole numbers beside empty cells, and of those of many digits, the last ones would be lost.
        large = [j for j in frame.columns if _is_rounded(frame[j])]
        if large and frame.shape[1] == width:
            texts = pd.read_csv(io.StringIO(body), usecols=large, dtype=object, **options)
            frame = frame.astype(dict.fromkeys(large, object))
            frame[large] = texts
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{where} cannot be read as a table ({str(error).splitlines()[0]}); look for a quotation mark "
            "that is not closed."
        ) from None
    if frame.shape[1] != width or not len(frame):
        raise InputError(
            f"{where}: the rows do not have the {width} columns of the first line; look for a "
            "quotation mark that is not closed."
        )
    frame.columns = names
    return frame, layout


def _is_rounded(column):
    """Whether floating point may not hold a column's whole numbers."""
    import numpy as np

    return column.dtype == np.float64 and bool((column.abs() >= EXACT).any())


def _exactly(pd):
    """What makes older pandas read each number as Python does; newer ones do it by themselves, and say so."""
    return {"float_precision": "round_trip"} if int(pd.__version__.split(".")[0]) < 3 else {}


def find_layout(text: str, where: str, limits, separator: str | None = None) -> Layout:
    """Look at the first lines."""
    before = len(text) - len(text.lstrip("\n"))
    match = TOLD.match(text, before)
    if match and match[1] in SEPARATORS:
        separator, before = match[1], before + 1
    lines = [
        line for line in text[: 2**18].split("\n", before + SAMPLE)[before : before + SAMPLE] if line.strip()
    ]
    if not lines:
        raise InputError(sentence("no_rows", where=where))
    start = "\n".join(lines)
    first = text.find(lines[0])
    end = text.find("\n", first) % (len(text) + 1)
    limits.check(where, columns=max(text.count(mark, first, end) + 1 for mark in list(SEPARATORS)[:4]))
    if separator is None:
        separator = max(
            SEPARATORS, key=lambda mark: (_fit(start, mark, where), -list(SEPARATORS).index(mark))
        )
    rows = [row for _, row in itertools.islice(_rows(start, separator, where), SAMPLE)]
    if not rows:
        raise InputError(sentence("no_rows", where=where))
    decimal, thousands = _decimal(rows, separator)
    names = None
    if _has_header(rows, decimal):
        # A line break within a quoted name takes a line of its own.
        names = [cell.strip() for cell in rows[0]]
    elif (
        len(rows) == 1
        and len(set(rows[0])) == len(rows[0]) > 1
        and not any(cell.strip() in MISSING or _is_number(cell, decimal) for cell in rows[0])
    ):
        raise InputError(sentence("header_only", where=where))
    skipped = before + 1 + sum(cell.count("\n") for cell in rows[0]) if names else before
    return Layout(separator, decimal, thousands, names, skipped)


def _fit(text, separator, where):
    """How well a separator explains the first lines: the share that has the width of the most, 0 for one."""
    widths = collections.Counter()
    with contextlib.suppress(InputError):
        widths.update(len(row) for _, row in _rows(text, separator, where))
    width, count = widths.most_common(1)[0] if widths else (1, 0)
    share = count / max(widths.total(), 1)
    if width < 2 or (separator == " " and share < 1.0):
        return 0.0
    # Words are separated by spaces as well.
    return SPACES if separator == " " else share


def _rows(text, separator, where, skipped=0):
    """The rows that are not blank: the number of the line that each begins in, and its cells."""
    if separator == " ":
        yield from ((k, line.split()) for k, line in enumerate(text.split("\n"), 1) if line.strip())
        return
    reader, line = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True), 1
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        long = f"a cell of more than {csv.field_size_limit():,} letters"
        reason = long if "field limit" in str(error) else error
        raise InputError(
            f"{where}, line {skipped + reader.line_num}: {reason}; look for a quotation mark "
            "that is not closed."
        ) from None


def _decimal(rows, separator):
    """The decimal mark, and the mark between thousands where there is one."""
    if separator == ",":
        return ".", None
    cells = [cell.strip() for row in rows for cell in row]
    commas = [cell for cell in cells if COMMA_NUMBER.fullmatch(cell)]
    points = [cell for cell in cells if "." in cell and _is_number(cell)]
    thousands = any(THOUSANDS.fullmatch(cell) for cell in commas)
    if not commas or (len(points) > len(commas) and not thousands):
        return ".", None
    return ",", "." if thousands else None


def _is_number(cell, decimal="."):
    comma = decimal == "," and COMMA_NUMBER.fullmatch(cell.strip())
    return numerals.plain(cell) is not None or bool(comma)


def _has_header(rows, decimal):
    """Whether the first row names the columns.

    It does where a text stands above numbers; it does not where it holds a number itself, or a text that
    stands below again.
    """
    first, body = rows[0], [row for row in rows[1:] if len(row) == len(rows[0])]
    numbers = repeated = False
    for j, cell in enumerate(first):
        if _is_number(cell, decimal):
            numbers = True
        elif cell.strip() not in MISSING:
            below = [row[j] for row in body if row[j].strip() not in MISSING]
            if below and all(_is_number(each, decimal) for each in below):
                return True
            repeated = repeated or cell.strip() in {each.strip() for each in below}
    return bool(body) and not numbers and not repeated


def _check_width(body, layout, width, where):
    """Refuse the first row that has more or fewer cells than the first."""
    mark = layout.separator
    if mark != " " and '"' not in body:
        counts = ((k, line.count(mark) + 1) for k, line in enumerate(body.split("\n"), 1) if line.strip())
    else:
        counts = ((line, len(row)) for line, row in _rows(body, mark, where, layout.skipped))
    for line, count in counts:
        if count != width:
            _check_quotes(body, layout, where)
            cells = sentence("cell" if count == 1 else "cells", count=count)
            line += layout.skipped
            raise InputError(sentence("ragged", where=where, line=line, cells=cells, width=width))
    _check_quotes(body, layout, where, within=False)


def _check_quotes(body, layout, where, within=True):
    """Refuse the first quotation mark that is not closed, or with `within` one that closes too early.

    A cell that begins with a mark ends with the next single one; what follows that up to the separator is
    read as it stands, which is a sign of an earlier mark that was left open where rows are uneven besides.
    """
    if '"' not in body or layout.separator == " ":
        return
    reader = csv.reader(io.StringIO(body), delimiter=layout.separator, skipinitialspace=True, strict=True)
    line = 1
    try:
        for _ in reader:
            line = reader.line_num + 1
    except csv.Error as error:
        if within or "unexpected end" in str(error):
            raise InputError(sentence("open_quote", where=where, line=layout.skipped + line)) from None


def _checked(names, where):
    """The names, those of empty cells by their place; two columns of one name are refused."""
    twice = [name for name, count in collections.Counter(filter(None, names)).items() if count > 1]
    if twice:
        places = ", ".join(str(j + 1) for j, name in enumerate(names) if name == twice[0])
        raise InputError(
            f"{where}: columns {places} are all named {twice[0]!r}; give each column a name of its own."
        )
    return [name or (f"column {j}" if j else "") for j, name in enumerate(names)]
