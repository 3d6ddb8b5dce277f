"""The page on biases and multipliers: controls, cards, and what its script in the browser goes by."""

from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages import parts
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.bias.model import QUESTIONS
from workbench.pages.controls import table
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.terms import objects_of, terms_of
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers
from workbench.pages.formulas import formula
from workbench.pages.guess_card import GuessCard
from workbench.pages.staged import StagedPage
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine
from workbench.pages.wording import Wording, content
from workbench.problems import Problem, losses, regularizers

TABLE = table(content("bias")["controls"])
NAMES = (*(name for entries in TABLE.values() for name in entries), "question")
FORMULA = r"s \;\leftarrow\; s + \eta\,\frac{\lambda n}{\mu}\,(Cv - b)"
# The ways a run ends, from bad to good.
ENDED = ("diverged", "max_epochs", "stalled", "converged")
EXTRAS = {
    bias.BIAS: "bias=True",
    bias.SUM: "constraints=(\n    np.ones((1, d.X.shape[1])), [0.0])",
}
GUESS = "Guess; then both algorithms run, and the answer appears."


def source(name):
    """How a notebook loads a data set of the page."""
    key, options, _ = dual_lab.SOURCES[name]
    return {"name": name, "data": key, "load": options}


class BiasPage(StagedPage):
    """Binds one model to its widgets."""

    title, names = "Bias & multipliers", NAMES
    model_type, drawing_type = bias.BiasLab, BiasFigures
    table, presets = TABLE, bias.PRESETS
    used = (
        {name: dual_lab.USED[name] for name in ("tube", "epsilon", "q")}
        | {
            name: [{"algorithms": [each for each in bias.SHOWN if each != bias.FULL]}]
            for name in ("eta", "passes")
        }
        | {"rate": [{"update": ["gradient"]}], "seed": [{"order": ["shuffled"]}]}
    )
    script = "bias"
    # Some are the Dual lab's.
    sentences = Wording("bias").texts | {
        name: dual_lab.TEXTS[name] for name in ("steps", "epochs", "no_bound", "wide", "tick")
    }
    first = ("multiplier", "spiral")
    sliders = ("lam", "mu", "eta", "rate", "scale")
    data_names = ("source", "constraint")
    timed, ghosts = ("full", "small", "multiplier"), {"full": None, "small": None}
    source = staticmethod(source)

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self.guess = GuessCard(self.look, self._guessed, [self.question_list(QUESTIONS)])
        last = self.boxes["profile"]
        last.styles = last.styles | {"grid-column": "1 / -1"}  # an odd one takes its row
        self.steps = parts.pane("", self.look, margin=(2, 14, 12, 14))
        self.texts["why"] = self.steps
        self.ask()

    def aside(self):
        formula = parts.formulas(f"$${FORMULA}$$", self.look, margin=(0, 14))
        why = parts.card("Why does s move?", formula, self.steps, look=self.look)
        return [why, self.guess.card, self.code_card]

    # What a visitor does

    def changed(self, names):
        self.guess.guess = None
        self.follow()

    def ask(self):
        """Put the chosen question, unanswered."""
        question = QUESTIONS[self.model.question]
        self.guess.ask(question.text, question.options, GUESS)

    def _guessed(self, option):
        change = {"algorithms": "both"} | QUESTIONS[self.model.question].change
        self.controls.update(change)
        self.guess.guess = option

    # What the browser goes by

    @classmethod
    def facts(cls, model, drawing):
        solvers = {algorithm: type(bias.solver(model.settings(), algorithm)) for algorithm in bias.PARTS}
        return {
            "parts": bias.PARTS,
            "shown": bias.SHOWN,
            "own_step": bias.SMALL,
            "profile": bias.PROFILE,
            "solvers": {name: bundle.solver_facts(kind()) for name, kind in solvers.items()},
            "classes": {name: kind.__name__ for name, kind in solvers.items()},
            "epochs": dual_lab.MAX_EPOCHS,
            "statuses": ENDED,
            "extras": EXTRAS,
        }

    def settings(self):
        """The model's, how a registry names the terms, and whether this is for the server alone."""
        settings = self.model.settings()
        loss, regularizer, _, _ = dual_lab.specification(settings)
        return settings | {
            "tolerance": self.model.tolerance,
            "texts": {"loss": loss, "regularizer": regularizer},
            "elsewhere": settings["constraint"] != bias.BIAS,
        }

    def data(self, key):
        samples = bundle.data(bias.problem(key["source"], bias.BIAS))
        return None if bundle.size(samples) > dual_lab.MAX_BYTES else bundle.binary(samples)

    def terms(self, key):
        problem = bias.problem(key["source"], bias.BIAS)
        loss, regularizer = losses.get(key["loss"]), regularizers.get(key["regularizer"])
        try:
            arrays = {
                "loss": bundle.loss_facts(loss),
                "regularizer": bundle.regularizer_facts(regularizer, problem),
            }
        except InputError:  # they are not printed for the browser
            return None
        return bundle.binary(arrays)

    def problem(self, names):
        return bias.problem(names["source"], names["constraint"])

    def rests(self, message):
        """The runs rest; `told["came"]` has the place of the true option by measure once both have ended."""
        super().rests(message)
        question = QUESTIONS[self.model.question]
        came = message.get("came")
        place = came.get(question.measure) if isinstance(came, dict) else None
        if isinstance(place, int) and not isinstance(place, bool) and 0 <= place < len(question.options):
            self.guess.reveal(question.options[place], question.why)


