"""The Dual lab for every host: its settings, figures, texts, and Python's answers."""

import functools
import math
from typing import ClassVar

import numpy as np
import param

from workbench import solvers
from workbench._support.errors import InputError
from workbench.data import store
from workbench.pages import datasets, terms
from workbench.pages.dual_lab import explain, leave_out, own_data, typed_loss
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.figures import HOMES, DualLabFigures, keys, plane
from workbench.pages.hosts.solved import PLAIN, SolvedPage
from workbench.pages.plane import FULL, TOO_FEW
from workbench.pages.server.turns import in_one
from workbench.pages.wasm import bundle
from workbench.pages.wasm.engine import MAX_EPOCHS
from workbench.pages.wording import content
from workbench.problems import losses, regularizers

# The ways a run ends, from bad to good.
STATUSES = ("infeasible", "diverged", "max_epochs", "stalled", "converged")
QUESTIONS = content("dual_lab")["questions"]
OPTIONS = ("fewer", "about as many", "more")
TERMS = {kind: terms.term_table(kind) for kind in terms.TERMS}
# The second configuration, too, uses the parameters of its terms.
SECOND = {
    name: [*conditions, {"compare": [True]} | {f"b_{kind}": labels for kind, labels in conditions[0].items()}]
    for name, conditions in terms.USED.items()
}


