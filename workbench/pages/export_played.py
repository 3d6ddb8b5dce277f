"""Files of pages whose runs Python alone has: they keep the engine's answers, one run for each choice."""

import html
import itertools
import json
from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages.export_solved import PageFile
from workbench.pages.played import plain
from workbench.pages.wasm import bundle

MAX_RUNS = 40
# Every place of the first ones, then ever fewer: late ones look alike.
EACH, THINNING = 12, 1.1
KEYS = "Keys: space runs or pauses, → shows the next picture, r returns to the start."


class PlayedFile(PageFile):
    """A page whose file keeps its runs; one value of a setting where nobody asked for others.

    Attributes
    ----------
    says : str
        What the runs are.
    """

    leap = "10 steps"
    says: ClassVar[str] = ""

    def values(self):
        own = {name: [getattr(self.model, name)] for name in self.labels}
        options = own | self.defaults | self.selection
        return {name: options[name] for name in self.labels}

    def answers(self, engine):
        """HTML of texts by name of an engine whose run has ended."""
        return {}

    @property
    def note(self):
        name = self.kind.title.lower()
        return (
            f"<p>{html.escape(self.says)}, computed when this file was written.</p>"
            "<p>Other settings need the workbench: "
            f"<code>workbench export {name} out.html --set NAME=VALUE</code>, or all of them live with "
            f"<code>workbench serve {name}</code>.</p><p>{KEYS}</p>"
        )

    def computed(self, say):
        record = self._runs(say)
        # The keys of the first picture name what it draws.
        for name, place in record["runs"][0]["pictures"][0]["keys"].items():
            self.drawing.titles[name] = (self.drawing.titles[name][0], record["pool"][place])
        return {"runs": bundle.compressed(json.dumps(record, allow_nan=False).encode())}

    def _runs(self, say):
        """The runs in the order of the choices, and the values that occur in their pictures, each once."""
        choices = list(itertools.product(*self.options.values()))
        if len(choices) > MAX_RUNS:
            raise InputError(
                f"the sliders make {len(choices)} runs, more than {MAX_RUNS}; give them fewer values"
            )
        pool, engines, runs = {}, {}, []
        for count, values in enumerate(choices, 1):
            say(f"run {count} of {len(choices)}")
            settings = dict(zip(self.options, values, strict=True))
            key = tuple(value for name, value in settings.items() if name not in self.kind.views)
            engine = engines.get(key) or self._ended(settings)
            engines[key] = engine
            runs.append(self._run(engine, self.kind.model_type(**settings), pool))
        return {"runs": runs, "pool": [json.loads(text) for text in pool]}

    def _ended(self, settings):
        """An engine whose run of these settings has come to its end."""
        answers, message = [], {"version": 1, "id": 0, "settings": settings}
        engine = self.kind.engine_type(self.look, answers.append)
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

        def store(picture):
            sources = {
                name: {column: stored(each) for column, each in values["data"].items()}
                for name, values in picture.models["sources"].items()
            }
            texts = {name: stored(text) for name, text in (picture.texts | self.answers(engine)).items()}
            return {
                "models": plain(picture.models | {"sources": sources}),
                "captions": picture.captions,
                "texts": texts,
                "keys": {name: stored(key) for name, key in picture.keys.items()},
            }

        places = thin(engine.count)
        return {
            "rows": [plain(engine.row(place), 17) for place in places],
            "code": engine.code(model),
            "over": engine.over(True),
            "pictures": [store(engine.picture(model, place)) for place in places],
        }


def thin(count):
    """The places, of so many, that a file shows: each of the first ones, ever fewer later, and the last."""
    places, place = [], 0
    while place < count - 1:
        places.append(place)
        place = place + 1 if place < EACH else max(place + 1, round(THINNING * place))
    return [*places, count - 1]
