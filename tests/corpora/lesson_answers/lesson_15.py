"""Wrong answers that students of lesson 15 plausibly give."""

import numpy as np

length = np.linalg.norm


def margin(X, y, u):
    return np.min(y * (X @ u))


def entropy(u):
    inside = u[u > 0]
    return np.sum(inside * np.log(inside * len(u)))


def gain(gamma):
    return np.arctanh(gamma) * gamma - np.log(np.cosh(np.arctanh(gamma)))


def weights(v, rule):
    if rule == "winnow":
        return np.exp(v - v.max()) / np.exp(v - v.max()).sum()
    largest = np.abs(v).max() or 1.0
    sizes = np.abs(v) / largest
    size = np.sum(sizes**rule) ** (1 / rule)
    return largest * np.sign(v) * sizes ** (rule - 1) * (size ** (2 - rule) if size else 0)


def pushed(label, eta):
    return eta * label


def descent(missed=lambda m: m <= 0, transfer=weights, move=pushed, take=None, scale=None):
    """A function of exercise 15.5; `take` says which weights enter the average."""

    def solve(X, y, rule, eta, epochs):
        n, d = X.shape
        v, flags, iterates = np.zeros(d), [], []
        for t in range(epochs * n):
            x, label = X[t % n], y[t % n]
            w = transfer(v, rule)
            flags.append(bool(missed(label * (w @ x))))
            if flags[-1]:
                v = v + move(label, eta) * x
            if take is None:
                iterates.append(w)
            else:
                iterates += take(flags[-1], w, transfer(v, rule))
        total = np.sum(iterates, axis=0)
        return np.array(flags), total / len(iterates) if scale is None else scale(iterates)

    return solve


def by_primal_weights(X, y, rule, eta, epochs):
    """The same by other means: whole numbers for flags, lists, and the average step by step."""
    n, d = X.shape
    v, flags, total = [0.0] * d, [], np.zeros(d)
    for t in range(epochs * n):
        v_now = np.array(v)
        if rule == "winnow":
            w = np.exp(v_now - np.logaddexp.reduce(v_now))
        else:
            size = np.linalg.norm(v_now / (np.abs(v_now).max() or 1.0), rule) * np.abs(v_now).max()
            w = size * np.sign(v_now) * (np.abs(v_now) / (size or 1.0)) ** (rule - 1)
        total += (w - total) / (t + 1)
        flag = int(y[t % n] * np.dot(X[t % n], w) <= 0)
        flags.append(flag)
        v = list(v_now + flag * eta * y[t % n] * X[t % n])
    return flags, total.tolist()


