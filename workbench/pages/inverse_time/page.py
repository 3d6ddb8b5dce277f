"""The page of inverse time: controls, cards, and what its script in the browser goes by."""

import panel as pn
import panel_material_ui as pmui

from workbench.browser import bundle
from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, whole
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.engine import InverseTimeEngine
from workbench.pages.inverse_time.figures import RUN, InverseTimeFigures
from workbench.pages.inverse_time.model import INPUTS, SWEPT
from workbench.pages.inverse_time.sweep import LOOKS
from workbench.pages.inverse_time.wording import TEXTS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import Stage, StagedPage, press, script
from workbench.pages.theme import stroke
from workbench.pages.time_marks import WORDING
from workbench.solvers import PrimalGradient

TABLE = {
    "Data and solver": {
        "source": select("Data"),
        "p": linear("p of the regularizer", 0.05),
        "lam": logarithmic("λ, Zhu's σ"),
        "batch": linear("samples per step, k", 1),
        "order": group("Order"),
    },
    "Sweep over m": {
        "measure": select("Quantity to be approximated"),
        "target": logarithmic("target ε"),
        "seeds": linear("training sets for each m", 1),
        "c": logarithmic("c of Theorem 2"),
    },
    "One run": {
        "samples": select("its training samples m"),
        "seed": whole("Seed"),
        "tolerance": select("Stop at a relative gap of"),
    },
}
PRESETS = {
    "Test loss, and Theorem 2": {},
    "The direction, as in Zhu's Figure 9": {"measure": "Direction", "target": 0.2, "lam": 0.01},
    "Accuracy within a hundredth": {"measure": "Test accuracy", "target": 0.01},
    "Suboptimality does not profit": {"measure": "Suboptimality", "target": 0.01, "lam": 0.01},
    "p = 1.5 with batches": {"p": 1.5, "batch": 10, "lam": 0.0006},
    "Breast cancer": {
        "source": inverse_time.CANCER, "measure": "Test accuracy", "target": 0.03, "lam": 0.01,
        "samples": 455,
    },
}  # fmt: skip
QUESTION = (
    "With 128 times as many training samples, does a solver need more time for the same quality on new data? "
    "PGS and L-BFGS both do; L-BFGS alone does; neither does",
    "L-BFGS alone does: each of its iterations visits every sample. PGS first needs less time, then as much: "
    "a step costs the same for every m, and with more samples a less accurate solution is good enough. To "
    "reach a fixed suboptimality of the training objective, neither becomes faster with more samples.",
)
NAMES = (*dict.fromkeys((*INPUTS, *SWEPT)), "c", "tolerance")
GHOSTS = {"pgs_gap": "step"}
SCRIPTS = ("single_run", "inverse_time/figures", "inverse_time/live")
# Of the sweep: what its buttons say, and what they press.
SWEEP = {"repeat the sweep": "sweep", "cancel the sweep": "cancel"}


def facts(look, figures, sources):
    """What the page's script goes by, served or in a file, but for data, terms and ids of models."""
    keys = {"ghost": stroke("solid", look.ghost, "{}"), "not_reached": figures.missed}
    return {
        "texts": WORDING.texts | TEXTS | keys, "sources": [source(name) for name in sources],
        "inputs": INPUTS, "swept": SWEPT, "solver": bundle.solver_facts(PrimalGradient()),
        "looks": LOOKS.tolist(), "messages": training_sets.worker(),
    }  # fmt: skip


def source(name):
    """The sizes of the training sets of a source, and the option that a notebook gives of its bias."""
    bias = inverse_time.population(name).bias
    return {"name": name, "swept": inverse_time.sizes(name), "bias": repr(bias)}


class InverseTimeStage(Stage):
    """Its script."""

    _esm = script(SCRIPTS)


class InverseTimePage(StagedPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : InverseTime
    visit : Visit
    """

    names = NAMES
    title = "Inverse time"
    stage_type, engine_type = InverseTimeStage, InverseTimeEngine
    figures_type = InverseTimeFigures
    sliders = ("lam", "target", "c")
    data_names = ("source", "seed", "samples")
    timed, ghosts = RUN, GHOSTS

    def __init__(self, model, visit):
        super().__init__(model, visit)
        look = self.look
        self.captions = {name: parts.pane("", look) for name in self.figures.titles}
        self.boxes = self.cards(self.figures.titles)
        self.controls = Controls(TABLE, model, visit, self.changed, self.refuse, PRESETS)
        self._fit_samples()
        self.stats = parts.pane("", look, margin=(0, 0, 10, 0))
        self.code_card, self.code = parts.code_card(look)
        self.sweep_status = parts.pane("", look, margin=(0, 0, 8, 2))
        self.texts = {"numbers": self.stats, "code": self.code, "sweep": self.sweep_status}
        self.predict = RevealCard(look)
        self.ask()

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        buttons = []
        for name, pressed in SWEEP.items():
            button = pmui.Button(name=name, variant="outlined", size="small", margin=(0, 8, 6, 0))
            button.js_on_click(code=press(pressed))
            buttons.append(button)
        row = pn.FlexBox(*buttons, margin=(0, 0, 4, 0), sizing_mode="stretch_width")
        cards = parts.grid(*self.boxes.values(), least=300)
        return [self.stats, self.buttons, row, self.sweep_status, cards, self.stage]

    def aside(self):
        return [self.predict.card, self.code_card]

    # What a visitor does

    def changed(self, names):
        if "source" in names:
            self._fit_samples()
        self.follow()

    def _fit_samples(self):
        """The sizes of the present data as those of the run."""
        found = inverse_time.sizes(self.model.source)
        if self.model.samples not in found:
            self.model.samples = found[-1] if self.model.source == inverse_time.CANCER else 1600
        self.controls.options("samples", {f"{m:,}": m for m in found})

    def ask(self):
        """Put the question, unanswered."""
        self.predict.ask(*QUESTION)

    def rests(self, told):
        """After a reset the question is put anew."""
        if told.get("reset") is True:
            self.ask()

    # What the browser goes by

    def facts(self):
        return facts(self.look, self.figures, self.model.param.source.objects)

    def settings(self):
        model = self.model
        more = {"c": model.c, "tolerance": model.tolerance, "texts": {"p": model.p}}
        return model.settings() | more

    def data(self, key):
        chosen = inverse_time.InverseTime(**key)
        seeds = chosen.param.seeds.bounds[1]
        return bundle.binary(training_sets.held(chosen.source, seeds, [(chosen.seed, chosen.samples)]))

    def terms(self, key):
        chosen = inverse_time.InverseTime(source=key["source"], p=key["p"])
        return bundle.binary(training_sets.terms(chosen.source, chosen.p))

    def problem(self, names):
        return training_sets.small_problem(inverse_time.InverseTime(source=names["source"]).source)
