"""Files that play runs which were computed when they were written, with sliders to choose among them.

A page keeps its own way of drawing: it changes its Bokeh figures in place and yields a `Picture`. What
changed in the models in between is recorded here, by Bokeh's own events, and the file changes the same
properties to the same values. Values that occur again, as most do, are stored once.
"""

import html
import itertools
import json
import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from bokeh.document import Document

from workbench.errors import InputError
from workbench.pages import browser, export_file
from workbench.pages.numerals import numerals

MOST_RUNS = 40
# Every moment of the first ones, then ever fewer: late ones look alike.
EACH, THINNING = 12, 1.3
# Of numbers in columns; a curve needs fewer, whoever saves the data as CSV is glad of some more.
DIGITS = 6
# Settings that are named below the controls where they have no slider.
SAID = ("source", "loss", "regularizer", "norm", "update")


class Slider(NamedTuple):
    """A choice among runs: a slider where its values are numbers, else a list."""

    label: str
    values: list
    first: object = None  # the value that is shown first, where it is one of them

    @property
    def start(self):
        return self.values.index(self.first) if self.first in self.values else 0


class Picture(NamedTuple):
    """What stands beside the figures at one moment of a run."""

    at: str  # how far the run has come
    captions: dict  # of figure to the sentence under it
    texts: dict  # of card to HTML in which whatever a user typed is escaped
    titles: dict  # as of `Played`, with the key of what is drawn


class Played(NamedTuple):
    """A page of precomputed runs.

    `frames(settings)` takes one value for each slider, draws each moment of that run into `figures` and
    yields a `Picture` of it.
    """

    title: str
    note: str  # HTML below the controls: which problem this is
    sliders: dict  # of setting to Slider
    figures: dict  # of name to Bokeh figure
    titles: dict  # of the figures' names to title and key, a HTML of `theme.stroke` entries
    frames: Callable[[dict], Iterator[Picture]]
    cards: dict  # of card to its title; "" for the row of numbers above the figures


def page(played, look, say=lambda text: None):
    """The text of the file of a `Played`; `say` hears which run is being computed."""
    combinations = list(itertools.product(*(slider.values for slider in played.sliders.values())))
    if len(combinations) > MOST_RUNS:
        raise InputError(
            f"the sliders make {len(combinations)} runs, more than {MOST_RUNS}; give them fewer values"
        )
    recorder = Recorder(played)
    for count, values in enumerate(combinations, 1):
        say(f"run {count} of {len(combinations)}")
        recorder.record(dict(zip(played.sliders, values, strict=True)))
    sidebar = _controls(played) + f"<div class='wb-note'>{played.note}<p>{KEYS}</p></div>"
    return export_file.page(
        played.title, look, sidebar, _main(played), "export_player", recorder.data(played.sliders)
    )


def sliders(model, labels, chosen):
    """The sliders of the settings that were chosen, at the model's own value where they have it."""
    return {
        name: Slider(label, chosen[name], getattr(model, name))
        for name, label in labels.items()
        if name in chosen
    }


def note(page, says, model, labels, chosen):
    """HTML on what the runs are, and which command makes others; settings that have a slider are left out."""
    fixed = {name: chosen.get(name, [getattr(model, name)]) for name in labels if name in SAID}
    listed = "; ".join(f"{labels[name]}: {values[0]}" for name, values in fixed.items() if len(values) == 1)
    return (
        f"<p>{html.escape(says)}, computed when this file was written. {html.escape(listed)}.</p>"
        "<p>Other settings need the workbench: "
        f"<code>workbench export {page} out.html --set NAME=VALUE</code>, or all of them live with "
        f"<code>workbench serve {page}</code>.</p>"
    )


def moments(advance):
    """Yields at the start of a run, after each of its first steps, ever less often later, and at its end.

    Parameters
    ----------
    advance : callable
        Goes one step on, of whatever size, and returns whether the run has ended.
    """
    yield
    count, due, ended = 0, 1.0, False
    while not ended:
        ended = advance()
        count += 1
        if ended or count >= due:
            yield
            due = count + 1 if count < EACH else THINNING * count


