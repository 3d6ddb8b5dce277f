"""scikit-learn estimators over the same solvers: linear classifiers and regressors, and the kernel SVM.

The objective is  (1 / sum c) sum_i c_i f(w.x_i + b, y_i) + lam g(w)  with the sample weights c, so that a
weight of 2 is a sample given twice and a weight of 0 a sample left out. The attribute `solution_` keeps
the certificate.

The intercept b is what scikit-learn's is: not regularized. With `penalize_intercept=True` it is the weight of
a feature that is always 1, regularized like the others.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from sklearn import exceptions
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils._missing import is_pandas_na, is_scalar_nan
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from workbench import solvers
from workbench._support.display.options import as_options
from workbench._support.display.progress import reporting
from workbench._support.errors import ConvergenceWarning, InputError, shown
from workbench._support.names import Public, check_effort, check_number, check_whole
from workbench.kernels import compilation
from workbench.kernels.formulas import LOSSES
from workbench.problems import Problem, intercept, losses, regularizers
from workbench.problems.design import as_numbers, check_unmasked, check_weights
from workbench.problems.losses.multinomial import Multinomial
from workbench.problems.problem import check_parameters
from workbench.problems.regularizers.p_norm import PNorm
from workbench.solvers import auto
from workbench.solvers.algorithms.primal_gradient import KNOWN
from workbench.solvers.solution import Solution, reach, warn_unconverged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from numpy.typing import NDArray

    from workbench._support.annotations import BiasChoice, Booleans, Floats, Integers, Rows
    from workbench.problems.kernels import Kernel
    from workbench.problems.losses.base import Loss
    from workbench.problems.regularizers.base import Regularizer
    from workbench.solvers.contract import Solver

# A fit to at most SMALL entries goes on as far as floats do, for at most POLISHING epochs: then weights and
# repeated samples give the same model to seven digits, which a gap of 1e-4 does not promise.
SMALL, POLISHING = 2000, 20_000
# Where a loss is smooth the gap goes with the square of the distance, and no float tells one this small.
POLISHED = 1e-20


RandomState: TypeAlias = "int | np.random.RandomState | np.random.Generator | None"
# scikit-learn's own checks look for these words.
COMPLEX = "Complex data not supported"
NUMBERS = "give a number for each sample"
# What messages about a problem and its solution say in the words of estimators.
WORDS = {"bias": intercept.ARGUMENTS, "max_epochs": "max_iter=", "seed": "random_state="}


class Unconverged(
    ConvergenceWarning,
    exceptions.ConvergenceWarning,  # type: ignore[misc]  # scikit-learn is untyped
):
    """An estimator did not reach its gap: the warning of the workbench, and scikit-learn's."""


def _validated(estimator: _Dual, X: Any, *y: Any, **options: Any) -> Any:
    """Return X, or X and y, as scikit-learn's `validate_data` does; refuse what it would misread.

    Raises
    ------
    InputError
        Two columns of one name, names of several types; masked entries, complex numbers, missing labels.
    """
    columns = getattr(X, "columns", None)
    if columns is not None:
        types = {type(name): name for name in columns}
        if len(types) > 1 and str in types:
            texts, other = types.pop(str), next(iter(types.values()))
            raise InputError(
                f"X has column names of several types, such as {texts!r} and {shown(other)}; "
                "write X.columns = X.columns.astype(str)"
            )
        names, counts = np.unique(np.array([str(name) for name in columns], dtype=object), return_counts=True)
        if (counts > 1).any():
            name = names[counts > 1][0]
            raise InputError(
                f"X has {counts.max()} columns named {name!r}; rename them, or drop all but the first: write "
                "X = X.loc[:, ~X.columns.duplicated()]"
            )
    check_unmasked("X", X)
    if any(getattr(dtype, "kind", "") == "c" for dtype in _dtypes(X)):
        raise InputError(f"{COMPLEX}: X holds complex numbers; pass the real parts, such as np.real(X)")
    targets = [_plain_targets(values, options.get("y_numeric", False)) for values in y]
    return validate_data(estimator, X, *targets, accept_sparse="csr", dtype=float, **options)


