"""The page on biases and multipliers for every host: its settings, figures, texts, and Python's answers."""

import asyncio
import contextlib
from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages import address
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.engines import LONGEST_ID, Engines
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.hosts.file import number_text
from workbench.pages.wasm import bundle
from workbench.problems import losses, regularizers

# The ways a run ends, from bad to good.
STATUSES = ("diverged", "max_epochs", "stalled", "converged")
EXTRAS = {
    bias.BIAS: "bias=True",
    bias.SUM: "constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])",
}
TERMS = {
    "loss": (bias.LOSSES, losses, dual_lab.LOSS_CONTROLS),
    "regularizer": (bias.REGULARIZERS, regularizers, dual_lab.REGULARIZER_CONTROLS),
}


class Bias(FigurePage, bias.BiasLab):
    """An intercept without a penalty is the multiplier of a constraint on the dual."""

    title, room, drawing = "Bias & multipliers", "bias", BiasFigures
    first = ("multiplier", "spiral")
    timed = ("full", "small", "multiplier")
    ghosts: ClassVar = {"full": None, "small": None}
    slow = ("data", "loss", "regularizer")
    cards: ClassVar = {
        "why": "Why does s move?",
        "predict": "Predict first",
        "code": "Show me the code",
    }
    looked_at = ("question",)
    used: ClassVar = (
        {name: dual_lab.USED[name] for name in ("tube", "epsilon", "q")}
        | {name: [{"algorithms": ["both", bias.SMALL]}] for name in ("eta", "passes")}
        | {"rate": [{"update": ["gradient"]}], "seed": [{"order": ["shuffled"]}]}
    )
    grids: ClassVar = {
        "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0],
        "q": [1.2, 1.5, 2.0, 3.0],
    }

    def __init__(self, **values):
        super().__init__(**values)
        self.engines, self.tasks = None, set()

    def facts(self):
        settings = self.settings()
        solvers = {algorithm: bias.solver(settings, algorithm) for algorithm in bias.PARTS}
        return {
            "texts": self.sentences(),
            "parts": bias.PARTS,
            "shown": bias.SHOWN,
            "own_step": bias.SMALL,
            "profile": bias.PROFILE,
            "solvers": {name: bundle.solver_facts(type(solver)()) for name, solver in solvers.items()},
            "classes": {name: type(solver).__name__ for name, solver in solvers.items()},
            "epochs": dual_lab.MAX_EPOCHS,
            "statuses": STATUSES,
            "guess_needs": {"algorithms": "both"},
            "extras": EXTRAS,
            "elsewhere": {"constraint": [bias.SUM]},
            "terms": {kind: _terms(*TERMS[kind]) for kind in TERMS},
            "sources": {name: dual_lab.SOURCES[name][:2] for name in self.param.source.objects},
        }

    @classmethod
    def sentences(cls):
        """Return the texts of the page, some of which are the Dual lab's."""
        from workbench.pages.time_marks import WORDING
        from workbench.pages.wording import Wording

        shared = {name: dual_lab.TEXTS[name] for name in ("steps", "epochs", "no_bound", "wide", "tick")}
        return WORDING.texts | Wording("bias").texts | shared

    # What the module asks for

    def answer_engine(self):
        """Return the worker's script, the kernels and the table of their functions."""
        return bundle.engine() | {"kernels": bundle.MODULE.read_bytes()}

    def answer_data(self, source):
        """Return the samples of a data set, by rows; of large data that they are."""
        samples = bundle.data(self._problem(source))
        is_large = bundle.size(samples) > dual_lab.MAX_BYTES
        return {"is_large": True} if is_large else bundle.binary(samples)

    def answer_loss(self, name):
        """Return the facts of a loss, as a registry names it."""
        return bundle.binary(bundle.loss_facts(losses.get(self._known("loss", name))))

    def answer_regularizer(self, source, name):
        """Return the facts of a regularizer on the columns of a data set."""
        regularizer = regularizers.get(self._known("regularizer", name))
        return bundle.binary(bundle.regularizer_facts(regularizer, self._problem(source)))

    def _known(self, kind, name):
        """Return the name of a term if it is one of the page's, with a parameter within its bounds."""
        begins = {}
        for term in _terms(*TERMS[kind]).values():
            control = term["control"]
            begin = f"{term['text']}{term['separator']}{term['parameter']}=" if control else term["text"]
            begins[begin] = control and self.param[control].bounds
        for begin, bounds in begins.items():
            if name == begin and not bounds:
                return name
            if bounds and isinstance(name, str) and name.startswith(begin):
                key = address.number(begin, *bounds)
                with contextlib.suppress(ValueError):
                    key.read(name.removeprefix(begin))
                    return name
        raise InputError(f"unknown {kind}; expected one of {', '.join(begins)}")

    def answer_compute(self, name, message):
        """Take a message to the engine in Python of a name; its answers are events."""
        if not isinstance(name, str) or len(name) > LONGEST_ID:
            raise InputError(f"compute: expected the name of an engine, at most {LONGEST_ID} characters")
        if self.engines is None:
            self.engines = Engines(self._problem_of, self._on_answer)
        task = asyncio.ensure_future(self.engines.take(name, message))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return {}

    async def _on_answer(self, message):
        self.emit(message)

    def _problem_of(self, names):
        if names.get("constraint") not in EXTRAS:
            raise InputError(
                f"unknown constraint {names.get('constraint')!r}; expected one of {', '.join(EXTRAS)}"
            )
        self._check(names.get("source"))
        return bias.problem(names["source"], names["constraint"])

    def close(self):
        if self.engines is not None:
            self.engines.close()
            self.engines = None
        for task in self.tasks:
            task.cancel()

    def _problem(self, source):
        self._check(source)
        return bias.problem(source, bias.BIAS)

    def _check(self, source):
        if source not in self.param.source.objects:
            raise InputError(
                f"unknown source {source!r}; expected one of {', '.join(self.param.source.objects)}"
            )

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries: those of its data set."""
        plain = [{"type": type} for type in ("page", "bokeh", "engine")]
        named = [{"type": "loss", "name": name} for name in self._names("loss")]
        named += [
            {"type": "regularizer", "source": self.source, "name": name}
            for name in self._names("regularizer")
        ]
        return [*plain, {"type": "data", "source": self.source}, *named]

    def _names(self, kind):
        for term in _terms(*TERMS[kind]).values():
            for value in self.grids[term["control"]] if term["control"] else [None]:
                yield term["text"] + (
                    f"{term['separator']}{term['parameter']}={number_text(value)}" if term["control"] else ""
                )


def _terms(names, module, controls):
    """Return by its label the text of a term for a registry, and the setting that its parameter is."""
    terms = {}
    for label, text in names.items():
        needed = dual_lab.needed(text, module.REGISTRY, controls)
        parameter, control = next(iter(needed.items()), (None, None))
        separator = "," if ":" in text else ":"
        terms[label] = {"text": text, "parameter": parameter, "control": control, "separator": separator}
    return terms
