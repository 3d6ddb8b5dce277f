"""A model as the start of another solve: what of it fits, and why it does not where nothing does."""

from __future__ import annotations

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.data.tables.model import Model
from workbench.solvers.solution import Solution

WHERE = "warm_start"


def read(path) -> Model | Solution:
    """What `workbench solve` saved."""
    return Model.load(path) if "model" in files.load(path)[0] else Solution.load(path)


def start(source, problem, features=None, task=None) -> Solution | dict:
    """What a run starts from: a solution of the same samples, or weights in the problem's scales.

    Parameters
    ----------
    source : Model or Solution
        Of the same loss, columns and labels; lambda, regularizer, bias and samples may be others.
    problem : Problem
    features : Features, optional
        How the columns of a table became those of the problem.
    task : Task, optional
        The labels of a table.

    Raises
    ------
    InputError
        Another loss, kernel, or other columns or labels, by name.
    """
    solution = source.solution if isinstance(source, Model) else source
    if not isinstance(solution, Solution):
        raise InputError(
            f"{WHERE} is {type(source).__name__}; give a Model or a Solution, as solve and fit make them"
        )
    description = solution.description
    _check_same("loss", description["loss"], repr(problem.loss))
    kernel = None if problem.kernel is None else repr(problem.kernel)
    _check_same("kernel", description.get("kernel", "none"), kernel or "none")
    if solution.n_features != problem.n_features and kernel is None:
        raise InputError(
            f"{WHERE}: the model has {solution.n_features} columns and these data {problem.n_features}; give "
            "a model of the same columns"
        )
    own = source if isinstance(source, Model) and features is not None else None
    if own is not None:
        _check_names(own.features.names, features.names)
        if task is not None and own.task.labels != task.labels:
            raise InputError(
                f"{WHERE}: the labels of the model are {', '.join(own.task.texts)}, and these are "
                f"{', '.join(task.texts)}; give a model of the same labels"
            )
    if solution.alpha.shape[1:] != problem.columns:
        raise InputError(
            f"{WHERE}: the model has other classes than these data; give a model of the same labels"
        )
    same_samples = solution.alpha.shape[0] == problem.n_samples
    if kernel is not None:
        if not same_samples:
            raise InputError(
                f"{WHERE}: the model has {solution.alpha.shape[0]} samples, these data {problem.n_samples}; "
                "with a kernel give a model of the same samples"
            )
        return {"alpha": solution.alpha}
    if own is not None and not _same_scales(own.features, features):
        w, b = features.from_own_units(*own.own_units)
        return {"w": w, "b": b}
    return solution if same_samples else {"w": solution.w, "b": solution.b}


def _same_scales(one, other):
    return all(map(np.array_equal, one.scales, other.scales))


def _check_same(name, there, here):
    if there != here:
        raise InputError(
            f"{WHERE}: the {name} of the model is {there}, and this one {here}; give the same {name}"
        )


def _check_names(there, here):
    """Refuse other columns by the first that the two do not share."""
    for names, others, whose in ((there, here, "these data have"), (here, there, "the model has")):
        for name in names:
            if name not in others:
                raise InputError(f"{WHERE}: {whose} no column {name!r}; give a model of the same columns")
    if list(there) != list(here):
        raise InputError(
            f"{WHERE}: the columns of the model stand in another order; give a model of the same table"
        )
