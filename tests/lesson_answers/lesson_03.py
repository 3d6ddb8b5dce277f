"""Wrong answers that students of lesson 3 plausibly give."""

import numpy as np


def _entropy(beta):
    return sum(x * np.log(x) for x in (beta, 1 - beta) if x > 0) if 0 <= beta <= 1 else np.inf


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
    ),
    "3.4": (lambda x, lam, n: 1 / (lam * n), lambda x, lam, n: x @ x / (lam * n)),
}
