"""The page of norms as a file: FISTA with its raw and repaired gaps, solved in the browser."""

import json
from pathlib import Path

from workbench import losses
from workbench.browser import bundle
from workbench.data.examples.grouped import load
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved, paced
from workbench.pages.export_file import reveal
from workbench.pages.formulas import mixed
from workbench.pages.norms import model as norms
from workbench.pages.norms.captions import WORDING
from workbench.pages.norms.figures import NormsDrawing
from workbench.pages.norms.frame import frame
from workbench.pages.norms.page import QUESTIONS, REPAIR, STEPS_AT_ONCE, NormsPage, statistics
from workbench.pages.theme import code_box
from workbench.problem import Problem
from workbench.solvers import ProximalGradient

MODEL = norms.Norms
LABELS = {
    "source": "Data", "loss": "Loss", "norm": "Regularizer", "ratio": "λ / λ_max", "epsilon": "ε, sparsity",
    "share": "Share of the ℓ1 part", "decay": "Weight of a level over the one below",
    "intercept": "Free intercept", "best": "κ at the best intercept", "step": "Step size",
    "restart": "Restart the momentum", "tolerance": "Stop at a relative gap of", "first": "Section along",
    "second": "Section across", "halving": "Halving of the bisection",
}  # fmt: skip
LISTED = ("source", "loss", "norm", "step", "tolerance")
COUNTED = ("first", "second", "halving")
DEFAULTS = (
    {name: list(MODEL.param[name].objects) for name in LISTED}
    | {name: list(range(MODEL.param[name].bounds[1] + 1)) for name in COUNTED}
    | {name: [True, False] for name in ("intercept", "best", "restart")}
)
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network.</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"reset": "reset", "step": "step", "epoch": f"{STEPS_AT_ONCE} steps", "run": "run"}
PROGRAM = (*export_solved.PROGRAM, "kept_rows", "kept_run", "norms/figures", "norms/live")
RANGES = ("norm_gaps_y", "norm_bounds_y", "norm_weights_x", "norm_weights_y", "bisection_x", "bisection_y")
# What the worker does beyond the messages of every page.
WORKER = Path(__file__).parent / "worker.js"


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
        The choice that the page opens with cannot be solved.
    """
    model = MODEL()
    options = export_solved.values(model, LABELS, DEFAULTS, chosen)
    start = export_solved.start(model, options)
    lab = norms.build(model.settings() | {name: start[name] for name in norms.INPUTS})
    drawing = NormsDrawing(look)
    seen = frame(lab, start["first"], start["second"]) | {"halving": start["halving"]}
    captions = drawing.show(seen)
    data = {
        "document": export_solved.document(drawing.figures),
        "ids": _ids(drawing), "texts": WORDING.texts, "engine": bundle.engine(),
        "solver": bundle.solver_facts(ProximalGradient()),
        "controls": {name: {"values": values} for name, values in options.items()},
        "sources": {name: _source(name, options) for name in options["source"]},
        "losses": norms.LOSSES, "parameters": norms.PARAMETERS, "nested": norms.TREE,
        "questions": {name: reveal(*QUESTIONS[name][:2]) for name in options["norm"]},
        "colours": {name: getattr(look, name) for name in ("green", "blue", "vermillion", "purple")},
        "dimmed": paced.DIMMED,
    }  # fmt: skip
    data["engine"]["source"] += "\n" + WORKER.read_text(encoding="utf-8")
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE)
    main = _main(drawing, captions, statistics(seen), norms.code(lab, start["tolerance"]), start["norm"])
    return export_file.page("Norms", look, controls, main, PROGRAM, data, before=bundle.script())


def _ids(drawing):
    """The ids of the models that a frame changes."""
    ranges = {"steps": drawing.steps.id}
    for place in RANGES:
        name, _, side = place.rpartition("_")
        ranges[place] = getattr(drawing.figures[name], f"{side}_range").id
    ball = drawing.figures["ball"]
    return {
        "sources": {name: source.id for name, source in drawing.sources.items()},
        "ranges": ranges,
        "axes": {f"ball_{side}": getattr(ball, f"{side}axis")[0].id for side in "xy"},
    }


def _source(name, options):
    """The data of a source with the facts of every loss and regularizer, and what is refused of these."""
    found, refused, spelled = load(name), {"loss": {}, "norm": {}}, {}
    problem = Problem(found.X, found.y, "squared", "l1", 1.0, bias=True)
    known = {"losses": {}, "regularizers": {}}
    for label in options["loss"]:
        try:
            ProximalGradient().init(problem.replace(loss=norms.LOSSES[label]))
            known["losses"][label] = bundle.loss_facts(losses.get(norms.LOSSES[label]))
        except InputError as error:
            refused["loss"][label] = str(error)
    for label, key, made, code in _regularizers(name, options):
        at = problem.replace(regularizer=made)
        try:
            ProximalGradient().init(at)
        except InputError as error:
            refused["norm"][label] = str(error)
            continue
        spelled[key] = code
        # Proximal gradient steps ask for no bound of the curvature.
        known["regularizers"][key] = bundle.regularizer_facts(made, at) | {"curvature": None}
    facts = {"data": bundle.data(problem, spectrum=True)} | known
    return {
        "facts": bundle.compressed(json.dumps(bundle.plain(facts)).encode()), "refused": refused,
        "spelled": spelled, "names": [str(each) for each in found.names], "groups": found.groups,
        "group_names": found.group_names,
    }  # fmt: skip


def _regularizers(source, options):
    """Label, key in the facts, object and code of each regularizer, with each value of its parameter."""
    base = MODEL().settings() | {"source": source}
    for label in options["norm"]:
        parameter = norms.PARAMETERS.get(label)
        if parameter is None:
            yield label, label, *norms.regularizer(base | {"norm": label})
            continue
        for place, value in enumerate(options[parameter]):
            yield label, f"{label}|{place}", *norms.regularizer(base | {"norm": label, parameter: value})


def _main(drawing, captions, numbers, code, norm):
    cards = {
        "repair": ("The repair", mixed(REPAIR)),
        "predict": ("Predict first", reveal(*QUESTIONS[norm][:2])),
        "code": ("Show me the code", code_box(code)),
    }
    return export_solved.main(numbers, drawing.titles, captions, cards, NormsPage.first)
