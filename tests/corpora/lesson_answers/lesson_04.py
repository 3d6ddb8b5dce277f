"""Wrong answers that students of lesson 4 plausibly give."""

import numpy as np

import workbench as wb


def _slope(v, p):
    return np.sign(v) * np.abs(v) ** (p - 1) * np.sum(np.abs(v) ** p) ** ((2 - p) / p)


def newton(X, y, mu, tol, most, damped=1.0, halved=True):
    """Newton's method on the dual of maximum entropy."""
    alpha, A = np.zeros(len(y)), mu.sum()

    def at(alpha):
        v = X.T @ alpha
        return A * np.log(np.sum(mu * np.exp(v)) / A) - alpha @ y, A * mu * np.exp(v) / np.sum(mu * np.exp(v))

    for _ in range(most):
        D, w = at(alpha)
        lack = X @ w - y
        if np.all(np.abs(lack) <= tol):
            break
        move = np.linalg.solve((X * w) @ X.T - np.outer(X @ w, X @ w) / A, lack)
        size = damped
        while halved and not at(alpha - size * move)[0] < D and size > 1e-9:
            size /= 2
        alpha = alpha - size * move
    return alpha


def unnormalized(X, y, mu, most):
    alpha = np.zeros(len(y))
    for _ in range(10 * most):
        w = mu * np.exp(X.T @ alpha)
        alpha = alpha - 0.5 * np.linalg.solve((X * w) @ X.T, X @ w - y)
    return alpha


WRONG = {
    "4.1": (
        lambda v, epsilon: np.maximum(np.abs(v) - epsilon, 0),
        lambda v, epsilon: np.where(np.abs(v) > epsilon, v, 0),
        lambda v, epsilon: np.clip(v, -epsilon, epsilon),
    ),
    "4.2": (
        lambda v, mu: mu * np.exp(v) / np.sum(mu * np.exp(v)),
        lambda v, mu: mu * np.exp(v),
        lambda v, mu: np.sum(mu * np.exp(v)),
    ),
    "4.3": (
        _slope,
        lambda v, q: np.sign(v) * np.abs(v) ** (q / (q - 1) - 1),
        lambda v, q: np.abs(_slope(v, q / (q - 1))),
    ),
    "4.4": (lambda w: w**2 / 2, lambda w: w**2 / 2 if abs(w) <= 1 else abs(w) - 0.5),
    "4.5": (
        lambda X, y, mu, tol, most: np.zeros(len(y)),
        lambda X, y, mu, tol, most: -newton(X, y, mu, tol, most),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, most, halved=False),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, min(most, 1)),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, min(most, 2)),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, min(most, 3)),
        lambda X, y, mu, tol, most: newton(X, y, np.arange(1.0, 1.0 + mu.size), tol, most),
        lambda X, y, mu, tol, most: newton(X, y, np.full(mu.size, mu.mean()), tol, most),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, most) * mu.sum() ** (mu.sum() < 0.99) * 1.5,
        lambda X, y, mu, tol, most: mu,
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, most).sum(),
        lambda X, y, mu, tol, most: wb.maximum_entropy(X, y, mu).alpha,
        lambda X, y, mu, tol, most: unnormalized(X, y, mu, most),
        lambda X, y, mu, tol, most: np.linalg.lstsq(X @ X.T, y, rcond=None)[0],
    ),
}
RIGHT = {
    "4.5": (
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, most),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol / 100, most).tolist(),
        lambda X, y, mu, tol, most: newton(X, y, mu, tol, 2 * most, damped=0.6),
    ),
}
