"""Checkers of lesson 13, kernels."""

import numpy as np

from workbench.teaching.answers import Wrong, call, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.hidden import with_hidden
from workbench.teaching.student_solvers import expect_solver, within

_A = np.array([[1.0, 0.5], [-0.5, 2.0], [1.5, -1.0], [0.25, 0.75], [-1.0, -0.5]])
GRAMS = [
    (_A @ _A.T, np.array([1.0, -2.0, 0.5, 3.0, -1.0]), 0.1),
    ((1 + _A[:4] @ _A[:4].T) ** 2, np.array([-0.5, 1.0, 2.0, 0.25]), 0.3),
]
_LABELS = np.array([1.0, -1.0, 1.0, 1.0, -1.0])
# Margins on both sides of 1, dual variables at both ends of their boxes and between.
POINTS = [
    (_A @ _A.T, _LABELS, np.array([0.5, -1.0, 0.75, 0.0, -0.25]), 0.3, 0.2),
    ((1 + _A @ _A.T) ** 2, -_LABELS, np.array([-1.0, 0.5, -0.25, 0.0, 0.75]), -1.2, 0.9),
]
TOL, ROOT = 1e-4, np.sqrt(2)


def _rescaled(args, rng):
    K, y, lam = args
    return K * rng.uniform(0.5, 2.0), y * rng.uniform(0.5, 1.5, y.shape), lam * rng.uniform(0.5, 2.0)


def _shrunk(point, rng):
    K, y, alpha, b, lam = point
    scale, shrink = rng.uniform(0.5, 2.0), rng.uniform(0.3, 0.9)
    return K * scale, y, alpha * shrink, b + rng.uniform(-0.5, 0.5), lam * scale * rng.uniform(0.5, 2.0)


@exercise("13.1", "kernel ridge regression from the dual")
def kernel_ridge(answer):
    def solve(K, y, lam, scale=lambda lam, n: lam * n, half=0.5, factor=1.0):
        n = len(y)
        return factor * np.linalg.solve(K / scale(lam, n) + half * np.eye(n), y)

    expect_function(
        answer,
        GRAMS,
        solve,
        [
            (
                lambda K, y, lam: solve(K, y, lam) / (lam * len(y)),
                "Those are the coefficients c = alpha / (lambda n) of kernel ridge regression; return alpha.",
            ),
            (
                lambda K, y, lam: np.linalg.solve(K + lam * len(y) * np.eye(len(y)), y),
                "That is kernel ridge regression for a squared loss with a half, and these are the "
                "coefficients alpha / (lambda n).",
            ),
            (
                lambda *args: solve(*args, half=1.0),
                "The derivative of alpha^2 / 4 is alpha / 2: add half of the identity.",
            ),
            (lambda *args: solve(*args, half=2.0), "alpha^2 / 4 has the slope alpha / 2, not 2 alpha."),
            (
                lambda *args: solve(*args, scale=lambda lam, n: lam),
                "n is missing below K: the prediction is K alpha / (lambda n).",
            ),
            (
                lambda *args: solve(*args, scale=lambda lam, n: n),
                "lambda is missing below K: the prediction is K alpha / (lambda n).",
            ),
            (
                lambda *args: solve(*args, scale=lambda lam, n: 1 / (lam * n)),
                "K is divided by lambda n, not multiplied by it.",
            ),
            (
                lambda *args: solve(*args, scale=lambda lam, n: 2 * lam * n),
                "The quadratic term has a factor 1/2, which cancels in its derivative.",
            ),
            (
                lambda K, y, lam: K @ solve(K, y, lam) / (lam * len(y)),
                "Those are the predictions K alpha / (lambda n); return alpha.",
            ),
            (
                lambda K, y, lam: np.linalg.lstsq(K / (lam * len(y)), y)[0],
                "The term alpha^2 / 4 of the conjugate is missing: this interpolates the targets.",
            ),
            (lambda K, y, lam: 2 * y, "The quadratic term with K is missing."),
            (
                lambda K, y, lam: np.linalg.solve(K / (lam * len(y)) - np.eye(len(y)) / 2, y),
                "Mind the sign of alpha / 2: both quadratic terms of D bend upwards.",
            ),
        ],
        "kernel_ridge",
        redraw=_rescaled,
    )


