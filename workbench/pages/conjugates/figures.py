"""The drawing of a pair: p with its tangent, q with the point that it makes, the gap as a map, p**."""

import numpy as np

from workbench.pages import browser
from workbench.pages.browser import slider, toggle
from workbench.pages.drawing import AXES, Drawing, dots, figure, glyph, image, line, point, walls

# As MAP in the script.
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
        line("primal", "u", "p", "blue", name="p", says="p"),
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
        line("dual", *VQ, "green", name="q", says="q", part="q"),
        line("dual_tangent", *VQ, "muted", "dashed", 0.7, name="slope of q", says="slope u", part="slope"),
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
            name="v = p'(u)",
            says="0 where v = p′(u)",
            part="matched",
        ),
        point("cross", "u", "v", "purple", size=12, handle=True),
    ),
    "tangents": figure(
        "p** from tangents",
        "u",
        "p**(u)",
        AXES,
        glyph("multi_line", "tangents", "xs", "ys", color="muted", alpha=0.45, width=1),
        line("primal", "u", "p", "blue", width=1.6, alpha=0.45, says="p"),
        line("biconjugate", "u", "p", "vermillion", "dashed", name="p**", says="p**"),
        TOUCH,
    ),
}


class ConjugatesDrawing(Drawing):
    """The figures, which the script fills."""

    table, heights = TABLE, browser.HEIGHTS


def document(outcome, start, look, python, tables=None):
    """The `BrowserDocument` of a derivation.

    Parameters
    ----------
    outcome : dict
        From `workbench.conjugates.derivations.sketches.pair`.
    start : dict
        "u" and "v" (None where the drawing chooses), "predict", and "parameters": name -> (low, high, value).
    look : theme.Look
    python : str
        The lines that make `pair`, for the box of code.
    tables : dict, optional
        For `conjugates.tabled` functions: {"x": [...], "y": [...]}, computed elsewhere.
    """
    figures = ConjugatesDrawing(look)
    figures.figures["gap"].grid.visible = False
    drawing = browser.BrowserDocument(figures, _controls(start, look))
    drawing.toggle = drawing.controls["predict"]
    # While q is to be predicted; the map and its curve would show it.
    hidden = [figures.parts[name] for name in ("q", "slope", "gap", "matched")]
    if outcome["conditions"] or len(outcome["cases"]) > 1 or not outcome["claims"] or outcome["jumps"]:
        drawing.banner = browser.text_line(look)
    return drawing.connect(
        "conjugates",
        outcome["script"],
        outcome["functions"],
        {
            "cases": [{"where": c["condition_text"], "latex": c["q_latex"]} for c in outcome["cases"]],
            "excluded": [{"where": c["condition_text"], "reason": c["reason"]} for c in outcome["excluded"]],
            "conditions": outcome["conditions_text"],
            "variable": outcome["variable"],
            "banner": drawing.banner,
            "colours": figures.parts["gap"].glyph.color_mapper,
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
