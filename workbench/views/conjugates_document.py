"""The drawing of a pair: p with its tangent, q with the point that it makes, the gap as a map, p**."""

import numpy as np
from bokeh.models import ColumnDataSource, LinearColorMapper, Span, Toggle
from bokeh.palettes import interp_palette

from workbench.sketches import ENDS, PAIR_FUNCTIONS
from workbench.views import browser
from workbench.views.browser import key, plot, slider

# As MAP in the script.
CELLS = 90
SOURCES = {
    "primal": ("u", "p"), "dual": ("v", "q"), "tangent": ("u", "y"), "touch": ("u", "y"),
    "intercept": ("u", "y"), "probe": ("u", "y"), "point": ("v", "q"), "dual_tangent": ("v", "q"),
    "visited": ("v", "q"), "map": ("image", "x", "y", "dw", "dh"), "matched": ("u", "v"),
    "cross": ("u", "v"), "tangents": ("xs", "ys"), "biconjugate": ("u", "p"),
}  # fmt: skip
# Light where p and q match, dark where they do not; one hue, so that it reads without colour.
LIGHT_MAP = interp_palette(["#fdfdfd", "#b9d3e6", "#5d94be", "#17436a"], 64)
DARK_MAP = interp_palette(["#0f1720", "#1f4c6e", "#3f8bb4", "#c4e3f2"], 64)
ALT = {
    "primal": "The convex function p with the tangent of slope v",
    "dual": "The conjugate q with the point of slope v",
    "gap": "Map of the Fenchel-Young gap over u and v",
    "tangents": "The tangents of p and their upper edge p**",
}


def document(outcome, start, colours, python, tables=None):
    """The `BrowserDocument` of a derivation.

    Parameters
    ----------
    outcome : dict
        From `workbench.sketches.pair`.
    start : dict
        "u" and "v" (None where the drawing chooses), "hide", and "parameters": name -> (low, high, value).
    colours : browser.Palette
    python : str
        The lines that make `pair`, for the box of code.
    tables : dict, optional
        For "p" or "q" that has no script: {"x": [...], "y": [...]}, computed elsewhere.
    """
    sources = {name: ColumnDataSource({column: [] for column in columns}) for name, columns in SOURCES.items()}
    # The browser fills the grid in place.
    sources["map"].data = {
        "image": [np.zeros((CELLS, CELLS))], "x": [0], "y": [0], "dw": [1], "dh": [1],
    }  # fmt: skip
    colour_map = LinearColorMapper(
        palette=DARK_MAP if colours.ink == browser.DARK.ink else LIGHT_MAP, low=0, high=1,
        nan_color="rgba(127, 127, 127, 0.25)",
    )  # fmt: skip
    width = 2.4 * colours.scale
    figures = {
        "primal": _primal(sources, colours, width),
        "dual": _dual(sources, colours, width),
        "gap": _gap(sources, colours, width, colour_map),
        "tangents": _tangents(sources, colours, width),
    }
    drawing = browser.BrowserDocument(figures, _controls(start, colours), _titles(colours), colours)
    hidden = [r for r in figures["dual"].renderers if r.name in ("q", "slope of q")]
    names = [
        *(name for name in PAIR_FUNCTIONS if name[0] not in outcome["refused"]),
        *ENDS, *(f"knot_{k}" for k in range(outcome["knots"])),
    ]  # fmt: skip
    return drawing.connect(
        "conjugates_browser",
        outcome["script"],
        names,
        {
            "sources": sources, "colours": colour_map, "hidden": hidden, "alt": ALT,
            "parameters": list(start["parameters"]), "knots": outcome["knots"], "tables": tables or {},
            "start": {"u": start["u"], "v": start["v"]}, "python": python,
        },
    )  # fmt: skip


