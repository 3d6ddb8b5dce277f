"""The engine of the page of roads: several solvers on one problem, and what one picture shows of them."""

from workbench.pages import parts
from workbench.pages.played import PlayedEngine
from workbench.pages.roads import model as roads
from workbench.pages.roads.figures import START, picture, table
from workbench.pages.roads.model import MARKS

# The gap that decides who is first, and the passes of one press of the button for many.
DECIDING, PASSES = MARKS[1], 10


class RoadsEngine(PlayedEngine):
    """Plays all roads, pass by pass."""

    model_type = roads.RoadsModel

    def build(self, settings, previous):
        return roads.build(settings, previous)

    def move(self, request):
        every = self.lab.roads.values()
        for road in [road for road in every if road.status != "converged"] or every:
            road.status = None
        for _ in range(1 if request == "step" else PASSES):
            roads.move(self.lab, self.tolerance)

    def play(self, seconds, tolerance):
        return roads.play(self.lab, seconds, tolerance)

    def over(self, ended):
        row = self.row(self.count - 1)
        return "converged" if row["done"] == row["count"] else "max_epochs" if ended else None

    def row(self, place):
        """Passes, and how many roads have come to the tolerance of the run."""
        every = self.lab.roads.values()
        words = self.lab.words
        here = [road.rows[road.at(place)] for road in every]
        passes = max(row["epoch"] for row in here)
        count = sum(row["relative_gap"] <= self.tolerance for row in here)
        return {
            "step": place,
            "epoch": passes,
            words.unit: passes,
            "passes": passes,
            "time": max(passes, START),
            "done": count,
            "count": len(here),
            "unit": words.unit,
            "units": words.units,
            "many": words.many,
        }

    def picture(self, model, place):
        frame = roads.frame(self.lab, model.zoom, place)
        result = picture(frame, self.look)
        result.texts |= {
            "numbers": statistics(self.lab, frame),
            "table": table(frame["table"], self.lab.refused, self.look, self.lab.words.units),
        }
        return result

    def code(self, model):
        return roads.code(self.lab, model.tolerance)

    def summary(self):
        """The settings, the roads that there are, and those that were first, also in a sentence."""
        (names, text), lab = first_roads(self.lab), self.lab
        return {"settings": lab.settings, "roads": list(lab.roads), "first": list(names), "said": text}


def spelled(passes, words):
    """A number of passes, or rounds, in words."""
    return f"{passes:g} {words.unit if passes == 1 else words.units}"


def first_roads(lab):
    """The roads that were first, and the sentence that says so."""
    names, passes = roads.winners(lab, DECIDING)
    if not names:
        return (), f"none has certified {DECIDING:g} within {spelled(lab.passes, lab.words)}"
    return names, f"{' and '.join(names)}, after {spelled(passes, lab.words)}"


def statistics(lab, frame):
    """The row of numbers in HTML."""
    low, high = frame["bracket"]
    best = min(frame["table"], key=lambda row: row.relative_gap)
    count = sum(row.first[-1] is not None for row in frame["table"])
    return parts.numbers(
        (
            (lab.words.units, f"{frame['passes']:g}", ""),
            ("optimum", f"{high:.7g}", f"± {max(high - low, 0.0):.0e}"),
            ("smallest gap", f"{best.relative_gap:.1e}", best.name),
            (f"certified to {MARKS[-1]:g}", f"{count}", f"of {len(frame['table'])} {lab.words.many}"),
            ("λ", f"{lab.run.problem.lam:.4g}", ""),
        )
    )
