"""The drawing of a regularizer: h and w in one dimension, both planes, and the map of a real v."""

from typing import ClassVar

import numpy as np

from workbench.conjugates.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages import browser
from workbench.pages.browser import slider
from workbench.pages.drawing import AXES, Drawing, dots, figure, line, point
from workbench.pages.theme import Look
from workbench.pages.transfer.model import LAM, NORMS, PLANE
from workbench.pages.wording import content

AT = ("x", "y")
TALL = {"heights": (260, 20, 400)}


def _plane(letter, title, colour, says, *more, handle=False):
    """Level sets and the ball of one side of the mirror."""
    return figure(
        title,
        f"{letter}₁",
        f"{letter}₂",
        AXES,
        line(f"{letter}_levels", *AT, colour, width=0.5, alpha=0.6, says="levels"),
        line(f"{letter}_ball", *AT, colour, width=1.4),
        *more,
        line(f"{letter}_ring", *AT, "purple", "dotted", says=says),
        point(f"{letter}_point", *AT, handle=handle),
        grid=False,
        **TALL,
    )


TABLE = {
    "value": figure(
        "h in one dimension",
        "v",
        "h(v)",
        AXES,
        line("value", "v", "h", "green", tags=["h"], says="h"),
        line("tangent", "v", "h", "vermillion", width=0.8, says="slope w"),
        point("value_at", "v", "h", handle=True),
    ),
    "slope": figure(
        "The map v → w = ∇h(v)",
        "v",
        "w",
        AXES,
        line("slope", "v", "w", "blue", tags=["map"], says="d = 1"),
        line("slice", "v", "w", "purple", "dashed", 0.9, says="with v₂"),
        point("slope_at", "v", "w", handle=True),
    ),
    "v_plane": _plane("v", "v: level sets of h", "green", "|v|", handle=True),
    "w_plane": _plane(
        "w",
        "w = ∇h(v): level sets of g",
        "blue",
        "image",
        line("w_edge", *AT, "vermillion", "dashed", 1.2),
    ),
    "contact": figure(
        "Contours of a loss and the ball they touch",
        "w₁",
        "w₂",
        AXES,
        line("contours", *AT, "orange", width=0.5, alpha=0.8),
        line("touching", *AT, "orange", width=1.2, says="loss"),
        line("grown", *AT, "blue", width=1.4, says="ball of g"),
        line("contact_path", *AT, "purple", "dotted", says="solutions over λ"),
        line("descent", *AT, "vermillion", "dashed", says="a run without g"),
        dots("best_point", *AT, 11, marker="x", color="orange", line_width=Look.line),
        point("contact_point", *AT),
        grid=False,
        **TALL,
    ),
    "stopping": figure(
        "Early stopping beside the path over λ",
        "1/λ, or step size × steps",
        "held-out loss",
        line("held_out_run", *AT, "vermillion", "dashed", 1.2, says="run without g", z=1),
        line("held_out_path", *AT, "purple", "dotted", 1.2, says="solutions over 1/λ"),
        x_axis_type="log",
        **TALL,
    ),
    "real": figure(
        "The v of real data and its weights",
        "v of each feature",
        "its weight w",
        AXES,
        dots("real_points", "v", "w", 6, color="colour", marker="marker", fill_alpha=0.6),
        heights=(200, 12, 250),
    ),
}
LABELS = content("transfer")["labels"]

# What the symbols of the formulas are called in the figures.
CURVES = {"h(v)": "h", r"\nabla h(v)": "map"}


class TransferDrawing(Drawing):
    """The figures, which the script fills."""

    table, heights = TABLE, browser.HEIGHTS
    # What the script maps beside what it draws.
    columns: ClassVar = {"real_points": ("colour", "marker"), "real_v": ("v",), "real_picks": ("j",)}


def document(model, outcome, look, real=None):
    """The `BrowserDocument` of the model's regularizer.

    Parameters
    ----------
    model : Transfer
    outcome : dict or None
        From `workbench.conjugates.derivations.sketches.transfer`; None for a norm.
    look : theme.Look
    real : RealV, optional
        May come later, into the sources "real_v" and "real_picks".
    """
    shape = model.shape
    drawing = browser.BrowserDocument(TransferDrawing(look), _controls(model, look))
    arguments = {
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
        "transfer",
        outcome["script"] if outcome else "",
        TRANSFER_FUNCTIONS if outcome else (),
        arguments,
    )
    drawing.sources["real_v"].js_on_change("data", drawing.draw)
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
