"""The controls of the Dual lab: one widget a choice of the model, and which of them are shown."""

import panel_material_ui as pmui

from workbench.data import store
from workbench.errors import InputError
from workbench.views import dual_lab, parts
from workbench.views.predictions import changes
from workbench.views.presets import PRESETS, apply

LOGARITHMIC = {
    "lam": "λ weight of the regularizer",
    "mu": "μ prior of the weights",
    "scale": "t scale of the step",
    "eta": "η step of the gradient update",
    "b_lam": "B: λ",
    "b_scale": "B: t",
}
LINEAR = {"epsilon": ("ε sparsity", 0.01), "tube": ("ε tube of the loss", 0.01), "q": ("q exponent", 0.1)}
SELECTS = {
    "source": "Data", "loss": "Loss", "regularizer": "Regularizer",
    "b_loss": "B: loss", "b_regularizer": "B: regularizer",
}  # fmt: skip
GROUPS = {"update": "Update", "order": "Order", "b_update": "B: update"}
PROBLEM = ("source", "loss", "regularizer", "lam", "epsilon", "tube", "mu", "q")
SOLVER = ("update", "order", "scale", "eta", "tolerance", "seed")
SECOND = ("compare", "b_loss", "b_regularizer", "b_lam", "b_update", "b_scale")


class Controls:
    """Binds the model's choices to widgets, both ways.

    Parameters
    ----------
    model : DualLab
    visit : shell.Visit
    changed : callable
        Called after the model took new values.
    refuse : callable
        Takes a sentence.

    Attributes
    ----------
    widgets : dict of str to widget
    """

    def __init__(self, model, visit, changed, refuse):
        self.model, self.visit, self.changed, self.refuse = model, visit, changed, refuse
        self.widgets = {name: self._make(name) for name in (*PROBLEM, *SOLVER, *SECOND)}
        self._quiet = False
        parts.lay_out(*self.widgets.values())
        for name, widget in self.widgets.items():
            widget.param.watch(lambda event, name=name: self._moved(name, event.new), "value")
        self.presets = parts.preset_select({name: name for name in PRESETS}, self.preset)
        parts.lay_out(self.presets)
        self.reveal()

    def _make(self, name):
        model, value = self.model, getattr(self.model, name)
        if name in LOGARITHMIC:
            return parts.log_slider(value, LOGARITHMIC[name], *model.param[name].bounds)
        if name in LINEAR:
            label, step = LINEAR[name]
            low, high = model.param[name].bounds
            return pmui.FloatSlider(name=label, start=low, end=high, step=step, value=value)
        if name in GROUPS:
            return parts.choice(GROUPS[name], model.param[name].objects, value)
        if name == "compare":
            return pmui.Switch(name="Compare with a second configuration", value=value)
        if name == "seed":
            # Spinners come without names for those who hear the page.
            return pmui.TextInput(name="Seed", value=str(value), size="small")
        if name == "tolerance":
            options = {f"{each:g}": each for each in model.param[name].objects}
            return pmui.Select(name="Stop at a relative gap of", options=options, value=value, size="small")
        options = list(model.param[name].objects)
        if name == "source":
            options = {store.label(each): each for each in options}
        return pmui.Select(name=SELECTS[name], options=options, value=value, size="small")

    def _moved(self, name, value):
        """One control moved: the old state stays where the model refuses the value."""
        if self._quiet:
            return
        try:
            setattr(self.model, name, int(value) if name == "seed" else value)
        except ValueError:
            low, high = getattr(self.model.param[name], "bounds", None) or (
                "the first",
                "the last of its list",
            )
            self.refuse(f"{name} = {str(value)[:60]!r} is refused; choose a value from {low} to {high}.")
            self.follow()
            return
        if name == "compare" and value:
            self._start_second()
        self.reveal()
        self.changed()

    def _start_second(self):
        """The second configuration starts as what the chosen question asks about."""
        self.update(changes(self.model.question, self.model.settings()))

    def update(self, values):
        """Set several of the model's values at once, and the widgets after them."""
        self.model.param.update(**values)
        self.follow()

    def preset(self, name):
        """Load a preset and begin anew."""
        try:
            apply(self.model, name)
        except (InputError, ValueError):
            self.refuse(f"The preset “{name}” needs data that are not on this machine; choose another.")
            return
        self.follow()
        self.changed()

    def follow(self):
        """Let the widgets show what the model holds."""
        self._quiet = True
        try:
            for name, widget in self.widgets.items():
                value = getattr(self.model, name)
                value = str(value) if name == "seed" else value
                if widget.value != value:
                    if name in LOGARITHMIC and value not in widget.options.values():
                        widget.options = parts.log_options(value, *self.model.param[name].bounds)
                    widget.value = value
        finally:
            self._quiet = False
        self.reveal()

    def reveal(self):
        """Show the controls that the present choices use."""
        model = self.model
        losses, regularizers = [model.loss], [model.regularizer]
        if model.compare:
            losses.append(model.b_loss)
            regularizers.append(model.b_regularizer)
        visible = {
            "epsilon": "Elastic net" in regularizers,
            "tube": any(loss.startswith("ε") for loss in losses),
            "mu": any("ntropy" in regularizer for regularizer in regularizers),
            "q": "q-norm" in regularizers,
            "seed": model.order == "shuffled",
        } | {f"b_{name}": model.compare for name in dual_lab.OWN}
        for name, shown in visible.items():
            self.widgets[name].visible = shown
        # Not hidden: that the rate belongs to one of the updates is part of the lesson.
        uses_rate = model.update == "gradient" or (model.compare and model.b_update == "gradient")
        self.widgets["eta"].disabled = not uses_rate

    def sidebar(self):
        """The controls in their order, without those that a teacher hides."""

        def shown(names):
            return [self.widgets[name] for name in names if self.visit.shows(name)]

        look = self.visit.look
        return [
            self.presets,
            parts.heading("Problem", look), *shown(PROBLEM),
            parts.heading("Dual Gauss-Seidel", look), *shown(SOLVER),
            parts.heading("Compare", look), *shown(SECOND),
        ]  # fmt: skip
