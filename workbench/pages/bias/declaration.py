"""The page on biases and multipliers for every host: its settings, figures, texts, and Python's answers."""

from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages import datasets, terms
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.hosts.solved import PLAIN, SolvedPage
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import MAX_EPOCHS
from workbench.problems import losses, regularizers

# The ways a run ends, from bad to good.
STATUSES = ("diverged", "max_epochs", "stalled", "converged")
EXTRAS = {
    bias.BIAS: "bias=True",
    bias.SUM: "constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])",
    bias.ZERO: "weight_constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])",
}
# The options as a visitor reads them, and the texts of the page where each is chosen.
LABELS = {
    bias.BIAS: "a free bias",
    bias.SUM: "a free shift of all weights",
    bias.ZERO: "weights that sum to zero",
}
MODES = {bias.BIAS: "free_bias", bias.SUM: "free_shift", bias.ZERO: "zero_sum"}
TERMS = {
    "loss": terms.term_table("loss", bias.LOSSES),
    "regularizer": terms.term_table("regularizer", bias.REGULARIZERS),
}


class Bias(SolvedPage, bias.BiasLab):
    """An intercept without a penalty is a multiplier, as is that of a constraint on the weights.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Bias(lam=0.001).lam
    0.001
    """

    title, room, drawing = "Bias & multipliers", "bias", BiasFigures
    first = ("multiplier", "profile", "spiral", "full")
    homes: ClassVar = {"small": ("full", "Gaps of Algorithm 3")}
    folded = ("Inner steps",)
    timed = ("full", "small", "multiplier")
    ghosts: ClassVar = {"full": None, "small": None}
    slow = ("data", "loss", "regularizer")
    cards: ClassVar = {
        "why": "Why does s move?",
        "predict": "Predict first",
        "code": "Take it with you",
    }
    looked_at = ("question",)
    used: ClassVar = (
        {name: terms.USED[name] for name in ("tube", "epsilon", "q")}
        | {name: [{"algorithms": ["both", bias.SMALL]}] for name in ("eta", "passes")}
        | {"mu": [{"constraint": [bias.BIAS, bias.SUM]}]}
        | {"rate": [{"update": ["gradient"]}], "seed": [{"order": ["shuffled"]}]}
    )
    grids: ClassVar = {
        "source": [],
        "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0],
        "q": [1.2, 1.5, 2.0, 3.0],
    }

    def facts(self):
        settings, texts = self.settings(), self.sentences()
        solvers = {algorithm: bias.solver(settings, algorithm) for algorithm in bias.PARTS}
        return {
            "texts": texts,
            "modes": {value: texts[name] for value, name in MODES.items()},
            "parts": bias.PARTS,
            "shown": bias.SHOWN,
            "own_step": bias.SMALL,
            "profile": bias.PROFILE,
            "solvers": {name: bundle.solver_facts(type(solver)()) for name, solver in solvers.items()},
            "classes": {name: type(solver).__name__ for name, solver in solvers.items()},
            "epochs": MAX_EPOCHS,
            "statuses": STATUSES,
            "guess_needs": {"algorithms": "both", "constraint": bias.BIAS},
            "extras": EXTRAS,
            "elsewhere": {"constraint": [bias.SUM, bias.ZERO]},
            "terms": TERMS,
            "sources": {name: datasets.SOURCES[name][:2] for name in self.param.source.objects},
        }

    def _row(self, name, kind, label):
        row = super()._row(name, kind, label)
        return row | ({"labels": LABELS} if name == "constraint" else {})

    @classmethod
    def sentences(cls):
        """Return the texts of the page."""
        from workbench.pages.time_marks import WORDING
        from workbench.pages.wording import Wording

        return WORDING.texts | Wording("bias").texts

    # What the module asks for

    def answer_data(self, source):
        """Return the samples of a data set, by rows; of large data that they are."""
        samples = bundle.data(self._problem(source))
        is_large = bundle.size(samples) > datasets.MAX_BYTES
        return {"is_large": True} if is_large else bundle.binary(samples)

    def answer_loss(self, name):
        """Return the facts of a loss, as a registry names it."""
        return bundle.binary(bundle.loss_facts(losses.get(self.check_term("loss", TERMS["loss"], name))))

    def answer_regularizer(self, source, name):
        """Return the facts of a regularizer on the columns of a data set."""
        regularizer = regularizers.get(self.check_term("regularizer", TERMS["regularizer"], name))
        return bundle.binary(bundle.regularizer_facts(regularizer, self._problem(source)))

    def problem(self, names):
        if names.get("constraint") not in EXTRAS:
            raise InputError(
                f"unknown constraint {names.get('constraint')!r}; expected one of {', '.join(EXTRAS)}"
            )
        self.check_source(names.get("source"))
        return bias.problem(names["source"], names["constraint"])

    def _problem(self, source):
        self.check_source(source)
        return bias.problem(source, bias.BIAS)

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries: those of its data sets."""
        grids = self.carried()
        names = {kind: [name for _, name in terms.term_names(TERMS[kind], grids)] for kind in TERMS}
        return [
            *PLAIN,
            *({"type": "loss", "name": name} for name in names["loss"]),
            *({"type": "data", "source": source} for source in grids["source"]),
            *(
                {"type": "regularizer", "source": source, "name": name}
                for source in grids["source"]
                for name in names["regularizer"]
            ),
        ]
