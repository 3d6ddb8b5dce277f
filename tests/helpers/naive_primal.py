"""Zhu's Figures 1 and 2 in plain NumPy, with the corrections of the errata: slow and obvious."""

import numpy as np

SLOPES = {
    "hinge": lambda z, y: np.where(y * z < 1.0, -y, 0.0),
    "logistic": lambda z, y: -y / (1.0 + np.exp(y * z)),
    "squared": lambda z, y: 2.0 * (z - y),
}


def p_norm(v, p, ball=np.inf):
    """Figure 2, with w in place of w_t and line 6 in the p-norm."""
    q = p / (p - 1.0)
    if not v.any():
        return np.zeros_like(v)
    size = np.abs(v).max()
    norm = size * np.sum((np.abs(v) / size) ** q) ** (1.0 / q)
    w = norm / (q - 1.0) * (np.abs(v) / norm) ** (q - 1.0) * np.sign(v)
    length = np.sum(np.abs(w) ** p) ** (1.0 / p)
    return w if length <= ball else ball / length * w


def normalized_entropy(v, mu):
    weights = mu * np.exp(v - v.max())
    return mu * v.shape[0] * weights / weights.sum()


TRANSFERS = {
    "squared-l2": lambda v: v,
    "p-norm:p=2": lambda v: p_norm(v, 2.0),
    "p-norm:p=2,ball=0.7": lambda v: p_norm(v, 2.0, 0.7),
    "p-norm:p=1.8": lambda v: p_norm(v, 1.8),
    "p-norm:p=1.8,ball=0.7": lambda v: p_norm(v, 1.8, 0.7),
    "p-norm:p=1.2": lambda v: p_norm(v, 1.2),
    "p-norm:p=1.02": lambda v: p_norm(v, 1.02),
    "q-norm:q=1.5": lambda v: p_norm(v, 1.5) / 0.5,
    "entropy:mu=0.3": lambda v: 0.3 * np.exp(v),
    "normalized-entropy:mu=0.3": lambda v: normalized_entropy(v, 0.3),
    "elastic-net:epsilon=0.2": lambda v: np.sign(v) * np.maximum(np.abs(v) - 0.2, 0.0),
}


def iterates(X, y, loss, regularizer, lam, batches, weight=None):
    """w_0 to w_T, (T + 1, d), for these batches of sample numbers."""
    weight = np.ones(X.shape[0]) if weight is None else weight
    transfer, slope = TRANSFERS[regularizer], SLOPES[loss]
    total = np.zeros(X.shape[1])
    weights = [transfer(total)]
    for t, batch in enumerate(batches, start=1):
        rows = X[batch]
        slopes = weight[batch] * slope(rows @ weights[-1], y[batch])
        total = total - slopes @ rows / len(batch)
        weights.append(transfer(total / ((t + 1) * lam)))
    return np.array(weights)
