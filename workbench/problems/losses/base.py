"""What every loss of one prediction a sample is: a run-time object over the generated scalars; no SymPy.

A loss is one univariate convex function p; `workbench.conjugates.terms.losses` says how p, the sign s and the
shift t of a sample make f(z) = c p(s z + t).
"""

import functools
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar

import numpy as np

from workbench._support.names import Public
from workbench.kernels import claims, formulas
from workbench.kernels.formulas import LOSSES

# How far below zero a solver looks for nu where its domain has no end: beyond, squares overflow.
FARTHEST = 1e100


@dataclass(frozen=True)
class Loss(Public):
    """A loss with its parameters fixed.

    Attributes
    ----------
    key : str
        Its entry in the table of generated formulas.
    theta : ndarray (k,)
        The parameters in the order of that entry.
    kind : {"margin", "residual", "prediction"}
        What u = s z + t is: y z, z - y or z.

    Examples
    --------
    >>> import workbench as wb
    >>> isinstance(wb.losses.get("hinge:p=2"), wb.losses.Loss)
    True
    """

    name: ClassVar[str]
    # The rows of the generated table that it reads, where these are not the one of its name.
    keys: ClassVar[tuple] = ()
    # The inequality that bounds the gap of a loss of several variables.
    inequality: ClassVar[str] = ""

    @property
    def key(self):
        return self.name

    @property
    def row(self):
        """What the generated table says of the loss, whatever its parameters are."""
        return LOSSES[self.key]

    @property
    def proof_status(self):
        """{claim: "proved" or "checked"} of its pair; a gap needs "bound"."""
        return claims.of(self)

    @property
    def entry(self):
        """That row with the facts that the parameters decide; not to be changed."""
        return _entry(self)

    @property
    def kind(self):
        return self.row["kind"]

    @property
    def theta(self):
        return np.array([float(getattr(self, name)) for name in self.row["parameters"]])

    @property
    def kink(self):
        """(m, e) where the slope of the conjugate jumps at zero from m - e to m + e, else (0, 0)."""
        at_zero = self.conjugate_kinks[self.conjugate_kinks[:, 0] == 0.0, 1:]
        return (float(at_zero.mean()), 0.5 * float(np.diff(at_zero)[0, 0])) if at_zero.size else (0.0, 0.0)

    @property
    def conjugate_kinks(self):
        """(place, slope before, slope after) of each kink of p*, (k, 3)."""
        return np.array(self.entry["conjugate_kinks"], dtype=float).reshape(-1, 3)

    @property
    def conjugate_form(self):
        """(a, b, e) where p*(nu) = a nu^2 / 2 + b nu + e |nu| on its domain; None for every other p*."""
        return self.entry["conjugate_form"] or None

    @property
    def parabola(self):
        """(a, b, c) where p(u) = a u^2 / 2 + b u + c, a above 0: least squares; None for every other p."""
        pieces = self.parabolas
        whole = len(pieces) == 1 and (pieces[0, :2] == (-np.inf, np.inf)).all() and pieces[0, 2] > 0.0
        return tuple(pieces[0, 2:].tolist()) if whole else None

    @property
    def parabolas(self):
        """(low, high, a, b, c) of each piece of p, a u^2 / 2 + b u + c, (k, 5); (0, 5) for every other p."""
        return np.array(self.entry["parabolas"], dtype=float).reshape(-1, 5)

    @property
    def hinge(self):
        """(s, b) where p(u) = s max(0, b - u), so that p* is linear on a bounded interval; None elsewhere."""
        form, (lower, upper) = self.conjugate_form, (self.entry["lower"], self.entry["upper"])
        if form is None or form[0] or form[2] or upper != 0.0 or not np.isfinite(lower):
            return None
        return -lower, form[1]

    @property
    def lipschitz(self):
        """The least upper bound of |p'|, maybe infinite: the slopes of p are where p* is finite."""
        return max(abs(self.entry["lower"]), abs(self.entry["upper"]))

    @property
    def monotone(self):
        """-1 where p nowhere rises, 1 where it nowhere falls, else 0."""
        return int(self.entry["lower"] >= 0.0) - int(self.entry["upper"] <= 0.0)

    @property
    def interval(self):
        """The ends between which a solver keeps nu: of the domain, or just inside where it is steep."""
        return _interval(self)

    @property
    def start(self):
        """Where a solver starts nu: zero, or inside the domain where the conjugate is steep."""
        return self.entry["start"]

    @property
    def is_likelihood(self):
        """Whether e^-f(z, y), summed over the labels y, is 1 at every z: then these are probabilities."""
        return self.row["likelihood"]

    def log_probabilities(self, z):
        """ln of the probabilities of -1 and +1 at predictions z (n,), as (n, 2), where it `is_likelihood`."""
        from workbench.kernels import summand_loops

        each, ones = np.empty((2, z.shape[0])), np.ones(z.shape[0])
        for u, out in zip((-z, z), each, strict=True):
            summand_loops.curvatures()(self.scalar("value"), u, ones, self.theta, out)
        return -each.T

    def rounding(self, u, nu):
        """How far terms p(u) + p*(nu) - u nu lie below zero, in units of the rounding of their formulas."""
        from workbench.kernels import term_loops

        parts = ("value", "conjugate", "value_rounding", "conjugate_rounding")
        return term_loops.samples_beyond()(*(self.scalar(part) for part in parts), u, nu, self.theta)

    @property
    def is_straight(self):
        """Whether p consists of straight pieces."""
        return bool(self.parabolas.size) and not self.parabolas[:, 2].any()

    @property
    def curvature(self):
        """An upper bound of p'' between the kinks; infinite where none is known."""
        return self.entry["curvature"]

    @property
    def smoothness(self):
        """The Hölder exponent of p' between the kinks: below 1 where p'' is infinite at some place."""
        return self.entry["smoothness"]

    @property
    def finite_on(self):
        """The ends between which p is finite."""
        return self.entry["domain"]

    @property
    def kinks(self):
        """(place, slope before, slope after) of each kink of p, (k, 3)."""
        return np.array(self.entry["kinks"], dtype=float).reshape(-1, 3)

    def facts(self):
        """What the generated module knows of the loss with these parameters."""
        return getattr(formulas, f"{self.key.replace('-', '_')}_facts")(self.theta.tolist())

    def formula(self, part):
        """The printed function of that name, not compiled."""
        return getattr(formulas, f"{self.key.replace('-', '_')}_{part}")

    def scalar(self, part):
        """The compiled function "value", "slope", "conjugate", "conjugate_slope" or "coordinate"."""
        return _scalar(self.key.replace("-", "_"), part)


@functools.lru_cache(maxsize=1000)  # solvers and certificates ask for it in every step
def _entry(loss):
    return MappingProxyType(loss.row | loss.facts())


@functools.lru_cache(maxsize=1000)  # solvers ask for it in every step
def _interval(loss):
    lower, upper = loss.entry["lower"], loss.entry["upper"]
    if loss.entry["steep"]:
        lower = max(np.nextafter(lower, 0.0), -FARTHEST)
        upper = -np.finfo(float).tiny if upper == 0.0 else upper
    return float(lower), float(upper)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _scalar(name, part):
    from workbench.kernels import compilation

    signature = compilation.COORDINATE if part == "coordinate" else compilation.SCALAR
    return compilation.formula(f"{name}_{part}", signature)
