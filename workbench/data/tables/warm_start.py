"""A model as the start of another solve, where its loss, kernel, columns and labels are the same."""

from __future__ import annotations

import numpy as np

from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.data.tables.model import Model
from workbench.solvers.solution import Solution

WHERE = "warm_start"


def read(path) -> Model | Solution:
    """Return what `workbench solve` saved."""
    return Model.load(path) if "model" in files.load(path)[0] else Solution.load(path)


def start(source, problem, features=None, task=None) -> Solution | dict:
    """Return the start of a run: a solution of the same samples, or weights in the problem's scales.

    The source has the same loss, kernel, columns and labels, and the first difference is refused by name;
    lambda, regularizer, bias and samples may be others. `features` and `task` are those of a table, if there
    is one.
    """
    solution = source.solution if isinstance(source, Model) else source
    if not isinstance(solution, Solution):
        raise InputError(
            f"{WHERE} is {type(source).__name__}; give a Model or a Solution, as solve and fit make them"
        )
    kernel = None if problem.kernel is None else repr(problem.kernel)
    for name, here in (("loss", repr(problem.loss)), ("kernel", kernel or "none")):
        there = solution.description.get(name, "none")
        if there != here:
            raise _refusal(f"the {name} of the model is {there}, and this one {here}", name)
    if solution.n_features != problem.n_features and kernel is None:
        raise _refusal(
            f"the model has {solution.n_features} columns and these data {problem.n_features}", "columns"
        )
    own = source if isinstance(source, Model) and features is not None else None
    if own is not None:
        _check_names(own.features.names, features.names)
        if task is not None and own.task.labels != task.labels:
            labels = (", ".join(labels) for labels in (own.task.texts, task.texts))
            raise _refusal("the labels of the model are {}, and these are {}".format(*labels), "labels")
    if solution.alpha.shape[1:] != problem.columns:
        raise _refusal("the model has other classes than these data", "labels")
    same_samples = solution.alpha.shape[0] == problem.n_samples
    if kernel is not None:
        if not same_samples:
            raise _refusal(
                f"the model has {solution.alpha.shape[0]} samples and these data {problem.n_samples}",
                "samples, since it has a kernel",
            )
        return {"alpha": solution.alpha}
    if own is not None and not all(map(np.array_equal, own.features.scales, features.scales)):
        w, b = features.from_own_units(*own.own_units)
        return {"w": w, "b": b}
    return solution if same_samples else {"w": solution.w, "b": solution.b}


def _refusal(fault, what):
    return InputError(f"{WHERE}: {fault}; give a model of the same {what}")


def _check_names(there, here):
    """Refuse other columns by the first that the two do not share."""
    for names, others, whose in ((there, here, "these data have"), (here, there, "the model has")):
        for name in names:
            if name not in others:
                raise _refusal(f"{whose} no column {name!r}", "columns")
    if list(there) != list(here):
        raise _refusal("the columns of the model stand in another order", "table")
