"""The page of roads as a file: several solvers on one problem, pass by pass, for runs computed beforehand."""

from workbench.pages import export_played
from workbench.pages.export_file import reveal
from workbench.pages.formulas import mixed
from workbench.pages.roads.engine import RoadsEngine, came
from workbench.pages.roads.figures import LISTED, RoadsDrawing
from workbench.pages.roads.page import FORMULA, WHY, RoadsPage, question

LABELS = {
    "source": "Data", "loss": "Loss", "regularizer": "Regularizer", "lam": "λ, weight of the regularizer",
    "epsilon": "ε, sparsity", "intercept": "Free intercept", "compare": "Compare",
    "passes": "Passes a round", "seed": "Random seed", "tolerance": "Stop at a relative gap of",
    "zoom": "Magnification",
}  # fmt: skip


def _answers(engine):
    (_, said), compare = came(engine.lab), engine.lab.settings["compare"]
    return {"predict": reveal(f"Which {question(compare)}", f"{said[0].upper()}{said[1:]}. {WHY[compare]}")}


KEPT = export_played.Kept(
    RoadsPage, RoadsEngine, RoadsDrawing, LABELS, {"lam": [0.01, 0.1, 1.0], "zoom": [1, 10]},
    "Runs of several solvers, pass by pass", _answers,
)  # fmt: skip
keys = KEPT.keys


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    return KEPT.page(look, chosen, say, {
        "table": (LISTED, ""), "predict": ("Predict first", ""),
        "saddle": ("The saddle and the gap", mixed(FORMULA)),
    })  # fmt: skip
