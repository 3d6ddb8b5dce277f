"""The order in which samples are visited, as a function of the seed and the step alone.

So a resumed run and an uninterrupted one visit the same samples, and a state needs no generator.
"""

import functools

import numpy as np

from workbench.kernels.compilation import INTEGER, QUEUE, lazy_jit
from workbench.solvers.algorithms._shuffling import shuffle

ORDERS = ("cyclic", "shuffled", "most-violating")

# A call of a compiled kernel costs some 0.2 ms, so several short epochs go into one.
LARGEST_BATCH = 1 << 17


def upcoming(order, n_samples, state, n_steps):
    """Return the next samples to visit: at least one, at most `n_steps` and one batch.

    Parameters
    ----------
    order : {"cyclic", "shuffled", "with-replacement"}
    state : State
        Of which the steps done so far and the seed count.

    Returns
    -------
    ndarray of uint32
    """
    start, seed = state.steps, state.seed
    stop = start + min(n_steps, max(LARGEST_BATCH, n_samples))
    first, last = start // n_samples, (stop - 1) // n_samples
    epochs = [epoch(order, n_samples, seed, which) for which in range(first, last + 1)]
    visits = epochs[0] if len(epochs) == 1 else np.concatenate(epochs)
    return visits[start - first * n_samples : stop - first * n_samples]


@functools.lru_cache(maxsize=4)
def epoch(order, n_samples, seed, which):
    """Return the samples of one epoch in their order, (n,) uint32, read-only."""
    visits = np.arange(n_samples, dtype=np.uint32)
    if order == "shuffled":
        shuffled()(visits, n_samples, seed, which)
    if order == "with-replacement":
        visits = np.random.default_rng([seed, which]).integers(n_samples, size=n_samples, dtype=np.uint32)
    return visits


def _shuffled(queue: QUEUE, count: INTEGER, seed: INTEGER, epoch: INTEGER) -> None:
    shuffle(queue, count, seed, epoch)


# The compiled shuffle: five times as fast as drawing a permutation with NumPy.
shuffled = lazy_jit(_shuffled)
