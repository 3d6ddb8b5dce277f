"""The figures of the page on multipliers: Zhang's three curves for each algorithm, and where s goes."""

from typing import ClassVar

from bokeh.models import Range1d

from workbench.pages.bias.model import FULL, PARTS, SMALL
from workbench.pages.drawing import Drawing
from workbench.pages.theme import LIGHT, stroke
from workbench.pages.ticks import set_labels
from workbench.pages.time_marks import mark_point

# The colours of the two algorithms in the figures that hold both, by the look's attribute, and their dashes.
STROKES = {FULL: ("blue", "solid"), SMALL: ("vermillion", "dashed")}
THREE = (
    ("certified", "blue", "solid", "certified gap"),
    ("fixed", "vermillion", "dashed", "gap at fixed bias"),
    ("feasibility", "green", "dotted", "|mean α|"),
)
COLUMNS = {
    "curves": ("time", "certified", "fixed", "feasibility", "multiplier", "best", "residual", "outer"),
    "profile": ("place", "value"),
    "points": ("at", "height", "marker"),
    # Where a run stands that one looks back at.
    "here": ("multiplier", "residual"),
}


class BiasFigures(Drawing):
    """The figures and their sources; the first two share both axes, the third their time."""

    columns: ClassVar = {f"{part}_{name}": held for part in PARTS.values() for name, held in COLUMNS.items()}
    heights = (200, 16, 330)

    def __init__(self, look=LIGHT):
        self.time, self.gap = Range1d(0, 1), Range1d(1e-6, 1)
        super().__init__(look)

    def _titles(self):
        look = self.look
        three = "".join(stroke(dash, getattr(look, colour), label) for _, colour, dash, label in THREE)
        both = "".join(stroke(dash, getattr(look, colour), name) for name, (colour, dash) in STROKES.items())
        best = stroke("dotted", look.muted, "best bias for w")
        return {
            "full": (f"{FULL}: gaps and feasibility", three),
            "small": (f"{SMALL}: gaps and feasibility", three),
            "multiplier": ("The multiplier s is the bias", both + best),
            "spiral": ("Multiplier and constraint", both),
            "profile": (
                "The primal over the bias, at the present w",
                both + "<span>● at s</span><span>■ at the best bias</span>",
            ),
        }

    def _full(self):
        return self._three("full")

    def _small(self):
        return self._three("small")

    def _three(self, part):
        tooltips = [(label, f"@{name}{{0.00e+0}}") for name, _, _, label in THREE]
        drawn = self._plot(
            part,
            "epoch",
            "gap, feasibility",
            [("at", "@time"), *tooltips, ("outer steps", "@outer")],
            x_range=self.time,
            y_range=self.gap,
            y_axis_type="log",
        )
        source, look = self.sources[f"{part}_curves"], self.look
        for name, colour, dash, _ in reversed(THREE):
            drawn.line("time", name, source=source, color=getattr(look, colour), width=look.line, dash=dash)
        return drawn

    def _multiplier(self):
        tooltips = [("at", "@time"), ("s", "@multiplier{0.00000}"), ("best", "@best{0.00000}")]
        drawn = self._plot("multiplier", "epoch", "multiplier s", tooltips, x_range=self.time)
        look = self.look
        for sources, style in self._styles():
            source = sources["curves"]
            drawn.line("time", "best", source=source, color=look.muted, width=look.line / 2, dash="dotted")
            drawn.step("time", "multiplier", source=source, mode="after", **style)
        return drawn

    def _spiral(self):
        tooltips = [("at", "@time"), ("s", "@multiplier"), ("mean α", "@residual{0.00e+0}")]
        drawn = self._plot("spiral", "multiplier s", "mean α, signed", tooltips)
        set_labels(drawn.yaxis[0])
        for sources, style in self._styles():
            source = sources["curves"]
            drawn.line("multiplier", "residual", source=source, **style)
            drawn.scatter("multiplier", "residual", source=source, size=4, color=style["color"])
        for sources, style in self._styles():
            mark_point(drawn, *COLUMNS["here"], sources["here"], style["color"], self.look)
        return drawn

    def _profile(self):
        tooltips = [("bias", "@place{0.0000}"), ("primal", "@value{0.000000}")]
        drawn = self._plot("profile", "bias", "primal", tooltips)
        for sources, style in self._styles():
            drawn.line("place", "value", source=sources["profile"], **style)
            drawn.scatter(
                "at",
                "height",
                source=sources["points"],
                size=10,
                marker="marker",
                fill_color=self.look.paper,
                line_color=style["color"],
                line_width=2.5,
            )
        return drawn

    def _styles(self):
        """The sources of each algorithm, and the style of its curves."""
        for algorithm, (colour, dash) in STROKES.items():
            sources = {name: self.sources[f"{PARTS[algorithm]}_{name}"] for name in COLUMNS}
            yield sources, {"color": getattr(self.look, colour), "width": self.look.line, "line_dash": dash}
