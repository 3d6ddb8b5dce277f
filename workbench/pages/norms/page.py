"""The page of norms: controls, cards, and what its script in the browser goes by."""

from pathlib import Path

from workbench.browser import bundle
from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch
from workbench.pages.norms import model as norms
from workbench.pages.norms.engine import NormsEngine
from workbench.pages.norms.figures import HIDES, NormsFigures, titles_of
from workbench.pages.norms.model import INPUTS, VIEWS
from workbench.pages.norms.wording import TEXTS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import Stage, StagedPage, script
from workbench.pages.theme import stroke
from workbench.pages.time_marks import WORDING
from workbench.solvers import ProximalGradient

TABLE = {
    "Problem": {
        "source": select("Data"),
        "loss": select("Loss"),
        "norm": select("Regularizer"),
        "ratio": logarithmic("λ / λ_max"),
        "epsilon": linear("ε sparsity"),
        "share": logarithmic("share of the ℓ1 part"),
        "decay": logarithmic("weight of a level over the one below"),
    },
    "Intercept": {
        "intercept": switch("free intercept"),
        "best": switch("κ at the best intercept"),
    },
    "FISTA": {
        "step": group("Step size"),
        "restart": switch("restart the momentum"),
        "tolerance": select("Stop at a relative gap of"),
    },
    "View": {
        "first": select("Section along"),
        "second": select("Section across"),
        "halving": linear("Halving of the bisection", 1),
    },
}
PRESETS = {
    "Which groups count": {},
    "An intercept: κ must sum to zero": {"norm": "ℓ1", "ratio": 0.3},
    "Without an intercept": {"norm": "ℓ1", "ratio": 0.3, "intercept": False},
    "All weights are zero: λ above λ_max": {"ratio": 1.1},
    "Breast cancer, a tree of measurements": {
        "source": "Breast cancer", "loss": "Logistic", "norm": "Tree", "ratio": 0.1,
    },
    "Groups within groups: sparse group": {"norm": "Sparse group", "share": 0.5, "ratio": 0.05},
    "No ball: the elastic net": {"norm": "Elastic net", "ratio": 0.2},
    "Refused: groups that cross": {"norm": "Crossing groups"},
}  # fmt: skip
# By regularizer: a question, its answer, and HIDES where the section would give it away.
QUESTIONS = {
    "ℓ1": ("Where in its square is the repaired v of a feature whose weight is not zero? "
           "on an edge; inside; anywhere",
           "On an edge: |v_j| = 1 there, with the sign of the weight. Inside |v_j| < 1 the weight is zero."),
    "ℓ2": ("Let λ fall. Do some weights stay zero? yes; no",
           "No: the dual ball is round, so all weights leave zero together, at λ_max."),
    "ℓ∞": ("Many weights end at the same magnitude. What is v of the others? 0; 1; anything between",
           "Zero: a weight below the largest magnitude adds nothing to the norm, so its v must vanish."),
    "Elastic net": ("Does the gap need the repair by scaling here? at most steps; never",
                    "Never: h is finite for every v, so D is as well. Only an intercept makes it infinite."),
    "Group ℓ1/ℓ2": ("Choose two features of one group, then of two groups. What is the shape of the section? "
                    "a disc, then a rectangle; a rectangle, then a disc; a diamond, then a disc",
                    "A disc within a group, a rectangle across two: the dual norm is the largest length.",
                    HIDES),
    "Group ℓ1/ℓ∞": ("What is the shape of the section within one group? a disc; a square; a diamond",
                    "A diamond: the dual of the largest magnitude is the sum of magnitudes.", HIDES),
    "Sparse group": ("Can a single feature have weight zero in a group that is not zero? yes; no",
                     "Yes: the ℓ1 part sets single weights to zero in groups that are not zero."),
    "Tree": ("Which weights vanish together when a node of the tree does? "
             "all below it; it alone; all above it",
             "All below it. A leaf may vanish alone, a branch only with its leaves."),
    "Crossing groups": ("Why is this refused? the norm is not convex; no single pass computes its prox",
                        "The pass from the leaves to the root is the prox for nested groups only."),
}  # fmt: skip
NAMES = (*INPUTS, "tolerance", *VIEWS)
# What the page is about; the other figures are folded.
FIRST = ("norm_gaps", "ball", "bisection")
TIMED = ("norm_gaps", "norm_bounds")
SCRIPTS = ("single_run", "norms/figures", "norms/live")
# What the worker does beyond the messages of every page.
MESSAGES = "\n" + (Path(__file__).parent / "worker.js").read_text(encoding="utf-8")
STEPS_AT_ONCE = "10 steps"


