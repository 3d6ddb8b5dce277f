"""A regularized linear learning problem: data, loss, regularizer and lambda, checked and frozen."""

from __future__ import annotations

import dataclasses
import difflib
import functools
import hashlib
import inspect
import operator
from typing import TYPE_CHECKING, Any, Generic, Literal, Never, TypeVar

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import ArrayLike

from workbench._support.annotations import Arrays, BiasChoice, Floats, Integers
from workbench._support.display import Carded
from workbench._support.errors import InputError, shown
from workbench._support.names import check_number
from workbench.kernels import claims
from workbench.problems import (
    attainable,
    centring,
    compatible,
    feasibility,
    kernels,
    least_squares,
    losses,
    regularizers,
)
from workbench.problems.constraints import Constraints
from workbench.problems.data import Data
from workbench.problems.design import Design, check_targets
from workbench.problems.losses.simplex import SimplexLoss
from workbench.problems.regularizers.constrained import Constrained

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from workbench._support.annotations import Floats
    from workbench.kernels.arrays import Samples
    from workbench.problems.regularizers.base import Transfer
    from workbench.problems.regularizers.norm_transfers import NormTransfer


# Names of other packages' parameters, and what stands for them here.
PEERS = {
    "C": "in place of C write lam=1 / (C * len(y)), which is scikit-learn's objective for hinge and log loss",
    "alpha": "the regularization weight is lam; alpha is the name of the dual variables",
    "class_weight": "multiply sample_weight by the weight of each sample's class",
    "fit_intercept": "write bias=True for an intercept that is not regularized",
    "gamma": 'write kernel="rbf:gamma=..."',
    "l1_ratio": 'write regularizer="elastic-net:epsilon=..." with epsilon = l1_ratio / (1 - l1_ratio)',
    "positive": 'write regularizer="nonnegative:epsilon=0.1" for weights that are 0 or more',
    "max_iter": "write max_epochs=, where an epoch is one pass over the samples",
    "penalize_intercept": 'write bias="constant" for an intercept that is regularized',
    "penalty": 'write regularizer="l1", "squared-l2" or "elastic-net:epsilon=0.1"',
}
EVERY = slice(None)
# How often targets are halved in search of the scale of a gap: exp(700) is near 1 then.
HALVINGS = 12

Value = TypeVar("Value")


class _OfData(functools.cached_property, Generic[Value]):  # type: ignore[type-arg]
    """A property that the problem's data has, looked up once."""

    def __init__(self, place: str, doc: str) -> None:
        super().__init__(operator.attrgetter(f"data.{place}"))
        self.__doc__ = doc

    if TYPE_CHECKING:

        def __get__(  # type: ignore[override]  # on the class, it is documented like any property
            self, problem: object, owner: type | None = None
        ) -> Value: ...


def check_parameters(owner: str, unknown: Iterable[str], parameters: Sequence[str]) -> None:
    """Refuse the first unknown parameter; say what to write in place of it.

    Parameters
    ----------
    owner : str
        Who takes the parameters: "problem".
    unknown : iterable of str
    parameters : sequence of str
        Those that there are.
    """
    for name in unknown:
        close = difflib.get_close_matches(name, [*parameters, "lambda"], n=1)
        hint = f"did you mean {close[0].replace('lambda', 'lam')}? " if close else ""
        advice = PEERS.get(name, f"{hint}expected {', '.join(parameters)}")
        raise InputError(f"{owner}: unknown parameter {name!r}; {advice}")


def check_problem(owner: str, value: object, second: object = None) -> Problem:
    """Return a problem; raise an `InputError` with the line to write for data, an estimator or a result.

    Parameters
    ----------
    owner : str
        The function that was called: "solve".
    value, second : object
        Its first argument, and the second where that may be targets.
    """
    if isinstance(value, Problem):
        return value
    kind = type(value).__name__
    if hasattr(value, "fit"):
        fix = "write wb.certificate(model, X, y) for a fitted estimator, or build a problem: wb.Problem(X, y)"
    elif hasattr(value, "X") and hasattr(value, "y"):
        fix = f'write wb.{owner}(wb.Problem(data.X, data.y, "hinge", lam=0.01))'
    elif hasattr(value, "alpha"):
        fix = f"write wb.{owner}(problem, ...); solve and Run take a solution as warm_start=solution"
    else:
        targets = np.asarray(second)
        is_label = targets.ndim != 1 or np.unique(targets).size <= 2
        fix = f'write wb.{owner}(wb.Problem(X, y, "{"hinge" if is_label else "squared"}", lam=0.01))'
    raise InputError(f"{owner}: the first argument is of type {kind} where a Problem is needed; {fix}")


