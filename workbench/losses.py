"""The losses as run-time objects over the generated scalars; no SymPy.

A loss is one univariate convex function p; `workbench.terms.losses` says how p, the sign s and the
shift t of a sample make f(z) = c p(s z + t).
"""

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench._formulas import LOSSES
from workbench.errors import InputError
from workbench.names import check_number, choose

KINDS = ("margin", "residual", "prediction")


@dataclass(frozen=True)
class Loss:
    """A loss with its parameters fixed.

    Attributes
    ----------
    key : str
        Its entry in the table of generated formulas.
    theta : ndarray (k,)
        The parameters in the order of that entry.
    kind : {"margin", "residual", "prediction"}
        What u = s z + t is: y z, z - y or z.
    """

    name: ClassVar[str]
    # Whether `kink` tells of every kink of the conjugate.
    kinks_known: ClassVar[bool] = True

    @property
    def key(self):
        return self.name

    @property
    def entry(self):
        return LOSSES[self.key]

    @property
    def kind(self):
        return self.entry["kind"]

    @property
    def theta(self):
        return np.array([float(getattr(self, name)) for name in self.entry["parameters"]])

    @property
    def kink(self):
        """e where the slope of the conjugate jumps at zero from -e to e, else 0."""
        return 0.0 if self.entry["kink"] is None else float(getattr(self, self.entry["kink"]))

    @property
    def interval(self):
        """The ends between which a solver keeps nu: of the domain, or just inside where it is steep."""
        lower, upper = self.entry["lower"], self.entry["upper"]
        if self.entry["steep"]:
            lower, upper = np.nextafter(lower, 0.0), -np.finfo(float).tiny if upper == 0.0 else upper
        return float(lower), float(upper)

    @property
    def start(self):
        """Where a solver starts nu: zero, or inside the domain where the conjugate is steep."""
        return self.entry["start"]

    def rounding(self, u, nu):
        """How far terms p(u) + p*(nu) - u nu lie below zero, in units of the rounding of their formulas."""
        from workbench import _loops

        parts = ("value", "conjugate", "value_rounding", "conjugate_rounding")
        return _loops.samples_beyond()(*(self.scalar(part) for part in parts), u, nu, self.theta)

    @property
    def is_straight(self):
        """Whether p consists of straight pieces."""
        return self.entry["straight"]

    @property
    def curvature(self):
        """An upper bound of p'' between the kinks; infinite where none is known."""
        return self.entry["curvature"]

    @property
    def smoothness(self):
        """The Hölder exponent of p' between the kinks: below 1 where p'' is infinite at some place."""
        return float(self._function("smoothness")(self.theta))

    @property
    def finite_on(self):
        """The ends between which p is finite."""
        return self.entry["domain"]

    @property
    def kinks(self):
        """(place, slope before, slope after) of each kink of p, (k, 3)."""
        return np.array(self._function("kinks")(self.theta), dtype=float).reshape(-1, 3)

    def _function(self, part):
        """A generated function as Python has it."""
        from workbench import _formulas

        return getattr(_formulas, f"{self.key.replace('-', '_')}_{part}")

    def scalar(self, part):
        """The compiled function "value", "slope", "conjugate", "conjugate_slope" or "coordinate"."""
        return _scalar(self.key.replace("-", "_"), part)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _scalar(name, part):
    from workbench import _compile

    signature = _compile.COORDINATE if part == "coordinate" else _compile.SCALAR
    return _compile.formula(f"{name}_{part}", signature)


@dataclass(frozen=True)
class Squared(Loss):
    """(z - y)^2, without a factor 1/2."""

    name: ClassVar[str] = "squared"


@dataclass(frozen=True)
class EpsilonInsensitive(Loss):
    """0 if |z - y| <= epsilon, else (|z - y| - epsilon)^p / p, with p >= 1. Zhang (18)."""

    epsilon: float = 0.1
    p: float = 1
    name: ClassVar[str] = "epsilon-insensitive"

    def __post_init__(self):
        check_number(self.name, "epsilon", self.epsilon, at_least=0.0)
        check_number(self.name, "p", self.p, at_least=1.0)

    @property
    def key(self):
        return _by_power(self.name, self.p)


