"""Wrong answers that students of lesson 2 plausibly give."""

import numpy as np


def _bound(alpha, X, y, lam):
    v = X.T @ alpha / (lam * len(y))
    return np.mean(alpha * y) - lam * v @ v / 2


def _one_sided(alpha, X, y, lam):
    return -np.inf if np.any(alpha * y < 0) else _bound(alpha, X, y, lam)


def _open(alpha, X, y, lam):
    return _bound(alpha, X, y, lam) if np.all((alpha * y > 0) & (alpha * y < 1)) else -np.inf


WRONG = {
    "2.1": (
        lambda X, y, lam: np.linalg.solve(X @ X.T / (lam * len(y)) + np.eye(len(y)), y),
        lambda X, y, lam: np.linalg.solve(X @ X.T / lam + np.eye(len(y)) / 2, y),
        lambda X, y, lam: np.linalg.solve(X.T @ X / (lam * len(y)) + np.eye(X.shape[1]) / 2, X.T @ y),
    ),
    "2.2": (
        lambda alpha, X, y, lam: np.mean(alpha**2 / 4 - alpha * y) + np.sum((X.T @ alpha) ** 2) / 2,
        lambda alpha, X, y, lam: (
            np.mean(alpha**2 / 4 + alpha * y) + np.sum((X.T @ alpha) ** 2) / (2 * lam * len(y) ** 2)
        ),
        lambda alpha, X, y, lam: alpha**2 / 4 - alpha * y,
    ),
    "2.3": (lambda w, X, y: 2 * (X @ w - y), lambda w, X, y: y - X @ w),
    "2.4": (_bound, _one_sided, _open, lambda *point: -_bound(*point)),
}
