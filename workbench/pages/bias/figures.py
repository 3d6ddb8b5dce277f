"""The figures of the page on multipliers: Zhang's three curves for each algorithm, and where s goes."""

from typing import ClassVar

from workbench.pages.bias.model import FULL, PARTS, SMALL
from workbench.pages.drawing import Drawing, dots, entry, figure, line
from workbench.pages.theme import LIGHT
from workbench.pages.ticks import set_labels
from workbench.pages.time_marks import here

# Each algorithm: how its sources' names begin, and its stroke in the figures that hold both.
BOTH = {FULL: (PARTS[FULL], "blue", "solid"), SMALL: (PARTS[SMALL], "vermillion", "dashed")}
# What the pointer reads, and markers.
MORE = {"curves": ("outer",), "points": ("marker",)}


def _three(name, source):
    return figure(
        f"{name}: gaps and feasibility",
        "epoch",
        "gap, feasibility",
        line(source, "time", "certified", "blue", says="certified gap", z=2),
        line(source, "time", "fixed", "vermillion", "dashed", says="gap at fixed s", z=1),
        line(source, "time", "feasibility", "green", "dotted", says="feasibility"),
        tips=(
            ("at", "@time"),
            ("certified gap", "@certified{0.00e+0}"),
            ("gap at fixed s", "@fixed{0.00e+0}"),
            ("feasibility", "@feasibility{0.00e+0}"),
            ("outer steps", "@outer"),
        ),
        x_range=("time", 0, 1),
        y_range=("gap", 1e-6, 1),
        y_axis_type="log",
    )


def _multipliers(name, part, colour, dash):
    source = f"{part}_curves"
    best = line(source, "time", "best", "muted", "dotted", 0.5)
    return best, line(source, "time", "multiplier", colour, dash, kind="step", mode="after", says=name)


def _constraint(name, part, colour, dash):
    source, columns = f"{part}_curves", ("multiplier", "residual")
    curve = line(source, *columns, colour, dash, says=name)
    return curve, dots(source, *columns, 4, color=colour), here(f"{part}_here", *columns, colour, z=1)


def _over_the_bias(name, part, colour, dash):
    curve = line(f"{part}_profile", "place", "value", colour, dash, says=name)
    return curve, dots(
        f"{part}_points",
        "at",
        "height",
        10,
        marker="marker",
        fill_color="paper",
        line_color=colour,
        line_width=2.5,
    )


def _both(make):
    return [glyph for name, style in BOTH.items() for glyph in make(name, *style)]


TABLE = {
    "full": _three(FULL, "full_curves"),
    "small": _three(SMALL, "small_curves"),
    "multiplier": figure(
        "The multiplier s",
        "epoch",
        "multiplier s",
        _both(_multipliers),
        entry("dotted", "muted", "best s"),
        tips=(("at", "@time"), ("s", "@multiplier{0.00000}"), ("best", "@best{0.00000}")),
        x_range=("time", 0, 1),
    ),
    "spiral": figure(
        "Multiplier and constraint",
        "multiplier s",
        "λ(Cv − b)",
        _both(_constraint),
        tips=(("at", "@time"), ("s", "@multiplier"), ("constraint", "@residual{0.00e+0}")),
    ),
    "profile": figure(
        "Primal over s at the present w",
        "s",
        "primal",
        _both(_over_the_bias),
        tips=(("s", "@place{0.0000}"), ("value", "@value{0.000000}")),
        note="<span>● run's s</span><span>■ best s</span>",
    ),
}


class BiasFigures(Drawing):
    """The figures and their sources; the first two share both axes, the third their time."""

    table, heights = TABLE, (200, 16, 330)
    columns: ClassVar = {
        f"{part}_{name}": columns for part in PARTS.values() for name, columns in MORE.items()
    }

    def __init__(self, look=LIGHT):
        super().__init__(look)
        set_labels(self.figures["spiral"].yaxis[0])
