"""`wb.live(problem)`: the Dual lab of a problem, as a widget in a notebook's cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench._support.system import extras
from workbench.data import store
from workbench.data.dataset import Dataset
from workbench.problems import Problem
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
    choices = DualLab.settings_of(problem)
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
