"""The compiled shuffle, whose randomness is a function of a seed and a number alone."""

import numpy as np

from workbench.kernels.compilation import inline


@inline
def mix(bits):
    """Return the output of splitmix64 without its last shift, which the high half does not need."""
    mixed = (bits ^ (bits >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    return (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)


@inline
def shuffle(queue, count, seed, passes):
    """Fisher and Yates with splitmix64, as a function of the seed and the number of the pass alone."""
    bits = np.uint64(seed) * np.uint64(0xD1342543DE82EF95) + np.uint64(passes) * np.uint64(0x9E3779B97F4A7C15)
    for k in range(count - 1, 0, -1):
        bits += np.uint64(0x9E3779B97F4A7C15)
        mixed = mix(bits)
        # The high half scaled to 0..k: the bias is below k / 2^32.
        other = np.int64((mixed >> np.uint64(32)) * np.uint64(k + 1) >> np.uint64(32))
        queue[k], queue[other] = queue[other], queue[k]
