"""From a fitted estimator and its data to the problems that it solves, and where it stands in each."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from workbench._support.errors import InputError, shown
from workbench._support.names import check_number
from workbench.estimators.external import objectives
from workbench.estimators.external.objectives import Objective, Sizes
from workbench.problems import Problem, kernels, regularizers
from workbench.problems.design import check_targets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import ArrayLike, NDArray

    from workbench._support.annotations import Bias, Floats, Integers, Rows
    from workbench.estimators.external.objectives import Reader


@dataclass(frozen=True)
class Part:
    """One problem of a fit, and the fitted point.

    Attributes
    ----------
    name : str
        The class, the pair of classes or the target; empty where the fit is one problem.
    objective : Objective
    problem : Problem
        In the workbench's units: the estimator's objective is `factor` P(w, b) + `beyond`.
    factor, beyond : float
    w, b, alpha
        As for `workbench.certificates.certificate`.
    intercept : float or None
        The fitted intercept where only its predictions are known (kernels).
    """

    name: str
    objective: Objective
    problem: Problem
    factor: float
    w: Floats | None = None
    b: Bias | None = None
    alpha: Floats | None = None
    intercept: float | None = None
    beyond: float = 0.0


class Parameters:
    """The parameters of an estimator by name; what is missing or not read is refused with its name."""

    def __init__(self, model: object, name: str) -> None:
        self.model, self.name = model, name

    def __call__(self, *names: str, default: Any = inspect.Parameter.empty) -> Any:
        """Return the first of these attributes that exists."""
        for name in names:
            if hasattr(self.model, name):
                return getattr(self.model, name)
        if default is inspect.Parameter.empty:
            raise InputError(
                f"certificate: {self.name} has no {' or '.join(names)}; fit it with scikit-learn's own"
            )
        return default

    def refusal(self, parameter: str, why: str) -> InputError:
        value = getattr(self.model, parameter, None)
        return InputError(f"certificate: {self.name}: {parameter} = {shown(value)} {why}")


def unwrapped(model: Any, X: Any, y: Any) -> tuple[Any, Any, Any]:
    """Unwrap searches, pipelines and transformed targets; return the inner estimator with its X and y."""
    while True:
        kinds = {cls.__name__ for cls in type(model).__mro__}
        if "BaseSearchCV" in kinds:
            if not hasattr(model, "best_estimator_"):
                name = type(model).__name__
                raise InputError(
                    f"certificate: {name} has no best_estimator_; call fit with refit=True first"
                )
            model = model.best_estimator_
        elif "Pipeline" in kinds:
            try:
                X = model[:-1].transform(X) if len(model) > 1 else X
            except ValueError as error:  # steps that are not fitted, or fitted to other columns
                raise InputError(
                    f"certificate: X does not pass the steps of the pipeline ({error})"
                ) from None
            model = model[-1]
        elif "TransformedTargetRegressor" in kinds:
            if not hasattr(model, "regressor_"):
                raise InputError(
                    "certificate: TransformedTargetRegressor is not fitted; call fit(X, y) first"
                )
            values = np.asarray(y, dtype=float)
            changed = model.transformer_.transform(values.reshape(values.shape[0], -1))
            model, y = model.regressor_, changed.reshape(values.shape)
        else:
            return model, X, y


def parts(
    model: object, X: object, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> tuple[Parameters, Rows, list[Part]]:
    """Read a fitted estimator: return its parameters, the checked X and its `Part`s."""
    model, X, y = unwrapped(model, X, y)
    name, reader = objectives.reader_of(model)
    _check_fitted(model, name)
    get = Parameters(model, name)
    if get("positive", default=False):
        raise get.refusal("positive", "keeps weights nonnegative, which is not supported; use positive=False")
    X, y = _checked(get, X, y)
    weight = np.ones(X.shape[0])
    if sample_weight is not None:
        weights = np.full(X.shape[0], sample_weight) if np.ndim(sample_weight) == 0 else sample_weight
        weight = check_targets("sample_weight", weights, X.shape[0])
        if (weight < 0.0).any() or not weight.any():
            raise InputError("sample_weight has negative entries or only zeros; give weights of 0 or more")
    kind = reader.targets
    if kind == "datafit":
        datafit = type(get("datafit")).__name__
        kind = objectives.DATAFITS.get(datafit, ("numbers",))[0]
    result = list(TARGETS[kind](_Fit(get, reader, X, y, weight)))
    return get, X, result


class _Fit:
    """A fit with its data, while its parts are made."""

    def __init__(self, get: Parameters, reader: Reader, X: Rows, y: NDArray[Any], weight: Floats) -> None:
        self.get, self.reader, self.X, self.y, self.weight = get, reader, X, y, weight
        intercept = get("fit_intercept", default=None)
        if intercept is None:  # support vector machines always have one; skglm's solver knows
            intercept = getattr(get("solver", default=None), "fit_intercept", True)
        self.has_intercept = bool(intercept) and reader.has_intercept

    def objective(self, classes: int = 0, target: int = 0) -> Objective:
        n, features = self.X.shape
        sizes = Sizes(float(self.weight.sum()), n, features, classes, target)
        return self.reader.objective(self.get, sizes)

    def numbers(self) -> Floats:
        """Convert the targets to float64."""
        try:
            return np.asarray(self.y, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"y is not numeric ({error}); give what it was fitted to") from None

    def labels(self) -> tuple[Integers, NDArray[Any]]:
        """Encode the targets as indices (n,) into the classes; return the classes, too."""
        classes = np.asarray(self.get("classes_"))
        if self.y.ndim != 1 or classes.ndim != 1:
            raise InputError(f"y has shape {self.y.shape}; {self.get.name} is read with one label per row")
        place = np.searchsorted(classes, self.y) if self.y.dtype.kind == classes.dtype.kind else None
        if place is None:
            table = {label: k for k, label in enumerate(classes.tolist())}
            place = np.array([table.get(label, len(classes)) for label in self.y.tolist()])
        wrong = np.flatnonzero(
            (place >= len(classes)) | (classes[np.minimum(place, len(classes) - 1)] != self.y)
        )
        if wrong.size:
            text = ", ".join(map(str, classes[:6].tolist()))
            raise InputError(
                f"y[{wrong[0]}] is {shown(self.y[wrong[0]])} and {self.get.name} was fitted to the classes "
                f"{text}; give the labels that it was fitted to"
            )
        return place, classes

    def class_weights(self) -> Floats:
        """Return the weight of each class; balanced ones count samples, or weights if the estimator does."""
        class_weight, classes = self.get("class_weight", default=None), np.asarray(self.get("classes_"))
        if class_weight is None:
            return np.ones(len(classes))
        from sklearn.utils.class_weight import compute_class_weight

        options = {"classes": classes, "y": self.y}
        if (
            self.reader.balances_weights
            and "sample_weight" in inspect.signature(compute_class_weight).parameters
        ):
            options["sample_weight"] = self.weight
        return np.asarray(compute_class_weight(class_weight, **options), dtype=float)

    def coefficients(self, r: int) -> tuple[Floats, Floats]:
        """Return the coefficients (r, d) and the intercepts (r,)."""
        w = self.get("coef_")
        w = np.asarray(w.toarray() if sp.issparse(w) else w, dtype=float)
        w = w.reshape(-1, w.shape[-1])
        if w.shape != (r, self.X.shape[1]):
            raise InputError(
                f"certificate: {self.get.name} has coef_ of shape {w.shape} where "
                f"{(r, self.X.shape[1])} is needed for this X and y; give the data that it was "
                "fitted to"
            )
        b = np.ravel(np.asarray(self.get("intercept_", default=0.0), dtype=float))
        return w, np.resize(b, r)

    def part(
        self,
        target: Floats,
        weight: Floats,
        objective: Objective,
        w: Floats,
        b: Bias,
        name: str = "",
        alpha: Floats | None = None,
    ) -> Part:
        """Build the part of one prediction a sample, or of r classes with w (d, r) and b (r,)."""
        mask = weight > 0.0
        X, target, weight = self.X[mask], target[mask], weight[mask]
        alpha = None if alpha is None else alpha[mask]
        if objective.columns is not None:
            columns = np.asarray(objective.columns, dtype=float)
            if columns.shape != (X.shape[1],) or not (columns > 0.0).all():
                raise self.get.refusal(
                    "weights", "are not positive numbers, one per feature; leave out the others"
                )
            X, w = X @ sp.diags_array(1.0 / columns), w * columns
        free = self.has_intercept
        if free and objective.constant is not None:
            scale = check_number(self.get.name, "intercept_scaling", objective.constant, above=0.0)
            column = np.full((X.shape[0], 1), scale)
            X = sp.hstack([X, column], format="csr") if sp.issparse(X) else np.hstack([X, column])
            w, b, free = np.vstack([w, b / scale]) if w.ndim > 1 else np.append(w, b / scale), 0.0, False
        problem, factor = self.build(X, target, weight, objective, bias=free)
        return Part(name, objective, problem, factor, w, b if free else None, alpha)

    def build(
        self, X: Rows, target: Floats, weight: Floats, objective: Objective, **options: Any
    ) -> tuple[Problem, float]:
        """Build the problem, and the factor that converts its objective to the estimator's units."""
        factor = objective.amount * X.shape[0]
        regularizer = objective.norm
        if objective.l2 > 0.0:
            epsilon = objective.l1 / objective.l2
            regularizer = regularizers.ElasticNet(epsilon) if epsilon else regularizers.SquaredL2()
        lam = (objective.l2 or objective.l1) / factor if factor > 0.0 else np.nan
        if not 0.0 < lam < np.inf:
            raise InputError(
                f"certificate: {self.get.name} has no regularizer that bounds its optimum: it "
                f"minimizes {objective}; fit it with one"
            )
        return Problem(X, target, objective.loss, regularizer, lam, sample_weight=weight, **options), factor


