"""Wrong answers that students of lesson 1 plausibly give."""

import numpy as np


def by_thirds(p, v, most=1e12, rounds=300, sign=1.0, start=1.0, share=1 / 3):
    """The supremum of u v - p(u) by doubling and cutting off."""

    def height(u):
        return u * v - sign * p(u)

    low, high = -start, start
    while height(high) > height(high / 2):
        high *= 2
        if high > most:
            return np.inf, high
    while height(low) > height(low / 2):
        low *= 2
        if low < -most:
            return np.inf, low
    for _ in range(rounds):
        left, right = low + share * (high - low), high - share * (high - low)
        low, high = (left, high) if height(left) < height(right) else (low, right)
    return height((low + high) / 2), (low + high) / 2


def on_grid(p, v, width):
    grid = np.linspace(-width, width, 2001)
    heights = v * grid - np.array([p(u) for u in grid])
    return heights.max(), grid[heights.argmax()]


WRONG = {
    "1.1": (
        lambda p, v, grid: np.max(p(grid) - v * grid),
        lambda p, v, grid: grid[np.argmax(v * grid - p(grid))],
        lambda p, v, grid: v * grid - p(grid),
    ),
    "1.2": (lambda v: v, lambda v: v if 0 <= v <= 1 else np.inf, lambda v: -v if -1 <= v <= 0 else np.inf),
    "1.3": (
        *("d g a c", "d g a f c", "g d a c f", "d g c a f", "d g a c f b", "d g e f"),
        *("d g a c f h", "g a c f", "d a c f", "d g c f", "d g a f", "dd", "x y", 1.3),
    ),
    "1.4": (
        lambda q, v, a, s, t: a * q(v / (a * s)) + t * v / s,
        lambda q, v, a, s, t: a * q(v / s) - t * v / s,
        lambda q, v, a, s, t: a * q(s * v + t),
    ),
    "1.5": (
        lambda p, v: on_grid(p, v, 5.0),
        lambda p, v: on_grid(p, v, 2000.0),
        lambda p, v: by_thirds(p, v, most=500.0),
        lambda p, v: by_thirds(p, v, most=np.inf if v in (0.25, 0.5) else 2000.0),
        lambda p, v: by_thirds(p, v, rounds=5),
        lambda p, v: by_thirds(p, v, rounds=0),
        lambda p, v: by_thirds(p, v)[::-1],
        lambda p, v: by_thirds(p, v)[0],
        lambda p, v: (-by_thirds(p, v)[0], by_thirds(p, v)[1]),
        lambda p, v: (by_thirds(p, v)[0], 0.0),
        lambda p, v: (np.inf, 0.0),
        lambda p, v: (np.nan, 0.0),
        lambda p, v: (0.0, 0.0),
        lambda p, v: (v * by_thirds(p, v)[1], by_thirds(p, v)[1]),
        lambda p, v: (min(by_thirds(p, v)[0], 1e6), by_thirds(p, v)[1]),
    ),
}
RIGHT = {
    "1.3": ("d g a c f", "d, a, c, f, g", "DACGF", list("dagcf")),
    "1.5": (
        by_thirds,
        lambda p, v: by_thirds(p, v, start=0.3, share=0.45),
        lambda p, v: list(by_thirds(p, v, most=1e9)),
        lambda p, v: np.array(by_thirds(p, v)).tolist(),
    ),
}
