"""Checkers of lesson 6, gaps as certificates."""

import numpy as np

from workbench.teaching.answers import Wrong, call, expect_function, same
from workbench.teaching.checking import exercise

X = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0], [-2.0, 0.5]])
Y = np.array([1.0, -2.0, 3.0, 0.5])
POINTS = [
    (X, Y, np.array([0.5, -1.0]), np.array([1.0, 0.5, -2.0, 0.25]), 0.5),
    (X, Y, np.array([0.0, 0.25]), np.array([-1.0, 1.5, 0.5, 1.0]), 0.1),
]
# The dual norm of X'kappa above lam, by an entry of either sign, below lam, and zero.
GRADIENTS = [
    (X, np.array([0.25, -0.5, 0.75, 0.125]), 0.5),
    (X, np.array([-0.25, 0.5, -0.75, 0.125]), 0.5),
    (X, np.array([0.01, -0.02, 0.03, 0.05]), 1.0),
    (X, np.zeros(4), 0.25),
]
CENTRED = [
    (X, np.array([0.25, -0.5, 0.75, 0.125]), 0.1),
    (X, np.array([-1.0, 0.5, 0.25, -0.375]), 0.01),
]
# A best multiple within the ball, one beyond it, one beyond it on the other side.
SCALED = [(X, Y, 1.5 * Y, 9.0), (X, Y, 3.0 * Y, 0.05), (X, Y, -2.0 * Y, 0.1)]

# Numbers of ten digits and a gap below one: a difference of P and -D has lost it, a sum of squares has not.
_BIG = np.array([123456789.0, -98765433.0, 55555557.0, -31415927.0])
_FAR = X.T @ _BIG + np.array([0.5, -0.25])
LARGE = [(X, X @ _FAR + _BIG / 2 + np.array([0.25, -0.5, 0.0, 0.25]), _FAR, _BIG, 0.25)]


@exercise("6.1", "the gap as a sum of squares")
def ridge_gap(answer):
    def gap(X, y, w, alpha, lam, divisor=None, average=np.mean, half=0.5, sign=1.0):
        v = X.T @ alpha / (lam * len(y) if divisor is None else divisor(lam, len(y)))
        return average((X @ w - y + sign * alpha / 2) ** 2) + half * lam * np.sum((w - v) ** 2)

    expect_function(
        answer,
        POINTS,
        gap,
        [
            (
                lambda X, y, w, alpha, lam: np.mean((X @ w - y + alpha / 2) ** 2),
                "The regularizer's bracket lambda/2 |w - v|^2 is missing.",
            ),
            (
                lambda *point: gap(*point, average=np.sum),
                "The samples' brackets are averaged, not summed: divide by n.",
            ),
            (
                lambda *point: gap(*point, divisor=lambda lam, n: n),
                "v = X'alpha / (lambda n): lambda is missing.",
            ),
            (
                lambda *point: gap(*point, divisor=lambda lam, n: lam),
                "v = X'alpha / (lambda n): n is missing.",
            ),
            (lambda *point: gap(*point, half=1.0), "g is |w|^2 / 2, so its bracket is half a square."),
            (
                lambda *point: gap(*point, sign=-1.0),
                "The sign of alpha: map (10) makes alpha minus the slope, -2 (z - y) here.",
            ),
        ],
        "ridge_gap",
    )
    if not same(call(answer, LARGE[0], 0.0), gap(*LARGE[0])):
        raise Wrong(
            "The value is right, but it comes from subtracting large numbers that nearly agree: for large y "
            "and a small gap no digit of it is left. Complete the squares."
        )


