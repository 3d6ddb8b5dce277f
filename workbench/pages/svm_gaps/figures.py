"""The drawing of the page on SVM gaps: the plane, G over the bias, the bounds by step, the duals."""

import numpy as np
from bokeh.models import HoverTool, LinearColorMapper, Range1d

from workbench.gaps.svm import ROUNDING
from workbench.pages.drawing import Drawing
from workbench.pages.filled import Filled
from workbench.pages.plane import MARKERS
from workbench.pages.ranges import around, bands, decades, set_range, thinned
from workbench.pages.svm_gaps.model import HALF_WIDTH, said
from workbench.pages.theme import LIGHT, stroke

COLUMNS = {
    "window": ("x", "y"),
    "points": ("x", "y", "label", "a", "kind", "fill", "edge", "marker", "sample"),
    "surface": ("image", "x", "y", "dw", "dh"),
    "lines": ("xs", "ys", "width", "dash"),
    "pair": ("x", "y"),
    "next": ("x", "y"),
    "curve": ("b", "value"),
    "breaks": ("b", "value"),
    "least": ("b", "value"),
    "top": ("b", "value"),
    "bottom": ("b", "value"),
    "bounds": ("step", "gap", "remark_1", "lemma_8", "violation", "primal", "dual"),
    "duals": ("place", "a", "fill", "edge", "marker", "sample"),
}
# What the symbols of the formulas are called in the figures.
CURVES = {r"\hat t": "top", r"\hat b": "bottom"}
HEIGHTS = (260, 20, 400)
# The figures whose ranges a frame moves.
RANGED = ("bias", "bounds", "pair_duals")


