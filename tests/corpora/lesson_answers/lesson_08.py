"""Wrong answers that students of lesson 8 plausibly give."""

import numpy as np

import workbench as wb


def unboxed(grad, y, a, C):
    return np.max(y * grad) - np.min(y * grad)


def without_labels(grad, y, a, C):
    return np.max((y * grad)[a > 0]) - np.min((y * grad)[a < C])


def mvp(K, y, C, eps, max_steps, room=True, labels=True, refresh=True, second=False, curvature=None):
    """Maximal violating pairs; `second` chooses the partner by the decrease of a whole step."""
    n = len(y)
    a, f = np.zeros(n), np.zeros(n)
    for _ in range(max_steps):
        m = f - y
        down, up = np.where(y > 0, a, C - a), np.where(y > 0, C - a, a)
        i = int(np.argmax(np.where(down > 0, m, -np.inf)))
        bends = np.maximum(K[i, i] + np.diag(K) - 2 * K[i], 1e-12)
        j = int(np.argmin(np.where(up > 0, m, np.inf)))
        if m[i] - m[j] <= eps:
            break
        if second:
            j = int(np.argmax(np.where((up > 0) & (m < m[i]), (m[i] - m) ** 2 / bends, -np.inf)))
        bend = K[i, i] + K[j, j] - 2 * K[i, j] if curvature is None else curvature(i, j)
        size = (m[i] - m[j]) / max(bend, 1e-12)
        if room:
            size = min(size, down[i], up[j])
        a[i] -= (y[i] if labels else 1.0) * size
        a[j] += (y[j] if labels else 1.0) * size
        if room and labels:
            a = np.where(np.abs(a) < 1e-14, 0.0, np.where(np.abs(a - C) < 1e-14, C, a))
        if refresh:
            f = K @ (y * a)
    return a


WRONG = {
    "8.1": (
        lambda q, w, d, lam: lam * (d - (w - lam) / q),
        lambda q, w, d, lam: lam * (d - w + lam) if d >= w - lam else np.inf,
        lambda q, w, d, lam: d - (w - lam) / q if d >= (w - lam) / q else np.inf,
        lambda q, w, d, lam: lam * (d - (w - lam) / q) if d > (w - lam) / q else np.inf,
    ),
    "8.2": (
        lambda grad, y, a, C, c: np.sum(
            (C - a) * np.maximum(grad - c * y, 0) + a * np.maximum(c * y - grad, 0)
        ),
        lambda grad, y, a, C, c: np.sum(a * np.maximum(grad - c, 0) + (C - a) * np.maximum(c - grad, 0)),
        lambda grad, y, a, C, c: np.sum(a * (grad - c * y) + (C - a) * (c * y - grad)),
        lambda grad, y, a, C, c: a * np.maximum(grad - c * y, 0) + (C - a) * np.maximum(c * y - grad, 0),
    ),
    "8.3": (unboxed, without_labels, lambda grad, y, a, C: -unboxed(grad, y, a, C)),
    "8.4": (1e-3, 1e-2, 20.0),
    "8.5": (
        *("e i c a h f", "i e c a h f d", "e i a c h f d", "e i c a f h d", "e i c a h d f", "e i c b h f d"),
        *("e i c a h g f d", "e i j a h f d", "c a h f d i", "e c a h f d", "e i a h f d", "e i c h f d"),
        *("e i c a f d", "e i c a h d", "x", "e e", 8.5),
    ),
    "8.6": (
        lambda K, y, C, eps, max_steps: np.zeros(len(y)),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps, room=False),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps, room=False, curvature=lambda *ij: 1.0),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps, labels=False),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, min(max_steps, 1)),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, min(max_steps, 2)),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, min(max_steps, 10)),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, 100 * eps, min(max_steps, 7)),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps, refresh=False),
        lambda K, y, C, eps, max_steps: y * mvp(K, y, C, eps, max_steps),
        lambda K, y, C, eps, max_steps: mvp(K, y, 1.0, eps, max_steps) + 1.0,
        lambda K, y, C, eps, max_steps: mvp(K, y, C / 2, eps, max_steps),
        lambda K, y, C, eps, max_steps: (mvp(K, y, C, eps, max_steps), 1),
        lambda K, y, C, eps, max_steps: np.full(len(y), C / 2),
        lambda K, y, C, eps, max_steps: wb.solve(K, y).alpha,
    ),
}
RIGHT = {
    "8.5": ("e i c a h f d", "c, h, a, e, i, f, d", "EICHAFD", list("ceahifd")),
    "8.6": (
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps / 10, max_steps).tolist(),
        lambda K, y, C, eps, max_steps: mvp(K, y, C, eps, max_steps, second=True),
    ),
}
