"""Maximum entropy: the weights closest to a prior that meet moment constraints, or a proof that none do.

    min over w of  sum_j w_j ln(w_j / mu_j)   with   x_i.w = y_i,  w >= 0,  sum_j w_j = A = sum_j mu_j

Its dual has one multiplier a constraint and no constraints of its own, v = X'alpha:

    min over alpha of  D(alpha) = h(v) - y.alpha,   h(v) = A ln sum_j (mu_j / A) e^(v_j),   w = grad h(v)

The gradient of D is what the constraints lack, X w - y, so Newton's method on D drives it to zero. Where
y.alpha > A max_j v_j, every w >= 0 of sum A has alpha.(X w) <= A max_j v_j < alpha.y: the constraints are
infeasible, and alpha proves it. The constraints' soft form is a `Problem` with a residual loss and the
normalized entropy, for any solver.

Source       Zhang (2002), section 2 and Appendix E, pair 4
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import scipy.optimize
from numpy.typing import ArrayLike

from workbench._support.annotations import Floats
from workbench._support.errors import InfeasibleError, InputError
from workbench._support.names import Public, check_number
from workbench.problems.design import check_targets
from workbench.problems.regularizers import NormalizedEntropy
from workbench.solvers.iteration import take_until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from workbench.problems.regularizers.base import Transfer
    from workbench.problems.regularizers.norm_transfers import NormTransfer


# Backtracking: the share of the predicted decrease that is asked for, and the most halvings.
ARMIJO, HALVINGS = 1e-4, 60
# The ridge that keeps a singular Hessian regular, as a share of its largest entry.
RIDGE = 1e-12
# A proof of infeasibility has to exceed the rounding of its two sides by this share of their size.
PROOF = 1e-10


@dataclass(frozen=True)
class Point(Public):
    """One iterate of Newton's method.

    Attributes
    ----------
    w : ndarray (d,)
        Positive, of sum A.
    alpha : ndarray (n,)
        Multipliers of the constraints.
    value, bound : float
        The relative entropy of w, and a lower bound of it over all weights that meet the constraints.
    residual : float
        The largest |x_i.w - y_i|.
    steps : int
    """

    w: Floats = field(repr=False)
    alpha: Floats = field(repr=False)
    value: float
    bound: float
    residual: float
    steps: int


def maximum_entropy(
    X: ArrayLike, y: ArrayLike, mu: ArrayLike | None = None, tol: float = 1e-8, max_steps: int = 500
) -> Point:
    """Compute the weights of maximum entropy relative to a prior under moment constraints.

    Parameters
    ----------
    X : array_like (n, d)
        One constraint x_i.w = y_i a row; n much smaller than d, since a step factors an (n, n) matrix.
    y : array_like (n,)
    mu : array_like (d,), optional
        The prior, above 0; its sum is that of w. 1 / d where not given.
    tol : float
        How far each constraint may be missed.
    max_steps : int

    Returns
    -------
    Point

    Raises
    ------
    InfeasibleError
        No weights meet the constraints; its `multipliers` and `margin` prove it.
    InputError
        An entry that is not finite, a prior that is not positive; a residual above `tol` after `max_steps`.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]])
    >>> solution = wb.maximum_entropy(X, [4.5], mu=np.full(6, 1 / 6))
    >>> solution.w.round(4)
    array([0.0544, 0.0788, 0.1142, 0.1654, 0.2398, 0.3475])
    """
    tol = check_number("maximum_entropy", "tol", tol, above=0.0)
    points = iterates(X, y, mu)
    for point in take_until(points, lambda point: point.residual <= tol or point.steps >= max_steps):
        last = point
    if last.residual <= tol:
        return last
    matrix, targets, *_ = _checked(X, y, mu)
    _by_linear_program(matrix, targets, float(last.w.sum()))
    raise InputError(
        f"maximum_entropy: a constraint is missed by {last.residual:.2e} after {last.steps} steps; raise "
        f"max_steps = {max_steps} or tol = {tol:g}"
    )


def iterates(X: ArrayLike, y: ArrayLike, mu: ArrayLike | None = None) -> Iterator[Point]:
    """Newton's iterates without an end, from alpha = 0; `InfeasibleError` once one proves infeasibility."""
    matrix, targets, transfer, total = _checked(X, y, mu)
    alpha, steps = np.zeros(targets.size), 0
    h, w = transfer.map(np.zeros(matrix.shape[1]))
    while True:
        lack = matrix @ w - targets
        for candidate in (alpha, -lack):
            _refuse_if_separated(matrix, targets, total, candidate)
        bound = float(targets @ alpha) - h
        yield Point(w, alpha, bound + float(alpha @ lack), bound, float(np.abs(lack).max()), steps)
        alpha, h, w = _newton_step(matrix, targets, transfer, total, (alpha, h, w, lack))
        steps += 1


