"""The result of a loader: the training part, the test part and the names of the features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from workbench._support.display import Carded

if TYPE_CHECKING:
    import numpy as np
    from scipy import sparse

# Above this many distinct whole values a target is described by its range, not as classes.
MAX_CLASSES = 30


class NumberedNames(Sequence):
    """The names "feature 1", "feature 2", ...: made when asked for, since a file may have 10**8.

    Parameters
    ----------
    count : int
        How many features there are.
    first : int
        The number of the first one, as the file counts.
    """

    def __init__(self, count: int, first: int = 1):
        self._numbers = range(first, first + count)

    @property
    def first(self) -> int:
        """The number of the first one."""
        return self._numbers.start

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return tuple(f"feature {number}" for number in self._numbers[index])
        return f"feature {self._numbers[index]}"

    def __repr__(self) -> str:
        return f"NumberedNames({len(self)}, first={self._numbers.start})"


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(Carded):
    """One learning task, split or not.

    Attributes
    ----------
    name : str
        The name it was asked for by, with the options that shape the task.
    X : ndarray or scipy.sparse.csr_array, shape (n, d), float64
        Training samples, one a row.
    y : ndarray, shape (n,), float64
        Labels -1 and +1 where the task is binary, otherwise the target as the source has it.
    X_test, y_test : as X and y with n_test rows, or None
        None when the source has no test part and none was asked for.
    feature_names : sequence of d strings
    description : str
        Where the data come from and how the features were made.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.data.load("breast-cancer").summary
    'breast-cancer: n = 455, d = 30, 13650 non-zeros, 37.4 % positive, 114 test rows'
    """

    _card = "dataset"

    name: str
    X: np.ndarray | sparse.csr_array
    y: np.ndarray
    X_test: np.ndarray | sparse.csr_array | None
    y_test: np.ndarray | None
    feature_names: Sequence[str]
    description: str

    @property
    def summary(self) -> str:
        """One line: the sizes, the non-zeros, the share of positive labels and the test rows."""
        n, d = self.X.shape
        parts = [f"n = {n}", f"d = {d}", f"{count_nonzeros(self.X)} non-zeros", describe_target(self.y)]
        if self.X_test is not None:
            parts.append(f"{self.X_test.shape[0]} test rows")
        return f"{self.name}: {', '.join(parts)}"

    def __repr__(self) -> str:
        return f"Dataset({self.summary})"


def count_nonzeros(X) -> int:
    """Return how many entries of a dense or sparse matrix differ from zero."""
    import numpy as np
    from scipy import sparse

    return int(X.count_nonzero() if sparse.issparse(X) else np.count_nonzero(X))


def describe_target(y) -> str:
    """Return "17.2 % positive" for labels -1 and +1, else the number of classes or the range.

    Parameters
    ----------
    y : ndarray, shape (n,)
    """
    import numpy as np

    values = np.unique(y)
    if np.isin(values, (-1.0, 1.0)).all():
        return f"{100 * np.mean(y > 0):.1f} % positive"
    if len(values) <= MAX_CLASSES and np.all(values == np.round(values)):
        return f"{len(values)} classes"
    return f"target from {values[0]:g} to {values[-1]:g}"
