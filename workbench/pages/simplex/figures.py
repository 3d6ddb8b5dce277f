"""The drawing of a Fenchel-Young loss: the triangle, the plane of scores, the shares and the gap."""

from typing import ClassVar

import numpy as np
from bokeh.core.properties import value

from workbench.pages import browser
from workbench.pages.drawing import Drawing, dots, figure, glyph, image, line, point, ring
from workbench.pages.theme import FONT, Look

AT = ("x", "y")
# As in the script.
PIXELS = 121
SPREAD = "largest score minus smallest"
# The loss of the last colour, the last level of the script.
HIGHEST = 8.0
# Of the simplex in its plane, as in the script.
SIDE, HEIGHT = np.sqrt(2.0), np.sqrt(1.5)
# Of each class: its corner, marker, colour and dash.
CORNERS = (
    (-SIDE / 2, -HEIGHT / 3, "circle", "blue", "solid"),
    (SIDE / 2, -HEIGHT / 3, "square", "vermillion", "dashed"),
    (0.0, 2 * HEIGHT / 3, "triangle", "green", "dotted"),
)
TALL = {"heights": (200, 17, 460)}
TEXT = {"text_font": value(FONT), "text_font_size": "13px", "text_align": "center"}


def _point(source, x, y, **more):
    return point(source, x, y, size=12, width=1.2, handle=True, **more)


def _corners():
    for k, (x, y, marker, colour, _) in enumerate(CORNERS):
        base, offset = ("bottom", -10) if y > 0 else ("top", 10)
        style = TEXT | {"text_color": colour, "text_baseline": base, "y_offset": offset}
        yield dots("", [x], [y], 9, color=colour, marker=marker, z=2)
        yield glyph("text", "", [x], [y], text=[f"class {k + 1}"], z=2, **style)


def _loss_colours(look):
    mapper = browser.colour_map(look)
    mapper.high = np.sqrt(HIGHEST)
    return mapper


TABLE = {
    "triangle": figure(
        "The prediction p = ∇Ω*(θ)",
        None,
        None,
        line("edge", *AT, "ink", width=0.7),
        line("path", *AT, "purple", "dotted", 1.2, says="θ scaled", z=1),
        line("image", *AT, "muted", "dashed", 0.7, says="all θ of this length"),
        line("trail", *AT, "vermillion", width=0.6, alpha=0.55),
        list(_corners()),
        ring("target", *AT, 19, "ink", 0.8 * Look.line, z=2),
        _point("prediction", *AT, z=2),
        **TALL,
    ),
    "scores": figure(
        "θ: the loss L(θ; y)",
        None,
        None,
        image("map", PIXELS, _loss_colours, name="loss"),
        line("levels", *AT, "ink", width=0.8 / Look.line, alpha=0.45, says="levels"),
        line("axes", *AT, "muted", width=1 / Look.line),
        glyph("text", "names", *AT, text="text", text_color="ink", text_baseline="middle", **TEXT),
        line("free", *AT, "green", width=1.5, says="L = 0"),
        line("circle", *AT, "muted", "dashed", 0.7),
        line("ray", *AT, "purple", "dotted"),
        _point("point", *AT),
        **TALL,
    ),
    "shares": figure(
        "The shares as θ is scaled",
        SPREAD,
        "p",
        [
            line("shares", "s", f"p{k + 1}", colour, dash, 1.2, says=f"p{'₁₂₃'[k]}")
            for k, (*_, colour, dash) in enumerate(CORNERS)
        ],
        line("shares_at", "s", "p", "muted", width=1 / Look.line),
        _point("shares_at", "s", "p"),
    ),
    "gap": figure(
        "The loss is the Fenchel-Young gap",
        SPREAD,
        "",
        line("gap", "s", "convex", "green", width=1.2, tags=["convex"], says="Ω*(θ) + Ω(e)"),
        line("gap", "s", "line", "blue", "dashed", tags=["score"], says="score of the true class"),
        line("gap_at", "s", "y", "vermillion", width=2, tags=["loss"], says="L"),
        _point("gap_at", "s", "y"),
    ),
}


class SimplexDrawing(Drawing):
    """The figures, which the frame fills; in the first two, places in the plane, only shapes count."""

    table, heights = TABLE, (190, 14, 330)
    columns: ClassVar = {"names": ("text",)}

    def __init__(self, look):
        super().__init__(look)
        for name in ("triangle", "scores"):
            self.figures[name].axis.visible = self.figures[name].grid.visible = False
