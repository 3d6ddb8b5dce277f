"""Shared by figures: thinned curves, ranges, and bands of colour that read as contour lines."""

import numpy as np

# Steps of colour on each side of the present height of the saddle: bands read as contour lines.
BANDS = 7
# No picture of a curve needs more points than it has pixels.
MAX_POINTS = 400


def thinned(count, most=MAX_POINTS):
    """Return at most `most` of `count` places for drawing, the first and the last among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).astype(int))


def positive(values):
    """Return the values that a logarithmic axis can show; NaN for the others."""
    return np.where((values > 0.0) & np.isfinite(values), values, np.nan)


def set_range(bounds, start, end):
    if (bounds.start, bounds.end) != (start, end):
        bounds.update(start=start, end=end)


def bands(look):
    """Blue below the present height, orange above, the paper between."""
    sides = [_mixed(look.blue, look.paper, k / BANDS) for k in range(BANDS)]
    return [*sides, look.paper, *reversed([_mixed(look.orange, look.paper, k / BANDS) for k in range(BANDS)])]


def _mixed(colour, paper, share):
    """A colour with a share of paper in it."""
    pairs = [(int(colour[k : k + 2], 16), int(paper[k : k + 2], 16)) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(own + share * (white - own)):02x}" for own, white in pairs)
