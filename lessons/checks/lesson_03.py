"""Checkers of lesson 3, losses and their duals."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, choices, expect_function, function, run, same
from workbench.teaching.checking import exercise
from workbench.teaching.hidden import with_hidden
from workbench.teaching.student_solvers import expect_solver

Z = np.array([2.0, 0.25, -3.0, 0.5, -0.75, 1.5])
LABELS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])
KINDS = ("zero", "free", "bound")
# Predictions, targets and epsilon: in the tube, on both edges, outside on both sides; in several orders.
TUBES = [
    (np.array([1.0, 1.5, 0.5, 3.0, -1.0]), np.array([1.25, 1.0, 1.0, 1.0, 1.0]), 0.5),
    (np.array([-2.0, 0.0, 4.0, 1.0, 2.25, 3.0, 0.5]), np.array([1.0, 0.25, 3.0, 2.0, 2.0, 0.5, 0.5]), 1.0),
    (np.array([0.75, 0.0, -2.0]), np.array([0.5, 0.25, 1.0]), 0.25),
    # On both edges up to rounding: 1.2 - 1.1 is below 0.1, and 1.1 - 1.0 is above.
    (np.array([1.2, 1.0, 1.15, 1.3]), np.array([1.1, 1.1, 1.1, 1.1]), 0.1),
]


@exercise("3.1", "map (10) for the smoothed hinge")
def smoothed_hinge_alpha(answer):
    def beta(z, y):
        return np.clip(1 - y * z, 0, 1)

    expect_function(
        answer,
        [(Z, LABELS), (-Z, LABELS)],
        lambda z, y: y * beta(z, y),
        [
            (beta, "That is beta; alpha has the sign of its label."),
            (lambda z, y: -y * beta(z, y), "The sign: alpha is minus the slope of the loss."),
            (lambda z, y: y * np.maximum(0, 1 - y * z), "One bound is missing: below margin 0 it is linear."),
            (lambda z, y: y * np.minimum(1, 1 - y * z), "One bound is missing: above margin 1 it is flat."),
            (lambda z, y: y * (1 - y * z), "The loss is a parabola only between 0 and 1; clip the slope."),
            (lambda z, y: y * (y * z < 1), "That is the hinge; between margins 0 and 1 the slope is 1 - m."),
            (lambda z, y: y * np.clip(1 - z, 0, 1), "The margin is y z, not z."),
        ],
    )


@exercise("3.2", "the dual of the logistic loss")
def logistic_k(answer):
    def entropy(beta):
        return sum(x * np.log(x) if x > 0 else 0.0 for x in (beta, 1 - beta))

    def right(alpha, y):
        return entropy(alpha * y) if 0 <= alpha * y <= 1 else np.inf

    expect_function(
        answer,
        [(0.25, 1.0), (-0.75, -1.0), (0.0, 1.0), (-1.0, -1.0), (0.5, -1.0), (1.5, 1.0)],
        right,
        [
            (lambda alpha, y: right(alpha, 1.0), "The label is missing: the domain is 0 <= alpha y <= 1."),
            (lambda alpha, y: right(-alpha, y), "The sign: with u = -y z the slope in z is -y p'(u)."),
            (lambda alpha, y: -right(alpha, y), "The sign: k is a sum of terms v ln v, all at most 0."),
            (
                lambda alpha, y: right(alpha, y) if 0 < alpha * y < 1 else np.inf,
                "The ends belong to the domain: 0 ln 0 is 0.",
            ),
            (
                lambda alpha, y: right(alpha, y) - alpha * y,
                "The term -alpha y belongs to the hinge, whose corner is at 1; here t = 0.",
            ),
        ],
    )


@exercise("3.3", "zero, free or bound")
def kinds(answer):
    function(answer)
    for tube in with_hidden(TUBES, _reordered):
        _kinds_at(answer, *tube)


def _reordered(tube, rng):
    """Return the samples in another order and scaled by a power of 2, which keeps those on the edge there."""
    z, y, epsilon = tube
    order, scale = rng.permutation(len(z)), 2.0 ** rng.integers(1, 4)
    return scale * z[order], scale * y[order], scale * epsilon


def _kinds_at(answer, z, y, epsilon):
    away = np.abs(z - y)
    on_edge = np.isclose(away, epsilon)
    inner = np.where(away < epsilon, "zero", "bound")
    right = np.where(on_edge, "free", inner)
    kinds = run(answer, (z.copy(), y.copy(), epsilon), "kinds")
    if kinds is None or kinds is ...:
        raise Wrong("The answer is still missing: kinds returns nothing; end it with return and the list.")
    kinds = choices(kinds, KINDS, len(z), "What kinds returns")
    if np.array_equal(kinds, right):
        return
    if np.array_equal(kinds, np.where(away == epsilon, "free", inner)):
        raise Wrong("A point that rounding moved off the edge still lies on it: compare with np.isclose.")
    swapped = {"zero": "bound", "free": "free", "bound": "zero"}
    if kinds.tolist() == [swapped[kind] for kind in right.tolist()]:
        raise Wrong("Inside and outside are exchanged: in the tube the loss is flat.")
    if "free" not in kinds:
        raise Wrong("No sample is free: on the edge of the tube the loss has a corner, with many slopes.")
    residual = z - y
    if np.any(kinds[residual < -epsilon] != "bound") and np.all(kinds[residual > epsilon] == "bound"):
        raise Wrong("A residual below -epsilon is outside as well: take its absolute value.")
    if np.any(kinds == "free") and np.any(kinds[on_edge] != "free"):
        raise Wrong("The tube has two edges, at +epsilon and at -epsilon.")
    place = int(np.flatnonzero(kinds != right)[0])
    raise Wrong(
        f"At residual {residual[place]:g} with epsilon = {epsilon:g} the answer is not {str(kinds[place])!r}."
    )


@exercise("3.4", "the largest pull of a sample")
def largest_pull(answer):
    samples = [(np.array([3.0, 4.0]), 0.1, 20), (np.array([1.0, -2.0, 2.0]), 0.5, 8)]
    expect_function(
        answer,
        samples,
        lambda x, lam, n: np.linalg.norm(x) / (lam * n),
        [
            (lambda x, lam, n: 1 / (lam * n), "That is the largest coefficient; x has a length too."),
            (lambda x, lam, n: np.linalg.norm(x), "The factor 1/(lambda n) of v is missing."),
            (lambda x, lam, n: np.linalg.norm(x) / n, "lambda is missing: v is X'alpha / (lambda n)."),
            (lambda x, lam, n: x @ x / (lam * n), "That is the length squared."),
            (lambda x, lam, n: np.abs(x).sum() / (lam * n), "That is the 1-norm; length is the 2-norm."),
        ],
    )


@exercise("3.5", "alpha read as a certificate")
def read_certificate(answer):
    def judge(alpha, X, y, lam, lower, upper, terms):
        problem = wb.Problem(X, y, "smoothed-hinge", lam=lam)
        outside = (alpha * y < 0.0) | (alpha * y > 1.0)
        w = X.T @ alpha / (lam * len(y))
        if np.any(outside):
            if np.isfinite(lower):
                raise Wrong(f"alpha is not feasible, and your lower bound is {float(lower):.4g}: it is -inf.")
            if lower > 0:
                raise Wrong("The lower bound is +inf: that is D; the bound is -D.")
            if not np.array_equal(np.isposinf(terms), outside):
                place = int(np.argmax(np.isposinf(terms) != outside))
                beta = alpha[place] * y[place]
                raise Wrong(f"alpha y = {beta:.4g}, and its term is {terms[place]:.4g}: mind the box.")
            return
        certificate = wb.certificate(problem, w=w, alpha=alpha)
        half = lam / 2 * (w @ w)
        for mine, due, name in (
            (upper, certificate.primal, "P(w)"),
            (lower, certificate.dual, "the lower bound"),
        ):
            for other, sentence in (
                (due, None),
                (due + half, "P has lambda / 2 |w|^2 once, and the bound has it once, with a minus"),
                (due - half, "lambda / 2 |w|^2 is missing, or is subtracted from the bound twice"),
                (-due, "the sign is wrong"),
                (mine, f"yours is {float(mine):.6g}"),
            ):
                if same(mine, other):
                    if sentence:
                        raise Wrong(f"Look at {name} again: {sentence}.")
                    break
        due = terms_of(alpha, X, y, w)
        if not same(terms, due):
            if same(terms, due / len(y)):
                raise Wrong("Do not divide the terms by n: their mean is the gap.")
            if np.any(terms < -1e-9):
                raise Wrong(f"A term is {terms.min():.4g}: by Fenchel-Young none is below zero.")
            place = int(np.argmax(np.abs(terms - due)))
            raise Wrong(f"The bounds are right; the term of sample {place} is not {terms[place]:.4g}.")

    def terms_of(alpha, X, y, w):
        margin, beta = y * (X @ w), alpha * y
        loss = np.where(margin < 0.0, 0.5 - margin, np.maximum(0.0, 1.0 - margin) ** 2 / 2.0)
        return loss + beta**2 / 2.0 - beta + alpha * (X @ w)

    rng = np.random.default_rng(3)
    X = rng.normal(size=(8, 3))
    y = np.where(rng.random(8) < 0.5, 1.0, -1.0)
    inside = y * np.array([0.0, 1.0, 0.25, 0.5, 0.75, 1.0, 0.0, 0.125])
    beyond = inside + y * np.array([0.0, 0.5, 0.0, 0.0, 0.0, 0.0, -0.25, 0.0])
    expect_solver(
        answer,
        [(inside, X, y, 0.3), (inside / 2.0, -X, y, 0.1), (beyond, X, y, 0.3)],
        lambda alpha, *rest: [(), (), alpha.shape],
        judge,
        finite=False,
    )
