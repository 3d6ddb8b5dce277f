"""Stability: how far the weights move where one sample leaves, from one certified solve.

Sample i leaves, lam n stays, and w' is the new optimum. With v' = v - alpha_i x_i / (lam n) and the
Fenchel-Young terms e_k of the samples, the old point certifies the new problem:

    n gap' = sum_(k != i) e_k + lam n [ g(w) + h(v') - w.v' ]

(a) w' minimizes, so lam D(w, w') <= gap', D(a, b) = g(a) - g(b) - grad g(b).(a - b): for |w|^2 / 2 and an
    exact solve |w - w'| <= |alpha_i| |x_i| / (lam n).
(b) P' at w' is at most P' at w, so lam [ g(w') + h(v') - w'.v' ] <= gap', and by g(w') + h(v' + t x) >=
    w'.(v' + t x) every t > 0 bounds a prediction: x.w' <= [ gap' / lam + h(v' + t x) - h(v') ] / t.
(c) lam [ D(w', w) + D(w, w') ] <= (alpha_i / n) x_i.(w - w') + (1/n) sum_(k != i) e_k, with v for grad g(w):
    the sum of both sides' subgradient inequalities.

A free bias is refused: with it the statement is false.

Source       docs/mathematics.md, section 11; Bousquet and Elisseeff (2002), Zhang (2003), "Leave-one-out
             bounds for kernel methods", for exact solves and |w|^2 / 2
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import scipy.optimize
from numpy.typing import ArrayLike

from workbench._support.errors import InputError, shown
from workbench._support.names import Public
from workbench.certificates.assembly import Certificate
from workbench.certificates.certifying import certificate
from workbench.problems.problem import Problem

if TYPE_CHECKING:
    from workbench._support.annotations import Floats, Integers


# What a value may be off by, as a share of its size: some units for each of its terms.
UNIT = 2.0**-52
# The search over t is over this many powers of e about the t of a parabola, and need not be precise.
REACH, PRECISION = 12.0, 1e-3


@dataclass(frozen=True, eq=False)
class Stability(Public):
    """Results of one solve about those that leave a sample out; m samples, in the order of `samples`.

    Attributes
    ----------
    samples : ndarray (m,)
        The samples that leave, one at a time.
    reduced_gap : ndarray (m,)
        The gap of the old point in the problem without sample i, in units of the old objective.
    divergence : ndarray (m,)
        A bound of D(w, w'), the Bregman divergence of the regularizer.
    distance : ndarray (m,)
        A bound of |w - w'|; infinite where the regularizer bounds no Euclidean length.
    prediction : ndarray (m, 2)
        Bounds of x_i.w', the prediction for sample i by the weights that never saw it; (m, r, 2).
    z : ndarray (m,)
        x_i.w, the old prediction; (m, r) with r classes.
    """

    samples: Integers
    reduced_gap: Floats
    divergence: Floats
    distance: Floats
    prediction: Floats
    z: Floats
    certificate: Certificate = field(repr=False)
    _problem: Problem = field(repr=False)

    @property
    def errors(self) -> tuple[int, int]:
        """The numbers of samples surely and possibly misclassified by weights that never saw them.

        With labels -1 and +1 a prediction of 0 is wrong.
        """
        problem = self._problem
        if problem.loss.kind != "margin":
            raise InputError(
                f"stability: the {problem.loss.name} loss predicts no labels -1 and +1; use hinge or "
                "another margin loss"
            )
        reached = problem.y[self.samples][:, None] * self.prediction
        return int(np.sum(reached.max(axis=1) <= 0.0)), int(np.sum(reached.min(axis=1) <= 0.0))

    @property
    def support(self) -> int:
        """Vapnik's bound of the errors: the number of these samples with a dual variable that is not zero.

        At an exact optimum a sample without one changes no weights where it leaves, so that it errs no more.
        """
        pulls = self.certificate.alpha[self.samples].reshape(self.samples.size, -1)
        return int(pulls.any(axis=1).sum())

    @property
    def loss(self) -> tuple[float, float]:
        """Bounds of the mean of the losses of these samples under weights that never saw them."""
        problem = self._problem
        if problem.columns:
            raise InputError(
                f"stability: the {problem.loss.name} loss has several predictions a sample, for which the "
                "loss has no bounds; use .prediction"
            )
        rows = self.samples
        sign, shift, weight = (a[rows] for a in (problem.sign, problem.shift, problem.weight))
        value, slope = (problem.loss.scalar(part) for part in ("value", "slope"))
        ends = np.sort(sign[:, None] * self.prediction + shift[:, None], axis=1)
        theta = problem.loss.theta
        values = np.array([[value(u, theta) for u in row] for row in ends])
        slopes = np.array([[slope(u, theta) for u in row] for row in ends])
        width = ends[:, 1] - ends[:, 0]
        # A convex function lies above its tangents at both ends.
        falls = np.stack([np.minimum(slopes[:, 0] * width, 0.0), np.minimum(-slopes[:, 1] * width, 0.0)], 1)
        least = values + falls
        return float(np.mean(weight * least.max(axis=1))), float(np.mean(weight * values.max(axis=1)))


def stability(
    problem: Problem,
    w: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
    samples: ArrayLike | None = None,
) -> Stability:
    """Bound how far the weights move, and what is predicted, where a sample leaves; lam n stays.

    Parameters
    ----------
    problem : Problem
        Without an unregularized bias and constraints; its regularizer is not a norm.
    w, alpha
        As for `certificate`: a `Solution`'s are enough. The nearer they are to the optimum the more is shown.
    samples : array_like of int, optional
        Which samples leave, one at a time; all of them where it is not given.

    Raises
    ------
    InputError
        A free bias, with which the statement is false; constraints; a norm; a sample that is not there.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[2.0, 1.0], [1.0, -1.0], [-1.0, 0.5], [-2.0, -1.0]])
    >>> y = np.array([1, 1, -1, -1])
    >>> problem = wb.Problem(X, y, "hinge", lam=0.1)
    >>> solution = wb.solve(problem, tol=1e-8)
    >>> wb.stability(problem, w=solution.w, alpha=solution.alpha).distance.round(3)
    array([0.   , 0.   , 0.894, 0.   ])
    """
    _check(problem)
    rows = _check_samples(samples, problem.n_samples)
    certified = certificate(problem, w=w, alpha=alpha)
    kernel = problem.kernel is not None
    closed = kernel or problem.regularizer.is_identity
    reduce = _of_parabola if closed else _of_any
    gaps, prediction = reduce(problem, certified, rows)
    divergence = gaps / problem.lam
    modulus = 1.0 if closed else _modulus(problem)
    distance = np.sqrt(2.0 * divergence / modulus) if modulus > 0.0 else np.full(gaps.shape, np.inf)
    return Stability(
        rows, gaps, divergence, distance, prediction, certified.z[rows].copy(), certified, problem
    )


def _others(problem: Problem, certified: Certificate, rows: Integers) -> Floats:
    """Return n times the sum of the Fenchel-Young terms of all other samples, for each of `rows`."""
    terms = certified.sample_terms * problem.n_samples
    # Subtracted from the sum of the others, a large term would cancel.
    before, after = np.cumsum(terms), np.cumsum(terms[::-1])[::-1]
    below = np.concatenate([[0.0], before[:-1]])
    above = np.concatenate([after[1:], [0.0]])
    others: Floats = (below + above)[rows]
    return others


def _rounding(problem: Problem, certified: Certificate) -> float:
    """Return the possible error of n times the gap: what the certificate's interval adds."""
    lower, upper = certified.interval or (0.0, 0.0)
    sums = 8.0 * UNIT * (abs(certified.primal) + abs(certified.dual))
    return problem.n_samples * max(sums, upper - lower - certified.gap)


