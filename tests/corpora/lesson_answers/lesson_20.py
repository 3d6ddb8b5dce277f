"""Wrong answers that students of lesson 20 plausibly give."""

import numpy as np


def alpha_of(nu, c, swapped):
    return (1 - 2 * swapped) * nu / c


def gap(X, y, lam, w, nu, factor=None, grow=False, repair=True):
    n = len(y)
    alpha = (n if factor is None else factor) * nu
    size = np.abs(X.T @ alpha).max() / (lam * n)
    if repair and (grow or size > 1):
        alpha = alpha / size
    return ((X @ w - y) ** 2).mean() + lam * np.abs(w).sum() + (alpha**2 / 4 - alpha * y).mean()


WRONG = {
    "20.1": (
        lambda nu, c, swapped: nu / c,
        lambda nu, c, swapped: -alpha_of(nu, c, swapped),
        lambda nu, c, swapped: alpha_of(nu, 1 / c, swapped),
        lambda nu, c, swapped: alpha_of(nu, 1 / len(nu), swapped),
        lambda nu, c, swapped: alpha_of(nu, 1.0, swapped),
        lambda nu, c, swapped: alpha_of(nu, c.mean(), swapped),
        lambda nu, c, swapped: np.abs(alpha_of(nu, c, swapped)),
    ),
    "20.2": (
        lambda alpha, y: np.clip(alpha, 0, 1),
        lambda alpha, y: np.clip(alpha * y, 0, 1),
        lambda alpha, y: np.clip(alpha, -1, 1),
        lambda alpha, y: y * np.maximum(alpha * y, 0),
        lambda alpha, y: y * np.minimum(alpha * y, 1),
        lambda alpha, y: alpha / max(1, np.abs(alpha).max()),
        lambda alpha, y: np.where((alpha * y >= 0) & (alpha * y <= 1), alpha, 0),
        lambda alpha, y: alpha,
    ),
    "20.3": (
        lambda *case: gap(*case, repair=False),
        lambda *case: gap(*case, grow=True),
        lambda *case: gap(*case, factor=1),
        lambda *case: gap(*case, factor=-len(case[1])),
        lambda X, y, lam, w, nu: gap(X, y, lam, w, nu) - lam * np.abs(w).sum(),
        lambda X, y, lam, w, nu: gap(X, y, lam, w, nu) - lam * np.abs(w).sum() + lam / 2 * w @ w,
        lambda X, y, lam, w, nu: gap(X, y, lam, w, nu) / len(y),
        lambda X, y, lam, w, nu: (
            np.inf if np.abs(X.T @ nu).max() > lam else gap(X, y, lam, w, nu, repair=False)
        ),
    ),
}
