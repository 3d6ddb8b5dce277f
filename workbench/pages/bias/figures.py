"""The figures of the page on multipliers: Zhang's three curves for each algorithm, and where s goes."""

from bokeh.models import ColumnDataSource, HoverTool, Range1d

from workbench.pages.bias.model import FULL, PARTS, SMALL
from workbench.pages.browser import plot
from workbench.pages.filled import Filled
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


class BiasFigures:
    """The figures and their data sources.

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
                "multiplier", "residual", source=source, size=4, color=style["color"]
            )
        for algorithm, style in self._styles():
            mark_point(drawn, *HERE, self.sources[algorithm, "here"], style["color"], self.look)
        return self._hover(drawn, [("at", "@time"), ("s", "@multiplier"), ("mean α", "@residual{0.00e+0}")])

    def _profile(self):
        drawn = plot("profile", "bias", "primal", self.look)
        for algorithm, style in self._styles():
            drawn.line("place", "value", source=self.sources[algorithm, "profile"], **style)
            drawn.scatter(
                "at", "height", source=self.sources[algorithm, "points"], size=10,
                marker="marker", fill_color=self.look.paper, line_color=style["color"], line_width=2.5,
            )  # fmt: skip
        return self._hover(drawn, [("bias", "@place{0.0000}"), ("primal", "@value{0.000000}")])

    def _styles(self):
        for algorithm, (colour, dash) in STROKES.items():
            yield (
                algorithm,
                {"color": getattr(self.look, colour), "width": self.look.line, "line_dash": dash},
            )
