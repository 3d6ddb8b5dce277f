"""The regularizers as run-time objects over the generated functions; no SymPy.

Each has the shape h(v) = Phi(S), S = sum_j c_j phi(v_j), of `workbench.terms.regularizers`. A
`Regularizer` is chosen by its parameters alone; `at(d)` fixes the number of coordinates and gives
the `Transfer` that evaluates g, h and the map (9).
"""

import functools
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.optimize

from workbench._formulas import REGULARIZERS
from workbench.errors import InputError
from workbench.fenchel_young import ROUNDING_UNITS, Bracket, young_parts
from workbench.names import check_number, choose


@dataclass(frozen=True)
class Regularizer:
    """A regularizer with its parameters fixed, for any number of coordinates."""

    name: ClassVar[str]
    is_norm: ClassVar[bool] = False

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
        from workbench import _loops

        parts = ("primal", "inner", "primal_rounding", "inner_rounding")
        return _loops.separable_beyond()(*(self.function(part) for part in parts), w, v, weights, theta)

    def at(self, size, columns=1):
        """The regularizer on the entries of w, (size,) or (size, columns) in row order."""
        return Transfer(self, size * columns)

    def function(self, part):
        """The compiled function of that name, see `workbench.codegen.regularizers`."""
        return _function(self.name.replace("-", "_"), part)

    @staticmethod
    def _signature(part):
        from workbench import _compile

        signatures = {
            "primal": _compile.PRIMAL,
            "primal_rounding": _compile.PRIMAL,
            "row_add": _compile.ROW_ADD,
            "row_probe": _compile.ROW_PROBE,
            "refresh": _compile.REFRESH,
        }
        return signatures.get(part, _compile.SCALAR)


@functools.cache  # by names: to hash a signature takes as long as a short epoch
def _function(name, part):
    from workbench import _compile

    return _compile.formula(f"{name}_{part}", Regularizer._signature(part))


@dataclass(frozen=True)
class SquaredL2(Regularizer):
    """w'Kw / 2 with a positive diagonal K (None: the identity). Zhang (12)."""

    K: tuple | None = None
    name: ClassVar[str] = "squared-l2"

    def __post_init__(self):
        if self.K is not None:
            object.__setattr__(self, "K", _positive_entries(self.name, "K", self.K))

    def coefficients(self, size):
        if self.K is None:
            return np.ones(size)
        return 1.0 / _fitted(self.name, "K", self.K, size)

    def halves(self, w):
        plus, minus = np.split(self.coefficients(2 * w.shape[0]), 2)
        return w * (plus / (plus + minus)), -w * (minus / (plus + minus))

    def curvature_bound(self, rows, lam_n):
        if self.K is None:
            from workbench import _loops

            norms = np.empty(rows.shape[0])
            _loops.squared_norms()(rows.indptr.astype(np.uint64), rows.data, norms)
            return norms / lam_n
        return super().curvature_bound(rows, lam_n)


@dataclass(frozen=True)
class ElasticNet(Regularizer):
    """epsilon |w|_1 + |w|_2^2 / 2: the transfer function is zero where |v_j| <= epsilon. Zhang (16)."""

    epsilon: float = 0.1
    name: ClassVar[str] = "elastic-net"

    def __post_init__(self):
        check_number(self.name, "epsilon", self.epsilon, at_least=0.0)


@dataclass(frozen=True)
class Entropy(Regularizer):
    """sum_j w_j ln(w_j / (e mu_j)), w >= 0, with a prior mu > 0. Zhang (17)."""

    mu: float | tuple = 0.1
    name: ClassVar[str] = "entropy"

    def __post_init__(self):
        object.__setattr__(self, "mu", _prior(self.name, self.mu))

    def coefficients(self, size):
        return _fitted(self.name, "mu", self.mu, size)

    def halves(self, w):
        return _entropy_halves(w, np.split(self.coefficients(2 * w.shape[0]), 2), 1.0)


