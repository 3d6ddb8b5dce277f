"""Kernels K(x, x') and the matrix of one on given samples, whose rows are computed as they are asked for.

A kernel stands in place of x.x' with squared l2: c_1 and c_2 of a step are then Zhang (15), and the
weights w are known only through the predictions w.x = sum_k alpha_k K(x, x_k) / (lam n).

>>> import numpy as np
>>> import workbench as wb
>>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
>>> y = np.array([1, 1, -1, -1])
>>> wb.Problem(X, y, "hinge", lam=0.1, kernel=wb.kernels.RBF(gamma=0.5)).n_samples
4
"""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import scipy.linalg
import scipy.sparse as sp

from workbench._support.errors import InputError, shown
from workbench._support.names import Public, resolve, validate_number
from workbench.kernels import kernel_rows
from workbench.kernels.arrays import Compressed, frozen
from workbench.kernels.kernel_rows import KernelRows
from workbench.problems.definiteness import not_positive, refuse_indefinite
from workbench.problems.design import as_numbers, check_structure, read_once

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Arrays, Floats, Integers
    from workbench._support.system.files import Saved
    from workbench.problems.design import Design


__all__ = [
    "RBF",
    "REGISTRY",
    "Expansion",
    "Kernel",
    "KernelMatrix",
    "Linear",
    "Polynomial",
    "Precomputed",
    "get",
]

# Beyond this size only entries near the diagonal of a given matrix are compared with their mirrors.
SMALL_MATRIX = 2000
BAND = 16
# Size, kind and fingerprint of the last matrices that were found right: folds and grids give them again.
CHECKED: collections.deque[tuple[int, type, tuple[int, int]]] = collections.deque(maxlen=64)
# A matrix is factored for a free bias up to this number of samples, in half a gigabyte and about a minute.
MOST_FACTORED = 8192
# Of the bytes that a solver may use, the matrix kept whole takes at most this share.
WHOLE_SHARE = 0.5


def __dir__() -> list[str]:
    return __all__


@dataclass(frozen=True)
class Kernel(Public):
    """A kernel with its parameters fixed.

    >>> import workbench as wb
    >>> isinstance(wb.kernels.get("rbf:gamma=0.05"), wb.kernels.Kernel)
    True
    """

    name: ClassVar[str]
    code: ClassVar[int]
    # What the numbers that the compiled rows read are called.
    read: ClassVar[tuple[str, ...]] = ()

    def parameters(self, n_features: int) -> Floats:
        """Return the parameters that the compiled rows read, as floats."""
        return np.zeros(1)


@dataclass(frozen=True)
class Linear(Kernel):
    """x.x'.

    >>> import workbench as wb
    >>> X, y = [[1.0], [-2.0]], [1, -1]
    >>> wb.solve(wb.Problem(X, y, "hinge", lam=0.1, kernel=wb.kernels.Linear()), tol=1e-6).status
    'converged'
    """

    name: ClassVar[str] = "linear"
    code: ClassVar[int] = kernel_rows.LINEAR


@dataclass(frozen=True)
class RBF(Kernel):
    """exp(-gamma |x - x'|^2); gamma is 1 / n_features where it is not given.

    >>> import workbench as wb
    >>> X, y = [[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]], [1, 1, -1, -1]
    >>> solution = wb.solve(wb.Problem(X, y, "hinge", lam=0.01, kernel=wb.kernels.RBF(gamma=1.0)), tol=1e-6)
    >>> solution.predict(X) * y > 0.0
    array([ True,  True,  True,  True])
    """

    gamma: float | None = None
    name: ClassVar[str] = "rbf"
    code: ClassVar[int] = kernel_rows.RBF
    read: ClassVar[tuple[str, ...]] = ("gamma",)

    def __post_init__(self) -> None:
        if self.gamma is not None:
            validate_number(self, "gamma", "kernel rbf", above=0.0)

    def parameters(self, n_features: int) -> Floats:
        return np.array([1.0 / n_features if self.gamma is None else float(self.gamma)])


