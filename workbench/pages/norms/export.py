"""The page of norms as a file: FISTA with its raw and repaired gaps, solved in the browser."""

import json

from workbench.browser import bundle
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved, own_figures
from workbench.pages.export_file import reveal
from workbench.pages.formulas import mixed
from workbench.pages.norms import model as norms
from workbench.pages.norms.engine import NormsEngine
from workbench.pages.norms.figures import NormsFigures
from workbench.pages.norms.page import (
    FIRST,
    QUESTIONS,
    REPAIR,
    SCRIPTS,
    STEPS_AT_ONCE,
    NormsPage,
    facts,
    source,
    terms,
)

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
BUTTONS = {"reset": "reset", "step": "step", "epoch": STEPS_AT_ONCE, "run": "run"}
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
        The choice that the page opens with cannot be solved.
    """
    model = MODEL()
    options = export_solved.values(model, LABELS, DEFAULTS, chosen)
    start = export_solved.start(model, options)
    settings = model.settings() | {name: start[name] for name in norms.INPUTS}
    recorded = _recorded(settings, start["first"], start["second"])
    figures = own_figures.marked(NormsFigures(look), NormsPage, look)
    data = facts(look, figures, ()) | figures.facts | {
        "engine": bundle.engine(),
        "controls": {name: {"values": values} for name, values in options.items()},
        "sources": [_source(name, options) for name in options["source"]],
        "losses": norms.LOSSES, "parameters": norms.PARAMETERS,
        "questions": {name: reveal(*QUESTIONS[name][:2]) for name in options["norm"]},
        "recorded": recorded,
    }  # fmt: skip
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE)
    return export_file.page("Norms", look, controls, _main(figures), PROGRAM, data, before=bundle.script())


def _recorded(settings, first, second):
    """What the engine answers before the first step, for a browser that cannot compute."""
    size, answers = len(norms.load(settings["source"]).names), []
    first = min(first, size - 1)
    plane = [first, min(second, size - 1) if second != first else (first + 1) % size]
    solver = {"name": "proximal-gradient", "step": settings["step"], "restart": settings["restart"]}
    message = {"version": 1, "id": 0, "type": "norm_problem", "solver": solver, "ratio": settings["ratio"]}
    looks = {"best": settings["intercept"] and settings["best"], "plane": plane}
    NormsEngine(norms.problem(settings), answers.append).take(message | looks)
    (answer,) = answers
    if answer["type"] == "error":
        raise InputError(answer["text"])
    found = {"norms": {"norm_problem": answer}}
    return bundle.compressed(json.dumps(bundle.plain(found)).encode())


def _source(name, options):
    """The data of a source with the facts of every loss and regularizer, and what is refused of these."""
    settings = MODEL().settings() | {"source": name, "loss": "Squared", "norm": "ℓ1"}
    refused, spelled = {"loss": {}, "regularizer": {}}, {}
    known = {"data": bundle.data(norms.samples(name, True), spectrum=True), "losses": {}, "regularizers": {}}
    for label in options["loss"]:
        try:
            known["losses"][label] = terms(norms.problem(settings | {"loss": label}))["loss"]
        except InputError as error:
            refused["loss"][label] = str(error)
    for key, chosen in _regularizers(options):
        at = settings | chosen
        try:
            known["regularizers"][key] = terms(norms.problem(at))["regularizer"]
        except InputError as error:
            refused["regularizer"][chosen["norm"]] = str(error)
            continue
        _, spelled[key] = norms.regularizer(at)
    facts = bundle.compressed(json.dumps(bundle.plain(known)).encode())
    return source(name) | {"facts": facts, "refused": refused, "spelled": spelled}


def _regularizers(options):
    """The key in the facts of each regularizer, with each value of its parameter, and their settings."""
    for label in options["norm"]:
        parameter = norms.PARAMETERS.get(label)
        if parameter is None:
            yield label, {"norm": label}
            continue
        for place, value in enumerate(options[parameter]):
            yield f"{label}|{place}", {"norm": label, parameter: value}


def _main(figures):
    cards = {
        "repair": ("The repair", mixed(REPAIR)), "predict": ("Predict first", ""),
        "code": ("Show me the code", ""),
    }  # fmt: skip
    return export_solved.main("", figures.titles, dict.fromkeys(figures.titles, ""), cards, FIRST)
