"""The page of transfer functions for every host: its settings, and what its `frame.js` asks Python for."""

from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench.conjugates.derivations import outcomes
from workbench.conjugates.derivations.sketches import TRANSFER_FUNCTIONS
from workbench.pages import derivations
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.server.turns import in_one
from workbench.pages.transfer import model as transfer
from workbench.pages.transfer.figures import TransferDrawing


class Transfer(FigurePage):
    """A regularizer as the map from the dual vector to the weights.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Transfer().title
    'Transfer'
    """

    title, room, drawing = "Transfer", "transfer", TransferDrawing
    first = ("value", "slope", "v_plane", "w_plane")
    homes: ClassVar = {
        "contact": ("w_plane", "contours of a loss"),
        "stopping": ("value", "early stopping"),
        "real": ("slope", "weights of real data"),
    }
    names_say = "<b>More figures</b>"
    square = ("v_plane", "w_plane", "contact")
    curves: ClassVar = {"h(v)": ("h", "green"), r"\nabla h(v)": ("map", "blue")}
    cards: ClassVar = {"predict": "Predict first", "code": "Take it with you"}
    choice = "regularizer"
    grids: ClassVar = {"source": []}
    used: ClassVar = {
        name: [
            {"regularizer": [label for label, shape in transfer.SHAPES.items() if name in shape.parameters]}
        ]
        for name in ("epsilon", "radius", "K", "q", "power", "mu_1", "mu_2", "p", "B")
    }

    regularizer = param.Selector(objects=list(transfer.SHAPES))
    v1 = param.Number(1.6, bounds=transfer.PLANE, doc="first coordinate of v")
    v2 = param.Number(0.6, bounds=transfer.PLANE, doc="second coordinate of v")
    epsilon = param.Number(1.0, bounds=(0.0, 2.0), doc="sparsity of the elastic net")
    radius = param.Number(1.0, bounds=(0.2, 3.0), doc="bound of each weight")
    K = param.Number(1.0, bounds=(0.25, 4.0), doc="curvature in the first coordinate")
    q = param.Number(1.5, bounds=(1.05, 4.0), doc="exponent of the norm")
    power = param.Number(2.0, bounds=(1.2, 4.0), doc="power of the norm, q'")
    mu_1 = param.Number(0.5, bounds=(0.05, 2.0), doc="prior of the first weight")
    mu_2 = param.Number(0.5, bounds=(0.05, 2.0), doc="prior of the second weight")
    p = param.Number(1.5, bounds=(1.05, 2.0), doc="exponent of the norm on a ball")
    B = param.Number(1.0, bounds=(0.2, 3.0), doc="radius of the ball")
    lam = param.Number(1.0, bounds=transfer.LAM, doc="weight of the regularizer beside the quadratic loss")
    scale = param.Number(1.0, bounds=(0.1, 5.0), doc="factor of the real v")
    source = param.Selector(objects=list(transfer.SOURCES), doc="whose v is mapped")

    def __init__(self, **values):
        super().__init__(**values)
        self.queue = derivations.DerivationQueue()

    def facts(self):
        return {
            "shapes": {
                name: shape._asdict() | {"python": transfer.python(shape)}
                for name, shape in transfer.SHAPES.items()
            },
            "questions": {name: _question(name, shape) for name, shape in transfer.SHAPES.items()},
            "norm": {"latex": self.lit(transfer.NORM_LATEX), "source": transfer.NORM_SOURCE},
            "v_window": transfer.PLANE,
        }

    def answer_regularizer(self, name):
        """Return what `derivations.sketches.transfer` prints of a regularizer, or a coroutine of it."""
        script = getattr(transfer.SHAPES.get(name), "script", "")
        if not script:
            raise InputError(f"unknown regularizer {name!r}; expected one of {', '.join(_derived())}")
        outcome = derivations.lookup(outcomes.key("transfer", script))
        return self._derive(script) if outcome is None else self._formulas(outcome)

    async def _derive(self, script):
        return self._formulas(await self.queue.ask("transfer", script))

    def _formulas(self, outcome):
        return outcome | {"latex": self.lit(outcome["latex"]), "functions": TRANSFER_FUNCTIONS}

    async def answer_real(self, source):
        """Return the v of a solved problem; it is solved in a thread, once for all visitors."""
        if source not in transfer.SOURCES:
            raise InputError(f"unknown source {source!r}; expected one of {', '.join(transfer.SOURCES)}")
        return (await self.compute(in_one(transfer.real_v, source)))._asdict()

    def packed_messages(self):
        """Return the messages whose answers a file carries: those of all regularizers, and one data set."""
        named = [{"type": "regularizer", "name": name} for name in _derived()]
        plain = [{"type": type} for type in ("page", "bokeh", "formulas")]
        real = [{"type": "real", "source": source} for source in self.carried()["source"]]
        return [*plain, *named, *real]

    def _row(self, name, kind, label):
        row = super()._row(name, kind, label)
        return row | ({"options": transfer.sources()} if name == "source" else {})

    def close(self):
        self.queue.cancel()


def _derived():
    return [name for name, shape in transfer.SHAPES.items() if shape.script]


def _question(name, shape):
    question = transfer.QUESTIONS[shape.kind]
    return {**question, "change": {}, "measure": name, "why": shape.says}
