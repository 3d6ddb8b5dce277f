"""The report of `workbench reproduce`: one HTML file with every table, figure and verdict, without a network.

The figures draw `experiments.results.Plot`s: ours as lines with bands, the published values under them as
dashed lines or markers of the same colour.
"""

import dataclasses
import datetime
import math
import re
from dataclasses import dataclass
from pathlib import Path

from workbench import __version__
from workbench.pages import theme

COLOURS = ("blue", "vermillion", "green", "purple", "orange")
DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")
MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle")
# The same in a figure's key: full and hollow, and the nearest strokes of CSS.
SIGNS = ("●○", "■□", "▲△", "◆◇", "▼▽")
STROKES = ("solid", "dashed", "dashed", "dotted", "dashed")
HEIGHT = 360
TEMPLATE = Path(__file__).with_suffix(".html")
# A band or a point beyond what a logarithm takes is left out.
NONE = math.nan


@dataclass(frozen=True)
class Chapter:
    """One experiment of a report.

    Attributes
    ----------
    name, title, source, command : str
        The command makes the same numbers again.
    seeds : int
        How many draws; 0 where nothing is random.
    seconds : float
        What it took, finished tasks of earlier runs not counted.
    summary : experiments.results.Summary
    """

    name: str
    title: str
    source: str
    command: str
    seeds: int
    seconds: float
    summary: object


def page(chapters, versions):
    """The HTML of a report.

    Parameters
    ----------
    chapters : sequence of Chapter
    versions : dict of str to str
        Of the libraries, by name.
    """
    from bokeh.embed import components
    from bokeh.resources import Resources
    from jinja2 import Environment

    # With Panel loaded, Bokeh's own list would add files of a server.
    scripts = Resources(mode="inline", components=["bokeh"]).js_raw
    plots = {f"{c.name}-{k}": draw(plot) for c in chapters for k, plot in enumerate(c.summary.plots)}
    keys = {f"{c.name}-{k}": key(plot) for c in chapters for k, plot in enumerate(c.summary.plots)}
    script, figures = components(plots) if plots else ("", {})
    return (
        Environment(autoescape=True)
        .from_string(TEMPLATE.read_text(encoding="utf-8"))
        .render(
            chapters=chapters,
            figures=figures,
            keys=keys,
            script=script,
            resources="".join(map(_script, scripts)) if plots else "",
            versions=versions,
            version=__version__,
            day=datetime.date.today().isoformat(),
            look=theme.LIGHT,
            font=theme.FONT,
            mono=theme.MONO,
            verdicts=_verdicts(chapters),
        )
    )


def _script(code):
    """Return a tag of code; a closing tag, which may stand in a string or a comment only, is broken up."""
    return "<script>" + re.sub("</(?=script)", r"<\\/", code, flags=re.IGNORECASE) + "</script>\n"


def _verdicts(chapters):
    """Return the numbers of claims that hold, do not hold and are not decided, as text."""
    verdicts = [claim.verdict for chapter in chapters for claim in chapter.summary.claims]
    return ", ".join(f"{verdicts.count(text)} {text}" for text in dict.fromkeys(verdicts)) or "none"


def draw(plot, look=theme.LIGHT):
    """A plot as a Bokeh figure.

    Parameters
    ----------
    plot : experiments.results.Plot
    look : theme.Look
    """
    from bokeh.plotting import figure

    chart = figure(
        height=HEIGHT,
        sizing_mode="stretch_width",
        toolbar_location="above",
        x_axis_type=plot.x_scale,
        y_axis_type=plot.y_scale,
        x_axis_label=plot.x_label,
        y_axis_label=plot.y_label,
        tools="pan,box_zoom,wheel_zoom,reset,save",
        active_scroll=None,
    )
    chart.toolbar.logo = None
    theme.style_figure(chart, look)
    for curve in plot.curves:
        _add(chart, _cut(curve, plot), look)
    return chart


def key(plot, look=theme.LIGHT):
    """The key of a drawn plot as HTML: a sign and a stroke for each curve."""
    entries = []
    for curve in plot.curves:
        place = curve.colour % len(COLOURS)
        colour = getattr(look, COLOURS[place])
        stroke = "dotted" if curve.published else STROKES[place]
        entries.append(
            f"<span><b style='color: {colour}' aria-hidden='true'>{SIGNS[place][curve.published]}</b>"
            + theme.stroke(stroke, colour, curve.name).removeprefix("<span>")
        )
    return "".join(entries)


def _cut(curve, plot):
    """The curve with what its axes cannot show as gaps."""

    def axis(values, scale):
        return [
            float(x) if x is not None and math.isfinite(x) and (x > 0.0 or scale == "linear") else NONE
            for x in values
        ]

    return dataclasses.replace(
        curve,
        x=axis(curve.x, plot.x_scale),
        **{name: axis(getattr(curve, name), plot.y_scale) for name in ("y", "low", "high")},
    )


def _add(chart, curve, look):
    place = curve.colour % len(COLOURS)
    colour, width = getattr(look, COLOURS[place]), look.line
    options = {"color": colour, "name": curve.name}
    if curve.published:
        chart.scatter(
            curve.x, curve.y, marker=MARKERS[place], size=9, fill_color=None, line_width=1.5, **options
        )
        if len(curve.x) > 1:
            chart.line(curve.x, curve.y, line_dash="dotted", line_alpha=0.6, line_width=1.2, **options)
        return
    if curve.low and curve.high:
        chart.varea(curve.x, curve.low, curve.high, fill_alpha=0.15, **options)
    chart.line(curve.x, curve.y, line_dash=DASHES[place], line_width=width, **options)
    if len(curve.x) <= 12:
        chart.scatter(curve.x, curve.y, marker=MARKERS[place], size=5, **options)
