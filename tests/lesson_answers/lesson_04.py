"""Wrong answers that students of lesson 4 plausibly give."""

import numpy as np


def _slope(v, p):
    return np.sign(v) * np.abs(v) ** (p - 1) * np.sum(np.abs(v) ** p) ** ((2 - p) / p)


WRONG = {
    "4.1": (
        lambda v, epsilon: np.maximum(np.abs(v) - epsilon, 0),
        lambda v, epsilon: np.where(np.abs(v) > epsilon, v, 0),
        lambda v, epsilon: np.clip(v, -epsilon, epsilon),
    ),
    "4.2": (
        lambda v, mu: mu * np.exp(v) / np.sum(mu * np.exp(v)),
        lambda v, mu: mu * np.exp(v),
        lambda v, mu: np.sum(mu * np.exp(v)),
    ),
    "4.3": (
        _slope,
        lambda v, q: np.sign(v) * np.abs(v) ** (q / (q - 1) - 1),
        lambda v, q: np.abs(_slope(v, q / (q - 1))),
    ),
    "4.4": (lambda w: w**2 / 2, lambda w: w**2 / 2 if abs(w) <= 1 else abs(w) - 0.5),
}
