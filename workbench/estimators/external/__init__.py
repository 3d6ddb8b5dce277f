"""Certificates of points, and of whatever other packages fitted."""

import inspect
from typing import Any, overload

from numpy.typing import ArrayLike

from workbench._support.errors import InputError
from workbench.certificates import Certificate
from workbench.certificates import certificate as of_point
from workbench.estimators.external.judging import ModelCertificate, of_model
from workbench.problems import Problem

__all__ = ["ModelCertificate", "certificate"]


@overload
def certificate(
    problem: Problem,
    w: ArrayLike | None = None,
    b: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    rigorous: bool = False,
    multipliers: ArrayLike | None = None,
) -> Certificate: ...


@overload
def certificate(
    problem: object,
    X: object,
    y: ArrayLike,
    sample_weight: ArrayLike | None = None,
    tol: float = 1e-4,
    max_epochs: float | None = None,
    rigorous: bool = False,
) -> ModelCertificate: ...


def certificate(problem: object, *point: Any, **options: Any) -> Certificate | ModelCertificate:
    """Certify a point of a `Problem`, or a fitted linear estimator of scikit-learn, celer or skglm.

    certificate(problem, w=None, b=None, alpha=None, rigorous=False, multipliers=None) -> Certificate
        See `workbench.certificates.certificate`: of one side alone, the maps (9) and (10) build the other.

    certificate(fitted, X, y, sample_weight=None, tol=1e-4, max_epochs=None, rigorous=False)
        A `ModelCertificate`. The objective is read from the estimator, also at the end of a Pipeline or a
        search.

    Parameters
    ----------
    fitted : estimator
        Such as LogisticRegression, LinearSVC, SVC, Ridge, Lasso, ElasticNet or SGDClassifier.
    X : array_like, sparse matrix or DataFrame (n, d)
        The data it was fitted to, as they were given to `fit`.
    y : array_like (n,) or (n, r)
    sample_weight : array_like (n,), optional
        As it was given to `fit`.
    tol : float
        The relative gap that is enough.
    max_epochs : float, optional
        The most epochs for which the workbench solves the problem where the gap of the fitted point is
        larger, which tells a bad point from a weak bound; 0 leaves that out. By default 100, and up to 10,000
        where X is small.

    Raises
    ------
    InputError
        The estimator is not fitted, not a linear one, or minimizes what no dual here bounds; it names the
        parameter and what works.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1)
    >>> certificate = wb.certificate(problem, w=np.array([0.5, 0.2]))
    >>> bool(certificate.dual <= certificate.primal)
    True
    >>> from sklearn.linear_model import Ridge
    >>> model = Ridge(alpha=1.0).fit(X, y)
    >>> bool(wb.certificate(model, X, y).relative_gap < 1e-12)
    True
    """
    if isinstance(problem, Problem):
        return of_point(problem, *point, **options)
    try:
        inspect.signature(of_model).bind(problem, *point, **options)
    except TypeError as error:
        raise InputError(
            f"certificate: {error}; the first argument is a {type(problem).__name__}: give a wb.Problem and "
            "a point of it, or a fitted estimator with X and y"
        ) from None
    return of_model(problem, *point, **options)
