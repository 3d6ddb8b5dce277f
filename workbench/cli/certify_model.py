"""`workbench certify --model`: models of the workbench, and estimators in joblib files."""

from pathlib import Path
from typing import Any

import numpy as np

from workbench import data
from workbench._support.errors import InputError
from workbench._support.system import files
from workbench.certificates import certificate
from workbench.cli import report
from workbench.data.dataset import Dataset
from workbench.data.tables import model, reading, training
from workbench.estimators import external as foreign
from workbench.solvers.solution import Solution


def certified(path, source, options, trusted, tol, json):
    """Return the output for a model file on data, and the relative gap to compare with a tolerance."""
    if path.suffix == ".npz" or (path.is_file() and files.is_archive(path)):
        dataset, problem, result = _own(path, source, options)
        text = report.certificate_json if json else report.certificate_table
        return text(dataset, problem, result), max(result.relative_gap, result.relative_interval or 0.0)
    if not trusted:
        raise InputError(
            f"--model {path} is opened by joblib, and such a file runs whatever code it holds; pass "
            "--trust-joblib for one that you or somebody you trust wrote"
        )
    result = _estimator(path, source, options, tol)
    return (report.model_json(result) if json else str(result)), result.relative_gap


def _own(path, source, options):
    """Return the data set, the problem and the certificate of a model that the workbench saved."""
    solution = Solution.load(path)
    if model.is_model(path):
        dataset = _rows_of_model(model.Model.load(path), source, options)
    else:
        dataset = data.load(source, **options)
    problem = solution.problem(dataset.X, dataset.y)
    if problem.kernel is None and problem.n_features != solution.n_features:
        raise InputError(
            f"{dataset.name} has {problem.n_features} features where {path} has {solution.n_features}; "
            "give the data that it was solved on"
        )
    here = solution.alpha.shape[0] == problem.n_samples
    if problem.kernel is not None and not here:
        raise InputError(
            f"{path} has a kernel and {solution.alpha.shape[0]} dual variables, and {dataset.name} has "
            f"{problem.n_samples} samples; give the data that it was solved on"
        )
    if problem.kernel is not None:
        return dataset, problem, certificate(problem, alpha=solution.alpha)
    points: list[dict[str, Any]] = [{"w": solution.w, "b": solution.b if problem.bias else None}]
    if here:
        points.append({**points[0], "alpha": solution.alpha})
    return dataset, problem, min((certificate(problem, **point) for point in points), key=lambda c: c.gap)


def _rows_of_model(fitted, source, options):
    """Return the rows of a table as a model of tables takes them, with its scales and its labels."""
    task, features = fitted.task, fitted.features
    for name in {"positive", "category"} & options.keys():
        raise InputError(f"--{name} cannot be combined with this --model, which has its labels; leave it out")
    target = options.get("target", None if features.is_matrix else task.name)
    zero_based = options.get("zero_based", fitted.zero_based)
    spelling = fitted.notation(**reading.spelling_in(options))
    table = reading.read(Path(source), target, zero_based, **spelling)
    if (table.frame is None) != features.is_matrix:
        kind = "LIBSVM features" if features.is_matrix else "named columns"
        raise InputError(f"{table.name} does not hold the {kind} that the model was trained on")
    table = training.of_model(table, features)
    X = features.transform(training.features(table), table.name)
    return Dataset(table.name, X, task.encode(table.target, table.name), None, None, features.names, "")


def _estimator(path, source, options, tol):
    """Return the certificate of an estimator in a joblib file."""
    import joblib

    try:
        fitted = joblib.load(path)
    except FileNotFoundError:
        raise InputError(f"--model {path}: file not found; check the path") from None
    except Exception as error:  # unpickling raises whatever the file makes it
        raise InputError(
            f"--model {path} is not a joblib file that can be opened here ({error}); save it anew"
        ) from None
    X, y = _samples(fitted, source, options)
    return foreign.certificate(fitted, X, y, **({} if tol is None else {"tol": tol}))


def _samples(fitted, source, options):
    """X and y: the columns by their names where the estimator knows names."""
    if data.is_name(source) or "positive" in options:
        dataset = data.load(source, **options)
        return dataset.X, dataset.y
    spelling = reading.spelling_in(options)
    table = reading.read(Path(source), options.get("target"), options.get("zero_based", "auto"), **spelling)
    y = table.target.to_numpy()
    if table.frame is None:
        X = table.matrix
        if getattr(fitted, "n_features_in_", 0) > X.shape[1]:  # the last features may be zero in all rows
            X.resize((X.shape[0], fitted.n_features_in_))
        return X, y
    names, frame = getattr(fitted, "feature_names_in_", None), table.frame
    if names is None:
        return np.asarray(frame), y
    missing = [name for name in names if name not in frame.columns]
    if missing:
        raise InputError(
            f"{table.name} lacks the column {missing[0]!r}, to which the estimator was fitted; give it"
        )
    return frame[list(names)], y
