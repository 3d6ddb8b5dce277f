"""The Dual lab as a Panel page: controls, cards, figures; the browser runs and draws."""

import functools
import math

import numpy as np
import panel as pn

from workbench import solvers
from workbench._support.errors import InputError
from workbench.pages import parts
from workbench.pages.dual_lab import explain
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab.controls import PROBLEM, SECOND, SOLVER, TABLE, USED, Controls
from workbench.pages.dual_lab.figures import HEADS, HOMES, alternates, names_row
from workbench.pages.dual_lab.leave_out import LeaveOut
from workbench.pages.dual_lab.plane import with_plane
from workbench.pages.dual_lab.predictions import QUESTIONS, answer, changes
from workbench.pages.guess_card import GuessCard
from workbench.pages.hand_notes import hand_notes
from workbench.pages.plane import FULL, TOO_FEW
from workbench.pages.scrub_bar import ScrubBar
from workbench.pages.shell import Visit, take_upload
from workbench.pages.staged import StagedPage
from workbench.pages.wasm import bundle
from workbench.problems import losses, regularizers

# The ways a run ends, from bad to good.
ENDED = ("diverged", "max_epochs", "stalled", "converged")
GUESS = "Guess; then A runs as it is, B runs with the change, and the answer appears."
# Figures that others have taken the place of.
GRID = f":host > .wb-away {{ display: none !important; }} :host {{ {HEADS} }}"
NO_POINT = "There are no dual variables to begin with: no run has begun, or they are not finite; press reset."


