"""The page on SVM gaps as a file: points that one drags, solved in the browser by the kernels of Python."""

import json

from workbench.browser import bundle
from workbench.browser.engine import Engine
from workbench.pages import address, export_file, export_solved, own_figures
from workbench.pages.export_file import reveal
from workbench.pages.formulas import mixed
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.svm_gaps.page import (
    DUAL,
    FORMULA,
    PRESETS,
    QUESTIONS,
    SCRIPTS,
    STEPS_AT_ONCE,
    SvmGapsPage,
    facts,
)
from workbench.solvers import MaximalViolatingPair

MODEL = svm_gaps.SvmGaps
LABELS = {
    "source": "Data", "points": "Points", "adds": "A click adds a point of class",
    "cost": "C, weight of a slack", "kernel": "Kernel", "gamma": "γ of the Gaussian kernel",
    "degree": "Degree of the polynomial",
    "selection": "Selection", "tolerance": "Stop at t̂ − b̂ of",
}  # fmt: skip
LISTED = ("source", "adds", "kernel", "selection", "tolerance")
DEFAULTS = {"points": [""], "degree": list(range(2, 7))} | {
    name: list(MODEL.param[name].objects) for name in LISTED
}
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network.</p>"
    f"<p>{svm_gaps.TEXTS['plane_hint']} {svm_gaps.TEXTS['plane_rest_shift']}</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"reset": "reset", "step": "step", "epoch": f"{STEPS_AT_ONCE} steps", "run": "run"}
# As run.js takes its reference.
REFERENCE, REFERENCE_STEPS = 1e-9, 200_000
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
    """
    model = MODEL()
    found = export_solved.picks("svm-gaps", PRESETS, keys())
    options = export_solved.values(model, LABELS, DEFAULTS, chosen, found)
    picks = export_solved.offered(found, options)
    start = export_solved.start(model, options)
    drawing = own_figures.marked(SvmDrawing(look), SvmGapsPage, look)
    data = facts(drawing) | drawing.facts | {
        "engine": bundle.engine(), "controls": {name: {"values": values} for name, values in options.items()},
        "picks": {"entries": picks, "leave": export_solved.LEAVE}, "recorded": _recorded(start),
    }  # fmt: skip
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE, export_solved.pick_list(picks))
    return export_file.page("SVM gaps", look, controls, _main(drawing), PROGRAM, data, before=bundle.script())


def _recorded(settings):
    """What the engines answer at zero and at the reference, for a browser that cannot compute."""
    problem = svm_gaps.problem(**{name: settings[name] for name in SvmGapsPage.data_names})
    lam = 1.0 / (settings["cost"] * problem.n_samples)
    found = {}
    for name, steps in (("run", ()), ("reference", ({"type": "step", "count": REFERENCE_STEPS},))):
        answers = []
        engine = Engine(problem, answers.append)
        solver = MaximalViolatingPair(tol=REFERENCE, shrinking=False)
        begin = {"type": "problem", "solver": solver, "lam": lam}
        asked = (begin, *steps, {"type": "frame"}, {"type": "certificate"})
        for id, message in enumerate(asked):
            engine.take({"version": 1, "id": id, **message})
        found[name] = {message["type"]: answer for message, answer in zip(asked, answers, strict=True)}
    return bundle.compressed(json.dumps(bundle.plain(found)).encode())


def _main(drawing):
    cards = {
        "why": ("Why this pair?", ""),
        "dual": (DUAL, mixed(FORMULA)),
        "predict": ("Predict first", "".join(reveal(*asked) for asked in QUESTIONS)),
        "code": ("Show me the code", ""),
    }
    return export_solved.main("", drawing.titles, dict.fromkeys(drawing.titles, ""), cards)
