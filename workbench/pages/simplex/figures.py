"""The drawing of a Fenchel-Young loss: the triangle, the plane of scores, the shares and the gap."""

import numpy as np
from bokeh.core.properties import value
from bokeh.models import ColumnDataSource, InlineStyleSheet, RadioButtonGroup

from workbench.derivations.sketches import SIMPLEX_FUNCTIONS
from workbench.pages import browser
from workbench.pages.browser import plot, slider
from workbench.pages.simplex.model import CLASSES, NUMBERS
from workbench.pages.theme import FONT
from workbench.pages.theme import stroke as key

PLACES = ("x", "y")
# As in the script.
PIXELS = 121
SOURCES = {
    "edge": PLACES,
    "path": PLACES,
    "image": PLACES,
    "trail": PLACES,
    "prediction": PLACES,
    "target": PLACES,
    "levels": PLACES,
    "free": PLACES,
    "axes": PLACES,
    "names": ("x", "y", "text"),
    "circle": PLACES,
    "ray": PLACES,
    "point": PLACES,
    "shares": ("s", "p1", "p2", "p3"),
    "shares_at": ("s", "p"),
    "gap": ("s", "convex", "line"),
    "gap_at": ("s", "y"),
}
SPREAD = "largest score minus smallest"
DASHES = ("solid", "dashed", "dotted")
MARKERS = ("circle", "square", "triangle")
# Of the simplex in its plane, as in the script.
SIDE, HEIGHT = np.sqrt(2.0), np.sqrt(1.5)
CORNERS = ((-SIDE / 2, -HEIGHT / 3), (SIDE / 2, -HEIGHT / 3), (0.0, 2 * HEIGHT / 3))


def document(model, outcome, look):
    """The `BrowserDocument` of the model's phi.

    Parameters
    ----------
    model : Simplex
    outcome : dict
        From `workbench.derivations.sketches.simplex`.
    look : theme.Look
    """
    sources = {
        name: ColumnDataSource({column: [] for column in columns}) for name, columns in SOURCES.items()
    }
    # The browser fills the grid in place.
    sources["map"] = ColumnDataSource(
        {"image": [np.zeros((PIXELS, PIXELS), dtype=np.float32)], "x": [0], "y": [0], "dw": [1], "dh": [1]}
    )
    colours = browser.colour_map(look)
    figures = {
        "triangle": _triangle(sources, look),
        "scores": _scores(sources, look, colours),
        "shares": _shares(sources, look),
        "gap": _gap(sources, look),
    }
    drawing = browser.BrowserDocument(figures, _controls(model, look), _titles(look), look)
    arguments = {
        "sources": sources,
        "colours": colours,
        "python": model.python(),
        "parameters": [name for name, _ in model.entropy.parameters],
    }
    return drawing.connect(
        ("simplex/loss", "simplex/browser"), outcome["script"], SIMPLEX_FUNCTIONS, arguments
    )


def _controls(model, look):
    controls = {
        name: slider(NUMBERS[name][0], low, high, number, look, step=NUMBERS[name][1])
        for name, (low, high, number) in model.numbers().items()
    }
    controls["true_class"] = RadioButtonGroup(
        labels=[f"y = {k + 1}" for k in range(CLASSES)],
        active=model.true_class - 1,
        stylesheets=[browser.sheet(look), InlineStyleSheet(css=".bk-btn-group { width: 100%; }")],
        sizing_mode="stretch_width",
        margin=(2, 0, 8, 0),
    )
    return controls


def _colours(look):
    return look.blue, look.vermillion, look.green


def _titles(look):
    return {
        "triangle": (
            "The prediction p = ∇Ω*(θ)",
            key("dotted", look.purple, "θ scaled") + key("dashed", look.muted, "all θ of this length"),
        ),
        "scores": (
            "θ: the loss L(θ; y)",
            key("solid", look.ink, "levels") + key("solid", look.green, "L = 0"),
        ),
        "shares": (
            "The shares as θ is scaled",
            "".join(
                key(dash, colour, f"p{'₁₂₃'[k]}")
                for k, (dash, colour) in enumerate(zip(DASHES, _colours(look), strict=True))
            ),
        ),
        "gap": (
            "The loss is the Fenchel-Young gap",
            key("solid", look.green, "Ω* + Ω(e_y)")
            + key("dashed", look.blue, "θ_y")
            + key("solid", look.vermillion, "L"),
        ),
    }