@dataclass(frozen=True)
class Polynomial(Kernel):
    """(gamma x.x' + coef0)^degree; positive semi-definite for a whole degree and coef0 of 0 or more.

    >>> import workbench as wb
    >>> X, y = [[-1.0], [0.0], [1.0]], [1, -1, 1]
    >>> kernel = wb.kernels.Polynomial(degree=2, coef0=1.0)
    >>> wb.solve(wb.Problem(X, y, "hinge", lam=0.01, kernel=kernel), tol=1e-6).predict(X) * y > 0.0
    array([ True,  True,  True])
    """

    degree: float = 3
    gamma: float | None = None
    coef0: float = 0.0
    name: ClassVar[str] = "polynomial"
    code: ClassVar[int] = kernel_rows.POLYNOMIAL
    read: ClassVar[tuple[str, ...]] = ("gamma", "coef0", "degree")

    def __post_init__(self) -> None:
        if validate_number(self, "degree", "kernel polynomial", at_least=1.0) % 1.0:
            raise InputError(
                f"kernel polynomial: degree = {shown(self.degree)} is not a whole number; use 2 or 3"
            )
        if self.gamma is not None:
            validate_number(self, "gamma", "kernel polynomial", above=0.0)
        validate_number(self, "coef0", "kernel polynomial", at_least=0.0)

    def parameters(self, n_features: int) -> Floats:
        gamma = 1.0 / n_features if self.gamma is None else float(self.gamma)
        return np.array([gamma, float(self.coef0), float(self.degree)])


@dataclass(frozen=True)
class Precomputed(Kernel):
    """X is the matrix of K itself.

    >>> import workbench as wb
    >>> K, y = [[1.0, 0.5], [0.5, 1.0]], [1, -1]
    >>> wb.solve(wb.Problem(K, y, "hinge", lam=0.1, kernel=wb.kernels.Precomputed()), tol=1e-6).status
    'converged'
    """

    name: ClassVar[str] = "precomputed"
    code: ClassVar[int] = kernel_rows.GIVEN


REGISTRY: dict[str, type[Kernel]] = {cls.name: cls for cls in (Linear, RBF, Polynomial, Precomputed)}


def get(choice: str | Kernel) -> Kernel:
    """Look up the kernel of a name, as "rbf:gamma=0.05"; a `Kernel` is returned as it is.

    >>> import workbench as wb
    >>> wb.kernels.get("rbf:gamma=0.05")
    RBF(gamma=0.05)
    """
    return resolve("kernel", REGISTRY, choice, Kernel)


class KernelMatrix:
    """K on the samples of a problem.

    Attributes
    ----------
    kernel : Kernel
    n_samples : int
    parameters : ndarray
        What the compiled rows read.
    diagonal : ndarray (n,)
        K(x_i, x_i).
    stored : ndarray (n, n) or None
        The matrix itself where the kernel is precomputed.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0], [-2.0]], [1, -1], "hinge", lam=0.1, kernel="linear")
    >>> problem.kernel_matrix.product(np.array([1.0, 1.0]))
    array([-1.,  2.])
    """

    def __init__(self, kernel: Kernel, rows: Arrays, n_features: int, stored: Floats | None = None) -> None:
        self.kernel, self.stored = kernel, stored
        self.n_features = n_features
        self.parameters = kernel.parameters(n_features)
        self.row_arrays = rows
        indptr, _, data = rows
        self.n_samples = indptr.shape[0] - 1
        owners = np.repeat(np.arange(self.n_samples), np.diff(indptr).astype(np.int64))
        self.squares = np.bincount(owners, weights=data * data, minlength=self.n_samples).astype(float)
        self.everyone = np.arange(self.n_samples, dtype=np.uint32)
        self.diagonal = _diagonal(self)
        self.whole = stored is not None
        self.store, self.known = np.empty(0), np.zeros(self.n_samples, dtype=np.uint8)

    def keep(self, n_bytes: int) -> int:
        """Keep the matrix whole from now on if it fits into its share of `n_bytes` bytes.

        Returns
        -------
        int
            The bytes that are left for a solver's own rows.
        """
        if self.stored is not None:
            return n_bytes
        size = 8 * self.n_samples**2
        if not self.whole and size <= WHOLE_SHARE * n_bytes:
            self.store, self.whole = np.empty(self.n_samples**2), True
        return n_bytes - (self.store.nbytes if self.store.nbytes <= n_bytes else 0)

    @property
    def arguments(self) -> KernelRows:
        """The record that every compiled function over the rows takes first."""
        source = self.store if self.stored is None else self.stored.reshape(-1)
        offsets, indices, values = map(frozen, self.row_arrays)
        return KernelRows(
            self.kernel.code,
            frozen(self.parameters),
            offsets,
            indices,
            values,
            frozen(self.squares),
            np.zeros(self.n_features),
            frozen(source),
            self.store,
            self.known,
            frozen(self.everyone),
            self.whole,
        )

    def product(self, factors: Floats) -> Floats:
        """K factors, (n,)."""
        out = np.zeros(self.n_samples)
        kernel_rows.product()(self.arguments, np.ascontiguousarray(factors, dtype=float), out)
        return out

    def factor(self) -> Floats:
        """Factor K = LL' by Cholesky's method with pivots, which ends where rounding is what is left, (n, k).

        Higham (2002), section 10.3.
        """
        n = self.n_samples
        K = self.stored
        if K is None:
            self.keep(16 * n * n)
            self.product(np.ones(n))
            K = self.store.reshape(n, n)
        lower, pivots, rank, _ = scipy.linalg.lapack.dpstrf(K, lower=1)
        # A matrix of zeros has rank 0, and its rows then one feature, which is zero.
        L = np.zeros((n, max(rank, 1)))
        L[pivots - 1, :rank] = np.tril(lower)[:, :rank]
        return L


