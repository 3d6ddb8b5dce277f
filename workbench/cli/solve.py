"""`workbench solve` and `workbench predict`."""

import dataclasses
import re
import sys
from pathlib import Path
from typing import Annotated

import typer
from typer import Argument, Option

from workbench._support.errors import InputError
from workbench._support.system import storage
from workbench.cli import places

ENDS = {"converged": 0, "interrupted": 130}
FILE = "A table (CSV, TSV, Excel, Parquet, JSON lines, ARFF, .npy, .npz) or LIBSVM file"
POSITIVE = "The label that counts as +1, the others as -1; may be repeated."
TARGET = "The column of a table to predict; one named target or label, else the last one."
COUNTING = "How a LIBSVM file counts features; detected by default."
ENCODING = "The encoding of a text that is not UTF-8, such as cp1250; by default found by its letters."
DECIMAL = "The decimal mark of a text, . or , and by default found for the whole file."
THOUSANDS = "The mark between thousands: . , ' _ or a space; never guessed."
SKIP = "Lines before the table."
INTERCEPT = "Fit an intercept; by default for tables alone."
PENALIZE = "Regularize the intercept, as the weight of a feature that is always 1; no by default."
N_JOBS = "Folds of the cross-validation that are solved at a time; -1 for one a core."
FitIntercept = Annotated[bool | None, Option(help=INTERCEPT)]
PenalizeIntercept = Annotated[bool | None, Option(help=PENALIZE)]
Encoding = Annotated[str | None, Option(metavar="NAME", help=ENCODING)]
Decimal = Annotated[str | None, Option(metavar="MARK", help=DECIMAL)]
Thousands = Annotated[str | None, Option(metavar="MARK", help=THOUSANDS)]
Skip = Annotated[int | None, Option(metavar="LINES", help=SKIP)]
Positive = Annotated[list[str] | None, Option(metavar="VALUE", help=POSITIVE)]
Target = Annotated[str | None, Option(metavar="COL", help=TARGET)]
ZeroBased = Annotated[bool | None, Option("--zero-based/--one-based", help=COUNTING)]
LOSS = "Such as hinge or epsilon-insensitive:epsilon=0.1,p=2; by default chosen from the target."
LAM = "The weight of the regularizer, or auto: by cross-validation, as for tables by default; else 0.001."
MAX_EPOCHS = "Largest number of epochs: 1000 by default; --solver auto goes on for 30 seconds."
TOL = "The relative gap to reach: 1e-4 for tables by default, else 1e-6."
MISSING = "How empty cells are handled: mean, median, drop (the rows) or indicator."
LEAVE_OUT = "A column that is not used; may be repeated."
KEEP = "A column that is used although the rules would leave it out; may be repeated."
STANDARDIZE = "Scale columns of numbers to mean 0 and deviation 1, as is done for a table by default."
ONE_SE = "With --lam auto: the largest within one standard error of the best."
OUT = "Where to save the model, - for standard output; FILE.model.npz by default for a table."
SOLVER = "auto, which chooses what suits the problem and is the default, or such as newton and gauss-seidel."
UPDATE = "Of gauss-seidel: exact, bounded, newton or gradient."
ORDER = "Of gauss-seidel: shuffled, cyclic or most-violating."
SCALE = "Of gauss-seidel: the factor of every step, 1 by default."
SHRINKING = "Skip samples that stay at a bound, where the solver can; by default it does."
ETA = "Of gauss-seidel: the learning rate of the gradient update, 0.01 by default."
WARM_START = "Start from a saved model of the same loss, columns and labels."
SAMPLE_WEIGHT = "A column of a table with the weights of the samples, 0 or more; it is not a feature then."
CLASS_WEIGHT = "balanced, or the weight of a label, which may be repeated."
WORKERS = "Solve the files of a pattern such as 'parts/*.libsvm' in this number of processes."
SCHEDULER = "The same on the Dask cluster at this address, such as tcp://host:8786."
MEMORY = "A bound such as 1GiB on what the workers hold without what they map from files."
UNKNOWN = "How a category is treated that training did not see: refuse or ignore."
Missing = Annotated[str | None, Option(metavar="HOW", help=MISSING)]
LeaveOut = Annotated[list[str] | None, Option(metavar="COL", help=LEAVE_OUT)]
Source = Annotated[str, Argument(metavar="FILE_OR_NAME", help=f"{FILE}, or a name of `workbench data list`.")]
Data = Annotated[Path, Argument(metavar="FILE", help=f"{FILE} with the columns of the training.")]
Model = Annotated[Path, Argument(metavar="MODEL", help="A model that `workbench solve` saved.")]


