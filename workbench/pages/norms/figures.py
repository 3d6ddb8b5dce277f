"""The drawing of the page of norms: gaps, bounds, grouped weights, the dual ball, the tree's bisection."""

import numpy as np
from bokeh.models import Range1d, Span

from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.filled import Filled
from workbench.pages.norms import captions
from workbench.pages.ranges import around, decades, objective_range, set_range, thinned
from workbench.pages.theme import stroke

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
# A gap of zero stands so far above the lower end of its axis, which has so many decades at least.
EDGE, LEAST_DECADES = 1.5, 2
SAYS = tuple(captions.said(name) for name in ("raw_point", "centred_point", "scaled_point"))
HIDES = captions.said("hides")


# The figures whose ranges a frame moves, and the sides.
RANGED = {"norm_gaps": "y", "norm_bounds": "y", "norm_weights": "xy", "bisection": "xy"}


class NormsDrawing(Drawing):
    """The figures of the page, their sources and the sentence under each."""

    columns = COLUMNS

    def __init__(self, look=theme.LIGHT):
        self.steps = Range1d(0, 1)
        self.seen = np.zeros((0, 2))
        super().__init__(look)
        ranges = {
            f"{name}_{side}": getattr(self.figures[name], f"{side}_range")
            for name, sides in RANGED.items() for side in sides
        }  # fmt: skip
        axes = {f"ball_{side}": getattr(self.figures["ball"], f"{side}axis")[0] for side in "xy"}
        # The square follows its window in the browser.
        square = {side: getattr(self.figures["ball"], f"{side}_range") for side in "xy"}
        models = {
            "sources": self.sources, "ranges": ranges | {"steps": self.steps}, "axes": axes, "square": square,
        }  # fmt: skip
        self.shared = Filled(models, self.figures.values())

    @property
    def colours(self):
        """Those that a frame chooses among, by name."""
        return {name: getattr(self.look, name) for name in ("green", "blue", "vermillion", "purple")}

    def _titles(self):
        return _titles(self.look)

    def _norm_gaps(self):
        drawn = self._plot(
            "norm_gaps", "step", "gap",
            [("repaired", "@repaired{0.00e+0}"), ("best multiple", "@better{0.00e+0}")],
            x_range=self.steps, y_range=Range1d(1e-6, 1), y_axis_type="log",
        )  # fmt: skip
        look, source = self.look, self.sources["curves"]
        drawn.line("step", "repaired", source=source, color=look.blue, width=look.line)
        drawn.line("step", "better", source=source, color=look.green, width=look.line, dash="dashed")
        drawn.line("step", "raw", source=source, color=look.vermillion, width=look.line, dash="dotted")
        drawn.scatter(
            "step", "height", source=self.sources["infinite"], marker="x", size=6 * look.scale,
            color=look.vermillion,
        )  # fmt: skip
        drawn.scatter(
            "step", "height", source=self.sources["vanished"], marker="inverted_triangle",
            size=9 * look.scale, color=look.blue,
        )  # fmt: skip
        return drawn

    def _norm_bounds(self):
        drawn = self._plot(
            "norm_bounds", "step", "primal and dual bound",
            [("primal", "@primal{0.000000}"), ("dual", "@dual{0.000000}")],
            x_range=self.steps, y_range=Range1d(0, 1),
        )  # fmt: skip
        look, source = self.look, self.sources["curves"]
        drawn.varea("step", "dual", "primal", source=source, color=look.blue, alpha=0.12)
        drawn.line("step", "primal", source=source, color=look.blue, width=look.line)
        drawn.line("step", "lower", source=source, color=look.green, width=look.line, dash="dashed")
        drawn.line("step", "dual", source=source, color=look.purple, width=look.line, dash="dotted")
        return drawn

    def _norm_weights(self):
        drawn = self._plot(
            "norm_weights", "feature, group by group (hover for its name)", "weight",
            [("feature", "@name"), ("group", "@group"), ("weight", "@weight{0.00000}")],
        )  # fmt: skip
        drawn.vbar(
            "place", top="weight", source=self.sources["weights"], width=0.8, fill_color="colour",
            line_color="colour", hatch_pattern="hatch", hatch_color=self.look.paper, hatch_scale=6,
        )  # fmt: skip
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
            "x", "y", source=self.sources["points"], size=11 * look.scale, marker="marker",
            fill_color=look.paper, line_color="colour", line_width=2.4,
        )  # fmt: skip
        drawn.ygrid.grid_line_color = None
        return drawn

    def _bisection(self):
        drawn = self._plot(
            "bisection", "halving", "bracket of the dual norm",
            [("from", "@low{0.000000000}"), ("to", "@high{0.000000000}")],
        )  # fmt: skip
        look = self.look
        drawn.segment(
            "halving", "low", "halving", "high", source=self.sources["bracket"], color=look.blue,
            width=2.6 * look.line,
        )  # fmt: skip
        drawn.segment(
            "halving", "low", "halving", "high", source=self.sources["now"], color=look.vermillion,
            width=3.4 * look.line,
        )  # fmt: skip
        for end, marker in (("low", "triangle"), ("high", "inverted_triangle")):
            drawn.scatter(
                "halving", end, source=self.sources["bracket"], marker=marker, size=6 * look.scale,
                color=look.blue,
            )  # fmt: skip
        return drawn

    def hide_section(self, hidden):
        """Leave out the edge of the ball, or draw it."""
        for renderer in self.section:
            renderer.visible = not hidden
        self.titles = _titles(self.look, hidden)

    def show(self, frame):
        """Fill every source from a frame and return the sentence of each figure."""
        said = {
            "norm_gaps": self._show_curves(frame),
            "norm_bounds": captions.bounds(frame),
            "norm_weights": self._show_weights(frame["weights"]),
            "ball": self._show_ball(frame),
        }
        return said | {"bisection": self.show_bisection(frame["bisection"], frame["halving"])}

    def _show_curves(self, frame):
        curves = frame["curves"]
        kept = thinned(curves["step"].size)
        curves = {name: values[kept] for name, values in curves.items()}
        gaps = np.concatenate([curves["repaired"], curves["better"]])
        heights = self.figures["norm_gaps"].y_range
        decades(heights, gaps[np.isfinite(gaps) & (gaps > 0.0)], 12, least=LEAST_DECADES)
        edge = EDGE * heights.start
        drawn = {name: _above(curves[name], edge) for name in ("raw", "repaired", "better")}
        bounds = {
            "dual": curves["primal"] - curves["repaired"],
            "lower": curves["primal"] - curves["better"],
        }
        self.sources["curves"].data = drawn | bounds | {"step": curves["step"], "primal": curves["primal"]}
        set_range(self.steps, 0.0, 1.01 * float(curves["step"][-1]) or 1.0)
        infinite = np.isinf(curves["raw"])
        self.sources["infinite"].data = {
            "step": curves["step"][infinite], "height": np.full(infinite.sum(), 0.7 * heights.end),
        }  # fmt: skip
        vanished = curves["repaired"] <= 0.0
        self.sources["vanished"].data = {
            "step": curves["step"][vanished], "height": np.full(vanished.sum(), edge),
        }  # fmt: skip
        objective_range(self.figures["norm_bounds"].y_range, curves["primal"], bounds["dual"])
        return captions.gaps(frame)

    def _show_weights(self, weights):
        look = self.look
        self.sources["weights"].data = {
            name: weights[name] for name in ("place", "weight", "name", "group")
        } | {
            "colour": [look.green if odd else look.blue for odd in weights["odd"]],
            "hatch": ["/" if odd else " " for odd in weights["odd"]],
        }
        plot = self.figures["norm_weights"]
        set_range(plot.x_range, -1.0, float(len(weights["name"])))
        around(plot.y_range, weights["weight"], 0.08, zero=True)
        return captions.weights(weights)

    def _show_ball(self, frame):
        points, look = frame["points"], self.look
        self.sources["points"].data = {
            "x": points[:, 0], "y": points[:, 1], "colour": [look.vermillion, look.purple, look.blue],
            "marker": ["circle", "diamond", "square"], "says": SAYS,
        }  # fmt: skip
        self.sources["path"].data = {"x": points[:, 0], "y": points[:, 1]}
        plot, edge = self.figures["ball"], frame["edge"]
        if edge is not None:
            for name, corners in edge.items():
                self.sources[name].data = {"x": corners[:, 0], "y": corners[:, 1]}
        if edge is not None:
            self.seen = edge["through"]
        seen = np.concatenate([points, self.seen, [(-1.05, -1.05), (1.05, 1.05)]])
        spread = 0.06 * np.ptp(seen, axis=0)
        self._look_at(*np.stack([seen.min(axis=0) - spread, seen.max(axis=0) + spread], axis=1))
        for axis, name in zip((plot.xaxis[0], plot.yaxis[0]), frame["names"], strict=True):
            label = captions.said("axis", feature=name)
            if axis.axis_label != label:
                axis.axis_label = label
        return captions.ball(frame)

    def show_bisection(self, steps, halving):
        """Draw the bracket up to a halving and return the sentence."""
        at = min(halving, max(len(steps) - 1, 0))
        seen = steps[: at + 1]
        self.sources["bracket"].data = {
            "halving": np.arange(float(len(seen))), "low": [each.low for each in seen],
            "high": [each.high for each in seen],
        }  # fmt: skip
        self.sources["now"].data = {
            "halving": [float(at)] if seen else [], "low": [each.low for each in seen[-1:]],
            "high": [each.high for each in seen[-1:]],
        }  # fmt: skip
        plot = self.figures["bisection"]
        set_range(plot.x_range, -0.7, max(at, 6) + 0.7)
        if seen:
            # The first brackets would press the later ones into a line.
            around(plot.y_range, np.array([[s.low, s.high] for s in seen[max(0, at - 6) :]]).ravel(), 0.1)
        return captions.halving(steps, at)


def _titles(look, hidden=False):
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
        "bisection": ("The tree's dual norm by bisection", stroke("solid", look.vermillion, "this bracket")),
    }


def _above(values, edge):
    """What a logarithmic axis shows; a gap of zero lies at its lower edge."""
    return np.where(np.isfinite(values), np.maximum(values, edge * (values <= 0.0)), np.nan)
