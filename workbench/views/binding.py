"""Controls of a page from a table: one widget a parameter of its model, both ways."""

from typing import NamedTuple

import panel_material_ui as pmui

from workbench.views import parts

CUT = 60


class Spec(NamedTuple):
    """How a parameter is shown.

    `kind` is "log" or "linear" (sliders), "whole" (a slider of whole numbers), "select", "group" (few
    options as buttons), "switch" or "text" (a whole number in a field).
    """

    kind: str
    label: str
    step: float = 0.01


class Binding:
    """Binds a model's parameters to widgets.

    Parameters
    ----------
    model : param.Parameterized
        With bounds on every number.
    visit : shell.Visit
    table : dict of str to dict of str to Spec
        Headings of the sidebar with their parameters.
    changed : callable
        Called with the names of the parameters that took new values.
    refuse : callable
        Takes a sentence.
    presets : dict of str to dict
        Values by name; what one does not name goes to its default.
    visible : callable
        From the model, for some names whether their control is shown.

    Attributes
    ----------
    widgets : dict of str to widget
    """

    def __init__(self, model, visit, table, changed, refuse, presets, visible=lambda model: {}):
        self.model, self.visit, self.table = model, visit, table
        self.changed, self.refuse, self.visible = changed, refuse, visible
        self.specs = {name: spec for specs in table.values() for name, spec in specs.items()}
        self.widgets = {name: self._make(name, spec) for name, spec in self.specs.items()}
        self._quiet = False
        for name, widget in self.widgets.items():
            # A slider that is dragged sends each of its values; the page keeps the newest.
            widget.param.watch(lambda event, name=name: self._moved(name, event.new), "value")
        self.presets = parts.preset_select(presets, self.preset)
        parts.lay_out(self.presets, *self.widgets.values())
        self.reveal()

    def _make(self, name, spec):
        parameter, value = self.model.param[name], getattr(self.model, name)
        if spec.kind == "log":
            return parts.log_slider(value, spec.label, *parameter.bounds)
        if spec.kind in ("linear", "whole"):
            low, high = parameter.bounds
            kind = pmui.IntSlider if spec.kind == "whole" else pmui.FloatSlider
            return kind(name=spec.label, start=low, end=high, value=value, step=spec.step)
        if spec.kind == "switch":
            return pmui.Switch(name=spec.label, value=value)
        if spec.kind == "text":
            return pmui.TextInput(name=spec.label, value=str(value), size="small")
        if spec.kind == "group":
            return parts.choice(spec.label, parameter.objects, value)
        objects = getattr(parameter, "objects", [value])
        options = {f"{each:g}" if isinstance(each, float) else str(each): each for each in objects}
        return pmui.Select(name=spec.label, options=options, value=value, size="small")

    def _moved(self, name, value):
        """One control moved: the old state stays where the model refuses the value."""
        if self._quiet:
            return
        try:
            setattr(self.model, name, int(value) if self.specs[name].kind == "text" else value)
        except (ValueError, OverflowError):
            low, high = self.model.param[name].bounds
            text = f"{name} = {str(value)[:CUT]!r} is refused; write a whole number from {low} to {high}."
            self.refuse(text)
            self.follow()
            return
        self.reveal()
        self.changed((name,))

    def preset(self, values):
        """Set the model to a preset, everything else to its default."""
        default = {name: self.model.param[name].default for name in self.specs}
        self.update(default | values)
        self.changed(tuple(self.specs))

    def update(self, values):
        """Set several of the model's values at once, and the widgets after them."""
        self.model.param.update(**values)
        self.follow()

    def follow(self):
        """Let the widgets show what the model holds."""
        self._quiet = True
        try:
            for name, widget in self.widgets.items():
                value = getattr(self.model, name)
                value = str(value) if self.specs[name].kind == "text" else value
                if widget.value != value:
                    if self.specs[name].kind == "log" and value not in widget.options.values():
                        widget.options = parts.log_options(value, *self.model.param[name].bounds)
                    widget.value = value
        finally:
            self._quiet = False
        self.reveal()

    def options(self, name, options):
        """Give a list other entries, the model's value among them."""
        if self.widgets[name].options != options:
            self._quiet = True
            try:
                self.widgets[name].param.update(options=options, value=getattr(self.model, name))
            finally:
                self._quiet = False

    def reveal(self):
        """Show the controls that the present choices use."""
        for name, shown in self.visible(self.model).items():
            self.widgets[name].visible = shown

    def sidebar(self):
        """The controls in their order, without those that a teacher hides."""
        shown = [self.presets]
        for heading, specs in self.table.items():
            names = [name for name in specs if self.visit.shows(name)]
            if names:
                shown += [parts.heading(heading, self.visit.look), *(self.widgets[name] for name in names)]
        return shown
