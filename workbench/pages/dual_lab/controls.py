"""The controls of the Dual lab: one widget a choice of the model, and which of them are shown."""

from workbench.data import store
from workbench.errors import InputError
from workbench.pages import controls
from workbench.pages.controls import group, linear, logarithmic, select, switch, whole
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.hand_notes import BRUSH

TABLE = {
    "Problem": {
        "source": select("Data", write=store.label),
        "cloud": select("Points to begin with"),
        "adds": group("A click adds a point of class"),
        "brush": switch(BRUSH),
        "loss": select("Loss"),
        "regularizer": select("Regularizer"),
        "lam": logarithmic("λ weight of the regularizer"),
        "epsilon": linear("ε sparsity", 0.01),
        "tube": linear("ε tube of the loss", 0.01),
        "mu": logarithmic("μ prior of the weights"),
        "q": linear("q exponent", 0.1),
    },
    "Dual Gauss-Seidel": {
        "update": group("Update"),
        "order": group("Order"),
        "scale": logarithmic("t scale of the step"),
        "eta": logarithmic("η step of the gradient update"),
        "tolerance": select("Stop at a relative gap of"),
        "seed": whole("Seed"),
    },
    "Compare": {
        "compare": switch("Compare with a second configuration"),
        "b_loss": select("B: loss"),
        "b_regularizer": select("B: regularizer"),
        "b_lam": logarithmic("B: λ"),
        "b_update": group("B: update"),
        "b_scale": logarithmic("B: t"),
    },
}
PROBLEM, SOLVER, SECOND = map(tuple, TABLE.values())


class Controls(controls.Controls):
    """The controls of a Dual lab, whose second configuration follows the first."""

    def _accept(self, name):
        """The second configuration starts as the first, so that what differs is what one changes."""
        if name == "compare" and self.model.compare:
            self.set({f"b_{own}": getattr(self.model, own) for own in dual_lab.OWN})
        super()._accept(name)

    def preset(self, name):
        """Load a preset and begin anew; the tolerance stays."""
        try:
            dual_lab.apply(self.model, name)
        except (InputError, ValueError):
            self.refuse(f"The preset “{name}” needs data that are not on this machine; choose another.")
            return
        self.follow()
        self.changed(tuple(self.widgets))

    def reveal(self):
        super().reveal()
        model = self.model
        # Not hidden: that the rate belongs to one of the updates is part of the lesson.
        uses_rate = model.update == "gradient" or (model.compare and model.b_update == "gradient")
        self.widgets["eta"].disabled = not uses_rate


# The second configuration, too, uses the parameters of its terms.
USED = (
    {
        name: [*conditions, {"compare": [True]} | {f"b_{kind}": each for kind, each in conditions[0].items()}]
        for name, conditions in dual_lab.USED.items()
    }
    | {name: [{"source": [dual_lab.PLANE]}] for name in ("cloud", "adds", "brush")}
    | {"seed": [{"order": ["shuffled"]}]}
    | {f"b_{name}": [{"compare": [True]}] for name in dual_lab.OWN}
)
