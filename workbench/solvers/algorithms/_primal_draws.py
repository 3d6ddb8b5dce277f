"""Which samples a step of the Primal Gradient Solver sees, and which iterate is the random one.

Every draw is a function of the seed and its own number; the numbers of the samples in their present
order are part of the state, so a resumed run draws as an uninterrupted one.
"""

import numpy as np

from workbench.kernels.compilation import inline
from workbench.solvers.algorithms._shuffling import mix, shuffle
from workbench.solvers.contract import SEED

# The places of State.counters after the steps and the seed.
CHOSEN, NEXT = 2, 3
# The streams of the samples and of the random iterate begin at different places.
STREAM = 0x5851F42D4C957F2D


@inline
def below(seed, number, bound):
    """Draw the whole number, from 0 to bound - 1, of position `number` in the stream of a seed."""
    bits = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64((mix(bits) >> np.uint64(32)) * np.uint64(bound) >> np.uint64(32))


@inline
def draw(pool, step, seed, size, shuffled):
    """Return where the batch of this step begins in `pool`: `size` different samples.

    Independent batches come to its front; shuffled ones follow one another through it.
    """
    n = pool.shape[0]
    if shuffled:
        place = step % (n // size)
        if place == 0:
            # Streams of n draws an epoch, which do not overlap.
            shuffle(pool, n, seed, (step // (n // size)) * n)
        return place * size
    for m in range(size):
        other = m + below(seed, step * size + m + 1, n - m)
        pool[m], pool[other] = pool[other], pool[m]
    return 0


@inline
def choose_iterate(counters, step):
    """Note this iterate as the random one, and draw the number of the iterate that replaces it.

    Uniform among the first T for every T: an iterate stays through the first m of them with probability
    c / m, where c counts those up to itself.
    """
    count = step + 1
    bits = np.uint64(counters[SEED]) * np.uint64(STREAM) + np.uint64(count) * np.uint64(0x9E3779B97F4A7C15)
    uniform = (np.float64(mix(bits) >> np.uint64(11)) + 1.0) * 2.0**-53
    counters[CHOSEN] = step
    counters[NEXT] = np.int64(min(count / uniform, 2.0**62))
