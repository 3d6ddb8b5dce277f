"""The page of Fenchel-Young losses: phi is chosen on the server, the rest moves in the browser."""

import asyncio
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench.errors import InputError
from workbench.views import parts, simplex_document
from workbench.views.drawn_page import DrawnPage
from workbench.views.reveal_card import RevealCard
from workbench.views.simplex import ENTROPIES, NUMBERS, PRESETS, SOURCE, formulas

NAMES = ("phi", "theta1", "theta2", "theta3", "alpha", "true_class")


class SimplexPage(DrawnPage):
    """Binds one `Simplex` model to its widgets and its drawing; every session makes its own."""

    title = "Simplex"
    help: ClassVar = {
        "space": "reveal the answer", "right arrow": "on to the next φ", "r": "back to the start",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.predict = RevealCard(self.look)
        self.presets = parts.preset_select(PRESETS, lambda values: self._change(**values))
        self.phi = pmui.Select(name="φ, which makes Ω", options=list(ENTROPIES), value=model.phi)
        parts.lay_out(self.presets, self.phi)
        self.phi.param.watch(self._picked, "value")

    @property
    def actions(self):
        return {"space": self.predict.turn, "right": self._next, "r": self._restart}

    def sidebar(self):
        controls = [self.presets]
        if self.visit.shows("phi"):
            controls.append(self.phi)
        return [*controls, self.status, self.sliders]

    def main(self):
        return [self.plots]

    def aside(self):
        look = self.look
        return [
            self.predict.card,
            parts.card("The formulas", self.formulas, look=look),
            parts.card("Show me the code", self.code, look=look),
        ]

    # What a visitor does

    def _picked(self, event):
        if event.new != self.model.phi:
            self._change(phi=event.new)

    def _next(self):
        names = list(ENTROPIES)
        self.phi.value = names[(names.index(self.model.phi) + 1) % len(names)]

    def _restart(self):
        self._change(**{name: self.model.param[name].default for name in NAMES if name != "phi"})

    def _change(self, **values):
        self.model.param.update(**values)
        self.phi.value = self.model.phi
        self.ask()

    async def draw(self):
        try:
            outcome = await self.desk.ask("simplex", *self.model.request())
        except asyncio.CancelledError:
            return
        except InputError as error:
            self.say(str(error), True)
            return
        with pn.io.hold(self.document):
            self._show(outcome)

    def _show(self, outcome):
        entropy = self.model.entropy
        self.place(simplex_document.document(self.model, outcome, self.look))
        self.predict.ask(entropy.question, entropy.says)
        self.formulas[:] = [
            *(self.latex(text) for text in formulas(outcome)),
            parts.pane(f"<div class='wb-source'>{SOURCE}</div>", self.look),
        ]
        self.say("")

    def settle(self):
        """Take what the browser's controls say into the model, and so into the address."""
        values = {name: control.value for name, control in self.drawing.controls.items() if name in NUMBERS}
        for name, value in values.items():
            low, high = self.model.param[name].bounds
            values[name] = min(max(value, low), high)
        self.model.param.update(**values, true_class=self.drawing.controls["true_class"].active + 1)