def _numbers(fit: _Fit) -> Iterator[Part]:
    """Yield a problem for each column of y."""
    y = fit.numbers()
    columns = y.reshape(y.shape[0], -1)
    w, b = fit.coefficients(columns.shape[1])
    for k, column in enumerate(columns.T):
        name = "" if columns.shape[1] == 1 else f"target {k}"
        yield fit.part(
            np.ascontiguousarray(column), fit.weight, fit.objective(target=k), w[k], float(b[k]), name
        )


def _tasks(fit: _Fit) -> Iterator[Part]:
    """Yield the problem of all columns of y at once."""
    Y = fit.numbers().reshape(fit.X.shape[0], -1)
    r = Y.shape[1]
    W, b = fit.coefficients(r)
    mask = fit.weight > 0.0
    X, Y, weight = fit.X[mask], Y[mask], fit.weight[mask]
    X, miss = (X if isinstance(X, np.ndarray) else X.toarray()), np.zeros(r)
    if fit.has_intercept:
        # The best intercepts are those of centred data; what the fitted ones add comes on top.
        x, y = np.average(X, axis=0, weights=weight), np.average(Y, axis=0, weights=weight)
        miss, X, Y = y - x @ W.T - b, X - x, Y - y
    objective = fit.objective()._replace(norm=regularizers.norms.RowsL1L2())
    beyond = objective.amount * float(weight.sum()) * float(miss @ miss)
    if objective.l2:
        # A squared norm beside another one is least squares at targets of zero.
        d = X.shape[1]
        X = np.vstack([X, np.sqrt(0.5 * objective.l2 / objective.amount) * np.eye(d)])
        Y, weight = np.vstack([Y, np.zeros((d, r))]), np.append(weight, np.ones(d))
    problem, factor = fit.build(X, Y, weight, objective._replace(l2=0.0))
    yield Part("", objective, problem, factor, W.T, beyond=beyond)


