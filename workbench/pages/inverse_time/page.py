"""The page of inverse time: controls, cards, and what its script in the browser goes by."""

from typing import ClassVar

import panel as pn
import panel_material_ui as pmui

from workbench._support.errors import InputError
from workbench.data.examples.gaussians import CANCER
from workbench.pages import browser, parts
from workbench.pages.controls import table
from workbench.pages.export_file import reveal
from workbench.pages.export_solved import KEYS, SOLVED, SolvedFile, answers, packed
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.engine import InverseTimeEngine
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.inverse_time.model import FEW, INPUTS, SWEPT
from workbench.pages.inverse_time.sweep import LOOKS
from workbench.pages.reveal_card import RevealCard
from workbench.pages.staged import StagedPage, press
from workbench.pages.wasm import bundle
from workbench.pages.wording import Wording, content
from workbench.solvers import PrimalGradient

CONTENT = content("inverse_time")
TABLE = table(CONTENT["controls"])
PRESETS = CONTENT["presets"]
QUESTION = CONTENT["question"]
NAMES = (*dict.fromkeys((*INPUTS, *SWEPT)), "c", "tolerance")
# Of the sweep: what its buttons say, and what they press.
SWEEP = {"repeat the sweep": "sweep", "cancel the sweep": "cancel"}


def source(name):
    """The sizes of the training sets of a source, and the option that a notebook gives of its bias."""
    return {"name": name, "swept": inverse_time.sizes(name), "bias": repr(inverse_time.bias_of(name))}


class InverseTimePage(StagedPage):
    """Binds one model to its widgets."""

    title, names = "Inverse time", NAMES
    model_type, drawing_type = inverse_time.InverseTime, InverseTimeFigures
    engine_type = InverseTimeEngine
    table, presets = TABLE, PRESETS
    script = "inverse_time"
    sentences = Wording("inverse_time").texts
    sliders = ("lam", "target", "c")
    data_names = ("source", "seed", "samples")
    timed, ghosts = ("pgs_objective", "pgs_gap"), {"pgs_gap": "step"}
    source = staticmethod(source)

    def __init__(self, model, visit):
        super().__init__(model, visit)
        self._fit_samples()
        self.texts["sweep"] = parts.pane("", self.look, margin=(0, 0, 8, 2))
        self.predict = RevealCard(self.look)
        self.ask()

    def main(self):
        presses = []
        for name, pressed in SWEEP.items():
            button = pmui.Button(name=name, variant="outlined", size="small", margin=(0, 8, 6, 0))
            button.js_on_click(code=press(pressed))
            presses.append(button)
        row = pn.FlexBox(*presses, margin=(0, 0, 4, 0), sizing_mode="stretch_width")
        numbers, buttons, cards, stage = super().main()
        return [numbers, buttons, row, self.texts["sweep"], cards, stage]

    def aside(self):
        return [self.predict.card, self.code_card]

    # What a visitor does

    def changed(self, names):
        if "source" in names:
            self._fit_samples()
        self.follow()

    def _fit_samples(self):
        """The sizes of the present data as those of the run."""
        sizes = inverse_time.sizes(self.model.source)
        if self.model.samples not in sizes:
            self.model.samples = sizes[-1] if self.model.source == inverse_time.CANCER else 1600
        self.controls.options("samples", {f"{m:,}": m for m in sizes})

    def ask(self):
        """Put the question, unanswered."""
        self.predict.ask(*QUESTION)

    # What the browser goes by

    @classmethod
    def facts(cls, model, drawing):
        return {
            "inputs": INPUTS,
            "swept": SWEPT,
            "solver": bundle.solver_facts(PrimalGradient()),
            "looks": LOOKS.tolist(),
            "worker": browser.bundle("inverse_time_worker"),
            "missed_key": drawing.missed,
        }

    def settings(self):
        model = self.model
        more = {"c": model.c, "tolerance": model.tolerance, "texts": {"p": model.p}}
        return model.settings() | more

    def data(self, key):
        model = inverse_time.InverseTime(**key)
        seeds = model.param.seeds.bounds[1]
        return bundle.binary(training_sets.contents(model.source, seeds, [(model.seed, model.samples)]))

    def terms(self, key):
        model = inverse_time.InverseTime(source=key["source"], p=key["p"])
        return bundle.binary(training_sets.terms(model.source, model.p))

    def problem(self, names):
        return training_sets.small_problem(inverse_time.InverseTime(source=names["source"]).source)


