"""The page on biases and multipliers: controls, cards and the sentences beside the figures."""

import panel as pn
import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.bias import model as bias
from workbench.pages.bias import served
from workbench.pages.bias.captions import ending, statistics, steps
from workbench.pages.bias.figures import TIMED, TITLES, BiasFigures
from workbench.pages.bias.questions import QUESTIONS, outcome
from workbench.pages.bias.wording import said
from workbench.pages.controls import Controls, group, linear, logarithmic, select, whole
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import elapsed
from workbench.pages.dual_lab.player import PairPlayer
from workbench.pages.guess_card import GuessCard
from workbench.pages.lent import LentPage
from workbench.pages.lent_player import LentPlayer
from workbench.pages.paced import dim
from workbench.pages.player_page import PlayerPage
from workbench.pages.time_marks import curve

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


class BiasPlayer(LentPlayer, PairPlayer):
    """Plays Algorithms 2 and 3 epoch by epoch."""

    def take_back(self, report):
        served.take_back(self.lab, report, self.model.tolerance)

    def construct(self, settings):
        return bias.build(settings, self.lab)

    def play(self, seconds):
        return bias.play(self.lab, seconds, self.model.tolerance)

    def picture(self):
        return bias.snapshot(self.lab)

    def sentence(self):
        return " ".join(ending(each, self.model.tolerance) for each in self.lab.pair)


class BiasPage(LentPage, PlayerPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : BiasLab
    visit : Visit
    """

    title = "Bias & multipliers"
    timed, ghosts = TIMED, {"full": None, "small": None}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.figures = BiasFigures(self.look)
        self.lent = self.player.lent = served.Lent(self)
        self.controls = Controls(
            TABLE, model, visit, self._changed, self.refuse, bias.PRESETS, visible
        )
        self.question = pmui.Select(
            name="Question", options=list(QUESTIONS), value=model.question, margin=(10, 12, 2, 12),
            sizing_mode="stretch_width",
        )  # fmt: skip
        self.question.param.watch(lambda event: self.ask(), "value")
        self.guess = GuessCard(self.look, self._guessed, [self.question])
        self._make_panes()
        self.ask()

    def make_player(self):
        return BiasPlayer(self.model, self.show, self.tell)

    def _make_panes(self):
        look = self.look
        self.stats = parts.pane(statistics(None), look, margin=(0, 0, 10, 0))
        self.captions = {name: parts.pane("", look) for name in TITLES}
        self.formula = parts.formulas(f"$${FORMULA}$$", look, margin=(0, 14))
        self.steps = parts.pane("", look, margin=(2, 14, 12, 14))
        self.code_card, self.code = parts.code_card(look)

    @property
    def plots(self):
        return self.figures.figures

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        keys = self.figures.keys()
        self.boxes = boxes = {
            name: parts.card(
                title, pn.pane.Bokeh(self.figures.figures[name], sizing_mode="stretch_width", margin=(0, 4)),
                self.captions[name], key=keys[name], figure=name, look=self.look,
            )
            for name, title in TITLES.items()
        }  # fmt: skip
        last = boxes["profile"]
        last.styles = last.styles | {"grid-column": "1 / -1"}  # an odd one takes its row
        shown = parts.folded(boxes, FIRST, TITLES, self.visit)
        grid = parts.grid(*shown, least=round(300 * self.look.scale))
        return [self.stats, self.buttons, grid, self.lent.part]

    def aside(self):
        why = parts.card("Why does s move?", self.formula, self.steps, look=self.look)
        return [why, self.guess.card, self.code_card]

    # What a visitor does

    def _changed(self, names):
        self.guess.guess = None
        self.player.restart()

    def ask(self):
        """Put the chosen question, unanswered."""
        self.model.question = self.question.value
        asked = QUESTIONS[self.model.question]
        self.guess.ask(asked.text, asked.options, "Guess; then both algorithms run, and the answer appears.")

    def _guessed(self, option):
        change = {"algorithms": "both"} | QUESTIONS[self.model.question].change
        self.controls.update(change)
        self.guess.guess = option

    # What the player has done

    def draw(self, lab, frame):
        self._dim(False)
        self.redraw()
        self.sentences = self.figures.show(frame)

    def write(self, lab, frame):
        self.rewrite()
        for name, text in self.sentences.items():
            parts.put(self.captions[name], parts.line(text))
        self._write_keys()
        parts.put(self.stats, statistics(frame))
        self.write_cards(lab, frame)
        if self.player.playing:
            self.say(said("running", elapsed=elapsed(lab.run.rows[-1])))

    def _write_keys(self):
        for name in self.ghosts:
            key = self.figures.keys()[name] + self.marks.key(name)
            parts.put_key(self.boxes[name], TITLES[name], key, name)

    def write_cards(self, lab, frame):
        """What stands beside the figures and the numbers."""
        parts.put(self.steps, steps(lab, frame))
        self.write_code()

    def write_code(self):
        parts.put(self.code, parts.code(bias.code(self.player.lab.settings, self.model.tolerance)))

    def refused(self):
        self._dim(True)

    def _dim(self, dimmed):
        dim(self.plots.values(), dimmed)

    # What the browser plays

    @property
    def shared(self):
        return self.figures.shared

    def prepare(self):
        self._write_keys()

    def traces(self, lab):
        return {bias.PARTS[each.algorithm]: curve(each.run) for each in lab.pair}

    def settled(self, lab):
        came = outcome(self.model.question, lab)
        if came is not None:
            self.guess.reveal(came, QUESTIONS[self.model.question].why)
