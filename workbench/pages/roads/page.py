"""The page of roads: several solvers on one problem, pass by pass, over its saddle and to one certificate."""

from typing import ClassVar

from workbench.pages import parts
from workbench.pages.controls import table
from workbench.pages.export_file import reveal
from workbench.pages.export_played import PlayedFile
from workbench.pages.formulas import mixed
from workbench.pages.guess_card import GuessCard
from workbench.pages.played import PlayedPage
from workbench.pages.roads import model as roads
from workbench.pages.roads.engine import DECIDING, PASSES, RoadsEngine, first_roads
from workbench.pages.roads.figures import LISTED, RoadsDrawing
from workbench.pages.wording import Wording, content

CONTENT = content("roads")
TABLE = table(CONTENT["controls"])
PRESETS = CONTENT["presets"]
NOTE = CONTENT["note"]
FORMULA = (
    r"$R = \lambda g(w) - \tfrac{1}{n}\sum_i \bigl[k(-\alpha_i) + \alpha_i w^\top x_i\bigr]$"
    "\n"
    r"$P(w) = \max_\alpha R(w, \alpha)$"
    "\n"
    r"$-D(\alpha) = \min_w R(w, \alpha)$"
    "\n"
    r"$\mathrm{gap} = P(w) + D(\alpha) \ge 0$"
)
SOURCE = (
    "Zhang (2002), (4); Chambolle and Pock (2011); Bach (2015); Ma et al. (2015); docs/mathematics.md, "
    "section 12"
)
WHY = CONTENT["why"]
GUESS = "Guess; then all run with this λ, and the answer appears."


class RoadsPage(PlayedPage):
    """Binds one model to its widgets."""

    title, names, leap = "Roads", (*roads.INPUTS, "tolerance", "zoom"), f"{PASSES} steps"
    model_type, drawing_type, engine_type = roads.RoadsModel, RoadsDrawing, RoadsEngine
    table, presets = TABLE, PRESETS
    used: ClassVar = {
        "epsilon": [{"regularizer": ["Elastic net"]}],
        "passes": [{"compare": [roads.IN_PARTS]}],
    }
    inputs, views = roads.INPUTS, ("zoom",)
    sentences = Wording("roads").texts
    unit, places_of_leap, sliders = "pass", PASSES, ("lam",)
    timed, ghosts = ("gaps", "above", "below"), {"gaps": "epoch"}
    curves: ClassVar = {"gaps": {"sources": list(roads.NAMES), "x": "passes", "gap": "relative_gap"}}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.predict = GuessCard(self.look, self._guessed)
        self.offered = tuple(roads.solvers(model.settings()))
        self.listing = parts.pane("", self.look, margin=(2, 12, 10, 12))
        self.texts["table"] = self.listing
        self.ask()

    def main(self):
        card = parts.card(LISTED, self.listing, look=self.look)
        saddle, *others = self.boxes.values()
        cards = parts.grid(saddle, card, *others, least=330)
        return [self.stats, self.buttons, cards, self.stage]

    def aside(self):
        look = self.look
        note = parts.pane(f"<div class='wb-note'>{NOTE}</div>", look, margin=(0, 14, 4, 14))
        source = parts.pane(f"<div class='wb-source'>{SOURCE}</div>", look, margin=(0, 14, 10, 14))
        return [
            self.predict.card,
            parts.card("The saddle and the gap", parts.formulas(FORMULA, look), note, source, look=look),
            self.code_card,
        ]

    # The question

    def ask(self):
        """Ask about a λ that is not shown: a tenth of the present one, or ten times it."""
        self.text, self.target = question_text(self.model.lam, self.model.compare)
        self.predict.ask(self.text, self.offered, GUESS)

    def question_changed(self):
        self.ask()

    def _guessed(self, option):
        # The λ that the text names; the question stays until it is answered.
        self.controls.set({"lam": self.target})
        self.predict.guess = option
        self.follow()
        self.answer()

    def finished(self, message):
        """Answer the question by the roads that the engine says were first."""
        names, text = message.get("first"), message.get("said")
        guess, is_asked = self.predict.guess, self.model.lam == self.target
        if is_asked and isinstance(names, list) and all(each in roads.NAMES for each in names):
            right = guess if guess in names else next(iter(names), None)
            self.predict.reveal(str(text), WHY[self.model.compare], right=right)

    def began(self, message):
        """Offer the roads that there are."""
        offered = message.get("roads")
        if not isinstance(offered, list) or not all(each in roads.NAMES for each in offered):
            return
        if self.offered != tuple(offered):
            self.offered = tuple(offered)
            guess = self.predict.guess
            self.ask()
            self.predict.guess = guess if guess in offered else None


class RoadsFile(PlayedFile):
    kind, says = RoadsPage, "Runs of several solvers, pass by pass"
    defaults: ClassVar = {"lam": [0.01, 0.1, 1.0], "zoom": [1, 10]}

    def answers(self, engine):
        (_, text), compare = first_roads(engine.lab), engine.lab.settings["compare"]
        answer = f"{text[0].upper()}{text[1:]}. {WHY[compare]}"
        return {"predict": reveal(f"Which {question(compare)}", answer)}

    def cards(self):
        return {
            "table": (LISTED, ""),
            "predict": ("Predict first", ""),
            "saddle": ("The saddle and the gap", mixed(FORMULA)),
        }


def question_text(lam, compare=roads.METHODS):
    """The text of the question and the λ that it asks about."""
    target = float(f"{lam / 10.0:.2g}")
    if target < roads.BOUNDS["lam"][0]:
        target = min(float(f"{10.0 * lam:.2g}"), roads.BOUNDS["lam"][1])
    return f"At λ = {target:g}: which {question(compare)}", target


def question(compare):
    """Who is first, without its first word."""
    return f"{roads.COMPARED[compare].one} is the first to certify a relative gap of {DECIDING:g}?"
