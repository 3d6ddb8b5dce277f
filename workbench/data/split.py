"""Labels -1 and +1 out of classes, and the one way in which this project splits a data set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from workbench._support.errors import InputError, shown

if TYPE_CHECKING:
    import numpy as np

# A target with at most this many values is split value by value; others are measurements.
MAX_STRATA = 30
# A message shows at most this many labels.
MAX_LABELS = 8


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
        hits = y == comparable(value, y, where)
        if not hits.any():
            raise InputError(
                f"{where}: no sample has the label positive={shown(value)}; the labels are {_some(y)}."
            )
        is_positive |= hits
    return np.where(is_positive, 1.0, -1.0)


def comparable(value, y, where: str):
    """Return the value in the type of y's entries, so that "3" finds 3.0."""
    if y.dtype.kind not in "fiu":
        return str(value).strip()
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(
            f"{where}: positive={shown(value)} is not a number, but the labels are: {_some(y)}."
        ) from None


def _some(y) -> str:
    """Return the first distinct labels in order, as text."""
    import numpy as np

    values = np.unique(y)
    text = ", ".join(f"{v:g}" if y.dtype.kind in "fiu" else repr(str(v)) for v in values[:MAX_LABELS])
    return text + (f" and {len(values) - MAX_LABELS} more" if len(values) > MAX_LABELS else "")


def split_rows(y, where: str, test_size: float = 0.2) -> tuple[np.ndarray, np.ndarray]:
    """Draw the rows of the training and the test part, stratified when y has few values.

    They are those of scikit-learn's `train_test_split` with random_state=0, which takes a second to import.

    Parameters
    ----------
    y : ndarray, shape (n,)
    where : str
        The source's name, for the error.
    test_size : float
        The share of the rows that go into the test part, between 0 and 1.

    Returns
    -------
    train, test : ndarray of int, the row numbers in the order drawn
    """
    import numpy as np

    if isinstance(test_size, bool) or not isinstance(test_size, int | float) or not 0 < test_size < 1:
        raise InputError(
            f"{where}: test_size={shown(test_size)} is not a share; write a number between 0 and 1."
        )
    n = len(y)
    n_test = int(np.ceil(test_size * n))
    counts = np.unique(y, return_counts=True)[1]
    strata = len(counts) <= min(MAX_STRATA, n_test, n - n_test) and counts.min() >= 2
    if n_test == n:
        raise InputError(
            f"{where}: {n} rows cannot be split with test_size={test_size:g}; "
            "leave test_size out, or use more rows."
        )
    rng = np.random.RandomState(0)
    if not strata:
        rows = rng.permutation(n)
        return rows[n_test:], rows[:n_test]
    labels, counts = np.unique(y, return_inverse=True, return_counts=True)[1:]
    in_train = _shares(counts, n - n_test, rng)
    in_test = _shares(counts - in_train, n_test, rng)
    parts = []
    for label, ends in enumerate(zip(in_train, in_train + in_test, strict=True)):
        rows = np.flatnonzero(labels == label)[rng.permutation(counts[label])]
        parts.append(np.split(rows, ends)[:2])
    train, test = (rng.permutation(np.concatenate(part)) for part in zip(*parts, strict=True))
    return train, test


def _shares(counts, total, rng):
    """Divide `total` among strata in proportion to their counts; ties for the last ones are drawn."""
    import numpy as np

    exact = counts / counts.sum() * total
    shares = np.floor(exact).astype(int)
    rest = exact - shares
    for value in np.unique(rest)[::-1]:
        left = total - shares.sum()
        if left > 0:
            ties = np.flatnonzero(rest == value)
            shares[rng.choice(ties, size=min(len(ties), left), replace=False)] += 1
    return shares
