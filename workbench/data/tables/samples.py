"""A table as the samples of a data set: its columns as numbers, its target as it stands, a test part."""

from __future__ import annotations

from numbers import Integral
from pathlib import Path

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES, Dataset
from workbench.data.split import as_values, one_against_rest, split_rows
from workbench.data.tables import columns, reading, targets, training
from workbench.data.tables.sentences import sentence


def load_file(path: Path, n_features=None, zero_based="auto", target=None, **options) -> Dataset:
    """Load a file; X is CSR for LIBSVM and dense for a table without many categories.

    Parameters
    ----------
    path : Path
    n_features, zero_based
        LIBSVM: as for `libsvm.read`. Table: the columns of X to have.
    target : str or int, optional
    **options
        The target and the spelling as for `wb.data.read`, the others as for `dataset`.
    """
    is_count = isinstance(n_features, Integral) and not isinstance(n_features, bool) and int(n_features) > 0
    if n_features is not None and not is_count:
        raise InputError(
            f"{path.name}: n_features={n_features!r} is not a whole number above 0; write n_features=100."
        )
    spelling = reading.spelling_in(options)
    table = reading.read(path, target, zero_based, n_features, **spelling)
    options = {name: value for name, value in options.items() if name not in spelling}
    return dataset(table, str(path), n_features=n_features, **options)


def dataset(
    table,
    source: str,
    positive=None,
    test_size=None,
    standardize=False,
    missing=None,
    leave_out=(),
    n_features=None,
) -> Dataset:
    """Return the data set of a table that was read from a source.

    Parameters
    ----------
    table : Table
    source : str
    positive : value or iterable of values, optional
        These labels become +1 and the others -1.
    test_size : float, optional
        The share of the rows to set aside as the test part, seed 0; none by default.
    standardize : bool
        True: columns of numbers are scaled by the training part; those of LIBSVM by their largest value.
    missing, leave_out
        As for `wb.fit`.
    n_features : int, optional
        Columns of X to have.
    """
    where, table = table.name, training.usable(table, missing, leave_out, whole=True)
    y = _labelled(target_of(table), positive, where)
    train, test = (slice(None), None) if test_size is None else split_rows(y, where, test_size)
    prepared = training.prepare(table, train, missing, bool(standardize))
    if n_features is not None and len(prepared.names) != n_features:
        raise InputError(
            f"{where} has features in {len(prepared.names)} columns where n_features={n_features} was given; "
            "give the columns that the model was trained on."
        )

    def samples(part):
        return prepared.transform(training.features(table, part), where, "ignore")

    labels = "" if positive is None else f" ({', '.join(map(str, as_values(positive)))} against the rest)"
    text = f"Read from {source}{labels}"
    if test is not None:
        text += f"; {test_size:g} of the rows set aside for testing, seed 0"
    if standardize:
        text += f"; {prepared.sentences[0] if table.frame is None else 'columns of numbers standardized'}"
    names = prepared.names if table.frame is None else tuple(prepared.names)
    X_test, y_test = (None, None) if test is None else (samples(test), y[test])
    return Dataset(where + labels, samples(train), y[train], X_test, y_test, names, f"{text}.")


def target_of(table):
    """Return the target (n,): numbers, or the texts of labels; empty cells and dates are refused."""
    import numpy as np

    if targets.check(table.target, table.name) == columns.NUMBER:
        return columns.numbers_of(table.target, table.name)
    return np.array(columns.texts_of(table.target), dtype=str)


def _labelled(y, positive, where):
    """Return labels -1 and +1 where some are positive, or there are two texts; texts by their place."""
    import numpy as np

    if positive is not None:
        return one_against_rest(y, positive, where)
    if y.dtype.kind == "f":
        return y
    labels, y = np.unique(y, return_inverse=True)
    if len(labels) > MAX_CLASSES:
        raise InputError(sentence("many_classes", where=where, count=len(labels), most=MAX_CLASSES))
    return 2.0 * y - 1.0 if len(labels) == 2 else y.astype(float)
