"""The page of norms: FISTA with its raw and repaired gaps, the dual ball, the tree's bisection."""

from workbench.pages import parts
from workbench.pages.controls import Controls, group, linear, logarithmic, select, switch
from workbench.pages.lent import LentPage
from workbench.pages.lent_player import LentPlayer
from workbench.pages.norms import model as norms
from workbench.pages.norms import served
from workbench.pages.norms.captions import beside_one, said
from workbench.pages.norms.figures import HIDES, NormsDrawing
from workbench.pages.norms.frame import frame
from workbench.pages.norms.model import INPUTS, VIEWS
from workbench.pages.paced import PacedPage, numbers
from workbench.pages.reveal_card import RevealCard
from workbench.pages.time_marks import curve

TABLE = {
    "Problem": {
        "source": select("Data"),
        "loss": select("Loss"),
        "norm": select("Regularizer"),
        "ratio": logarithmic("λ / λ_max"),
        "epsilon": linear("ε sparsity"),
        "share": logarithmic("share of the ℓ1 part"),
        "decay": logarithmic("weight of a level over the one below"),
    },
    "Intercept": {
        "intercept": switch("free intercept"),
        "best": switch("κ at the best intercept"),
    },
    "FISTA": {
        "step": group("Step size"),
        "restart": switch("restart the momentum"),
        "tolerance": select("Stop at a relative gap of"),
    },
    "View": {
        "first": select("Section along"),
        "second": select("Section across"),
        "halving": linear("Halving of the bisection", 1),
    },
}
PRESETS = {
    "Which groups count": {},
    "An intercept: κ must sum to zero": {"norm": "ℓ1", "ratio": 0.3},
    "Without an intercept": {"norm": "ℓ1", "ratio": 0.3, "intercept": False},
    "All weights are zero: λ above λ_max": {"ratio": 1.1},
    "Breast cancer, a tree of measurements": {
        "source": "Breast cancer", "loss": "Logistic", "norm": "Tree", "ratio": 0.1,
    },
    "Groups within groups: sparse group": {"norm": "Sparse group", "share": 0.5, "ratio": 0.05},
    "No ball: the elastic net": {"norm": "Elastic net", "ratio": 0.2},
    "Refused: groups that cross": {"norm": "Crossing groups"},
}  # fmt: skip
# By regularizer: a question, its answer, and HIDES where the section would give it away.
QUESTIONS = {
    "ℓ1": ("Where in its square is the repaired v of a feature whose weight is not zero?",
           "On an edge: |v_j| = 1 there, with the sign of the weight. Inside |v_j| < 1 the weight is zero."),
    "ℓ2": ("Let λ fall. Do some weights stay zero?",
           "No: the dual ball is round, so all weights leave zero together, at λ_max."),
    "ℓ∞": ("Many weights end at the same magnitude. What is v of the others?",
           "Zero: a weight below the largest magnitude adds nothing to the norm, so its v must vanish."),
    "Elastic net": ("Why is there no repair by scaling here?",
                    "h is finite for every v, so D is as well. Only an intercept makes it infinite."),
    "Group ℓ1/ℓ2": ("Choose two features of one group, then of two groups. What is the shape of the section?",
                    "A disc within a group, a rectangle across two: the dual norm is the largest length.",
                    HIDES),
    "Group ℓ1/ℓ∞": ("What is the shape of the section within one group?",
                    "A diamond: the dual of the largest magnitude is the sum of magnitudes.", HIDES),
    "Sparse group": ("Can a single feature have weight zero in a group that is not zero?",
                     "Yes: the ℓ1 part sets single weights to zero in groups that are not zero."),
    "Tree": ("Which weights vanish together when a node of the tree does?",
             "All below it. A leaf may vanish alone, a branch only with its leaves."),
    "Crossing groups": ("Why is this refused?",
                        "The pass from the leaves to the root is the prox for nested groups only."),
}  # fmt: skip
STEPS_AT_ONCE = 10


class NormsPlayer(LentPlayer):
    """Plays FISTA; the edge of the dual ball takes longer than all else."""

    def take_back(self, report):
        served.take_back(self.lab.run, report, self.model.tolerance)

    def construct(self, settings):
        return norms.build(settings, self.lab)

    def picture(self):
        model = self.model
        shown = frame(self.lab, model.first, model.second, self.slow_part_due())
        return shown | {"halving": model.halving}

    def play(self, seconds):
        return norms.play(self.lab, seconds, self.model.tolerance)

    def do(self, request):
        for _ in range({"look": 0, "step": 1}.get(request, STEPS_AT_ONCE)):
            self.lab.run.step()
            self.lab.run.record()
            self.lab.run.status = None

    def sentence(self):
        run = self.lab.run
        return said(run.status or "paused", steps=run.steps, tolerance=self.model.tolerance)


