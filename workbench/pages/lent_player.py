"""A player whose runs the visitor's browser plays, as far as it can."""

import asyncio
import contextlib

from workbench.errors import InputError
from workbench.pages.lent import FAILED
from workbench.pages.player import Player, Seek

# A run that has ended is taken back after this time, unless the problem is left before: pictures go first.
REST_SECONDS = 0.15


class LentPlayer(Player):
    """A player with `take_back(report)`, which is called in a thread.

    Attributes
    ----------
    lent : lent.Lent or None
        Through it the visitor's browser plays what it can.
    away : bool
        Whether the browser has the lab.
    """

    lent = None
    away = False
    order = report = None

    def take_back(self, report):
        """Put the lab where the browser's has come to rest, and certify it; raises an `InputError`."""
        raise NotImplementedError

    def ask(self, what):
        self.order = what
        super().ask(what)

    def seek(self, place):
        self.order = Seek(place)
        super().seek(place)

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
            raise InputError(FAILED.format(reason=report["failed"][:200]))
        self.take_back(report)

    async def handed_over(self):
        if self.lent is None or isinstance(self.request, Seek):
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
