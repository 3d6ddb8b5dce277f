"""Checkers of lesson 2, from ridge regression to the general dual."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise


def _data(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, np.where(rng.random(n) < 0.5, -1.0, 1.0), rng.normal(size=n), rng.normal(size=d)


(X1, LABELS1, Y1, W1), (X2, LABELS2, Y2, W2) = _data(1, 6, 3), _data(2, 4, 5)
ALPHA1, ALPHA2 = np.linspace(-1.0, 1.5, 6), np.array([0.5, -0.25, 2.0, 0.0])
INSIDE1, INSIDE2 = LABELS1 * np.linspace(0.0, 1.0, 6), LABELS2 * np.array([0.5, 0.25, 0.75, 0.0])
WITHIN1 = LABELS1 * np.linspace(0.1, 0.9, 6)

KERNEL_RIDGE = (
    "Those are the normal equations of kernel ridge regression in its usual scaling, for w = X'c. Put "
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
            (lambda X, y, lam: system(X, y, lam, 1.0), "The 1/2 is missing: the loss has no factor 1/2."),
            (lambda X, y, lam: system(X, y, lam, 2.0), "2 in place of 1/2: alpha is -2 times the residual."),
            (lambda X, y, lam: system(X, y, lam, 0.5, 1), "n is missing: v is X'alpha / (lambda n)."),
            (lambda X, y, lam: -system(X, y, lam), "The sign: alpha is minus twice the residual."),
            (lambda X, y, lam: 2 * system(X, y, lam, 1.0), "Divide both sides of the system by the same 2."),
            (
                lambda X, y, lam: kernel_ridge(X, y, lam * len(y) / 2),
                "Those are the coefficients c of kernel ridge regression, w = X'c; alpha is larger, since "
                "w = X'alpha / (lambda n).",
            ),
            (lambda X, y, lam: kernel_ridge(X, y, lam * len(y)), KERNEL_RIDGE),
            (lambda X, y, lam: kernel_ridge(X, y, lam), KERNEL_RIDGE),
            (lambda X, y, lam: kernel_ridge(X, y, lam / 2), KERNEL_RIDGE),
        ],
    )


@exercise("2.2", "the dual function of ridge regression")
def ridge_D(answer):
    def D(alpha, X, y, lam, per=None):
        v = X.T @ alpha / (lam * (per or len(y)))
        return np.mean(alpha**2 / 4 - alpha * y) + lam * v @ v / 2

    def without_lam(alpha, X, y, lam):
        v = X.T @ alpha / (lam * len(y))
        return np.mean(alpha**2 / 4 - alpha * y) + v @ v / 2

    expect_function(
        answer,
        [(ALPHA1, X1, Y1, 0.3), (ALPHA2, X2, Y2, 0.1)],
        D,
        [
            (lambda *point: -D(*point), "That is the lower bound -D; D itself is asked for."),
            (without_lam, "lambda is missing before h(v)."),
            (lambda alpha, X, y, lam: D(alpha, X, y, lam, 1), "n is missing in v = X'alpha / (lambda n)."),
            (
                lambda alpha, X, y, lam: D(alpha, X, y, lam) + 2 * np.mean(alpha * y),
                "The sign of alpha y: k(-alpha, y) is alpha^2/4 - alpha y.",
            ),
            (
                lambda alpha, X, y, lam: D(alpha, X, y, lam) + np.mean(alpha**2) / 4,
                "alpha^2/4, not alpha^2/2: the loss has no factor 1/2.",
            ),
        ],
    )


@exercise("2.3", "map (10) for the squared loss")
def alpha_from_w(answer):
    expect_function(
        answer,
        [(W1, X1, Y1), (W2, X2, Y2)],
        lambda w, X, y: -2 * (X @ w - y),
        [
            (lambda w, X, y: 2 * (X @ w - y), "The sign: alpha is minus the slope of the loss."),
            (lambda w, X, y: y - X @ w, "Factor 2: the loss is (z - y)^2 without 1/2."),
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
