"""What the pages share that are drawn in the browser: the drawing's place, its formulas, the address."""

import asyncio
import html

import panel as pn

from workbench.errors import InputError
from workbench.views import parts
from workbench.views.derivations import Desk
from workbench.views.page import Page

# After the last move of a slider; the address bar takes a few changes a second at most.
SETTLED_MS = 400


class DrawnPage(Page):
    """A page whose choices are made on the server, while all that moves is computed in the browser.

    A page of its own kind gives `draw`, a coroutine that ends in `place(drawing)`, and `settle`, which takes
    the values of the drawing's controls into the model.
    """

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
            self.say(str(error), True)
            return
        with pn.io.hold(self.document):
            show(outcome)

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
        """Values of controls within the bounds of the model's parameters."""
        found = {}
        for name, value in values.items():
            low, high = self.model.param[name].bounds
            found[name] = min(max(value, low), high)
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
        """Formulas below each other; long ones scroll in their own box, the page does not."""
        return pn.pane.LaTeX(
            "\n".join(f"$${line}$$" for line in lines), renderer="katex", sizing_mode="stretch_width",
            margin=(0, 0, 8, 0),
            # A box that scrolls across would scroll by what a fraction stands out, too.
            styles={
                "font-size": self.look.px(14), "color": self.look.ink, "overflow": "auto hidden",
                "padding": "4px 0",
            },
        )  # fmt: skip

    # The address follows the sliders

    def _moved(self, attribute, old, new):
        if not self.waiting:
            self.waiting = True
            self.document.add_timeout_callback(self._settle, SETTLED_MS)

    def _settle(self):
        self.waiting = False
        self.settle()