@dataclass(frozen=True)
class NormalizedEntropy(Regularizer):
    """sum_j w_j ln(w_j / mu_j), w >= 0 and sum w = sum mu. Zhang, Appendix E, pair 4."""

    mu: float | tuple = 0.1
    name: ClassVar[str] = "normalized-entropy"

    def __post_init__(self):
        object.__setattr__(self, "mu", _prior(self.name, self.mu))

    def coefficients(self, size):
        mu = _fitted(self.name, "mu", self.mu, size)
        return mu / mu.sum()

    def parameters(self, size):
        return [float(_fitted(self.name, "mu", self.mu, size).sum())]

    def halves(self, w):
        size = 2 * w.shape[0]
        mu, total = np.split(self.coefficients(size), 2), self.parameters(size)[0]
        spare = total - np.abs(w).sum()
        if spare <= 0.0:
            return np.maximum(w, 0.0), np.maximum(-w, 0.0)
        # The least relative entropy has w+ w- = r^2 mu+ mu-; r brings the sum to A. Each pair sums to
        # 2 r sqrt(mu+ mu-) or more, so the r at which these alone make up A (and a little) is enough.
        top = 0.5 * total / np.sqrt(mu[0] * mu[1]).sum() * (1.0 + 1e-12)
        ratio = scipy.optimize.brentq(
            lambda r: sum(half.sum() for half in _entropy_halves(w, mu, r)) - total,
            0.0,
            top,
            xtol=1e-15 * top,
        )
        plus, minus = _entropy_halves(w, mu, ratio)
        rest = total / (plus.sum() + minus.sum())
        return plus * rest, minus * rest

    def curvature_bound(self, rows, lam_n):
        # x'h''x is A times the variance of x_j under the weights w / A, at most A max |x_j|^2.
        return self.parameters(rows.shape[1])[0] * _largest(rows) ** 2 / lam_n


@dataclass(frozen=True)
class QNorm(Regularizer):
    """|w|_q^power / power with q > 1 and power > 1; h has the dual exponents. Zhang, section 5.1."""

    q: float = 2.0
    power: float = 2.0
    name: ClassVar[str] = "q-norm"

    def __post_init__(self):
        check_number(self.name, "q", self.q, above=1.0)
        check_number(self.name, "power", self.power, above=1.0)

    def curvature_bound(self, rows, lam_n):
        if self.power != 2.0 or self.q > 2.0:
            return None
        # h = |v|_p^2 / 2 with p >= 2 is (p - 1)-smooth in the p-norm.
        p = self.q / (self.q - 1.0)
        largest = _largest(rows)
        # Each row over its largest entry, since 1e-4 to the power of 101 underflows.
        shares = abs(rows).multiply(1.0 / np.where(largest > 0.0, largest, 1.0)[:, None]).tocsr()
        norms = largest * np.asarray(shares.power(p).sum(axis=1)).ravel() ** (1.0 / p)
        return (p - 1.0) * norms**2 / lam_n


@dataclass(frozen=True)
class Custom(Regularizer):
    """A learner's own regularizer, summed over the coordinates, see `custom`; it is its text alone."""

    text: str
    domain: str | None = None
    values: tuple = ()
    name: ClassVar[str] = "custom"

    @property
    def module(self):
        """The generated functions."""
        from workbench.custom import module

        return module("regularizer", self.text, self.domain, self.values)

    @property
    def entry(self):
        return self.module.ENTRY

    def function(self, part):
        from workbench.custom import compiled

        return compiled(self.module, part, self._signature(part))

    @property
    def key(self):
        return f"custom:{(self.text, self.domain, self.values)!r}"


