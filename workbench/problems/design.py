"""The matrix of samples as a solver needs it: by rows, by columns or dense, each made when asked for."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator, Mapping, Set
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Arrays, Entry, Floats, Integers
    from workbench.kernels.arrays import Matrix


# A dense matrix with fewer non-zeros than this share is quicker as a sparse one.
DENSE_SHARE = 0.25
# The least number of entries that a piece of a product reads for each number that it leaves.
READ_PER_SUM = 8
# The advice for a sparse matrix with inconsistent arrays.
ANEW = "make the matrix anew, as scipy.sparse.csr_array((values, (rows, columns)), shape) does"
# The offsets and indices of a dense matrix.
NO_INDICES = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.uint32)


class Design:
    """A finite matrix (n, D) that nothing changes: a copy, unless the caller's own array is read-only.

    Parameters
    ----------
    X : array_like or sparse matrix (n, D)
    copied : bool
        False for a matrix that is read once and let go.

    Attributes
    ----------
    dense : ndarray (n, D) or None
        Where the matrix was dense and is full enough.
    rows : csr_array (n, D)
        In canonical form.
    row_arrays : tuple of ndarray
        Offsets (uint64), column indices (uint32) and values of `rows`, as a compiled loop reads them.
    lean_arrays : tuple of ndarray
        `row_arrays`, but without values where each of them is 1: a loop over binary features then reads a
        third of the memory.
    step_arrays : tuple of ndarray
        `lean_arrays`; of a dense matrix all values by rows, without offsets and indices.
    column_arrays : tuple of ndarray
        `row_arrays` by columns; without offsets and indices where the matrix is dense.
    """

    shape: tuple[int, int]
    # The last alpha with its X'alpha, and how often both were rescaled since that was summed.
    _last: tuple[Floats, Floats, int] | None = None

    def __init__(self, X: ArrayLike | sp.sparray | sp.spmatrix, copied: bool = True) -> None:
        self.dense: Floats | None = None
        if sp.issparse(X):
            self.rows = _sparse(X, copied)
        else:
            dense, nonzeros, self.fingerprint = _dense(X, copied)
            if nonzeros >= DENSE_SHARE * dense.size:
                self.dense = _frozen(dense)
            else:
                self.rows = _canonical(sp.csr_array(dense), own=True)
        self.shape = self.rows.shape if self.dense is None else self.dense.shape
        if 0 in self.shape:
            raise InputError(f"X has shape {self.shape}; at least one sample and one feature are needed")

    @functools.cached_property
    def rows(self) -> sp.csr_array:
        return _canonical(sp.csr_array(self.dense), own=True)

    @functools.cached_property
    def row_arrays(self) -> Arrays:
        return unsigned(self.rows)

    @functools.cached_property
    def lean_arrays(self) -> Arrays:
        offsets, indices, values = self.row_arrays
        return offsets, indices, values[:0] if (values == 1.0).all() else values

    @functools.cached_property
    def step_arrays(self) -> Arrays:
        return self.lean_arrays if self.dense is None else (*NO_INDICES, self.dense.ravel())

    @functools.cached_property
    def column_arrays(self) -> Arrays:
        if self.dense is None:
            return unsigned(sp.csc_array(self.rows))
        return *NO_INDICES, self.dense.ravel(order="F")

    @property
    def is_by_columns(self) -> bool:
        """True for a dense matrix whose columns lie in one piece each."""
        return self.dense is not None and not self.dense.flags.c_contiguous

    @property
    def nnz(self) -> int:
        return self.rows.nnz if self.dense is None else int(np.count_nonzero(self.dense))

    @property
    def size(self) -> int:
        """The number of numbers that the matrix stores."""
        return self.rows.nnz if self.dense is None else self.dense.size

    def part(self, chosen: Integers) -> Floats | sp.csr_array:
        """Return the chosen rows, as an array if the matrix is dense, else as a sparse one."""
        return self.rows[chosen] if self.dense is None else self.dense[chosen]

    def toarray(self) -> Floats:
        """Return the matrix as an ndarray (n, D)."""
        return self.rows.toarray() if self.dense is None else self.dense

    def __reduce__(self) -> tuple[Callable[..., Design], tuple[object, ...]]:
        # Read-only at the other end of a pickle, too.
        return (Design.own, (self.rows,)) if self.dense is None else (Design, (self.dense, False))

    @functools.cached_property
    def matrix(self) -> Matrix:
        """The matrix as compiled functions take it."""
        from workbench.kernels import arrays  # late, since numba is slow to import

        if self.dense is None:
            offsets, indices, values = self.lean_arrays
            return arrays.Matrix(
                _frozen(offsets), _frozen(indices), _frozen(values), *self.shape, arrays.SPARSE
            )
        layout = arrays.BY_COLUMNS if self.is_by_columns else arrays.BY_ROWS
        values = self.dense.ravel(order="K")
        offsets, indices = NO_INDICES
        return arrays.Matrix(_frozen(offsets), _frozen(indices), _frozen(values), *self.shape, layout)

    @functools.cached_property
    def fingerprint(self) -> tuple[int, int]:
        """Two sums over the entries and their places, the same however the matrix is stored."""
        from workbench.kernels import scans

        sums: tuple[int, int] = (
            scans.fingerprint(self.matrix) if self.dense is None else scans.read(self.dense)[-1]
        )
        return sums

    @functools.cached_property
    def pieces(self) -> list[tuple[int, int]]:
        """Ranges of rows whose parts of a product are pieces of work of their own."""
        from workbench.kernels import products, threads

        rows, columns = self.shape
        # Each piece has an X'alpha of its own, which is little beside what it reads.
        count = self.size // max(threads.PIECE, READ_PER_SUM * columns)
        if self.is_by_columns:
            # A part of a column is read for a block of rows at a time.
            count = min(count, rows // products.BLOCK)
        pieces: list[tuple[int, int]] = threads.pieces(rows, count)
        return pieces

    def __matmul__(self, w: Floats) -> Floats:
        if not w.any():
            return np.zeros((self.shape[0], *w.shape[1:]))
        if w.ndim > 1:
            return (self.rows if self.dense is None else self.dense) @ w
        from workbench.kernels.products import predictions
        from workbench.kernels.threads import mapped

        z, w, product = np.empty(self.shape[0]), np.ascontiguousarray(w, dtype=float), predictions()
        mapped(lambda piece: product(self.matrix, w, *piece, z), self.pieces)
        return z

    def transposed(self, alpha: Floats) -> Floats:
        """X'alpha."""
        if alpha.ndim > 1:
            return self._transpose @ alpha if alpha.any() else np.zeros((self.shape[1], *alpha.shape[1:]))
        from workbench.kernels.products import transposed
        from workbench.kernels.threads import mapped

        # A certificate asks for the product that its solver has just asked for.
        last = self._found(alpha)
        if last is not None:
            return last[1].copy()
        product = transposed()
        alpha = np.ascontiguousarray(alpha, dtype=float)
        parts = np.zeros((len(self.pieces), self.shape[1]))
        mapped(lambda k: product(self.matrix, alpha, *self.pieces[k], parts[k]), range(len(parts)))
        for part in parts[1:]:
            parts[0] += part
        self._last = alpha.copy(), parts[0].copy(), 0
        result: Floats = parts[0]
        return result

    def _found(self, alpha: Floats) -> tuple[Floats, Floats, int] | None:
        """Return the product that was computed last, with its alpha, if that equals this one."""
        last = self._last
        return last if last is not None and np.array_equal(last[0], alpha) else None

    def rescale(self, alpha: Floats, scale: float) -> None:
        """Have the next X'alpha, where it is that of `scale` times this alpha, rescaled instead of summed."""
        last = None if scale == 1.0 else self._found(alpha)
        if last is not None:
            self._last = scale * last[0], scale * last[1], last[2] + 1

    def chain(self, alpha: Floats) -> float:
        """Return how often a product in `transposed` is rounded at most, of a matrix by columns."""
        from workbench.kernels.products import BLOCK, CHAINS

        rows, last = self.shape[0], self._found(alpha)
        rescaled = 0 if last is None else 2 * last[2]
        return min(rows, BLOCK) / CHAINS + rows / BLOCK + len(self.pieces) + rescaled + 10.0

    @functools.cached_property
    def _transpose(self) -> Floats | sp.csc_array:
        return (self.rows if self.dense is None else self.dense).T

    @functools.cached_property
    def squares(self) -> tuple[Floats, Floats]:
        """The squared norms of the rows, (n,), and of the columns, (D,)."""
        from workbench.kernels import products

        rows, columns = np.zeros(self.shape[0]), np.zeros(self.shape[1])
        products.squares()(self.matrix, rows, columns)
        return _frozen(rows), _frozen(columns)

    def lengths(self, axis: int, chosen: slice = slice(None)) -> tuple[Floats, Floats]:
        """Upper bounds of the lengths of chosen rows (axis 0) or columns, and how many entries they have."""
        from workbench.kernels.interval_loops import SMALLEST, raised

        squares = self.squares[axis][chosen]
        count = np.full(squares.shape, float(self.shape[1 - axis]))
        if self.dense is None:
            ends = self.rows.indptr
            count[:] = (ends[1:] - ends[:-1])[chosen] if axis == 0 else self._in_columns[chosen]
        return raised(np.sqrt(squares), count + 8.0) + SMALLEST * np.sqrt(count), count

    @functools.cached_property
    def _in_columns(self) -> Integers:
        return np.bincount(self.rows.indices, minlength=self.shape[1])

    @functools.cached_property
    def spectrum(self) -> tuple[Floats, Floats]:
        """The eigenvalues (D,) and eigenvectors (D, D) of X'X, which rounding leaves not below 0."""
        X = self.dense
        squares = (self.rows.T @ self.rows).toarray() if X is None else X.T @ X
        values, axes = np.linalg.eigh(squares)
        return np.maximum(values, 0.0), axes

    def column_counts(self) -> Integers:
        """Return the number of non-zero entries of each column, (D,)."""
        if self.dense is not None:
            column_counts: Integers = np.count_nonzero(self.dense, axis=0)
            return column_counts
        return np.bincount(self.rows.indices[self.rows.data != 0.0], minlength=self.shape[1])

    @classmethod
    def of_checked(
        cls, indptr: NDArray[np.integer], indices: NDArray[np.integer], data: Floats, shape: tuple[int, int]
    ) -> Design:
        """Build the design of canonical rows that were checked when they were written; nothing is read."""
        design = object.__new__(cls)
        design.dense, design.shape = None, shape
        design.rows = _canonical(sp.csr_array((data, indices, indptr), shape=shape), own=True)
        return design

    @classmethod
    def own(cls, X: sp.csr_array) -> Design:
        """Build the design of a sparse matrix that the caller gives up, without a copy."""
        for part in (X.data, X.indices, X.indptr):
            part.setflags(write=False)
        return cls(X)

    def extended(self, constant: bool, mirrored: bool) -> Design:
        """Append a constant feature 1, then mirrored copies of all features, as the flags ask."""
        if not (constant or mirrored):
            return self
        X = self.rows
        if constant:
            X = sp.hstack([X, sp.csr_array(np.ones((X.shape[0], 1)))], format="csr")
        if mirrored:
            X = sp.hstack([X, -X], format="csr")
        return Design.own(X)


