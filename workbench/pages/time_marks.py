"""Marks of time in a page's figures: where the run stands, and the last curve as a grey ghost."""

from bokeh.models import ColumnDataSource, CustomJS, Span

from workbench.pages.drawing import dots
from workbench.pages.wording import Wording

WORDING = Wording("")
# The names of the glyphs, which no kept picture has.
GHOST, HERE = "before", "here"
COLUMNS = ("step", "epoch", "gap")
# The axis tells which of both it shows.
FOLLOW = "ghost.glyph.x = { field: axis.axis_label === 'step' ? 'step' : 'epoch' }"


def time_marks(plots, timed, ghosts, look):
    """Make the marks in the figures of one page; returns the ids of lines and ghosts by figure.

    Parameters
    ----------
    plots : dict of str to figure
    timed : sequence of str
        The figures over time.
    ghosts : dict of str to str or None
        The figures with a ghost, and the column on their time axis; None where its label says that.
    look : theme.Look
    """
    here = {}
    for name in timed:
        line = Span(
            dimension="height",
            location=0.0,
            visible=False,
            line_color=look.ink,
            line_dash="dotted",
            line_width=1.4,
        )
        plots[name].add_layout(line)
        here[name] = line.id
    return {
        "here": here,
        "ghosts": {name: _ghost(plots[name], column, look) for name, column in ghosts.items()},
    }


def _ghost(plot, column, look):
    source = ColumnDataSource({name: [] for name in COLUMNS})
    line = plot.line(
        column or "epoch",
        "gap",
        source=source,
        color=look.ghost,
        width=1.4,
        name=GHOST,
        level="underlay",
    )
    if column is None:
        follow = CustomJS(args={"ghost": line, "axis": plot.xaxis[0]}, code=FOLLOW)
        plot.xaxis[0].js_on_change("axis_label", follow)
    return source.id


def here(source, x, y, colour, **more):
    """The mark of where a run stands in a figure that is not over time, for a table of figures."""
    edge = {"fill_color": colour, "line_color": "ink", "line_width": 2.4}
    return dots(source, x, y, 11, name=HERE, **edge, **more)
