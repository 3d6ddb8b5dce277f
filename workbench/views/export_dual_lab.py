"""The Dual lab as a file: its problems are solved in the browser, by the kernels of the served page."""

import html
import json

import numpy as np
import scipy.sparse as sp
from bokeh.document import Document

from workbench import losses, regularizers, solvers
from workbench.browser import bundle
from workbench.errors import InputError
from workbench.problem import Problem
from workbench.views import dual_lab, explain, export_file, export_player, saddle
from workbench.views.captions import TEXTS
from workbench.views.cards import TITLES, keys, statistics
from workbench.views.export_player import Slider
from workbench.views.figures import DualLabFigures
from workbench.views.parts import log_options
from workbench.views.snapshot import snapshot
from workbench.views.theme import code_box

# What may be chosen, and what the file calls it.
LABELS = {
    "source": "Data", "loss": "Loss", "tube": "ε, tube of the loss", "regularizer": "Regularizer",
    "epsilon": "ε, sparsity", "mu": "μ, prior of the weights", "q": "q, exponent",
    "lam": "λ, weight of the regularizer", "update": "Update", "order": "Order",
    "scale": "t, scale of the step", "eta": "η, step of the gradient update", "seed": "Seed",
    "tolerance": "Stop at a relative gap of",
}  # fmt: skip
MODEL = dual_lab.DualLab
# The positions of the sliders where nobody asked for others; a parameter of a term carries facts for each.
DEFAULTS = {
    "source": ["Breast cancer"], "loss": list(dual_lab.LOSSES), "regularizer": list(dual_lab.REGULARIZERS),
    "tube": [0.0, 0.1, 0.3, 1.0], "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0], "mu": [0.001, 0.01, 0.1, 1.0],
    "q": [1.2, 1.5, 2.0, 3.0], "update": list(dual_lab.UPDATES), "order": ["shuffled", "cyclic"],
    "seed": [0, 1, 2, 3], "tolerance": [1e-2, 1e-3, 1e-4, 1e-6],
}  # fmt: skip
LOGARITHMIC = ("lam", "scale", "eta")
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network. "
    "Other data: <code>workbench export dual-lab out.html --set \"source=NAME\"</code>.</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"x-reset": "reset", "x-step": "step", "x-epoch": "epoch", "x-run": "run"}
CARDS = {"why": "Why this update?", "code": "Show me the code"}
PROGRAM = ("wording", "dual_lab_frame", "dual_lab_figures", "dual_lab_live")
# The axis behind the name of each label that a frame changes.
AXES = {
    "gap_x": "xaxis", "objective_x": "xaxis", "duals_y": "yaxis", "saddle_x": "xaxis", "saddle_y": "yaxis",
}  # fmt: skip
RANGES = (
    "gap_y", "objective_y", "weights_x", "weights_y", "duals_x", "duals_y", "terms_x", "terms_y", "saddle_x",
    "saddle_y",
)  # fmt: skip


def page(look, chosen):
    """The text of the file.

    Parameters
    ----------
    look : theme.Look
    chosen : dict
        Of a setting in `LABELS` to its values; one value fixes it.

    Raises
    ------
    InputError
        Data that are not here, or a choice that does not run in a browser.
    """
    model = MODEL()
    options = _values(model, chosen)
    terms = _terms(options)
    start = {name: _start(model, name, values) for name, values in options.items()}
    base = model.settings() | start | {"compare": False}
    lab = dual_lab.build(base)
    figures = DualLabFigures(look)
    frame = snapshot(lab, saddle.watched(lab.run))
    captions = figures.show(frame)
    document = Document()
    for plot in figures.figures.values():
        document.add_root(plot)
    data = {
        "document": {
            "json": document.to_json(deferred=False),
            "roots": {plot.id: f"x-figure-{name}" for name, plot in figures.figures.items()},
        },
        "ids": _ids(figures) | {"rules": _rules()},
        "texts": TEXTS,
        "engine": bundle.engine(),
        "solver": bundle.solver_facts(solvers.GaussSeidel()),
        "controls": {name: {"values": values} for name, values in options.items()},
        "terms": terms,
        "sources": [_source(name, terms) for name in options["source"]],
        "epochs": dual_lab.MOST_EPOCHS,
    }  # fmt: skip
    sliders = {name: Slider(LABELS[name], values, start[name]) for name, values in options.items()}
    return export_file.page(
        "Dual lab", look, _controls(sliders), _main(keys(look), captions, frame, lab, base), PROGRAM, data,
        before=bundle.script(),
    )  # fmt: skip


def _values(model, chosen):
    """The values of each setting, those of the model's own where nobody asked for others."""
    options = {}
    for name in LABELS:
        if name in chosen:
            options[name] = chosen[name]
        elif name in LOGARITHMIC:
            low, high = model.param[name].bounds
            options[name] = list(log_options(getattr(model, name), low, high).values())
        else:
            options[name] = DEFAULTS[name]
    return options


def _start(model, name, values):
    own = getattr(model, name)
    return own if own in values else values[0]