class SvmDrawing(Drawing):
    """The figures of the page."""

    columns, heights = COLUMNS, HEIGHTS

    def __init__(self, look=LIGHT):
        super().__init__(look)
        ranges = {
            f"{name}_{side}": getattr(self.figures[name], f"{side}_range") for name in RANGED for side in "xy"
        }
        models = {"sources": self.sources, "ranges": ranges}
        self.shared = Filled(models, self.figures.values(), kept=("window",))

    def _titles(self):
        return _titles(self.look)

    def _plot(self, name, x_label, y_label, tooltips=None, **options):
        drawn = super()._plot(name, x_label, y_label, tooltips, **options)
        drawn.ygrid.grid_line_color = None
        return drawn

    def _plane(self):
        drawn = self._square("plane", "x₁ →   x₂ ↑", "")
        self._look_at(*2 * [(-HALF_WIDTH, HALF_WIDTH)])
        # The axes frame the picture, which stands in the middle of a card that is wider.
        drawn.axis.bounds = (-HALF_WIDTH, HALF_WIDTH)
        drawn.yaxis.fixed_location = -HALF_WIDTH
        drawn.yaxis.ticker = [-2, -1, 0, 1, 2]  # the frame would cut off what stands at its ends
        look, size = self.look, 10 * self.look.scale
        mapper = LinearColorMapper(palette=bands(look), low=-3.0, high=3.0)
        drawn.image(
            "image", "x", "y", "dw", "dh", source=self.sources["surface"], color_mapper=mapper, alpha=0.55
        )
        drawn.multi_line(
            "xs", "ys", source=self.sources["lines"], color=look.ink, line_width="width", line_dash="dash"
        )
        drawn.line("x", "y", source=self.sources["pair"], color=look.vermillion, width=look.line)
        points = drawn.scatter(
            "x", "y", source=self.sources["points"], size=size, marker="marker", fill_color="fill",
            line_color="edge", line_width=1.8,
        )  # fmt: skip
        self.points = points
        for name, width, colour in (("pair", 3.0, look.vermillion), ("next", 1.6, look.ink)):
            drawn.scatter(
                "x", "y", source=self.sources[name], size=1.9 * size, marker="circle", fill_color=None,
                line_color=colour, line_width=width,
            )  # fmt: skip
        tips = [("sample", "@sample"), ("label", "@label"), ("a", "@a{0.0000}"), ("", "@kind")]
        drawn.add_tools(HoverTool(tooltips=tips, renderers=[points], visible=False))
        return drawn

    def _bias(self):
        tooltips = [("b", "@b{0.0000}"), ("G", "@value{0.0000e+0}")]
        drawn = self._plot("bias", "bias b", "G at this bias", tooltips)
        look = self.look
        drawn.line("b", "value", source=self.sources["curve"], color=look.blue, width=look.line)
        drawn.scatter(
            "b", "value", source=self.sources["breaks"], size=5 * look.scale, marker="circle",
            fill_color=look.paper, line_color=look.blue,
        )  # fmt: skip
        for name, dash, colour in (("top", "dashed", look.vermillion), ("bottom", "dotted", look.green)):
            style = {"color": colour, "width": look.line, "dash": dash, "tags": [name]}
            drawn.line("b", "value", source=self.sources[name], **style)
        drawn.scatter(
            "b", "value", source=self.sources["least"], size=11 * look.scale, marker="diamond",
            fill_color=look.ink, line_color=look.paper,
        )  # fmt: skip
        return drawn

    def _bounds(self):
        drawn = self._plot(
            "bounds", "pair step", "of ½‖f‖² + CΣξ",
            [("step", "@step"), ("G(a)", "@gap{0.00e+0}"), ("Remark 1", "@remark_1{0.00e+0}")],
            y_axis_type="log",
            x_range=Range1d(0, 1), y_range=Range1d(1e-6, 1),
        )  # fmt: skip
        look, source = self.look, self.sources["bounds"]
        for name, dash, colour in (
            ("lemma_8", "dotted", look.purple), ("remark_1", "dashed", look.green),
            ("gap", "solid", look.blue), ("primal", "dotted", look.vermillion),
            ("dual", "dashed", look.orange), ("violation", "solid", look.muted),
        ):  # fmt: skip
            tags = ["top", "bottom"] if name == "violation" else [name]  # their difference
            drawn.line("step", name, source=source, color=colour, width=look.line, dash=dash, tags=tags)
        return drawn

    def _pair_duals(self):
        drawn = self._plot(
            "pair_duals", "sample", "a, between 0 and C", [("sample", "@sample"), ("a", "@a{0.0000}")]
        )
        drawn.scatter(
            "place", "a", source=self.sources["duals"], size=7 * self.look.scale, marker="marker",
            fill_color="fill", line_color="edge",
        )  # fmt: skip
        return drawn

    def colours(self):
        """How a point is filled, by its kind, and drawn around, by its class."""
        look = self.look
        return {
            "zero": look.paper, "free": look.green, "bound": look.purple, "up": look.orange,
            "down": look.blue,
        }  # fmt: skip

    def looks(self):
        """What the browser draws by."""
        return {
            "half_width": HALF_WIDTH, "colours": self.colours(),
            "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]},
        }  # fmt: skip

    def show(self, frame):
        """Fill every source from a frame and return the sentence of each figure."""
        kinds, colours = frame["kind"], self.colours()
        fill = [colours[kind] for kind in kinds]
        edge = [colours["up" if label > 0 else "down"] for label in frame["y"]]
        marker = [MARKERS[label] for label in frame["y"]]
        samples = np.arange(frame["y"].size)
        self.sources["points"].data = {
            "x": frame["X"][:, 0].tolist(), "y": frame["X"][:, 1].tolist(), "label": frame["y"].tolist(),
            "a": frame["a"].tolist(), "kind": kinds.tolist(), "fill": fill, "edge": edge, "marker": marker,
            "sample": samples.tolist(),
        }  # fmt: skip
        self.sources["duals"].data = {
            "place": samples, "a": frame["a"], "fill": fill, "edge": edge, "marker": marker,
            "sample": samples,
        }  # fmt: skip
        set_range(self.figures["pair_duals"].x_range, -1.0, float(samples.size))
        set_range(self.figures["pair_duals"].y_range, -0.06 * frame["C"], 1.06 * frame["C"])
        self._show_plane(frame)
        self._show_bias(frame)
        self._show_bounds(frame["rows"])
        return {name: globals()[f"_say_{name}"](frame) for name in self.titles}

    def _show_plane(self, frame):
        width = 2.0 * HALF_WIDTH
        self.sources["surface"].data = {
            "image": [np.clip(frame["surface"], -3.0, 3.0).astype(np.float32)], "x": [-HALF_WIDTH],
            "y": [-HALF_WIDTH], "dw": [width], "dh": [width],
        }  # fmt: skip
        strokes = ((1.2, "dashed"), (2.6, "solid"), (1.2, "dashed"))
        pieces = [
            (piece, stroke_)
            for level, stroke_ in zip(frame["lines"], strokes, strict=True)
            for piece in level
        ]
        self.sources["lines"].data = {
            "xs": [piece[:, 0].tolist() for piece, _ in pieces],
            "ys": [piece[:, 1].tolist() for piece, _ in pieces],
            "width": [width for _, (width, _) in pieces], "dash": [dash for _, (_, dash) in pieces],
        }  # fmt: skip
        event = frame["event"]
        for name, pair in (("pair", event and (event.index, event.partner)), ("next", frame["next"])):
            chosen = frame["X"][list(pair)] if pair else np.empty((0, 2))
            self.sources[name].data = {"x": chosen[:, 0], "y": chosen[:, 1]}

    def _show_bias(self, frame):
        found, curve = frame["found"], frame["bias"]
        self.sources["curve"].data = {"b": curve["b"], "value": curve["value"]}
        self.sources["breaks"].data = {"b": curve["breaks"], "value": curve["at_breaks"]}
        self.sources["least"].data = {"b": [found.bias], "value": [found.gap]}
        highest = float(curve["value"].max())
        for name, end in (("top", -found.t_hat), ("bottom", -found.b_hat)):
            ends = [end, end] if np.isfinite(end) else []
            self.sources[name].data = {"b": ends, "value": [0.0, highest][: len(ends)]}
        figure = self.figures["bias"]
        set_range(figure.x_range, float(curve["b"][0]), float(curve["b"][-1]))
        around(figure.y_range, curve["value"], 0.06, zero=True)

    def _show_bounds(self, rows):
        kept = thinned(len(rows))
        columns = {name: np.array(rows[kept, k]) for k, name in enumerate(_ROW)}
        for name in _ROW[1:]:
            columns[name] = np.where(
                np.isfinite(columns[name]) & (columns[name] > 0.0), columns[name], np.nan
            )
        self.sources["bounds"].data = columns
        figure = self.figures["bounds"]
        set_range(figure.x_range, 0.0, max(1.0, 1.01 * rows[-1, 0]))
        values = np.concatenate([columns[name] for name in _ROW[1:]])
        decades(figure.y_range, values[np.isfinite(values)], 9, least=4)


