"""What the pages share that are drawn in the browser: the drawing's place, its formulas, the address."""

import asyncio
import functools
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench.pages import address, export_live, parts
from workbench.pages.derivations import DerivationQueue
from workbench.pages.page import Page
from workbench.pages.reveal_card import RevealCard

# After the last move of a slider; the address bar takes a few changes a second at most.
SETTLED_MS = 400


class ChoicePage(Page):
    """A page whose choices are made on the server, while all that moves is computed in the browser.

    It has a question, code and one list of what is drawn. A page of its own kind gives `model_type`,
    `change(**values)`, the coroutine `draw()`, `settle()`, which takes what the browser's controls say into
    the model, and for its file `filed(model, look, ask)`, the drawing and HTML by the elements that it stands
    in, and `listed(model)`. Its file has a drawing for each entry of the list.
    """

    model_type: ClassVar = None
    # The parameter that the list sets, its label and its values.
    choice, label, choices = "", "", ()
    more_choices: ClassVar[tuple] = ()  # those that a file has not
    label_of: ClassVar = str
    note = "This file needs no server and no network: what it shows is computed in this page."
    file_main = ""  # what stands beside the controls in a file

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.desk, self.task = DerivationQueue(), None
        # The one drawn last, and the one that the browser has laid out last.
        self.drawing, self.laid_out, self.waiting = None, None, None
        self.dimmed = False
        self.sliders, self.plots = (pn.Column(sizing_mode="stretch_width", margin=0) for _ in range(2))
        self.code = pn.Column(sizing_mode="stretch_width", margin=(6, 12, 12, 12))
        self.predict = RevealCard(self.look)
        options = {self.label_of(name): name for name in (*self.choices, *self.more_choices)}
        self.select = pmui.Select(name=self.label, options=options, value=getattr(model, self.choice))
        parts.lay_out(self.select)
        self.select.param.watch(lambda event: self.picked(event.new), "value")

    @property
    def actions(self):
        return {"space": self.predict.turn, "right": self.next, "r": self.restart}

    def sidebar(self):
        rows = [self.select] if self.visit.shows(self.choice) else []
        return [*rows, self.status, self.sliders]

    def main(self):
        return [self.plots]

    def aside(self):
        return [self.predict.card, parts.card("Show me the code", self.code, look=self.look)]

    def begin(self):
        """Draw for the first time."""
        self.ask()

    def restore(self, settings):
        """Take the settings of an address to which the visitor has gone back.

        Where these are sliders of the drawing alone, the drawing stays and its sliders move. Those of a
        drawing on its way to the browser are none yet, since Panel may send a change of them before it.
        """
        changes = {name: value for name, value in settings.items() if value != getattr(self.model, name)}
        controls = self.drawing.controls if self.drawing and self.drawing is self.laid_out else {}
        widgets = {name: controls.get(name) or controls.get(f"par_{name}") for name in changes}
        # Buttons, say, have no value.
        if not all(hasattr(control, "value") for control in widgets.values()) or None in changes.values():
            self.change(**settings)
            return
        self.model.param.update(**changes)
        for name, value in changes.items():
            widgets[name].value = value

    def _moves(self, name, value):
        """Only sliders of the drawing glide, else each place on the way would be another drawing."""
        controls = self.drawing.controls if self.drawing and self.drawing is self.laid_out else {}
        return (name in controls or f"par_{name}" in controls) and super()._moves(name, value)

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

    def refused(self, error):
        """Say why nothing is derived; what is drawn is of the choice before."""
        self.dim(True)
        self.say(str(error), True)

    def dim(self, dimmed):
        """Show whether what is drawn is not what was asked for last, once the browser has the drawing."""
        self.dimmed = dimmed
        if self.drawing is not None and self.drawing is self.laid_out:
            with pn.io.hold(self.document):
                dim(self.drawing.figures.values(), dimmed)

    def place(self, drawing):
        """Show a drawing in place of the one before."""
        if self.waiting is not None:  # for the controls of the one before
            self.document.remove_timeout_callback(self.waiting)
            self.waiting = None
        self.drawing, self.dimmed = drawing, False
        # The browser tells how wide a figure has become.
        figure = next(iter(drawing.figures.values()))
        figure.on_change("inner_width", functools.partial(self._lay_out, drawing))
        for control in drawing.controls.values():
            control.on_change("active" if hasattr(control, "active") else "value", self._on_move)
        for column, part in (
            (self.sliders, drawing.sidebar()),
            (self.plots, drawing.cards()),
            (self.code, drawing.code),
        ):
            column[:] = [pn.pane.Bokeh(part, sizing_mode="stretch_width", margin=0)]

    def _lay_out(self, drawing, attribute, old, new):
        self.laid_out = drawing
        self.dim(self.dimmed)

    # The address follows the sliders

    def _on_move(self, attribute, old, new):
        if self.waiting is None:
            self.waiting = self.document.add_timeout_callback(self._settle, SETTLED_MS)

    def _settle(self):
        self.waiting = None
        self.dim(False)  # who moves it goes on with what is drawn
        self.settle()

    def picked(self, value):
        """An entry of the list was picked."""
        if value != getattr(self.model, self.choice):
            self.change(**{self.choice: value})

    def next(self):
        """Take the next entry of the list, after the last one the first."""
        names, now = list(self.choices), getattr(self.model, self.choice)
        self.select.value = names[(names.index(now) + 1 if now in names else 0) % len(names)]

    # The page as a file

    @classmethod
    def keys(cls):
        """What can be chosen in the file, as `address.Key`s."""
        return {cls.choice: address.one_of(cls.choice, cls.choices)}

    @classmethod
    def page(cls, look, selection, say=None):
        """The text of the file; `selection` has some choices, without it the file has all."""
        return export_live.page(cls, look, selection.get(cls.choice, cls.choices))


def dim(plots, dimmed):
    """Show whether what figures show is not what is chosen any more."""
    for plot in plots:
        styles = {name: value for name, value in plot.styles.items() if name != "opacity"}
        target = styles | ({"opacity": f"{parts.DIMMED}"} if dimmed else {})
        if plot.styles != target:
            plot.styles = target
