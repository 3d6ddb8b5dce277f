"""Wrong answers that students of lesson 5 plausibly give."""

import numpy as np

import workbench as wb


def descend(
    X, y, lam, passes, order=range, clip=lambda beta: min(max(beta, 0.0), 1.0), empty=1.0, per=2, fresh=False
):
    """Dual coordinate descent; `per` counts the factors of lambda n, `fresh` sums v anew in each step."""
    n = len(y)
    scale = (1.0, lam, lam * n)[per]
    alpha, v, gaps = np.zeros(n), np.zeros(X.shape[1]), []
    for _ in range(passes):
        for i in order(n):
            if fresh:
                v = X.T @ alpha / scale
            size = X[i] @ X[i] / scale
            free = alpha[i] * y[i] + (1 - y[i] * (X[i] @ v)) / size if size else empty
            new = y[i] * clip(free)
            v = v + (new - alpha[i]) * X[i] / scale
            alpha[i] = new
        w = X.T @ alpha / (lam * n)
        gaps.append(np.mean(np.maximum(0, 1 - y * (X @ w)) - alpha * y) + lam * w @ w)
    return alpha, np.array(gaps)


WRONG = {
    "5.1": (
        lambda alpha_i, y_i, c2, c1: alpha_i + (y_i - c2) / c1,
        lambda alpha_i, y_i, c2, c1: np.clip(alpha_i + (y_i - c2) / c1, 0, 1),
        lambda alpha_i, y_i, c2, c1: y_i * np.clip((alpha_i + (y_i - c2) / (c1 + 1)) * y_i, 0, 1),
    ),
    "5.2": (
        lambda v, x, y, eta, transfer: v + eta * y * x,
        lambda v, x, y, eta, transfer: v + eta * y * x if y * (v @ x) <= 0 else v,
        lambda v, x, y, eta, transfer: v + eta * y * x if y * (transfer(v) @ x) < 0 else v,
        lambda v, x, y, eta, transfer: v + eta * x if y * (transfer(v) @ x) <= 0 else v,
        lambda v, x, y, eta, transfer: y * (transfer(v) @ x),
    ),
    "5.3": (
        lambda w, x, y, eta: w + eta * y * x,
        lambda w, x, y, eta: w * np.exp(eta * x),
        lambda w, x, y, eta: w * np.exp(-eta * y * x),
    ),
    "5.4": (
        lambda X, y, lam, passes: descend(X, y, lam, passes, clip=lambda beta: beta),
        lambda X, y, lam, passes: descend(X, y, lam, passes, clip=lambda beta: np.clip(beta, -1, 1)),
        lambda X, y, lam, passes: descend(X, y, lam, passes, clip=lambda beta: max(beta, 0.0)),
        lambda X, y, lam, passes: descend(X, y, lam, passes, empty=0.0),
        lambda X, y, lam, passes: (y * descend(X, y, lam, passes)[0], descend(X, y, lam, passes)[1]),
        lambda X, y, lam, passes: descend(X, y, lam, passes)[0],
        lambda X, y, lam, passes: descend(X, y, lam, passes, per=1),
        lambda X, y, lam, passes: descend(X, y, lam, passes, per=0),
        lambda X, y, lam, passes: descend(X, y, lam, 1)[:1] * 2,
        lambda X, y, lam, passes: (np.zeros(len(y)), np.ones(passes)),
        lambda X, y, lam, passes: (descend(X, y, lam, passes)[0], len(y) * descend(X, y, lam, passes)[1]),
        lambda X, y, lam, passes: (descend(X, y, lam, 400)[0], np.zeros(passes)),
        lambda X, y, lam, passes: (descend(X, y, lam, 400)[0], np.full(passes, 0.08333)),
        lambda X, y, lam, passes: (X.T @ descend(X, y, lam, passes)[0], np.zeros(passes)),
        lambda X, y, lam, passes: (descend(X, y, lam, 1)[0], np.zeros(passes)),
        lambda X, y, lam, passes: (wb.solve(wb.Problem(X, y, lam=lam)).alpha, np.zeros(passes)),
    ),
}
# Other forms of right answers, where the solution is not the only one.
RIGHT = {
    "5.4": (
        lambda X, y, lam, passes: descend(X, y, lam, passes),
        lambda X, y, lam, passes: descend(X, y, lam, passes, order=np.random.default_rng(3).permutation),
        lambda X, y, lam, passes: descend(X, y, lam, passes, order=lambda n: range(n)[::-1]),
        lambda X, y, lam, passes: descend(X, y, lam, passes, empty=np.inf),
        lambda X, y, lam, passes: list(descend(X, y, lam, passes, fresh=True)),
    ),
}
