"""Delimited text as a DataFrame: pandas reads the cells, with one notation for the whole file.

A column is numbers where every cell is a number in the file's notation. Other columns are text, letter by
letter; `remarks` says which of them look like numbers, and what converts them.
"""

from __future__ import annotations

import codecs
import collections
import csv
import functools
import io
import itertools
import re
from typing import NamedTuple

from workbench._support.errors import InputError
from workbench.data.tables.sentences import sentence

# Where two fit equally well the earlier one wins: a comma stands within cells more often than the others.
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "spaces"}
# The first line of Excel that names the separator.
NAMED_SEPARATOR = re.compile(r"sep=(.)")
# Lines that the choice of a separator and a header looks at.
SAMPLE = 200
MISSING = (
    *("", "?", "NA", "N/A", "n/a", "#N/A", "nan", "NaN", "NAN", "-nan", "-NaN", "NULL", "null", "None"),
    "<NA>",
)
BYTE_ORDER_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# Encodings of Windows and Office where a file is not UTF-8; the first two hold nearly the same letters.
ENCODINGS = "cp1252 cp1250 cp1251 cp1253 cp932 euc_jp gb18030 big5 euc_kr".split()  # noqa: SIM905
# Bytes that the encoding is judged by; fewer bytes beyond ASCII do not tell another alphabet.
ENCODING_SAMPLE, TELLING = 2**16, 4
# Names beside numbers seem more chaotic to the library than sentences, for which its threshold is 0.2.
CHAOS = 0.6
# Bytes that are letters of central Europe rather than signs of western texts.
CENTRAL = re.compile(
    rb"[\x8a\x8d-\x8f\x9a\x9d-\x9f]|[\xa3\xa5\xaf\xb3\xb9\xbc\xbe][A-Za-z\xc0-\xff]|[a-z\xc0-\xff]\xbf"
    rb"|\xf8.*[\xe8\xec\xf9]|[\xe8\xec\xf9].*\xf8"  # Czech r and e with a caron
    rb"|\A(?!.*[\xe0\xe2\xe3\xe7\xe8\xea\xee\xf1\xf4]).*[\xf5\xfb]",  # Hungarian o and u with two accents
    re.DOTALL,
)
# The mark between thousands as it may stand in a cell.
GAPS = {" ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}
DECIMALS, THOUSANDS = (".", ","), (".", ",", " ", "'", "_")
WHOLE, CODE = re.compile(r"[+-]?\d+"), re.compile(r"[+-]?0\d+")
YEAR = re.compile(r"(?:18|19|20|21)\d\d")
# Digits that Python converts, and digits of a whole number that floating point holds.
LONGEST, EXACT_DIGITS = 300, 15
# For remarks: cells of a column that are looked at, columns named, letters of a cell shown, and the share of
# the cells that look like numbers.
CELLS, NAMED, SHOWN, MOSTLY = 1000, 8, 40, 0.5
DATES = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}([ T]\d{1,2}(:\d{2})+.*)?|\d{1,2}:\d{2}(:\d{2})?( ?[AaPp][Mm])?"
    r"|-?\d+ days?\b.*"
)
# A number with marks, and a currency, a unit or a sign around it; letters right before digits make a code.
NUMBER_LIKE = re.compile(
    r"[^\w\s]{0,2}(?:[^\W\d]{1,3}(?:[.$€£¥₹]|\s))?[^\w\s]{0,2}\s?\d[\d.,'\u2019_:/\s-]{0,30}\s?(?:[^\W\d][^\d]{0,11}|\W{0,3}|[+-][\d.]+[ij]\)?)"
)


class Spelling(NamedTuple):
    """The notation of a text, where its user gives it.

    Attributes
    ----------
    encoding : str or None
        A codec of Python, such as cp1250.
    decimal, thousands : str or None
        The decimal mark, and the mark between thousands, which is never guessed.
    skip : int
        Lines before the table.
    """

    encoding: str | None = None
    decimal: str | None = None
    thousands: str | None = None
    skip: int = 0

    def validate(self) -> Spelling:
        """Return it with the decimal mark that the mark between thousands leaves; refuse unknown values."""
        for name, choices in (("decimal", DECIMALS), ("thousands", THOUSANDS)):
            value = getattr(self, name)
            if value is not None and value not in choices:
                options = ", ".join(map(repr, choices))
                raise InputError(f"{name}={value!r} is not known; use one of {options}.")
        if isinstance(self.skip, bool) or not isinstance(self.skip, int) or self.skip < 0:
            raise InputError(f"skip={self.skip!r} is not a number of lines; write skip=3.")
        if self.thousands is not None and self.thousands == self.decimal:
            raise InputError(f"decimal and thousands are both {self.decimal!r}; give two different marks.")
        try:
            codecs.lookup(self.encoding or "utf-8")
        except (LookupError, TypeError):
            raise InputError(
                f"encoding={self.encoding!r} is not known; use one such as utf-8, cp1252 or shift_jis."
            ) from None
        if self.decimal is None and self.thousands in DECIMALS:
            return self._replace(decimal="," if self.thousands == "." else ".")
        return self


