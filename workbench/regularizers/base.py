"""What a regularizer with a smooth conjugate is: an object over the generated functions; no SymPy.

Each has the shape h(v) = Phi(S), S = sum_j c_j phi(v_j), of `workbench.terms.regularizers`. A
`Regularizer` is chosen by its parameters alone; `at(d)` fixes the number of coordinates and gives
the `Transfer` that evaluates g, h and the map (9).
"""

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from workbench.compiled.fenchel_young import ROUNDING_UNITS, Bracket, young_parts
from workbench.compiled.formulas import REGULARIZERS


@dataclass(frozen=True)
class Regularizer:
    """A regularizer with its parameters fixed, for any number of coordinates."""

    name: ClassVar[str]
    is_norm: ClassVar[bool] = False

    @property
    def is_identity(self):
        """Whether w = v: the map (9) does nothing."""
        return False

    @property
    def entry(self):
        return REGULARIZERS[self.name]

    def coefficients(self, size):
        """The weights c_j of the sum S, (size,)."""
        return np.ones(size)

    def parameters(self, size):
        """The parameters of the formulas, in the order of the table."""
        return [float(getattr(self, name)) for name in self.entry["parameters"]]

    def curvature_bound(self, rows, lam_n):
        """A bound of x_i' h'' x_i / (lam n) for each row, (n,); None where there is none."""
        bound = self.entry["curvature"]
        if bound == np.inf:
            return None
        return bound * (rows.power(2) @ self.coefficients(rows.shape[1])) / lam_n

    def halves(self, w):
        """The pair (w+, w-), w+ - w- = w, of least g: where a signed w stands in a balanced embedding."""
        return 0.5 * w, -0.5 * w

    @property
    def key(self):
        """What tells it from others of its name, beyond the numbers of its `Transfer`."""
        return self.name

    def rounding(self, w, v, weights, theta):
        """How far terms psi(w) + c phi(v) - w v lie below zero, in units of their formulas' rounding."""
        from workbench.compiled import term_loops

        parts = ("primal", "inner", "primal_rounding", "inner_rounding")
        return term_loops.separable_beyond()(*(self.function(part) for part in parts), w, v, weights, theta)

    def at(self, size, columns=1):
        """The regularizer on the entries of w, (size,) or (size, columns) in row order."""
        return Transfer(self, size * columns)

    def function(self, part):
        """The compiled function of that name, see `workbench.codegen.regularizers`."""
        return _function(self.name.replace("-", "_"), part)

    @staticmethod
    def _signature(part):
        from workbench.compiled import compilation

        signatures = {
            "primal": compilation.PRIMAL,
            "primal_rounding": compilation.PRIMAL,
            "row_add": compilation.ROW_ADD,
            "row_probe": compilation.ROW_PROBE,
            "refresh": compilation.REFRESH,
        }
        return signatures.get(part, compilation.SCALAR)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _function(name, part):
    from workbench.compiled import compilation

    return compilation.formula(f"{name}_{part}", Regularizer._signature(part))


class Transfer:
    """g, h and the transfer function w = grad h(v) on a fixed number of coordinates.

    Attributes
    ----------
    weights : ndarray (d,)
        The coefficients c_j of S.
    theta : ndarray
        The neutral scale, then the parameters of the formulas.
    """

    def __init__(self, regularizer, size):
        self.regularizer = regularizer
        self.weights = np.ascontiguousarray(regularizer.coefficients(size), dtype=float)
        self.theta = np.array([regularizer.entry["neutral_scale"], *regularizer.parameters(size)])
        self.is_identity = regularizer.is_identity
        for array in (self.weights, self.theta):
            array.setflags(write=False)

    def map(self, v):
        """h(v) and w = grad h(v), (d,). Zhang (9)."""
        theta, slopes = self.theta.copy(), np.empty_like(v)
        total = self.regularizer.function("refresh")(self.weights, v, slopes, theta)
        h = self.regularizer.function("outer")(total, theta)
        if total <= 0.0 and not self.regularizer.entry["linear"]:
            return h, np.zeros_like(v)
        return h, self.regularizer.function("outer_slope")(total, theta) * slopes

    def reach(self, v):
        """The largest s for which h(s v) is finite."""
        return np.inf

    def violation(self, w, v):
        """How far w is from the image of v under the map (9)."""
        return float(np.abs(w - self.map(v)[1]).max())

    def bracket(self, w, v, h):
        """g(w) + h(v) - w.v as a sum of terms that are never negative."""
        return getattr(self, f"_{self.regularizer.entry['structure']}_bracket")(w, v, h)

    def _separable_bracket(self, w, v, h):
        from workbench.compiled import term_loops

        primal, inner = self.regularizer.function("primal"), self.regularizer.function("inner")
        total, value, units = term_loops.separable_sum()(primal, inner, w, v, self.weights, self.theta)
        if units > ROUNDING_UNITS:
            units = self.regularizer.rounding(w, v, self.weights, self.theta)
        return Bracket.checked(np.array([total]), value, units)

    def _simplex_bracket(self, w, v, h):
        # With w* = grad h(v) the bracket is sum w ln(w/w*) - w + w*, since both sum to A.
        from workbench.compiled import term_loops

        total = self.theta[1]
        if abs(w.sum() - total) > 1e-9 * total:
            return Bracket.infinite()
        gap, value, units = term_loops.simplex_sum()(w, self.map(v)[1], v, self.weights, total, h)
        return Bracket.checked(np.array([gap]), value, units)

    def _norm_bracket(self, w, v, h):
        q, power = self.theta[1:]
        norm, dual_norm = norm_of(w, q), norm_of(v, q / (q - 1.0))
        g, product = norm**power / power, norm * dual_norm
        young = Bracket.of(*young_parts(np.array([norm]), np.array([dual_norm]), power))
        if product == 0.0:
            return Bracket(young.terms, float(g), young.units)
        # Hoelder's inequality |w|_q |v|_p >= w.v is Young's, coordinate by coordinate, at norms of one.
        from workbench.compiled import term_loops

        gap, units = term_loops.hoelder_sum()(w, v, norm, dual_norm, q)
        return young.plus(Bracket.checked(np.array([product * gap]), 0.0, units), value=g)


def norm_of(x, exponent):
    """|x|_exponent, with the largest entry taken out before the powers."""
    largest = np.abs(x).max(initial=0.0)
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    return largest * np.sum((np.abs(x) / largest) ** exponent) ** (1.0 / exponent)
