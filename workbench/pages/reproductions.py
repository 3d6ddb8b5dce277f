"""The report of `workbench reproduce`: one HTML file with every table, figure and verdict, without a network.

The figures draw `experiments.results.Plot`s: ours as lines with bands, the published values under them as
dashed lines or markers of the same colour.
"""

import dataclasses
import datetime
import math
from dataclasses import dataclass

from workbench import __version__
from workbench.pages import theme

COLOURS = ("blue", "vermillion", "green", "purple", "orange")
DASHES = ("solid", "dashed", "dotdash", "dotted", "dashdot")
MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle")
# The same in a figure's key: full and hollow, and the nearest strokes of CSS.
SIGNS = ("●○", "■□", "▲△", "◆◇", "▼▽")
STROKES = ("solid", "dashed", "dashed", "dotted", "dashed")
HEIGHT = 360
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
    from jinja2 import Environment

    from workbench.pages import export_file

    plots = {f"{c.name}-{k}": draw(plot) for c in chapters for k, plot in enumerate(c.summary.plots)}
    keys = {f"{c.name}-{k}": key(plot) for c in chapters for k, plot in enumerate(c.summary.plots)}
    script, figures = components(plots) if plots else ("", {})
    return (
        Environment(autoescape=True)
        .from_string(_TEMPLATE)
        .render(
            chapters=chapters,
            figures=figures,
            keys=keys,
            script=script,
            resources="".join(map(export_file.script, export_file.bokeh())) if plots else "",
            versions=versions,
            version=__version__,
            day=datetime.date.today().isoformat(),
            look=theme.LIGHT,
            font=theme.FONT,
            mono=theme.MONO,
            verdicts=_verdicts(chapters),
        )
    )


def _verdicts(chapters):
    """How many claims hold, do not hold and are not decided, as text."""
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


_TEMPLATE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Reproductions · Duality Workbench</title>
{{ resources | safe }}
<style>
body { font: 15px/1.5 {{ font | safe }}; color: {{ look.ink }}; background: {{ look.ground }}; margin: 0; }
main { max-width: 860px; margin: 0 auto; padding: 24px 16px 60px; }
section { background: {{ look.paper }}; border: 1px solid {{ look.rule }}; border-radius: 8px;
  padding: 8px 20px 20px; margin: 20px 0; }
h1 { font-size: 26px; margin: 0 0 4px; } h2 { font-size: 20px; margin: 12px 0 0; }
h3 { font-size: 15px; margin: 22px 0 6px; }
p { margin: 6px 0; } .lesser { color: {{ look.muted }}; font-size: 13px; }
.wide { overflow-x: auto; } .figure td { white-space: nowrap; }
.key { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: 13px; color: {{ look.muted }}; }
.key i { display: inline-block; width: 20px; vertical-align: middle; margin: 0 5px 3px 3px; }
.key span { white-space: nowrap; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: right; padding: 4px 12px 4px 0; border-bottom: 1px solid {{ look.rule }}; }
th { color: {{ look.muted }}; font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child, .claims td, .claims th { text-align: left; vertical-align: top; }
.claims td:first-child { white-space: nowrap; font-weight: 600; }
.holds { color: {{ look.good }}; } .not { color: {{ look.bad }}; } .open { color: {{ look.muted }}; }
code { font: 13px {{ mono | safe }}; overflow-wrap: anywhere; }
li { margin: 3px 0; }
</style>
</head>
<body>
<main>
<h1>Reproductions</h1>
<p class="lesser">Duality Workbench {{ version }}, {{ day }}. Claims: {{ verdicts }}.</p>
<nav aria-label="Experiments"><ul>
{% for chapter in chapters %}<li><a href="#{{ chapter.name }}">{{ chapter.title }}</a>,
{{ chapter.source }}</li>
{% endfor %}</ul></nav>
{% for chapter in chapters %}
<section id="{{ chapter.name }}">
<h2>{{ chapter.title }}</h2>
<p class="lesser">{{ chapter.source }} · <code>{{ chapter.command }}</code> ·
{% if chapter.seeds %}seeds 0 to {{ chapter.seeds - 1 }}{% else %}fixed seeds{% endif %} ·
{{ "%.0f" | format(chapter.seconds) }} s</p>
{% for table in chapter.summary.tables %}
<h3>{{ table.title }}</h3>
<div class="wide" tabindex="0" role="region" aria-label="{{ chapter.name }}: {{ table.title }}">
<table class="figure">
<thead><tr>{% for name in table.columns %}<th scope="col">{{ name }}</th>{% endfor %}</tr></thead>
<tbody>{% for row in table.texts() %}<tr>{% for cell in row %}<td>{{ cell }}</td>{% endfor %}</tr>
{% endfor %}</tbody>
</table></div>
{% if table.note %}<p class="lesser">{{ table.note }}</p>{% endif %}
{% endfor %}
{% for plot in chapter.summary.plots %}
<h3>{{ plot.title }}</h3>
<div class="key">{{ keys[chapter.name ~ "-" ~ loop.index0] | safe }}</div>
{{ figures[chapter.name ~ "-" ~ loop.index0] | safe }}
{% if plot.note %}<p class="lesser">{{ plot.note }}</p>{% endif %}
{% endfor %}
{% if chapter.summary.claims %}
<h3>Verdicts</h3>
<div class="wide" tabindex="0" role="region" aria-label="{{ chapter.name }}: verdicts">
<table class="claims">
<thead><tr><th scope="col">verdict</th><th scope="col">claim</th><th scope="col">evidence</th></tr></thead>
<tbody>{% for claim in chapter.summary.claims %}<tr>
<td class="{{ {true: 'holds', false: 'not', none: 'open'}[claim.holds] }}">{{ claim.verdict }}</td>
<td>{{ claim.text }}</td><td>{{ claim.evidence }}</td></tr>
{% endfor %}</tbody></table></div>
{% endif %}
{% if chapter.summary.notes %}<h3>Notes</h3>
<ul class="lesser">{% for note in chapter.summary.notes %}<li>{{ note }}</li>{% endfor %}</ul>{% endif %}
</section>
{% endfor %}
<section>
<h2>Versions</h2>
<ul class="lesser">{% for name, number in versions.items() %}<li>{{ name }} {{ number }}</li>{% endfor %}</ul>
</section>
</main>
{{ script | safe }}
</body>
</html>
"""
