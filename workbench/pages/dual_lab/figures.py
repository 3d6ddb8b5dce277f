"""The linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

import functools
from typing import ClassVar

from bokeh.models import CustomJS, LinearColorMapper
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages import theme
from workbench.pages.browser import bundle
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, image, line, ring
from workbench.pages.ranges import bands
from workbench.pages.saddle import SIDE
from workbench.pages.theme import stroke

# What a dual variable is: its colour and its marker.
KINDS = {"zero": ("muted", "dash"), "free": ("green", "circle"), "bound": ("purple", "square")}
KIND_KEY = (
    entry("solid", "purple", "at the bound"),
    entry("dotted", "green", "free"),
    entry("solid", "muted", "zero"),
)
# A tap in the figure of the dual variables, for whoever leaves out the sample there.
TAPPED = "document.dispatchEvent(new CustomEvent('wb-tap', { detail: cb_obj.x }))"
SIZE = 5


def _samples(source, place, value, lit):
    """The samples of a source; `lit` is the column that places the one under the pointer."""
    colours, markers = zip(*KINDS.values(), strict=True)
    return (
        dots(
            source,
            place,
            value,
            SIZE,
            color=lambda look: factor_cmap("kind", [getattr(look, name) for name in colours], list(KINDS)),
            marker=lambda look: factor_mark("kind", list(markers), list(KINDS)),
            tip=True,
        ),
        ring("lit", lit, value, 3 * SIZE, "ink", 2.5, marker="circle"),
    )


TABLE = {
    "gap": figure(
        "Duality gap",
        "epoch",
        "gap",
        line("other", "time", "gap", "vermillion", "dashed"),
        line("curves", "time", "gap", "blue"),
        tips=(("gap", "@gap{0.00e+0}"),),
        x_range=("time", 0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "objective": figure(
        "Primal and dual",
        "epoch",
        "primal and dual bound",
        glyph("varea", "curves", "time", "dual", "primal", color="blue", alpha=0.12),
        line("curves", "time", "primal", "blue", tags=["primal"], says="primal"),
        line("curves", "time", "dual", "green", "dotted", tags=["dual"], says="dual bound"),
        tips=(("primal", "@primal{0.0000000}"), ("dual", "@dual{0.0000000}"), ("gap", "@gap{0.00e+0}")),
        x_range=("time", 0, 1),
        y_range=(0, 1),
    ),
    "weights": figure(
        "Weights w = ∇h(v)",
        "feature (hover for its name)",
        "weight",
        glyph("vbar", "weights", "place", top="weight", width=0.75, color="blue"),
        dots("other_weights", "place", "weight", 6, marker="dash", color="vermillion", line_width=2),
        tips=(("feature", "@name"), ("weight", "@weight{0.00000}")),
        x_range=(-1, 160),
        y_range=(-1, 1),
    ),
    "duals": figure(
        "Dual variables",
        "sample, sorted",
        "dual variable",
        KIND_KEY,
        _samples("duals", "place", "value", lit="place"),
        line("other_duals", "place", "value", "vermillion", "dashed"),
        tips=(("sample", "@sample"), ("value", "@value{0.0000}")),
        x_range=(-1, 2),
        y_range=(-0.1, 1.1),
    ),
    "margins": figure(
        "Dual variables against the margin",
        "margin y·f(x)",
        "dual variable",
        KIND_KEY,
        _samples("margins", "margin", "value", lit="margin"),
        tips=(("sample", "@sample"), ("margin", "@margin{0.0000}"), ("value", "@value{0.0000}")),
        x_range=(-1, 2),
        y_range=(-0.1, 1.1),
    ),
    "terms": figure(
        "Contributions to the gap",
        "sample, the largest first",
        "share of the gap",
        _samples("terms", "place", "share", lit="term_place"),
        tips=(("sample", "@sample"), ("share", "@share{0.00e+0}"), ("dual variable", "@dual{0.0000}")),
        x_range=(0, 2),
        y_range=(1e-9, 1),
        y_axis_type="log",
    ),
    "saddle": figure(
        "The saddle R(w, α)",
        "weight",
        "dual variable",
        image(
            "surface",
            SIDE,
            lambda look: LinearColorMapper(palette=bands(look), low=-1, high=1),
            part="surface",
        ),
        line("valley", "weight", "dual", "ink", says="best w"),
        line("ridge", "weight", "dual", "ink", "dashed", says="best α"),
        dots(
            "point",
            "weight",
            "dual",
            12,
            marker="circle",
            fill_color="paper",
            line_color="ink",
            line_width=2.5,
        ),
        tips=(("R here minus R at the current point", "@image{0.00e+0}"),),
        grid=False,
        x_range=(0, 1),
        y_range=(0, 1),
    ),
}


class DualLabFigures(Drawing):
    """The figures and their sources; the first two share their time axis.

    `plane` is the `PlaneFigure` of the same samples, where there is one.
    """

    table, plane, heights = TABLE, None, (230, 0, 230)
    columns: ClassVar = {
        "weights": ("weight", "name"),
        "duals": ("sample", "kind"),
        "margins": ("sample", "kind"),
        "terms": ("sample", "kind", "dual_place", "dual"),
        # The sample under the pointer, where it stands in each figure; the browser fills it.
        "lit": ("sample", "x", "y"),
    }

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        self.sources["lit"].name = "lit"
        for name in ("duals", "margins", "terms"):
            self.figures[name].hover[0].callback = self.light
        self.figures["duals"].js_on_event("tap", CustomJS(code=TAPPED))
        self.figures["weights"].xaxis.major_label_text_font_size = "0px"

    def _more(self):
        return {"mappers": {"heights": self.parts["surface"].glyph.color_mapper}}

    @functools.cached_property
    def light(self):
        """What lights a sample in every figure that has it, in the browser."""
        sources = {name: self.sources[name] for name in ("lit", "duals", "margins", "terms")}
        light = CustomJS(name="light", args=sources, code=bundle("dual_lab_light"), module=True)
        for name in ("duals", "margins", "terms"):
            self.sources[name].js_on_change("data", light)
        return light

    def light_in(self, plot, points):
        """Have the sample under the pointer lit in a figure of the samples as points, too.

        Parameters
        ----------
        plot : figure
            With one `HoverTool`, of the points.
        points : ColumnDataSource
            With their x, y and sample.
        """
        self._add(plot, ring("lit", "x", "y", 22, "ink", 2.5, marker="circle"))
        plot.hover[0].callback = self.light
        self.light.args = self.light.args | {"points": points}
        points.js_on_change("data", self.light)

    def keys(self):
        """What the key of each figure says: of one configuration, of both, and of a curve before."""
        one = {name: key for name, (_, key) in self.titles.items()}
        second = stroke("dashed", self.look.vermillion, "B")
        both = stroke("solid", self.look.blue, "A") + second
        now = stroke("solid", self.look.blue, "now")
        return {
            "one": one,
            "both": one | {"gap": both, "weights": both, "duals": one["duals"] + second},
            "now": now,
        }
