"""Whether a symmetric matrix is positive semi-definite, at a cost that a large one allows.

A small matrix is factored: Cholesky's method with a small multiple of the identity added ends exactly where
the matrix is indefinite beyond that. For a large one, Lanczos's method from a random vector looks for a
direction of negative curvature: what it finds is one for certain, while a negative eigenvalue that is
tiny beside the largest may escape it. Solvers and certificates look for such directions themselves.

Source       Golub and Van Loan (2013), section 10.1; Higham (2002), theorem 10.7
"""

import numpy as np
import scipy.linalg

from workbench.errors import InputError

# A negative eigenvalue down to this share of the largest, or to so many units roundoff of it, is rounding.
ROUNDING, UNITS = 1e-10, 64.0
# Up to this size a matrix is factored; beyond it Lanczos's method does so many products.
SMALL, PRODUCTS = 2000, 40
# A negative Ritz value is told once another product changes it by no more than this share.
SETTLED = 1e-3


def refuse_indefinite(K, precision=2.0**-52):
    """Raise an `InputError` with the least eigenvalue of a symmetric matrix or operator that is indefinite.

    `precision` is the spacing of the numbers in which its entries were computed.
    """
    n = K.shape[0]
    share = max(ROUNDING, UNITS * precision)
    if n <= SMALL:
        dense = K if isinstance(K, np.ndarray) else K @ np.eye(n)
        least = _least_of_small(np.asarray(dense, dtype=float), share)
    else:
        least = _least_by_lanczos(K, share)
    if least is not None:
        raise not_positive(f"its least eigenvalue is {least:.3g}")


def not_positive(detail):
    """The error for a matrix that is no kernel's."""
    return InputError(
        f"kernel: the matrix is not positive semi-definite ({detail}); use linear, rbf or polynomial, "
        "or add a multiple of the identity to yours"
    )


def _least_of_small(K, share):
    """The least eigenvalue where it lies below -share times the largest; else None."""
    shifted = K.copy(order="F")
    # No eigenvalue exceeds the largest sum of magnitudes of a row, which leaves room for rounding as well.
    shifted[np.diag_indices_from(shifted)] += share * float(np.abs(K).sum(axis=1).max())
    _, failed = scipy.linalg.lapack.dpotrf(shifted, overwrite_a=True)
    if failed == 0:
        return None
    values = np.linalg.eigvalsh(K)
    least, largest = float(values[0]), float(np.abs(values).max())
    return least if least < -share * largest else None


def _least_by_lanczos(K, share):
    """The least Ritz value where it lies below -share times the largest; else None."""
    basis = [np.random.default_rng(0).normal(size=K.shape[0])]
    basis[0] /= np.linalg.norm(basis[0])
    diagonal, beside, least = [], [], None
    for _ in range(PRODUCTS):
        image = np.asarray(K @ basis[-1], dtype=float).ravel()
        diagonal.append(float(image @ basis[-1]))
        for _ in range(2):
            for vector in basis:
                image -= (image @ vector) * vector
        if not np.isfinite(diagonal[-1]):
            # Who reads the entry itself will say where it stands.
            return None
        values = scipy.linalg.eigvalsh_tridiagonal(diagonal, beside)
        if values[0] < -share * np.abs(values).max():
            if least is not None and abs(values[0] - least) <= SETTLED * abs(least):
                return float(values[0])
            least = float(values[0])
        size = float(np.linalg.norm(image))
        if not size > share * np.abs(values).max():
            break
        beside.append(size)
        basis.append(image / size)
    return least
