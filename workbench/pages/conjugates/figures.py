"""The drawing of a pair: p with its tangent, q with the point that it makes, the gap as a map, p**."""

import numpy as np
from bokeh.models import ColumnDataSource, Span

from workbench.pages import browser
from workbench.pages.browser import HANDLE, plot, slider, toggle
from workbench.pages.theme import stroke as key

# As MAP in the script.
CELLS = 90
SOURCES = {
    "primal": ("u", "p"),
    "dual": ("v", "q"),
    "tangent": ("u", "y"),
    "touch": ("u", "y"),
    "intercept": ("u", "y"),
    "probe": ("u", "y"),
    "chord": ("u", "y"),
    "point": ("v", "q"),
    "dual_tangent": ("v", "q"),
    "hand": ("v", "q"),
    "visited": ("v", "q"),
    "map": ("image", "x", "y", "dw", "dh"),
    "matched": ("u", "v"),
    "cross": ("u", "v"),
    "tangents": ("xs", "ys"),
    "biconjugate": ("u", "p"),
}


def document(outcome, start, look, python, tables=None):
    """The `BrowserDocument` of a derivation.

    Parameters
    ----------
    outcome : dict
        From `workbench.derivations.sketches.pair`.
    start : dict
        "u" and "v" (None where the drawing chooses), "predict", and "parameters": name -> (low, high, value).
    look : theme.Look
    python : str
        The lines that make `pair`, for the box of code.
    tables : dict, optional
        For `conjugates.tabled` functions: {"x": [...], "y": [...]}, computed elsewhere.
    """
    sources = {
        name: ColumnDataSource({column: [] for column in columns}) for name, columns in SOURCES.items()
    }
    # The browser fills the grid in place.
    sources["map"].data = {
        "image": [np.zeros((CELLS, CELLS))],
        "x": [0],
        "y": [0],
        "dw": [1],
        "dh": [1],
    }
    colour_map = browser.colour_map(look)
    width = look.line
    figures = {
        "primal": _primal(sources, look, width),
        "dual": _dual(sources, look, width),
        "gap": _gap(sources, look, width, colour_map),
        "tangents": _tangents(sources, look, width),
    }
    drawing = browser.BrowserDocument(figures, _controls(start, look), _titles(look), look)
    # While q is to be predicted; the map and its curve would show it.
    hidden = [r for r in figures["dual"].renderers if r.name in ("q", "slope of q")]
    hidden += [r for r in figures["gap"].renderers if r.name in ("gap", "v = p'(u)")]
    if outcome["conditions"] or len(outcome["cases"]) > 1 or not outcome["claims"] or outcome["jumps"]:
        drawing.banner = browser.text_line(look)
    return drawing.connect(
        ("conjugates/curves", "conjugates/browser"),
        outcome["script"],
        outcome["functions"],
        {
            "cases": [{"where": c["condition_text"], "latex": c["q_latex"]} for c in outcome["cases"]],
            "excluded": [{"where": c["condition_text"], "reason": c["reason"]} for c in outcome["excluded"]],
            "conditions": outcome["conditions_text"],
            "variable": outcome["variable"],
            "banner": drawing.banner,
            "sources": sources,
            "colours": colour_map,
            "hidden": hidden,
            "parameters": list(start["parameters"]),
            "knots": outcome["knots"],
            "tables": tables or {},
            "jumps": outcome["jumps"],
            "convex": bool(outcome["claims"]),
            "start": {"u": start["u"], "v": start["v"]},
            "python": python,
        },
    )


def curves(outcome):
    """What the symbols of the formulas are called in the figures."""
    return {f"p({outcome['p_variable']})": "p", f"q({outcome['variable']})": "q"}


def _controls(start, look):
    controls = {
        "v": slider("v, slope of the tangent", -1, 1, start["v"] or 0.0, look),
        "u": slider("u, where the gap is taken", -1, 1, start["u"] or 0.0, look),
    }
    for name, (low, high, value) in start["parameters"].items():
        controls[f"par_{name}"] = slider(name, low, high, value, look, step=0.01)
    controls["predict"] = toggle("Predict: hide q, draw it or find it by tangents", start["predict"], look)
    return controls


