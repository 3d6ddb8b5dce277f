"""Checkers of lesson 9, PGS and the surprise of inverse time."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import (
    expect_box,
    expect_gap,
    expect_progress,
    expect_proof,
    expect_solver,
)

# Passes that suffice for the instances of the solver.
MANY = 400

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
                "You divided theta_t by t lambda; w_t is theta_t over (t + 1) lambda.",
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
                "Where the margin is 1 or more the slope is 0, and theta stays the same.",
            ),
            (
                lambda theta, t, x, y, lam: theta + y * x if y * (theta @ x) < 1 else theta,
                "The margin is that of w_t = theta_t / ((t + 1) lambda), not of theta_t.",
            ),
            (
                lambda theta, t, x, y, lam: right(theta, t, x, y, lam) / ((t + 1) * lam),
                "That is theta_{t+1} divided by (t + 1) lambda; return theta_{t+1} itself.",
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
                "You differentiate the square of a norm: the factor |v|_q to the power 2 - q is missing.",
            ),
            (
                lambda theta, t, lam, p: theta / ((t + 1) * lam),
                "That is the map for p = 2 only.",
            ),
            (lambda *point: mapped(*point, ahead=0), "Divide theta_t by (t + 1) lambda, not by t lambda."),
            (lambda *point: mapped(point[0], 0, 1.0, point[3]), "theta is divided by (t + 1) lambda first."),
            (
                lambda theta, *point: np.full(theta.shape, printed(theta, *point)),
                "All entries are the same: the last factors are those of each component.",
            ),
        ],
        "weights",
    )


@exercise("9.3", "the proof of Theorem 1")
def proof(answer):
    expect_proof(
        answer,
        {
            "d": "What does w_t minimize? Without that nothing connects the steps with the weights.",
            "h": "Where is it used that g is strongly convex?",
            "f": "How much can the linear term take away at most, against the square of the distance?",
            "j": "How much does the minimum of F grow from one step to the next?",
            "b": "The steps have to be added up: where does the logarithm come from?",
            "i": "The minimum has to be compared with the value at u.",
            "a": "The subgradients of single samples have to be related to the mean of the losses.",
            "e": "The theorem is about the average of the iterates: what can be said of P there?",
        },
        {"h": "d", "j": "hf", "b": "j"},
        {
            "c": "A step follows one sample and may raise the objective.",
            "g": "One sample's loss is not the mean; the inequality holds in expectation, which is step a.",
            "k": "It is true, but no step of this proof uses a bound on the weights.",
        },
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
            (lambda *point: least(*point, half=1.0), "The steps' term is L^2 / (2 lambda T), with a 2."),
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


def _labelled(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(X[:, 0] - X[:, 1] + rng.normal(size=n) > 0, 1.0, -1.0)


@exercise("9.5", "the Primal Gradient Solver")
def pgs(answer):
    def judge(X, y, lam, p, passes, seed, w, alpha):
        expect_box(alpha * y, 0.0, 1.0, "alpha y", "it has the sign of y, and divide by T + 1")
        if not alpha.any() and w.any():
            raise Wrong("alpha is zero, but w is not: add up the slopes of each sample as well.")
        problem = wb.Problem(X, y, "logistic", f"p-norm:p={p}", lam=lam)
        mapped = wb.certificate(problem, alpha=alpha).w
        ratio = w @ mapped / max(mapped @ mapped, np.finfo(float).tiny)
        if not same(w, mapped) and same(w, ratio * mapped):
            raise Wrong(
                f"w is {ratio:.4g} times grad h(v) with v = X'alpha / (lambda n): both are made of the same "
                "slopes, so count the divisions by t + 1, lambda and n, and the factor p - 1."
            )
        v, q = X.T @ alpha / (lam * len(y)), p / (p - 1)
        for other in {2.0, p} - {q}:
            slope = np.sign(v) * np.abs(v) ** (other - 1) * np.linalg.norm(v, other) ** (2 - other)
            if w.any() and (same(w, slope) or same(w, (p - 1) * slope)):
                raise Wrong(f"w is the map of the norm with {other:g}; h has the q-norm, here q = {q:.4g}.")
        if not same(w, mapped):
            raise Wrong(
                "w is not grad h(v) with v = X'alpha / (lambda n), nor a multiple of it: each slope that "
                "goes into theta goes into its sample's alpha, and w takes the q-norm, 1/p + 1/q = 1."
            )
        expect_gap(problem, 0.5 if passes < MANY else 2e-3, f"After {passes} passes", w=w, alpha=alpha)

    (X1, y1), (X2, y2) = _labelled(9, 10, 3), _labelled(10, 8, 4)
    results = expect_solver(
        answer,
        [(X1, y1, 0.2, 1.5, 20, 0), (X1, y1, 0.2, 1.5, MANY, 1), (X2, y2, 0.1, 2.0, MANY, 0)],
        lambda X, y, *rest: [X.shape[1:], y.shape],
        judge,
    )
    expect_progress(results[0][0], results[1][0], "passes")