def custom(text, domain=None, **values):
    """A regularizer of your own, sum_j psi(w_j): parsed, its conjugate derived and checked, compiled.

    Parameters
    ----------
    text : str
        A strictly convex function of one variable whose conjugate is finite everywhere: "cosh(u) - 1".
    domain : str, optional
        As in `workbench.conjugate`: the whole line or "u >= 0".
    **values : float
        Numbers for the other names in the text.

    Raises
    ------
    ExpressionError, ConvexityError
        The text is no formula, or the function is not convex.
    """
    given = tuple(sorted((k, check_number("custom regularizer", k, v)) for k, v in values.items()))
    regularizer = Custom(text, domain, given)
    _ = regularizer.entry  # a fault of the text shows here and not in the middle of a solve
    return regularizer


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
        self.is_identity = regularizer == SquaredL2()
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
        from workbench import _loops

        primal, inner = self.regularizer.function("primal"), self.regularizer.function("inner")
        total, value, units = _loops.separable_sum()(primal, inner, w, v, self.weights, self.theta)
        if units > ROUNDING_UNITS:
            units = self.regularizer.rounding(w, v, self.weights, self.theta)
        return Bracket.checked(np.array([total]), value, units)

    def _simplex_bracket(self, w, v, h):
        # With w* = grad h(v) the bracket is sum w ln(w/w*) - w + w*, since both sum to A.
        from workbench import _loops

        total = self.theta[1]
        if abs(w.sum() - total) > 1e-9 * total:
            return Bracket.infinite()
        gap, value, units = _loops.simplex_sum()(w, self.map(v)[1], v, self.weights, total, h)
        return Bracket.checked(np.array([gap]), value, units)

    def _norm_bracket(self, w, v, h):
        q, power = self.theta[1:]
        norm, dual_norm = _norm(w, q), _norm(v, q / (q - 1.0))
        g, product = norm**power / power, norm * dual_norm
        young = Bracket.of(*young_parts(np.array([norm]), np.array([dual_norm]), power))
        if product == 0.0:
            return Bracket(young.terms, float(g), young.units)
        # Hoelder's inequality |w|_q |v|_p >= w.v is Young's, coordinate by coordinate, at norms of one.
        from workbench import _loops

        gap, units = _loops.hoelder_sum()(w, v, norm, dual_norm, q)
        return young.plus(Bracket.checked(np.array([product * gap]), 0.0, units), value=g)


REGISTRY = {cls.name: cls for cls in (SquaredL2, ElasticNet, Entropy, NormalizedEntropy, QNorm)}


def get(choice):
    """The regularizer that a name ("elastic-net:epsilon=0.2") or a `Regularizer` stands for."""
    from workbench import norms, p_norm  # they are regularizers themselves, and so import this module

    return choose("regularizer", REGISTRY | norms.REGISTRY | p_norm.REGISTRY, choice, Regularizer)


def _entropy_halves(w, mu, ratio):
    """w+ - w- = w with w+ w- = ratio^2 mu+ mu-, the smaller half from the product and not by a difference."""
    product = ratio**2 * mu[0] * mu[1]
    larger = 0.5 * (np.abs(w) + np.sqrt(w**2 + 4.0 * product))
    smaller = np.divide(product, larger, out=np.zeros_like(larger), where=larger > 0.0)
    return np.where(w >= 0.0, larger, smaller), np.where(w >= 0.0, smaller, larger)


def _largest(rows):
    """The largest magnitude of each row, (n,)."""
    return np.asarray(abs(rows).max(axis=1).todense()).ravel()


def _norm(x, exponent):
    largest = np.abs(x).max(initial=0.0)
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    return largest * np.sum((np.abs(x) / largest) ** exponent) ** (1.0 / exponent)


def _prior(owner, mu):
    if np.ndim(mu) == 0:
        return check_number(owner, "mu", mu, above=0.0)
    return _positive_entries(owner, "mu", mu)


def _positive_entries(owner, name, values):
    array = np.asarray(values, dtype=float)
    if array.ndim != 1:
        raise InputError(f"{owner}: {name} has {array.ndim} dimensions; give one positive number a feature")
    for j, value in enumerate(array.tolist()):
        check_number(owner, f"{name}[{j}]", value, above=0.0)
    return tuple(array.tolist())


def _fitted(owner, name, values, size):
    array = np.full(size, values) if np.ndim(values) == 0 else np.array(values)
    if array.shape != (size,):
        raise InputError(
            f"{owner}: {name} has {array.shape[0]} entries for {size} coordinates; "
            "count the constant feature of a bias and both halves of a balanced embedding"
        )
    return array
