"""Pages that are one declaration: a model, curves that are bound to a frame, texts; CONTRIBUTING.md has one.

The frame is computed in the browser, by `frame`, a function in JavaScript of the settings and, where the page
has a problem, of the run that solves it: `rows`, its certificates, and `last`, the newest (docs/browser.md).
A binding says which entry of the frame, or which setting, a column of a curve is.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import param

from workbench.pages.registry import Declaration

# Where a declared page is that draws itself.
DRAWN = "declared"


class Line(NamedTuple):
    """A curve with the columns x and y; `colour` is one of `theme.Look`."""

    name: str
    colour: str = "blue"
    dash: str = "solid"


class Figure(NamedTuple):
    """A figure: its title, the labels of its axes, its curves by name, and the sentence below.

    In the sentence {name} stands for an entry of the frame or a setting; `options` are a Bokeh figure's.
    """

    title: str
    x: str
    y: str
    curves: dict
    text: str
    options: dict = MappingProxyType({})


@dataclass(frozen=True)
class Declared(Declaration):
    """A page that is drawn in the browser, whole.

    Attributes
    ----------
    model : type
        A `param.Parameterized` of numbers with bounds and of Booleans; the `doc` of each is its label.
    frame : str
        The function in JavaScript.
    figures : dict of str to Figure
    bindings : dict of str to dict
        Of each curve, of its columns to entries of the frame.
    problem : callable, optional
        Gives the `Problem` that the browser solves for the present lam, a parameter of the model.
    solver : object, optional
        Of `workbench.solvers`; its parameters are not the model's.
    code : str
        The Python that gives the same; {name} stands for a setting.
    questions : dict of str to str
        What to predict, with the answer.
    latex : sequence of str
        The formulas, and in `source` where they stand.

    Raises
    ------
    ValueError
        A binding to a curve or a column that is not there, a column without a binding, a parameter without
        bounds.
    """

    model: type = param.Parameterized
    frame: str = ""
    figures: dict = field(default_factory=dict)
    bindings: dict = field(default_factory=dict)
    problem: Callable | None = None
    solver: object = None
    code: str = ""
    presets: dict = field(default_factory=dict)
    page: str = DRAWN
    file: str | None = DRAWN
    questions: dict = field(default_factory=dict)
    latex: tuple = ()
    source: str = ""

    def __post_init__(self):
        curves = {name for figure in self.figures.values() for name in figure.curves}
        for curve, columns in self.bindings.items():
            if curve not in curves:
                raise ValueError(f"{self.title}: binding {curve!r} is of no curve; there are {_join(curves)}")
            for column, path in columns.items():
                if column not in ("x", "y"):
                    raise ValueError(
                        f"{self.title}: {path!r} is bound to {column!r}, which is no column of {curve!r}; "
                        "it has x and y"
                    )
        for curve in curves:
            missing = {"x", "y"} - set(self.bindings.get(curve, ()))
            if missing:
                raise ValueError(f"{self.title}: column {_join(missing)} of {curve!r} is bound to nothing")
        for name in self.names:
            parameter = self.model.param[name]
            bounded = isinstance(parameter, param.Number) and None not in (parameter.bounds or (None,))
            if not bounded and not isinstance(parameter, param.Boolean):
                raise ValueError(f"{self.title}: {name} is neither a number with bounds nor a Boolean")

    @property
    def names(self):
        return tuple(name for name in self.model.param if name != "name")

    def card_texts(self):
        """The first question with its answer, the formulas and where they stand."""
        return (*next(iter(self.questions.items()), ("", "")), self.latex, self.source)

    def at(self, place):
        """The class that serves the page and writes its file, for these; what other places are."""
        if place != DRAWN:
            return super().at(place)
        from workbench.pages import declared_page

        return declared_page.of(self)


def _join(names):
    return ", ".join(sorted(names))
