"""Checkers of lesson 7, the unregularized bias and the augmented Lagrangian."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_box, expect_gap, expect_progress, expect_solver

# Rounds that suffice for the instances of the solver.
MANY = 40

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
            (lambda *point: right(*point, penalty=2.0), "The 2 is missing: divide the penalty by 2 mu n."),
            (lambda *point: right(*point, penalty=4.0), "The n is missing: divide the penalty by 2 mu n."),
            (
                lambda *point: right(*point, penalty=0.25),
                "The penalty is the square of the sum, divided by 2 mu n; you squared the mean, or divided "
                "by n once too often.",
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
                "The sum, not the mean: the 1/n of the penalty cancels when you multiply by n.",
            ),
            (lambda alpha, s, mu: s - alpha.sum() / mu, "The sign of the penalty's slope is wrong."),
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
    def lowest(i, alpha, X, y, lam, s, mu, bends=1.0, seen=1.0, offset=1.0):
        """Return the minimizer beta of the parabola on the whole line."""
        z = X[i] @ _mean(alpha, X, y) / lam + offset * s + seen * alpha.sum() / mu
        return alpha[i] * y[i] + (1 - y[i] * z) / (X[i] @ X[i] / (lam * len(y)) + bends / mu)

    def stepped(i, alpha, X, y, *args, **wrong):
        return y[i] * np.clip(lowest(i, alpha, X, y, *args, **wrong), 0.0, 1.0)

    def difference(i, alpha, *args):
        return stepped(i, alpha, *args) - alpha[i]

    def without_start(i, alpha, X, y, *args):
        return y[i] * np.clip(lowest(i, alpha, X, y, *args) - alpha[i] * y[i], 0.0, 1.0)

    expect_function(
        answer,
        STEPS,
        stepped,
        [
            (
                lambda i, alpha, X, y, *args: y[i] * lowest(i, alpha, X, y, *args),
                "The parabola's lowest point is right; clip it, since beta lies between 0 and 1.",
            ),
            (difference, "That is the change of alpha_i; the new value is asked for."),
            (
                lambda i, alpha, X, y, *args: np.clip(lowest(i, alpha, X, y, *args), 0.0, 1.0),
                "That is beta_i; alpha_i has the sign of its label.",
            ),
            (without_start, "The step starts at the present beta_i: add it before you clip."),
            (
                lambda *point: stepped(*point, bends=0.0),
                "The penalty bends the parabola, too: it adds 1/mu to the curvature.",
            ),
            (
                lambda *point: stepped(*point, seen=0.0),
                "The prediction is the one at the bias that is seen, with the penalty's part (exercise 7.2).",
            ),
            (lambda *point: stepped(*point, offset=0.0), "The multiplier s is missing in the prediction."),
            (
                lambda *point: stepped(*point, bends=0.0, seen=0.0),
                "This is the step at fixed bias s; (27) has a penalty, which adds a slope and a curvature.",
            ),
        ],
        "best_alpha",
    )


def _labelled(seed, n, d):
    """More samples of one label than of the other, so that the best bias is not zero."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] + 0.5 * rng.normal(size=n) + 0.8 > 0, 1.0, -1.0)


@exercise("7.4", "the augmented Lagrangian, solved")
def augmented_lagrangian(answer):
    def rounds_of(X, y, lam, mu, rounds, passes, sign=1.0, penalty=1.0, bends=1.0, seen=None, own=1.0):
        n, d = X.shape
        alpha, v, s = np.zeros(n), np.zeros(d), 0.0
        sizes = np.sum(X**2, axis=1) / (lam * n)
        for _ in range(rounds):
            for _ in range(passes):
                for i in range(n):
                    z = v @ X[i] + s + penalty * alpha.sum() / mu
                    beta = own * alpha[i] * y[i] + (1.0 - y[i] * z) / (sizes[i] + bends / mu)
                    change = y[i] * np.clip(beta, 0.0, 1.0) - alpha[i]
                    alpha[i] += change
                    v = v + change * X[i] / (lam * n)
            s = s + sign * alpha.sum() / mu if seen is None else seen(s, alpha, mu)
        return alpha, s

    def wrong(sentence, **change):
        return lambda *case: rounds_of(*case, **change), sentence

    def judge(X, y, lam, mu, rounds, passes, alpha, s):
        expect_box(alpha * y, 0.0, 1.0, "alpha y")
        if rounds < MANY:
            return
        mean = alpha.mean()
        if abs(mean) > 1e-5:
            raise Wrong(
                f"After {rounds} rounds the mean of alpha is {mean:.3g} and not 0, with s = {float(s):.4g}: "
                "is s the bias that is seen, and does every step see it?"
            )
        problem = wb.Problem(X, y, "hinge", lam=lam, bias=True)
        w = X.T @ alpha / (lam * len(y))
        gap = np.mean(np.maximum(0.0, 1.0 - y * (X @ w + s)) - alpha * y) + lam * (w @ w) + s * mean
        expect_gap(problem, 1e-3, f"After {rounds} rounds", w=w, alpha=alpha)
        if gap > 1e-3:
            raise Wrong(f"alpha is good, but at s = {float(s):.4g} the gap is {gap:.3g}: return the last s.")

    (X1, y1), (X2, y2) = _labelled(7, 10, 2), _labelled(9, 8, 3)
    results = expect_solver(
        answer,
        [(X1, y1, 0.3, 0.5, 3, 1), (X1, y1, 0.3, 0.5, MANY, 20), (X2, y2, 0.2, 2.0, MANY, 20)],
        lambda X, y, *rest: [y.shape, ()],
        judge,
        [
            wrong("The sign of the step of s: a positive sum of alpha must raise the bias.", sign=-1.0),
            wrong("s never moves: after the passes it becomes the bias that is seen.", sign=0.0),
            wrong(
                "s moves by the sum over mu, not by the mean over mu.",
                seen=lambda s, alpha, mu: s + alpha.mean() / mu,
            ),
            wrong(
                "s moves by the sum over mu: a small mu is a stiff penalty.",
                seen=lambda s, alpha, mu: s + mu * alpha.sum(),
            ),
            wrong(
                "The new s is the old one plus the sum over mu: the old one is missing.",
                seen=lambda s, alpha, mu: alpha.sum() / mu,
            ),
            wrong("The step sees s alone: the penalty has a slope, too (exercise 7.2).", penalty=0.0),
            wrong("The step starts at the present beta_i: add it before you clip.", own=0.0),
            (
                lambda *case: (rounds_of(*case)[0] * case[1], rounds_of(*case)[1]),
                "That is beta = alpha y; alpha has the sign of its label.",
            ),
        ],
    )
    expect_progress(results[0][0], results[1][0], "rounds")
