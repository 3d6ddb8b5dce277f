"""The page of inverse time as a file: sweeps over the training samples, and one PGS run for each."""

from workbench.pages import address, export_player
from workbench.pages.export_file import reveal
from workbench.pages.export_player import Picture, Played, moments, note, sliders
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.figures import InverseTimeDrawing
from workbench.pages.inverse_time.page import QUESTION, frame, statistics
from workbench.pages.inverse_time.sweep import sweep
from workbench.pages.theme import code_box

MODEL = inverse_time.InverseTime
LABELS = {
    "source": "Data", "p": "p of the regularizer", "lam": "λ, Zhu's σ", "batch": "Samples per step, k",
    "order": "Order", "measure": "Quantity to be approximated", "target": "Target ε",
    "seeds": "Training sets for each m", "c": "c of Theorem 2", "samples": "Training samples of the run",
    "seed": "Seed", "tolerance": "Stop at a relative gap of",
}  # fmt: skip
DEFAULTS = {"lam": [0.001, 0.003, 0.01], "seeds": [3]}
CARDS = {"numbers": "", "predict": "Predict first", "code": "Show me the code"}
SAYS = "A sweep over m and one run of PGS for each position of the sliders"


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    return export_player.page(_played(look, chosen), look, say)


def _played(look, chosen):
    model, chosen = MODEL(), DEFAULTS | chosen
    base = model.settings() | {"c": model.c, "tolerance": model.tolerance}
    drawing = InverseTimeDrawing(look)

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        swept = _sweep(drawing, settings)
        lab = inverse_time.build(settings)
        for _ in moments(lambda: inverse_time.play(lab, 0.0, settings["tolerance"])):
            yield _picture(lab, drawing, settings, swept)

    return Played(
        "Inverse time", note("inverse-time", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        drawing.figures, drawing.titles, frames, CARDS,
    )  # fmt: skip


def _sweep(drawing, settings):
    """Draw the whole sweep; returns the sentences of its figures."""
    cells = list(sweep(settings, lambda: False))
    largest = inverse_time.sizes(settings["source"])[-1]
    people = inverse_time.population(settings["source"])
    found = inverse_time.constants(inverse_time.make_problem(settings, largest, 0), people.reference)
    return drawing.show_sweep(cells, settings, found, settings["c"], False)


def _picture(lab, drawing, settings, swept):
    seen = frame(lab)
    texts = {
        "numbers": statistics(lab, seen),
        "predict": reveal(*QUESTION),
        "code": code_box(inverse_time.code(settings, settings["tolerance"])),
    }
    return Picture(f"{lab.run.steps:,} steps", swept | drawing.show(seen), texts)
