"""Judge a fit in the estimator's own units: its distance from the optimum, and advice."""

from __future__ import annotations

import dataclasses
import functools
import html
import math
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypedDict

import numpy as np
import scipy.sparse as sp

from workbench._support.display import words
from workbench._support.errors import InputError
from workbench._support.names import Public, check_number
from workbench.certificates import Certificate
from workbench.certificates import certificate as of_point
from workbench.certificates.assembly import TINY
from workbench.estimators.external.reading import Part, parts
from workbench.problems.regularizers.base import UNIT
from workbench.solvers.solution import Solution, attempt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import ArrayLike

    from workbench._support.annotations import ProofStatus, Rows
    from workbench.estimators.external.reading import Parameters
    from workbench.problems.problem import Problem


# Columns that differ by more than this factor in scale slow every first-order solver.
UNEVEN = 100.0
# The entries of X that the workbench's own run reads by default, and the least and the most epochs for that.
ENTRIES, MIN_EPOCHS, MAX_EPOCHS = 1e9, 100.0, 10_000.0
# A difference of objectives below this share of them is rounding.
ROUNDING = 1e-12
# A relative gap above this is more than a tolerance leaves: the data may be others than those of the fit.
LARGE = 3e-3
# Roundings of one coefficient of an objective in the workbench's units, beside those of sums over samples.
ROUNDINGS = 64.0
# What solves the same objective to more digits, by estimator and solver.
PRECISE = {
    ("SGDClassifier", None): "LogisticRegression or LinearSVC, which minimize such objectives to many digits",
    ("SGDRegressor", None): "Ridge, ElasticNet or LinearSVR, which minimize such objectives to many digits",
    ("LogisticRegression", "lbfgs"): "solver='newton-cholesky', which no scale of the columns slows",
    ("LogisticRegression", "sag"): "solver='newton-cholesky'",
    ("LogisticRegression", "saga"): "solver='liblinear' for two classes, or celer and skglm for l1",
    ("Ridge", "sag"): "solver='cholesky', 'lsqr' or 'svd'",
    ("Ridge", "saga"): "solver='cholesky', 'lsqr' or 'svd'",
    ("Ridge", "sparse_cg"): "solver='cholesky' or 'svd'",
}


