"""The figures of the page of norms: gaps, bounds, grouped weights, the dual ball, the tree's bisection."""

from typing import ClassVar

from workbench.pages.drawing import Drawing, dots, figure, glyph, key, line, rule
from workbench.pages.theme import LIGHT, Look
from workbench.pages.wording import Wording

HIDES = Wording("norms").texts["hides"]


def _bracket(source, colour, width, **more):
    columns = ("halving", "low", "halving", "high")
    return glyph("segment", source, *columns, color=colour, width=width * Look.line, **more)


TABLE = {
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
        "The dual ball and v = -Xᵀκ/λ",
        "v",
        "v",
        rule("width", "rule"),
        rule("height", "rule"),
        glyph("patch", "through", "x", "y", color="green", alpha=0.15, line_alpha=0.0, part="inside"),
        line("through", "x", "y", "green", part="section", says="section through □"),
        line("zero", "x", "y", "muted", "dotted", 1.4 / Look.line, part="zero", says="through 0"),
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


class NormsFigures(Drawing):
    """The figures of the page and their sources."""

    table = TABLE
    columns: ClassVar = {
        "weights": ("weight", "name", "group", "colour", "hatch"),
        "points": ("colour", "marker", "says"),
    }

    def __init__(self, look=LIGHT):
        super().__init__(look)
        self.section = [self.parts[name] for name in ("inside", "section", "zero")]
        self.figures["norm_weights"].xaxis.major_label_text_font_size = "0px"

    @property
    def colours(self):
        """Those that a frame chooses among, by name."""
        return {name: getattr(self.look, name) for name in ("green", "blue", "vermillion", "purple")}

    def ball_key(self, hidden):
        """The key of the ball, without that of the section where it is hidden."""
        if not hidden:
            return self.titles["ball"][1]
        return f"<span>{HIDES}</span>" + key(TABLE["ball"], self.look, lambda each: each.source == "path")
