"""Checkers of lesson 18, what a constraint is worth."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

# The tolerances of a budget and of a gap, as shares of the budget and of the loss at w = 0.
ROUNDING, CLOSE = 1e-9, 1e-8
BUDGETS = np.array([0.0, 0.5, 2.0, 5.0])
LINES = [
    (3.0, 0.75, 1.5, BUDGETS),
    (-1.0, 2.5, 0.25, BUDGETS),
    (2.0, 0.0, 1.0, BUDGETS),
    (4.0, -0.5, 2.5, BUDGETS),
]
POINTS = [(0.5, 0.25), (2.0, 0.0), (4.0, 1.5), (0.75, 3.0), (0.0, 0.25), (-1.0, 0.25), (-0.5, 2.0)]


def _data(seed, n, d):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.normal(size=n), rng.normal(size=d)


(X1, Y1, W1), (X2, Y2, W2) = _data(1, 6, 3), _data(2, 4, 7)
# Tight, loose, more features than samples, and a budget that nothing uses up.
PROBLEMS = [(X1, Y1, 0.25), (X1, Y1, 0.03125), (X2, Y2, 0.5), (X1, Y1, 50.0), (X2, Y2, 50.0)]


@exercise("18.1", "what a price says of other budgets")
def lines(answer):
    def right(v0, nu, t0, ts):
        return v0 - nu * (ts - t0) if nu >= 0 else np.full(len(ts), -np.inf)

    expect_function(
        answer,
        LINES,
        right,
        [
            (
                lambda v0, nu, t0, ts: v0 - nu * (ts - t0),
                "The line is right, but a negative multiplier proves nothing: -inf at each budget.",
            ),
            (
                lambda v0, nu, t0, ts: right(v0, nu, -t0, -ts),
                "The sign: a larger budget lowers the bound, so the slope is -nu.",
            ),
            (
                lambda v0, nu, t0, ts: v0 + nu * (ts - t0),
                "The sign: a larger budget lowers the bound, so the slope is -nu.",
            ),
            (
                lambda v0, nu, t0, ts: right(v0, nu, 0.0, ts),
                "The line passes through (t0, v0): the step from t0 counts, ts - t0.",
            ),
            (
                lambda v0, nu, t0, ts: v0 - nu * ts,
                "The line passes through (t0, v0): the step from t0 counts, ts - t0.",
            ),
            (
                lambda v0, nu, t0, ts: right(0.0, nu, t0, ts),
                "The line passes through (t0, v0): v0 is missing.",
            ),
            (
                lambda v0, nu, t0, ts: np.minimum(right(v0, nu, t0, ts), v0),
                "Below t0 the bound rises above v0: a smaller budget costs at least nu a unit.",
            ),
            (
                lambda v0, nu, t0, ts: np.maximum(right(v0, nu, t0, ts), v0 if nu >= 0 else -np.inf),
                "Beyond t0 the optimum may fall: the bound is the line there, too.",
            ),
            (
                lambda v0, nu, t0, ts: right(v0, abs(nu), t0, ts),
                "A negative multiplier proves nothing: -inf at each budget.",
            ),
            (
                lambda v0, nu, t0, ts: right(v0, nu, t0, ts) if nu > 0 else np.full(len(ts), -np.inf),
                "The multiplier 0 proves something: v0 bounds the optimum at each budget.",
            ),
            (
                lambda v0, nu, t0, ts: np.where(nu >= 0, v0 - nu * (ts - t0), np.inf),
                "What proves nothing is the lower bound -inf, not +inf.",
            ),
        ],
    )


@exercise("18.2", "the slopes of the optimum in the targets")
def slopes(answer):
    expect_function(
        answer,
        [(X1, Y1, W1), (X2, Y2, W2)],
        lambda X, y, w: -2 * (X @ w - y) / len(y),
        [
            (lambda X, y, w: 2 * (X @ w - y) / len(y), "The sign: y_i stands in the residual with a minus."),
            (lambda X, y, w: -2 * (X @ w - y), "The 1/n is missing: the losses are averaged."),
            (lambda X, y, w: (y - X @ w) / len(y), "A factor 2 is missing: the derivative of a square."),
            (lambda X, y, w: y - X @ w, "A factor 2/n is missing: that of the mean of squares."),
            (
                lambda X, y, w: (X @ w - y) ** 2 / len(y),
                "That is each sample's part of the loss; its derivative in y_i is asked for.",
            ),
            (
                lambda X, y, w: X.T @ (2 * (X @ w - y)) / len(y),
                "That is the slope in w, which w has made 0 or balanced; the slope in y holds w fixed.",
            ),
        ],
    )


@exercise("18.3", "a dual function without a best multiplier")
def duals(answer):
    def right(nu, t):
        return -1 / (4 * nu) - nu * t if nu > 0 else -np.inf

    expect_function(
        answer,
        POINTS,
        right,
        [
            (
                lambda nu, t: -1 / (4 * nu) - nu * t if nu else -np.inf,
                "For nu < 0 the parabola opens downwards: a minimum does not exist, and the value is -inf.",
            ),
            (
                lambda nu, t: -1 / (4 * nu) + nu * t if nu > 0 else -np.inf,
                "The sign of t: the Lagrangian has nu (x^2 - t).",
            ),
            (
                lambda nu, t: 1 / (4 * nu) - nu * t if nu > 0 else -np.inf,
                "The sign: the minimum lies at a negative x, x = -1/(2 nu).",
            ),
            (
                lambda nu, t: -1 / (2 * nu) - nu * t if nu > 0 else -np.inf,
                "At x = -1/(2 nu) the square adds 1/(4 nu) to x.",
            ),
            (
                lambda nu, t: -1 / (4 * nu) if nu > 0 else -np.inf,
                "The term -nu t does not depend on x and stays.",
            ),
            (
                lambda nu, t: -1 / (2 * nu) if nu > 0 else -np.inf,
                "That is the x at which the minimum is attained; the value there is asked for.",
            ),
            (
                lambda nu, t: -1 / (4 * nu) - nu * t if nu > 0 else np.inf,
                "Without a minimum the value falls without bound: -inf.",
            ),
            (
                lambda nu, t: 3 / (4 * nu) - nu * t if nu > 0 else -np.inf,
                "The minimum lies at a negative x, x = -1/(2 nu).",
            ),
        ],
    )


def _bound(X, y, nu, t):
    """Return the dual function: the least value of the Lagrangian, by least squares."""
    n, d = X.shape
    rows = np.vstack([X / np.sqrt(n), np.sqrt(nu) * np.eye(d)])
    target = np.concatenate([y / np.sqrt(n), np.zeros(d)])
    w = np.linalg.lstsq(rows, target, rcond=None)[0]
    return np.sum((rows @ w - target) ** 2) - nu * t


@exercise("18.4", "a budget and its price")
def budgeted(answer):
    def judge(X, y, t, w, nu):
        where = f"With {len(y)} samples, {X.shape[1]} features and t = {t:.4g}"
        if w @ w > t * (1 + ROUNDING):
            raise Wrong(f"{where} |w|^2 is {w @ w:.6g}: the budget is not kept.")
        if nu < 0:
            raise Wrong(f"{where} the price is {nu:.4g}: a multiplier of an inequality is not negative.")
        loss, most = np.mean((X @ w - y) ** 2), CLOSE * np.mean(y**2)
        gap = loss - _bound(X, y, nu, t)
        if gap <= most:
            return
        for other, sentence in (
            (nu / 2, "twice the right price is returned: nu is lambda / 2."),
            (2 * nu, "half the right price is returned: the Lagrangian has nu |w|^2, without 1/2."),
            (nu / len(y), "n times the right price is returned: the loss is a mean, not a sum."),
            (nu * len(y), "the right price over n is returned: 1/n belongs to the loss alone."),
        ):
            if nu and loss - _bound(X, y, other, t) <= most:
                raise Wrong(f"{where} {sentence}")
        unused = nu * (t - w @ w)
        if unused > gap / 2:
            why = f"|w|^2 is {w @ w:.4g}, and a budget that is not used up has the price 0."
        else:
            why = f"the weights do not minimize f(w) + nu |w|^2 at your price {nu:.4g}."
        raise Wrong(f"{where} the gap is {gap:.3g} and should be 0; {why}")

    expect_solver(
        answer,
        PROBLEMS,
        lambda X, y, t: [(X.shape[1],), ()],
        judge,
        parts=("the weights", "the price"),
    )