def _controls(start, colours):
    controls = {
        "v": slider("v, slope of the tangent", -1, 1, start["v"] or 0.0, colours),
        "u": slider("u, where the gap is read", -1, 1, start["u"] or 0.0, colours),
    }
    for name, (low, high, value) in start["parameters"].items():
        controls[f"par_{name}"] = slider(name, low, high, value, colours, step=0.01)
    controls["hide"] = Toggle(
        label="predict: hide q, find it by tangents", active=start["hide"], height=34,
        stylesheets=[browser.sheet(colours)], sizing_mode="stretch_width", margin=(2, 12, 8, 2),
    )  # fmt: skip
    return controls


def _titles(colours):
    return {
        "primal": "p and its tangent of slope v"
        + key("solid", colours.blue, "p")
        + key("solid", colours.vermillion, "tangent")
        + key("dotted", colours.purple, "gap at u"),
        "dual": "The conjugate q"
        + key("solid", colours.green, "q")
        + key("dashed", colours.muted, "slope u"),
        "gap": "Fenchel-Young gap p(u) + q(v) − u·v" + key("dashed", colours.vermillion, "0 on v = p′(u)"),
        "tangents": "p** from the tangents alone"
        + key("solid", colours.blue, "p")
        + key("dashed", colours.vermillion, "p**"),
    }


def _axes(figure, colours):
    for dimension in ("width", "height"):
        figure.add_layout(
            Span(location=0, dimension=dimension, line_color=colours.muted, line_width=1, line_alpha=0.6)
        )


def _primal(sources, colours, width):
    figure = plot("primal", "u", "p(u)", colours)
    _axes(figure, colours)
    figure.line("u", "p", source=sources["primal"], color=colours.blue, width=width, name="p")
    figure.line("u", "y", source=sources["tangent"], color=colours.vermillion, width=0.8 * width)
    figure.line("u", "y", source=sources["intercept"], color=colours.green, width=1.5 * width, alpha=0.8)
    figure.line("u", "y", source=sources["probe"], color=colours.purple, width=1.3 * width, dash="dotted")
    figure.scatter(
        "u", "y", source=sources["touch"], size=11 * colours.scale, color=colours.paper,
        line_color=colours.vermillion, line_width=width,
    )  # fmt: skip
    return figure


def _dual(sources, colours, width):
    figure = plot("dual", "v", "q(v)", colours)
    _axes(figure, colours)
    figure.line("v", "q", source=sources["dual"], color=colours.green, width=width, name="q")
    figure.line(
        "v", "q", source=sources["dual_tangent"], color=colours.muted, width=0.7 * width, dash="dashed",
        name="slope of q",
    )  # fmt: skip
    figure.scatter("v", "q", source=sources["visited"], size=4 * colours.scale, color=colours.green)
    figure.scatter(
        "v", "q", source=sources["point"], size=11 * colours.scale, color=colours.paper,
        line_color=colours.vermillion, line_width=width,
    )  # fmt: skip
    return figure


def _gap(sources, colours, width, colour_map):
    figure = plot("gap", "u", "v", colours)
    figure.grid.visible = False
    figure.image("image", "x", "y", "dw", "dh", source=sources["map"], color_mapper=colour_map)
    figure.line("u", "v", source=sources["matched"], color=colours.vermillion, width=width, dash="dashed",
                name="v = p'(u)")  # fmt: skip
    figure.scatter(
        "u", "v", source=sources["cross"], size=12 * colours.scale, color=colours.paper,
        line_color=colours.purple, line_width=width,
    )  # fmt: skip
    return figure


def _tangents(sources, colours, width):
    figure = plot("tangents", "u", "p**(u)", colours)
    _axes(figure, colours)
    figure.multi_line("xs", "ys", source=sources["tangents"], color=colours.muted, alpha=0.45, width=1)
    figure.line("u", "p", source=sources["primal"], color=colours.blue, width=1.6 * width, alpha=0.45)
    figure.line("u", "p", source=sources["biconjugate"], color=colours.vermillion, width=width, dash="dashed",
                name="p**")  # fmt: skip
    return figure