def _titles(look):
    return {
        "primal": (
            "p and its tangent",
            key("solid", look.blue, "p")
            + key("solid", look.vermillion, "slope v")
            + key("dotted", look.purple, "gap at u"),
        ),
        "dual": ("The conjugate q", key("solid", look.green, "q") + key("dashed", look.muted, "slope u")),
        "gap": ("Fenchel-Young gap", key("dashed", look.vermillion, "0 where v = p′(u)")),
        "tangents": (
            "p** from tangents",
            key("solid", look.blue, "p") + key("dashed", look.vermillion, "p**"),
        ),
    }


def _axes(figure, look):
    for dimension in ("width", "height"):
        figure.add_layout(
            Span(location=0, dimension=dimension, line_color=look.muted, line_width=1, line_alpha=0.6)
        )


def _primal(sources, look, width):
    figure = plot("primal", "u", "p(u)", look)
    _axes(figure, look)
    figure.line("u", "p", source=sources["primal"], color=look.blue, width=width, name="p")
    figure.line("u", "y", source=sources["tangent"], color=look.vermillion, width=0.8 * width)
    figure.line("u", "y", source=sources["chord"], color=look.purple, width=1.3 * width, dash="dashed")
    figure.scatter("u", "y", source=sources["chord"], size=8, color=look.purple)
    figure.line("u", "y", source=sources["intercept"], color=look.green, width=1.5 * width, alpha=0.8)
    figure.line("u", "y", source=sources["probe"], color=look.purple, width=1.3 * width, dash="dotted")
    _touch(figure, sources, look, width)
    return figure


def _touch(figure, sources, look, width):
    figure.scatter(
        "u",
        "y",
        source=sources["touch"],
        size=11,
        color=look.paper,
        line_color=look.vermillion,
        line_width=width,
        tags=HANDLE,
    )


def _dual(sources, look, width):
    figure = plot("dual", "v", "q(v)", look)
    _axes(figure, look)
    figure.line("v", "q", source=sources["dual"], color=look.green, width=width, name="q")
    figure.line(
        "v",
        "q",
        source=sources["dual_tangent"],
        color=look.muted,
        width=0.7 * width,
        dash="dashed",
        name="slope of q",
    )
    figure.line("v", "q", source=sources["hand"], color=look.orange, width=1.4 * width, name="drawn by hand")
    figure.scatter("v", "q", source=sources["visited"], size=4, color=look.green)
    figure.scatter(
        "v",
        "q",
        source=sources["point"],
        size=11,
        color=look.paper,
        line_color=look.vermillion,
        line_width=width,
        tags=HANDLE,
    )
    return figure


def _gap(sources, look, width, colour_map):
    figure = plot("gap", "u", "v", look)
    figure.grid.visible = False
    figure.image("image", "x", "y", "dw", "dh", source=sources["map"], color_mapper=colour_map, name="gap")
    figure.line(
        "u",
        "v",
        source=sources["matched"],
        color=look.vermillion,
        width=width,
        dash="dashed",
        name="v = p'(u)",
    )
    figure.scatter(
        "u",
        "v",
        source=sources["cross"],
        size=12,
        color=look.paper,
        line_color=look.purple,
        line_width=width,
        tags=HANDLE,
    )
    return figure


def _tangents(sources, look, width):
    figure = plot("tangents", "u", "p**(u)", look)
    _axes(figure, look)
    figure.multi_line("xs", "ys", source=sources["tangents"], color=look.muted, alpha=0.45, width=1)
    figure.line("u", "p", source=sources["primal"], color=look.blue, width=1.6 * width, alpha=0.45)
    figure.line(
        "u", "p", source=sources["biconjugate"], color=look.vermillion, width=width, dash="dashed", name="p**"
    )
    _touch(figure, sources, look, width)
    return figure