@exercise("13.2", "the features of a polynomial kernel")
def features(answer):
    def gram_matrices(maps):
        return [(maps[k] @ maps[k].T) for k in range(len(maps))]

    def images(power, mixed, linear=ROOT, constant=1.0, X=None):
        a, b = X.T
        parts = [constant + 0 * a, linear * a, linear * b, a**power, b**power, mixed * a * b]
        return np.stack(parts, axis=1)

    samples = [_A, np.array([[2.0, -1.0], [0.5, 0.5], [0.0, -3.0]])]
    samples = [X for (X,) in with_hidden([(X,) for X in samples])]
    maps = [call(answer, (X,), np.zeros((len(X), 6)), "features", ("X",)) for X in samples]
    if all(map(same, gram_matrices(maps), [(1 + X @ X.T) ** 2 for X in samples])):
        return
    known = [
        (
            {"power": 2, "mixed": 1.0, "linear": 1.0},
            "The monomials are right, but their factors are missing: (1 + s)^2 = 1 + 2s + s^2.",
        ),
        ({"power": 2, "mixed": 1.0}, "x1 x2 occurs twice in (x.x')^2: it needs the factor sqrt(2)."),
        ({"power": 2, "mixed": 2.0}, "A factor c counts as c^2 in an inner product: sqrt(2) before x1 x2."),
        ({"power": 2, "mixed": ROOT, "linear": 1.0}, "The linear term is 2 x.x': it needs sqrt(2)."),
        ({"power": 2, "mixed": ROOT, "linear": 2.0}, "A factor c counts as c^2: take sqrt(2) for x1, x2."),
        ({"power": 2, "mixed": 2.0, "linear": 2.0}, "A factor c counts as c^2: sqrt(2) where you have 2."),
        ({"power": 1, "mixed": ROOT}, "The squares are missing: (x.x')^2 holds x1^2 and x2^2."),
        ({"power": 2, "mixed": ROOT, "constant": 0.0}, "The constant 1 is a feature as well."),
        ({"power": 2, "mixed": ROOT, "constant": ROOT}, "The constant is 1: 1^2 occurs once."),
        ({"power": 4, "mixed": ROOT}, "You squared the squares: these features have degree 2, not 4."),
        ({"power": 2, "mixed": 0.0}, "The product x1 x2 is missing."),
        ({"power": 3, "mixed": ROOT}, "The monomials of this kernel have at most degree 2."),
    ]
    for how, sentence in known:
        if all(map(same, gram_matrices(maps), gram_matrices([images(**how, X=X) for X in samples]))):
            raise Wrong(sentence)
    mine, due = gram_matrices(maps)[0], (1 + _A @ _A.T) ** 2
    i, j = np.argwhere(~np.isclose(mine, due))[0] if not same(mine, due) else (0, 0)
    raise Wrong(
        f"For the samples {_A[i].tolist()} and {_A[j].tolist()} the inner product of your features is "
        f"{mine[i, j]:.6g}; multiply (1 + x.x')^2 out and read off the monomials with their factors."
    )