def _dtypes(X: object) -> Iterable[object]:
    """Return the dtypes of an array, or of a DataFrame's columns; none of anything else."""
    dtypes = getattr(X, "dtypes", None)
    return [getattr(X, "dtype", np.dtype(float))] if dtypes is None else np.ravel(dtypes)


def _plain_targets(y: Any, are_numbers: bool) -> Any:
    """Return targets; objects that are all numbers as an array of numbers.

    Raises
    ------
    InputError
        Masked entries, complex numbers, a missing entry; other values than numbers where these are needed.
    """
    check_unmasked("y", y)
    try:
        array = np.asarray(y)
    except ValueError:  # rows of several lengths, of which scikit-learn says it
        return y
    if array.dtype.kind == "c":
        raise InputError(f"{COMPLEX}: y holds complex numbers; pass the real parts, such as np.real(y)")
    if array.ndim == 0 or array.dtype.kind in "iufb":
        return y
    if array.dtype.kind != "O":
        return as_numbers("y", array, NUMBERS) if are_numbers else y
    values = array.ravel().tolist()
    for place, value in enumerate(values):
        if value is None or is_pandas_na(value) or is_scalar_nan(value):
            raise InputError(f"y[{place}] is {value}; leave out the samples without a target")
    if are_numbers:
        return as_numbers("y", array, NUMBERS)
    plain = np.array(values) if all(isinstance(value, Real | np.bool_) for value in values) else array
    return y if plain.dtype.kind == "O" else plain.reshape(array.shape)


