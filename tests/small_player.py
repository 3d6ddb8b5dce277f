"""A player of one run, as pages have that Python draws."""

import time

from workbench.pages.kept_run import KeptRun
from workbench.pages.player import Player


class Lab:
    """A run and the settings that it is of."""

    def __init__(self, run, settings):
        self.run, self.settings, self.pair = run, settings, (self,)


class SmallPlayer(Player):
    """Plays a `KeptRun` of `model.problem(settings)` to a relative gap of 1e-4."""

    def construct(self, settings):
        run = KeptRun(self.model.problem(settings), "gauss-seidel")
        run.record()
        return Lab(run, settings)

    def play(self, seconds):
        run, deadline = self.lab.run, time.perf_counter() + seconds
        while True:
            run.epoch()
            if run.record().relative_gap <= 1e-4:
                run.status = "converged"
                return True
            if time.perf_counter() >= deadline:
                return False

    def do(self, request):
        self.lab.run.status = None
        if request != "look":
            getattr(self.lab.run, request)()
            self.lab.run.record()

    def picture(self):
        return {"row": self.lab.run.rows[-1]}

    def sentence(self):
        run = self.lab.run
        return f"{'Reached it' if run.status else 'Paused'} after {run.steps} steps"
