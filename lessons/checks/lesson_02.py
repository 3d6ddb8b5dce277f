"""Checkers of lesson 2, from ridge regression to the general dual."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_gap, expect_proof, expect_solver


def _data(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(rng.random(n) < 0.5, -1.0, 1.0), rng.normal(size=n), rng.normal(size=d)


(X1, LABELS1, Y1, W1), (X2, LABELS2, Y2, W2) = _data(1, 6, 3), _data(2, 4, 5)
INSIDE1, INSIDE2 = LABELS1 * np.linspace(0.0, 1.0, 6), LABELS2 * np.array([0.5, 0.25, 0.75, 0.0])
WITHIN1 = LABELS1 * np.linspace(0.1, 0.9, 6)

KERNEL_RIDGE = (
    "Those are the normal equations of kernel ridge regression in its usual scaling, for w = X'c. Substitute "
    "w = X'alpha / (lambda n) into alpha_i = -2 (w.x_i - y_i) instead, and keep the factors."
)


@exercise("2.1", "the dual of ridge regression")
def ridge_dual(answer):
    def system(X, y, lam, diagonal=0.5, per=None):
        n = len(y)
        return np.linalg.solve(X @ X.T / (lam * (per or n)) + diagonal * np.eye(n), y)

    def kernel_ridge(X, y, diagonal):
        return np.linalg.solve(X @ X.T + diagonal * np.eye(len(y)), y)

    expect_function(
        answer,
        [(X1, Y1, 0.3), (X2, Y2, 0.1)],
        system,
        [
            (lambda X, y, lam: system(X, y, lam, 1.0), "The 1/2 is missing: the loss lacks a factor 1/2."),
            (lambda X, y, lam: system(X, y, lam, 2.0), "2 in place of 1/2: alpha is -2 times the residual."),
            (lambda X, y, lam: system(X, y, lam, 0.5, 1), "n is missing: v is X'alpha / (lambda n)."),
            (lambda X, y, lam: -system(X, y, lam), "The sign: alpha is minus twice the residual."),
            (lambda X, y, lam: 2 * system(X, y, lam, 1.0), "Divide both sides of the system by the same 2."),
            (
                lambda X, y, lam: kernel_ridge(X, y, lam * len(y) / 2),
                "Those are the coefficients c of kernel ridge regression, w = X'c; alpha is lambda n c, "
                "since w = X'alpha / (lambda n).",
            ),
            (lambda X, y, lam: kernel_ridge(X, y, lam * len(y)), KERNEL_RIDGE),
            (lambda X, y, lam: kernel_ridge(X, y, lam), KERNEL_RIDGE),
            (lambda X, y, lam: kernel_ridge(X, y, lam / 2), KERNEL_RIDGE),
        ],
    )


@exercise("2.2", "the proof of weak duality")
def proof(answer):
    expect_proof(
        answer,
        {
            "e": "What does the definition of the conjugate k say at the prediction z_i?",
            "g": "The loss itself has to be bounded from below.",
            "c": "The regularizer, too, needs its inequality.",
            "a": "The inequalities have to be averaged and added up.",
            "d": "Why should the two products have anything to do with each other?",
            "h": "Where does D appear?",
        },
        {"g": "e", "a": "gc", "h": "ad"},
        {
            "b": "That is what strong duality needs; the bound holds for losses that are not convex, too.",
            "f": "The maps hold at the optimum; the bound is for any w with any alpha.",
            "i": "For the squared loss k(-alpha, y) = alpha^2/4 - alpha y, which may be below zero.",
        },
    )


@exercise("2.3", "map (10) for the squared loss")
def alpha_from_w(answer):
    expect_function(
        answer,
        [(W1, X1, Y1), (W2, X2, Y2)],
        lambda w, X, y: -2 * (X @ w - y),
        [
            (lambda w, X, y: 2 * (X @ w - y), "The sign: alpha is minus the slope of the loss."),
            (lambda w, X, y: y - X @ w, "A factor 2 is missing: the loss is (z - y)^2 without 1/2."),
            (lambda w, X, y: -2 * (X @ w - y) / len(y), "No 1/n here: it stands before the sum in (8)."),
        ],
    )


@exercise("2.4", "the lower bound for the hinge")
def hinge_bound(answer):
    def inside(alpha, X, y, lam):
        v = X.T @ alpha / (lam * len(y))
        return np.mean(alpha * y) - lam * v @ v / 2

    def right(alpha, X, y, lam):
        feasible = np.all(alpha * y >= 0) and np.all(alpha * y <= 1)
        return inside(alpha, X, y, lam) if feasible else -np.inf

    def box_of_alpha(alpha, X, y, lam):
        return inside(alpha, X, y, lam) if np.all(alpha >= 0) and np.all(alpha <= 1) else -np.inf

    def open_box(alpha, X, y, lam):
        beta = alpha * y
        return inside(alpha, X, y, lam) if np.all((beta > 0) & (beta < 1)) else -np.inf

    points = [(INSIDE1, X1, LABELS1, 0.3), (INSIDE2, X2, LABELS2, 0.1), (WITHIN1, X1, LABELS1, 0.3)]
    outside = [(-INSIDE1, X1, LABELS1, 0.3), (2 * INSIDE2, X2, LABELS2, 0.1)]
    expect_function(
        answer,
        points + outside,
        right,
        [
            (inside, "The formula is right; outside 0 <= alpha y <= 1 the bound is -inf."),
            (lambda *point: -right(*point), "That is D; the lower bound is -D."),
            (
                lambda *point: right(*point) + (len(point[2]) - 1) * np.mean(point[0] * point[2]),
                "The conjugates are averaged, not summed: divide by n.",
            ),
            (open_box, "The ends belong to the box: alpha y may be 0 or 1."),
            (box_of_alpha, "The box is that of alpha y, not of alpha: alpha has the sign of its label."),
            (
                lambda *point: right(*point) if np.all(point[0] * point[2] >= 0) else inside(*point),
                "One end of the box is missing: alpha y >= 0.",
            ),
            (
                lambda *point: inside(*point) if np.all(point[0] * point[2] >= 0) else -np.inf,
                "One end of the box is missing: alpha y <= 1.",
            ),
        ],
    )


@exercise("2.5", "conjugate gradients")
def conjugate_gradient(answer):
    def times(X, p, lam, half=0.5, per=None):
        return X @ (X.T @ p) / (lam * (len(X) if per is None else per)) + half * p

    def steps_along(X, y, lam, steps, conjugate=True, sign=1.0, upside=False, **system):
        alpha, r, p = np.zeros(len(y)), y.copy(), y.copy()
        for _ in range(steps):
            if r @ r <= 1e-28 * (y @ y):
                break
            Ap = times(X, p, lam, **system)
            length = (r @ r) / (p @ Ap) if conjugate else (p @ r) / (p @ Ap)
            alpha, last = alpha + length * p, r
            r = r - length * Ap
            share = (r @ r) / (last @ last)
            p = r + sign * (1 / share if upside else share) * p if conjugate else r
        return alpha

    def wrong(sentence, **change):
        return lambda *case: steps_along(*case, **change), sentence

    def judge(X, y, lam, steps, alpha):
        problem = wb.Problem(X, y, "squared", lam=lam)
        if steps == 1 and not same(alpha, y * (y @ y) / (y @ times(X, y, lam))):
            raise Wrong("After one step alpha has to be the multiple of y with the least D.")
        if steps > 1:
            expect_gap(problem, 1e-9, f"For {X.shape[1]} features {steps} steps suffice, but", alpha=alpha)

    expect_solver(
        answer,
        # The last one is solved before the first step.
        [(X1, Y1, 0.3, 1), (X1, Y1, 0.3, 4), (X2, Y2, 0.1, 30), (X2, np.zeros(4), 0.1, 2)],
        lambda X, y, *rest: y.shape,
        judge,
        [
            wrong("That is steepest descent: a new p has to be conjugate to the old one.", conjugate=False),
            wrong("The 1/2 of the system is missing: the loss lacks a factor 1/2.", half=1.0),
            wrong("n is missing in A: the samples' products are divided by lambda n.", per=1),
            wrong("The sign: the new p is r plus a multiple of the old one.", sign=-1.0),
            wrong("The factor of the old p is upside down: it is new r.r over old r.r.", upside=True),
        ],
    )
