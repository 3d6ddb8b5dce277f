"""Differences in scale and shift between features, which make coordinate and gradient steps crawl."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from workbench.problems.design import Design
    from workbench.problems.problem import Problem


# From these on steps suffer: of the largest to the smallest scale, of a mean to the spread about it.
UNEVEN, SHIFTED = 1e2, 1e2


def unevenness(design: Design) -> float:
    """Return the ratio of the largest to the smallest root mean square of a column's nonzeros; 1 without any.

    Only non-zeros count, so a rare feature of the same size has the same scale.
    """
    squares, counts = design.squares[1], design.column_counts()
    present = counts > 0
    if not present.any():
        return 1.0
    scales = np.sqrt(squares[present] / counts[present])
    smallest = float(scales.min())
    return float(scales.max()) / smallest if smallest > 0.0 else math.inf


def shift(design: Design) -> float:
    """Return the largest |mean| / standard deviation of the columns that vary; 0 if none does."""
    n = design.shape[0]
    means = design.transposed(np.full(n, 1.0 / n))
    with np.errstate(over="ignore", invalid="ignore"):  # features near the largest float
        spreads = np.sqrt(np.maximum(design.squares[1] / n - means**2, 0.0))
    # Below it rounding tells no spread; a constant column is not a shifted feature.
    varying = spreads > 1e-7 * np.abs(means)
    return float(np.max(np.abs(means[varying]) / spreads[varying], initial=0.0))


def seen(problem: Problem) -> str:
    """Return the reason why steps crawl on these features, in words; "" where none is seen."""
    if problem.kernel is not None:
        return ""
    ratio, away = unevenness(problem.design), shift(problem.design)
    if ratio >= UNEVEN:
        return f"the features differ in scale by a factor of {ratio:.0e}"
    if away >= SHIFTED:
        return f"a feature's mean is {away:.0e} times its standard deviation"
    return ""
