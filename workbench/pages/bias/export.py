"""The page on multipliers as a file: Algorithms 2 and 3 side by side, solved in the browser."""

import json

from workbench import losses, regularizers
from workbench.browser import bundle
from workbench.browser.engine import Engine
from workbench.errors import InputError
from workbench.pages import address, export_file, export_solved, own_figures
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import TITLES, BiasFigures
from workbench.pages.bias.page import FIRST, FORMULA, SCRIPTS, BiasPage, facts, source
from workbench.pages.bias.questions import QUESTIONS
from workbench.pages.dual_lab import export as dual_export
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.export_file import reveal
from workbench.pages.formulas import formula
from workbench.problem import Problem

MODEL = bias.BiasLab
LABELS = {
    "source": "Data", "constraint": "Source of the constraint", "loss": "Loss", "tube": "ε, tube of the loss",
    "regularizer": "Regularizer", "epsilon": "ε, sparsity", "q": "q, exponent",
    "lam": "λ, weight of the regularizer", "algorithms": "Algorithms", "mu": "μ, softness of the penalty",
    "eta": "η, step of s in Algorithm 3", "passes": "Epochs per step of s", "update": "Update",
    "rate": "Step of the gradient update", "order": "Order", "scale": "t, scale of the step of α",
    "seed": "Seed", "tolerance": "Stop at a relative gap of",
}  # fmt: skip
# The positions of the controls where nobody asked for others, the presets' among them.
DEFAULTS = {
    "source": ["Breast cancer"], "constraint": [bias.BIAS], "loss": list(bias.LOSSES),
    "tube": [0.0, 0.1, 0.3, 1.0], "regularizer": list(bias.REGULARIZERS),
    "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0], "q": [1.2, 1.5, 2.0, 3.0], "algorithms": list(bias.SHOWN),
    "mu": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0],
    "eta": [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0], "passes": [1, 2, 3, 5, 10, 20, 50],
    "update": ["exact", "bounded", "gradient"], "order": ["shuffled", "cyclic"], "seed": [0, 1, 2, 3],
    "tolerance": [1e-2, 1e-3, 1e-4, 1e-6],
}  # fmt: skip
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network. Other data: "
    "<code>workbench export bias out.html --set \"source=NAME\"</code>. Weights that sum to zero are on the "
    "page that <code>workbench serve bias</code> opens.</p>"
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
    if bias.SUM in chosen.get("constraint", ()):
        raise InputError(
            f"constraint = {bias.SUM!r}: constraints C v = b do not run in the browser; leave it out, or "
            "open the page with 'workbench serve bias'"
        )
    model = MODEL()
    found = export_solved.picks("bias", _presets(model), keys())
    options = export_solved.values(model, LABELS, DEFAULTS, chosen, found)
    picks = export_solved.offered(found, options)
    terms, start = dual_export.terms_of(options), export_solved.start(model, options)
    figures = own_figures.marked(BiasFigures(look), BiasPage, look)
    data = facts(model, look) | figures.facts | {
        "engine": bundle.engine(), "controls": {name: {"values": values} for name, values in options.items()},
        "terms": terms, "sources": [_source(name, terms) for name in options["source"]],
        "picks": {"entries": picks, "leave": export_solved.LEAVE},
        "recorded": _recorded(model.settings() | start),
    }  # fmt: skip
    controls = export_solved.controls(LABELS, options, start, BUTTONS, NOTE, export_solved.pick_list(picks))
    main = _main(figures)
    return export_file.page("Bias & multipliers", look, controls, main, PROGRAM, data, before=bundle.script())


def _presets(model):
    """The presets of the page, each with the value of every control."""
    own = {name: getattr(model, name) for name in LABELS}
    return {name: own | changed for name, changed in bias.PRESETS.items()}


def _source(name, terms):
    """The data of a source with the facts of every term, and what loads them in Python."""
    dataset = dual_lab.load(name)
    loss, regularizer = (
        [registry.get(row["text"]) for each in terms[kind].values() for row in each["rows"]]
        for kind, registry in (("loss", losses), ("regularizer", regularizers))
    )
    problem = Problem(dataset.X, dataset.y, loss[0], regularizer[0], 1.0, bias=True)
    return source(name) | {"facts": bundle.facts(problem, loss, regularizer)}


def _recorded(settings):
    """What the engine answers of each algorithm before its first step, for a browser that cannot compute."""
    loss, regularizer, _, _ = dual_lab.specification(settings)
    terms = {"loss": loss, "regularizer": regularizer, "lam": settings["lam"], "seed": settings["seed"]}
    found = {}
    for algorithm in bias.PARTS:
        answers = []
        engine = Engine(bias.problem(settings["source"], bias.BIAS), answers.append)
        chosen = {"type": "problem", "solver": bias.solver(settings, algorithm), **terms}
        for id, message in enumerate((chosen, {"type": "profile", **bias.PROFILE})):
            engine.take({"version": 1, "id": id, **message})
        found[algorithm] = {"problem": answers[0], "profile": answers[1]}
    return bundle.compressed(json.dumps(bundle.plain(found)).encode())


def _main(figures):
    keys = figures.keys()
    questions = "".join(reveal(question.text, question.why) for question in QUESTIONS.values())
    cards = {
        "why": ("Why does s move?", "", formula(FORMULA)),
        "predict": ("Predict first", questions),
        "code": ("Show me the code", ""),
    }
    titles = {name: (title, keys[name]) for name, title in TITLES.items()}
    return export_solved.main("", titles, dict.fromkeys(TITLES, ""), cards, FIRST)
