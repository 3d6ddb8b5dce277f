"""The losses of one prediction a sample, each by its parameters; the rest is in their entries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from workbench._support.names import default, validate_number, validate_parameters
from workbench.kernels.formulas import LOSSES
from workbench.problems.losses.base import Loss

# The exponents that have a row of their own, since their coordinate steps are closed, and all others.
POWERS = ("1", "2", "p")


@dataclass(frozen=True)
class Squared(Loss):
    """(z - y)^2, without a factor 1/2.

    >>> import workbench as wb
    >>> wb.losses.Squared().curvature
    2.0
    """

    name: ClassVar[str] = "squared"


@dataclass(frozen=True)
class EpsilonInsensitive(Loss):
    """0 if |z - y| <= epsilon, else (|z - y| - epsilon)^p / p, with p >= 1. Zhang (18).

    >>> import workbench as wb
    >>> wb.losses.EpsilonInsensitive(epsilon=0.2).kinks  # place, slope before, slope after
    array([[-0.2, -1. ,  0. ],
           [ 0.2,  0. ,  1. ]])
    """

    epsilon: float = default(LOSSES["epsilon-insensitive-1"], "epsilon")
    p: float = 1
    name: ClassVar[str] = "epsilon-insensitive"
    keys: ClassVar[tuple[str, ...]] = tuple(f"epsilon-insensitive-{power}" for power in POWERS)

    def __post_init__(self) -> None:
        validate_number(self, "p", at_least=1.0)
        validate_parameters(self)

    @property
    def key(self) -> str:
        return _by_power(self.name, self.p)


@dataclass(frozen=True)
class Huber(Loss):
    """r^2 / 2 where |r| <= delta, else delta (|r| - delta / 2), with r = z - y.

    >>> import workbench as wb
    >>> wb.losses.Huber(delta=0.5).lipschitz
    0.5
    """

    delta: float = default(LOSSES["huber"], "delta")
    name: ClassVar[str] = "huber"

    def __post_init__(self) -> None:
        validate_parameters(self)


@dataclass(frozen=True)
class Hinge(Loss):
    """max(0, 1 - y z)^p / p, with p >= 1. Zhang (21).

    >>> import workbench as wb
    >>> wb.losses.Hinge().kinks  # place, slope before, slope after
    array([[ 1., -1.,  0.]])
    """

    p: float = 1
    name: ClassVar[str] = "hinge"
    keys: ClassVar[tuple[str, ...]] = tuple(f"hinge-{power}" for power in POWERS)

    def __post_init__(self) -> None:
        validate_number(self, "p", at_least=1.0)

    @property
    def key(self) -> str:
        return _by_power(self.name, self.p)


@dataclass(frozen=True)
class SquaredHinge(Loss):
    """max(0, 1 - y z)^2 / 2: the hinge with p = 2.

    >>> import workbench as wb
    >>> wb.losses.SquaredHinge().curvature
    1.0
    """

    name: ClassVar[str] = "squared-hinge"

    @property
    def key(self) -> str:
        return "hinge-2"


@dataclass(frozen=True)
class SmoothedHinge(Loss):
    """The hinge with its corner rounded by a parabola between y z = 1 - width and 1.

    With width 1 it is pair 9 of Zhang's Appendix E at 1 - y z.

    >>> import workbench as wb
    >>> wb.losses.SmoothedHinge().lipschitz
    1.0
    """

    width: float = default(LOSSES["smoothed-hinge"], "width")
    name: ClassVar[str] = "smoothed-hinge"

    def __post_init__(self) -> None:
        validate_parameters(self)


@dataclass(frozen=True)
class Logistic(Loss):
    """ln(1 + e^(-y z)).

    >>> import workbench as wb
    >>> round(wb.losses.Logistic().curvature, 6)
    0.25
    """

    name: ClassVar[str] = "logistic"


@dataclass(frozen=True)
class NegativeLog(Loss):
    """-ln z, the likelihood of a mixture with the weights w where X holds densities; y is not used.

    >>> import workbench as wb
    >>> wb.losses.NegativeLog().finite_on
    (0.0, inf)
    """

    name: ClassVar[str] = "negative-log"


def _by_power(name: str, p: float) -> str:
    """Return the name of the entry for the exponent p: 1 and 2 have closed coordinate steps of their own."""
    return f"{name}-{int(p)}" if p in (1, 2) else f"{name}-p"
