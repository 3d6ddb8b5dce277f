"""The regularizers: built-in ones by name, and a learner's own by their text.

>>> import workbench as wb
>>> wb.regularizers.get("elastic-net:epsilon=0.1")
ElasticNet(epsilon=0.1)
"""

from __future__ import annotations

from workbench._support.errors import InputError
from workbench._support.names import class_of, resolve, unclaimed
from workbench.kernels.formulas import REGULARIZERS
from workbench.problems.regularizers import base, norms
from workbench.problems.regularizers.base import Regularizer, Transfer
from workbench.problems.regularizers.custom_regularizer import custom
from workbench.problems.regularizers.p_norm import PNorm
from workbench.problems.regularizers.smooth import (
    ElasticNet,
    Entropy,
    Nonnegative,
    NormalizedEntropy,
    QNorm,
    SquaredL2,
)

__all__ = [
    "REGISTRY",
    "ElasticNet",
    "Entropy",
    "Nonnegative",
    "NormalizedEntropy",
    "PNorm",
    "QNorm",
    "Regularizer",
    "SquaredL2",
    "Transfer",
    "custom",
    "get",
]


def __dir__() -> list[str]:
    return __all__


SMOOTH = (SquaredL2, ElasticNet, Nonnegative, Entropy, NormalizedEntropy, QNorm, PNorm)
REGISTRY: dict[str, type[Regularizer]] = {**{cls.name: cls for cls in SMOOTH}, **norms.REGISTRY}
# A row of the table is enough: where no class reads it, one is made.
for _key in unclaimed(REGULARIZERS, REGISTRY.values()):
    REGISTRY[_key] = class_of(Regularizer, _key, REGULARIZERS[_key])
    setattr(base, REGISTRY[_key].__name__, REGISTRY[_key])

# Names that other packages have taught.
ALIASES = {"elasticnet": "elastic-net", "lasso": "l1", "nuclear": "trace", "ridge": "squared-l2"}


def having(capability: str) -> list[str]:
    """List the regularizers whose defaults have a capability, a property such as `has_prox`, by name."""
    return [name for name, cls in REGISTRY.items() if _has(cls, capability)]


def _has(cls: type[Regularizer], capability: str) -> bool:
    try:
        return bool(getattr(cls(), capability))
    except InputError:  # one that cannot do without its parameters, such as groups
        return False


def get(choice: str | Regularizer) -> Regularizer:
    """Look up the regularizer of a name, as "elastic-net:epsilon=0.2"; a `Regularizer` is returned as it is.

    >>> import workbench as wb
    >>> wb.regularizers.get("elastic-net:epsilon=0.2")
    ElasticNet(epsilon=0.2)
    """
    return resolve("regularizer", REGISTRY, choice, Regularizer, ALIASES)
