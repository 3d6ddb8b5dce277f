"""Checkers of lesson 0, Rosetta."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

SIZES = [(1.0, 10), (0.5, 40), (8.0, 3)]
SIGNED = (np.array([0.5, -1.0, 0.0, -0.25]), np.array([1.0, -1.0, 1.0, -1.0]))
NORMS = [(0.1, 1.5), (1e-3, 1.2), (2.0, 1.8)]


@exercise("0.1", "lambda from C")
def lam_from_C(answer):
    expect_function(
        answer,
        SIZES,
        lambda C, n: 1 / (C * n),
        [
            (lambda C, n: 1 / C, "You left out n: C weighs a sum of losses, lambda stands beside a mean."),
            (lambda C, n: C * n, "That is its inverse: a large C regularizes little, a large lambda much."),
            (lambda C, n: n / C, "n stands on the wrong side: divide by it."),
        ],
    )


@exercise("0.2", "a from alpha")
def a_from_alpha(answer):
    expect_function(
        answer,
        [(*SIGNED, 0.1, 4), (*SIGNED, 0.5, 4)],
        lambda alpha, y, lam, n: alpha * y / (lam * n),
        [
            (lambda alpha, y, lam, n: alpha / (lam * n), "You forgot the label: a is never negative."),
            (
                lambda alpha, y, lam, n: alpha * y,
                "This is beta, between 0 and 1; a goes up to C = 1/(lambda n).",
            ),
            (lambda alpha, y, lam, n: alpha * y / n, "You left out lambda: a goes up to C = 1/(lambda n)."),
            (lambda alpha, y, lam, n: alpha * y * lam * n, "C is 1/(lambda n), so divide by lambda n."),
        ],
    )


@exercise("0.3", "kappa from alpha")
def kappa_from_alpha(answer):
    residuals = [(np.array([0.5, -1.0, 2.0]),), (np.array([1.0, 0.25, -3.0, 0.0, 4.0]),)]
    expect_function(
        answer,
        residuals,
        lambda alpha: -alpha / (2 * len(alpha)),
        [
            (
                lambda alpha: alpha / (2 * len(alpha)),
                "The sign is wrong: alpha is minus a slope, kappa is one.",
            ),
            (lambda alpha: -alpha / len(alpha), "Factor 2: Zhang's squared loss has no 1/2, Mairal's has."),
            (lambda alpha: -alpha / 2, "You left out n: Mairal's f holds the 1/n, so its gradient does."),
            (
                lambda alpha: -2 * alpha / len(alpha),
                "The factor 2 stands on the wrong side: alpha is the larger one.",
            ),
        ],
    )


@exercise("0.4", "lambda from sigma")
def lam_from_sigma(answer):
    expect_function(
        answer,
        NORMS,
        lambda sigma, p: sigma / (p - 1),
        [
            (lambda sigma, p: sigma, "That holds at p = 2 alone: r has 1/(2(p - 1)) where g has 1/2."),
            (lambda sigma, p: sigma * (p - 1), "p - 1 stands on the wrong side."),
            (lambda sigma, p: sigma / (2 * (p - 1)), "The 1/2 stands in g already; count it once."),
        ],
    )
