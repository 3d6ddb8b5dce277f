"""Break-even points: where precision and recall are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def break_even(labels: ArrayLike, scores: ArrayLike) -> float:
    """Return the break-even point in percent: precision at the threshold where it equals the recall.

    Parameters
    ----------
    labels : array_like (m,)
        True, or above zero, for the documents that belong to the category.
    scores : array_like (m,)
        The higher, the likelier.

    Returns
    -------
    float
        Where ties leave no such threshold, the mean of the two where they are closest; nan where no document
        belongs to the category.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.break_even([1, 1, -1, -1], [0.9, 0.7, 0.8, 0.1])
    50.0
    """
    from sklearn.metrics import precision_recall_curve

    positive = np.asarray(labels) > 0
    if not positive.any():
        return float("nan")
    precision, recall, _ = precision_recall_curve(positive, np.asarray(scores, dtype=float))
    nearest = np.argmin(np.abs(precision - recall))
    return float(50.0 * (precision[nearest] + recall[nearest]))


def micro_average(points, counts):
    """Return the break-even point over categories, each with a threshold of its own.

    At a break-even point a category with m documents is given to m documents, so the sums over categories
    make precision and recall equal again: both are the mean of the points, weighted by m.

    Parameters
    ----------
    points : array_like (k,)
        In percent; the point of a category without documents does not count.
    counts : array_like (k,)
        How many documents belong to each category.
    """
    points, counts = np.asarray(points, dtype=float), np.asarray(counts, dtype=float)
    mask = counts > 0
    return float(np.average(points[mask], weights=counts[mask]))
