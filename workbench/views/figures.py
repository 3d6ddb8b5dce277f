"""The four linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

import math

import numpy as np
from bokeh.models import ColumnDataSource, HoverTool, LinearAxis, LogAxis, LogScale, Range1d
from bokeh.plotting import figure

from workbench.views.theme import BLUE, FONT, GREEN, MUTED, PURPLE, RULE, VERMILLION

KIND_COLOURS = {"zero": "#7a8694", "free": GREEN, "bound": PURPLE}
KIND_MARKERS = {"zero": "dash", "free": "circle", "bound": "square"}
SIGN_COLOURS = {"plus": BLUE, "minus": VERMILLION}


class DualLabFigures:
    """The figures, their data sources and the text line under each.

    Attributes
    ----------
    figures : dict of str to figure
        "objective", "weights", "duals" and "accuracy"; the first and the last share their time axis.
    """

    def __init__(self, height=225):
        empty = {"time": [], "primal": [], "dual": [], "gap": [], "test_score": []}
        self.curves = ColumnDataSource(empty)
        self.weights = ColumnDataSource({"place": [], "weight": [], "name": [], "colour": []})
        self.duals = ColumnDataSource({"place": [], "value": [], "sample": [], "colour": [], "marker": []})
        self.time = Range1d(0, 1)
        self.figures = {
            "objective": self._objective(height),
            "weights": self._weights(height),
            "duals": self._duals(height),
            "accuracy": self._accuracy(height),
        }

    def _base(self, title, height, x_label, y_label, **options):
        plot = figure(
            height=height, sizing_mode="stretch_width", tools="", toolbar_location=None,
            x_axis_label=x_label, y_axis_label=y_label, min_border_right=12, **options,
        )  # fmt: skip
        plot.add_tools(HoverTool(tooltips=[], mode="mouse", visible=False))
        plot.name = title
        plot.outline_line_color = None
        plot.xgrid.grid_line_color = None
        plot.ygrid.grid_line_color = RULE
        for axis in plot.axis:
            _style_axis(axis)
        return plot

    def _objective(self, height):
        plot = self._base(
            "objective", height, "epoch", "primal and dual bound", x_range=self.time, y_range=Range1d(0, 1)
        )
        plot.extra_y_scales = {"gap": LogScale()}
        plot.extra_y_ranges = {"gap": Range1d(1e-6, 1)}
        axis = LogAxis(y_range_name="gap", axis_label="gap")
        _style_axis(axis, VERMILLION)
        plot.add_layout(axis, "right")
        plot.varea("time", "dual", "primal", source=self.curves, color=BLUE, alpha=0.10)
        plot.line("time", "primal", source=self.curves, color=BLUE, width=2.2)
        plot.line(
            "time",
            "dual",
            source=self.curves,
            color=GREEN,
            width=2.2,
            dash="dotted",
        )
        plot.line(
            "time", "gap", source=self.curves, color=VERMILLION, width=2.2, dash="dashed",
            y_range_name="gap",
        )  # fmt: skip
        plot.hover.tooltips = [
            ("epoch or step", "@time{0.##}"),
            ("primal", "@primal{0.0000000}"),
            ("dual", "@dual{0.0000000}"),
            ("gap", "@gap{0.00e+0}"),
        ]
        return plot

    def _accuracy(self, height):
        plot = self._base(
            "accuracy", height, "epoch", "test accuracy, %", x_range=self.time, y_range=Range1d(50, 100)
        )
        plot.line("time", "test_score", source=self.curves, color=PURPLE, width=2.2, dash="dashdot")
        plot.scatter("time", "test_score", source=self.curves, color=PURPLE, size=4)
        plot.hover.tooltips = [("epoch or step", "@time{0.##}"), ("accuracy", "@test_score{0.00} %")]
        return plot

    def _weights(self, height):
        plot = self._base(
            "weights",
            height,
            "feature (the largest; hover names it)",
            "weight",
            x_range=Range1d(-1, 160),
            y_range=Range1d(-1, 1),
        )
        plot.vbar("place", top="weight", source=self.weights, width=0.75, color="colour")
        plot.xaxis.major_label_text_font_size = "0px"
        plot.xaxis.major_tick_line_color = plot.xaxis.minor_tick_line_color = None
        plot.hover.tooltips = [("feature", "@name"), ("weight", "@weight{0.00000}")]
        return plot

    def _duals(self, height):
        plot = self._base(
            "duals",
            height,
            "sample, sorted",
            "dual variable",
            x_range=Range1d(-1, 2),
            y_range=Range1d(-0.1, 1.1),
        )
        plot.scatter("place", "value", source=self.duals, size=5, color="colour", marker="marker")
        plot.hover.tooltips = [("sample", "@sample"), ("value", "@value{0.0000}")]
        return plot

    def show(self, frame):
        """Fill every source from a snapshot and return the text line of each figure."""
        self._show_curves(frame)
        weights, duals = frame["weights"], frame["duals"]
        self.weights.data = {
            "place": weights["place"], "weight": weights["weight"], "name": weights["name"],
            "colour": [SIGN_COLOURS[sign] for sign in weights["sign"]],
        }  # fmt: skip
        self.duals.data = {
            "place": duals["place"], "value": duals["value"], "sample": duals["sample"],
            "colour": [KIND_COLOURS[kind] for kind in duals["kind"]],
            "marker": [KIND_MARKERS[kind] for kind in duals["kind"]],
        }  # fmt: skip
        _around(self.figures["weights"].y_range, weights["weight"], 0.08, zero=True)
        _set(self.figures["weights"].x_range, -1.0, float(len(weights["name"])))
        _around(self.figures["duals"].y_range, duals["value"], 0.1, zero=True)
        _set(self.figures["duals"].x_range, -0.02 * frame["n"] - 1, 1.02 * frame["n"])
        self.figures["duals"].yaxis.axis_label = "α·y" if duals["margin"] else "α"
        return captions(frame)

    def _show_curves(self, frame):
        curves = frame["curves"]
        gap = np.where(curves["gap"] > 0.0, curves["gap"], np.nan)
        columns = {name: _finite(curves[name]) for name in ("primal", "dual")}
        # The first epoch is looked at step by step.
        unit = "step" if curves["epoch"][-1] < 1.0 else "epoch"
        self.curves.data = columns | {
            "time": curves[unit], "gap": _finite(gap), "test_score": 100.0 * curves["test_score"]
        }  # fmt: skip
        _set(self.time, 0.0, 1.01 * float(curves[unit][-1]) or 1.0)
        objective = self.figures["objective"]
        for name in ("objective", "accuracy"):
            self.figures[name].xaxis.axis_label = unit
        # A first primal far above the rest would press both curves flat against the axis.
        primal, dual = columns["primal"], columns["dual"]
        settled = np.nanmax(primal[len(primal) // 3 :])
        top = min(np.nanmax(primal), settled + 2.0 * max(settled - np.nanmax(dual), 0.5 * abs(settled)))
        bottom = max(np.nanmin(dual), top - 3.0 * max(top - np.nanmax(dual), abs(top)))
        _around(objective.y_range, np.array([bottom, top]), 0.06)
        positive = gap[np.isfinite(gap)]
        if positive.size:
            _set(
                objective.extra_y_ranges["gap"],
                10.0 ** math.floor(math.log10(positive.min())),
                2.0 * positive.max(),
            )
        score = self.curves.data["test_score"]
        if np.isfinite(score).any():
            low = np.nanmin(score[1:]) if len(score) > 2 else np.nanmin(score)
            _set(self.figures["accuracy"].y_range, max(-5.0, math.floor(low - 2.0)), 101.0)


def elapsed(row):
    """How far a run has come, in steps within its first epoch and in epochs later."""
    return f"{row['step']:,} steps" if row["epoch"] < 1.0 else f"{row['epoch']:.4g} epochs"


def captions(frame):
    """A sentence with the present numbers, for each figure."""
    row, duals = frame["row"], frame["duals"]
    return {
        "objective": f"After {elapsed(row)} the optimum lies between {row['dual']:.6g} and "
        f"{row['primal']:.6g}: a gap of {row['gap']:.2e}.",
        "weights": f"{row['nonzeros']:,} of {frame['d']:,} weights are not zero; "
        f"the {len(frame['weights']['name'])} largest are drawn.",
        "duals": f"{row['support']:,} of {frame['n']:,} samples carry the solution: "
        f"{duals['bound']:,} at their bound, {duals['free']:,} free.",
        "accuracy": f"{100.0 * row['test_score']:.2f} % of the test samples are classified rightly.",
    }


def _finite(values):
    return np.where(np.isfinite(values), values, np.nan)


def _set(bounds, start, end):
    if (bounds.start, bounds.end) != (start, end):
        bounds.update(start=start, end=end)


def _around(bounds, values, margin, zero=False):
    """Set a range around the values, with zero in it where wanted."""
    low, high = float(np.min(values)), float(np.max(values))
    if zero:
        low, high = min(low, 0.0), max(high, 0.0)
    spread = (high - low) or max(abs(high), 1.0)
    _set(bounds, low - margin * spread, high + margin * spread)


def _style_axis(axis, colour=MUTED):
    axis.axis_label_text_font = axis.major_label_text_font = FONT
    axis.axis_label_text_font_style = "normal"
    axis.axis_label_text_font_size = axis.major_label_text_font_size = "12px"
    axis.axis_label_text_color = axis.major_label_text_color = colour
    axis.axis_line_color = RULE
    axis.major_tick_line_color = axis.minor_tick_line_color = None
    axis.axis_label_standoff = 4
    if isinstance(axis, LinearAxis) and axis.ticker is not None:
        axis.ticker.desired_num_ticks = 5
