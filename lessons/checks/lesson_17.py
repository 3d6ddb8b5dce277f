"""Checkers of lesson 17, prices, flows and games."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

ROUNDING = 1e-9
BAKERY = np.array([[1.0, 1.0], [1.0, 3.0]]), np.array([4.0, 6.0]), np.array([3.0, 5.0])
MILL = np.array([[2.0, 1.0, 0.5], [1.0, 3.0, 2.0]]), np.array([10.0, 12.5]), np.array([4.0, 3.5, 2.0])
# Optimal, feasible and not optimal, too cheap, and with a negative price; two that rounding moved.
PRICES = [
    *((*BAKERY, np.array(y)) for y in ([2.0, 1.0], [3.0, 1.5], [5.0, 0.0])),
    *((*BAKERY, np.array(y)) for y in ([4.0, 0.0], [2.0, 0.5], [9.0, -1.0])),
    *((*MILL, np.array(y)) for y in ([2.0, 1.0], [1.5, 0.25], [2.5, 0.5])),
    *((*BAKERY, np.array(y)) for y in ([2.0, 1.0 - 1e-10], [6.0, -1e-10])),
]
# Plans: optimal, feasible, and infeasible by too much of a resource or a negative product.
PAIRS = [
    (*BAKERY, np.array(x), np.array(y))
    for x, y in (
        ([3.0, 1.0], [2.0, 1.0]),
        ([1.0, 1.0], [2.0, 1.0]),
        ([1.5, 0.5], [3.0, 1.5]),
        ([4.0, 1.0], [2.0, 1.0]),
        ([3.0, -0.5], [2.0, 1.0]),
        ([3.0, 1.0], [2.0, 0.5]),
        ([1.0, 1.0], [9.0, -1.0]),
        ([1.0, 1.0], [4.0, 0.0]),
        # Rounding moved a resource and a product.
        ([3.0, 1.0 + 1e-10], [2.0, 1.0]),
        ([4.0, -1e-10], [2.0, 1.0]),
    )
] + [(*MILL, np.array([2.0, 1.0, 0.5]), np.array([2.0, 1.0]))]
_RNG = np.random.default_rng(17)
GAMES = [
    (np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]), np.full(3, 1 / 3), np.full(3, 1 / 3)),
    (np.array([[3.0, -1.0], [-2.0, 1.5]]), np.array([0.25, 0.75]), np.array([0.5, 0.5])),
    (np.array([[1.0, 4.0, -2.0], [2.0, 0.5, 3.0]]), np.array([0.75, 0.25]), np.array([0.5, 0.25, 0.25])),
]
CHOICES = [
    (np.array([3.0, 4.0, 2.0]), 6.0, np.array([6.0, 7.5, 3.0]), nu) for nu in (0.0, 1.75, 1.875, 2.5)
] + [(np.array([2.0, 5.0, 3.0, 1.0]), 6.5, np.array([3.0, 9.0, 3.5, 0.5]), 1.25)]
NETWORKS = [
    (np.array([[0, 3, 2, 0], [0, 0, 1, 2], [0, 0, 0, 3], [0, 0, 0, 0]], float),),
    # A greedy choice of ways, along 0-1-2-3, has to be taken back.
    (np.array([[0, 1, 1, 0], [0, 0, 1, 1], [0, 0, 0, 1], [0, 0, 0, 0]], float),),
    (np.array([[0, 4, 0, 2, 0], [0, 0, 3, 0, 1], [0, 1, 0, 0, 5], [0, 0, 2, 0, 1], [0, 0, 0, 0, 0]], float),),
    (np.array([[0, 2, 0], [0, 0, 0], [0, 0, 0]], float),),
]


def _positive(values):
    return np.min(values) >= -ROUNDING


def _covers(A, c, y):
    """Return whether prices y cover the value of each product."""
    return _positive(A.T @ y - c)


def _repriced(arguments, rng):
    A, b, c, *rest = arguments
    plan, money = rng.uniform(0.5, 2, 2)
    factors = (plan, money) if len(rest) == 2 else (money,)
    return A, plan * b, money * c, *(factor * value for factor, value in zip(factors, rest, strict=True))


def _other_game(arguments, rng):
    M, p, q = arguments
    return rng.normal(size=M.shape), rng.dirichlet(np.ones(len(p))), rng.dirichlet(np.ones(len(q)))


def _other_choice(arguments, rng):
    a, limit, c, nu = arguments
    return a * rng.uniform(0.5, 2, a.shape), limit, c * rng.uniform(0.5, 2, c.shape), nu + rng.uniform(0, 1)


def _other_network(arguments, rng):
    n = rng.integers(4, 8)
    capacity = rng.integers(0, 6, (n, n)) * (rng.random((n, n)) < 0.6)
    capacity[:, 0] = capacity[-1] = 0
    np.fill_diagonal(capacity, 0)
    return (capacity.astype(float),)


@exercise("17.1", "what prices prove")
def bounds(answer):
    def price_bound(A, b, c, y, sign=True, cover=True):
        """Return the bound that prices y prove on the best plan, infinite where they prove none."""
        return b @ y if (not cover or _covers(A, c, y)) and (not sign or _positive(y)) else np.inf

    expect_function(
        answer,
        PRICES,
        price_bound,
        [
            (
                lambda *args: price_bound(*args, sign=False, cover=False),
                "This holds only for prices that are not negative and cover each product: y >= 0, A'y >= c.",
            ),
            (
                lambda *args: price_bound(*args, sign=False),
                "A negative price reverses its inequality: y >= 0 is needed, too.",
            ),
            (
                lambda *args: price_bound(*args, cover=False),
                "Each product must be covered: A'y >= c, or a plan may earn more than its resources cost.",
            ),
            (lambda A, b, c, y: -price_bound(A, b, c, y), "The bound is from above: b.y, or +infinity."),
        ],
        redraw=_repriced,
    )


@exercise("17.2", "the gap of a plan and prices")
def gaps(answer):
    def pair_gap(A, b, c, x, y, plan=True):
        """Return the bound of the distance of a plan x from the best one, by the prices y."""
        possible = not plan or (_positive(x) and _positive(b - A @ x))
        return b @ y - c @ x if possible and _covers(A, c, y) and _positive(y) else np.inf

    expect_function(
        answer,
        PAIRS,
        pair_gap,
        [
            (
                lambda *args: pair_gap(*args, plan=False),
                "The plan must be possible: x >= 0 and A x <= b. Otherwise there is nothing to certify.",
            ),
            (
                lambda A, b, c, x, y: b @ y - c @ x,
                "The difference b.y - c.x is a gap only where the plan is possible and the prices cover it.",
            ),
            (lambda *args: -pair_gap(*args), "The sign: the bound b.y is above what the plan earns."),
            (
                lambda A, b, c, x, y: y @ (b - A @ x),
                "That is the price of what is left over; the products add x.(A'y - c).",
            ),
        ],
        redraw=_repriced,
    )


@exercise("17.3", "the gap of two mixtures")
def games(answer):
    def game_gap(M, p, q):
        """Return the total gain of both players from answering the other's mixture."""
        return np.max(M @ q) - np.min(p @ M)

    expect_function(
        answer,
        GAMES,
        game_gap,
        [
            (
                lambda M, p, q: np.max(M @ q) - p @ M @ q,
                "That is what the first player can gain alone; the second can gain p.Mq - min (p M), too.",
            ),
            (
                lambda M, p, q: p @ M @ q - np.min(p @ M),
                "That is what the second player can gain alone; the first can gain max (M q) - p.Mq, too.",
            ),
            (lambda M, p, q: -game_gap(M, p, q), "The sign: max (M q) is never below min (p M)."),
            (
                lambda M, p, q: np.max(M) - np.min(M),
                "That looks at single entries: each player answers the mixture of the other, M q and p M.",
            ),
        ],
        redraw=_other_game,
    )


