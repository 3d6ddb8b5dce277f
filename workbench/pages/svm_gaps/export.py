"""The page on SVM gaps as a file: points that one drags, solved in the browser by the kernels of Python."""

from workbench.browser import bundle
from workbench.data.examples.plane import MOST_POINTS, SOURCES, write_points
from workbench.pages import address, export_file, export_solved
from workbench.pages.export_file import reveal
from workbench.pages.plane import take_drags
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.svm_gaps.page import PRESETS, QUESTIONS, STEPS_AT_ONCE, statistics
from workbench.pages.theme import code_box
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
    f"<p>{svm_gaps.said('plane_hint')} {svm_gaps.said('plane_rest_shift')}</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"reset": "reset", "step": "step", "epoch": f"{STEPS_AT_ONCE} steps", "run": "run"}
RANGED = ("bias", "bounds", "pair_duals")
PROGRAM = (
    *export_solved.PROGRAM, "plane_hand", "live_plane", "svm_gaps/gap", "svm_gaps/figures",
    "svm_gaps/run", "svm_gaps/live",
)  # fmt: skip


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
    settings = model.settings() | start
    lab = svm_gaps.build(settings)
    drawing = SvmDrawing(look)
    take_drags(drawing.figures["plane"])
    seen = svm_gaps.frame(lab)
    captions = drawing.show(seen)
    data = {
        "document": export_solved.document(drawing.figures),
        "ids": drawing.shared.ids(), "plane": drawing.figures["plane"].id, "texts": svm_gaps.WORDING.texts,
        "engine": bundle.engine(), "problem": bundle.facts(lab.run.problem),
        "solver": bundle.solver_facts(MaximalViolatingPair(tol=0.0, shrinking=False)),
        "kernels": {name: _kernel(name) for name in svm_gaps.KERNELS},
        "controls": {name: {"values": values} for name, values in options.items()},
        "sources": {name: write_points(*made()) for name, made in SOURCES.items()},
        "picks": {"entries": picks, "leave": export_solved.LEAVE},
        "points": start["points"], "grid": svm_gaps.GRID, "most": MOST_POINTS,
        "looks": drawing.looks(),
    }  # fmt: skip
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE, export_solved.pick_list(picks))
    main = _main(drawing, captions, statistics(seen), svm_gaps.code(lab, settings["tolerance"]))
    return export_file.page("SVM gaps", look, controls, main, PROGRAM, data, before=bundle.script())


def _kernel(name):
    """The engine's code of a kernel and its parameters, of which the page sets its own."""
    kernel = svm_gaps.kernel(MODEL(kernel=name).settings())[0]
    return {"code": kernel.code, "parameters": kernel.parameters(2).tolist()}


def _main(drawing, captions, numbers, code):
    cards = {
        "why": ("Why this pair?", ""),
        "predict": ("Predict first", "".join(reveal(*asked) for asked in QUESTIONS)),
        "code": ("Show me the code", code_box(code)),
    }
    return export_solved.main(numbers, drawing.titles, captions, cards)
