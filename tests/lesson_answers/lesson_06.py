"""Wrong answers that students of lesson 6 plausibly give."""

import numpy as np


def largest(X, kappa):
    return np.abs(X.T @ kappa).max()


WRONG = {
    "6.1": (
        lambda X, y, w, alpha, lam: np.mean((X @ w - y + alpha / 2) ** 2),
        lambda X, y, w, alpha, lam: (
            np.mean((X @ w - y - alpha / 2) ** 2) + lam / 2 * np.sum((w - X.T @ alpha / (lam * len(y))) ** 2)
        ),
        lambda X, y, w, alpha, lam: (
            np.mean((X @ w - y + alpha / 2) ** 2) + lam / 2 * np.sum((w - X.T @ alpha / len(y)) ** 2)
        ),
        lambda X, y, w, alpha, lam: (X @ w - y + alpha / 2) ** 2,
    ),
    "6.2": (
        lambda X, kappa, lam: lam / largest(X, kappa) if kappa.any() else np.inf,
        lambda X, kappa, lam: min(1, lam / np.abs(X.T @ kappa).sum()) if kappa.any() else 1.0,
        lambda X, kappa, lam: min(1, lam / np.linalg.norm(X.T @ kappa)) if kappa.any() else 1.0,
        lambda X, kappa, lam: min(1, lam / np.max(X.T @ kappa)) if kappa.any() else 1.0,
    ),
    "6.3": (
        lambda X, kappa, lam: kappa - kappa.mean(),
        lambda X, kappa, lam: (kappa * (s := min(1, lam / largest(X, kappa)))) - s * kappa.mean(),
        lambda X, kappa, lam: kappa * min(1, lam / largest(X, kappa)),
        lambda X, kappa, lam: (moved := kappa - kappa.sum() / X.shape[1]) * min(1, lam / largest(X, moved)),
    ),
    "6.4": (
        lambda X, y, alpha, lam: 2 * (alpha @ y) / (alpha @ alpha),
        lambda X, y, alpha, lam: min(1, lam * len(y) / largest(X, alpha)),
        lambda X, y, alpha, lam: np.clip(
            2 * (alpha @ y) / (alpha @ alpha), 0, lam * len(y) / largest(X, alpha)
        ),
    ),
}
