"""Sentences on columns of text that look like numbers: which, two of its cells, and what converts it."""

from __future__ import annotations

import re

from workbench.data.tables.text import CODE, GAPS, THOUSANDS, WHOLE, number_pattern, text_columns

# Different cells that are looked at, columns that are named, letters of a cell that are shown.
CELLS, NAMED, SHOWN = 1000, 8, 40
# Digits of a whole number that floating point holds.
DIGITS = 15
# A column is remarked on where at least this share of its different cells look like numbers.
MOSTLY = 0.5
# A number with marks, and a currency, a unit or a sign around it.
NUMBER_LIKE = re.compile(
    r"[^\w\s]{0,2}\w{0,3}[^\w\s]{0,2}\s?\d[\d.,'\u2019_:/\s-]{0,30}\s?(?:[^\W\d][^\d]{0,11}|\W{0,3}|[+-][\d.]+[ij]\)?)"
)
# Notations that arguments of the reader convert; the first that fits is the plain one.
NOTATIONS = [(decimal, thousands) for thousands in (None, *THOUSANDS) for decimal in ".,"]


def remarks(frame) -> list[str]:
    """Return a sentence for each column of text whose cells look like numbers."""
    sentences = [text for name in text_columns(frame) if (text := _remark(frame[name]))]
    more = [f"and {len(sentences) - NAMED} more such columns"] if len(sentences) > NAMED else []
    return [*sentences[:NAMED], *more]


def _remark(series):
    cells = list(map(str.strip, series.dropna().unique()[:CELLS].astype(str)))
    like = [cell for cell in cells if NUMBER_LIKE.fullmatch(cell)]
    if not like or len(like) < MOSTLY * len(cells):
        return None
    start = f"column {series.name!r} is text"
    others = [cell for cell in cells if not NUMBER_LIKE.fullmatch(cell)]
    examples = " and ".join(repr(cell[:SHOWN]) for cell in (like[:2] if not others else cells[:2]))
    if all(map(WHOLE.fullmatch, cells)) and any(map(CODE.fullmatch, cells)):
        return f"{start}, such as {examples}, since numbers do not begin with a zero"
    if all(map(WHOLE.fullmatch, cells)) and any(len(cell) > DIGITS for cell in cells):
        return f"{start}, such as {examples}, since floating point does not hold all of their digits"
    if others:
        return (
            f"{start}, since {others[0][:SHOWN]!r} stands among numbers such as {like[0][:SHOWN]!r}; write a "
            "number there, or leave the cell empty, to use it as numbers"
        )
    fits = [
        pair for pair in NOTATIONS if all(map(number_pattern(*pair).fullmatch, like)) and _uses(pair, like)
    ]
    choices = " or ".join(map(_arguments, fits[:2]))
    fix = f"{choices} reads it as numbers" if choices else "write plain numbers to use it as such"
    return f"{start}, such as {examples}; {fix}"


def _uses(pair, cells):
    """Return True if the mark between thousands, or else the decimal mark, occurs; or no mark does."""
    decimal, thousands = pair
    if thousands is None:
        return any(decimal in cell for cell in cells) or (decimal == "." and all(map(str.isdigit, cells)))
    return decimal != thousands and any(
        re.search(GAPS.get(thousands, re.escape(thousands)), c) for c in cells
    )


def _arguments(pair):
    decimal, thousands = pair
    mark = [] if thousands is None else [f"thousands={thousands!r}"]
    return " ".join([*mark, f"decimal={decimal!r}"])