class DualLab(SolvedPage, dual_lab.DualLab):
    """Two curves, one solution: the dual variables end on one, the weights lie on the other.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.pages.DualLab(lam=0.01).lam
    0.01
    """

    loss = param.Selector(objects=[*terms.LOSSES, dual_lab.TYPED], default="Hinge")
    b_loss = param.Selector(objects=[*terms.LOSSES, dual_lab.TYPED], default="Hinge")
    typed = typed_loss.Formula("max(0, 1 - u)**3 / 3", doc="the formula of a loss of one's own")
    typed_kind = param.Selector(
        objects=list(dual_lab.KINDS), doc="the variable of that loss: y z, z - y or z"
    )

    title, room, drawing = "Dual lab", "dual_lab", DualLabFigures
    first = ("objective", "margins", "transfer", "weights")
    timed, ghosts = ("objective", "gap"), {"gap": None}
    homes, names_say = HOMES, f"<b>{dual_lab.TEXTS['both_curves']}</b>"
    folded, sheets = ("Solver", "Stop", "Compare"), ("certainty", "drop_zone")
    steady = (
        *("gap_x", "gap_y", "objective_y", "margins_x", "margins_y", "transfer_x", "transfer_y"),
        *("weights_y", "duals_y"),
    )
    cards: ClassVar = {
        "why": "Why this update?",
        "predict": "Predict first",
        "leave": "Leave a sample out",
        "code": "Take it with you",
    }
    looked_at = ("question", "adds", "brush", "tolerance")
    used: ClassVar = (
        SECOND
        | {name: [{"source": [datasets.PLANE]}] for name in ("cloud", "adds", "brush")}
        | {"seed": [{"order": ["shuffled"]}], "eta": [{"update": ["gradient"]}, {"compare": [True]}]}
        | {f"b_{name}": [{"compare": [True]}] for name in dual_lab.OWN}
        | {
            name: [{"loss": [dual_lab.TYPED]}, {"compare": [True], "b_loss": [dual_lab.TYPED]}]
            for name in ("typed", "typed_kind")
        }
    )
    grids: ClassVar = {
        "source": [datasets.PLANE],
        "tube": [0.0, 0.1, 0.3, 1.0],
        "epsilon": [0.0, 0.03, 0.1, 0.3, 0.6, 0.9, 1.0],
        "mu": [0.001, 0.01, 0.1, 1.0],
        "q": [1.2, 1.5, 2.0, 3.0],
    }

    def __init__(self, **values):
        super().__init__(**values)
        self.takes_files = True  # unless a page around this one does
        # Of this page, so that an upload goes with it.
        self.samples = functools.lru_cache(2)(dual_lab.samples)
        self.typed_losses = typed_loss.TypedLosses()

    def close(self):
        super().close()
        self.typed_losses.close()

    settings_of = staticmethod(dual_lab.settings_of)
    open_address = datasets.TakesUploads.open_address  # before that of every page

    def facts(self):
        return {
            "has_formulas": True,
            "keys": keys(),
            "plane": plane(),
            "own": own_data.rules(),
            "takes_files": self.takes_files,
            "rules": explain.rules(),
            "solver": bundle.solver_facts(solvers.GaussSeidel()),
            "epochs": MAX_EPOCHS,
            "statuses": STATUSES,
            "elsewhere": {"loss": [dual_lab.TYPED], "b_loss": [dual_lab.TYPED]},
            "terms": TERMS | {"loss": TERMS["loss"] | {dual_lab.TYPED: typed_loss.TERM}},
            "sources": {
                name: dict(zip(("data", "load", "bias"), datasets.entry(name), strict=True))
                for name in self.param.source.objects
            },
            "questions": {name: _question(**question) for name, question in QUESTIONS.items()},
            "units": {question["measure"]: question["unit"] for question in QUESTIONS.values()},
            "texts": self.shared_texts() | dual_lab.TEXTS | {"too_few": TOO_FEW, "full": FULL},
        }

    def _row(self, name, kind, label):
        row = super()._row(name, kind, label)
        if name == "source":
            uploads = filter(store.is_upload, row["options"])
            row["labels"] = {source: store.label(source) for source in uploads}
        return row

    @classmethod
    def shared_texts(cls):
        """Return the texts of runs and the options of every question."""
        from workbench.pages.time_marks import WORDING

        return WORDING.texts | {f"option_{place}": option for place, option in enumerate(OPTIONS)}

    # What the module asks for

    def answer_data(self, source, signed):
        """Return the samples of a data set by rows, and those held out; of large data what pictures take."""
        table, problem = datasets.load(self._known(source)), self._samples(source, signed)
        samples, test = bundle.data(problem), datasets.held_out(table)
        if bundle.size(samples) > datasets.MAX_BYTES:
            samples = {name: samples[name] for name in ("n", "d", "y", "weight")} | {"is_large": True}
        facts = {
            "test": None if test is None or bundle.size(test) > datasets.MAX_BYTES else test,
            "names": [str(name) for name in table.feature_names],
            "constant": datasets.entry(source)[2] == "constant",
        }
        return bundle.binary(samples | facts)

    def answer_loss(self, source, name):
        """Return the facts of a loss that suits the labels of a source.

        Parameters
        ----------
        source : str
        name : str or dict
            As a registry names it; "text" and "kind" of a typed one, which is derived first.
        """
        if isinstance(name, dict):
            return self._answer_typed(source, **typed_loss.fields(name))
        loss = losses.get(name)
        return self._loss_facts(source, loss, bundle.loss_facts(loss))

    async def _answer_typed(self, source, text, kind):
        loss = await self.typed_losses.derive(text, kind)
        facts = bundle.unprinted_loss_facts(loss)
        return await self.compute(in_one(self._loss_facts, source, loss, facts))

    def _loss_facts(self, source, loss, facts):
        self._samples(source, False).replace(loss, regularizers.get("squared-l2"))
        more = {"closed": explain.closed_form(loss), "rests": explain.basis(loss)}
        return bundle.binary(facts | more)

    def answer_compute(self, name, message):
        if isinstance(message, dict) and isinstance(message.get("loss"), dict):
            message = message | {"loss": self.typed_losses.derived(**typed_loss.fields(message["loss"]))}
        return super().answer_compute(name, message)

    def answer_regularizer(self, source, signed, name):
        """Return the facts of a regularizer on the columns of a data set."""
        regularizer = regularizers.get(name)
        bound = regularizer.curvature if math.isfinite(regularizer.curvature) else None
        facts = bundle.regularizer_facts(regularizer, self._samples(source, signed))
        return bundle.binary(facts | {"bound": bound, "rests": explain.basis(regularizer)})

    def answer_row(self, source, signed, sample):
        """Return the entries of one sample of large data."""
        rows = self._samples(source, signed).rows
        if not (isinstance(sample, int) and 0 <= sample < rows.shape[0]):
            raise InputError(f"sample = {sample!r}: there are {rows.shape[0]}, counted from 0")
        row = rows[[sample]].tocsr()
        return bundle.binary({"indices": row.indices.astype(np.uint32), "values": row.data})

    async def answer_leave_out(self, settings, alpha, sample):
        """Return what leaving out a sample of a point changes; the point is certified here."""
        page = type(self)()
        if store.is_upload(str(settings.get("source"))):
            page.offer(settings["source"])
        page.change({name: value for name, value in settings.items() if name in self.names()})
        if page.loss == dual_lab.TYPED:
            self.typed_losses.derived(page.typed, page.typed_kind)
        effect = await self.compute(in_one(leave_out.leave, page.settings(), alpha, sample))
        return effect._asdict()

    def problem(self, names):
        place = (names["cloud"], names["points"]) if names["source"] == datasets.PLANE else ("", "")
        if "file" in names:
            raise InputError(dual_lab.TEXTS["custom_python"])
        return self.samples(self._known(names["source"]), names["signed"] is True, *place)

    def _samples(self, source, signed):
        cloud = self.param.cloud.default if source == datasets.PLANE else ""
        return self.samples(self._known(source), signed is True, cloud, "")

    def _known(self, source):
        self.check_source(source)
        return source

    def packed_messages(self):
        """Return the messages whose answers a file of the page carries: those of its data and of points."""
        grids = self.carried()
        offered = dict.fromkeys((*grids["source"], datasets.PLANE))
        of_data = [source for source in offered if source != datasets.PLANE]
        data = [
            {"type": "data", "source": source, "signed": signed}
            for source in of_data
            for signed in (False, True)
        ]
        named = [
            {"type": "loss", "source": source, "name": name}
            for source in offered
            for _, name in terms.term_names(TERMS["loss"], grids)
        ]
        named += [
            {"type": "regularizer", "source": source, "signed": term["is_signed"], "name": name}
            for source in offered
            for term, name in terms.term_names(TERMS["regularizer"], grids)
        ]
        return [*PLAIN, {"type": "formulas"}, *data, *named]


def _question(text, fewer, more, change, measure, why, unit, factors=None):
    options = (fewer, OPTIONS[1], more)
    return {"text": text, "options": options, "change": change, "measure": measure, "why": why} | (
        {"factors": factors} if factors else {}
    )
