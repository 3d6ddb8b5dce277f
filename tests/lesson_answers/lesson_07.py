"""Wrong answers that students of lesson 7 plausibly give."""

import numpy as np


def lagrangian(alpha, X, y, lam, s):
    v = X.T @ alpha / (lam * len(y))
    return -np.mean(alpha * y) + lam * v @ v / 2 + s * np.mean(alpha)


def slope(i, alpha, X, y, lam, s, mu):
    return 1 - y[i] * (X[i] @ X.T @ alpha / (lam * len(y)) + s + alpha.sum() / mu)


def curvature(i, X, lam, mu):
    return X[i] @ X[i] / (lam * len(X)) + 1 / mu


def plain_gap(alpha, X, y, lam, s):
    w = X.T @ alpha / (lam * len(y))
    return np.mean(np.maximum(0, 1 - y * (X @ w + s)) - alpha * y) + lam * w @ w


WRONG = {
    "7.1": (
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s),
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s) + alpha.sum() ** 2 / (2 * mu),
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s) + alpha.mean() ** 2 / (2 * mu),
        lambda alpha, X, y, lam, s, mu: (
            lagrangian(alpha, X, y, lam, -s) + alpha.sum() ** 2 / (2 * mu * len(y))
        ),
        lambda alpha, X, y, lam, s, mu: (
            lagrangian(alpha, X, y, lam, s) + mu * alpha.sum() ** 2 / (2 * len(y))
        ),
    ),
    "7.2": (
        lambda alpha, s, mu: s,
        lambda alpha, s, mu: s + alpha.mean() / mu,
        lambda alpha, s, mu: s + mu * alpha.sum(),
        lambda alpha, s, mu: s + alpha.sum() / (2 * mu),
        lambda alpha, s, mu: alpha / mu + s,
    ),
    "7.3": (
        lambda i, alpha, X, y, lam, s, mu: (
            alpha[i] + y[i] * slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, mu)
        ),
        lambda i, alpha, X, y, lam, s, mu: np.clip(
            alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, mu), 0, 1
        ),
        lambda i, alpha, X, y, lam, s, mu: (
            y[i]
            * np.clip(
                alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, np.inf), 0, 1
            )
        ),
        lambda i, alpha, X, y, lam, s, mu: (
            y[i]
            * np.clip(
                alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, np.inf) / curvature(i, X, lam, np.inf), 0, 1
            )
        ),
    ),
    "7.4": (
        lambda s, alpha, X, y, lam: plain_gap(alpha, X, y, lam, s),
        lambda s, alpha, X, y, lam: plain_gap(alpha, X, y, lam, 0.0) + s * np.mean(alpha),
        lambda s, alpha, X, y, lam: (
            plain_gap(alpha, X, y, lam, s) + s * np.mean(alpha) + alpha.sum() ** 2 / (2 * len(y))
        ),
    ),
}
