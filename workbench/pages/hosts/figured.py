"""A page of figures: what its module goes by, made of a table of figures, a table of controls and texts.

A page of its own kind gives `room`, the name of its folder with `content.json`, `texts.json` and
`lecture.json`; `drawing`, its figures; and `facts`, what its `frame.js` asks for beside these.
"""

import dataclasses
import functools
import html
import json
import threading
from pathlib import Path
from typing import ClassVar

import bokeh
import param
from bokeh.document import Document
from bokeh.models import GlyphRenderer

from workbench._support.errors import InputError
from workbench.pages import browser, formulas, ranges, theme
from workbench.pages.drawing import Drawing
from workbench.pages.hosts.page import Page
from workbench.pages.registry import NO_LECTURE
from workbench.pages.time_marks import WORDING, time_marks
from workbench.pages.wording import Wording, content

ROOT = Path(__file__).parents[1]
# Held by the thread that makes figures.
DRAWING = threading.Lock()
# Characters of a text in an address.
TEXT = 120


class FigurePage(Page):
    """A page whose module draws figures of runs.

    Attributes
    ----------
    room : str
        The name of its folder, which has `content.json`, `texts.json` and `lecture.json`.
    offered, lecture : dict
        What the first and the last of these hold, of a page that is a file of its own.
    drawing : type
        The `Drawing`.
    first : tuple of str
        The figures that the page is about, at most four; by default those that are not in `homes`.
    timed : tuple of str
        The figures over time.
    ghosts : dict of str to str or None
        As `time_marks` takes them.
    used : dict of str to list of dict
        For each setting whose control is not always shown the conditions, of which one has to be met.
    cards : dict of str to str
        The titles of the cards beside the figures by name: "predict", "code", and sentences of the frame.
    looked_at : tuple of str
        The settings that begin no run.
    choice : str
        The setting whose options the right arrow goes through; the key r leaves it as it is.
    square : tuple of str
        The figures in which a unit is as long across as it is high.
    curves : dict of str to (str, str)
        Symbols of the formulas in LaTeX, each with the name, or a tag, of what draws it and its colour.
    grids : dict of str to list
        Values of the settings that a file cannot choose freely, since Python computes what follows from them;
        the present value is always among them.
    homes : dict of str to (str, str)
        By the name of a figure that is not among the first the one whose place it takes, and its name in the
        row of names, or "".
    tall : tuple of str
        The figures that have the height of two.
    names_say : str
        What stands before that row, as HTML.
    folded : tuple of str
        The headings of those groups of controls that are a line with their values, which opens.
    steady : tuple of str
        The axes that stay while a number is dragged.
    sheets : tuple of str
        Its style sheets beside those of every page.
    """

    room: ClassVar[str] = ""
    offered: ClassVar[dict] = {}
    lecture: ClassVar[dict] = {}
    drawing: ClassVar[type[Drawing]] = Drawing
    first: ClassVar[tuple] = ()
    timed: ClassVar[tuple] = ()
    ghosts: ClassVar[dict] = {}
    used: ClassVar[dict] = {}
    cards: ClassVar[dict] = {}
    looked_at: ClassVar[tuple] = ()
    choice: ClassVar[str] = ""
    square: ClassVar[tuple] = ()
    curves: ClassVar[dict] = {}
    grids: ClassVar[dict] = {}
    homes: ClassVar[dict] = {}
    names_say: ClassVar[str] = "<b>More figures</b>"
    tall: ClassVar[tuple] = ()
    folded: ClassVar[tuple] = ()
    steady: ClassVar[tuple] = ()
    sheets: ClassVar[tuple] = ()

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        cls.bundle = cls.bundle or cls.room

    def facts(self):
        """Return what the module asks for beside figures, controls and texts."""
        return {}

    def answer_page(self):
        """Return what the module goes by."""
        name, offered = self.room or type(self).__name__.lower(), self.offered or content(self.room)
        lecture = NO_LECTURE | (self.lecture or json.loads((ROOT / name / "lecture.json").read_text("utf-8")))
        controlled = {name for rows in offered["controls"].values() for name in rows}
        return {
            "bokeh": bokeh.__version__,
            "name": name,
            "title": self.title,
            "thesis": lecture["thesis"],
            "tries": lecture["tries"],
            "story": [step | {"figures": _pair(step, lecture["projector"])} for step in lecture["story"]],
            "pair": lecture["projector"],
            "published": self.published.format(name=name),
            "styles": {name: self._style(name == "dark") for name in ("light", "dark")},
            "grounds": {name: {"ground": theme.look(name == "dark").ground} for name in ("light", "dark")},
            "colours": _colours(),
            "figures": self.prepare(),
            "first": self.first,
            "controls": [self._control(*entry) for entry in offered["controls"].items()],
            "uncontrolled": [self._row(name, "", name) for name in self.names() if name not in controlled],
            "presets": offered["presets"],
            "questions": offered["questions"],
            "looked_at": self.looked_at,
            "choice": self.choice,
            "square": self.square,
            "has_formulas": bool(self.curves),
            "cards": self.cards,
            "used": self.used,
            "defaults": {name: self.param[name].default for name in self.names()},
            "texts": WORDING.texts | (Wording(name).texts if self.room else {}),
            "homes": {name: home for name, (home, _) in self.homes.items()},
            "names": _names(type(self)),
            "tall": self.tall,
            "steady": self.steady,
        } | self.facts()

    @classmethod
    def prepare(cls):
        """Return the figures, which are made once for all visitors, even before a browser asks for them."""
        with DRAWING:
            return _figures(cls)

    def answer_formulas(self):
        """Return KaTeX, its style sheet and its fonts."""
        return {"script": formulas.katex(), "sheet": formulas.sheet(), "faces": formulas.faces()}

    @classmethod
    def lit(cls, latex):
        """Return formulas whose symbols have the colours of their curves and light them."""
        curves = {symbol: curve for symbol, (curve, _) in cls.curves.items()}
        return [formulas.lit(line, curves) for line in latex]

    @classmethod
    def _style(cls, is_dark):
        look = theme.look(dark=is_dark)
        sheets = "".join(look.sheet(name) for name in ("page", "hosted", "projector", *cls.sheets))
        colours = "".join(
            f"--curve-{curve}:{getattr(look, colour)};" for curve, colour in cls.curves.values()
        )
        scheme = "dark" if is_dark else "light"
        return f"{sheets}:host{{color-scheme:{scheme};{colours}}}"

    def _control(self, heading, rows):
        return {
            "heading": heading,
            "rows": [self._row(name, kind, label) for name, (kind, label, *_) in rows.items()],
            "is_folded": heading in self.folded,
        }

    def _row(self, name, kind, label):
        parameter = self.param[name]
        row = {"name": name, "kind": kind, "label": label}
        if isinstance(parameter, param.Selector):
            return row | {"options": list(parameter.objects)}
        if isinstance(parameter, param.Boolean):
            return row | {"options": [False, True]}
        if isinstance(parameter, param.String):
            return row | {"kind": "text", "longest": getattr(parameter, "longest", TEXT)}
        low, high = parameter.bounds
        row |= {"low": low, "high": high, "integer": isinstance(parameter, param.Integer)}
        return row | ({"grid": self.carried()[name]} if name in self.grids else {})

    # A file

    def carry(self, values):
        elsewhere = self.facts().get("elsewhere", {})
        for name, options in values.items():
            for value in set(options) & set(elsewhere.get(name, ())):
                raise InputError(
                    f"{name} = {value!r} needs Python, which a file has not; leave it out, or open the page "
                    f"with 'workbench serve {self.room.replace('_', '-')}'"
                )
        grids = {name: options for name, options in values.items() if name in self.grids}
        self.grids = self.grids | {name: options for name, options in grids.items() if len(options) > 1}
        present = {name: getattr(self, name) for name in grids}
        first = {name: present[name] if present[name] in grids[name] else grids[name][0] for name in grids}
        super().carry(values | {name: [value] for name, value in first.items()})

    def carried(self):
        """Return the values that a file offers of each setting of `grids`."""
        grids = {name: {getattr(self, name), *values} for name, values in self.grids.items()}
        return {
            name: [option for option in parameter.objects if option in grids[name]]
            if isinstance(parameter := self.param[name], param.Selector)
            else sorted(grids[name])
            for name in grids
        }

    def packed_answer(self, message):
        """Return the answer to a message; what the page goes by is without what the file does not carry."""
        answer = self.answer(message)
        if message["type"] != "page":
            return answer
        carried = self.carried()
        lists = {name: self.param[name] for name in carried if isinstance(self.param[name], param.Selector)}
        missing = {
            name: [option for option in parameter.objects if option not in carried[name]]
            for name, parameter in lists.items()
        }
        elsewhere = answer.get("elsewhere", {}) | missing
        presets = {
            name: state
            for name, state in answer["presets"].items()
            if all(
                value in carried.get(key, [value]) and value not in elsewhere.get(key, ())
                for key, value in state.items()
            )
        }
        return answer | {"presets": presets, "elsewhere": elsewhere}


