"""The figures of the page of norms and screening.

Of norms: gaps, bounds, grouped weights, the dual ball, the tree's bisection. Of screening: marks that cross
themselves out, a bound for each, the ball with the dual optimum, gaps and what is left, the path.
"""

from typing import ClassVar

from bokeh.models import FixedTicker
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages.drawing import Drawing, dots, figure, glyph, line, rule
from workbench.pages.theme import LIGHT, Look


def _bracket(source, colour, width, **more):
    columns = ("halving", "low", "halving", "high")
    return glyph("segment", source, *columns, color=colour, width=width * Look.line, **more)


NORMS = {
    "norm_gaps": figure(
        "Raw and repaired gap",
        "step",
        "gap",
        line("curves", "step", "raw", "vermillion", "dotted", says="raw, × where infinite", z=1),
        line("curves", "step", "repaired", "blue", says="repaired"),
        line("curves", "step", "better", "green", "dashed", says="best multiple"),
        dots("infinite", "step", "height", 6, marker="x", color="vermillion", z=1),
        dots("vanished", "step", "height", 9, marker="inverted_triangle", color="blue", z=1),
        tips=(("repaired", "@repaired{0.00e+0}"), ("best multiple", "@better{0.00e+0}")),
        x_range=("steps", 0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "norm_bounds": figure(
        "Primal and lower bounds",
        "step",
        "primal and dual bound",
        glyph("varea", "curves", "step", "dual", "primal", color="blue", alpha=0.12),
        line("curves", "step", "primal", "blue", says="primal"),
        line("curves", "step", "dual", "purple", "dotted", says="repaired", z=1),
        line("curves", "step", "lower", "green", "dashed", says="best multiple"),
        tips=(("primal", "@primal{0.000000}"), ("dual", "@dual{0.000000}")),
        x_range=("steps", 0, 1),
        y_range=(0, 1),
    ),
    "norm_weights": figure(
        "Weights in their groups",
        "feature, group by group (hover for its name)",
        "weight",
        glyph(
            "vbar",
            "weights",
            "place",
            top="weight",
            width=0.8,
            fill_color="colour",
            line_color="colour",
            hatch_pattern="hatch",
            hatch_color="paper",
            hatch_scale=6,
        ),
        tips=(("feature", "@name"), ("group", "@group"), ("weight", "@weight{0.00000}")),
    ),
    "ball": figure(
        "The dual ball and v = −Xᵀκ/λ",
        "v",
        "v",
        rule("width", "rule"),
        rule("height", "rule"),
        glyph("patch", "through", "x", "y", color="green", alpha=0.15, line_alpha=0.0),
        line("through", "x", "y", "green", says="section through □"),
        line("zero", "x", "y", "muted", "dotted", 1.4 / Look.line, says="through 0"),
        line("path", "x", "y", "vermillion", "dashed", 1.4 / Look.line, says="○ κ, ◇ centred, □ repaired"),
        dots(
            "points", "x", "y", 11, marker="marker", fill_color="paper", line_color="colour", line_width=2.4
        ),
        tips=(("", "@says"), ("v", "(@x{0.000}, @y{0.000})")),
        square=True,
        grid=False,
    ),
    "bisection": figure(
        "The tree's dual norm by bisection",
        "halving",
        "bracket of the dual norm",
        _bracket("bracket", "blue", 2.6),
        _bracket("now", "vermillion", 3.4, says="this bracket"),
        dots("bracket", "halving", "low", 6, marker="triangle", color="blue"),
        dots("bracket", "halving", "high", 6, marker="inverted_triangle", color="blue"),
        tips=(("from", "@low{0.000000000}"), ("to", "@high{0.000000000}")),
    ),
}


# Of each kind of block its colour, its marker and its words.
KINDS = {
    "discarded": ("muted", "x", "discarded: zero at every optimum"),
    "open": ("blue", "circle", "undecided, its weight is zero now"),
    "nonzero": ("vermillion", "diamond", "undecided, its weight is not zero now"),
    "kept": ("green", "square", "kept: not zero at the optimum"),
}
SHAPES = ("×", "○", "◇", "□")
ROW = 20
# The points in the plane: their colours and markers.
POINTS = {"dual point, the centre": ("blue", "circle"), "dual optimum": ("ink", "star")}


def _by(column, table, look):
    """Colours of the look by a column, for a table whose entries begin with their names."""
    return factor_cmap(column, [getattr(look, colour) for colour, *_ in table.values()], list(table))


def _marked(source, x, y, size, column, table, width, **more):
    """Open marks whose colour and marker a column decides."""
    return dots(
        source,
        x,
        y,
        size,
        line_color=lambda look: _by(column, table, look),
        line_width=width,
        fill_color="paper",
        marker=lambda look: factor_mark(column, [row[1] for row in table.values()], list(table)),
        **more,
    )


def _runs(column, *says):
    """A curve of each run; what the key says of them in its order."""
    strokes = {
        "both": ("blue", "solid", 1),
        "plain": ("purple", "dashed", 0),
        "unscreened": ("vermillion", "dotted", -1),
    }
    return [line(run, "epoch", column, *strokes[run][:2], says=text, z=strokes[run][2]) for run, text in says]


def _path(column, colour, dash, marker, says):
    mark = dots("lambdas", "ratio", column, 6, color=colour, fill_color="paper", marker=marker)
    return line("lambdas", "ratio", column, colour, dash, says=says), mark


SCREENING = {
    "marks": figure(
        "Features: × once screened",
        "",
        "",
        _marked("marks", "x", "y", "size", "kind", KINDS, 2.0),
        tips=(("", "@name"), ("", "@says @since"), ("bound", "@bound{0.000}")),
        x_range=(-1, ROW),
        y_range=(-1, 1),
    ),
    "sphere": figure(
        "The ball with the dual optimum\u00a0☆",
        "along the first",
        "across, to the second",
        glyph("patch", "disc", "x", "y", color="blue", alpha=0.16, line_alpha=0.0),
        line("disc", "x", "y", "blue", says="its projection"),
        line("shadow", "x", "y", "purple", "dashed", 0.8, says="without extrapolation"),
        line("first", "x", "y", "vermillion", says="edge of the first"),
        line("second", "x", "y", "green", "dotted", says="of the second"),
        _marked("optima", "x", "y", 10, "says", POINTS, 2.2, tip=True),
        tips=(("", "@says"), ("at", "(@x{0.0000}, @y{0.0000})")),
        x_range=(-1, 1),
        y_range=(-1, 1),
    ),
    "reach": figure(
        "A bound for each feature; below 1 it is discarded",
        "rank by correlation at λ_max",
        "bound over the threshold",
        rule("width", "ink", 1.5, location=1.0),
        _marked("reach", "place", "bound", 7, "kind", KINDS, 2.0),
        tips=(("", "@name"), ("", "@says"), ("bound", "@bound{0.000}")),
        x_range=(-2, 10),
        y_range=(0.1, 10),
        y_axis_type="log",
    ),
    "epochs": figure(
        "Gap: with and without extrapolation",
        "epoch",
        "certified gap",
        _runs("gap", ("both", "with"), ("plain", "without"), ("unscreened", "without screening")),
        tips=(("gap", "@gap{0.00e+0}"),),
        x_range=(0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "left": figure(
        "Left in the solver: with and without screening",
        "epoch",
        "left in the solver",
        _runs(
            "left",
            ("both", "with both"),
            ("unscreened", "without screening"),
            ("plain", "without extrapolation"),
        ),
        tips=(("epoch", "@epoch{0.0}"), ("left", "@left")),
        x_range=(0, 1),
        y_range=(0, 1),
    ),
    "path": figure(
        "Along the path, down to this λ",
        "λ / λ_max",
        "discarded",
        _path("solved", "blue", "solid", "circle", "by its solution"),
        _path("before", "green", "dashed", "square", "by the λ before"),
        _path("zero", "vermillion", "dotted", "triangle", "by w = 0"),
        tips=(
            ("λ / λ_max", "@ratio{0.000}"),
            ("by w = 0", "@zero"),
            ("by the λ before", "@before"),
            ("by its solution", "@solved"),
        ),
        x_range=(1.05, 0.5),
        y_range=(0, 1),
        x_axis_type="log",
    ),
}


class NormsFigures(Drawing):
    """The figures of the page, which the browser fills."""

    table, heights = NORMS | SCREENING, (140, 12, 230)
    columns: ClassVar = {
        "weights": ("weight", "name", "group", "colour", "hatch"),
        "points": ("colour", "marker", "says"),
        "marks": ("size", "name", "bound", "kind", "since", "says"),
        "reach": ("name", "kind", "says"),
        "optima": ("says",),
    }

    def __init__(self, look=LIGHT):
        super().__init__(look)
        self.figures["norm_weights"].xaxis.major_label_text_font_size = "0px"
        marks = self.figures["marks"]
        marks.axis.visible = False
        marks.grid.grid_line_color = None
        self.figures["path"].xaxis.ticker = FixedTicker(ticks=[1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01])
        texts = zip(
            SHAPES, KINDS.values(), ("discarded", "undecided", "undecided, w ≠ 0", "certain"), strict=True
        )
        kinds = (
            f"<span><span style='color: {getattr(look, colour)}'>{shape}</span> {says}</span>"
            for shape, (colour, _, _), says in texts
        )
        self.titles["marks"] = (self.table["marks"].title, "".join(kinds))


def colours(look=LIGHT):
    """Return the colours that a frame chooses among, by name."""
    return {name: getattr(look, name) for name in ("green", "blue", "vermillion", "purple")}
