"""Checkers of lesson 8, the gaps of support vector machines."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import ROUNDING, expect_box, expect_proof, expect_solver

# q, r, s, nu: inside, with a curvature that is not 1, infeasible, and at the edge.
PROGRAMS = [
    *((1.0, 2.0, 1.0, 1.5), (2.0, 2.0, 0.75, 1.0), (4.0, 3.0, 0.5, 2.0)),
    *((1.0, 2.0, 0.0, 1.0), (2.0, 2.0, 0.5, 1.0)),
]
LABELS = np.array([1.0, 1.0, -1.0, -1.0, 1.0])
GRADIENTS = [
    (np.array([0.5, -1.0, 0.25, -0.75, 1.5]), LABELS, np.array([0.0, 1.0, 0.5, 1.0, 0.5]), 1.0),
    (np.array([-2.0, 1.0, -0.5, 3.0, -0.25]), LABELS, np.array([0.5, 2.0, 2.0, 1.5, 1.0]), 2.0),
    # The extremes of y grad belong to samples at the ends of their boxes, of both labels.
    (
        np.array([3.0, -4.0, -2.0, 3.0, 1.0, 1.0]),
        np.array([1.0, 1.0, -1.0, -1.0, 1.0, -1.0]),
        np.array([0.0, 2.0, 2.0, 0.0, 1.0, 0.5]),
        2.0,
    ),
]
# No pair violates.
SETTLED = (
    np.array([1.0, -2.0, 1.5, -0.5]),
    np.array([1.0, 1.0, -1.0, -1.0]),
    np.array([0.0, 1.0, 0.0, 1.0]),
    1.0,
)


def _boxes(count, size):
    """Instances with variables at both ends of their boxes and between them, for labels of either sign."""
    rng = np.random.default_rng(8)
    for _ in range(count):
        y = rng.choice([-1.0, 1.0], size)
        C = rng.uniform(0.5, 3.0)
        a = C * rng.choice([0.0, 0.5, 1.0], size)
        if all(np.any(weights(y, a, C, down) > 0) for down in (True, False)):
            yield rng.normal(0.0, 2.0, size), y, a, C


BIASES = (0.3, -1.2)


@exercise("8.1", "the gap of one variable")
def one_variable(answer):
    def gap(q, r, s, nu):
        slack = s - (r - nu) / q
        return nu * slack if slack >= 0 else np.inf

    def printed(q, r, s, nu):
        slack = s - (r - nu)
        return nu * slack if slack >= 0 else np.inf

    expect_function(
        answer,
        PROGRAMS,
        gap,
        [
            (
                lambda q, r, s, nu: nu * (s - (r - nu) / q),
                "Where the maximizer of the Lagrangian is not feasible, it does not give a primal point to "
                "certify, and the gap is infinite.",
            ),
            (
                printed,
                "The Lagrangian's slope is r - q u - nu, so its maximizer is (r - nu) / q.",
            ),
            (
                lambda q, r, s, nu: gap(q, r, s, nu) / nu,
                "That is the slack s - u; the gap is nu times the slack.",
            ),
            (
                lambda q, r, s, nu: gap(q, r, s, nu) or np.inf,
                "At u = s the maximizer is feasible, and the gap is zero.",
            ),
            (
                lambda q, r, s, nu: -gap(q, r, s, nu),
                "The sign: at a feasible u the slack s - u is 0 or more, and so is the gap.",
            ),
            (
                lambda q, r, s, nu: gap(q, r + 2 * nu, s, nu),
                "The sign of nu: the Lagrangian's slope is r - q u - nu.",
            ),
            (
                lambda q, r, s, nu: gap(q, r + nu, s, nu),
                "That is the slack at the maximizer of the objective; nu moves the maximizer.",
            ),
            (
                lambda q, r, s, nu: nu * max(0.0, s - (r - nu) / q),
                "Where the maximizer is not feasible the gap is infinite, not 0.",
            ),
        ],
        "one_variable",
    )


def weights(y, a, C, down):
    """Return the samples that may move in a direction: (n,)."""
    return np.where((y > 0) == down, a, C - a)


@exercise("8.2", "the gap at a bias")
def gap_at(answer):
    def gap(grad, y, a, C, c, labels=True, swapped=False):
        over = np.maximum(grad - c * (y if labels else 1.0), 0)
        under = np.maximum(c * (y if labels else 1.0) - grad, 0)
        low, high = (C - a, a) if swapped else (a, C - a)
        return np.sum(low * over + high * under)

    expect_function(
        answer,
        [(*point, c) for point in GRADIENTS for c in BIASES],
        gap,
        [
            (
                lambda *point: gap(*point, swapped=True),
                "a and C - a are exchanged: a positive gradient asks a to fall, and it can fall by a.",
            ),
            (lambda *point: gap(*point, labels=False), "The label is missing: the bias enters as c y_i."),
            (
                lambda grad, y, a, C, c: gap(grad, y, a, C, -c),
                "The sign of c: the brackets hold grad - c y; the primal bias is -c only at the end.",
            ),
            (
                lambda grad, y, a, C, c: np.sum(a * (grad - c * y) + (C - a) * (c * y - grad)),
                "The brackets [.]_+ keep the positive part only.",
            ),
            (
                lambda grad, y, a, C, c: np.sum(a * np.maximum(grad - c * y, 0)),
                "The second half is missing: where the gradient is negative, a could rise by C - a.",
            ),
            (
                lambda grad, y, a, C, c: gap(grad, y, a, C, c) + gap(grad, y, a, 0.0, c, swapped=True),
                "Below zero the factor is C - a: a can still rise by that much.",
            ),
            (
                lambda *point: gap(*point) / len(point[1]),
                "You took the mean; the units here are those of 1/2 |f|^2 + C sum xi.",
            ),
        ],
        "gap_at",
    )


@exercise("8.3", "the violation of the best pair")
def violation(answer):
    def delta(grad, y, a, C, boxes=True, labels=True):
        m = y * grad if labels else grad
        top, bottom = (weights(y, a, C, down) > 0 for down in (True, False))
        if not boxes:
            top = bottom = np.ones(len(y), dtype=bool)
        return np.max(m[top]) - np.min(m[bottom])

    def exchanged(grad, y, a, C):
        m = y * grad
        top, bottom = (weights(y, a, C, down) > 0 for down in (False, True))
        return np.max(m[top]) - np.min(m[bottom])

    expect_function(
        answer,
        [*GRADIENTS, SETTLED, *_boxes(40, 5)],
        delta,
        [
            (
                lambda *point: max(0.0, delta(*point)),
                "Where no pair violates, the difference is negative: do not cut it off at zero.",
            ),
            (
                lambda *point: delta(*point, boxes=False),
                "You looked at all samples; one at the end of its box cannot move further that way.",
            ),
            (exchanged, "Top and bottom set are exchanged."),
            (
                lambda grad, y, a, C: delta(grad, y, a, C, labels=False),
                "Compare y_i grad_i: a pair moves a_i and a_j such that y.a stays zero.",
            ),
            (
                lambda *point: -delta(*point),
                "The sign: it is t_hat - b_hat, positive while a pair violates.",
            ),
            (
                lambda grad, y, a, C: (
                    np.max((y * grad)[a > 0], initial=-np.inf) - np.min((y * grad)[a < C], initial=np.inf)
                ),
                "For a negative label it is reversed: a_i < C belongs to the top set, a_i > 0 to the bottom.",
            ),
        ],
        "violation",
    )


@exercise("8.4", "what a tolerance promises")
def promise(answer):
    expect(
        answer,
        200.0,
        [
            (1e-3, "That bounds t_hat - b_hat, the violation of one pair, and not the gap."),
            (1e-2, "n is missing: every sample's slack may be off by the tolerance."),
            (20.0, "C is missing: a slack costs C."),
            (5e-9, "Lemma 8 multiplies by C and n; nothing is divided."),
            (2e5, "The tolerance is missing: multiply C n by it."),
        ],
        "The bound",
    )


@exercise("8.5", "the proof of Lemma 8")
def lemma_8(answer):
    expect_proof(
        answer,
        {
            "c": "At which c do you look at the sum, and why does one c suffice?",
            "e": "The brackets are those of the gradient; t_hat and b_hat are made of m_i = y_i grad_i.",
            "i": "Which samples have a positive term in the sum?",
            "a": "How far above c can a sample of the top set be?",
            "h": "How far below c can a sample of the bottom set be?",
            "f": "What does one sample contribute at most?",
            "d": "The samples have to be added up.",
        },
        {"i": "e", "a": "c", "h": "c", "f": "iah", "d": "f"},
        {
            "b": "Only the top set is bounded by t_hat from above, only the bottom set by b_hat from below.",
            "g": "It is the weight before the bracket that C bounds, not the bracket.",
            "j": "The best c need not be the mean of the two; any c between them proves the bound.",
        },
    )


def _two_groups(seed, n):
    """Return a linear kernel with two equal samples of different labels, so that one pair lacks curvature."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where(X[:, 0] + 0.7 * rng.normal(size=n) > 0, 1.0, -1.0)
    X[0], y[0], y[1] = X[1], 1.0, -1.0
    return X @ X.T, y