def _weights_of(sample_weight: ArrayLike | None, X: Rows) -> Floats | float | None:
    """Return sample weights as floats, finite and 0 or more; None and one number for all as they are."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Real):
        return float(sample_weight)
    return check_weights(sample_weight, X.shape[0])


class _Dual(Public, BaseEstimator):  # type: ignore[misc]  # scikit-learn is untyped
    """The base of the estimators: checks, weights, one solve, linear predictions."""

    lam: float
    tol: float
    max_iter: float | None
    loss: str | Loss
    regularizer: str | Regularizer
    fit_intercept: bool
    penalize_intercept: bool | None
    solver: str | Solver
    random_state: RandomState
    verbose: int
    solution_: Solution
    n_iter_: int
    # The intercept where nothing is said of its penalty.
    _usual_bias: BiasChoice = True

    def __new__(cls, *_args: object, **options: object) -> Self:
        names = inspect.signature(cls.__init__).parameters
        if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in names.values()):
            check_parameters(cls.__name__, options.keys() - names.keys(), list(names)[1:])
        estimator: Self = super().__new__(cls)
        return estimator

    def _fit(self, X: Rows, y: Floats, sample_weight: Floats | float | None) -> Booleans:
        """Solve for numeric targets; the problem of subclasses."""
        owner = type(self).__name__
        lam = check_number(owner, "lam", self.lam, above=0.0, usual=1e-3)
        tol, max_iter = check_effort(owner, self.tol, self.max_iter, "max_iter")
        weight = _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)
        weighted: Booleans = weight > 0.0
        if not weighted.all():
            X, y, weight = X[weighted], y[weighted], weight[weighted]
        # lam times the mean weight, so that the sum of the weights takes the place of n.
        small = X.shape[0] * X.shape[1] <= SMALL
        options: dict[str, Any] = {"tol": tol, "max_epochs": max_iter, "seed": self._seed()}
        with _in_words(), reporting(owner, self.verbose):
            problem = self._problem(X, y, lam * weight.mean(), weight)
            solver = _solving(problem, self._solver(), X.shape[0] if small else 1)
            runs = reach(problem, solver, **options)
            self.solution_ = Solution.of(*runs)
            is_primal = isinstance(solver, solvers.PrimalGradient)
            if small and not is_primal and self.solution_.status == "converged":
                left = POLISHING if max_iter is None else max(1e-9, max_iter - self.solution_.epochs)
                options |= {"tol": POLISHED, "max_epochs": left, "warm_start": self.solution_}
                refined_solution = Solution.of(*reach(problem, solver, **options))
                self.solution_ = _polished(self.solution_, refined_solution)
        compilation.progress["solves"] += 1
        warn_unconverged(runs[-1], self.solution_, Unconverged, stacklevel=4, words=WORDS)
        self.n_iter_ = _iterations(self.solution_)
        return weighted

    def _problem(self, X: Rows, y: Floats, lam: float, weight: Floats) -> Problem:
        bias, regularizer = self._chosen_bias(), self._made_regularizer()
        return Problem(X, y, self._made_loss(), regularizer, lam, bias=bias, sample_weight=weight)

    def _fit_parts(self, X: Any, y: Any) -> None:
        """Solve for dask arrays, a part each block of rows, on the client at hand, else in processes."""
        import workbench  # late: what it names is made of these modules

        owner = type(self).__name__
        if self.solver != auto.NAME:
            raise InputError(f"{owner}: solver = {shown(self.solver)} is not for dask arrays; leave it out")
        # An intercept that is not regularized ties all parts; a regularized one does not.
        bias = self._chosen_bias("constant")
        options = {"tol": self.tol, "max_epochs": self.max_iter, "seed": self._seed()}
        with _in_words(), reporting(owner, self.verbose):
            terms = self._made_loss(), self._made_regularizer(), self.lam, bias
            self.solution_ = workbench.DistributedProblem((X, y), *terms).solve(
                client=_client_at_hand(), **options
            )
        warn_unconverged(None, self.solution_, Unconverged, stacklevel=4, words=WORDS)
        self.n_features_in_, self.n_iter_ = X.shape[1], _iterations(self.solution_)

    def _chosen_bias(self, usual: BiasChoice | None = None) -> BiasChoice:
        """Return the bias of the problem."""
        usual, owner = self._usual_bias if usual is None else usual, type(self).__name__
        return intercept.bias_of(owner, self.fit_intercept, self.penalize_intercept, usual)

    def _made_regularizer(self) -> str | Regularizer:
        """Return the regularizer, of weights that are 0 or more where the estimator has `positive`."""
        positive, owner = getattr(self, "positive", False), type(self).__name__
        if not isinstance(positive, bool | np.bool_):
            raise InputError(f"{owner}: positive = {shown(positive)} is not known; use True or False")
        if not positive:
            return self.regularizer
        if self._chosen_bias() == "constant":
            raise InputError(
                f"{owner}: positive=True would hold a penalized intercept at 0 or more, too; leave "
                "penalize_intercept out"
            )
        return regularizers.get(self.regularizer).nonnegative()

    def _made_loss(self) -> Loss:
        return losses.get(self.loss)

    def _solver(self) -> str | Solver:
        return self.solver

    def _seed(self) -> int:
        state = self.random_state
        if isinstance(state, np.random.Generator):
            return int(state.integers(2**31 - 1))
        if isinstance(state, np.random.RandomState):
            return int(state.randint(2**31 - 1))
        owner = type(self).__name__
        return 0 if state is None else check_whole(owner, "random_state", state, 0, 2**63 - 1)

    def _values(self, X: Any) -> Any:
        check_is_fitted(self)
        if _in_blocks(X):
            return X.rechunk({1: -1}).map_blocks(self.solution_.decision_function, drop_axis=1, dtype=float)
        X = _validated(self, X, reset=False)
        return self.solution_.decision_function(X)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if hasattr(self, name)]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _in_blocks(X: object) -> bool:
    """Check if X is a dask array."""
    return hasattr(X, "__dask_graph__") and hasattr(X, "map_blocks")


def _client_at_hand() -> Any:
    """Return the Dask client that the user has made, or None."""
    from dask.distributed import default_client

    try:
        return default_client()  # type: ignore[no-untyped-call]  # distributed is untyped
    except ValueError:
        return None


def _solving(problem: Problem, solver: str | Solver, batch: int) -> str | Solver:
    """Look up the solver of a name or an object; an online rule, which solves no problem, is refused.

    By its name, primal-gradient takes `batch` samples a step, all of them where little work is to be done,
    since the order of its draws would decide, and keeps to a ball where the regularizer has one.
    """
    if solver == auto.NAME:
        return solver
    if solver == solvers.PrimalGradient.name:
        rule = solvers.PrimalGradient(batch, "shuffled")
        solver = dataclasses.replace(rule, ball=KNOWN) if rule.has_ball(problem) else rule
    chosen = solvers.get(solver)
    if not chosen.converges:
        raise InputError(f"solver: {chosen.name} is an online rule that solves nothing to fit; use 'auto'")
    return chosen


@contextlib.contextmanager
def _in_words() -> Iterator[None]:
    """Say errors about a problem in the words of estimators."""
    try:
        yield
    except InputError as error:
        error.args = (as_options(str(error), WORDS), *error.args[1:])
        raise


def _iterations(solution: Solution) -> int:
    """Return the passes over the samples, the last one counted whole."""
    return max(1, math.ceil(solution.epochs))


def _polished(solution: Solution, further: Solution) -> Solution:
    """Return the further solution, with the first one's status, if its gap is smaller; else the first one."""
    if not further.relative_gap <= solution.relative_gap:
        return solution
    return dataclasses.replace(further, status=solution.status, epochs=solution.epochs + further.epochs)


