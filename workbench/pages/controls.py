"""Controls bound to a model, described by a table: one widget a parameter, both ways.

The table is in a page's `content.json`: by headings and parameters the kind of a control and its label,
    {"Problem": {"source": ["select", "Data"], "lam": ["logarithmic", "λ"]}, "Solver": {...}}
"""

from collections.abc import Callable
from typing import NamedTuple

import panel_material_ui as pmui

from workbench.data import store
from workbench.pages import parts
from workbench.pages.numerals import numerals


class Control(NamedTuple):
    """What chooses one parameter; `make` gives its widget of a model and the parameter's name."""

    label: str
    make: Callable


def select(label):
    """A list of the objects of a Selector."""

    def make(model, name):
        value = getattr(model, name)
        # A whole number has its list from `Controls.options`.
        objects = getattr(model.param[name], "objects", [value])
        options = {_text(each): each for each in objects}
        return pmui.Select(name=label, options=options, value=value, size="small")

    return Control(label, make)


def _text(value):
    if isinstance(value, float):
        return numerals(f"{value:g}")
    return store.label(value) if isinstance(value, str) else str(value)


def group(label):
    """The few objects of a Selector as buttons."""
    return Control(
        label, lambda model, name: parts.choice(label, model.param[name].objects, getattr(model, name))
    )


def logarithmic(label):
    """A slider over a logarithmic grid between the bounds."""
    return Control(
        label, lambda model, name: parts.log_slider(getattr(model, name), label, *model.param[name].bounds)
    )


def switch(label):
    """A Boolean."""
    return Control(label, lambda model, name: pmui.Switch(name=label, value=getattr(model, name)))


def linear(label, step=0.01):
    """A slider between the bounds."""

    def make(model, name):
        low, high = model.param[name].bounds
        kind = pmui.IntSlider if isinstance(step, int) else pmui.FloatSlider
        return kind(name=label, start=low, end=high, step=step, value=getattr(model, name))

    return Control(label, make)


def whole(label):
    """A whole number as a text: spinners come without names for those who hear the page."""
    return Control(
        label, lambda model, name: pmui.TextInput(name=label, value=str(getattr(model, name)), size="small")
    )


KINDS = {each.__name__: each for each in (select, group, logarithmic, switch, linear, whole)} | {
    "text": whole
}


def table(content):
    """The controls of such a table."""
    return {
        heading: {name: KINDS[kind](*arguments) for name, (kind, *arguments) in rows.items()}
        for heading, rows in content.items()
    }


def is_used(conditions, model):
    """Whether a model's choices meet one of several conditions, each of parameters to the values that do."""
    return any(all(getattr(model, name) in values for name, values in each.items()) for each in conditions)


class Controls:
    """Binds a model's choices to widgets, both ways.

    Parameters
    ----------
    table : dict of str to dict
        Headings to parameters to `Control`s.
    model : param.Parameterized
        With bounds on every number.
    visit : shell.Visit
    changed : callable
        Called with the names of the parameters that took new values.
    refuse : callable
        Takes a sentence.
    presets : dict of str to dict
        Values by name; what one does not name goes to where a new model has it.
    used : dict of str to list of dict
        For each parameter whose control is not always shown the conditions, as `is_used` takes them, of which
        one has to be met.

    Attributes
    ----------
    widgets : dict of str to widget
    """

    def __init__(self, table, model, visit, changed, refuse, presets, used=()):
        self.table, self.model, self.visit = table, model, visit
        self.changed, self.refuse, self.used = changed, refuse, dict(used)
        self.widgets = {
            name: control.make(model, name) for entries in table.values() for name, control in entries.items()
        }
        self._quiet = False
        fresh = type(model)()
        self.start = {name: getattr(fresh, name) for name in self.widgets}
        self.presets = parts.preset_select(presets, self.preset)
        parts.lay_out(self.presets, *self.widgets.values())
        for name, widget in self.widgets.items():
            widget.param.watch(lambda event, name=name: self._on_change(name, event.new), "value")
        self.reveal()

    def _on_change(self, name, value):
        """One control moved: the old state stays where the model refuses the value."""
        if self._quiet:
            return
        try:
            setattr(self.model, name, int(value) if self._is_text(name) else value)
        except (ValueError, OverflowError):
            low, high = self.model.param[name].bounds
            allowed = f"choose a value from {low} to {high}, a whole number"
            self.refuse(f"{name} = {str(value)[:60]!r} is refused; {allowed}.")
            self.follow()
            return
        self._accept(name)

    def _accept(self, name):
        """The model took what one control says."""
        self.reveal()
        self.changed((name,))

    def _is_text(self, name):
        return isinstance(self.widgets[name], pmui.TextInput)

    def set(self, values):
        """Set several of the model's values at once, and the widgets after them."""
        self.model.param.update(**values)
        self.follow()

    def update(self, values):
        """`set`, and begin anew."""
        self.set(values)
        self.changed(tuple(values))

    def preset(self, values):
        """Load a preset and begin anew."""
        try:
            self.update(self.start | values)
        except ValueError:
            self.refuse("This preset needs data that are not on this machine; choose another.")

    def options(self, name, options):
        """Give a list other entries, the model's value among them."""
        if self.widgets[name].options != options:
            self._quiet = True
            try:
                self.widgets[name].param.update(options=options, value=getattr(self.model, name))
                # The same value has another text now.
                self.widgets[name].param.trigger("value")
            finally:
                self._quiet = False

    def follow(self):
        """Let the widgets show what the model holds."""
        self._quiet = True
        try:
            for name, widget in self.widgets.items():
                value = getattr(self.model, name)
                value = str(value) if self._is_text(name) else value
                if widget.value != value:
                    news = {"value": value}
                    if isinstance(widget, pmui.DiscreteSlider) and value not in widget.options.values():
                        news["options"] = parts.log_options(value, *self.model.param[name].bounds)
                    # At once: a slider whose value is none of its options cannot be sent.
                    widget.param.update(**news)
        finally:
            self._quiet = False
        self.reveal()

    def reveal(self):
        """Show the controls that the present choices use."""
        for name, conditions in self.used.items():
            self.widgets[name].visible = is_used(conditions, self.model)

    def sidebar(self):
        """The controls in their order, without those that a teacher hides."""
        rows = [self.presets]
        for heading, names in self.table.items():
            widgets = [self.widgets[name] for name in names if self.visit.shows(name)]
            rows += [parts.heading(heading, self.visit.look), *widgets] if widgets else []
        return rows
