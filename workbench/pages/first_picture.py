"""The first picture of a page: kept with the package, and seen while kernels compile after an installation.

It is what the page's figures show at the end of a run with the choices that a page opens with;
`python -m workbench.pages.first_pictures` draws and keeps them. As soon as there is a lab, its frames take
over.
"""

import dataclasses
import functools
import gzip
import json
import math
from pathlib import Path

import numpy as np

from workbench.pages import theme
from workbench.pages.time_marks import GHOST, HERE

KEPT = Path(__file__).with_name("first_pictures.json.gz")
SENTENCE = "Meanwhile the figures show this run as it was kept with the package."
# Fewer than a screen has pixels between its edges.
DIGITS = 4
# Colours are kept by their names, since each look has its own.
COLOURS = {
    value: f"@{field.name}"
    for field in reversed(dataclasses.fields(theme.Look))
    if isinstance(value := getattr(theme.LIGHT, field.name), str) and value.startswith("#")
}


@functools.cache
def kept():
    """The pictures by the title of their page: `settings`, `figures` and `sentences`."""
    return json.loads(gzip.decompress(KEPT.read_bytes())) if KEPT.is_file() else {}


def of(title, settings):
    """The picture of a page with these settings, None where none is kept."""
    found = kept().get(title)
    return found if found and found["settings"] == plain(settings) else None


def plain(value):
    """Settings and columns as JSON holds them; numbers are rounded, colours named."""
    if getattr(value, "ndim", 0) == 2:  # an image
        return {"image": plain(value.tolist())}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    return COLOURS.get(value, value) if isinstance(value, str) else value


def taken(figures):
    """What figures by name show: the columns behind each glyph, and the intervals of their axes."""
    return {
        name: {
            "columns": [plain(dict(source.data)) for source in _sources(plot)],
            "ranges": {axis: plain([bounds.start, bounds.end]) for axis, bounds in _ranges(plot).items()},
        }
        for name, plot in figures.items()
    }


def show(picture, figures, look):
    """Fill figures by name with a picture that was taken of such."""
    for name, plot in figures.items():
        drawn = picture["figures"][name]
        for source, columns in zip(_sources(plot), drawn["columns"], strict=True):
            source.data = {column: _restored(values, look) for column, values in columns.items()}
        for axis, bounds in _ranges(plot).items():
            start, end = drawn["ranges"][axis]
            bounds.update(start=start, end=end)


def _sources(plot):
    drawn = [each for each in plot.renderers if hasattr(each, "data_source")]
    return [each.data_source for each in drawn if each.name not in (GHOST, HERE)]


def _ranges(plot):
    """The intervals that a page sets; others follow the data."""
    both = {"x": plot.x_range, "y": plot.y_range}
    return {axis: bounds for axis, bounds in both.items() if type(bounds).__name__ == "Range1d"}


def _restored(values, look):
    if isinstance(values, list):
        return [_restored(each, look) for each in values]
    if isinstance(values, dict):
        return np.array(values["image"], dtype=float)
    if isinstance(values, str) and values.startswith("@"):
        return getattr(look, values[1:])
    return math.nan if values is None else values