def _pair(step, pair):
    """Return the figures of both halves of a projector at a step: the page's pair, or the step's and one."""
    figure = step["figure"]
    return list(pair) if figure in pair else [figure, *pair[:1]]


@functools.cache
def _figures(page_type):
    """Return the figures as Bokeh's JSON, made once for all visitors, and the ids of what is filled."""
    drawing = page_type.drawing(theme.LIGHT)
    marks = time_marks(drawing.figures, page_type.timed, page_type.ghosts, drawing.look)
    document = Document()
    with document.models.freeze():  # else each figure has the document look for its models anew
        for plot in drawing.figures.values():
            for renderer in filter(lambda renderer: isinstance(renderer, GlyphRenderer), plot.renderers):
                renderer.selection_glyph = renderer.nonselection_glyph = "auto"  # nothing is selected
            document.add_root(plot)
    return {
        "json": json.dumps(document.to_json(deferred=False)),
        "roots": {name: plot.id for name, plot in drawing.figures.items()},
        "ids": drawing.ids() | marks,
        "heads": {name: theme.head(title, key, name) for name, (title, key) in drawing.titles.items()},
        "titles": {name: title for name, (title, _) in drawing.titles.items()},
        "ghost": theme.stroke("solid", theme.LIGHT.ghost, "{}"),
    }


def _names(page_type):
    """Return the row of names, each of which shows its figure in the place of one of the first."""
    buttons = "".join(
        f"<button type='button' class='wb-name' data-do='swap' data-figure='{name}' aria-pressed='false'>"
        f"{html.escape(text)}</button>"
        for name, (_, text) in page_type.homes.items()
        if text
    )
    return f"<div class='wb-names'>{page_type.names_say}{buttons}</div>" if buttons else ""


@functools.cache
def _colours():
    """Return the dark colour of each light one."""
    light, dark = theme.LIGHT, theme.look(dark=True)
    names = [row.name for row in dataclasses.fields(theme.Look) if row.name not in ("dark", "projector")]
    colours = {getattr(light, name).lower(): getattr(dark, name) for name in names}
    for palette in (browser.palette, ranges.bands):
        colours |= zip(map(str.lower, palette(light)), palette(dark), strict=True)
    return colours
