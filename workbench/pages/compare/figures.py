"""The figures of the page Compare: paths over the saddle, certified gaps, both errors, seconds of a race."""

from typing import ClassVar

from bokeh.models import FixedTicker, LinearColorMapper
from bokeh.transform import factor_cmap

from workbench.pages import theme
from workbench.pages.browser import HANDLE
from workbench.pages.compare.model import COMPARED, METHODS, NAMES
from workbench.pages.compare.saddle import CELLS
from workbench.pages.drawing import Drawing, dots, figure, image, key, line, rule
from workbench.pages.ranges import bands
from workbench.studies.race import MARKS

# Colour and dash of each run, a colour a family.
STROKES = {
    "Gauss-Seidel": ("blue", "solid"),
    "SDCA": ("blue", "dotted"),
    "Augmented Lagrangian": ("blue", "dashed"),
    "Frank-Wolfe": ("green", "dashed"),
    "PDHG": ("vermillion", "solid"),
    "PDHG, no restarts": ("vermillion", "dotted"),
    "Proximal gradient": ("purple", "dashed"),
    "PGS": ("orange", "solid"),
    "L-BFGS": ("orange", "dashed"),
    "Conjugate gradients": ("green", "solid"),
    "1 part": ("blue", "solid"),
    "2 parts": ("blue", "dashed"),
    "4 parts": ("green", "solid"),
    "8 parts": ("green", "dashed"),
    "16 parts": ("vermillion", "solid"),
    "32 parts": ("vermillion", "dashed"),
}
CURVES = {"gaps": "relative_gap", "above": "above", "below": "below"}
PATH = "path of "
# Where a logarithmic axis of passes has its start.
START = 0.5
# In a race ours are solid and filled, the others dashed and open; colour and marker tell them apart.
COLOURS = ("blue", "green", "purple", "orange", "vermillion")
MARKERS = ("circle", "square", "triangle", "diamond", "inverted_triangle")
SHAPES = "●■▲◆▼"


def _saddle():
    """Yield lines through the saddle, the path of each run, its point, and the one that a hand drags."""
    yield image("surface", CELLS, _bands, part="surface")
    yield line("valley", "weight", "dual", "muted", "solid", 0.8, says="valley: best w")
    yield line("ridge", "weight", "dual", "muted", "dashed", 0.8, says="ridge: best α")
    for name, (colour, dash) in STROKES.items():
        source, fill = PATH + name, colour if dash == "solid" else "paper"
        yield line(source, "weight", "dual", colour, dash, says=name)
        yield dots(source, "weight", "dual", 5, line_color=colour, line_width=1.4, fill_color=fill, tip=True)
    open_mark = {"fill_color": "paper", "line_color": "ink", "line_width": 2.0}
    yield dots("star", "weight", "dual", 18, marker="star", **open_mark)
    yield line("best", "weight", "dual", "ink", "dotted")
    edge = {"fill_color": "ink", "line_color": "paper"}
    yield dots("hand", "weight", "dual", 16, marker="diamond", tags=HANDLE, **edge)


def _bands(look):
    return LinearColorMapper(palette=bands(look), low=-1, high=1, nan_color=look.ground)


def _names(look):
    return factor_cmap("name", [getattr(look, colour) for colour, _ in STROKES.values()], list(STROKES))


def _curves(name, title, label):
    """Return a figure over passes with a curve of each run, and where it ends."""
    ends = {"marker": "marker", "line_width": 2.0, "fill_color": "paper", "line_color": _names}
    return figure(
        title,
        COMPARED[METHODS].axis,
        label,
        [line(run, "place", CURVES[name], *stroke, says=run) for run, stroke in STROKES.items()],
        dots(f"ends of {name}", "place", "height", 8, tip=True, **ends),
        tips=(("", "@name"), ("after", "@passes"), ("", "@value{0.00e+0}")),
        x_axis_type="log",
        y_axis_type="log",
        x_range=("passes", 0.8 * START, 10),
        y_range=(1e-6, 1),
    )


def _style(place):
    return COLOURS[place % len(COLOURS)], MARKERS[place % len(MARKERS)], place < len(COLOURS)


def _contestant(place):
    colour, marker, solid = _style(place)
    style = {"marker": marker, "line_color": colour, "fill_color": colour if solid else "paper"}
    fits, stairs, dash = f"fits {place}", f"stairs {place}", "solid" if solid else "dashed"
    # All fits faintly, so that they do not hide the line of the best ones, which has the full markers.
    yield dots(fits, "seconds", "relative", 5, alpha=0.3, level="underlay", tip=True, **style)
    yield line(stairs, "within", "best", colour, dash, kind="step", mode="after")
    yield dots(stairs, "within", "best", 9, line_width=2, **style)


PLACES = range(2 * len(COLOURS))
TABLE = {
    "saddle": figure(
        "Paths over the saddle R(w, α), to ☆",
        "weight",
        "dual variable",
        list(_saddle()),
        tips=(("", "@name"), ("after", "@passes"), ("at", "(@weight{0.00000}, @dual{0.00000})")),
        heights=(300, 31, 470),
        grid=False,
        x_range=(0, 1),
        y_range=(0, 1),
    ),
    "gaps": _curves("gaps", "Certified relative gap", "relative gap"),
    "above": _curves("above", "Primal error", "P(w) above the optimum"),
    "below": _curves("below", "Dual error", "dual value below the optimum"),
    "race": figure(
        "Time against certified suboptimality",
        "seconds of one fit from scratch",
        "suboptimality",
        [rule("width", "muted", location=mark) for mark in MARKS],
        [glyph for place in PLACES for glyph in _contestant(place)],
        tips=(("setting", "@setting"), ("seconds", "@seconds"), ("certified", "@relative{0.0e+0}")),
        x_axis_type="log",
        y_axis_type="log",
        x_range=(1e-3, 1.0),
        y_range=(1e-7, 1.0),
    ),
}


class CompareDrawing(Drawing):
    """The figures of the page and their sources."""

    table, heights = TABLE, (150, 13.5, 250)
    columns: ClassVar = (
        dict.fromkeys(NAMES, ("passes",))
        | {PATH + name: ("passes", "name") for name in NAMES}
        | {f"ends of {name}": ("marker", "name", "passes", "value") for name in CURVES}
        | {f"fits {place}": ("setting",) for place in PLACES}
    )

    def __init__(self, look=theme.LIGHT):
        super().__init__(look)
        for name in CURVES:
            axis = self.figures[name].xaxis
            axis.ticker = FixedTicker(ticks=[START, 1, 10, 100, 1000])
            axis.major_label_overrides = {START: "0", 1: "1", 10: "10", 100: "100", 1000: "1,000"}

    def _more(self):
        return {"mappers": {"bands": self.parts["surface"].glyph.color_mapper}}


def strokes(look=theme.LIGHT):
    """Return the HTML of an entry of a key for each run, and what stands before these in each figure's."""
    lines = {
        name: theme.stroke(dash, getattr(look, colour), name) for name, (colour, dash) in STROKES.items()
    }
    first = {name: key(row, look, lambda glyph: glyph.says not in STROKES) for name, row in TABLE.items()}
    return {"runs": lines, "first": {name: first[name] for name in ("saddle", *CURVES)}}


def shapes(look=theme.LIGHT):
    """Return the HTML of an entry of a key for each place of a race; braces stand for the name."""
    entries = []
    for place in PLACES:
        colour, _, solid = _style(place)
        dash = "solid" if solid else "dashed"
        entries.append(theme.stroke(dash, getattr(look, colour), f"{SHAPES[place % len(COLOURS)]} {{}}"))
    return entries
