"""`workbench solve` and `predict` after their options are read."""

import contextlib
import functools
import sys
from pathlib import Path

import numpy as np
from scipy import sparse

from workbench import data
from workbench._support.display.options import as_options, options_of
from workbench._support.display.progress import counting
from workbench._support.errors import InputError
from workbench._support.system import storage
from workbench.cli import places
from workbench.cli import report as shown
from workbench.data.dataset import Dataset
from workbench.data.tables import choice, fitting, model, reading, samples, scoring
from workbench.data.tables import warm_start as warm_starts
from workbench.problems import Problem, intercept, losses, regularizers
from workbench.solvers import unconverged
from workbench.solvers.solution import Solution

# The defaults: for a table, and for LIBSVM files and data sets by name.
TABLE = {"lam": fitting.AUTO, "tol": 1e-4}
PLAIN = {"lam": 1e-3, "tol": 1e-6}
MARGIN = "hinge"
# The options that a note on a table names as arguments of Python.
OPTIONS = options_of(
    *("target", "missing", "leave_out", "keep", "positive", "unknown", "lam", "loss", "test_size"),
    *("encoding", "decimal", "thousands", "skip"),
)


def solve_data_set(name, options, arguments, out, json):
    """Solve a data set of the workbench; returns the status."""
    warm_start = options.pop("warm_start")
    options = _with(options, PLAIN | {"loss": MARGIN})
    loss, regularizer = losses.get(options["loss"]), regularizers.get(options["regularizer"])
    arguments = arguments | {"positive": options["positive"]}
    dataset = data.load(name, **{key: value for key, value in arguments.items() if value is not None})
    check_labels(dataset, loss)
    if not json:
        print(dataset.summary, flush=True)
    shape = {key: options[key] for key in ("embed", "kernel")} | {"bias": _bias(options)}
    lam, solver, cv_start = options["lam"], options["solver"], None
    if lam == fitting.AUTO:
        lam, solver, cv_start = _chosen(
            dataset, {"loss": loss, "regularizer": regularizer} | shape, options, json
        )
    problem = Problem(dataset.X, dataset.y, loss, regularizer, lam, **shape)
    test = None if dataset.X_test is None else (dataset.X_test, dataset.y_test)
    start = cv_start if warm_start is None else warm_starts.start(warm_start, problem)
    effort = (options["tol"], options["max_epochs"], options["seed"])
    runs = shown.reach(_is_watched(json), problem, solver, *effort, test, start)
    solution = Solution.of(*runs)
    if out:
        solution.save(out)
    return _end(dataset, runs[-1], solution, options["tol"], out, json)


def _chosen(dataset, shape, options, json):
    """Return lambda, solver and start by cross-validation on the training rows; print the choice."""
    with _watching(json, True) as watch:
        selection = choice.choose(
            lambda train, test: (dataset.X[train], dataset.X[test]),
            *(dataset.X, dataset.y, shape, shape["loss"].kind in ("margin", "classes")),
            solver=options["solver"],
            seed=options["seed"],
            watch=watch,
        )
    if not json:
        print(selection.sentence, flush=True)
    return selection.lam, selection.solver or options["solver"], selection.start


@contextlib.contextmanager
def _watching(json, chooses):
    """Give the function that shows the lambdas of a cross-validation on a bar."""
    with counting("cross-validation", _is_watched(json) and chooses) as move:

        def watch(done, count, point):
            score, gap = f"held-out score {point.score:.3f}", f"gap {point.gap:.0e}"
            move(done, count, f"λ = {point.lam:.2g}, {score}, {gap}")

        yield watch


def _is_watched(json):
    """Return whether a progress bar can be seen."""
    return not json and sys.stderr.isatty()


def file(path, target, zero_based, options, out, force, page, json, spelling=None):
    """Solve a file; returns the status."""
    table = reading.read(path, target, "auto" if zero_based is None else zero_based, **(spelling or {}))
    plain = table.frame is None
    requested = out
    if out is None and not plain:
        out = Path(f"{path.name.split('.')[0] or 'table'}.model.npz")
        if out.is_file() and not force:
            raise InputError(
                f"{out} already exists, and the model is saved there by default; name another file with "
                "--out, or replace it with --force"
            )
    settings = _with(options, PLAIN if plain else TABLE)
    if plain:
        settings["loss"] = settings["loss"] or _plain_loss(table, settings["positive"])
        settings["fit_intercept"] = _bias(settings) is not False
    if not json and not plain:
        print(table.summary, flush=True)

    with _watching(json, settings["lam"] == fitting.AUTO) as watch:
        solving = functools.partial(shown.reach, _is_watched(json))
        fitted = fitting.fit(table, **settings, solving=solving, watch=watch)
    X_test, y_test = (None, None) if fitted.held_out is None else fitted.held_out
    run = fitted.run
    assert run is not None  # of a model that was just fitted
    dataset = Dataset(path.name, fitted.X, run.problem.y, X_test, y_test, fitted.features.names, "")
    out = _save(fitted, out, requested)
    if page is not None:
        from workbench.data.tables import report

        storage.write(page, report.page(fitted))
    return _end(dataset, run, fitted.solution, fitted.tol, out, json, fitted, page)


