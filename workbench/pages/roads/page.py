"""The page of roads: several solvers on one problem, pass by pass, over its saddle and to one certificate."""


from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch, whole
from workbench.pages.guess_card import GuessCard
from workbench.pages.paced import PacedPage, numbers
from workbench.pages.player import Player
from workbench.pages.roads import model as roads
from workbench.pages.roads.figures import START, RoadsDrawing, table
from workbench.pages.roads.model import APART, BOUNDS, CANCER, INPUTS, MARKS, ONE, ROADS
from workbench.pages.time_marks import curve

TABLE = {
    "Problem": {
        "source": select("Data"),
        "loss": select("Loss"),
        "regularizer": select("Regularizer"),
        "lam": logarithmic("λ weight"),
        "epsilon": linear("ε sparsity"),
        "intercept": switch("free intercept"),
    },
    "Roads": {
        "tolerance": select("Stop at a relative gap of"),
        "seed": whole("Random seed"),
    },
    "The saddle": {"zoom": group("Magnification")},
}
PRESETS = {
    "One weight: a spiral and a staircase": {},
    "The last turns, ten times closer": {"zoom": 10},
    "Samples that disagree": {"source": APART, "lam": 0.01},
    "One sample: the saddle is the problem": {"source": ONE, "loss": "Logistic", "lam": 0.01},
    "A smooth loss: all methods but one": {"source": "Overlapping", "loss": "Logistic", "lam": 0.01},
    "A free intercept": {"source": "Overlapping", "loss": "Smoothed hinge", "intercept": True},
    "ℓ1 has no smooth conjugate": {"source": "Overlapping", "loss": "Logistic", "regularizer": "ℓ1"},
    "Breast cancer": {"source": CANCER, "loss": "Logistic", "lam": 0.01},
    "Breast cancer, hinge and elastic net": {"source": CANCER, "regularizer": "Elastic net", "lam": 0.01},
}  # fmt: skip
NOTE = (
    "A pass visits every sample once: n coordinate steps, or one step of Frank-Wolfe, PDHG or the proximal "
    "gradient, each of which multiplies once with X and once with its transpose. With many variables those "
    "that are not drawn change as well, so that a path may leave the line that it follows with one weight."
)
FORMULA = (
    r"$R = \lambda g(w) - \tfrac{1}{n}\sum_i \bigl[k(-\alpha_i) + \alpha_i w^\top x_i\bigr]$"
    "\n"
    r"$P(w) = \max_\alpha R(w, \alpha)$"
    "\n"
    r"$-D(\alpha) = \min_w R(w, \alpha)$"
    "\n"
    r"$\mathrm{gap} = P(w) + D(\alpha) \ge 0$"
)
SOURCE = "Zhang (2002), (4); Chambolle and Pock (2011); Bach (2015); docs/mathematics.md, section 12"
DECIDING = MARKS[1]
WHY = (
    "No method wins everywhere. A coordinate step uses the curvature of its own sample at once, and zigzags "
    "where samples pull the same weights; Frank-Wolfe's gap falls like one over the number of "
    "passes where k is linear; PDHG's steps use only the norm of X."
)
PASSES = 10


class RoadsPlayer(Player):
    """Plays all roads, pass by pass."""

    def construct(self, settings):
        return roads.build(settings, self.lab)

    def picture(self):
        return roads.frame(self.lab, self.model.zoom)

    def play(self, seconds):
        return roads.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        if request == "look":
            return
        going = [road for road in self.lab.roads.values() if road.status != "converged"]
        for road in going or self.lab.roads.values():
            road.status = None
        for _ in range(1 if request == "step" else PASSES):
            roads.move(self.lab, self.model.tolerance)

    @property
    def runs(self):
        return list(self.lab.roads.values())

    def sentence(self):
        lab, goal = self.lab, self.model.tolerance
        count, after = len(lab.roads), spelled(lab.passes)
        done = sum(road.rows[-1]["relative_gap"] <= goal for road in lab.roads.values())
        if done == count:
            return f"Reached: all {count} methods have a relative gap of {goal:g}, after at most {after}."
        if all(road.status is not None for road in lab.roads.values()):
            return (
                f"Stopped after {after}: {done} of {count} methods reached {goal:g}; press run to continue."
            )
        return f"Paused after {after}."