class DualLabPage(StagedPage):
    """Binds one model to its widgets; every session makes its own."""

    title = "Dual lab"
    names = (*PROBLEM, *SOLVER, *SECOND, "question", "points")
    model_type, drawing_type, controls_type = dual_lab.DualLab, staticmethod(with_plane), Controls
    table, presets, used = TABLE, {name: name for name in dual_lab.PRESETS}, USED
    script = "dual_lab"
    sentences = dual_lab.TEXTS | {"too_few": TOO_FEW, "full": FULL}
    first = ("objective", "margins", "transfer", "weights")
    sliders = ("lam", "scale", "eta", "b_lam", "b_scale")
    data_names = ("source", "signed", "cloud", "points")
    changed_by_hand = ("points",)
    needs = (*StagedPage.needs, "row")
    timed, ghosts = ("objective", "gap"), {"gap": None}
    help = StagedPage.help | {
        "Ctrl Z": "undo the last change of points in the plane",
        "Shift drag": "paint a cloud of points in the plane",
    }

    def __init__(self, model):
        refusals = take_upload(model)
        visit = Visit(model, self.names)
        visit.refusals += refusals
        super().__init__(model, visit)
        # Of this visit, so that an upload goes with it.
        self.samples = functools.lru_cache(2)(dual_lab.samples)
        sheets = [self.look.css, self.look.sheet("certainty")]
        self.stage.param.update(stylesheets=sheets, sizing_mode="stretch_width")
        self.leave_out = LeaveOut(self.look, self)
        self.counts = None  # of the question's runs, once both have ended
        self.guess = GuessCard(self.look, self._guessed, [self.question_list(QUESTIONS)])
        self.captions["plane"] = parts.pane("", self.look)
        self.why = parts.pane("", self.look, margin=(2, 14, 12, 14))
        self.texts["why"] = self.why
        del self.texts["numbers"]  # they stand in the formula
        self.plane = self._plane_card()
        if model.compare:
            both = self.figures.keys()["both"]
            for name, (title, _) in self.figures.titles.items():
                parts.put_key(self.boxes[name], title, both[name], name)
        self.ask()

    def _plane_card(self):
        notes = hand_notes(dual_lab.format_text, TABLE["Problem"]["brush"], self.look)
        return self.card("plane", *self.figures.plane.titles["plane"], *notes)

    def transport(self):
        presses = {"reset": "reset", "step": "step", "epoch": "epoch", "toggle": "run"}
        return ScrubBar(self.look, presses.items())

    def pace(self):
        """One row of transport, and a line of what is said of the run."""
        for line in (self.status, self.computed):
            line.sizing_mode, line.styles, line.margin = None, {"width": "auto"}, (0, 8, 0, 2)
        return [self.bar, pn.FlexBox(self.status, self.computed, margin=0, sizing_mode="stretch_width")]

    def main(self):
        names = parts.pane(names_row(self.captions), self.look, styles={"grid-column": "1 / -1"})
        grid = parts.grid(*self.layout(), names, least=300, two=True)
        grid.stylesheets = [*grid.stylesheets, GRID]
        return [self.stage, self.buttons, grid]

    def layout(self):
        """Each of the first figures, and after it those that take its place.

        An address that names one of these shows it; the projector finds each of them anyhow.
        """
        cards, named = self.boxes | {"plane": self.plane}, self.visit.fixed["figure"]
        shown = {HOMES[named][0]: named} if named in HOMES and not self.visit.fixed["projector"] else {}
        order = [name for home in self.first for name in (home, *alternates(home, cards))]
        for name in order:
            home = HOMES[name][0] if name in HOMES else name
            cards[name].css_classes = [] if shown.get(home, home) == name else ["wb-away"]
        return [cards[name] for name in order]

    def aside(self):
        why = parts.card("Why this update?", self.why, look=self.look)
        return [why, self.guess.card, self.leave_out.card, self.code_card]

    def end(self):
        self.leave_out.end()
        super().end()

    # What a visitor does

    def changed(self, names):
        if {"source", "cloud"} & set(names) and "points" not in names:  # an address has both
            self.model.points = ""  # other points to begin with forget the edits
        self.guess.guess = self.counts = None
        self.leave_out.forget()
        self.follow()

    def tapped(self, place):
        self.leave_out.at(place)

    def change(self, settings):
        """Take edited points."""
        self.guess.guess = None
        self.leave_out.forget()
        super().change(settings)

    def ask(self):
        """Put the chosen question, unanswered."""
        question = QUESTIONS[self.model.question]
        self.guess.ask(question.text, question.options, GUESS)

    def _guessed(self, option):
        before, came = self.model.settings(), self.counts
        self.controls.update({"compare": True} | changes(self.model.question, before))
        self.guess.guess = option
        if self.model.settings() == before:  # what was asked about has been run already
            self.counts = came
            self._reveal()

    # What the browser goes by

    @classmethod
    def facts(cls, model, drawing):
        return {
            "keys": drawing.keys(),
            "rules": explain.rules(),
            "solver": bundle.solver_facts(solvers.GaussSeidel()),
            "epochs": dual_lab.MAX_EPOCHS,
            "statuses": ENDED,
        }

    def served_facts(self):
        return {"plane": self.figures.plane.facts()}

    def settings(self):
        """The model's, how a registry names the terms, and what a notebook calls the data."""
        model, settings = self.model, self.model.settings()
        data, load, bias = dual_lab.entry(model.source)
        own = {f"b_{name}": value for name, value in _terms(dual_lab.second(settings)).items()}
        return (
            settings
            | _terms(settings)
            | own
            | {
                "tolerance": model.tolerance,
                "adds": model.adds,
                "brush": model.brush,
                "about": {"data": data, "load": load, "bias": bias},
            }
        )

    def data(self, key):
        problem, data = self.problem(key), dual_lab.dataset(key)
        samples, test = bundle.data(problem), dual_lab.held_out(data)
        if bundle.size(samples) > dual_lab.MAX_BYTES:
            # What pictures take of it; the server solves.
            samples = {name: samples[name] for name in ("n", "d", "y", "weight")} | {"large": True}
        return bundle.binary(
            samples
            | {
                "test": None if test is None or bundle.size(test) > dual_lab.MAX_BYTES else test,
                "names": [str(name) for name in data.feature_names],
                "constant": dual_lab.entry(key["source"])[2] == "constant",
            }
        )

    def terms(self, key):
        loss, regularizer = losses.get(key["loss"]), regularizers.get(key["regularizer"])
        problem = self.problem(key).replace(loss, regularizer)  # refused where the labels do not suit
        bound = regularizer.curvature if math.isfinite(regularizer.curvature) else None
        more = {"closed": explain.closed_form(loss), "rests": explain.basis(loss)}
        return bundle.binary(
            {
                "loss": bundle.loss_facts(loss) | more,
                "regularizer": bundle.regularizer_facts(regularizer, problem)
                | {"bound": bound, "rests": explain.basis(regularizer)},
            }
        )

    def row(self, key):
        """The entries of one sample of large data."""
        rows, sample = self.problem(key).rows, int(key["sample"])
        if not 0 <= sample < rows.shape[0]:
            raise InputError(f"sample = {sample}: there are {rows.shape[0]}, counted from 0")
        row = rows[[sample]].tocsr()
        return bundle.binary({"indices": row.indices.astype(np.uint32), "values": row.data})

    def problem(self, names):
        return self.samples(names["source"], names["signed"] is True, names["cloud"], names["points"])

    def rests(self, message):
        """The runs rest; `told["came"]` has the counts of both once they have ended."""
        self.counts = message.get("came")
        super().rests(message)
        if self.guess.guess is not None:
            self._reveal()

    def _reveal(self):
        """Compare the guess with what came of the runs, once both have ended."""
        came = answer(self.model.question, self.counts)
        if came is not None:
            option, counts = came
            if option is None:
                self.guess.say(counts)
            else:
                self.guess.reveal(f"{option}, {counts}", QUESTIONS[self.model.question].why, option)

    async def point(self, problem):
        """The dual variables (n,) of the picture that stands in the browser; who uses them certifies them.

        Raises
        ------
        InputError
            There are none.
        """
        try:
            alpha = np.asarray(await self.want("point"), dtype=float)
        except (TypeError, ValueError):
            alpha = np.empty(0)
        if alpha.shape != (problem.n_samples,) or not np.isfinite(alpha).all():
            raise InputError(NO_POINT)
        return alpha


def _terms(settings):
    loss, regularizer, _, options = dual_lab.specification(settings)
    return {"texts": {"loss": loss, "regularizer": regularizer}, "signed": "embed" in options}