@dataclass(frozen=True)
class JudgedPart(Public):
    """A `Part` with the certificate of its point and, where that was not enough, a solution to compare with.

    Attributes
    ----------
    name : str
        The class, the pair of classes or the target; empty where the fit is one problem.
    problem : Problem
    certificate : Certificate
        Of the fitted point, in the workbench's units.
    solution : Solution or None
    objective, lower_bound, gap, at_least : float
        In the estimator's units: the optimum is `lower_bound` or more, and between `at_least` and `gap` below
        the objective.
    """

    part: Part = field(repr=False)
    certificate: Certificate
    solution: Solution | None
    excess: float  # of the fitted intercept over the one that the certificate is of, in the estimator's units

    @property
    def name(self) -> str:
        return self.part.name

    @property
    def problem(self) -> Problem:
        return self.part.problem

    @property
    def objective(self) -> float:
        return self.part.factor * self.certificate.primal + self.excess

    @property
    def lower_bound(self) -> float:
        return self.objective - self.gap

    @property
    def gap(self) -> float:
        own = self.certificate.gap
        if self.solution is not None:
            own = min(own, max(self.certificate.primal - self.solution.dual, 0.0))
        return self.part.factor * own + self.excess

    @property
    def at_least(self) -> float:
        better = 0.0 if self.solution is None else self.certificate.primal - self.solution.primal
        return max(self.part.factor * max(better, 0.0) + self.excess, 0.0)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the optimum, as that of a certificate, the rounding of lam and weights included.

        None where an intercept's share is not in it, or where columns were rescaled.
        """
        part = self.part
        is_exact = part.intercept is None and not part.beyond and part.objective.columns is None
        interval = self.certificate.interval if is_exact else None
        if interval is None:
            return None
        better = self.solution and self.solution.interval
        lower = max(interval[0], better[0]) if better else interval[0]
        # The terms are nowhere negative, so that the objective is off by no larger share than a coefficient.
        share = (ROUNDINGS + self.problem.n_samples) * UNIT
        return _widened(part.factor * lower, part.factor * interval[1], share)


@dataclass(frozen=True)
class ModelCertificate(Public):
    """A guarantee of a fitted estimator: its objective is at most `gap` above the optimum.

    Attributes
    ----------
    estimator : str
        The class whose objective was read.
    minimizes : str
        That objective, in the estimator's own units.
    objective, lower_bound, gap : float
        In these units; sums over `parts`, where the estimator solves several problems. The gap is 0 or more,
        and the optimum no less than the lower bound.
    relative_gap : float
        gap / max(|objective|, |lower_bound|, 1e-12 times the objective of zero weights).
    at_least : float
        A lower bound of the objective's distance from the optimum, from a better point; 0 without one.
    tol : float
        The relative gap that is enough.
    advice : tuple of str
        What to do, most helpful first; empty where the fit is good enough.
    parts : tuple of JudgedPart
        Each with its `problem`, `certificate` and, where the workbench solved it, `solution`.
    """

    estimator: str
    minimizes: str
    objective: float
    lower_bound: float
    gap: float
    relative_gap: float
    at_least: float
    tol: float
    advice: tuple[str, ...]
    parts: tuple[JudgedPart, ...] = field(repr=False)

    @property
    def enough(self) -> bool:
        """True if the objective is certainly within `tol` of the optimum."""
        return self.relative_gap <= self.tol

    @property
    def verdict(self) -> Literal["enough", "not enough", "undecided"]:
        """One of "enough", "not enough" and "undecided": a bound too weak for a point that may be good."""
        if self.enough:
            return "enough"
        return "not enough" if self.at_least > self.tol * abs(self.objective) else "undecided"

    @property
    def problem(self) -> Problem:
        """The problem in the workbench's units, where there is one."""
        return self._only.problem

    @property
    def certificate(self) -> Certificate:
        """The certificate in the workbench's units, where there is one problem."""
        return self._only.certificate

    @property
    def _only(self) -> JudgedPart:
        if len(self.parts) > 1:
            raise InputError(
                f"{self.estimator} solves {len(self.parts)} problems; look at .parts, each with its own"
            )
        return self.parts[0]

    @property
    def proof_status(self) -> ProofStatus:
        """{term: {claim: "proved" or "checked"}} of the losses and regularizers of all parts."""
        return {name: claims for part in self.parts for name, claims in part.certificate.proof_status.items()}

    @functools.cached_property
    def interval(self) -> tuple[float, float] | None:
        """(lower, upper) in the estimator's units, rounding included, as `Certificate.interval`; or None."""
        intervals = [part.interval for part in self.parts if part.interval is not None]
        if len(intervals) < len(self.parts):
            return None
        lower, upper = (math.fsum(ends) for ends in zip(*intervals, strict=True))
        return _widened(lower, upper, 2.0 * UNIT)

    def __str__(self) -> str:
        several = f", in {len(self.parts)} problems," if len(self.parts) > 1 else ""
        verdict = {"enough": "enough for", "not enough": "not enough for", "undecided": "undecided at"}[
            self.verdict
        ]
        lines = [
            f"{self.estimator} minimizes{several} {self.minimizes}",
            f"objective       {self.objective:.10g}",
            f"above optimum   at most {self.gap:.3g} ({self.relative_gap:.2g} of it): {verdict} {self.tol:g}",
            *(
                [f"                at least {self.at_least:.3g}"]
                if self.at_least > ROUNDING * abs(self.objective)
                else []
            ),
            f"rests on        {words.basis(self.proof_status)}",
            *(
                f"what to do      {text}"
                for text in self.advice or ("nothing; a ConvergenceWarning may be ignored",)
            ),
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def _widened(lower: float, upper: float, share: float) -> tuple[float, float]:
    """Widen an interval: move each end outwards by a share of itself."""
    return float(lower - share * abs(lower)), float(upper + share * abs(upper))


def of_model(
    model: object,
    X: object = None,
    y: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    tol: float = 1e-4,
    max_epochs: float | None = None,
    rigorous: bool = False,
) -> ModelCertificate:
    """Certify a fitted estimator, see `workbench.certificate`."""
    tol = check_number("certificate", "tol", tol, above=0.0)
    if X is None or y is None:
        raise InputError("certificate: give X and y, the data that the estimator was fitted to")
    get, X, terms = parts(model, X, y, sample_weight)
    checks = [_judge(part, rigorous) for part in terms]
    values = _values(checks)
    if values["relative_gap"] > tol and max_epochs != 0:
        checks = [_compared(part, tol, max_epochs) for part in checks]
        values = _values(checks)
    result = ModelCertificate(
        get.name, str(terms[0].objective), **values, tol=tol, advice=(), parts=tuple(checks)
    )
    return result if result.enough else dataclasses.replace(result, advice=tuple(_advice(result, get, X)))


class _Sums(TypedDict):
    """The figures of all parts together."""

    objective: float
    lower_bound: float
    gap: float
    at_least: float
    relative_gap: float


def _values(results: Sequence[JudgedPart]) -> _Sums:
    objective, lower_bound, gap, at_least = (
        float(sum(getattr(part, name) for part in results))
        for name in ("objective", "lower_bound", "gap", "at_least")
    )
    zero = sum(part.part.factor * part.problem.gap_scale for part in results)
    size = max(abs(objective), abs(lower_bound), TINY * zero)
    relative = (gap / size if size > 0.0 else 0.0) if np.isfinite(gap) else np.inf
    return _Sums(
        objective=objective, lower_bound=lower_bound, gap=gap, at_least=at_least, relative_gap=relative
    )


def _judge(part: Part, rigorous: bool) -> JudgedPart:
    problem, excess = part.problem, part.beyond
    certificate = of_point(problem, part.w, part.b, part.alpha, rigorous=rigorous)
    if part.intercept is not None:
        z = certificate.z - certificate.b + part.intercept
        excess += part.factor * (problem.loss_sum(z) - problem.loss_sum(certificate.z)) / problem.n_samples
    return JudgedPart(part, certificate, None, float(excess))


def _compared(part: JudgedPart, tol: float, max_epochs: float | None) -> JudgedPart:
    """Solve the problem of a part, which may improve the dual bound and tells how far the primal is off."""
    problem = part.problem
    if max_epochs is None:
        size = problem.n_samples**2 if problem.kernel is not None else problem.design.size
        max_epochs = min(max(ENTRIES / size, MIN_EPOCHS), MAX_EPOCHS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            solution = attempt(problem, tol=0.01 * tol, max_epochs=max_epochs)
        except InputError:  # no solver takes this problem: the point's own bound is what there is
            return part
    return JudgedPart(part.part, part.certificate, solution, part.excess)


def _advice(certificate: ModelCertificate, get: Parameters, X: Rows) -> Iterator[str]:
    """Yield advice, in sentences without a full stop."""
    most, iterations = get("max_iter", default=None), get("n_iter_", default=None)
    iterations = 0 if iterations is None else np.max(np.asarray(iterations), initial=0)
    is_limited = most is not None and 0 < most <= iterations
    if certificate.relative_gap > LARGE and not is_limited:
        yield (
            "check that X, y and sample_weight are those of fit: the solver stopped by itself"
            + (f" after {iterations} of {most} iterations" if most and 0 < iterations < most else "")
            + f", and a relative gap of {certificate.relative_gap:.1g} is large for that"
        )
    unsure = certificate.verdict == "undecided"
    if unsure and any(part.solution is not None for part in certificate.parts):
        yield "pass a larger max_epochs to wb.certificate: the bound is too weak to tell"
    tol = get("tol", default=None)
    if is_limited:
        yield f"raise max_iter: the fit stopped at the {most} iterations that it had"
    elif tol is not None and not (unsure and any(part.solution is not None for part in certificate.parts)):
        yield f"lower tol, which is {tol:g}, to {_tighter(tol, certificate):.0e}: the fit stopped early by it"
    uneven, sparse = _unevenness(X), sp.issparse(X)
    if uneven > UNEVEN:
        scaler = "MaxAbsScaler()" if sparse else "StandardScaler()"
        yield (
            f"standardize: the columns of X differ in scale by a factor of {uneven:.0e}; put {scaler} "
            "before the estimator in a Pipeline (the optimum is another one then)"
        )
    solver = get("solver", default=None)
    key = (get.name, solver if isinstance(solver, str) else None)
    if key in PRECISE:
        yield f"another solver: {PRECISE[key]}"
    reached = [part.solution for part in certificate.parts if part.solution is not None]
    if reached and len(reached) == len(certificate.parts):
        worst = max(solution.relative_gap for solution in reached)
        yield f"take the weights in .parts[k].solution, found here to a relative gap of {worst:.0e}"


def _tighter(tol: float, certificate: ModelCertificate) -> float:
    """Return a tolerance smaller by the factor that is missing, and by ten more; at least 1e-12."""
    return max(0.1 * tol * min(certificate.tol / certificate.relative_gap, 1.0), 1e-12)


def _unevenness(X: Rows) -> float:
    """Return the ratio of the largest to the smallest scale of the columns that vary."""
    if not isinstance(X, np.ndarray):
        scale = np.sqrt(np.asarray(X.power(2).mean(axis=0)).ravel())
    else:
        # A mean far from zero counts as well: it makes a column and the intercept nearly the same.
        scale = np.sqrt((X**2).mean(axis=0))
        scale = np.concatenate([scale, X.std(axis=0)])
    scale = scale[scale > 0.0]
    return float(scale.max() / scale.min()) if scale.size else 1.0
