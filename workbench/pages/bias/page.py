"""The page on biases and multipliers: controls, cards, and what its script in the browser goes by."""

import panel_material_ui as pmui

from workbench import losses, regularizers
from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import parts
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import TIMED, TITLES, BiasFigures
from workbench.pages.bias.questions import QUESTIONS
from workbench.pages.bias.wording import TEXTS
from workbench.pages.controls import Controls, group, linear, logarithmic, select, whole
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.wording import TEXTS as DUAL_TEXTS
from workbench.pages.guess_card import GuessCard
from workbench.pages.staged import Stage, StagedPage, script
from workbench.pages.theme import stroke
from workbench.pages.time_marks import WORDING

TABLE = {
    "Problem": {
        "source": select("Data"),
        "constraint": select("Source of the constraint"),
        "loss": select("Loss"),
        "regularizer": select("Regularizer"),
        "lam": logarithmic("λ weight of the regularizer"),
        "epsilon": linear("ε sparsity", 0.01),
        "tube": linear("ε tube of the loss", 0.01),
        "q": linear("q exponent", 0.1),
    },
    "Multiplier": {
        "algorithms": group("Algorithms"),
        "mu": logarithmic("μ softness of the penalty"),
        "eta": logarithmic("η step of s, Algorithm 3"),
        "passes": linear("Epochs per step of s, Algorithm 3", 1),
    },
    "Inner steps": {
        "update": group("Update"),
        "rate": logarithmic("Step of the gradient update"),
        "order": group("Order"),
        "scale": logarithmic("t scale of the step of α"),
        "tolerance": select("Stop at a relative gap of"),
        "seed": whole("Seed"),
    },
}
NAMES = (*(name for entries in TABLE.values() for name in entries), "question")
# What the page is about; the other figures are folded.
FIRST = ("multiplier", "spiral")
FORMULA = r"s \;\leftarrow\; s + \eta\,\frac{\lambda n}{\mu}\,(Cv - b)"
SCRIPTS = ("tracks", "tracked_page", "bias/figures", "bias/live")
# The sentences, some of which are the Dual lab's.
SPOKEN = WORDING.texts | TEXTS | {
    name: DUAL_TEXTS[name] for name in ("steps", "epochs", "no_bound", "wide", "tick")
}  # fmt: skip
# The ways a run ends, from bad to good.
ENDED = ("diverged", "max_epochs", "stalled", "converged")
EXTRAS = {
    bias.BIAS: "bias=True",
    bias.SUM: "constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])",
}
GUESS = "Guess; then both algorithms run, and the answer appears."


def visible(model):
    """The controls that the present choices use."""
    used = dual_lab.controls_of(model.loss, model.regularizer)
    return {
        **{name: name in used for name in ("epsilon", "q", "tube")},
        "eta": model.algorithms != bias.FULL,
        "passes": model.algorithms != bias.FULL,
        "rate": model.update == "gradient",
        "seed": model.order == "shuffled",
    }


def facts(model, look):
    """What the page's script goes by, served or in a file, but for data, terms and ids of models."""
    solvers = {algorithm: type(bias.solver(model.settings(), algorithm)) for algorithm in bias.PARTS}
    return {
        "name": "bias", "texts": SPOKEN | {"ghost": stroke("solid", look.ghost, "{}")},
        "parts": bias.PARTS, "shown": bias.SHOWN, "own_step": bias.SMALL, "profile": bias.PROFILE,
        "solvers": {name: bundle.solver_facts(kind()) for name, kind in solvers.items()},
        "classes": {name: kind.__name__ for name, kind in solvers.items()},
        "epochs": dual_lab.MOST_EPOCHS, "statuses": ENDED, "extras": EXTRAS,
    }  # fmt: skip


def source(name):
    """How a notebook loads a data set of the page."""
    key, options, _ = dual_lab.SOURCES[name]
    return {"name": name, "data": key, "load": options}


class BiasStage(Stage):
    """Its script."""

    _esm = script(SCRIPTS)


