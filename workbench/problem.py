"""A regularized linear learning problem: data, loss, regularizer and lambda, checked and frozen."""

import functools
import hashlib

import numpy as np
import scipy.sparse as sp

from workbench import kernels, losses, regularizers
from workbench.errors import InputError
from workbench.names import check_number

# What `Problem.replace` shares; everything else depends on the loss, the regularizer or lambda.
DATA_ATTRIBUTES = (
    "n_samples", "n_features", "y", "bias", "embed", "kernel", "gram", "design", "weight", "row_arrays",
    "labels", "kernel_matrix",
)  # fmt: skip


class Problem:
    """min over w of  (1/n) sum_i c_i f(w.x_i, y_i) + lam g(w), and its dual. Zhang (2) and (8).

    Parameters
    ----------
    X : array_like or sparse matrix (n, d)
        The samples, one a row; finite.
    y : array_like (n,)
        Labels -1 and +1 for a margin loss, 0 to r - 1 for the multinomial one, finite targets otherwise.
    loss : str or Loss
        "hinge", "epsilon-insensitive:epsilon=0.1,p=2", or an object of `workbench.losses`.
    regularizer : str or Regularizer
        "squared-l2", "elastic-net:epsilon=0.1", or an object of `workbench.regularizers`.
    lam : float
        The regularization weight, above 0.
    bias : False, "constant" or True
        "constant" appends a feature that is always 1; its weight is regularized like the others. True adds
        a bias that is not regularized: the dual variables then sum to zero.
    kernel : None, str or Kernel
        "linear", "rbf:gamma=0.05", "polynomial:degree=3", "precomputed" (X is the matrix of K), or an
        object of `workbench.kernels`: K(x, x') in place of x.x', with squared l2.
    embed : None or "balanced"
        "balanced" replaces x by [x, -x], so that non-negative weights give signed predictions.
    sample_weight : array_like (n,), optional
        The weights c_i, above 0; 1 where not given.

    Attributes
    ----------
    design : csr_array (n, D)
        The rows that a solver sees: X with the constant feature and the embedding, as float64.
    sign, shift, weight : ndarray (n,)
        Sample i has f(z) = weight_i p(sign_i z + shift_i) with the loss's p.
    transfer : Transfer
        The regularizer on the D columns of the design; on the entries of w (D, r) with r classes.
    columns : () or (r,)
        What the shape of w, of alpha and of z has behind D or n: r classes, or nothing.
    kernel_matrix : KernelMatrix
        K on the samples; that of the linear kernel where none is given.

    Raises
    ------
    InputError
        Names what is wrong: the entry of X or y, the parameter, the name.
    """

    def __init__(
        self,
        X,
        y,
        loss="hinge",
        regularizer="squared-l2",
        lam=1e-3,
        bias=False,
        embed=None,
        sample_weight=None,
        kernel=None,
    ):
        self.kernel = None if kernel is None else kernels.get(kernel)
        self.gram = None
        if self.kernel == kernels.Precomputed():
            self.gram = kernels.check_matrix(X)
            X = sp.csr_array(self.gram.shape)
        X = _matrix(X)
        self.n_samples, self.n_features = X.shape
        self.y = check_targets("y", y, self.n_samples)
        self.bias = _bias(bias, self.kernel)
        self.embed = _embedding(embed)
        self.design = _design(X, self.bias, self.embed)
        self.weight = _weights(sample_weight, self.n_samples)
        self._choose(loss, regularizer, lam)
        if self.kernel is not None:
            self.kernel_matrix  # noqa: B018 - made here, so that `replace` shares it

    def _choose(self, loss, regularizer, lam):
        """Set all that depends on the loss, the regularizer and lambda."""
        self.loss = losses.get(loss)
        self.regularizer = regularizers.get(regularizer)
        self.lam = check_number("problem", "lam", lam, above=0.0)
        if self.kernel is not None:
            _check_kernel(self)
        self.sign, self.shift = _sign_and_shift(self.loss, self.y)
        self.columns = (self.loss.outputs(self.y),) if self.loss.kind == "classes" else ()
        self.transfer = self.regularizer.at(self.design.shape[1], *self.columns)
        _check_outputs(self)
        for array in (self.y, self.weight, self.sign, self.shift):
            array.setflags(write=False)

    def replace(self, loss=None, regularizer=None, lam=None):
        """The same data with another loss, regularizer or lambda; nothing is copied."""
        other = object.__new__(Problem)
        data = {name: value for name, value in self.__dict__.items() if name in DATA_ATTRIBUTES}
        other.__dict__.update(data)
        other._choose(
            self.loss if loss is None else loss,
            self.regularizer if regularizer is None else regularizer,
            self.lam if lam is None else lam,
        )
        return other

    @property
    def free_bias(self):
        """Whether there is an unregularized bias."""
        return self.bias is True

    @functools.cached_property
    def labels(self):
        """The targets as integers, the classes of the multinomial loss."""
        return self.y.astype(np.int64)

    @property
    def lam_n(self):
        """lam times n, the divisor of v = X'alpha / (lam n)."""
        return self.lam * self.n_samples

    @functools.cached_property
    def row_arrays(self):
        """The design's offsets, column indices and values as a kernel reads them: unsigned indices."""
        X = self.design
        # Indices are never negative, so the same bits read as unsigned ones.
        narrow = X.indices.dtype == np.int32
        indices = X.indices.view(np.uint32) if narrow else X.indices.astype(np.uint32)
        return X.indptr.astype(np.uint64), indices, X.data

    @functools.cached_property
    def kernel_matrix(self):
        """K on the samples, or x.x' where there is no kernel."""
        kernel = kernels.Linear() if self.kernel is None else self.kernel
        return kernels.KernelMatrix(kernel, self.row_arrays, self.design.shape[1], self.gram)

    @functools.cached_property
    def curvature_bound(self):
        """An upper bound of each x_i' h'' x_i / (lam n), (n,); None where h has none."""
        return self.regularizer.curvature_bound(self.design, self.lam_n)

    @functools.cached_property
    def zero_value(self):
        """The mean loss at z = 0, the scale against which a gap is small."""
        if self.columns:
            return float(np.mean(self.weight) * np.log(self.columns[0]))
        value, theta = self.loss.scalar("value"), self.loss.theta
        if not np.isfinite(value(0.0, theta)):
            # -ln z: infinite at zero, it varies by about one where z changes by a factor.
            return float(self.weight.mean())
        if not self.shift.any():
            return float(value(0.0, theta) * self.weight.mean())
        return float(np.mean([c * value(t, theta) for c, t in zip(self.weight, self.shift, strict=True)]))

    def nu(self, alpha):
        """The loss's own dual coordinate, nu = -alpha / (c s), (n,)."""
        return -alpha / (self.weight * self.sign)

    def alpha(self, nu):
        """The dual variables of given dual coordinates, (n,)."""
        return 0.0 - (self.weight * self.sign) * nu

    def argument(self, z):
        """The loss's argument u = s z + t, (n,)."""
        return self.sign * z + self.shift

    def dual_vector(self, alpha):
        """v = X'alpha / (lam n) on the columns of the design."""
        if not alpha.any():
            return np.zeros((self.design.shape[1], *alpha.shape[1:]))
        return (self.design.T @ alpha) / self.lam_n

    def split(self, w, b=0.0):
        """Weights of the design (and an unregularized bias) as weights and bias in the caller's features."""
        self._check_weights()
        if self.embed == "balanced":
            half = w.shape[0] // 2
            w = w[:half] - w[half:]
        if self.bias == "constant":
            return w[:-1].copy(), w[-1].copy() if self.columns else float(w[-1])
        return w.copy(), b

    def join(self, w, b=0.0):
        """Weights and regularized bias of the caller as weights of the design."""
        self._check_weights()
        w = check_targets("w", w, self.n_features, self.columns)
        if self.bias == "constant" and self.columns:
            w = np.vstack([w, check_targets("b", np.broadcast_to(b, self.columns), *self.columns)])
        elif self.bias == "constant":
            w = np.append(w, check_number("certificate", "b", b))
        elif np.any(b):
            raise InputError(f"b = {b!r} needs a problem with a bias; make it with bias=True")
        if self.embed == "balanced":
            w = np.concatenate(self.regularizer.halves(w))
        return w

    def _check_weights(self):
        if self.kernel is not None:
            raise InputError(f"w is not available with {self.kernel!r}; give alpha, or leave the kernel out")

    @functools.cached_property
    def digest(self):
        """A fingerprint of everything the solution depends on; a saved run is tied to it."""
        names = (self.loss.key, self.regularizer.name, self.lam, self.bias, self.embed, self.design.shape)
        state = hashlib.sha256(repr(names).encode())
        parameters = (self.loss.theta, self.transfer.theta, self.transfer.weights)
        if self.kernel is not None:
            state.update(repr(self.kernel).encode())
            parameters = (*parameters, self.kernel_matrix.diagonal if self.gram is None else self.gram)
        for array in (*parameters, *self.row_arrays, self.y, self.weight):
            state.update(np.ascontiguousarray(array).data)
        return state.hexdigest()

    def __repr__(self):
        return (
            f"Problem(n={self.n_samples}, d={self.n_features}, non-zeros={self.design.nnz}, "
            f"loss={self.loss!r}, regularizer={self.regularizer!r}, lam={self.lam:g}"
            f"{'' if self.kernel is None else f', kernel={self.kernel!r}'})"
        )


