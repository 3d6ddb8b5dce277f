"""The figures of the page on SVM gaps: the plane, G over the bias, the bounds by step, the duals."""

from typing import ClassVar

from bokeh.models import LinearColorMapper

from workbench.data.examples.plane import HALF_WIDTH
from workbench.pages.browser import HANDLE
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, image, line, ring
from workbench.pages.plane import MARKERS
from workbench.pages.ranges import bands
from workbench.pages.theme import LIGHT

# Number of places of the picture of f + b along each side.
GRID = 61
SIZE = 10
SAMPLES = {"marker": "marker", "fill_color": "fill", "line_color": "edge"}
TABLE = {
    "plane": figure(
        "The plane and its boundary",
        "x₁ →   x₂ ↑",
        "",
        image(
            "surface",
            GRID,
            lambda look: LinearColorMapper(palette=bands(look), low=-3.0, high=3.0),
            alpha=0.55,
        ),
        entry("solid", "ink", "f + b = 0"),
        entry("dashed", "ink", "±1"),
        glyph("multi_line", "lines", "xs", "ys", color="ink", line_width="width", line_dash="dash"),
        line("pair", "x", "y", "vermillion", says="last pair, ○ the next"),
        # Below the points, so that no ring covers one.
        ring("pair", "x", "y", 2.2 * SIZE, "vermillion", 2.4),
        ring("next", "x", "y", 1.7 * SIZE, "ink", 1.6),
        ring("touched", "x", "y", 2.6 * SIZE, "ink", 1.2, line_dash="dotted"),
        dots("points", "x", "y", SIZE, **SAMPLES, line_width=1.8, tags=HANDLE, part="points", tip=True),
        tips=(("sample", "@sample"), ("label", "@label"), ("a", "@a{0.0000}"), ("", "@kind")),
        square=True,
        grid=False,
        heights=(300, 28, 420),
    ),
    "bias": figure(
        "G over the bias",
        "bias b",
        "G at this bias",
        line("curve", "b", "value", "blue", says="G, ○ breakpoints, ◆ minimum"),
        dots("breaks", "b", "value", 5, marker="circle", fill_color="paper", line_color="blue"),
        line("top", "b", "value", "vermillion", "dashed", tags=["top"], says="−t̂"),
        line("bottom", "b", "value", "green", "dotted", tags=["bottom"], says="−b̂"),
        dots("least", "b", "value", 11, marker="diamond", fill_color="ink", line_color="paper"),
        tips=(("b", "@b{0.0000}"), ("G", "@value{0.0000e+0}")),
        grid=False,
    ),
    "bounds": figure(
        "What the gap guarantees",
        "pair step",
        "distance",
        *(
            line("bounds", "step", name, colour, dash, says=says, tags=tags)
            for name, dash, colour, tags, says in (
                (
                    "lemma_8",
                    "dotted",
                    "purple",
                    ["lemma_8"],
                    ("cheapest", "List et al. (2007), Lemma 8"),
                ),
                (
                    "remark_1",
                    "dashed",
                    "green",
                    ["remark_1"],
                    ("cheaper", "List et al. (2007), Remark 1"),
                ),
                ("gap", "solid", "blue", ["gap"], "G(a)"),
                ("primal", "dotted", "vermillion", ["primal"], "true, primal"),
                ("dual", "dashed", "orange", ["dual"], "true, dual"),
                ("violation", "solid", "muted", ["top", "bottom"], "t̂ − b̂"),  # their difference
            )
        ),
        glyph("vbar", "bars", "x", top="top", bottom="bottom", width=0.24, fill_color="fill", line_width=0),
        glyph(
            "text",
            "bars",
            "x",
            "top",
            text="text",
            text_align="center",
            text_baseline="bottom",
            text_color="ink",
            text_font_size="13px",
        ),
        tips=(("step", "@step"), ("G(a)", "@gap{0.00e+0}"), ("cheaper bound", "@remark_1{0.00e+0}")),
        grid=False,
        y_axis_type="log",
        x_range=(0, 1),
        y_range=(1e-6, 1),
    ),
    "pair_duals": figure(
        "Dual variables",
        "sample",
        "a",
        entry("solid", "green", "filled: free"),
        entry("solid", "purple", "at C"),
        dots("duals", "place", "a", 7, **SAMPLES),
        tips=(("sample", "@sample"), ("a", "@a{0.0000}")),
        grid=False,
    ),
}


class SvmDrawing(Drawing):
    """The figures of the page, which the browser fills."""

    table, heights = TABLE, (150, 12, 230)
    columns: ClassVar = {
        "points": ("label", "a", "kind", "fill", "edge", "marker", "sample"),
        "lines": ("width", "dash"),
        "bars": ("bottom", "top", "fill", "text"),
        "duals": ("fill", "edge", "marker", "sample"),
    }

    def __init__(self, look=LIGHT):
        super().__init__(look)
        self.points, plane = self.parts["points"], self.figures["plane"]
        self._look_at(*2 * [(-HALF_WIDTH, HALF_WIDTH)])
        # The axes frame the picture, which stands in the middle of a card that is wider.
        plane.axis.bounds = (-HALF_WIDTH, HALF_WIDTH)
        plane.yaxis.fixed_location = -HALF_WIDTH
        plane.yaxis.ticker = [-2, -1, 0, 1, 2]  # the frame would cut off what stands at its ends


def looks(look=LIGHT):
    """Return what the page's script draws points and bars with."""
    colours = {
        "zero": look.paper,
        "free": look.green,
        "bound": look.purple,
        "up": look.orange,
        "down": look.blue,
        "gap": look.blue,
        "remark_1": look.green,
        "lemma_8": look.purple,
    }
    return {"colours": colours, "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]}}