class BiasFile(SolvedFile):
    kind = BiasPage
    # The presets' among them.
    defaults: ClassVar = {
        "source": ["Breast cancer"],
        "constraint": [bias.BIAS],
        "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0],
        "q": [1.2, 1.5, 2.0, 3.0],
        "mu": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
        "eta": [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0],
        "passes": [1, 2, 3, 5, 10, 20, 50],
        "seed": [0, 1, 2, 3],
    }
    note = (
        f'<p>{SOLVED} Other data: <code>workbench export bias out.html --set "source=NAME"</code>. A shift '
        f"of all weights is on the page that <code>workbench serve bias</code> opens.</p>{KEYS}"
    )

    def presets(self):
        """Each with the value of every control."""
        own = {name: getattr(self.model, name) for name in self.labels}
        return {name: own | changed for name, changed in bias.PRESETS.items()}

    def values(self):
        if bias.SUM in self.selection.get("constraint", ()):
            raise InputError(
                f"constraint = {bias.SUM!r}: constraints C v = b do not run in the browser; leave it out, or "
                "open the page with 'workbench serve bias'"
            )
        return super().values()

    def facts(self):
        terms = terms_of(self.options)
        loss, regularizer = (objects_of(terms, kind) for kind in ("loss", "regularizer"))
        sources = []
        for name in self.options["source"]:
            dataset = dual_lab.load(name)
            problem = Problem(dataset.X, dataset.y, loss[0], regularizer[0], 1.0, bias=True)
            sources.append(source(name) | {"facts": bundle.facts(problem, loss, regularizer)})
        return {"terms": terms, "sources": sources}

    def recorded(self, settings):
        """The beginning of each algorithm."""
        loss, regularizer, _, _ = dual_lab.specification(settings)
        terms = {"loss": loss, "regularizer": regularizer, "lam": settings["lam"], "seed": settings["seed"]}
        records = {}
        for algorithm in bias.PARTS:
            begin = {"type": "problem", "solver": bias.solver(settings, algorithm), **terms}
            problem, profile = answers(
                Engine,
                bias.problem(settings["source"], bias.BIAS),
                begin,
                {"type": "profile", **bias.PROFILE},
            )
            records[algorithm] = {"problem": problem, "profile": profile}
        return records

    def cards(self):
        questions = "".join(reveal(question.text, question.why) for question in QUESTIONS.values())
        return {
            "why": ("Why does s move?", "", formula(FORMULA)),
            "predict": ("Predict first", questions),
        }
