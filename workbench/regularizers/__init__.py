"""The regularizers: built-in ones by name, and a learner's own by their text."""

from workbench.names import resolve
from workbench.regularizers import norms
from workbench.regularizers.base import Regularizer, Transfer
from workbench.regularizers.own import custom
from workbench.regularizers.p_norm import PNorm
from workbench.regularizers.smooth import ElasticNet, Entropy, NormalizedEntropy, QNorm, SquaredL2

__all__ = [
    "REGISTRY", "ElasticNet", "Entropy", "NormalizedEntropy", "PNorm", "QNorm", "Regularizer", "SquaredL2",
    "Transfer", "custom", "get",
]  # fmt: skip

SMOOTH = (SquaredL2, ElasticNet, Entropy, NormalizedEntropy, QNorm, PNorm)
REGISTRY = {cls.name: cls for cls in SMOOTH} | norms.REGISTRY


def get(choice):
    """The regularizer that a name ("elastic-net:epsilon=0.2") or a `Regularizer` stands for."""
    return resolve("regularizer", REGISTRY, choice, Regularizer)
