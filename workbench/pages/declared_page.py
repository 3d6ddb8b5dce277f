"""What serves a `declared.Declared` page and writes it as a file: one Bokeh document, one script for both."""

import json
from typing import ClassVar

import param

from workbench.pages import browser
from workbench.pages.drawing import Drawing, figure, line
from workbench.pages.drawn_page import ChoicePage
from workbench.pages.export_live import FORMULAS, MAIN
from workbench.pages.wasm import bundle

MAX_EPOCHS, GAP = 200, 1e-9
# Positions of a slider.
POSITIONS = 200


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
    return result.connect("declared", f"const frame = {page.frame};", ("frame",), arguments)


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


class DeclaredPage(ChoicePage):
    """A declared page on a server and as a file; `of` makes its class."""

    help: ClassVar = {"space": "reveal the answer", "r": "back to the start"}

    def next(self):
        """There is no list."""

    def aside(self):
        predict, formulas, code = super().aside()
        cards = {predict: self.declared.questions, formulas: self.declared.latex, code: True}
        return [card for card, has in cards.items() if has]

    @staticmethod
    def request(model):
        return (None,)

    @classmethod
    def drawn(cls, model, outcome, look):
        return drawing(cls.declared, model, look)

    @classmethod
    def card_texts(cls, model, outcome):
        return cls.declared.card_texts()

    @classmethod
    def listed(cls, model):
        return [("Page", cls.title)]


def of(page):
    """The class of a declared page."""
    main = MAIN if page.latex else MAIN.replace(FORMULAS, "")
    values = {"declared": page, "title": page.title, "names": page.names, "presets": page.presets}
    return type(page.title, (DeclaredPage,), values | {"model_type": page.model, "file_main": main})
