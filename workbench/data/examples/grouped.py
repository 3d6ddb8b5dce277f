"""Samples whose features stand in groups, and in nested ones."""

import functools
from typing import NamedTuple

import numpy as np

from workbench.data.bundled import breast_cancer, digits

MADE = "Six groups of four (made)"
SOURCES = (MADE, "Breast cancer", "Digits · even or odd")
ROWS, WIDE = 60, 24


class Samples(NamedTuple):
    """A data set with the groups of its features, and nested ones from the leaves to the root."""

    X: np.ndarray
    y: np.ndarray
    names: tuple
    groups: tuple
    group_names: tuple
    levels: tuple  # of tuples of groups


@functools.lru_cache(maxsize=len(SOURCES))
def load(source):
    """Load the data of a name in `SOURCES`; sessions share them, since nothing writes to them."""
    if source == MADE:
        return _make()
    if source == "Breast cancer":
        d = breast_cancer()
        groups = tuple((j, j + 10, j + 20) for j in range(10))
        names = tuple(name.removeprefix("mean ") for name in d.feature_names[:10])
        return Samples(d.X, d.y, tuple(d.feature_names), groups, names, (groups,))
    d = digits()
    blocks, quarters = _squares(2), _squares(4)
    names = tuple(f"block {g // 4}, {g % 4}" for g in range(len(blocks)))
    return Samples(d.X, d.y, tuple(d.feature_names), blocks, names, (blocks, quarters))


def _make():
    """Regression with an intercept: two of six groups count, one of them with half of its features."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(ROWS, WIDE)) + 0.5 * np.repeat(rng.normal(size=(ROWS, 6)), 4, axis=1)
    w = np.zeros(WIDE)
    w[:4], w[8:10] = (1.0, -1.0, 0.5, 1.5), (2.0, -1.0)
    y = X @ w + 3.0 + 0.5 * rng.normal(size=ROWS)
    groups = tuple(tuple(range(j, j + 4)) for j in range(0, WIDE, 4))
    halves = (tuple(range(12)), tuple(range(12, 24)))
    names = tuple(f"feature {j + 1}" for j in range(WIDE))
    return Samples(X, y, names, groups, tuple("ABCDEF"), (groups, halves))


def _squares(side):
    pixels = np.arange(64).reshape(8, 8)
    corners = [(row, column) for row in range(0, 8, side) for column in range(0, 8, side)]
    return tuple(tuple(pixels[r : r + side, c : c + side].ravel().tolist()) for r, c in corners)


def tree_groups(dataset, decay):
    """Return single features, the levels or the groups, and the root, with the weight of each group."""
    d = dataset.X.shape[1]
    between = getattr(dataset, "levels", (dataset.groups,))
    levels = (tuple((j,) for j in range(d)), *between, (tuple(range(d)),))
    groups = tuple(group for level in levels for group in level)
    return groups, tuple(float(decay) ** k for k, level in enumerate(levels) for _ in level)
