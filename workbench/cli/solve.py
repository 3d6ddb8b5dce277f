"""`workbench solve` and `workbench predict`."""

import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench.errors import InputError
from workbench.system import storage

ENDS = {"converged": 0, "interrupted": 130}
FILE = "A LIBSVM or CSV file"
POSITIVE = "The label that counts as +1, the others as -1; may be repeated."
TARGET = "The column of a table to predict; the last one by default."
COUNTING = "How a LIBSVM file counts features; found out by default."
Positive = Annotated[list[str] | None, Option(metavar="VALUE", help=POSITIVE)]
Target = Annotated[str | None, Option(metavar="COL", help=TARGET)]
ZeroBased = Annotated[bool | None, Option("--zero-based/--one-based", help=COUNTING)]
SOLVER = "gauss-seidel, primal-gradient for many samples, or proximal-gradient for norms."
Source = Annotated[str, Argument(metavar="FILE_OR_NAME", help=f"{FILE}, or a name of `workbench data list`.")]
Data = Annotated[Path, Argument(metavar="FILE", help=f"{FILE} laid out as for training, labels included.")]
Model = Annotated[Path, Argument(metavar="MODEL", help="What `workbench solve --out` saved.")]


def solve(
    source: Source,
    loss: Annotated[str, Option(help="Such as logistic or epsilon-insensitive:epsilon=0.1,p=2.")] = "hinge",
    regularizer: Annotated[str, Option(help="Such as elastic-net:epsilon=0.1.")] = "squared-l2",
    lam: Annotated[float, Option(help="The weight of the regularizer.")] = 1e-3,
    tol: Annotated[float, Option(help="The relative gap to reach.")] = 1e-6,
    max_epochs: Annotated[float, Option(help="The most epochs.")] = 1000.0,
    solver: Annotated[str, Option(help=SOLVER)] = "gauss-seidel",
    update: Annotated[str, Option(help="exact, bounded, newton or gradient.")] = "exact",
    order: Annotated[str, Option(help="shuffled, cyclic or most-violating.")] = "shuffled",
    scale: Annotated[float, Option(help="Every step is multiplied by it.")] = 1.0,
    shrinking: Annotated[bool, Option(help="Leave samples alone that rest, for squared-l2.")] = True,
    eta: Annotated[float, Option(help="The learning rate of the gradient update.")] = 0.01,
    seed: Annotated[int, Option(help="Of the shuffled order.")] = 0,
    bias: Annotated[bool, Option(help="Append a constant feature.")] = False,
    free_bias: Annotated[bool, Option("--free-bias", help="Add a bias that is not regularized.")] = False,
    kernel: Annotated[str | None, Option(help="Such as rbf:gamma=0.05.")] = None,
    balanced: Annotated[bool, Option("--balanced", help="Give every feature a negative twin.")] = False,
    positive: Positive = None,
    target: Target = None,
    category: Annotated[str | None, Option(help="The topic of reuters21578.")] = None,
    test_size: Annotated[float | None, Option(help="The share of a file's rows to test on.")] = None,
    zero_based: ZeroBased = None,
    out: Annotated[Path | None, Option(metavar="MODEL", help="Where to save the solution (.npz).")] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Solve a problem to a certified gap. Ctrl-C keeps what was reached."""
    _check_out(out)
    from workbench import data, losses, regularizers, solvers
    from workbench.cli import report
    from workbench.problem import Problem
    from workbench.run import Run
    from workbench.solution import Solution

    loss, regularizer = losses.get(loss), regularizers.get(regularizer)
    if solver == solvers.GaussSeidel.name:
        shrinking = shrinking and order != "most-violating" and update in ("exact", "bounded")
        solver = solvers.GaussSeidel(update=update, order=order, scale=scale, eta=eta, shrinking=shrinking)
    else:
        solver = solvers.get(solver)
    options = {"positive": _labels(positive), "target": target, "category": category, "test_size": test_size,
               "zero_based": zero_based}  # fmt: skip
    dataset = data.load(source, **{name: value for name, value in options.items() if value is not None})
    _check_labels(dataset, loss)
    if not json:
        print(dataset.summary, flush=True)
    if bias and free_bias:
        raise InputError("--bias and --free-bias exclude each other; choose one")
    shape = {
        "bias": free_bias or ("constant" if bias else False),
        "embed": "balanced" if balanced else None,
        "kernel": kernel,
    }
    problem = Problem(dataset.X, dataset.y, loss, regularizer, lam, **shape)
    test = None if dataset.X_test is None else (dataset.X_test, dataset.y_test)
    run = Run(problem, solver, seed=seed, test=test)
    report.advance(run, tol, max_epochs, show=not json and sys.stderr.isatty())
    solution = Solution.of(run)
    if out:
        solution.save(out)
    shown = report.as_json(dataset, run, solution, tol, out) if json else report.as_table(run, solution)
    print(shown, flush=True)
    if solution.status != "converged":
        print(report.ending(solution, tol, out), file=sys.stderr)
    elif out and not json:
        print(f"saved to {out}")
    raise typer.Exit(ENDS.get(solution.status, 1))


def predict(
    model: Model,
    file: Data,
    out: Annotated[Path | None, Option(metavar="FILE", help="Where to write; by default here.")] = None,
    positive: Positive = None,
    target: Target = None,
    zero_based: ZeroBased = None,
):
    """Predict: one number a line, a label where the loss has labels."""
    _check_out(out)
    from workbench.data.files import load_file
    from workbench.solution import Solution

    solution = Solution.load(model)
    options = {"positive": _labels(positive), "target": target, "zero_based": zero_based}
    given = {name: value for name, value in options.items() if value is not None}
    dataset = load_file(file, n_features=solution.n_features, **given)
    form = "{:g}" if solution.classifies else "{!r}"
    text = "".join(form.format(value) + "\n" for value in solution.predict(dataset.X).tolist())
    if out is None:
        sys.stdout.write(text)
    else:
        storage.write(out, text)


def _check_out(out):
    """Refuse a place that cannot be written before any work is done for it."""
    if out is None:
        return
    if out.is_dir():
        raise InputError(f"--out {out} is a folder; name a file in it")
    if not out.absolute().parent.is_dir():
        raise InputError(f"--out {out}: there is no folder {out.parent}; make it first")


def _labels(positive):
    """Labels as integers where they are spelled like one, as a data set's own classes are."""
    if not positive:
        return None
    return tuple(int(text) if re.fullmatch("-?(0|[1-9][0-9]{0,17})", text) else text for text in positive)


def _check_labels(dataset, loss):
    """Say which option makes labels -1 and +1, in place of the line of Python that would."""
    import numpy as np

    values = np.unique(dataset.y)
    if loss.kind != "margin" or np.isin(values, (-1.0, 1.0)).all():
        return
    first = ", ".join(f"{value:g}" for value in values[:4])
    listed = first if len(values) <= 4 else f"{first} and {len(values) - 4} more"
    raise InputError(
        f"{dataset.name}: the {loss.name} loss needs labels -1 and +1, and these are {listed}; "
        f"pass --positive VALUE with the one that counts as +1, such as --positive {values[-1]:g}"
    )
