"""Figures that the browser fills, the colours of their maps, and the bundles of scripts."""

import functools
from pathlib import Path

from bokeh.models import (
    LinearColorMapper,
    Range1d,
)
from bokeh.palettes import interp_palette
from bokeh.plotting import figure

from workbench.pages import theme

FOLDER = Path(__file__).parent
# Of a figure: the least in pixels, in hundredths of the window's width, and the most in pixels.
HEIGHTS = (200, 16, 330)
# Near 0 as the paper, and of one hue, so that it reads without colour.
LIGHT_MAP = interp_palette(["#fdfdfd", "#b9d3e6", "#5d94be", "#17436a"], 64)
DARK_MAP = interp_palette(["#0f1720", "#1f4c6e", "#3f8bb4", "#c4e3f2"], 64)

# The tag of the glyph that a pointer drags, or the arrow keys.
HANDLE = ["handle"]


@functools.cache
def bundle(name):
    """Return the ES module `bundles/NAME.js`; a line that is added may use what it exports."""
    return (FOLDER / "bundles" / f"{name}.js").read_text("utf-8")


def palette(look):
    """The colours of a map of numbers, from low to high."""
    return DARK_MAP if look.dark else LIGHT_MAP


def colour_map(look):
    """The colours of a map of numbers, whose ends the script sets."""
    return LinearColorMapper(
        palette=palette(look),
        low=0,
        high=1,
        nan_color="rgba(127, 127, 127, 0.25)",
    )


def plot(name, x_label, y_label, look, heights=HEIGHTS, **options):
    """A quiet figure that the script fills and a person drags.

    `heights` are as `HEIGHTS`, `options` those of a Bokeh figure.
    """
    ranges = {"x_range": Range1d(-1, 1), "y_range": Range1d(-1, 1)} | options
    chart = figure(
        name=name,
        height=heights[0],
        sizing_mode="stretch_width",
        styles={"height": f"clamp({heights[0]}px, {heights[1]}vw, {heights[2]}px)"},
        tools="",
        toolbar_location=None,
        x_axis_label=x_label,
        y_axis_label=y_label,
        min_border_right=18,
        **ranges,
    )
    theme.style_figure(chart, look)
    return chart