def facts(look, drawing, sources):
    """What the page's script goes by, served or in a file, but for data, terms and ids of models."""
    return {
        "texts": WORDING.texts | TEXTS | {"ghost": stroke("solid", look.ghost, "{}")},
        "sources": [source(name) for name in sources], "inputs": INPUTS, "nested": norms.TREE,
        "solver": bundle.solver_facts(ProximalGradient()), "messages": MESSAGES, "colours": drawing.colours,
    }  # fmt: skip


def source(name):
    """The features of a data set and their groups."""
    found = norms.load(name)
    return {
        "name": name, "names": [str(each) for each in found.names], "groups": found.groups,
        "group_names": [str(each) for each in found.group_names],
    }  # fmt: skip


def terms(problem):
    """The facts of a problem's loss and regularizer.

    Raises
    ------
    InputError
        A loss without a gradient, one that does not take these targets, or groups that form no tree.
    """
    ProximalGradient().init(problem)
    # Proximal gradient steps ask for no bound of the curvature.
    regularizer = bundle.regularizer_facts(problem.regularizer, problem) | {"curvature": None}
    return {"loss": bundle.loss_facts(problem.loss), "regularizer": regularizer}


class NormsStage(Stage):
    """Its script."""

    _esm = script(SCRIPTS)


class NormsPage(StagedPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : Norms
    visit : Visit
    """

    names = NAMES
    title, leap = "Norms", STEPS_AT_ONCE
    stage_type, engine_type, figures_type = NormsStage, NormsEngine, NormsFigures
    sliders = ("ratio",)
    timed, ghosts = TIMED, {"norm_gaps": "step"}

    def __init__(self, model, visit):
        super().__init__(model, visit)
        look = self.look
        self.captions = {name: parts.pane("", look) for name in self.figures.titles}
        self.boxes = self.cards(self.figures.titles)
        self.controls = Controls(TABLE, model, visit, self.changed, self.refuse, PRESETS, _visible)
        self._list_features()
        self.stats = parts.pane("", look, margin=(0, 0, 10, 0))
        self.code_card, self.code = parts.code_card(look)
        self.texts = {"numbers": self.stats, "code": self.code}
        self.predict = RevealCard(look, turned=self._turned)
        self.ask()

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        self.boxes["bisection"].visible = self.model.norm == norms.TREE
        titles = {name: title for name, (title, _) in self.figures.titles.items()}
        shown = parts.folded(self.boxes, FIRST, titles, self.visit)
        cards = parts.grid(*shown, least=300, two=True)
        return [self.stats, self.buttons, cards, self.stage]

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

    def _turned(self, shown):
        """A question about the shape of the section hides it until the answer is shown."""
        hidden = len(QUESTIONS[self.model.norm]) > 2 and not shown
        self.stage.hidden = [renderer.id for renderer in self.figures.section if hidden]
        parts.put_key(self.boxes["ball"], *titles_of(self.look, hidden)["ball"], "ball")

    def rests(self, told):
        """After a reset the question is put anew."""
        if told.get("reset") is True:
            self.ask()

    # What the browser goes by

    def facts(self):
        return facts(self.look, self.figures, self.model.param.source.objects)

    def settings(self):
        """The model's, what is looked at, and how the server and a notebook name the terms."""
        model, settings = self.model, self.model.settings()
        chosen = {name: settings[name] for name in ("loss", "norm", *norms.PARAMETERS.values())}
        _, spelled = norms.regularizer(settings)
        texts = {"loss": norms.LOSSES[model.loss], "regularizer": spelled, "chosen": chosen}
        looked = {name: getattr(model, name) for name in ("tolerance", *VIEWS)}
        return settings | looked | {"texts": texts}

    def data(self, key):
        return bundle.binary(bundle.data(norms.samples(key["source"], True), spectrum=True))

    def terms(self, key):
        return bundle.binary(terms(self.problem({"source": key["source"], **key["chosen"]})))

    def problem(self, names):
        return norms.problem(norms.Norms(**names).settings())


def _visible(model):
    return {
        "epsilon": model.norm == "Elastic net",
        "share": model.norm == "Sparse group",
        "decay": model.norm == "Tree",
        "halving": model.norm == "Tree",
        "best": model.intercept,
    }


REPAIR = (
    r"$\kappa = \nabla f(Xw + b)$, $\;v = -X^\top\kappa/\lambda$"
    "\n"
    r"$\textstyle\sum_i \kappa_i = 0$ for a free intercept"
    "\n"
    r"$\kappa \leftarrow \kappa \cdot \min\bigl(1,\, 1/\lVert v\rVert_*\bigr)$"
)
