"""Requirements of steps along gradients: a gradient, a finite value, slopes that do not bend sharply."""

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg

from workbench._support.errors import InputError
from workbench.problems.regularizers import REGISTRY, having

# Lanczos approaches the largest singular value from below.
MARGIN = 1.01
# Steps along gradients reach a gap of e within about e^(-2 / (1 + 3 nu)) of them where the slopes have the
# Hölder exponent nu (Nesterov 2015), and with nu near 0 rounding hides the bend before that.
SMOOTH = 0.15


def check_gradient(name, problem):
    """Refuse a loss that has no gradient somewhere, or no value where all weights are zero."""
    loss = problem.loss
    if loss.kinks.size:
        raise InputError(
            f"{name}: the {loss.name} loss has no gradient at its kinks; use p = 2, another loss such as "
            "smoothed-hinge or huber, or solver='auto', which takes kinks wherever a solver does"
        )
    if loss.smoothness < SMOOTH:
        raise InputError(
            f"{name}: the slope of the {loss.name} loss bends too sharply for gradient steps (its Hölder "
            f"exponent is {loss.smoothness:.3g}, and {SMOOTH:g} is needed); use a larger p, or "
            "solver='gauss-seidel' with a regularizer that is not a norm"
        )
    check_everywhere(name, problem)


def check_weights(name, problem):
    """Refuse a kernel, whose weights no step can move."""
    if problem.kernel is not None:
        raise InputError(f"{name}: a kernel's weights are not available; use gauss-seidel, or leave it out")


def check_prox(name, problem):
    """Refuse a regularizer without a proximal point."""
    regularizer = problem.regularizer
    if getattr(problem.transfer, "reason", ""):
        raise InputError(f"{name}: the proximal point is {problem.transfer.reason}")
    if not regularizer.has_prox:
        known = (known for known in having("has_prox") if not REGISTRY[known].is_norm)
        raise InputError(
            f"{name}: {regularizer.label} has no proximal point here; use a norm, {' or '.join(known)}, or "
            "solver='gauss-seidel'"
        )


def check_everywhere(name, problem):
    """Refuse a loss that is infinite at some predictions: a step may lead there."""
    low, high = problem.loss.finite_on
    if low > -np.inf or high < np.inf:
        raise InputError(
            f"{name}: the {problem.loss.name} loss is finite only for predictions in ({low:g}, {high:g}), "
            "and a step may lead out of it; use solver='gauss-seidel' with a regularizer that is not a norm"
        )


def largest_singular_value(problem, free_bias=False):
    """Bound the largest singular value of the weighted design, with a column of ones for a free bias."""
    rows = problem.weighted.rows
    if free_bias:
        rows = sp.hstack([rows, np.sqrt(problem.weight)[:, None]], format="csr")
    if not np.any(rows.data):
        return 0.0
    if min(rows.shape) <= 2:
        return float(np.linalg.norm(rows.toarray(), 2))
    start = np.random.default_rng(0).normal(size=min(rows.shape))
    values = scipy.sparse.linalg.svds(rows, k=1, v0=start, return_singular_vectors=False)
    return MARGIN * float(values[0])
