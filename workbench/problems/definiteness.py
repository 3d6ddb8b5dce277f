"""A test of positive semi-definiteness, at a cost that a large symmetric matrix allows.

A small matrix is factored: Cholesky's method with a small multiple of the identity added ends exactly where
the matrix is indefinite beyond that. Of a large one a random principal block is factored, and Lanczos's
method looks for a direction of negative curvature of its Schur complement, which has one where the whole
matrix has, and from which the block has taken the largest eigenvalues: a quarter of the products then finds
what Lanczos's method on the matrix itself does. What is found is such a direction for certain, while a
negative eigenvalue that is tiny beside the largest may escape. Solvers and certificates look for such
directions themselves.

Source       Golub and Van Loan (2013), section 10.1; Higham (2002), theorem 10.7; Haynsworth (1968)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
import scipy.linalg

from workbench._support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from workbench._support.annotations import Floats


# A negative eigenvalue down to this share of the largest, or to UNITS units roundoff of it, is rounding.
ROUNDING, UNITS = 1e-10, 64.0
# Up to this size a matrix is factored; beyond it Lanczos's method does PRODUCTS products, fewer where a block
# of that size was factored. A negative curvature beside the block, down to this share, is rounding.
SMALL, PRODUCTS = 2000, 40
BLOCK, BESIDE, NEAR = 500, 8, 1e-9
# A negative Ritz value is told once another product changes it by no more than this share.
SETTLED = 1e-3


class SymmetricMatrix(Protocol):
    """An array or an operator: its shape and its products are read."""

    @property
    def shape(self) -> tuple[int, ...]: ...

    def __matmul__(self, x: Floats) -> Floats: ...


def refuse_indefinite(K: SymmetricMatrix, precision: float = 2.0**-52) -> None:
    """Raise an `InputError` with the least eigenvalue of a symmetric matrix or operator that is indefinite.

    `precision` is the spacing of the numbers in which its entries were computed.
    """
    n = K.shape[0]
    share = max(ROUNDING, UNITS * precision)
    if n <= SMALL:
        dense = K if isinstance(K, np.ndarray) else K @ np.eye(n)
        least = _least_of_small(np.asarray(dense, dtype=float), share)
    else:
        random = np.random.default_rng(0).normal(size=n)
        start = _negative_direction(K, share, random) if isinstance(K, np.ndarray) else random
        least = None if start is None else _lanczos(K.__matmul__, start, share, PRODUCTS)[0]
    if least is not None:
        raise not_positive(f"its least eigenvalue is {least:.3g}")


def not_positive(detail: str) -> InputError:
    """Return the error for a matrix that is not positive semi-definite."""
    return InputError(
        f"kernel: the matrix is not positive semi-definite ({detail}); use linear, rbf or polynomial, "
        "or add a multiple of the identity to yours"
    )


def _least_of_small(K: Floats, share: float) -> float | None:
    """Compute the least eigenvalue of K if it lies below -share times the largest; else return None."""
    # K is symmetric: its transpose is the copy by columns that LAPACK overwrites, without a move of entries.
    shifted = K.copy(order="C").T
    # No eigenvalue exceeds the largest sum of magnitudes of a row, which leaves room for rounding as well.
    shifted[np.diag_indices_from(shifted)] += share * float(np.abs(K).sum(axis=1).max())
    _, failed = scipy.linalg.lapack.dpotrf(shifted, overwrite_a=True)
    if failed == 0:
        return None
    values = np.linalg.eigvalsh(K)
    least, largest = float(values[0]), float(np.abs(values).max())
    return least if least < -share * largest else None


def _negative_direction(K: Floats, share: float, start: Floats) -> Floats | None:
    """Find x (n,) with x'Kx < 0 beyond rounding, by a block and its Schur complement; None without one."""
    n = K.shape[0]
    chosen = np.sort(np.random.default_rng(0).choice(n, min(BLOCK, n), replace=False))
    rows = K[chosen]
    block, direction = rows[:, chosen], np.zeros(n)
    shifted = block.copy(order="F")
    shifted[np.diag_indices_from(shifted)] += share * float(np.abs(block).sum(axis=1).max())
    factor, failed = scipy.linalg.lapack.dpotrf(shifted)
    if failed:
        direction[chosen] = np.linalg.eigh(block)[1][:, 0]
        return direction

    # One half of K is read, which is symmetric, as BLAS has it: by columns.
    symmetric = np.asfortranarray(K.T, dtype=float)

    def solved(right: Floats) -> Floats:
        solved: Floats = scipy.linalg.lapack.dpotrs(factor, right)[0]
        return solved

    def beside(x: Floats) -> Floats:
        image = scipy.linalg.blas.dsymv(1.0, symmetric, x)
        schur: Floats = image - solved(image[chosen]) @ rows
        return schur

    least, x = _lanczos(beside, start, 0.0, BESIDE)
    if least is None or x is None or not least < -NEAR * np.abs(np.diagonal(K)).max():
        return None
    direction[chosen] = solved(rows @ x)
    return x - direction


def _lanczos(
    product: Callable[[Floats], ArrayLike], start: Floats, share: float, products: int
) -> tuple[float, Floats] | tuple[None, None]:
    """Compute the least Ritz value and its vector if it lies below -share times the largest; else Nones."""
    basis = [start / np.linalg.norm(start)]
    diagonal: list[float] = []
    beside: list[float] = []
    least: float | None = None
    for _ in range(products):
        image = np.asarray(product(basis[-1]), dtype=float).ravel()
        diagonal.append(float(image @ basis[-1]))
        for _ in range(2):
            for vector in basis:
                image -= (image @ vector) * vector
        if not np.isfinite(diagonal[-1]):
            # Who reads the entry itself will say where it stands.
            return None, None
        before, values = least, scipy.linalg.eigvalsh_tridiagonal(diagonal, beside)
        largest = np.abs(values).max()
        least = float(values[0]) if values[0] < -share * largest else None
        settled = False
        if before is not None and least is not None:
            settled = abs(least - before) <= SETTLED * abs(before)
        size = float(np.linalg.norm(image))
        if settled or len(basis) == products or not size > share * largest:
            break
        beside.append(size)
        basis.append(image / size)
    if least is None:
        return None, None
    _, vectors = scipy.linalg.eigh_tridiagonal(diagonal, beside)
    return least, vectors[:, 0] @ basis
