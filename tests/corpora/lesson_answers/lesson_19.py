"""Wrong answers that students of lesson 19 plausibly give, and right ones in other forms."""

from itertools import combinations

import numpy as np


def pushes(A, b, c, w, rounding=1e-9):
    nu = np.zeros(len(b))
    active = np.flatnonzero(np.abs(A @ w - b) <= rounding)
    if len(active):
        nu[active] = np.linalg.pinv(A[active].T) @ (c - w)
    return nu


def gap_terms(A, b, c, w, nu):
    return np.append(np.sum((w - c + A.T @ nu) ** 2) / 2, nu * (b - A @ w))


def proves(A, b, w, nu):
    return np.all(A @ w <= b + 1e-9) and np.all(nu >= -1e-9)


def slacks(m, beta):
    return np.maximum(0, 1 - m) - beta + beta * m


def in_box(beta, values):
    return np.where((beta < 0) | (beta > 1), np.inf, values)


def hildreth(A, b, c, passes=20_000, low=0.0, divided=True):
    nu = np.zeros(len(b))
    for _ in range(passes):
        before = nu.copy()
        for j in range(len(b)):
            size = A[j] @ A[j] if divided else 1.0
            nu[j] = max(low, nu[j] + (A[j] @ (c - A.T @ nu) - b[j]) / size)
        if np.max(np.abs(nu - before)) < 1e-13:
            break
    return c - A.T @ nu, nu


def by_trial(A, b, c):
    """All sets of walls that may be touched, each as a system of equations."""
    for count in range(len(c) + 1):
        for walls in map(list, combinations(range(len(b)), count)):
            nu = np.zeros(len(b))
            if walls:
                nu[walls] = np.linalg.solve(A[walls] @ A[walls].T, A[walls] @ c - b[walls])
            w = c - A.T @ nu
            if np.min(nu) >= -1e-12 and np.max(A @ w - b) <= 1e-10:
                return w, nu
    return None


def by_gradients(A, b, c):
    """Gradient steps on the dual, with momentum."""
    nu = old = np.zeros(len(b))
    size = 1 / np.linalg.norm(A, 2) ** 2
    for t in range(20_000):
        ahead = nu + t / (t + 3) * (nu - old)
        old, nu = nu, np.maximum(0, ahead + size * (A @ (c - A.T @ ahead) - b))
    return c - A.T @ nu, nu


def listed(A, b, c):
    w, nu = hildreth(A, b, c)
    return [w.tolist(), tuple(nu)]


def changed(how):
    return lambda A, b, c: how(A, b, c, *hildreth(A, b, c))


RIGHT = {"19.4": (hildreth, by_trial, by_gradients, listed)}
WRONG = {
    "19.1": (
        lambda A, b, c, w: -pushes(A, b, c, w),
        lambda A, b, c, w: np.linalg.lstsq(A.T, c - w, rcond=None)[0],
        lambda A, b, c, w: np.maximum(pushes(A, b, c, w), 0),
        lambda A, b, c, w: pushes(A, b, c, w, rounding=0.0),
        lambda A, b, c, w: pushes(A, b, c, w, rounding=1e-5),
        lambda A, b, c, w: np.where(np.abs(A @ w - b) <= 1e-9, A @ (c - w), 0),
        lambda A, b, c, w: np.zeros(len(b)),
        lambda A, b, c, w: 2 * pushes(A, b, c, w),
    ),
    "19.2": (
        gap_terms,
        lambda A, b, c, w, nu: (
            gap_terms(A, b, c, w, nu) if np.all(nu >= -1e-9) else np.full(len(b) + 1, np.inf)
        ),
        lambda A, b, c, w, nu: (
            gap_terms(A, b, c, w, nu) if np.all(A @ w <= b + 1e-9) else np.full(len(b) + 1, np.inf)
        ),
        lambda A, b, c, w, nu: gap_terms(A, b, c, w, nu).sum() if proves(A, b, w, nu) else np.inf,
        lambda A, b, c, w, nu: gap_terms(A, b, c, w, nu) if proves(A, b, w, nu) else np.zeros(len(b) + 1),
        lambda A, b, c, w, nu: (
            np.append(gap_terms(A, b, c, w, nu)[1:], gap_terms(A, b, c, w, nu)[0])
            if proves(A, b, w, nu)
            else np.full(len(b) + 1, np.inf)
        ),
        lambda A, b, c, w, nu: (
            gap_terms(A, b, c, w, nu)
            if np.all(A @ w <= b) and np.all(nu >= 0)
            else np.full(len(b) + 1, np.inf)
        ),
    ),
    "19.3": (
        slacks,
        lambda m, beta: np.where((beta <= 0) | (beta >= 1), np.inf, slacks(m, beta)),
        lambda m, beta: in_box(beta, beta * np.maximum(0, m - 1)),
        lambda m, beta: in_box(beta, (1 - beta) * np.maximum(0, 1 - m)),
        lambda m, beta: in_box(beta, beta * (m - 1)),
        lambda m, beta: in_box(beta, (1 - beta) * np.maximum(0, m - 1) + beta * np.maximum(0, 1 - m)),
        lambda m, beta: in_box(beta, slacks(m, beta)) / len(m),
        lambda m, beta: np.where(beta < 0, np.inf, slacks(m, beta)),
    ),
    "19.4": (
        changed(lambda A, b, c, w, nu: (w, -nu)),
        changed(lambda A, b, c, w, nu: (w, 3 * nu)),
        changed(lambda A, b, c, w, nu: (w, 0 * nu)),
        changed(lambda A, b, c, w, nu: (w, nu + 0.1)),
        changed(lambda A, b, c, w, nu: (c, 0 * nu)),
        changed(lambda A, b, c, w, nu: (nu, w)),
        changed(lambda A, b, c, w, nu: w),
        changed(lambda A, b, c, w, nu: (w, nu / np.maximum(1, np.sum(A**2, axis=1)))),
        lambda A, b, c: hildreth(A, b, c, passes=1),
        lambda A, b, c: hildreth(A, b, c, passes=200, low=-np.inf),
        lambda A, b, c: (np.zeros(len(c)), np.zeros(len(b))),
        lambda A, b, c: (np.minimum(c, 0.3), np.maximum(0, c).sum() * np.ones(len(b))),
    ),
}