@exercise("8.6", "the maximal violating pair")
def mvp(answer):
    def judge(K, y, C, eps, max_steps, a):
        expect_box(a, 0.0, C, "a", "a step ends where one of the two reaches an end of its box")
        off = y @ a
        if abs(off) > ROUNDING * C * len(y):
            raise Wrong(f"y.a is {off:.4g} and not 0: a step has to leave y_i a_i + y_j a_j as it is.")
        if max_steps == 0:
            return
        grad = y * (K @ (y * a)) - 1.0
        m, top, bottom = y * grad, weights(y, a, C, True) > ROUNDING, weights(y, a, C, False) > ROUNDING
        i = int(np.argmax(np.where(top, m, -np.inf)))
        j = int(np.argmin(np.where(bottom, m, np.inf)))
        gap, promised = wb.gaps.svm(K, y, C, np.clip(a, 0.0, C)).gap, C * len(y) * eps
        if gap > promised * (1.0 + ROUNDING):
            raise Wrong(
                f"After at most {max_steps} steps the gap is {gap:.4g}, where Lemma 8 promises "
                f"{promised:.4g} for eps = {eps:g}: samples {i} and {j} still violate by {m[i] - m[j]:.4g}, "
                f"with a = {a[i]:.4g} and {a[j]:.4g}."
            )

    (K1, y1), (K2, y2) = _two_groups(1, 12), _two_groups(3, 30)
    expect_solver(
        answer,
        [(K1, y1, 1.0, 1e-5, 0), (K1, y1, 1.0, 1e-5, 5000), (K2, y2, 0.8, 1e-4, 5000)],
        lambda K, y, *rest: y.shape,
        judge,
        redraw=_rescaled,
    )


def _rescaled(case, rng):
    """Another kernel, in which the first two samples are still equal."""
    K, y, C, *rest = case
    lengths = rng.uniform(0.7, 1.4, len(y))
    lengths[1] = lengths[0]
    return K * np.outer(lengths, lengths), y, C * rng.uniform(0.7, 1.4), *rest
