"""Rates of theory beside a run: Gauss-Seidel's from the dual Hessian, and the regret of stochastic steps.

A sweep of Algorithm 1 in the order 1, ..., n multiplies the error of alpha near an optimum by
M = I - (L + diag H)^-1 H, with H = n D'' and L its part below the diagonal: the spectral radius of M is the
rate of alpha, its square that of D(alpha) - min D. Dual variables that rest at an end or a kink of k are left
out of H.

Source       Golub and Van Loan (2013), section 11.2; Zhu et al. (2009), (14), (15) and Theorem 1, with the
             errata of `wb.errata()`; Kakade and Shalev-Shwartz (2009)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy.linalg

from workbench._support.errors import InputError
from workbench._support.names import check_number, check_whole
from workbench.problems.design import check_targets
from workbench.problems.problem import Problem, check_problem
from workbench.problems.regularizers.base import Transfer
from workbench.solvers.algorithms.primal_gradient import PrimalGradient
from workbench.solvers.run import Run
from workbench.solvers.solution import solve

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from workbench._support.annotations import Floats

# The largest Hessian whose eigenvalues are computed, some seconds.
MOST = 2000
# An eigenvalue of M this near to 1 is one of a direction along which D does not change.
FLAT = 1e-9


class LinearRate(NamedTuple):
    """The rate of a sweep of Gauss-Seidel near an optimum.

    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0], [2.0]], [1.0, -1.0], "hinge", lam=10.0)
    >>> wb.bounds.gauss_seidel_rate(problem, [1.0, -1.0]).active  # both rest at an end of their box
    0
    """

    alpha: float  # the share of the error of the dual variables that a sweep leaves
    dual: float  # the share of D(alpha) - min D that it leaves, the square of the other
    active: int  # the number of dual variables that move


def gauss_seidel_rate(problem: Problem, alpha: ArrayLike) -> LinearRate:
    """Compute the linear rate of Algorithm 1 in cyclic order with exact steps, at an optimal dual point.

    Parameters
    ----------
    problem : Problem
        One prediction a sample, a smooth h or a kernel, no unregularized bias and no constraints.
    alpha : array_like (n,)
        Optimal dual variables, as `Solution.alpha`.

    Returns
    -------
    LinearRate

    Examples
    --------
    >>> import workbench as wb
    >>> problem = wb.Problem([[1.0, 0.0], [1.0, 1.0]], [1.0, 2.0], "squared", lam=0.5)
    >>> wb.bounds.gauss_seidel_rate(problem, wb.solve(problem).alpha)  # H = [[1.5, 1], [1, 2.5]]
    LinearRate(alpha=0.266..., dual=0.071..., active=2)
    """
    problem = check_problem("gauss_seidel_rate", problem)
    refused = {
        "a norm": problem.regularizer.is_norm,
        "several predictions a sample": bool(problem.columns),
        "an unregularized bias or constraints": problem.free_bias or problem.is_constrained,
        f"more than {MOST:,} samples": problem.n_samples > MOST,
    }
    for name, present in refused.items():
        if present:
            raise InputError(f"gauss_seidel_rate: {name} is not available; give a problem without")
    H = _hessian(problem, check_targets("alpha", alpha, problem.n_samples))
    if not H.size:
        return LinearRate(0.0, 0.0, 0)
    lower = np.tril(H)
    M = -scipy.linalg.solve_triangular(lower, H - lower, lower=True)
    sizes = np.abs(np.linalg.eigvals(M))
    rate = float(sizes[sizes < 1.0 - FLAT].max(initial=0.0))
    return LinearRate(rate, rate**2, H.shape[0])


def _hessian(problem: Problem, alpha: Floats) -> Floats:
    """Compute n D'' at alpha over the dual variables that move: diag k'' + X h'' X' / (lam n)."""
    loss, nu = problem.loss, problem.nu(alpha)
    if problem.kernel is not None:
        z = problem.kernel_matrix.product(alpha / problem.lam_n)
    else:
        v, transfer = problem.dual_vector(alpha), problem.transfer
        assert isinstance(transfer, Transfer)  # norms are refused
        z = problem.design @ transfer.map(v)[1]
        diagonal, slopes, factor = transfer.bending(v)
    curvature = loss.scalar("curvature")
    bends = np.array([curvature(u, loss.theta) for u in problem.argument(z).tolist()])
    # The conjugate of p bends by 1 / p'', and not at all between the slopes on both sides of a kink of p.
    kinked = np.zeros(alpha.shape, dtype=bool)
    for _, before, after in loss.kinks:
        inside = FLAT * (after - before)
        kinked |= (nu > before + inside) & (nu < after - inside)
    rows = np.flatnonzero(kinked | (bends > 0.0))
    bent = np.where(kinked, 0.0, 1.0 / np.where(kinked | (bends == 0.0), 1.0, bends))[rows]
    if problem.kernel is not None:
        # Columns of K by products with unit vectors.
        products = np.stack([problem.kernel_matrix.product(row) for row in np.eye(alpha.size)[rows]])[:, rows]
    else:
        X = problem.rows[rows].toarray()
        along = X @ slopes
        products = (X * diagonal) @ X.T + factor * np.multiply.outer(along, along)
    return np.diag(bent / problem.weight[rows]) + products / problem.lam_n


