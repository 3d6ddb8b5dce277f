"""The drawing of an online rule: points, mistakes, both sides of the mirror, the way to u, the SVM."""

from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, line, point, ring
from workbench.pages.theme import Look

AT = ("x", "y")
TALL = {"heights": (170, 12, 330)}
SIZE = 6


def _now(source, edge, marker="circle", at=AT, z=0):
    return point(source, *at, edge, width=1.2, marker=marker, z=z)


def _side(name, title, first, last, *texts):
    """Paths of the rule and of the SVM on one side of the mirror."""
    return figure(
        title,
        "feature 1",
        "last feature",
        line("axes", *AT, "rule", width=1 / Look.line),
        first,
        line(f"{name}_twin", *AT, "blue", "dashed", 0.8),
        line(f"{name}_path", *AT, "vermillion"),
        dots(f"{name}_path", *AT, 4, color="vermillion"),
        last,
        _now(f"{name}_twin_now", "blue", "square"),
        _now(f"{name}_now", "vermillion"),
        entry("solid", "vermillion", name),
        entry("dashed", "blue", "SVM"),
        texts,
        **TALL,
    )


TABLE = {
    "points": figure(
        "The points seen so far",
        "along u",
        "across u",
        line("edge", *AT, "vermillion", width=1.3, z=1, says="w·x = 0"),
        line("strip", *AT, "ink", "dotted", 0.7, says="y u·x = γ"),
        line("twin_edge", *AT, "blue", "dashed", says="SVM"),
        dots("plus", *AT, SIZE, color="blue", marker="circle", alpha=0.8, z=1),
        ring("minus", *AT, SIZE, "green", 1.6, marker="square", z=1),
        ring("missed", *AT, 2 * SIZE, "vermillion", 1.4, z=1),
        ring("newest", *AT, 3 * SIZE, "ink", Look.line, z=1),
        **TALL,
    ),
    "mistakes": figure(
        "Mistakes and their bound",
        "points seen",
        "mistakes",
        line("passes", *AT, "rule", width=1 / Look.line),
        line("counted", *AT, "vermillion", width=1.3, z=3, says="mistakes"),
        line("bound", *AT, "green", width=1.3, z=2, says="bound"),
        line("fact", *AT, "purple", "dotted", z=1, says="knowing v"),
        line("others", *AT, "muted", "dashed", 0.6, says="other rules"),
        glyph("segment", "now", "x", "low", "x", "high", color="muted", line_width=1, z=3),
        _now("now", "vermillion", at=("x", "low"), z=3),
        **TALL,
        y_axis_type="log",
        y_range=(0.7, 100),
    ),
    "v": _side(
        "v",
        "v is the sum of the mistakes",
        [],
        line("v_step", *AT, "vermillion", width=2.4),
    ),
    "w": _side(
        "w",
        "Its mirror image w = ∇h(v)",
        [line("simplex", *AT, "muted", width=0.8), line("u", *AT, "ink", "dotted", 0.8)],
        _now("w_average", "purple", "triangle"),
        entry("dotted", "ink", "u"),
    ),
    "potential": figure(
        "Each mistake brings w nearer to u",
        "points seen",
        "D(u, w)",
        line("potential", *AT, "vermillion", width=1.2, z=1, says="divergence"),
        line("promise", *AT, "green", "dotted", says="at most, with the margin γ"),
        _now("potential_now", "vermillion", z=1),
    ),
    "twin": figure(
        "The SVM with the same regularizer",
        "points seen",
        "",
        line("primal", *AT, "green", width=1.2, says="P"),
        line("dual", *AT, "blue", "dashed", 1.2, says="−D, a lower bound"),
        _now("twin_now", "blue", "square"),
    ),
}


class OnlineDrawing(Drawing):
    """The figures, which the frame fills."""

    table, heights = TABLE, (170, 12, 330)
