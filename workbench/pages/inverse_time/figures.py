"""The drawing of the page of inverse time: steps and time over m, and one run with its two iterates."""

import numpy as np
from bokeh.models import Range1d

from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.filled import Filled
from workbench.pages.inverse_time import captions
from workbench.pages.inverse_time.captions import MILLI, bound_of
from workbench.pages.inverse_time.model import theorem_1
from workbench.pages.inverse_time.sweep import summary
from workbench.pages.ranges import decades, objective_range, set_range
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
# The figures of the one run.
RUN = ("pgs_objective", "pgs_gap")
# The bound may lie far above what is measured: it is drawn this far and no farther.
ABOVE = 1e3


class InverseTimeDrawing(Drawing):
    """The figures of the page, their sources and the sentence under each."""

    columns = COLUMNS

    def __init__(self, look=theme.LIGHT):
        self.sizes, self.time = Range1d(100, 40_000), Range1d(1, 10)
        super().__init__(look)
        run = [self.figures[name] for name in RUN]
        ranges = {"time": self.time} | {f"{each.name}_y": each.y_range for each in run}
        self.shared = Filled({"sources": {"run": self.sources["run"]}, "ranges": ranges}, run)

    def _titles(self):
        return _titles(self.look)

    def _axes(self, name, x_label, y_label, tooltips, x_range, log="log"):
        return self._plot(
            name, x_label, y_label, tooltips, x_range=x_range, y_range=Range1d(1e-3, 10),
            x_axis_type="log", y_axis_type=log,
        )  # fmt: skip

    def _band(self, drawn, name, colour, dash="solid"):
        source, look = self.sources[name], self.look
        drawn.varea("m", "low", "high", source=source, color=colour, alpha=0.15)
        drawn.line("m", "median", source=source, color=colour, width=look.line, dash=dash)
        drawn.scatter("m", "median", source=source, color=colour, size=6 * look.scale)

    def _sweep_steps(self):
        drawn = self._axes(
            "sweep_steps", "training samples m", "steps to the target",
            [("m", "@m"), ("steps", "@steps"), ("seed", "@seed")], self.sizes,
        )  # fmt: skip
        look = self.look
        self._band(drawn, "steps", look.blue)
        drawn.scatter(
            "m", "steps", source=self.sources["cells"], marker="dash", size=7 * look.scale, color=look.blue
        )
        drawn.scatter(
            "m", "height", source=self.sources["missed"], marker="x", size=8 * look.scale,
            color=look.vermillion,
        )  # fmt: skip
        drawn.line(
            "m", "steps", source=self.sources["bound"], color=look.purple, width=look.line, dash="dotted"
        )
        return drawn

    def _sweep_time(self):
        drawn = self._axes(
            "sweep_time", "training samples m", "milliseconds to the target",
            [("m", "@m"), ("ms", "@median{0.00}")], self.sizes,
        )  # fmt: skip
        self._band(drawn, "seconds", self.look.blue)
        self._band(drawn, "reference", self.look.vermillion, "dashed")
        return drawn

    def _pgs_objective(self):
        drawn = self._axes(
            "pgs_objective", "step", "primal value",
            [("averaged", "@average{0.00000}"), ("last", "@last{0.00000}")], self.time, "linear",
        )  # fmt: skip
        source, look = self.sources["run"], self.look
        drawn.line("step", "last", source=source, color=look.vermillion, width=look.line, dash="dashed")
        drawn.line("step", "average", source=source, color=look.blue, width=look.line)
        drawn.line("step", "lower", source=source, color=look.green, width=look.line, dash="dotted")
        return drawn

    def _pgs_gap(self):
        drawn = self._axes(
            "pgs_gap", "step", "certified gap",
            [("averaged", "@gap{0.00e+0}"), ("last", "@last_gap{0.00e+0}")], self.time,
        )  # fmt: skip
        source, look = self.sources["run"], self.look
        drawn.line("step", "last_gap", source=source, color=look.vermillion, width=look.line, dash="dashed")
        drawn.line("step", "gap", source=source, color=look.blue, width=look.line)
        drawn.line("step", "theorem", source=source, color=look.purple, width=look.line, dash="dotted")
        return drawn

    def show(self, frame):
        """Fill the sources of the run from a frame and return the sentences under them."""
        curves = frame["curves"]
        step = np.maximum(curves["step"], 1.0)
        theorem = theorem_1(frame["constants"].L, frame["lam"], step)
        self.sources["run"].data = {name: curves[name] for name in COLUMNS["run"][1:-1]} | {
            "step": step, "theorem": theorem,
        }  # fmt: skip
        set_range(self.time, 1.0, max(10.0, 1.1 * float(step[-1])))
        lower = curves["lower"]
        tail = curves["average"][min(1, len(step) - 1) :]
        objective_range(self.figures["pgs_objective"].y_range, tail, lower)
        gaps = np.concatenate([curves["gap"], curves["last_gap"]])
        decades(self.figures["pgs_gap"].y_range, gaps[np.isfinite(gaps) & (gaps > 0.0)], 8)
        at = frame["at"]
        return captions.run({name: values[at] for name, values in curves.items()}, theorem[at])

    def show_sweep(self, cells, settings, constants, c, running):
        """Fill the sources of the sweep from its cells so far and return the sentences under them."""
        steps, reached = summary(cells, "steps"), [each for each in cells if np.isfinite(each.steps)]
        self.sources["cells"].data = {
            "m": [each.m for each in reached], "steps": [each.steps for each in reached],
            "seed": [each.seed for each in reached],
        }  # fmt: skip
        for name, field, factor in (
            ("steps", "steps", 1.0), ("seconds", "seconds", MILLI), ("reference", "reference_seconds", MILLI)
        ):  # fmt: skip
            self.sources[name].data = _drawn(summary(cells, field), factor)
        if len(steps.m):
            set_range(self.sizes, 0.7 * float(steps.m[0]), 1.4 * float(max(steps.m[-1], 2 * steps.m[0])))
        bound = bound_of(settings, constants, c, np.geomspace(self.sizes.start, self.sizes.end, 80))
        self._scale(reached, bound)
        top = self.figures["sweep_steps"].y_range.end
        missed = [each.m for each in cells if np.isinf(each.steps)]
        self.sources["missed"].data = {"m": missed, "height": [0.75 * top] * len(missed)}
        self.titles = _titles(self.look, bool(missed))
        return captions.sweep(cells, settings, constants, c, running)

    def _scale(self, reached, bound):
        m, values = bound
        most = max((each.steps for each in reached), default=100.0)
        kept = np.isfinite(values) & (values <= ABOVE * most)
        self.sources["bound"].data = {"m": m[kept], "steps": values[kept]}
        seen = np.append([each.steps for each in reached], values[kept])
        decades(self.figures["sweep_steps"].y_range, seen, 9)
        times = [
            MILLI * value for each in reached for value in (each.seconds, each.reference_seconds)
            if np.isfinite(value) and value > 0.0
        ]  # fmt: skip
        decades(self.figures["sweep_time"].y_range, np.array(times), 6)


def _drawn(found, factor):
    """A summary as columns: sizes whose median is no number are left out, a missing quartile is cut."""
    kept = np.isfinite(found.median)
    high = np.where(np.isfinite(found.high), found.high, found.median)
    return {
        "m": found.m[kept], "low": factor * found.low[kept], "median": factor * found.median[kept],
        "high": factor * high[kept],
    }  # fmt: skip


def _titles(look, missed=False):
    return {
        "sweep_steps": (
            "Steps to the target",
            stroke("solid", look.blue, "PGS, median and quartiles")
            + stroke("dotted", look.purple, "theorem")
            + (stroke("dotted", look.vermillion, "× not reached") if missed else ""),
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