def _labels(fit: _Fit, all_weighted: bool = False) -> Iterator[Part]:
    """Yield a problem of two classes, or one for each class against the rest."""
    place, classes = fit.labels()
    several = len(classes) > 2
    by_class = fit.class_weights()
    w, b = fit.coefficients(len(classes) if several else 1)
    for k in range(len(classes)) if several else (1,):
        mask = place == k
        weights = by_class[place]
        if several and not all_weighted:
            weights = np.where(mask, weights, 1.0)
        row = k if several else 0
        yield fit.part(
            np.where(mask, 1.0, -1.0),
            fit.weight * weights,
            fit.objective(2, row),
            w[row],
            float(b[row]),
            f"class {classes[k]}" if several else "",
        )


def _classes(fit: _Fit) -> Iterator[Part]:
    """Yield the multinomial problem of r classes with w (d, r), or binary problems if r is 2."""
    place, classes = fit.labels()
    objective = fit.objective(len(classes))
    if isinstance(objective.loss, str):
        if len(classes) > 2 and fit.get("class_weight", default=None) is not None:
            raise fit.get.refusal("class_weight", "is not supported with one class against the rest; omit it")
        yield from _labels(fit)
        return
    w, b = fit.coefficients(len(classes))
    weight = fit.weight * fit.class_weights()[place]
    yield fit.part(place.astype(float), weight, objective, w.T, b)