class RoadsPage(PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names, leap = "Roads", (*INPUTS, "tolerance", "zoom"), f"{PASSES} passes"
    unit, timed, ghosts = "pass", ("gaps", "above", "below"), {"gaps": "epoch"}

    def make(self):
        look = self.visit.look
        self.drawing = RoadsDrawing(look)
        self.player = RoadsPlayer(self.model, self.show, self.tell)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS, _visible
        )
        self.predict = GuessCard(look, self._guessed)
        self.offered = tuple(ROADS)
        self.table = parts.pane("", look, margin=(2, 12, 10, 12))
        self.ask()

    def main(self):
        listed = parts.card("Passes to each certified gap", self.table, look=self.look)
        saddle, *others = self.cards.values()
        cards = parts.grid(saddle, listed, *others, least=round(330 * self.look.scale))
        return [self.stats, self.buttons, cards]

    def aside(self):
        look = self.look
        note = parts.pane(f"<div class='wb-note'>{NOTE}</div>", look, margin=(0, 14, 4, 14))
        source = parts.pane(f"<div class='wb-source'>{SOURCE}</div>", look, margin=(0, 14, 10, 14))
        return [
            self.predict.card,
            parts.card("The saddle and the gap", parts.formulas(FORMULA, look), note, source, look=look),
            self.code_card,
        ]  # fmt: skip

    def time_of(self, run, entry, label):
        return max(run.epochs_of(entry), START)

    def traces(self, lab):
        return {"gaps": curve(*lab.roads.values(), gap=lambda row: row["relative_gap"])}

    def changed(self, names):
        """A control moved: what is computed begins anew, what is looked at is drawn anew."""
        if set(names) <= {"zoom"}:
            self.player.look()
            return
        self.ask()
        self.player.restart()

    # The question

    def ask(self):
        """Ask about a λ that is not shown: a tenth of the present one, or ten times it."""
        self.text, self.target = asked(self.model.lam)
        hint = "Guess; then the methods run with this λ, and the answer appears."
        self.predict.ask(self.text, self.offered, hint)

    def _guessed(self, option):
        # The λ that the text names; the question stays until it is answered.
        self.controls.set({"lam": self.target})
        self.player.restart()
        self.predict.guess = option

    def settled(self, lab):
        if self.predict.guess is not None and lab.settings["lam"] == self.target:
            option, said = came(lab, self.predict.guess)
            self.predict.reveal(said, WHY, right=option)

    def filled(self, lab, frame):
        """The numbers, the table, the roads that can be guessed, and the code."""
        parts.put(self.stats, statistics(lab, frame))
        parts.put(self.table, table(frame["table"], lab.refused, self.look))
        if self.offered != tuple(lab.roads):
            self.offered = tuple(lab.roads)
            self.ask()
        if self.player.playing:
            self.say(f"Running: {spelled(frame['passes'])}")
        parts.put(self.code, parts.code(roads.code(lab, self.model.tolerance)))


def spelled(passes):
    """A number of passes in words."""
    return f"{passes:g} pass{'' if passes == 1 else 'es'}"


def asked(lam):
    """The text of the question and the λ that it asks about."""
    target = float(f"{lam / 10.0:.2g}")
    if target < BOUNDS["lam"][0]:
        target = min(float(f"{10.0 * lam:.2g}"), BOUNDS["lam"][1])
    return f"At λ = {target:g}: which method is the first to certify a relative gap of {DECIDING:g}?", target


def came(lab, guess):
    """The road that was first, the guessed one where several were, and the sentence that says so."""
    names, passes = roads.winners(lab, DECIDING)
    if not names:
        return None, f"none has certified {DECIDING:g} within {spelled(lab.passes)}"
    return (guess if guess in names else names[0]), f"{' and '.join(names)}, after {spelled(passes)}"


def statistics(lab, frame):
    """The row of numbers in HTML."""
    low, high = frame["bracket"]
    best = min(frame["table"], key=lambda row: row.relative_gap)
    done = sum(row.first[-1] is not None for row in frame["table"])
    return numbers((
        ("passes", f"{frame['passes']:g}", ""),
        ("optimum", f"{high:.7g}", f"± {max(high - low, 0.0):.0e}"),
        ("smallest gap", f"{best.relative_gap:.1e}", best.name),
        (f"certified to {MARKS[-1]:g}", f"{done}", f"of {len(frame['table'])} methods"),
        ("λ", f"{lab.run.problem.lam:.4g}", ""),
    ))  # fmt: skip


def _visible(model):
    return {"epsilon": model.regularizer == "Elastic net"}
