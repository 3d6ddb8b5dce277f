"""The page on SVM gaps as a file: points that one drags, solved in the browser by the kernels of Python."""

from typing import ClassVar

from workbench.browser.engine import Engine
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers
from workbench.pages.formulas import mixed
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.page import DUAL, FORMULA, QUESTIONS, SvmGapsPage
from workbench.solvers import MaximalViolatingPair

# As run.js takes its reference.
REFERENCE, REFERENCE_STEPS = 1e-9, 200_000


class SvmGapsFile(SolvedFile):
    kind = SvmGapsPage
    lacks = ("brush",)
    defaults: ClassVar = {"points": [""], "degree": list(range(2, 7))}
    note = (
        f"<p>{SOLVED}</p><p>{svm_gaps.TEXTS['plane_hint']} {svm_gaps.TEXTS['plane_rest_shift']}</p>{KEYS}"
    )

    def facts(self):
        return {}

    def recorded(self, settings):
        """The state at zero and the reference."""
        problem = svm_gaps.problem(**{name: settings[name] for name in SvmGapsPage.data_names})
        solver = MaximalViolatingPair(tol=REFERENCE, shrinking=False)
        begin = {"type": "problem", "solver": solver, "lam": 1.0 / (settings["cost"] * problem.n_samples)}
        found = {}
        for name, steps in (("run", ()), ("reference", ({"type": "step", "count": REFERENCE_STEPS},))):
            asked = (begin, *steps, {"type": "frame"}, {"type": "certificate"})
            told = answers(Engine, problem, *asked)
            found[name] = {message["type"]: answer for message, answer in zip(asked, told, strict=True)}
        return found

    def cards(self):
        return {
            "why": ("Why this pair?", ""),
            "dual": (DUAL, mixed(FORMULA)),
            "predict": ("Predict first", "".join(reveal(*asked) for asked in QUESTIONS)),
            "code": ("Show me the code", ""),
        }
