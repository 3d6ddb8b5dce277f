"""Pages whose runs Python alone has: their engine, which answers with pictures, and the page around it.

A picture says what the models of the page's figures show, by kind and name, so that one script, `played.js`,
draws every such page, served and in a file; the file keeps the answers.
"""

import math
import time
from typing import ClassVar

import numpy as np

from workbench._support.errors import InputError
from workbench.pages.staged import StagedPage
from workbench.pages.wasm import engine
from workbench.pages.wasm.engine import whole

# How long a run goes on before a picture, in seconds.
SLICE = 0.05
MAX_PLACES = 20_000


class Picture:
    """What one picture shows.

    Attributes
    ----------
    models : dict of str to dict of str to dict
        Of a kind and a name, as in `Drawing`, to properties and their values.
    captions : dict of str to str
        The sentence under each figure.
    texts : dict of str to str
        HTML of other panes.
    keys : dict of str to str
        HTML of the keys that change, by figure.
    """

    def __init__(self):
        self.models, self.captions, self.texts, self.keys = {}, {}, {}, {}

    def set(self, kind, name, **values):
        """Set properties of a model."""
        self.models.setdefault(kind, {})[name] = values

    def fill(self, name, columns):
        """The columns of a source."""
        self.set("sources", name, data=columns)

    def range(self, name, start, end):
        """The ends of a range."""
        self.set("ranges", name, start=float(start), end=float(end))

    def decades(self, name, values, most, least):
        """A logarithmic range around positive values, between so many decades below the largest."""
        if values.size:
            high = float(values.max())
            low = min(max(float(values.min()), high * 10.0**-most), high * 10.0**-least)
            self.range(name, 10.0 ** math.floor(math.log10(low)), 2.0 * high)


class PlayedEngine(engine.Engine):
    """Answers the messages of `played.js`: a lab of the page's settings, steps of it, and pictures.

    A page of its own kind gives `model_type`, `build(settings, previous)`, which makes a lab,
    `move(request)`, which does a "step" or an "epoch", `play(seconds, tolerance)`, which goes on and returns
    whether all has ended, `over(ended)`, the status of what has ended or None, `row(place)`, how far a place
    is, `picture(model, place)`, `code(model)`, and `summary()`, what the page around it goes by.
    """

    types: ClassVar = {
        "play_problem": (True, ("settings",), True),
        "play_steps": (True, ("settings", "request")),
        "play_picture": (True, ("settings", "place")),
    }
    places: ClassVar = {}

    def __init__(self, look, post):
        super().__init__(None, post)
        self.look, self.lab, self.tolerance = look, None, None

    def size(self):
        return {}

    def _on_play_problem(self, id, settings):
        model = self.model_type(**settings)
        self.lab, self.tolerance = self.build(model.settings(), self.lab), model.tolerance
        self.run = self.lab.run
        self._answer(
            id,
            "play_problem",
            rows=self._rows(0),
            over=None,
            code=self.code(model),
            summary=self.summary(),
            picture=vars(self.picture(model, 0)),
        )

    def _on_play_steps(self, id, settings, request):
        """A "step", an "epoch", as much of a run as there is time for, or one place of a "slow" one."""
        model, before = self.model_type(**settings), self.count
        if before >= MAX_PLACES:
            raise InputError(f"play_steps: the run has {before:,} places, the most there are; press reset")
        if request in ("step", "epoch"):
            self.move(request)
            ended = False
        else:
            until = time.perf_counter() + (0.0 if request == "slow" else SLICE)
            ended = self.play(0.0, self.tolerance)
            while not ended and time.perf_counter() < until:
                ended = self.play(0.0, self.tolerance)
        self._answer(
            id,
            "play_steps",
            rows=self._rows(before),
            over=self.over(ended),
            summary=self.summary(),
            picture=vars(self.picture(model, self.count - 1)),
        )

    def _on_play_picture(self, id, settings, place):
        whole(place, "play_picture", "place", 0, self.count - 1)
        picture = vars(self.picture(self.model_type(**settings), place))
        self._answer(id, "play_picture", picture=picture)

    @property
    def count(self):
        """How many places there are."""
        return len(self.lab.longest.rows)

    def _rows(self, first):
        return [self.row(place) for place in range(first, self.count)]


class PlayedPage(StagedPage):
    """Binds one model to its widgets.

    Attributes
    ----------
    inputs, views : tuple of str
        The settings whose change begins anew, and those that choose what is looked at.
    unit : str
        What the page counts time in: "epoch" or "pass".
    places_of_leap : int
        The places of the button for many steps.
    curves : dict of str to dict
        Of a figure whose curves stay as ghosts to `sources` and the columns `x` and `gap` in them.
    """

    script = "played"
    needs: ClassVar = ()
    data_names: ClassVar = ()
    inputs: ClassVar[tuple] = ()
    views: ClassVar[tuple] = ()
    unit, places_of_leap = "epoch", 1
    curves: ClassVar[dict] = {}
    _summary = None

    @classmethod
    def facts(cls, model, drawing):
        return {
            "inputs": cls.inputs,
            "views": cls.views,
            "names": (*cls.inputs, "tolerance", *cls.views),
            "unit": cls.unit,
            "leap": cls.places_of_leap,
            "ghosts": cls.curves,
        }

    def served_facts(self):
        return {}

    def settings(self):
        """The model's; the server alone computes."""
        names = (*self.inputs, "tolerance", *self.views)
        return {name: getattr(self.model, name) for name in names} | {"elsewhere": True, "texts": {}}

    def problem(self, names):
        """What the engine is made of: it takes problems from the settings."""
        return self.look

    def changed(self, names):
        if not set(names) <= set(self.views):
            self.question_changed()
        self.follow()

    # What the browser hands on of the engine

    def rests(self, message):
        """The engine's `summary` at both ends of a run; after a reset the question is put anew."""
        super().rests(message)
        for key, hear in (("began", self.began), ("came", self._finished)):
            if isinstance(message.get(key), dict):
                hear(message[key])

    def _finished(self, message):
        self._summary = message
        self.answer()

    def answer(self):
        """Answer a guess, where what was last told is of the present settings."""
        message = self._summary
        if message is None or self.predict.guess is None:
            return
        if message.get("settings") == {name: getattr(self.model, name) for name in self.inputs}:
            self.finished(message)

    def question_changed(self):
        """Settings have changed that a guess may have been about."""

    def began(self, message):
        """A run has begun."""

    def finished(self, message):
        """A run of the present settings has come to rest; `message` may hold anything."""


def plain(value, digits=6):
    """A picture as JSON that is small: numbers by so many digits, what is not finite null."""
    if isinstance(value, dict):
        return {name: plain(each, digits) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [plain(each, digits) for each in value]
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, float | np.floating):
        return float(f"{value:.{digits}g}") if math.isfinite(value) else None
    return value.item() if isinstance(value, np.generic) else value
