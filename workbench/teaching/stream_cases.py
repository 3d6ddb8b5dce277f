"""Streams on which exercise 15.5 is judged, with the mistakes that its theorem allows."""

import numpy as np


def streams():
    """(X, y, rule, eta, epochs) with what the theorem allows, infinite without a margin."""
    rng = np.random.default_rng(155)
    u = np.array([3.0, -2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    A = rng.normal(size=(60, 8))
    A = A[np.abs(A @ u) > 0.5]
    y, gamma = np.sign(A @ u), np.abs(A @ u).min()
    noisy = np.where(rng.random(len(y)) < 0.15, -y, y)

    def root_bound(p):
        sizes = np.linalg.norm(A, p, axis=1).max() * np.linalg.norm(u, p / (p - 1))
        return (p - 1) * (sizes / gamma) ** 2

    B, share = np.clip(A / 2, -1, 1), np.array([0.5, 0.3, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0])
    B = B[np.abs(B @ share) > 0.1]
    labels, least = np.sign(B @ share), np.abs(B @ share).min()
    entropy = np.sum(share[:3] * np.log(8 * share[:3]))
    eta = np.arctanh(least)
    tilted = np.clip(B + 0.5, -1, 1)
    return [
        ((A, y, 2, 0.5, 2), root_bound(2)),
        ((A, noisy, 3, 0.3, 2), np.inf),
        ((1e-45 * A, y, 8, 1.0, 1), root_bound(8)),
        ((B, labels, "winnow", eta, 3), entropy / (eta * least - np.log(np.cosh(eta)))),
        ((tilted, labels, "winnow", 4000.0, 1), np.inf),
    ]


def reordered(stream, rng):
    """The same stream in another order, which has the same bound."""
    (X, y, *rest), bound = stream
    order = rng.permutation(len(y))
    return (X[order], y[order], *rest), bound
