"""The figures of the page of inverse time: steps and samples visited over m, why, and one run."""

from typing import ClassVar

from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, line


def _band(source, colour, dash, says):
    """Return the quartiles of the training sets around their median."""
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
        "steps",
        *_band("steps", "blue", "solid", "PGS, quartiles; × missed; ◆ live run"),
        dots("cells", "m", "steps", 7, marker="dash", color="blue"),
        dots("missed", "m", "height", 8, marker="x", color="vermillion"),
        line("bound", "m", "steps", "purple", "dotted", says="theorem"),
        dots("here", "m", "steps", 11, marker="diamond", fill_color="vermillion", line_color="paper"),
        tips=(("m", "@m"), ("steps", "@steps"), ("seed", "@seed")),
        **SIZES,
    ),
    "course": figure(
        "Why: distance to the best value, by m",
        "step",
        "distance, median",
        glyph("multi_line", "courses", "step", "distance", color="blue", line_alpha="alpha", line_width=2),
        line("target", "step", "distance", "vermillion", "dashed", says="target ε"),
        dots("crossings", "step", "distance", 7, color="blue"),
        glyph(
            "text",
            "labels",
            "step",
            "distance",
            text="text",
            text_align="right",
            text_baseline="bottom",
            text_color="ink",
            text_font_size="12px",
        ),
        entry("solid", "blue", "darker: more samples"),
        x_range=(8, 131_072),
        y_range=(1e-3, 10),
        x_axis_type="log",
        y_axis_type="log",
    ),
    "sweep_work": figure(
        "Samples visited to the target",
        "training samples m",
        "samples visited",
        *_band("work", "blue", "solid", "PGS, steps times k"),
        *_band("reference", "vermillion", "dashed", "L-BFGS, iterations times m"),
        tips=(("m", "@m"), ("samples visited", "@median{0,0}")),
        **SIZES,
    ),
    "pgs_objective": figure(
        "Live run: value of the iterates",
        "step",
        "primal value",
        line("run", "step", "average", "blue", says="averaged", z=1),
        line("run", "step", "last", "vermillion", "dashed", says="last"),
        line("run", "step", "lower", "green", "dotted", says="lower bound", z=1),
        tips=(("averaged", "@average{0.00000}"), ("last", "@last{0.00000}")),
        **RUN,
    ),
    "pgs_gap": figure(
        "Live run: its certificate",
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

    table, heights = TABLE, (150, 12, 230)
    columns: ClassVar = {"cells": ("seed",), "courses": ("alpha",), "labels": ("text",)}
