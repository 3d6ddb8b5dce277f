"""The page of inverse time as a file: a run of PGS and a sweep over training sets, solved in the browser.

Training sets are drawn in the browser as NumPy draws them: by PCG64 from the states that stand in the file.
"""

import json

import numpy as np

from workbench.browser import bundle
from workbench.data.examples.gaussians import CANCER
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved
from workbench.pages.export_file import reveal
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.captions import WORDING
from workbench.pages.inverse_time.figures import InverseTimeDrawing
from workbench.pages.inverse_time.model import FEW
from workbench.pages.inverse_time.page import QUESTION, frame, statistics
from workbench.pages.inverse_time.sweep import LOOKS
from workbench.pages.theme import code_box

MODEL = inverse_time.InverseTime
LABELS = {
    "source": "Data", "p": "p of the regularizer", "lam": "λ, Zhu's σ", "batch": "Samples per step, k",
    "order": "Order", "measure": "Quantity to be approximated", "target": "Target ε",
    "seeds": "Training sets for each m", "c": "c of Theorem 2", "samples": "Training samples of the run",
    "seed": "Seed", "tolerance": "Stop at a relative gap of",
}  # fmt: skip
# What the sweep measures here; a suboptimality needs a lower bound, which is L-BFGS's.
MEASURES = {"Test loss": "loss", "Test accuracy": "accuracy", "Direction": "direction"}
DEFAULTS = {
    "source": list(MODEL.param["source"].objects), "order": list(MODEL.param["order"].objects),
    "p": [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2.0], "batch": [1, 2, 5, 10, 20, 50],
    "measure": list(MEASURES), "seeds": [3, 5, 7, 10], "seed": list(range(5)),
    "tolerance": list(MODEL.param["tolerance"].objects),
}  # fmt: skip
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network. L-BFGS and the "
    "suboptimality, which needs its lower bound: <code>workbench serve inverse-time</code>.</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"reset": "reset", "step": "step", "epoch": "epoch", "run": "run"}
PROGRAM = (
    *export_solved.PROGRAM, "kept_rows", "kept_run", "inverse_time/figures", "inverse_time/run",
    "inverse_time/live",
)  # fmt: skip
RANGES = ("sweep_steps_y", "sweep_time_y", "pgs_objective_y", "pgs_gap_y")


def keys():
    """What can be chosen in the file, as `address.Key`s."""
    return address.keys_of(MODEL(), LABELS)


def page(look, chosen, say=None):
    """The text of the file.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Of a setting in `LABELS` to its values; one value fixes it.

    Raises
    ------
    InputError
        A choice that does not run in a browser.
    """
    options, sizes = _options(chosen)
    model = MODEL()
    start = export_solved.start(model, options)
    start["samples"] = _otherwise(sizes[start["source"]])
    settings = model.settings() | start
    lab = inverse_time.build(settings)
    inverse_time.play(lab, np.inf, settings["tolerance"])
    drawing = InverseTimeDrawing(look)
    drawing.titles["sweep_time"] = (drawing.titles["sweep_time"][0], "")
    seen = frame(lab)
    captions = drawing.show(seen)
    captions |= {name: WORDING.said("picture") for name in ("sweep_steps", "sweep_time")}
    data = {
        "document": export_solved.document(drawing.figures),
        "ids": _ids(drawing), "texts": WORDING.texts, "engine": bundle.engine(),
        "problem": bundle.facts(training_sets.small_problem(start["source"])),
        "solver": bundle.solver_facts(lab.run.solver),
        "controls": {name: {"values": values} for name, values in options.items()},
        "sources": {name: _source(name, options, sizes[name]) for name in options["source"]},
        "measures": MEASURES, "bounded": "Test loss", "looks": LOOKS.tolist(),
    }  # fmt: skip
    data["engine"]["source"] += training_sets.worker()
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE)
    main = _main(drawing, captions, statistics(lab, seen), inverse_time.code(settings, start["tolerance"]))
    return export_file.page(
        "Inverse time", look, controls, main, PROGRAM, data, before=bundle.script()
    )


def _options(chosen):
    """The values of each setting, and the sizes of the run that each source has."""
    for value in chosen.get("measure", ()):
        if value not in MEASURES:
            raise InputError(
                f"measure = {value!r} needs a lower bound by L-BFGS, which does not run in the browser; use "
                f"{', '.join(MEASURES)}, or workbench serve inverse-time"
            )
    options = export_solved.values(MODEL(), LABELS, DEFAULTS | {"samples": []}, chosen)
    sizes = {}
    for source in options["source"]:
        asked = options["samples"] or inverse_time.sizes(source)
        sizes[source] = [m for m in asked if source != CANCER or m <= FEW[-1]]
        if not sizes[source]:
            raise InputError(f"samples = {asked[0]}: {source} has {FEW[-1]}; use {FEW[-1]} or less")
    return options | {"samples": sorted({m for found in sizes.values() for m in found})}, sizes


def _otherwise(sizes):
    """The size of the run where the chosen one is not among these: the page's own, or the largest."""
    own = MODEL.param["samples"].default
    return own if own in sizes else sizes[-1]


def _ids(drawing):
    """The ids of the models that a frame changes."""
    ranges = {"sizes": drawing.sizes.id, "time": drawing.time.id}
    for place in RANGES:
        ranges[place] = drawing.figures[place.removesuffix("_y")].y_range.id
    return {"sources": {name: source.id for name, source in drawing.sources.items()}, "ranges": ranges}


def _source(name, options, sizes):
    """What training sets of a source are drawn from, its facts for each p, and its sizes."""
    people = inverse_time.population(name)
    sets = {(seed, m) for seed in range(max(options["seeds"])) for m in inverse_time.sizes(name)}
    sets |= {(seed, m) for seed in options["seed"] for m in sizes}
    terms = [training_sets.terms(name, p) for p in options["p"]]
    facts = {
        "people": training_sets.people(name) | {"sets": training_sets.drawn(name, sorted(sets))},
        "loss": terms[0]["loss"], "regularizers": [each["regularizer"] for each in terms],
    }  # fmt: skip
    return {
        "facts": bundle.compressed(json.dumps(bundle.plain(facts)).encode()), "bias": repr(people.bias),
        "swept": inverse_time.sizes(name), "sizes": sizes, "otherwise": _otherwise(sizes),
        "G": [inverse_time.bound_of_best(people.reference, p) for p in options["p"]],
    }  # fmt: skip


def _main(drawing, captions, numbers, code):
    """The figures of a run in Python, which is what a browser shows that cannot solve."""
    cards = {"predict": ("Predict first", reveal(*QUESTION)), "code": ("Show me the code", code_box(code))}
    sweep = "<div id='x-text-sweep'></div>"
    return export_solved.main(numbers, drawing.titles, captions, cards, more=sweep)
