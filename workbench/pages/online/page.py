"""The page of online rules: all that moves is computed in the browser."""

from typing import ClassVar

from workbench.pages import export_live
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.export_file import reveal
from workbench.pages.online import figures
from workbench.pages.online.model import LATEX, NAMES, PRESETS, RULES, SOURCE, Online


class OnlinePage(ChoicePage):
    """Binds one `Online` model to its widgets and its drawing; every session makes its own."""

    title, names, presets, model_type = "Online", NAMES, PRESETS, Online
    kept, file_space = ("speed", "output"), "reveal an answer"
    note = (
        "This file needs no server. The bounds for a stream of your own: "
        "<code>wb.bounds.perceptron(X, y, u)</code>, <code>.p_norm</code>, <code>.winnow</code>"
    )
    help: ClassVar = {
        "space": "run, or pause",
        "right arrow": "next point",
        "r": "back to the first point",
    }

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.last_rule = None

    @property
    def actions(self):
        presses = {
            "space": figures.RUN,
            "right": figures.STEP,
            "r": figures.START,
        }
        return {key: lambda place=place: self._press(place) for key, place in presses.items()}

    # What a visitor does

    def _press(self, place):
        if self.drawing is not None:
            self.drawing.controls["go"].active = place

    async def draw(self):
        outcomes = {}
        for rule in RULES.values():
            await self.derived(
                "transfer",
                rule.regularizer,
                show=lambda outcome, name=rule.regularizer: outcomes.update({name: outcome}),
            )
        if len(outcomes) == len(RULES):
            self.place(figures.document(self.model, outcomes, self.look))
            self._explain()
            self.say("")

    def _explain(self):
        """The question and the formulas of the rule, once it has changed."""
        if self.last_rule != self.model.rule:
            self.last_rule, rule = self.model.rule, self.model.entry
            self.predict.ask(rule.question, rule.says)
            self.explain(self.model.latex(), SOURCE)

    def settle(self):
        super().settle()
        self._explain()

    @classmethod
    def filed(cls, model, look, ask):
        outcomes = {rule.regularizer: ask("transfer", rule.regularizer) for rule in RULES.values()}
        # The rule is chosen in the browser, so what is said of each stands there.
        questions = "".join(reveal(f"{name}: {rule.question}", rule.says) for name, rule in RULES.items())
        formulas = (LATEX[0], *(rule.latex for rule in RULES.values()), *LATEX[1:])
        texts = export_live.texts_of("", "", formulas, SOURCE) | {"x-predict": questions}
        return figures.document(model, outcomes, look), texts
