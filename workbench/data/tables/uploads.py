"""A visitor's file as the page Your data shows it and fits a model to it.

Nothing in it is trusted: it is read by the one reader, within limits, and its name serves for its suffix and
for sentences alone.
"""

from __future__ import annotations

from typing import Any

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES
from workbench.data.tables import columns, limits, reading
from workbench.data.tables.columns import as_text
from workbench.data.tables.targets import FEW, choose_task

CLASSIFICATION, REGRESSION = TASKS = ("classification", "regression")
# Of a server that others use as well.
MAX_EPOCHS = 500
# Fewer rows are all needed for the training.
LEAST_FOR_TEST = 20
# Columns that are listed, and cells of each.
LISTED, CELLS, LONGEST = 100, 3, 24


def read(content: bytes, name: str, target=None, caps=limits.UPLOAD) -> dict[str, Any]:
    """Return the facts of a file: its bytes, its name on the visitor's machine, and the column to predict.

    An `InputError` names the file, the line or the column, and the fix.
    """
    return facts(reading.read_upload(content, name, target, caps))


def facts(table, model=None) -> dict[str, Any]:
    """Return what there is to show of a table, as texts and numbers: with a model, what it decided."""
    labels = table.target.dropna()
    distinct = sorted(labels.unique().tolist(), key=lambda value: (isinstance(value, str), value))
    is_text = labels.dtype == object or any(isinstance(value, str) for value in distinct[:1])
    is_few = len(distinct) <= FEW and all(float(value).is_integer() for value in distinct if not is_text)
    task = CLASSIFICATION if is_text or labels.dtype == bool or is_few else REGRESSION
    counts = labels.map(as_text).value_counts()
    listed = {as_text(value): int(counts[as_text(value)]) for value in distinct[:MAX_CLASSES]}
    return {
        "name": table.name,
        "summary": table.summary,
        "rows": len(table),
        "task": task,
        "classes": listed if task == CLASSIFICATION else {},
        "columns": _matrix(table) if table.frame is None else _columns(table, model),
        "more": 0 if table.frame is None else max(0, table.frame.shape[1] + 1 - LISTED),
    }


def _columns(table, model):
    """Return the name, the decision, the first cells and the use of each column, in the order of the file."""
    decided = {} if model is None else model.features.describe()
    names, place = table.all_columns
    rows = []
    for j, name in enumerate(names[:LISTED]):
        series = table.target if j == place else table.frame[name]
        decision = decided.get(name) or _kind(series)
        cells = ["" if empty else _cut(as_text(cell)) for cell, empty in _cells(series)]
        use = "target" if j == place else "used" if not decision.startswith("left out") else "left out"
        rows.append(
            {
                "name": str(name),
                "place": j,
                "cells": cells,
                "use": use,
                "decision": "" if j == place else decision,
            }
        )
    return rows


def _cells(series):
    first = series.iloc[:CELLS]
    return zip(first, first.isna(), strict=True)


def _kind(series):
    kind, empty = columns.kind_of(series), int(series.isna().sum())
    text = kind if kind in columns.USED else f"left out: {columns.REASONS[kind]}"
    return f"{text}; {empty:,} empty" if empty else text


def _matrix(table):
    """Return the one line of a LIBSVM file."""
    X, cells = table.matrix, []
    for i in range(min(CELLS, len(table))):
        here = slice(X.indptr[i], X.indptr[i + 1])
        pairs = zip(X.indices[here][:2], X.data[here][:2], strict=True)
        cells.append(" ".join(f"{j + table.first}:{value:g}" for j, value in pairs) + " …")
    decision = f"{X.shape[1]:,} features, {100.0 * X.nnz / max(X.shape[0] * X.shape[1], 1):.3g} % not zero"
    return [{"name": "index:value", "place": 0, "cells": cells, "use": "used", "decision": decision}]


def _cut(text):
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def solve(content: bytes, name: str, choice: dict[str, Any], caps=limits.UPLOAD):
    """Return the facts of a file, its certified model, and why there is none.

    Parameters
    ----------
    content, name, caps
        As for `read`.
    choice : dict
        "target", a place, or None to find it; "task", or None for that of the labels; "losses", the loss of
        each task; "positive", the label that is +1 where a loss takes two, or "" for the last one;
        "is_balanced", True for labels of equal weight; "is_tested", True to hold a quarter of the rows out;
        and "options", other arguments of `wb.fit`.
    """
    from workbench.data.tables import fitting
    from workbench.problems import losses

    table = reading.read_upload(content, name, choice["target"], caps)
    about = facts(table)
    task = choice["task"] or about["task"]
    loss, options, labels = choice["losses"][task], dict(choice["options"]), list(about["classes"])
    if losses.get(loss).kind == "margin":
        options["positive"] = choice["positive"] or (labels[-1] if len(labels) > 2 else None)
    if choice["is_balanced"] and task == CLASSIFICATION:
        options["class_weight"] = fitting.BALANCED
    if choice["is_tested"] and len(table) >= LEAST_FOR_TEST:
        options["test_size"] = 0.25
    try:
        if choice["task"] is None:
            choose_task(table.target.dropna(), table.name)  # refuses what is nearly an index
        model = fitting.fit(table, loss=loss, max_epochs=MAX_EPOCHS, **options)
    except InputError as error:
        return about | {"loss": loss}, None, str(error)
    return facts(table, model) | {"loss": loss}, model, ""
