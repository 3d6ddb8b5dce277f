"""Checkers of lesson 21, a neural network's last layer."""

import numpy as np

from workbench.teaching.answers import Wrong, expect_function, letters
from workbench.teaching.checking import exercise

_RNG = np.random.default_rng(21)


def _layer(n, d, k):
    return tuple(np.round(_RNG.normal(size=shape), 3) for shape in ((n, d), (d, k), (k,)))


LAYERS = [_layer(5, 3, 4), _layer(4, 2, 3), _layer(3, 4, 2)]
# alpha, the rows, the rows of a batch: one batch, several, more than there are rows.
TRAININGS = [(0.25, 100, 100), (0.5, 400, 50), (1.5, 80, 200), (0.125, 60, 1)]
# Each statement, and what a student overlooked who takes a wrong one for proved or misses a right one.
PROVED = {
    "a": "Weak duality bounds every last layer on these features from below.",
    "c": "P grows around w* at least like lambda/2 |w - w*|^2.",
    "f": "A gap of 0 makes (w, b) a minimizer, and P is smooth.",
}
NOT_PROVED = {
    "b": "another hidden layer makes other features, and so another problem",
    "d": "the bias has no penalty, so P may be flat in it",
    "e": "P is an objective on the rows of training",
    "g": "the best last layer may leave a slope in the hidden one",
}


def best_bias(Phi, y, w):
    """Return the bias with the least logistic loss for weights: there the dual variables sum to zero."""
    z = Phi @ w
    low, high = -50.0 - z.max(), 50.0 - z.min()
    for _ in range(100):
        b = (low + high) / 2
        low, high = (b, high) if np.sum(y / (1 + np.exp(y * (z + b)))) > 0 else (low, b)
    return float(b)


def _last(n, k, lam):
    Phi = np.round(np.maximum(_RNG.normal(size=(n, k)), 0), 3)
    y, w = np.where(np.arange(n) % 3 == 0, -1.0, 1.0), np.round(_RNG.normal(size=k), 3)
    return Phi, y, w, best_bias(Phi, y, w), lam


POINTS = [_last(9, 3, 0.25), _last(6, 2, 1.5), _last(7, 4, 0.0625)]


def _redrawn(point, rng):
    Phi, y, w, _, lam = point
    Phi, w = Phi * rng.uniform(0.5, 1.5, Phi.shape), w * rng.uniform(0.5, 1.5, w.shape)
    return Phi, y, w, best_bias(Phi, y, w), lam * float(rng.uniform(0.5, 0.9))


@exercise("21.1", "the hidden layer")
def hidden(answer):
    expect_function(
        answer,
        LAYERS,
        lambda X, V, c: np.maximum(X @ V + c, 0),
        [
            (lambda X, V, c: X @ V + c, "Negative entries become 0: max(0, .) is missing."),
            (lambda X, V, c: np.maximum(X @ V, 0), "The number c that each unit adds is missing."),
            (lambda X, V, c: np.maximum(X @ V, 0) + c, "c is added before the maximum is taken."),
            (lambda X, V, c: np.maximum(X @ V - c, 0), "The sign of c: it is added."),
            (lambda X, V, c: np.abs(X @ V + c), "max(0, u) is 0 for a negative u, not |u|."),
            (lambda X, V, c: np.minimum(X @ V + c, 0), "The larger one of 0 and the entry is asked for."),
            (lambda X, V, c: np.tanh(X @ V + c), "That is another activation; here it is max(0, .)."),
            (
                lambda X, V, c: 1 / (1 + np.exp(-(X @ V + c))),
                "That is the activation of the prediction as a probability; here it is max(0, .).",
            ),
            (
                lambda X, V, c: (X @ V + c > 0) * 1.0,
                "That tells which entries are positive; how much is missing.",
            ),
        ],
    )


