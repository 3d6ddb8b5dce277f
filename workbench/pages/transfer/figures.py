"""The drawing of a regularizer: h and w in one dimension, both planes, and the map of a real v."""

import numpy as np
from bokeh.models import ColumnDataSource, Span

from workbench.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages import browser
from workbench.pages.browser import HANDLE, plot, slider
from workbench.pages.theme import stroke as key
from workbench.pages.transfer.model import LAM, NORMS, PLANE

PLACES = ("x", "y")
SOURCES = {
    "value": ("v", "h"),
    "slope": ("v", "w"),
    "slice": ("v", "w"),
    "tangent": ("v", "h"),
    "value_at": ("v", "h"),
    "slope_at": ("v", "w"),
    "v_levels": PLACES,
    "v_ball": PLACES,
    "w_levels": PLACES,
    "w_ball": PLACES,
    "w_edge": PLACES,
    "v_ring": ("x", "y"),
    "w_ring": ("x", "y"),
    "v_point": ("x", "y"),
    "w_point": ("x", "y"),
    "contours": PLACES,
    "touching": PLACES,
    "grown": PLACES,
    "contact_path": PLACES,
    "contact_point": PLACES,
    "best_point": PLACES,
    "descent": PLACES,
    "held_out_path": PLACES,
    "held_out_run": PLACES,
    "real_v": ("v",),
    "real_picks": ("j",),
    "real_points": ("v", "w", "colour", "marker"),
}
LABELS = {
    "epsilon": "ε, sparsity",
    "K": "K, curvature in coordinate 1",
    "q": "q, exponent",
    "power": "q′, power",
    "mu_1": "μ₁, prior",
    "mu_2": "μ₂, prior",
    "p": "p, exponent",
    "B": "B, radius",
}

# What the symbols of the formulas are called in the figures.
CURVES = {"h(v)": "h", r"\nabla h(v)": "map"}


def document(model, outcome, look, real=None):
    """The `BrowserDocument` of the model's regularizer.

    Parameters
    ----------
    model : Transfer
    outcome : dict or None
        From `workbench.derivations.sketches.transfer`; None for a norm.
    look : theme.Look
    real : RealV, optional
        May come later, into the sources "real_v" and "real_picks".
    """
    shape = model.shape
    sources = {
        name: ColumnDataSource({column: [] for column in columns}) for name, columns in SOURCES.items()
    }
    figures = {
        "value": _value(sources, look),
        "slope": _slope(sources, look),
        "v_plane": _plane("v_plane", "v", sources, look, look.green),
        "w_plane": _plane("w_plane", "w", sources, look, look.blue),
        "contact": _contact(sources, look),
        "stopping": _stopping(sources, look),
        "real": _real(sources, look),
    }
    drawing = browser.BrowserDocument(figures, _controls(model, look), _titles(look), look)
    drawing.sources = sources
    arguments = {
        "sources": sources,
        "parameters": list(shape.parameters),
        "kind": shape.kind,
        "name": NORMS.get(model.regularizer, ""),
        "weights": shape.weights,
        "linear": bool(outcome and outcome["linear"]),
        "bounded": shape.kind == "ball",
        "lower": outcome["lower"] if outcome else -np.inf,
        "v_window": list(PLANE),
        "w_window": list(shape.w_window),
        "v_ball": shape.v_ball,
        "w_ball": shape.w_ball,
        "v_text": shape.v_text,
        "w_text": shape.w_text,
        "python": model.python(),
        "shades": {"zero": look.muted, "negative": look.vermillion, "positive": look.blue},
    }
    drawing.connect(
        ("sets", "mirror", "transfer/contact", "transfer/browser"),
        outcome["script"] if outcome else "",
        TRANSFER_FUNCTIONS if outcome else (),
        arguments,
    )
    sources["real_v"].js_on_change("data", drawing.draw)
    if real is not None:
        fill(drawing, real)
    return drawing


def fill(drawing, real):
    """Give a drawing the real v, which the script maps at once."""
    drawing.sources["real_picks"].data = {"j": real.picks.astype(np.int32)}
    drawing.sources["real_v"].tags = [real.text]
    drawing.sources["real_v"].data = {"v": real.v.astype(np.float32)}


def _controls(model, look):
    controls = {
        "v1": slider("v₁", *PLANE, model.v1, look),
        "v2": slider("v₂", *PLANE, model.v2, look),
    }
    for name, (low, high, value) in model.numbers().items():
        controls[f"par_{name}"] = slider(LABELS[name], low, high, value, look)
    controls["lam"] = slider("λ, weight of g in the contours", *LAM, model.lam, look, step=0.02)
    controls["scale"] = slider("factor of v from data", 0.1, 5.0, model.scale, look, step=0.05)
    return controls