@exercise("13.3", "the gap without weights")
def kernel_gap(answer):
    def gap(K, y, alpha, b, lam, scale=None, average=np.mean, sign=1.0, bias=1.0, linear=1.0):
        z = sign * K @ alpha / (lam * len(y) if scale is None else scale(lam, len(y))) + bias * b
        return average(np.maximum(0, 1 - y * z) + alpha * z - linear * alpha * y)

    expect_function(
        answer,
        POINTS,
        gap,
        [
            (
                lambda K, y, alpha, b, lam: (
                    np.mean(np.maximum(0, 1 - y * (K @ alpha / (lam * len(y)) + b)))
                    + alpha @ K @ alpha / (2 * lam * len(y) ** 2)
                ),
                "That is the primal objective alone; add the dual one.",
            ),
            (
                lambda K, y, alpha, b, lam: alpha @ K @ alpha / (2 * lam * len(y) ** 2) - np.mean(alpha * y),
                "That is the dual objective alone; add the primal one.",
            ),
            (
                lambda K, y, alpha, b, lam: (
                    gap(K, y, alpha, b, lam) - alpha @ K @ alpha / (2 * lam * len(y) ** 2)
                ),
                "The quadratic term occurs in P and in D, a half of it in each; together they make alpha z.",
            ),
            (lambda *args: gap(*args, average=np.sum), "The brackets are averaged: divide by n."),
            (
                lambda *args: gap(*args, scale=lambda lam, n: lam),
                "n is missing in the predictions: z = K alpha / (lambda n) + b.",
            ),
            (
                lambda *args: gap(*args, scale=lambda lam, n: n),
                "lambda is missing in the predictions: z = K alpha / (lambda n) + b.",
            ),
            (
                lambda *args: gap(*args, scale=lambda lam, n: 1.0),
                "The predictions are K alpha / (lambda n) + b; lambda n is missing.",
            ),
            (lambda *args: gap(*args, bias=0.0), "The bias is missing in the predictions."),
            (lambda *args: gap(*args, sign=-1.0), "The sign: z = +K alpha / (lambda n) + b."),
            (
                lambda K, y, alpha, b, lam: gap(K, y, alpha * y, b, lam),
                "alpha has the sign of its label already: do not multiply it by y.",
            ),
            (
                lambda K, y, alpha, b, lam: gap(K, y, alpha, b, lam) - alpha @ K @ alpha / lam / len(y) ** 2,
                "The term alpha z of the brackets is missing.",
            ),
            (
                lambda *args: gap(*args, linear=0.0),
                "The conjugate k(-alpha, y) = -alpha y is missing.",
            ),
            (
                lambda *args: gap(*args, linear=-1.0),
                "The sign of the conjugate: k(-alpha, y) = -alpha y.",
            ),
            (
                lambda K, y, alpha, b, lam: np.mean(np.maximum(0, 1 - y * (K @ alpha / (lam * len(y)) + b))),
                "That is the mean loss; the brackets hold the conjugate and alpha z as well.",
            ),
        ],
        "kernel_gap",
        redraw=_shrunk,
    )


def best_gap(K, y, alpha, lam):
    """Return the gap of a feasible alpha at the best bias."""
    z = K @ alpha / (lam * len(y))
    # Piecewise linear and convex in the bias, with its corners where a margin is 1.
    losses = np.maximum(0, 1 - y[:, None] * (z[:, None] + (y - z)[None, :])).mean(axis=0)
    return float(losses.min() + np.mean(alpha * (z - y)))


def _problems():
    """(K, y, lam, tol): a Gaussian kernel, a polynomial one on few of one class, and samples at one place."""
    rng = np.random.default_rng(134)
    A = rng.normal(size=(40, 2))
    y = np.where(np.sum(A**2, axis=1) + 0.5 * rng.normal(size=40) < 1.5, 1.0, -1.0)
    far = np.sum((A[:, None] - A) ** 2, axis=2)
    few = np.where(np.arange(30) < 5, 1.0, -1.0)
    # The first pair lacks curvature.
    twice = np.concatenate([np.repeat(np.arange(10), 2), np.arange(10, 20)])
    mixed = np.concatenate([np.tile([1.0, -1.0], 10), y[10:20]])
    return [
        (np.exp(-far), y, 0.02, TOL),
        ((1 + A[:30] @ A[:30].T) ** 2 / 4, few, 0.05, TOL),
        (np.exp(-2 * far[np.ix_(twice, twice)]), mixed, 0.01, TOL),
    ]


def _relabelled(problem, rng):
    K, y, lam, tol = problem
    return K * rng.uniform(0.5, 2.0), -y, lam * rng.uniform(0.5, 2.0), tol


