"""Wrong answers that students of lesson 16 plausibly give, and right ones in other forms."""

import numpy as np


def pull(X, alpha):
    return np.abs(X.T @ alpha)


def size(X):
    return np.linalg.norm(X, axis=0)


def room(X, alpha, lam):
    free = (lam * len(alpha) - pull(X, alpha)) / size(X)
    return free[free > 0]


def ball(X, alpha, lam, gap, square=4, power=1):
    return pull(X, alpha) + np.sqrt(square * len(alpha) * gap) * size(X) ** power


def limit(point):
    return point[2] * len(point[1])


def shortest(X):
    return X[[np.sum(X**2, axis=1).argmin()]]


def counted(n, s, start, tol):
    return np.log(n * start / (s * tol)) / -np.log(1 - s / n)


def share(X, lam, L):
    return 1 / (1 + L * np.max(np.sum(X**2, axis=1)) / (lam * len(X)))


def walk(X, y, lam, tol, steps=5000, scale=None, step=None):
    """A function of exercise 16.4, with one of its parts exchanged."""
    n = len(y)
    scale = lam * n if scale is None else scale
    alpha, gaps = 0.5 * y, []
    for k in range(steps):
        v = X.T @ alpha / scale
        z, beta = X @ v, np.clip(alpha * y, 1e-300, 1 - 1e-16)
        conjugate = beta * np.log(beta) + (1 - beta) * np.log1p(-beta)
        gaps.append(np.mean(np.logaddexp(0, -y * z) + conjugate + alpha * z))
        if gaps[-1] <= tol:
            break
        delta = y / (1 + np.exp(y * z)) - alpha
        if step is not None:
            alpha = alpha + step(k) * delta
            continue
        low, high = 0.0, 1.0
        for _ in range(35):
            middle = (low + high) / 2
            inside = (alpha + middle * delta) * y
            bend = X.T @ (alpha + middle * delta) / scale @ (X.T @ delta) / n
            slope = np.mean(delta * y * np.log(inside / (1 - inside))) + bend
            low, high = (middle, high) if slope < 0 else (low, middle)
        alpha = alpha + low * delta
    return alpha, gaps


def finer(X, y, lam, tol):
    """A finer tolerance, and tuples turned into lists."""
    alpha, gaps = walk(X, y, lam, tol / 50)
    return [alpha.tolist(), gaps]


RIGHT = {"16.4": (walk, finer, lambda *args: (walk(*args)[0], np.array(walk(*args)[1])))}
WRONG = {
    "16.1": (
        lambda *point: ball(*point, square=2) < limit(point),
        lambda *point: ball(*point, square=1) < limit(point),
        lambda X, alpha, lam, gap: ball(X, alpha, lam, gap / len(alpha)) < lam * len(alpha),
        lambda X, alpha, lam, gap: ball(X, alpha, lam, 4 * len(alpha) * gap**2) < lam * len(alpha),
        lambda *point: ball(*point, square=0) < limit(point),
        lambda *point: ball(*point, power=0) < limit(point),
        lambda *point: ball(*point, power=2) < limit(point),
        lambda X, alpha, lam, gap: ball(X, alpha, lam, gap) - pull(X, alpha) + X.T @ alpha < lam * len(alpha),
        lambda *point: ball(*point) < point[2],
        lambda *point: ball(*point) >= limit(point),
        lambda *point: 2 * pull(*point[:2]) - ball(*point) < limit(point),
        lambda *point: ball(*point),
        lambda *point: np.sum(ball(*point) < limit(point)),
    ),
    "16.2": (
        lambda X, alpha, lam: np.max(room(X, alpha, lam)) ** 2 / (4 * len(alpha)),
        lambda X, alpha, lam: np.mean(room(X, alpha, lam)) ** 2 / (4 * len(alpha)),
        lambda X, alpha, lam: np.min(room(X, alpha, lam)),
        lambda X, alpha, lam: np.min(room(X, alpha, lam)) ** 2,
        lambda X, alpha, lam: np.min(room(X, alpha, lam)) ** 2 / (2 * len(alpha)),
        lambda X, alpha, lam: np.min(room(X, alpha, lam)) ** 2 / 4,
        lambda X, alpha, lam: np.min(room(X, alpha, lam)) / (4 * len(alpha)),
        lambda X, alpha, lam: np.min((lam * len(alpha) - pull(X, alpha)) / size(X)) ** 2 / (4 * len(alpha)),
        lambda X, alpha, lam: np.min(np.abs(lam * len(alpha) - pull(X, alpha))) ** 2 / (4 * len(alpha)),
        lambda X, alpha, lam: room(X, alpha, lam) ** 2 / (4 * len(alpha)),
        lambda X, alpha, lam: -(np.min(room(X, alpha, lam)) ** 2) / (4 * len(alpha)),
    ),
    "16.3": (
        lambda X, lam, L, start, tol: np.log(start / tol) / -np.log(1 - share(X, lam, L) / len(X)),
        lambda X, lam, L, start, tol: counted(1, share(X, lam, L), start, tol),
        lambda X, lam, L, start, tol: counted(len(X), share(X, lam, L), start, tol) / len(X),
        lambda X, lam, L, start, tol: counted(len(X), share(X, lam, L), start, tol) * len(X),
        lambda X, lam, L, start, tol: counted(len(X), share(shortest(X), lam * len(X), L), start, tol),
        lambda X, lam, L, start, tol: counted(len(X), share(X, lam / len(X), L), start, tol),
        lambda X, lam, L, start, tol: counted(len(X), share(X, 1.0, L), start, tol),
        lambda X, lam, L, start, tol: counted(len(X), share(X, lam, 1.0), start, tol),
        lambda X, lam, L, start, tol: counted(len(X), share(X, lam, L), 1.0, tol),
        lambda X, lam, L, start, tol: -counted(len(X), share(X, lam, L), start, tol),
        lambda X, lam, L, start, tol: share(X, lam, L) / len(X),
        lambda X, lam, L, start, tol: 1 / tol,
    ),
    "16.4": (
        lambda X, y, lam, tol: (y / 2, [1.0, 0.0]),
        lambda X, y, lam, tol: walk(X, y, lam, tol, scale=lam),
        lambda X, y, lam, tol: walk(X, y, lam, tol, scale=len(y)),
        lambda X, y, lam, tol: walk(X, y, lam, tol, scale=1.0),
        lambda X, y, lam, tol: walk(X, y, lam, 1e-3),
        lambda X, y, lam, tol: walk(X, y, lam, tol, steps=60, step=lambda k: 1.0),
        lambda X, y, lam, tol: (y * walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1]),
        lambda X, y, lam, tol: (-walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1]),
        lambda X, y, lam, tol: (2 * walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1]),
        lambda X, y, lam, tol: (walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1][-1:]),
        lambda X, y, lam, tol: (walk(X, y, lam, tol)[0], len(y) * np.array(walk(X, y, lam, tol)[1])),
        lambda X, y, lam, tol: (walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1][1:]),
        lambda X, y, lam, tol: (walk(X, y, lam, tol)[0], walk(X, y, lam, tol)[1][:-1]),
        lambda X, y, lam, tol: walk(X, y, lam, tol)[0],
        lambda X, y, lam, tol: walk(X, y, lam, tol)[::-1],
        lambda X, y, lam, tol: walk(X, y, 2 * lam, tol),
    ),
}