class Regret(NamedTuple):
    """The regret of T steps of the Primal Gradient Solver with one sample each, and its bounds.

    >>> import workbench as wb
    >>> wb.bounds.Regret(100, 1.0, 2.0, 5.0).accuracy(delta=0.1)
    0.5
    """

    steps: int  # T
    regret: float  # (14): sum c_t(w_(t-1)) - min over w of sum c_t(w), c_t = lam g + f of the sample drawn
    bound: float  # (15): sum of |subgradient_t|_q^2 / (2 lam t)
    log_bound: float  # L^2 (1 + ln T) / (2 lam), with the largest |subgradient_t|_q for L

    def accuracy(self, delta: float) -> float:
        """Bound P(w) - inf P of the random iterate, with probability 1 - delta: Theorem 1, by Markov."""
        delta = check_number("accuracy", "delta", delta, above=0.0)
        return self.log_bound / (self.steps * delta)

    def delta(self, accuracy: float) -> float:
        """Bound the probability that P(w) - inf P of the random iterate is larger than this; 1 at most."""
        return min(1.0, self.accuracy(1.0) / check_number("delta", "accuracy", accuracy, above=0.0))


def regret(problem: Problem, steps: int, seed: int = 0) -> Regret:
    """Measure the regret of the Primal Gradient Solver along a run, beside what theory says beforehand.

    Parameters
    ----------
    problem : Problem
        With a squared p-norm or squared l2, without a kernel and an unregularized bias.
    steps : int
        T.
    seed : int
        Of the samples drawn.

    Returns
    -------
    Regret

    Examples
    --------
    >>> import workbench as wb
    >>> X, y = [[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]], [1, 1, -1, -1]
    >>> shown = wb.bounds.regret(wb.Problem(X, y, "hinge", lam=0.1), 200)
    >>> shown.regret <= shown.bound <= shown.log_bound
    True
    """
    problem = check_problem("regret", problem)
    steps = check_whole("regret", "steps", steps, 1, 10**7)
    shape = problem.regularizer.squared_norm
    if shape is None or problem.kernel is not None or problem.free_bias:
        raise InputError("regret: it takes squared-l2 or p-norm, without a kernel and an unregularized bias")
    p = shape[0]
    rows, counts = problem.rows, np.zeros(problem.n_samples)
    lengths = np.array([np.linalg.norm(x, ord=p / (p - 1.0)) for x in rows.toarray()])
    solver = PrimalGradient(output="last")
    run = Run(problem, solver, seed=seed)
    value, theta = problem.loss.scalar("value"), problem.loss.theta
    total, squares = 0.0, np.zeros(steps)
    for t in range(steps):
        w = np.array(solver.weights(run.state))
        run.step(1)
        i = int(run.last_event.index)
        z = float((rows[[i]] @ w)[0])
        loss = problem.weight[i] * value(problem.sign[i] * z + problem.shift[i], theta)
        total += loss + problem.lam * _size(w, p) ** 2 / (2.0 * shape[1])
        squares[t] = (run.last_event.pull * lengths[i]) ** 2
        counts[i] += 1.0
    drawn = np.flatnonzero(counts)
    weight = problem.weight[drawn] * counts[drawn] * drawn.size / steps
    y = None if problem.loss.kind == "prediction" else problem.y[drawn]
    terms = problem.loss, problem.regularizer, problem.lam
    best = solve(Problem(rows[drawn], y, *terms, sample_weight=weight), tol=1e-9)
    log_bound = squares.max() * (1.0 + np.log(steps)) / (2.0 * problem.lam)
    bound = float(np.sum(squares / np.arange(1, steps + 1))) / (2.0 * problem.lam)
    return Regret(steps, float(total - steps * best.primal), bound, float(log_bound))


def _size(w: Floats, p: float) -> float:
    return float(np.linalg.norm(w, ord=p))