# alpha, h, w and X w - y.
_Iterate: TypeAlias = "tuple[Floats, float, Floats, Floats]"


def _newton_step(
    X: Floats, y: Floats, transfer: Transfer | NormTransfer, total: float, point: _Iterate
) -> tuple[Floats, float, Floats]:
    """alpha, h and w after a damped Newton step on D; the same point where none goes down."""
    alpha, h, w, lack = point
    mean = X @ w
    hessian = (X * w) @ X.T - np.outer(mean, mean) / total
    ridge = RIDGE * max(float(np.abs(hessian).max()), np.finfo(float).tiny)
    move = -np.linalg.solve(hessian + ridge * np.eye(y.size), lack)
    slope, fraction = float(lack @ move), 1.0
    for _ in range(HALVINGS):
        ahead = alpha + fraction * move
        there, weights = transfer.map(X.T @ ahead)
        # Short of the minimizer along the move a convex D has fallen, and no rounding can hide it.
        short = (X @ weights - y) @ move <= 0.0
        if short or there - h - fraction * (y @ move) <= ARMIJO * fraction * slope:
            return ahead, there, weights
        fraction *= 0.5
    return alpha, h, w


def _checked(X: ArrayLike, y: ArrayLike, mu: Any) -> tuple[Floats, Floats, Transfer | NormTransfer, float]:
    """X, y, the normalized entropy's transfer function and the sum of w, or an `InputError`."""
    try:
        matrix = np.array(X, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"X cannot be read as numbers ({error}); give one constraint a row") from None
    if matrix.ndim != 2 or matrix.size == 0:
        raise InputError(f"X has shape {matrix.shape}; give a matrix with one constraint a row")
    bad = np.argwhere(~np.isfinite(matrix))
    if bad.size:
        row, column = bad[0].tolist()
        raise InputError(f"X[{row}, {column}] is {matrix[row, column]}; the constraints need finite numbers")
    size = matrix.shape[1]
    prior = NormalizedEntropy(1.0 / size if mu is None else mu)
    return matrix, check_targets("y", y, matrix.shape[0]), prior.at(size), prior.parameters(size)[0]


def _refuse_if_separated(X: Floats, y: Floats, total: float, alpha: Floats) -> None:
    """Raise where alpha proves that no weights meet the constraints."""
    v = X.T @ alpha
    asked, most = float(y @ alpha), total * float(v.max())
    size = float(np.abs(y) @ np.abs(alpha)) + total * float((np.abs(X).T @ np.abs(alpha)).max())
    if asked - most > PROOF * size:
        scale = float(np.abs(alpha).max())
        raise InfeasibleError(
            f"maximum_entropy: no w >= 0 of sum {total:g} meets the constraints: weighted by the error's "
            f"multipliers they ask for {asked / scale:.6g}, and no w gives more than {most / scale:.6g}; "
            "leave one out, or solve the soft form, a Problem with 'squared' and 'normalized-entropy'",
            multipliers=alpha / scale,
            margin=(asked - most) / scale,
        )


def _by_linear_program(X: Floats, y: Floats, total: float) -> None:
    """Raise where the least sum of violations, and with it the multipliers, prove infeasibility."""
    n, d = X.shape
    columns = np.block([[X, np.eye(n), -np.eye(n)], [np.ones((1, d)), np.zeros((1, 2 * n))]])
    cost = np.concatenate([np.zeros(d), np.ones(2 * n)])
    answer = scipy.optimize.linprog(cost, A_eq=columns, b_eq=np.append(y, total))
    if answer.status == 0 and np.any(answer.eqlin.marginals[:n]):
        _refuse_if_separated(X, y, total, answer.eqlin.marginals[:n])
