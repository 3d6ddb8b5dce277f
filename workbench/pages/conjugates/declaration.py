"""The page of conjugates for every host: its settings, and the pairs that Python derives."""

import itertools
import math
from typing import ClassVar

import param

from workbench._support.errors import ConvexityError, InputError
from workbench.conjugates.derivations import outcomes
from workbench.pages import derivations
from workbench.pages.conjugates import model, texts
from workbench.pages.conjugates.figures import ConjugatesDrawing
from workbench.pages.conjugates.model import OWN, PRESETS
from workbench.pages.hosts.figured import FigurePage

SHOWN = ("script", "functions", "knots", "jumps", "status", "seconds", "excluded", "conditions_text")
TEXTS = ("formula", "domain", "parameters")
LATEX = (r"q(v) = \sup_u \left( u v - p(u) \right)", r"p(u) + q(v) - u v \ge 0")


class Conjugates(FigurePage):
    """A convex function with its tangents, and its conjugate, which holds their intercepts.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Conjugates().title
    'Conjugates'
    """

    title, room, drawing = "Conjugates", "conjugates", ConjugatesDrawing
    first = ("primal", "dual", "gap", "tangents")
    curves: ClassVar = {"p(u)": ("p", "blue"), "q(v)": ("q", "green")}
    cards: ClassVar = {
        "predict": "Predict first",
        "pair": "The pair",
        "verification": "Verification",
        "derivation": "Derivation, step by step",
        "code": "Take it with you",
    }
    choice = "preset"

    preset = param.Selector(objects=[*PRESETS, OWN], doc="a pair of Appendix E, or a function of one's own")
    formula = model.Text("", doc="p, where it is one's own")
    domain = model.Text("", doc="where it is finite; all of the line where empty")
    parameters = model.Text("", doc="bounds of its parameters, separated by semicolons")
    values = model.Text("", doc="the numbers of the parameters' sliders, such as epsilon=0.5,r=2")
    u = param.Number(None, bounds=(-model.FAR, model.FAR), allow_None=True, doc="where the gap is read")
    v = param.Number(None, bounds=(-model.FAR, model.FAR), allow_None=True, doc="slope of the tangent")
    predict = param.Boolean(False, doc="q is hidden until it is found")

    def __init__(self, **values):
        super().__init__(**values)
        self.queue = derivations.DerivationQueue()

    @property
    def typed(self):
        """The texts of the function that was typed, which a file carries."""
        return {name: getattr(self, name) for name in TEXTS}

    def facts(self):
        typed = self.typed if self.preset == OWN else {}
        return {
            "own": OWN,
            "first": next(iter(PRESETS)),
            "pairs": {name: dict(zip(TEXTS, preset[:3], strict=True)) for name, preset in PRESETS.items()},
            "own_function": typed,
            "latex": self.lit(LATEX),
            "elsewhere": {"preset": [] if typed else [OWN], "formula": [], "domain": [], "parameters": []},
        }

    def answer_pair(self, preset):
        """Return a pair of the page, or a coroutine of it."""
        if preset not in list(PRESETS):
            raise InputError(f"unknown preset {preset!r}; expected one of {', '.join(PRESETS)}")
        choice = PRESETS[preset]
        outcome = derivations.lookup(outcomes.key(choice.sketch, *model.request(choice), choice.entry))
        return self._derive(choice) if outcome is None else described(choice, outcome)

    async def answer_own_pair(self, formula, domain, parameters):
        """Return the pair of a function that somebody typed, or its convex envelope."""
        return await self._derive(model.own(formula, domain, parameters))

    async def answer_table(self, formula, domain, parameters, values):
        """Return curves of which the browser has no formula, at these values of the parameters."""
        choice = model.own(formula, domain, parameters)
        outcome = await self._outcome(choice)
        return await self._tables(choice, outcome, _numbers(values, outcome["ranges"]))

    async def _derive(self, choice):
        outcome = await self._outcome(choice)
        tables = None if outcome["ranges"] else await self._tables(choice, outcome, {})
        return described(choice, outcome) | {"tables": tables}

    async def _outcome(self, choice):
        request = model.request(choice)
        try:
            return await self.queue.ask(choice.sketch, *request, choice.entry)
        except ConvexityError:
            return await self.queue.ask("envelope", *request)

    async def _tables(self, choice, outcome, numbers):
        points, request = tuple(model.TABLE), model.request(choice)
        tables = {}
        for name in model.tabled(outcome):
            heights = await self.queue.ask("table", *request, name, points, tuple(numbers.items()))
            tables[name] = {"x": list(points), "y": [y if math.isfinite(y) else math.nan for y in heights]}
        return tables

    def _row(self, name, kind, label):
        row = super()._row(name, kind, label)
        if name == "preset":
            return row | {"labels": {preset: model.label(preset) for preset in PRESETS}}
        _, _, *hint = next(iter(model.CONTENT["controls"].values())).get(name, (kind, label))
        return row | ({"placeholder": hint[0]} if hint else {})

    # A file

    def packed_messages(self):
        """Return the messages whose answers a file carries, those of all pairs among them."""
        plain = [{"type": type} for type in ("page", "bokeh", "formulas")]
        own = [{"type": "own_pair"} | self.typed] if self.preset == OWN else []
        return [*plain, *({"type": "pair", "preset": name} for name in PRESETS), *own]

    def packed_answer(self, message):
        return self._packed(message) if message["type"] == "own_pair" else super().packed_answer(message)

    async def _packed(self, message):
        answer = await self.answer(message)
        if answer["tabled"] and answer["sliders"]:
            # Its values would have to be computed anew for every position of a slider.
            raise InputError(
                f"{' and '.join(answer['tabled'])} of {message['formula']} has no closed form, so a file "
                f"cannot follow the parameter {next(iter(answer['sliders']))}; write a number in its place"
            )
        return answer

    def close(self):
        self.queue.cancel()


def described(choice, outcome):
    """Return what the frame takes of an outcome of `derivations.sketches.pair` or `envelope`."""
    return {name: outcome[name] for name in SHOWN} | {
        "convex": bool(outcome["claims"]),
        "cases": [{"condition_text": case["condition_text"]} for case in outcome["cases"]],
        "tabled": model.tabled(outcome),
        "sliders": model.sliders(outcome["ranges"], choice.values),
        "latex": texts.latex(outcome),
        "html": {
            "pair": texts.explained(outcome, choice.says),
            "verification": texts.badges(outcome["claims"]),
            "derivation": texts.steps(outcome),
        },
        "python": model.python(choice, outcome["declared"]),
    }


def _numbers(values, ranges):
    """Return the values of the parameters that a browser sent."""
    numbers = dict(itertools.islice(values.items(), model.MAX_PARAMETERS)) if isinstance(values, dict) else {}
    is_number = all(isinstance(number, int | float) and math.isfinite(number) for number in numbers.values())
    if set(numbers) != set(ranges) or not is_number:
        raise InputError(f"values: expected a number for each of {', '.join(ranges)}")
    return numbers
