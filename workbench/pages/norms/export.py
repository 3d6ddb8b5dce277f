"""The page of norms as a file: FISTA with its raw and repaired gaps, for runs computed beforehand."""

from workbench.pages import address, export_player
from workbench.pages.export_file import reveal
from workbench.pages.export_player import Picture, Played, moments, note, sliders
from workbench.pages.formulas import mixed
from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import NormsDrawing
from workbench.pages.norms.frame import frame
from workbench.pages.norms.page import QUESTIONS, REPAIR, statistics
from workbench.pages.theme import code_box

MODEL = norms.Norms
LABELS = {
    "source": "Data", "loss": "Loss", "norm": "Regularizer", "ratio": "λ / λ_max", "epsilon": "ε, sparsity",
    "share": "Share of the ℓ1 part", "decay": "Weight of a level over the one below",
    "intercept": "Free intercept", "best": "κ at the best intercept", "step": "Step size",
    "restart": "Restart the momentum", "tolerance": "Stop at a relative gap of", "first": "Section along",
    "second": "Section across",
}  # fmt: skip
DEFAULTS = {"norm": ["ℓ1", "Group ℓ1/ℓ2", "Sparse group"], "ratio": [0.03, 0.1, 0.3]}
CARDS = {"numbers": "", "repair": "The repair", "predict": "Predict first", "code": "Show me the code"}
SAYS = "Runs of FISTA, step by step"


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    return export_player.page(_played(look, chosen), look, say)


def _played(look, chosen):
    model, chosen = MODEL(), DEFAULTS | chosen
    names = ("tolerance", "first", "second", "halving")
    base = model.settings() | {name: getattr(model, name) for name in names}
    drawing, latest = NormsDrawing(look), [None]

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        latest[0] = lab = norms.build(settings, latest[0])
        for _ in moments(lambda: norms.play(lab, 0.0, settings["tolerance"])):
            yield _picture(lab, drawing, settings)

    # A bisection is the tree's alone.
    shown = [name for name in drawing.figures if name != "bisection" or "Tree" in chosen["norm"]]
    return Played(
        "Norms", note("norms", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        {name: drawing.figures[name] for name in shown}, drawing.titles, frames, CARDS,
    )  # fmt: skip


def _picture(lab, drawing, settings):
    seen = frame(lab, settings["first"], settings["second"]) | {"halving": settings["halving"]}
    captions = drawing.show(seen)
    question, answer, *_ = QUESTIONS[settings["norm"]]
    texts = {
        "numbers": statistics(seen),
        "repair": mixed(REPAIR),
        "predict": reveal(question, answer),
        "code": code_box(norms.code(lab, settings["tolerance"])),
    }
    return Picture(f"{lab.run.steps:,} steps", captions, texts)


