"""The page Compare for every host: its settings, figures, texts, and the runs that Python makes."""

import itertools
from typing import ClassVar

import param

from workbench._support.errors import InputError
from workbench.data import store
from workbench.pages import datasets
from workbench.pages.compare import model, races
from workbench.pages.compare.figures import CURVES, PATH, PLACES, START, CompareDrawing, shapes, strokes
from workbench.pages.formulas import mixed
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.wording import content
from workbench.studies import race

# Seconds of work before others have their turn, or a visitor who has left is noticed.
SLICE = 0.05
QUESTIONS = content("compare")["questions"]
FORMULA = (
    r"$R = \lambda g(w) - \tfrac{1}{n}\sum_i \bigl[k(-\alpha_i) + \alpha_i w^\top x_i\bigr]$"
    "\n"
    r"$P(w) = \max_\alpha R(w, \alpha)$"
    "\n"
    r"$-D(\alpha) = \min_w R(w, \alpha)$"
    "\n"
    r"$\mathrm{gap} = P(w) + D(\alpha) \ge 0$"
)


class Compare(datasets.TakesUploads, FigurePage):
    """Solvers on one problem: their paths over its saddle, and how soon each gap is certified.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.Compare().title
    'Compare'
    """

    title, room, drawing = "Compare", "compare", CompareDrawing
    first = ("saddle", "gaps", "race")
    homes: ClassVar = {"above": ("gaps", "Primal error"), "below": ("gaps", "Dual error")}
    names_say = "<b>More figures</b>"
    tall = ("saddle",)
    timed, ghosts = ("gaps", "above", "below"), {"gaps": "epoch"}
    folded, sheets = ("Runs",), ("certainty",)
    cards: ClassVar = {
        "table": "How soon each gap is certified",
        "predict": "Predict first",
        "formulas": "The saddle and the gap",
        "code": "Take it with you",
    }
    looked_at = ("question", "zoom", "seconds")
    choice = "loss"
    used: ClassVar = {
        "epsilon": [{"regularizer": ["Elastic net"]}],
        "passes": [{"compare": [model.IN_PARTS]}],
    }
    # Python makes the runs, so a file has those of these values alone.
    grids: ClassVar = {name: [] for name in model.INPUTS} | {"lam": [0.01, 0.1, 1.0]}

    source = param.Selector(objects=model.SOURCES, doc="the data")
    loss = param.Selector(objects=list(model.LOSSES))
    regularizer = param.Selector(objects=list(model.REGULARIZERS))
    lam = param.Number(0.1, bounds=(1e-5, 1.0), doc="weight of the regularizer")
    epsilon = param.Number(0.2, bounds=(0.01, 2.0), doc="sparsity of the elastic net")
    intercept = param.Boolean(False, doc="whether an unregularized bias is free")
    compare = param.Selector(objects=list(model.COMPARED), doc="what runs beside each other")
    passes = param.Selector(objects=[1, 2, 5, 10], doc="of each part over its samples in a round")
    seed = param.Integer(1, bounds=(0, 9999), doc="of the samples that are drawn")
    tolerance = param.Selector(objects=list(model.TOLERANCES), default=1e-6)
    zoom = param.Selector(objects=list(model.ZOOMS), doc="how close the saddle is looked at")
    seconds = param.Selector(objects=[5, 10, 20, 60], default=10, doc="after which no fit of a race begins")
    question = param.Selector(objects=list(QUESTIONS), doc="what is to be predicted")

    def __init__(self, **values):
        super().__init__(**values)
        self.param.source.objects = model.sources()
        self.is_racing = False

    def facts(self):
        return {
            "has_formulas": True,
            "formulas": mixed(FORMULA),
            "inputs": model.INPUTS,
            "course": races.COURSE,
            "strokes": strokes(),
            "shapes": shapes(),
            "figures_over_passes": CURVES,
            "path": PATH,
            "start": START,
            "run_names": model.NAMES,
            "words": {name: words._asdict() for name, words in model.COMPARED.items()},
            "zooms": model.ZOOMS,
            "marks": model.MARKS,
            "deciding": model.DECIDING,
            "race_marks": race.MARKS,
            "places": len(PLACES),
        }

    def _row(self, name, kind, label):
        row = super()._row(name, kind, label)
        uploads = filter(store.is_upload, row["options"] if name == "source" else ())
        return row | (
            {"labels": labels} if (labels := {upload: store.label(upload) for upload in uploads}) else {}
        )

    # What the module asks for

    async def answer_runs(self, **inputs):
        """Return the runs of the settings, from the start to the end of each."""
        settings = self._checked(inputs).settings()

        def work():
            comparison = model.build(settings)
            yield
            while not comparison.play(SLICE):
                yield
            return model.answer(comparison)

        answer = await self.compute(work())
        try:
            return answer | {"race_code": races.code(settings), "no_race": ""}
        except InputError as error:
            return answer | {"race_code": "", "no_race": str(error)}

    async def answer_race(self, **settings):
        """Run a race of the settings in a process of its own; its events come as it goes."""
        if self.is_racing:
            raise InputError("race: one is running on this page; cancel it first")
        self.is_racing = True
        try:
            events = []

            def send(event):
                events.append(event)
                self.emit({"race": event})

            await races.run(races.course(self._checked(settings).settings()), send)
            return {"events": events}
        finally:
            self.is_racing = False

    def answer_recorded(self):
        """Return the races that were recorded."""
        return {"races": races.recorded()}

    def _checked(self, settings):
        """Return a page with settings that a visitor sent."""
        page = type(self)()
        if store.is_upload(str(settings.get("source"))):
            page.offer(settings["source"])
        page.change(settings)
        return page

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries: the runs of its values."""
        plain = [{"type": type} for type in ("page", "bokeh", "formulas", "recorded")]
        grids = self.carried()
        all_inputs = itertools.product(*(grids[name] for name in model.INPUTS))
        return [
            *plain,
            *({"type": "runs"} | dict(zip(model.INPUTS, inputs, strict=True)) for inputs in all_inputs),
        ]

    def packed_answer(self, message):
        answer = super().packed_answer(message)
        if message["type"] != "page":
            return answer
        return answer | {"elsewhere": answer["elsewhere"] | {"intercept": [not self.intercept]}}
