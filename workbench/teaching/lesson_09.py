"""Checkers of lesson 9, PGS and the surprise of inverse time."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

THETA, SAMPLE = np.array([1.0, 0.5]), np.array([1.0, 1.0])
# The first step; margins below 0, between 0 and 1, on both sides of 1 for t and t + 1, above 1, and on
# both sides of 1 without lam or with t + 2.
STEPS = [
    (np.zeros(2), 0, np.array([2.0, -1.0]), -1.0, 0.5),
    (THETA, 3, np.array([1.0, 2.0]), -1.0, 0.45),
    (THETA, 9, np.array([1.0, 2.0]), 1.0, 0.45),
    (THETA, 3, SAMPLE, 1.0, 0.45),
    (THETA, 1, np.array([3.0, -1.0]), 1.0, 0.1),
    (0.5 * THETA, 3, SAMPLE, 1.0, 0.45),
    (THETA, 4, SAMPLE, 1.0, 0.1),
    (THETA, 2, SAMPLE, 1.0, 0.4),
    # Both ways apart from the margin of theta with itself.
    (np.array([2.0, -1.0]), 1, np.array([-0.5, 1.0]), 1.0, 0.5),
    (np.array([0.25, 0.5]), 1, np.array([4.0, 3.0]), 1.0, 0.5),
]
SUMS = [
    (np.array([3.0, -1.0, 0.0, 0.5]), 3, 0.5, 1.5),
    (np.array([-0.25, 2.0, 1.0]), 9, 0.2, 1.25),
    (np.array([1.0, -2.0]), 1, 1.0, 2.0),
]
X = np.array([[1.0, 2.0, -0.5], [0.5, -1.0, 0.25], [2.0, 1.5, 1.0]])
BOUNDS = [(X, 1.5, 0.01, 100), (X, 2.0, 0.2, 7), (-X[:2], 1.2, 0.5, 1000)]
# Two that can be reached and one with too few samples.
BUDGETS = [(0.1, 5.0, 1.0, 0.5, 4000), (0.2, 2.0, 2.0, 1.0, 10_000), (0.1, 5.0, 1.0, 0.5, 500)]


@exercise("9.1", "one step for the hinge")
def step(answer):
    def right(theta, t, x, y, lam, ahead=1, margin=1.0, sign=1.0):
        w = theta / ((t + ahead) * lam)
        return theta + sign * y * x if y * (w @ x) < margin else theta.copy()

    expect_function(
        answer,
        STEPS,
        right,
        [
            (
                lambda *point: right(*point, sign=-1.0),
                "The sign: the slope of the hinge is -y, and theta is minus the sum of subgradients.",
            ),
            (
                lambda *point: right(*point, ahead=0),
                "You divided theta_t by t lambda; w_t has (t + 1) lambda below it.",
            ),
            (
                lambda *point: right(*point, margin=0.0),
                "That is the Perceptron's rule; the hinge has a slope wherever the margin is below 1.",
            ),
            (
                lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) <= 0 else theta,
                "That is the Perceptron's rule; the hinge has a slope up to the margin 1.",
            ),
            (
                lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < t + 1 else theta,
                "lambda is missing: w_t = theta_t / ((t + 1) lambda).",
            ),
            (
                lambda theta, t, x, y, lam: theta + y * x,
                "Where the margin is 1 or more the slope is 0, and theta stays.",
            ),
            (
                lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < 1 else theta,
                "The margin is that of w_t = theta_t / ((t + 1) lambda), not of theta_t.",
            ),
            (
                lambda theta, t, x, y, lam: right(theta, t, x, y, lam) / ((t + 1) * lam),
                "That is theta_{t+1} on its way to w; theta itself is asked for, without the factor.",
            ),
        ],
        "step",
    )


@exercise("9.2", "the map for p below 2")
def weights(answer):
    def mapped(theta, t, lam, p, factor=None, exponent=None, ahead=1):
        v = theta / ((t + ahead) * lam)
        q = p / (p - 1.0) if exponent is None else exponent
        slope = np.linalg.norm(v, q) ** (2 - q) * np.abs(v) ** (q - 1) * np.sign(v)
        return (p - 1.0 if factor is None else factor) * slope

    def gradient_of_g(theta, t, lam, p):
        return mapped(theta, t, lam, p, factor=1 / (p - 1), exponent=p)

    def normless(theta, t, lam, p):
        v, q = theta / ((t + 1) * lam), p / (p - 1)
        return (p - 1) * np.abs(v) ** (q - 1) * np.sign(v)

    def printed(theta, t, lam, p):
        v, q = theta / ((t + 1) * lam), p / (p - 1)
        return (p - 1) * np.linalg.norm(v, q) ** (2 - q) * np.abs(v[-1]) ** (q - 1) * np.sign(v[-1])

    expect_function(
        answer,
        SUMS,
        mapped,
        [
            (lambda *point: mapped(*point, factor=1.0), "The factor p - 1 of h is missing."),
            (
                lambda theta, t, lam, p: mapped(theta, t, lam, p, factor=1 / (p - 1)),
                "h has the factor p - 1, g has its inverse.",
            ),
            (
                lambda theta, t, lam, p: mapped(theta, t, lam, p, exponent=p),
                "The norm of h is the q-norm, with 1/p + 1/q = 1.",
            ),
            (gradient_of_g, "That is the gradient of g, the inverse of the map: h has the dual exponent q."),
            (lambda *point: np.abs(mapped(*point)), "The signs of theta are lost: multiply by np.sign(v)."),
            (
                normless,
                "The square of a norm is differentiated: |v|_q to the power 2 - q is missing before the "
                "slope of the sum.",
            ),
            (
                lambda theta, t, lam, p: theta / ((t + 1) * lam),
                "That is the map for p = 2 alone.",
            ),
            (lambda *point: mapped(*point, ahead=0), "t + 1 divides theta_t, not t."),
            (lambda *point: mapped(point[0], 0, 1.0, point[3]), "theta is divided by (t + 1) lambda first."),
            (
                lambda theta, *point: np.full(theta.shape, printed(theta, *point)),
                "All entries are the same: the index in the last factors is that of the component.",
            ),
        ],
        "weights",
    )


@exercise("9.3", "the bound of Theorem 1")
def theorem_1(answer):
    def right(X, p, lam, T, one=1.0, norm=None, largest=np.max, power=2):
        lengths = np.linalg.norm(X, p / (p - 1.0) if norm is None else norm, axis=1)
        return largest(lengths) ** power * (one + np.log(T)) / (2 * lam * T)

    expect_function(
        answer,
        BOUNDS,
        right,
        [
            (lambda *point: right(*point, one=0.0), "1 + ln T, not ln T: the bound at T = 1 is not zero."),
            (
                lambda X, p, lam, T: right(X, p, lam, T, norm=p),
                "Subgradients are measured in the dual norm, with q = p/(p - 1).",
            ),
            (
                lambda *point: right(*point, norm=2),
                "The norm is the q-norm; it is Euclidean for p = 2 alone.",
            ),
            (
                lambda *point: right(*point, largest=np.mean),
                "L bounds every subgradient: the longest sample.",
            ),
            (lambda *point: right(*point, power=1), "L is squared."),
            (lambda *point: 2 * right(*point), "2 lambda T stands below."),
            (
                lambda X, p, lam, T: right(X, p, lam, T) * (1 + np.log10(T)) / (1 + np.log(T)),
                "The logarithm is the natural one.",
            ),
            (
                lambda X, p, lam, T: right(X, p, lam, T) / (1 + np.log(T)),
                "The factor 1 + ln T is missing.",
            ),
        ],
        "theorem_1",
    )


@exercise("9.4", "the least number of steps")
def least_steps(answer):
    def left(eps, G, L, c, m, share=0.5, data=1.0):
        lam = share * eps / G
        return lam * eps - lam**2 * G - data * c * L**2 / m

    def least(eps, G, L, c, m, half=0.5, **wrong):
        rest = left(eps, G, L, c, m, **wrong)
        return half * L**2 / rest if rest > 0 else np.inf

    def unlimited(eps, G, L, c, m):
        return L**2 / (2 * left(eps, G, L, c, m))

    def overspent(eps, G, L, c, m):
        return L**2 / (2 * left(eps, G, L, c, m, share=1.0))

    expect_function(
        answer,
        BUDGETS,
        least,
        [
            (
                unlimited,
                "With too few samples your T is negative: nothing reaches eps then, and T is np.inf.",
            ),
            (
                lambda *point: least(*point, data=0.0),
                "The term of the samples is missing: T would not depend on m.",
            ),
            (lambda *point: least(*point, half=1.0), "The steps' term has 2 lambda T below it."),
            (
                lambda eps, G, L, c, m: least(eps, G, L, c, m, data=1 / L**2),
                "L^2 is missing in the term of the samples.",
            ),
            (
                lambda *point: least(*point, share=1.0),
                "At lambda = eps/G the regularizer spends all of eps. Maximize lambda eps - lambda^2 G.",
            ),
            (
                overspent,
                "At lambda = eps/G the regularizer spends all of eps, and T is negative.",
            ),
        ],
        "least_steps",
        # Steps are whole: rounding up is as right.
        also=[lambda *point: np.ceil(least(*point))],
    )
