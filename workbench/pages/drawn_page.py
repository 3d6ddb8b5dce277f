"""What the pages share that are drawn in the browser: the drawing's place, its formulas, the address."""

import asyncio
import functools
import html
from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.pages import address, browser, export_live, formulas, parts
from workbench.pages.derivations import DerivationQueue
from workbench.pages.page import Page
from workbench.pages.reveal_card import RevealCard

# After the last move of a slider; the address bar takes a few changes a second at most.
SETTLED_MS = 400


class ChoicePage(Page):
    """A page whose choices are made on the server, while all that moves is computed in the browser.

    It has presets, a question, formulas, code and often one list of what is drawn. A page of its own kind
    gives `model_type`, `request(model)`, a function of `derivations.sketches` with its arguments,
    `drawn(model, outcome, look)`, the `BrowserDocument` of what that derives, and
    `card_texts(model, outcome)`: a question, its answer, lines of LaTeX and their source. Its file has a
    drawing for each entry of the list.
    """

    model_type: ClassVar = None
    curves: ClassVar[dict] = {}  # what the symbols of the formulas light
    # The parameter that the list sets, its label and its values.
    choice, label, choices = "", "", ()
    more_choices: ClassVar[tuple] = ()  # those that a file has not
    label_of: ClassVar = str
    presets: ClassVar[dict] = {}
    kept: ClassVar[tuple] = ()  # what a return to the start, or to a preset, leaves beside the choice
    note = "This file needs no server and no network: what it shows is computed in this page."
    # In a file: what stands beside the controls, what the space bar does, whether a story moves controls.
    file_main, file_space, file_moves = export_live.MAIN, "", True

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.desk, self.task = DerivationQueue(), None
        # The one drawn last, and the one that the browser has laid out last.
        self.drawing, self.laid_out, self.waiting = None, None, None
        self.dimmed = False
        self.sliders, self.plots = (pn.Column(sizing_mode="stretch_width", margin=0) for _ in range(2))
        self.code = pn.Column(sizing_mode="stretch_width", margin=(6, 12, 12, 12))
        self.formulas = pn.Column(sizing_mode="stretch_width", margin=(0, 14, 8, 14))
        self.predict = RevealCard(self.look)
        self.preset = parts.preset_select(
            self.presets, lambda values: self.change(**self.preset_values(values))
        )
        parts.lay_out(self.preset)
        self.select = None
        if self.choice:
            options = {self.label_of(name): name for name in (*self.choices, *self.more_choices)}
            value = getattr(model, self.choice)
            self.select = pmui.Select(name=self.label, options=options, value=value)
            parts.lay_out(self.select)
            self.select.param.watch(lambda event: self.picked(event.new), "value")

    @property
    def actions(self):
        return {"space": self.predict.turn, "right": self.next, "r": self.restart}

    def sidebar(self):
        rows = [self.select] if self.select and self.visit.shows(self.choice) else []
        return [*([self.preset] if self.presets else []), *rows, self.status, self.sliders]

    def main(self):
        return [self.plots]

    def aside(self):
        cards = {"The formulas": self.formulas, "Show me the code": self.code}
        return [
            self.predict.card,
            *(parts.card(title, each, look=self.look) for title, each in cards.items()),
        ]

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
        """Show whether what is drawn is not what was asked for last, once the browser has the drawing."""
        self.dimmed = dimmed
        if self.drawing is not None and self.drawing is self.laid_out:
            with pn.io.hold(self.document):
                dim(self.drawing.figures.values(), dimmed)

    def explain(self, latex, source):
        """Fill the card of formulas."""
        self.formulas[:] = [
            *(self.latex(text) for text in latex),
            parts.pane(f"<div class='wb-source'>{html.escape(source)}</div>", self.look),
        ]

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

    def latex(self, *lines):
        """Formulas below each other, whose symbols light what they name in `curves`."""
        text = "\n".join(f"$${formulas.lit(line, self.curves)}$$" for line in lines)
        return parts.formulas(text, self.look, margin=(0, 0, 8, 0))

    # The address follows the sliders

    def _on_move(self, attribute, old, new):
        if self.waiting is None:
            self.waiting = self.document.add_timeout_callback(self._settle, SETTLED_MS)

    def _settle(self):
        self.waiting = None
        self.dim(False)  # who moves it goes on with what is drawn
        self.settle()

    def settle(self):
        """Take what the browser's controls say into the model, and so into the address."""
        parameters = self.model.param
        controls = {name.removeprefix("par_"): each for name, each in self.drawing.controls.items()}
        values = {name: each for name, each in controls.items() if name in parameters}
        parameters.update(**{name: browser.reading(parameters[name], each) for name, each in values.items()})

    def picked(self, value):
        """An entry of the list was picked."""
        if value != getattr(self.model, self.choice):
            self.change(**{self.choice: value})

    def next(self):
        """Take the next entry of the list, after the last one the first."""
        names, now = list(self.choices), getattr(self.model, self.choice)
        self.select.value = names[(names.index(now) + 1 if now in names else 0) % len(names)]

    def restart(self):
        """Set what moves to where the page began."""
        names = (self.choice, *self.kept)
        self.change(**{name: self.model.param[name].default for name in self.names if name not in names})

    def preset_values(self, values):
        """What a preset sets; what it does not name stays where there is a list, else only what is `kept`."""
        names = () if self.choice else (name for name in self.names if name not in self.kept)
        return {name: self.model.param[name].default for name in names} | values

    def change(self, **values):
        self.model.param.update(**values)
        if self.select:
            self.select.value = getattr(self.model, self.choice)
        self.ask()

    async def draw(self):
        await self.derived(*self.request(self.model), show=self.show)

    def show(self, outcome):
        """Show what is drawn of an outcome, and what is said beside it."""
        self.place(self.drawn(self.model, outcome, self.look))
        question, answer, latex, source = self.card_texts(self.model, outcome)
        self.predict.ask(question, answer)
        self.explain(latex, source)
        self.say("")

    # The page as a file

    @classmethod
    def keys(cls):
        """What can be chosen in the file, as `address.Key`s."""
        name, values = (cls.choice, cls.choices) if cls.choice else ("preset", cls.presets)
        return {name: address.one_of(name, values)}

    @classmethod
    def page(cls, look, selection, say=None):
        """The text of the file; `selection` has some choices or presets, without it the file has all."""
        names = selection.get(cls.choice, cls.choices) if cls.choice else ("",)
        chosen = selection.get("preset", cls.presets)
        presets = {name: values for name, values in cls.presets.items() if name in chosen}
        return export_live.page(cls, look, names, presets)

    @classmethod
    def filed(cls, model, look, ask):
        """The drawing of a file and HTML by the elements that it stands in; `ask` derives."""
        function, *arguments = cls.request(model)
        outcome = ask(function, *arguments) if arguments else None
        return cls.drawn(model, outcome, look), export_live.texts_of(*cls.card_texts(model, outcome))

    @classmethod
    def listed(cls, model):
        """The group and the name of the entry in a file of what the model has chosen, where it has one."""
        return [(cls.label, getattr(model, cls.choice))] if cls.choice else []


def dim(plots, dimmed):
    """Show whether what figures show is not what is chosen any more."""
    for plot in plots:
        styles = {name: value for name, value in plot.styles.items() if name != "opacity"}
        target = styles | ({"opacity": f"{parts.DIMMED}"} if dimmed else {})
        if plot.styles != target:
            plot.styles = target
