"""The page on multipliers as a file: Algorithms 2 and 3 side by side, for runs computed beforehand."""

from workbench.pages import address, export_player
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import TITLES, BiasFigures
from workbench.pages.bias.page import FORMULA, statistics, steps
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import elapsed
from workbench.pages.export_player import Picture, Played, moments, note, sliders
from workbench.pages.formulas import formula
from workbench.pages.theme import code_box

MODEL = bias.BiasLab
LABELS = {
    "source": "Data", "constraint": "Source of the constraint", "loss": "Loss", "regularizer": "Regularizer",
    "lam": "λ, weight of the regularizer", "epsilon": "ε, sparsity", "tube": "ε, tube of the loss",
    "q": "q, exponent", "algorithms": "Algorithms", "mu": "μ, softness of the penalty",
    "eta": "η, step of s in Algorithm 3", "passes": "Epochs per step of s", "update": "Update",
    "rate": "Step of the gradient update", "order": "Order", "scale": "t, scale of the step of α",
    "tolerance": "Stop at a relative gap of", "seed": "Seed",
}  # fmt: skip
DEFAULTS = {"eta": [0.01, 0.1, 1.0, 10.0], "mu": [0.1, 1.0, 10.0]}
CARDS = {"numbers": "", "why": "Why does s move?", "code": "Show me the code"}
SAYS = "Augmented Lagrangians, epoch by epoch"


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say):
    """The text of the file; `chosen` has the values of some of `LABELS`."""
    return export_player.page(_played(look, chosen), look, say)


def _played(look, chosen):
    model, chosen = MODEL(), DEFAULTS | chosen
    base = model.settings() | {"tolerance": model.tolerance}
    figures, latest = BiasFigures(look), [None]

    def frames(settings):
        settings = base | {name: values[0] for name, values in chosen.items()} | settings
        latest[0] = lab = bias.build(settings, latest[0])
        for _ in moments(lambda: dual_lab.play(lab, 0.0, settings["tolerance"])):
            yield _picture(lab, figures, settings["tolerance"])

    keys = figures.keys()
    titles = {name: (title, keys[name]) for name, title in TITLES.items()}
    return Played(
        "Bias & multipliers", note("bias", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        figures.figures, titles, frames, CARDS,
    )  # fmt: skip


def _picture(lab, figures, tolerance):
    frame = bias.snapshot(lab)
    texts = {
        "numbers": statistics(frame), "why": formula(FORMULA) + steps(lab, frame),
        "code": code_box(bias.code(lab.settings, tolerance)),
    }  # fmt: skip
    # One of the two may have ended before the other.
    last = max((each.run.rows[-1] for each in lab.pair), key=lambda row: row["epoch"])
    return Picture(elapsed(last), figures.show(frame), texts)
