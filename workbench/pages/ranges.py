"""Ranges that follow what is drawn, and bands of colour that read as contour lines."""

import math

import numpy as np

# Steps of colour on each side of the present height of the saddle: bands read as contour lines.
BANDS = 7
# No picture of a curve needs more points than it has pixels.
MAX_POINTS = 400
# A range that the values fill less than this is drawn closer around them.
LEAST_FILLED = 0.5


def thinned(count, most=MAX_POINTS):
    """The places, of so many, of those that are drawn: at most so many, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))


def positive(values):
    """What a logarithmic axis can show of the values; NaN for the others."""
    return np.where((values > 0.0) & np.isfinite(values), values, np.nan)


def objective_range(bounds, primal, dual):
    """A first primal far above the rest would press both curves flat against the axis."""
    if not (np.isfinite(primal).any() and np.isfinite(dual).any()):
        return
    tail = primal[len(primal) // 3 :]
    settled = np.nanmax(tail) if np.isfinite(tail).any() else np.nanmax(primal)
    top = min(np.nanmax(primal), settled + 2.0 * max(settled - np.nanmax(dual), 0.5 * abs(settled)))
    bottom = max(np.nanmin(dual), top - 3.0 * max(top - np.nanmax(dual), abs(top)))
    around(bounds, np.array([bottom, top]), 0.06)


def decades(bounds, values, most, least=0):
    """A logarithmic range around positive values, between so many decades below the largest."""
    if values.size:
        low = np.clip(values.min(), values.max() * 10.0**-most, values.max() * 10.0**-least)
        set_range(bounds, 10.0 ** math.floor(math.log10(low)), 2.0 * float(values.max()))


def set_range(bounds, start, end):
    if (bounds.start, bounds.end) != (start, end):
        bounds.update(start=start, end=end)


def around(bounds, values, margin, zero=False):
    """Set a range around the values, with zero in it where wanted; one that still fits stands still.

    An axis that jumps with every change hides what has changed, and has the browser lay the figure out anew.
    """
    values = values[np.isfinite(values)]
    if not values.size or (zero and not np.any(values)):
        return
    low, high = float(np.min(values)), float(np.max(values))
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    present = bounds.end - bounds.start
    if bounds.start <= low and high <= bounds.end and high - low >= LEAST_FILLED * present:
        return
    spread = (high - low) or max(abs(high), 1.0)
    set_range(bounds, low - margin * spread, high + margin * spread)


def bands(look):
    """Blue below the present height, orange above, the paper between."""
    sides = [_mixed(look.blue, look.paper, k / BANDS) for k in range(BANDS)]
    return [*sides, look.paper, *reversed([_mixed(look.orange, look.paper, k / BANDS) for k in range(BANDS)])]


def _mixed(colour, paper, share):
    """A colour with a share of paper in it."""
    pairs = [(int(colour[k : k + 2], 16), int(paper[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(own + share * (white - own)):02x}" for own, white in pairs)
