"""What serves a `declared.Declared` page and writes it as a file: one Bokeh document, one script for both."""

import json
from typing import ClassVar

import param

from workbench.browser import bundle
from workbench.pages import browser, export_file
from workbench.pages.drawing import Drawing, figure, line
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.export_live import FORMULAS, MAIN, document, entry, presets, sidebar, story, texts_of

MAX_EPOCHS, GAP = 200, 1e-9
# Positions of a slider.
POSITIONS = 200
NOTE = "This file needs no server and no network: what it shows is computed in this page."


def drawing(page, model, look):
    """The `BrowserDocument` of a page at a model's settings."""
    table = {
        name: figure(
            each.title,
            each.x,
            each.y,
            [
                line(curve, "x", "y", of.colour, of.dash, name=curve, says=of.name)
                for curve, of in each.curves.items()
            ],
            **each.options,
        )
        for name, each in page.figures.items()
    }
    figures = type("DeclaredDrawing", (Drawing,), {"table": table, "heights": browser.HEIGHTS})(look)
    result = browser.BrowserDocument(figures, {name: _control(model, name, look) for name in page.names})
    arguments = {
        "bindings": page.bindings,
        "python": page.code,
        "curves": {name: list(each.curves) for name, each in page.figures.items()},
        "sentences": {name: each.text for name, each in page.figures.items()},
        "logarithmic": [
            name for name, each in page.figures.items() if each.options.get("y_axis_type") == "log"
        ],
        "solves": _solves(page),
    }
    engine = bundle.script() if page.problem else ""
    # The frame is the page's own, and may use what the drawings share.
    names = ("WorkbenchEngine",) if page.problem else ()
    return result.connect(("declared",), engine, names, arguments, page.frame)


def _control(model, name, look):
    parameter, value = model.param[name], getattr(model, name)
    label = parameter.doc or name
    if isinstance(parameter, param.Boolean):
        return browser.toggle(label, value, look)
    low, high = parameter.bounds
    step = 1 if isinstance(parameter, param.Integer) else (high - low) / POSITIONS
    return browser.slider(label, low, high, value, look, step=step)


def _solves(page):
    """What the engine is given, as JSON; "" where nothing is solved."""
    if page.problem is None:
        return ""
    problem = page.problem()
    message = {
        "loss": repr(problem.loss),
        "regularizer": repr(problem.regularizer),
        "lam": problem.lam,
        "seed": 0,
        "solver": bundle.solver_facts(page.solver),
    }
    run = {"gap": GAP, "max_epochs": MAX_EPOCHS}
    return json.dumps({"packed": bundle.packed(problem), "problem": bundle.plain(message), "run": run})


def file(page, look, selection):
    """The text of the file of a page."""
    picture = drawing(page, page.model(), look)
    places = {page.title: (0, picture.controls)}
    # A preset begins where the page does.
    begins = {name: getattr(page.model(), name) for name in page.names} | {"page": page.title}
    names = selection.get("preset", page.presets)
    states = {name: begins | values for name, values in page.presets.items() if name in names}
    entries = [entry("Page", page.title, 0), *presets(page.model, states, "page", places)]
    entries += story(page.model, page.name, "page", places, begins)
    data = {"documents": [document(picture, texts_of(*page.card_texts()))], "entries": entries}
    beside = sidebar("Preset", entries, NOTE, "reveal the answer")
    main = MAIN if page.latex else MAIN.replace(FORMULAS, "")
    return export_file.page(page.title, look, beside, main, "export_live", data)


class DeclaredPage(ChoicePage):
    """A declared page on a server; every session makes its own."""

    help: ClassVar = {"space": "reveal the answer", "r": "back to the start"}

    def __init__(self, page, model, visit):
        self.page, self.title, self.names, self.presets = page, page.title, page.names, page.presets
        super().__init__(model, visit)

    def next(self):
        """There is no list."""

    def preset_values(self, values):
        return {name: self.model.param[name].default for name in self.names} | values

    def aside(self):
        predict, formulas, code = super().aside()
        cards = {predict: self.page.questions, formulas: self.page.latex, code: True}
        return [card for card, has in cards.items() if has]

    async def draw(self):
        self.show(None)

    def drawn(self, model, outcome, look):
        return drawing(self.page, model, look)

    def card_texts(self, model, outcome):
        return self.page.card_texts()
