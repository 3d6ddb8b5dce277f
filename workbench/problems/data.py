"""The data of a problem: the samples and their targets as a solver sees them, whatever the objective is."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.linalg
import scipy.sparse as sp
import xxhash

from workbench._support.errors import InputError, shown
from workbench.problems import centring, kernels
from workbench.problems.constraints import Constraints
from workbench.problems.design import Design, check_targets, check_weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from workbench._support.annotations import BiasChoice, Floats, Integers
    from workbench.problems.kernels import Kernel, KernelMatrix


@dataclass(frozen=True, eq=False)
class Data:
    """The data, which stay when the loss, the regularizer or lambda changes.

    Attributes
    ----------
    design : Design
        The samples with the constant feature and the embedding, (n, D).
    y, weight : ndarray (n,)
        Targets and weights of the samples, read-only; y (n, r) for r targets a sample.
    n_features : int
        The columns d that the caller gave.
    bias, embed, constraints, weight_constraints
        As for `Problem`.
    kernel : Kernel or None
    gram : ndarray (n, n) or None
        The given matrix of a precomputed kernel; `gram_fingerprint` is as `Design.fingerprint`.
    origin : ndarray (D,) or None
        What was subtracted from each column of the design; None where nothing was.
    factor : ndarray (D, D) or None
        The lower triangle L of K = LL' where the design is `plain` times the inverse of L'.
    plain : Design or None
        The design before.
    """

    design: Design
    y: Floats
    weight: Floats
    n_features: int
    bias: bool | str
    embed: str | None
    kernel: kernels.Kernel | None
    gram: Floats | None
    constraints: Constraints | None
    weight_constraints: Constraints | None = None
    origin: Floats | None = None
    factor: Floats | None = None
    plain: Design | None = None
    gram_fingerprint: tuple[int, int] | None = None

    @classmethod
    def of(
        cls,
        X: ArrayLike | sp.sparray | sp.spmatrix,
        y: ArrayLike | None,
        bias: bool | str,
        embed: str | None,
        sample_weight: ArrayLike | None,
        kernel: str | Kernel | None,
        constraints: Sequence[Any] | None,
        weight_constraints: Sequence[Any] | None,
    ) -> Data:
        """Check the data that a caller gives.

        Raises
        ------
        InputError
            Names the entry of X, y or the weights, or the choice that does not go with another.
        """
        kernel, gram, fingerprint = None if kernel is None else kernels.get(kernel), None, None
        if kernel == kernels.Precomputed():
            gram, fingerprint = kernels.check_matrix(X)
            X = sp.csr_array(gram.shape)
        X = Design(X)
        n_samples, n_features = X.shape
        y = np.ones(n_samples) if y is None else check_targets("y", y, n_samples, _columns(y))
        bias, embed = _bias(bias, kernel), _embedding(embed)
        design = X.extended(bias == "constant", embed is not None)
        weight = _weights(sample_weight, n_samples)
        pair = None if constraints is None else Constraints.of(constraints, design)
        limits = None
        if weight_constraints is not None:
            flags = bias == "constant", embed is not None
            limits = Constraints.on_weights(weight_constraints, n_features, *flags)
        fields = design, y, weight, n_features, bias, embed, kernel, gram, pair, limits
        return cls(*fields, gram_fingerprint=fingerprint)

    def __post_init__(self) -> None:
        for array in (self.y, self.weight, self.gram):
            if array is not None:
                array.setflags(write=False)

    def __reduce__(self) -> tuple[type[Data], tuple[object, ...]]:
        # What can be made again stays behind, and arrays are read-only at the other end, too.
        return Data, tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    def unconstrained(self) -> Data:
        """Return the same data without constraints and without an unregularized bias."""
        bias = False if self.bias is True else self.bias
        return dataclasses.replace(self, bias=bias, constraints=None, weight_constraints=None)

    @property
    def centred(self) -> Data:
        """The same with columns far from zero centred, where an unregularized bias makes up for it."""
        return self._moved or self

    @functools.cached_property
    def _moved(self) -> Data | None:
        free = self.bias is True and self.kernel is None and self.constraints is None
        origin = centring.origin(self.design, self.weight) if free and self.origin is None else None
        if origin is None:
            return None
        return dataclasses.replace(self, design=centring.centred(self.design, origin), origin=origin)

    @functools.cached_property
    def weight_ties(self) -> Floats:
        """X in an orthonormal basis of the span of the rows of A, (n, k), for constraints on the weights."""
        assert self.weight_constraints is not None
        # A little shorter, so that rounding leaves a row in that span with a curvature above zero.
        basis = (1.0 - 1e-12) * scipy.linalg.orth(self.weight_constraints.ties)
        return np.ascontiguousarray(np.column_stack([self.design @ column for column in basis.T]))

    def whitened(self, K: Floats) -> Data:
        """Return the data (dense) on which w'Kw / 2 is |u|^2 / 2, with K = LL' and u = L'w.

        Its certificates are of these rows X L'^-1, which are rounded. MATHEMATICS, section 2.

        Raises
        ------
        InputError
            K has another shape, is not symmetric or not positive definite, or does not go with other choices.
        """
        for name in ("kernel", "constraints", "weight_constraints", "embed"):
            if getattr(self, name) is not None:
                raise InputError(
                    f"K = a matrix does not go with {name}; give its diagonal, or leave {name} out"
                )
        size = self.design.shape[1]
        if K.shape != (size, size):
            raise InputError(
                f"K has shape {K.shape} where {(size, size)} is needed, a row for each column of X"
                f"{' and one for the constant feature' if self.bias == 'constant' else ''}"
            )
        if not (np.isfinite(K).all() and np.array_equal(K, K.T)):
            raise InputError("K is not symmetric and finite; give (K + K.T) / 2")
        try:
            factor = np.asarray(np.linalg.cholesky(K), dtype=np.float64)
        except np.linalg.LinAlgError:
            raise InputError("K is not positive definite; add a multiple of the identity to it") from None
        X = self.design.rows.toarray() if self.design.dense is None else self.design.dense
        design = Design(scipy.linalg.solve_triangular(factor, X.T, lower=True).T)
        return dataclasses.replace(self, design=design, factor=factor, plain=self.design)

    @functools.cached_property
    def factored(self) -> Data:
        """The data without a kernel whose rows have the products K(x_i, x_k)."""
        design = Design(self.kernel_matrix.factor())
        return dataclasses.replace(self, design=design, n_features=design.shape[1], kernel=None, gram=None)

    def unwhitened(self) -> Data:
        """Return the data before `whitened`."""
        if self.plain is None:
            return self
        return dataclasses.replace(self, design=self.plain, factor=None, plain=None)

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of the samples, their targets and weights, the kernel and the constraints."""
        choices = (self.design.shape, self.bias, self.embed, repr(self.kernel))
        state = xxhash.xxh3_128(repr(choices).encode())
        state.update(b"" if self.weight_constraints is None else b"weights")
        both = self.constraints, self.weight_constraints
        others = [part for limits in both if limits for part in (limits.C, limits.b, limits.bounds)]
        for array in (self.y, self.weight, *others):
            state.update(np.ascontiguousarray(array).data)
        fingerprint = self.design.fingerprint if self.gram is None else self.gram_fingerprint
        state.update(np.array(fingerprint, dtype=np.uint64).tobytes())
        return state.hexdigest()

    @functools.cached_property
    def labels(self) -> Integers:
        """The targets as integers, the classes of a loss of r classes."""
        return self.y.astype(np.int64)

    @functools.cached_property
    def weighted(self) -> Design:
        """The design with row i multiplied by the root of the sample's weight, as least squares sees it."""
        if (self.weight == 1.0).all():
            return self.design
        return Design.own(sp.csr_array(sp.diags_array(np.sqrt(self.weight)) @ self.design.rows))

    @functools.cached_property
    def kernel_matrix(self) -> KernelMatrix:
        """K on the samples, or x.x' without a kernel."""
        kernel = kernels.Linear() if self.kernel is None else self.kernel
        return kernels.KernelMatrix(kernel, self.design.row_arrays, self.design.shape[1], self.gram)


