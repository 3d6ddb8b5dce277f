"""The page of inverse time: a sweep over m that fills in, and one run that is played."""

import asyncio
import logging
import time

import numpy as np
import panel as pn
import panel_material_ui as pmui

from workbench.errors import InputError
from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, whole
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import served
from workbench.pages.inverse_time.captions import said
from workbench.pages.inverse_time.figures import RUN, InverseTimeDrawing
from workbench.pages.inverse_time.model import INPUTS, SWEPT
from workbench.pages.inverse_time.sweep import sweep
from workbench.pages.lent import LentPage
from workbench.pages.lent_player import LentPlayer
from workbench.pages.paced import PacedPage, numbers
from workbench.pages.reveal_card import RevealCard

TABLE = {
    "Data and solver": {
        "source": select("Data"),
        "p": linear("p of the regularizer", 0.05),
        "lam": logarithmic("λ, Zhu's σ"),
        "batch": linear("samples per step, k", 1),
        "order": group("Order"),
    },
    "Sweep over m": {
        "measure": select("Quantity to be approximated"),
        "target": logarithmic("target ε"),
        "seeds": linear("training sets for each m", 1),
        "c": logarithmic("c of Theorem 2"),
    },
    "One run": {
        "samples": select("its training samples m"),
        "seed": whole("Seed"),
        "tolerance": select("Stop at a relative gap of"),
    },
}
PRESETS = {
    "Test loss, and Theorem 2": {},
    "The direction, as in Zhu's Figure 9": {"measure": "Direction", "target": 0.2, "lam": 0.01},
    "Accuracy within a hundredth": {"measure": "Test accuracy", "target": 0.01},
    "Suboptimality does not profit": {"measure": "Suboptimality", "target": 0.01, "lam": 0.01},
    "p = 1.5 with batches": {"p": 1.5, "batch": 10, "lam": 0.0006},
    "Breast cancer": {
        "source": inverse_time.CANCER, "measure": "Test accuracy", "target": 0.03, "lam": 0.01,
        "samples": 455,
    },
}  # fmt: skip
QUESTION = (
    "With 128 times as many training samples, does a solver need more time for the same quality on new data?",
    "PGS first needs less time, then the same: a step costs the same for every m, and with more samples a "
    "less accurate solution is good enough. L-BFGS needs more time: each of its iterations visits every "
    "sample. To reach a fixed suboptimality of the training objective, neither becomes faster with more "
    "samples.",
)
# A sweep that goes on is not drawn more often than this.
SWEEP_SECONDS = 0.1
logger = logging.getLogger(__name__)


class InverseTimePlayer(LentPlayer):
    """Plays one PGS run."""

    def take_back(self, report):
        served.take_back(self.lab, report, self.model.tolerance)

    def construct(self, settings):
        return inverse_time.build(settings, self.lab)

    def picture(self):
        return frame(self.lab)

    def play(self, seconds):
        return inverse_time.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        run = self.lab.run
        run.step() if request == "step" else run.epoch()
        run.record()
        run.status = None

    def sentence(self):
        run = self.lab.run
        return said(run.status or "paused", steps=run.steps, tolerance=self.model.tolerance)


def count_of(settings):
    """How many training sets a sweep has."""
    return settings["seeds"] * len(inverse_time.sizes(settings["source"]))


def frame(lab):
    """The curves of the present run."""
    run, rows = lab.run, lab.run.along()
    curves = {name: np.array([row[name] for row in rows], dtype=float) for name in ("step", "gap")}
    curves["average"] = np.array([row["primal"] for row in rows])
    curves["last"], curves["last_gap"] = np.array(run.along("lasts")).T
    # Each dual bound holds for good, so the best one does.
    curves["lower"] = np.maximum.accumulate([row["dual"] for row in rows])
    return {
        "row": run.rows[-1], "at": run.at, "curves": curves, "constants": lab.constants,
        "lam": run.problem.lam,
    }  # fmt: skip


def statistics(lab, frame):
    """The row of numbers in HTML."""
    row, (primal, gap) = frame["row"], lab.run.lasts[-1]
    return numbers((
        (said("number_average"), f"{row['primal']:.5g}", ""),
        (said("number_gap"), f"{row['gap']:.2e}", said("at_most", percent=100.0 * row["relative_gap"])),
        (said("number_last"), f"{primal:.5g}", ""),
        (said("number_last_gap"), f"{gap:.2e}", ""),
        (said("number_steps"), f"{row['step']:,}", said("passes", epoch=row["epoch"])),
        (said("number_score"), said("percent", percent=100.0 * row["test_score"]), ""),
    ))  # fmt: skip


class InverseTimePage(LentPage, PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names = "Inverse time", (*dict.fromkeys((*INPUTS, *SWEPT)), "c", "tolerance")
    unit, timed, ghosts = "step", RUN, {"pgs_gap": "step"}

    def make(self):
        self.drawing = InverseTimeDrawing(self.visit.look)
        self.player = InverseTimePlayer(self.model, self.show, self.tell)
        self.lent = self.player.lent = served.Lent(self)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS
        )
        self._fit_samples()
        self.cells, self.swept, self.wanted = [], None, 0
        self.sweep_wake, self.constants = asyncio.Event(), None
        self.predict = RevealCard(self.visit.look)
        self.ask()
        self.sweep_status = parts.pane("", self.visit.look, margin=(0, 0, 8, 2))
        self.sweep_buttons = [
            pmui.Button(name=name, variant="outlined", size="small", margin=(0, 8, 6, 0), on_click=act)
            for name, act in (
                ("repeat the sweep", lambda event: self.sweep_anew()),
                ("cancel the sweep", lambda event: self.cancel()),
            )
        ]  # fmt: skip

    def main(self):
        *above, cards = super().main()
        buttons = pn.FlexBox(*self.sweep_buttons, margin=(0, 0, 4, 0), sizing_mode="stretch_width")
        return [*above, buttons, self.sweep_status, cards, self.lent.part]

    def aside(self):
        return [self.predict.card, self.code_card]

    def ask(self):
        """Put the question, unanswered."""
        self.predict.ask(*QUESTION)

    def begin(self):
        """Start the player and the sweep."""
        super().begin()
        self.tasks.append(asyncio.ensure_future(self._sweeps()))
        self.sweep_anew()

    def end(self):
        """End with the session."""
        self.wanted += 1
        super().end()
        self.sweep_wake.set()

    def changed(self, names):
        """A control moved: the sweep and the run begin anew where they depend on it."""
        if "source" in names:
            self._fit_samples()
        if set(names) & {*INPUTS, "tolerance"}:
            self.player.restart()
        if set(names) & set(SWEPT):
            self.sweep_anew()
        elif "c" in names and self.swept is not None:
            self._draw_sweep(False)

    def _fit_samples(self):
        """The sizes of the present data as those of the run."""
        found = inverse_time.sizes(self.model.source)
        if self.model.samples not in found:
            self.model.samples = found[-1] if self.model.source == inverse_time.CANCER else 1600
        self.controls.options("samples", {f"{m:,}": m for m in found})

    # The sweep: one slot, the newest wins

    def sweep_anew(self):
        """Ask for a sweep with the present choices; one that goes on is given up."""
        self.wanted += 1
        self.sweep_wake.set()

    def cancel(self):
        """Give up the sweep that goes on; what it has found stays."""
        self.wanted += 1
        if self.swept is not None:
            self._draw_sweep(len(self.cells) < count_of(self.swept))
        self._tell_sweep(said("cancelled", count=len(self.cells)))

    def _tell_sweep(self, sentence, is_error=False):
        parts.put(self.sweep_status, parts.status(sentence, is_error))

    async def _sweeps(self):
        while True:
            await self.sweep_wake.wait()
            self.sweep_wake.clear()
            if self.player.closed:
                return
            try:
                await self._sweep(self.model.settings(), self.wanted)
            except InputError as error:
                await self.locked(lambda text=str(error): self._tell_sweep(text, True))
            except Exception:
                # A bug must not freeze the page; the log has the traceback, the page a sentence.
                logger.exception("the sweep failed")
                await self.locked(lambda: self._tell_sweep("Internal error in the sweep.", True))

    async def _sweep(self, settings, version):
        rows = sweep(settings, lambda: self.wanted != version)
        largest = inverse_time.sizes(settings["source"])[-1]
        # Refused before the old sweep is wiped: a bad choice keeps what was there.
        first = await asyncio.to_thread(next, rows, None)
        problem = await asyncio.to_thread(inverse_time.make_problem, settings, largest, 0)
        if self.wanted != version or first is None:
            return
        people = inverse_time.population(settings["source"])
        self.cells, self.swept = [first], settings
        self.constants = inverse_time.constants(problem, people.reference)
        whole = count_of(settings)
        due = 0.0
        while self.wanted == version:
            running = len(self.cells) < whole
            if not running or time.monotonic() >= due:
                await self._show_sweep(running, whole)
                due = time.monotonic() + SWEEP_SECONDS
            if not running:
                return
            row = await asyncio.to_thread(next, rows, None)
            if row is None or self.wanted != version:
                return
            self.cells.append(row)

    async def _show_sweep(self, running, whole):
        count = len(self.cells)
        sentence = said("sweeping" if running else "swept", count=count, whole=whole)

        def change():
            self._tell_sweep(sentence)
            self._draw_sweep(running)

        await self.locked(change)

    def _draw_sweep(self, running):
        drawn = self.drawing.show_sweep(self.cells, self.swept, self.constants, self.model.c, running)
        for name, text in drawn.items():
            parts.put(self.captions[name], parts.line(text))
        self.put_keys()

    # What the browser plays

    @property
    def shared(self):
        return self.drawing.shared

    def panes(self):
        """The panes that the browser writes into; the sentences under the sweep are the server's."""
        return {name: self.captions[name] for name in RUN} | {"numbers": self.stats, "status": self.status}

    def prepare(self):
        self.put_keys()

    def filled(self, lab, frame):
        """The numbers and the code."""
        parts.put(self.stats, statistics(lab, frame))
        if self.player.playing:
            self.say(said("running", steps=frame["row"]["step"]))
        self.write_code()

    def write_code(self):
        parts.put(self.code, parts.code(inverse_time.code(self.player.lab.settings, self.model.tolerance)))
