"""Checkers of lesson 14, several classes and structured norms."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function, same
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver, within

# All entries in the support, one, some; with ties and with a shift that changes nothing.
PREDICTIONS = [
    (np.array([0.2, 0.1, -0.1]),),
    (np.array([3.0, -1.0, 0.5, 1.0]),),
    (np.array([-5.0, -4.25, -4.5, -7.0, -4.25]),),
    (np.array([0.75, 1.0]),),
]
# Predictions, their sparsemax, and a label inside and outside the support.
TERMS = [
    (np.array([0.5, 0.25, -1.0]), np.array([0.625, 0.375, 0.0]), 0),
    (np.array([0.5, 0.25, -1.0]), np.array([0.625, 0.375, 0.0]), 2),
    (np.array([2.0, 1.5, 1.75, -1.0]), np.array([0.25 + 1 / 3, 1 / 12, 1 / 3, 0.0]), 1),
    (np.array([-1.0, 1.5]), np.array([0.0, 1.0]), 0),
]
MATRICES = [
    (np.array([[2.0, -1.0], [0.5, 1.0], [-1.5, 0.25]]), 0.5),
    (np.array([[1.0, 0.5, -2.0], [0.25, -1.0, 0.75]]), 1.5),
    (np.array([[1.0, 2.0, 3.0, 1.0], [-1.0, 0.5, 0.25, 2.0], [0.5, -0.5, 1.0, 0.0]]), 1.0),
]
TOL = 1e-5


@exercise("14.1", "sparsemax")
def sparsemax(answer):
    def threshold(z, k):
        return (np.sort(z)[::-1][:k].sum() - 1) / k

    def support(z):
        ordered = np.sort(z)[::-1]
        return max(k for k in range(1, len(z) + 1) if ordered[k - 1] > threshold(z, k))

    def nearest(z, more=0, clip=True, one=1.0):
        k = min(max(support(z) + more, 1), len(z))
        p = z - threshold(z, k) - (1.0 - one) / k
        return np.maximum(p, 0) if clip else p

    def share(z):
        return z / z.sum()

    def positive(z):
        return np.maximum(z, 0) / max(np.maximum(z, 0).sum(), 1e-300)

    def unsorted(z):
        taus = (np.cumsum(z) - 1) / np.arange(1, len(z) + 1)
        return np.maximum(z - taus[max(np.sum(z > taus) - 1, 0)], 0)

    expect_function(
        answer,
        PREDICTIONS,
        nearest,
        [
            (
                lambda z: np.exp(z - z.max()) / np.exp(z - z.max()).sum(),
                "That is the softmax: no entry of it is ever 0.",
            ),
            (positive, "That scales the positive part; for the nearest point subtract a threshold."),
            (share, "Dividing by the sum leaves negative entries; subtract a threshold and cut off at 0."),
            (
                lambda z: nearest(z, more=len(z)),
                "tau comes from all entries here; only those that stay positive count.",
            ),
            (
                lambda z: nearest(z, more=len(z), clip=False),
                "That is the nearest point of the plane where the sum is 1; entries below 0 are cut off, and "
                "tau changes with them.",
            ),
            (lambda z: nearest(z, clip=False), "The threshold is right; cut off at 0."),
            (lambda z: nearest(z, more=1), "One entry too many enters tau: the k-th has to exceed its tau."),
            (lambda z: nearest(z, more=-1), "One entry too few enters tau: count from 1, index from 0."),
            (
                lambda z: nearest(z, one=0.0),
                "The 1 is missing in tau: the entries sum to 1, not to 0.",
            ),
            (lambda z: np.eye(len(z))[z.argmax()], "That is the corner of the largest entry alone."),
            (lambda z: np.clip(z, 0, 1), "That is the nearest point of the cube; the entries must sum to 1."),
            (unsorted, "Sort from the largest to the smallest first."),
            (
                lambda z: np.array([threshold(z, support(z))] * len(z)),
                "That is the threshold; return the point.",
            ),
        ],
        "sparsemax",
    )


@exercise("14.2", "the loss of sparsemax")
def sparsemax_loss(answer):
    def loss(z, p, y, linear=1.0, half=0.5, corner=0.5, truth=1.0):
        return linear * z @ p - half * p @ p + corner - truth * z[y]

    expect_function(
        answer,
        TERMS,
        loss,
        [
            (
                lambda *point: loss(*point, corner=0.0),
                "The constant 1/2 is missing: Omega*(z) contains it, since Omega(p) = (|p|^2 - 1)/2, "
                "and Omega(e_y) = 0.",
            ),
            (lambda *point: loss(*point, corner=1.0), "The constant is 1/2: Omega(p) = (|p|^2 - 1)/2."),
            (lambda *point: loss(*point, corner=-0.5), "The sign of the constant: Omega(p) = |p|^2/2 - 1/2."),
            (lambda *point: loss(*point, half=-0.5), "Omega* = z.p - Omega(p): the square is subtracted."),
            (lambda *point: loss(*point, half=1.0), "Omega contains half the square of |p|."),
            (lambda *point: loss(*point, half=0.0), "Omega*(z) is z.p - Omega(p), not z.p alone."),
            (lambda *point: loss(*point, linear=0.0), "The term z.p of Omega*(z) is missing."),
            (lambda *point: loss(*point, truth=0.0), "The last term is missing: subtract z_y."),
            (lambda *point: loss(*point, truth=-1.0), "Mind the sign of the last term: subtract z_y."),
            (
                lambda z, p, y: loss(z, p, y) + z[y] - p[y],
                "The last term is the prediction z_y, not its probability.",
            ),
            (lambda z, p, y: -np.log(np.maximum(p[y], 1e-300)), "That is the logarithmic loss of softmax."),
            (
                lambda z, p, y: np.log(np.sum(np.exp(z))) - z[y],
                "That is the multinomial logistic loss; the conjugate of this Omega is attained at p.",
            ),
            (lambda z, p, y: np.sum((p - np.eye(len(z))[y]) ** 2) / 2, "That is the squared error of p."),
            (
                lambda z, p, y: max(0, 1 + np.delete(z, y).max() - z[y]),
                "That is a hinge for several classes.",
            ),
            (lambda z, p, y: np.argmax(p), "That is the class that is predicted; return the loss."),
        ],
        "sparsemax_loss",
        # The same number added to all predictions leaves the prediction and the loss as they are.
        redraw=lambda point, rng: (point[0] + rng.uniform(-2.0, 2.0), *point[1:]),
    )


@exercise("14.3", "the proximal point of the trace norm")
def prox_trace(answer):
    def rebuilt(U, change):
        left, sizes, right = np.linalg.svd(U, full_matrices=False)
        return (left * change(sizes)) @ right

    expect_function(
        answer,
        MATRICES,
        lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau, 0)),
        [
            (
                lambda U, tau: np.sign(U) * np.maximum(np.abs(U) - tau, 0),
                "That shrinks the entries, as for the l1 norm; the trace norm shrinks the singular values.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: s - tau),
                "A singular value below tau becomes 0, not negative.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.where(s > tau, s, 0)),
                "That leaves the large values as they are, as a penalty on the rank does; shrink them, too.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.minimum(s, tau)),
                "That is the projection onto the dual ball; the proximal point is U minus it.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau / 2, 0)),
                "The square has a half before it, so the values shrink by tau, not tau/2.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.maximum(s - 2 * tau, 0)),
                "The values shrink by tau, not by 2 tau.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: s * max(1 - tau / np.linalg.norm(s), 0)),
                "That is the proximal point of the Frobenius norm: all values shrink by the same factor.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: s * max(1 - tau / s.sum(), 0)),
                "That scales the whole matrix; each singular value shrinks by itself.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: s / (1 + tau)),
                "That belongs to the square of a norm: a norm subtracts and does not divide.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.concatenate([[max(s[0] - tau, 0)], s[1:]])),
                "Only the largest value shrinks here; every singular value has to shrink.",
            ),
            (
                lambda U, tau: rebuilt(U, lambda s: np.maximum(s - tau, 0)) - U,
                "That is the step from U; return the point.",
            ),
            (lambda U, tau: rebuilt(U, lambda s: s + tau), "Mind the sign: the values shrink."),
            (
                lambda U, tau: U * np.maximum(1 - tau / np.linalg.norm(U, axis=1, keepdims=True), 0),
                "That shrinks the rows, as for the norm of rows.",
            ),
        ],
        "prox_trace",
    )


def _lengths(u, groups):
    return np.sqrt(np.bincount(groups, u**2))


def _pull(X, alpha, groups, lam):
    """Return the dual norm of v."""
    return _lengths(X.T @ alpha / (lam * len(alpha)), groups).max()


def pair_gap(X, y, groups, lam, w, alpha):
    """P(w) + D(alpha) of a feasible alpha, as a sum of Fenchel-Young terms."""
    loss = np.mean((X @ w - y + alpha / 2) ** 2)
    return loss + lam * _lengths(w, groups).sum() - alpha @ (X @ w) / len(y)


def _problems():
    """(X, y, groups, lam, tol): unequal groups out of order; one without any data; an optimum at 0."""
    rng = np.random.default_rng(144)
    groups = np.array([0, 1, 0, 2, 3, 1, 2, 2, 3, 0, 4, 4])
    X = rng.normal(size=(25, 12)) + 0.5 * rng.normal(size=(25, 1))
    truth = np.array([1.0, 0, -2, 0, 1, 0, 0, 0, -1, 0.5, 0, 0])
    y = X @ truth + 0.3 * rng.normal(size=25)
    empty = np.where(groups == 4, 0.0, X)
    return [(X, y, groups, 0.5, TOL), (empty[:9], y[:9], groups, 0.1, TOL), (X, y, groups, 50.0, TOL)]


def _rescaled(problem, rng):
    X, y, groups, lam, tol = problem
    return X, y * rng.uniform(0.5, 1.5, y.shape), groups[::-1].copy(), lam * rng.uniform(0.5, 1.5), tol


@exercise("14.4", "FISTA with a repaired dual point")
def group_lasso(answer):
    gaps = []

    def judge(X, y, groups, lam, tol, w, alpha):
        pull = _pull(X, alpha, groups, lam)
        gap = pair_gap(X, y, groups, lam, w, alpha) if pull <= 1 + 1e-9 else np.inf
        if not gap <= tol * (1 + 1e-6):
            _explain(X, y, groups, lam, w, alpha, pull)
        gaps.append(gap)

    expect_solver(
        answer,
        _problems(),
        lambda X, y, *rest: [X.shape[1:], y.shape],
        judge,
        parts=["the array w", "the array alpha"],
        redraw=_rescaled,
    )
    return f"Its gaps are {', '.join(f'{gap:.1e}' for gap in gaps)}, each at most {TOL:g}."


def _explain(X, y, groups, lam, w, alpha, pull):
    """Why a pair is not certified: first w, by the gap that its best dual point gives, then alpha."""
    n, d = X.shape

    def open_by(lam=lam, groups=groups):
        free = 2 * (y - X @ w)
        return pair_gap(X, y, groups, lam, w, free / max(1, _pull(X, free, groups, lam)))

    alone = np.arange(d)
    by_w = open_by()
    within(
        by_w,
        10 * TOL,
        [
            (lambda: open_by(groups=alone), "w is optimal for single features: shrink whole groups."),
            (
                lambda: open_by(groups=np.zeros(d, dtype=int)),
                "w is optimal for one group of all features: take the length of each group by itself.",
            ),
            (lambda: open_by(lam=2 * lam), "w is optimal for 2 lambda: the loss does not have a half in it."),
            (lambda: open_by(lam=lam / 2), "w is optimal for lambda/2: a factor 2 is missing."),
            (lambda: open_by(lam=lam * n), "w is optimal for lambda n: the losses are averaged."),
            (lambda: open_by(lam=lam / n), "w is optimal for lambda/n: lambda is not divided by n."),
            (
                lambda: np.abs(X.T @ (X @ w - y)).max() / 1e3,
                "w solves the least squares without a penalty: the proximal point is missing.",
            ),
        ],
        f"With its own repaired dual point w has the gap {by_w:.3g} where {TOL:g} is asked for: look at the "
        "step, at its length 1/l, and at the stopping rule.",
    )
    free = 2 * (y - X @ w)
    due = free / max(1, _pull(X, free, groups, lam))
    near = np.abs(due).max() * 1e-2

    def about(other):
        return np.abs(alpha - other).max() <= near

    known = [
        (-due, "w is right, but alpha has the wrong sign: by map (10) it is minus the slope, 2 (y - Xw)."),
        (due / 2, "w is right, but alpha is half of the right one: the slope of the square is 2 (z - y)."),
        (due / n, "w is right. You return kappa, which is alpha / n; alpha itself is asked for."),
        (-due / n, "w is right. You return kappa = -alpha / n; alpha itself is asked for."),
        (due * n, "w is right, but alpha is n times too large."),
        (y - X @ w, "w is right, but you return the residuals; alpha is twice as large."),
        (y, "w is right, but alpha = y does not belong to it: take 2 (y - Xw)."),
    ]
    for other, sentence in known:
        if about(other) and not same(other, due):
            raise Wrong(sentence)
    if not alpha.any():
        raise Wrong("w is right, but alpha = 0 gives a useless bound: take it from map (10).")
    if pull > 1 + 1e-9:
        raise Wrong(
            f"w is right, but alpha is not feasible: the dual norm of v is 1 + {pull - 1:.1e}, so D is "
            "infinite. Divide alpha by it."
        )
    raise Wrong(
        f"w is right, and alpha is feasible, but their gap is {pair_gap(X, y, groups, lam, w, alpha):.3g}: "
        "take alpha = 2 (y - Xw) at the w that you return, and divide it by the dual norm where that is "
        "above 1."
    )
