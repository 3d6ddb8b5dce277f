"""Wrong answers that students of lesson 9 plausibly give."""

import numpy as np


def dual(p):
    return p / (p - 1)


def longest(X, norm):
    return np.linalg.norm(X, norm, axis=1).max()


WRONG = {
    "9.1": (
        lambda theta, t, x, y, lam: theta - y * x if y * (theta @ x) < (t + 1) * lam else theta,
        lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < t * lam else theta,
        lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < 0 else theta,
        lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < t + 1 else theta,
        lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < (t + 2) * lam else theta,
        lambda theta, t, x, y, lam: theta + y * x,
    ),
    "9.2": (
        lambda theta, t, lam, p: theta / ((t + 1) * lam),
        lambda theta, t, lam, p: (
            (v := np.abs(theta) / ((t + 1) * lam)) ** (dual(p) - 1)
            * (p - 1)
            * np.linalg.norm(v, dual(p)) ** (2 - dual(p))
        ),
        lambda theta, t, lam, p: (p - 1) * np.abs(v := theta / ((t + 1) * lam)) ** (dual(p) - 1) * np.sign(v),
        lambda theta, t, lam, p: (
            np.abs(v := theta / ((t + 1) * lam)) ** (dual(p) - 1)
            * np.sign(v)
            * np.linalg.norm(v, dual(p)) ** (2 - dual(p))
        ),
    ),
    "9.3": (
        lambda X, p, lam, T: longest(X, dual(p)) ** 2 * np.log(T) / (2 * lam * T),
        lambda X, p, lam, T: longest(X, p) ** 2 * (1 + np.log(T)) / (2 * lam * T),
        lambda X, p, lam, T: longest(X, 2) ** 2 * (1 + np.log(T)) / (2 * lam * T),
        lambda X, p, lam, T: longest(X, dual(p)) * (1 + np.log(T)) / (2 * lam * T),
    ),
    "9.4": (
        lambda eps, G, L, c, m: L**2 / (2 * (eps**2 / (4 * G) - c * L**2 / m)),
        lambda eps, G, L, c, m: 2 * G * L**2 / eps**2,
        lambda eps, G, L, c, m: -m / (2 * c),
    ),
}
