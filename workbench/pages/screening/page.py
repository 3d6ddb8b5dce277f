"""The page of screening: runs that are played, the marks that they cross out, and the ball that does it."""

import panel_material_ui as pmui

from workbench.data.examples.correlated import CANCER, SOURCES
from workbench.faces import words
from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch
from workbench.pages.guess_card import GuessCard
from workbench.pages.paced import PacedPage, numbers
from workbench.pages.player import Player
from workbench.pages.screening import model as screening
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.screening.frame import frame, listed
from workbench.pages.screening.model import BEFORE, INPUTS, VIEWS
from workbench.pages.screening.questions import OPTIONS, QUESTIONS, asked, came
from workbench.pages.time_marks import curve

TABLE = {
    "Problem": {
        "source": select("Data"),
        "loss": select("Loss"),
        "norm": select("Regularizer"),
        "epsilon": linear("ε sparsity"),
        "intercept": switch("free intercept"),
    },
    "The path": {
        "ratio": logarithmic("λ / λ_max"),
        "start": group("Solvers start at"),
        "tolerance": select("Stop at a relative gap of"),
    },
    "The plane": {
        "first": select("First feature or group"),
        "second": select("Second feature or group"),
        "window": group("The picture shows"),
    },
}
PRESETS = {
    "Correlated features": {},
    "Near λ_max": {"ratio": 0.63},
    "Sequential: from the λ before": {"start": BEFORE},
    "Groups of four": {"norm": "Group ℓ1/ℓ2", "ratio": 0.32, "second": 10},
    "With a ridge some are certain to stay": {"norm": "Elastic net", "ratio": 0.32},
    "Breast cancer, logistic": {"source": CANCER, "loss": "Logistic", "second": 12},
    "Sparse counts, squared hinge": {
        "source": SOURCES[2], "loss": "Squared hinge", "ratio": 0.4, "second": 40,
    },
    "Wide: 2,000 features": {"source": SOURCES[3], "ratio": 0.1, "second": 40},
    "Refused: the hinge has no ball": {"source": CANCER, "loss": "Hinge"},
}  # fmt: skip
FORMULA = (
    r"$\textstyle\sum_i (\alpha_i - \alpha^\star_i)^2 \le r^2 = 2 n L \cdot \mathrm{gap}$"
    "\n"
    r"$|x_j^\top\alpha| + r\,\lVert x_j\rVert < \lambda n \;\Rightarrow\; w^\star_j = 0$"
)
SOURCE = "Fercoq, Gramfort and Salmon (2015); docs/mathematics.md, section 8"


class ScreeningPlayer(Player):
    """Plays three runs of coordinate descent on one problem."""

    def construct(self, settings):
        return screening.build(settings, self.lab)

    def picture(self):
        model = self.model
        return frame(self.lab, model.first, model.second, model.window)

    def play(self, seconds):
        return screening.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        if request == "look":
            return
        for run in self.lab.runs.values():
            run.status = None
        screening.move(self.lab, 1 if request == "step" else self.lab.run.epoch_steps)

    @property
    def runs(self):
        return list(self.lab.runs.values())

    def sentence(self):
        run = self.lab.run
        after = f"after {run.epochs:.3g} epochs"
        if run.status == "converged":
            return f"Reached a relative gap of {self.model.tolerance:g} {after}."
        if run.status == "stalled":
            return f"Stalled {after}: no weight changes any more in floating point."
        if run.status is None:
            return f"Paused {after}."
        return f"Stopped {after}; press run to continue."


class ScreeningPage(PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names = "Screening", (*INPUTS, "tolerance", *VIEWS, "question")
    timed, ghosts = ("epochs",), {"epochs": "epoch"}

    def make(self):
        look = self.visit.look
        self.drawing = ScreeningDrawing(look)
        self.player = ScreeningPlayer(self.model, self.show, self.tell)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS, _visible
        )
        for name in ("first", "second"):
            self.controls.options(name, {f"place {k + 1}": k for k in range(screening.LISTED)})
        self.question = pmui.Select(
            name="Question", options=list(QUESTIONS), value=self.model.question, margin=(10, 12, 2, 12),
            sizing_mode="stretch_width",
        )  # fmt: skip
        self.question.param.watch(lambda event: self._ask(event.new), "value")
        self.predict = GuessCard(look, self._guessed, [self.question])
        self._ask(self.model.question)

    def main(self):
        return super().main()

    def aside(self):
        look = self.look
        source = parts.pane(f"<div class='wb-source'>{SOURCE}</div>", look, margin=(0, 14, 10, 14))
        return [
            self.predict.card,
            parts.card("The ball and the rule", parts.formulas(FORMULA, look), source, look=look),
            self.code_card,
        ]  # fmt: skip

    def time_of(self, run, entry, label):
        return run.epochs_of(entry)

    def traces(self, lab):
        return {"epochs": curve(lab.run, trace="gaps", gap=float)}

    def changed(self, names):
        """A control moved: what is computed begins anew, what is looked at is drawn anew."""
        if set(names) <= set(VIEWS):
            self.player.look()
            return
        self.predict.guess = None
        self.player.restart()

    # The question

    def ask(self):
        """Put the chosen question, unanswered."""
        self._ask(self.model.question)

    def _ask(self, question):
        self.model.question = question
        self.text, self.target = asked(question, self.model.ratio)
        self.predict.ask(self.text, OPTIONS, "Guess; then it runs with this λ, and the answer appears.")

    def _guessed(self, option):
        # The λ that the text names, whatever has been moved since it was put.
        self.controls.update({"ratio": self.target} | QUESTIONS[self.model.question].change)
        self.predict.guess = option

    def settled(self, lab):
        answer = None if self.predict.guess is None else came(self.model.question, lab)
        if answer is not None:
            option, said = answer
            self.predict.reveal(said, QUESTIONS[self.model.question].why, right=option)

    # What the player has done

    def filled(self, lab, frame):
        """The numbers, the blocks of the plane by their names, and the code."""
        parts.put(self.stats, statistics(frame))
        names = listed(lab)
        for name in ("first", "second"):
            setattr(self.model, name, min(getattr(self.model, name), len(names) - 1))
            self.controls.options(name, names)
        if self.player.playing:
            self.say(f"Running: {frame['row']['epoch']:.3g} epochs")
        parts.put(self.code, parts.code(screening.code(lab, self.model.tolerance)))


def statistics(frame):
    """The row of numbers in HTML."""
    marks = frame["marks"]
    return numbers((
        ("discarded", f"{marks['discarded']:,}", f"of {marks['total']:,}"),
        ("before the solve", f"{marks['first']:,}", ""),
        ("not zero now", f"{marks['nonzero']:,}", f"{marks['kept']:,} for certain" if marks["kept"] else ""),
        ("certified gap", f"{frame['gap']:.2e}", f"≤ {words.percent(frame['relative_gap'])}"),
        ("radius", f"{frame['plane']['balls']['both'][1]:.3g}", ""),
        ("λ", f"{frame['lam']:.4g}", f"λ_max {frame['largest']:.4g}"),
    ))  # fmt: skip


def _visible(model):
    return {"epsilon": model.norm == "Elastic net"}
