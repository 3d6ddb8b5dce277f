"""The figures of the page on SVM gaps: the plane, G over the bias, the bounds by step, the duals."""

from bokeh.models import HoverTool, LinearColorMapper, Range1d

from workbench.data.examples.plane import HALF_WIDTH
from workbench.pages.browser import HANDLE
from workbench.pages.drawing import Drawing
from workbench.pages.plane import MARKERS
from workbench.pages.ranges import bands
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
# The picture of f + b has so many places along each side.
GRID = 61
HEIGHTS = (260, 20, 400)


class SvmDrawing(Drawing):
    """The figures of the page, which the browser fills."""

    columns, heights = COLUMNS, HEIGHTS

    def __init__(self, look=LIGHT):
        super().__init__(look)
        self._blank(GRID)

    def _titles(self):
        look = self.look
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
                stroke("dotted", look.purple, "cheapest bound", "List et al. (2007), Lemma 8")
                + stroke("dashed", look.green, "cheaper bound", "List et al. (2007), Remark 1")
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
        look, size = self.look, 10
        mapper = LinearColorMapper(palette=bands(look), low=-3.0, high=3.0)
        drawn.image(
            "image", "x", "y", "dw", "dh", source=self.sources["surface"], color_mapper=mapper, alpha=0.55
        )
        drawn.multi_line(
            "xs", "ys", source=self.sources["lines"], color=look.ink, line_width="width", line_dash="dash"
        )
        drawn.line("x", "y", source=self.sources["pair"], color=look.vermillion, width=look.line)
        points = drawn.scatter(
            "x",
            "y",
            source=self.sources["points"],
            size=size,
            marker="marker",
            fill_color="fill",
            line_color="edge",
            line_width=1.8,
            tags=HANDLE,
        )
        self.points = points
        for name, width, colour in (("pair", 3.0, look.vermillion), ("next", 1.6, look.ink)):
            drawn.scatter(
                "x",
                "y",
                source=self.sources[name],
                size=1.9 * size,
                marker="circle",
                fill_color=None,
                line_color=colour,
                line_width=width,
            )
        tips = [("sample", "@sample"), ("label", "@label"), ("a", "@a{0.0000}"), ("", "@kind")]
        drawn.add_tools(HoverTool(tooltips=tips, renderers=[points], visible=False))
        return drawn

    def _bias(self):
        tooltips = [("b", "@b{0.0000}"), ("G", "@value{0.0000e+0}")]
        drawn = self._plot("bias", "bias b", "G at this bias", tooltips)
        look = self.look
        drawn.line("b", "value", source=self.sources["curve"], color=look.blue, width=look.line)
        drawn.scatter(
            "b",
            "value",
            source=self.sources["breaks"],
            size=5,
            marker="circle",
            fill_color=look.paper,
            line_color=look.blue,
        )
        for name, dash, colour in (("top", "dashed", look.vermillion), ("bottom", "dotted", look.green)):
            style = {"color": colour, "width": look.line, "dash": dash, "tags": [name]}
            drawn.line("b", "value", source=self.sources[name], **style)
        drawn.scatter(
            "b",
            "value",
            source=self.sources["least"],
            size=11,
            marker="diamond",
            fill_color=look.ink,
            line_color=look.paper,
        )
        return drawn

    def _bounds(self):
        drawn = self._plot(
            "bounds",
            "pair step",
            "distance from the optimum",
            [("step", "@step"), ("G(a)", "@gap{0.00e+0}"), ("cheaper bound", "@remark_1{0.00e+0}")],
            y_axis_type="log",
            x_range=Range1d(0, 1),
            y_range=Range1d(1e-6, 1),
        )
        look, source = self.look, self.sources["bounds"]
        for name, dash, colour in (
            ("lemma_8", "dotted", look.purple),
            ("remark_1", "dashed", look.green),
            ("gap", "solid", look.blue),
            ("primal", "dotted", look.vermillion),
            ("dual", "dashed", look.orange),
            ("violation", "solid", look.muted),
        ):
            tags = ["top", "bottom"] if name == "violation" else [name]  # their difference
            drawn.line("step", name, source=source, color=colour, width=look.line, dash=dash, tags=tags)
        return drawn

    def _pair_duals(self):
        drawn = self._plot(
            "pair_duals", "sample", "a, between 0 and C", [("sample", "@sample"), ("a", "@a{0.0000}")]
        )
        drawn.scatter(
            "place",
            "a",
            source=self.sources["duals"],
            size=7,
            marker="marker",
            fill_color="fill",
            line_color="edge",
        )
        return drawn

    def colours(self):
        """How a point is filled, by its kind, and drawn around, by its class."""
        look = self.look
        return {
            "zero": look.paper,
            "free": look.green,
            "bound": look.purple,
            "up": look.orange,
            "down": look.blue,
        }

    def looks(self):
        """What the browser draws by."""
        return {
            "half_width": HALF_WIDTH,
            "colours": self.colours(),
            "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]},
        }