@exercise("17.4", "the dual of a choice")
def choices(answer):
    def choice_bound(a, limit, c, nu):
        """Return the dual function of a choice of things, at the multiplier nu."""
        return nu * limit + np.sum(np.maximum(c - nu * a, 0))

    expect_function(
        answer,
        CHOICES,
        choice_bound,
        [
            (
                lambda a, limit, c, nu: np.sum(np.maximum(c - nu * a, 0)),
                "The multiplier's own term, nu times the limit, is missing.",
            ),
            (
                lambda a, limit, c, nu: nu * limit + np.sum(c - nu * a),
                "What is worth less than it costs is left out: each term is at least 0.",
            ),
            (
                lambda a, limit, c, nu: nu * limit + np.max(np.maximum(c - nu * a, 0)),
                "Take everything whose value exceeds its cost, not the best alone: a sum, not a maximum.",
            ),
            (
                lambda a, limit, c, nu: -nu * limit + np.sum(np.maximum(c + nu * a, 0)),
                "The sign of nu: the Lagrangian is c.x - nu (a.x - limit).",
            ),
        ],
        redraw=_other_choice,
    )


@exercise("17.5", "maximum flow")
def flows(answer):
    values = []

    def judge(capacity, flow, side):
        _check_flow(capacity, flow)
        values.append(_check_cut(capacity, flow, side))

    expect_solver(
        answer,
        NETWORKS,
        lambda capacity: [capacity.shape, (len(capacity),)],
        judge,
        parts=["the flow", "the side"],
        redraw=_other_network,
    )
    return f"The flows of {', '.join(f'{value:g}' for value in values)} equal their cuts."


def _check_flow(capacity, flow):
    if np.min(flow) < -ROUNDING:
        raise Wrong(f"An entry of the flow is {np.min(flow):.4g}: what flows back lowers it, down to 0.")
    over = flow - capacity
    if np.max(over) > ROUNDING:
        i, j = map(int, np.unravel_index(np.argmax(over), over.shape))
        raise Wrong(f"From {i} to {j} flow {flow[i, j]:.4g}, and the capacity is {capacity[i, j]:.4g}.")
    lost = flow.sum(0) - flow.sum(1)
    inner = np.abs(lost[1:-1])
    if inner.size and np.max(inner) > ROUNDING:
        node = 1 + int(np.argmax(inner))
        raise Wrong(f"Into node {node} flow {flow[:, node].sum():.4g}, and out of it {flow[node].sum():.4g}.")


def _check_cut(capacity, flow, side):
    """Return the value of a flow that equals the capacity of the cut."""
    value = flow[0].sum() - flow[:, 0].sum()
    if not np.all(np.isin(side, (0, 1))):
        raise Wrong("The side has entries that are neither 0 nor 1: 1 marks the nodes on the side of node 0.")
    inside = side.astype(bool)
    if not inside[0]:
        raise Wrong("Node 0 is not on its own side: its entry of the side is 1.")
    if inside[-1]:
        raise Wrong("The last node is on the side of node 0, so nothing separates them.")
    cut = capacity[np.ix_(inside, ~inside)].sum()
    if abs(cut - value) > ROUNDING:
        raise Wrong(
            f"The flow is {value:.4g}, and the cut lets {cut:.4g} through. The best of both are equal: "
            "look for a way from node 0 in what is left, which includes flow that can be taken back."
        )
    return value
