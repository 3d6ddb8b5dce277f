"""Delimited text as a DataFrame: pandas reads it, with one encoding, separator and decimal mark for the file.

A column is one of numbers where all of its cells are numbers in the file's notation; otherwise it is text,
and no mark is taken out of it. `workbench.data.tables.remarks` says which columns of text look like numbers.
"""

from __future__ import annotations

import codecs
import collections
import csv
import io
import itertools
import re
from typing import NamedTuple

from workbench._support.errors import InputError
from workbench.data.tables.sentences import sentence

# Where two fit equally well the earlier one wins: a comma stands within cells more often than the others.
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", " ": "spaces"}
WORD = re.compile(r'"[^"]*"|\S+')
# Excel's first line that names the separator.
NAMED_SEPARATOR = re.compile(r"sep=(.)\n")
# Lines that the choice of a separator and a header looks at: so many letters, but at least a few lines.
SAMPLE, LETTERS, FEW = 200, 2**18, 5
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
# What Windows and Office write where a file is not UTF-8; the first two hold nearly the same letters.
ENCODINGS = "cp1252 cp1250 cp1251 cp1253 cp932 euc_jp gb18030 big5 euc_kr".split()  # noqa: SIM905
# Bytes of a file that its encoding is judged by; coherences closer than this do not tell two apart.
ENCODING_SAMPLE, SAME = 2**16, 0.05
# Fewer bytes beyond ASCII do not tell another alphabet.
TELLING = 4
# Bytes that are letters of central Europe rather than signs of western texts: with a caron, between letters.
CENTRAL = re.compile(
    rb"[\x8a\x8d-\x8f\x9a\x9d-\x9f]|[\xa3\xa5\xaf\xb3\xb9\xbc\xbe][A-Za-z\xc0-\xff]|[a-z\xc0-\xff]\xbf"
    rb"|\xf8.*[\xe8\xec\xf9]|[\xe8\xec\xf9].*\xf8"  # Czech r and e with a caron
    rb"|\A(?!.*[\xe0\xe2\xe3\xe7\xe8\xea\xee\xf1\xf4]).*[\xf5\xfb]",  # Hungarian o and u with two accents
    re.DOTALL,
)
# The mark between thousands as it may stand in a cell.
GAPS = {" ": "[ \u00a0\u2009\u202f]", "'": "['\u2019]"}
DECIMALS, THOUSANDS = (".", ","), (".", ",", " ", "'", "_")
# A quoted cell that may have a decimal comma; whole numbers that are codes.
QUOTED_COMMA, CODE = re.compile(r',\d+\s*"'), re.compile(r"[+-]?0\d+")
# Whole numbers, and how many digits floating point holds at most.
WHOLE, LONGEST = re.compile(r"[+-]?\d+"), 300
# Columns of a wide table.
WIDE = 1000
# Beyond it floating point does not hold every whole number.
EXACT = 2.0**53


