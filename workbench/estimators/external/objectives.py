"""The objectives of estimators of scikit-learn, celer and skglm, by class: loss, amount, regularizer, bias.

Each objective is written as the estimator's documentation states it,

    amount sum_i c_i f(z_i, y_i) + l1 |w|_1 + (l2 / 2) |w|_2^2,

with the sample weights c; a reader takes the parameters (`get`) and the sizes of the data. The classes are
known by their package and name, so that none of the packages is imported here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

import numpy as np

from workbench._support.errors import InputError
from workbench.problems import losses, regularizers

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from workbench.estimators.external.reading import Parameters


class Objective(NamedTuple):
    """One objective in the estimator's own units, see above.

    `constant` is the value of a constant feature whose weight, regularized like the others, makes the
    intercept; None for an unregularized intercept. `norm` replaces |w|_1, `columns` weighs its entries.
    """

    loss: str | losses.Loss
    amount: float
    l1: float = 0.0
    l2: float = 0.0
    constant: float | None = None
    norm: str | regularizers.Regularizer = "l1"
    columns: ArrayLike | None = None

    def __str__(self) -> str:
        loss = self.loss if isinstance(self.loss, str) else repr(self.loss)
        norm = "|w|_1" if isinstance(self.norm, str) else f"{self.norm.name}(w)"
        parts = [
            f"{self.amount:.6g} sum c f(z, y)",
            f"{self.l1:.6g} {norm}" if self.l1 else "",
            f"{self.l2:.6g} |w|^2 / 2" if self.l2 else "",
        ]
        return f"{' + '.join(filter(None, parts))} with f = {loss}"


class Sizes(NamedTuple):
    """The sum of the sample weights, the rows and columns of X, the classes, and the place of a target."""

    total: float
    rows: int
    features: int
    classes: int
    target: int


class Reader(NamedTuple):
    """The way from y to problems, and the function (get, sizes) that reads the objective.

    targets is "numbers" (a problem a column of y), "tasks" (one for all columns), "labels" (a class against
    the rest; weights of classes weigh the class alone), "signs" (the same, they weigh all samples), "classes"
    (one problem of r classes), "pairs" (kernels, a problem a pair of classes) or "kernel numbers".
    `balances_weights` says whether class_weight="balanced" counts the samples by their weights.
    """

    targets: str
    objective: Callable[[Parameters, Sizes], Objective]
    has_intercept: bool = True
    balances_weights: bool = False


class _Strengths(TypedDict, total=False):
    """The weights of |w|_1 and of |w|_2^2 / 2."""

    l1: float
    l2: float


def _mixed(strength: float, share: float) -> _Strengths:
    """l1 and l2 of an elastic net."""
    return {"l1": strength * share, "l2": strength * (1.0 - share)}


def _alpha(get: Parameters, sizes: Sizes) -> float:
    """Return the regularization strength of the target; some estimators have one for each target."""
    alpha = np.atleast_1d(get("alpha_", "alpha"))
    return float(alpha[sizes.target if alpha.size > 1 else 0])


def _lasso(get: Parameters, sizes: Sizes) -> Objective:
    return Objective(
        "squared", 0.5 / sizes.total, l1=_alpha(get, sizes), columns=get("weights", default=None)
    )


def _net(get: Parameters, sizes: Sizes) -> Objective:
    mixed = _mixed(_alpha(get, sizes), float(get("l1_ratio_", "l1_ratio")))
    columns = get("weights", default=None)
    if columns is not None and mixed.get("l2"):
        raise get.refusal(
            "weights", "weighs the squares too, which is not supported; use weights=None, l1_ratio=1"
        )
    return Objective("squared", 0.5 / sizes.total, **mixed, columns=columns)


def _ridge(get: Parameters, sizes: Sizes) -> Objective:
    return Objective("squared", 1.0, l2=2.0 * _alpha(get, sizes))


def _group_lasso(get: Parameters, sizes: Sizes) -> Objective:
    groups: Any = get("groups")
    if np.isscalar(groups) or getattr(groups, "ndim", 1) == 0:
        groups = [int(groups)] * (sizes.features // int(groups))
    if all(np.isscalar(group) for group in groups):
        groups = np.split(np.arange(sizes.features), np.cumsum(groups)[:-1])
    sets, weights = [[int(j) for j in group] for group in groups], get("weights", default=None)
    norm = regularizers.norms.GroupL1L2(sets, weights=None if weights is None else tuple(map(float, weights)))
    return Objective("squared", 0.5 / sizes.total, l1=_alpha(get, sizes), norm=norm)


def _logistic(get: Parameters, sizes: Sizes) -> Objective:
    C, penalty = float(np.unique(get("C_", "C"))[0]), get("penalty", default="deprecated")
    if np.unique(get("C_", "C")).size > 1:
        raise get.refusal("C_", "differs between classes; fit LogisticRegression with one C")
    ratio = get("l1_ratio_", "l1_ratio", default=0.0)
    ratio = 0.0 if ratio is None or np.ravel(ratio)[0] is None else float(np.ravel(ratio)[0])
    share = {"l1": 1.0, "l2": 0.0}.get(penalty, ratio)
    if penalty is None or np.inf == C:
        raise get.refusal(
            "C" if penalty else "penalty", "leaves no regularizer; use a finite C with l2, l1 or both"
        )
    loss = "logistic" if sizes.classes == 2 or _one_against_rest(get) else losses.Multinomial(sizes.classes)
    if sizes.classes == 2 and get("multi_class", default="auto") == "multinomial":
        raise get.refusal("multi_class", "gives two classes one row of weights for both; leave it out")
    constant = get("intercept_scaling") if get("solver") == "liblinear" else None
    return Objective(loss, C, **_mixed(1.0, share), constant=constant)


def _one_against_rest(get: Parameters) -> bool:
    return bool(get("solver") == "liblinear" or get("multi_class", default="auto") == "ovr")


def _sparse_logistic(get: Parameters, _sizes: Sizes) -> Objective:
    return Objective("logistic", 1.0, l1=1.0 / float(get("C")))


def _mean_logistic(get: Parameters, sizes: Sizes) -> Objective:
    return Objective("logistic", 1.0 / sizes.total, **_mixed(_alpha(get, sizes), float(get("l1_ratio"))))


def _linear_svc(get: Parameters, _sizes: Sizes) -> Objective:
    if get("multi_class") != "ovr":
        raise get.refusal("multi_class", "is a hinge over all classes, which is not supported; use 'ovr'")
    loss, twice = {"hinge": ("hinge", 1.0), "squared_hinge": ("squared-hinge", 2.0)}[get("loss")]
    share = 1.0 if get("penalty") == "l1" else 0.0
    return Objective(loss, twice * float(get("C")), **_mixed(1.0, share), constant=get("intercept_scaling"))


def _linear_svr(get: Parameters, _sizes: Sizes) -> Objective:
    p = 2 if get("loss").startswith("squared") else 1
    loss = losses.EpsilonInsensitive(get("epsilon"), p)
    return Objective(loss, p * float(get("C")), l2=1.0, constant=get("intercept_scaling"))


def _svc(get: Parameters, _sizes: Sizes) -> Objective:
    return Objective("hinge", float(get("C")), l2=1.0)


def _svr(get: Parameters, _sizes: Sizes) -> Objective:
    return Objective(losses.EpsilonInsensitive(get("epsilon")), float(get("C")), l2=1.0)


# Loss of SGD -> the workbench's, and how many of it make one.
STOCHASTIC: dict[str, tuple[Callable[[Parameters], str | losses.Loss], float]] = {
    "hinge": (lambda get: "hinge", 1.0),
    "squared_hinge": (lambda get: "squared-hinge", 2.0),
    "log_loss": (lambda get: "logistic", 1.0),
    "modified_huber": (lambda get: losses.SmoothedHinge(2.0), 4.0),
    "squared_error": (lambda get: "squared", 0.5),
    "huber": (lambda get: losses.Huber(get("epsilon")), 1.0),
    "epsilon_insensitive": (lambda get: losses.EpsilonInsensitive(get("epsilon")), 1.0),
    "squared_epsilon_insensitive": (lambda get: losses.EpsilonInsensitive(get("epsilon"), 2), 2.0),
}


def _stochastic(get: Parameters, sizes: Sizes) -> Objective:
    if get("loss") not in STOCHASTIC:
        raise get.refusal("loss", f"is not supported; {', '.join(STOCHASTIC)} are")
    make, times = STOCHASTIC[get("loss")]
    share = {"l1": 1.0, "l2": 0.0, "elasticnet": get("l1_ratio")}.get(get("penalty"))
    if share is None:
        raise get.refusal("penalty", "leaves no regularizer; use 'l2', 'l1' or 'elasticnet'")
    return Objective(make(get), times / sizes.rows, **_mixed(_alpha(get, sizes), float(share)))


# skglm's parts of a generalized linear model.
DATAFITS: dict[str, tuple[str, Callable[[Any, float], tuple[str | losses.Loss, float]]]] = {
    "Quadratic": ("numbers", lambda fit, n: ("squared", 0.5 / n)),
    "Huber": ("numbers", lambda fit, n: (losses.Huber(float(fit.delta)), 1.0 / n)),
    "Logistic": ("labels", lambda fit, n: ("logistic", 1.0 / n)),
}
PENALTIES: dict[str, Callable[[Any], _Strengths]] = {
    "L1": lambda penalty: {"l1": float(penalty.alpha)},
    "L2": lambda penalty: {"l2": float(penalty.alpha)},
    "L1_plus_L2": lambda penalty: _mixed(float(penalty.alpha), float(penalty.l1_ratio)),
}


def _generalized(get: Parameters, sizes: Sizes) -> Objective:
    fit, penalty = get("datafit"), get("penalty")
    for name, part, table in (("datafit", fit, DATAFITS), ("penalty", penalty, PENALTIES)):
        if type(part).__name__ not in table or getattr(part, "positive", False):
            raise get.refusal(name, f"is not supported; {', '.join(table)} without positive are")
    loss, amount = DATAFITS[type(fit).__name__][1](fit, sizes.total)
    return Objective(loss, amount, **PENALTIES[type(penalty).__name__](penalty))


LASSO, NET = Reader("numbers", _lasso), Reader("numbers", _net)
TASKS = Reader("tasks", _lasso)
GROUPS = Reader("numbers", _group_lasso)
LINEAR_SVC = Reader("labels", _linear_svc, balances_weights=True)
READERS = {
    "sklearn": {
        "Lasso": LASSO,
        "LassoCV": LASSO,
        "LassoLars": LASSO,
        "LassoLarsCV": LASSO,
        "LassoLarsIC": LASSO,
        "ElasticNet": NET,
        "ElasticNetCV": NET,
        "MultiTaskLasso": TASKS,
        "MultiTaskLassoCV": TASKS,
        "MultiTaskElasticNet": Reader("tasks", _net),
        "MultiTaskElasticNetCV": Reader("tasks", _net),
        "Ridge": Reader("numbers", _ridge),
        "RidgeCV": Reader("numbers", _ridge),
        "RidgeClassifier": Reader("signs", _ridge),
        "RidgeClassifierCV": Reader("signs", _ridge),
        "LogisticRegression": Reader("classes", _logistic, balances_weights=True),
        "LogisticRegressionCV": Reader("classes", _logistic, balances_weights=True),
        "LinearSVC": LINEAR_SVC,
        "LinearSVR": Reader("numbers", _linear_svr),
        "SVC": Reader("pairs", _svc),
        "SVR": Reader("kernel numbers", _svr),
        "SGDClassifier": Reader("labels", _stochastic),
        "SGDRegressor": Reader("numbers", _stochastic),
    },
    "celer": {
        "Lasso": LASSO,
        "LassoCV": LASSO,
        "ElasticNet": NET,
        "ElasticNetCV": NET,
        "MultiTaskLasso": TASKS,
        "MultiTaskLassoCV": TASKS,
        "GroupLasso": GROUPS,
        "GroupLassoCV": GROUPS,
        # Its intercept is not fitted, whatever fit_intercept says; nor is that of skglm's LinearSVC.
        "LogisticRegression": Reader("labels", _sparse_logistic, False),
    },
    "skglm": {
        "Lasso": LASSO,
        "WeightedLasso": LASSO,
        "ElasticNet": NET,
        "MultiTaskLasso": TASKS,
        "GroupLasso": GROUPS,
        "SparseLogisticRegression": Reader("labels", _mean_logistic),
        "LinearSVC": Reader("labels", _svc, False),
        "GeneralizedLinearEstimator": Reader("datafit", _generalized),
    },
}

# Why others have no certificate, and what to use.
REASONS = {
    "LinearRegression": "has no regularizer; use Ridge with a small alpha",
    "Perceptron": "minimizes no regularized objective; use SGDClassifier(loss='hinge') or LinearSVC",
    "PassiveAggressiveClassifier": "is an online rule that minimizes nothing; use LinearSVC",
    "PassiveAggressiveRegressor": "is an online rule that minimizes nothing; use LinearSVR",
    "QuantileRegressor": "is solved as a linear program, to the last digits; nothing is left to certify",
    "HuberRegressor": "minimizes over a scale as well; use SGDRegressor(loss='huber')",
    "NuSVC": "has nu in place of C; use SVC",
    "NuSVR": "has nu in place of epsilon; use SVR",
    "MCPRegression": "has a penalty that is not convex, so no dual bounds its optimum; use Lasso",
    "BayesianRidge": "chooses its regularization while it fits; use Ridge with its lambda_ / alpha_",
    "PoissonRegressor": "has a loss that is not supported; use Ridge on a transformed target",
}


def reader_of(model: object) -> tuple[str, Reader]:
    """Look up the `Reader` of the nearest base class that has one; return that class's name, too."""
    for cls in type(model).__mro__:
        package = cls.__module__.partition(".")[0]
        if package in READERS and cls.__name__ in READERS[package]:
            return cls.__name__, READERS[package][cls.__name__]
        if package in READERS:
            break
    name = type(model).__name__
    estimators = sorted({name for readers in READERS.values() for name in readers})
    why = REASONS.get(name, "is not a linear model whose objective is known here")
    if type(model).__module__.startswith("workbench."):
        why = "has its certificate already: its gap, or that of its solution or solution_"
    raise InputError(
        f"certificate: {name} {why}. It takes a Problem with its point, or a fitted {', '.join(estimators)}"
    )
