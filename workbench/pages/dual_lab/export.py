"""The Dual lab as a file: its problems are solved in the browser, by the kernels of the served page."""

import dataclasses
import html
import json
import math

from workbench import losses, regularizers
from workbench.browser import bundle
from workbench.browser.engine import Engine
from workbench.data import dataset
from workbench.data.examples.plane import SOURCES
from workbench.errors import InputError
from workbench.pages import address, drop_zone, export_file, export_solved, own_figures
from workbench.pages.dual_lab import explain
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.certainty import css
from workbench.pages.dual_lab.figures import TITLES, DualLabFigures
from workbench.pages.dual_lab.figures import keys as legend
from workbench.pages.dual_lab.page import FIRST, SCRIPTS, DualLabPage, facts
from workbench.pages.dual_lab.plane import with_plane
from workbench.pages.dual_lab.presets import PRESETS
from workbench.pages.dual_lab.wording import TEXTS
from workbench.problem import Problem
from workbench.tables import columns, formats, limits, reading, sentences, targets, text

# What may be chosen, and what the file calls it.
LABELS = {
    "source": "Data", "cloud": "Points to begin with", "points": "Points",
    "adds": "A click adds a point of class", "loss": "Loss", "tube": "ε, tube of the loss",
    "regularizer": "Regularizer", "epsilon": "ε, sparsity", "mu": "μ, prior of the weights",
    "q": "q, exponent", "lam": "λ, weight of the regularizer", "update": "Update", "order": "Order",
    "scale": "t, scale of the step", "eta": "η, step of the gradient update", "seed": "Seed",
    "tolerance": "Stop at a relative gap of",
}  # fmt: skip
MODEL = dual_lab.DualLab
# The positions of the sliders where nobody asked for others; a parameter of a term carries facts for each.
DEFAULTS = {
    "source": ["Breast cancer", dual_lab.PLANE], "cloud": list(SOURCES), "points": [""],
    "adds": ["+1", "-1"], "loss": list(dual_lab.LOSSES), "regularizer": list(dual_lab.REGULARIZERS),
    "tube": [0.0, 0.1, 0.3, 1.0], "epsilon": [0.0, 0.03, 0.1, 0.3, 1.0], "mu": [0.001, 0.01, 0.1, 1.0],
    "q": [1.2, 1.5, 2.0, 3.0], "update": list(dual_lab.UPDATES), "order": ["shuffled", "cyclic"],
    "seed": [0, 1, 2, 3], "tolerance": [1e-2, 1e-3, 1e-4, 1e-6],
}  # fmt: skip
NOTE = (
    "<p>Solved in this page, by the kernels of the workbench, without a server or a network. "
    "Other data: drop a file, which stays in this browser, or "
    "<code>workbench export dual-lab out.html --set \"source=NAME\"</code>.</p>"
    "<p>Keys: space runs or pauses, → does one step, r begins again.</p>"
)
BUTTONS = {"reset": "reset", "step": "step", "epoch": "epoch", "run": "run"}
PROGRAM = (*export_solved.PROGRAM, "drop_zone", "dual_lab/own_file", *SCRIPTS)
# Of a visitor's file, which the browser reads while the page stands still: less than a server takes.
CAPS = limits.Limits(megabytes=5)
CSS = """
#x-certainty > * > * { margin: 0; }
.x-card[hidden] { display: none; }
.x-tall { grid-row: span 2; }
#x-cards > :last-child { grid-column: auto; }
"""


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
        Data that are not here, or a choice that does not run in a browser.
    """
    model = MODEL()
    found = export_solved.picks("dual-lab", _presets(), keys())
    options = export_solved.values(model, LABELS, DEFAULTS, chosen, found)
    picks = export_solved.offered(found, options)
    terms = terms_of(options)
    start = export_solved.start(model, options)
    figures = with_plane(look) if dual_lab.PLANE in options["source"] else DualLabFigures(look)
    plane = figures.plane
    data = facts(look) | own_figures.marked(figures, DualLabPage, look).facts | {
        "engine": bundle.engine(),
        "controls": {name: {"values": values} for name, values in options.items()},
        "terms": terms,
        "sources": [_source(name, terms, model.settings() | start) for name in options["source"]],
        "own": _own(),
        "picks": {"entries": picks, "leave": export_solved.LEAVE},
        "plane": plane and plane.facts() | {"text": start["points"]},
        "recorded": _recorded(model.settings() | start),
    }  # fmt: skip
    # The place for files says which data are in use.
    unused = {"source"} if len(options["source"]) == 1 else set()
    unused |= {"cloud", "adds"} if plane is None else set()
    shown = {name: values for name, values in options.items() if name not in unused}
    place = f"<style>{drop_zone.css(look)}{css(look)}{CSS}</style>"
    place += export_solved.pick_list(picks) + drop_zone.card(CAPS.megabytes, "own")
    controls = export_solved.controls(LABELS, shown, start, BUTTONS, NOTE, place)
    main = _main(legend(look)["one"], plane)
    return export_file.page("Dual lab", look, controls, main, PROGRAM, data, before=bundle.script())


def _presets():
    """The presets as settings; one that names no data has the first of the served page's."""
    first = {"source": MODEL().source}
    return {
        name: first | {key: value for key, value in preset.items() if key in LABELS}
        for name, preset in PRESETS.items()
    }


