"""Wrong answers that students of lesson 3 plausibly give."""

import numpy as np


def _entropy(beta):
    return sum(x * np.log(x) for x in (beta, 1 - beta) if x > 0) if 0 <= beta <= 1 else np.inf


def _smoothed(margin):
    return np.where(margin < 0, 0.5 - margin, np.maximum(0, 1 - margin) ** 2 / 2)


def read(
    alpha,
    X,
    y,
    lam,
    boxed=True,
    pulled=1.0,
    average=np.mean,
    half=0.5,
    scaled=True,
    loss=_smoothed,
    dual=lambda beta: beta**2 / 2 - beta,
):
    """The lower bound, the objective and the terms that belong to alpha."""
    w = X.T @ alpha / (lam * len(y) if scaled else len(y))
    z, beta = X @ w, alpha * y
    k = np.where((beta >= 0) & (beta <= 1), dual(beta), np.inf) if boxed else dual(beta)
    f = loss(y * z)
    return -average(k) - half * lam * w @ w, average(f) + half * lam * w @ w, f + k + pulled * alpha * z


WRONG = {
    "3.1": (
        lambda z, y: np.clip(1 - y * z, 0, 1),
        lambda z, y: -y * np.clip(1 - y * z, 0, 1),
        lambda z, y: y * np.maximum(0, 1 - y * z),
        lambda z, y: y * (y * z < 1),
    ),
    "3.2": (lambda alpha, y: _entropy(alpha), lambda alpha, y: _entropy(alpha * y) - alpha * y),
    "3.3": (
        lambda z, y, epsilon: np.where(np.abs(z - y) <= epsilon, "zero", "bound"),
        lambda z, y, epsilon: np.where(z - y > epsilon, "bound", np.where(z - y < epsilon, "zero", "free")),
        lambda z, y, epsilon: np.abs(z - y) > epsilon,
        lambda z, y, epsilon: np.where(
            np.abs(z - y) == epsilon, "free", np.where(np.abs(z - y) < epsilon, "zero", "bound")
        ),
    ),
    "3.4": (lambda x, lam, n: 1 / (lam * n), lambda x, lam, n: x @ x / (lam * n)),
    "3.5": (
        lambda *point: (-read(*point)[0], *read(*point)[1:]),
        lambda *point: (read(*point, boxed=False)[0], *read(*point)[1:]),
        lambda *point: (*read(*point)[:2], read(*point, boxed=False)[2]),
        lambda *point: (*read(*point)[:2], read(*point)[2] / len(point[2])),
        lambda *point: (*read(*point)[:2], read(*point, pulled=0.0)[2]),
        lambda *point: (*read(*point)[:2], read(*point, pulled=-1.0)[2]),
        lambda *point: read(*point, average=np.sum),
        lambda *point: read(*point, half=0.0),
        lambda *point: read(*point, half=1.0),
        lambda *point: read(*point, scaled=False),
        lambda *point: read(*point, loss=lambda m: np.maximum(0, 1 - m)),
        lambda *point: read(*point, loss=lambda m: np.maximum(0, 1 - m) ** 2 / 2),
        lambda *point: read(*point, dual=lambda beta: -beta),
        lambda alpha, X, y, lam: read(alpha * y, X, y, lam),
        lambda *point: read(*point)[:2],
        lambda *point: read(*point)[::-1],
    ),
}
RIGHT = {
    "3.5": (
        lambda *point: read(*point),
        lambda *point: list(read(*point)),
        lambda alpha, X, y, lam: (*read(alpha, X, y, lam)[:2], read(alpha, X, y, lam)[2].tolist()),
    ),
}
