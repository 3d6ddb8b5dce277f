"""Checkers of lesson 5, Gauss-Seidel and the online algorithms."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

# Steps that stay inside the box and steps that are clipped at either end, for both labels.
STEPS = [
    (0.25, 1.0, 0.75, 1.5),
    (-0.5, -1.0, -0.9, 0.8),
    (0.5, 1.0, 3.0, 0.5),
    (-0.75, -1.0, 1.0, 0.5),
    (-0.25, -1.0, -2.0, 2.0),
]
GRADIENTS = [(*step[:3], 0.05, 4.0) for step in STEPS] + [
    (0.5, 1.0, -9.0, 0.1, 2.0),
    (-0.1, -1.0, -3.0, 0.1, 2.0),
]
BETA = "That is beta = alpha y, which lies between 0 and 1; return alpha, which has the sign of its label."
TAKEN_FOR_BETA = "You took the alpha given for beta = alpha y: it has the sign of its label already."
WRONG_SIDE = "The box is 0 <= alpha y <= 1; with [-1, 1] a sample may push against its own label."
V, U = np.array([0.5, -1.0, 0.25, 0.0]), np.array([1.0, 0.5, -2.0, 1.5])


@exercise("5.1", "the exact step for the hinge")
def hinge_step(answer):
    def free(alpha, y, c2, c1):
        return alpha + (y - c2) / c1

    def clipped(value, y):
        return y * np.clip(value * y, 0.0, 1.0)

    expect_function(
        answer,
        STEPS,
        lambda *step: clipped(free(*step), step[1]),
        [
            (free, "The vertex is right; clip it, so that alpha y stays between 0 and 1."),
            (lambda *step: clipped(free(*step), step[1]) * step[1], BETA),
            (lambda alpha, y, c2, c1: np.clip(alpha + (1 - y * c2) / c1, 0.0, 1.0), TAKEN_FOR_BETA),
            (lambda alpha, y, c2, c1: y * np.clip(alpha + (1 - y * c2) / c1, 0.0, 1.0), TAKEN_FOR_BETA),
            (
                lambda *step: clipped(free(*step), step[1]) - step[0],
                "That is the change; return the new alpha.",
            ),
            (
                lambda alpha, y, c2, c1: (y - c2) / c1,
                "That is the way to the vertex; start from the old alpha, and clip.",
            ),
            (lambda *step: np.clip(free(*step), -1.0, 1.0), WRONG_SIDE),
            (
                lambda *step: np.clip(free(*step), 0.0, 1.0),
                "It is alpha y that lies between 0 and 1: alpha has the sign of its label.",
            ),
            (
                lambda alpha, y, c2, c1: clipped(alpha - (y - c2) / c1, y),
                "The sign: a margin below 1 must raise alpha y.",
            ),
            (
                lambda alpha, y, c2, c1: clipped(alpha + (y - c2) / (c1 + 1), y),
                "That is the step for p = 2; the hinge has no curvature of its own.",
            ),
            (lambda alpha, y, c2, c1: clipped(alpha + y - c2, y), "The curvature c1 is missing."),
            (
                lambda alpha, y, c2, c1: clipped((y - c2) / c1, y),
                "The old alpha is missing: a step starts from it.",
            ),
        ],
    )


def _identity(v):
    return v


def _exponential(v):
    return 0.1 * np.exp(v)


@exercise("5.2", "the step of the online algorithms")
def online_step(answer):
    samples = [
        (V, U, -1.0, 0.1, _identity),
        (V, U, 1.0, 0.1, _identity),
        (np.zeros(4), U, 1.0, 0.5, _identity),
        (V, -U, 1.0, 0.2, _exponential),
        (0.5 * U, U, 1.0, 0.2, _identity),
        (V, -U, -1.0, 0.1, _identity),
    ]

    def right(v, x, y, eta, transfer):
        return v + eta * y * x if y * (transfer(v) @ x) <= 0 else v

    expect_function(
        answer,
        samples,
        right,
        [
            (
                lambda v, x, y, eta, transfer: v + eta * y * x,
                "It moves on a mistake alone; yours always does.",
            ),
            (
                lambda v, x, y, eta, transfer: v + eta * y * x if y * (transfer(v) @ x) < 0 else v,
                "A prediction of 0 counts as a mistake: from v = 0 nothing would ever begin.",
            ),
            (
                lambda v, x, y, eta, transfer: v + eta * y * x if y * (v @ x) <= 0 else v,
                "The prediction is w.x with w = transfer(v), not v.x.",
            ),
            (
                lambda v, x, y, eta, transfer: v + eta * x if y * (transfer(v) @ x) <= 0 else v,
                "The label is missing in the step: a negative sample pushes the other way.",
            ),
            (
                lambda v, x, y, eta, transfer: v + eta * y * x if y * (transfer(v) @ x) < 1 else v,
                "A margin below 1 is the hinge's rule; the online algorithms ask for a mistake.",
            ),
            (lambda *sample: sample[4](right(*sample)), "Return v; the weights are transfer(v)."),
        ],
        unchanged=True,
    )


@exercise("5.3", "Winnow without v")
def winnow_step(answer):
    weights = np.array([0.1, 0.5, 0.02, 1.0])
    expect_function(
        answer,
        # Mistakes, so that a step that looks for one first is right as well.
        [(weights, -U, 1.0, 0.2), (weights, -V, -1.0, 0.5)],
        lambda w, x, y, eta: w * np.exp(eta * y * x),
        [
            (lambda w, x, y, eta: w + eta * y * x, "That is the Perceptron: adding to v multiplies w."),
            (lambda w, x, y, eta: w * np.exp(eta * x), "The label is missing: it decides up or down."),
            (lambda w, x, y, eta: w * np.exp(y * x), "The learning rate eta is missing."),
            (
                lambda w, x, y, eta: w * np.exp(-eta * y * x),
                "The sign: a mistake on a positive sample raises the weights where x is positive.",
            ),
            (lambda w, x, y, eta: w + np.exp(eta * y * x), "The exponential multiplies w."),
            (
                lambda w, x, y, eta: w * np.exp(eta * y * x) * w.sum() / np.sum(w * np.exp(eta * y * x)),
                "That is the normalized Winnow; with w = mu exp(v) nothing keeps the sum.",
            ),
        ],
    )


@exercise("5.4", "the gradient rule for the hinge")
def gradient_step(answer):
    def free(alpha, y, z, eta, lam_n):
        return alpha - eta * lam_n * (z - y)

    def clipped(value, y):
        return y * np.clip(value * y, 0.0, 1.0)

    expect_function(
        answer,
        GRADIENTS,
        lambda *step: clipped(free(*step), step[1]),
        [
            (free, "The step is right; clip it, so that alpha y stays between 0 and 1."),
            (lambda *step: clipped(free(*step), step[1]) * step[1], BETA),
            (
                lambda alpha, y, z, eta, lam_n: np.clip(alpha - eta * lam_n * (y * z - 1), 0.0, 1.0),
                TAKEN_FOR_BETA,
            ),
            (
                lambda alpha, y, z, eta, lam_n: y * np.clip(alpha - eta * lam_n * (y * z - 1), 0.0, 1.0),
                TAKEN_FOR_BETA,
            ),
            (
                lambda alpha, y, z, eta, lam_n: clipped(alpha - eta * (z - y), y),
                "lambda n is missing: eta is the step of v, and alpha is lambda n times larger.",
            ),
            (
                lambda alpha, y, z, eta, lam_n: clipped(alpha + eta * lam_n * (z - y), y),
                "The sign: z below y must raise alpha.",
            ),
            (
                lambda alpha, y, z, eta, lam_n: clipped(alpha + eta * lam_n * y, y) if y * z <= 0 else alpha,
                "That is the online rule; (23) moves by the distance to the margin 1.",
            ),
            (
                lambda *step: np.clip(free(*step), 0.0, 1.0),
                "It is alpha y that lies between 0 and 1: alpha has the sign of its label.",
            ),
            (lambda *step: np.clip(free(*step), -1.0, 1.0), WRONG_SIDE),
            (
                lambda *step: clipped(free(*step), step[1]) if step[1] * step[2] < 1 else step[0],
                "It moves back as well: above margin 1 the step lowers alpha y.",
            ),
            (lambda *step: free(*step) - step[0], "That is the change; return the new alpha, clipped."),
        ],
    )
