"""Leave a sample out: what a solve bounds without a refit, and what a refit gives; lam n is kept."""

import time
from typing import NamedTuple

import numpy as np

from workbench.certificates.certifying import certificate
from workbench.pages.dual_lab import model as dual_lab
from workbench.problems import Problem
from workbench.solvers import GaussSeidel
from workbench.solvers.bounds.stability import stability
from workbench.solvers.run import Run

# A refit ends at this relative gap, or after this number of seconds with the gap that it has.
CLOSE, SECONDS = 1e-10, 3.0
EPOCHS = 5


class Effect(NamedTuple):
    """The changes when one sample is left out; lengths in the solver's features."""

    sample: int
    alpha: float
    gap: float  # of the run, relative
    reduced_gap: float  # of the same point without the sample, in units of the old objective
    measure: str  # what `bound` and `truth` measure
    bound: float
    truth: float
    z: float  # the prediction for the sample by the present weights
    low: float
    high: float
    again: float  # by the weights of the refit
    refit_gap: float  # relative


def leave(settings, alpha, sample):
    """Bounds from a point, which is certified here, and a refit without the sample, from the point on.

    Parameters
    ----------
    settings : dict
        Of a `dual_lab.DualLab`.
    alpha : ndarray (n,)
    sample : int

    Raises
    ------
    InputError
        There is no such sample, or the statement is not made for this problem.
    """
    problem = dual_lab.problem(settings)
    result = stability(problem, alpha=alpha, samples=[sample])
    refit = _refit(settings, problem.n_samples, sample, result.certificate.alpha)
    w, new = result.certificate.w, refit.w
    x = problem.rows[[sample]].toarray().ravel()
    if np.isfinite(result.distance[0]):
        measure, bound, truth = "|w − w′|", result.distance[0], np.linalg.norm(w - new)
    else:
        # Dual variables without a sample, with a zero in its place: v is the same.
        v = problem.dual_vector(np.insert(refit.alpha, sample, 0.0))
        measure, bound = "D(w, w′)", result.divergence[0]
        truth = max(problem.transfer.bracket(w, v, problem.transfer.map(v)[0]).sum, 0.0)
    low, high = result.prediction[0]
    return Effect(
        sample,
        float(alpha[sample]),
        result.certificate.relative_gap,
        float(result.reduced_gap[0]),
        measure,
        float(bound),
        float(truth),
        float(result.z[0]),
        float(low),
        float(high),
        float(x @ new),
        refit.relative_gap,
    )


def _refit(settings, n, sample, alpha):
    """A certificate of the problem without the sample, from the other dual variables on."""
    loss, regularizer, _, options = dual_lab.specification(settings)
    dataset = dual_lab.dataset(settings)
    rows = np.flatnonzero(np.arange(n) != sample)
    reduced = Problem(
        dataset.X[rows], dataset.y[rows], loss, regularizer, lam=settings["lam"] * n / (n - 1), **options
    )
    run = Run(reduced, GaussSeidel(), warm_start=alpha[rows])
    ends = time.monotonic() + SECONDS
    while True:
        run.epoch(EPOCHS)
        result = certificate(reduced, alpha=run.state.alpha.copy())
        if result.relative_gap <= CLOSE or time.monotonic() > ends:
            return result
