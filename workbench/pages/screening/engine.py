"""The engine of the page of screening: three runs on one problem, and what one picture shows of them."""

from workbench._support.display import words
from workbench.pages import parts
from workbench.pages.played import PlayedEngine
from workbench.pages.screening import model as screening
from workbench.pages.screening.figures import picture
from workbench.pages.screening.frame import frame, selectable
from workbench.pages.screening.questions import QUESTIONS, came


class ScreeningEngine(PlayedEngine):
    """Plays three runs of coordinate descent."""

    model_type = screening.ScreeningModel

    def build(self, settings, previous):
        return screening.build(settings, previous)

    def move(self, request):
        for run in self.lab.runs.values():
            run.status = None
        screening.move(self.lab, 1 if request == "step" else self.lab.run.epoch_steps)

    def play(self, seconds, tolerance):
        return screening.play(self.lab, seconds, tolerance)

    def over(self, ended):
        stalled = self.lab.run.status == "stalled"
        return self.lab.run.status if ended or stalled else None

    def row(self, place):
        longest, run = self.lab.longest.rows[place], self.lab.run
        step, epoch = longest["step"], longest["epoch"]
        return {"step": step, "epoch": epoch, "time": epoch, "epochs": run.rows[run.at(place)]["epoch"]}

    def picture(self, model, place):
        data = frame(self.lab, model.first, model.second, model.window, place)
        result = picture(data)
        result.texts["numbers"] = statistics(data)
        return result

    def code(self, model):
        return screening.code(self.lab, model.tolerance)

    def summary(self):
        """The settings, the blocks that can span the plane, and what each question comes to."""
        outcomes = {name: came(name, self.lab) for name in QUESTIONS}
        return {"settings": self.lab.settings, "listed": list(selectable(self.lab)), "outcomes": outcomes}


def statistics(frame):
    """The row of numbers in HTML."""
    marks = frame["marks"]
    return parts.numbers(
        (
            ("discarded", f"{marks['discarded']:,}", f"of {marks['total']:,}"),
            ("before the solve", f"{marks['first']:,}", ""),
            (
                "not zero now",
                f"{marks['nonzero']:,}",
                f"{marks['kept']:,} for certain" if marks["kept"] else "",
            ),
            ("certified gap", f"{frame['gap']:.2e}", f"≤ {words.percent(frame['relative_gap'])}"),
            ("radius", f"{frame['plane']['balls']['both'][1]:.3g}", ""),
            ("λ", f"{frame['lam']:.4g}", f"λ_max {frame['largest']:.4g}"),
        )
    )