class Problem(Carded):
    """min over w of  (1/n) sum_i c_i f(w.x_i, y_i) + lam g(w), and its dual. Zhang (2) and (8).

    Parameters
    ----------
    X : array_like or sparse matrix (n, d)
        The samples, one a row; finite.
    y : array_like (n,)
        Labels -1 and +1 for a margin loss (False and True, or 0 and 1, stand for them), 0 to r - 1 for one of
        r classes, finite targets otherwise; None for a loss of the prediction alone, such as "negative-log".
        (n, r) for r columns of labels or targets: a sample's loss is then the sum over its r predictions.
    loss : str or Loss
        "hinge", "epsilon-insensitive:epsilon=0.1,p=2", or an object of `workbench.losses`.
    regularizer : str or Regularizer
        "squared-l2", "elastic-net:epsilon=0.1", or an object of `workbench.regularizers`. With SquaredL2(K),
        K a matrix, the attribute is SquaredL2() of the whitened design.
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
    constraints : (C, b) or (C, b, "<="), optional
        Constraints C v = b or C v <= b on the dual, C (r, D) on the columns of the design, b (r,); a list has
        the sense of each row. The primal then has r multipliers, see `workbench.problems.constraints`.
    weight_constraints : (A, c) or (A, c, "<="), optional
        Constraints A w = c or A w <= c on the weights, A (r, d) on the columns that the caller gave, c (r,).
        The dual then has r multipliers, see `workbench.problems.regularizers.constrained`.

    Attributes
    ----------
    design : Design
        X with the constant feature and the embedding, as float64 (n, D): by rows, by columns or dense.
    rows : csr_array (n, D)
        The design's rows.
    sign, shift, weight : ndarray (n,)
        Sample i has f(z) = weight_i p(sign_i z + shift_i) with the loss's p.
    transfer : Transfer
        The regularizer on the D columns of the design; on the entries of w (D, r) with r classes.
    columns : () or (r,)
        What the shape of w, of alpha and of z has behind D or n: r classes or columns of y, or nothing.
    kernel_matrix : KernelMatrix
        K on the samples; that of the linear kernel where none is given.

    Raises
    ------
    InputError
        Names what is wrong: the entry of X or y, the parameter, the name.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> problem = wb.Problem(X, y, loss="hinge", lam=0.1)
    >>> problem.n_samples, problem.n_features
    (4, 2)
    """

    _card = "problem"

    data: Data
    loss: losses.Loss
    regularizer: regularizers.Regularizer
    lam: float
    # u = sign z + shift is the loss's argument, in the shape of y each.
    sign: Floats
    shift: Floats
    # (r,) with r classes or columns of y, else ().
    columns: tuple[int, ...]
    transfer: Transfer | NormTransfer
    # The last predictions at which a solver asked for the losses, with what it found.
    last_losses = None

    def __init__(
        self,
        X: ArrayLike | sp.sparray | sp.spmatrix,
        y: ArrayLike | None,
        loss: str | losses.Loss = "hinge",
        regularizer: str | regularizers.Regularizer = "squared-l2",
        lam: float = 1e-3,
        bias: bool | str = False,
        embed: str | None = None,
        sample_weight: ArrayLike | None = None,
        kernel: str | kernels.Kernel | None = None,
        constraints: Sequence[Any] | None = None,
        weight_constraints: Sequence[Any] | None = None,
        **unknown: Never,
    ) -> None:
        if unknown:
            names = [name for name in inspect.signature(Problem).parameters if name != "unknown"]
            check_parameters("problem", unknown, names)
        loss = losses.get(loss)
        if y is None and loss.kind != "prediction":
            raise InputError(f"y is None, and the {loss.name} loss needs targets; give one for each row of X")
        if loss.kind == "margin":
            y = _signed(y)
        data = Data.of(X, y, bias, embed, sample_weight, kernel, constraints, weight_constraints)
        self._assemble(data, loss, regularizer, lam)

    def _assemble(
        self, data: Data, loss: str | losses.Loss, regularizer: str | regularizers.Regularizer, lam: float
    ) -> None:
        """Make the problem of data and an objective: the one way to any problem."""
        regularizer = regularizers.get(regularizer)
        if regularizer.matrix is not None:
            data, regularizer = data.unwhitened().whitened(regularizer.matrix), regularizers.SquaredL2()
        self._set(
            data=data,
            loss=losses.get(loss),
            regularizer=regularizer,
            lam=check_number("problem", "lam", lam, above=0.0, usual=1e-2),
        )
        if self.kernel is not None:
            compatible.check_kernel(self)
        if self.y.ndim > 1:
            compatible.check_columns(self)
        sign, shift = _sign_and_shift(self.loss, self.y)
        columns = (self.loss.outputs(self.y),) if isinstance(self.loss, SimplexLoss) else self.y.shape[1:]
        self._set(sign=sign, shift=shift, columns=columns)
        self._set(transfer=self.regularizer.at(self.design.shape[1], *columns))
        attainable.check(self)
        if self.constraints is not None or self.weight_constraints is not None:
            compatible.check_constrained(self)
        if self.weight_constraints is not None:
            self._set(transfer=Constrained(self.transfer, self.weight_constraints))
        for array in (sign, shift):
            array.setflags(write=False)
        if self.kernel is not None:
            self.kernel_matrix  # noqa: B018 - refuses samples at which the kernel overflows

    def _set(self, **attributes: object) -> None:
        for name, value in attributes.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(
            f"a Problem does not change, so {name} cannot be set; make another one with "
            "problem.replace(loss=..., regularizer=..., lam=...), or with Problem(...) for other data"
        )

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a Problem does not change, so {name} cannot be deleted; make another one")

    @classmethod
    def _of(
        cls, data: Data, loss: str | losses.Loss, regularizer: str | regularizers.Regularizer, lam: float
    ) -> Problem:
        problem = object.__new__(cls)
        problem._assemble(data, loss, regularizer, lam)
        return problem

    @property
    def proof_status(self) -> dict[str, dict[str, str]]:
        """{term: {claim: "proved" or "checked"}} of loss and regularizer; a gap needs "bound"."""
        return claims.proof_status(self)

    def __reduce__(self) -> tuple[Callable[..., Problem], tuple[object, ...]]:
        return Problem._of, (self.data, self.loss, self.regularizer, self.lam)

    def replace(
        self,
        loss: str | losses.Loss | None = None,
        regularizer: str | regularizers.Regularizer | None = None,
        lam: float | None = None,
    ) -> Problem:
        """Return a problem on the same data with another loss, regularizer or lambda; nothing is copied."""
        return Problem._of(
            self.data if regularizer is None else self.data.unwhitened(),
            self.loss if loss is None else loss,
            self.regularizer if regularizer is None else regularizer,
            self.lam if lam is None else lam,
        )

    @functools.cached_property
    def tasks(self) -> tuple[Problem, ...]:
        """One problem for each column of y (n, r), with squared l2 in place of the regularizer; else none."""
        columns = np.ascontiguousarray(self.y.T) if self.y.ndim > 1 else ()
        data = (dataclasses.replace(self.data, y=column) for column in columns)
        return tuple(Problem._of(part, self.loss, "squared-l2", self.lam) for part in data)

    @functools.cached_property
    def unconstrained(self) -> Problem:
        """The same problem without constraints and unregularized bias."""
        return self._with(self.data.unconstrained())

    @property
    def centred(self) -> Problem:
        """The same problem as its solver sees it: columns far from zero are centred where a bias is free.

        Weights, dual variables and objective are the same, and `inward` and `outward` translate the bias; the
        problem itself where no column is far from zero. With `has_factored_kernel` it has features, the rows
        of L where K = LL', and its dual variables are those of this problem.
        """
        return self._moved or self

    @functools.cached_property
    def _moved(self) -> Problem | None:
        """The centred problem; None for the problem itself, which would keep itself in memory."""
        if self.has_factored_kernel:
            return Problem._of(self.data.factored, self.loss, self.regularizer, self.lam).centred
        data = self.data.centred
        return None if data is self.data else self._with(data)

    def _with(self, data: Data) -> Problem:
        """Return the same objective on other data of the same shape, targets and weights."""
        names = ("loss", "regularizer", "lam", "sign", "shift", "columns", "transfer")
        problem = object.__new__(Problem)
        problem._set(data=data, **{name: getattr(self, name) for name in names})
        if isinstance(self.transfer, Constrained) and data.weight_constraints is None:
            problem._set(transfer=self.transfer.base)
        return problem

    def inward(self, w: Floats, b: float | Floats) -> float | Floats:
        """Return the caller's unregularized bias as that of the design's columns; w (D,) is on these."""
        return b if self.origin is None else centring.moved(b, w, self.origin)

    def outward(self, w: Floats, b: float | Floats) -> float | Floats:
        """Return the unregularized bias of the design's columns as the caller's, rounded."""
        return b if self.origin is None else centring.moved(b, w, -self.origin)

    # The data by their names

    n_features = _OfData[int]("n_features", "The columns d that the caller gave.")
    design = _OfData[Design]("design", "X with the constant feature and the embedding, a `Design` (n, D).")
    rows = _OfData[sp.csr_array]("design.rows", "The rows of the design, csr_array (n, D).")
    row_arrays = _OfData[Arrays](
        "design.row_arrays", "The rows' offsets, column indices and values as a kernel reads them."
    )
    lean_arrays = _OfData[Arrays](
        "design.lean_arrays", "`row_arrays`, but without values where each of them is 1."
    )
    weighted = _OfData[Design](
        "weighted", "The design with row i times the root of its weight, as least squares sees it."
    )
    y = _OfData[Floats]("y", "The targets (n,).")
    labels = _OfData[Integers]("labels", "The targets as integers, the classes of a loss of r classes.")
    weight = _OfData[Floats]("weight", "The samples' weights c_i, (n,).")
    bias = _OfData[BiasChoice]("bias", 'False, "constant" or True.')
    embed = _OfData[Literal["balanced"] | None]("embed", 'None or "balanced".')
    kernel = _OfData[kernels.Kernel | None]("kernel", "The kernel K(x, x'), or None.")
    gram = _OfData[Floats | None]("gram", "The given matrix of a precomputed kernel, (n, n), or None.")
    kernel_matrix = _OfData[kernels.KernelMatrix](
        "kernel_matrix", "K on the samples, or x.x' without a kernel."
    )
    origin = _OfData[Floats | None](
        "origin", "What was subtracted from each column of the design, (D,); None where nothing was."
    )
    constraints = _OfData[Constraints | None](
        "constraints", "The constraints on the dual that were given, or None."
    )
    weight_constraints = _OfData[Constraints | None](
        "weight_constraints", "The constraints on the weights of the design, or None."
    )

    @functools.cached_property
    def n_samples(self) -> int:
        """The number of samples."""
        return int(self.design.shape[0])

    @functools.cached_property
    def has_boxes(self) -> bool:
        """True if the dual is a quadratic program over boxes with an end at zero, as that of the hinge."""
        hinge = self.loss.hinge
        return self.loss.kind == "margin" and hinge is not None and hinge[1] > 0.0

    @property
    def has_factored_kernel(self) -> bool:
        """True if the bias is free beside a kernel and no pair of dual variables is a closed step."""
        return self.kernel is not None and self.free_bias and not self.has_boxes

    @functools.cached_property
    def free_bias(self) -> bool:
        """True if there is an unregularized bias."""
        return self.data.bias is True

    @functools.cached_property
    def dual_constraints(self) -> Constraints:
        """The constraints on the dual: those given, or that of an unregularized bias, or no row."""
        if self.constraints is not None:
            return self.constraints
        bias = Constraints.for_bias(self.n_samples)
        return bias if self.free_bias else bias.only(np.zeros(1, dtype=bool))

    @functools.cached_property
    def is_constrained(self) -> bool:
        """True if there are constraints on the dual or on the weights, other than that of a bias."""
        return self.constraints is not None or self.weight_constraints is not None

    @functools.cached_property
    def lam_n(self) -> float:
        """Product of lam and n, the divisor of v = X'alpha / (lam n)."""
        return self.lam * self.n_samples

    @functools.cached_property
    def is_unweighted(self) -> bool:
        """True if the weight of every sample is 1."""
        return bool((self.weight == 1.0).all())

    @functools.cached_property
    def curvature_bound(self) -> Floats | None:
        """An upper bound of each x_i' h'' x_i / (lam n), (n,); None where h has none."""
        if self.regularizer.is_identity:
            return self.design.squares[0] / self.lam_n
        return self.regularizer.curvature_bound(self.rows, self.lam_n)

    @functools.cached_property
    def least_squares(self) -> least_squares.LeastSquares | None:
        """The targets and the curvature of least squares; None where the loss is not a parabola."""
        return least_squares.of(self)

    @functools.cached_property
    def zero_value(self) -> float:
        """The mean loss at z = 0."""
        if self.tasks:
            return sum(task.zero_value for task in self.tasks)
        if isinstance(self.loss, SimplexLoss):
            return float(np.mean(self.weight)) * self.loss.zero_value(*self.columns)
        value, theta = self.loss.scalar("value"), self.loss.theta
        if self.shift.any():
            at_zero = self.loss_sum(np.zeros(self.n_samples)) / self.n_samples
        else:
            at_zero = float(value(0.0, theta) * self.weight.mean())
        # -ln z: infinite at zero, it varies by about one where z changes by a factor.
        return at_zero if np.isfinite(at_zero) else float(self.weight.mean())

    @functools.cached_property
    def gap_scale(self) -> float:
        """The scale against which a gap is small: P(0), or less where the loss outgrows a fourth power.

        exp(200), the loss exp(u) of a target of -200, says nothing of losses near an optimum.
        """
        scale, loss = self.zero_value, self.loss
        if self.columns or not self.shift.any() or min(loss.lipschitz, loss.curvature) < np.inf:
            return scale
        for k in range(1, HALVINGS + 1):
            z = self.sign * (0.5**k - 1.0) * self.shift
            scale = min(scale, 16.0**k * self.loss_sum(z) / self.n_samples)
        return scale

    @functools.cached_property
    def prediction_ends(self) -> tuple[Floats, Floats] | None:
        """The least and the largest predictions (n,) with finite losses; None where all have."""
        return feasibility.ends(self)

    @functools.cached_property
    def jumps(self) -> bool:
        """True if the loss jumps to infinity; one that rises to it, as -ln z, keeps its solver inside."""
        return not self.columns and any(self.loss.jumps)

    @functools.cached_property
    def feasibility(self) -> feasibility.Feasibility:
        """Weights with finite losses, or a dual ray that excludes them."""
        return feasibility.find(self)

    @functools.cached_property
    def samples(self) -> Samples:
        """The samples' side as compiled functions take it; its loss has one prediction a sample."""
        from workbench.kernels.arrays import Samples  # late, since numba is slow to import

        entry, theta = self.loss.entry, self.loss.theta
        theta.setflags(write=False)
        ends = float(entry["lower"]), float(entry["upper"])
        return Samples(self.sign, self.shift, self.weight, theta, *ends)

    def loss_sum(self, z: ArrayLike) -> float:
        """Sum the losses f(z_i) at predictions z (n,)."""
        from workbench.kernels.sample_loops import each_piece, value_sum

        value, kernel, samples = self.loss.scalar("value"), value_sum(), self.samples
        z = np.ascontiguousarray(z, dtype=float)
        return float(sum(each_piece(z.shape[0], lambda *piece: kernel(value, samples, z, 0.0, *piece))))

    def nu(self, alpha: Floats, chosen: slice | Integers = EVERY) -> Floats:
        """Convert dual variables to the loss's own dual coordinate nu = -alpha / (c s), of chosen samples."""
        return -alpha / (self.weight[chosen] * self.sign[chosen])

    def alpha(self, nu: Floats, chosen: slice | Integers = EVERY) -> Floats:
        """Convert dual coordinates to dual variables, which rounding keeps in the domain of p*."""
        alpha, entry = 0.0 - (self.weight[chosen] * self.sign[chosen]) * nu, self.loss.entry
        back = self.nu(alpha, chosen)
        outside = (back < entry["lower"]) | (back > entry["upper"])
        return np.where(outside, np.nextafter(alpha, 0.0), alpha) if outside.any() else alpha

    def dual_ends(self, chosen: slice | Integers = EVERY) -> tuple[Floats, Floats]:
        """Return the lowest and highest dual variables where k(-alpha_i) is finite, of chosen samples."""
        entry, sign = self.loss.entry, self.sign[chosen]
        ends = [self.alpha(np.full(sign.shape, entry[end]), chosen) for end in ("lower", "upper")]
        return np.minimum(*ends), np.maximum(*ends)

    def argument(self, z: Floats, chosen: slice | Integers = EVERY) -> Floats:
        """Return the loss's argument u = s z + t of chosen samples."""
        return self.sign[chosen] * z + self.shift[chosen]

    def dual_vector(self, alpha: Floats) -> Floats:
        """Compute v = X'alpha / (lam n) on the columns of the design."""
        return self.design.transposed(alpha) / self.lam_n

    def split(self, w: Floats, b: float | Floats = 0.0) -> tuple[Floats, float | Floats]:
        """Weights of the design (and an unregularized bias) as weights and bias in the caller's features."""
        self._check_weights()
        if self.data.factor is not None:
            w = scipy.linalg.solve_triangular(self.data.factor, w, trans="T", lower=True)
        if self.embed == "balanced":
            half = w.shape[0] // 2
            w = w[:half] - w[half:]
        if self.bias == "constant":
            return w[:-1].copy(), w[-1].copy() if self.columns else float(w[-1])
        return w.copy(), b

    def join(self, w: ArrayLike, b: ArrayLike = 0.0) -> Floats:
        """Weights and regularized bias of the caller as weights of the design."""
        self._check_weights()
        w = check_targets("w", w, self.n_features, self.columns)
        if self.bias == "constant" and self.columns:
            w = np.vstack([w, check_targets("b", np.broadcast_to(b, self.columns), self.columns[0])])
        elif self.bias == "constant":
            w = np.append(w, check_number("certificate", "b", b))
        elif np.any(b):
            raise InputError(f"b = {shown(b)} needs a problem with a bias; make it with bias=True")
        if self.embed == "balanced":
            w = np.concatenate(self.regularizer.halves(w))
        return w if self.data.factor is None else self.data.factor.T @ w

    def regularized(self, w: Floats, multipliers: Floats | None) -> Floats:
        """Return w_0 = w - C's, the part of the weights that g takes: all of w without constraints."""
        if multipliers is None or self.constraints is None or self.constraints.C is None:
            return w
        part: Floats = w - self.constraints.C.T @ multipliers
        return part

    def _check_weights(self) -> None:
        if self.kernel is not None:
            raise InputError(f"w is not available with {self.kernel!r}; give alpha, or leave the kernel out")

    @functools.cached_property
    def digest(self) -> str:
        """A fingerprint of everything the solution depends on."""
        names = (self.data.digest, self.loss.key, self.regularizer.key, self.lam)
        state = hashlib.sha256(repr(names).encode())
        for array in (self.loss.theta, self.transfer.theta, self.transfer.weights):
            state.update(np.ascontiguousarray(array).data)
        return state.hexdigest()

    def __repr__(self) -> str:
        said = self.regularizer.formula_text
        if self.data.factor is not None:
            said = "w'Kw / 2 with a matrix K"
        return (
            f"Problem(n={self.n_samples}, d={self.n_features}, non-zeros={self.design.nnz}, "
            f"loss={self.loss!r}, regularizer={self.regularizer!r}{said and f' [{said}]'}, lam={self.lam:g}"
            f"{'' if self.kernel is None else f', kernel={self.kernel!r}'})"
        )


def _signed(y: ArrayLike | None) -> ArrayLike | None:
    """Return labels 0 and 1, or truths, as -1 and +1; anything else as it is."""
    try:
        labels = np.asarray(y)
    except ValueError:  # of rows of several lengths, which `check_targets` refuses
        return y
    is_number = labels.dtype.kind in "iuf" and labels.size
    is_binary = is_number and ((labels == 0) | (labels == 1)).all() and np.ptp(labels) == 1
    return 2.0 * labels - 1.0 if is_binary or labels.dtype.kind == "b" else y


def _sign_and_shift(loss: losses.Loss, y: Floats) -> tuple[Floats, Floats]:
    if loss.kind == "margin":
        right = (y == 1.0) | (y == -1.0)
        if not right.all():
            bad = tuple(np.argwhere(~right)[0].tolist())
            raise InputError(
                f"y[{', '.join(map(str, bad))}] is {y[bad]:g}; the {loss.name} loss needs labels -1 and +1: "
                "pass np.where(y == positive_class, 1, -1)"
            )
        return y, np.zeros(y.shape)
    return np.ones(y.shape), -y if loss.kind == "residual" else np.zeros(y.shape)
