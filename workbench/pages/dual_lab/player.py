"""The player of the Dual lab, which plays one configuration, or two side by side."""

import asyncio
import contextlib

from workbench.errors import InputError
from workbench.pages import saddle
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab import served
from workbench.pages.dual_lab.captions import TEXTS, elapsed, said
from workbench.pages.dual_lab.snapshot import snapshot
from workbench.pages.player import Player

# A run that has ended is taken back after this time, unless the problem is left before: pictures go first.
REST_SECONDS = 0.15


class PairPlayer(Player):
    """Plays the runs of a lab's `pair` together."""

    def play(self, seconds):
        return dual_lab.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        if request == "look":
            return
        for lab in self.lab.pair:
            lab.run.status = None
            if request == "step":
                lab.run.step()
            else:
                lab.run.epoch()
            lab.run.record()


class DualLabPlayer(PairPlayer):
    """Plays the Dual lab; its saddle takes longer than all other figures together.

    Attributes
    ----------
    lent : served.Lent or None
        Through it the visitor's browser plays what it can.
    away : bool
        Whether the browser has the lab.
    """

    watched = lent = None
    away = False
    order = report = None

    def ask(self, what):
        self.order = what
        super().ask(what)

    def hear(self, report):
        """A report of the browser; the last one counts."""
        self.report = report
        self._wake.set()

    async def _work(self):
        if self.away and not self.stale:
            await self._elsewhere()
        else:
            await super()._work()

    async def _elsewhere(self):
        """Hand on what is asked of the lab that the browser has, or take back one that rests."""
        self.request, order = None, self.order
        if order is not None:
            self.order = None
            await self.lent.send(order)
            return
        report, self.report = self.report, None
        if report is None or report.get("turn") != self.lent.turn:
            return
        self.playing = False
        if report.get("status") is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(REST_SECONDS):
                    await self._wake.wait()
        if self.stale or self.order is not None or self.closed:
            return
        try:
            await asyncio.to_thread(self._take_back, report)
        except InputError as error:
            self.restart()
            self.lent.refuse(str(error))
            return
        if not (self.stale or self.order is not None or self.closed):
            await self.lent.settle(self.lab)

    def _take_back(self, report):
        if isinstance(report.get("failed"), str):
            raise InputError(said("failed", reason=report["failed"][:200]))
        served.take_back(self.lab.run, report, self.model.tolerance)

    async def handed_over(self):
        if self.lent is None:
            return False
        order = "run" if self.playing else self.request or ""
        if not await self.lent.takes(self.lab):
            if self.away:
                self.away = False
                await self.lent.leave()
            return False
        self.request = self.order = None
        self.away = True
        await self.lent.begin(self.lab, order)
        return True

    async def _give_up(self, sentence):
        if self.away:
            await self.lent.send("halt")
        await super()._give_up(sentence)

    def construct(self, settings):
        self.watched = None
        return dual_lab.build(settings, self.lab)

    def picture(self):
        return snapshot(self.lab, self._sample() if self.slow_part_due() else None)

    def _sample(self):
        """The sample whose saddle is drawn."""
        run = self.lab.run
        if self.watched is None or run.epochs < 1.0:
            # Kept for the rest of a run: a picture that jumps between samples shows no closing gap.
            sample = saddle.watched(run)
            self.watched = sample if run.epochs >= 1.0 else None
            return sample
        return self.watched

    def sentence(self):
        run = self.lab.run
        status = run.status if run.status in TEXTS else "paused"
        return said(status, tolerance=self.model.tolerance, elapsed=elapsed(run.rows[-1]))
