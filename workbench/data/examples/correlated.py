"""Samples for screening: a real set, and made ones that are correlated, sparse or wide."""

import functools
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.data.bundled import breast_cancer

CANCER = "Breast cancer"
SOURCES = ("Correlated features (made)", CANCER, "Sparse counts (made)", "Wide, 2,000 features (made)")


class Samples(NamedTuple):
    """A data set with groups of its features."""

    X: Any  # ndarray or csr_array
    y: np.ndarray
    names: tuple
    groups: tuple
    group_names: tuple


@functools.lru_cache(maxsize=2 * len(SOURCES))
def load(source, labels=False):
    """Load the data of a name in `SOURCES`; sessions share them, since nothing writes to them.

    With `labels` a target that is a number becomes whether it lies above the median, as -1 or +1.
    """
    dataset = _load(source)
    if labels and np.unique(dataset.y).size > 2:
        return dataset._replace(y=np.where(dataset.y > np.median(dataset.y), 1.0, -1.0))
    return dataset


@functools.lru_cache(maxsize=len(SOURCES))
def _load(source):
    if source == CANCER:
        d = breast_cancer()
        names = tuple(name.removeprefix("mean ") for name in d.feature_names[:10])
        return Samples(d.X, d.y, tuple(d.feature_names), tuple((j, j + 10, j + 20) for j in range(10)), names)
    X, y = {SOURCES[0]: _correlated, SOURCES[2]: _counts, SOURCES[3]: _wide}[source]()
    groups = tuple(tuple(range(j, j + 4)) for j in range(0, X.shape[1], 4))
    names = tuple(f"feature {j + 1}" for j in range(X.shape[1]))
    return Samples(X, y, names, groups, tuple(f"features {g[0] + 1} to {g[-1] + 1}" for g in groups))


def _correlated(n=60, d=120, count=6):
    """Regression: neighbours have a correlation of 0.9, and a few features count."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(n, d))
    for j in range(1, d):
        X[:, j] = 0.9 * X[:, j - 1] + np.sqrt(1.0 - 0.81) * X[:, j]
    w = np.zeros(d)
    w[rng.choice(d, count, replace=False)] = 2.0 * rng.normal(size=count)
    return X, X @ w + 0.5 * rng.normal(size=n)


def _wide():
    return _correlated(100, 2000, 12)


def _counts(n=200, d=300):
    """Labels: one count in twenty is not zero, and the first twelve features count."""
    rng = np.random.default_rng(5)
    X = (rng.random((n, d)) < 0.05) * rng.poisson(1.5, size=(n, d)).astype(float)
    z = X[:, :12] @ rng.normal(scale=2.0, size=12) + 0.3 * rng.normal(size=n)
    return sp.csr_array(X), np.where(z > np.median(z), 1.0, -1.0)
