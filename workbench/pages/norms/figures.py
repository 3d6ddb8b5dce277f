"""The figures of the page of norms: gaps, bounds, grouped weights, the dual ball, the tree's bisection."""

from bokeh.models import Range1d, Span

from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.theme import stroke
from workbench.pages.wording import Wording

COLUMNS = {
    "curves": ("step", "raw", "repaired", "better", "primal", "dual", "lower"),
    "infinite": ("step", "height"),
    "vanished": ("step", "height"),
    "window": ("x", "y"),
    "weights": ("place", "weight", "name", "group", "colour", "hatch"),
    "through": ("x", "y"),
    "zero": ("x", "y"),
    "path": ("x", "y"),
    "points": ("x", "y", "colour", "marker", "says"),
    "bracket": ("halving", "low", "high"),
    "now": ("halving", "low", "high"),
}
HIDES = Wording("norms").texts["hides"]


class NormsFigures(Drawing):
    """The figures of the page and their sources."""

    columns = COLUMNS

    def __init__(self, look=theme.LIGHT):
        self.steps = Range1d(0, 1)
        super().__init__(look)

    @property
    def colours(self):
        """Those that a frame chooses among, by name."""
        return {name: getattr(self.look, name) for name in ("green", "blue", "vermillion", "purple")}

    def _norm_gaps(self):
        drawn = self._plot(
            "norm_gaps",
            "step",
            "gap",
            [("repaired", "@repaired{0.00e+0}"), ("best multiple", "@better{0.00e+0}")],
            x_range=self.steps,
            y_range=Range1d(1e-6, 1),
            y_axis_type="log",
        )
        look, source = self.look, self.sources["curves"]
        drawn.line("step", "repaired", source=source, color=look.blue, width=look.line)
        drawn.line("step", "better", source=source, color=look.green, width=look.line, dash="dashed")
        drawn.line("step", "raw", source=source, color=look.vermillion, width=look.line, dash="dotted")
        drawn.scatter(
            "step",
            "height",
            source=self.sources["infinite"],
            marker="x",
            size=6,
            color=look.vermillion,
        )
        drawn.scatter(
            "step",
            "height",
            source=self.sources["vanished"],
            marker="inverted_triangle",
            size=9,
            color=look.blue,
        )
        return drawn

    def _norm_bounds(self):
        drawn = self._plot(
            "norm_bounds",
            "step",
            "primal and dual bound",
            [("primal", "@primal{0.000000}"), ("dual", "@dual{0.000000}")],
            x_range=self.steps,
            y_range=Range1d(0, 1),
        )
        look, source = self.look, self.sources["curves"]
        drawn.varea("step", "dual", "primal", source=source, color=look.blue, alpha=0.12)
        drawn.line("step", "primal", source=source, color=look.blue, width=look.line)
        drawn.line("step", "lower", source=source, color=look.green, width=look.line, dash="dashed")
        drawn.line("step", "dual", source=source, color=look.purple, width=look.line, dash="dotted")
        return drawn

    def _norm_weights(self):
        drawn = self._plot(
            "norm_weights",
            "feature, group by group (hover for its name)",
            "weight",
            [("feature", "@name"), ("group", "@group"), ("weight", "@weight{0.00000}")],
        )
        drawn.vbar(
            "place",
            top="weight",
            source=self.sources["weights"],
            width=0.8,
            fill_color="colour",
            line_color="colour",
            hatch_pattern="hatch",
            hatch_color=self.look.paper,
            hatch_scale=6,
        )
        drawn.xaxis.major_label_text_font_size = "0px"
        return drawn

    def _ball(self):
        drawn = self._square("ball", "v", "v", [("", "@says"), ("v", "(@x{0.000}, @y{0.000})")])
        look = self.look
        for dimension in ("width", "height"):
            drawn.add_layout(Span(location=0, dimension=dimension, line_color=look.rule, line_width=1))
        through, zero = self.sources["through"], self.sources["zero"]
        self.section = [
            drawn.patch("x", "y", source=through, color=look.green, alpha=0.15, line_alpha=0.0),
            drawn.line("x", "y", source=through, color=look.green, width=look.line),
            drawn.line("x", "y", source=zero, color=look.muted, width=1.4, dash="dotted"),
        ]
        drawn.line("x", "y", source=self.sources["path"], color=look.vermillion, width=1.4, dash="dashed")
        drawn.scatter(
            "x",
            "y",
            source=self.sources["points"],
            size=11,
            marker="marker",
            fill_color=look.paper,
            line_color="colour",
            line_width=2.4,
        )
        drawn.ygrid.grid_line_color = None
        return drawn

    def _bisection(self):
        drawn = self._plot(
            "bisection",
            "halving",
            "bracket of the dual norm",
            [("from", "@low{0.000000000}"), ("to", "@high{0.000000000}")],
        )
        look = self.look
        drawn.segment(
            "halving",
            "low",
            "halving",
            "high",
            source=self.sources["bracket"],
            color=look.blue,
            width=2.6 * look.line,
        )
        drawn.segment(
            "halving",
            "low",
            "halving",
            "high",
            source=self.sources["now"],
            color=look.vermillion,
            width=3.4 * look.line,
        )
        for end, marker in (("low", "triangle"), ("high", "inverted_triangle")):
            drawn.scatter(
                "halving",
                end,
                source=self.sources["bracket"],
                marker=marker,
                size=6,
                color=look.blue,
            )
        return drawn

    def _titles(self):
        return self.titles_of(hidden=False)

    def titles_of(self, hidden):
        """The titles and keys, without that of the section where it is hidden."""
        look = self.look
        section = stroke("solid", look.green, "section through □") + stroke("dotted", look.muted, "through 0")
        if hidden:
            section = f"<span>{HIDES}</span>"
        return {
            "norm_gaps": (
                "Raw and repaired gap",
                stroke("dotted", look.vermillion, "raw, × where infinite")
                + stroke("solid", look.blue, "repaired")
                + stroke("dashed", look.green, "best multiple"),
            ),
            "norm_bounds": (
                "Primal and lower bounds",
                stroke("solid", look.blue, "primal")
                + stroke("dotted", look.purple, "repaired")
                + stroke("dashed", look.green, "best multiple"),
            ),
            "norm_weights": ("Weights in their groups", ""),
            "ball": (
                "The dual ball and v = -Xᵀκ/λ",
                section + stroke("dashed", look.vermillion, "○ κ, ◇ centred, □ repaired"),
            ),
            "bisection": (
                "The tree's dual norm by bisection",
                stroke("solid", look.vermillion, "this bracket"),
            ),
        }
