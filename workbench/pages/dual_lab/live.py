"""`wb.live(problem)`: the Dual lab of a problem, as a widget in a notebook's cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench._support.system import extras
from workbench.data import store
from workbench.data.dataset import Dataset
from workbench.problems import Problem, losses, regularizers
from workbench.problems.problem import check_problem

if TYPE_CHECKING:
    from workbench.pages.dual_lab.declaration import DualLab

NAME = "this problem"


def live(problem: Problem) -> DualLab:
    """Return the Dual lab of this very problem: its data, loss, regularizer and lambda.

    Parameters
    ----------
    problem : Problem

    Returns
    -------
    workbench.pages.DualLab
        Shows itself as a widget at the end of a notebook's cell, without a server; its settings are
        parameters, and `pn.Column(page)` and `page.html()` take it as well.

    Raises
    ------
    InputError
        It is not a problem, or the page has no control for a part of it, by its name.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> page = wb.live(wb.Problem(X, y, "hinge", lam=0.1))  # doctest: +SKIP
    >>> page.lam = 0.05  # doctest: +SKIP
    """
    extras.need("pages", "wb.live")
    from workbench.pages.dual_lab.declaration import DualLab

    problem = check_problem("live", problem)
    choices = settings_of(problem)
    rows = problem.rows if problem.design.dense is None else problem.design.dense
    X = rows[:, : problem.n_features]
    names = tuple(f"feature {j}" for j in range(problem.n_features))
    dataset = Dataset(NAME, X, problem.y, None, None, names, "")
    record = {"name": NAME, "task": problem.loss.kind, "options": {}, "bias": problem.bias}
    source = store.PREFIX + store.store().put(dataset, problem.digest.encode(), record, None)
    page = DualLab()
    page.offer(source)
    page.param.update(source=source, **choices)
    return page


def settings_of(problem):
    """Return the settings of the page that give the problem.

    Raises
    ------
    InputError
        It has a part that the page has no control for.
    """
    from workbench.pages.dual_lab import model as dual_lab

    if problem.kernel is not None or problem.free_bias or problem.constraints is not None:
        what = "a kernel" if problem.kernel is not None else "an unregularized bias or constraints"
        raise InputError(f"live: the Dual lab has no control for {what}; use bias='constant' and no kernel")
    if problem.tasks:
        raise InputError("live: the Dual lab has no control for several columns of y; give one of them")
    if np.ptp(problem.weight) or problem.weight[0] != 1.0:
        raise InputError("live: the Dual lab has no control for sample weights; leave them out")
    settings = {"lam": problem.lam}
    tables = {
        "loss": (losses, dual_lab.LOSSES, dual_lab.LOSS_CONTROLS),
        "regularizer": (regularizers, dual_lab.REGULARIZERS, dual_lab.REGULARIZER_CONTROLS),
    }
    for kind, table in tables.items():
        label, values = _page_name(kind, getattr(problem, kind), *table)
        settings |= {kind: label, **values}
    model = dual_lab.DualLab.param
    for name, value in settings.items():
        bounds = getattr(model[name], "bounds", None)
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            raise InputError(
                f"live: {name} = {value:g} is outside what the Dual lab draws; choose one from {bounds[0]:g} "
                f"to {bounds[1]:g}"
            )
    embed = "balanced" if problem.regularizer.entry["lower"] == 0.0 else None
    if problem.embed != embed:
        raise InputError(f"live: the Dual lab solves this regularizer with embed={embed!r}; use that")
    return settings


def _page_name(kind, term, module, names, controls):
    """The page's name of a loss or a regularizer, and the values of its controls."""
    for label, text in names.items():
        like = module.get(text)
        values = {parameter: control for parameter, control in controls.items() if hasattr(term, parameter)}
        if type(like) is type(term):
            candidate = module.get(text if not values else _with(text, term, values))
            if candidate == term:
                return label, {control: float(getattr(term, name)) for name, control in values.items()}
    raise InputError(
        f"live: the Dual lab has no {kind} {spelled(term)}; it has "
        f"{', '.join(dict.fromkeys(text.partition(':')[0] for text in names.values()))}"
    )


def _with(text, term, values):
    inside = ",".join(f"{parameter}={getattr(term, parameter)!r}" for parameter in values)
    return f"{text}{',' if ':' in text else ':'}{inside}"