def _pairs(fit: _Fit) -> Iterator[Part]:
    """Yield a problem for each pair of classes, with the dual coefficients of the samples of both."""
    place, classes = fit.labels()
    by_class, dual = fit.class_weights(), _dual_coefficients(fit)
    r, objective = len(classes), fit.objective(2)
    pairs = [(i, j) for i in range(r) for j in range(i + 1, r)]
    for k, (i, j) in enumerate(pairs):
        rows = np.flatnonzero((place == i) | (place == j))
        # With two classes the second one is +1, else the first of a pair.
        positive = j if r == 2 else i
        signs = np.where(place[rows] == positive, 1.0, -1.0)
        duals = dual[0, rows] if r == 2 else np.where(place[rows] == i, dual[j - 1, rows], dual[i, rows])
        weight = (fit.weight * by_class[place])[rows]
        name = "" if r == 2 else f"{classes[i]} or {classes[j]}"
        yield _kernel_part(fit, rows, signs, weight, objective, duals, k, name)


def _kernel_numbers(fit: _Fit) -> Iterator[Part]:
    dual = _dual_coefficients(fit)
    rows, y = np.arange(fit.X.shape[0]), fit.numbers()
    yield _kernel_part(fit, rows, y, fit.weight, fit.objective(), dual[0], 0, "")


def _dual_coefficients(fit: _Fit) -> Floats:
    """Return the dual coefficients of all samples, (r - 1, n) or (1, n)."""
    get, n = fit.get, fit.X.shape[0]
    # libsvm counts the samples with a weight alone.
    present, places = np.flatnonzero(fit.weight > 0.0), np.asarray(get("support_"))
    fits = get("shape_fit_") == fit.X.shape and places.max(initial=-1) < present.size
    if not fits or not _equal(fit.X[present[places]], get("support_vectors_")):
        raise InputError(
            f"certificate: X or sample_weight is not what {get.name} was fitted to, to whose samples its "
            "dual coefficients belong; give these"
        )
    dual = get("dual_coef_")
    dual = dual.toarray() if sp.issparse(dual) else np.asarray(dual)
    whole = np.zeros((dual.shape[0], n))
    whole[:, present[places]] = dual
    return whole


