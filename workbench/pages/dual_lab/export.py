"""The Dual lab as a file: its problems are solved in the browser, by the kernels of the served page."""

import dataclasses
import html
from typing import ClassVar

from workbench._support.errors import InputError
from workbench.data import dataset
from workbench.data.examples.plane import SOURCES
from workbench.data.tables import formats, libsvm, limits, reading, sentences, targets, text
from workbench.pages import drop_zone
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.controls import SECOND
from workbench.pages.dual_lab.figures import HEADS, HOMES, DualLabFigures, alternates, names_row
from workbench.pages.dual_lab.page import DualLabPage
from workbench.pages.dual_lab.terms import is_margin, objects_of, terms_of
from workbench.pages.export_solved import (
    KEYS,
    SOLVED,
    SolvedFile,
    answers,
    controls,
    figure_card,
    packed,
    pick_list,
    transport,
)
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import Engine
from workbench.problems import Problem, losses

# Of a visitor's file, which the browser reads while the page stands still: less than a server takes.
CAPS = limits.Limits(megabytes=5)
# Sentences of the browser alone, and those of both readers after which no other door is worth a try.
OWN_SENTENCES = (
    *("packed", "encoding", "count_here", "cell_here", "unclear", "names_here", "uneven"),
    "elsewhere",
)
FINAL = (
    *("empty", "header_only", "one_sample", "one_class", "unreadable", "unscalable"),
    *("svm_no_sample", "svm_no_pair"),
)
CSS = """
#x-certainty > * > * { margin: 0; }
#x-cards { HEADS }
#x-transport { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; }
#x-transport > .x-control { flex: 1 1 260px; grid-template-columns: 1fr auto; align-items: center; }
#x-transport label { display: none; }
#x-transport .x-control > :last-child { grid-column: 1; grid-row: 1; }
#x-transport .wb-status { order: 1; flex-basis: 100%; }
#x-cards > .wb-away { display: none; }
#x-cards > :last-child { grid-column: auto; }
.x-line { min-height: 0; }
"""


