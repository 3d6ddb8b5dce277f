"""Tables of what a caller holds in memory: arrays, sparse matrices, frames of pandas, polars and others."""

from __future__ import annotations

from numbers import Integral

from workbench._support.errors import InputError, shown
from workbench._support.system import extras
from workbench.data.tables import reading
from workbench.data.tables.table import Table

# The origin of a table that has its targets beside it, as a report says; and its name for errors.
SOURCE, NAME = "X, y", "the table"


class Named(str):
    """An argument that a report shows by a name, since its value is data."""

    __slots__ = ()

    def __repr__(self):
        return str(self)


def is_column(target) -> bool:
    """Return True if a target names a column, by its name or its place, and is not the targets themselves."""
    return target is None or isinstance(target, str | Integral)


def table(source, target=None) -> Table:
    """Return the table of a path, a frame or an array, with a column as its target, or targets beside it."""
    extras.need("tables", "reading a table")
    import pandas as pd

    if isinstance(source, Table | str) or hasattr(source, "__fspath__"):
        if not is_column(target):
            raise InputError(
                f"target: {type(target).__name__} of targets beside a file; name the column of the file that "
                'holds them, such as target="label", or give arrays as wb.fit(X, y)'
            )
        return source if isinstance(source, Table) else reading.read(source, target)
    if hasattr(source, "tocsr"):
        if is_column(target):
            raise InputError("X is a sparse matrix without targets; give them as wb.fit(X, y)")
        from scipy import sparse

        from workbench.problems.design import check_structure

        check_structure(source)
        y = _series(target, pd.RangeIndex(source.shape[0]))
        return Table(None, y, NAME, SOURCE, matrix=sparse.csr_array(source, dtype=float), first=0)
    frame, has_names = as_frame(source), hasattr(source, "columns")
    if is_column(target):
        result = reading.of_frame(frame, target, has_names=has_names)
        result.is_array = not has_names
        return result
    return Table(frame, _series(target, frame.index), NAME, SOURCE, is_array=not has_names)


def as_frame(X):
    """Return the pandas frame of any frame, or of an array, whose columns are then x0, x1, ..."""
    import numpy as np
    import pandas as pd

    if hasattr(X, "to_pandas"):  # polars, pyarrow and others
        extras.need("parquet", f"a {type(X).__module__.partition('.')[0]} frame", "pyarrow")
        X = X.to_pandas()
    if isinstance(X, pd.DataFrame):
        frame = X.rename(columns=str)
        twice = frame.columns[frame.columns.duplicated()]
        if len(twice):
            raise InputError(f"the table has two columns {twice[0]!r}; rename one, or leave one out")
        return frame
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise InputError(f"X is not a table ({error}); give a matrix with one sample a row") from None
    if array.ndim != 2 or array.shape[1] == 0:
        raise InputError(f"X has shape {array.shape}; give a matrix with one sample a row, or a frame")
    return pd.DataFrame(array, columns=[f"x{j}" for j in range(array.shape[1])])


def _series(y, index):
    """Return the targets as a Series in the order of the rows, under a name of their own."""
    import numpy as np
    import pandas as pd

    y = y.to_pandas() if hasattr(y, "to_pandas") else y
    if isinstance(y, pd.DataFrame):
        if y.shape[1] != 1:
            raise InputError(f"y has {y.shape[1]} columns; give one, such as y[{shown(y.columns[0])}]")
        y = y.iloc[:, 0]
    if not isinstance(y, pd.Series):
        array = np.asarray(y)
        array = array[:, 0] if array.ndim == 2 and array.shape[1] == 1 else array
        if array.ndim != 1:
            raise InputError(f"y has shape {array.shape}; give one target for each row")
        y = pd.Series(array)
    if len(y) != len(index):
        raise InputError(f"y has {len(y)} entries, and X has {len(index)} rows; give one target for each row")
    return y.set_axis(index).rename("y" if y.name is None else y.name)