def decode(content: bytes, where: str, encoding=None) -> tuple[str, list[str]]:
    """Return the text with plain line ends, and notes on its encoding."""
    mark = next((name for start, name in BYTE_ORDER_MARKS.items() if content.startswith(start)), None)
    name, notes = encoding or mark or "utf-8", []
    try:
        text = content.decode(name)
    except UnicodeDecodeError:
        if encoding or mark:
            raise InputError(
                f"{where} is not in the encoding {name}; save it as UTF-8, or give the encoding."
            ) from None
        name = find_encoding(content)
        text = content.decode(name, "replace")
        other = ENCODINGS[name == ENCODINGS[0]]
        notes.append(f"read as {name}, since it is not UTF-8; encoding={other!r} would read other letters")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(sentence("table_zero_byte", where=where, line=line))
    if name in ("utf-16", "utf-32"):
        notes.append(f"read as {name.upper()}")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), notes


def find_encoding(content: bytes) -> str:
    """Return the encoding that charset-normalizer finds in the lines with letters beyond ASCII."""
    from charset_normalizer import from_bytes

    lines = dict.fromkeys(line for line in content.splitlines() if not line.isascii())
    sample = b"\n".join(lines)[:ENCODING_SAMPLE]
    west, central = ENCODINGS[:2]
    matches = from_bytes(sample, cp_isolation=ENCODINGS, threshold=CHAOS)
    name = next((match.encoding for match in matches), west)
    if name in (west, central):  # the same words in other letters, which the library does not tell apart
        return central if CENTRAL.search(sample) else west
    return name if sum(byte > 127 for byte in sample) >= TELLING else west


def read(text: str, where: str, limits, separator: str | None = None, spelling=Spelling()):  # noqa: B008
    """Return the table as a DataFrame, notes on its layout, and whether it has names.

    Lines, columns and cells are counted before anything is parsed. The separator is the one that the suffix
    names, if any. An `InputError` names the line or the column, and the fix.
    """
    import pandas as pd

    limits.check(where, rows=text.count("\n"))
    lines, notes, comment = text.split("\n"), [], None
    start = min(spelling.skip, len(lines))
    while start < len(lines) and (not lines[start].strip() or lines[start].startswith("#")):
        comment = lines[start] if lines[start].strip() else comment
        start += 1
    match = NAMED_SEPARATOR.fullmatch(lines[start]) if start < len(lines) else None
    if match and match[1] in SEPARATORS:
        separator, start = match[1], start + 1
    if start == len(lines):
        raise InputError(sentence("no_rows", where=where))
    limits.check(where, columns=max(map(lines[start].count, list(SEPARATORS)[:4])) + 1)
    sample = "\n".join(lines[start : start + SAMPLE])
    separator = separator or max(SEPARATORS, key=lambda mark: _share(sample, mark))
    if separator == " ":
        lines[start:] = map(str.strip, lines[start:])
    limits.check(where, numbers=sum(line.count(separator) + 1 for line in lines[start + 1 :]))
    cells = _parse("\n".join(lines[start:]), separator, where, start)
    head = list(itertools.islice(_rows(comment.lstrip("# "), separator), 1)) if comment else []
    first, body = cells[0].tolist(), cells[1 : SAMPLE + 1]
    if has_header(first, body):
        names, cells = first, cells[1:]
        if not len(cells):
            raise InputError(sentence("header_only", where=where))
    else:  # NumPy writes the names into a comment
        names = head[0] if head and len(head[0]) == len(first) else None
    columns = [[None if cell in MISSING_CELLS else cell for cell in column] for column in cells.T]
    columns, names, cut = _without_empty_ends(columns, names and [name.strip() for name in names])
    if not columns or not columns[0]:
        raise InputError(sentence("no_rows", where=where))
    if cut:
        notes.append(f"lines left out at the end since they have empty cells only: {cut}")
    has_names = names is not None
    names = check_names(names, where) if has_names else [f"column {j}" for j in range(len(columns))]
    is_plain = separator == "," and '"' not in text  # no cell has a comma
    spelling = spelling._replace(decimal=spelling.decimal or ("." if is_plain else None))
    arrays, decimal, pointed = convert(columns, spelling, separator)
    frame = pd.DataFrame(dict(enumerate(arrays))).set_axis(names, axis=1)
    heading = "names in the first row" if has_names else "no header, so columns are called by their place"
    mark = ", decimal commas" if decimal == "," else ""
    notes.insert(0, f"{SEPARATORS[separator]} between cells{mark}, {heading}")
    if pointed:
        more = f" and {len(pointed) - 1} more" if len(pointed) > 1 else ""
        texts = dict.fromkeys(f"{value:.3f}" for value in arrays[pointed[0]] if value == value)
        values = " and ".join(map(repr, list(texts)[:2]))
        notes.append(
            f"the point is decimal in column {names[pointed[0]]!r}{more}, such as {values}; thousands='.' "
            "reads it as a mark between thousands"
        )
    return frame, notes, has_names


