"""The page of online rules: all that moves is computed in the browser."""

from typing import ClassVar

from workbench.pages.drawn_page import ChoicePage
from workbench.pages.online import figures
from workbench.pages.online.model import NAMES, PRESETS, RULES, SOURCE


class OnlinePage(ChoicePage):
    """Binds one `Online` model to its widgets and its drawing; every session makes its own."""

    title, names, presets = "Online", NAMES, PRESETS
    help: ClassVar = {
        "space": "run, or pause", "right arrow": "next point", "r": "back to the first point",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.asked = None

    @property
    def actions(self):
        presses = {
            "space": figures.RUN, "right": figures.STEP, "r": figures.START,
        }  # fmt: skip
        return {key: lambda place=place: self._press(place) for key, place in presses.items()}

    # What a visitor does

    def _press(self, place):
        if self.drawing is not None:
            self.drawing.controls["go"].active = place

    def preset_values(self, values):
        """A preset leaves the speed and the output."""
        names = set(self.names) - {"speed", "output"}
        return {name: self.model.param[name].default for name in names} | values

    async def draw(self):
        outcomes = {}
        for rule in RULES.values():
            await self.derived(
                "transfer", rule.regularizer,
                show=lambda outcome, name=rule.regularizer: outcomes.update({name: outcome}),
            )  # fmt: skip
        if len(outcomes) == len(RULES):
            self.place(figures.document(self.model, outcomes, self.look))
            self._explain()
            self.say("")

    def _explain(self):
        """The question and the formulas of the rule, once it has changed."""
        if self.asked != self.model.rule:
            self.asked, rule = self.model.rule, self.model.chosen
            self.predict.ask(rule.question, rule.says)
            self.explain(self.model.latex(), SOURCE)

    def settle(self):
        super().settle()
        self._explain()
