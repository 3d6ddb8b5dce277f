"""The page of roads: several solvers on one problem, pass by pass, over its saddle and to one certificate."""

from typing import ClassVar

from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch, whole
from workbench.pages.guess_card import GuessCard
from workbench.pages.played import PlayedPage
from workbench.pages.roads.engine import DECIDING, PASSES, RoadsEngine
from workbench.pages.roads.figures import RoadsDrawing
from workbench.pages.roads.model import APART, BOUNDS, CANCER, INPUTS, ONE, ROADS
from workbench.pages.wording import Wording

TABLE = {
    "Problem": {
        "source": select("Data"),
        "loss": select("Loss"),
        "regularizer": select("Regularizer"),
        "lam": logarithmic("λ weight"),
        "epsilon": linear("ε sparsity"),
        "intercept": switch("free intercept"),
    },
    "Roads": {
        "tolerance": select("Stop at a relative gap of"),
        "seed": whole("Random seed"),
    },
    "The saddle": {"zoom": group("Magnification")},
}
PRESETS = {
    "One weight: a spiral and a staircase": {},
    "The last turns, ten times closer": {"zoom": 10},
    "Samples that disagree": {"source": APART, "lam": 0.01},
    "One sample: the saddle is the problem": {"source": ONE, "loss": "Logistic", "lam": 0.01},
    "A smooth loss: all methods but one": {"source": "Overlapping", "loss": "Logistic", "lam": 0.01},
    "A free intercept": {"source": "Overlapping", "loss": "Smoothed hinge", "intercept": True},
    "ℓ1 has no smooth conjugate": {"source": "Overlapping", "loss": "Logistic", "regularizer": "ℓ1"},
    "Breast cancer": {"source": CANCER, "loss": "Logistic", "lam": 0.01},
    "Breast cancer, hinge and elastic net": {"source": CANCER, "regularizer": "Elastic net", "lam": 0.01},
}  # fmt: skip
NOTE = (
    "A pass visits every sample once: n coordinate steps, or one step of Frank-Wolfe, PDHG or the proximal "
    "gradient, each of which multiplies once with X and once with its transpose. With many variables those "
    "that are not drawn change as well, so that a path may leave the line that it follows with one weight."
)
FORMULA = (
    r"$R = \lambda g(w) - \tfrac{1}{n}\sum_i \bigl[k(-\alpha_i) + \alpha_i w^\top x_i\bigr]$"
    "\n"
    r"$P(w) = \max_\alpha R(w, \alpha)$"
    "\n"
    r"$-D(\alpha) = \min_w R(w, \alpha)$"
    "\n"
    r"$\mathrm{gap} = P(w) + D(\alpha) \ge 0$"
)
SOURCE = "Zhang (2002), (4); Chambolle and Pock (2011); Bach (2015); docs/mathematics.md, section 12"
WHY = (
    "No method wins everywhere. A coordinate step uses the curvature of its own sample at once, and zigzags "
    "where samples pull the same weights; Frank-Wolfe's gap falls like one over the number of "
    "passes where k is linear; PDHG's steps use only the norm of X."
)
GUESS = "Guess; then the methods run with this λ, and the answer appears."


class RoadsPage(PlayedPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : RoadsModel
    visit : Visit
    """

    title, names, leap = "Roads", (*INPUTS, "tolerance", "zoom"), f"{PASSES} passes"
    inputs, views, engine_type = INPUTS, ("zoom",), RoadsEngine
    sentences = Wording("roads").texts
    unit, places_of_leap, sliders = "pass", PASSES, ("lam",)
    timed, ghosts = ("gaps", "above", "below"), {"gaps": "epoch"}
    curves: ClassVar = {"gaps": {"sources": list(ROADS), "x": "passes", "gap": "relative_gap"}}

    def __init__(self, model, visit):
        self.figures = RoadsDrawing(visit.look)
        super().__init__(model, visit)
        self.controls = Controls(TABLE, model, visit, self.changed, self.refuse, PRESETS, _visible)
        self.predict = GuessCard(self.look, self._guessed)
        self.offered = tuple(ROADS)
        self.table = parts.pane("", self.look, margin=(2, 12, 10, 12))
        self.texts |= {"table": self.table}
        self.ask()

    def main(self):
        listed = parts.card("Passes to each certified gap", self.table, look=self.look)
        saddle, *others = self.boxes.values()
        cards = parts.grid(saddle, listed, *others, least=330)
        return [self.stats, self.buttons, cards, self.stage]

    def aside(self):
        look = self.look
        note = parts.pane(f"<div class='wb-note'>{NOTE}</div>", look, margin=(0, 14, 4, 14))
        source = parts.pane(f"<div class='wb-source'>{SOURCE}</div>", look, margin=(0, 14, 10, 14))
        return [
            self.predict.card,
            parts.card("The saddle and the gap", parts.formulas(FORMULA, look), note, source, look=look),
            self.code_card,
        ]  # fmt: skip

    # The question

    def ask(self):
        """Ask about a λ that is not shown: a tenth of the present one, or ten times it."""
        self.text, self.target = asked(self.model.lam)
        self.predict.ask(self.text, self.offered, GUESS)

    def question_changed(self):
        self.ask()

    def _guessed(self, option):
        # The λ that the text names; the question stays until it is answered.
        self.controls.set({"lam": self.target})
        self.predict.guess = option
        self.follow()
        self.answer()

    def came(self, told):
        """Answer the question by the roads that the engine says were first."""
        names, said = told.get("first"), told.get("said")
        guess = self.predict.guess
        if self.model.lam == self.target and isinstance(names, list) and all(each in ROADS for each in names):
            right = guess if guess in names else next(iter(names), None)
            self.predict.reveal(str(said), WHY, right=right)

    def began(self, told):
        """Offer the roads that there are."""
        offered = told.get("roads")
        if not isinstance(offered, list) or not all(each in ROADS for each in offered):
            return
        if self.offered != tuple(offered):
            self.offered = tuple(offered)
            guess = self.predict.guess
            self.ask()
            self.predict.guess = guess if guess in offered else None


def asked(lam):
    """The text of the question and the λ that it asks about."""
    target = float(f"{lam / 10.0:.2g}")
    if target < BOUNDS["lam"][0]:
        target = min(float(f"{10.0 * lam:.2g}"), BOUNDS["lam"][1])
    return f"At λ = {target:g}: which method is the first to certify a relative gap of {DECIDING:g}?", target


def _visible(model):
    return {"epsilon": model.regularizer == "Elastic net"}
