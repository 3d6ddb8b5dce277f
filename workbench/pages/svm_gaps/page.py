"""The page on SVM gaps: controls, cards, and what its script in the browser goes by."""


from workbench.browser import bundle
from workbench.data.examples.plane import SOURCES, write_points
from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch
from workbench.pages.hand_notes import BRUSH, hand_notes
from workbench.pages.plane import MOST_POINTS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import Stage, StagedPage, script
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import GRID, SvmDrawing
from workbench.pages.theme import stroke
from workbench.pages.time_marks import WORDING
from workbench.solvers import MaximalViolatingPair

TABLE = {
    "Problem": {
        "source": select("Data"),
        "adds": group("A click adds a point of class"),
        "brush": switch(BRUSH),
        "cost": logarithmic("C weight of a slack"),
        "kernel": group("Kernel"),
        "gamma": logarithmic("γ of the Gaussian kernel"),
        "degree": linear("Degree of the polynomial", 1),
    },
    "Maximal violating pair": {
        "selection": group("Selection"),
        "tolerance": select("Stop at t̂ − b̂ of"),
    },
}
PRESETS = {
    "Overlapping classes": {},
    "A margin without errors": {"source": "Separable", "cost": 1000.0},
    "Crossed classes, a Gaussian kernel": {"source": "Crossed", "kernel": "Gaussian", "cost": 10.0},
    "One outlier against a hard margin": {"source": "An outlier", "cost": 1000.0},
    "Few against many": {"source": "Imbalanced"},
    "The cheapest bound far above the truth": {"cost": 100.0, "tolerance": 1.0},
    "Second-order selection": {"selection": "second-order", "kernel": "Polynomial"},
}
QUESTIONS = (
    (
        "Move a point with a = 0 slightly. Does the boundary move? yes; no",
        "No: f is the sum over the support vectors, and a point beyond the margin keeps a = 0.",
    ),
    (
        "Raise C tenfold and stop at the same t̂ − b̂. How much larger is the cheapest bound? "
        "ten times; no larger; it depends on the points",
        "Ten times: it is C n (t̂ − b̂), so a tolerance on t̂ − b̂ guarantees less. The cheaper bound has in "
        "place of n the number of samples between b̂ and t̂.",
    ),
    (
        "Stop at t̂ − b̂ = 1. Is the solution within 1 of the optimum? always; not necessarily; never",
        "Not necessarily: the violation is in units of a prediction, the gap in units of the objective.",
    ),
)
DUAL = "The dual of the kernel machine"
FORMULA = (
    r"$\max_a\ \textstyle\sum_i a_i - \tfrac12 \sum_{i,j} a_i a_j\, y_i y_j\, k(x_i, x_j)$"
    "\n"
    r"$0 \le a_i \le C, \qquad \textstyle\sum_i y_i a_i = 0$"
    "\n"
    r"$f(x) = \textstyle\sum_i y_i a_i\, k(x_i, x)$; the class of x is the sign of f(x) + b."
    "\nThe points enter through k alone: another kernel leaves the solver as it is."
)
STEPS_AT_ONCE = 10
NAMES = (*svm_gaps.INPUTS, "tolerance", "adds")
SCRIPTS = ("plane_hand", "live_plane", "svm_gaps/gap", "svm_gaps/figures", "svm_gaps/run", "svm_gaps/live")


def visible(model):
    """The controls that the present choices use."""
    return {"gamma": model.kernel == "Gaussian", "degree": model.kernel == "Polynomial"}