def solve(
    source: Source,
    loss: Annotated[str | None, Option(help=LOSS)] = None,
    regularizer: Annotated[str, Option(help="Such as elastic-net:epsilon=0.1.")] = "squared-l2",
    lam: Annotated[str | None, Option(metavar="NUMBER|auto", help=LAM)] = None,
    missing: Missing = None,
    leave_out: LeaveOut = None,
    keep: Annotated[list[str] | None, Option(metavar="COL", help=KEEP)] = None,
    standardize: Annotated[bool | None, Option(help=STANDARDIZE)] = None,
    one_se: Annotated[bool, Option("--one-se", help=ONE_SE)] = False,
    sample_weight: Annotated[str | None, Option(metavar="COL", help=SAMPLE_WEIGHT)] = None,
    class_weight: Annotated[
        list[str] | None, Option(metavar="balanced|LABEL=NUMBER", help=CLASS_WEIGHT)
    ] = None,
    n_jobs: Annotated[int | None, Option(metavar="N", help=N_JOBS)] = None,
    report: Annotated[Path | None, Option(metavar="FILE.html", help="Write a page about the fit.")] = None,
    tol: Annotated[float | None, Option(help=TOL)] = None,
    max_epochs: Annotated[float | None, Option(help=MAX_EPOCHS)] = None,
    solver: Annotated[str | None, Option(help=SOLVER)] = None,
    update: Annotated[str | None, Option(help=UPDATE)] = None,
    order: Annotated[str | None, Option(help=ORDER)] = None,
    scale: Annotated[float | None, Option(help=SCALE)] = None,
    shrinking: Annotated[bool | None, Option(help=SHRINKING)] = None,
    eta: Annotated[float | None, Option(help=ETA)] = None,
    seed: Annotated[int, Option(help="Seed of the shuffled order.")] = 0,
    fit_intercept: FitIntercept = None,
    penalize_intercept: PenalizeIntercept = None,
    kernel: Annotated[str | None, Option(help="Such as rbf:gamma=0.05.")] = None,
    balanced: Annotated[bool, Option("--balanced", help="Add the negative of every feature.")] = False,
    positive: Positive = None,
    target: Target = None,
    category: Annotated[str | None, Option(help="The topic of reuters21578.")] = None,
    test_size: Annotated[float | None, Option(help="The share of a file's rows to test on.")] = None,
    zero_based: ZeroBased = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    skip: Skip = None,
    workers: Annotated[int | None, Option(metavar="N", help=WORKERS)] = None,
    scheduler: Annotated[str | None, Option(metavar="ADDRESS", help=SCHEDULER)] = None,
    memory: Annotated[str | None, Option(metavar="SIZE", help=MEMORY)] = None,
    out: Annotated[Path | None, Option(metavar="MODEL", help=OUT)] = None,
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
    warm_start: Annotated[Path | None, Option(metavar="MODEL", help=WARM_START)] = None,
    json: Annotated[bool, Option("--json", help="Print one JSON object and nothing else.")] = False,
):
    """Solve a problem to a certified gap. Ctrl-C keeps what was reached."""
    places.check_model(out, force, json, [source])
    places.check(report, "--report", force, [source])
    from workbench import data
    from workbench.cli import solve_file, solve_parts
    from workbench.data.tables import warm_start as warm_starts
    from workbench.solvers import AUTO
    from workbench.solvers.solution import Solution

    steps = {"update": update, "order": order, "scale": scale, "eta": eta, "shrinking": shrinking}
    options = {
        "loss": loss,
        "regularizer": regularizer,
        "lam": _lam(lam),
        "max_epochs": max_epochs,
        "seed": seed,
        "solver": _solver(solver, steps),
        "kernel": kernel,
        "tol": tol,
        "embed": "balanced" if balanced else None,
        "fit_intercept": fit_intercept,
        "penalize_intercept": penalize_intercept,
        "positive": _labels(positive),
        "test_size": test_size,
    }
    table = {
        "missing": missing,
        "leave_out": tuple(leave_out or ()),
        "keep": tuple(keep or ()),
        "standardize": standardize,
        "one_se": one_se,
        "n_jobs": n_jobs,
        "sample_weight": sample_weight,
        "class_weight": _class_weight(class_weight),
    }
    spelling = spelling_of(encoding, decimal, thousands, skip)
    cluster: dict[str, object] = {"workers": workers, "scheduler": scheduler, "memory": memory}
    if solve_parts.is_distributed(source, cluster):
        others = {
            "report": report,
            "category": category,
            "test_size": test_size,
            "kernel": kernel,
            "balanced": balanced,
            "solver": options["solver"] != AUTO and options["solver"],
            **table,
            **spelling,
        }
        arguments = {"target": target, "positive": _labels(positive), "zero_based": zero_based}
        cluster["warm_start"] = None if warm_start is None else Solution.load(warm_start)
        with places.messages_beside(out) as place:
            end = solve_parts.solve(source, options, arguments, cluster, others, place, json)
        raise typer.Exit(ENDS.get(end, 1))
    options["warm_start"] = None if warm_start is None else warm_starts.read(warm_start)
    with places.messages_beside(out) as place:
        if data.is_name(source):
            _refuse_for_names(source, report=report, target=target, **table, **spelling)
            arguments = {"category": category, "test_size": test_size, "zero_based": zero_based}
            end = solve_file.solve_data_set(source, options, arguments, place, json)
        else:
            path = data.fetch(source)
            if category is not None:
                raise InputError(f"{path.name}: leave the option 'category' out, it is for reuters21578.")
            end = solve_file.file(
                path, target, zero_based, options | table, place, force, report, json, spelling
            )
    raise typer.Exit(ENDS.get(end, 1))


