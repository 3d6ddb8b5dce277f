"""The linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

import functools
import html
from typing import ClassVar

from bokeh.models import CustomJS, LinearColorMapper
from bokeh.transform import factor_cmap, factor_mark

from workbench.pages import theme
from workbench.pages.browser import bundle
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, image, line, ring
from workbench.pages.ranges import bands
from workbench.pages.saddle import SIDE
from workbench.pages.theme import stroke
from workbench.pages.wording import Wording

TEXTS = Wording("dual_lab").texts

# What a dual variable is: its colour and its marker.
KINDS = {"zero": ("muted", "dash"), "free": ("green", "circle"), "bound": ("purple", "square")}
KIND_KEY = (
    entry("solid", "purple", "at the bound"),
    entry("dotted", "green", "inside"),
    entry("solid", "muted", "zero"),
)
# A tap at a sample leaves it out: at a place in the sorted figure, at the one under the pointer in others.
TAPPED = "document.dispatchEvent(new CustomEvent('wb-tap', { detail: cb_obj.x }))"
TAPPED_LIT = (
    "const [place] = lit.data.place;"
    " if (Number.isFinite(place)) document.dispatchEvent(new CustomEvent('wb-tap', { detail: place }))"
)
# A tap goes back to a value of lambda, and a feature under the pointer is lit in all figures.
VISITED = "document.dispatchEvent(new CustomEvent('wb-lam', { detail: cb_obj.x }))"
POINTED = """
const { renderer, index } = cb_data, { feature } = renderer.data_source.data, [at] = index.indices;
const found = at === undefined ? [] : [feature[at]];
const was = pointed.data.feature;
if (String(found) !== String(was)) pointed.setv({ data: { feature: found } }, { sync: false });
"""
SIZE = 5
# What each figure that is not among the first four takes the place of, and its name in the row of names; the
# first has a switch of its own.
HOMES = {
    "gap": ("objective", ""),
    "held_out": ("objective", "Held-out loss"),
    "duals": ("margins", "Sorted α"),
    "terms": ("margins", "Gap by sample"),
    "saddle": ("transfer", "Saddle"),
    "path": ("weights", "Path of w"),
    "plane": ("weights", "The plane"),
}
# Four figures, their heads and sentences, and what stands above and below them fill the window.
# A key stands beside its title, and what saves a figure behind three dots.
HEADS = (
    "--wb-key-basis: auto; --wb-key-order: 0; --wb-save-position: absolute; --wb-save-opacity: 0;"
    " --wb-save-dots: '⋯';"
)
HEIGHT = "clamp(112px, calc((100vh - 480px) / 2), 460px)"


def _kinds(look):
    return factor_cmap("kind", [getattr(look, colour) for colour, _ in KINDS.values()], list(KINDS))


def _samples(source, place, value, lit):
    """The samples of a source; `lit` is the column that places the one under the pointer."""
    return (
        dots(
            source,
            place,
            value,
            SIZE,
            color=_kinds,
            marker=lambda look: factor_mark("kind", [marker for _, marker in KINDS.values()], list(KINDS)),
            tip=True,
        ),
        *_rings(lit, value),
    )


def _rings(place, value):
    """Around the sample that was visited last, and the one under the pointer."""
    return (
        ring("visited", place, value, 3 * SIZE, "vermillion", 2, marker="circle"),
        ring("lit", place, value, 3 * SIZE, "ink", 2.5, marker="circle"),
    )


def _weight_dots(source, x, y, size=7, **more):
    """A dot for each feature, hollow where its weight is zero."""
    fill = {"fill_color": lambda look: factor_cmap("kind", [look.paper, look.blue], ["zero", "other"])}
    return dots(source, x, y, size, marker="circle", line_color="blue", line_width=1.4, **fill, **more)


def _swap(name, home, text):
    """A button in a figure's key that shows another figure in its place."""
    return (
        f"<button type='button' class='wb-name' data-do='swap' data-figure='{name}' "
        f"data-home='{home}'>{text}</button>"
    )


