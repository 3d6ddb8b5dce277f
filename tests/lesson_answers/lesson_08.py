"""Wrong answers that students of lesson 8 plausibly give."""

import numpy as np


def unboxed(grad, y, a, C):
    return np.max(y * grad) - np.min(y * grad)


def without_labels(grad, y, a, C):
    return np.max((y * grad)[a > 0]) - np.min((y * grad)[a < C])


WRONG = {
    "8.1": (
        lambda q, w, d, lam: lam * (d - (w - lam) / q),
        lambda q, w, d, lam: lam * (d - w + lam) if d >= w - lam else np.inf,
        lambda q, w, d, lam: d - (w - lam) / q if d >= (w - lam) / q else np.inf,
        lambda q, w, d, lam: lam * (d - (w - lam) / q) if d > (w - lam) / q else np.inf,
    ),
    "8.2": (
        lambda grad, y, a, C, c: np.sum(
            (C - a) * np.maximum(grad - c * y, 0) + a * np.maximum(c * y - grad, 0)
        ),
        lambda grad, y, a, C, c: np.sum(a * np.maximum(grad - c, 0) + (C - a) * np.maximum(c - grad, 0)),
        lambda grad, y, a, C, c: np.sum(a * (grad - c * y) + (C - a) * (c * y - grad)),
        lambda grad, y, a, C, c: a * np.maximum(grad - c * y, 0) + (C - a) * np.maximum(c * y - grad, 0),
    ),
    "8.3": (unboxed, without_labels, lambda grad, y, a, C: -unboxed(grad, y, a, C)),
    "8.4": (1e-3, 1e-2, 20.0),
    "8.5": (lambda gap, C, n: gap * C * n, lambda gap, C, n: gap / n, lambda gap, C, n: gap / C),
}