def _point(figure, x, y, source, look):
    figure.scatter(
        x,
        y,
        source=source,
        size=12,
        color=look.paper,
        line_color=look.vermillion,
        line_width=1.2 * look.line,
        tags=browser.HANDLE,
    )


def _bare(name, look):
    """A figure of places in the plane, where only shapes count."""
    figure = plot(name, None, None, look, heights=(280, 24, 460))
    figure.axis.visible = figure.grid.visible = False
    return figure


def _triangle(sources, look):
    figure = _bare("triangle", look)
    figure.line(*PLACES, source=sources["edge"], color=look.ink, width=0.7 * look.line)
    figure.line(*PLACES, source=sources["image"], color=look.muted, width=0.7 * look.line, dash="dashed")
    figure.line(*PLACES, source=sources["trail"], color=look.vermillion, width=0.6 * look.line, alpha=0.55)
    figure.line(*PLACES, source=sources["path"], color=look.purple, width=1.2 * look.line, dash="dotted")
    for k, ((x, y), marker, colour) in enumerate(zip(CORNERS, MARKERS, _colours(look), strict=True)):
        figure.scatter([x], [y], size=9, color=colour, marker=marker)
        figure.text(
            [x],
            [y],
            text=[f"class {k + 1}"],
            text_color=colour,
            text_font=value(FONT),
            text_align="center",
            text_font_size="13px",
            text_baseline="bottom" if y > 0 else "top",
            y_offset=-10 if y > 0 else 10,
        )
    figure.scatter(
        *PLACES,
        source=sources["target"],
        size=19,
        fill_color=None,
        line_color=look.ink,
        line_width=0.8 * look.line,
    )
    _point(figure, *PLACES, sources["prediction"], look)
    return figure


def _scores(sources, look, colours):
    figure = _bare("scores", look)
    figure.image("image", "x", "y", "dw", "dh", source=sources["map"], color_mapper=colours, name="loss")
    figure.line(*PLACES, source=sources["levels"], color=look.ink, width=0.8, alpha=0.45)
    figure.line(*PLACES, source=sources["axes"], color=look.muted, width=1)
    figure.text(
        *PLACES,
        text="text",
        source=sources["names"],
        text_color=look.ink,
        text_font=value(FONT),
        text_font_size="13px",
        text_align="center",
        text_baseline="middle",
    )
    figure.line(*PLACES, source=sources["free"], color=look.green, width=1.5 * look.line)
    figure.line(*PLACES, source=sources["circle"], color=look.muted, width=0.7 * look.line, dash="dashed")
    figure.line(*PLACES, source=sources["ray"], color=look.purple, width=look.line, dash="dotted")
    _point(figure, *PLACES, sources["point"], look)
    return figure


def _shares(sources, look):
    figure = plot("shares", SPREAD, "p", look)
    for k, (dash, colour) in enumerate(zip(DASHES, _colours(look), strict=True)):
        figure.line(
            "s", f"p{k + 1}", source=sources["shares"], color=colour, width=1.2 * look.line, dash=dash
        )
    figure.line("s", "p", source=sources["shares_at"], color=look.muted, width=1)
    _point(figure, "s", "p", sources["shares_at"], look)
    return figure


def _gap(sources, look):
    figure = plot("gap", SPREAD, "", look)
    figure.line("s", "convex", source=sources["gap"], color=look.green, width=1.2 * look.line)
    figure.line("s", "line", source=sources["gap"], color=look.blue, width=look.line, dash="dashed")
    figure.line("s", "y", source=sources["gap_at"], color=look.vermillion, width=2 * look.line)
    _point(figure, "s", "y", sources["gap_at"], look)
    return figure