def _bias(options):
    """Return the bias of a LIBSVM file or a data set by name, none by default."""
    return intercept.bias_of("solve", options["fit_intercept"], options["penalize_intercept"], False)


def _with(options, defaults):
    return options | {name: value for name, value in defaults.items() if options[name] is None}


def _plain_loss(table, positive):
    """Return the loss for LIBSVM where none is given: of two labels the hinge, as ever."""
    task = table.task(None, positive)
    return MARGIN if task.kind == losses.get(MARGIN).kind else task.loss


def _save(fitted, out, requested):
    """Save the model; returns the place, or None where it is the default one and takes no file."""
    if out is None:
        return None
    try:
        fitted.save(out)
    except OSError as error:
        if requested is not None:
            raise
        reason = error.strerror or error
        print(f"warning: {out} was not saved ({reason}); give --out MODEL", file=sys.stderr)
        return None
    return out


def _end(dataset, run, solution, tol, out, json, fitted=None, page=None):
    """Print the solution and how it ended; returns the status."""
    score = scoring.of_run(run, solution) if fitted is None else fitted.score
    if json:
        print(shown.as_json(dataset, run, solution, score, tol, out, fitted), flush=True)
    else:
        print(shown.as_table(run, solution, score), flush=True)
        if fitted is not None:
            notes = (as_options(note, OPTIONS) for note in fitted.notes)
            print("\n".join([*([dataset.summary] if fitted.features.is_matrix else []), *notes]))
    if solution.status != "converged":
        print(shown.ending(unconverged.sentence(run, solution), out), file=sys.stderr)
    elif out and not json:
        plain = fitted is None or fitted.features.is_matrix
        place = places.name(out)
        plain = plain or place != str(out)
        print(f"saved to {place}" + ("" if plain else f"; workbench predict {out} NEW.csv predicts with it"))
    if page is not None and not json:
        print(f"report in {page}")
    return solution.status


def predictions(path, source, options, unknown, spelling):
    """Return the output of `predict`: CSV for a table's model, else a line for each sample."""
    if not model.is_model(path):
        solution = Solution.load(path)
        dataset = samples.load_file(source, n_features=solution.n_features, **options, **spelling)
        return _lines(solution.predict(dataset.X), solution.classifies)
    fitted = model.Model.load(path)
    if not fitted.features.is_matrix:
        spelling = fitted.notation(**spelling)
        rows = reading.open_file(source, fitted.zero_based, labelled=False, **spelling)
        return fitted.predict(rows, unknown).to_csv(index_label="index", lineterminator="\n")
    zero_based = options.get("zero_based", fitted.zero_based)
    content = reading.open_file(source, zero_based, n_features=fitted.solution.n_features, **spelling)
    if content.frame is not None:
        options = {name: value for name, value in options.items() if name != "positive"}
        X = samples.load_file(source, n_features=fitted.solution.n_features, **options, **spelling).X
        content = sparse.csr_array(X)
    return _lines(fitted.predict(content)["label"].tolist(), False)


def _lines(values, labels):
    values = values.tolist() if hasattr(values, "tolist") else values
    form = "{:g}" if labels else "{}"
    return "".join(form.format(value) + "\n" for value in values)


def check_labels(dataset, loss):
    """Say which option makes labels -1 and +1, in place of the line of Python that would."""
    values = np.unique(dataset.y)
    if loss.kind != "margin" or np.isin(values, (-1.0, 1.0)).all():
        return
    first = ", ".join(f"{value:g}" for value in values[:4])
    text = first if len(values) <= 4 else f"{first} and {len(values) - 4} more"
    raise InputError(
        f"{dataset.name}: the {loss.name} loss needs labels -1 and +1, and these are {text}; "
        f"pass --positive VALUE with the one that counts as +1, such as --positive {values[-1]:g}"
    )
