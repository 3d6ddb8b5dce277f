"""Wrong answers that students of lesson 18 plausibly give, and right ones in other forms."""

import numpy as np


def ridge(X, y, nu):
    n, d = X.shape
    return np.linalg.solve(X.T @ X / n + nu * np.eye(d), X.T @ y / n)


def budgeted(X, y, t, rounds=100, start=1.0, norm=lambda w: w @ w, free=True):
    """A budget and its price by halving."""
    w = np.linalg.lstsq(X, y, rcond=None)[0]
    if free and norm(w) <= t:
        return w, 0.0
    low, high = 0.0, start
    while norm(ridge(X, y, high)) > t:
        low, high = high, 2 * high
    for _ in range(rounds):
        middle = (low + high) / 2
        low, high = (middle, high) if norm(ridge(X, y, middle)) > t else (low, middle)
    return ridge(X, y, high), high


def by_newton(X, y, t):
    """The same in the eigenvectors of X'X, by Newton's method on 1/|w| (Moré and Sorensen)."""
    n = len(y)
    values, vectors = np.linalg.eigh(X.T @ X / n)
    b = vectors.T @ (X.T @ y / n)
    seen = values > 1e-12
    if np.sum((b[seen] / values[seen]) ** 2) <= t:
        return vectors[:, seen] @ (b[seen] / values[seen]), 0.0
    nu = 0.0 if np.all(seen) else 1e-9
    for _ in range(200):
        w = b / (values + nu)
        size = np.linalg.norm(w)
        step = (size / np.sqrt(t) - 1) * size**2 / np.sum(w**2 / (values + nu))
        nu = max(nu + step, nu / 2)
    w = vectors @ (b / (values + nu))
    return w * min(1.0, np.sqrt(t) / np.linalg.norm(w)), nu


def by_steps(X, y, t):
    """Projected gradient steps; the price from the slope at the end."""
    n, w = len(y), np.zeros(X.shape[1])
    size = n / (2 * np.linalg.norm(X, 2) ** 2)
    for _ in range(20_000):
        w = w - size * 2 * X.T @ (X @ w - y) / n
        w = w * min(1.0, np.sqrt(t / (w @ w)))
    used = w @ w > t * (1 - 1e-9)
    slope = 2 * X.T @ (X @ w - y) / n
    return w, max(0.0, -(slope @ w) / (2 * t)) if used else 0.0


def changed(how):
    return lambda X, y, t: how(X, y, t, *budgeted(X, y, t))


def listed(*arguments):
    w, nu = budgeted(*arguments)
    return [w.tolist(), np.array([nu])]


RIGHT = {"18.4": (budgeted, by_newton, by_steps, listed)}
WRONG = {
    "18.1": (
        lambda v0, nu, t0, ts: v0 - nu * (ts - t0),
        lambda v0, nu, t0, ts: v0 + nu * (ts - t0) if nu >= 0 else np.full(len(ts), -np.inf),
        lambda v0, nu, t0, ts: v0 - nu * ts if nu >= 0 else np.full(len(ts), -np.inf),
        lambda v0, nu, t0, ts: v0 - nu * (ts - t0) if nu > 0 else np.full(len(ts), -np.inf),
        lambda v0, nu, t0, ts: v0 - abs(nu) * (ts - t0),
        lambda v0, nu, t0, ts: v0 - nu * (ts - t0) if nu >= 0 else -np.inf,
    ),
    "18.2": (
        lambda X, y, w: 2 * (X @ w - y) / len(y),
        lambda X, y, w: -2 * (X @ w - y),
        lambda X, y, w: (y - X @ w) / len(y),
        lambda X, y, w: (X @ w - y) ** 2 / len(y),
        lambda X, y, w: 2 * X.T @ (X @ w - y) / len(y),
    ),
    "18.3": (
        lambda nu, t: -1 / (4 * nu) - nu * t if nu else -np.inf,
        lambda nu, t: -1 / (4 * nu) + nu * t if nu > 0 else -np.inf,
        lambda nu, t: 1 / (4 * nu) - nu * t if nu > 0 else -np.inf,
        lambda nu, t: -1 / (4 * nu) if nu > 0 else -np.inf,
        lambda nu, t: -1 / (2 * nu) if nu > 0 else -np.inf,
        lambda nu, t: -1 / (4 * nu) - nu * t if nu > 0 else np.inf,
        lambda nu, t: -1 / (2 * nu) - nu * t if nu > 0 else -np.inf,
    ),
    "18.4": (
        changed(lambda X, y, t, w, nu: (w, 2 * nu)),
        changed(lambda X, y, t, w, nu: (w, nu / 2)),
        changed(lambda X, y, t, w, nu: (w, nu * len(y))),
        changed(lambda X, y, t, w, nu: (w, nu / len(y))),
        changed(lambda X, y, t, w, nu: (w, -nu)),
        changed(lambda X, y, t, w, nu: (w, 0.0)),
        changed(lambda X, y, t, w, nu: (2 * w, nu)),
        changed(lambda X, y, t, w, nu: (w / 2, nu)),
        changed(lambda X, y, t, w, nu: w),
        changed(lambda X, y, t, w, nu: (nu, w)),
        lambda X, y, t: (np.linalg.lstsq(X, y, rcond=None)[0], 0.0),
        lambda X, y, t: budgeted(X, y, t, rounds=3),
        lambda X, y, t: budgeted(X, y, t, norm=np.linalg.norm),
        lambda X, y, t: budgeted(X, y, t, norm=lambda w: np.abs(w).sum()),
        lambda X, y, t: (np.zeros(X.shape[1]), 1.0),
    ),
}