def _refuse_for_names(source, **options):
    """Refuse an option that is for files."""
    for name, value in options.items():
        if value:
            raise InputError(f"--{name.replace('_', '-')} applies to files only; leave it out for {source}")


def spelling_of(encoding, decimal, thousands, skip):
    """Return how a text is written, as far as options say so: arguments of `wb.data.read`."""
    options = {"encoding": encoding, "decimal": decimal, "thousands": thousands, "skip": skip}
    return {name: value for name, value in options.items() if value is not None}


def _lam(text):
    """Return a number, "auto", or None where nothing was given."""
    if text is None or text == "auto":
        return text
    try:
        return float(text)
    except ValueError:
        text = f"{text!r} is neither a number nor auto; write --lam 0.01"
        raise typer.BadParameter(text, param_hint="--lam") from None


def _class_weight(values):
    """Return "balanced", or factors by label; None by default."""
    if not values:
        return None
    if values == ["balanced"]:
        return "balanced"
    factors = {}
    for text in values:
        label, equals, number = text.rpartition("=")
        try:
            factors[label] = float(number)
        except ValueError:
            equals = ""
        if not equals:
            raise typer.BadParameter(
                f"{text!r} is neither balanced nor a label with its weight; write --class-weight spam=2",
                param_hint="--class-weight",
            )
    return factors


def _solver(name, options):
    """Return a solver from its name, gauss-seidel by default, and the options that are its parameters."""
    from workbench import solvers

    options = {option: value for option, value in options.items() if value is not None}
    if not options:
        return solvers.AUTO if name is None else name if name == solvers.AUTO else solvers.get(name)
    if name == solvers.AUTO:
        option = next(iter(options))
        raise InputError(f"--{option} needs a named solver; leave it out with --solver auto")
    solver = solvers.get(solvers.GaussSeidel.name if name is None else name)
    parameters = {field.name for field in dataclasses.fields(solver)}
    for option in options.keys() - parameters:
        raise InputError(
            f"--{option} is not a parameter of {solver.name}; leave it out, or use --solver "
            f"{solvers.GaussSeidel.name}"
        )
    try:
        return dataclasses.replace(solver, **options)
    except InputError:
        if "shrinking" in options or "shrinking" not in parameters:
            raise
        # By its name alone it shrinks, which not all of its updates and orders go with.
        return dataclasses.replace(solver, **options, shrinking=False)


def predict(
    model: Model,
    file: Data,
    out: Annotated[Path | None, Option(metavar="FILE", help="Where to write; by default here.")] = None,
    positive: Positive = None,
    target: Target = None,
    zero_based: ZeroBased = None,
    encoding: Encoding = None,
    decimal: Decimal = None,
    thousands: Thousands = None,
    skip: Skip = None,
    unknown: Annotated[str, Option(metavar="HOW", help=UNKNOWN)] = "refuse",
    force: Annotated[bool, Option("--force", help=places.FORCE)] = False,
):
    """Predict: a CSV with label, score and probability; for LIBSVM one label or number a line."""
    out = None if places.is_stream(out) else out
    places.check(out, "--out", force, [model, file])
    from workbench.cli import solve_file

    options = {"positive": _labels(positive), "target": target, "zero_based": zero_based}
    arguments = {name: value for name, value in options.items() if value is not None}
    spelling = spelling_of(encoding, decimal, thousands, skip)
    text = solve_file.predictions(model, file, arguments, unknown, spelling)
    if out is None:
        sys.stdout.write(text)
    else:
        storage.write(out, text)


def _labels(positive):
    """Labels as integers where they are spelled like one, as a data set's own classes are."""
    if not positive:
        return None
    return tuple(int(text) if re.fullmatch("-?(0|[1-9][0-9]{0,17})", text) else text for text in positive)
