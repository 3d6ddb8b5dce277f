"""Wrong answers that students of lesson 6 plausibly give."""

import numpy as np

import workbench as wb


def largest(X, kappa):
    return np.abs(X.T @ kappa).max()


def ends(X, y, lam, alpha):
    return lam * len(y) / largest(X, alpha)


def best(X, y, lam, alpha):
    return np.clip(2 * (alpha @ y) / (alpha @ alpha), -ends(X, y, lam, alpha), ends(X, y, lam, alpha))


def fista(X, y, lam, steps, shrunk=1.0, size=2.0, repair=best, restart=False):
    """FISTA on the Lasso; `size` times |X|^2 / n is its L, `restart` begins anew where a step turns back."""
    n, L = len(y), size * np.linalg.norm(X, 2) ** 2 / len(y)
    w = u = np.zeros(X.shape[1])
    t = 1.0
    for _ in range(steps):
        moved = u - 2 / n * (X.T @ (X @ u - y)) / L
        new = np.clip(np.abs(moved) - shrunk * lam / L, 0, None) * np.sign(moved)
        if restart and (u - new) @ (new - w) > 0:
            t = 1.0
        after = (1 + np.sqrt(1 + 4 * t * t)) / 2
        w, u, t = new, new + (t - 1) / after * (new - w), after
    alpha = 2 * (y - X @ w)
    return w, alpha * repair(X, y, lam, alpha)


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
        lambda X, kappa, lam: kappa - kappa.mean(),
        lambda X, kappa, lam: (kappa * (s := min(1, lam / largest(X, kappa)))) - s * kappa.mean(),
        lambda X, kappa, lam: kappa * min(1, lam / largest(X, kappa)),
        lambda X, kappa, lam: (moved := kappa - kappa.sum() / X.shape[1]) * min(1, lam / largest(X, moved)),
        lambda X, kappa, lam: (moved := kappa - kappa.mean()) * lam / largest(X, moved),
    ),
    "6.3": (
        lambda X, y, alpha, lam: 2 * (alpha @ y) / (alpha @ alpha),
        lambda X, y, alpha, lam: min(1, lam * len(y) / largest(X, alpha)),
        lambda X, y, alpha, lam: np.clip(
            2 * (alpha @ y) / (alpha @ alpha), 0, lam * len(y) / largest(X, alpha)
        ),
    ),
    "6.4": (
        lambda X, y, lam, steps: fista(X, y, lam, steps, shrunk=0.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, shrunk=0.5),
        lambda X, y, lam, steps: fista(X, y, lam, steps, shrunk=2.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, size=1.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, size=20.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, repair=lambda *point: 1.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, repair=lambda *point: 0.0),
        lambda X, y, lam, steps: fista(X, y, lam, steps, repair=lambda *point: min(1.0, ends(*point))),
        lambda X, y, lam, steps: fista(X, y, lam, steps, repair=lambda *point: -ends(*point)),
        lambda X, y, lam, steps: fista(X, y, lam, steps, repair=lambda *point: ends(*point) / len(y)),
        lambda X, y, lam, steps: fista(X, y, lam, min(steps, 10)),
        lambda X, y, lam, steps: fista(X, y, lam, steps)[::-1],
        lambda X, y, lam, steps: fista(X, y, lam, steps)[0],
        lambda X, y, lam, steps: (np.zeros(X.shape[1]), ends(X, y, lam, y) * y),
        lambda X, y, lam, steps: (wb.solve(X, y).w, y),
    ),
}
RIGHT = {
    "6.4": (
        lambda X, y, lam, steps: fista(X, y, lam, steps),
        lambda X, y, lam, steps: fista(X, y, lam, steps, restart=True),
        lambda X, y, lam, steps: list(fista(X, y, lam, steps, size=2.5)),
    ),
}
