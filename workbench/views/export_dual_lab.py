"""The Dual lab as a file: its figures, its sentences and its certificates, for runs computed beforehand."""

import html

from workbench.views import dual_lab, saddle
from workbench.views.captions import elapsed
from workbench.views.cards import TITLES, badge, keys, statistics
from workbench.views.explain import explain
from workbench.views.export_file import formula
from workbench.views.export_player import Picture, Played, moments, note, sliders
from workbench.views.figures import DualLabFigures
from workbench.views.snapshot import snapshot
from workbench.views.theme import code_box

# What may be chosen, and what the file calls it; the order is that of the sliders.
LABELS = {
    "source": "Data", "loss": "Loss", "regularizer": "Regularizer", "lam": "λ, weight of the regularizer",
    "epsilon": "ε, sparsity", "tube": "ε, tube of the loss", "mu": "μ, prior of the weights",
    "q": "q, exponent", "update": "Update", "order": "Order", "scale": "t, scale of the step",
    "eta": "η, step of the gradient update", "seed": "Seed", "tolerance": "Stop at a relative gap of",
}  # fmt: skip
MODEL = dual_lab.DualLab
DEFAULTS = {"regularizer": ["Elastic net", "Squared ℓ2"], "lam": [0.001, 0.01, 0.1]}
SAYS = "Runs of dual Gauss-Seidel"
CARDS = {"numbers": "", "why": "Why this update?", "code": "Show me the code"}


def played(look, chosen):
    """The page.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Of a setting in `LABELS` to the values to compute; one value fixes it, several make a slider.
    """
    model, chosen = MODEL(), DEFAULTS | chosen
    figures = DualLabFigures(look)
    base = model.settings() | {"compare": False, "tolerance": model.tolerance}
    base |= {name: values[0] for name, values in chosen.items()}
    titles = {name: (TITLES[name], key) for name, key in keys(look).items()}
    latest = [None]

    def frames(settings):
        # The data are prepared once, and the next run uses them again.
        latest[0] = lab = dual_lab.build(base | settings, latest[0])
        yield from _pictures(lab, figures, base | settings)

    titles["gap"] = TITLES["gap"], ""
    return Played(
        "Dual lab", note("dual-lab", SAYS, model, LABELS, chosen), sliders(model, LABELS, chosen),
        figures.figures, titles, frames, CARDS,
    )  # fmt: skip


def _pictures(lab, figures, settings):
    run, sample = lab.run, None
    for _ in moments(lambda: dual_lab.play(lab, 0.0, settings["tolerance"])):
        # The saddle stays with one sample once the run is under way, as on the page.
        sample = saddle.watched(run) if sample is None or run.epochs <= 1.0 else sample
        yield _picture(lab, figures, snapshot(lab, sample), settings)


def _picture(lab, figures, frame, settings):
    captions = figures.show(frame)
    # On the page there may be a second run beside it.
    captions["gap"] = captions["gap"].replace("A: ", "The gap is ", 1)
    shown = code_box(dual_lab.code(settings, settings["tolerance"]))
    texts = {"numbers": statistics(frame), "why": _why(lab.run), "code": shown}
    return Picture(elapsed(frame["row"]), captions, texts)


def _why(run):
    step = explain(run)
    if step is None:
        return "<div class='wb-note'>Nothing has moved yet.</div>"
    return (
        f"<div class='wb-note'>{html.escape(step.title)}</div>{formula(step.formula)}"
        f"{''.join(map(formula, step.numbers))}{badge(step)}"
    )
