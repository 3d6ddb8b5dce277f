"""The page of screening: the marks that runs cross out, and the ball that does it."""

from typing import ClassVar

from workbench.pages import parts
from workbench.pages.controls import table
from workbench.pages.export_file import reveal
from workbench.pages.export_played import PlayedFile
from workbench.pages.formulas import mixed
from workbench.pages.guess_card import GuessCard
from workbench.pages.played import PlayedPage
from workbench.pages.screening import model as screening
from workbench.pages.screening.engine import ScreeningEngine
from workbench.pages.screening.figures import ScreeningDrawing
from workbench.pages.screening.model import INPUTS, VIEWS
from workbench.pages.screening.questions import OPTIONS, QUESTIONS, question_text
from workbench.pages.wording import Wording, content

CONTENT = content("screening")
TABLE = table(CONTENT["controls"])
PRESETS = CONTENT["presets"]
FORMULA = (
    r"$\textstyle\sum_i (\alpha_i - \alpha^\star_i)^2 \le r^2 = 2 n L \cdot \mathrm{gap}$"
    "\n"
    r"$|x_j^\top\alpha| + r\,\lVert x_j\rVert < \lambda n \;\Rightarrow\; w^\star_j = 0$"
)
SOURCE = "Fercoq, Gramfort and Salmon (2015); docs/mathematics.md, section 8"
GUESS = "Guess; then it runs with this λ, and the answer appears."


class ScreeningPage(PlayedPage):
    """Binds one model to its widgets."""

    title, names = "Screening", (*INPUTS, "tolerance", *VIEWS, "question")
    model_type, drawing_type = screening.ScreeningModel, ScreeningDrawing
    engine_type, table, presets = ScreeningEngine, TABLE, PRESETS
    inputs, views = INPUTS, VIEWS
    used: ClassVar = {"epsilon": [{"norm": ["Elastic net"]}]}
    sentences = Wording("screening").texts
    sliders, timed, ghosts = ("ratio",), ("epochs", "left"), {"epochs": "epoch"}
    curves: ClassVar = {"epochs": {"sources": ["both"], "x": "epoch", "gap": "gap"}}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        for name in ("first", "second"):
            self.controls.options(name, {f"place {k + 1}": k for k in range(screening.LISTED)})
        self.predict = GuessCard(self.look, self._guessed, [self.question_list(QUESTIONS)])
        self.ask()

    def aside(self):
        look = self.look
        source = parts.pane(f"<div class='wb-source'>{SOURCE}</div>", look, margin=(0, 14, 10, 14))
        return [
            self.predict.card,
            parts.card("The ball and the rule", parts.formulas(FORMULA, look), source, look=look),
            self.code_card,
        ]

    # The question

    def ask(self):
        """Put the chosen question, unanswered."""
        self.text, self.target = question_text(self.model.question, self.model.ratio)
        self.predict.ask(self.text, OPTIONS, GUESS)

    def question_changed(self):
        self.predict.guess = None

    def _guessed(self, option):
        # The λ that the text names, whatever has been moved since it was put.
        self.controls.update({"ratio": self.target} | QUESTIONS[self.model.question].change)
        self.predict.guess = option
        self.answer()

    def finished(self, message):
        """Answer the question by what the engine says of the run."""
        came = message.get("outcomes")
        outcome = came.get(self.model.question) if isinstance(came, dict) else None
        if isinstance(outcome, list) and len(outcome) == 2 and outcome[0] in OPTIONS:
            self.predict.reveal(str(outcome[1]), QUESTIONS[self.model.question].why, right=outcome[0])

    def began(self, message):
        """List the blocks of the plane by their names."""
        names = message.get("listed")
        if not isinstance(names, list) or not 0 < len(names) <= screening.LISTED:
            return
        for name in ("first", "second"):
            setattr(self.model, name, min(getattr(self.model, name), len(names) - 1))
            self.controls.options(name, {str(each): place for place, each in enumerate(names)})


class ScreeningFile(PlayedFile):
    kind, says = ScreeningPage, "Runs of coordinate descent, with what their gaps discard"
    defaults: ClassVar = {"ratio": [0.1, 0.3, 0.63]}

    def cards(self):
        questions = "".join(reveal(f"{name}.", question.why) for name, question in QUESTIONS.items())
        return {"predict": ("Predict first", questions), "ball": ("The ball and the rule", mixed(FORMULA))}