def _of_parabola(problem: Problem, certified: Certificate, rows: Integers) -> tuple[Floats, Floats]:
    """Bound n' gap / n and the predictions for g = |w|^2 / 2, in closed form."""
    lam_n, alpha = problem.lam_n, certified.alpha[rows]
    rest = certified.regularizer_term * problem.n_samples
    if certified.w is not None and certified._v is not None:
        squares = problem.design.squares[0][rows]
        # w - v, zero but for what the solve left.
        missed = certified.w - certified._v
        along, centre = (problem.design @ missed)[rows], (problem.design @ certified._v)[rows]
    else:
        squares, along = problem.kernel_matrix.diagonal[rows], np.zeros(rows.size)
        centre = certified.z[rows]
    square = squares if alpha.ndim == 1 else squares[:, None]
    # |w - v'|^2 / 2 with w - v' = (w - v) + alpha_i x_i / (lam n).
    shift = alpha * along + alpha**2 * square / (2.0 * lam_n)
    shift = shift if alpha.ndim == 1 else shift.sum(axis=1)
    gaps = np.maximum(_others(problem, certified, rows) + rest + shift, 0.0) / problem.n_samples
    gaps = gaps + _rounding(problem, certified) / problem.n_samples * (gaps > 0.0)
    middle = centre - alpha * square / lam_n
    reach = np.sqrt(2.0 * gaps / problem.lam * squares)
    reach = (reach if alpha.ndim == 1 else reach[:, None]) + 8.0 * UNIT * (np.abs(centre) + np.abs(middle))
    return gaps, np.stack([middle - reach, middle + reach], axis=-1)


