"""The drawing of a pair: p with its tangent, q with the point that it makes, the gap over ∂p, p**."""

import numpy as np

from workbench.pages import browser
from workbench.pages.drawing import AXES, Drawing, dots, figure, glyph, image, line, point, walls

# As in the frame.
CELLS = 90
UY = ("u", "y")
VQ = ("v", "q")
TOUCH = point("touch", *UY, handle=True)
TABLE = {
    "primal": figure(
        "p and its tangent",
        "u",
        "p(u)",
        AXES,
        walls("primal_walls"),
        line("primal", "u", "p", "blue", name="p", tags=["p"], says="p"),
        line("tangent", *UY, "vermillion", width=0.8, says="slope v"),
        line("chord", *UY, "purple", "dashed", 1.3),
        dots("chord", *UY, 8, color="purple"),
        line("intercept", *UY, "green", width=1.5, alpha=0.8),
        line("probe", *UY, "purple", "dotted", 1.3, says="gap at u"),
        TOUCH,
    ),
    "dual": figure(
        "The conjugate q",
        "v",
        "q(v)",
        AXES,
        walls("dual_walls"),
        line("dual", *VQ, "green", name="q", tags=["q"], says="q"),
        line("dual_tangent", *VQ, "muted", "dashed", 0.7, name="slope of q", says="slope u"),
        line("hand", *VQ, "orange", width=1.4, name="drawn by hand"),
        dots("visited", *VQ, 4, color="green"),
        point("point", *VQ, handle=True),
    ),
    "gap": figure(
        "Fenchel-Young gap",
        "u",
        "v",
        image("map", CELLS, browser.colour_map, dtype=np.float64, name="gap", part="gap"),
        line(
            "matched",
            "u",
            "v",
            "vermillion",
            "dashed",
            name="v in the subdifferential of p at u",
            says="0 on the graph of ∂p",
        ),
        walls("gap_walls"),
        point("cross", "u", "v", "purple", size=12, handle=True),
    ),
    "tangents": figure(
        "p** from tangents",
        "u",
        "p**(u)",
        AXES,
        walls("primal_walls"),
        glyph("multi_line", "tangents", "xs", "ys", color="muted", alpha=0.45, width=1),
        line("primal", "u", "p", "blue", width=1.6, alpha=0.45, says="p"),
        line("biconjugate", "u", "p", "vermillion", "dashed", name="p**", says="p**"),
        TOUCH,
    ),
}


class ConjugatesDrawing(Drawing):
    """The figures, which the page's frame fills."""

    table, heights = TABLE, (190, 15, 330)

    def __init__(self, look):
        super().__init__(look)
        self.figures["gap"].grid.visible = False

    def _more(self):
        return {"colours": {"gap": self.parts["gap"].glyph.color_mapper}}
