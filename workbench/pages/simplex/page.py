"""The page of Fenchel-Young losses: phi is chosen on the server, the rest moves in the browser."""

from typing import ClassVar

import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.simplex import figures
from workbench.pages.simplex.model import (
    EMPTY,
    ENTROPIES,
    LONGEST,
    OWN,
    PRESETS,
    SOURCE,
    Simplex,
    formulas,
    refusal,
)


class SimplexPage(ChoicePage):
    """Binds one `Simplex` model to its widgets and its drawing; every session makes its own."""

    title, model_type = "Simplex", Simplex
    names = ("phi", "formula", "theta1", "theta2", "theta3", "alpha", "true_class")
    choice, label, choices, more_choices = "phi", "φ, which defines Ω", ENTROPIES, (OWN,)
    presets, kept = PRESETS, ("formula",)
    help: ClassVar = {
        "space": "reveal the answer",
        "right arrow": "next φ",
        "r": "back to the start",
    }
    note = (
        "This file needs no server. The loss of a φ of your own is made in Python: "
        '<code>wb.losses.fenchel_young("u**2 + u*log(u)")</code>'
    )

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.typed = pmui.TextInput(
            name="φ(u), typed", placeholder="u*log(u) + u**2", value=model.formula, max_length=LONGEST
        )
        self.derive = pmui.Button(name="Derive", variant="contained", size="small")
        parts.lay_out(self.typed)
        self.derive.margin = (0, 0, 8, 0)
        self.derive.on_click(lambda event: self._own())
        self.typed.param.watch(lambda event: self._own(), "enter_pressed")
        # What was drawn last, and the sentence on what was refused since.
        self.kept_choice, self.complaint = (next(iter(ENTROPIES)), ""), None

    def sidebar(self):
        *controls, status, sliders = super().sidebar()
        typed = [self.typed, self.derive] if self.visit.shows("formula") else []
        return [*controls, *typed, status, sliders]

    # What a visitor does

    def picked(self, value):
        if value == OWN != self.model.phi and not self.model.formula:
            self._own()
        else:
            super().picked(value)

    def _own(self):
        text = parts.typed(self.typed)
        if text:
            self.change(phi=OWN, formula=text)
        else:
            self._give_back(EMPTY)

    def change(self, **values):
        super().change(**values)
        self.typed.value = self.typed.value_input = self.model.formula

    async def draw(self):
        if self.model.phi == OWN and not self.model.formula:
            self._give_back(EMPTY)
        else:
            await super().draw()

    def refused(self, error):
        self._give_back(refusal(error))

    def _give_back(self, sentence):
        """Say what is wrong, and go back to what was drawn last, or draw the first phi."""
        phi, formula = self.kept_choice
        self.model.param.update(phi=phi, formula=formula)
        self.select.value = phi
        if self.drawing is None:
            self.complaint = sentence
            self.ask()
        else:
            super().refused(sentence)

    @staticmethod
    def request(model):
        return ("simplex", *model.request())

    drawn = staticmethod(figures.document)

    @staticmethod
    def card_texts(model, outcome):
        return model.entropy.question, model.entropy.says, formulas(outcome), SOURCE

    def show(self, outcome):
        super().show(outcome)
        self.kept_choice = self.model.phi, self.model.formula
        self.say(self.complaint or "", self.complaint is not None)
        self.complaint = None
