"""A table as the samples of a data set: its columns as numbers, its target as it stands, a test part."""

from __future__ import annotations

from numbers import Integral
from pathlib import Path

from workbench._support.errors import InputError
from workbench.data.dataset import MAX_CLASSES, Dataset
from workbench.data.split import as_values, one_against_rest, split_rows
from workbench.data.tables import preparation, reading, targets, training
from workbench.data.tables.sentences import sentence


def load_file(
    path: Path,
    positive=None,
    n_features=None,
    zero_based="auto",
    target=None,
    test_size=None,
    standardize=False,
    missing=None,
    leave_out=(),
    **spelling,
) -> Dataset:
    """Load a file; X is CSR for LIBSVM and dense for a table without many categories.

    Parameters
    ----------
    path : Path
    positive : value or iterable of values, optional
        These labels become +1 and the others -1.
    n_features : int, optional
        LIBSVM: columns to pad to, and not to exceed. Table: columns of X to have.
    zero_based : "auto", True or False
        LIBSVM: whether indices start at 0; "auto" says so when an index 0 occurs.
    target : str or int, optional
        Table: the column to predict, by name or counted from 0; one that is called "target", "label" or the
        like, else the last one.
    test_size : float, optional
        The share of the rows to set aside as the test part, seed 0; none by default.
    standardize : bool
        Whether columns of numbers are scaled by the training part; those of LIBSVM by their largest value.
    missing, leave_out
        What becomes of empty cells, and columns that are not used, as for `wb.fit`.
    **spelling
        encoding, decimal, thousands and skip, as for `wb.data.read`.
    """
    if n_features is not None and (
        isinstance(n_features, bool) or not isinstance(n_features, Integral) or n_features < 1
    ):
        raise InputError(
            f"{path.name}: n_features={n_features!r} is not a whole number above 0; write n_features=100."
        )
    if zero_based not in ("auto", True, False):
        raise InputError(f'{path.name}: zero_based={zero_based!r} is neither "auto" nor True nor False.')
    table = reading.read(path, target, zero_based, n_features, **spelling)
    return dataset(table, str(path), positive, test_size, standardize, missing, leave_out, n_features)


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
    """The data set of a table; the parameters of `load_file`, and the path that it was read from."""
    import numpy as np

    where, table = table.name, training.usable(table, missing, leave_out, whole=True)
    y = _labelled(target_of(table), positive, where)
    rows, how = (np.arange(len(y)), None), ""
    if test_size is not None:
        rows = split_rows(y, where, test_size)
        how = f"; {test_size:g} of the rows set aside for testing, seed 0"
    model = training.prepare(table, rows[0], missing, bool(standardize))
    if n_features is not None and len(model.names) != n_features:
        raise InputError(
            f"{where} has features in {len(model.names)} columns where n_features={n_features} was given; "
            "give the columns that the model was trained on."
        )
    X, X_test = (
        None if part is None else model.transform(training.features(table, part), where, "ignore")
        for part in rows
    )
    if standardize:
        how += "; columns of numbers standardized" if table.frame is not None else f"; {model.sentences[0]}"
    labels = "" if positive is None else f" ({', '.join(map(str, as_values(positive)))} against the rest)"
    y_test = None if rows[1] is None else y[rows[1]]
    names = model.names if table.frame is None else tuple(model.names)
    text = f"Read from {source}{labels}{how}."
    return Dataset(where + labels, X, y[rows[0]], X_test, y_test, names, text)


def target_of(table):
    """The target (n,): numbers, or the texts of labels.

    Raises
    ------
    InputError
        It has empty cells, dates, or numbers with something else among them.
    """
    import numpy as np

    if targets.check(table.target, table.name) == preparation.NUMBER:
        return preparation.numbers_of(table.target, table.name)
    return np.array(preparation.texts_of(table.target), dtype=str)


def _labelled(y, positive, where):
    """Labels -1 and +1 where some are positive, or there are two texts; texts by their place in order."""
    import numpy as np

    if positive is not None:
        return one_against_rest(y, positive, where)
    if y.dtype.kind == "f":
        return y
    labels, y = np.unique(y, return_inverse=True)
    if len(labels) > MAX_CLASSES:
        raise InputError(sentence("many_classes", where=where, count=len(labels), most=MAX_CLASSES))
    return 2.0 * y - 1.0 if len(labels) == 2 else y.astype(float)