def unsigned(X: sp.csr_array | sp.csc_array) -> Arrays:
    """Offsets, indices and values of a compressed matrix; unsigned indices spare loops a test for signs."""
    # Indices are never negative, so the same bits read as unsigned ones.
    narrow = X.indices.dtype == np.int32
    indices = X.indices.view(np.uint32) if narrow else X.indices.astype(np.uint32)
    return X.indptr.astype(np.uint64), indices, X.data


def check_features(X: ArrayLike | sp.sparray | sp.spmatrix, n_features: int) -> Design:
    """X as a design with that many columns and finite entries, for predictions."""
    X = Design(X, copied=False)
    if X.shape[1] != n_features:
        raise InputError(f"X has {X.shape[1]} features, the model {n_features}; use the same columns")
    return X


def check_weights(values: ArrayLike, size: int) -> Floats:
    """Return sample weights as floats (size,); refuse the first that is negative or not finite."""
    weights = check_targets("sample_weight", values, size, fix="give a number of 0 or more for each sample")
    bad = np.flatnonzero(weights < 0.0)
    if bad.size:
        raise InputError(f"sample_weight[{bad[0]}] is {weights[bad[0]]:g}; give weights of 0 or more")
    return weights


def check_targets(
    name: str, values: ArrayLike, size: int, columns: tuple[int, ...] = (), fix: str | None = None
) -> Floats:
    """Convert values to finite floats (size, *columns), or raise an `InputError` that names the bad entry."""
    array = as_numbers(name, values, fix or (lambda: _labels_line(name, values))).copy()
    if array.shape != (size, *columns):
        flat = array.size == size and not columns
        advice = f"pass {name}.ravel()" if flat else "give one value a sample, or a row of them"
        raise InputError(f"{name} has shape {array.shape} where {(size, *columns)} is needed; {advice}")
    finite = np.isfinite(array)
    if not finite.all():
        bad = np.argwhere(~finite)
        place, value = ", ".join(map(str, bad[0].tolist())), array[tuple(bad[0])]
        raise InputError(f"{name}[{place}] is {value}; remove or impute values that are not finite")
    return array


