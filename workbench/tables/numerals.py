"""Numbers as people write them: with marks between thousands, per cent, a currency or a unit, in hexadecimal.

A column is judged as a whole. Its texts are numbers in one notation, which is said; or numbers with something
else among them, which is asked about; or words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# How much of a cell is shown.
SHOWN = 40
# Of a number with marks and a unit.
LONGEST = 60
# Texts are asked about where at least this share of the different ones are numbers.
MOSTLY = 0.5
# So many texts tell whether the others are worth a look.
SAMPLE = 1000
CURRENCY = "$€£¥₹₩₽₺¢"
CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK|BRL|MXN|KRW|RUB|TRY|ZAR"
# No two parts may share digits, or long cells would take their square in time.
PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
WHOLE = re.compile(r"[+-]?\d+")
BASED = re.compile(r"([+-]?)0(x[0-9a-f]+|b[01]+|o[0-7]+)", re.IGNORECASE)
DRESSED = re.compile(
    rf"(?P<open>\()?(?P<sign>[+\-−])?((?P<before>[{CURRENCY}]|US\$|{CODES})\s*)?(?P<inner>[+\-−])?"
    r"(?P<digits>\d[\d.,_'’\s]*|\.\d+)(?P<power>[eE][+-]?\d+)?"
    rf"\s*(?P<after>%|‰|[{CURRENCY}]|[^\W\d_]{{1,5}}[²³]?(/[^\W\d_]{{1,5}}[²³]?)?|°[CFK]?)?(?P<close>\))?"
)
SYMBOL = re.compile(rf"[%‰{CURRENCY}]|US\$|{CODES}|")
COMPLEX = re.compile(r"\(?[+-]?(\d+\.?\d*|\.\d+)?([eE][+-]?\d+)?[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ij]\)?")
THOUSANDS = re.compile(r"\d{1,3}(,\d{2,3})*,\d{3}(\.\d*)?")
DECIMAL_COMMA = re.compile(r"(\d{1,3}(\.\d{3})+|\d+),\d+")
POINTS = re.compile(r"\d{1,3}(\.\d{3}){2,}")
GROUPED = re.compile(r"\d{1,3}(['’\s]\d{3})+(\.\d*)?")
UNDERSCORED = re.compile(r"\d+(_\d+)+(\.\d*)?")


class Reading(NamedTuple):
    """What the different texts of a column are.

    Attributes
    ----------
    values : dict of str to float or int, or None
        The number of each text; None where they are no numbers.
    note : str
        The notation, where it is not the plain one.
    strange : str or None
        A text that is no number, or is in another notation, among numbers; this is asked about.
    reason : str
        What is strange about it.
    """

    values: dict | None
    note: str = ""
    strange: str | None = None
    reason: str = ""


class _Cell(NamedTuple):
    digits: str
    sign: float
    power: str
    dress: tuple[str, str]


def understood(texts, labels: bool = False) -> Reading:
    """Judge the different texts of a column.

    Parameters
    ----------
    texts : sequence of str
        None of them empty.
    labels : bool
        Whether these may be names of classes: then words among numbers, and names such as 3G, are kept.
    """
    values = {text: plain(text) for text in texts}
    others = [text for text, value in values.items() if value is None]
    if not others:
        return Reading(values)
    if len(texts) > SAMPLE and not any(_cell(text) for text in list(texts)[:SAMPLE]):
        return Reading(None)
    if all(len(text) <= LONGEST and COMPLEX.fullmatch(text.replace(" ", "")) for text in others):
        return Reading(None, "", others[0], "a complex number; give its two parts as columns of their own")
    cells = {text: _cell(text) for text in texts}
    words = [text for text, cell in cells.items() if cell is None]
    if not words:
        dresses = {cell.dress for cell in cells.values()}
        symbols = all(SYMBOL.fullmatch(part) for dress in dresses for part in dress)
        if len(dresses) == 1 and (symbols or not labels):
            return _in_one_notation(cells, dresses.pop())
        if symbols:
            return Reading(None, "", others[0], "in another unit than others")
        words = [text for text, cell in cells.items() if not _is_bare(cell)]  # such as 3A and 4B
    if labels or len(texts) - len(words) < MOSTLY * len(texts) or not any(map(_is_bare, cells.values())):
        return Reading(None)
    return Reading(None, "", words[0], "among numbers")


def _is_bare(cell):
    return cell is not None and all(SYMBOL.fullmatch(part) for part in cell.dress)


def plain(text):
    """A number in the plain notation, exact where it is whole; None for others."""
    text = text.strip()
    if WHOLE.fullmatch(text) and text.isascii():
        return int(text) if len(text) < SHOWN else float(text)
    if (PLAIN.fullmatch(text) and text.isascii()) or text.lower().lstrip("+-") in ("inf", "infinity"):
        return float(text)
    return None


def _cell(text):
    """A number with what stands around it, or None."""
    text = text.strip()
    if len(text) > LONGEST:
        return None
    based = BASED.fullmatch(text)
    if based:
        return _Cell(str(abs(int(text, 0))), -1.0 if based[1] == "-" else 1.0, "", ("", ""))
    match = DRESSED.fullmatch(text)
    if not match or bool(match["open"]) != bool(match["close"]):
        return None
    signs = [sign for sign in (match["sign"], match["inner"]) if sign]
    if len(signs) > 1 or (signs and match["open"]):
        return None
    negative = bool(match["open"]) or (signs and signs[0] != "+")
    dress = (match["before"] or "", match["after"] or "")
    if not all(dress) and all(SYMBOL.fullmatch(part) for part in dress):
        dress = ("", "".join(dress))  # a currency stands on either side
    return _Cell(match["digits"].strip(), -1.0 if negative else 1.0, match["power"] or "", dress)


def _in_one_notation(cells, dress):
    """The numbers of cells that have the same around them, by the marks within their digits."""
    digits = {cell.digits for cell in cells.values()}
    commas, points = [d for d in digits if "," in d], [d for d in digits if "." in d]
    marked = [d for d in digits if any(mark in d for mark in "_'’") or re.search(r"\s", d)]
    remove, decimal, notes = "", ".", []
    if any(POINTS.fullmatch(d) for d in points) and not commas:
        whole = re.compile(r"\d{1,3}(\.\d{3})*")
        remove, notes = ".", ["points between thousands"]
        wrong = [d for d in digits if not whole.fullmatch(d)]
    elif commas and all(THOUSANDS.fullmatch(d) for d in commas) and not any(d[0] == "0" for d in commas):
        remove, notes = ",", ["commas between thousands"]
        # Without a mark in a number of four digits the comma may be a decimal one.
        wrong = [d for d in digits if "," not in d and not re.fullmatch(r"\d{0,3}(\.\d*)?", d)]
    elif commas:
        remove, decimal, notes = ".", ",", ["decimal commas"]
        wrong = [d for d in digits if not (DECIMAL_COMMA.fullmatch(d) or re.fullmatch(r"\d+", d))]
    else:
        wrong = [d for d in digits if d not in marked and not PLAIN.fullmatch(d)]
    if marked:
        notes.append("marks between thousands")
        wrong += [d for d in marked if not (GROUPED.fullmatch(d) or UNDERSCORED.fullmatch(d))]
    if wrong:
        text = next(text for text, cell in cells.items() if cell.digits in wrong)
        return Reading(None, "", text, "in another notation than others")
    values, strip = {}, str.maketrans("", "", remove)
    for text, cell in cells.items():
        bare = re.sub(r"[_'’\s]", "", cell.digits).translate(strip).replace(decimal, ".")
        values[text] = cell.sign * float(bare + cell.power)
    around = " ".join(filter(None, dress))
    notes += [f"in {around}"] if around else []
    if any(BASED.fullmatch(text.strip()) for text in cells):
        notes.append("some in hexadecimal, octal or binary")
    return Reading(values, ", ".join(notes))
