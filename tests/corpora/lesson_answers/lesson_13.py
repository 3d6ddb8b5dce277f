"""Wrong answers that students of lesson 13 plausibly give, and right ones in other forms."""

import numpy as np

ROOT = np.sqrt(2)


def centred(K, alpha, lam, b=0.0):
    return K @ alpha / (lam * len(alpha)) + b


def monomials(X, linear=ROOT, mixed=ROOT, constant=1.0, power=2):
    a, b = X.T
    parts = [constant + 0 * a, linear * a, linear * b, a**power, b**power, mixed * a * b]
    return np.stack(parts, axis=1)


def hinge_gap(K, y, alpha, b, lam):
    z = centred(K, alpha, lam, b)
    return np.mean(np.maximum(0, 1 - y * z) + alpha * (z - y))


def pairs(K, y, lam, tol, steps=20_000, scale=None, upper=None, lower=None, cut=True, both=True, level=True):
    """A function of exercise 13.4, with one of its parts exchanged."""
    n = len(y)
    scale = lam * n if scale is None else scale
    upper = np.maximum(y, 0) if upper is None else upper
    lower = np.minimum(y, 0) if lower is None else lower
    alpha = np.zeros(n)
    for _ in range(steps):
        s = y - K @ alpha / scale
        up, down = np.flatnonzero(alpha < upper - 1e-13), np.flatnonzero(alpha > lower + 1e-13)
        if not up.size or not down.size:
            break
        i, j = up[s[up].argmax()], down[s[down].argmin()]
        if s[i] - s[j] <= tol:
            break
        bend = (K[i, i] + K[j, j] - 2 * K[i, j]) / scale
        if bend <= 1e-12 and not level:
            break
        free = (s[i] - s[j]) / bend if bend > 1e-12 else 1.0
        t = min(free, upper[i] - alpha[i], alpha[j] - lower[j]) if cut else free
        alpha[i] += t
        if both:
            alpha[j] -= t
    return alpha


def single(K, y, lam, tol):
    """Coordinate descent, as without a bias."""
    alpha, n = np.zeros(len(y)), len(y)
    for i in list(range(n)) * 300:
        step = (y[i] - K[i] @ alpha / (lam * n)) * lam * n / K[i, i]
        alpha[i] = y[i] * np.clip(y[i] * (alpha[i] + step), 0, 1)
    return alpha


def slack(K, y, lam, tol):
    """The same solver with a finer tolerance, and a list."""
    return pairs(K, y, lam, tol / 10).tolist()


def by_beta(K, y, lam, tol):
    """In the variables of the literature, beta with y.beta = 0 and Q = y y' K."""
    n, beta = len(y), np.zeros(len(y))
    Q = np.outer(y, y) * K / (lam * n)
    while True:
        s = y * (1 - Q @ beta)
        up = np.where(y > 0, beta < 1 - 1e-14, beta > 1e-14)
        down = np.where(y > 0, beta > 1e-14, beta < 1 - 1e-14)
        i, j = np.where(up, s, -np.inf).argmax(), np.where(down, s, np.inf).argmin()
        if s[i] - s[j] <= tol:
            return beta * y
        room = min((1 - beta[i]) if y[i] > 0 else beta[i], beta[j] if y[j] > 0 else 1 - beta[j])
        bend = (K[i, i] + K[j, j] - 2 * K[i, j]) / (lam * n)
        t = min(room, (s[i] - s[j]) / max(bend, 1e-12))
        beta[i], beta[j] = np.clip(beta[i] + y[i] * t, 0, 1), np.clip(beta[j] - y[j] * t, 0, 1)