@exercise("21.2", "lambda of a network")
def penalties(answer):
    expect_function(
        answer,
        TRAININGS,
        lambda alpha, n, batch_size: alpha / min(batch_size, n),
        [
            (
                lambda alpha, n, batch_size: alpha / batch_size,
                "A batch has at most n rows, also where batch_size is larger.",
            ),
            (
                lambda alpha, n, batch_size: alpha / n,
                "alpha is divided by the rows of a batch, not by all n.",
            ),
            (lambda alpha, n, batch_size: alpha, "The mean over the batch divides alpha, too."),
            (
                lambda alpha, n, batch_size: alpha / (2 * min(batch_size, n)),
                "The half stands in both: scikit-learn's alpha/2 and our lambda/2.",
            ),
            (
                lambda alpha, n, batch_size: 2 * alpha / min(batch_size, n),
                "The half stands in both; lambda has no factor 2.",
            ),
            (
                lambda alpha, n, batch_size: alpha * min(batch_size, n),
                "The number of rows divides alpha; it does not multiply it.",
            ),
            (
                lambda alpha, n, batch_size: alpha / max(batch_size, n),
                "A batch has batch_size rows, or all n where these are fewer: the smaller number.",
            ),
            (
                lambda alpha, n, batch_size: min(batch_size, n) / alpha,
                "The fraction is upside down.",
            ),
        ],
    )


@exercise("21.3", "the gap of a last layer")
def gaps(answer):
    def parts(Phi, y, w, b, lam, labels=True, sign=1.0, n=None):
        alpha = (y if labels else 1.0) / (1 + np.exp(y * (Phi @ w + b)))
        difference = w - sign * Phi.T @ alpha / (lam * (len(y) if n is None else n))
        return difference @ difference

    def right(Phi, y, w, b, lam, **more):
        square = parts(Phi, y, w, b, lam, **more)
        return np.array([lam * square / 2, np.sqrt(square)])

    def of(change):
        return lambda Phi, y, w, b, lam: change(*right(Phi, y, w, b, lam), lam)

    expect_function(
        answer,
        POINTS,
        right,
        [
            (of(lambda gap, radius, lam: np.array([radius, gap])), "The gap comes first, then the radius."),
            (
                of(lambda gap, radius, lam: np.array([2 * gap, np.sqrt(2) * radius])),
                "The half of the regularizer is missing in the gap.",
            ),
            (
                of(lambda gap, radius, lam: np.array([2 * gap, radius])),
                "The radius is right. The half of the regularizer is missing in the gap.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap / lam, radius])),
                "The radius is right. The factor lambda is missing in the gap.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap / lam, radius / np.sqrt(lam)])),
                "The factor lambda is missing in the gap.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap, radius / np.sqrt(2)])),
                "The gap is right. In the radius the gap is doubled: P grows like lambda/2 |w - w*|^2.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap, radius**2])),
                "The gap is right. The root is missing in the radius.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap, np.sqrt(2 * gap)])),
                "The gap is right. lambda is missing in the radius.",
            ),
            (
                of(lambda gap, radius, lam: np.array([gap, np.sqrt(2 * gap * lam)])),
                "The gap is right. lambda stands in the denominator of the radius.",
            ),
            (
                lambda *point: right(*point, labels=False),
                "The label is missing in alpha: map (10) has the slope.",
            ),
            (
                lambda *point: right(*point, sign=-1.0),
                "The sign of alpha: it is minus the slope of the loss.",
            ),
            (lambda *point: right(*point, n=1), "The n in v = Phi'alpha / (lambda n) is missing."),
            (
                lambda Phi, y, w, b, lam: right(Phi, y, w, 0.0, lam),
                "The bias belongs to the prediction, z = Phi w + b.",
            ),
            (
                lambda Phi, y, w, b, lam: right(Phi, y, w, b, lam) * [lam**2, lam],
                "That is computed of the slope of P, lambda (w - v); v itself is asked for.",
            ),
        ],
        redraw=_redrawn,
    )


@exercise("21.4", "what a certificate proves")
def proved(answer):
    marked = letters(answer, "bd")
    if not marked or set(marked) - {*PROVED, *NOT_PROVED}:
        raise Wrong("Write letters from a to g only, such as 'bd'.")
    for letter, why in NOT_PROVED.items():
        if letter in marked:
            raise Wrong(f"Statement {letter} does not follow: {why}.")
    missing = [letter for letter in PROVED if letter not in marked]
    if missing:
        raise Wrong(
            f"{len(missing)} more {'statement follows' if len(missing) == 1 else 'statements follow'}. "
            f"{PROVED[missing[0]]}"
        )
    return "A certificate speaks of one convex problem: these features, these rows, this lambda."
