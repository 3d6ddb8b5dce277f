"""From a table to a certified model: other arguments are chosen by default, and the choices are listed."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

import numpy as np

from workbench._support.display.progress import reporting
from workbench._support.errors import InputError, shown
from workbench._support.names import check_effort, check_number, check_whole
from workbench.data.split import split_rows
from workbench.data.tables import choice, columns, in_memory, training
from workbench.data.tables import warm_start as warm_starts
from workbench.data.tables.model import Model
from workbench.data.tables.table import Table
from workbench.data.tables.targets import choose_task
from workbench.kernels.threads import at_most
from workbench.problems import Problem, intercept, regularizers
from workbench.solvers import auto
from workbench.solvers.run import Run
from workbench.solvers.solution import Solution, reach, warn_unconverged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import ArrayLike

    from workbench.solvers.contract import Solver

AUTO = "auto"
# Arguments of `fit` that the line of Python in a report writes in its own way, or leaves out.
APART = ("source", "lam", "solving", "watch", "warm_start", "n_jobs", "verbose")
BALANCED = "balanced"


def bias_for(X, y, shape):
    """Return True, an unregularized bias, where a solver takes it, else "constant"; False with a kernel."""
    if shape.get("kernel") is not None or shape.get("embed") is not None:
        return False
    try:
        auto.choose(Problem(X, y, lam=1.0, bias=True, **shape))
    except InputError:
        return "constant"
    return True


def fit(  # noqa: PLR0913, each is a choice of the user's
    source: object,
    target: object = None,
    loss: str | None = None,
    regularizer: str | regularizers.Regularizer = "squared-l2",
    lam: float | str = AUTO,
    missing: str | None = None,
    standardize: bool | None = None,
    leave_out: Sequence[str] = (),
    keep: Sequence[str] = (),
    positive: object = None,
    fit_intercept: bool | None = None,
    penalize_intercept: bool | None = None,
    kernel: object = None,
    embed: str | None = None,
    solver: str | Solver | None = None,
    tol: float = 1e-4,
    max_epochs: float = 10_000,
    folds: int | None = None,
    one_se: bool = False,
    test_size: float | None = None,
    seed: int = 0,
    solving: Callable[..., list[Run]] | None = None,
    watch: Callable[..., object] | None = None,
    sample_weight: str | ArrayLike | None = None,
    class_weight: dict[object, float] | str | None = None,
    warm_start: Model | Solution | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Model:
    """Fit a linear model to a table, `fit("wine.csv")`, or to features and targets, `fit(X, y)`, certified.

    Parameters
    ----------
    source : path, frame, array, sparse matrix or Table
        A file, or data in memory: a frame of pandas, polars or pyarrow, whose columns keep their names, or
        an array (n, d), whose columns are x0, x1, ...
    target : str, int or array_like (n,), optional
        The column to predict, by its name or place; one named "target", "label" or the like, else the last
        one. Or the targets themselves, one for each row: numbers or labels.
    loss : str, optional
        Chosen from the target: logistic for two labels, multinomial for several, squared for numbers.
    regularizer : str or Regularizer
    lam : float or "auto"
        "auto": by cross-validation, see `workbench.data.tables.choice`.
    missing : {None, "mean", "median", "drop", "indicator"}
        The filling of empty cells; None refuses them.
    standardize : bool, optional
        True: columns of numbers get mean 0 and deviation 1; None: those of a table do, a sparse matrix is
        used as it is.
    leave_out : sequence of str
        Columns that are not used.
    keep : sequence of str
        Columns that are used although the rules of `workbench.data.tables.columns` would leave them out.
    positive : label, optional
        The one that is +1; the last one in order by default.
    fit_intercept : bool, optional
        True if there is an intercept; None: there is one, but not with a kernel.
    penalize_intercept : bool, optional
        True: the intercept is the weight of a feature that is always 1, regularized like the others; None:
        that is so where no solver takes another one.
    kernel, embed
        As for `Problem`.
    solver : str or Solver, optional
    tol : float
        The relative gap to reach.
    max_epochs : float
    folds : int, optional
        As for `choice.choose`.
    one_se : bool
        True: the largest lambda within one standard error of the least held-out loss.
    test_size : float, optional
        The share of the rows that is held out of everything, for a test score.
    seed : int
    solving : callable, optional
        Called in place of `solvers.solution.reach`, with its arguments, for a bar of its own; its caller
        warns where the runs did not converge.
    watch : callable, optional
        As for `choice.choose`.
    sample_weight : str or array_like (n,), optional
        The column that holds the weights of the samples, or the weights: 0 or more, where 2 is a sample given
        twice and 0 one left out.
    class_weight : dict or "balanced", optional
        Factors of these weights by label, 1 where a label is not named; "balanced" gives all labels the same
        total.
    warm_start : Model or Solution, optional
        The start, of the same loss, columns and labels.
    n_jobs : int, optional
        Number of folds of the cross-validation that are solved at a time, in threads; -1 for one a core.
    verbose : int
        1: the logger `workbench` reports how solvers end, 2: every certificate as well.

    Returns
    -------
    Model

    Warns
    -----
    ConvergenceWarning
        The relative gap was not reached.

    Raises
    ------
    InputError
        Names the fault, and the option that goes on.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> model = wb.fit(X, y, loss="hinge", lam=0.1)
    >>> model.predict(X)["label"].tolist()
    [1, 1, -1, -1]
    """
    leave_out = (leave_out,) if isinstance(leave_out, str) else tuple(leave_out)
    keep = (keep,) if isinstance(keep, str) else tuple(keep)
    call = {name: value for name, value in locals().items() if name not in APART}
    tol, limit = check_effort("fit", tol, max_epochs)
    if lam != AUTO or not isinstance(lam, str):
        check_number("fit", "lam", lam, above=0.0, usual=1e-2)
    table = in_memory.table(source, target)
    table = table if sample_weight is None else training.with_weights(table, sample_weight)
    table = training.usable(table, missing, leave_out, keep)
    task = choose_task(table.target, table.name, loss, positive)
    y = task.encode(table.target, table.name)
    train, test = _split(y, table, test_size)
    is_scaled = table.frame is not None if standardize is None else bool(standardize)
    features = training.prepare(table, train, missing, is_scaled)
    X, y_train = _transform(features, table, train), y[train]
    weight = _weights(table, task, y_train, train, class_weight)
    shape = {"loss": task.made_loss(), "regularizer": regularizers.get(regularizer)}
    shape |= {"kernel": kernel, "embed": embed}
    bias = intercept.bias_of("fit", fit_intercept, penalize_intercept, None)
    shape["bias"] = bias_for(X, y_train, shape | {"sample_weight": weight}) if bias is None else bias

    solver = auto.NAME if solver is None else solver
    if lam == AUTO:
        sampling = solver, one_se, folds, seed, watch, weight, _jobs(n_jobs)
        fold_of = _folds(table, train, features)
        selection = choice.choose(fold_of, X, y_train, shape, bool(task.labels), *sampling)
    else:
        selection = choice.Choice(float(lam), (), 0, 0, f"λ = {float(lam):g}, as given")
    problem = Problem(X, y_train, lam=selection.lam, sample_weight=weight, **shape)
    held_out = None if test is None else (_transform(features, table, test), y[test])
    is_warm = warm_start is not None
    start = warm_starts.start(warm_start, problem, features, task) if is_warm else selection.start
    options = (selection.solver or solver, tol, limit, seed, held_out)
    reached = functools.partial(solving or reach, problem, *options)
    with at_most(choice.threads(X)), reporting("fit", verbose):
        try:
            runs = reached(warm_start=start)
        except InputError:  # of the weights of a fold, where the solver starts from dual variables
            if is_warm or start is None:
                raise
            runs = reached()
    run = runs[-1]
    run.why = run.why or selection.why
    solution = Solution.of(*runs)
    if solving is None:
        warn_unconverged(run, solution)
    call["target"] = (
        source.key if isinstance(source, Table) else target if in_memory.is_column(target) else None
    )
    if sample_weight is not None and not isinstance(sample_weight, str):
        call["sample_weight"] = in_memory.Named("sample_weight")
    defaults = inspect.signature(fit).parameters
    choices = {name: value for name, value in call.items() if value != defaults[name].default} | {"lam": lam}
    return Model(task, features, solution, selection, table, tol, run, train, choices, held_out, X=X)


def _jobs(n_jobs):
    """Return the number of threads for folds; None for one."""
    if n_jobs is None or n_jobs == -1:
        return n_jobs
    return check_whole("fit", "n_jobs", n_jobs, 1, usual=2)


def _transform(features, table, rows):
    return features.transform(training.features(table, rows), table.name, "ignore")


def _split(y, table, test_size):
    """Return the row numbers of the training and the test part, in the order of the file."""
    if test_size is None:
        return np.arange(len(y)), None
    return tuple(map(np.sort, split_rows(y, table.name, test_size)))


def _weights(table, task, y, rows, class_weight):
    """Return the weights of the samples with mean 1, (n,), or None where all are the same."""
    weight = np.ones(len(y)) if table.weight is None else table.weight[rows]
    if class_weight is not None:
        place = ((y > 0.0) if task.kind == "margin" else y).astype(int)
        factors = _class_factors(table, task, place, weight, class_weight)
        shares = (f"{label} by {x:.3g}" for label, x in zip(task.labels, factors, strict=True))
        table.notes.append(f"classes weighted: {', '.join(shares)}")
        weight = weight * factors[place]
    return None if (weight == weight[0]).all() else weight / weight.mean()


def _class_factors(table, task, place, weight, class_weight):
    """Return the factor of each label, in the order of the task's labels."""
    where = "class_weight"
    if not task.labels:
        raise InputError(
            f"{where}: {table.name} has no labels, since the {task.loss} loss takes numbers; leave it out."
        )
    if isinstance(class_weight, str) and class_weight == BALANCED:
        sums = np.bincount(place, weights=weight, minlength=len(task.labels))
        if not sums.all():
            empty = task.labels[int(np.argmin(sums))]
            raise InputError(f"{where}: no sample has the label {empty!r}; give factors by label.")
        return sums.sum() / (len(sums) * sums)
    if not isinstance(class_weight, dict):
        raise InputError(
            f"{where} = {shown(class_weight)} is not known; give 'balanced', or factors by label such as "
            f"{{{task.labels[0]!r}: 2.0}}."
        )
    by_label = {columns.as_text(label): value for label, value in class_weight.items()}
    strange = [label for label in by_label if label not in task.texts]
    if strange:
        names = columns.listing(task.texts)
        raise InputError(f"{where}: no label is {strange[0]!r}; those of {task.name!r} are {names}.")
    factors = {label: by_label.get(label, 1.0) for label in task.texts}
    return np.array([check_number(where, *factor, above=0.0, usual=2) for factor in factors.items()])


def _folds(table, train, features):
    """Return the function that prepares the rows of a fold and those outside of it alike."""

    def fold_of(inner, outer):
        fitted = features.fit(training.features(table, train[inner]), table.name)
        return tuple(_transform(fitted, table, train[part]) for part in (inner, outer))

    return fold_of