def _is_scalar(saved: Saved, name: str, kind: str) -> bool:
    array = saved.get(name, np.ndarray)
    return bool(array.ndim == 0 and array.dtype.kind == kind)


@dataclass(frozen=True)
class Expansion:
    """A function f(x) = sum_k factors_k K(x, x_k): what a kernel problem has in place of weights.

    Attributes
    ----------
    kernel : str
        Its name; `parameters` are the numbers of its formula.
    support : ndarray (m,)
        The numbers of the samples with a factor other than zero.
    factors : ndarray (m,)
        alpha_k / (lam n).
    indptr, indices, data : ndarray
        The rows x_k; empty for a precomputed kernel.
    n_features : int

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0], [-2.0], [3.0]], [1, -1, 1]
    >>> solution = wb.solve(wb.Problem(X, y, "hinge", lam=0.1, kernel="linear"), tol=1e-6)
    >>> solution.expansion.support
    array([1])
    """

    kernel: str
    parameters: Floats
    support: Integers
    factors: Floats
    indptr: NDArray[np.uint64]
    indices: NDArray[np.uint32]
    data: Floats
    n_features: int

    @classmethod
    def of(cls, matrix: KernelMatrix, factors: Floats) -> Expansion:
        """Build the expansion over the samples whose factor is not zero."""
        support = np.flatnonzero(factors)
        indptr, indices, data = matrix.row_arrays
        lengths = np.diff(indptr).astype(np.int64)[support]
        begins = np.repeat(indptr[:-1].astype(np.int64)[support], lengths)
        ends = np.concatenate([[0], np.cumsum(lengths)])
        places = begins + np.arange(ends[-1]) - np.repeat(ends[:-1], lengths)
        return cls(
            matrix.kernel.name,
            matrix.parameters,
            support,
            factors[support],
            ends.astype(np.uint64),
            indices[places],
            data[places],
            matrix.n_features,
        )

    @classmethod
    def of_saved(cls, saved: Saved) -> Expansion:
        """Build the expansion of a `files.Saved` after a check, since compiled code reads it unchecked."""
        kernel = saved.get("kernel", np.ndarray).item() if _is_scalar(saved, "kernel", "U") else None
        if kernel not in REGISTRY:
            raise saved.refusal("kernel", f"is unknown; expected one of {', '.join(REGISTRY)}")
        n_features = saved.get("n_features", np.ndarray).item() if _is_scalar(saved, "n_features", "i") else 0
        if n_features < 1:
            raise saved.refusal("n_features", "is not a whole number of at least 1")
        parameters = saved.array("parameters", REGISTRY[kernel]().parameters(1).shape)
        try:
            REGISTRY[kernel](**dict(zip(REGISTRY[kernel].read, parameters.tolist(), strict=False)))
        except InputError as error:
            raise saved.refusal("parameters", f"are not those of the kernel ({error})") from None
        expansion = cls(
            kernel,
            parameters,
            saved.array("support", (None,), dtype=np.int64),
            saved.array("factors", (None,)),
            saved.array("indptr", (None,), dtype=np.uint64),
            saved.array("indices", (None,), dtype=np.uint32),
            saved.array("data", (None,)),
            n_features,
        )
        expansion._check(saved)
        return expansion

    def _check(self, saved: Saved) -> None:
        m, is_stored = len(self.factors), self.kernel == Precomputed.name
        ends, last = self.indptr, len(self.data)
        for name, right in (
            ("support", len(self.support) == m and (self.support >= 0).all()),
            ("support", not is_stored or (self.support < self.n_features).all()),
            ("indptr", len(ends) == m + 1 and ends[0] == 0 and (ends[1:] >= ends[:-1]).all()),
            ("indptr", ends[-1:] == last),
            ("indices", len(self.indices) == last and (self.indices < self.n_features).all()),
        ):
            if not right:
                raise saved.refusal(name, "does not fit the other parts of the expansion")

    def __call__(self, rows: Design) -> Floats:
        """Evaluate f at the rows of a `Design`, (m,)."""
        if self.kernel == Precomputed.name:
            call: Floats = rows.rows[:, self.support] @ self.factors
            return call
        out = np.empty(rows.shape[0])
        squares = np.add.reduceat(np.append(self.data**2, 0.0), self.indptr[:-1].astype(np.int64))
        squares[np.diff(self.indptr) == 0] = 0.0
        kernel_rows.expansion()(
            REGISTRY[self.kernel].code,
            self.parameters,
            Compressed(*map(frozen, rows.row_arrays)),
            Compressed(*map(frozen, (self.indptr, self.indices, self.data))),
            squares,
            np.zeros(self.n_features),
            np.arange(self.factors.shape[0], dtype=np.uint32),
            self.factors,
            out,
        )
        return out


