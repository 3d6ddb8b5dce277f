"""Wrong answers that students of lesson 7 plausibly give."""

import numpy as np

import workbench as wb


def lagrangian(alpha, X, y, lam, s):
    v = X.T @ alpha / (lam * len(y))
    return -np.mean(alpha * y) + lam * v @ v / 2 + s * np.mean(alpha)


def slope(i, alpha, X, y, lam, s, mu):
    return 1 - y[i] * (X[i] @ X.T @ alpha / (lam * len(y)) + s + alpha.sum() / mu)


def curvature(i, X, lam, mu):
    return X[i] @ X[i] / (lam * len(X)) + 1 / mu


def multipliers(
    X,
    y,
    lam,
    mu,
    rounds,
    passes,
    order=range,
    clip=lambda beta: min(max(beta, 0.0), 1.0),
    moved=lambda s, total, mu, n: s + total / mu,
    weight=1.0,
    penalty=1.0,
):
    """Algorithm 2 at a fixed mu."""
    n, s = len(y), 0.0
    alpha = np.zeros(n)
    for _ in range(rounds):
        for _ in range(passes):
            for i in order(n):
                z = X[i] @ (X.T @ alpha) / (lam * n) + weight * s + penalty * alpha.sum() / mu
                alpha[i] = y[i] * clip(alpha[i] * y[i] + (1 - y[i] * z) / curvature(i, X, lam, mu))
        s = moved(s, alpha.sum(), mu, n)
    return alpha, s


WRONG = {
    "7.1": (
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s),
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s) + alpha.sum() ** 2 / (2 * mu),
        lambda alpha, X, y, lam, s, mu: lagrangian(alpha, X, y, lam, s) + alpha.mean() ** 2 / (2 * mu),
        lambda alpha, X, y, lam, s, mu: (
            lagrangian(alpha, X, y, lam, -s) + alpha.sum() ** 2 / (2 * mu * len(y))
        ),
        lambda alpha, X, y, lam, s, mu: (
            lagrangian(alpha, X, y, lam, s) + mu * alpha.sum() ** 2 / (2 * len(y))
        ),
    ),
    "7.2": (
        lambda alpha, s, mu: s,
        lambda alpha, s, mu: s + alpha.mean() / mu,
        lambda alpha, s, mu: s + mu * alpha.sum(),
        lambda alpha, s, mu: s + alpha.sum() / (2 * mu),
        lambda alpha, s, mu: alpha / mu + s,
    ),
    "7.3": (
        lambda i, alpha, X, y, lam, s, mu: (
            alpha[i] + y[i] * slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, mu)
        ),
        lambda i, alpha, X, y, lam, s, mu: np.clip(
            alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, mu), 0, 1
        ),
        lambda i, alpha, X, y, lam, s, mu: (
            y[i]
            * np.clip(
                alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, mu) / curvature(i, X, lam, np.inf), 0, 1
            )
        ),
        lambda i, alpha, X, y, lam, s, mu: (
            y[i]
            * np.clip(
                alpha[i] * y[i] + slope(i, alpha, X, y, lam, s, np.inf) / curvature(i, X, lam, np.inf), 0, 1
            )
        ),
    ),
    "7.4": (
        lambda *args: multipliers(*args, moved=lambda s, total, mu, n: s - total / mu),
        lambda *args: multipliers(*args, moved=lambda s, total, mu, n: s),
        lambda *args: multipliers(*args, moved=lambda s, total, mu, n: s + total / (n * mu)),
        lambda *args: multipliers(*args, moved=lambda s, total, mu, n: s + mu * total),
        lambda *args: multipliers(*args, moved=lambda s, total, mu, n: total / mu),
        lambda *args: multipliers(*args, weight=0.0),
        lambda *args: multipliers(*args, penalty=0.0),
        lambda *args: multipliers(*args, clip=lambda beta: beta),
        lambda *args: multipliers(*args, clip=lambda beta: np.clip(beta, -1, 1)),
        lambda X, y, *args: (y * multipliers(X, y, *args)[0], multipliers(X, y, *args)[1]),
        lambda *args: multipliers(*args)[0],
        lambda *args: (multipliers(*args)[0], 0.0),
        lambda *args: (multipliers(*args)[0], -multipliers(*args)[1]),
        lambda *args: (np.zeros(len(args[1])), 1.0),
        lambda X, y, lam, mu, rounds, passes: multipliers(X, y, lam, mu, 3, passes),
        lambda X, y, lam, mu, rounds, passes: multipliers(X, y, 1.0, mu, rounds, passes),
        lambda X, y, lam, *args: (wb.solve(wb.Problem(X, y, lam=lam, bias=True)).alpha, 0.0),
    ),
}
RIGHT = {
    "7.4": (
        lambda *args: multipliers(*args),
        lambda *args: multipliers(*args, order=lambda n: range(n)[::-1]),
        lambda *args: list(multipliers(*args, order=np.random.default_rng(1).permutation)),
    ),
}
