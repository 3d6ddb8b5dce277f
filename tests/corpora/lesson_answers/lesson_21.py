"""Wrong answers that students of lesson 21 plausibly give, and right ones in other forms."""

import numpy as np


def gap_and_radius(Phi, y, w, b, lam, labels=True, sign=1.0, n=None):
    alpha = (y if labels else 1.0) / (1 + np.exp(y * (Phi @ w + b)))
    v = sign * Phi.T @ alpha / (lam * (len(y) if n is None else n))
    gap = lam / 2 * np.sum((w - v) ** 2)
    return gap, np.sqrt(2 * gap / lam)


def changed(how):
    return lambda *point: how(*gap_and_radius(*point), point[-1])


WRONG = {
    "21.1": (
        lambda X, V, c: X @ V + c,
        lambda X, V, c: np.maximum(X @ V, 0),
        lambda X, V, c: np.maximum(X @ V, 0) + c,
        lambda X, V, c: np.maximum(X @ V - c, 0),
        lambda X, V, c: np.abs(X @ V + c),
        lambda X, V, c: np.tanh(X @ V + c),
        lambda X, V, c: X @ V + c > 0,
        lambda X, V, c: np.maximum(X @ V + c, 0).T,
        lambda X, V, c: np.maximum(X @ V + c, 0).sum(axis=1),
    ),
    "21.2": (
        lambda alpha, n, batch_size: alpha / batch_size,
        lambda alpha, n, batch_size: alpha / n,
        lambda alpha, n, batch_size: alpha,
        lambda alpha, n, batch_size: alpha / (2 * min(batch_size, n)),
        lambda alpha, n, batch_size: 2 * alpha / min(batch_size, n),
        lambda alpha, n, batch_size: alpha * min(batch_size, n),
        lambda alpha, n, batch_size: alpha / max(batch_size, n),
    ),
    "21.3": (
        changed(lambda gap, radius, lam: (radius, gap)),
        changed(lambda gap, radius, lam: (2 * gap, radius)),
        changed(lambda gap, radius, lam: (2 * gap, np.sqrt(2) * radius)),
        changed(lambda gap, radius, lam: (gap / lam, radius)),
        changed(lambda gap, radius, lam: (gap, radius / np.sqrt(2))),
        changed(lambda gap, radius, lam: (gap, 2 * gap / lam)),
        changed(lambda gap, radius, lam: (gap, np.sqrt(2 * gap))),
        changed(lambda gap, radius, lam: gap),
        lambda *point: gap_and_radius(*point, labels=False),
        lambda *point: gap_and_radius(*point, sign=-1.0),
        lambda *point: gap_and_radius(*point, n=1),
        lambda Phi, y, w, b, lam: gap_and_radius(Phi, y, w, 0.0, lam),
    ),
    "21.4": ("abcf", "acdf", "acef", "acfg", "ac", "af", "cf", "a"),
}
