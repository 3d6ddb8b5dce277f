"""Golden frames: what a page shows at the moments of a run, recorded while Python fills its figures.

`golden/frames/settings.json` has the addresses, `PAGE.json.xz` the frames by setting and moment. A frame is a
plain dict that knows no renderer, in which every name is the page's own:

    {"figures": {FIGURE: {"sources": {SOURCE: {COLUMN: [...]}}, "x": [start, end], "y": [start, end],
                          "axes": [label, label], "colours": [[low, high]], "head": title and key,
                          "sentence": ..., "here": place of the dotted line on the time axis}},
     "cards": [[name, value, note ...] ...], "status": ..., "bar": {...}, "texts": {PANE: ...}}

Texts are those between the tags, with one space between two; formulas are their LaTeX. A number has ten
digits; one that is not finite is "nan", "inf" or "-inf". Of an image every `STRIDE`th row and column is kept,
of points that rounding alone tells apart one, no term that is rounding. Null are ranges that Bokeh finds by
itself, from a source `window`, and those of terms, since they show what is rounding as well.

The moments follow each other on the same figures, since a range that still fits stays: a renderer has to draw
all of them, in this order. They are reached by steps and epochs, never by the clock, and what a clock says is
said of the steps. After a step that no box stops, two samples of an SVM tie; the settings are such in which a
unit in the last place changes nothing that is seen. Those of pages that browsers draw stay as they were
recorded while Python drew them (`the pages` reads the browser's).
"""

import functools
import html
import json
import lzma
import re
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "golden" / "frames"
# By page and name: the address of each.
SETTINGS = json.loads((FOLDER / "settings.json").read_text("utf-8"))
# Moments that are not recorded, since rounding says which sample is the first.
TIES = {("dual_lab", "simplex"): ("zero", "another weight"), ("dual_lab", "tube"): ("one step",)}
DIGITS, STRIDE, LEAPS, LONGEST = 10, 3, 3, 120
# Of the largest share of a gap, and of a bias: less than this is rounding.
ROUNDING = 1e-9
# Numbers agree within a share of themselves and one of the largest of their column. Images have single
# precision, and where an ellipse begins is found by a minimum.
SAME, FLOOR, COARSE = 1e-8, 1e-10, 1e-6
COARSELY = re.compile(r", image$|, ball, sources, (first|second), [xy]$")
# Beside the largest of a column, and in a text, this is zero; a number that is to be exact is read in part.
ZERO = 1e-12
TINY = re.compile(
    r"[-−+]?(\d+(\.\d+)?(·|\\cdot ))?10(⁻¹[¹²³⁴⁵⁶⁷⁸⁹]|⁻[²³⁴⁵⁶⁷⁸⁹][⁰¹²³⁴⁵⁶⁷⁸⁹]|\^\{-(1[1-9]|[2-9]\d)\})"
    r"|0 to rounding|[-−+]0(?![.\d])"
)
LONG = re.compile(r"\d+\.\d{8,}")
# How close a run of its own came to the optimum.
REFERENCE = re.compile(r"The optimum is certified to within .*")


def _columns(name, data):
    """The columns of a source as they are kept."""
    data = dict(data)
    if name == "surface" and len(data["image"]):
        data["image"] = np.asarray(data["image"])[:, ::STRIDE, ::STRIDE]
    mask = np.ones(len(next(iter(data.values()))), dtype=bool)
    if name == "terms":
        share = np.asarray(data["share"], dtype=float)
        mask = share > ROUNDING * share.max(initial=0.0)
    elif name in ("curve", "breaks"):
        mask = np.diff(data["b"], prepend=-np.inf) > ROUNDING
    return {
        column: [value for value, keeps in zip(values, mask, strict=True) if keeps]
        for column, values in data.items()
    }


def _cards(text):
    """The name, the value and the notes of each card with a number."""
    cards = text.split("<div class='wb-stat'>")[1:]
    return [[html.unescape(part) for part in re.split(r"<[^>]*>", card) if part] for card in cards]


