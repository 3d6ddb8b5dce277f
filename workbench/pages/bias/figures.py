"""The drawing of the page on multipliers: Zhang's three curves for each algorithm, and where s goes."""

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, Range1d

from workbench.pages.bias.captions import captions
from workbench.pages.bias.model import FULL, PARTS, SMALL
from workbench.pages.browser import plot
from workbench.pages.filled import Filled
from workbench.pages.ranges import around, decades, positive, set_range, thinned
from workbench.pages.theme import stroke
from workbench.pages.ticks import set_labels
from workbench.pages.time_marks import mark_point

# The colours of the two algorithms in the figures that hold both, by the look's attribute, and their dashes.
STROKES = {FULL: ("blue", "solid"), SMALL: ("vermillion", "dashed")}
THREE = (
    ("certified", "blue", "solid", "certified gap"),
    ("fixed", "vermillion", "dashed", "gap at fixed bias"),
    ("feasibility", "green", "dotted", "|mean α|"),
)
TITLES = {
    "full": f"{FULL}: gaps and feasibility",
    "small": f"{SMALL}: gaps and feasibility",
    "multiplier": "The multiplier s is the bias",
    "spiral": "Multiplier and constraint",
    "profile": "The primal over the bias, at the present w",
}
CURVES = ("time", "certified", "fixed", "feasibility", "multiplier", "best", "residual", "outer")
# Where a run stands that one looks back at.
HERE = ("multiplier", "residual")
# The figures over time, and the ranges that a frame moves beside theirs.
TIMED = ("full", "small", "multiplier")
RANGES = ("multiplier_y", "spiral_x", "spiral_y", "profile_x", "profile_y")
MOST_DECADES = 12
# The spiral is drawn around its last part, at least so many points, so that it does not shrink to a dot.
TAIL = 30