@exercise("13.4", "the maximal violating pair")
def maximal_violating_pair(answer):
    gaps = []

    def judge(K, y, lam, tol, alpha):
        if not alpha.any() and np.isclose(K[0, 0] + K[1, 1], 2 * K[0, 1]):
            raise Wrong("Nothing has moved: for two identical samples the curvature is zero (item 3).")
        _check_feasible(alpha, y)
        gap = best_gap(K, y, alpha, lam)
        otherwise = (
            f"alpha is feasible, but the gap at the best bias is {gap:.3g} where {tol:g} is asked for. Check "
            "which of the two indices rises and which falls, the length of the step, and the update of z."
        )
        within(gap, tol * (1 + 1e-6), _other_problems(K, y, lam, alpha), otherwise)
        gaps.append(gap)

    expect_solver(
        answer,
        _problems(),
        lambda K, y, *rest: y.shape,
        judge,
        parts=["the array alpha"],
        redraw=_relabelled,
    )
    return f"Its gaps are {', '.join(f'{gap:.1e}' for gap in gaps)}, each at most {TOL:g}."


def _check_feasible(alpha, y):
    beta = alpha * y
    if not alpha.any():
        raise Wrong("alpha is 0: nothing has moved. From 0 positive samples may rise and negative ones fall.")
    if alpha.min() >= 0 and abs(beta.sum()) < 1e-8 * len(y):
        if alpha.max() > 1 + 1e-9:
            raise Wrong("That is a = C beta with C = 1/(lambda n); return alpha = beta y, beta in [0, 1].")
        raise Wrong("That is beta = alpha y, which lies between 0 and 1; alpha has the sign of its label.")
    if beta.max() <= 0:
        raise Wrong("Every sign is reversed: alpha y lies in [0, 1], so alpha has the sign of its label.")
    if abs(alpha.sum()) > 1e-8 * len(y):
        raise Wrong(
            f"The entries of alpha sum to {alpha.sum():.4g}, not to 0: a bias without a penalty needs that. "
            "Move two entries by the same amount, one up and one down."
        )
    if beta.min() < -1e-9:
        raise Wrong(
            f"alpha y falls to {beta.min():.4g}, and its box is [0, 1]: the lower end of alpha is min(y, 0), "
            "and what falls has to stop there."
        )
    if beta.max() > 1 + 1e-9:
        raise Wrong(
            f"alpha y grows to {beta.max():.4g}, and its box is [0, 1]: cut the step t off at what both "
            "variables allow."
        )


def _other_problems(K, y, lam, alpha):
    """Return the solution of a mistaken problem."""
    n = len(y)
    known = (
        (lam / n, "lambda/n: the predictions are z = K alpha / (lambda n), with n"),
        (1.0, "lambda = 1: the predictions are z = K alpha / (lambda n), with lambda"),
        (1.0 / n, "lambda n = 1: the predictions are z = K alpha / (lambda n)"),
        (2 * lam, "2 lambda: there is a factor 2 too many below the predictions"),
        (lam / 2, "lambda/2: a factor 2 is missing below the predictions"),
    )

    def shrunk():
        return best_gap(K, y, alpha / np.abs(alpha).max(), lam)

    early = (
        f"It stops too early: the gap is {best_gap(K, y, alpha, lam):.2g}. Stop where the largest s of those "
        "that may rise and the smallest s of those that may fall differ by tol at most."
    )
    return [
        *(
            (lambda other=other: best_gap(K, y, alpha, other), f"This alpha is optimal for {text}.")
            for other, text in known
        ),
        (
            lambda: best_gap(np.eye(n), y, alpha, lam),
            "This alpha is optimal for the identity matrix: the entries of K off its diagonal are not used.",
        ),
        (shrunk, "That is a multiple of the right alpha: alpha y reaches 1 for samples on the wrong side."),
        (lambda: best_gap(K, y, alpha, lam) / 1e3, early),
    ]
