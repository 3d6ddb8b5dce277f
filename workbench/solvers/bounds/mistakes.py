"""Mistake bounds of Zhang's online rule (24), from a stream and a comparator, beside the mistakes it makes.

The rule starts at v = 0 and moves v by eta y x where y w.x <= 0, w = grad h(v): after M mistakes

    eta (gamma M - L) <= eta sum y u.x = u.v <= g(u) + h(v),    L = sum max(0, gamma - y u.x)

by the definition of L and the Fenchel-Young inequality, and h(v) grows by little at a mistake, since there
y w.x <= 0. With a margin gamma = min y u.x above 0 the shortfall L is zero.

    Perceptron  |v|^2 grows by eta^2 R^2:            gamma M - L <= R |u| M^(1/2)
    p-norm      |v|_p^2 by (p - 1) eta^2 X_p^2:      gamma M - L <= (p - 1)^(1/2) X_p |u|_q M^(1/2)
    Winnow      ln sum pi_j e^(v_j) by ln cosh eta:  eta (gamma M - L) <= KL(u | pi) + M ln cosh eta

Source       docs/mathematics.md, section 10; Novikoff (1962), Grove, Littlestone and Schuurmans (2001),
             Gentile (2003); the shortfall as Freund and Schapire (1999) and Gentile (2003) count it
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.errors import InputError, shown
from workbench._support.names import Public, check_number
from workbench.problems.design import check_targets
from workbench.problems.problem import Problem
from workbench.problems.regularizers import NormalizedEntropy
from workbench.solvers.algorithms.online import Perceptron, PNorm, Winnow

if TYPE_CHECKING:
    import scipy.sparse as sp

    from workbench._support.annotations import Floats, Integers
    from workbench.problems.regularizers.base import Regularizer


# What a comparator of sum 1 may miss it by, and an entry of size 1 may exceed it by: rounding.
ROUNDED = 1e-12


@dataclass(frozen=True, eq=False)
class MistakeBound(Public):
    """The mistakes of an online rule on a stream, and a bound that no run of it exceeds.

    Attributes
    ----------
    mistakes : int
        How often y w.x <= 0 was met, from v = 0.
    bound : float
        No stream that meets the conditions has more of them.
    conditions : tuple of str
        What the bound asks for, with the numbers of this stream.
    margin, shortfall : float
        gamma, and L = sum max(0, gamma - y u.x) over the stream.
    by_sample : ndarray (n,) of int
        The mistakes on each sample.
    w, average : ndarray (d,)
        The last weights, and the mean of those that predicted.

    Examples
    --------
    >>> import workbench as wb
    >>> bound = wb.bounds.perceptron([[2.0, 1.0], [-1.0, 0.5]], [1, -1], w=[1.0, 0.0])
    >>> bound.mistakes, bound.margin
    (1, 1.0)
    """

    mistakes: int
    bound: float
    conditions: tuple[str, ...]
    margin: float
    shortfall: float
    by_sample: Integers = field(repr=False)
    w: Floats = field(repr=False)
    average: Floats = field(repr=False)


def perceptron(
    X: ArrayLike, y: ArrayLike, w: ArrayLike, order: ArrayLike | None = None, margin: float | None = None
) -> MistakeBound:
    """Count the Perceptron's mistakes and bound them by R^2 |u|^2 / gamma^2, R the longest sample's length.

    Parameters
    ----------
    X, y : array_like (n, d), (n,)
        Samples and labels -1 and +1.
    w : array_like (d,)
        The comparator u; its length does not matter.
    order : array_like of int, optional
        The stream, as rows of X; each row once where it is not given.
    margin : float, optional
        gamma; the least y u.x where it is not given, which must be above 0. With a larger one the bound
        counts what is missing to it.

    Raises
    ------
    InputError
        No margin: it says which sample, and what holds instead.

    Examples
    --------
    >>> import workbench as wb
    >>> wb.bounds.perceptron([[2.0, 1.0], [-1.0, 0.5]], [1, -1], w=[1.0, 0.0]).bound
    5.0
    """
    stream = _Stream.of("perceptron", X, y, w, order, margin)
    square = float(stream.problem.design.squares[0][stream.visited].max())
    bound = _root_bound(square * float(stream.u @ stream.u), stream)
    return stream.run(Perceptron(output="average"), bound, (f"|x_i| <= {math.sqrt(square):.6g}",))


def p_norm(
    X: ArrayLike,
    y: ArrayLike,
    w: ArrayLike,
    p: float,
    order: ArrayLike | None = None,
    margin: float | None = None,
) -> MistakeBound:
    """Count the p-norm algorithm's mistakes; bound them by (p - 1) |u|_q^2 X_p^2 / gamma^2, 1/p + 1/q = 1.

    X_p is the largest |x_i|_p. The rule is w = grad |v|_p^2 / 2, whatever power of the norm g has: only signs
    count. Other parameters, and what is raised, as for `perceptron`.

    >>> import workbench as wb
    >>> wb.bounds.p_norm([[2.0, 1.0], [-1.0, 0.5]], [1, -1], w=[1.0, 0.0], p=3.0).conditions
    ('y_i u.x_i >= 1', '|x_i|_p <= 2.08008 with p = 3 >= 2')
    """
    p = check_number("p_norm", "p", p, above=1.0)
    if p < 2.0:
        raise InputError(
            f"p_norm: p = {p:g} is below 2, where |v|_p^2 / 2 has no bounded curvature and there is no such "
            "bound; use p >= 2, which with p = 2 is the Perceptron's bound"
        )
    q = p / (p - 1.0)
    stream = _Stream.of("p_norm", X, y, w, order, margin, f"q-norm:q={shown(q)}")
    rows = abs(stream.problem.rows)
    largest = float(max(_norm(rows.data[lo:hi], p) for lo, hi in stream.row_ends(rows)))
    bound = _root_bound((p - 1.0) * (largest * _norm(np.abs(stream.u), q)) ** 2, stream)
    return stream.run(PNorm(output="average"), bound, (f"|x_i|_p <= {largest:.6g} with p = {p:g} >= 2",))


def winnow(
    X: ArrayLike,
    y: ArrayLike,
    w: ArrayLike,
    eta: float,
    mu: float | ArrayLike = 1.0,
    order: ArrayLike | None = None,
    margin: float | None = None,
) -> MistakeBound:
    """Winnow's mistakes at threshold zero and KL(u | mu/A) / (eta gamma - ln cosh eta), A = sum mu.

    It asks for entries of X between -1 and 1, a comparator u in the simplex and a rate eta small enough for
    the margin, eta gamma > ln cosh eta. Normalized weights or not make no difference: only signs count. This
    is not the bound of Littlestone (1988), whose algorithm has a positive threshold.

    Parameters
    ----------
    eta : float
        The learning rate; artanh(gamma) gives the least bound.
    mu : float or array_like (d,)
        The weights at the start, above 0.
    X, y, w, order, margin
        As for `perceptron`, which says too what is raised.

    Examples
    --------
    >>> import workbench as wb
    >>> X = [[0.5, 0.1], [-0.5, 0.2]]
    >>> wb.bounds.winnow(X, [1, -1], w=[1.0, 0.0], eta=0.5).mistakes
    0
    """
    eta = check_number("winnow", "eta", eta, above=0.0)
    stream = _Stream.of("winnow", X, y, w, order, margin)
    u, size = stream.u, stream.u.shape[0]
    _check_simplex(u)
    start = check_targets("mu", np.full(size, mu) if np.ndim(mu) == 0 else mu, size)
    if not (start > 0.0).all():
        j = int(np.argmin(start))
        raise InputError(f"winnow: mu[{j}] = {start[j]:g}; the weights at the start must be above 0")
    largest = float(np.abs(stream.problem.rows.data).max(initial=0.0))
    if largest > 1.0 + ROUNDED:
        raise InputError(
            f"winnow: X has an entry of size {largest:g}, and the bound asks for entries between -1 and 1; "
            f"divide X by {largest:g} and multiply eta by it, which leaves the rule as it is"
        )
    prior = start / start.sum()
    inside = u > 0.0
    divergence = max(float(np.sum(u[inside] * np.log(u[inside] / prior[inside]))), 0.0)
    gain = eta * stream.margin - _log_cosh(eta)
    if not gain > 0.0:
        best = math.atanh(min(stream.margin, 1.0 - 1e-9))
        raise InputError(
            f"winnow: eta = {eta:g} is too large for the margin {stream.margin:g}, since eta gamma - ln cosh "
            f"eta = {gain:.3g} is not positive: there is no bound; use eta = artanh(gamma) = {best:.3g}"
        )
    bound = (divergence + eta * stream.shortfall) / gain
    conditions = (
        "entries of X between -1 and 1",
        "u >= 0 with sum 1",
        f"eta gamma - ln cosh eta = {gain:.6g} > 0",
        f"KL(u | mu/A) = {divergence:.6g}",
    )
    stream = stream.under(NormalizedEntropy(mu=tuple(start.tolist())))
    return stream.run(Winnow(eta=eta, output="average"), bound, conditions)


@dataclass(frozen=True, eq=False)
class _Stream:
    """A stream of samples with a comparator, checked."""

    problem: Problem
    u: Floats
    order: Integers
    margin: float
    shortfall: float

    @classmethod
    def of(
        cls,
        name: str,
        X: ArrayLike,
        y: ArrayLike,
        w: ArrayLike,
        order: ArrayLike | None,
        margin: float | None,
        regularizer: str | Regularizer = "squared-l2",
    ) -> Self:
        problem = Problem(X, y, "hinge", regularizer, lam=1.0)
        u = check_targets("w", w, problem.n_features)
        if not u.any():
            raise InputError(f"{name}: w is zero, and the bound asks for a comparator with a margin")
        order = _order(order, problem.n_samples)
        reached = (problem.y * (problem.design @ u))[order]
        least = float(reached.min())
        if margin is None:
            if not least > 0.0:
                raise InputError(
                    f"{name}: sample {order[reached.argmin()]} has y w.x = {least:g}, and the bound asks for "
                    "a margin above 0 on all of them; for a comparator that misses some of them, give "
                    "margin=1, say: the bound then counts their shortfall sum max(0, margin - y w.x)"
                )
            return cls(problem, u, order, least, 0.0)
        margin = check_number(name, "margin", margin, above=0.0)
        return cls(problem, u, order, margin, float(np.maximum(margin - reached, 0.0).sum()))

    @property
    def visited(self) -> Integers:
        """The rows of the stream, each once."""
        return np.unique(self.order)

    def row_ends(self, rows: sp.csr_array) -> list[tuple[int, int]]:
        """Return where each of these rows begins and ends."""
        return [(rows.indptr[i], rows.indptr[i + 1]) for i in self.visited]

    def under(self, regularizer: str | Regularizer) -> _Stream:
        """Return the same stream for the rule of a regularizer."""
        return replace(self, problem=self.problem.replace(regularizer=regularizer))

    def run(self, solver: Any, bound: float, conditions: tuple[str, ...]) -> MistakeBound:
        """Run the rule on the stream, beside its bound."""
        state = solver.init(self.problem)
        steps = solver.visit(self.problem, state, self.order.astype(np.uint32))
        if steps < self.order.size:
            raise InputError(f"{solver.name}: the weights overflow at step {steps}; scale the features down")
        condition = f"y_i u.x_i >= {self.margin:.6g}"
        if self.shortfall > 0.0:
            condition = f"sum max(0, {self.margin:.6g} - y_i u.x_i) = {self.shortfall:.6g} over the stream"
        return MistakeBound(
            int(state.mistakes.sum()),
            float(bound),
            (condition, *conditions),
            self.margin,
            self.shortfall,
            state.mistakes.copy(),
            state.w.copy(),
            solver.weights(state),
        )


def _root_bound(square: float, stream: _Stream) -> float:
    """Return the largest M with gamma M - L <= (square M)^(1/2)."""
    gamma, missing = stream.margin, stream.shortfall
    root = math.sqrt(square * (square + 4.0 * gamma * missing))
    return (square + 2.0 * gamma * missing + root) / (2.0 * gamma**2)


def _order(order: ArrayLike | None, n: int) -> Integers:
    """Check the order of the stream: indices of rows."""
    if order is None:
        return np.arange(n)
    order = np.asarray(order)
    if order.ndim != 1 or order.size == 0 or order.dtype.kind not in "iu":
        raise InputError(f"order: {shown(order)} is not a list of rows; give whole numbers from 0 to {n - 1}")
    if order.min() < 0 or order.max() >= n:
        bad = order[(order < 0) | (order >= n)][0]
        raise InputError(f"order holds {bad}, which is not a row of X; give whole numbers from 0 to {n - 1}")
    return order


def _check_simplex(u: Floats) -> None:
    """Refuse a comparator that is not a share of one."""
    if not (u >= 0.0).all() or abs(float(u.sum()) - 1.0) > ROUNDED * u.size:
        j = int(u.argmin())
        what = f"w[{j}] = {u[j]:g}" if u[j] < 0.0 else f"w has the sum {float(u.sum()):g}"
        raise InputError(
            f"winnow: {what}, and the bound asks for w >= 0 with sum 1; divide w by its sum, and for "
            "weights of both signs use [x, -x] in place of x"
        )


def _norm(sizes: Floats, p: float) -> float:
    """Compute the p-norm of non-negative numbers, scaled by the largest."""
    top = float(sizes.max(initial=0.0))
    return top * float(np.sum((sizes / top) ** p)) ** (1.0 / p) if top > 0.0 else 0.0


def _log_cosh(x: float) -> float:
    # The second form cancels near zero, the first overflows far from it.
    if x < 1.0:
        return math.log1p(2.0 * math.sinh(0.5 * x) ** 2)
    return x + math.log1p(math.exp(-2.0 * x)) - math.log(2.0)
