"""The page of Fenchel-Young losses for every host: its settings, and the losses that Python derives."""

from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench.conjugates.derivations import outcomes
from workbench.conjugates.derivations.sketches import SIMPLEX_FUNCTIONS
from workbench.pages import derivations
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.simplex import model as simplex
from workbench.pages.simplex.figures import SimplexDrawing


class Simplex(FigurePage):
    """A prediction in the triangle of probabilities, and its loss as a gap.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Simplex().title
    'Simplex'
    """

    title, room, drawing = "Simplex", "simplex", SimplexDrawing
    first = ("triangle", "scores", "shares", "gap")
    square = ("triangle", "scores")
    curves: ClassVar = {
        r"L(\theta; y)": ("loss", "vermillion"),
        r"\Omega^*(\theta) + \Omega(e_y)": ("convex", "green"),
        r"\theta_y": ("score", "blue"),
    }
    cards: ClassVar = {"predict": "Predict first", "formulas": "The formulas", "code": "Take it with you"}
    choice = "phi"
    used: ClassVar = {
        "alpha": [
            {"phi": [name for name, phi in simplex.ENTROPIES.items() if dict(phi.parameters).get("alpha")]}
        ]
    }

    phi = param.Selector(objects=[*simplex.ENTROPIES, simplex.OWN])
    formula = param.String("", regex=rf"^[^\x00-\x1f\x7f]{{0,{simplex.LONGEST}}}$", doc="φ, if it is typed")
    theta1 = param.Number(0.9, bounds=simplex.SCORES, doc="score of class 1")
    theta2 = param.Number(0.1, bounds=simplex.SCORES, doc="score of class 2")
    theta3 = param.Number(-0.6, bounds=simplex.SCORES, doc="score of class 3")
    alpha = param.Number(1.5, bounds=(1.0, 2.0), doc="exponent of Tsallis' entropy")
    true_class = param.Selector(default=2, objects=list(range(1, simplex.CLASSES + 1)), doc="y")

    def __init__(self, **values):
        super().__init__(**values)
        self.queue = derivations.DerivationQueue()

    def facts(self):
        questions = simplex.ENTROPIES | {
            simplex.OWN: simplex.Entropy("", (), None, code="", **simplex.CONTENT["own"])
        }
        return {
            "own": simplex.OWN,
            "bounds": simplex.SCORES,
            "entropies": {name: phi._asdict() for name, phi in simplex.ENTROPIES.items()},
            "questions": {
                name: {**phi.question, "change": {}, "measure": name, "why": phi.says}
                for name, phi in questions.items()
            },
            "answers": {name: phi.answer for name, phi in questions.items()},
            "latex": {"first": self.lit(simplex.LOSS_LATEX[:2]), "rest": self.lit(simplex.LOSS_LATEX[2:])},
            "source": simplex.SOURCE,
            "code": simplex.python(),
            "elsewhere": {"phi": [simplex.OWN], "formula": []},
        }

    def answer_loss(self, phi):
        """Return what `derivations.sketches.simplex` prints of a phi of the page, or a coroutine of it."""
        if phi not in simplex.ENTROPIES:
            raise InputError(f"unknown phi {phi!r}; expected one of {', '.join(simplex.ENTROPIES)}")
        outcome = derivations.lookup(outcomes.key("simplex", *simplex.request(phi)))
        return self._derive(*simplex.request(phi)) if outcome is None else self._printed(outcome)

    async def answer_own_loss(self, formula):
        """Return the same of a phi that somebody typed."""
        if not isinstance(formula, str) or not 0 < len(formula) <= simplex.LONGEST:
            raise InputError(f"formula: expected a text of at most {simplex.LONGEST} characters")
        return await self._derive(*simplex.own_request(formula))

    async def _derive(self, *request):
        try:
            outcome = await self.queue.ask("simplex", *request)
        except InputError as error:
            raise InputError(simplex.refusal(error)) from None
        return self._printed(outcome)

    def _printed(self, outcome):
        return outcome | {"latex": self.lit(outcome["latex"]), "functions": SIMPLEX_FUNCTIONS}

    def packed_messages(self):
        """Return the messages whose answers a file carries: those of all phi of the page."""
        plain = [{"type": type} for type in ("page", "bokeh", "formulas")]
        return [*plain, *({"type": "loss", "phi": phi} for phi in simplex.ENTROPIES)]

    def close(self):
        self.queue.cancel()
