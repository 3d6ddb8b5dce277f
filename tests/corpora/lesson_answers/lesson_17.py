"""Wrong answers that students of lesson 17 plausibly give, and right ones in other forms."""

from collections import deque

import numpy as np


def way(left, last=False):
    """The nodes before each on a way from node 0 in what is left."""
    before, todo = {0: 0}, deque([0])
    while todo:
        node = todo.pop() if last else todo.popleft()
        for neighbour in np.flatnonzero(left[node] > 0):
            if int(neighbour) not in before:
                before[int(neighbour)] = node
                todo.append(int(neighbour))
    return before


def augmented(capacity, back=True, most=100, last=False):
    n = len(capacity)
    left = np.array(capacity, float)
    for _ in range(most):
        before = way(left, last)
        if n - 1 not in before:
            break
        edges, node = [], n - 1
        while node:
            edges.append((before[node], node))
            node = before[node]
        step = min(left[edge] for edge in edges)
        for i, j in edges:
            left[i, j] -= step
            if back:
                left[j, i] += step
    side = np.array([float(node in way(left)) for node in range(n)])
    return np.maximum(capacity - left, 0), side


def depth_first(capacity):
    return augmented(capacity, last=True)


def flags(capacity):
    flow, side = augmented(capacity)
    return flow, [bool(vertex) for vertex in side]


def everything(capacity):
    return np.array(capacity), augmented(capacity)[1]


def only(capacity, node):
    side = np.zeros(len(capacity))
    side[node] = 1.0
    return augmented(capacity)[0], side


RIGHT = {"17.5": (augmented, depth_first, flags)}
WRONG = {
    "17.1": (
        lambda A, b, c, y: b @ y,
        lambda A, b, c, y: b @ y if np.all(A.T @ y >= c) else np.inf,
        lambda A, b, c, y: b @ y if np.all(y >= 0) else np.inf,
        lambda A, b, c, y: -(b @ y) if np.all(A.T @ y >= c) and np.all(y >= 0) else -np.inf,
    ),
    "17.2": (
        lambda A, b, c, x, y: b @ y - c @ x,
        lambda A, b, c, x, y: b @ y - c @ x if np.all(A.T @ y >= c) and np.all(y >= 0) else np.inf,
        lambda A, b, c, x, y: y @ (b - A @ x),
    ),
    "17.3": (
        lambda M, p, q: np.max(M @ q) - p @ M @ q,
        lambda M, p, q: p @ M @ q - np.min(p @ M),
        lambda M, p, q: np.min(p @ M) - np.max(M @ q),
        lambda M, p, q: np.max(M) - np.min(M),
    ),
    "17.4": (
        lambda a, limit, c, nu: np.sum(np.maximum(c - nu * a, 0)),
        lambda a, limit, c, nu: nu * limit + np.sum(c - nu * a),
        lambda a, limit, c, nu: nu * limit + max(0, np.max(c - nu * a)),
        lambda a, limit, c, nu: -nu * limit + np.sum(np.maximum(c + nu * a, 0)),
    ),
    "17.5": (
        lambda capacity: (np.zeros_like(capacity), augmented(capacity)[1]),
        lambda capacity: augmented(capacity, back=False, most=1),
        lambda capacity: (2 * augmented(capacity)[0], augmented(capacity)[1]),
        lambda capacity: (-augmented(capacity)[0], augmented(capacity)[1]),
        lambda capacity: (augmented(capacity)[0].T, augmented(capacity)[1]),
        everything,
        lambda capacity: (augmented(capacity)[0], 1 - augmented(capacity)[1]),
        lambda capacity: (augmented(capacity)[0], augmented(capacity)[1] / 2),
        lambda capacity: only(capacity, 0),
        lambda capacity: augmented(capacity)[0],
    ),
}