def check_matrix(X: ArrayLike | sp.sparray | sp.spmatrix) -> tuple[Floats, tuple[int, int]]:
    """Check that a kernel matrix is square, symmetric, finite and positive semidefinite.

    Returns it by rows, so that nothing can write to it, and its fingerprint.
    """
    if sp.issparse(X):
        check_structure(X)
    X = X.toarray() if hasattr(X, "toarray") else X
    dtype = np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64
    matrix = np.ascontiguousarray(as_numbers("X", X, "give the matrix of the kernel"))
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.shape[0]:
        raise InputError(f"X has shape {matrix.shape}; a precomputed kernel needs a square matrix")
    n, (matrix, (strange, _, fingerprint)) = matrix.shape[0], read_once(matrix)
    if strange:
        i, k = np.argwhere(~np.isfinite(matrix))[0]
        raise InputError(f"X[{i}, {k}] is {matrix[i, k]}; a kernel matrix has finite entries")
    if (n, dtype, fingerprint) in CHECKED:
        return matrix, fingerprint
    place = int(kernel_rows.contradiction()(matrix, n if n <= SMALL_MATRIX else BAND))
    if place >= 0:
        i, k = divmod(place, n)
        raise InputError(
            f"X[{i}, {k}] is {matrix[i, k]:g} and X[{k}, {i}] is {matrix[k, i]:g}; "
            "a kernel matrix is symmetric: pass (X + X.T) / 2"
        )
    _refuse_negative(np.diagonal(matrix))
    refuse_indefinite(matrix, float(np.finfo(dtype).eps))
    CHECKED.append((n, dtype, fingerprint))
    return matrix, fingerprint


def _diagonal(matrix: KernelMatrix) -> Floats:
    """K(x_i, x_i), (n,), or an `InputError` where it is negative or not finite."""
    kernel, squares = matrix.kernel, matrix.squares
    if matrix.stored is not None:
        diagonal = np.ascontiguousarray(np.diagonal(matrix.stored))
    elif kernel.code == kernel_rows.RBF:
        diagonal = np.ones(matrix.n_samples)
    elif kernel.code == kernel_rows.POLYNOMIAL:
        gamma, constant, degree = matrix.parameters
        with np.errstate(over="ignore"):
            diagonal = (gamma * squares + constant) ** degree
    else:
        diagonal = squares
    bad = np.flatnonzero(~np.isfinite(diagonal))
    if bad.size:
        raise InputError(f"kernel {kernel.name}: K(x, x) overflows at sample {bad[0]}; scale the features")
    _refuse_negative(diagonal)
    return diagonal


def _refuse_negative(diagonal: Floats) -> None:
    negative = np.flatnonzero(diagonal < 0.0)
    if negative.size:
        raise not_positive(f"K[{negative[0]}, {negative[0]}] = {diagonal[negative[0]]:g}")
