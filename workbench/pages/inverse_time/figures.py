"""The figures of the page of inverse time: steps and time over m, and one run with its two iterates."""

from workbench.pages.drawing import Drawing, dots, figure, glyph, line
from workbench.pages.theme import stroke


def _band(source, colour, dash, says):
    """The quartiles of the seeds around their median."""
    return (
        glyph("varea", source, "m", "low", "high", color=colour, alpha=0.15),
        line(source, "m", "median", colour, dash, says=says),
        dots(source, "m", "median", 6, color=colour),
    )


SIZES = {"x_range": ("sizes", 100, 40_000), "y_range": (1e-3, 10), "x_axis_type": "log", "y_axis_type": "log"}
RUN = {"x_range": ("time", 1, 10), "y_range": (1e-3, 10), "x_axis_type": "log"}
TABLE = {
    "sweep_steps": figure(
        "Steps to the target",
        "training samples m",
        "steps to the target",
        _band("steps", "blue", "solid", "PGS, median and quartiles"),
        dots("cells", "m", "steps", 7, marker="dash", color="blue"),
        dots("missed", "m", "height", 8, marker="x", color="vermillion"),
        line("bound", "m", "steps", "purple", "dotted", says="theorem"),
        tips=(("m", "@m"), ("steps", "@steps"), ("seed", "@seed")),
        **SIZES,
    ),
    "sweep_time": figure(
        "Time to the target",
        "training samples m",
        "milliseconds to the target",
        _band("seconds", "blue", "solid", "PGS"),
        _band("reference", "vermillion", "dashed", "L-BFGS"),
        tips=(("m", "@m"), ("ms", "@median{0.00}")),
        **SIZES,
    ),
    "pgs_objective": figure(
        "One run: value of the iterates",
        "step",
        "primal value",
        line("run", "step", "average", "blue", says="averaged", z=1),
        line("run", "step", "last", "vermillion", "dashed", says="last"),
        line("run", "step", "lower", "green", "dotted", says="lower bound", z=1),
        tips=(("averaged", "@average{0.00000}"), ("last", "@last{0.00000}")),
        **RUN,
    ),
    "pgs_gap": figure(
        "One run: its certificate",
        "step",
        "certified gap",
        line("run", "step", "gap", "blue", says="averaged", z=1),
        line("run", "step", "last_gap", "vermillion", "dashed", says="last"),
        line("run", "step", "theorem", "purple", "dotted", says="Theorem 1, excess", z=1),
        tips=(("averaged", "@gap{0.00e+0}"), ("last", "@last_gap{0.00e+0}")),
        y_axis_type="log",
        **RUN,
    ),
}


class InverseTimeFigures(Drawing):
    """The figures of the page and their sources."""

    table, columns = TABLE, {"cells": ("seed",)}

    @property
    def missed(self):
        """What the key says where training sets did not reach the target."""
        return stroke("dotted", self.look.vermillion, "× not reached")
