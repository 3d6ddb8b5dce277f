"""The page on multipliers as a file: Algorithms 2 and 3 side by side, for runs computed beforehand."""

from workbench.views import bias, dual_lab
from workbench.views.bias_document import TITLES, BiasFigures
from workbench.views.bias_page import FORMULA, statistics, steps
from workbench.views.captions import elapsed
from workbench.views.export_file import formula
from workbench.views.export_player import Picture, Played, moments, note, sliders
from workbench.views.theme import code_box

MODEL = bias.BiasLab
LABELS = {
    "source": "Data", "constraint": "The multiplier stands for", "loss": "Loss", "regularizer": "Regularizer",
    "lam": "λ, weight of the regularizer", "epsilon": "ε, sparsity", "tube": "ε, tube of the loss",
    "q": "q, exponent", "algorithms": "Algorithms", "mu": "μ, softness of the penalty",
    "eta": "η, step of s in Algorithm 3", "passes": "Epochs to a step of s", "update": "Update",
    "rate": "Step of the gradient update", "order": "Order", "scale": "t, scale of the step of α",
    "tolerance": "Stop at a relative gap of", "seed": "Seed",
}  # fmt: skip
DEFAULTS = {"eta": [0.01, 0.1, 1.0, 10.0], "mu": [0.1, 1.0, 10.0]}
CARDS = {"numbers": "", "why": "Why does s move?", "code": "Show me the code"}
SAYS = "Augmented Lagrangians, epoch by epoch"


def played(look, chosen):
    """The page; `chosen` has the values of some of `LABELS`."""
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
