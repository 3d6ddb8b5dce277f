"""The linked figures of the Dual lab: Bokeh figures over sources that a frame fills anew."""

from typing import ClassVar

from bokeh.models import Arrow, LinearColorMapper, NormalHead
from bokeh.transform import factor_cmap, factor_mark

from workbench.data.examples.plane import HALF_WIDTH, MAX_POINTS, SOURCES, write_points
from workbench.pages import theme
from workbench.pages.browser import HANDLE
from workbench.pages.drawing import Drawing, dots, entry, figure, glyph, image, key, line, ring
from workbench.pages.dual_lab.model import NAMES, PLANE
from workbench.pages.plane import MARKERS
from workbench.pages.ranges import bands
from workbench.pages.theme import stroke

# What a dual variable is: its colour and its marker.
KINDS = {"zero": ("muted", "dash"), "free": ("green", "circle"), "bound": ("purple", "square")}
KIND_KEY = (
    entry("solid", "purple", "at the bound"),
    entry("dotted", "green", "inside"),
    entry("solid", "muted", "zero"),
)
SIZE = 5
# Values of each axis of the saddle.
SIDE = 61
# The figures that draw a second configuration, too.
TWICE = ("gap", "margins", "duals", "transfer", "weights")
UNDO = "<button type='button' class='wb-name' data-do='undo'>Undo</button>"
ENDS = ("x_start", "y_start", "x_end", "y_end")
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
# Of the plane: sizes in pixels of a sample with alpha = 0, what the largest |alpha| adds, and of the ring.
LEAST, LARGEST, RING = 7.0, 13.0, 28.0
# In the plane's units; a longer w is drawn no longer.
LONGEST = 2.5
# A bias of a smaller share of |w| is zero to rounding.
ROUNDING = 1e-12


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


def _rings(place, value, size=3 * SIZE):
    """Around the sample that was visited last, and the one under the pointer."""
    return (
        ring("visited", place, value, size, "vermillion", 2, marker="circle"),
        ring("lit", place, value, size, "ink", 2.5, marker="circle"),
    )


def _weight_dots(source, x, y, size=7, **more):
    """A dot for each feature, hollow where its weight is zero."""
    fill = {"fill_color": lambda look: factor_cmap("kind", [look.paper, look.blue], ["zero", "other"])}
    return dots(source, x, y, size, marker="circle", line_color="blue", line_width=1.4, **fill, **more)


def _swap(name, text):
    """A button in a figure's key that shows another figure in its place."""
    return f"<button type='button' class='wb-name' data-do='swap' data-figure='{name}'>{text}</button>"


TABLE = {
    "objective": figure(
        "Two bounds",
        "epoch",
        "value",
        glyph("varea", "curves", "time", "dual", "primal", color="orange", alpha=0.3),
        line("curves", "time", "primal", "blue", tags=["primal"], says="P(w)"),
        line("curves", "time", "dual", "green", "dotted", tags=["dual"], says="−D(α)"),
        tips=(("primal", "@primal{0.0000000}"), ("dual", "@dual{0.0000000}"), ("gap", "@gap{0.00e+0}")),
        note=_swap("gap", "log gap"),
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
        note=_swap("objective", "values"),
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
        line("other_loss_graph", "x", "y", "vermillion", "dashed", width=0.7),
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
        "dual vector v = Xᵀα / λn; areas count λ",
        "weight w",
        entry("solid", "ink", "∇h"),
        glyph("vstrip", "flat", "start", "end", fill_color="blue", fill_alpha=0.09, line_width=0),
        glyph("patch", "right_area", "x", "y", color="orange", alpha=0.4, line_width=0),
        line("other_transfer_graph", "x", "y", "vermillion", "dashed", width=0.7),
        line("transfer_graph", "x", "y", "ink", width=0.7),
        dots("other_transfer", "v", "weight", 6, marker="cross", color="vermillion", line_width=1.4),
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
    "plane": figure(
        "The plane",
        "x₁",
        "x₂",
        entry("solid", "ink", "w·x + b = 0"),
        entry("dashed", "ink", "±1"),
        entry("solid", "green", "w"),
        glyph("patches", "sides", "xs", "ys", fill_color="fill", fill_alpha=0.13, line_width=0),
        glyph("multi_line", "lines", "xs", "ys", color="colour", line_width="width", line_dash="dash"),
        dots(
            "points",
            "x",
            "y",
            "size",
            marker="marker",
            fill_color="fill",
            line_color="edge",
            line_width=1.8,
            fill_alpha=0.6,
            tags=HANDLE,
            tip=True,
        ),
        _rings("x", "y", RING),
        tips=(("sample", "@sample"), ("y", "@label"), ("α", "@alpha{0.0000}"), ("w·x + b", "@value{0.000}")),
        note=UNDO,
        square=True,
        grid=False,
    ),
}


class DualLabFigures(Drawing):
    """The figures and their sources; figures over time share their axis, and those over lambda."""

    table, heights = TABLE, (150, 12, 230)
    columns: ClassVar = {
        "weights": ("weight", "name", "feature", "kind"),
        "zero_weights": ("name", "feature", "kind"),
        "transfer": ("name", "feature", "kind"),
        "path": ("name", "feature", "kind"),
        "duals": ("sample", "kind"),
        "margins": ("sample", "kind", "label", "place", "area"),
        "terms": ("sample", "kind", "dual_place", "dual"),
        "lit": ("sample",),
        "lit_feature": ("feature",),
        "sides": ("fill",),
        "lines": ("width", "dash", "colour"),
        "arrow": ("x0", "y0", "x1", "y1"),
        "points": ("label", "alpha", "value", "sample", "size", "fill", "edge", "marker"),
    }

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        self._look_at(*2 * [(-HALF_WIDTH, HALF_WIDTH)])
        self.figures["weights"].xaxis.major_label_text_font_size = "0px"
        arrow = Arrow(
            **{end: end.replace("_start", "0").replace("_end", "1") for end in ENDS},
            source=self.sources["arrow"],
            end=NormalHead(size=9, fill_color=look.green, line_color=look.green),
            line_color=look.green,
            line_width=1.3 * look.line,
        )
        self.figures["plane"].add_layout(arrow)

    def _more(self):
        return {"mappers": {"heights": self.parts["surface"].glyph.color_mapper}}


def keys(look=theme.LIGHT):
    """Return what the keys of those figures say that draw two configurations, by their number."""
    one = {name: key(TABLE[name], look) for name in TWICE}
    second = stroke("dashed", look.vermillion, "B")
    both = stroke("solid", look.blue, "A") + second
    return {
        "one": one,
        "both": {name: (both if name in ("gap", "weights") else second) + one[name] for name in TWICE},
    }


def plane(look=theme.LIGHT):
    """Return what the page's script draws points with."""
    return {
        "name": PLANE,
        "most": MAX_POINTS,
        "names": list(NAMES),
        "clouds": {name: write_points(*make()) for name, make in SOURCES.items()},
        "looks": {
            "half_width": HALF_WIDTH,
            "up": look.orange,
            "down": look.blue,
            "ink": look.ink,
            "second": look.vermillion,
            "paper": look.paper,
            "least": LEAST,
            "largest": LARGEST,
            "longest": LONGEST,
            "rounding": ROUNDING,
            "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]},
        },
    }
