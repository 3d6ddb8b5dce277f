"""Checkers of lesson 20, duality in CVXPY."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

VALUES = np.array([0.25, -0.5, 0.0, 1.5, -0.125])
# A mean of five, C in place of it, and weights of each sample's own.
DUAL_VALUES = [
    (VALUES, np.full(5, 0.2), False),
    (VALUES, np.full(5, 0.2), True),
    (VALUES, np.full(5, 4.0), False),
    (VALUES[:3], np.array([0.5, 2.0, 8.0]), True),
    (VALUES[:4], np.array([0.25, 3.0, 0.5, 1.5]), False),
]
# Inside, at the ends, and outside on both sides by much and by little, for both labels.
BOXES = [
    (np.array([0.5, 1.0, 0.0, 1.25, -0.75, -1.75]), np.ones(6)),
    (np.array([-0.5, -1.0, 0.25, -1.75, 0.625, -0.25]), -np.ones(6)),
    (np.array([1.0078125, -1.0078125, -0.0078125, 0.0078125]), np.array([1.0, -1.0, 1.0, -1.0])),
]


def _lasso(seed, n, d, scale, lam):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, d)), rng.normal(size=n)
    return X, y, lam, rng.normal(size=d), scale * rng.normal(size=n)


def _without_correlation(case):
    """Return the case with columns of X that differ from nu's only non-zero row."""
    X, y, lam, w, nu = case
    X, nu = X.copy(), np.zeros(len(y))
    X[0], nu[0] = 0.0, 0.5
    return X, y, lam, w, nu


# Feasible, not feasible, more features than samples, and a dual point that X does not see.
POINTS = [
    _lasso(1, 6, 3, 0.03125, 2.0),
    _lasso(2, 6, 3, 0.5, 0.25),
    _lasso(3, 4, 7, 0.25, 0.5),
    _without_correlation(_lasso(4, 5, 2, 0.5, 0.5)),
]


@exercise("20.1", "dual variables from dual values")
def dual_values(answer):
    def right(nu, c, swapped):
        return -nu / c if swapped else nu / c

    expect_function(
        answer,
        DUAL_VALUES,
        right,
        [
            (lambda nu, c, swapped: nu / c, "With X @ w == z the multiplier has the other sign."),
            (
                lambda nu, c, swapped: -right(nu, c, swapped),
                "The signs are exchanged: with z == X @ w the derivative is c f' + nu = 0.",
            ),
            (
                lambda nu, c, swapped: right(nu, 1 / c, swapped),
                "Divide by the weights: nu is the slope of c f, and alpha that of f.",
            ),
            (
                lambda nu, c, swapped: right(nu, 1 / len(nu), swapped),
                "Only with the weights 1/n the factor is n: divide by c.",
            ),
            (
                lambda nu, c, swapped: right(nu, 1.0, swapped),
                "The weights of the losses are missing: divide by c.",
            ),
            (
                lambda nu, c, swapped: right(nu, np.mean(c), swapped),
                "Each sample has a weight of its own: divide entry by entry.",
            ),
        ],
    )


@exercise("20.2", "a dual point moved into the box")
def boxes(answer):
    def right(alpha, y):
        return y * np.clip(alpha * y, 0, 1)

    expect_function(
        answer,
        BOXES,
        right,
        [
            (
                lambda alpha, y: np.clip(alpha, 0, 1),
                "That is alpha in [0, 1]: the box is that of beta = alpha y.",
            ),
            (lambda alpha, y: np.clip(alpha * y, 0, 1), "That is beta: multiply by y to return alpha."),
            (lambda alpha, y: np.clip(alpha, -1, 1), "beta may not be negative: its lower end is 0."),
            (lambda alpha, y: y * np.maximum(alpha * y, 0), "The box has an upper end, too: 1."),
            (lambda alpha, y: y * np.minimum(alpha * y, 1), "The box has a lower end, too: 0."),
            (
                lambda alpha, y: alpha / max(1.0, np.max(np.abs(alpha))),
                "A scale moves all samples: move only those outside, to the nearest end.",
            ),
            (
                lambda alpha, y: np.where((alpha * y < 0) | (alpha * y > 1), 0.0, alpha),
                "Above 1 the nearest point of the box is 1, not 0.",
            ),
        ],
    )


def _gap(X, y, lam, w, alpha):
    primal = np.mean((X @ w - y) ** 2) + lam * np.sum(np.abs(w))
    return primal + np.mean(alpha**2 / 4 - alpha * y)


def _size(X, y, lam, alpha):
    return np.max(np.abs(X.T @ alpha)) / (lam * len(y))


@exercise("20.3", "a certificate for the Lasso")
def lassos(answer):
    def right(X, y, lam, w, nu, factor=None):
        alpha = (len(y) if factor is None else factor) * nu
        return _gap(X, y, lam, w, alpha / max(1.0, _size(X, y, lam, alpha)))

    expect_function(
        answer,
        POINTS,
        right,
        [
            (
                lambda X, y, lam, w, nu: _gap(X, y, lam, w, len(y) * nu),
                "The dual point is not repaired: where it is not feasible, shrink it.",
            ),
            (
                lambda X, y, lam, w, nu: _gap(
                    X, y, lam, w, len(y) * nu / max(_size(X, y, lam, len(y) * nu), 1e-300)
                ),
                "Shrink only: a feasible point stays as it is.",
            ),
            (
                lambda X, y, lam, w, nu: right(X, y, lam, w, nu, factor=1.0),
                "The loss is a mean: alpha is n nu.",
            ),
            (
                lambda X, y, lam, w, nu: right(X, y, lam, w, nu, factor=-len(y)),
                "The sign: with z == X @ w alpha is n nu, not -n nu.",
            ),
            (
                lambda X, y, lam, w, nu: (
                    right(X, y, len(y) * lam, w, nu) - (len(y) - 1) * lam * np.sum(np.abs(w))
                ),
                "The ball has the radius lambda n for X'alpha: without the mean n counts twice.",
            ),
            (
                lambda X, y, lam, w, nu: right(X, y, lam, w, nu) - lam * np.sum(np.abs(w)) + lam / 2 * w @ w,
                "The regularizer of the Lasso is the sum of the absolute weights.",
            ),
            (
                lambda X, y, lam, w, nu: right(X, y, lam, w, nu) - lam * np.sum(np.abs(w)),
                "The regularizer is missing in P(w).",
            ),
            (
                lambda X, y, lam, w, nu: (
                    2 * np.mean((X @ w - y) ** 2) + 2 * lam * np.sum(np.abs(w)) - right(X, y, lam, w, nu)
                ),
                "The sign of D: the gap is P + D, and -D the lower bound.",
            ),
            (
                lambda X, y, lam, w, nu: (
                    np.inf if _size(X, y, lam, len(y) * nu) > 1 else _gap(X, y, lam, w, len(y) * nu)
                ),
                "Infinite without the repair: shrink the point and use its bound.",
            ),
        ],
    )
