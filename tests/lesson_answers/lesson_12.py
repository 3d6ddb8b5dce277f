"""Wrong answers that students of lesson 12 plausibly give."""

import numpy as np


def precision(y, predicted):
    return np.sum((y > 0) & (predicted > 0)) / np.sum(predicted > 0)


WRONG = {
    "12.1": (
        lambda loss, lam, n: 1 / (lam * n),
        lambda loss, lam, n: 1 / (2 * lam * n),
        lambda loss, lam, n: lam * n,
    ),
    "12.2": (
        lambda y, predicted: np.mean(y == predicted),
        precision,
        lambda y, predicted: (precision(y, predicted) + precision(predicted, y)) / 2,
    ),
    "12.3": (
        lambda primals, duals: primals - duals,
        lambda primals, duals: primals - primals.min(),
        lambda primals, duals: primals - duals.min(),
        lambda primals, duals: primals.min() - duals.max(),
    ),
    "12.4": (
        lambda z, norms, gap, lam: np.sum(np.abs(z) > norms * 2 * gap / lam),
        lambda z, norms, gap, lam: np.sum(z > norms * np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.mean(np.abs(z) > norms * np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.sum(np.abs(z) > np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.sum(np.abs(z) > norms * np.sqrt(gap / lam)),
    ),
}
