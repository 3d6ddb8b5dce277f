"""The regularizers with a smooth conjugate, each by its parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import scipy.optimize

from workbench._support.errors import InputError
from workbench._support.names import check_number, default, validate_parameters
from workbench.kernels.formulas import REGULARIZERS
from workbench.problems.regularizers.base import Regularizer, Transfer, full
from workbench.problems.regularizers.blocks import Cones

if TYPE_CHECKING:
    from collections.abc import Sequence

    import scipy.sparse as sp
    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Floats, Number


@dataclass(frozen=True)
class SquaredL2(Regularizer):
    """w'Kw / 2 with K positive definite: its diagonal, the matrix, or None for the identity. Zhang (12).

    A problem whitens its data by a matrix, see `Data.whitened`; without a problem use the diagonal.

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.SquaredL2().at(2).map(np.array([0.3, -2.0]))
    >>> w
    array([ 0.3, -2. ])
    """

    K: Sequence[float] | Sequence[Sequence[float]] | Floats | None = None
    name: ClassVar[str] = "squared-l2"
    formula_text: ClassVar[str] = "|w|_2^2 / 2"

    def __post_init__(self) -> None:
        if self.K is not None and np.ndim(np.asarray(self.K)) == 2:
            object.__setattr__(self, "K", tuple(map(tuple, np.asarray(self.K, dtype=float).tolist())))
        elif self.K is not None:
            object.__setattr__(self, "K", _positive_entries(self.name, "K", self.K))

    @property
    def matrix(self) -> Floats | None:
        K = None if self.K is None else np.asarray(self.K, dtype=float)
        return K if K is not None and K.ndim == 2 else None

    @property
    def is_unweighted(self) -> bool:
        return self.K is None

    def coefficients(self, size: int, number: Number = float) -> NDArray[Any]:
        if self.K is None:
            return full(size, 1.0, number)
        if self.matrix is not None:
            raise InputError(f"{self.name}: a matrix K needs the data of a Problem; here give its diagonal")
        return 1.0 / _fitted(self.name, "K", self.K, size, number)

    def nonnegative(self) -> Regularizer:
        return Nonnegative() if self.is_unweighted else super().nonnegative()

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
        plus, minus = np.split(self.coefficients(2 * w.shape[0]), 2)
        return w * (plus / (plus + minus)), -w * (minus / (plus + minus))


@dataclass(frozen=True)
class ElasticNet(Regularizer):
    """epsilon |w|_1 + |w|_2^2 / 2: the transfer function is zero where |v_j| <= epsilon. Zhang (16).

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.ElasticNet(epsilon=0.5).at(2).map(np.array([0.3, -2.0]))
    >>> w
    array([ 0. , -1.5])
    """

    epsilon: float = default(REGULARIZERS["elastic-net"], "epsilon")
    name: ClassVar[str] = "elastic-net"

    def __post_init__(self) -> None:
        validate_parameters(self)

    def nonnegative(self) -> Regularizer:
        return Nonnegative(self.epsilon)


@dataclass(frozen=True)
class Nonnegative(Regularizer):
    """epsilon |w|_1 + |w|_2^2 / 2 with w >= 0: the transfer function is max(0, v_j - epsilon).

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.Nonnegative(epsilon=0.5).at(2).map(np.array([0.7, -2.0]))
    >>> w.round(6)
    array([0.2, 0. ])
    """

    epsilon: float = default(REGULARIZERS["nonnegative"], "epsilon")
    name: ClassVar[str] = "nonnegative"

    def __post_init__(self) -> None:
        validate_parameters(self)


@dataclass(frozen=True)
class Entropy(Regularizer):
    """sum_j w_j ln(w_j / (e mu_j)), w >= 0, with a prior mu > 0. Zhang (17).

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.Entropy().at(2).map(np.array([0.0, np.log(2.0)]))
    >>> w
    array([0.1, 0.2])
    """

    mu: float | Sequence[float] | Floats = 0.1
    name: ClassVar[str] = "entropy"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", _prior(self.name, self.mu))

    def coefficients(self, size: int, number: Number = float) -> NDArray[Any]:
        return _fitted(self.name, "mu", self.mu, size, number)

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
        return _entropy_halves(w, np.split(self.coefficients(2 * w.shape[0]), 2), 1.0)


@dataclass(frozen=True)
class NormalizedEntropy(Regularizer):
    """sum_j w_j ln(w_j / mu_j), w >= 0 and sum w = sum mu. Zhang, Appendix E, pair 4.

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.NormalizedEntropy().at(2).map(np.array([0.0, np.log(3.0)]))
    >>> w / w.sum()
    array([0.25, 0.75])
    """

    mu: float | Sequence[float] | Floats = 0.1
    name: ClassVar[str] = "normalized-entropy"
    inequality: ClassVar[str] = "Gibbs' inequality"

    def __post_init__(self) -> None:
        object.__setattr__(self, "mu", _prior(self.name, self.mu))

    def coefficients(self, size: int, number: Number = float) -> NDArray[Any]:
        mu = _fitted(self.name, "mu", self.mu, size, number)
        shares: NDArray[Any] = mu / mu.sum()
        return shares

    def parameters(self, size: int, number: Number = float) -> list[Any]:
        return [number(_fitted(self.name, "mu", self.mu, size, number).sum())]

    def halves(self, w: Floats) -> tuple[Floats, Floats]:
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

    def curvature_bound(self, rows: sp.csr_array, lam_n: float) -> Floats:
        # x'h''x is A times the variance of x_j under the weights w / A, at most A max |x_j|^2.
        curvature_bound: Floats = self.parameters(rows.shape[1])[0] * _largest(rows) ** 2 / lam_n
        return curvature_bound


@dataclass(frozen=True)
class QNorm(Regularizer):
    """|w|_q^power / power with q > 1 and power > 1; h has the dual exponents. Zhang, section 5.1.

    >>> import numpy as np
    >>> import workbench as wb
    >>> h, w = wb.regularizers.QNorm(q=3).at(1).map(np.array([4.0]))
    >>> w.round(6)
    array([4.])
    """

    q: float = default(REGULARIZERS["q-norm"], "q")
    power: float = default(REGULARIZERS["q-norm"], "power")
    name: ClassVar[str] = "q-norm"
    inequality: ClassVar[str] = "Hölder's and Young's inequalities"

    def __post_init__(self) -> None:
        validate_parameters(self)

    @property
    def has_gradient(self) -> bool:
        return True

    @property
    def squared_norm(self) -> tuple[float, float, float] | None:
        return (float(self.q), 1.0, np.inf) if self.power == 2.0 and self.q <= 2.0 else None

    def at(self, size: int, columns: int = 1) -> Transfer:
        return QNormTransfer(self, size * columns)

    def curvature_bound(self, rows: sp.csr_array, lam_n: float) -> Floats | None:
        if self.power != 2.0 or self.q > 2.0:
            return None
        # h = |v|_p^2 / 2 with p >= 2 is (p - 1)-smooth in the p-norm.
        p = self.q / (self.q - 1.0)
        largest = _largest(rows)
        # Each row over its largest entry, since 1e-4 to the power of 101 underflows.
        shares = abs(rows).multiply(1.0 / np.where(largest > 0.0, largest, 1.0)[:, None]).tocsr()
        norms = largest * np.asarray(shares.power(p).sum(axis=1)).ravel() ** (1.0 / p)
        return (p - 1.0) * norms**2 / lam_n


class QNormTransfer(Transfer):
    """g, h and w = grad h(v), g with its gradient, and the cones of g."""

    regularizer: QNorm

    @property
    def cones(self) -> Cones:
        """The `Cones` that g is made of."""
        none = np.zeros(self.weights.shape[0])
        return Cones(none, none, norm=(float(self.regularizer.q), float(self.regularizer.power)))

    def value_and_gradient(self, w: Floats) -> tuple[float, Floats]:
        q, power = self.regularizer.q, self.regularizer.power
        norm = float(np.linalg.norm(w, q))
        if norm == 0.0:
            return 0.0, np.zeros_like(w)
        return norm**power / power, norm ** (power - 1.0) * np.sign(w) * (np.abs(w) / norm) ** (q - 1.0)


def _entropy_halves(w: Floats, mu: Sequence[Floats], ratio: float) -> tuple[Floats, Floats]:
    """w+ - w- = w with w+ w- = ratio^2 mu+ mu-, the smaller half from the product and not by a difference."""
    product = ratio**2 * mu[0] * mu[1]
    larger = 0.5 * (np.abs(w) + np.sqrt(w**2 + 4.0 * product))
    smaller = np.divide(product, larger, out=np.zeros_like(larger), where=larger > 0.0)
    return np.where(w >= 0.0, larger, smaller), np.where(w >= 0.0, smaller, larger)


def _largest(rows: sp.csr_array) -> Floats:
    """Return the largest magnitude of each row, (n,)."""
    return np.asarray(abs(rows).max(axis=1).todense()).ravel()


def _prior(owner: str, mu: float | ArrayLike) -> float | tuple[float, ...]:
    if np.ndim(mu) == 0:
        return check_number(owner, "mu", mu, above=0.0)
    return _positive_entries(owner, "mu", mu)


def _positive_entries(owner: str, name: str, values: ArrayLike) -> tuple[float, ...]:
    array = np.asarray(values, dtype=float)
    if array.ndim != 1:
        raise InputError(f"{owner}: {name} has {array.ndim} dimensions; give one positive number per feature")
    for j, value in enumerate(array.tolist()):
        check_number(owner, f"{name}[{j}]", value, above=0.0)
    return tuple(array.tolist())


def _fitted(
    owner: str, name: str, values: float | Sequence[Any] | Floats, size: int, number: Number = float
) -> NDArray[Any]:
    if not isinstance(values, float | int) and len(values) != size:
        raise InputError(
            f"{owner}: {name} has {len(values)} entries for {size} coordinates; "
            "count the constant feature of a bias and both halves of a balanced embedding"
        )
    return full(size, values, number)