RIGHT = {"15.5": (descent(), by_primal_weights, lambda *args: list(descent()(*args)))}
WRONG = {
    "15.1": (
        lambda X, y, u: length(X, axis=1).max() * length(u) / margin(X, y, u),
        lambda X, y, u: (length(X, axis=1).max() / margin(X, y, u)) ** 2,
        lambda X, y, u: length(X, axis=1).max() ** 2 * length(u) / margin(X, y, u) ** 2,
        lambda X, y, u: (length(X, axis=1).mean() * length(u) / margin(X, y, u)) ** 2,
        lambda X, y, u: (length(X, axis=1).max() * length(u) / np.mean(y * (X @ u))) ** 2,
        lambda X, y, u: (length(X, axis=1).max() * length(u) / np.min(X @ u)) ** 2,
        lambda X, y, u: (np.abs(X).max() * length(u) / margin(X, y, u)) ** 2,
        lambda X, y, u: (length(X, axis=1).max() * np.abs(u).sum() / margin(X, y, u)) ** 2,
        lambda X, y, u: len(y) * (length(X, axis=1).max() * length(u) / margin(X, y, u)) ** 2,
        lambda X, y, u: (length(X, axis=1).max() * length(u) / margin(X, y, u)) ** 2 / 2,
        lambda X, y, u: (length(X) * length(u) / margin(X, y, u)) ** 2,
        lambda X, y, u: y * (X @ u),
    ),
    "15.2": (
        lambda u, gamma: entropy(u) / (gamma * gamma - np.log(np.cosh(gamma))),
        lambda u, gamma: entropy(u) / (gamma - np.log(np.cosh(1.0))),
        lambda u, gamma: -entropy(u) / gain(gamma),
        lambda u, gamma: np.sum(u[u > 0] * np.log(u[u > 0])) / gain(gamma),
        lambda u, gamma: -np.sum(u[u > 0] * np.log(u[u > 0])) / gain(gamma),
        lambda u, gamma: entropy(u) / np.log(2) / gain(gamma),
        lambda u, gamma: entropy(u) / (np.arctanh(gamma) * gamma),
        lambda u, gamma: np.log(len(u)) / gain(gamma),
        lambda u, gamma: 2 * entropy(u) / gamma**2,
        lambda u, gamma: np.sum(u * np.log(u * len(u))) / gain(gamma),
        lambda u, gamma: gain(gamma) / entropy(u),
        lambda u, gamma: np.arctanh(gamma),
    ),
    "15.3": (
        lambda mistakes, X, y: X.T @ (mistakes * y),
        lambda mistakes, X, y: X.T @ (mistakes * y) / len(y),
        lambda mistakes, X, y: X.T @ (mistakes * y) / mistakes.sum(),
        lambda mistakes, X, y: X.T @ (mistakes * y * (len(y) - np.arange(len(y)))) / len(y),
        lambda mistakes, X, y: X.T @ (mistakes * y * (len(y) - 1 - np.arange(len(y)))),
        lambda mistakes, X, y: X.T @ (mistakes * y * (len(y) - 1 - np.arange(len(y)))) / (len(y) - 1),
        lambda mistakes, X, y: X.T @ (mistakes * y * (len(y) - 1 - np.arange(len(y)))) / mistakes.sum(),
        lambda mistakes, X, y: X.T @ (mistakes * (len(y) - 1 - np.arange(len(y)))) / len(y),
        lambda mistakes, X, y: X.T @ (y * (len(y) - 1 - np.arange(len(y)))) / len(y),
        lambda mistakes, X, y: X.T @ (mistakes * y * np.arange(len(y))) / len(y),
        lambda mistakes, X, y: X @ X.T @ (mistakes * y),
        lambda mistakes, X, y: -X.T @ (mistakes * y * (len(y) - 1 - np.arange(len(y)))) / len(y),
    ),
    "15.4": (
        lambda y, z, alpha, squares, lam_n: y * z <= 0,
        lambda y, z, alpha, squares, lam_n: y * (z - alpha * squares / lam_n) <= 0,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * squares / lam_n) < 0,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * squares / lam_n) > 0,
        lambda y, z, alpha, squares, lam_n: y * (z + 2 * alpha * squares / lam_n) <= 0,
        lambda y, z, alpha, squares, lam_n: y * z - 2 * alpha * squares / lam_n <= 0,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * np.sqrt(squares) / lam_n) <= 0,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * squares) <= 0,
        lambda y, z, alpha, squares, lam_n: z - 2 * alpha * squares / lam_n <= 0,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * squares / lam_n) <= 1,
        lambda y, z, alpha, squares, lam_n: y * (z - 2 * alpha * squares / lam_n),
        lambda y, z, alpha, squares, lam_n: np.sum(y * (z - 2 * alpha * squares / lam_n) <= 0),
    ),
    "15.5": (
        descent(missed=lambda m: m < 0),
        descent(missed=lambda m: m < 1),
        descent(missed=lambda m: True),
        descent(missed=lambda m: m >= 0),
        descent(move=lambda label, eta: eta),
        descent(move=lambda label, eta: -eta * label),
        descent(move=lambda label, eta: label),
        descent(transfer=lambda v, rule: v),
        descent(transfer=lambda v, rule: np.exp(v) / sum(np.exp(v)) if rule != 8 else weights(v, rule)),
        descent(take=lambda flag, w, after: [after]),
        descent(take=lambda flag, w, after: [w] if flag else []),
        descent(scale=lambda iterates: iterates[-1]),
        descent(scale=lambda iterates: np.sum(iterates, axis=0)),
        lambda *args: descent()(*args)[0],
        lambda *args: (descent()(*args)[0].sum(), descent()(*args)[1]),
        lambda *args: descent()(*args)[::-1],
        lambda X, y, rule, eta, epochs: descent()(X, y, rule, eta, 1),
    ),
}
