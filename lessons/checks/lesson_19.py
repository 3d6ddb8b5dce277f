"""Checkers of lesson 19, KKT by pictures."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

# How far each of the four conditions may be from holding.
CLOSE = 1e-6
ROOM = np.array([[1.0, 2.0], [1.0, 0.0], [-1.0, 0.0], [0.0, -1.0]]), np.array([4.0, 2.0, 0.0, 0.0])
WEDGE = np.array([[3.0, 1.0], [-1.0, 2.0], [0.0, -1.0]]), np.array([6.0, 3.0, 0.5])


def _points(*pairs):
    return [tuple(map(np.array, pair)) for pair in pairs]


# Targets and points: a corner, a wall, none, a corner and a wall that do not hold the ball, and rounding.
PLACES = _points(
    ([3.0, 2.0], [2.0, 1.0]),
    ([2.5, 0.25], [2.0, 0.25]),
    ([0.5, 0.75], [0.75, 0.5]),
    ([0.25, 0.5], [2.0, 1.0]),
    ([2.0, 3.0], [0.5, 1.75]),
    ([3.0, 1.5], [2.0, 1.0 - 2e-10]),
    ([3.0, 1.5], [2.0 - 1e-6, 0.25]),
)
WEDGES = _points(([3.0, 4.0], [9 / 7, 15 / 7]), ([2.5, 0.75], [1.75, 0.75]), ([1.0, -2.0], [0.25, -0.5]))
TOUCHED = [(*ROOM, *pair) for pair in PLACES] + [(*WEDGE, *pair) for pair in WEDGES]


def _with_pushes(room, *cases):
    return [(*room, *map(np.array, case)) for case in cases]


# Optimal; unbalanced; outside by much and by little; a negative push, and a small one; within rounding.
WEIGHED = [
    *_with_pushes(
        ROOM,
        ([3.0, 2.0], [2.0, 1.0], [0.5, 0.5, 0.0, 0.0]),
        ([3.0, 2.5], [1.5, 0.5], [0.25, 0.75, 0.0, 0.125]),
        ([3.0, 2.0], [2.25, 0.5], [0.5, 0.5, 0.0, 0.0]),
        ([3.0, 2.0], [2.0 + 1e-6, 0.5], [0.5, 0.5, 0.0, 0.0]),
        ([3.0, 2.0], [1.5, 0.5], [0.5, 0.5, -0.25, 0.0]),
        ([3.0, 2.0], [1.5, 0.5], [0.5, 0.5, -1e-6, 0.0]),
        ([3.0, 2.0], [2.0 + 5e-10, 0.5], [0.5, 0.5, 0.0, -5e-10]),
        ([3.0, 2.0], [2.5, 1.5], [0.5, -0.5, 0.0, 0.0]),
    ),
    *_with_pushes(WEDGE, ([2.5, 3.5], [0.5, 1.25], [0.5, 1.5, 0.25])),
]
SAMPLES = [
    (np.array([2.5, 2.5, 1.0, 1.0, 0.25, 0.25, -1.5]), np.array([0.0, 0.75, 0.25, 1.0, 1.0, 0.25, 0.5])),
    (np.array([0.5, 1.5, 0.5, 1.5, 1.0, 1.75, 0.25]), np.array([-0.25, -0.25, 1.25, 1.25, -1e-6, 1.0, 0.0])),
    (np.array([0.75, 3.5, -0.5]), np.array([1 + 1e-6, 0.625, 0.875])),
]


def _many_walls(seed, m, d, pull):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(m, d)), rng.uniform(0.5, 1.5, m), pull * rng.normal(size=d)


# A corner, one wall, a target in the room, more variables, and more walls than needed.
TARGETS = [
    (*ROOM, np.array([3.0, 2.0])),
    (*ROOM, np.array([3.0, 0.5])),
    (*ROOM, np.array([0.5, 0.75])),
    _many_walls(1, 6, 3, 4.0),
    _many_walls(2, 8, 5, 5.0),
]


def _other_target(case, rng):
    """Return the case with another target, which keeps the walls that are touched."""
    A, b, c, *rest = case
    return (A, b, c + rng.uniform(-0.25, 0.25, len(c)), *rest)


@exercise("19.1", "multipliers of a point")
def pushes(answer):
    def right(A, b, c, w, rounding=1e-9, sign=1.0):
        nu = np.zeros(len(b))
        active = np.abs(A @ w - b) <= rounding
        if np.any(active):
            nu[active] = np.linalg.lstsq(A[active].T, sign * (c - w), rcond=None)[0]
        return nu

    expect_function(
        answer,
        TOUCHED,
        right,
        [
            (
                lambda A, b, c, w: right(A, b, c, w, sign=-1.0),
                "The sign: the pull is c - w, and the sum of nu_j a_j equals it.",
            ),
            (
                lambda A, b, c, w: np.linalg.lstsq(A.T, c - w, rcond=None)[0],
                "Walls that the point does not touch push, too: their multipliers are 0.",
            ),
            (
                lambda A, b, c, w: np.maximum(right(A, b, c, w), 0),
                "Negative multipliers are clipped: keep them, they say that w is not optimal.",
            ),
            (
                lambda A, b, c, w: right(A, b, c, w, rounding=0.0),
                "Allow for rounding: a wall missed by at most 1e-9 is touched.",
            ),
            (
                lambda A, b, c, w: right(A, b, c, w, rounding=1e-5),
                "A wall missed by 1e-6 is not touched: the limit is 1e-9.",
            ),
            (
                lambda A, b, c, w: np.where(np.abs(A @ w - b) <= 1e-9, A @ (c - w), 0),
                "Two walls share the pull: solve for both at once, and divide by what a_j has in length.",
            ),
        ],
        redraw=_other_target,
    )


def _gap_terms(A, b, c, w, nu):
    return np.append(np.sum((w - c + nu @ A) ** 2) / 2, nu * (b - A @ w))


def _other_pushes(case, rng):
    A, b, c, w, nu = case
    others = np.where(np.abs(nu) < 1e-3, nu, nu * rng.uniform(0.5, 1.5, len(nu)))
    return A, b, c + rng.uniform(-0.5, 0.5, len(c)), w, others


@exercise("19.2", "the gap of a point and its multipliers")
def gaps(answer):
    def right(A, b, c, w, nu, rounding=1e-9):
        proves = np.max(A @ w - b) <= rounding and np.min(nu) >= -rounding
        return _gap_terms(A, b, c, w, nu) if proves else np.full(len(b) + 1, np.inf)

    def where(holds, *case):
        return _gap_terms(*case) if holds else np.full(len(case[1]) + 1, np.inf)

    expect_function(
        answer,
        WEIGHED,
        right,
        [
            (_gap_terms, "The terms are right; where a condition 1 or 2 fails they prove nothing: np.inf."),
            (
                lambda A, b, c, w, nu: where(np.max(A @ w - b) <= 1e-9, A, b, c, w, nu),
                "A negative multiplier proves nothing: np.inf for each term.",
            ),
            (
                lambda A, b, c, w, nu: where(np.min(nu) >= -1e-9, A, b, c, w, nu),
                "A point outside the room proves nothing: np.inf for each term.",
            ),
            (
                lambda A, b, c, w, nu: right(A, b, c, w, nu, rounding=0.0),
                "Allow for rounding: 1e-9 in each of the two conditions.",
            ),
            (
                lambda A, b, c, w, nu: right(A, b, c, w, nu, rounding=1e-5),
                "What fails a condition by 1e-6 proves nothing: the limit is 1e-9.",
            ),
            (
                lambda A, b, c, w, nu: right(A, b, c, w, nu) * np.append(2, np.ones(len(b))),
                "The square has a half.",
            ),
            (
                lambda A, b, c, w, nu: right(A, b, c, w, nu) * np.append(1, -np.ones(len(b))),
                "The sign of the products: the room of a wall is b_j - a_j.w.",
            ),
            (
                lambda A, b, c, w, nu: np.roll(right(A, b, c, w, nu), -1),
                "The square comes first, then the products.",
            ),
        ],
        redraw=_other_pushes,
    )


@exercise("19.3", "slack of an SVM's samples")
def slacks(answer):
    def terms(m, beta):
        return beta * np.maximum(0, m - 1) + (1 - beta) * np.maximum(0, 1 - m)

    def right(m, beta):
        return np.where((beta >= 0) & (beta <= 1), terms(m, beta), np.inf)

    expect_function(
        answer,
        SAMPLES,
        right,
        [
            (terms, "The sums are right; outside the box they are np.inf."),
            (
                lambda m, beta: np.where((beta > 0) & (beta < 1), terms(m, beta), np.inf),
                "The ends belong to the box: 0 and 1 are allowed.",
            ),
            (
                lambda m, beta: np.where(beta >= 0, terms(m, beta), np.inf),
                "The box has an upper end, too: above 1 it is np.inf.",
            ),
            (
                lambda m, beta: np.where(beta <= 1, terms(m, beta), np.inf),
                "The box has a lower end, too: below 0 it is np.inf.",
            ),
            (
                lambda m, beta: right(m, np.where((beta >= 0) & (beta <= 1), 1 - beta, beta)),
                "beta belongs to the room of the first constraint, max(0, m - 1), and 1 - beta to s.",
            ),
            (
                lambda m, beta: np.where(np.isinf(right(m, beta)), np.inf, beta * np.maximum(0, m - 1)),
                "The second constraint is missing: rho = 1 - beta times s.",
            ),
            (
                lambda m, beta: np.where(np.isinf(right(m, beta)), np.inf, (1 - beta) * np.maximum(0, 1 - m)),
                "The first constraint is missing: beta times max(0, m - 1).",
            ),
            (
                lambda m, beta: np.where(np.isinf(right(m, beta)), np.inf, beta * (m - 1)),
                "That is negative inside the margin: the room of the first constraint is s - (1 - m).",
            ),
            (
                lambda m, beta: right(m, beta) / len(m),
                "The slack of each sample is asked for, without the 1/n of the mean.",
            ),
        ],
    )


@exercise("19.4", "the nearest point of a room")
def nearest(answer):
    def judge(A, b, c, w, nu):
        where = f"With {len(b)} walls in {len(c)} dimensions"
        room, force = b - A @ w, w - c + nu @ A
        j = int(np.argmin(room))
        if room[j] < -CLOSE:
            raise Wrong(f"{where} the point is outside wall {j} by {-room[j]:.4g}: condition 1.")
        j = int(np.argmin(nu))
        if nu[j] < -CLOSE:
            raise Wrong(f"{where} the multiplier of wall {j} is {nu[j]:.4g}, which is negative: condition 2.")
        j = int(np.argmax(np.abs(nu * room)))
        if abs(nu[j] * room[j]) > CLOSE:
            raise Wrong(
                f"{where} wall {j} is {room[j]:.4g} away and pushes with {nu[j]:.4g}: condition 3. "
                "Let it push less, down to 0."
            )
        if np.max(np.abs(force)) > CLOSE:
            raise Wrong(
                f"{where} the forces do not balance, w - c + A'nu is {np.linalg.norm(force):.4g}: "
                "condition 4."
            )

    expect_solver(
        answer,
        TARGETS,
        lambda A, b, c: [(len(c),), (len(b),)],
        judge,
        parts=("the point", "the multipliers"),
        redraw=_other_target,
    )