RIGHT = {
    "13.2": (
        monomials,
        lambda X: -monomials(X)[:, ::-1],
        lambda X: monomials(X).tolist(),
        lambda X: monomials(X) @ np.linalg.qr(np.arange(36.0).reshape(6, 6) + 7 * np.eye(6))[0],
    ),
    "13.4": (pairs, slack, by_beta),
}
WRONG = {
    "13.1": (
        lambda K, y, lam: np.linalg.solve(K + lam * len(y) * np.eye(len(y)), y),
        lambda K, y, lam: np.linalg.solve(K + lam * len(y) / 2 * np.eye(len(y)), y),
        lambda K, y, lam: np.linalg.solve(K / (lam * len(y)) + np.eye(len(y)), y),
        lambda K, y, lam: np.linalg.solve(K / (lam * len(y)) + 2 * np.eye(len(y)), y),
        lambda K, y, lam: np.linalg.solve(K / lam + np.eye(len(y)) / 2, y),
        lambda K, y, lam: np.linalg.solve(K / len(y) + np.eye(len(y)) / 2, y),
        lambda K, y, lam: np.linalg.solve(K * lam * len(y) + np.eye(len(y)) / 2, y),
        lambda K, y, lam: np.linalg.solve(K / (2 * lam * len(y)) + np.eye(len(y)) / 2, y),
        lambda K, y, lam: K @ np.linalg.solve(K / (lam * len(y)) + np.eye(len(y)) / 2, y) / (lam * len(y)),
        lambda K, y, lam: 2 * y,
        lambda K, y, lam: np.linalg.solve(K / (lam * len(y)) - np.eye(len(y)) / 2, y),
        lambda K, y, lam: -np.linalg.solve(K / (lam * len(y)) + np.eye(len(y)) / 2, y),
    ),
    "13.2": (
        lambda X: monomials(X, linear=1.0, mixed=1.0),
        lambda X: monomials(X, mixed=1.0),
        lambda X: monomials(X, mixed=2.0),
        lambda X: monomials(X, linear=1.0),
        lambda X: monomials(X, linear=2.0),
        lambda X: monomials(X, linear=2.0, mixed=2.0),
        lambda X: monomials(X, power=1),
        lambda X: monomials(X, constant=0.0),
        lambda X: monomials(X, mixed=0.0),
        lambda X: monomials(X)[:, 1:],
        lambda X: monomials(X).T,
        lambda X: monomials(X, power=4),
        lambda X: 2 * monomials(X),
    ),
    "13.3": (
        lambda K, y, alpha, b, lam: np.sum(
            np.maximum(0, 1 - y * centred(K, alpha, lam, b)) + alpha * (centred(K, alpha, lam, b) - y)
        ),
        lambda K, y, alpha, b, lam: np.mean(np.maximum(0, 1 - y * centred(K, alpha, lam, b))),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, 0.0, lam),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, b, lam / len(y)),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, b, 1.0),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, b, 1 / len(y)),
        lambda K, y, alpha, b, lam: hinge_gap(-K, y, alpha, b, lam),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha * y, b, lam),
        lambda K, y, alpha, b, lam: (
            hinge_gap(K, y, alpha, b, lam) - alpha @ K @ alpha / (2 * lam * len(y) ** 2)
        ),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, b, lam) + np.mean(alpha * y),
        lambda K, y, alpha, b, lam: hinge_gap(K, y, alpha, b, lam) + 2 * np.mean(alpha * y),
        lambda K, y, alpha, b, lam: alpha @ K @ alpha / (2 * lam * len(y) ** 2) - np.mean(alpha * y),
        lambda K, y, alpha, b, lam: np.maximum(0, 1 - y * centred(K, alpha, lam, b)),
    ),
    "13.4": (
        lambda K, y, lam, tol: np.zeros(len(y)),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, scale=lam),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, scale=len(y)),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, scale=1.0),
        lambda K, y, lam, tol: pairs(K, y, lam, 0.1),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, steps=3),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, steps=200, cut=False),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, steps=200, both=False),
        lambda K, y, lam, tol: pairs(K, y, lam, tol) * y,
        lambda K, y, lam, tol: -pairs(K, y, lam, tol),
        lambda K, y, lam, tol: pairs(K, y, lam, tol) * y / (lam * len(y)),
        lambda K, y, lam, tol: pairs(K, y, lam, tol) / 2,
        lambda K, y, lam, tol: pairs(K, y, lam, tol, upper=np.ones(len(y)), lower=-np.ones(len(y))),
        lambda K, y, lam, tol: pairs(np.diag(np.diag(K)), y, lam, tol),
        lambda K, y, lam, tol: pairs(K, y, 2 * lam, tol),
        lambda K, y, lam, tol: pairs(K, y, lam, tol, level=False),
        single,
        lambda K, y, lam, tol: K @ pairs(K, y, lam, tol),
        lambda K, y, lam, tol: (pairs(K, y, lam, tol), 0.0),
    ),
}
