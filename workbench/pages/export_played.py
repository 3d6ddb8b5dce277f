"""Files of pages whose runs Python alone has: they keep the engine's answers, one run for each choice."""

import html
import itertools
import json
from collections.abc import Callable
from typing import NamedTuple

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved, own_figures
from workbench.pages.played import SCRIPTS, facts, plain

MOST_RUNS = 40
# Every place of the first ones, then ever fewer: late ones look alike.
EACH, THINNING = 12, 1.1
PROGRAM = ("bundles/wording", "painter", "live_page", "live_figures", *SCRIPTS)
BUTTONS = {"reset": "reset", "step": "step", "epoch": "10 steps", "run": "run"}
KEYS = "Keys: space runs or pauses, → shows the next picture, r returns to the start."


class Kept(NamedTuple):
    """A page whose file keeps its runs.

    Attributes
    ----------
    page_type, engine_type, drawing_type : type
        Of `PlayedPage`, of `PlayedEngine` and of `Drawing`.
    labels : dict of str to str
        What may be chosen, and what the file calls it.
    defaults : dict of str to list
        The values of settings that nobody asks for; of others the model's own.
    says : str
        What the runs are.
    answers : callable, optional
        Gives HTML of texts by name of an engine whose run has ended.
    """

    page_type: type
    engine_type: type
    drawing_type: type
    labels: dict
    defaults: dict
    says: str
    answers: Callable = lambda engine: {}

    def keys(self):
        """What can be chosen in the file, as `address.Key`s."""
        return address.keys_of(self.engine_type.model_type(), self.labels)

    def page(self, look, chosen, say, cards):
        """The text of the file.

        Parameters
        ----------
        look : theme.Look
        chosen : dict
            Of a setting in `labels` to its values; one value fixes it.
        say : callable
            Hears which run is being computed.
        cards : dict of str to (str, str)
            The title and the HTML of cards beside the figures, by the names of their texts.

        Raises
        ------
        InputError
            There would be too many runs, or one of them cannot be.
        """
        page, drawing, model = self.page_type, self.drawing_type(look), self.engine_type.model_type()
        options = {name: [getattr(model, name)] for name in self.labels} | self.defaults | chosen
        options = {name: options[name] for name in self.labels}
        start = export_solved.start(model, options)
        kept = self._runs(look, options, say)
        drawing.titles |= _keys_of(drawing, kept)
        own_figures.marked(drawing, page, look)
        data = facts(page, page.sentences, look) | drawing.facts | {
            "controls": {name: {"values": values} for name, values in options.items()},
            "runs": bundle.compressed(json.dumps(kept, allow_nan=False).encode()),
        }  # fmt: skip
        note = self._note(page.title.lower())
        controls = export_solved.controls(self.labels, options, start, BUTTONS, note)
        cards = cards | {"code": ("Show me the code", "")}
        main = export_solved.main("", drawing.titles, dict.fromkeys(drawing.titles, ""), cards)
        return export_file.page(page.title, look, controls, main, PROGRAM, data, before=bundle.script())

    def _note(self, name):
        return (
            f"<p>{html.escape(self.says)}, computed when this file was written.</p>"
            "<p>Other settings need the workbench: "
            f"<code>workbench export {name} out.html --set NAME=VALUE</code>, or all of them live with "
            f"<code>workbench serve {name}</code>.</p><p>{KEYS}</p>"
        )

    def _runs(self, look, options, say):
        """The runs in the order of the choices, and the values that occur in their pictures, each once."""
        choices = list(itertools.product(*options.values()))
        if len(choices) > MOST_RUNS:
            raise InputError(
                f"the sliders make {len(choices)} runs, more than {MOST_RUNS}; give them fewer values"
            )
        pool, made = {}, {}
        runs = []
        for count, values in enumerate(choices, 1):
            say(f"run {count} of {len(choices)}")
            settings = dict(zip(options, values, strict=True))
            key = tuple(value for name, value in settings.items() if name not in self.page_type.views)
            engine = made.get(key) or self._ended(look, settings)
            made[key] = engine
            runs.append(self._run(engine, self.engine_type.model_type(**settings), pool))
        return {"runs": runs, "pool": [json.loads(text) for text in pool]}

    def _ended(self, look, settings):
        """An engine whose run of these settings has come to its end."""
        answers, message = [], {"version": 1, "id": 0, "settings": settings}
        engine = self.engine_type(look, answers.append)
        engine.take(message | {"type": "play_problem"})
        while answers[-1].get("over") is None:
            if answers[-1]["type"] == "error":
                raise InputError(answers[-1]["text"])
            engine.take(message | {"type": "play_steps", "request": "run"})
        return engine

    def _run(self, engine, model, pool):
        def stored(value):
            text = json.dumps(plain(value), allow_nan=False)
            return pool.setdefault(text, len(pool))

        def kept(picture):
            sources = {
                name: {column: stored(each) for column, each in values["data"].items()}
                for name, values in picture.models["sources"].items()
            }
            texts = {name: stored(text) for name, text in (picture.texts | self.answers(engine)).items()}
            return {
                "models": plain(picture.models | {"sources": sources}), "captions": picture.captions,
                "texts": texts, "keys": {name: stored(key) for name, key in picture.keys.items()},
            }  # fmt: skip

        places = seen(engine.count)
        return {
            "rows": [plain(engine.row(place), 17) for place in places], "code": engine.code(model),
            "over": engine.over(True), "pictures": [kept(engine.picture(model, place)) for place in places],
        }  # fmt: skip


def _keys_of(drawing, kept):
    """The titles of figures with the keys of the first picture, which name what it draws."""
    keys = kept["runs"][0]["pictures"][0]["keys"]
    return {name: (drawing.titles[name][0], kept["pool"][place]) for name, place in keys.items()}


def seen(count):
    """The places, of so many, that a file shows: each of the first ones, ever fewer later, and the last."""
    found, place = [], 0
    while place < count - 1:
        found.append(place)
        place = place + 1 if place < EACH else max(place + 1, round(THINNING * place))
    return [*found, count - 1]
