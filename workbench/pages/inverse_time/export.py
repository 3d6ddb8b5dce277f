"""The page of inverse time as a file: a run of PGS and a sweep over training sets, solved in the browser.

Training sets are drawn in the browser as NumPy draws them: by PCG64 from the states that stand in the file.
"""

from typing import ClassVar

from workbench.data.examples.gaussians import CANCER
from workbench.errors import InputError
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers, packed
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.engine import InverseTimeEngine
from workbench.pages.inverse_time.model import FEW
from workbench.pages.inverse_time.page import QUESTION, InverseTimePage, source

# What the sweep measures here; a suboptimality needs a lower bound, which is L-BFGS's.
MEASURES = tuple(name for name in inverse_time.MEASURES if name != "Suboptimality")


class InverseTimeFile(SolvedFile):
    kind = InverseTimePage
    defaults: ClassVar = {
        "p": [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0], "batch": [1, 2, 5, 10, 20, 50],
        "measure": list(MEASURES), "seeds": [3, 5, 7, 10], "seed": list(range(5)), "samples": [],
    }  # fmt: skip
    note = (
        f"<p>{SOLVED} L-BFGS and the suboptimality, which needs its lower bound: "
        f"<code>workbench serve inverse-time</code>.</p>{KEYS}"
    )
    more = "<div id='x-text-sweep'></div>"

    def __init__(self, look, chosen):
        super().__init__(look, chosen)
        self.begins["samples"] = _otherwise(self.sizes[self.begins["source"]])
        title, _ = self.drawing.titles["sweep_time"]
        self.drawing.titles["sweep_time"] = (title, "")  # L-BFGS is not in the file

    def presets(self):
        return None

    def values(self):
        for value in self.chosen.get("measure", ()):
            if value not in MEASURES:
                raise InputError(
                    f"measure = {value!r} needs a lower bound by L-BFGS, which does not run in the browser; "
                    f"use {', '.join(MEASURES)}, or workbench serve inverse-time"
                )
        options, self.sizes = super().values(), {}
        for name in options["source"]:
            asked = options["samples"] or inverse_time.sizes(name)
            self.sizes[name] = [m for m in asked if name != CANCER or m <= FEW[-1]]
            if not self.sizes[name]:
                raise InputError(f"samples = {asked[0]}: {name} has {FEW[-1]}; use {FEW[-1]} or less")
        return options | {"samples": sorted({m for sizes in self.sizes.values() for m in sizes})}

    def recorded(self, settings):
        """The beginning of the run."""
        chosen = {"m": settings["samples"], **{name: settings[name] for name in ("seed", "p", "lam")}}
        solver = {"name": "primal-gradient", "batch": settings["batch"], "order": settings["order"]}
        people, problem = answers(
            InverseTimeEngine, None, {"type": "people", "people": {"source": settings["source"]}},
            {"type": "paced_problem", "solver": solver, **chosen},
        )  # fmt: skip
        return {"run": {"paced_problem": problem, "people": people}, "sweep": {}}

    def source(self, name):
        """What training sets of a source are drawn from, its facts for each p, and its sizes."""
        options, sizes = self.options, self.sizes[name]
        sets = [(seed, m) for seed in options["seed"] for m in sizes]
        terms = [training_sets.terms(name, p) for p in options["p"]]
        held = {
            "data": training_sets.held(name, max(options["seeds"]), sets),
            "losses": {"loss": terms[0]["loss"]},
            "regularizers": {str(place): each["regularizer"] for place, each in enumerate(terms)},
        }
        return source(name) | {"facts": packed(held), "sizes": sizes, "otherwise": _otherwise(sizes)}

    def cards(self):
        return {"predict": ("Predict first", reveal(*QUESTION)), "code": ("Show me the code", "")}


def _otherwise(sizes):
    """The size of the run where the chosen one is not among these: the page's own, or the largest."""
    own = inverse_time.InverseTime.param["samples"].default
    return own if own in sizes else sizes[-1]
