"""The player of the Dual lab, which plays one configuration, or two side by side."""

from workbench.pages import saddle
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.dual_lab import served
from workbench.pages.dual_lab.captions import TEXTS, elapsed, said
from workbench.pages.dual_lab.snapshot import snapshot
from workbench.pages.lent_player import LentPlayer
from workbench.pages.player import Player


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


class DualLabPlayer(LentPlayer, PairPlayer):
    """Plays the Dual lab; its saddle takes longer than all other figures together."""

    watched = None

    def take_back(self, report):
        served.take_back(self.lab.run, report, self.model.tolerance)

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
