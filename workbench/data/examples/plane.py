"""Labelled points in the plane: made ones by name, and those that were moved by hand as a text."""

import numpy as np

# Points stand on a grid of hundredths, so that an address holds them exactly: four digits a point.
HALF_WIDTH, UNIT = 3.0, 0.01
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
MAX_POINTS = 200


def _blobs(seed, counts, centres, spread):
    rng = np.random.default_rng(seed)
    clouds = [rng.normal(centre, spread, (count, 2)) for count, centre in zip(counts, centres, strict=True)]
    y = np.repeat([1.0, -1.0], counts)
    return snapped(np.vstack(clouds)), y


def _crossed():
    X = snapped(np.random.default_rng(5).uniform(-2.0, 2.0, (60, 2)))
    return X, np.where(X[:, 0] * X[:, 1] > 0.0, 1.0, -1.0)


def _outlier():
    X, y = _blobs(2, (16, 16), ((1.2, 0.9), (-1.2, -0.9)), 0.45)
    return np.vstack([X, [[-1.0, 0.2]]]), np.append(y, 1.0)


def snapped(X):
    """Points moved to the grid and into the square."""
    return np.round(np.clip(X, -HALF_WIDTH, HALF_WIDTH) / UNIT) * UNIT


SOURCES = {
    "Separable": lambda: _blobs(1, (18, 18), ((1.2, 0.9), (-1.2, -0.9)), 0.5),
    "Overlapping": lambda: _blobs(3, (25, 25), ((0.7, 0.5), (-0.7, -0.5)), 0.8),
    "Crossed": _crossed,
    "An outlier": _outlier,
    "Imbalanced": lambda: _blobs(4, (6, 40), ((1.1, 1.1), (-0.4, -0.4)), 0.6),
}


def load(source):
    """Load the points (n, 2) and labels of a name in `SOURCES`."""
    return SOURCES[source]()


def write_points(X, y):
    """Labelled points as a text, five characters each."""
    whole = np.round((X + HALF_WIDTH) / UNIT).astype(int)
    texts = [f"{DIGITS[k // 36]}{DIGITS[k % 36]}" for k in whole.ravel()]
    return "".join(
        f"{'p' if label > 0 else 'm'}{texts[2 * i]}{texts[2 * i + 1]}" for i, label in enumerate(y)
    )


def read_points(text):
    """Read the points and labels that `write_points` wrote.

    Raises
    ------
    ValueError
        Another text, points outside the square, too many of them, or one class alone.
    """
    if len(text) % 5 or len(text) > 5 * MAX_POINTS or set(text[::5]) != {"p", "m"}:
        raise ValueError(f"points: give 2 to {MAX_POINTS} points of both classes")
    whole = np.array([int(text[k + j : k + j + 2], 36) for k in range(0, len(text), 5) for j in (1, 3)])
    if not set(text) <= set(DIGITS) or whole.max() > 2 * HALF_WIDTH / UNIT:
        raise ValueError(f"points: coordinates lie between {-HALF_WIDTH:g} and {HALF_WIDTH:g}")
    y = np.where(np.array(list(text[::5])) == "p", 1.0, -1.0)
    return snapped(whole.reshape(-1, 2) * UNIT - HALF_WIDTH), y
