"""Checkers of lesson 7, the unregularized bias and the augmented Lagrangian."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

X = np.array([[1.0, 2.0, 0.5], [0.0, -1.0, 1.0], [3.0, 1.0, -1.0], [-2.0, 0.5, 0.25]])
Y = np.array([1.0, -1.0, 1.0, -1.0])
ALPHA1, ALPHA2 = Y * np.array([0.75, 0.25, 1.0, 0.0]), Y * np.array([0.125, 0.5, 0.25, 0.75])
POINTS = [(ALPHA1, X, Y, 0.5, 0.75, 0.25), (ALPHA2, X, Y, 2.0, -1.5, 3.0)]
# New values inside of the box, at its upper and at its lower end.
STEPS = [
    *((i, ALPHA2, X, Y, 2.0, -0.5, 1.5) for i in range(4)),
    *((i, ALPHA1, X, Y, 0.5, 2.0, 8.0) for i in range(4)),
]


def _mean(alpha, X, y):
    return X.T @ alpha / len(y)


@exercise("7.1", "the augmented Lagrangian of the hinge")
def augmented(answer):
    def right(alpha, X, y, lam, s, mu, sign=1.0, multiplied=1.0, penalty=1.0):
        v = _mean(alpha, X, y) / lam
        terms = multiplied * s * alpha.mean() + penalty * alpha.sum() ** 2 / (2 * mu * len(y))
        return -sign * np.mean(alpha * y) + lam * v @ v / 2 + terms

    expect_function(
        answer,
        POINTS,
        right,
        [
            (lambda *point: right(*point, penalty=0.0), "The penalty on the sum of alpha is missing."),
            (lambda *point: right(*point, multiplied=0.0), "The multiplier's term s/n sum alpha is missing."),
            (
                lambda *point: right(*point, multiplied=-1.0),
                "The sign of the multiplier's term: (27) adds it.",
            ),
            (lambda *point: right(*point, multiplied=4.0), "1/n is missing beside s: it multiplies a mean."),
            (lambda *point: right(*point, penalty=2.0), "The penalty is over 2 mu n: the 2 is missing."),
            (lambda *point: right(*point, penalty=4.0), "The penalty is over 2 mu n: the n is missing."),
            (
                lambda *point: right(*point, penalty=0.25),
                "The penalty holds the square of the sum, over 2 mu n; you squared the mean, or divided by n "
                "once too often.",
            ),
            (
                lambda alpha, X, y, lam, s, mu: right(alpha, X, y, lam, s, 1 / mu),
                "mu divides the penalty: a small mu is a stiff one.",
            ),
            (lambda *point: right(*point, sign=-1.0), "The sign of k: it is -alpha y for the hinge."),
        ],
        "augmented",
    )


@exercise("7.2", "the bias that is seen")
def seen_bias(answer):
    expect_function(
        answer,
        [(ALPHA1, 0.75, 0.25), (ALPHA2, -1.5, 3.0)],
        lambda alpha, s, mu: s + alpha.sum() / mu,
        [
            (
                lambda alpha, s, mu: s,
                "That is the bias where the constraint holds; elsewhere the penalty has a slope as well.",
            ),
            (
                lambda alpha, s, mu: alpha.sum() / mu,
                "The multiplier's term has a slope too.",
            ),
            (
                lambda alpha, s, mu: s + alpha.mean() / mu,
                "The sum, not the mean: the 1/n of the penalty went when you multiplied by n.",
            ),
            (lambda alpha, s, mu: s - alpha.sum() / mu, "The sign of the penalty's slope."),
            (
                lambda alpha, s, mu: s + alpha.sum() / (2 * mu),
                "The 2 of the penalty cancels when the square is differentiated.",
            ),
            (lambda alpha, s, mu: s + mu * alpha.sum(), "mu divides: a small mu is a stiff penalty."),
        ],
        "seen_bias",
    )


@exercise("7.3", "the exact step of the hinge")
def best_alpha(answer):
    def lowest(i, alpha, X, y, lam, s, mu, bends=1.0, seen=1.0, told=1.0):
        """The minimizer beta of the parabola on the whole line."""
        z = X[i] @ _mean(alpha, X, y) / lam + told * s + seen * alpha.sum() / mu
        return alpha[i] * y[i] + (1 - y[i] * z) / (X[i] @ X[i] / (lam * len(y)) + bends / mu)

    def stepped(i, alpha, X, y, *given, **wrong):
        return y[i] * np.clip(lowest(i, alpha, X, y, *given, **wrong), 0.0, 1.0)

    def difference(i, alpha, *given):
        return stepped(i, alpha, *given) - alpha[i]

    def without_start(i, alpha, X, y, *given):
        return y[i] * np.clip(lowest(i, alpha, X, y, *given) - alpha[i] * y[i], 0.0, 1.0)

    expect_function(
        answer,
        STEPS,
        stepped,
        [
            (
                lambda i, alpha, X, y, *given: y[i] * lowest(i, alpha, X, y, *given),
                "The parabola's lowest point is right; clip it, since beta lies between 0 and 1.",
            ),
            (difference, "That is the change of alpha_i; its new value is asked for."),
            (
                lambda i, alpha, X, y, *given: np.clip(lowest(i, alpha, X, y, *given), 0.0, 1.0),
                "That is beta_i; alpha_i has the sign of its label.",
            ),
            (without_start, "The step starts at the present beta_i: add it before you clip."),
            (
                lambda *point: stepped(*point, bends=0.0),
                "The penalty bends the parabola too: its curvature has a 1/mu.",
            ),
            (
                lambda *point: stepped(*point, seen=0.0),
                "The prediction is the one at the bias that is seen, with the penalty's part (exercise 7.2).",
            ),
            (lambda *point: stepped(*point, told=0.0), "The multiplier s is missing in the prediction."),
            (
                lambda *point: stepped(*point, bends=0.0, seen=0.0),
                "This is the step at fixed bias s; (27) has a penalty, which adds a slope and a curvature.",
            ),
        ],
        "best_alpha",
    )


@exercise("7.4", "the gap at fixed bias")
def gap_at(answer):
    def right(s, alpha, X, y, lam, shift=1.0, tied=1.0, half=1.0):
        w = _mean(alpha, X, y) / lam
        losses = np.maximum(0.0, 1 - y * (X @ w + shift * s))
        return np.mean(losses - alpha * y) + half * lam * w @ w + tied * s * alpha.mean()

    def penalized(s, alpha, X, y, lam):
        return right(s, alpha, X, y, lam) + alpha.sum() ** 2 / (2 * len(y))

    expect_function(
        answer,
        [(0.75, ALPHA1, X, Y, 0.5), (-1.5, ALPHA2, X, Y, 2.0)],
        right,
        [
            (
                lambda *point: right(*point, tied=0.0),
                "s/n sum alpha is missing: it vanishes only where alpha is feasible.",
            ),
            (lambda *point: right(*point, shift=0.0), "The losses are those at w.x + s: add the bias."),
            (
                lambda *point: right(*point, shift=0.0, tied=0.0),
                "s appears nowhere: it shifts the predictions and multiplies the mean of alpha.",
            ),
            (lambda *point: right(*point, tied=-1.0), "The sign of s/n sum alpha: (27) adds it."),
            (
                lambda *point: right(*point, half=0.5),
                "lambda/2 |w|^2 stands there twice, as lambda g(w) and as lambda h(v).",
            ),
            (lambda *point: -right(*point), "The sign: the gap is primal minus dual, 0 or more."),
            (penalized, "Leave the penalty out: it is no part of the dual at fixed bias."),
        ],
        "gap_at",
    )
