"""The artificial problem of Zhang (2002), section 6.1: a sparse target among many bits.

Every component is 0 or 1 with probability 1/2; the label is the sign of w.x + b with
w = (1, 1, 1, 1, 1, -1, 0, ..., 0) and b = -2; rows with abs(w.x + b) < 1 are drawn anew; five percent
of the labels of each part, to the nearest whole number, are wrong. There is no constant column: the
problem's bias adds it.
"""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING

from workbench.data.dataset import Dataset
from workbench.errors import InputError, shown

if TYPE_CHECKING:
    import numpy as np

TARGET = (1, 1, 1, 1, 1, -1)  # the components after these are zero
BIAS = -2
MARGIN = 1
FLIPPED = 0.05
DESCRIPTION = (
    "Zhang (2002), section 6.1: random bits, the label depends on the first six by w = (1, 1, 1, 1, 1, -1), "
    "b = -2, no margin below 1, five percent of the labels wrong"
)
# Two parts of n rows with d numbers of 8 bytes: this many numbers are 4 GB.
MAX_NUMBERS = 500_000_000


def zhang_artificial(d: int = 500, n: int = 1000, seed: int = 0) -> Dataset:
    """Draw the training part and the test part, n rows each.

    Parameters
    ----------
    d : int
        Features, at least 6. The paper has 500 and 5000.
    n : int
        Rows of each part, at least 1.
    seed : int
        The same seed gives the same data.

    Returns
    -------
    Dataset
        X (n, d) and X_test (n, d), dense.
    """
    import numpy as np

    _check_sizes(d, n, seed)
    rng = np.random.default_rng(seed)
    bits, margins = _draw_rows(rng, int(d), 2 * int(n))
    y = np.sign(margins).astype(float)
    for part in (y[:n], y[n:]):
        part[rng.choice(n, size=round(FLIPPED * n), replace=False)] *= -1
    X = bits.astype(float)
    return Dataset(
        name=f"zhang-artificial (d = {d})",
        X=X[:n].copy(),
        y=y[:n].copy(),
        X_test=X[n:].copy(),
        y_test=y[n:].copy(),
        feature_names=tuple(f"bit {j + 1}" for j in range(d)),
        description=f"{DESCRIPTION}; seed {seed}.",
    )


def _draw_rows(rng: np.random.Generator, d: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw rows until `count` of them have a margin of at least 1.

    Returns
    -------
    bits : ndarray, shape (count, d), int8
    margins : ndarray, shape (count,), int
    """
    import numpy as np

    kept, found = [], 0
    while found < count:
        bits = rng.integers(0, 2, size=(count, d), dtype=np.int8)
        bits = bits[np.abs(_margins(bits)) >= MARGIN]
        kept.append(bits)
        found += len(bits)
    bits = np.concatenate(kept)[:count]
    return bits, _margins(bits)


def _margins(bits: np.ndarray) -> np.ndarray:
    """Return w.x + b for every row; whole numbers, so a margin below 1 is a margin of 0."""
    import numpy as np

    return bits[:, : len(TARGET)].astype(np.int64) @ np.array(TARGET) + BIAS


def _check_sizes(d, n, seed) -> None:
    """Refuse what is no size or no seed, and sizes that do not fit into the memory."""
    for name, value, least in (("d", d, len(TARGET)), ("n", n, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
            raise InputError(
                f"zhang-artificial: {name}={shown(value)} is not a whole number of at least {least}; "
                f"write for example {name}={max(least, 500)}."
            )
    if 2 * n * d > MAX_NUMBERS:
        raise InputError(
            f"zhang-artificial: d={d} and n={n} make {2 * n * d} numbers; "
            f"keep 2 n d at {MAX_NUMBERS} or below."
        )