def _of_any(problem: Problem, certified: Certificate, samples: Integers) -> tuple[Floats, Floats]:
    """Bound the gaps and predictions without each sample for any h, by a search over t for each output."""
    transfer, rows, outputs = problem.transfer, problem.rows, problem.columns
    assert certified.w is not None  # a kernel problem is closed
    others, w = _others(problem, certified, samples), certified.w.ravel()
    slack = _rounding(problem, certified) / problem.n_samples
    gaps, prediction = np.empty(samples.size), np.empty((samples.size, *outputs, 2))
    for k, i in enumerate(samples):
        x = rows[[i]].toarray().ravel()
        alpha = certified.alpha[i]
        without = certified._v - (np.multiply.outer(x, alpha) if outputs else x * alpha) / problem.lam_n
        v = np.ascontiguousarray(without.ravel())
        h, image, _ = _mapped(problem, v)
        gaps[k] = (others[k] + problem.lam_n * transfer.bracket(w, v, h).sum) / problem.n_samples + slack
        for output in np.ndindex(*outputs):
            direction = np.zeros_like(without)
            direction[(slice(None), *output)] = x
            direction = direction.ravel()
            middle = float(image @ direction)
            room = gaps[k] / problem.lam
            low, high = (_farthest(problem, v, s * direction, s * middle, room) for s in (-1.0, 1.0))
            prediction[(k, *output)] = -low, high
    return gaps, prediction


def _mapped(problem: Problem, v: Floats) -> tuple[float, Floats, float]:
    """h(v), its gradient, and what h may be off by: v is a sum of n terms, and h one of D."""
    h, image = problem.transfer.map(v)
    size = abs(h) + float(np.abs(image) @ (1.0 + np.abs(v)))
    return h, image, (8.0 + problem.n_samples + v.size) * UNIT * size


def _farthest(problem: Problem, v: Floats, direction: Floats, middle: float, room: float) -> float:
    """Bound direction.w' from above over all w' with g(w') + h(v) - w'.v <= room: the least over t."""
    if not direction.any():
        return 0.0
    h, _, off = _mapped(problem, v)

    def bound(log_t: float) -> float:
        t = float(np.exp(log_t))
        ahead, _, more = _mapped(problem, v + t * direction)
        value = (room + (ahead - h) + off + more) / t
        return value if np.isfinite(value) else np.finfo(float).max

    # The t at which a parabola of the curvature met at a first step would be best.
    step = 1e-3 / float(np.abs(direction).max())
    bend = max(2.0 * (_mapped(problem, v + step * direction)[0] - h - step * middle) / step**2, 1e-300)
    start = 0.5 * np.log(max(2.0 * room / bend, 1e-290))
    result = scipy.optimize.minimize_scalar(
        bound, bounds=(start - REACH, start + REACH), method="bounded", options={"xatol": PRECISION}
    )
    return float(min(result.fun, bound(start)))


def _modulus(problem: Problem) -> float:
    """Return sigma with D(a, b) >= sigma |a - b|^2 / 2, 0 if none is known: h has the curvature 1 / sigma."""
    bound = problem.regularizer.curvature
    if not bound < np.inf:
        return 0.0
    return 1.0 / (bound * float(problem.transfer.weights.max()))


def _check_samples(samples: ArrayLike | None, n: int) -> Integers:
    if samples is None:
        return np.arange(n)
    rows = np.atleast_1d(np.asarray(samples))
    if rows.dtype.kind not in "iu" or rows.ndim != 1:
        raise InputError(
            f"stability: samples = {shown(samples)} are not whole numbers; give some of 0 to {n - 1}"
        )
    bad = rows[(rows < 0) | (rows >= n)]
    if bad.size:
        raise InputError(f"stability: there is no sample {bad[0]}; give some of 0 to {n - 1}")
    return rows


def _check(problem: Problem) -> None:
    """Refuse what the statement is not true for, or says nothing of."""
    if problem.free_bias:
        raise InputError(
            "stability: with a free bias the statement is false: for the squared loss and the points (x, y) "
            "= (0, 5), (1, 0), (2, 0) leaving out the first, for which the bound is 0, moves w; use "
            "bias='constant'"
        )
    if problem.is_constrained:
        raise InputError("stability: constraints are not taken; leave them out")
    if problem.regularizer.is_norm:
        raise InputError(
            f"stability: the norm {problem.regularizer.label} is not strictly convex, so nothing bounds how "
            "far weights move; use elastic-net:epsilon=1, which adds a square to l1, or another regularizer"
        )
    if problem.n_samples < 2:
        raise InputError("stability: there is one sample, and none is left without it; give two or more")
