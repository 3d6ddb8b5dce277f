"""The page on SVM gaps: controls, cards, and what its script in the browser goes by."""

from typing import ClassVar

from workbench.data.examples.plane import SOURCES, write_points
from workbench.pages import parts
from workbench.pages.controls import table
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers
from workbench.pages.formulas import mixed
from workbench.pages.hand_notes import hand_notes
from workbench.pages.plane import MAX_POINTS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import StagedPage
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import GRID, SvmDrawing
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine
from workbench.pages.wording import content
from workbench.solvers import MaximalViolatingPair

CONTENT = content("svm_gaps")
TABLE = table(CONTENT["controls"])
QUESTIONS = CONTENT["questions"]
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


def _kernel(name):
    """The engine's code of a kernel and its parameters, of which the page sets its own."""
    kernel = svm_gaps.kernel(svm_gaps.SvmGaps(kernel=name).settings())
    return {"code": kernel.code, "parameters": kernel.parameters(2).tolist()}


class SvmGapsPage(StagedPage):
    """Binds one model to its widgets."""

    title, leap, names = "SVM gaps", f"{STEPS_AT_ONCE} steps", NAMES
    model_type, drawing_type = svm_gaps.SvmGaps, SvmDrawing
    table, presets = TABLE, CONTENT["presets"]
    used: ClassVar = {"gamma": [{"kernel": ["Gaussian"]}], "degree": [{"kernel": ["Polynomial"]}]}
    script = "svm_gaps"
    sentences = svm_gaps.TEXTS
    sliders = ("cost", "gamma")
    data_names = ("source", "points", "kernel", "gamma", "degree")
    changed_by_hand = ("points",)
    timed, ghosts = ("bounds",), {"bounds": "step"}
    help = StagedPage.help | {
        "Ctrl Z": "undo the last change of points",
        "Shift drag": "paint a cloud of points in the plane",
    }

    def __init__(self, model, visit):
        super().__init__(model, visit)
        # What a hand can do in the plane stands below it.
        self.boxes["plane"].extend(hand_notes(svm_gaps.TEXTS.get, TABLE["Problem"]["brush"], self.look))
        self.why = parts.pane("", self.look, margin=(2, 14, 12, 14))
        self.texts["why"] = self.why
        source = parts.pane(
            "<div class='wb-source'>List et al. (2007): G(a) is Corollary 3, the cheaper bound Remark 1, the "
            "cheapest Lemma 8.</div>",
            self.look,
            margin=(0, 14, 10, 14),
        )
        self.predict = RevealCard(self.look, source, following=self._next_question)
        self.place = 0
        self.ask()

    def aside(self):
        why = parts.card("Why this pair?", self.why, look=self.look)
        dual = parts.card(DUAL, parts.formulas(FORMULA, self.look), look=self.look)
        return [why, dual, self.predict.card, self.code_card]

    # What a visitor does

    def changed(self, names):
        if "source" in names and "points" not in names:  # an address has both
            self.model.points = ""
        self.follow()

    def ask(self):
        """Put the present question, unanswered."""
        self.predict.ask(*QUESTIONS[self.place])

    def _next_question(self):
        self.place = (self.place + 1) % len(QUESTIONS)
        self.ask()

    # What the browser goes by

    @classmethod
    def facts(cls, model, drawing):
        problem = svm_gaps.problem(**{name: getattr(model, name) for name in cls.data_names})
        return {
            "inputs": svm_gaps.INPUTS,
            "problem": bundle.facts(problem),
            "solver": bundle.solver_facts(MaximalViolatingPair(tol=0.0, shrinking=False)),
            "kernels": {name: _kernel(name) for name in svm_gaps.KERNELS},
            "sources": {name: write_points(*make()) for name, make in SOURCES.items()},
            "grid": GRID,
            "most": MAX_POINTS,
            "looks": drawing.looks(),
        }

    def served_facts(self):
        return {}

    def settings(self):
        model = self.model
        texts = {"loss": svm_gaps.LOSS, "regularizer": svm_gaps.REGULARIZER}
        return {name: getattr(model, name) for name in (*NAMES, "brush")} | {"texts": texts}

    def problem(self, names):
        return svm_gaps.problem(**names)


# As live.js takes its reference.
REFERENCE, REFERENCE_STEPS = 1e-9, 200_000


class SvmGapsFile(SolvedFile):
    kind = SvmGapsPage
    lacks = ("brush",)
    defaults: ClassVar = {"points": [""], "degree": list(range(2, 7))}
    note = f"<p>{SOLVED}</p><p>{svm_gaps.TEXTS['plane_hint']} {svm_gaps.TEXTS['plane_rest_shift']}</p>{KEYS}"

    def facts(self):
        return {}

    def recorded(self, settings):
        """The state at zero and the reference."""
        problem = svm_gaps.problem(**{name: settings[name] for name in SvmGapsPage.data_names})
        solver = MaximalViolatingPair(tol=REFERENCE, shrinking=False)
        begin = {"type": "problem", "solver": solver, "lam": 1.0 / (settings["cost"] * problem.n_samples)}
        records = {}
        for name, steps in (("run", ()), ("reference", ({"type": "step", "count": REFERENCE_STEPS},))):
            calls = (begin, *steps, {"type": "frame"}, {"type": "certificate"})
            replies = answers(Engine, problem, *calls)
            records[name] = {message["type"]: answer for message, answer in zip(calls, replies, strict=True)}
        return records

    def cards(self):
        return {
            "why": ("Why this pair?", ""),
            "dual": (DUAL, mixed(FORMULA)),
            "predict": ("Predict first", "".join(reveal(*question) for question in QUESTIONS)),
        }