def _titles(look):
    blue, green, purple = look.blue, look.green, look.purple
    return {
        "value": ("h in one dimension", key("solid", green, "h") + key("solid", look.vermillion, "slope w")),
        "slope": ("The map v → w = ∇h(v)", key("solid", blue, "d = 1") + key("dashed", purple, "with v₂")),
        "v_plane": ("v: level sets of h", key("solid", green, "levels") + key("dotted", purple, "|v|")),
        "w_plane": (
            "w = ∇h(v): level sets of g",
            key("solid", blue, "levels") + key("dotted", purple, "image"),
        ),
        "contact": (
            "Contours of a loss and the ball they touch",
            key("solid", look.orange, "loss")
            + key("solid", blue, "ball of g")
            + key("dotted", purple, "solutions over λ")
            + key("dashed", look.vermillion, "a run without g"),
        ),
        "stopping": (
            "Early stopping beside the path over λ",
            key("dashed", look.vermillion, "run without g") + key("dotted", purple, "solutions over 1/λ"),
        ),
        "real": ("The v of real data and its weights", ""),
    }


def _axes(figure, look):
    for dimension in ("width", "height"):
        figure.add_layout(
            Span(location=0, dimension=dimension, line_color=look.muted, line_width=1, line_alpha=0.6)
        )


def _point(figure, x, y, source, look, tags=()):
    figure.scatter(
        x,
        y,
        source=source,
        size=11,
        color=look.paper,
        line_color=look.vermillion,
        line_width=look.line,
        tags=list(tags),
    )


def _value(sources, look):
    figure = plot("value", "v", "h(v)", look)
    _axes(figure, look)
    figure.line("v", "h", source=sources["value"], color=look.green, width=look.line, tags=["h"])
    figure.line("v", "h", source=sources["tangent"], color=look.vermillion, width=0.8 * look.line)
    _point(figure, "v", "h", sources["value_at"], look, HANDLE)
    return figure


def _slope(sources, look):
    figure = plot("slope", "v", "w", look)
    _axes(figure, look)
    figure.line("v", "w", source=sources["slope"], color=look.blue, width=look.line, tags=["map"])
    figure.line("v", "w", source=sources["slice"], color=look.purple, width=0.9 * look.line, dash="dashed")
    _point(figure, "v", "w", sources["slope_at"], look, HANDLE)
    return figure


def _plane(name, letter, sources, look, colour):
    figure = plot(name, f"{letter}₁", f"{letter}₂", look, heights=(260, 20, 400))
    figure.xgrid.grid_line_color = figure.ygrid.grid_line_color = None
    _axes(figure, look)
    figure.line(*PLACES, source=sources[f"{letter}_levels"], color=colour, width=0.5 * look.line, alpha=0.6)
    figure.line(*PLACES, source=sources[f"{letter}_ball"], color=colour, width=1.4 * look.line)
    if letter == "w":
        figure.line(
            *PLACES, source=sources["w_edge"], color=look.vermillion, width=1.2 * look.line, dash="dashed"
        )
    figure.line("x", "y", source=sources[f"{letter}_ring"], color=look.purple, width=look.line, dash="dotted")
    _point(figure, "x", "y", sources[f"{letter}_point"], look, HANDLE if letter == "v" else ())
    return figure


def _contact(sources, look):
    figure = plot("contact", "w₁", "w₂", look, heights=(260, 20, 400))
    figure.xgrid.grid_line_color = figure.ygrid.grid_line_color = None
    _axes(figure, look)
    orange, width = look.orange, look.line
    figure.line(*PLACES, source=sources["contours"], color=orange, width=0.5 * width, alpha=0.8)
    figure.line(*PLACES, source=sources["touching"], color=orange, width=1.2 * width)
    figure.line(*PLACES, source=sources["grown"], color=look.blue, width=1.4 * width)
    figure.line(*PLACES, source=sources["contact_path"], color=look.purple, width=width, dash="dotted")
    figure.line(*PLACES, source=sources["descent"], color=look.vermillion, width=width, dash="dashed")
    figure.scatter(*PLACES, source=sources["best_point"], marker="x", size=11, color=orange, line_width=width)
    _point(figure, *PLACES, sources["contact_point"], look)
    return figure


def _stopping(sources, look):
    figure = plot(
        "stopping",
        "1/λ, or step size × steps",
        "held-out loss",
        look,
        heights=(260, 20, 400),
        x_axis_type="log",
    )
    strokes = {"held_out_path": (look.purple, "dotted"), "held_out_run": (look.vermillion, "dashed")}
    for name, (colour, dash) in strokes.items():
        figure.line(*PLACES, source=sources[name], color=colour, width=1.2 * look.line, dash=dash)
    return figure


def _real(sources, look):
    figure = plot("real", "v of each feature", "its weight w", look, heights=(200, 12, 250))
    _axes(figure, look)
    figure.scatter(
        "v",
        "w",
        source=sources["real_points"],
        size=6,
        color="colour",
        marker="marker",
        fill_alpha=0.6,
    )
    return figure