def _equal(rows: Any, fitted: Any) -> bool:
    if not fitted.shape[0] or not fitted.shape[1]:  # a given kernel matrix keeps no rows
        return True
    difference = abs(rows - fitted)
    return bool(difference.max() == 0.0)


def _kernel_part(
    fit: _Fit,
    rows: Integers,
    target: Floats,
    weight: Floats,
    objective: Objective,
    duals: Floats,
    k: int,
    name: str,
) -> Part:
    """Build the part of one machine: with weights if the kernel is linear, else with its dual variables."""
    get, mask = fit.get, weight > 0.0
    rows, target, weight, alpha = rows[mask], target[mask], weight[mask], duals[mask] / objective.amount
    intercept = float(np.ravel(get("intercept_"))[k])
    X, kernel = fit.X, get("kernel")
    if kernel == "linear":
        X = X[rows]
        problem, factor = fit.build(X, target, weight, objective, bias=True)
        return Part(name, objective, problem, factor, X.T @ duals[mask], intercept, alpha)
    if callable(kernel) or kernel == "precomputed":
        K = np.asarray(kernel(X, X) if callable(kernel) else X, dtype=float)
        X, kernel = K[np.ix_(rows, rows)], kernels.Precomputed()
    else:
        X, kernel = X[rows], _kernel(get)
    problem, factor = fit.build(X, target, weight, objective, kernel=kernel, bias=True)
    return Part(name, objective, problem, factor, alpha=alpha, intercept=intercept)


def _kernel(get: Parameters) -> kernels.Kernel:
    gamma = float(get("_gamma", "gamma"))
    try:
        if get("kernel") == "rbf":
            return kernels.RBF(gamma)
        if get("kernel") == "poly":
            return kernels.Polynomial(get("degree"), gamma, float(get("coef0")))
    except InputError as error:
        raise InputError(f"certificate: {get.name}: {error}") from None
    raise get.refusal(
        "kernel", "is not a positive semidefinite kernel; use 'linear', 'rbf', 'poly' or 'precomputed'"
    )


TARGETS: dict[str, Callable[[_Fit], Iterator[Part]]] = {
    "numbers": _numbers,
    "tasks": _tasks,
    "labels": _labels,
    "signs": lambda fit: _labels(fit, all_weighted=True),
    "classes": _classes,
    "pairs": _pairs,
    "kernel numbers": _kernel_numbers,
}


def _check_fitted(model: object, name: str) -> None:
    if "coef_" not in vars(model) and "dual_coef_" not in vars(model):
        raise InputError(f"certificate: {name} is not fitted; call fit(X, y) first")


def _checked(get: Parameters, X: Any, y: Any) -> tuple[Rows, NDArray[Any]]:
    """X as float64, dense or CSR, and y as an array; columns by their names where the fit knew names."""
    names = get("feature_names_in_", default=None)
    if names is not None and hasattr(X, "columns") and list(X.columns) != list(names):
        raise InputError(
            f"certificate: the columns of X are not those that {get.name} was fitted to, in "
            f"their order; give X[{list(names[:3])} ...]"
        )
    if sp.issparse(X):
        X = sp.csr_array(X, dtype=float)
    else:
        try:
            X = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X, dtype=float)
        except (TypeError, ValueError) as error:
            raise InputError(f"X is not numeric ({error}); give what {get.name} was fitted to") from None
    if X.ndim != 2 or X.shape[1] != get("n_features_in_", default=X.shape[-1]):
        expected = get("n_features_in_", default="some")
        raise InputError(
            f"X has shape {X.shape} where {get.name} was fitted to {expected} features; give the same"
        )
    y = np.asarray(y.to_numpy() if hasattr(y, "to_numpy") else y)
    if y.ndim == 2 and y.shape[1] == 1:
        y = y.ravel()
    if y.shape[:1] != X.shape[:1]:
        raise InputError(f"y has shape {y.shape} for {X.shape[0]} rows of X; give one target per row")
    return X, y
