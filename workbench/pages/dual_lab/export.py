"""The Dual lab as a file: its problems are solved in the browser, by the kernels of the served page."""

import dataclasses
import html
import json
import math

from workbench import losses, regularizers, solvers
from workbench.browser import bundle
from workbench.data import dataset
from workbench.data.examples.plane import HALF_WIDTH, MOST_POINTS, SOURCES, write_points
from workbench.errors import InputError
from workbench.pages import address, drop_zone, export_file, export_player, export_solved, saddle
from workbench.pages.dual_lab import breakdown, certainty, explain, plane
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.captions import TEXTS
from workbench.pages.dual_lab.cards import TITLES, statistics
from workbench.pages.dual_lab.cards import keys as legend
from workbench.pages.dual_lab.figures import DualLabFigures
from workbench.pages.dual_lab.presets import PRESETS
from workbench.pages.dual_lab.snapshot import snapshot
from workbench.pages.plane import FULL, MARKERS, TOO_FEW, take_drags
from workbench.pages.theme import code_box, stroke
from workbench.pages.time_marks import WORDING, TimeMarks
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
PROGRAM = (
    *export_solved.PROGRAM, "drop_zone", "dual_lab/own_file", "dual_lab/own_data", "dual_lab/frame",
    "dual_lab/figures", "dual_lab/gauge", "dual_lab/certainty", "plane_hand", "live_plane",
    "dual_lab/plane", "dual_lab/live",
)  # fmt: skip
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
    base = model.settings() | start | {"compare": False}
    lab = dual_lab.build(base)
    figures = DualLabFigures(look)
    drawing = plane.PlaneFigure(look, figures) if dual_lab.PLANE in options["source"] else None
    frame = snapshot(lab, saddle.watched(lab.run))
    captions = figures.show(frame)
    plots = dict(figures.figures)
    before = TimeMarks(plots, (), {"gap": None}, look).sources["gap"]
    ids = figures.filled.ids() | {"rules": _rules()}
    ids["sources"]["before"] = before.id
    if drawing is not None:
        plots |= drawing.figures
        take_drags(drawing.figures["plane"])
        captions["plane"] = drawing.show(frame["plane"]) if frame["plane"] else ""
    data = {
        "document": export_solved.document(plots),
        "ids": ids,
        "texts": WORDING.texts | TEXTS | {"too_few": TOO_FEW, "full": FULL},
        # The key of the gap's figure once a curve before stands there.
        "strokes": [stroke("solid", look.blue, "now"), stroke("solid", look.ghost, "{}")],
        "engine": bundle.engine(),
        "solver": bundle.solver_facts(solvers.GaussSeidel()),
        "controls": {name: {"values": values} for name, values in options.items()},
        "terms": terms,
        "sources": [_source(name, terms, base) for name in options["source"]],
        "epochs": dual_lab.MOST_EPOCHS,
        "own": _own(),
        "picks": {"entries": picks, "leave": export_solved.LEAVE},
        "plane": drawing and _plane(drawing, start),
    }  # fmt: skip
    # The place for files says which data are in use.
    unused = {"source"} if len(options["source"]) == 1 else set()
    unused |= {"cloud", "adds"} if drawing is None else set()
    shown = {name: values for name, values in options.items() if name not in unused}
    place = f"<style>{drop_zone.css(look)}{certainty.css(look)}{CSS}</style>"
    place += export_solved.pick_list(picks) + drop_zone.card(CAPS.megabytes, "own")
    controls = export_solved.controls(LABELS, shown, start, BUTTONS, NOTE, place)
    return export_file.page(
        "Dual lab", look, controls, _main(legend(look), captions, frame, base, drawing), PROGRAM, data,
        before=bundle.script(),
    )  # fmt: skip


def _presets():
    """The presets as settings; one that names no data has the first of the served page's."""
    first = {"source": MODEL().source}
    return {
        name: first | {key: value for key, value in preset.items() if key in LABELS}
        for name, preset in PRESETS.items()
    }


def _rules():
    return {
        "search": explain.SEARCH, "newton": explain.NEWTON, "gradient": explain.GRADIENT,
        "curvatures": explain.CURVATURES, "sum": breakdown.FORMULA, "columns": breakdown.COLUMNS,
    }  # fmt: skip


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
                row = {"text": text, "name": repr(term)}
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


def _plane(drawing, start):
    """What the browser draws points in the plane with."""
    look = drawing.look
    return {
        "name": dual_lab.PLANE, "plot": drawing.figures["plane"].id,
        "ids": {"sources": {name: source.id for name, source in drawing.sources.items()}},
        "text": start["points"], "most": MOST_POINTS,
        "clouds": {name: write_points(*made()) for name, made in SOURCES.items()},
        "looks": {
            "half_width": HALF_WIDTH, "up": look.orange, "down": look.blue, "ink": look.ink,
            "paper": look.paper, "scale": look.scale, "least": plane.LEAST, "largest": plane.LARGEST,
            "longest": plane.LONGEST, "rounding": plane.ROUNDING,
            "markers": {"up": MARKERS[1.0], "down": MARKERS[-1.0]},
        },
    }  # fmt: skip


def _plane_card(drawing, line, is_hidden):
    title, key = drawing.titles["plane"]
    card = export_player.figure_card("plane", title, key, line)
    hint = f"{TEXTS['plane_hint']} {TEXTS['plane_rest_shift']}"
    hint = f"<div class='wb-source x-inside'>{html.escape(hint)}</div>"
    opening = "<section class='x-card x-tall'" + (" hidden" if is_hidden else "")
    return card.replace("<section class='x-card'", opening, 1).replace("</section>", f"{hint}</section>")


def _main(shown_keys, captions, frame, settings, drawing):
    """The figures as they stand at zero, which is what a browser shows that cannot solve."""
    figures = "" if drawing is None else _plane_card(drawing, captions["plane"], frame["plane"] is None)
    figures += "".join(
        export_player.figure_card(name, title, shown_keys[name], captions.get(name, ""))
        for name, title in TITLES.items()
    )
    code = code_box(dual_lab.code(settings, settings["tolerance"]))
    beside = export_solved.beside({"why": ("Why this update?", ""), "code": ("Show me the code", code)})
    return (
        f"<div id='x-text-numbers'>{statistics(frame)}</div><div id='x-certainty'></div>"
        f"<div class='x-cards' id='x-cards'>{figures}</div><div class='x-cards x-two'>{beside}</div>"
    )
