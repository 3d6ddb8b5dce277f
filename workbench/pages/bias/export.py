"""The page on multipliers as a file: Algorithms 2 and 3 side by side, solved in the browser."""

from typing import ClassVar

from workbench.browser import bundle
from workbench.browser.engine import Engine
from workbench.errors import InputError
from workbench.pages.bias import model as bias
from workbench.pages.bias.page import FORMULA, BiasPage, source
from workbench.pages.bias.questions import QUESTIONS
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.terms import objects_of, terms_of
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers
from workbench.pages.formulas import formula
from workbench.problem import Problem


class BiasFile(SolvedFile):
    kind = BiasPage
    # The presets' among them.
    defaults: ClassVar = {
        "source": ["Breast cancer"], "constraint": [bias.BIAS], "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0], "q": [1.2, 1.5, 2.0, 3.0],
        "mu": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
        "eta": [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0], "passes": [1, 2, 3, 5, 10, 20, 50],
        "seed": [0, 1, 2, 3],
    }  # fmt: skip
    note = (
        f'<p>{SOLVED} Other data: <code>workbench export bias out.html --set "source=NAME"</code>. Weights '
        f"that sum to zero are on the page that <code>workbench serve bias</code> opens.</p>{KEYS}"
    )

    def presets(self):
        """Each with the value of every control."""
        own = {name: getattr(self.model, name) for name in self.labels}
        return {name: own | changed for name, changed in bias.PRESETS.items()}

    def values(self):
        if bias.SUM in self.chosen.get("constraint", ()):
            raise InputError(
                f"constraint = {bias.SUM!r}: constraints C v = b do not run in the browser; leave it out, or "
                "open the page with 'workbench serve bias'"
            )
        return super().values()

    def facts(self):
        terms = terms_of(self.options)
        loss, regularizer = (objects_of(terms, kind) for kind in ("loss", "regularizer"))
        found = []
        for name in self.options["source"]:
            dataset = dual_lab.load(name)
            problem = Problem(dataset.X, dataset.y, loss[0], regularizer[0], 1.0, bias=True)
            found.append(source(name) | {"facts": bundle.facts(problem, loss, regularizer)})
        return {"terms": terms, "sources": found}

    def recorded(self, settings):
        """The beginning of each algorithm."""
        loss, regularizer, _, _ = dual_lab.specification(settings)
        terms = {"loss": loss, "regularizer": regularizer, "lam": settings["lam"], "seed": settings["seed"]}
        found = {}
        for algorithm in bias.PARTS:
            begin = {"type": "problem", "solver": bias.solver(settings, algorithm), **terms}
            problem, profile = answers(
                Engine, bias.problem(settings["source"], bias.BIAS), begin,
                {"type": "profile", **bias.PROFILE},
            )  # fmt: skip
            found[algorithm] = {"problem": problem, "profile": profile}
        return found

    def cards(self):
        questions = "".join(reveal(question.text, question.why) for question in QUESTIONS.values())
        return {
            "why": ("Why does s move?", "", formula(FORMULA)),
            "predict": ("Predict first", questions),
            "code": ("Show me the code", ""),
        }
