"""Wrong answers that students of lesson 10 plausibly give."""

import numpy as np


def descend(X, y, lam, passes, rounds=60, sign=1.0, c1=1.0, moved=None, target=1.0, own=1.0, order=range):
    """Coordinate descent for sqrt(1 + u^2) - 1 by bisection."""
    n = len(y)
    alpha, v = np.zeros(n), np.zeros(X.shape[1])
    for _ in range(passes):
        for i in order(n):
            low, high = -1.0, 1.0
            for _ in range(rounds):
                a = (low + high) / 2
                bend = c1 * (X[i] @ X[i]) / (lam * n) * (a - own * alpha[i])
                up = sign * (a / np.sqrt(1 - a**2) - target * y[i] + v @ X[i] + bend) > 0
                low, high = (low, a) if up else (a, high)
            v = v + (a - alpha[i]) * X[i] / (lam * n if moved is None else moved(lam, n))
            alpha[i] = a
    return alpha


WRONG = {
    "10.1": ("max(4*u, -u)", "abs(u)", "max(0, -4*u)", "min(u, -4*u)", "max(u, -4*u"),
    "10.2": (
        lambda v: 1 - np.sqrt(1 - v**2),
        lambda v: -np.sqrt(1 - v**2) if abs(v) <= 1 else np.inf,
        lambda v: 1 - np.sqrt(1 - v**2) if abs(v) < 1 else np.inf,
    ),
    "10.3": (np.sinh, np.arctan, np.arccosh),
    "10.4": ("abs(u) + u**2/2", "0.5*abs(u) + u**2", "u**2/2", "max(abs(u) - 0.5, 0)**2 / 2"),
    "10.5": (
        lambda *args: descend(*args, rounds=3),
        lambda *args: descend(*args, rounds=8),
        lambda *args: descend(*args, sign=-1.0),
        lambda *args: descend(*args, c1=0.0),
        lambda *args: descend(*args, moved=lambda lam, n: n),
        lambda *args: descend(*args, moved=lambda lam, n: lam),
        lambda *args: descend(*args, moved=lambda lam, n: np.inf),
        lambda *args: descend(*args, target=0.0),
        lambda *args: descend(*args, own=0.0),
        lambda X, y, lam, passes: np.zeros(len(y)),
        lambda X, y, lam, passes: descend(X, y, lam, 1),
        lambda X, y, lam, passes: X.T @ descend(X, y, lam, passes),
        lambda X, y, lam, passes: 2 * descend(X, y, lam, passes),
        lambda X, y, lam, passes: -descend(X, y, lam, passes),
    ),
}
RIGHT = {
    "10.5": (
        lambda *args: descend(*args),
        lambda *args: descend(*args, order=lambda n: range(n)[::-1]).tolist(),
        lambda *args: descend(*args, order=np.random.default_rng(2).permutation),
    ),
}