def facts(drawing):
    """What the page's script goes by, served or in a file, but for the ids of models."""
    model = svm_gaps.SvmGaps()
    problem = svm_gaps.problem(**{name: getattr(model, name) for name in SvmGapsPage.data_names})
    return {
        "texts": WORDING.texts | svm_gaps.TEXTS | {"ghost": stroke("solid", drawing.look.ghost, "{}")},
        "inputs": svm_gaps.INPUTS, "problem": bundle.facts(problem),
        "solver": bundle.solver_facts(MaximalViolatingPair(tol=0.0, shrinking=False)),
        "kernels": {name: _kernel(name) for name in svm_gaps.KERNELS},
        "sources": {name: write_points(*made()) for name, made in SOURCES.items()},
        "grid": GRID, "most": MOST_POINTS, "looks": drawing.looks(),
    }  # fmt: skip


def _kernel(name):
    """The engine's code of a kernel and its parameters, of which the page sets its own."""
    kernel = svm_gaps.kernel(svm_gaps.SvmGaps(kernel=name).settings())
    return {"code": kernel.code, "parameters": kernel.parameters(2).tolist()}


class SvmGapsStage(Stage):
    """Its script."""

    _esm = script(SCRIPTS)


class SvmGapsPage(StagedPage):
    """Binds one model to its widgets.

    Parameters
    ----------
    model : SvmGaps
    visit : Visit
    """

    names = NAMES
    title, leap = "SVM gaps", f"{STEPS_AT_ONCE} steps"
    stage_type, figures_type = SvmGapsStage, SvmDrawing
    sliders = ("cost", "gamma")
    data_names = ("source", "points", "kernel", "gamma", "degree")
    changed_by_hand = ("points",)
    timed, ghosts = ("bounds",), {"bounds": "step"}
    help = StagedPage.help | {
        "Ctrl Z": "undo the last change of points",
        "Shift drag": "paint a cloud of points in the plane",
    }  # fmt: skip

    def __init__(self, model, visit):
        super().__init__(model, visit)
        look = self.look
        self.controls = Controls(TABLE, model, visit, self._changed, self.refuse, PRESETS, visible)
        self.stats = parts.pane("", look, margin=(0, 0, 10, 0))
        self.captions = {name: parts.pane("", look) for name in self.figures.titles}
        self.why = parts.pane("", look, margin=(2, 14, 12, 14))
        self.code_card, self.code = parts.code_card(look)
        self.texts = {"numbers": self.stats, "why": self.why, "code": self.code}
        source = parts.pane(
            "<div class='wb-source'>List et al. (2007): G(a) is Corollary 3, the cheaper bound Remark 1, the "
            "cheapest Lemma 8.</div>",
            look, margin=(0, 14, 10, 14),
        )  # fmt: skip
        self.predict = RevealCard(look, source, following=self._next_question)
        self.place = 0
        self.ask()

    def sidebar(self):
        return self.controls.sidebar()

    def main(self):
        cards = self.cards(self.figures.titles)
        # What a hand can do in the plane stands below it.
        cards["plane"].extend(hand_notes(svm_gaps.TEXTS.get, None, self.look))
        return [
            self.stats, self.buttons, parts.grid(*cards.values(), least=300),
            self.stage,
        ]  # fmt: skip

    def aside(self):
        why = parts.card("Why this pair?", self.why, look=self.look)
        dual = parts.card(DUAL, parts.formulas(FORMULA, self.look), look=self.look)
        return [why, dual, self.predict.card, self.code_card]

    # What a visitor does

    def _changed(self, names):
        if "source" in names:
            self.model.points = ""
        self.follow()

    def ask(self):
        """Put the present question, unanswered."""
        self.predict.ask(*QUESTIONS[self.place])

    def _next_question(self):
        self.place = (self.place + 1) % len(QUESTIONS)
        self.ask()

    # What the browser goes by

    def facts(self):
        return facts(self.figures)

    def settings(self):
        model = self.model
        texts = {"loss": svm_gaps.LOSS, "regularizer": svm_gaps.REGULARIZER}
        return {name: getattr(model, name) for name in (*NAMES, "brush")} | {"texts": texts}

    def problem(self, names):
        return svm_gaps.problem(**names)

    def rests(self, told):
        """After a reset an old answer says nothing."""
        if told.get("reset") is True:
            self.ask()
