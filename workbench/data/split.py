"""Labels -1 and +1 out of classes, and the one way in which this project splits a data set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from workbench.errors import InputError, shown

if TYPE_CHECKING:
    import numpy as np

# A target with at most this many values is split value by value; others are measurements.
MAX_STRATA = 30
# A deviation below this share of the mean has lost half of its digits.
FAR = 1e-8


def as_values(positive) -> tuple:
    """Return one value or an iterable of values as a tuple; a text counts as one value."""
    if isinstance(positive, str | bytes) or not isinstance(positive, Iterable):
        return (positive,)
    return tuple(positive)


def one_against_rest(y, positive, where: str) -> np.ndarray:
    """Return +1 where y is one of the positive values and -1 elsewhere.

    Parameters
    ----------
    y : ndarray, shape (n,)
        Numbers, or strings when the source has text labels.
    positive : value or iterable of values
    where : str
        The source's name, for the error.

    Returns
    -------
    ndarray, shape (n,), float64

    Raises
    ------
    InputError
        A positive value that no sample has, or a value that cannot be compared with y.
    """
    import numpy as np

    values = as_values(positive)
    if not values:
        raise InputError(f"{where}: positive is empty; name at least one of the labels {_some(y)}.")
    is_positive = np.zeros(len(y), dtype=bool)
    for value in values:
        hits = y == _comparable(value, y, where)
        if not hits.any():
            raise InputError(
                f"{where}: no sample has the label positive={shown(value)}; the labels are {_some(y)}."
            )
        is_positive |= hits
    return np.where(is_positive, 1.0, -1.0)


def _comparable(value, y, where: str):
    """Return the value in the type of y's entries, so that "3" finds 3.0."""
    if y.dtype.kind not in "fiu":
        return str(value).strip()
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{where}: positive={shown(value)} is not a number, but the labels are: {_some(y)}."
        ) from None


def _some(y, limit: int = 8) -> str:
    """Return the first distinct labels in order, as text."""
    import numpy as np

    values = np.unique(y)
    shown = ", ".join(f"{v:g}" if y.dtype.kind in "fiu" else repr(str(v)) for v in values[:limit])
    return shown + (f" and {len(values) - limit} more" if len(values) > limit else "")


def split_rows(y, where: str, test_size: float = 0.2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw the rows of the training and the test part, stratified when y has few values.

    scikit-learn's `train_test_split` draws them, so that anybody can draw the same ones.

    Parameters
    ----------
    y : ndarray, shape (n,)
    where : str
        The source's name, for the error.
    test_size : float
        The share of the rows that go into the test part, between 0 and 1.
    seed : int

    Returns
    -------
    train, test : ndarray of int, the row numbers in the order drawn
    """
    import numpy as np
    from sklearn.model_selection import train_test_split

    if isinstance(test_size, bool) or not isinstance(test_size, int | float) or not 0 < test_size < 1:
        raise InputError(
            f"{where}: test_size={shown(test_size)} is not a share; write a number between 0 and 1."
        )
    n = len(y)
    n_test = int(np.ceil(test_size * n))
    counts = np.unique(y, return_counts=True)[1]
    strata = len(counts) <= min(MAX_STRATA, n_test, n - n_test) and counts.min() >= 2
    try:
        return tuple(
            train_test_split(
                np.arange(n), test_size=n_test, random_state=seed, stratify=y if strata else None
            )
        )
    except ValueError:
        raise InputError(
            f"{where}: {n} rows cannot be split with test_size={test_size:g}; "
            "leave test_size out, or use more rows."
        ) from None


def spread(X):
    """The mean and the deviation of each column, a deviation of 0 for one value alone and for nothing else.

    Parameters
    ----------
    X : ndarray or csr_array, shape (n, d)

    Returns
    -------
    mean, deviation : ndarray, shape (d,)
    """
    import numpy as np
    from scipy import sparse

    if sparse.issparse(X):
        low, high = (np.ravel(part.toarray()) for part in (X.min(axis=0), X.max(axis=0)))
        count = X.shape[0]
        mean = np.ravel(X.sum(axis=0)) / count
        size = np.maximum(np.abs(low), np.abs(high))
        scaled = X @ sparse.diags_array(1.0 / np.where(size > 0.0, size, 1.0))
        part = np.ravel(scaled.sum(axis=0)) / count
        square = np.ravel(scaled.multiply(scaled).sum(axis=0)) / count
        return mean, np.where(high > low, size * np.sqrt(np.maximum(square - part**2, 0.0)), 0.0)
    # Less their first row, columns far from zero keep their differences; in units of their largest entry, no
    # square overflows or vanishes.
    shifted = X - X[0]
    size = np.abs(shifted).max(axis=0)
    unit = np.where(size > 0.0, size, 1.0)
    deviation = np.where(size > 0.0, (shifted / unit).std(axis=0) * unit, 0.0)
    return X[0] + shifted.mean(axis=0), deviation


def standardize(train, test, where: str):
    """Scale every column by the training part: to mean 0 and deviation 1, or sparse ones to a largest 1.

    Centring would fill a sparse matrix. A column that does not vary is centred only.

    Parameters
    ----------
    train, test : ndarray or csr_array, shapes (n, d) and (n_test, d); test may be None
    where : str
        The source's name, for the error.
    """
    import numpy as np
    from scipy import sparse

    if sparse.issparse(train):
        scale = abs(train).max(axis=0).toarray().ravel()
        factor = sparse.diags_array(1.0 / np.where(scale > 0.0, scale, 1.0))
        return tuple(None if part is None else sparse.csr_array(part @ factor) for part in (train, test))
    with np.errstate(over="ignore", invalid="ignore"):
        mean, scale = train.mean(axis=0), train.std(axis=0)
        # Of a column far from zero, or of numbers whose squares are none, these two have lost their digits.
        lost = ~(scale > FAR * np.abs(mean)) | ~np.isfinite(scale)
        if lost.any():
            mean[lost], scale[lost] = spread(train[:, lost])
            mean = np.where(scale > 0.0, mean, train[0])
        scaled = [None if part is None else (part - mean) / np.where(scale > 0.0, scale, 1.0)
                  for part in (train, test)]  # fmt: skip
    if not all(part is None or np.isfinite(part).all() for part in scaled) or not np.isfinite(scale).all():
        raise InputError(f"{where}: a column has numbers too large to be scaled; write it in another unit.")
    return tuple(None if part is None else np.ascontiguousarray(part) for part in scaled)
