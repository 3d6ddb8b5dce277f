"""A visitor's file as the page Your data shows it and makes a task of it.

Nothing in it is trusted: it is read by the one reader, within limits, and its name serves for its suffix and
for sentences alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from numpy.typing import NDArray

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES, Dataset
from workbench.data.tables import limits, reading, samples, training
from workbench.data.tables.columns import as_text
from workbench.data.tables.sentences import sentence
from workbench.data.tables.targets import FEW

TASKS = ("classification", "regression")
FIRST_ROWS = 5
# Of a server that others use as well.
MAX_EPOCHS = 500
LONGEST_NAME = reading.LONGEST_NAME


class Unusable(InputError):
    """A table that was read, and with other choices of its columns and its empty cells may be used."""


class Upload(NamedTuple):
    """A file that has been read."""

    name: str
    content: bytes  # as sent
    table: Any  # Table or None
    options: dict  # "missing" and "leave_out" as they were asked for
    X: Any  # (n, d), dense for a table and CSR for LIBSVM
    y: NDArray[Any]  # (n,) numbers or texts
    names: Sequence[str]  # of the d features
    columns: tuple  # names of all columns of a table, the label's too; () for LIBSVM
    target: int | None  # place of the label column of a table

    @property
    def classes(self):
        """The distinct labels in order, as many as can be classes, as texts."""
        import numpy as np

        values, counts = np.unique(self.y, return_counts=True)
        return dict(zip(map(as_text, values[:MAX_CLASSES].tolist()), counts.tolist(), strict=False))

    @property
    def suggested(self):
        """The task that the labels look like."""
        if self.y.dtype.kind == "U" or (len(set(self.y)) <= FEW and (self.y % 1 == 0).all()):
            return "classification"
        return "regression"

    def first_rows(self, most=8):
        """Return label and first entries of the first rows, as texts."""
        rows = []
        for i in range(min(FIRST_ROWS, len(self.y))):
            if self.target is None:
                here = slice(self.X.indptr[i], self.X.indptr[i + 1])
                pairs = zip(self.X.indices[here][:most], self.X.data[here][:most], strict=True)
                entries = [f"{j + self.table.first}:{value:g}" for j, value in pairs]
            else:
                row = self.X[[i], :most]
                entries = [f"{value:g}" for value in (row.toarray() if hasattr(row, "toarray") else row)[0]]
            rows.append((as_text(self.y[i]), entries))
        return rows


def read(content: bytes, name: str, target=None, caps=limits.UPLOAD, missing=None, leave_out=()) -> Upload:
    """Read an upload: its bytes, and the name on the visitor's machine; options as for `wb.fit`.

    An `InputError` names the file, the line or the column, and the fix.
    """
    table = reading.read_upload(content, name, target, caps)
    try:
        usable = training.usable(table, missing, leave_out, whole=True)
        y = samples.target_of(usable)
        features = training.prepare(usable, missing=missing, standardize=False)
        X = features.transform(training.features(usable), usable.name)
    except InputError as error:
        raise Unusable(str(error)) from None
    holes = table.frame is not None and (table.target.isna().any() or table.frame.isna().to_numpy().any())
    options = {"missing": missing} if missing and holes else {}
    options |= {"leave_out": list(leave_out)} if leave_out else {}
    columns, place, names = (), None, features.names
    if table.frame is not None:
        (columns, place), names = table.all_columns, tuple(names)
    return Upload(table.name, content, table, options, X, y, names, columns, place)


def fit(content, name, missing=None, one_se=False, leave_out=(), target=None, caps=limits.UPLOAD):
    """Return the model of a file's bytes; without a target the reader finds it."""
    from workbench.data.tables import fitting

    table = reading.read_upload(content, name, target or None, caps)
    return fitting.fit(
        table, missing=missing, one_se=one_se, leave_out=tuple(leave_out), max_epochs=MAX_EPOCHS
    )


def task(upload: Upload, kind: str, positive=None, test_size=None, standardize=False) -> Dataset:
    """Return the data set of an upload for a task of `TASKS`; other options as for `workbench.data.load`.

    By default the last class in order becomes +1. One class, too many classes, texts where numbers are needed
    and too few rows are refused.
    """
    import numpy as np

    if kind not in TASKS:
        raise InputError(f"the task {kind!r} is not known; use one of {', '.join(TASKS)}.")
    where, values = upload.name, None
    if len(upload.y) < 2:
        raise InputError(sentence("one_sample", where=where))
    if kind == "regression":
        if upload.y.dtype.kind == "U":
            raise InputError(f"{where}: the labels are texts; choose classification or another label column.")
    else:
        count = len(np.unique(upload.y))
        if count < 2:
            label = repr(as_text(upload.y[0])[:LONGEST_NAME])
            raise InputError(sentence("one_class", where=where, label=label))
        if count > MAX_CLASSES:
            raise InputError(sentence("many_classes", where=where, count=count, most=MAX_CLASSES))
        classes = list(upload.classes)
        positive = classes[-1] if positive is None else positive
        if positive not in classes:
            raise InputError(
                f"{where}: {positive[:LONGEST_NAME]!r} is not a class; it has {', '.join(classes)}."
            )
        values = (value(upload, positive),)
    return samples.dataset(upload.table, where, values, test_size, standardize, **upload.options)


def value(upload: Upload, positive: str):
    """Return a class as `workbench.data.load` takes it: a number where the labels are numbers."""
    if upload.y.dtype.kind == "U":
        return positive
    number = float(positive)
    return int(number) if number == int(number) else number
