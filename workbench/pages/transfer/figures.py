"""The drawing of a regularizer: h and w in one dimension, both planes, and the map of a real v."""

from workbench.pages.drawing import AXES, Drawing, dots, figure, line, point, walls
from workbench.pages.theme import Look

AT = ("x", "y")
TALL = {"heights": (190, 15, 400)}


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
        walls("value_walls"),
        line("value", "v", "h", "green", tags=["h"], says="h", z=1),
        line("tangent", "v", "h", "vermillion", width=0.8, says="slope w"),
        point("value_at", "v", "h", handle=True, z=1),
    ),
    "slope": figure(
        "The map v → w = ∇h(v)",
        "v",
        "w",
        AXES,
        walls("slope_walls"),
        line("slope", "v", "w", "blue", tags=["map"], says="w = ∇h(v)"),
        line("slice", "v", "w", "purple", "dashed", 0.9),
        point("slope_at", "v", "w", handle=True),
    ),
    "v_plane": _plane("v", "The plane of v", "green", "|v|", handle=True),
    "w_plane": _plane(
        "w",
        "The plane of w = ∇h(v)",
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
        dots("real_zero", "v", "w", 6, color="muted", marker="dash", says="w = 0"),
        dots("real_negative", "v", "w", 6, color="vermillion", marker="inverted_triangle", fill_alpha=0.6),
        dots("real_positive", "v", "w", 6, color="blue", fill_alpha=0.6),
        heights=(200, 12, 250),
    ),
}


class TransferDrawing(Drawing):
    """The figures, which the page's frame fills."""

    table, heights = TABLE, (190, 15, 330)
