"""The linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

from pathlib import Path

import numpy as np
from bokeh.models import ColumnDataSource, CustomJS, HoverTool, LinearColorMapper, Range1d
from bokeh.plotting import figure
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages import theme
from workbench.pages.dual_lab.captions import captions
from workbench.pages.filled import Filled
from workbench.pages.ranges import around, bands, decades, objective_range, positive, set_range, thinned
from workbench.pages.saddle import SIDE

# What the symbols of the formulas are called in the figures.
LIT = {"P(w)": "primal", r"D(\alpha)": "dual"}
NAMES = ("gap", "objective", "weights", "duals", "terms", "saddle")
COLUMNS = {
    "curves": ("time", "primal", "dual", "gap"),
    "other": ("time", "gap"),
    "weights": ("place", "weight", "name"),
    "other_weights": ("place", "weight"),
    "duals": ("place", "value", "sample", "kind"),
    "other_duals": ("place", "value"),
    "terms": ("place", "share", "sample", "kind", "dual_place", "dual"),
    "surface": ("image", "x", "y", "dw", "dh"),
    "valley": ("weight", "dual"),
    "ridge": ("weight", "dual"),
    "point": ("weight", "dual"),
    # The sample under the pointer, where it stands in each figure; the browser fills it.
    "lit": ("sample", "place", "value", "term_place", "share", "x", "y"),
}
# The ranges that a frame moves, by figure and axis, and the axes whose labels it changes.
RANGES = (
    "gap_y", "objective_y", "weights_x", "weights_y", "duals_x", "duals_y", "terms_x", "terms_y", "saddle_x",
    "saddle_y",
)  # fmt: skip
AXES = ("gap_x", "objective_x", "duals_y", "saddle_x", "saddle_y")
# What a dual variable is: its colour and its marker.
KINDS = {"zero": ("muted", "dash"), "free": ("green", "circle"), "bound": ("purple", "square")}


class DualLabFigures:
    """The figures, their data sources and the text line under each.

    Parameters
    ----------
    look : theme.Look
    height : int
        In pixels.

    Attributes
    ----------
    figures : dict of str to figure
        By `NAMES`; the first two share their time axis.
    """

    def __init__(self, look=theme.LIGHT, height=230):
        self.look, self.height = look, round(height * look.scale)
        self.sources = {
            name: ColumnDataSource({column: [] for column in columns}) for name, columns in COLUMNS.items()
        }
        self.sources["lit"].name = "lit"
        self.time = Range1d(0, 1)
        self.light = _light(self.sources)
        self.figures = {name: getattr(self, f"_{name}")() for name in NAMES}
        self.filled = Filled(self._filled(), self.figures.values(), kept=("lit",))

    def _filled(self):
        """The models that a frame fills, by kind and name."""
        ranges, axes = {"time": self.time}, {}
        for place in RANGES:
            name, _, side = place.rpartition("_")
            ranges[place] = getattr(self.figures[name], f"{side}_range")
        for place in AXES:
            name, _, side = place.rpartition("_")
            axes[place] = getattr(self.figures[name], f"{side}axis")[0]
        return {
            "sources": self.sources, "ranges": ranges, "axes": axes, "mappers": {"heights": self.heights},
        }  # fmt: skip

    def lend(self):
        """Prepare the figures for frames that the browser draws, which have no second configuration."""
        for name in ("other", "other_weights", "other_duals"):
            self._fill(name, None)
        self.filled.blank(SIDE)

    def _base(self, name, x_label, y_label, tooltips, **options):
        plot = figure(
            height=self.height, sizing_mode="stretch_width", tools="", toolbar_location=None, name=name,
            x_axis_label=x_label, y_axis_label=y_label, min_border_right=14, **options,
        )  # fmt: skip
        small = {f"@{column}": "printf" for column in ("gap", "share", "image")}
        plot.add_tools(HoverTool(tooltips=tooltips, formatters=small, mode="mouse", visible=False))
        theme.style_figure(plot, self.look)
        return plot

    def _gap(self):
        plot = self._base(
            "gap", "epoch", "gap", [("gap", "@gap{%.2e}")],
            x_range=self.time, y_range=Range1d(1e-6, 1), y_axis_type="log",
        )  # fmt: skip
        look = self.look
        plot.line(
            "time", "gap", source=self.sources["other"], color=look.vermillion, width=look.line, dash="dashed"
        )
        plot.line("time", "gap", source=self.sources["curves"], color=look.blue, width=look.line)
        return plot

    def _objective(self):
        plot = self._base(
            "objective", "epoch", "primal and dual bound",
            [("primal", "@primal{0.0000000}"), ("dual", "@dual{0.0000000}"), ("gap", "@gap{%.2e}")],
            x_range=self.time, y_range=Range1d(0, 1),
        )  # fmt: skip
        source, look = self.sources["curves"], self.look
        plot.varea("time", "dual", "primal", source=source, color=look.blue, alpha=0.12)
        plot.line("time", "primal", source=source, color=look.blue, width=look.line, tags=["primal"])
        plot.line(
            "time", "dual", source=source, color=look.green, width=look.line, dash="dotted", tags=["dual"]
        )
        return plot

    def _weights(self):
        plot = self._base(
            "weights", "feature (hover for its name)", "weight",
            [("feature", "@name"), ("weight", "@weight{0.00000}")],
            x_range=Range1d(-1, 160), y_range=Range1d(-1, 1),
        )  # fmt: skip
        look = self.look
        plot.vbar("place", top="weight", source=self.sources["weights"], width=0.75, color=look.blue)
        plot.scatter(
            "place", "weight", source=self.sources["other_weights"], marker="dash", size=6 * look.scale,
            color=look.vermillion, line_width=2,
        )  # fmt: skip
        plot.xaxis.major_label_text_font_size = "0px"
        return plot

    def _duals(self):
        plot = self._base(
            "duals", "sample, sorted", "dual variable",
            [("sample", "@sample"), ("value", "@value{0.0000}")],
            x_range=Range1d(-1, 2), y_range=Range1d(-0.1, 1.1),
        )  # fmt: skip
        self._scatter(plot, "place", "value", "duals")
        look = self.look
        plot.line(
            "place",
            "value",
            source=self.sources["other_duals"],
            color=look.vermillion,
            width=look.line,
            dash="dashed",
        )
        return plot

    def _terms(self):
        plot = self._base(
            "terms", "sample, the largest first", "share of the gap",
            [("sample", "@sample"), ("share", "@share{%.2e}"), ("dual variable", "@dual{0.0000}")],
            x_range=Range1d(0, 2), y_range=Range1d(1e-9, 1), y_axis_type="log",
        )  # fmt: skip
        self._scatter(plot, "term_place", "share", "terms")
        return plot

    def _scatter(self, plot, lit_place, value, name):
        size = 5 * self.look.scale
        colours, markers = zip(*KINDS.values(), strict=True)
        drawn = plot.scatter(
            "place", value, source=self.sources[name], size=size,
            color=factor_cmap("kind", [getattr(self.look, colour) for colour in colours], list(KINDS)),
            marker=factor_mark("kind", list(markers), list(KINDS)),
        )  # fmt: skip
        plot.scatter(
            lit_place, value, source=self.sources["lit"], size=3 * size, marker="circle", fill_color=None,
            line_color=self.look.ink, line_width=2.5,
        )  # fmt: skip
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
            "x", "y", source=self.sources["lit"], size=22 * self.look.scale, marker="circle", fill_color=None,
            line_color=self.look.ink, line_width=2.5,
        )  # fmt: skip
        hover.callback = self.light
        self.light.args = self.light.args | {"points": points}
        points.js_on_change("data", self.light)

    def _saddle(self):
        plot = self._base(
            "saddle", "weight", "dual variable", [("R here minus R at the current point", "@image{%.2e}")],
            x_range=Range1d(0, 1), y_range=Range1d(0, 1),
        )  # fmt: skip
        look = self.look
        self.heights = LinearColorMapper(palette=bands(look), low=-1, high=1)
        plot.image("image", "x", "y", "dw", "dh", source=self.sources["surface"], color_mapper=self.heights)
        ink = {"color": look.ink, "width": look.line}
        plot.line("weight", "dual", source=self.sources["valley"], **ink)
        plot.line("weight", "dual", source=self.sources["ridge"], dash="dashed", **ink)
        plot.scatter(
            "weight", "dual", source=self.sources["point"], size=12 * look.scale, marker="circle",
            fill_color=look.paper, line_color=look.ink, line_width=2.5,
        )  # fmt: skip
        plot.ygrid.grid_line_color = None
        return plot

    def show(self, frame):
        """Fill every source from a snapshot and return the text line of each figure."""
        self._show_curves(frame)
        self._show_states(frame)
        if frame["saddle"] is not None:
            self._show_saddle(frame["saddle"])
        return captions(frame)

    def _show_states(self, frame):
        weights, duals, terms, other = (frame[name] for name in ("weights", "duals", "terms", "other"))
        drawn = [weights["weight"]] + ([other["weights"]] if other else [])
        self.sources["weights"].data = weights
        self._points("duals", duals)
        self._points("terms", terms)
        self._fill(
            "other_weights", {"place": weights["place"], "weight": other["weights"]} if other else None
        )
        self._fill("other_duals", {"place": other["place"], "value": other["value"]} if other else None)
        around(self.figures["weights"].y_range, np.concatenate(drawn), 0.08, zero=True)
        set_range(self.figures["weights"].x_range, -1.0, float(len(weights["name"])))
        values = np.concatenate([duals["value"], other["value"]]) if other else duals["value"]
        around(self.figures["duals"].y_range, values, 0.1, zero=True)
        set_range(self.figures["duals"].x_range, -0.02 * frame["n"] - 1, 1.02 * frame["n"])
        label = "α·y" if duals["margin"] else "α"
        if self.figures["duals"].yaxis[0].axis_label != label:
            self.figures["duals"].yaxis[0].axis_label = label
        if len(terms["share"]):
            count = len(terms["share"])
            set_range(self.figures["terms"].x_range, -0.02 * count, 1.02 * count + 1.0)
            decades(self.figures["terms"].y_range, terms["share"], 6, least=3)

    def _points(self, name, points):
        self.sources[name].data = {column: points[column] for column in COLUMNS[name]}

    def _fill(self, name, columns):
        """Fill a source of the second configuration; an empty one is not sent again and again."""
        if columns is not None:
            self.sources[name].data = columns
        elif len(self.sources[name].data[COLUMNS[name][0]]):
            self.sources[name].data = {column: [] for column in COLUMNS[name]}

    def _show_curves(self, frame):
        curves, other = frame["curves"], frame["other"]
        # The first epoch is looked at step by step.
        unit = "step" if curves["epoch"][-1] < 1.0 else "epoch"
        columns = _drawn(curves, unit)
        self.sources["curves"].data = columns
        second = _drawn(other["curves"], unit) if other else None
        self._fill("other", second and {"time": second["time"], "gap": second["gap"]})
        last = max(float(each["time"][-1]) for each in (columns, second) if each)
        set_range(self.time, 0.0, 1.01 * last or 1.0)
        for name in ("gap", "objective"):
            if self.figures[name].xaxis[0].axis_label != unit:
                self.figures[name].xaxis[0].axis_label = unit
        gaps = np.concatenate([each["gap"] for each in (columns, second) if each])
        # Five decades from the start, so that the axis stands still while the gap closes.
        decades(self.figures["gap"].y_range, gaps[np.isfinite(gaps)], 12, least=5)
        objective_range(self.figures["objective"].y_range, columns["primal"], columns["dual"])

    def _show_saddle(self, picture):
        weight, dual, surface = picture["weight"], picture["dual"], picture["surface"]
        self.sources["surface"].data = {
            "image": [surface.astype(np.float32)], "x": [weight[0]], "y": [dual[0]],
            "dw": [weight[-1] - weight[0]], "dh": [dual[-1] - dual[0]],
        }  # fmt: skip
        finite = np.abs(surface[np.isfinite(surface)])
        height = float(np.quantile(finite, 0.8)) if finite.size else 1.0
        self.heights.update(low=-height or -1.0, high=height or 1.0)
        self.sources["valley"].data = {"weight": picture["valley"], "dual": dual}
        self.sources["ridge"].data = {"weight": weight, "dual": picture["ridge"]}
        self.sources["point"].data = {"weight": [picture["point"][0]], "dual": [picture["point"][1]]}
        plot = self.figures["saddle"]
        set_range(plot.x_range, float(weight[0]), float(weight[-1]))
        set_range(plot.y_range, float(dual[0]), float(dual[-1]))
        plot.xaxis[0].axis_label = f"weight of “{picture['name']}”"
        plot.yaxis[0].axis_label = f"α of sample {picture['sample']:,}"


def _light(sources):
    """What lights a sample in every figure that has it, in the browser."""
    code = Path(__file__).with_name("light.js").read_text(encoding="utf-8")
    named = {name: sources[name] for name in ("lit", "duals", "terms")}
    light = CustomJS(name="light", args=named, code=code)
    for name in ("duals", "terms"):
        sources[name].js_on_change("data", light)
    return light


def _drawn(curves, unit):
    """The curves as drawn: at most so many points, what is not finite or not positive left out."""
    kept = thinned(len(curves[unit]))
    finite = {
        name: np.where(np.isfinite(curves[name][kept]), curves[name][kept], np.nan)
        for name in ("primal", "dual")
    }
    return finite | {"time": curves[unit][kept], "gap": positive(curves["gap"][kept])}