class BiasFigures:
    """The figures, their data sources and the text line under each.

    Attributes
    ----------
    figures : dict of str to figure
        By the keys of `TITLES`; the first two share both axes, the third their time.
    """

    def __init__(self, look):
        self.look = look
        points = ("at", "height", "marker")
        columns = {"curves": CURVES, "profile": ("place", "value"), "points": points, "here": HERE}
        self.sources = {
            (algorithm, name): ColumnDataSource({column: [] for column in held})
            for algorithm in PARTS
            for name, held in columns.items()
        }
        self.time, self.gaps = Range1d(0, 1), Range1d(1e-6, 1)
        self.figures = {part: self._three(algorithm) for algorithm, part in PARTS.items()}
        self.figures |= {name: getattr(self, f"_{name}")() for name in ("multiplier", "spiral", "profile")}
        self.shared = Filled(self._filled(), self.figures.values())

    def _filled(self):
        """The models that a frame fills, by kind and name."""
        ranges = {"time": self.time, "gaps": self.gaps}
        for place in RANGES:
            name, _, side = place.rpartition("_")
            ranges[place] = getattr(self.figures[name], f"{side}_range")
        sources = {f"{PARTS[algorithm]}_{name}": source for (algorithm, name), source in self.sources.items()}
        axes = {f"{name}_x": self.figures[name].xaxis[0] for name in TIMED}
        return {"sources": sources, "ranges": ranges, "axes": axes}

    def keys(self):
        """The key beside each figure's title."""
        look = self.look
        three = "".join(stroke(dash, getattr(look, colour), label) for _, colour, dash, label in THREE)
        both = "".join(stroke(dash, getattr(look, colour), name) for name, (colour, dash) in STROKES.items())
        best = stroke("dotted", look.muted, "best bias for w")
        return {
            "full": three, "small": three, "multiplier": both + best, "spiral": both,
            "profile": both + "<span>● at s</span><span>■ at the best bias</span>",
        }  # fmt: skip

    def _hover(self, drawn, tooltips):
        drawn.add_tools(HoverTool(tooltips=tooltips, mode="mouse", visible=False))
        return drawn

    def _three(self, algorithm):
        drawn = plot(
            PARTS[algorithm], "epoch", "gap, feasibility", self.look, x_range=self.time, y_range=self.gaps,
            y_axis_type="log",
        )  # fmt: skip
        source = self.sources[algorithm, "curves"]
        for name, colour, dash, _ in reversed(THREE):
            drawn.line(
                "time", name, source=source, color=getattr(self.look, colour), width=self.look.line, dash=dash
            )
        tooltips = [(label, f"@{name}{{0.00e+0}}") for name, _, _, label in THREE]
        return self._hover(drawn, [("at", "@time"), *tooltips, ("outer steps", "@outer")])

    def _multiplier(self):
        drawn = plot("multiplier", "epoch", "multiplier s", self.look, x_range=self.time)
        for algorithm, style in self._styles():
            source = self.sources[algorithm, "curves"]
            drawn.line(
                "time", "best", source=source, color=self.look.muted, width=self.look.line / 2, dash="dotted"
            )
            drawn.step("time", "multiplier", source=source, mode="after", **style)
        return self._hover(
            drawn, [("at", "@time"), ("s", "@multiplier{0.00000}"), ("best", "@best{0.00000}")]
        )

    def _spiral(self):
        drawn = plot("spiral", "multiplier s", "mean α, signed", self.look)
        set_labels(drawn.yaxis[0])
        for algorithm, style in self._styles():
            source = self.sources[algorithm, "curves"]
            drawn.line("multiplier", "residual", source=source, **style)
            drawn.scatter(
                "multiplier", "residual", source=source, size=4 * self.look.scale, color=style["color"]
            )
        for algorithm, style in self._styles():
            mark_point(drawn, *HERE, self.sources[algorithm, "here"], style["color"], self.look)
        return self._hover(drawn, [("at", "@time"), ("s", "@multiplier"), ("mean α", "@residual{0.00e+0}")])

    def _profile(self):
        drawn = plot("profile", "bias", "primal", self.look)
        for algorithm, style in self._styles():
            drawn.line("place", "value", source=self.sources[algorithm, "profile"], **style)
            drawn.scatter(
                "at", "height", source=self.sources[algorithm, "points"], size=10 * self.look.scale,
                marker="marker", fill_color=self.look.paper, line_color=style["color"], line_width=2.5,
            )  # fmt: skip
        return self._hover(drawn, [("bias", "@place{0.0000}"), ("primal", "@value{0.000000}")])

    def _styles(self):
        for algorithm, (colour, dash) in STROKES.items():
            yield (
                algorithm,
                {"color": getattr(self.look, colour), "width": self.look.line, "line_dash": dash},
            )

    def show(self, frame):
        """Fill every source from a snapshot, in place, and return the text line of each figure."""
        runs, unit = frame["runs"], frame["unit"]
        drawn = {algorithm: _drawn(runs[algorithm]["curves"], unit) for algorithm in runs}
        for algorithm in PARTS:
            if algorithm in runs:
                self._fill(algorithm, drawn[algorithm], runs[algorithm]["profile"])
                row = runs[algorithm]["row"]
                here = {name: [row[name]] if frame["is_past"] else [] for name in HERE}
                self.sources[algorithm, "here"].data = here
            elif len(self.sources[algorithm, "curves"].data["time"]):
                for name in ("curves", "profile", "points", "here"):
                    source = self.sources[algorithm, name]
                    source.data = {column: [] for column in source.data}
        self._frame(list(drawn.values()), [run["profile"] for run in runs.values()], unit)
        return captions(frame)

    def _fill(self, algorithm, curves, profile):
        self.sources[algorithm, "curves"].data = curves
        self.sources[algorithm, "profile"].data = {name: profile[name] for name in ("place", "value")}
        self.sources[algorithm, "points"].data = {
            "at": profile["at"], "height": profile["height"],
            "marker": ["circle", "square"][: len(profile["at"])],
        }  # fmt: skip

    def _frame(self, drawn, profiles, unit):
        """Set the ranges."""
        set_range(self.time, 0.0, 1.01 * max(float(curves["time"][-1]) for curves in drawn) or 1.0)
        values = np.concatenate([curves[name] for curves in drawn for name, *_ in THREE])
        decades(self.gaps, values[values > 0.0], MOST_DECADES)
        figures = self.figures
        around(figures["multiplier"].y_range, _together(drawn, ("multiplier",)), 0.08)
        tails = [{name: curves[name][-_tail(curves) :] for name in HERE} for curves in drawn]
        tails += [self.sources[algorithm, "here"].data for algorithm in PARTS]
        around(figures["spiral"].x_range, _together(tails, ("multiplier",)), 0.08)
        around(figures["spiral"].y_range, _together(tails, ("residual",)), 0.08, zero=True)
        around(figures["profile"].x_range, _together(profiles, ("place",)), 0.0)
        around(figures["profile"].y_range, _together(profiles, ("value",)), 0.08)
        for name in TIMED:
            if figures[name].xaxis[0].axis_label != unit:
                figures[name].xaxis[0].axis_label = unit


def _drawn(curves, unit):
    """The curves as drawn: at most so many points, what a logarithm does not show left out."""
    time = curves["epoch" if unit == "epoch" else "step"]
    kept = thinned(time.size)
    values = {"time": time[kept]}
    for name, source in (("certified", "gap"), ("fixed", "fixed"), ("feasibility", "feasibility")):
        values[name] = positive(curves[source][kept])
    for name in ("multiplier", "best", "residual"):
        value = curves[name][kept]
        values[name] = np.where(np.isfinite(value), value, np.nan)
    return values | {"outer": curves["outer"][kept]}


def _tail(curves):
    return max(TAIL, curves["time"].size // 2)


def _together(columns, names):
    return np.concatenate([np.asarray(each[name], dtype=float) for each in columns for name in names])