@dataclass(frozen=True)
class Huber(Loss):
    """r^2 / 2 inside [-1, 1], else |r| - 1/2, with r = z - y."""

    name: ClassVar[str] = "huber"


@dataclass(frozen=True)
class Hinge(Loss):
    """max(0, 1 - y z)^p / p, with p >= 1. Zhang (21)."""

    p: float = 1
    name: ClassVar[str] = "hinge"

    def __post_init__(self):
        check_number(self.name, "p", self.p, at_least=1.0)

    @property
    def key(self):
        return _by_power(self.name, self.p)


@dataclass(frozen=True)
class SquaredHinge(Loss):
    """max(0, 1 - y z)^2 / 2: the hinge with p = 2."""

    name: ClassVar[str] = "squared-hinge"

    @property
    def key(self):
        return "hinge-2"


@dataclass(frozen=True)
class SmoothedHinge(Loss):
    """The hinge with its corner rounded by a parabola: pair 9 of Zhang's Appendix E at 1 - y z."""

    name: ClassVar[str] = "smoothed-hinge"


@dataclass(frozen=True)
class Logistic(Loss):
    """ln(1 + e^(-y z))."""

    name: ClassVar[str] = "logistic"


@dataclass(frozen=True)
class NegativeLog(Loss):
    """-ln z, the likelihood of a mixture with the weights w where X holds densities; y is not used."""

    name: ClassVar[str] = "negative-log"


@dataclass(frozen=True)
class Custom(Loss):
    """A learner's own loss, see `custom`; it is its text and nothing else."""

    text: str
    argument: str
    domain: str | None = None
    values: tuple = ()
    name: ClassVar[str] = "custom"
    # Where a piece is linear, the conjugate has a kink that `kink` does not tell of.
    kinks_known: ClassVar[bool] = False

    @property
    def key(self):
        return f"custom:{(self.text, self.argument, self.domain, self.values)!r}"

    @property
    def module(self):
        """The generated functions."""
        from workbench.custom import module

        return module("loss", self.text, self.argument, self.domain, self.values)

    @property
    def entry(self):
        return self.module.ENTRY

    @property
    def kink(self):
        return 0.0 if self.entry["kink"] is None else float(self.entry["kink"])

    def scalar(self, part):
        from workbench import _compile
        from workbench.custom import compiled

        signature = _compile.COORDINATE if part == "coordinate" else _compile.SCALAR
        return compiled(self.module, part, signature)

    def _function(self, part):
        return getattr(self.module, f"custom_{part}")


def custom(text, kind, domain=None, **values):
    """A loss of your own: parsed, its conjugate derived and checked, compiled for every solver.

    Parameters
    ----------
    text : str
        A convex function of one variable, finite on the whole line: "max(0, 1 - u)**3 / 3".
    kind : {"margin", "residual", "prediction"}
        What its variable is: y z, z - y or z.
    domain : str, optional
        As in `workbench.conjugate`.
    **values : float
        Numbers for the other names in the text.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is no formula, or the function is not convex.
    """
    if kind not in KINDS:
        raise InputError(f"custom loss: kind = {kind!r} is not known; use one of {', '.join(KINDS)}")
    loss = Custom(
        text, kind, domain, tuple(sorted((k, check_number("custom loss", k, v)) for k, v in values.items()))
    )
    _ = loss.entry  # a fault of the text shows here and not in the middle of a solve
    return loss


REGISTRY = {
    cls.name: cls
    for cls in (Squared, EpsilonInsensitive, Huber, Hinge, SquaredHinge, SmoothedHinge, Logistic, NegativeLog)
}


def get(choice):
    """The loss that a name ("hinge", "epsilon-insensitive:epsilon=0.2,p=2") or a `Loss` stands for."""
    from workbench import multinomial  # a loss itself, and so it imports this module

    return choose("loss", REGISTRY | multinomial.REGISTRY, choice, Loss)


def _by_power(name, p):
    """The entry for the exponent p: 1 and 2 have closed coordinate steps of their own."""
    return f"{name}-{int(p)}" if p in (1, 2) else f"{name}-p"
