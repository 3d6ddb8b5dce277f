"""Wrong answers that students of lesson 1 plausibly give."""

import numpy as np


def blind_young(u, v):
    """Without the ends of the domain: 0 ln 0 is nan."""
    return np.log(1 + np.exp(u)) + v * np.log(v) + (1 - v) * np.log(1 - v) - u * v


WRONG = {
    "1.1": (
        lambda p, v, grid: np.max(p(grid) - v * grid),
        lambda p, v, grid: grid[np.argmax(v * grid - p(grid))],
        lambda p, v, grid: v * grid - p(grid),
    ),
    "1.2": (lambda v: v, lambda v: v if 0 <= v <= 1 else np.inf, lambda v: -v if -1 <= v <= 0 else np.inf),
    "1.3": (blind_young, lambda u, v: blind_young(u, v) if 0 < v < 1 else np.inf),
    "1.4": (
        lambda q, v, a, s, t: a * q(v / (a * s)) + t * v / s,
        lambda q, v, a, s, t: a * q(v / s) - t * v / s,
        lambda q, v, a, s, t: a * q(s * v + t),
    ),
}
