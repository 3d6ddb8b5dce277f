"""Downloads of a visitor's model: files, and its samples for the Dual lab."""

import io

import numpy as np

from workbench.data.dataset import Dataset
from workbench.data.split import split_rows
from workbench.data.tables import report


def _saved(model):
    file = io.BytesIO()
    model.save(file)
    return file.getvalue()


def _predictions(model):
    return model.predict(model.table).to_csv(index_label="index")


def samples(model):
    """Return the samples of a model's problem as a data set, in the order of `wb.data.load`."""
    parts, names = [(model.X, model.run.problem.y), model.held_out or (None, None)], model.features.names
    if model.held_out is not None:
        y = model.task.encode(model.table.target, model.table.name)
        drawn = split_rows(y, model.table.name, model.arguments["test_size"])
        places = [np.searchsorted(np.sort(rows), rows) for rows in drawn]
        parts = [(X[place], y[place]) for (X, y), place in zip(parts, places, strict=True)]
    names = names if model.features.is_matrix else tuple(map(str, names))
    return Dataset(model.source, *parts[0], *parts[1], names, model.task.sentence)


def loading(model):
    """Return the options with which `wb.data.load` gives the same samples of the file."""
    unused = [decision.name for decision in model.features.decisions if not decision.is_used]
    left_out = [*model.arguments.get("leave_out", ()), *unused]
    options = {name: model.arguments.get(name) for name in ("target", "missing", "test_size")}
    options |= {"leave_out": left_out or None, "standardize": model.features.is_scaled or None}
    options["positive"] = model.task.labels[1] if model.task.labels else None
    return {name: value for name, value in options.items() if value is not None}


# By its kind the name of a file and what makes its content.
FILES = {
    "model": ("model.npz", _saved),
    "predictions": ("predictions.csv", _predictions),
    "report": ("report.html", report.page),
}
