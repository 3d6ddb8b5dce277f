"""The page on SVM gaps for every host: its settings, figures, texts, and Python's answers."""

from typing import ClassVar

from workbench.data.examples.plane import HALF_WIDTH, MAX_POINTS, SOURCES, write_points
from workbench.pages.formulas import mixed
from workbench.pages.hosts.solved import PLAIN, SolvedPage
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import GRID, SvmDrawing, looks
from workbench.pages.wasm import bundle
from workbench.solvers import MaximalViolatingPair

STATUSES = ("max_epochs", "stalled", "converged")


class SvmGaps(SolvedPage, svm_gaps.SvmGaps):
    """Three bounds on how far a support vector machine is from its optimum.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.SvmGaps().title
    'SVM gaps'
    """

    title, room, drawing = "SVM gaps", "svm_gaps", SvmDrawing
    first = ("plane", "bias", "bounds")
    homes: ClassVar = {"pair_duals": ("bounds", "Dual variables")}
    names_say = f"<b>{svm_gaps.TEXTS['chain']}</b>"
    tall = ("plane",)
    timed = ("bounds",)
    ghosts: ClassVar = {"bounds": "step"}
    cards: ClassVar = {
        "why": "Why this pair?",
        "predict": "Predict first",
        "dual": "The dual of the kernel machine",
        "code": "Take it with you",
    }
    looked_at = ("question", "adds", "brush", "tolerance")
    used: ClassVar = {"gamma": [{"kernel": ["Gaussian"]}], "degree": [{"kernel": ["Polynomial"]}]}

    def facts(self):
        return {
            "has_formulas": True,
            "statuses": STATUSES,
            "elsewhere": {},
            "epochs": 1,
            "solver": bundle.solver_facts(MaximalViolatingPair(tol=0.0, shrinking=False)),
            "kernels": {name: _kernel(name) for name in svm_gaps.KERNELS},
            "engine_terms": {"loss": svm_gaps.LOSS, "regularizer": svm_gaps.REGULARIZER},
            "dual": mixed(svm_gaps.TEXTS["formula"]),
            "plane": {
                "most": MAX_POINTS,
                "grid": GRID,
                "clouds": {name: write_points(*make()) for name, make in SOURCES.items()},
                "looks": {"half_width": HALF_WIDTH, **looks()},
            },
            "texts": self.sentences(),
        }

    @classmethod
    def sentences(cls):
        """Return the texts of the page and those of runs."""
        from workbench.pages.time_marks import WORDING

        return WORDING.texts | svm_gaps.TEXTS

    # What the module asks for

    def answer_terms(self):
        """Return the facts of the loss and the regularizer."""
        problem = svm_gaps.problem("", self.param.source.default, kernel="Linear")
        loss = bundle.loss_facts(problem.loss)
        return bundle.binary(
            {"loss": loss, "regularizer": bundle.regularizer_facts(problem.regularizer, problem)}
        )

    def problem(self, names):
        self.check_source(names.get("source"))
        return svm_gaps.problem(**names)

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries."""
        return [*PLAIN, {"type": "formulas"}, {"type": "terms"}]


def _kernel(name):
    """Return the engine's code of a kernel and its parameters, of which the page sets its own."""
    kernel = svm_gaps.kernel(svm_gaps.SvmGaps(kernel=name).param.values())
    return {"code": kernel.code, "parameters": kernel.parameters(2).tolist()}
