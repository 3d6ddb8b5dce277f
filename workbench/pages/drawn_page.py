"""What the pages share that are drawn in the browser: the drawing's place, its formulas, the address."""

import asyncio
import html
from typing import ClassVar

import panel as pn

from workbench.errors import InputError
from workbench.pages import formulas, parts
from workbench.pages.derivations import Desk
from workbench.pages.paced import dim
from workbench.pages.page import Page

# After the last move of a slider; the address bar takes a few changes a second at most.
SETTLED_MS = 400
# A slider that has gone ten steps of 0.02 down from 1 stands at 0.7999999999999998.
DIGITS = 12


class DrawnPage(Page):
    """A page whose choices are made on the server, while all that moves is computed in the browser.

    A page of its own kind gives `draw`, a coroutine that ends in `place(drawing)`, and `settle`, which takes
    the values of the drawing's controls into the model; `change(**values)` sets the model and draws anew.
    """

    curves: ClassVar[dict] = {}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.desk, self.task = Desk(), None
        self.drawing, self.waiting = None, False
        self.sliders, self.plots = (pn.Column(sizing_mode="stretch_width", margin=0) for _ in range(2))
        self.code = pn.Column(sizing_mode="stretch_width", margin=(6, 12, 12, 12))
        self.formulas = pn.Column(sizing_mode="stretch_width", margin=(0, 14, 8, 14))

    def begin(self):
        """Draw for the first time."""
        self.ask()

    def restore(self, settings):
        """Take the settings of an address to which the visitor has gone back."""
        self.change(**settings)

    def end(self):
        """Leave nothing running."""
        task, self.task = self.task, None
        if task is not None:
            task.cancel()
        self.desk.cancel()

    def ask(self):
        """Draw what is chosen now, instead of what is being drawn."""
        if self.task is not None:
            self.task.cancel()
        self.task = asyncio.ensure_future(self.draw())

    async def derived(self, function, *arguments, show):
        """Show what is derived from the arguments, None where there are none, or say why nothing is."""
        try:
            outcome = await self.desk.ask(function, *arguments) if arguments else None
        except asyncio.CancelledError:
            return
        except InputError as error:
            self.refused(error)
            return
        with pn.io.hold(self.document):
            show(outcome)

    def refused(self, error):
        """Say why nothing is derived; what is drawn is of the choice before."""
        self.dim(True)
        self.say(str(error), True)

    def dim(self, dimmed):
        """Show whether what is drawn is not what was asked for last."""
        if self.drawing is not None:
            with pn.io.hold(self.document):
                dim(self.drawing.figures.values(), dimmed)

    def explained(self):
        """The column with a question, the formulas and the code."""
        return [
            self.predict.card,
            parts.card("The formulas", self.formulas, look=self.look),
            parts.card("Show me the code", self.code, look=self.look),
        ]

    def explain(self, latex, source):
        """Fill the card of formulas."""
        self.formulas[:] = [
            *(self.latex(text) for text in latex),
            parts.pane(f"<div class='wb-source'>{html.escape(source)}</div>", self.look),
        ]

    def within(self, values):
        """Values of controls within the model's bounds, without the rounding of their steps."""
        found = {}
        for name, value in values.items():
            low, high = self.model.param[name].bounds
            found[name] = min(max(round(value, DIGITS), low), high)
        return found

    def place(self, drawing):
        """Show a drawing in place of the one before."""
        self.drawing = drawing
        for control in drawing.controls.values():
            control.on_change("active" if hasattr(control, "active") else "value", self._moved)
        for column, part in (
            (self.sliders, drawing.sidebar()), (self.plots, drawing.cards()), (self.code, drawing.code),
        ):  # fmt: skip
            column[:] = [pn.pane.Bokeh(part, sizing_mode="stretch_width", margin=0)]

    def latex(self, *lines):
        """Formulas below each other, whose symbols light what they name in `curves`."""
        text = "\n".join(f"$${formulas.lit(line, self.curves)}$$" for line in lines)
        return parts.formulas(text, self.look, margin=(0, 0, 8, 0))

    # The address follows the sliders

    def _moved(self, attribute, old, new):
        if not self.waiting:
            self.waiting = True
            self.document.add_timeout_callback(self._settle, SETTLED_MS)

    def _settle(self):
        self.waiting = False
        self.dim(False)  # who moves it goes on with what is drawn
        self.settle()
