"""The page of Fenchel-Young losses: phi is chosen on the server, the rest moves in the browser."""

from typing import ClassVar

import panel_material_ui as pmui

from workbench.pages import parts
from workbench.pages.drawn_page import DrawnPage
from workbench.pages.reveal_card import RevealCard
from workbench.pages.simplex import figures
from workbench.pages.simplex.model import (
    EMPTY,
    ENTROPIES,
    LONGEST,
    NUMBERS,
    OWN,
    PRESETS,
    SOURCE,
    formulas,
    refusal,
)

NAMES = ("phi", "formula", "theta1", "theta2", "theta3", "alpha", "true_class")


class SimplexPage(DrawnPage):
    """Binds one `Simplex` model to its widgets and its drawing; every session makes its own."""

    title = "Simplex"
    names = NAMES
    help: ClassVar = {
        "space": "reveal the answer", "right arrow": "next φ", "r": "back to the start",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.predict = RevealCard(self.look)
        self.presets = parts.preset_select(PRESETS, lambda values: self.change(**values))
        self.phi = pmui.Select(name="φ, which defines Ω", options=[*ENTROPIES, OWN], value=model.phi)
        self.typed = pmui.TextInput(
            name="φ(u), typed", placeholder="u*log(u) + u**2", value=model.formula, max_length=LONGEST
        )
        self.derive = pmui.Button(name="Derive", variant="contained", size="small")
        parts.lay_out(self.presets, self.phi, self.typed)
        self.derive.margin = (0, 0, 8, 0)
        self.phi.param.watch(self._picked, "value")
        self.derive.on_click(lambda event: self._own())
        self.typed.param.watch(lambda event: self._own(), "enter_pressed")
        # What was drawn last, and the sentence on what was refused since.
        self.drawn, self.complaint = (next(iter(ENTROPIES)), ""), None

    @property
    def actions(self):
        return {"space": self.predict.turn, "right": self._next, "r": self._restart}

    def sidebar(self):
        controls = [self.presets]
        if self.visit.shows("phi"):
            controls.append(self.phi)
        if self.visit.shows("formula"):
            controls += [self.typed, self.derive]
        return [*controls, self.status, self.sliders]

    def main(self):
        return [self.plots]

    def aside(self):
        return self.explained()

    # What a visitor does

    def _picked(self, event):
        if event.new == self.model.phi:
            return
        if event.new == OWN and not self.model.formula:
            self._own()
            return
        self.change(phi=event.new)

    def _own(self):
        text = parts.typed(self.typed)
        if text:
            self.change(phi=OWN, formula=text)
        else:
            self._give_back(EMPTY)

    def _next(self):
        names = list(ENTROPIES)
        place = names.index(self.model.phi) if self.model.phi in names else -1
        self.phi.value = names[(place + 1) % len(names)]

    def _restart(self):
        kept = ("phi", "formula")
        self.change(**{name: self.model.param[name].default for name in NAMES if name not in kept})

    def change(self, **values):
        self.model.param.update(**values)
        self.phi.value = self.model.phi
        self.typed.value = self.typed.value_input = self.model.formula
        self.ask()

    async def draw(self):
        if self.model.phi == OWN and not self.model.formula:
            self._give_back(EMPTY)
            return
        await self.derived("simplex", *self.model.request(), show=self._show)

    def refused(self, error):
        self._give_back(refusal(error))

    def _give_back(self, sentence):
        """Say what is wrong, and go back to what was drawn last, or draw the first phi."""
        phi, formula = self.drawn
        self.model.param.update(phi=phi, formula=formula)
        self.phi.value = phi
        if self.drawing is None:
            self.complaint = sentence
            self.ask()
        else:
            super().refused(sentence)

    def _show(self, outcome):
        entropy = self.model.entropy
        self.place(figures.document(self.model, outcome, self.look))
        self.predict.ask(entropy.question, entropy.says)
        self.explain(formulas(outcome), SOURCE)
        self.drawn = self.model.phi, self.model.formula
        self.say(self.complaint or "", self.complaint is not None)
        self.complaint = None

    def settle(self):
        """Take what the browser's controls say into the model, and so into the address."""
        controls = self.drawing.controls
        values = self.within({name: control.value for name, control in controls.items() if name in NUMBERS})
        self.model.param.update(**values, true_class=controls["true_class"].active + 1)
