"""Wrong answers that students of lesson 2 plausibly give."""

import numpy as np

import workbench as wb


def _bound(alpha, X, y, lam):
    v = X.T @ alpha / (lam * len(y))
    return np.mean(alpha * y) - lam * v @ v / 2


def _one_sided(alpha, X, y, lam):
    return -np.inf if np.any(alpha * y < 0) else _bound(alpha, X, y, lam)


def _open(alpha, X, y, lam):
    return _bound(alpha, X, y, lam) if np.all((alpha * y > 0) & (alpha * y < 1)) else -np.inf


def cg(X, y, lam, steps, conjugate=True, half=0.5, per=None, sign=1.0, guard=1e-28, formed=False):
    """Conjugate gradients; `formed` has the matrix, and without `conjugate` it is steepest descent."""
    n = len(y)
    A = X @ X.T / (lam * (per or n)) + half * np.eye(n)
    alpha, r = np.zeros(n), np.array(y)
    p = r
    for _ in range(steps):
        if r @ r <= guard * (y @ y):
            break
        Ap = A @ p if formed else X @ (X.T @ p) / (lam * (per or n)) + half * p
        size = (r @ p) / (p @ Ap)
        alpha, after = alpha + size * p, r - size * Ap
        p = after + sign * (after @ after) / (r @ r) * p if conjugate else after
        r = after
    return alpha


WRONG = {
    "2.1": (
        lambda X, y, lam: np.linalg.solve(X @ X.T / (lam * len(y)) + np.eye(len(y)), y),
        lambda X, y, lam: np.linalg.solve(X @ X.T / lam + np.eye(len(y)) / 2, y),
        lambda X, y, lam: np.linalg.solve(X.T @ X / (lam * len(y)) + np.eye(X.shape[1]) / 2, X.T @ y),
    ),
    "2.2": (
        *("e g c a d", "g e c a d h", "e g a c d h", "e g c a h d", "e g c d h a", "e g c b a d h"),
        *("e g c a d f h", "e g c a d i h", "g c a d h", "e c a d h", "e g a d h", "e g c d h", "e g c a h"),
        *("z", "e e", 2.2),
    ),
    "2.3": (lambda w, X, y: 2 * (X @ w - y), lambda w, X, y: y - X @ w),
    "2.4": (_bound, _one_sided, _open, lambda *point: -_bound(*point)),
    "2.5": (
        lambda X, y, lam, steps: cg(X, y, lam, steps, conjugate=False),
        lambda X, y, lam, steps: cg(X, y, lam, steps, half=1.0),
        lambda X, y, lam, steps: cg(X, y, lam, steps, per=1.0),
        lambda X, y, lam, steps: cg(X, y, lam, steps, sign=-1.0),
        lambda X, y, lam, steps: cg(X, y, lam, steps, guard=-np.inf),
        lambda X, y, lam, steps: cg(X, y, lam, min(steps, 2)),
        lambda X, y, lam, steps: cg(X, y, lam, min(steps, 1)),
        lambda X, y, lam, steps: X.T @ cg(X, y, lam, steps) / (lam * len(y)),
        lambda X, y, lam, steps: np.linalg.solve(X @ X.T / (lam * len(y)) + np.eye(len(y)) / 2, y),
        lambda X, y, lam, steps: wb.solve(wb.Problem(X, y, "squared", lam=lam)).alpha,
        lambda X, y, lam, steps: None,
    ),
}
RIGHT = {
    "2.2": ("e g c a d h", "d, c, e, g, a, h", "CEGADH", list("ecgdah")),
    "2.5": (
        lambda X, y, lam, steps: cg(X, y, lam, steps),
        lambda X, y, lam, steps: cg(X, y, lam, steps)[:, None],
        lambda X, y, lam, steps: cg(X, y, lam, steps, formed=True).tolist(),
        lambda X, y, lam, steps: cg(X, y, lam, min(steps, X.shape[1] + 1), guard=1e-20),
    ),
}
