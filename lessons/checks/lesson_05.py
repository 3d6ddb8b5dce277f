"""Checkers of lesson 5, Gauss-Seidel and the online algorithms."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_box, expect_gap, expect_progress, expect_solver

# Steps that stay inside the box and steps that are clipped at either end, for both labels.
STEPS = [
    (0.25, 1.0, 0.75, 1.5),
    (-0.5, -1.0, -0.9, 0.8),
    (0.5, 1.0, 3.0, 0.5),
    (-0.75, -1.0, 1.0, 0.5),
    (-0.25, -1.0, -2.0, 2.0),
]
BETA = "That is beta = alpha y, which lies between 0 and 1; return alpha, which has the sign of its label."
TAKEN_FOR_BETA = "You took the given alpha for beta = alpha y: alpha already has the sign of its label."
WRONG_SIDE = "The box is 0 <= alpha y <= 1; with [-1, 1] a sample may push against its own label."
# Passes that suffice for the instances below, whatever the order.
MANY = 300
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
                "That is the distance to the vertex; start from the old alpha, and clip.",
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
                "That is the step for p = 2; the hinge itself is not curved.",
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
                "The rule moves on a mistake only; yours always moves.",
            ),
            (
                lambda v, x, y, eta, transfer: v + eta * y * x if y * (transfer(v) @ x) < 0 else v,
                "A prediction of 0 counts as a mistake: otherwise v = 0 would never change.",
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
            (lambda w, x, y, eta: w * np.exp(eta * x), "The label is missing: it gives the direction."),
            (lambda w, x, y, eta: w * np.exp(y * x), "The learning rate eta is missing."),
            (
                lambda w, x, y, eta: w * np.exp(-eta * y * x),
                "The sign: a mistake on a positive sample raises the weights where x is positive.",
            ),
            (lambda w, x, y, eta: w + np.exp(eta * y * x), "The exponential multiplies w."),
            (
                lambda w, x, y, eta: w * np.exp(eta * y * x) * w.sum() / np.sum(w * np.exp(eta * y * x)),
                "That is the normalized Winnow; with w = mu exp(v) the sum is free.",
            ),
            (
                lambda w, x, y, eta: w * np.exp(eta * y * x) / np.sum(w * np.exp(eta * y * x)),
                "That is the normalized Winnow; with w = mu exp(v) the sum is free.",
            ),
        ],
    )


def _labelled(seed, n, d):
    """Return samples of which one is empty, and labels that follow them but for some."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=n) > 0, 1.0, -1.0)
    X[n // 2] = 0.0
    return X, y


@exercise("5.4", "dual coordinate descent")
def descend(answer):
    def steps(X, y, lam, passes, empty=1.0, box=(0.0, 1.0), sign=1.0, own=1.0, moved=None, curved=None):
        n, d = X.shape
        alpha, v, gaps = np.zeros(n), np.zeros(d), np.zeros(passes)
        for k in range(passes):
            for i in range(n):
                c1 = X[i] @ X[i] / (lam * n if curved is None else curved(lam, n))
                free = own * alpha[i] * y[i] + sign * (1.0 - y[i] * (v @ X[i])) / c1
                beta = free if c1 > 0.0 else empty
                change = y[i] * np.clip(beta, *box) - alpha[i]
                alpha[i] += change
                v = v + change * X[i] / (lam * n if moved is None else moved(lam, n))
            gaps[k] = np.mean(np.maximum(0.0, 1.0 - y * (X @ v)) - alpha * y) + lam * (v @ v)
        return alpha, gaps

    def wrong(sentence, **change):
        return lambda *case: steps(*case, **change), sentence

    def judge(X, y, lam, passes, alpha, gaps):
        expect_box(alpha * y, 0.0, 1.0, "alpha y")
        problem = wb.Problem(X, y, "hinge", lam=lam)
        few = passes < MANY
        certificate = expect_gap(problem, 0.9 if few else 1e-6, f"After {passes} passes", alpha=alpha)
        if abs(gaps[-1] - certificate.gap) > 1e-9 + 1e-5 * certificate.gap:
            raise Wrong(
                f"alpha is good, but its gap after {passes} passes is {certificate.gap:.4g}, and your last "
                f"one is {gaps[-1]:.4g}: take P and D after the pass, with means over the samples."
            )

    (X1, y1), (X2, y2) = _labelled(5, 12, 3), _labelled(6, 9, 4)
    results = expect_solver(
        answer,
        [(X1, y1, 0.3, 2), (X1, y1, 0.3, MANY), (X2, y2, 0.1, MANY)],
        lambda X, y, lam, passes: [(len(y),), (passes,)],
        judge,
        [
            (lambda *case: (steps(*case)[0] * case[1], steps(*case)[1]), BETA),
            wrong("Each step is clipped to [-1, 1]; the box is 0 <= alpha y <= 1.", box=(-1.0, 1.0)),
            wrong("The sign of the step: a margin below 1 must raise alpha y.", sign=-1.0),
            wrong("A sample that is zero has a loss of 1: do not skip it, its best alpha y is 1.", empty=0.0),
            wrong("The old alpha is missing: a step starts from it.", own=0.0),
            wrong("v moves by step x_i / (lambda n): lambda is missing.", moved=lambda lam, n: n),
            wrong("v moves by step x_i / (lambda n): n is missing.", moved=lambda lam, n: lam),
            wrong("v never moves, so that every step sees w = 0.", moved=lambda lam, n: np.inf),
            wrong("c1 is |x_i|^2 / (lambda n): n is missing.", curved=lambda lam, n: lam),
            wrong("c1 is |x_i|^2 / (lambda n): lambda is missing.", curved=lambda lam, n: n),
            wrong("c1 is |x_i|^2 / (lambda n): you did not divide at all.", curved=lambda lam, n: 1.0),
        ],
        redraw=_rescaled,
    )
    expect_progress(results[0][0], results[1][0], "passes")


def _rescaled(case, rng):
    """Another scale and the other labels: with samples of other shapes MANY passes need not suffice."""
    X, y, lam, passes = case
    return X * rng.uniform(0.8, 1.2), -y, lam * rng.uniform(1.0, 1.5), passes