# --- the lines of a table


def _rows(text, separator, strict=False):
    return csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=strict)


def _share(sample, separator):
    """Return the share of the rows that a separator cuts into the most frequent number of cells.

    Spaces also separate words, so they count only where all rows are cut alike, and most where all of the
    cells are numbers.
    """
    text = "\n".join(map(str.strip, sample.split("\n"))) if separator == " " else sample
    try:
        rows = [row for row in _rows(text, separator) if row]
    except csv.Error:
        return 0.0
    if separator == " ":
        body = rows[1:] or rows
        are_numbers = all(_is_number(cell) and cell[-1] != "," for row in body for cell in row)
        is_even = len(body[0]) > 1 and len(set(map(len, body))) == 1
        return is_even * (2.0 if are_numbers else 0.1)
    width, count = collections.Counter(map(len, rows)).most_common(1)[0]
    return count / len(rows) if width > 1 else 0.0


def _parse(body, separator, where, skipped):
    """Return all cells as texts, an array of objects (rows, columns)."""
    import pandas as pd

    _refuse_uneven(body, separator, where, skipped)
    try:
        frame = pd.read_csv(
            io.StringIO(body),
            sep=separator,
            header=None,
            index_col=False,
            dtype=object,
            keep_default_na=False,
            skipinitialspace=True,
            low_memory=False,
        )
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{where} cannot be read as a table ({str(error).splitlines()[0]}); look for a quotation mark "
            "that is not closed."
        ) from None
    return frame.to_numpy()


def _refuse_uneven(body, separator, where, skipped):
    """Refuse the first row that has not the common number of cells, and a quotation mark that is open.

    pandas fills a short row with empty cells.
    """
    reader = _rows(body, separator, strict=True)
    widths, lines, line = [], [], skipped + 1
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                widths.append(len(row))
                lines.append(line)
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        if "larger" in str(error):
            raise InputError(
                f"{where}, line {line}: a cell has more than {csv.field_size_limit():,} letters; close a "
                "quotation mark that is not closed, or shorten it."
            ) from None
        raise InputError(sentence("open_quote", where=where, line=line)) from None
    counts = collections.Counter(widths)
    width = counts.most_common(1)[0][0]
    if len(counts) > 1:
        line, count = next((line, n) for line, n in zip(lines, widths, strict=True) if n != width)
        cells = sentence("cell" if count == 1 else "cells", count=count)
        raise InputError(sentence("ragged", where=where, line=line, cells=cells, width=width))


def has_header(first, body) -> bool:
    """Return True if the first row names the columns.

    It does where a text, or a year of several that follow each other, stands above other numbers. It does
    not where it holds a number, or a text that stands below again. Without rows below, different texts are
    names.
    """
    first = [cell.strip() for cell in first]
    if not len(body):
        return len(set(first)) == len(first) > 1 and not any(_is_number(c) or c in MISSING for c in first)
    repeated, years = False, _years(first)
    for cell, column in zip(first, zip(*body, strict=True), strict=True):
        below = [text.strip() for text in column if text.strip() not in MISSING]
        if cell in years and all(map(YEAR.fullmatch, below)):
            continue
        if cell in years or (cell not in MISSING and not _is_number(cell)):
            if below and all(map(_is_number, below)):
                return True
            repeated = repeated or cell in below
    return not repeated and not any(map(_is_number, first))