def _words(text):
    """Return the text between the tags; of a card of code the code."""
    code = re.search(r"<pre[^>]*>(.*)</pre>", text, re.DOTALL)
    return html.unescape(code[1]) if code else " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def _plain(value):
    """The value as JSON holds it."""
    if isinstance(value, dict):
        return {name: _plain(value) for name, value in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(value) for value in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else str(float(value))
    return value.item() if isinstance(value, np.generic) else value


def differences(value, expected, place):
    """Yield a sentence for each part of a frame that is not the expected one."""
    if isinstance(expected, dict) and isinstance(value, dict):
        for name in {**expected, **value}:
            if name not in value or name not in expected:
                yield f"{place}, {name}: {'missing' if name in expected else 'not in the record'}"
            else:
                yield from differences(value[name], expected[name], f"{place}, {name}")
        return
    ours, theirs = dict(_leaves(value)), dict(_leaves(expected))
    if list(ours) != list(theirs):
        yield f"{place}: {len(ours)} entries instead of {len(theirs)}: {list(ours.values())[:5]} ..."
        return
    size = max((abs(column) for column in theirs.values() if _is_number(column)), default=0.0)
    same, floor = (0.0, COARSE) if COARSELY.search(place) else (SAME, FLOOR)
    wrong = [at for at in theirs if not _alike(ours[at], theirs[at], size, same, floor)]
    if wrong:
        at = "".join(f"[{k}]" for k in wrong[0])
        one, other = _seen(ours[wrong[0]], theirs[wrong[0]])
        yield f"{place}{at}: {one!r} instead of {other!r}; {len(wrong)} of {len(theirs)} differ"


def _leaves(value, at=()):
    """The entries of nested lists by their indices."""
    if isinstance(value, list):
        for k, child in enumerate(value):
            yield from _leaves(child, (*at, k))
    else:
        yield at, value


def _seen(one, other):
    """Two entries as they are told of: of long texts the part where they begin to differ."""
    if not (isinstance(one, str) and isinstance(other, str)):
        return one, other
    one, other = _settled(one), _settled(other)
    pairs = enumerate(zip(one, other, strict=False))
    differs = next((k for k, (ours, theirs) in pairs if ours != theirs), min(len(one), len(other)))
    start = max(0, differs - LONGEST // 2)
    return one[start : start + LONGEST], other[start : start + LONGEST]


def _is_number(value):
    return isinstance(value, int | float) and not isinstance(value, bool)


def _alike(ours, theirs, size, same, floor):
    """Return True if two entries agree; on a logarithmic axis, zero to rounding may be missing."""
    if _is_number(ours) and _is_number(theirs):
        return abs(ours - theirs) <= same * abs(theirs) + floor * size
    if "nan" in (ours, theirs) and (_is_number(ours) or _is_number(theirs)):
        return abs(ours if theirs == "nan" else theirs) <= ZERO * size
    if isinstance(ours, str) and isinstance(theirs, str):
        return _settled(ours) == _settled(theirs)
    return ours == theirs and type(ours) is type(theirs)


def _settled(text):
    """A text without what rounding decides."""
    short = LONG.sub(lambda number: f"{float(number[0]):.8g}", text)
    return REFERENCE.sub("", TINY.sub("0", short))


@functools.cache
def recorded(name):
    """The frames of each setting of a page, by their moments."""
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


def read_frame(raw, numbers, status, texts):
    """Return a frame as it is recorded: figures, cards of numbers, status, scrub bar and texts of a page."""
    figures = {
        name: figure
        | {
            "sources": {column: _columns(column, data) for column, data in figure["sources"].items()},
            "head": _words(figure["head"].partition('<span class="wb-save">')[0]),
            "sentence": _words(html.unescape(figure["sentence"])),
        }
        for name, figure in raw["figures"].items()
    }
    return _plain(
        {
            "figures": figures,
            "cards": _cards(numbers),
            "status": _words(status),
            "bar": raw["bar"],
            "texts": texts,
        }
    )