class NormsPage(LentPage, PacedPage):
    """Binds one model to its widgets; every session makes its own."""

    title, names, leap = "Norms", (*INPUTS, "tolerance", *VIEWS), "10 steps"
    first = ("norm_gaps", "ball", "bisection")
    unit, timed, ghosts = "step", ("norm_gaps", "norm_bounds"), {"norm_gaps": "step"}

    def make(self):
        self.drawing = NormsDrawing(self.visit.look)
        self.player = NormsPlayer(self.model, self.show, self.tell)
        self.lent = self.player.lent = served.Lent(self)
        self.controls = Controls(
            TABLE, self.model, self.visit, self.changed, self.refuse, PRESETS, _visible
        )
        self._list_features()
        look = self.visit.look
        self.predict = RevealCard(look, turned=self._turned)
        self.ask()

    def main(self):
        self.cards["bisection"].visible = self.model.norm == "Tree"
        return [*super().main(), self.lent.part]

    def aside(self):
        look = self.visit.look
        how = parts.formulas(REPAIR, look)
        source = parts.pane(
            "<div class='wb-source'>Mairal, SPAMS, appendix A</div>", look, margin=(0, 14, 10, 14)
        )
        return [
            parts.card("The repair", how, source, look=look),
            self.predict.card,
            self.code_card,
        ]

    def changed(self, names):
        """A control moved: what is computed begins anew, what is looked at is drawn anew."""
        if "source" in names:
            self._list_features()
        if "norm" in names:
            self.ask()
            self.cards["bisection"].visible = self.model.norm == "Tree"
        if set(names) <= set(VIEWS):
            self.lent.look()
            self.player.look()
        else:
            self.player.restart()

    def _list_features(self):
        """The features of the present data as those of the section."""
        names = norms.load(self.model.source).names
        for name in ("first", "second"):
            if getattr(self.model, name) >= len(names):
                setattr(self.model, name, ("first", "second").index(name))
            self.controls.options(name, {str(label): j for j, label in enumerate(names)})

    def ask(self):
        """Put the question of the present regularizer, unanswered."""
        self.predict.ask(*QUESTIONS[self.model.norm][:2])
        if self.visit.fixed["story"]:  # which shows what it tells of
            self.predict.turn()

    def traces(self, lab):
        return {"norm_gaps": curve(lab.run, trace="gaps", gap=lambda gaps: gaps.repaired)}

    def _turned(self, shown):
        """A question about the shape of the section hides it until the answer is shown."""
        self.drawing.hide_section(len(QUESTIONS[self.model.norm]) > 2 and not shown)
        self.put_keys()

    def filled(self, lab, frame):
        """The numbers and the code."""
        parts.put(self.stats, statistics(frame))
        if self.player.playing:
            self.say(said("running", steps=frame["row"]["step"]))
        self.write_code()

    def write_code(self):
        parts.put(self.code, parts.code(norms.code(self.player.lab, self.model.tolerance)))

    # What the browser plays

    @property
    def shared(self):
        return self.drawing.shared

    def prepare(self):
        self.put_keys()


def statistics(frame):
    """The row of numbers in HTML."""
    row, gaps = frame["row"], frame["gaps"]
    norm, away = said("no_norm"), ""
    if frame["is_norm"]:
        norm, away = f"{gaps.dual_norm:.5g}", beside_one(gaps.dual_norm)
    return numbers((
        (said("number_primal"), f"{row['primal']:.6g}", ""),
        (said("number_lower"), f"{row['primal'] - gaps.better:.6g}", ""),
        (said("number_raw"), "∞" if gaps.raw == float("inf") else f"{gaps.raw:.2e}", ""),
        (said("number_repaired"), f"{gaps.repaired:.2e}", ""),
        (said("number_norm"), norm, away),
        (said("number_lam"), f"{frame['lam']:.4g}", said("largest", largest=frame["largest"])),
    ))  # fmt: skip


def _visible(model):
    return {
        "epsilon": model.norm == "Elastic net",
        "share": model.norm == "Sparse group",
        "decay": model.norm == "Tree",
        "halving": model.norm == "Tree",
        "best": model.intercept,
    }


REPAIR = (
    r"$\kappa = \nabla f(Xw + b)$, $\;v = -X^\top\kappa/\lambda$"
    "\n"
    r"$\textstyle\sum_i \kappa_i = 0$ for a free intercept"
    "\n"
    r"$\kappa \leftarrow \kappa \cdot \min\bigl(1,\, 1/\lVert v\rVert_*\bigr)$"
)