class Spelling(NamedTuple):
    """How the text of a file is to be read, where its user says so.

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

    def checked(self) -> Spelling:
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
        if self.encoding is not None:
            try:
                codecs.lookup(self.encoding)
            except (LookupError, TypeError):
                raise InputError(
                    f"encoding={self.encoding!r} is not known; use one such as utf-8, cp1252 or shift_jis."
                ) from None
        if self.decimal is None and self.thousands in DECIMALS:
            return self._replace(decimal="," if self.thousands == "." else ".")
        return self


class Layout(NamedTuple):
    """How the lines of a text form a table.

    Attributes
    ----------
    separator : str
    names : list of str or None
        None where the first row is data.
    skipped : int
        Lines before the rows.
    notes : list of str
    """

    separator: str
    names: list[str] | None
    skipped: int
    notes: list[str]


def decode(content: bytes, where: str, encoding=None) -> tuple[str, list[str]]:
    """Return the text with plain line ends, and notes on its encoding."""
    mark = next((mark for mark in BYTE_ORDER_MARKS if content.startswith(mark)), None)
    name, notes = encoding or BYTE_ORDER_MARKS.get(mark, "utf-8"), []
    try:
        text = content.decode(name)
    except UnicodeDecodeError:
        if encoding or mark:
            what = f"is not in the encoding {name}" if encoding else f"begins as {name.upper()} and is not"
            raise InputError(f"{where} {what}; save it as UTF-8, or give the encoding.") from None
        if b"\0" in content:
            line = content.count(b"\n", 0, content.index(b"\0")) + 1
            raise InputError(sentence("table_zero_byte", where=where, line=line)) from None
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
    """Return the encoding that explains the lines with letters beyond ASCII best."""
    from charset_normalizer import from_bytes

    lines = dict.fromkeys(line for line in content.splitlines() if not line.isascii())
    sample = b"\n".join(lines)[:ENCODING_SAMPLE]
    matches = {match.encoding: match for match in from_bytes(sample, cp_isolation=ENCODINGS)}
    if not matches:
        return ENCODINGS[0]
    name, (west, central) = next(iter(matches)), ENCODINGS[:2]
    if name not in (west, central) and sum(byte > 127 for byte in sample) >= TELLING:
        return name
    if sample.decode(west, "replace") == sample.decode(central, "replace"):
        return west
    if west in matches and central in matches:
        difference = matches[central].coherence - matches[west].coherence
        if abs(difference) < SAME:
            return central if CENTRAL.search(sample) else west
    return name if name in (west, central) else west


def read(text: str, where: str, limits, separator: str | None = None, spelling=Spelling()):  # noqa: B008
    """Return the table as a DataFrame of numbers, booleans and texts, and notes on its layout.

    Parameters
    ----------
    text : str
    where : str
        The file's name, for errors.
    limits : Limits
        Lines, columns and cells are counted before anything is parsed.
    separator : str, optional
        Where the suffix tells it.
    spelling : Spelling

    Returns
    -------
    frame : DataFrame
    notes : list of str
    has_names : bool
        True if the file names its columns.

    Raises
    ------
    InputError
        Names the line or the column, and the fix.
    """
    limits.check(where, rows=text.count("\n"))
    layout = find_layout(text, where, limits, separator, spelling.skip)
    lines, empty = text.split("\n")[layout.skipped :], 0
    while len(lines) > 1 and not lines[-1].strip(f"{layout.separator} "):  # Excel adds lines without a cell
        empty += layout.separator in lines.pop()
    body = "\n".join(lines)
    if not body.strip():
        raise InputError(sentence("header_only", where=where))
    width = len(layout.names) if layout.names else len(next(_rows(body, layout.separator, where))[1])
    # Where a cell is quoted this counts too many, and errs on the safe side.
    limits.check(where, columns=width, numbers=body.count(layout.separator) + body.count("\n"))
    comments = _check_rows(body, layout, width, where)
    notes = list(layout.notes)
    if empty and layout.separator != " ":
        notes.append(f"lines left out at the end since they have empty cells only: {empty}")
    if comments:
        notes.append(f"lines left out since they begin with #: {len(comments)}")
    for line in comments:
        lines[line] = ""
    body = "\n".join(map(str.strip, lines) if layout.separator == " " else lines)
    frame, decimal, pointed = _numbers(body, layout.separator, width, where, spelling)
    names = [f"column {j}" for j in range(width)] if layout.names is None else layout.names
    while layout.names and width > 2 and names[width - 1] == f"column {width - 1}":
        if not frame[width - 1].isna().all():
            break
        width -= 1  # a separator ends each line
    frame, names = frame.iloc[:, :width], names[:width]
    frame.columns = names
    head = "names in the first row" if layout.names else "no header, so columns are called by their place"
    mark = ", decimal commas" if decimal == "," else ""
    notes.insert(0, f"{SEPARATORS[layout.separator]} between cells{mark}, {head}")
    if pointed:
        j, *others = pointed
        more = f" and {len(others)} more" if others else ""
        cells = " and ".join(repr(f"{value:.3f}") for value in frame[names[j]].dropna().unique()[:2])
        fix = "thousands='.' reads it as a mark between thousands"
        notes.append(f"the point is decimal in column {names[j]!r}{more}, such as {cells}; {fix}")
    return frame, notes, layout.names is not None


# --- the lines of a table


def find_layout(text: str, where: str, limits, separator: str | None = None, skip: int = 0) -> Layout:
    """Find the separator, the lines before the table and the header in the first lines."""
    notes, start = [], 0
    lines = _first_lines(text, skip)
    while start < len(lines) and (start < skip or not lines[start].strip()):
        start += 1
    match = NAMED_SEPARATOR.match(f"{lines[start]}\n") if start < len(lines) else None
    if match and match[1] in SEPARATORS:
        separator, start = match[1], start + 1
    sample = "\n".join(lines[start : start + SAMPLE])
    if not sample.strip():
        raise InputError(sentence("no_rows", where=where))
    limits.check(where, columns=max(map(lines[start].count, list(SEPARATORS)[:4])) + 1)
    if separator is None:
        separator = max(SEPARATORS, key=lambda mark: _fit(sample, mark, where))
    rows = list(itertools.islice(_rows(sample, separator, where), SAMPLE))
    width = _common_width(row for _, row in rows)
    place = _table_begins(rows, width)
    if place:
        notes.append(f"lines left out before the table: {rows[place][0] - 1}")
    names, (line, head) = None, rows[place]
    data = [row for _, row in rows[place + 1 :]]
    if _is_short_head(head, data):
        names = [*map(str.strip, head), ""] if _ends_empty(data) else ["", *map(str.strip, head)]
    elif _has_header(head, data):
        names = [cell.strip() for cell in head]
    elif (
        not data and len(set(head)) == len(head) > 1 and not any(_is_number(c) or c in MISSING for c in head)
    ):
        raise InputError(sentence("header_only", where=where))
    # A line break within a quoted name takes a line of its own.
    skipped = start + line - 1 + (1 + sum(cell.count("\n") for cell in head) if names else 0)
    if names:
        names[0] = names[0].removeprefix("#").strip() if head[0].startswith("#") else names[0]
        names = checked(names, where)
    return Layout(separator, names, skipped, notes)


def _first_lines(text, skip):
    """Return the first lines, whole ones: fewer where they are long, but some."""
    lines = text.split("\n", skip + 2 * SAMPLE)[: skip + 2 * SAMPLE]
    ends = itertools.accumulate(map(len, lines[skip:]))
    count = sum(end < LETTERS for end in ends)
    return lines[: skip + max(count, FEW)]


def _common_width(rows):
    """Return the most frequent number of cells of a row."""
    widths = collections.Counter(map(len, rows))
    return widths.most_common(1)[0][0] if widths else 1


def _fit(text, separator, where):
    """Return how well a separator explains the first lines: the share of rows of the common width."""
    try:
        rows = [row for _, row in _rows(text, separator, where)]
    except InputError:
        return 0.0
    width = _common_width(rows)
    rows = rows[_table_begins([(0, row) for row in rows], width) :]
    share = sum(len(row) == width for row in rows) / max(len(rows), 1)
    if width < 2 or (separator == " " and share < 1.0 and not all(len(row) == width for row in rows[1:])):
        return 0.0
    # Words are separated by spaces as well.
    return share / 10 if separator == " " else share


def _table_begins(rows, width):
    """Return the place of the first row of a table: titles and comments may stand before it."""
    full = next((k for k, (_, row) in enumerate(rows) if len(row) == width), 0)
    # Excel fills the line of a title up with empty cells.
    while width > 2 and full + 2 < len(rows) and sum(map(bool, map(str.strip, rows[full][1]))) < 2:
        full += 1
    following = [row for _, row in rows[full + 1 :]]
    if rows[full][1][0].startswith("#") and following and _names_numbers(following[0], following[1:]):
        return full + 1  # a comment with the separator in it
    if full and _is_short_head(rows[full - 1][1], [row for _, row in rows[full:] if len(row) == width]):
        return full - 1
    titles = all(
        len(row) in (*range(max((width + 1) // 2, 2)), width) or row[0].startswith("#")
        for _, row in rows[:full]
    )
    return full if titles else 0


def _is_short_head(head, body):
    """Return True if a row of names is one short: R names no names of rows, others no empty end."""
    if not body or not len(head) == len(body[0]) - 1 > 1:
        return False
    first = [row[0].strip() for row in body]
    counts = [[str(k + start) for k in range(len(first))] for start in (0, 1)]
    are_names = not any(map(_is_number, first)) or first in counts
    return _ends_empty(body) or (are_names and _names_numbers(["", *head], body))


def _ends_empty(rows):
    return not any(row[-1].strip() for row in rows)


def _names_numbers(first, body):
    """Return True if a row of names stands above numbers."""
    return any(_is_number(cell) for row in body for cell in row) and _has_header(first, body)


def _rows(text, separator, where, skipped=0, strict=False):
    """Yield the rows that are not blank: the number of the line that each begins in, and its cells."""
    if separator == " ":
        lines = ((k, WORD.findall(line)) for k, line in enumerate(text.split("\n"), 1))
        yield from ((k, [word.strip('"') for word in row]) for k, row in lines if row)
        return
    reader = csv.reader(io.StringIO(text), delimiter=separator, skipinitialspace=True, strict=strict)
    line = 1
    try:
        for row in reader:
            if row and (len(row) > 1 or row[0].strip()):
                yield line, row
            line = reader.line_num + 1
    except csv.Error:
        raise InputError(sentence("open_quote", where=where, line=skipped + line)) from None


def _is_number(cell):
    """Return True if a cell is a number with either decimal mark."""
    return any(pattern.fullmatch(cell.strip()) for pattern in NUMBERS)


def _has_header(first, body):
    """Return True if the first row names the columns.

    It does where a text stands above numbers; it does not where it holds a number itself, or a text that
    stands below again.
    """
    body = [row for row in body if len(row) == len(first)]
    numbers = repeated = False
    for j, cell in enumerate(first):
        if _is_number(cell):
            numbers = True
        elif cell.strip() not in MISSING:
            below = [row[j] for row in body if row[j].strip() not in MISSING]
            if below and all(map(_is_number, below)):
                return True
            repeated = repeated or cell.strip() in {value.strip() for value in below}
    return bool(body) and not numbers and not repeated


def _check_rows(body, layout, width, where):
    """Return the lines that are comments, from 0; refuse a row of another width or an open quote."""
    mark, comments = layout.separator, []
    if mark != " " and '"' not in body:
        rows = ((k, line.count(mark) + 1, line) for k, line in enumerate(body.split("\n"), 1) if line.strip())
    else:
        rows = ((line, len(row), row[0]) for line, row in _rows(body, mark, where, layout.skipped, True))
    for line, count, start in rows:
        if count != width and not start.lstrip().startswith("#"):
            cells, line = sentence("cell" if count == 1 else "cells", count=count), line + layout.skipped
            raise InputError(sentence("ragged", where=where, line=line, cells=cells, width=width))
        if count != width:
            comments.append(line - 1)
    return comments


def checked(names, where):
    """Return the names, those of empty cells by their place; refuse two columns of one name."""
    twice = [name for name, count in collections.Counter(filter(None, names)).items() if count > 1]
    if twice:
        places = ", ".join(str(j + 1) for j, name in enumerate(names) if name == twice[0])
        raise InputError(
            f"{where}: columns {places} are all named {twice[0]!r}; give each column a name of its own."
        )
    return [name or (f"column {j}" if j else "") for j, name in enumerate(names)]


# --- the cells of a table


def _numbers(body, separator, width, where, spelling):
    """Return the DataFrame, a column of which is numbers where all of its cells are, and the decimal mark.

    The third value lists columns of numbers whose points may all stand between thousands.
    """
    texts, decimal, doubtful, pointed = None, spelling.decimal or ".", [], []
    if spelling.decimal is None and (separator != "," or QUOTED_COMMA.search(body)):
        texts = _parsed(body, separator, width, where, dtype=str)
        decimal, doubtful, pointed = _decimal(texts, separator, spelling.thousands)
    frame = _parsed(body, separator, width, where, decimal=decimal)
    mixed = [j for j in text_columns(frame) if any(isinstance(value, int) for value in frame[j])]
    numbers = frame.select_dtypes("number")
    mixed += list(numbers.columns[(numbers.abs() >= EXACT).any().to_numpy()])
    edge = r"(?:^|$|\s)" if separator == " " else rf'(?:^|$|"|{re.escape(separator)})'
    if texts is None and (mixed or re.search(rf"{edge}\s*[+-]?0\d+\s*{edge}", body, re.MULTILINE)):
        texts = _parsed(body, separator, width, where, dtype=str)
    if texts is not None:
        codes = [j for j in numbers if _any(CODE, texts[j])]
        as_texts = {*doubtful, *codes, *(j for j in mixed if not _is_exact(frame[j], texts[j]))}
        frame = frame.copy(deep=False)
        for j in as_texts:
            frame[j] = texts[j]
    if spelling.thousands is not None:
        frame = converted(frame, decimal, spelling.thousands)
    return frame, decimal, pointed


def _parsed(body, separator, width, where, **options):
    import pandas as pd

    if "dtype" not in options and int(pd.__version__.split(".")[0]) < 3:
        # Newer pandas reads each number as Python does, and warns of the argument.
        options["float_precision"] = "round_trip"
    try:
        frame = pd.read_csv(
            io.StringIO(body),
            sep=r"\s+" if separator == " " else separator,
            header=None,
            index_col=False,
            keep_default_na=False,
            na_values=list(MISSING),
            skipinitialspace=True,
            low_memory=False,
            **options,
        )
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
    # A copy holds the columns of one kind together, which otherwise take some 10 microseconds each a step.
    return frame.copy() if width > WIDE else frame


def _any(pattern, texts):
    return any(pattern.fullmatch(text.strip()) for text in texts.dropna().unique())


def _is_exact(column, texts):
    """Return True if a column of numbers holds each whole number as it is written."""
    if column.dtype.kind == "i":
        return True
    whole = [text.strip() for text in texts.dropna().unique() if WHOLE.fullmatch(text.strip())]
    return column.dtype.kind == "f" and all(
        len(text) < LONGEST and int(text) == float(text) for text in whole
    )


def number_pattern(decimal, thousands=None):
    """Return the pattern of a number in one notation."""
    mark = re.escape(decimal)
    gap = GAPS.get(thousands, re.escape(thousands)) if thousands else None
    whole = rf"(?:\d{{1,3}}(?:{gap}\d{{3}})+|\d+)" if thousands else r"\d+"
    return re.compile(rf"[+-]?(?:{whole}(?:{mark}\d*)?|{mark}\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def _decimal(texts, separator, thousands):
    """Return the decimal mark of a file, and columns in which each mark may stand between thousands.

    A mark is known from a column of numbers in which only it can be the decimal mark, as in 0,5 or 1.000,5.
    A column such as 1,002 and 2,000 may be in another notation than the others: the second value lists those
    that stay text. Points are decimal where only points are known; the third value lists such columns, which
    a note names. In a table that commas separate points are decimal.
    """
    columns, weights = {}, dict.fromkeys(DECIMALS, 0.0)
    for j in texts:
        cells = [cell.strip() for cell in texts[j].dropna().unique()]
        for mark, other in (DECIMALS, DECIMALS[::-1]):
            marked = [cell for cell in cells if mark in cell]
            gaps = {other, thousands} - {mark}
            if not marked or not any(all(map(number_pattern(mark, gap).fullmatch, cells)) for gap in gaps):
                continue
            is_clear = any(_is_clear(cell, mark) for cell in marked)
            is_plain = all(
                map(number_pattern(mark, thousands if thousands in gaps else None).fullmatch, cells)
            )
            # A column with marks between thousands tells the mark, but is no column of numbers by itself.
            weights[mark] += is_clear * (1.0 if is_plain else 1e-6)
            if is_plain and not is_clear:
                columns[j] = mark
    if separator == "," and not any(weights.values()):
        weights["."] = 1.0
    decimal = "," if weights[","] > weights["."] else "."
    points = [j for j, mark in columns.items() if mark == "." and weights["."] and not weights[","]]
    doubtful = [j for j in columns if j not in points]
    return decimal, doubtful, [] if separator == "," or thousands else points


def _is_clear(cell, mark):
    """Return True if a number's mark cannot stand between thousands."""
    before, _, after = cell.lstrip("+-").rpartition(mark)
    return not (re.fullmatch(r"[1-9]\d{0,2}", before) and re.fullmatch(r"\d{3}", after))


def text_columns(frame) -> list:
    """Return the names of the columns that are neither numbers nor booleans."""
    return [name for name, dtype in frame.dtypes.items() if dtype.kind not in "iufb"]


def converted(frame, decimal, thousands=None):
    """Return the DataFrame with each column of texts that is one of numbers in this notation as numbers."""
    import pandas as pd

    gap, pattern = GAPS.get(thousands, re.escape(thousands or "")), number_pattern(decimal, thousands)
    columns = {}
    for j in text_columns(frame):
        cells = frame[j].dropna().astype(str).str.strip()
        distinct = cells.unique()
        if len(distinct) and all(map(pattern.fullmatch, distinct)) and not any(map(CODE.fullmatch, distinct)):
            plain = cells.str.replace(gap, "", regex=True).str.replace(decimal, ".", regex=False)
            columns[j] = pd.to_numeric(plain).reindex(frame.index)
    frame = frame.copy(deep=False)
    for j, column in columns.items():
        frame[j] = column
    return frame


NUMBERS = (number_pattern("."), number_pattern(",", "."), re.compile(r"[+-]?inf(inity)?", re.IGNORECASE))
