"""From a table to a certified model: what is not given is chosen, and what was chosen is said."""

from __future__ import annotations

import inspect

import numpy as np
from threadpoolctl import threadpool_limits

from workbench import regularizers
from workbench.errors import InputError
from workbench.names import check_number
from workbench.problem import Problem
from workbench.run import Run
from workbench.solution import Solution, interruptible
from workbench.solvers import auto
from workbench.tables import choice, reading
from workbench.tables.model import Model
from workbench.tables.table import Table

AUTO = "auto"
# The arguments of `fit` that the line of Python in a report says in its own way, or leaves out.
APART = ("source", "lam", "advance", "watch")


def bias_for(X, y, shape):
    """An unregularized bias where a solver takes it, else a regularized constant; none with a kernel."""
    if shape.get("kernel") is not None or shape.get("embed") is not None:
        return False
    try:
        auto.choose(Problem(X, y, lam=1.0, bias=True, **shape))
    except InputError:
        return "constant"
    return True


def fit(
    source, target=None, loss=None, regularizer="squared-l2", lam=AUTO, missing=None, standardize=None,
    leave_out=(), positive=None, bias=None, kernel=None, embed=None, solver=None, tol=1e-4, max_epochs=10_000,
    folds=None, one_se=False, test_size=None, seed=0, advance=None, watch=None,
) -> Model:  # fmt: skip
    """Fit a linear model to a file or a DataFrame, to a certified gap.

    Parameters
    ----------
    source : path, DataFrame or Table
    target : str or int, optional
        The column to predict; one named "target", "label" or the like, else the last one.
    loss : str, optional
        Chosen from the target: logistic for two labels, multinomial for several, squared for numbers.
    regularizer : str or Regularizer
    lam : float or "auto"
        "auto": by cross-validation, see `workbench.tables.choice`.
    missing : {None, "mean", "median", "drop", "indicator"}
        What becomes of empty cells; they are refused where it is None.
    standardize : bool, optional
        None: where the columns have different scales.
    leave_out : sequence of str
        Columns that are not used.
    positive : label, optional
        The one that is +1; the last one in order by default.
    bias : False, "constant" or True, optional
        None: an unregularized one where a solver takes it, else "constant"; none with a kernel.
    kernel, embed
        As for `Problem`.
    solver : str or Solver, optional
    tol : float
        The relative gap to reach.
    max_epochs : float
    folds : int, optional
        As for `choice.choose`.
    one_se : bool
        Whether to take the largest lambda within one standard error of the least held-out loss.
    test_size : float, optional
        The share of the rows that is held out of everything, for a test score.
    seed : int
    advance : callable, optional
        Called with the run, tol and max_epochs in place of `Run.until`, for a bar of its own.
    watch : callable, optional
        As for `choice.choose`.

    Returns
    -------
    Model

    Raises
    ------
    InputError
        Names what stands in the way, and the option that goes on.
    """
    leave_out = tuple(leave_out)
    given = {name: value for name, value in locals().items() if name not in APART}
    table = (source if isinstance(source, Table) else reading.of_frame(source, target)
             if hasattr(source, "columns") else reading.read(source, target))  # fmt: skip
    table = table.usable(missing, leave_out)
    task = table.task(loss, positive)
    made = task.made_loss()
    y = task.encode(table.target, table.name)
    train, test = _split(y, table, test_size)
    features = table.rows(train).features(missing, standardize)
    X = _transformed(features, table, train)
    y_train = y[train]
    shape = {"loss": made, "regularizer": regularizers.get(regularizer), "kernel": kernel, "embed": embed}
    shape["bias"] = bias_for(X, y_train, shape) if bias is None else bias

    solver = auto.NAME if solver is None else solver
    found = _lam(lam, table, train, features, X, y_train, shape, task, solver, folds, one_se, seed, watch)
    problem = Problem(X, y_train, lam=found.lam, **shape)
    held = None if test is None else (_transformed(features, table, test), y[test])
    run = _begun(problem, found.solver or solver, seed, held, found.start)
    with threadpool_limits(choice.threads(X)):
        (advance or _advance)(run, tol, max_epochs)
    if isinstance(source, Table):
        given["target"] = source.asked
    defaults = inspect.signature(fit).parameters
    asked = {name: value for name, value in given.items() if value != defaults[name].default} | {"lam": lam}
    return Model(task, features, Solution.of(run), found, table, tol, run, train, asked, held, X=X)


def _begun(problem, solver, seed, held, start):
    """The run, from the weights of a fold where the solver starts from weights."""
    try:
        return Run(problem, solver, seed=seed, test=held, warm_start=start)
    except InputError:
        if start is None:
            raise
        return Run(problem, solver, seed=seed, test=held)


def _advance(run, tol, max_epochs):
    with interruptible() as interrupted:
        run.until(tol, max_epochs, interrupted.is_set)


def _transformed(features, table, rows):
    return features.transform(table.rows(rows), table.name, "ignore")


def _split(y, table, test_size):
    """Row numbers of the training and the test part, in the file's order."""
    from workbench.data.split import split_rows

    if test_size is None:
        return np.arange(len(y)), None
    train, test = split_rows(y, table.name, test_size)
    return np.sort(train), np.sort(test)


def _lam(lam, table, train, features, X, y, shape, task, solver, folds, one_se, seed, watch):
    """The `Choice` of lambda."""
    if lam != AUTO:
        value = check_number("solve", "lam", lam, above=0.0)
        return choice.Choice(value, (), 0, 0, f"λ = {value:g}, as given")

    def fold_of(inner, outer):
        inside = table.rows(train[inner])
        fitted = features.refitted(inside.frame, table.name)
        return tuple(fitted.transform(part, table.name, "ignore") for part in
                     (inside, table.rows(train[outer])))  # fmt: skip

    return choice.choose(fold_of, X, y, shape, bool(task.labels), solver, one_se, folds, seed, watch)