_ROW = ("step", "gap", "remark_1", "lemma_8", "violation", "primal", "dual")


def _titles(look):
    return {
        "plane": (
            "The plane and its boundary",
            stroke("solid", look.ink, "f + b = 0")
            + stroke("dashed", look.ink, "±1")
            + stroke("solid", look.vermillion, "last pair, ○ the next"),
        ),
        "bias": (
            "G over the bias",
            stroke("solid", look.blue, "G, ○ breakpoints, ◆ minimum")
            + stroke("dashed", look.vermillion, "−t̂")
            + stroke("dotted", look.green, "−b̂"),
        ),
        "bounds": (
            "What the gap guarantees",
            stroke("dotted", look.purple, "Lemma 8")
            + stroke("dashed", look.green, "Remark 1")
            + stroke("solid", look.blue, "G(a)")
            + stroke("dotted", look.vermillion, "true, primal")
            + stroke("dashed", look.orange, "true, dual")
            + stroke("solid", look.muted, "t̂ − b̂"),
        ),
        "pair_duals": (
            "Dual variables",
            stroke("solid", look.green, "filled: free") + stroke("solid", look.purple, "at C"),
        ),
    }


def _say_plane(frame):
    kinds = frame["kind"]
    free, bound = int((kinds == "free").sum()), int((kinds == "bound").sum())
    wrong = int((frame["slack"] > 1.0).sum())
    return said("plane", carry=free + bound, n=frame["y"].size, free=free, bound=bound, wrong=wrong)


def _say_bias(frame):
    found = frame["found"]
    return said(
        "bias", bias=found.bias, gap=found.gap, t_hat=found.t_hat, b_hat=found.b_hat, count=found.count
    )


def _say_bounds(frame):
    found = frame["found"]
    row = dict(zip(_ROW, frame["rows"][frame["at"]], strict=True))
    return said(
        "bounds", step=int(row["step"]), primal=row["primal"], gap=found.gap, remark_1=found.remark_1,
        lemma_8=found.lemma_8, known=frame["optimum"].gap,
    )  # fmt: skip


def _say_pair_duals(frame):
    a, total = frame["a"], float(frame["y"] @ frame["a"])
    is_rounding = abs(total) <= ROUNDING * max(a.sum(), frame["C"])
    return said("pair_duals", sum=said("rounding") if is_rounding else said("sum", sum=total))