def _years(cells):
    """Return the numbers among the cells where they are years that follow each other."""
    years = list(filter(_is_number, cells))
    steps = {int(b) - int(a) for a, b in itertools.pairwise(years)} if all(map(YEAR.fullmatch, years)) else {}
    return years if steps in ({1}, {-1}) else []


def _is_number(cell):
    """Return True if a cell is a number with either decimal mark."""
    return any(pattern.fullmatch(cell.strip()) for pattern in NUMBERS)


def _without_empty_ends(columns, names):
    """Return columns and names without what Excel adds: rows without a cell, columns without name or cell."""
    height = len(columns[0])
    full = max(
        (len(c) - next((k for k, x in enumerate(reversed(c)) if x is not None), len(c))) for c in columns
    )
    while names and len(columns) > 1 and not names[-1] and not any(x is not None for x in columns[-1]):
        columns, names = columns[:-1], names[:-1]
    return [column[:full] for column in columns], names, height - full


def check_names(names, where):
    """Return the names, those of empty cells by their place; refuse two columns of one name."""
    twice = [name for name, count in collections.Counter(filter(None, names)).items() if count > 1]
    if twice:
        places = ", ".join(str(j + 1) for j, name in enumerate(names) if name == twice[0])
        raise InputError(
            f"{where}: columns {places} are all named {twice[0]!r}; give each column a name of its own."
        )
    return [name or (f"column {j}" if j else "") for j, name in enumerate(names)]


# --- the cells of a table


@functools.cache
def number_pattern(decimal, thousands=None):
    """Return the pattern of a number in one notation."""
    mark = re.escape(decimal)
    gap = GAPS.get(thousands, re.escape(thousands)) if thousands else None
    whole = rf"(?:\d{{1,3}}(?:{gap}\d{{3}})+|\d+)" if thousands else r"\d+"
    return re.compile(
        rf"[+-]?(?:(?:{whole}(?:{mark}\d*)?|{mark}\d+)(?:e[+-]?\d+)?|inf(?:inity)?)", re.ASCII | re.IGNORECASE
    )


NUMBERS = (number_pattern("."), number_pattern(",", "."))
MISSING_CELLS = frozenset(MISSING)


def numbers(cells, decimal=".", thousands=None):
    """Return a column of texts, None where one is empty, as an array: of numbers where all of its cells are.

    Whole numbers that begin with a zero, or whose digits floating point does not hold, stay text.
    """
    import numpy as np

    texts = set(cells)
    is_full = None not in texts
    texts = set(map(str.strip, texts - {None}))
    if is_full and texts <= BOOLEANS.keys():
        return np.array([BOOLEANS[cell.strip()] for cell in cells])
    if not texts:
        return np.full(len(cells), np.nan)
    unchanged = np.array(cells, dtype=object)
    if not all(map(number_pattern(decimal, thousands).fullmatch, texts)) or any(map(CODE.fullmatch, texts)):
        return unchanged
    if thousands is not None or decimal != ".":
        gap = re.compile(GAPS.get(thousands, re.escape(thousands))) if thousands else None
        cells = [cell and (gap.sub("", cell) if gap else cell).replace(decimal, ".") for cell in cells]
        texts = set(map(str.strip, filter(None, cells)))
    whole = list(filter(WHOLE.fullmatch, texts))
    if any(len(text) > LONGEST for text in whole):
        return unchanged
    if is_full and len(whole) == len(texts) and all(-(2**63) <= int(text) < 2**63 for text in whole):
        return np.array(list(map(int, cells)), dtype=np.int64)
    if any(int(text) != float(text) for text in whole):
        return unchanged
    return np.array([float("nan" if cell is None else cell) for cell in cells])


BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def _decimal(columns, separator, thousands):
    """Return the decimal mark of a file, the places of doubtful columns, and of those that a note names.

    A mark is known from a column of numbers in which it alone can be decimal, as in 0,5 or 1.000,5. A column
    such as 1,002 and 2,000 may be in another notation than the others, and stays text. Points are decimal
    where only points are known, and a note names such a column. Beside separating commas points are decimal.
    """
    unclear, weights = {}, dict.fromkeys(DECIMALS, 0.0)
    for j, column in enumerate(columns):
        cells = {cell.strip() for cell in column if cell is not None}
        for mark, other in (DECIMALS, DECIMALS[::-1]):
            marked = [cell for cell in cells if mark in cell]
            gaps = {other, thousands} - {mark}
            if not marked or not any(all(map(number_pattern(mark, gap).fullmatch, cells)) for gap in gaps):
                continue
            own = number_pattern(mark, thousands if thousands in gaps else None)
            is_clear, is_plain = any(_is_clear(c, mark) for c in marked), all(map(own.fullmatch, cells))
            # A column with marks between thousands tells the mark, and does not outvote a column of numbers.
            weights[mark] += is_clear * (1.0 if is_plain else 1e-6)
            if is_plain and not is_clear:
                unclear[j] = mark
    if separator == "," and not any(weights.values()):
        weights["."] = 1.0
    decimal = "," if weights[","] > weights["."] else "."
    points = [j for j, mark in unclear.items() if mark == "." and weights["."] and not weights[","]]
    doubtful = set(unclear) - set(points)
    return decimal, doubtful, [] if separator == "," or thousands else points


def _is_clear(cell, mark):
    """Return True if the mark in a number cannot stand between thousands."""
    before, _, after = cell.lstrip("+-").rpartition(mark)
    return not (re.fullmatch(r"[1-9]\d{0,2}", before) and re.fullmatch(r"\d{3}", after))


def convert(columns, spelling, separator=";"):
    """Return columns of texts as arrays, of numbers where all cells are, and the decimal mark.

    The third value lists the places of columns that a note names.
    """
    import numpy as np

    decimal, doubtful, pointed = spelling.decimal, (), ()
    if decimal is None:
        decimal, doubtful, pointed = _decimal(columns, separator, spelling.thousands)
    arrays = [
        np.array(column, dtype=object) if j in doubtful else numbers(column, decimal, spelling.thousands)
        for j, column in enumerate(columns)
    ]
    return arrays, decimal, pointed


def text_columns(frame) -> list:
    """Return the names of the columns that are neither numbers nor booleans."""
    return [name for name, dtype in frame.dtypes.items() if dtype.kind not in "iufb"]


# --- remarks


def remarks(frame) -> list[str]:
    """Return a sentence for each column of text whose cells look like numbers: two cells, and the fix."""
    sentences = [text for name in text_columns(frame) if (text := _remark(frame[name]))]
    more = [f"and {len(sentences) - NAMED} more such columns"] if len(sentences) > NAMED else []
    return [*sentences[:NAMED], *more]


def _remark(series):
    cells = list(map(str.strip, series.dropna().unique()[:CELLS].astype(str)))
    like = [cell for cell in cells if NUMBER_LIKE.fullmatch(cell)]
    if not like or len(like) < MOSTLY * len(cells):
        return None
    others = [cell for cell in cells if not NUMBER_LIKE.fullmatch(cell)]
    start = f"column {series.name!r} is text"
    if others:
        return (
            f"{start}, since {others[0][:SHOWN]!r} stands among numbers such as {like[0][:SHOWN]!r}; write a "
            "number there, or leave the cell empty, to use it as numbers"
        )
    start += f", such as {' and '.join(repr(cell[:SHOWN]) for cell in like[:2])}"
    if all(map(DATES.fullmatch, cells)):
        return f"{start}, which are dates"
    if all(map(WHOLE.fullmatch, cells)):
        if any(map(CODE.fullmatch, cells)):
            return f"{start}, since numbers do not begin with a zero"
        if any(len(cell) > EXACT_DIGITS for cell in cells):
            return f"{start}, since floating point does not hold all of their digits"
    choices = " or ".join(itertools.islice(_notations(like), 2))
    return f"{start}; " + (
        f"{choices} reads it as numbers" if choices else "write plain numbers to use it as numbers"
    )


def _notations(cells):
    """Yield the arguments that read all cells as numbers, the plain notation first."""
    for thousands, decimal in itertools.product((None, *THOUSANDS), DECIMALS):
        mark = decimal if thousands is None else GAPS.get(thousands, re.escape(thousands))
        is_used = any(re.search(mark if thousands else re.escape(mark), cell) for cell in cells)
        if thousands == decimal or not (is_used or (thousands is None and all(map(str.isdigit, cells)))):
            continue
        if all(map(number_pattern(decimal, thousands).fullmatch, cells)):
            yield f"{f'thousands={thousands!r} ' if thousands else ''}decimal={decimal!r}"
