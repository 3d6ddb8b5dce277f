"""Wrong answers that students of lesson 14 plausibly give, and right ones in other forms."""

import numpy as np


def threshold(z, k):
    return (np.sort(z)[::-1][:k].sum() - 1) / k


def count(z):
    ordered = np.sort(z)[::-1]
    return max(k for k in range(1, len(z) + 1) if ordered[k - 1] > threshold(z, k))


def rebuilt(U, change):
    left, sizes, right = np.linalg.svd(U, full_matrices=False)
    return (left * change(sizes)) @ right


def lengths(u, groups):
    return np.sqrt(np.bincount(groups, u**2, minlength=groups.max() + 1))


def solve(X, y, groups, lam, tol, steps=20_000, scale=2.0, momentum=True, threshold=1.0):
    """Proximal gradient steps for exercise 14.4; a smaller scale halves the losses."""
    n, d = X.shape
    curvature = scale * np.linalg.norm(X, 2) ** 2 / n
    w, u, t = np.zeros(d), np.zeros(d), 1.0
    for _ in range(steps):
        before = w
        moved = u - scale * X.T @ (X @ u - y) / n / curvature
        size = lengths(moved, groups)
        w = moved * (np.maximum(size - threshold * lam / curvature, 0) / np.where(size > 0, size, 1))[groups]
        alpha = repaired(X, y, groups, lam, w)
        primal = np.mean((X @ w - y) ** 2) + lam * lengths(w, groups).sum()
        if primal + np.mean(alpha**2 / 4 - alpha * y) <= tol:
            break
        after = (1 + np.sqrt(1 + 4 * t**2)) / 2
        u = w + ((t - 1) / after if momentum else 0.0) * (w - before)
        t = after
    return w


def repaired(X, y, groups, lam, w):
    alpha = 2 * (y - X @ w)
    return alpha / max(1, lengths(X.T @ alpha / (lam * len(y)), groups).max())


def pair(change=lambda alpha, n: alpha, **how):
    """A function of exercise 14.4 whose alpha, or whose w, is exchanged."""

    def answer(X, y, groups, lam, tol):
        w = solve(X, y, groups, lam, tol, **how)
        return w, change(repaired(X, y, groups, lam, w), len(y))

    return answer


def elsewhere(**other):
    """A solver of another problem; `other` changes lam, groups or the number of steps."""

    def answer(X, y, groups, lam, tol):
        places = other["groups"](groups) if "groups" in other else groups
        weight = other["lam"](lam, len(y)) if "lam" in other else lam
        w = solve(X, y, places, weight, 0.0, steps=other.get("steps", 3000))
        return w, repaired(X, y, groups, lam, w)

    return answer


def raw(X, y, groups, lam, tol):
    w = solve(X, y, groups, lam, tol)
    return w, 2 * (y - X @ w)


def least_squares(X, y, groups, lam, tol):
    w = np.linalg.lstsq(X, y)[0]
    return w, repaired(X, y, groups, lam, w)


RIGHT = {
    "14.4": (
        pair(),
        pair(momentum=False),
        lambda *args: [part.tolist() for part in pair()(*args)],
        lambda X, y, groups, lam, tol: pair()(X, y, groups, lam, tol / 30),
    )
}
WRONG = {
    "14.1": (
        lambda z: np.exp(z) / np.exp(z).sum(),
        lambda z: np.maximum(z, 0) / max(np.maximum(z, 0).sum(), 1e-300),
        lambda z: z / z.sum(),
        lambda z: np.maximum(z - threshold(z, len(z)), 0),
        lambda z: z - threshold(z, len(z)),
        lambda z: z - threshold(z, count(z)),
        lambda z: np.maximum(z - threshold(z, min(count(z) + 1, len(z))), 0),
        lambda z: np.maximum(z - threshold(z, max(count(z) - 1, 1)), 0),
        lambda z: np.maximum(z - np.sort(z)[::-1][: count(z)].sum() / count(z), 0),
        lambda z: np.eye(len(z))[z.argmax()],
        lambda z: np.clip(z, 0, 1),
        lambda z: threshold(z, count(z)),
        lambda z: np.maximum(z - threshold(z, count(z)), 0)[::-1],
    ),
    "14.2": (
        lambda z, p, y: z @ p - p @ p / 2 - z[y],
        lambda z, p, y: z @ p - p @ p / 2 + 1 - z[y],
        lambda z, p, y: z @ p - p @ p / 2 - 1 / 2 - z[y],
        lambda z, p, y: z @ p + p @ p / 2 + 1 / 2 - z[y],
        lambda z, p, y: z @ p - p @ p + 1 / 2 - z[y],
        lambda z, p, y: z @ p + 1 / 2 - z[y],
        lambda z, p, y: z @ p - p @ p / 2 + 1 / 2,
        lambda z, p, y: z @ p - p @ p / 2 + 1 / 2 + z[y],
        lambda z, p, y: z @ p - p @ p / 2 + 1 / 2 - p[y],
        lambda z, p, y: -np.log(p[y]) if p[y] else 690.7755278982137,
        lambda z, p, y: np.log(np.exp(z).sum()) - z[y],
        lambda z, p, y: np.sum((p - np.eye(len(z))[y]) ** 2) / 2,
        lambda z, p, y: max(0, 1 + np.delete(z, y).max() - z[y]),
        lambda z, p, y: z * p,
    ),
    "14.3": (
        lambda U, tau: np.sign(U) * np.maximum(np.abs(U) - tau, 0),
        lambda U, tau: rebuilt(U, lambda s: s - tau),
        lambda U, tau: rebuilt(U, lambda s: np.where(s > tau, s, 0)),
        lambda U, tau: rebuilt(U, lambda s: np.minimum(s, tau)),
        lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau / 2, 0)),
        lambda U, tau: rebuilt(U, lambda s: np.maximum(s - 2 * tau, 0)),
        lambda U, tau: rebuilt(U, lambda s: s * max(1 - tau / np.linalg.norm(s), 0)),
        lambda U, tau: rebuilt(U, lambda s: s / (1 + tau)),
        lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau, 0)) - U,
        lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau, 0)).T,
        lambda U, tau: np.maximum(np.linalg.svd(U)[1] - tau, 0),
        lambda U, tau: U * np.maximum(1 - tau / np.linalg.norm(U, axis=1, keepdims=True), 0),
        lambda U, tau: U - tau,
    ),
    "14.4": (
        raw,
        pair(lambda alpha, n: -alpha),
        pair(lambda alpha, n: alpha / 2),
        pair(lambda alpha, n: alpha / n),
        pair(lambda alpha, n: -alpha / n),
        pair(lambda alpha, n: n * alpha),
        pair(lambda alpha, n: 0 * alpha),
        pair(lambda alpha, n: 0.9 * alpha),
        elsewhere(lam=lambda lam, n: 2 * lam),
        elsewhere(lam=lambda lam, n: lam / 2),
        elsewhere(lam=lambda lam, n: lam * n, steps=5000),
        elsewhere(lam=lambda lam, n: lam / n, steps=5000),
        elsewhere(groups=lambda groups: np.arange(len(groups))),
        elsewhere(groups=lambda groups: 0 * groups),
        elsewhere(steps=5),
        least_squares,
        lambda *args: pair()(*args)[0],
        lambda *args: pair()(*args)[::-1],
    ),
}