def _own():
    """What the browser needs to read a file as Python does: sentences, caps and what the readers go by."""
    own = {"packed": TEXTS["own_packed"], "elsewhere": TEXTS["own_elsewhere"]}
    return {
        "sentences": sentences.TEXTS | own, "caps": dataclasses.asdict(CAPS), "packings": limits.PACKINGS,
        "suffixes": {"tables": formats.TABLE_SUFFIXES, "libsvm": formats.LIBSVM_SUFFIXES},
        "separators": list(text.SEPARATORS)[:4], "label_names": reading.LABEL_NAMES,
        "largest": columns.LARGEST, "few": targets.FEW, "most_classes": dataset.MAX_CLASSES,
        "regression": next(name for name, key in dual_lab.LOSSES.items() if not _is_margin(losses.get(key))),
    }  # fmt: skip


def _is_margin(loss):
    return loss.kind == "margin"


def terms_of(options):
    """For each loss and regularizer its control, and by the value of that its text and its object's name."""
    found = {}
    kinds = (
        ("loss", dual_lab.LOSSES, losses, dual_lab.LOSS_CONTROLS),
        ("regularizer", dual_lab.REGULARIZERS, regularizers, dual_lab.REGULARIZER_CONTROLS),
    )
    for kind, names, registry, wanted in kinds:
        for label in options[kind]:
            needed = dual_lab.needed(names[label], registry.REGISTRY, wanted)
            control = next(iter(needed.values()), None)
            rows = []
            for value in options[control] if control else [None]:
                text = dual_lab.with_parameters(names[label], registry.REGISTRY, wanted, {control: value})
                term = registry.get(text)
                row = {"text": text, "name": repr(term), "rests": explain.basis(term)}
                if kind == "loss":
                    row["closed"] = explain.closed_form(term)
                else:
                    # Other data have other facts, for which the curvature of a summand is needed.
                    bound = term.curvature if math.isfinite(term.curvature) else None
                    row |= {"signed": term.entry["lower"] == 0.0, "quadratic": term.is_quadratic}
                    row["bound"] = bound
                rows.append(row)
            found.setdefault(kind, {})[label] = {"control": control, "rows": rows}
            if kind == "loss":
                found[kind][label]["margin"] = _is_margin(term)
    return found


def _source(name, terms, settings):
    """The data of a source with the facts of every term, as they are and for weights in two halves."""
    dataset, (key, load_options, bias) = dual_lab.dataset(settings | {"source": name}), dual_lab.entry(name)
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
    test = dual_lab.held_out(dataset)
    return {
        "facts": facts, "names": [str(each) for each in dataset.feature_names],
        "constant": bias == "constant",
        "test": None if test is None else bundle.compressed(json.dumps(bundle.plain(test)).encode()),
        "data": key, "load": load_options, "bias": bias,
    }  # fmt: skip


def _recorded(settings):
    """What the engine answers before the first step, for a browser that cannot compute."""
    loss, regularizer, solver, options = dual_lab.specification(settings)
    place = (settings[name] for name in ("cloud", "points"))
    answers = []
    engine = Engine(dual_lab.samples(settings["source"], "embed" in options, *place), answers.append)
    terms = {"loss": loss, "regularizer": regularizer, "lam": settings["lam"], "seed": settings["seed"]}
    for id, message in enumerate(({"type": "problem", "solver": solver, **terms}, {"type": "certificate"})):
        engine.take({"version": 1, "id": id, **message})
    found = {"A": dict(zip(("problem", "certificate"), answers, strict=True))}
    return bundle.compressed(json.dumps(bundle.plain(found)).encode())


def _plane_card(plane):
    title, key = plane.titles["plane"]
    card = export_solved.figure_card("plane", title, key, "")
    hint = f"{TEXTS['plane_hint']} {TEXTS['plane_rest_shift']}"
    hint = f"<div class='wb-source x-inside'>{html.escape(hint)}</div>"
    card = card.replace("<section class='x-card'", "<section hidden class='x-card x-tall'", 1)
    return card.replace("</section>", f"{hint}</section>")


def _main(shown_keys, plane):
    titles = {name: (title, shown_keys[name]) for name, title in TITLES.items()}
    cards = {"why": ("Why this update?", ""), "code": ("Show me the code", "")}
    gauge = "<div id='x-certainty'></div>"
    main = export_solved.main("", titles, dict.fromkeys(TITLES, ""), cards, FIRST, gauge)
    first = "id='x-cards'>"
    return main if plane is None else main.replace(first, first + _plane_card(plane), 1)
