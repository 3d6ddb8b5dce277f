"""The losses: built-in ones by name, and a learner's own by their text.

>>> import workbench as wb
>>> wb.losses.get("huber:delta=2")
Huber(delta=2.0)
>>> wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin").kind
'margin'
"""

from __future__ import annotations

from workbench._support.names import check_known, class_of, resolve, unclaimed
from workbench.kernels.formulas import LOSSES
from workbench.problems.losses import base
from workbench.problems.losses.base import Loss
from workbench.problems.losses.custom_loss import custom
from workbench.problems.losses.fenchel_young import LISTED, fenchel_young, from_text
from workbench.problems.losses.multinomial import Multinomial
from workbench.problems.losses.univariate import (
    EpsilonInsensitive,
    Hinge,
    Huber,
    Logistic,
    NegativeLog,
    SmoothedHinge,
    Squared,
    SquaredHinge,
)

__all__ = [
    "REGISTRY",
    "EpsilonInsensitive",
    "Hinge",
    "Huber",
    "Logistic",
    "Loss",
    "Multinomial",
    "NegativeLog",
    "SmoothedHinge",
    "Squared",
    "SquaredHinge",
    "custom",
    "fenchel_young",
    "get",
]


def __dir__() -> list[str]:
    return __all__


REGISTRY: dict[str, type[Loss]] = {
    cls.name: cls
    for cls in (
        Squared,
        EpsilonInsensitive,
        Huber,
        Hinge,
        SquaredHinge,
        SmoothedHinge,
        Logistic,
        NegativeLog,
        Multinomial,
    )
}
# A row of the table is enough: where no class reads it, one is made.
for _key in unclaimed(LOSSES, REGISTRY.values()):
    REGISTRY[_key] = class_of(Loss, _key, LOSSES[_key])
    setattr(base, REGISTRY[_key].__name__, REGISTRY[_key])

# Names that other packages have taught.
ALIASES = {"log-loss": "logistic", "pinball": "quantile", "squared-error": "squared"}


def get(choice: str | Loss) -> Loss:
    """Look up the loss of a name, as "hinge" or "epsilon-insensitive:epsilon=0.2,p=2"; pass a `Loss` on.

    The listed functions of `fenchel_young` are names, too: "sparsemax", "entmax:alpha=1.2".

    >>> import workbench as wb
    >>> wb.losses.get("epsilon-insensitive:epsilon=0.2,p=2")
    EpsilonInsensitive(epsilon=0.2, p=2.0)
    """
    if isinstance(choice, str):
        name, _, text = choice.strip().replace("_", "-").partition(":")
        name = ALIASES.get(name, name)
        if name in LISTED:
            return from_text(name, text)
        check_known("loss", {**REGISTRY, **LISTED}, name)
    return resolve("loss", REGISTRY, choice, Loss, ALIASES)
