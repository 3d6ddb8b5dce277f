"""Wrong answers that students of lesson 12 plausibly give."""

import numpy as np

import workbench as wb


def precision(y, predicted):
    return np.sum((y > 0) & (predicted > 0)) / np.sum(predicted > 0)


def certain(
    X,
    y,
    lam,
    X_new,
    share,
    most,
    bound=lambda norms, gap, lam: norms * np.sqrt(2 * gap / lam),
    clip=(0.0, 1.0),
    order=range,
    stop=True,
    sign=np.sign,
):
    """Dual coordinate descent until enough signs are certain."""
    n = len(y)
    alpha = np.zeros(n)
    norms, signs = np.linalg.norm(X_new, axis=1), np.zeros(len(X_new))
    for _ in range(most):
        for i in order(n):
            w = X.T @ alpha / (lam * n)
            free = alpha[i] * y[i] + (1 - y[i] * (X[i] @ w)) / (X[i] @ X[i]) * lam * n
            alpha[i] = y[i] * np.clip(free, *clip)
        w = X.T @ alpha / (lam * n)
        gap = max(np.mean(np.maximum(0, 1 - y * (X @ w)) - alpha * y) + lam * w @ w, 0.0)
        z = X_new @ w
        signs = np.where(np.abs(z) > bound(norms, gap, lam), sign(z), 0)
        if stop and np.mean(signs != 0) >= share:
            break
    return signs


WRONG = {
    "12.1": (
        lambda loss, lam, n: 1 / (lam * n),
        lambda loss, lam, n: 1 / (2 * lam * n),
        lambda loss, lam, n: lam * n,
    ),
    "12.2": (
        lambda y, predicted: np.mean(y == predicted),
        precision,
        lambda y, predicted: (precision(y, predicted) + precision(predicted, y)) / 2,
    ),
    "12.3": (
        lambda primals, duals: primals - duals,
        lambda primals, duals: primals - primals.min(),
        lambda primals, duals: primals - duals.min(),
        lambda primals, duals: primals.min() - duals.max(),
    ),
    "12.4": (
        lambda z, norms, gap, lam: np.sum(np.abs(z) > norms * 2 * gap / lam),
        lambda z, norms, gap, lam: np.sum(z > norms * np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.mean(np.abs(z) > norms * np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.sum(np.abs(z) > np.sqrt(2 * gap / lam)),
        lambda z, norms, gap, lam: np.sum(np.abs(z) > norms * np.sqrt(gap / lam)),
    ),
    "12.5": (
        lambda *args: certain(*args, bound=lambda norms, gap, lam: 0 * norms),
        lambda *args: certain(*args, bound=lambda norms, gap, lam: norms * np.inf),
        lambda *args: certain(*args, sign=lambda z: z),
        lambda *args: -certain(*args),
        lambda *args: None,
        lambda *args: int("seven"),
        lambda *args: np.full(len(args[3]), np.nan),
        lambda *args: np.sum(certain(*args) != 0),
        lambda *args: certain(*args)[:-1],
        lambda X, y, lam, X_new, *rest: np.sign(X_new @ wb.solve(wb.Problem(X, y, lam=lam)).w),
        lambda X, y, lam, X_new, share, most: certain(X, y, lam, X_new, share, min(most, 3)),
        lambda X, y, lam, X_new, share, most: np.sign(X_new @ (X.T @ y)),
        lambda X, y, lam, X_new, share, most: certain(X, y, lam, X_new, 0.1, most),
    ),
}
RIGHT = {
    "12.5": (
        lambda *args: certain(*args),
        lambda *args: certain(*args, order=lambda n: range(n)[::-1]).astype(int),
        lambda *args: certain(*args, order=np.random.default_rng(0).permutation, stop=False).tolist(),
    ),
}