def _ids(figures):
    """The ids of the models that a frame changes."""
    plots = figures.figures
    ranges = {"time": figures.time.id}
    for place in RANGES:
        name, _, side = place.rpartition("_")
        ranges[place] = getattr(plots[name], f"{side}_range").id
    return {
        "sources": {name: source.id for name, source in figures.sources.items()},
        "ranges": ranges,
        "axes": {place: getattr(plots[place[:-2]], side)[0].id for place, side in AXES.items()},
        "mappers": {"heights": figures.heights.id},
    }


def _rules():
    return {
        "search": explain.SEARCH, "newton": explain.NEWTON, "gradient": explain.GRADIENT,
        "curvatures": explain.CURVATURES,
    }  # fmt: skip


def _terms(options):
    """For each loss and regularizer its control, and by the value of that its text and its object's name."""
    found = {}
    kinds = (
        ("loss", dual_lab.LOSSES, losses, dual_lab.LOSS_CONTROLS),
        ("regularizer", dual_lab.REGULARIZERS, regularizers, dual_lab.REGULARIZER_CONTROLS),
    )
    for kind, names, registry, table in kinds:
        for label in options[kind]:
            needed = dual_lab.needed(names[label], registry.REGISTRY, table)
            control = next(iter(needed.values()), None)
            rows = []
            for value in options[control] if control else [None]:
                text = dual_lab.with_parameters(names[label], registry.REGISTRY, table, {control: value})
                term = registry.get(text)
                row = {"text": text, "name": repr(term)}
                if kind == "loss":
                    row["closed"] = explain.closed_form(term)
                else:
                    row |= {"signed": term.entry["lower"] == 0.0, "quadratic": term.is_quadratic}
                rows.append(row)
            found.setdefault(kind, {})[label] = {"control": control, "rows": rows}
    return found


def _source(name, terms):
    """The data of a source with the facts of every term, as they are and for weights in two halves."""
    dataset, (key, load_options, bias) = dual_lab.load(name), dual_lab.entry(name)
    objects = {
        kind: [registry.get(row["text"]) for each in terms[kind].values() for row in each["rows"]]
        for kind, registry in (("loss", losses), ("regularizer", regularizers))
    }
    facts = {}
    for embed in (None, "balanced"):
        signed = embed is not None
        kept = [each for each in objects["regularizer"] if (each.entry["lower"] == 0.0) == signed]
        if not kept:
            continue
        try:
            problem = Problem(dataset.X, dataset.y, objects["loss"][0], kept[0], 1.0, bias=bias, embed=embed)
        except InputError as error:
            raise InputError(f"source = {name!r}: {error}") from None
        facts["plain" if embed is None else "signed"] = bundle.facts(problem, objects["loss"], kept)
    X_test = sp.csr_array(dataset.X_test)
    test = {
        "offsets": X_test.indptr.astype(np.uint32), "indices": X_test.indices.astype(np.uint32),
        "values": X_test.data, "y": np.asarray(dataset.y_test, dtype=float),
    }  # fmt: skip
    return {
        "facts": facts, "names": [str(each) for each in dataset.feature_names],
        "constant": bias == "constant", "test": bundle.compressed(json.dumps(bundle.plain(test)).encode()),
        "data": key, "load": load_options, "bias": bias,
    }  # fmt: skip


def _controls(sliders):
    """The controls, then the pace."""
    shown = "".join(
        export_player.control(name, slider) for name, slider in sliders.items() if len(slider.values) > 1
    )
    buttons = "".join(
        f"<button type='button' id='{id}'{' class=x-main' if id == 'x-run' else ''}>{text}</button>"
        for id, text in BUTTONS.items()
    )
    fixed = "; ".join(
        f"{slider.label}: {slider.values[0]}" for slider in sliders.values() if len(slider.values) == 1
    )
    return (
        f"<div class='x-pace'>{buttons}</div><div class='wb-status' role='status' id='x-status'></div>"
        "<div class='x-control'><label for='x-frame'>Progress</label><output id='x-at' for='x-frame'>"
        "</output><input type='range' id='x-frame' min='0' max='0' value='0' step='1'></div>"
        f"{shown}<div class='wb-note'><p>{html.escape(fixed)}</p>{NOTE}</div>"
    )


def _main(shown_keys, captions, frame, lab, settings):
    """The figures as they stand at zero, which is what a browser shows that cannot solve."""
    shown_keys = shown_keys | {"gap": ""}
    figures = "".join(
        export_player.figure_card(name, title, shown_keys[name], captions.get(name, ""))
        for name, title in TITLES.items()
    )
    first = {"why": "", "code": code_box(dual_lab.code(settings, settings["tolerance"]))}
    beside = "".join(
        export_file.card(title, f"<div id='x-text-{name}'>{first[name]}</div>")
        for name, title in CARDS.items()
    )
    return (
        f"<div id='x-text-numbers'>{statistics(frame)}</div><div class='x-cards'>{figures}</div>"
        f"<div class='x-cards x-two'>{beside}</div>"
    )
