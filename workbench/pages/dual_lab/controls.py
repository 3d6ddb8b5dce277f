"""The controls of the Dual lab: one widget a choice of the model, and which of them are shown."""

from workbench._support.errors import InputError
from workbench.pages import controls
from workbench.pages.controls import table
from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.wording import content

TABLE = table(content("dual_lab")["controls"])
PROBLEM, _solver, _stop, SECOND = map(tuple, TABLE.values())
SOLVER = (*_solver, *_stop)


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