def alternates(home, titles):
    """The names of the figures that take the place of one of the first, of those that there are."""
    return [name for name, (place, _) in HOMES.items() if place == home and name in titles]


def names_row(titles):
    """HTML of the row of names, each of which takes the place of one of the first figures."""
    buttons = "".join(
        f"<button type='button' class='wb-name' data-do='swap' data-figure='{name}' data-home='{home}' "
        f"aria-pressed='false'>{html.escape(text)}</button>"
        for name, (home, text) in HOMES.items()
        if text and name in titles
    )
    return (
        f"<div class='wb-names'><b>{TEXTS['both_curves']}</b><span>{TEXTS['instead']}</span>{buttons}</div>"
    )


TABLE = {
    "objective": figure(
        "Two bounds",
        "epoch",
        "value",
        glyph("varea", "curves", "time", "dual", "primal", color="orange", alpha=0.3),
        line("curves", "time", "primal", "blue", tags=["primal"], says="P(w)"),
        line("curves", "time", "dual", "green", "dotted", tags=["dual"], says="−D(α)"),
        tips=(("primal", "@primal{0.0000000}"), ("dual", "@dual{0.0000000}"), ("gap", "@gap{0.00e+0}")),
        note=_swap("gap", "objective", "log gap"),
        x_range=("time", 0, 1),
        y_range=(0, 1),
    ),
    "gap": figure(
        "Duality gap",
        "epoch",
        "gap",
        line("other", "time", "gap", "vermillion", "dashed"),
        line("curves", "time", "gap", "orange"),
        tips=(("gap", "@gap{0.00e+0}"),),
        note=_swap("objective", "objective", "values"),
        x_range=("time", 0, 1),
        y_range=(1e-6, 1),
        y_axis_type="log",
    ),
    "held_out": figure(
        "Held-out loss",
        "λ",
        "mean loss",
        glyph("vspan", "now", "lam", line_color="muted", line_dash="dotted", line_width=1.4),
        line("held_out", "lam", "loss", "blue", width=0.5),
        dots("held_out", "lam", "loss", 7, marker="circle", color="blue", tip=True),
        tips=(("λ", "@lam"), ("loss", "@loss{0.0000}")),
        x_range=("lam", 1e-6, 1),
        y_range=(0, 1),
        x_axis_type="log",
    ),
    "margins": figure(
        "Dual variables",
        "margin y·f(x)",
        "dual variable",
        entry("solid", "ink", "−f′"),
        KIND_KEY[:2],
        glyph("patch", "left_area", "x", "y", color="orange", alpha=0.4, line_width=0),
        glyph(
            "patch",
            "left_infinite",
            "x",
            "y",
            fill_color="orange",
            fill_alpha=0.1,
            line_width=0,
            hatch_pattern="/",
            hatch_color="vermillion",
            hatch_alpha=0.7,
            hatch_scale=9,
        ),
        line("loss_graph", "x", "y", "ink", width=0.7),
        dots(
            "margins",
            "margin",
            "value",
            6,
            color=_kinds,
            fill_alpha=0.75,
            marker=lambda look: factor_mark("label", ["circle", "triangle"], ["+1", "−1"]),
            tip=True,
        ),
        _rings("margin", "value"),
        tips=(
            ("sample", "@sample"),
            ("y", "@label"),
            ("margin", "@margin{0.0000}"),
            ("value", "@value{0.0000}"),
            ("area", "@area{0.00e+0}"),
        ),
        x_range=(-1, 2),
        y_range=(-0.1, 1.1),
    ),
    "duals": figure(
        "Sorted dual variables",
        "sample, sorted",
        "dual variable",
        KIND_KEY,
        _samples("duals", "place", "value", lit="place"),
        line("other_duals", "place", "value", "vermillion", "dashed"),
        tips=(("sample", "@sample"), ("value", "@value{0.0000}")),
        x_range=(-1, 2),
        y_range=(-0.1, 1.1),
    ),
    "terms": figure(
        "Where the gap sits",
        "sample, the largest first",
        "share of the gap",
        _samples("terms", "place", "share", lit="term_place"),
        tips=(("sample", "@sample"), ("share", "@share{0.00e+0}"), ("dual variable", "@dual{0.0000}")),
        x_range=(0, 2),
        y_range=(1e-9, 1),
        y_axis_type="log",
    ),
    "transfer": figure(
        "Transfer function",
        "dual vector v = Xᵀα / λn",
        "weight w",
        entry("solid", "ink", "∇h"),
        glyph("vstrip", "flat", "start", "end", fill_color="blue", fill_alpha=0.09, line_width=0),
        glyph("patch", "right_area", "x", "y", color="orange", alpha=0.4, line_width=0),
        line("transfer_graph", "x", "y", "ink", width=0.7),
        _weight_dots("transfer", "v", "weight", tip=True),
        ring("lit_feature", "v", "weight", 3 * SIZE, "ink", 2.5, marker="circle"),
        tips=(("feature", "@name"), ("v", "@v{0.0000}"), ("weight", "@weight{0.0000}")),
        x_range=(-1, 1),
        y_range=(-1, 1),
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
    "weights": figure(
        "Weights w = ∇h(v)",
        "feature (point at one for its name)",
        "weight",
        glyph("vbar", "weights", "place", top="weight", width=0.75, color="blue", tip=True),
        _weight_dots("zero_weights", "place", "weight", tip=True),
        dots("other_weights", "place", "weight", 6, marker="dash", color="vermillion", line_width=2),
        ring("lit_feature", "place", "weight", 3 * SIZE, "ink", 2.5, marker="circle"),
        tips=(("feature", "@name"), ("weight", "@weight{0.00000}")),
        x_range=(-1, 160),
        y_range=(-1, 1),
    ),
    "path": figure(
        "Weights at each λ visited",
        "λ",
        "weight",
        glyph("vspan", "now", "lam", line_color="muted", line_dash="dotted", line_width=1.4),
        _weight_dots("path", "lam", "weight", size=5, tip=True),
        tips=(("feature", "@name"), ("λ", "@lam"), ("weight", "@weight{0.0000}")),
        x_range=("lam", 1e-6, 1),
        y_range=(-1, 1),
        x_axis_type="log",
    ),
}


class DualLabFigures(Drawing):
    """The figures and their sources; figures over time share their axis, and those over lambda.

    `plane` is the `PlaneFigure` of the same samples, where there is one.
    """

    table, plane, heights = TABLE, None, (150, 0, 230)
    columns: ClassVar = {
        "weights": ("weight", "name", "feature", "kind"),
        "zero_weights": ("name", "feature", "kind"),
        "transfer": ("name", "feature", "kind"),
        "path": ("name", "feature", "kind"),
        "duals": ("sample", "kind"),
        "margins": ("sample", "kind", "label", "place", "area"),
        "terms": ("sample", "kind", "dual_place", "dual"),
        # What is under the pointer, and where it stands in each figure; the browser fills these.
        "lit": ("sample", "x", "y"),
        "lit_feature": ("feature",),
        "pointed": ("feature",),
    }

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        for name in ("lit", "pointed"):
            self.sources[name].name = name
        for plot in self.figures.values():
            plot.styles = plot.styles | {"height": HEIGHT}
        for name in ("duals", "margins", "terms"):
            self.figures[name].hover[0].callback = self.light
        self.figures["duals"].js_on_event("tap", CustomJS(code=TAPPED))
        tapped = CustomJS(args={"lit": self.sources["lit"]}, code=TAPPED_LIT)
        for name in ("margins", "terms"):
            self.figures[name].js_on_event("tap", tapped)
        point = CustomJS(args={"pointed": self.sources["pointed"]}, code=POINTED)
        for name in ("transfer", "weights", "path"):
            self.figures[name].hover[0].callback = point
        for name in ("path", "held_out"):
            self.figures[name].js_on_event("tap", CustomJS(code=VISITED))
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
            "both": one | {"gap": both + one["gap"], "weights": both, "duals": one["duals"] + second},
            "now": now,
        }