class DualLabFile(SolvedFile):
    kind = DualLabPage
    lacks = ("brush", *SECOND)
    # A parameter of a term carries facts for each.
    defaults: ClassVar = {
        "source": ["Breast cancer", dual_lab.PLANE],
        "cloud": list(SOURCES),
        "points": [""],
        "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 0.6, 1.0],
        "mu": [0.001, 0.01, 0.1, 1.0],
        "q": [1.2, 1.5, 2.0, 3.0],
        "seed": [0, 1, 2, 3],
    }
    note = (
        f"<p>{SOLVED} Other data: drop a file, which stays in this browser, or "
        f'<code>workbench export dual-lab out.html --set "source=NAME"</code>.</p>{KEYS}'
    )
    more = "<div id='x-certainty'></div>"

    def __init__(self, look, selection):
        super().__init__(look, selection)
        self.terms, self.settings = terms_of(self.options), self.model.settings() | self.begins
        if dual_lab.PLANE not in self.options["source"]:
            self.drawing = DualLabFigures(look)
        self.plane = self.drawing.plane

    def presets(self):
        """Those as settings; one that names no data has the first of the served page's."""
        first = {"source": self.model.source}
        return {
            name: first | {key: value for key, value in preset.items() if key in self.labels}
            for name, preset in dual_lab.PRESETS.items()
        }

    def facts(self):
        return super().facts() | {
            "terms": self.terms,
            "own": _own(),
            "plane": self.plane and self.plane.facts() | {"text": self.begins["points"]},
        }

    def source(self, name):
        """The data of a source with the facts of every term, as they are and for weights in two halves."""
        settings, (key, load_options, bias) = self.settings | {"source": name}, dual_lab.entry(name)
        dataset = dual_lab.dataset(settings)
        objects = {kind: objects_of(self.terms, kind) for kind in ("loss", "regularizer")}
        facts = {}
        for embed in (None, "balanced"):
            signed = embed is not None
            terms = [each for each in objects["regularizer"] if (each.entry["lower"] == 0.0) == signed]
            if not terms:
                continue
            try:
                problem = Problem(
                    dataset.X, dataset.y, objects["loss"][0], terms[0], 1.0, bias=bias, embed=embed
                )
            except InputError as error:
                raise InputError(f"source = {name!r}: {error}") from None
            facts["plain" if embed is None else "signed"] = bundle.facts(problem, objects["loss"], terms)
        test = dual_lab.held_out(dataset)
        return {
            "facts": facts,
            "names": [str(each) for each in dataset.feature_names],
            "constant": bias == "constant",
            "test": None if test is None else packed(test),
            "data": key,
            "load": load_options,
            "bias": bias,
        }

    def recorded(self, settings):
        """The beginning of the first configuration."""
        loss, regularizer, solver, options = dual_lab.specification(settings)
        place = (settings[name] for name in ("cloud", "points"))
        terms = {"loss": loss, "regularizer": regularizer, "lam": settings["lam"], "seed": settings["seed"]}
        problem, certificate = answers(
            Engine,
            dual_lab.samples(settings["source"], "embed" in options, *place),
            {"type": "problem", "solver": solver, **terms},
            {"type": "certificate"},
        )
        return {"A": {"problem": problem, "certificate": certificate}}

    def controls(self):
        # The place for files says which data are in use.
        unused = {"source"} if len(self.options["source"]) == 1 else set()
        unused |= {"cloud", "adds"} if self.plane is None else set()
        options = {name: values for name, values in self.options.items() if name not in unused}
        styles = self.look.sheet("drop_zone") + self.look.sheet("certainty") + CSS.replace("HEADS", HEADS)
        place = f"<style>{styles}</style>"
        place += pick_list(self.picks) + drop_zone.card(CAPS.megabytes, "own")
        return controls(self.labels, options, self.begins, "", self.note, place)

    def main(self):
        """The formula, a row of transport, four figures with those that take their places, and texts."""
        titles = self.drawing.titles
        cards = {name: figure_card(name, *titles[name]) for name in titles}
        if self.plane:
            cards["plane"] = self._plane_card()
        order = [name for home in self.kind.first for name in (home, *alternates(home, cards))]
        away = {name for name in order if name in HOMES}
        shown = "".join(
            cards[name].replace("x-card", "x-card wb-away", 1) if name in away else cards[name]
            for name in order
        )
        return (
            f"{self.more}<div id='x-transport'>{transport(self.kind.leap)}</div>"
            f"<div class='x-cards x-two' id='x-cards'>{shown}</div>"
            f"{names_row(cards)}<div class='x-cards x-two'>{self.beside()}</div>"
        )

    def _plane_card(self):
        card = figure_card("plane", *self.plane.titles["plane"])
        hint = f"{dual_lab.TEXTS['plane_hint']} {dual_lab.TEXTS['plane_rest_shift']}"
        hint = f"<div class='wb-source x-inside'>{html.escape(hint)}</div>"
        return card.replace("</section>", f"{hint}</section>")

    def cards(self):
        return {"why": ("Why this update?", "")}


def _own():
    """What the browser needs to read a file as Python does: sentences, caps and what the readers go by."""
    own = {name: dual_lab.TEXTS[f"custom_{name}"] for name in OWN_SENTENCES}
    return {
        "sentences": {
            name: sentences.TEXTS[name] for name in (*FINAL, "too_large", "many_classes", "svm_token")
        }
        | own,
        "final": FINAL,
        "caps": dataclasses.asdict(CAPS),
        "packings": [
            suffix
            for suffix in formats.SUFFIXES
            if suffix not in (*formats.TABLE_SUFFIXES, *formats.TEXT_SUFFIXES, *formats.LIBSVM_SUFFIXES)
        ],
        "suffixes": {"tables": formats.TABLE_SUFFIXES, "libsvm": formats.LIBSVM_SUFFIXES},
        "separators": list(text.SEPARATORS)[:4],
        "label_names": reading.LABEL_NAMES,
        "missing": text.MISSING,
        "largest": libsvm.LARGEST,
        "few": targets.FEW,
        "most_classes": dataset.MAX_CLASSES,
        "regression": next(name for name, key in dual_lab.LOSSES.items() if not is_margin(losses.get(key))),
    }