class Recorder:
    """Collects what the moments of all runs change in the models and say in words."""

    def __init__(self, played):
        self.played = played
        self.document = Document()
        self.roots = {}
        for name, plot in played.figures.items():
            self.document.add_root(plot)
            self.roots[plot.id] = f"x-figure-{name}"
        self.initial = {
            (model.id, name): value
            for model in self.document.models
            for name, value in model.properties_with_values(include_undefined=True).items()
        }
        self.pool, self.runs, self.present, self.changed = {}, [], {}, {}
        self.document.on_change(self._changed)

    def _changed(self, event):
        # A change to a model that the event names; additions of roots have none.
        self.changed[event.model.id, event.attr] = event.model

    def record(self, settings):
        """Play one run."""
        self.runs.append([self._moment(picture) for picture in self.played.frames(settings)])

    def _moment(self, picture):
        for (id, name), model in self.changed.items():
            self.present |= self._slots(id, name, getattr(model, name))
        self.changed.clear()
        captions = {name: picture.captions[name] for name in self.played.figures}
        texts = {f"x-line-{name}": html.escape(text) for name, text in captions.items()}
        texts |= {f"x-head-{name}": browser.head(name, *picture.titles[name]) for name in captions}
        texts |= {f"x-text-{name}": text for name, text in picture.texts.items()}
        return picture.at, dict(self.present), {name: self._stored(text) for name, text in texts.items()}

    def _slots(self, id, name, value):
        """A property as what can be put back: its place, and where its value is stored."""
        if isinstance(value, dict):
            return {(id, name, column): self._stored(plain(entry)) for column, entry in value.items()}
        return {(id, name, ""): self._stored(plain(value))}

    def _stored(self, value):
        return self.pool.setdefault(json.dumps(value, allow_nan=False), len(self.pool))

    def data(self, sliders):
        """Everything as JSON."""
        slots = list(self.present)
        # What a later moment changes for the first time stood as the figures were made.
        before = {}
        for id, name in dict.fromkeys(slot[:2] for slot in slots):
            before |= self._slots(id, name, self.initial[id, name])
        empty = self._stored([])
        return {
            "document": {"json": self.document.to_json(deferred=False), "roots": self.roots},
            "sliders": [{"name": name, "count": len(slider.values)} for name, slider in sliders.items()],
            "slots": slots,
            "runs": [
                [
                    {"at": at, "texts": texts,
                     "slots": [found.get(slot, before.get(slot, empty)) for slot in slots]}
                    for at, found, texts in run
                ]
                for run in self.runs
            ],
            "pool": [json.loads(text) for text in self.pool],
        }  # fmt: skip


def plain(value):
    """A property's value as JSON: numbers rounded, what is not finite null, a picture or few words packed."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    if value is None or isinstance(value, (int, str)):
        return value
    if len(value) == 1 and np.ndim(value[0]) == 2:
        return {"image": plain(np.ravel(value[0]))}
    values = [plain(entry) for entry in value]
    words = list(dict.fromkeys(values)) if values and isinstance(values[0], str) else values
    if 2 * len(words) < len(values):
        return {"words": words, "of": [words.index(entry) for entry in values]}
    return values


KEYS = "Keys: space plays or pauses, → shows the next frame, r returns to the start."
BUTTONS = {"x-reset": "Start", "x-step": "Step", "x-play": "Play"}


def _controls(played):
    """The sliders, then the pace."""
    parts = [control(name, slider) for name, slider in played.sliders.items() if len(slider.values) > 1]
    buttons = "".join(
        f"<button type='button' id='{id}'{' class=x-main' if id == 'x-play' else ''}>{text}</button>"
        for id, text in BUTTONS.items()
    )
    return "".join(parts) + (
        "<div class='x-control'><label for='x-frame'>Progress</label><output id='x-at' for='x-frame'>"
        "</output><input type='range' id='x-frame' min='0' value='0' step='1'></div>"
        f"<div class='x-pace'>{buttons}</div>"
    )


def control(name, slider):
    """HTML of a slider, or of a list where the values are words."""
    label = f"<label for='x-{name}'>{html.escape(slider.label)}</label>"
    texts = [_said(value) for value in slider.values]
    if isinstance(slider.values[0], (str, bool)):
        options = "".join(
            f"<option{' selected' if k == slider.start else ''}>{html.escape(text)}</option>"
            for k, text in enumerate(texts)
        )
        return f"<div class='x-control'>{label}<select id='x-{name}'>{options}</select></div>"
    said = html.escape(json.dumps(texts))
    return (
        f"<div class='x-control'>{label}<output id='x-{name}-said' for='x-{name}'></output>"
        f"<input type='range' id='x-{name}' min='0' max='{len(texts) - 1}' value='{slider.start}' step='1' "
        f"data-said='{said}'></div>"
    )


def _said(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    return numerals(f"{value:g}") if isinstance(value, (int, float)) else value


def figure_card(name, title, key, line=""):
    """HTML of a card with the place of a figure and the sentence below it."""
    return (
        f"<section class='x-card'><div id='x-head-{name}'>{browser.head(name, title, key)}</div>"
        f"<div id='x-figure-{name}' role='img' aria-label='{html.escape(title)}'></div>"
        f"<div class='wb-line x-line' id='x-line-{name}'>{html.escape(line)}</div></section>"
    )


def _main(played):
    above = "".join(f"<div id='x-text-{name}'></div>" for name, title in played.cards.items() if not title)
    figures = "".join(figure_card(name, *played.titles[name]) for name in played.figures)
    beside = "".join(
        export_file.card(title, f"<div id='x-text-{name}'></div>")
        for name, title in played.cards.items()
        if title
    )
    return f"{above}<div class='x-cards x-two'>{figures}</div><div class='x-cards x-two'>{beside}</div>"
