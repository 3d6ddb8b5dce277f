"""What every loss of one prediction a sample is: a run-time object over the generated scalars; no SymPy.

A loss is one univariate convex function p; `workbench.terms.losses` says how p, the sign s and the
shift t of a sample make f(z) = c p(s z + t).
"""

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench.compiled.formulas import LOSSES


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
        from workbench.compiled import term_loops

        parts = ("value", "conjugate", "value_rounding", "conjugate_rounding")
        return term_loops.samples_beyond()(*(self.scalar(part) for part in parts), u, nu, self.theta)

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
        from workbench.compiled import formulas

        return getattr(formulas, f"{self.key.replace('-', '_')}_{part}")

    def scalar(self, part):
        """The compiled function "value", "slope", "conjugate", "conjugate_slope" or "coordinate"."""
        return _scalar(self.key.replace("-", "_"), part)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _scalar(name, part):
    from workbench.compiled import compilation

    signature = compilation.COORDINATE if part == "coordinate" else compilation.SCALAR
    return compilation.formula(f"{name}_{part}", signature)
