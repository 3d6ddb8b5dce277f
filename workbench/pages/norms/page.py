"""The page of norms: controls, cards, and what its script in the browser goes by."""

from typing import ClassVar

from workbench._support.errors import InputError
from workbench.pages import browser, parts
from workbench.pages.controls import table
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import SolvedFile, answers, packed
from workbench.pages.formulas import mixed
from workbench.pages.norms import model as norms
from workbench.pages.norms.engine import NormsEngine
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.norms.model import INPUTS, VIEWS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import StagedPage
from workbench.pages.wasm import bundle
from workbench.pages.wording import Wording, content
from workbench.solvers import ProximalGradient
from workbench.solvers.algorithms import proximal_gradient

CONTENT = content("norms")
TABLE = table(CONTENT["controls"])
PRESETS = CONTENT["presets"]
# By regularizer: a question, its answer, and HIDES where the section would give it away.
QUESTIONS = CONTENT["questions"]
REPAIR = (
    r"$\kappa = \nabla f(Xw + b)$, $\;v = -X^\top\kappa/\lambda$"
    "\n"
    r"$\textstyle\sum_i \kappa_i = 0$ for a free intercept"
    "\n"
    r"$\kappa \leftarrow \kappa \cdot \min\bigl(1,\, 1/\lVert v\rVert_*\bigr)$"
)
NAMES = (*INPUTS, "tolerance", *VIEWS)
STEPS_AT_ONCE = "10 steps"


def source(name):
    """The features of a data set and their groups."""
    data = norms.load(name)
    return {
        "name": name,
        "names": [str(each) for each in data.names],
        "groups": data.groups,
        "group_names": [str(each) for each in data.group_names],
    }


def terms(problem):
    """The facts of a problem's loss and regularizer.

    Raises
    ------
    InputError
        A loss without a gradient, one that does not take these targets, or groups that form no tree.
    """
    proximal_gradient.check(problem)
    # Proximal gradient steps ask for no bound of the curvature.
    regularizer = bundle.regularizer_facts(problem.regularizer, problem) | {"curvature": None}
    return {"loss": bundle.loss_facts(problem.loss), "regularizer": regularizer}


class NormsPage(StagedPage):
    """Binds one model to its widgets."""

    title, leap, names = "Norms", STEPS_AT_ONCE, NAMES
    model_type, drawing_type, engine_type = norms.Norms, NormsFigures, NormsEngine
    table, presets = TABLE, PRESETS
    used = {name: [{"norm": [norm]}] for norm, name in norms.PARAMETERS.items()} | {
        "halving": [{"norm": [norms.TREE]}],
        "best": [{"intercept": [True]}],
    }
    script = "norms"
    sentences = Wording("norms").texts
    first = ("norm_gaps", "ball", "bisection")
    sliders = ("ratio",)
    timed, ghosts = ("norm_gaps", "norm_bounds"), {"norm_gaps": "step"}
    source = staticmethod(source)

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self._list_features()
        self.predict = RevealCard(self.look, turned=self._turned)
        self.boxes["bisection"].visible = model.norm == norms.TREE
        self.ask()

    def aside(self):
        look = self.look
        how = parts.formulas(REPAIR, look)
        source = parts.pane(
            "<div class='wb-source'>Mairal, SPAMS, appendix A</div>", look, margin=(0, 14, 10, 14)
        )
        return [parts.card("The repair", how, source, look=look), self.predict.card, self.code_card]

    # What a visitor does

    def changed(self, names):
        if "source" in names:
            self._list_features()
        if "norm" in names:
            self.ask()
            self.boxes["bisection"].visible = self.model.norm == norms.TREE
        self.follow()

    def _list_features(self):
        """The features of the present data as those of the section."""
        names = norms.load(self.model.source).names
        for name in ("first", "second"):
            if getattr(self.model, name) >= len(names):
                setattr(self.model, name, ("first", "second").index(name))
            self.controls.options(name, {str(label): j for j, label in enumerate(names)})

    def ask(self):
        """Put the question of the present regularizer, unanswered."""
        self.predict.ask(*QUESTIONS[self.model.norm][:2])
        if self.visit.fixed["story"]:  # which shows what it tells of
            self.predict.turn()

    def _turned(self, visible):
        """A question about the shape of the section hides it until the answer is shown."""
        hidden = len(QUESTIONS[self.model.norm]) > 2 and not visible
        self.stage.hidden = [renderer.id for renderer in self.figures.section if hidden]
        title, _ = self.figures.titles["ball"]
        parts.put_key(self.boxes["ball"], title, self.figures.ball_key(hidden), "ball")

    # What the browser goes by

    @classmethod
    def facts(cls, model, drawing):
        return {
            "inputs": INPUTS,
            "nested": norms.TREE,
            "solver": bundle.solver_facts(ProximalGradient()),
            "worker": browser.bundle("norms_worker"),
            "colours": drawing.colours,
        }

    def settings(self):
        """The model's, what is looked at, and how the server and a notebook name the terms."""
        model, settings = self.model, self.model.settings()
        options = {name: settings[name] for name in ("loss", "norm", *norms.PARAMETERS.values())}
        _, spelled = norms.regularizer(settings)
        texts = {"loss": norms.LOSSES[model.loss], "regularizer": spelled, "chosen": options}
        looked = {name: getattr(model, name) for name in ("tolerance", *VIEWS)}
        return settings | looked | {"texts": texts}

    def data(self, key):
        return bundle.binary(bundle.data(norms.samples(key["source"], True), spectrum=True))

    def terms(self, key):
        return bundle.binary(terms(self.problem({"source": key["source"], **key["chosen"]})))

    def problem(self, names):
        return norms.problem(norms.Norms(**names).settings())


