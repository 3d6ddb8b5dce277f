"""The linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

import functools
from pathlib import Path

from bokeh.models import CustomJS, LinearColorMapper, Range1d
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages import theme
from workbench.pages.drawing import Drawing
from workbench.pages.ranges import bands
from workbench.pages.saddle import SIDE
from workbench.pages.theme import stroke

TITLES = {
    "gap": "Duality gap",
    "objective": "Primal and dual",
    "weights": "Weights w = ∇h(v)",
    "duals": "Dual variables",
    "margins": "Dual variables against the margin",
    "terms": "Contributions to the gap",
    "saddle": "The saddle R(w, α)",
}
COLUMNS = {
    "curves": ("time", "primal", "dual", "gap"),
    "other": ("time", "gap"),
    "weights": ("place", "weight", "name"),
    "other_weights": ("place", "weight"),
    "duals": ("place", "value", "sample", "kind"),
    "other_duals": ("place", "value"),
    "margins": ("margin", "value", "sample", "kind"),
    "terms": ("place", "share", "sample", "kind", "dual_place", "dual"),
    "surface": ("image", "x", "y", "dw", "dh"),
    "valley": ("weight", "dual"),
    "ridge": ("weight", "dual"),
    "point": ("weight", "dual"),
    # The sample under the pointer, where it stands in each figure; the browser fills it.
    "lit": ("sample", "place", "value", "term_place", "share", "margin", "x", "y"),
}
# What a dual variable is: its colour and its marker.
KINDS = {"zero": ("muted", "dash"), "free": ("green", "circle"), "bound": ("purple", "square")}


# A tap in the figure of the dual variables, for whoever leaves out the sample there.
TAPPED = "document.dispatchEvent(new CustomEvent('wb-tap', { detail: cb_obj.x }))"


class DualLabFigures(Drawing):
    """The figures and their sources; the first two share their time axis.

    `plane` is the `PlaneFigure` of the same samples, where there is one.
    """

    columns, heights, plane = COLUMNS, (230, 0, 230), None

    def __init__(self, look=theme.LIGHT):
        self.time = Range1d(0, 1)
        super().__init__(look)
        self.sources["lit"].name = "lit"
        self._blank(SIDE)

    def _more(self):
        return {"mappers": {"heights": self.mapper}}

    @functools.cached_property
    def light(self):
        """What lights a sample in every figure that has it, in the browser."""
        code = Path(__file__).with_name("light.js").read_text(encoding="utf-8")
        named = {name: self.sources[name] for name in ("lit", "duals", "margins", "terms")}
        light = CustomJS(name="light", args=named, code=code)
        for name in ("duals", "margins", "terms"):
            self.sources[name].js_on_change("data", light)
        return light

    def _titles(self):
        one = keys(self.look)["one"]
        return {name: (title, one[name]) for name, title in TITLES.items()}

    def _gap(self):
        plot = self._plot(
            "gap",
            "epoch",
            "gap",
            [("gap", "@gap{0.00e+0}")],
            x_range=self.time,
            y_range=Range1d(1e-6, 1),
            y_axis_type="log",
        )
        look = self.look
        plot.line(
            "time", "gap", source=self.sources["other"], color=look.vermillion, width=look.line, dash="dashed"
        )
        plot.line("time", "gap", source=self.sources["curves"], color=look.blue, width=look.line)
        return plot

    def _objective(self):
        plot = self._plot(
            "objective",
            "epoch",
            "primal and dual bound",
            [("primal", "@primal{0.0000000}"), ("dual", "@dual{0.0000000}"), ("gap", "@gap{0.00e+0}")],
            x_range=self.time,
            y_range=Range1d(0, 1),
        )
        source, look = self.sources["curves"], self.look
        plot.varea("time", "dual", "primal", source=source, color=look.blue, alpha=0.12)
        plot.line("time", "primal", source=source, color=look.blue, width=look.line, tags=["primal"])
        plot.line(
            "time", "dual", source=source, color=look.green, width=look.line, dash="dotted", tags=["dual"]
        )
        return plot

    def _weights(self):
        plot = self._plot(
            "weights",
            "feature (hover for its name)",
            "weight",
            [("feature", "@name"), ("weight", "@weight{0.00000}")],
            x_range=Range1d(-1, 160),
            y_range=Range1d(-1, 1),
        )
        look = self.look
        plot.vbar("place", top="weight", source=self.sources["weights"], width=0.75, color=look.blue)
        plot.scatter(
            "place",
            "weight",
            source=self.sources["other_weights"],
            marker="dash",
            size=6,
            color=look.vermillion,
            line_width=2,
        )
        plot.xaxis.major_label_text_font_size = "0px"
        return plot

    def _duals(self):
        plot = self._plot(
            "duals",
            "sample, sorted",
            "dual variable",
            [("sample", "@sample"), ("value", "@value{0.0000}")],
            x_range=Range1d(-1, 2),
            y_range=Range1d(-0.1, 1.1),
        )
        self._scatter(plot, "value", "duals", lit="place")
        look = self.look
        plot.line(
            "place",
            "value",
            source=self.sources["other_duals"],
            color=look.vermillion,
            width=look.line,
            dash="dashed",
        )
        plot.js_on_event("tap", CustomJS(code=TAPPED))
        return plot

    def _margins(self):
        plot = self._plot(
            "margins",
            "margin y·f(x)",
            "dual variable",
            [("sample", "@sample"), ("margin", "@margin{0.0000}"), ("value", "@value{0.0000}")],
            x_range=Range1d(-1, 2),
            y_range=Range1d(-0.1, 1.1),
        )
        self._scatter(plot, "value", "margins", lit="margin", place="margin")
        return plot

    def _terms(self):
        plot = self._plot(
            "terms",
            "sample, the largest first",
            "share of the gap",
            [("sample", "@sample"), ("share", "@share{0.00e+0}"), ("dual variable", "@dual{0.0000}")],
            x_range=Range1d(0, 2),
            y_range=Range1d(1e-9, 1),
            y_axis_type="log",
        )
        self._scatter(plot, "share", "terms", lit="term_place")
        return plot

    def _scatter(self, plot, value, name, lit, place="place"):
        """The samples of a source; `lit` is the column that places the one under the pointer."""
        size = 5
        colours, markers = zip(*KINDS.values(), strict=True)
        drawn = plot.scatter(
            place,
            value,
            source=self.sources[name],
            size=size,
            color=factor_cmap("kind", [getattr(self.look, colour) for colour in colours], list(KINDS)),
            marker=factor_mark("kind", list(markers), list(KINDS)),
        )
        plot.scatter(
            lit,
            value,
            source=self.sources["lit"],
            size=3 * size,
            marker="circle",
            fill_color=None,
            line_color=self.look.ink,
            line_width=2.5,
        )
        plot.hover[0].update(renderers=[drawn], callback=self.light)

    def light_in(self, plot, hover, points):
        """Have the sample under the pointer lit in a figure of the samples as points, too.

        Parameters
        ----------
        plot : figure
        hover : HoverTool
            Of the points.
        points : ColumnDataSource
            With their x, y and sample.
        """
        plot.scatter(
            "x",
            "y",
            source=self.sources["lit"],
            size=22,
            marker="circle",
            fill_color=None,
            line_color=self.look.ink,
            line_width=2.5,
        )
        hover.callback = self.light
        self.light.args = self.light.args | {"points": points}
        points.js_on_change("data", self.light)

    def _saddle(self):
        plot = self._plot(
            "saddle",
            "weight",
            "dual variable",
            [("R here minus R at the current point", "@image{0.00e+0}")],
            x_range=Range1d(0, 1),
            y_range=Range1d(0, 1),
        )
        look = self.look
        self.mapper = LinearColorMapper(palette=bands(look), low=-1, high=1)
        plot.image("image", "x", "y", "dw", "dh", source=self.sources["surface"], color_mapper=self.mapper)
        ink = {"color": look.ink, "width": look.line}
        plot.line("weight", "dual", source=self.sources["valley"], **ink)
        plot.line("weight", "dual", source=self.sources["ridge"], dash="dashed", **ink)
        plot.scatter(
            "weight",
            "dual",
            source=self.sources["point"],
            size=12,
            marker="circle",
            fill_color=look.paper,
            line_color=look.ink,
            line_width=2.5,
        )
        plot.ygrid.grid_line_color = None
        return plot


def keys(look):
    """What the key beside each figure's title says: of one configuration, of both, and of a curve before."""
    second = stroke("dashed", look.vermillion, "B")
    both = stroke("solid", look.blue, "A") + second
    kinds = (
        stroke("solid", look.purple, "at the bound")
        + stroke("dotted", look.green, "free")
        + stroke("solid", look.muted, "zero")
    )
    one = {
        "gap": "",
        "objective": stroke("solid", look.blue, "primal") + stroke("dotted", look.green, "dual bound"),
        "weights": "",
        "duals": kinds,
        "margins": kinds,
        "terms": "",
        "saddle": stroke("solid", look.ink, "best w") + stroke("dashed", look.ink, "best α"),
    }
    now = stroke("solid", look.blue, "now")
    return {"one": one, "both": one | {"gap": both, "weights": both, "duals": kinds + second}, "now": now}