def _columns(y: ArrayLike) -> tuple[int, ...]:
    """Return (r,) for targets in r > 1 columns, else ()."""
    try:
        _, *columns = np.shape(y)
    except ValueError:  # a number, or rows of several lengths, which `check_targets` refuses
        return ()
    return tuple(columns) if len(columns) == 1 and columns[0] > 1 else ()


def _weights(sample_weight: ArrayLike | None, size: int) -> Floats:
    if sample_weight is None:
        return np.ones(size)
    weights = check_weights(sample_weight, size)
    zero = np.flatnonzero(weights == 0.0)
    if zero.size:
        raise InputError(f"sample_weight[{zero[0]}] is 0; leave out samples without weight")
    return weights


def _bias(bias: object, kernel: Kernel | None) -> BiasChoice:
    if isinstance(bias, bool):
        return bias
    if kernel is None and isinstance(bias, str) and bias == "constant":
        return "constant"
    if kernel is not None:
        raise InputError(f"bias = {shown(bias)} is not available with a kernel; use True or False")
    raise InputError(
        f"bias = {shown(bias)} is not available; use False, True, or 'constant' for a regularized one"
    )


def _embedding(embed: str | None) -> Literal["balanced"] | None:
    if embed is None:
        return None
    if embed == "balanced":
        return "balanced"
    raise InputError(f"embed = {shown(embed)} is not known; use None or 'balanced'")
