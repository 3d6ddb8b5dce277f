"""Wrong answers that students of lesson 9 plausibly give."""

import numpy as np


def dual(p):
    return p / (p - 1)


def longest(X, norm):
    return np.linalg.norm(X, norm, axis=1).max()


def pgs(
    X, y, lam, p, passes, seed, ahead=1, sign=1.0, factor=None, norm=dual, weight=lambda n, t: n / (t + 1)
):
    """PGS for the logistic loss; `weight` makes dual variables of the pulls of the samples."""
    n, d = X.shape
    theta, pulls, t, rng = np.zeros(d), np.zeros(n), 0, np.random.default_rng(seed)

    def weights():
        v, q = theta / (max(t + ahead, 1) * lam), norm(p)
        size = np.linalg.norm(v, q) or 1.0
        return (p - 1 if factor is None else factor) * size ** (2 - q) * np.abs(v) ** (q - 1) * np.sign(v)

    for _ in range(passes):
        for i in rng.permutation(n):
            pull = y[i] / (1 + np.exp(y[i] * (weights() @ X[i])))
            pulls[i] += pull
            theta = theta + sign * pull * X[i]
            t += 1
    return weights(), pulls * weight(n, t)


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
        *("d h f j b i a", "h d f j b i a e", "d h j f b i a e", "d h f b j i a e", "d h f j b a e"),
        *("d h f j b i g e", "d h f j b i a e c", "k d h f j b i a e", "d f j b i a e", "h f j b i a e"),
        *("d h f j i a e", "d h f j b i e", "d h j b i a e", "d h f b i a e", "z", "a a", 3),
    ),
    "9.4": (
        lambda eps, G, L, c, m: L**2 / (2 * (eps**2 / (4 * G) - c * L**2 / m)),
        lambda eps, G, L, c, m: 2 * G * L**2 / eps**2,
        lambda eps, G, L, c, m: -m / (2 * c),
    ),
    "9.5": (
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, ahead=0),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, sign=-1.0),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, factor=1.0),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, norm=lambda p: p),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, 2.0, passes, seed),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, weight=lambda n, t: 1 / (t + 1)),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, weight=lambda n, t: n / t),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed, weight=lambda n, t: 1.0),
        lambda X, y, lam, p, passes, seed: pgs(X, y, 1.0, p, passes, seed),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, 1, seed),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed)[0],
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed)[::-1],
        lambda X, y, lam, p, *more: (pgs(X, y, lam, p, *more)[0], np.zeros(len(y))),
        lambda X, y, lam, p, passes, seed: (np.zeros(X.shape[1]), np.zeros(len(y))),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, 99, seed, weight=lambda n, t: -n / t),
    ),
}
RIGHT = {
    "9.3": ("d h f j b i a e", "DHFJBIAE", list("fdhjbeai"), "e, a, i, d, h, f, j, b"),
    "9.5": (
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed),
        lambda X, y, lam, p, passes, seed: pgs(X, y, lam, p, passes, seed + 1),
        lambda X, y, lam, p, passes, seed: list(pgs(X, y, lam, p, passes, None)),
        lambda X, y, lam, p, *more: [part.tolist() for part in pgs(X, y, lam, p, *more)],
    ),
}
