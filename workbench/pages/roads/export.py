"""The page of roads as a file: several solvers on one problem, pass by pass, for runs computed beforehand."""

from workbench.pages import address, export_player
from workbench.pages.export_file import reveal
from workbench.pages.export_player import Picture, Played, moments, note, sliders
from workbench.pages.formulas import mixed
from workbench.pages.roads import model as roads
from workbench.pages.roads.figures import RoadsDrawing, table
from workbench.pages.roads.page import DECIDING, FORMULA, WHY, spelled, statistics
from workbench.pages.theme import code_box

MODEL = roads.RoadsModel
LABELS = {
    "source": "Data", "loss": "Loss", "regularizer": "Regularizer", "lam": "λ, weight of the regularizer",
    "epsilon": "ε, sparsity", "intercept": "Free intercept", "seed": "Random seed",
    "tolerance": "Stop at a relative gap of", "zoom": "Magnification",
}  # fmt: skip
DEFAULTS = {"lam": [0.01, 0.1, 1.0], "zoom": [1, 10]}
CARDS = {
    "numbers": "", "table": "Passes to each certified gap", "predict": "Predict first",
    "saddle": "The saddle and the gap", "code": "Show me the code",
}  # fmt: skip
SAYS = "Runs of several solvers, pass by pass"


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    return export_player.page(_played(look, chosen), look, say)


def _played(look, chosen):
    model, chosen = MODEL(), DEFAULTS | chosen
    base = model.settings() | {"tolerance": model.tolerance, "zoom": model.zoom}
    drawing, latest = RoadsDrawing(look), [None]

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        latest[0] = lab = roads.build(settings, latest[0])
        for _ in moments(lambda: roads.play(lab, 0.0, settings["tolerance"])):
            yield _picture(lab, drawing, settings)

    return Played(
        "Roads", note("roads", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        drawing.figures, drawing.titles, frames, CARDS,
    )  # fmt: skip


def _picture(lab, drawing, settings):
    seen = roads.frame(lab, settings["zoom"])
    captions = drawing.show(seen)
    names, passes = roads.winners(lab, DECIDING)
    answer = f"{' and '.join(names)}, after {spelled(passes)}. {WHY}" if names else f"Play the run. {WHY}"
    texts = {
        "numbers": statistics(lab, seen),
        "table": table(seen["table"], lab.refused, drawing.look),
        "predict": reveal(f"Which method is the first to certify a relative gap of {DECIDING:g}?", answer),
        "saddle": mixed(FORMULA),
        "code": code_box(roads.code(lab, settings["tolerance"])),
    }
    return Picture(spelled(lab.passes), captions, texts, drawing.titles)