def _encoding(X: Any) -> str:
    """Return the line that imputes missing values or encodes columns of texts, by name in a frame."""
    if hasattr(X, "dtypes") and hasattr(X, "isna"):
        missing = [str(name) for name in X.columns[X.isna().any()]]
        if missing:
            return f"{', '.join(missing)} lack values: write X = X.fillna(X.median(numeric_only=True))"
    texts = [str(name) for name, kind in getattr(X, "dtypes", {}).items() if kind.kind not in "fiub"]
    if texts:
        return f"encode {', '.join(texts)}: write X = pd.get_dummies(X, columns={texts!r}, dtype=float)"
    return "encode text columns: write X = sklearn.preprocessing.OneHotEncoder().fit_transform(X)"


def _labels_line(name: str, values: ArrayLike) -> str:
    """Return the advice that encodes text labels as numbers: a line of Python."""
    try:
        labels = sorted({str(value) for value in np.ravel(values)})
    except (TypeError, ValueError):
        labels = []
    if len(labels) == 2:
        return f"encode it: pass np.where({name} == {labels[1]!r}, 1, -1), or let wb.fit choose"
    return f"encode it: pass np.unique({name}, return_inverse=True)[1], or let wb.fit choose"


def _dense(X: ArrayLike, copied: bool) -> tuple[Floats, int, tuple[int, int]]:
    """Convert X to a finite array by rows or columns, copied on demand, with its nonzeros and fingerprint."""
    dense = as_numbers("X", X, lambda: _encoding(X))
    if dense.ndim != 2:
        raise InputError(f"X has {dense.ndim} dimensions; give a matrix with one sample a row")
    if not dense.flags.forc:
        dense, copied = np.ascontiguousarray(dense), False
    matrix, (strange, nonzeros, fingerprint) = read_once(dense, copied)
    if strange:
        _refuse_first(dense, lambda place: (place // dense.shape[1], place % dense.shape[1]))
    return matrix, nonzeros, fingerprint


def read_once(matrix: Floats, copied: bool = True) -> tuple[Floats, tuple[int, int, tuple[int, int]]]:
    """Return a matrix, or a read-only copy if asked for and it may change, and what `scans.read` finds."""
    from workbench.kernels import scans  # late, since numba is slow to import

    target = np.empty_like(matrix) if copied and _may_change(matrix) else None
    facts = scans.read(matrix, target)
    if target is None:
        return matrix, facts
    target.setflags(write=False)
    return target, facts


def _sparse(X: sp.sparray | sp.spmatrix, copied: bool) -> sp.csr_array:
    check_kind("X", X.dtype)
    check_structure(X)
    matrix = sp.csr_array(X, dtype=float)
    # Made anew, since the flags of a matrix may tell of indices that it had before.
    matrix = sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=matrix.shape)
    own = not (copied and matrix.has_canonical_format)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    _check_finite(
        matrix.data,
        lambda place: (int(np.searchsorted(matrix.indptr, place, "right")) - 1, int(matrix.indices[place])),
    )
    return _canonical(matrix, own)


def check_structure(X: sp.sparray | sp.spmatrix) -> None:
    """Refuse a sparse matrix whose indices lie outside of it, which SciPy's own loops do not ask."""
    if X.ndim != 2:
        raise InputError(f"X has {X.ndim} dimensions; give a matrix with one sample a row")
    if X.format in ("csr", "csc", "bsr"):
        block = X.blocksize if X.format == "bsr" else (1, 1)
        rows, columns = (size // step for size, step in zip(X.shape, block, strict=True))
        lines, width = (columns, rows) if X.format == "csc" else (rows, columns)
        if X.indices.ndim != 1 or X.data.ndim != (3 if X.format == "bsr" else 1):
            raise InputError(f"X.indices or X.data have too many dimensions; {ANEW}")
        _check_offsets(X.indptr, lines, min(len(X.indices), len(X.data)))
        _check_indices("indices", X.indices[: X.indptr[-1]], width)
    elif X.format == "lil":
        if len(X.rows) != X.shape[0] or [*map(len, X.rows)] != [*map(len, X.data)]:
            raise InputError(f"X.rows and X.data have other lengths than a matrix of shape {X.shape}; {ANEW}")
        # An empty list would be an array of floats.
        _check_indices("rows", np.concatenate([np.empty(0, dtype=int), *filter(len, X.rows)]), X.shape[1])
    elif X.format == "dia":
        if X.data.ndim != 2 or X.offsets.shape != X.data.shape[:1] or X.offsets.dtype.kind not in "iu":
            raise InputError(f"X.offsets are not one whole number for each row of X.data; {ANEW}")
    else:
        try:
            coordinates = X.tocoo()
            # SciPy compares the lengths of its arrays where it counts them.
            _ = coordinates.nnz
        except ValueError as error:
            raise InputError(f"X.row, X.col and X.data do not fit together ({error}); {ANEW}") from None
        _check_indices("row", coordinates.row, X.shape[0])
        _check_indices("col", coordinates.col, X.shape[1])


def _check_offsets(offsets: NDArray[np.integer], lines: int, most: int) -> None:
    fault = None
    if offsets.dtype.kind not in "iu" or offsets.shape != (lines + 1,):
        fault = f"holds {offsets.dtype} of shape {offsets.shape} where {lines + 1} whole numbers are needed"
    elif offsets[0] != 0 or (offsets[1:] < offsets[:-1]).any():
        fault = "does not rise from 0"
    elif offsets[-1] > most:
        fault = f"ends with {offsets[-1]}, and there are {most} entries"
    if fault:
        raise InputError(f"X.indptr {fault}; {ANEW}")


def _check_indices(name: str, indices: NDArray[np.integer], size: int) -> None:
    if indices.dtype.kind not in "iu":
        raise InputError(f"X.{name} holds {indices.dtype} where whole numbers are needed; {ANEW}")
    if indices.size and (indices.min() < 0 or indices.max() >= size):
        place = int(np.flatnonzero((indices < 0) | (indices >= size))[0])
        raise InputError(f"X.{name}[{place}] is {indices[place]}, which is not from 0 to {size - 1}; {ANEW}")


def _canonical(matrix: sp.csr_array, own: bool) -> sp.csr_array:
    freeze = _frozen if own else read_only
    frozen = sp.csr_array(
        tuple(freeze(part) for part in (matrix.data, matrix.indices, matrix.indptr)), shape=matrix.shape
    )
    frozen.has_canonical_format = True
    return frozen


def read_only(array: NDArray[Entry]) -> NDArray[Entry]:
    """Return the array itself if nothing can write to it any more, else a read-only copy."""
    return _frozen(array.copy(order="K") if _may_change(array) else array)


def _may_change(array: object) -> bool:
    """Check if the array, or the array that it is a view of, can be written to."""
    while isinstance(array, np.ndarray) and not array.flags.writeable:
        array = array.base
    return array is not None


def _frozen(array: NDArray[Entry]) -> NDArray[Entry]:
    # A view, so that the flags of the caller's own array stay as they are.
    view = array.view()
    view.setflags(write=False)
    return view


# What NumPy turns into floats without a word, though no floats are meant.
STRANGE = {
    "c": "complex numbers; pass the real parts, such as np.real({0})",
    "M": "dates; pass numbers, such as the days since the first one",
    "m": "time spans; pass numbers, such as {0} / np.timedelta64(1, 'D')",
}


# What helps where NumPy says this of values that are not numbers.
REMEDIES = {"inhomogeneous": "give rows of one length", "too large": "scale it to numbers below 1e308"}


def as_numbers(name: str, values: ArrayLike, fix: str | Callable[[], str]) -> Floats:
    """Convert values to an array of floats, or raise an `InputError` that says what they are instead.

    `fix` is the advice, or a function that gives it where finding it takes longer than reading the values.
    """
    check_unmasked(name, values)
    _check_form(name, values)
    values = np.ma.getdata(values) if np.ma.isMaskedArray(values) else values
    try:
        array = np.asarray(values)
        check_kind(name, array.dtype)
        if array.dtype == object and array.size:
            for kind in {np.asarray(value).dtype for value in array.flat}:
                check_kind(name, kind)
        return np.asarray(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(error, InputError):
            raise
        advice = next((remedy for word, remedy in REMEDIES.items() if word in str(error)), None)
        advice = advice or (fix() if callable(fix) else fix)
        raise InputError(f"{name} cannot be read as numbers ({error}); {advice}") from None


def _check_form(name: str, values: Any) -> None:
    """Refuse what NumPy would read as one object, though it is not an array, a frame or a list."""
    if sp.issparse(values):
        flat = ".ravel()" if 1 in values.shape else ""
        raise InputError(f"{name} is a sparse matrix; pass {name}.toarray(){flat}")
    if isinstance(values, str | bytes | os.PathLike | Mapping | Set | Iterator):
        more = "; wb.data.read(path) reads a file" if name in ("X", "y") else ""
        raise InputError(
            f"{name} is of type {type(values).__name__}; pass an array, a DataFrame or a list{more}"
        )


def check_unmasked(name: str, values: object) -> None:
    """Refuse a masked array with masked entries, which NumPy's own conversion would read as numbers."""
    masked = int(np.ma.getmaskarray(values).sum()) if np.ma.isMaskedArray(values) else 0
    if masked:
        raise InputError(
            f"{name} is a masked array with {masked} masked entries; fill them, as {name}.filled(0.0) "
            "does, or leave their samples out"
        )


def check_kind(name: str, dtype: np.dtype[Any]) -> None:
    """Refuse complex numbers, dates and time spans."""
    if dtype.kind in STRANGE:
        raise InputError(f"{name} holds {STRANGE[dtype.kind].format(name)}")


def _check_finite(values: Floats, place_of: Callable[[int], tuple[int, int]]) -> None:
    if not np.isfinite(values).all():
        _refuse_first(values, place_of)


def _refuse_first(values: Floats, place_of: Callable[[int], tuple[int, int]]) -> None:
    """Refuse the first entry that is not finite."""
    place = int(np.flatnonzero(~np.isfinite(values))[0])
    row, column = place_of(place)
    raise InputError(
        f"X[{row}, {column}] is {values.flat[place]}; remove or impute values that are not finite: "
        "write X = sklearn.impute.SimpleImputer().fit_transform(X)"
    )
