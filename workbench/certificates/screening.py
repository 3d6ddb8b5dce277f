"""Safe screening: which weights are zero at every optimum, as a dual point and its gap show.

Where the slope of the loss is L-Lipschitz, n D is strongly convex, and the dual optimum alpha* lies in the
ball sum_i |alpha_i - alpha*_i|^2 / c_i <= 2 n L gap about a feasible alpha. What a column can make of that
ball is bounded by its length, so that x_j.alpha* is known to within an interval; map (9) says what it means
for w_j.

Source       docs/mathematics.md, section 8; Fercoq, Gramfort and Salmon (2015), and Ndiaye et al. (2017) for
             groups, whose balls these are in another scaling
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench._support.display import Carded
from workbench._support.errors import InputError
from workbench.certificates.assembly import Certificate
from workbench.certificates.certifying import certificate
from workbench.kernels import column_loops
from workbench.kernels.fenchel_young import BALANCED
from workbench.problems.problem import Problem

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from workbench._support.annotations import Booleans, Floats
    from workbench.problems.regularizers.blocks import Blocks


# Rounding: of one operation, and of products and lengths as a share of what they are compared with.
UNIT, MARGIN = 2.0**-52, 1e-10
DISCARDED, KEPT, UNDECIDED = "discarded", "kept", "undecided"


def has_ball(problem: Problem) -> bool:
    """Check if the slope of the loss is Lipschitz everywhere, so that a ball about the optimum exists."""
    loss = problem.loss
    low, high = loss.finite_on
    everywhere = low == -np.inf and high == np.inf
    return loss.curvature < np.inf and not loss.kinks.size and everywhere


class Ball(NamedTuple):
    """A ball that holds the dual optimum, about the dual point whose products are given with it."""

    radius: float  # of sum |alpha_i - alpha*_i|^2 / c_i, its root
    lam_n: float
    rounding: float  # of x_j.alpha, as a share of the length of x_j that is not centred

    @classmethod
    def of(cls, problem: Problem, alpha: Floats, primal: float, dual: float) -> Ball:
        """Build the ball about a feasible dual point from its value and that of a primal point."""
        n = problem.n_samples
        gap = max(primal - dual, 0.0) + n * UNIT * max(abs(primal), abs(dual))
        weight = problem.weight if alpha.ndim == 1 else problem.weight[:, None]
        length = float(np.sqrt(np.sum(alpha**2 / weight)))
        radius = float(np.sqrt(2.0 * n * problem.loss.curvature * gap))
        # With a free bias alpha sums to zero but for a share of its size, which centring lets through.
        share = n * UNIT + (BALANCED if problem.free_bias else 0.0)
        return cls(radius, problem.lam_n, share * length)

    def reach(self, norms: Floats) -> Floats:
        """Bound the distance of products from those at the optimum, by lengths (2, k), centred and not."""
        reach: Floats = self.radius * (1.0 + MARGIN) * norms[0] + self.rounding * norms[1]
        return reach

    def bounds(self, blocks: Blocks, products: Floats, norms: Floats) -> Floats:
        """Bound the pull on each block at an optimum from above, (count,)."""
        return blocks.pulls(products, self.lam_n) + self.reach(norms)

    def discards(self, blocks: Blocks, products: Floats, norms: Floats) -> Booleans:
        """Mark the blocks that are zero at every optimum, (count,)."""
        return self.bounds(blocks, products, norms) < blocks.limits(self.lam_n) * (1.0 - MARGIN)


def column_squares(problem: Problem) -> Floats:
    """sum_i c_i (x_ij - m_j)^2, m_j the weighted mean where a bias is free, and sum_i c_i x_ij^2, (2, D)."""
    if problem.is_unweighted and not problem.free_bias:
        return np.stack([problem.design.squares[1]] * 2)
    size = problem.design.shape[1]
    squares, means = np.zeros(size), np.zeros(size)
    mass = float(problem.weight.sum()) if problem.free_bias else 0.0
    everyone = np.arange(size, dtype=np.uint32)
    column_loops.squares()(everyone, *problem.design.column_arrays, problem.weight, mass, squares, means)
    return np.stack([squares, squares + mass * means**2])


def block_norms(problem: Problem, squares: Floats) -> Floats:
    """Compute the norms of the blocks that a ball is compared with, (2, count), from `column_squares`."""
    outputs = problem.columns[0] if problem.columns else 1
    blocks = _check(problem)
    norms: Floats = np.sqrt([blocks.squares(part, outputs) for part in squares])
    return norms


@dataclass(frozen=True, eq=False)
class Screening(Carded):
    """The status of the weights at every optimum, as a point shows it.

    Attributes
    ----------
    status : ndarray of str (count,)
        For each feature, or group: "discarded", which is zero at every optimum, "kept", which is zero at
        none, or "undecided". Without a ridge in the regularizer nothing is ever kept: of two equal columns
        either may have all the weight.
    bound : ndarray (count,)
        The most that the dual vector may pull the block at an optimum, in units of what it takes to leave
        zero: below 1 it is discarded.
    entries : ndarray of bool
        Whether each weight is zero at every optimum, in the shape of w on the columns of the design: those
        of discarded blocks, and with a sparse group norm single weights within the others.
    groups : tuple of tuple of int, or None
        The entries of w in row order that make up each block; None where each is one of its own.
    radius : float
        Of the ball in sum |alpha_i - alpha*_i|^2 / c_i: the root of 2 n L gap.
    certificate : Certificate
        Of the point.
    """

    _card = "screening"

    status: NDArray[np.str_]
    bound: Floats = field(repr=False)
    entries: Booleans = field(repr=False)
    groups: tuple[tuple[int, ...], ...] | None = field(repr=False)
    radius: float
    certificate: Certificate

    def count(self, status: str) -> int:
        """Return the number of blocks with this status."""
        return int(np.count_nonzero(self.status == status))

    def plot(self) -> Any:
        """Plot the bound of each block, coloured by its status, as an Overlay of HoloViews."""
        from workbench._support.display import elements

        return elements.screening(self)

    def __repr__(self) -> str:
        counts = ", ".join(f"{self.count(status)} {status}" for status in (DISCARDED, KEPT, UNDECIDED))
        return f"Screening({counts}, radius={self.radius:.3g}, gap={self.certificate.gap:.3g})"


def screening(
    problem: Problem,
    w: ArrayLike | None = None,
    b: ArrayLike | None = None,
    alpha: ArrayLike | None = None,
) -> Screening:
    """Show which weights are zero at every optimum (discarded), which at none (kept), by a point and its gap.

    Parameters
    ----------
    problem : Problem
        Its loss has a slope that is Lipschitz; its regularizer is l1, an elastic net, squared l2 or a norm of
        groups by their Euclidean lengths.
    w, b, alpha
        As for `certificate`, which judges the point; w = 0 where nothing is given.

    Returns
    -------
    Screening

    Raises
    ------
    InputError
        The loss has no bounded curvature, the regularizer is not a sum over blocks, there is a kernel, or the
        point is not one of this problem.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> X = np.array([[1.0, 0.1], [2.0, -0.1], [3.0, 0.1], [4.0, -0.1]])
    >>> problem = wb.Problem(X, [1.0, 2.0, 3.0, 4.0], "squared", "l1", lam=1.0)
    >>> solution = wb.solve(problem, tol=1e-8)
    >>> wb.screening(problem, w=solution.w, alpha=solution.alpha)
    Screening(1 discarded, 0 kept, 1 undecided, radius=..., gap=...)
    """
    blocks = _check(problem)
    if w is None and alpha is None:
        w = np.zeros((problem.n_features, *problem.columns))
    certified = certificate(problem, w=w, b=b, alpha=alpha)
    # Rounding of the values counts, where its bound is known.
    lower, upper = certified.interval or (certified.dual, certified.dual + certified.gap)
    gap = max(certified.gap, upper - lower)
    ball = Ball.of(problem, certified.alpha, certified.dual + gap, certified.dual)
    outputs = problem.columns[0] if problem.columns else 1
    products = (problem.dual_vector(certified.alpha) * problem.lam_n).reshape(-1)
    squares = column_squares(problem)
    norms = block_norms(problem, squares)
    assert certified.w is not None  # a kernel is refused above
    weights = certified.w.reshape(-1)
    discarded = ball.discards(blocks, products, norms)
    status = np.full(blocks.count, UNDECIDED, dtype="<U9")
    status[_kept(problem, blocks, ball, products, norms, weights, gap)] = KEPT
    status[discarded] = DISCARDED
    # Within a group, a weight whose slope its share alone holds back is zero at every optimum.
    lengths = np.sqrt(np.repeat(squares, outputs, axis=1))
    alone = np.abs(products) + ball.reach(lengths) < problem.lam_n * blocks.share * (1.0 - MARGIN)
    limits = blocks.limits(problem.lam_n)
    bounds = ball.bounds(blocks, products, norms)
    bound = np.divide(bounds, limits, out=np.full(blocks.count, np.inf), where=limits > 0.0)
    order, starts = blocks.order, blocks.starts
    groups = None
    if blocks.groups is not None:
        groups = tuple(tuple(order[lo:hi].tolist()) for lo, hi in itertools.pairwise(starts))
    entries = (alone | blocks.spread(discarded)).reshape(certified.w.shape)
    return Screening(status, bound, entries, groups, ball.radius, certified)


def _kept(
    problem: Problem, blocks: Blocks, ball: Ball, products: Floats, norms: Floats, w: Floats, gap: float
) -> Booleans:
    """Mark the blocks that are nonzero at the optimum, which is unique with a ridge, (count,)."""
    nonzero = np.zeros(blocks.count, dtype=bool)
    if blocks.groups is not None or not blocks.ridge.all():
        return nonzero
    # By map (9), w*_j is not zero where the dual vector pulls more than the threshold.
    nonzero |= np.abs(products) - ball.reach(norms) > blocks.limits(problem.lam_n) * (1.0 + MARGIN)
    # P is strongly convex: lam sum_j k_j (w_j - w*_j)^2 / 2 <= gap.
    gap += problem.n_samples * UNIT * abs(problem.zero_value)
    return nonzero | (problem.lam * blocks.ridge * w**2 > 2.0 * gap * (1.0 + MARGIN))


def _check(problem: Problem) -> Blocks:
    """Return the blocks of a problem that can be screened; raise an `InputError` for other problems."""
    if problem.kernel is not None:
        raise InputError("screening: a kernel's weights are not available; leave it out")
    if problem.is_constrained:
        raise InputError("screening: constraints are not taken; leave them out")
    if not has_ball(problem):
        raise InputError(
            f"screening: the loss {problem.loss.name} has no bounded curvature, so no gap says how near "
            "the dual optimum is; use squared, logistic, huber or another loss with a Lipschitz slope"
        )
    if problem.transfer.blocks is None:
        raise InputError(
            f"screening: the regularizer {problem.regularizer.label} is not a sum over weights, or groups "
            "by their lengths; use l1, elastic-net, group-l1l2 or sparse-group"
        )
    return problem.transfer.blocks
