"""The page of transfer functions: the regularizer is chosen on the server, the rest moves in the browser."""

import asyncio
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.pages import parts
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.transfer import figures
from workbench.pages.transfer import model as transfer
from workbench.pages.transfer.model import PRESETS, QUESTIONS, SHAPES


class TransferPage(ChoicePage):
    """Binds one `Transfer` model to its widgets and its drawing; every session makes its own."""

    title, model_type = "Transfer", transfer.Transfer
    names = (
        "regularizer",
        "v1",
        "v2",
        "epsilon",
        "K",
        "q",
        "power",
        "mu_1",
        "mu_2",
        "p",
        "B",
        "lam",
        "scale",
        "source",
    )
    choice, label, choices, presets, kept = "regularizer", "Regularizer", SHAPES, PRESETS, ("source",)
    curves: ClassVar = figures.CURVES
    help: ClassVar = {
        "space": "reveal what the map does",
        "right arrow": "next regularizer",
        "r": "back to the start",
    }
    note = (
        "This file needs no server. Other regularizers are derived where the workbench runs: "
        "<code>workbench serve transfer</code>"
    )

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.real = self.background = None
        self.source = pmui.Select(name="v from data", options=transfer.sources(), value=model.source)
        parts.lay_out(self.source)
        self.source.param.watch(lambda event: self._map_real(event.new), "value")

    def sidebar(self):
        return [*super().sidebar(), *([self.source] if self.visit.shows("source") else [])]

    def begin(self):
        """Draw for the first time, and solve the problem that gives a real v."""
        super().begin()
        self._map_real(self.model.source)

    def end(self):
        """Leave nothing running."""
        super().end()
        if self.background is not None:
            self.background.cancel()

    def change(self, **values):
        super().change(**values)
        self.source.value = self.model.source

    @staticmethod
    def request(model):
        return ("transfer", *([model.shape.script] if model.shape.script else []))

    drawn = staticmethod(figures.document)

    @staticmethod
    def card_texts(model, outcome):
        question = QUESTIONS[model.shape.kind], model.shape.says
        if outcome is None:
            return (*question, transfer.NORM_LATEX, "docs/mathematics.md, section 6")
        return (*question, outcome["latex"], outcome["source"])

    def show(self, outcome):
        super().show(outcome)
        self._fill(self.drawing)

    # The v of a solved problem

    def _fill(self, drawing):
        if drawing is not None and self.real is not None:
            figures.fill(drawing, self.real)

    @classmethod
    def filed(cls, model, look, ask):
        """With the real v of the first source."""
        drawing, texts = super().filed(model, look, ask)
        figures.fill(drawing, transfer.real_v(transfer.sources()[0]))
        return drawing, texts

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
        with pn.io.hold(self.document):
            self._fill(self.drawing)