def _has_probabilities(classifier: _Classifier) -> bool:
    return classifier._made_loss().is_likelihood


Method = TypeVar("Method", bound="Callable[..., Any]")
_where_likelihood: Callable[[Method], Method] = available_if(_has_probabilities)


class _Classifier(ClassifierMixin, _Dual):  # type: ignore[misc]  # scikit-learn is untyped
    """Labels of any two kinds as -1 and +1, and weights of the classes."""

    class_weight: dict[object, float] | str | None
    classes_: NDArray[Any]
    coef_: Floats
    intercept_: Floats

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit; y has two classes, sample_weight (n,) is 0 or more.

        X (n, d) and y (n,) may be dask arrays, without weights: see `_fit_parts`.
        """
        if _in_blocks(X):
            return self._fit_blocks(X, y, sample_weight)
        X, y = _validated(self, X, y)
        weights = _weights_of(sample_weight, X)
        check_classification_targets(y)
        self.classes_, place = np.unique(y, return_inverse=True)
        self._check_classes()
        weights = self._weighted(X, np.asarray(y), place, weights)
        self._finish(self._fit(X, np.where(place == 1, 1.0, -1.0), weights))
        return self

    def _check_classes(self) -> None:
        if self.classes_.size > 2:
            raise ValueError(
                f"Only binary classification is supported. y has {self.classes_.size} classes; wrap this "
                "estimator in sklearn.multiclass.OneVsRestClassifier"
            )
        if self.classes_.size < 2:
            raise ValueError(f"y has one class only, {shown(self.classes_[0])}; give samples of two classes")

    def _fit_blocks(self, X: Any, y: Any, sample_weight: ArrayLike | None) -> Self:
        import dask.array as da

        owner = type(self).__name__
        if sample_weight is not None or self.class_weight is not None or not hasattr(self, "solver"):
            raise InputError(
                f"{owner}: weights, and other estimators than DualClassifier, take no dask "
                f"arrays; "
                "give arrays of NumPy"
            )
        if not _in_blocks(y):
            raise InputError(
                f"{owner}: X is a dask array and y is not; give dask.array.from_array(y, chunks=...)"
            )
        self.classes_ = da.unique(y).compute()
        self._check_classes()
        self._fit_parts(X, da.where(y == self.classes_[1], 1.0, -1.0))
        self._finish(None)
        return self

    def _weighted(
        self, X: Rows, y: NDArray[Any], place: Integers, sample_weight: Floats | float | None
    ) -> Floats | float | None:
        """Multiply the samples' weights by those of their classes."""
        if sample_weight is not None:
            weight = _check_sample_weight(sample_weight, X, dtype=float)
            absent = np.flatnonzero(np.bincount(place, weight > 0.0) == 0.0)
            if absent.size:
                raise InputError(
                    f"sample_weight is 0 for all samples of class {shown(self.classes_[absent[0]])}; give "
                    "one of them a weight above 0, or leave the class out of X and y"
                )
        if self.class_weight is None:
            return sample_weight
        weight = _check_sample_weight(sample_weight, X, dtype=float)
        options = {"classes": self.classes_, "y": y, "sample_weight": sample_weight}
        factors = compute_class_weight(self.class_weight, **options)
        weights: Floats = weight * factors[place]
        return weights

    def _finish(self, weighted: Booleans | None) -> None:
        assert self.solution_.w is not None  # without a kernel
        self.coef_, self.intercept_ = self.solution_.w[None, :], np.array([self.solution_.b])

    def decision_function(self, X: ArrayLike) -> NDArray[Any]:
        """Above zero for the second class, (m,)."""
        predictions: NDArray[Any] = self._values(X)
        return predictions

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class of each sample, (m,)."""
        place = (self._values(X) > 0.0).astype(int)
        if _in_blocks(place):
            blocks: NDArray[Any] = place.map_blocks(self.classes_.__getitem__, dtype=self.classes_.dtype)
            return blocks
        labels: NDArray[Any] = self.classes_[place]
        return labels

    @_where_likelihood
    def predict_log_proba(self, X: ArrayLike) -> NDArray[Any]:
        """Predict ln of the probability of each class, (m, r), for losses of which e^-loss is one."""
        z = self._values(X)
        return self._made_loss().log_probabilities(z)

    @_where_likelihood
    def predict_proba(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the probability of each class, (m, r), for losses of which e^-loss is one."""
        probabilities: NDArray[Any] = np.exp(self.predict_log_proba(X))
        return probabilities

    def __getattr__(self, name: str) -> Any:
        # Called for a missing attribute: name the losses that have it.
        if name in ("predict_proba", "predict_log_proba"):
            raise AttributeError(f"{name}: {self._without_probabilities()}")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _without_probabilities(self) -> str:
        try:
            loss = self._made_loss()
        except InputError as error:
            return str(error)
        having = [f"loss={name!r}" for name, row in LOSSES.items() if row["likelihood"]]
        instead = [*(having if "loss" in self.get_params() else ()), "MultinomialClassifier"]
        return (
            f"{type(self).__name__} has no probabilities, since e^-loss is not one for the {loss.name} loss; "
            f"use {', '.join(instead)}, or sklearn.calibration.CalibratedClassifierCV around this estimator"
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


@dataclass(eq=False, repr=False)
class DualClassifier(_Classifier):
    """A linear classifier: any margin loss with any regularizer.

    It minimizes (1 / sum c) sum_i c_i p(y_i (w.x_i + b)) + lam g(w) with y_i = 1 for the second class and -1
    for the first one.

    Parameters
    ----------
    loss, regularizer : str or object
        As for `Problem`.
    lam : float
        The weight of the regularizer.
    fit_intercept : bool
        True if there is an intercept.
    solver : str or solver
        As for `solve`.
    tol : float
        The relative gap to reach.
    max_iter : float, optional
        The most epochs, passes over the samples: the `max_epochs` of `solve`.
    class_weight : None, "balanced" or dict
        Factors of the sample weights by class.
    random_state : int, RandomState or Generator, optional
        Fixes the order of the samples.
    penalize_intercept : bool, optional
        True: the intercept is the weight of a feature that is always 1, regularized like the others. By
        default that is so for dask arrays alone.
    positive : bool
        True if no weight may be below 0; for squared l2 and the elastic net.
    verbose : int
        1: the logger `workbench` reports how each solver ended, 2: every certificate as well.

    Attributes
    ----------
    coef_, intercept_ : ndarray (1, d), (1,)
        Weights and intercept.
    classes_ : ndarray (2,)
        The labels; the second one has predictions above 0.
    solution_ : Solution
        The solution with its certificate.
    n_iter_ : int
        Epochs done.
    n_features_in_, feature_names_in_ : int, ndarray (d,)
        Number of features, and their names where X has some.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> model = wb.DualClassifier(loss="hinge", lam=0.1).fit(X, y)
    >>> model.predict([[1.0, 0.0]])
    array([1])
    >>> bool(model.solution_.relative_gap <= model.tol)
    True
    """

    loss: str | Loss = "hinge"
    regularizer: str | Regularizer = "squared-l2"
    lam: float = 1e-3
    fit_intercept: bool = True
    solver: str | Solver = "auto"
    tol: float = 1e-4
    max_iter: float | None = None
    class_weight: dict[object, float] | str | None = None
    random_state: RandomState = None
    penalize_intercept: bool | None = None
    positive: bool = False
    verbose: int = 0


@dataclass(eq=False, repr=False)
class PrimalGradientClassifier(_Classifier):
    """A linear classifier by the Primal Gradient Solver, for many samples and a moderate accuracy.

    It minimizes (1 / sum c) sum_i c_i p(y_i w.x_i) + lam g(w), where g is the squared p-norm over 2 (p - 1)
    and w holds the intercept as its last entry, x_i a 1.

    Parameters
    ----------
    loss : str or Loss
        As for `Problem`.
    p : float
        The exponent in (1, 2] of the regularizer |w|_p^2 / (2 (p - 1)).
    lam : float
        The weight of the regularizer.
    ball : float, optional
        The radius of a p-norm ball that the weights must lie in.
    batch : int or "auto"
        The samples of a step; "auto" takes one, or all where the data are small: then nothing is drawn,
        and a weight of 2 is a sample given twice.
    order : {"independent", "shuffled"}
    output : {"average", "last", "random"}
        As for `workbench.solvers.PrimalGradient`.
    fit_intercept, tol, max_iter, class_weight, random_state, verbose
        As for `DualClassifier`.
    penalize_intercept : bool, optional
        True, the default: the intercept is regularized, since the solver regularizes every weight.

    Attributes
    ----------
    coef_, intercept_, classes_, solution_, n_iter_
        As for `DualClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> wb.PrimalGradientClassifier(loss="logistic", lam=0.1).fit(X, y).predict(X)
    array([ 1,  1, -1, -1])
    """

    loss: str | Loss = "hinge"
    p: float = 2.0
    lam: float = 1e-3
    ball: float | None = None
    batch: int | Literal["auto"] = "auto"
    order: str = "shuffled"
    output: str = "average"
    fit_intercept: bool = True
    tol: float = 1e-2
    max_iter: float | None = None
    class_weight: dict[object, float] | str | None = None
    random_state: RandomState = None
    penalize_intercept: bool | None = None
    verbose: int = 0

    _usual_bias = "constant"

    def _problem(self, X: Rows, y: Floats, lam: float, weight: Floats) -> Problem:
        # All of them where little work is to be done, since the order of the draws would decide.
        self._batch = X.shape[0] if X.shape[0] * X.shape[1] <= SMALL else 1
        loss, regularizer, bias = self._made_loss(), PNorm(self.p, self.ball), self._chosen_bias()
        return Problem(X, y, loss, regularizer, lam, bias=bias, sample_weight=weight)

    def _solver(self) -> Solver:
        batch = self._batch if self.batch == "auto" else self.batch
        return solvers.PrimalGradient(batch, self.order, self.output, ball="known")


@dataclass(eq=False, repr=False)
class MultinomialClassifier(_Classifier):
    """A linear classifier of two classes or more: the multinomial logistic loss.

    It minimizes (1 / sum c) sum_i c_i (ln sum_k exp z_ik - z_iy) + lam g(w), where z_i = W'x_i + b and y is
    the class of sample i.

    Parameters
    ----------
    regularizer : str or object
        As for `Problem`: a sum over the entries of w for Gauss-Seidel, any norm for "proximal-gradient".
    lam, fit_intercept, solver, tol, max_iter, class_weight, random_state, penalize_intercept, verbose
        As for `DualClassifier`.

    Attributes
    ----------
    coef_, intercept_ : ndarray (r, d), (r,)
        One row a class, for two classes as well.
    classes_, solution_, n_iter_
        As for `DualClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> wb.MultinomialClassifier(lam=0.01).fit(X, ["a", "b", "c", "c"]).predict([[2.0, 1.0]])
    array(['a'], dtype='<U1')
    """

    regularizer: str | Regularizer = "squared-l2"
    lam: float = 1e-3
    fit_intercept: bool = True
    solver: str | Solver = "auto"
    tol: float = 1e-4
    max_iter: float | None = None
    class_weight: dict[object, float] | str | None = None
    random_state: RandomState = None
    penalize_intercept: bool | None = None
    verbose: int = 0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit; y has two classes or more, sample_weight (n,) is 0 or more."""
        X, y = _validated(self, X, y)
        weights = _weights_of(sample_weight, X)
        check_classification_targets(y)
        self.classes_, place = np.unique(y, return_inverse=True)
        if self.classes_.size < 2:
            raise ValueError(f"y has one class only, {shown(self.classes_[0])}; give samples of two classes")
        self._fit(X, place.astype(float), self._weighted(X, np.asarray(y), place, weights))
        assert self.solution_.w is not None  # without a kernel
        self.coef_ = self.solution_.w.T
        self.intercept_ = np.broadcast_to(self.solution_.b, self.classes_.shape).copy()
        return self

    def _made_loss(self) -> Loss:
        return Multinomial(self.classes_.size if "classes_" in vars(self) else None)

    def decision_function(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predictions of each class, (m, r); with two classes their difference, (m,)."""
        z = self._values(X)
        predictions: NDArray[Any] = z[:, 1] - z[:, 0] if self.classes_.size == 2 else z
        return predictions

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Predict the class of each sample, (m,)."""
        place = self._values(X).argmax(axis=1)
        labels: NDArray[Any] = self.classes_[place]
        return labels

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = True
        return tags


@dataclass(eq=False, repr=False)
class DualRegressor(RegressorMixin, _Dual):  # type: ignore[misc]  # scikit-learn is untyped
    """A linear regressor: any residual loss with any regularizer.

    It minimizes (1 / sum c) sum_i c_i p(w.x_i + b - y_i) + lam g(w); the squared loss is p(u) = u^2.

    Parameters
    ----------
    loss, regularizer, lam, fit_intercept, penalize_intercept, positive
        As for `DualClassifier`.
    solver, tol, max_iter, random_state, verbose
        As for `DualClassifier`.

    Attributes
    ----------
    coef_, intercept_ : ndarray (d,), float
        Weights and intercept.
    solution_, n_iter_
        As for `DualClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> wb.DualRegressor(loss="squared", lam=0.1).fit(X, X[:, 0]).predict([[1.0, 0.0]]).round(3)
    array([0.978])
    """

    loss: str | Loss = "squared"
    regularizer: str | Regularizer = "squared-l2"
    lam: float = 1e-2
    fit_intercept: bool = True
    solver: str | Solver = "auto"
    tol: float = 1e-6
    max_iter: float | None = None
    random_state: RandomState = None
    penalize_intercept: bool | None = None
    positive: bool = False
    verbose: int = 0

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Fit; y (n,) is numeric, sample_weight (n,) is 0 or more."""
        X, y = _validated(self, X, y, y_numeric=True)
        self._fit(X, np.asarray(y, dtype=float), _weights_of(sample_weight, X))
        self.coef_, self.intercept_ = self.solution_.w, self.solution_.b
        return self

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Return the predictions, (m,)."""
        predictions: NDArray[Any] = self._values(X)
        return predictions


@dataclass(eq=False, repr=False)
class KernelSVC(_Classifier):
    """The support vector machine with a kernel and an unregularized intercept; C is 1 / (lam n).

    It minimizes (1 / sum c) sum_i c_i max(0, 1 - y_i (f(x_i) + b)) + lam K(f, f) / 2 over the functions f of
    the kernel's space, K(f, f) the square of its norm there.

    Parameters
    ----------
    kernel : str or Kernel
        "rbf:gamma=0.05", "polynomial:degree=3", "linear", "precomputed".
    lam : float
        The weight of the regularizer.
    tol : float
        The relative gap to reach.
    selection, shrinking, cache_bytes
        As for `MaximalViolatingPair`.
    max_iter, class_weight, verbose
        As for `DualClassifier`.

    Attributes
    ----------
    support_ : ndarray (k,)
        The samples whose dual variable is not 0.
    dual_coef_, intercept_ : ndarray (1, k), (1,)
        Their factors in predictions, and the intercept.
    classes_, solution_, n_iter_
        As for `DualClassifier`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> wb.KernelSVC(kernel="rbf", lam=0.1).fit(X, y).predict(X)
    array([ 1,  1, -1, -1])
    """

    kernel: str | Kernel = "rbf"
    lam: float = 1e-3
    tol: float = 1e-4
    selection: str = "second-order"
    shrinking: bool = True
    cache_bytes: int = 2**29
    max_iter: float | None = None
    class_weight: dict[object, float] | str | None = None
    verbose: int = 0

    def _problem(self, X: Rows, y: Floats, lam: float, weight: Floats) -> Problem:
        if self.kernel == "precomputed" and X.shape[0] != X.shape[1]:
            # Samples without weight were left out; so are their columns.
            X = X[:, self._columns]
        loss = self._made_loss()
        return Problem(X, y, loss, lam=lam, bias=True, kernel=self.kernel, sample_weight=weight)

    def _made_loss(self) -> Loss:
        return losses.Hinge()

    def _fit(self, X: Rows, y: Floats, sample_weight: Floats | float | None) -> Booleans:
        if sample_weight is not None and self.kernel == "precomputed":
            self._columns = np.asarray(sample_weight, dtype=float) > 0.0
        return super()._fit(X, y, sample_weight)

    def _solver(self) -> Solver:
        return solvers.MaximalViolatingPair(0.0, self.selection, self.shrinking, self.cache_bytes)

    def _seed(self) -> int:
        return 0

    def _finish(self, weighted: Booleans | None) -> None:
        expansion = self.solution_.expansion
        assert expansion is not None  # of a kernel problem
        assert weighted is not None  # on arrays
        self.support_ = np.flatnonzero(weighted)[expansion.support]
        self.dual_coef_, self.intercept_ = expansion.factors[None, :], np.array([self.solution_.b])
        self._weighted_samples = weighted

    def _values(self, X: Any) -> Any:
        check_is_fitted(self)
        X = _validated(self, X, reset=False)
        if self.kernel == "precomputed":
            X = X[:, self._weighted_samples]
        return self.solution_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags
