"""Checkers of lesson 6, gaps as certificates."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, call, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import ROUNDING, expect_gap, expect_solver

X = np.array([[1.0, 2.0], [0.0, -1.0], [3.0, 1.0], [-2.0, 0.5]])
Y = np.array([1.0, -2.0, 3.0, 0.5])
POINTS = [
    (X, Y, np.array([0.5, -1.0]), np.array([1.0, 0.5, -2.0, 0.25]), 0.5),
    (X, Y, np.array([0.0, 0.25]), np.array([-1.0, 1.5, 0.5, 1.0]), 0.1),
]
CENTRED = [
    (X, np.array([0.25, -0.5, 0.75, 0.125]), 0.1),
    (X, np.array([-1.0, 0.5, 0.25, -0.375]), 0.01),
    # Within the ball, where the factor is 1.
    (X, np.array([0.25, -0.5, 0.75, 0.125]), 25.0),
    # A size between lambda and 1.
    (X, np.array([0.0625, -0.125, 0.1875, 0.03125]), 0.1),
    # Nothing is left of it once its mean is subtracted.
    (X, np.full(4, 0.5), 0.1),
]
# A best multiple within the ball, one beyond it, one beyond it on the other side.
SCALED = [(X, Y, 1.5 * Y, 9.0), (X, Y, 3.0 * Y, 0.05), (X, Y, -2.0 * Y, 0.1)]

# Numbers of ten digits and a gap below one: a difference of P and -D has lost it, a sum of squares has not.
_BIG = np.array([123456789.0, -98765433.0, 55555557.0, -31415927.0])
_FAR = X.T @ _BIG + np.array([0.5, -0.25])
LARGE = [(X, X @ _FAR + _BIG / 2 + np.array([0.25, -0.5, 0.0, 0.25]), _FAR, _BIG, 0.25)]


@exercise("6.1", "the gap as a sum of squares")
def ridge_gap(answer):
    def gap(X, y, w, alpha, lam, divisor=None, average=np.mean, half=0.5, sign=1.0):
        v = X.T @ alpha / (lam * len(y) if divisor is None else divisor(lam, len(y)))
        return average((X @ w - y + sign * alpha / 2) ** 2) + half * lam * np.sum((w - v) ** 2)

    expect_function(
        answer,
        POINTS,
        gap,
        [
            (
                lambda X, y, w, alpha, lam: np.mean((X @ w - y + alpha / 2) ** 2),
                "The regularizer's bracket lambda/2 |w - v|^2 is missing.",
            ),
            (
                lambda *point: gap(*point, average=np.sum),
                "The samples' brackets are averaged, not summed: divide by n.",
            ),
            (
                lambda *point: gap(*point, divisor=lambda lam, n: n),
                "v = X'alpha / (lambda n): lambda is missing.",
            ),
            (
                lambda *point: gap(*point, divisor=lambda lam, n: lam),
                "v = X'alpha / (lambda n): n is missing.",
            ),
            (lambda *point: gap(*point, half=1.0), "g is |w|^2 / 2, so its bracket is half a square."),
            (
                lambda *point: gap(*point, sign=-1.0),
                "The sign of alpha: map (10) makes alpha minus the slope, -2 (z - y) here.",
            ),
        ],
        "ridge_gap",
    )
    if not same(call(answer, LARGE[0], 0.0), gap(*LARGE[0])):
        raise Wrong(
            "The value is right, but it comes from subtracting large numbers that nearly agree: for large y "
            "and a small gap no correct digit is left. Complete the squares."
        )


def scaled(X, kappa, lam):
    size = np.abs(X.T @ kappa).max()
    return kappa * min(1.0, lam / size) if size else kappa


@exercise("6.2", "with an intercept")
def repaired(answer):
    def centred(kappa):
        return kappa - kappa.mean()

    expect_function(
        answer,
        CENTRED,
        lambda X, kappa, lam: scaled(X, centred(kappa), lam),
        [
            (
                lambda X, kappa, lam: centred(scaled(X, kappa, lam)),
                "The order: subtracting the mean changes X'kappa, so scale afterwards.",
            ),
            (scaled, "kappa does not sum to zero: an intercept without a penalty requires that."),
            (
                lambda X, kappa, lam: centred(kappa),
                "The sum is zero now, but X'kappa is outside the ball: scale as well.",
            ),
            (
                lambda X, kappa, lam: scaled(X, kappa - kappa.sum() / X.shape[1], lam),
                "You divided the sum by the number of features. kappa has one entry for each sample. "
                "(The source, too, prints p + 1 where n belongs: lesson 11.)",
            ),
            (
                lambda X, kappa, lam: scaled(X, kappa - kappa.sum(), lam),
                "Subtract the mean from each entry, not the sum.",
            ),
            (
                lambda X, kappa, lam: centred(kappa) * lam / np.abs(X.T @ centred(kappa)).max(),
                "A kappa inside the ball stays as it is: the factor is at most 1.",
            ),
        ],
        "repaired",
    )


@exercise("6.3", "the best multiple")
def best_multiple(answer):
    def free(y, alpha):
        return 2 * (alpha @ y) / (alpha @ alpha)

    def end(X, y, alpha, lam):
        return lam * len(y) / np.abs(X.T @ alpha).max()

    def best(X, y, alpha, lam):
        return np.clip(free(y, alpha), -end(X, y, alpha, lam), end(X, y, alpha, lam))

    expect_function(
        answer,
        SCALED,
        best,
        [
            (
                lambda X, y, alpha, lam: free(y, alpha),
                "The minimizer on the whole line is right; clip it into the ball.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(free(y, alpha), 0.0, end(X, y, alpha, lam)),
                "A multiple may be negative: the ball is symmetric, clip at both ends.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(
                    free(y, alpha) / 2, -end(X, y, alpha, lam), end(X, y, alpha, lam)
                ),
                "A factor 2 is missing: differentiate s^2 |alpha|^2 / 4 - s alpha.y again.",
            ),
            (
                lambda X, y, alpha, lam: np.clip(
                    free(y, alpha), -end(X, y, alpha, lam) / len(y), end(X, y, alpha, lam) / len(y)
                ),
                "The ball for alpha is |X'alpha| <= lambda n: you left out n.",
            ),
            (
                lambda X, y, alpha, lam: min(1.0, end(X, y, alpha, lam)),
                "That is the published factor again; minimize D(s alpha) over s.",
            ),
        ],
        "best_multiple",
    )


@exercise("6.4", "FISTA with a repaired dual point")
def fista(answer):
    def repaired_alpha(X, y, lam, w):
        alpha = -2.0 * (X @ w - y)
        end = lam * len(y) / np.abs(X.T @ alpha).max()
        return alpha * np.clip(2.0 * (alpha @ y) / (alpha @ alpha), -end, end)

    def steps_of(X, y, lam, steps, shrunk=1.0, momentum=True, curvature=2.0):
        n, d = X.shape
        L = curvature * np.linalg.norm(X, 2) ** 2 / n
        w, u, t = np.zeros(d), np.zeros(d), 1.0
        for _ in range(steps):
            moved = u - 2.0 * X.T @ (X @ u - y) / (n * L)
            new = np.sign(moved) * np.maximum(np.abs(moved) - shrunk * lam / L, 0.0)
            after = (1.0 + np.sqrt(1.0 + 4.0 * t**2)) / 2.0
            u = new + ((t - 1.0) / after * (new - w) if momentum else 0.0)
            w, t = new, after
        return w, repaired_alpha(X, y, lam, w)

    def wrong(sentence, **change):
        return lambda *case: steps_of(*case, **change), sentence

    def judge(X, y, lam, steps, w, alpha):
        size, most = np.abs(X.T @ alpha).max(), lam * len(y)
        if size > most * (1.0 + ROUNDING):
            raise Wrong(
                f"alpha is not feasible: the largest entry of X'alpha is {size:.4g}, and {most:.4g} is "
                "allowed; outside the ball the bound does not exist."
            )
        problem = wb.Problem(X, y, "squared", "l1", lam=lam)
        expect_gap(problem, np.inf if steps < 100 else 1e-6, f"After {steps} steps", w=w, alpha=alpha)
        best = repaired_alpha(X, y, lam, w)
        mine, least = (np.mean(point**2 / 4 - point * y) for point in (alpha, best))
        if least < mine - ROUNDING:
            raise Wrong(
                f"D(alpha) after {steps} steps is {mine:.4g}, and {least:.4g} with the best multiple of "
                "-2 (X w - y) that is feasible (exercise 6.3)."
            )

    rng = np.random.default_rng(6)
    wide, tall = rng.normal(size=(8, 12)), rng.normal(size=(20, 6))
    tall[:, 1] = tall[:, 0] + 0.05 * tall[:, 1]
    cases = [
        (tall, tall @ np.arange(6.0) + rng.normal(size=20), 0.5, 3),
        (tall, tall[:, 0] + rng.normal(size=20), 0.2, 600),
        (wide, wide[:, 0] - wide[:, 3], 0.1, 600),
        # The best multiple is above 1.
        (wide, wide[:, 0] - wide[:, 3], 1.0, 10),
    ]
    expect_solver(
        answer,
        cases,
        lambda X, y, *rest: [X.shape[1:], y.shape],
        judge,
        [
            wrong("That is proximal gradient; FISTA steps from a point beyond w.", momentum=False),
            wrong("Nothing is shrunk: each entry of w has to move by lambda / L towards zero.", shrunk=0.0),
            wrong("The shrinking is by lambda / L, not by lambda / (2 L).", shrunk=0.5),
            wrong("The steps are twice as long as they may be: L is 2/n times |X|^2.", curvature=1.0),
        ],
        redraw=_rescaled,
    )


def _rescaled(case, rng):
    """Columns in the other order, at another scale; for columns of other shapes the steps may not suffice."""
    X, y, lam, steps = case
    scale, size = rng.uniform(0.7, 1.4), rng.uniform(0.8, 1.25)
    return -X[:, ::-1] * scale, y * size, lam * rng.uniform(0.8, 1.25), steps
