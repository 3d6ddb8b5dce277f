"""The records that compiled steps take of a problem beside its `samples`; each is made once."""

import functools

from workbench.kernels.arrays import Compressed, LossFunctions, RegularizerFunctions, frozen
from workbench.kernels.compilation import checked


@functools.lru_cache(maxsize=1000)
def loss_functions(loss):
    """Return the compiled functions of a loss with one prediction a sample."""
    return checked(LossFunctions(*map(loss.scalar, LossFunctions._fields)))


@functools.lru_cache(maxsize=1000)
def regularizer_functions(regularizer):
    """Return the compiled functions of a regularizer with a smooth conjugate."""
    return checked(RegularizerFunctions(*map(regularizer.function, RegularizerFunctions._fields)))


def compressed(arrays):
    """Return offsets, indices and values as kernels read them."""
    return Compressed(*map(frozen, arrays))
