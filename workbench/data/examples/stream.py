"""Streams of samples for online rules: made, labelled by a comparator with a margin, the same everywhere.

Their numbers are drawn by a hash of their place, which a browser computes bit for bit as Python does.
"""

import numpy as np

from workbench._support.errors import InputError, shown

SHAPES = ("uniform", "orthonormal")
COUNT = 200
MAX_FEATURES = 1000  # features
# Of the hash (mulberry32): the step between two places, and that between two seeds.
STEP, APART = 0x6D2B79F5, 0x9E3779B9


def load(dimension=2, relevant=1, margin=0.2, noise=0.0, seed=1, shape="uniform", count=COUNT):
    """Draw samples with entries between -1 and 1, their labels, and a comparator u in the simplex.

    Parameters
    ----------
    dimension : int
        The number of features d.
    relevant : int
        Of how many features u is the mean; at most all.
    margin : float
        In [0, 1): without noise y u.x is at least this. Of the orthonormal shape it is 1/d.
    noise : float
        In [0, 1]: the share of labels that are turned around.
    seed : int
    shape : {"uniform", "orthonormal"}
        Uniform in a box, or the axes one after the other with a sign; then u is the mean of all features.
    count : int
        The number of samples n.

    Returns
    -------
    tuple of ndarray
        X (n, d), y (n,) of -1 and +1, u (d,).

    Raises
    ------
    InputError
        A number out of its range, by its name.
    """
    _check(dimension, relevant, margin, noise, shape, count)
    draws = uniform(seed, count * (dimension + 1)).reshape(count, dimension + 1)
    X, last = 2.0 * draws[:, :-1] - 1.0, draws[:, -1]
    if shape == "orthonormal":
        side = np.where(X[:, 0] < 0.0, -1.0, 1.0)
        X = np.zeros_like(X)
        X[np.arange(count), np.arange(count) % dimension] = side
        k = dimension
    else:
        k = min(relevant, dimension)
        middle = np.zeros(count)
        # One after the other, as the browser adds.
        for j in range(k):
            middle += X[:, j]
        side = np.where(middle < 0.0, -1.0, 1.0)
        X[:, :k] = (1.0 - margin) * X[:, :k] + margin * side[:, None]
    u = np.zeros(dimension)
    u[:k] = 1.0 / k
    return X, np.where(last < noise, -side, side), u


def uniform(seed, count):
    """Numbers in [0, 1) of the places 0, 1, ... of a seed."""
    place = np.arange(1, count + 1, dtype=np.uint32)
    a = np.uint32(seed * APART % 2**32) + place * np.uint32(STEP)
    t = (a ^ a >> np.uint32(15)) * (a | np.uint32(1))
    t ^= t + (t ^ t >> np.uint32(7)) * (t | np.uint32(61))
    return (t ^ t >> np.uint32(14)) / 2.0**32


def _check(dimension, relevant, margin, noise, shape, count):
    for name, value, low, high in (
        ("dimension", dimension, 1, MAX_FEATURES),
        ("relevant", relevant, 1, MAX_FEATURES),
        ("count", count, 1, 10**6),
    ):
        if not (isinstance(value, int | np.integer) and low <= value <= high):
            raise InputError(
                f"stream: {name} = {shown(value)} is not valid; give a whole number from {low} to {high}"
            )
    if not 0.0 <= margin < 1.0:
        raise InputError(f"stream: margin = {shown(margin)} is not valid; give a number in [0, 1)")
    if not 0.0 <= noise <= 1.0:
        raise InputError(f"stream: noise = {shown(noise)} is not valid; give a share in [0, 1]")
    if shape not in SHAPES:
        raise InputError(f"stream: shape = {shown(shape)} is not known; use {' or '.join(SHAPES)}")
