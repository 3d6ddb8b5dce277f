"""The page of transfer functions: the regularizer is chosen on the server, the rest moves in the browser."""

import asyncio
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench.errors import InputError
from workbench.pages import parts
from workbench.pages.drawn_page import DrawnPage
from workbench.pages.reveal_card import RevealCard
from workbench.pages.transfer import figures
from workbench.pages.transfer import model as transfer
from workbench.pages.transfer.model import PRESETS, QUESTIONS, SHAPES

NAMES = ("regularizer", "v1", "v2", "epsilon", "K", "q", "power", "mu_1", "mu_2", "p", "B", "scale", "source")


class TransferPage(DrawnPage):
    """Binds one `Transfer` model to its widgets and its drawing; every session makes its own."""

    title = "Transfer"
    names = NAMES
    help: ClassVar = {
        "space": "reveal what the map does", "right arrow": "next regularizer",
        "r": "back to the start",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.real = self.background = None
        self.predict = RevealCard(self.look)
        self._make_controls()

    @property
    def actions(self):
        return {"space": self.predict.turn, "right": self._next, "r": self._restart}

    def _make_controls(self):
        model = self.model
        self.presets = parts.preset_select(PRESETS, lambda values: self.change(**values))
        self.regularizer = pmui.Select(name="Regularizer", options=list(SHAPES), value=model.regularizer)
        self.source = pmui.Select(name="v from data", options=transfer.sources(), value=model.source)
        parts.lay_out(self.presets, self.regularizer, self.source)
        self.regularizer.param.watch(self._picked, "value")
        self.source.param.watch(lambda event: self._map_real(event.new), "value")

    def sidebar(self):
        controls = [self.presets]
        if self.visit.shows("regularizer"):
            controls.append(self.regularizer)
        controls += [self.status, self.sliders]
        if self.visit.shows("source"):
            controls.append(self.source)
        return controls

    def main(self):
        return [self.plots]

    def aside(self):
        return self.explained()

    # What a visitor does

    def begin(self):
        """Draw for the first time, and solve the problem that gives a real v."""
        super().begin()
        self._map_real(self.model.source)

    def end(self):
        """Leave nothing running."""
        super().end()
        if self.background is not None:
            self.background.cancel()

    def _picked(self, event):
        if event.new != self.model.regularizer:
            self.change(regularizer=event.new)

    def _next(self):
        names = list(SHAPES)
        self.regularizer.value = names[(names.index(self.model.regularizer) + 1) % len(names)]

    def _restart(self):
        defaults = {
            name: self.model.param[name].default for name in NAMES if name not in ("regularizer", "source")
        }
        self.change(**defaults)

    def change(self, **values):
        self.model.param.update(**values)
        self.regularizer.value, self.source.value = self.model.regularizer, self.model.source
        self.ask()

    async def draw(self):
        script = self.model.shape.script
        await self.derived("transfer", *([script] if script else []), show=self._show)

    def _show(self, outcome):
        model, look, self.curves = self.model, self.look, figures.CURVES
        self.place(figures.document(model, outcome, look, self.real))
        shape = model.shape
        self.predict.ask(QUESTIONS[shape.kind], shape.says)
        source = outcome["source"] if outcome else "docs/mathematics.md, section 6"
        self.explain(outcome["latex"] if outcome else transfer.NORM_LATEX, source)
        self.say("")

    # The v of a solved problem

    def _map_real(self, source):
        if self.background is not None:
            self.background.cancel()
        self.model.source = source
        self.background = asyncio.ensure_future(self._solve(source))

    async def _solve(self, source):
        """Solved in a thread, since the kernels release the interpreter; every visitor shares the result."""
        try:
            self.real = await asyncio.to_thread(transfer.real_v, source)
        except InputError as error:
            self.say(str(error), True)
            return
        if self.drawing is not None:
            with pn.io.hold(self.document):
                figures.fill(self.drawing, self.real)

    def settle(self):
        """Take what the browser's sliders say into the model, and so into the address."""
        values = {name.removeprefix("par_"): control.value for name, control in self.drawing.controls.items()}
        self.model.param.update(**self.within(values))