# What the sweep measures here; a suboptimality needs a lower bound, which is L-BFGS's.
MEASURES = tuple(name for name in inverse_time.MEASURES if name != "Suboptimality")


class InverseTimeFile(SolvedFile):
    kind = InverseTimePage
    defaults: ClassVar = {
        "p": [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0],
        "batch": [1, 2, 5, 10, 20, 50],
        "measure": list(MEASURES),
        "seeds": [3, 5, 7, 10],
        "seed": list(range(5)),
        "samples": [],
    }
    note = (
        f"<p>{SOLVED} L-BFGS and the suboptimality, which needs its lower bound: "
        f"<code>workbench serve inverse-time</code>.</p>{KEYS}"
    )
    more = "<div id='x-text-sweep'></div>"

    def __init__(self, look, selection):
        super().__init__(look, selection)
        self.begins["samples"] = _otherwise(self.sizes[self.begins["source"]])
        title, _ = self.drawing.titles["sweep_time"]
        self.drawing.titles["sweep_time"] = (title, "")  # L-BFGS is not in the file

    def presets(self):
        return None

    def values(self):
        for value in self.selection.get("measure", ()):
            if value not in MEASURES:
                raise InputError(
                    f"measure = {value!r} needs a lower bound by L-BFGS, which does not run in the browser; "
                    f"use {', '.join(MEASURES)}, or workbench serve inverse-time"
                )
        options, self.sizes = super().values(), {}
        for name in options["source"]:
            samples = options["samples"] or inverse_time.sizes(name)
            self.sizes[name] = [m for m in samples if name != CANCER or m <= FEW[-1]]
            if not self.sizes[name]:
                raise InputError(f"samples = {samples[0]}: {name} has {FEW[-1]}; use {FEW[-1]} or less")
        return options | {"samples": sorted({m for sizes in self.sizes.values() for m in sizes})}

    def recorded(self, settings):
        """The beginning of the run."""
        choice = {"m": settings["samples"], **{name: settings[name] for name in ("seed", "p", "lam")}}
        solver = {"name": "primal-gradient", "batch": settings["batch"], "order": settings["order"]}
        people, problem = answers(
            InverseTimeEngine,
            None,
            {"type": "people", "people": {"source": settings["source"]}},
            {"type": "paced_problem", "solver": solver, **choice},
        )
        return {"run": {"paced_problem": problem, "people": people}, "sweep": {}}

    def source(self, name):
        """What training sets of a source are drawn from, its facts for each p, and its sizes."""
        options, sizes = self.options, self.sizes[name]
        sets = [(seed, m) for seed in options["seed"] for m in sizes]
        terms = [training_sets.terms(name, p) for p in options["p"]]
        contents = {
            "data": training_sets.contents(name, max(options["seeds"]), sets),
            "losses": {"loss": terms[0]["loss"]},
            "regularizers": {str(place): each["regularizer"] for place, each in enumerate(terms)},
        }
        return source(name) | {"facts": packed(contents), "sizes": sizes, "otherwise": _otherwise(sizes)}

    def cards(self):
        return {"predict": ("Predict first", reveal(*QUESTION))}


def _otherwise(sizes):
    """The size of the run where the chosen one is not among these: the page's own, or the largest."""
    own = inverse_time.InverseTime.param["samples"].default
    return own if own in sizes else sizes[-1]