class NormsFile(SolvedFile):
    kind = NormsPage
    defaults: ClassVar = {
        name: list(range(norms.Norms.param[name].bounds[1] + 1)) for name in ("first", "second", "halving")
    }

    def presets(self):
        return None

    def facts(self):
        return super().facts() | {
            "losses": norms.LOSSES,
            "parameters": norms.PARAMETERS,
            "questions": {name: reveal(*QUESTIONS[name][:2]) for name in self.options["norm"]},
        }

    def recorded(self, settings):
        size = len(norms.load(settings["source"]).names)
        first, second = min(settings["first"], size - 1), settings["second"]
        plane = [first, min(second, size - 1) if second != first else (first + 1) % size]
        (answer,) = answers(
            NormsEngine,
            norms.problem(settings),
            {
                "type": "norm_problem",
                "ratio": settings["ratio"],
                "plane": plane,
                "solver": {
                    "name": "proximal-gradient",
                    "step": settings["step"],
                    "restart": settings["restart"],
                },
                "best": settings["intercept"] and settings["best"],
            },
        )
        return {"norms": {"norm_problem": answer}}

    def source(self, name):
        """The data of a source with the facts of every loss and regularizer, and what is refused of these."""
        settings = norms.Norms().settings() | {"source": name, "loss": "Squared", "norm": "ℓ1"}
        refused, spelled = {"loss": {}, "regularizer": {}}, {}
        data = bundle.data(norms.samples(name, True), spectrum=True)
        facts = {"data": data, "losses": {}, "regularizers": {}}
        for label in self.options["loss"]:
            try:
                facts["losses"][label] = terms(norms.problem(settings | {"loss": label}))["loss"]
            except InputError as error:
                refused["loss"][label] = str(error)
        for key, choice in _regularizers(self.options):
            at = settings | choice
            try:
                facts["regularizers"][key] = terms(norms.problem(at))["regularizer"]
            except InputError as error:
                refused["regularizer"][choice["norm"]] = str(error)
                continue
            _, spelled[key] = norms.regularizer(at)
        return source(name) | {"facts": packed(facts), "refused": refused, "spelled": spelled}

    def cards(self):
        return {
            "repair": ("The repair", mixed(REPAIR)),
            "predict": ("Predict first", ""),
        }


def _regularizers(options):
    """The key in the facts of each regularizer, with each value of its parameter, and their settings."""
    for label in options["norm"]:
        parameter = norms.PARAMETERS.get(label)
        if parameter is None:
            yield label, {"norm": label}
            continue
        for place, value in enumerate(options[parameter]):
            yield f"{label}|{place}", {"norm": label, parameter: value}
