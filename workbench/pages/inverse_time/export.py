"""The page of inverse time as a file: a run of PGS and a sweep over training sets, solved in the browser.

Training sets are drawn in the browser as NumPy draws them: by PCG64 from the states that stand in the file.
"""

import json

from workbench.browser import bundle
from workbench.data.examples.gaussians import CANCER
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved, own_figures
from workbench.pages.export_file import reveal
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import training_sets
from workbench.pages.inverse_time.engine import InverseTimeEngine
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.inverse_time.model import FEW
from workbench.pages.inverse_time.page import QUESTION, SCRIPTS, InverseTimePage, facts, source

MODEL = inverse_time.InverseTime
LABELS = {
    "source": "Data", "p": "p of the regularizer", "lam": "λ, Zhu's σ", "batch": "Samples per step, k",
    "order": "Order", "measure": "Quantity to be approximated", "target": "Target ε",
    "seeds": "Training sets for each m", "c": "c of Theorem 2", "samples": "Training samples of the run",
    "seed": "Seed", "tolerance": "Stop at a relative gap of",
}  # fmt: skip
# What the sweep measures here; a suboptimality needs a lower bound, which is L-BFGS's.
MEASURES = tuple(name for name in inverse_time.MEASURES if name != "Suboptimality")
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
PROGRAM = (*export_solved.PROGRAM, *SCRIPTS)


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
    figures = InverseTimeFigures(look)
    title, _ = figures.titles["sweep_time"]
    figures.titles["sweep_time"] = (title, "")  # L-BFGS is not in the file
    own_figures.marked(figures, InverseTimePage, look)
    data = facts(look, figures, ()) | figures.facts | {
        "engine": bundle.engine(),
        "controls": {name: {"values": values} for name, values in options.items()},
        "sources": [_source(name, options, sizes[name]) for name in options["source"]],
        "recorded": _recorded(model.settings() | start),
    }  # fmt: skip
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE)
    main = _main(figures)
    return export_file.page("Inverse time", look, controls, main, PROGRAM, data, before=bundle.script())


def _recorded(settings):
    """What the engine answers of the run before its first step, for a browser that cannot compute."""
    answers = []
    engine = InverseTimeEngine(None, answers.append)
    solver = {"name": "primal-gradient", "batch": settings["batch"], "order": settings["order"]}
    chosen = {"m": settings["samples"], **{name: settings[name] for name in ("seed", "p", "lam")}}
    engine.take({"version": 1, "id": 0, "type": "people", "people": {"source": settings["source"]}})
    engine.take({"version": 1, "id": 1, "type": "paced_problem", "solver": solver, **chosen})
    found = {"run": {"paced_problem": answers[-1], "people": answers[0]}, "sweep": {}}
    return bundle.compressed(json.dumps(bundle.plain(found)).encode())


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
    for name in options["source"]:
        asked = options["samples"] or inverse_time.sizes(name)
        sizes[name] = [m for m in asked if name != CANCER or m <= FEW[-1]]
        if not sizes[name]:
            raise InputError(f"samples = {asked[0]}: {name} has {FEW[-1]}; use {FEW[-1]} or less")
    return options | {"samples": sorted({m for found in sizes.values() for m in found})}, sizes


def _otherwise(sizes):
    """The size of the run where the chosen one is not among these: the page's own, or the largest."""
    own = MODEL.param["samples"].default
    return own if own in sizes else sizes[-1]


def _source(name, options, sizes):
    """What training sets of a source are drawn from, its facts for each p, and its sizes."""
    sets = [(seed, m) for seed in options["seed"] for m in sizes]
    terms = [training_sets.terms(name, p) for p in options["p"]]
    held = {
        "data": training_sets.held(name, max(options["seeds"]), sets), "losses": {"loss": terms[0]["loss"]},
        "regularizers": {str(place): each["regularizer"] for place, each in enumerate(terms)},
    }  # fmt: skip
    return source(name) | {
        "facts": bundle.compressed(json.dumps(bundle.plain(held)).encode()), "sizes": sizes,
        "otherwise": _otherwise(sizes),
    }  # fmt: skip


def _main(figures):
    cards = {"predict": ("Predict first", reveal(*QUESTION)), "code": ("Show me the code", "")}
    sweep, captions = "<div id='x-text-sweep'></div>", dict.fromkeys(figures.titles, "")
    return export_solved.main("", figures.titles, captions, cards, more=sweep)
