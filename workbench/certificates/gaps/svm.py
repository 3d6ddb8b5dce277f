"""The gap G(a) of the L1-SVM: how far a dual point is from the optimum, at the best bias.

With m_i = f(x_i) - y_i, f = sum_j y_j a_j k(x_j, .), and c = -b, every sample adds

    up_i [m_i - c]_+  +  (C - up_i) [c - m_i]_+,        up_i = a_i where y_i = +1, C - a_i where y_i = -1,

so G is convex and piecewise linear in the bias with the breakpoints b_i = y_i - f(x_i). Its slope in c
is C (number of m_i below c) - sum up, and y.a = 0 makes sum up = C n_-: the minimum lies between the
breakpoints number n_- and n_- + 1, whatever a is.

Source       List et al. (2007), (19), (20), Corollary 3, Lemma 8 and Remark 1, with b for the paper's -b
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict, cast

import numpy as np
from numpy.typing import ArrayLike

from workbench._support.errors import InputError
from workbench._support.names import Public, check_number
from workbench.problems.definiteness import refuse_indefinite
from workbench.problems.design import as_numbers, check_targets

if TYPE_CHECKING:
    from workbench._support.annotations import Booleans, Floats
    from workbench.problems.definiteness import SymmetricMatrix


# A dual point whose y.a or whose distance from the box is below this share of its size is rounded.
ROUNDING = 1e-10


@dataclass(frozen=True, eq=False)
class SvmGap(Public):
    """G(a) of List et al., in the units of 1/2 |f|^2 + C sum xi (1 / lam times those of a `Problem`).

    Attributes
    ----------
    gap : float
        G(a): the primal point (f, bias, slacks) is at most this far above the optimum.
    bias : float
        The b of f(x) + b that attains it, in the middle of the interval of minimizers.
    slacks : ndarray (n,)
        xi_i = [1 - y_i (f(x_i) + b)]_+, Corollary 3.
    breakpoints, values : ndarray (n,)
        Where G bends as a function of the bias, ascending, and G there: draw one over the other.
    primal, dual : float
        1/2 |f|^2 + C sum xi at that bias, and the lower bound -W(a); gap is their difference.
    lemma_8, remark_1 : float
        C n delta and C count delta with delta = max(0, t_hat - b_hat): upper bounds of the gap.
    t_hat, b_hat : float
        The largest m_i of the top set and the least of the bottom set; -inf and +inf where one is empty.
    count : int
        How many samples can violate between b_hat and t_hat, Remark 1.
    top, bottom : ndarray of bool (n,)
        The candidate sets (20).
    violating_pair : (int, int) or None
        The maximal violating pair (top, bottom); None where no pair violates, and then a is optimal.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> result = wb.gaps.svm(np.eye(2), [1, -1], C=1.0, a=[0.5, 0.5])
    >>> result.primal, result.dual, result.gap
    (1.25, 0.75, 0.5)
    """

    gap: float
    bias: float
    slacks: Floats = field(repr=False)
    breakpoints: Floats = field(repr=False)
    values: Floats = field(repr=False)
    primal: float
    dual: float
    lemma_8: float
    remark_1: float
    t_hat: float
    b_hat: float
    count: int
    top: Booleans = field(repr=False)
    bottom: Booleans = field(repr=False)
    violating_pair: tuple[int, int] | None
    _outer_slopes: tuple[float, float] = field(repr=False)
    _moves: tuple[Floats, Floats, float] = field(repr=False)  # m_i, the room of a_i downwards, C

    @property
    def rate_certifying_pair(self) -> tuple[int, int, float] | None:
        """The pair (top, bottom) of largest sigma-gap, and its share tau of the gap; None at an optimum.

        The sigma-gap of a pair is (m_i - m_j) times how far both may move in the box. A step that lowers the
        objective's linear part by tau times the gap G at each iterate converges linearly or better (List,
        section 3.1; Hush and Scovel 2003: of all pairs the best has tau of 1 / n^2 or more). In O(n^2).
        """
        m, up, C = self._moves
        best: tuple[float, int, int] = (0.0, -1, -1)
        for i in np.flatnonzero(self.top).tolist():
            drops = np.minimum(up[i], C - up) * (m[i] - m)
            j = int(np.argmax(drops))
            best = max(best, (float(drops[j]), i, j))
        drop, i, j = best
        return (i, j, drop / self.gap) if drop > 0.0 else None

    def at(self, bias: ArrayLike) -> Floats:
        """G as a function of the bias, at any biases (k,); beyond the breakpoints it is linear."""
        bias = np.asarray(bias, dtype=float)
        first, last = self.breakpoints[0], self.breakpoints[-1]
        inside = np.interp(bias, self.breakpoints, self.values)
        left, right = self._outer_slopes
        result: Floats = inside + left * np.maximum(first - bias, 0.0) + right * np.maximum(bias - last, 0.0)
        return result


def svm(K: ArrayLike | SymmetricMatrix, y: ArrayLike, C: ArrayLike, a: ArrayLike) -> SvmGap:
    """Compute the gap of a dual point of the L1-SVM with an unregularized bias.

    Parameters
    ----------
    K : (n, n) array, sparse matrix or linear operator
        The kernel's values k(x_i, x_j), without labels; only K @ vector is used.
    y : array_like (n,)
        Labels -1 and +1, both of which occur.
    C : float
        The weight of a slack, 1 / (lam n).
    a : array_like (n,)
        Dual variables, 0 <= a <= C and y.a = 0.

    Returns
    -------
    SvmGap
        In O(n log n) beyond the product with K.

    Raises
    ------
    InputError
        A point outside the box, y.a that is not zero, labels of one class, shapes that do not fit, a K with
        a negative eigenvalue.

    Examples
    --------
    >>> import numpy as np
    >>> import workbench as wb
    >>> wb.gaps.svm(np.eye(2), [1, -1], C=1.0, a=[0.5, 0.5]).gap
    0.5
    """
    shape = getattr(K, "shape", None)
    numbers = shape is None or isinstance(K, np.ndarray)
    matrix = cast(
        "SymmetricMatrix", as_numbers("svm: K", cast("ArrayLike", K), "give numbers") if numbers else K
    )
    n = matrix.shape[0] if len(matrix.shape) == 2 else 0
    if len(matrix.shape) != 2 or matrix.shape[1] != n or n == 0:
        raise InputError(f"svm: K has shape {matrix.shape}; give the square matrix of all k(x_i, x_j)")
    labels, bound, duals = _checked(y, C, a, n)
    predictions = np.asarray(matrix @ (labels * duals), dtype=float).ravel()
    bad = np.flatnonzero(~np.isfinite(predictions))
    if bad.size:
        raise InputError(f"svm: row {bad[0]} of K gives {predictions[bad[0]]}; K must hold finite numbers")
    # Where K is not positive semi-definite, G bounds nothing.
    refuse_indefinite(matrix)
    return _gap(predictions, labels, bound, duals)


def svm_from_predictions(predictions: ArrayLike, y: ArrayLike, C: float, a: ArrayLike) -> SvmGap:
    """`svm` for given f(x_i) = sum_j y_j a_j k(x_j, x_i), (n,), where the kernel matrix is not there.

    >>> import workbench as wb
    >>> wb.gaps.svm_from_predictions([0.5, -0.5], [1, -1], C=1.0, a=[0.5, 0.5]).gap
    0.5
    """
    size = np.shape(predictions)[0] if np.ndim(predictions) else 0
    return _gap(check_targets("predictions", predictions, size), *_checked(y, C, a, size))


class _Bounds(TypedDict):
    """The candidate sets of a dual point, and what follows of them."""

    lemma_8: float
    remark_1: float
    t_hat: float
    b_hat: float
    count: int
    top: Booleans
    bottom: Booleans
    violating_pair: tuple[int, int] | None


def _checked(y: ArrayLike, C: ArrayLike, a: ArrayLike, n: int) -> tuple[Floats, float, Floats]:
    C = check_number("svm", "C", C, above=0.0)
    y, a = check_targets("y", y, n), check_targets("a", a, n)
    bad = np.flatnonzero(np.abs(y) != 1.0)
    if bad.size:
        raise InputError(f"svm: y[{bad[0]}] is {y[bad[0]]:g}; use labels -1 and +1")
    if abs(y.sum()) == n:
        raise InputError(
            f"svm: y holds only labels {y[0]:+g}; a bias without a regularizer needs samples of both classes"
        )
    bad = np.flatnonzero((a < -ROUNDING * C) | (a > C * (1.0 + ROUNDING)))
    if bad.size:
        raise InputError(f"svm: a[{bad[0]}] = {a[bad[0]]:g} lies outside the box [0, {C:g}]; clip it first")
    a = np.clip(a, 0.0, C)
    if abs(y @ a) > ROUNDING * max(a.sum(), C):
        raise InputError(
            f"svm: y.a is {y @ a:.3g} where 0 is needed; a point off this plane bounds nothing: repair it, "
            "as wb.certificate does"
        )
    return y, C, a


def _gap(predictions: Floats, y: Floats, C: float, a: Floats) -> SvmGap:
    m = predictions - y
    up = np.where(y > 0.0, a, C - a)
    negatives = int(np.count_nonzero(y < 0.0))
    order = np.sort(m)
    best = 0.5 * (order[negatives - 1] + order[negatives])
    gap = float(np.sum(up * np.maximum(m - best, 0.0) + (C - up) * np.maximum(best - m, 0.0)))
    slacks = np.maximum(y * (best - m), 0.0)
    half_norm = 0.5 * float((y * a) @ predictions)
    return SvmGap(
        gap=gap,
        bias=float(-best),
        slacks=slacks,
        breakpoints=-order[::-1],
        values=_values(order, gap, negatives, C)[::-1],
        primal=half_norm + C * float(slacks.sum()),
        dual=float(a.sum()) - half_norm,
        _moves=(m, up, C),
        _outer_slopes=(C * (y.shape[0] - negatives), C * negatives),
        **_bounds(m, up, C),
    )


def _values(order: Floats, gap: float, negatives: int, C: float) -> Floats:
    """G at the sorted m_i, summed outwards from its minimum so that no rounding brings it below."""
    n = order.shape[0]
    steps = np.diff(order)
    # Between the breakpoints k and k + 1 (from one) the slope is C (k - n_-).
    slopes = C * (np.arange(1, n) - negatives)
    rises = np.abs(slopes) * steps
    values = np.full(n, gap)
    values[negatives:] += np.concatenate([[0.0], np.cumsum(rises[negatives:])])
    values[:negatives] += np.concatenate([np.cumsum(rises[: negatives - 1][::-1])[::-1], [0.0]])
    return values


def _bounds(m: Floats, up: Floats, C: float) -> _Bounds:
    top, bottom = up > 0.0, up < C
    i = int(np.argmax(np.where(top, m, -np.inf)))
    j = int(np.argmin(np.where(bottom, m, np.inf)))
    t_hat = float(m[i]) if top.any() else -np.inf
    b_hat = float(m[j]) if bottom.any() else np.inf
    delta = max(0.0, t_hat - b_hat)
    count = int(np.count_nonzero((top & (m > b_hat)) | (bottom & (m < t_hat))))
    return {
        "lemma_8": C * m.shape[0] * delta,
        "remark_1": C * count * delta,
        "t_hat": t_hat,
        "b_hat": b_hat,
        "count": count,
        "top": top,
        "bottom": bottom,
        "violating_pair": (i, j) if t_hat > b_hat else None,
    }
