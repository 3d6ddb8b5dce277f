"""Checkers of lesson 8, the gaps of support vector machines."""

import numpy as np

from workbench.teaching.answers import expect, expect_function
from workbench.teaching.checking import exercise

# q, w, d, lam: inside, with a curvature that is not 1, infeasible, and at the edge.
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


def _boxes(count, size, seed=8):
    """Instances with variables at both ends of their boxes and between them, for labels of either sign."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        y = rng.choice([-1.0, 1.0], size)
        C = rng.uniform(0.5, 3.0)
        a = C * rng.choice([0.0, 0.5, 1.0], size)
        if all(np.any(weights(y, a, C, down) > 0) for down in (True, False)):
            yield rng.normal(0.0, 2.0, size), y, a, C


BIASES = (0.3, -1.2)
# gap, C, n
TARGETS = [(1e-2, 1.0, 100), (0.5, 10.0, 2000), (1e-3, 0.25, 400)]


@exercise("8.1", "the gap of one variable")
def one_variable(answer):
    def gap(q, w, d, lam):
        slack = d - (w - lam) / q
        return lam * slack if slack >= 0 else np.inf

    def printed(q, w, d, lam):
        slack = d - (w - lam)
        return lam * slack if slack >= 0 else np.inf

    expect_function(
        answer,
        PROGRAMS,
        gap,
        [
            (
                lambda q, w, d, lam: lam * (d - (w - lam) / q),
                "Where the maximizer of the Lagrangian is not feasible there is no primal point to "
                "certify, and the gap is infinite.",
            ),
            (
                printed,
                "The Lagrangian's slope is w - q u - lambda, so its maximizer is (w - lambda) / q.",
            ),
            (
                lambda q, w, d, lam: gap(q, w, d, lam) / lam,
                "That is the slack d - u; the gap is lambda times the slack.",
            ),
            (
                lambda q, w, d, lam: gap(q, w, d, lam) or np.inf,
                "At u = d the maximizer is feasible, and the gap is zero.",
            ),
            (
                lambda q, w, d, lam: -gap(q, w, d, lam),
                "The sign: at a feasible u the slack d - u is 0 or more, and so is the gap.",
            ),
        ],
        "one_variable",
    )


def weights(y, a, C, down):
    """What may move the way in question: (n,)."""
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
                "a and C - a are exchanged: a positive gradient asks a to fall, which it can by a.",
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
                "The sign: t_hat - b_hat, positive while a pair violates.",
            ),
            (
                lambda grad, y, a, C: (
                    np.max((y * grad)[a > 0], initial=-np.inf) - np.min((y * grad)[a < C], initial=np.inf)
                ),
                "For a negative label the roles turn: a_i < C belongs to the top set, a_i > 0 to the bottom.",
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


@exercise("8.5", "a tolerance that keeps a promise")
def tolerance(answer):
    expect_function(
        answer,
        TARGETS,
        lambda gap, C, n: gap / (C * n),
        [
            (lambda gap, C, n: gap * C * n, "That is the promise of a tolerance; you need its inverse."),
            (lambda gap, C, n: gap / C, "n is missing."),
            (lambda gap, C, n: gap / n, "C is missing."),
            (lambda gap, C, n: gap, "That would do in the workbench's units, where lambda = 1 / (C n)."),
        ],
        "tolerance",
    )