class BiasPage(StagedPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : BiasLab
    visit : Visit
    """

    title = "Bias & multipliers"
    names = NAMES
    stage_type, figures_type = BiasStage, BiasFigures
    sliders = ("lam", "mu", "eta", "rate", "scale")
    data_names = ("source", "constraint")
    timed, ghosts = TIMED, {"full": None, "small": None}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.controls = Controls(
            TABLE, model, visit, self._changed, self.refuse, bias.PRESETS, visible
        )
        self.question = pmui.Select(
            name="Question", options=list(QUESTIONS), value=model.question, margin=(10, 12, 2, 12),
            sizing_mode="stretch_width",
        )  # fmt: skip
        self.question.param.watch(lambda event: self.ask(), "value")
        self.guess = GuessCard(self.look, self._guessed, [self.question])
        look = self.look
        self.stats = parts.pane("", look, margin=(0, 0, 10, 0))
        self.captions = {name: parts.pane("", look) for name in TITLES}
        self.formula = parts.formulas(f"$${FORMULA}$$", look, margin=(0, 14))
        self.steps = parts.pane("", look, margin=(2, 14, 12, 14))
        self.code_card, self.code = parts.code_card(look)
        self.texts = {"numbers": self.stats, "why": self.steps, "code": self.code}
        self.ask()

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        keys = self.figures.keys()
        boxes = self.cards({name: (title, keys[name]) for name, title in TITLES.items()})
        last = boxes["profile"]
        last.styles = last.styles | {"grid-column": "1 / -1"}  # an odd one takes its row
        shown = parts.folded(boxes, FIRST, TITLES, self.visit)
        return [
            self.stats, self.buttons, parts.grid(*shown, least=300, two=True), self.stage
        ]

    def aside(self):
        why = parts.card("Why does s move?", self.formula, self.steps, look=self.look)
        return [why, self.guess.card, self.code_card]

    # What a visitor does

    def _changed(self, names):
        self.guess.guess = None
        self.follow()

    def ask(self):
        """Put the chosen question, unanswered."""
        self.model.question = self.question.value
        asked = QUESTIONS[self.model.question]
        self.guess.ask(asked.text, asked.options, GUESS)

    def _guessed(self, option):
        change = {"algorithms": "both"} | QUESTIONS[self.model.question].change
        self.controls.update(change)
        self.guess.guess = option

    def restore(self, settings):
        """Take the settings of an address, the question among them."""
        super().restore(settings)
        self.question.value = settings["question"]

    # What the browser goes by

    def facts(self):
        sources = [source(name) for name in self.model.param.source.objects]
        return facts(self.model, self.look) | {"sources": sources}

    def settings(self):
        """The model's, how a registry names the terms, and whether this is for the server alone."""
        settings = self.model.settings()
        loss, regularizer, _, _ = dual_lab.specification(settings)
        return settings | {
            "tolerance": self.model.tolerance, "texts": {"loss": loss, "regularizer": regularizer},
            "elsewhere": settings["constraint"] != bias.BIAS,
        }  # fmt: skip

    def data(self, key):
        samples = bundle.data(bias.problem(key["source"], bias.BIAS))
        return None if bundle.size(samples) > dual_lab.MOST_BYTES else bundle.binary(samples)

    def terms(self, key):
        problem = bias.problem(key["source"], bias.BIAS)
        loss, regularizer = losses.get(key["loss"]), regularizers.get(key["regularizer"])
        try:
            found = {
                "loss": bundle.loss_facts(loss),
                "regularizer": bundle.regularizer_facts(regularizer, problem),
            }
        except InputError:  # they are not printed for the browser
            return None
        return bundle.binary(found)

    def problem(self, names):
        return bias.problem(names["source"], names["constraint"])

    def rests(self, told):
        """The runs rest; `told["came"]` has the place of the true option by measure once both have ended."""
        if told.get("reset") is True:
            self.ask()  # after a reset an old verdict says nothing
            return
        asked = QUESTIONS[self.model.question]
        came = told.get("came")
        place = came.get(asked.measure) if isinstance(came, dict) else None
        if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(asked.options):
            self.guess.reveal(asked.options[place], asked.why)
