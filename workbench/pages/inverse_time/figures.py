"""The figures of the page of inverse time: steps and time over m, and one run with its two iterates."""

from bokeh.models import Range1d

from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.theme import stroke

BAND = ("m", "low", "median", "high")
COLUMNS = {
    "cells": ("m", "steps", "seed"),
    "missed": ("m", "height"),
    "steps": BAND,
    "bound": ("m", "steps"),
    "seconds": BAND,
    "reference": BAND,
    "run": ("step", "average", "last", "lower", "gap", "last_gap", "theorem"),
}


class InverseTimeFigures(Drawing):
    """The figures of the page and their sources."""

    columns = COLUMNS

    def __init__(self, look=theme.LIGHT):
        self.sizes, self.time = Range1d(100, 40_000), Range1d(1, 10)
        super().__init__(look)

    @property
    def missed(self):
        """What the key says where training sets did not reach the target."""
        return stroke("dotted", self.look.vermillion, "× not reached")

    def _titles(self):
        look = self.look
        return {
            "sweep_steps": (
                "Steps to the target",
                stroke("solid", look.blue, "PGS, median and quartiles")
                + stroke("dotted", look.purple, "theorem"),
            ),
            "sweep_time": (
                "Time to the target",
                stroke("solid", look.blue, "PGS") + stroke("dashed", look.vermillion, "L-BFGS"),
            ),
            "pgs_objective": (
                "One run: value of the iterates",
                stroke("solid", look.blue, "averaged")
                + stroke("dashed", look.vermillion, "last")
                + stroke("dotted", look.green, "lower bound"),
            ),
            "pgs_gap": (
                "One run: its certificate",
                stroke("solid", look.blue, "averaged")
                + stroke("dashed", look.vermillion, "last")
                + stroke("dotted", look.purple, "Theorem 1, excess"),
            ),
        }

    def _axes(self, name, x_label, y_label, tooltips, x_range, log="log"):
        return self._plot(
            name,
            x_label,
            y_label,
            tooltips,
            x_range=x_range,
            y_range=Range1d(1e-3, 10),
            x_axis_type="log",
            y_axis_type=log,
        )

    def _band(self, drawn, name, colour, dash="solid"):
        source, look = self.sources[name], self.look
        drawn.varea("m", "low", "high", source=source, color=colour, alpha=0.15)
        drawn.line("m", "median", source=source, color=colour, width=look.line, dash=dash)
        drawn.scatter("m", "median", source=source, color=colour, size=6)

    def _sweep_steps(self):
        drawn = self._axes(
            "sweep_steps",
            "training samples m",
            "steps to the target",
            [("m", "@m"), ("steps", "@steps"), ("seed", "@seed")],
            self.sizes,
        )
        look = self.look
        self._band(drawn, "steps", look.blue)
        drawn.scatter("m", "steps", source=self.sources["cells"], marker="dash", size=7, color=look.blue)
        drawn.scatter(
            "m",
            "height",
            source=self.sources["missed"],
            marker="x",
            size=8,
            color=look.vermillion,
        )
        drawn.line(
            "m", "steps", source=self.sources["bound"], color=look.purple, width=look.line, dash="dotted"
        )
        return drawn

    def _sweep_time(self):
        drawn = self._axes(
            "sweep_time",
            "training samples m",
            "milliseconds to the target",
            [("m", "@m"), ("ms", "@median{0.00}")],
            self.sizes,
        )
        self._band(drawn, "seconds", self.look.blue)
        self._band(drawn, "reference", self.look.vermillion, "dashed")
        return drawn

    def _pgs_objective(self):
        drawn = self._axes(
            "pgs_objective",
            "step",
            "primal value",
            [("averaged", "@average{0.00000}"), ("last", "@last{0.00000}")],
            self.time,
            "linear",
        )
        source, look = self.sources["run"], self.look
        drawn.line("step", "last", source=source, color=look.vermillion, width=look.line, dash="dashed")
        drawn.line("step", "average", source=source, color=look.blue, width=look.line)
        drawn.line("step", "lower", source=source, color=look.green, width=look.line, dash="dotted")
        return drawn

    def _pgs_gap(self):
        drawn = self._axes(
            "pgs_gap",
            "step",
            "certified gap",
            [("averaged", "@gap{0.00e+0}"), ("last", "@last_gap{0.00e+0}")],
            self.time,
        )
        source, look = self.sources["run"], self.look
        drawn.line("step", "last_gap", source=source, color=look.vermillion, width=look.line, dash="dashed")
        drawn.line("step", "gap", source=source, color=look.blue, width=look.line)
        drawn.line("step", "theorem", source=source, color=look.purple, width=look.line, dash="dotted")
        return drawn
