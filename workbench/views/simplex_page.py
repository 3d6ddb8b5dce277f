"""The page of Fenchel-Young losses: phi is chosen on the server, the rest moves in the browser."""

from typing import ClassVar

import panel_material_ui as pmui

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
        return self.explained()

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
        await self.derived("simplex", *self.model.request(), show=self._show)

    def _show(self, outcome):
        entropy = self.model.entropy
        self.place(simplex_document.document(self.model, outcome, self.look))
        self.predict.ask(entropy.question, entropy.says)
        self.explain(formulas(outcome), SOURCE)
        self.say("")

    def settle(self):
        """Take what the browser's controls say into the model, and so into the address."""
        controls = self.drawing.controls
        values = self.within({name: control.value for name, control in controls.items() if name in NUMBERS})
        self.model.param.update(**values, true_class=controls["true_class"].active + 1)
