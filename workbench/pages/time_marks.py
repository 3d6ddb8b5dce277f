"""What tells of time in a page's figures: where the run stands, and the last curve as a grey ghost."""

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS, Span

from workbench.pages.ranges import positive, thinned
from workbench.pages.theme import stroke
from workbench.pages.wording import Wording

WORDING = Wording("")
# The names of the glyphs, which no kept picture has.
GHOST, HERE = "before", "here"
COLUMNS = ("step", "epoch", "gap")
# The axis tells which of both it shows.
FOLLOW = "ghost.glyph.x = { field: axis.axis_label === 'step' ? 'step' : 'epoch' }"


class TimeMarks:
    """The marks in the figures of one page.

    Parameters
    ----------
    plots : dict of str to figure
    timed : sequence of str
        The figures over time.
    ghosts : dict of str to str or None
        The figures with a ghost, and the column on their time axis; None where its label says that.
    look : theme.Look
    unit : str
        What the page counts time in.
    """

    def __init__(self, plots, timed, ghosts, look, unit="epoch"):
        self.look, self.unit = look, unit
        self.spans = []
        for name in timed:
            line = Span(
                dimension="height", location=0.0, visible=False, line_color=look.ink, line_dash="dotted",
                line_width=1.4 * look.scale,
            )  # fmt: skip
            plots[name].add_layout(line)
            self.spans.append(line)
        self.sources = {name: self._ghost(plots[name], column) for name, column in ghosts.items()}

    def _ghost(self, plot, column):
        source = ColumnDataSource({each: [] for each in COLUMNS})
        line = plot.line(
            column or "epoch", "gap", source=source, color=self.look.ghost, width=1.4 * self.look.scale,
            name=GHOST, level="underlay",
        )  # fmt: skip
        if column is None:
            plot.xaxis[0].js_on_change(
                "axis_label", CustomJS(args={"ghost": line, "axis": plot.xaxis[0]}, code=FOLLOW)
            )
        return source

    def stand(self, places, anew=False):
        """Draw the line of each figure at a place of its axis; none where it is None.

        Parameters
        ----------
        places : sequence of (float or None)
        anew : bool
            Whether the browser may have moved the lines.
        """
        for line, place in zip(self.spans, places, strict=True):
            if anew:
                line.update(location=-1.0, visible=not line.visible)
            if place is not None:
                line.update(location=float(place), visible=True)
            elif line.visible:
                line.visible = False

    def ids(self):
        """The ids of the lines, for a browser that moves them."""
        return [line.id for line in self.spans]

    def named(self, timed):
        """The ids of lines and ghosts by figure, for a page that is drawn in the browser."""
        here = dict(zip(timed, self.ids(), strict=True))
        return {"here": here, "ghosts": {name: source.id for name, source in self.sources.items()}}

    def haunt(self, curves):
        """Show curves as ghosts, by figure, each as far as it went; {} for none."""
        for name, source in self.sources.items():
            found = curves.get(name)
            source.data = found if found and np.nanmax(found["step"]) > 0 else {each: [] for each in COLUMNS}

    def key(self, name):
        """The entry in the key of a figure, which says how far its ghost went; "" where it has none."""
        data = self.sources[name].data if name in self.sources else {}
        if not len(data.get("gap", ())):
            return ""
        step, epoch = (np.nanmax(data[each]) for each in ("step", "epoch"))
        # As the scrub bar tells of it.
        unit = "step" if self.unit == "epoch" and epoch < 1.0 else self.unit
        said = WORDING.said(f"before_{unit}", last=int(step) if unit == "step" else float(epoch))
        return stroke("solid", self.look.ghost, said)


def mark_point(plot, x, y, source, colour, look):
    """Mark where a run stands in a figure that is not over time, by the columns x and y of a source."""
    plot.scatter(
        x, y, source=source, size=11 * look.scale, fill_color=colour, line_color=look.ink,
        line_width=2.4 * look.scale, name=HERE,
    )  # fmt: skip


def curve(*runs, trace=None, gap=lambda entry: entry["gap"]):
    """The gaps of runs as one ghost, with a break between two; at most so many points of each.

    Parameters
    ----------
    runs : sequence of KeptRun
    trace : str, optional
        The trace that holds the gaps; the first one where not given.
    gap : callable
        Gives the gap of one entry of the trace.
    """
    columns = {each: [] for each in COLUMNS}
    for run in runs:
        entries, gaps = run.along(run.traces[0]), run.along(trace or run.traces[0])
        kept = thinned(len(entries))
        values = np.array([gap(gaps[k]) for k in kept], dtype=float)
        columns["step"] += [*(run.step_of(entries[k]) for k in kept), np.nan]
        columns["epoch"] += [*(run.epochs_of(entries[k]) for k in kept), np.nan]
        columns["gap"] += [*positive(values), np.nan]
    return columns