def check_features(X, n_features):
    """X as a CSR matrix with that many columns and finite entries, for predictions."""
    X = _matrix(X)
    if X.shape[1] != n_features:
        raise InputError(f"X has {X.shape[1]} features, the model {n_features}; use the same columns")
    return X


def _matrix(X):
    """X as a float64 CSR matrix in canonical form whose arrays are read-only."""
    if sp.issparse(X):
        matrix = sp.csr_array(X, dtype=float)
    else:
        try:
            dense = np.asarray(X, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"X cannot be read as numbers ({error}); encode text columns first") from None
        if dense.ndim != 2:
            raise InputError(f"X has {dense.ndim} dimensions; give a matrix with one sample a row")
        _check_finite(dense, lambda place: (place // dense.shape[1], place % dense.shape[1]))
        matrix = sp.csr_array(dense)
    if matrix.shape[0] == 0 or matrix.shape[1] == 0:
        raise InputError(f"X has shape {matrix.shape}; at least one sample and one feature are needed")
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    _check_finite(
        matrix.data,
        lambda place: (np.searchsorted(matrix.indptr, place, "right") - 1, matrix.indices[place]),
    )
    # Views, so that the flags of the caller's own arrays stay as they are.
    frozen = sp.csr_array(
        tuple(_read_only(part) for part in (matrix.data, matrix.indices, matrix.indptr)), shape=matrix.shape
    )
    frozen.has_canonical_format = True
    return frozen


def _read_only(array):
    view = array.view()
    view.setflags(write=False)
    return view


def _check_finite(values, place_of):
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        row, column = place_of(int(bad[0]))
        raise InputError(
            f"X[{row}, {column}] is {values.flat[bad[0]]}; remove or impute values that are not finite"
        )


def check_targets(name, values, size, columns=()):
    """The values as floats (size, *columns), all finite, or an `InputError` with the place."""
    try:
        array = np.array(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} cannot be read as numbers ({error}); encode it first") from None
    if array.shape != (size, *columns):
        raise InputError(f"{name} has shape {array.shape} where {(size, *columns)} is needed")
    bad = np.argwhere(~np.isfinite(array))
    if bad.size:
        place, value = ", ".join(map(str, bad[0].tolist())), array[tuple(bad[0])]
        raise InputError(f"{name}[{place}] is {value}; remove or impute values that are not finite")
    return array


def _weights(sample_weight, size):
    if sample_weight is None:
        return np.ones(size)
    weights = check_targets("sample_weight", sample_weight, size)
    bad = np.flatnonzero(weights <= 0.0)
    if bad.size:
        raise InputError(f"sample_weight[{bad[0]}] is {weights[bad[0]]:g}; leave out samples without weight")
    return weights


def _bias(bias, kernel):
    if bias is False or bias is True or (kernel is None and isinstance(bias, str) and bias == "constant"):
        return bias
    if kernel is not None:
        raise InputError(f"bias = {bias!r} is not available with a kernel; use True or False")
    raise InputError(
        f"bias = {bias!r} is not available; use False, True, or 'constant' for a regularized one"
    )


def _check_kernel(problem):
    """Refuse what a kernel cannot stand for."""
    if problem.regularizer != regularizers.SquaredL2():
        raise InputError(
            f"kernel: {problem.kernel!r} needs the regularizer squared-l2, not {problem.regularizer!r}"
        )
    if problem.embed is not None:
        raise InputError(f"kernel: embed = {problem.embed!r} has no meaning with a kernel; use None")
    if problem.bias is True and problem.loss.key != "hinge-1":
        raise InputError(
            f"bias = True with a kernel needs the hinge loss with p = 1, not {problem.loss!r}; use bias=False"
        )


def _embedding(embed):
    if embed is None or embed == "balanced":
        return embed
    raise InputError(f"embed = {embed!r} is not known; use None or 'balanced'")


def _design(X, bias, embed):
    if bias != "constant" and not embed:
        return X
    if bias == "constant":
        X = sp.hstack([X, sp.csr_array(np.ones((X.shape[0], 1)))], format="csr")
    if embed:
        X = sp.hstack([X, -X], format="csr")
    return _matrix(X)


def _sign_and_shift(loss, y):
    if loss.kind == "margin":
        bad = np.flatnonzero(np.abs(y) != 1.0)
        if bad.size:
            raise InputError(
                f"y[{bad[0]}] is {y[bad[0]]:g}; the {loss.name} loss needs labels -1 and +1: "
                "pass np.where(y == positive_class, 1, -1)"
            )
        return y.copy(), np.zeros_like(y)
    return np.ones_like(y), -y if loss.kind == "residual" else np.zeros_like(y)


def _check_outputs(problem):
    """Refuse what r predictions a sample cannot have, and data for which no unregularized bias is best."""
    y, kind = problem.y, problem.loss.kind
    if kind == "classes" and problem.embed:
        raise InputError(f"embed = {problem.embed!r} does not go with the multinomial loss; leave it out")
    if problem.loss.key == "negative-log" and problem.regularizer.name in ("entropy", "normalized-entropy"):
        _check_densities(problem.design)
    if not problem.free_bias:
        return
    if kind == "prediction":
        raise InputError(f"the {problem.loss.name} loss has no best bias; use bias=False or 'constant'")
    if kind == "margin" and np.all(y == y[0]):
        raise InputError(f"y holds only labels {y[0]:+g}; a bias that is not regularized needs both classes")
    if kind == "classes":
        missing = np.flatnonzero(np.bincount(problem.labels, minlength=problem.columns[0]) == 0)
        if missing.size:
            raise InputError(
                f"y holds no label {missing[0]}; a bias that is not regularized needs samples of every class"
            )


def _check_densities(design):
    """Refuse a sample that has likelihood zero under every mixture."""
    largest = np.asarray(design.max(axis=1).todense()).ravel()
    row = int(largest.argmin())
    if largest[row] <= 0.0:
        raise InputError(
            f"X[{row}] has no entry above 0, so that -ln(w.x) is infinite for all w >= 0; give the density "
            "of each component at each sample, or leave the sample out"
        )
