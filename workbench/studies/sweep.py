"""A grid of solutions as a table: lambda by regularizer by learning rate by seed, on one machine or many."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from workbench import solvers
from workbench._support.errors import InputError
from workbench._support.names import spelled
from workbench._support.system import extras
from workbench.problems import losses, regularizers
from workbench.problems.problem import Problem
from workbench.solvers.solution import attempt
from workbench.studies.engine import DEFAULT, Task, run

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

# Settings that a grid may vary besides the solver's parameters, with the reader of their values.
PARTS = ("lam", "regularizer", "loss", "seed")
COLUMNS = (
    "status",
    "primal",
    "dual",
    "gap",
    "relative_gap",
    "epochs",
    "nonzeros",
    "support",
    "test_score",
    "seconds",
)


def sweep(
    problem: Problem,
    grid: Mapping[str, Any],
    solver: str | solvers.Solver = "gauss-seidel",
    tol: float = 1e-6,
    max_epochs: float | None = None,
    test: tuple[ArrayLike, ArrayLike] | None = None,
    *,
    scheduler: str | None = None,
    workers: int | None = None,
    cache: object = DEFAULT,
    progress: bool = False,
) -> pd.DataFrame:
    """Solve a problem for every combination of a grid; each row has its certificate.

    Parameters
    ----------
    problem : Problem
        The problem; a value that the grid names replaces its own.
    grid : dict of str to sequence
        "lam", "regularizer", "loss", "seed", and the parameters of the solver such as "eta" or "scale":
        {"lam": [1e-2, 1e-3], "regularizer": ["squared-l2", "elastic-net:epsilon=0.1"], "seed": range(3)}.
    solver : str or solver
        A name or an object of `workbench.solvers`.
    tol, max_epochs : float
        As for `solve`.
    test : (X_test, y_test), optional
        Held-out samples whose score stands in the table.
    scheduler, workers, cache, progress
        As for `workbench.studies.engine.run`: local processes by default, "synchronous" for this
        process alone, or the address of a Dask scheduler.

    Returns
    -------
    DataFrame
        One row a combination, the last name of the grid varying fastest: the grid's names, then status,
        primal, dual, gap, relative_gap, epochs, nonzeros, support, test_score (nan without a test part) and
        seconds of the solver.

    Raises
    ------
    InputError
        A name or a value of the grid that cannot be used; a scheduler that does not answer.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> problem = wb.Problem(X, y, "hinge", lam=1.0)
    >>> frame = wb.sweep(problem, {"lam": [1.0, 0.1]}, scheduler="synchronous", cache=None)
    >>> frame["status"].tolist()
    ['converged', 'converged']
    """
    extras.need("tables", "wb.sweep")
    import pandas as pd

    solver = solvers.get(solver)
    values = _checked(problem, dict(grid), solver)
    combinations = [dict(zip(values, row, strict=True)) for row in itertools.product(*values.values())]
    tasks = [
        Task(solved, {"choice": choice, "tol": tol, "max_epochs": max_epochs}) for choice in combinations
    ]
    shared = {"problem": problem, "solver": solver, "test": test}
    records = run(tasks, scheduler, workers=workers, shared=shared, cache=cache, progress=progress)
    rows = [{**record["choice"], **{name: record[name] for name in COLUMNS}} for record in records]
    return pd.DataFrame(rows, columns=[*values, *COLUMNS])


def solved(
    choice: dict[str, Any],
    tol: float,
    max_epochs: float | None,
    problem: Problem,
    solver: Any,
    test: tuple[ArrayLike, ArrayLike] | None,
) -> dict[str, Any]:
    """One combination, solved: what a row of the table holds."""
    parts = {name: choice[name] for name in ("lam", "regularizer", "loss") if name in choice}
    own = {name: value for name, value in choice.items() if name not in PARTS}
    solution = attempt(
        problem.replace(**parts),
        dataclasses.replace(solver, **own),
        tol,
        max_epochs,
        seed=choice.get("seed", 0),
        test=test,
    )
    return {
        **{name: getattr(solution, name) for name in ("status", "primal", "dual", "gap", "relative_gap")},
        "epochs": solution.epochs,
        "nonzeros": None if solution.w is None else int(np.count_nonzero(solution.w)),
        "support": int(np.count_nonzero(solution.alpha)),
        "test_score": float(solution.columns["test_score"][-1])
        if "test_score" in solution.columns
        else math.nan,
        "seconds": solution.seconds,
    }


def _checked(problem: Problem, grid: Mapping[str, Any], solver: Any) -> dict[str, list[Any]]:
    """Return the grid with every value as a number or a text, or the reason why it cannot be used."""
    fields = [field.name for field in dataclasses.fields(solver)]
    axes = {}
    for name, values in grid.items():
        if name not in (*PARTS, *fields):
            raise InputError(
                f"sweep: {name!r} is nothing that a grid varies; use {', '.join(PARTS)} or a parameter of "
                f"{solver.name}: {', '.join(fields)}"
            )
        if isinstance(values, str) or not np.iterable(values):
            raise InputError(f"sweep: {name} = {values!r} is one value; put the values into a list")
        axes[name] = [_plain(name, value) for value in values]
        if not axes[name]:
            raise InputError(f"sweep: {name} has no values; give one or more")
        for value in axes[name]:
            if name in PARTS[:3]:
                problem.replace(**{name: value})
            elif name != "seed":
                dataclasses.replace(solver, **{name: value})
    if "eta" in axes and "gradient" not in (*axes.get("update", ()), getattr(solver, "update", "gradient")):
        raise InputError(
            f"sweep: eta changes nothing with update = {solver.update!r}; pass solver=GaussSeidel('gradient')"
        )
    return axes


def _plain(name: str, value: Any) -> Any:
    """Return a value as JSON holds it."""
    if name == "regularizer" and not isinstance(value, str):
        return spelled(regularizers.get(value))
    if name == "loss" and not isinstance(value, str):
        return spelled(losses.get(value))
    return value.item() if isinstance(value, np.generic) else value