@exercise("6.2", "into the ball of the dual norm")
def scaling(answer):
    def ratio(X, kappa, lam, norm=np.inf):
        size = np.linalg.norm(X.T @ kappa, norm)
        return lam / size if size else np.inf

    expect_function(
        answer,
        GRADIENTS,
        lambda *point: min(1.0, ratio(*point)),
        [
            (
                ratio,
                "Where kappa is in the ball already it stays as it is: the factor is 1 at most, "
                "and 1 where X'kappa = 0.",
            ),
            (
                lambda *point: min(1.0, ratio(*point, norm=1)),
                "You took the norm of the regularizer itself; the dual of the l1 norm is another one.",
            ),
            (lambda *point: min(1.0, ratio(*point, norm=2)), "Only the l2 norm is its own dual."),
            (
                lambda X, kappa, lam: min(1.0, lam / np.max(X.T @ kappa)) if kappa.any() else 1.0,
                "The largest entry may be a negative one: take absolute values first.",
            ),
            (
                lambda X, kappa, lam: min(1.0, len(kappa) * ratio(X, kappa, lam)),
                "That n belongs to alpha; kappa holds the 1/n already.",
            ),
            (
                lambda X, kappa, lam: max(1.0, ratio(X, kappa, lam)),
                "The larger of the two leaves the ball: take the smaller.",
            ),
            (
                lambda X, kappa, lam: min(1.0, 1.0 / ratio(X, kappa, lam)),
                "The fraction stands on its head: a long X'kappa needs a small factor.",
            ),
        ],
        "scaling",
    )


def scaled(X, kappa, lam):
    size = np.abs(X.T @ kappa).max()
    return kappa * min(1.0, lam / size) if size else kappa


@exercise("6.3", "with an intercept")
def repaired(answer):
    def centred(kappa):
        return kappa - kappa.mean()

    expect_function(
        answer,
        CENTRED,
        lambda X, kappa, lam: scaled(X, centred(kappa), lam),
        [
            (
                lambda X, kappa, lam: centred(scaled(X, kappa, lam)),
                "The order: taking the mean away moves X'kappa, so scale afterwards.",
            ),
            (scaled, "kappa does not sum to zero: an intercept that costs nothing needs that."),
            (
                lambda X, kappa, lam: centred(kappa),
                "The sum is zero now, but X'kappa is outside the ball: scale as well.",
            ),
            (
                lambda X, kappa, lam: scaled(X, kappa - kappa.sum() / X.shape[1], lam),
                "You divided the sum by the number of features. kappa has one entry a sample. "
                "(The source, too, prints p + 1 where n belongs: lesson 11.)",
            ),
            (
                lambda X, kappa, lam: scaled(X, kappa - kappa.sum(), lam),
                "Take the mean away from each entry, not the sum.",
            ),
        ],
        "repaired",
    )


@exercise("6.4", "the best multiple")
def best_multiple(answer):
    def free(y, alpha):
        return 2 * (alpha @ y) / (alpha @ alpha)

    def end(X, y, alpha, lam):
        return lam * len(y) / np.abs(X.T @ alpha).max()

    def best(X, y, alpha, lam):
        return np.clip(free(y, alpha), -end(X, y, alpha, lam), end(X, y, alpha, lam))

    expect_function(
        answer,
        SCALED,
        best,
        [
            (
                lambda X, y, alpha, lam: free(y, alpha),
                "The minimizer on the whole line is right; clip it into the ball.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(free(y, alpha), 0.0, end(X, y, alpha, lam)),
                "A multiple may be negative: the ball is symmetric, clip at both ends.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(
                    free(y, alpha) / 2, -end(X, y, alpha, lam), end(X, y, alpha, lam)
                ),
                "Factor 2: the slope of s^2 |alpha|^2 / 4 - s alpha.y vanishes at another s.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(
                    free(y, alpha), -end(X, y, alpha, lam) / len(y), end(X, y, alpha, lam) / len(y)
                ),
                "The ball for alpha is |X'alpha| <= lambda n: you left out n.",
            ),
            (
                lambda X, y, alpha, lam: min(1.0, end(X, y, alpha, lam)),
                "That is the published factor again; minimize D(s alpha) over s.",
            ),
        ],
        "best_multiple",
    )
