"""Checkers of lesson 0, Rosetta."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

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
            (lambda C, n: 1 / C, "You left out n: C goes with a sum of losses, lambda with their mean."),
            (lambda C, n: C * n, "That is the inverse: a large C regularizes little, a large lambda much."),
            (lambda C, n: n / C, "n is on the wrong side: divide by it."),
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
                "The sign is wrong: alpha is minus a slope, kappa is a slope.",
            ),
            (lambda alpha: -alpha / len(alpha), "Factor 2: Mairal's loss has a 1/2, Zhang's does not."),
            (lambda alpha: -alpha / 2, "You left out n: Mairal's f contains 1/n, and so does its gradient."),
            (
                lambda alpha: -2 * alpha / len(alpha),
                "The factor 2 is on the wrong side: alpha is the larger one.",
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
            (lambda sigma, p: sigma, "That holds only at p = 2: r has 1/(2(p - 1)) where g has 1/2."),
            (lambda sigma, p: sigma * (p - 1), "p - 1 is on the wrong side: divide by it."),
            (lambda sigma, p: sigma / (2 * (p - 1)), "The 1/2 is in g already; count it once."),
        ],
    )


@exercise("0.5", "a scikit-learn model in our notation")
def ours_from_svc(answer):
    def judge(C, dual_coef, support, intercept, n, lam, alpha, b):
        due = np.zeros(n)
        due[support] = dual_coef / C
        if not same(lam, 1.0 / (C * n)):
            raise Wrong(f"lambda is {float(lam):.4g}: C goes with a sum, lambda with a mean (exercise 0.1).")
        if not same(b, intercept):
            raise Wrong(f"The bias is {float(b):.4g}; it is the same in both notations, w.x + b.")
        if same(alpha, due):
            return
        others = [sample for sample in range(n) if sample not in support]
        if np.any(alpha[others] != 0):
            raise Wrong("A sample that is not a support vector has alpha = 0; support says which rows are.")
        ratio = alpha[support] / due[support]
        if np.allclose(ratio, ratio[0]):
            raise Wrong(f"alpha is {ratio[0]:.4g} times the right value; X'alpha / (lambda n) has to be w.")
        if np.allclose(np.abs(ratio), 1.0):
            raise Wrong("Some signs are wrong: dual_coef holds y_i a_i, so the labels are in it already.")
        raise Wrong(f"alpha at row {support[0]} is {alpha[support[0]]:.4g}: its weight in w must be theirs.")

    expect_solver(
        answer,
        [
            (0.5, np.array([0.5, -0.25, -0.25]), np.array([4, 1, 0]), 0.75, 6),
            (4.0, np.array([-4.0, 1.0, 3.0]), np.array([0, 2, 3]), -1.5, 5),
        ],
        lambda C, dual_coef, support, intercept, n: [(), (n,), ()],
        judge,
    )
