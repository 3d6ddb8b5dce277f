"""Checkers of lesson 4, regularizers and transfer functions."""

import numpy as np

import workbench as wb
from workbench.teaching.answers import Wrong, expect_function
from workbench.teaching.checking import exercise
from workbench.teaching.student_solvers import expect_solver

V = np.array([1.5, -0.75, 0.25, -2.0, 0.0, 0.5])
U = np.array([-0.5, 0.25, 3.0, 1.0])
PRIOR_V, PRIOR_U = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), np.array([2.0, 1.0, 1.0, 0.5])


@exercise("4.1", "the transfer function of the elastic net")
def elastic_net_weights(answer):
    expect_function(
        answer,
        [(V, 0.5), (U, 0.3), (V, 0.0)],
        lambda v, epsilon: np.sign(v) * np.maximum(np.abs(v) - epsilon, 0),
        [
            (
                lambda v, epsilon: np.maximum(np.abs(v) - epsilon, 0),
                "The sign is lost: a negative v gives a negative weight.",
            ),
            (
                lambda v, epsilon: np.where(np.abs(v) > epsilon, v, 0),
                "That jumps at epsilon; h is differentiable there, so the graph does not jump.",
            ),
            (
                lambda v, epsilon: np.maximum(v - epsilon, 0),
                "A v below -epsilon gives a nonzero weight, too; mirror the graph.",
            ),
            (
                lambda v, epsilon: v - epsilon * np.sign(v),
                "Between -epsilon and epsilon the weight is zero; yours has the opposite sign of v there.",
            ),
            (
                lambda v, epsilon: np.maximum(np.abs(v) - epsilon, 0) ** 2 / 2,
                "That is h itself; the transfer function is its derivative.",
            ),
            (
                lambda v, epsilon: np.clip(v, -epsilon, epsilon),
                "That bounds the weights; here it is the small v that give zero.",
            ),
        ],
    )


@exercise("4.2", "the transfer function of the normalized entropy")
def entropy_weights(answer):
    def shares(v, mu):
        weights = mu * np.exp(v)
        return weights / weights.sum()

    expect_function(
        answer,
        [(V, PRIOR_V), (U, PRIOR_U)],
        lambda v, mu: mu.sum() * shares(v, mu),
        [
            (shares, "The factor A is missing: the weights sum to A = sum of mu, not to 1."),
            (lambda v, mu: mu * np.exp(v), "That is the unnormalized entropy; here the weights sum to A."),
            (
                lambda v, mu: mu.sum() * np.exp(v) / np.exp(v).sum(),
                "mu is missing: at v = 0 the weights are the prior.",
            ),
            (
                lambda v, mu: mu.sum() * np.log(np.sum(mu * np.exp(v)) / mu.sum()),
                "That is h itself; its gradient is asked for.",
            ),
        ],
    )


def _power_norm_slope(v, p, outer=2.0):
    norm = np.sum(np.abs(v) ** p) ** (1 / p)
    return np.sign(v) * np.abs(v) ** (p - 1) * norm ** (outer - p)


@exercise("4.3", "the transfer function of the q-norm")
def q_norm_weights(answer):
    expect_function(
        answer,
        [(V, 1.5), (U, 3.0), (U, 2.0)],
        lambda v, q: _power_norm_slope(v, q / (q - 1)),
        [
            (_power_norm_slope, "q belongs to g; h has the dual exponent p = q/(q - 1)."),
            (
                lambda v, q: np.abs(_power_norm_slope(v, q / (q - 1))),
                "The sign is lost: a negative v gives a negative weight.",
            ),
            (
                lambda v, q: _power_norm_slope(v, q / (q - 1), q / (q - 1)),
                "The power of the norm is missing: h is half a squared norm, not a sum of powers.",
            ),
            (
                lambda v, q: _power_norm_slope(v, q / (q - 1), 1.0),
                "That is the gradient of the norm; h is half its square, so one more factor |v|_p.",
            ),
        ],
    )


@exercise("4.4", "a regularizer designed in the dual")
def bounded_g(answer):
    def huber(w):
        return w**2 / 2 if abs(w) <= 1 else abs(w) - 0.5

    expect_function(
        answer,
        [(0.5,), (-0.25,), (0.0,), (1.0,), (-1.0,), (1.5,), (-3.0,)],
        lambda w: w**2 / 2 if abs(w) <= 1 else np.inf,
        [
            (lambda w: w**2 / 2, "The bound is missing: which w is never the value of a clipped v?"),
            (huber, "That is h; g is its conjugate."),
            (
                lambda w: 0.0 if abs(w) <= 1 else np.inf,
                "The bound alone is the conjugate of |v|, not of Huber.",
            ),
            (lambda w: w**2 if abs(w) <= 1 else np.inf, "The factor 1/2 is missing."),
            (
                lambda w: w**2 / 2 if abs(w) < 1 else np.inf,
                "The ends belong to the domain: a clipped v is often exactly 1.",
            ),
            (lambda w: w**2 / 2 if w <= 1 else np.inf, "The bound is two-sided: -1 <= w <= 1."),
        ],
    )


@exercise("4.5", "maximum entropy")
def max_entropy(answer):
    def mapped(X, alpha, mu, normalized=True):
        v = X.T @ alpha
        parts = mu * np.exp(np.minimum(v - (v.max() if normalized else 0.0), 700.0))
        return mu.sum() * parts / parts.sum() if normalized else parts

    def judge(X, y, mu, tol, max_steps, alpha):
        if max_steps == 0:
            if np.any(alpha):
                raise Wrong("With max_steps = 0 your alpha has moved: count the steps, from alpha = 0.")
            return

        def lack(w):
            return float(np.abs(X @ w - y).max())

        w = mapped(X, alpha, mu)
        if lack(w) > 10.0 * tol:
            for other, sentence in (
                (mapped(X, -alpha, mu), "The sign of alpha: the gradient of D is X w - y, at v = X'alpha."),
                (mapped(X, alpha, mu, False), "Those are multipliers for weights of any sum; here it is A."),
                (mapped(X, alpha, np.full(mu.size, mu.mean())), "The prior mu is missing in the weights."),
                (mapped(X, alpha / mu.sum(), mu), "alpha is A times too large: look at the A of D."),
            ):
                if lack(other) <= 10.0 * tol:
                    raise Wrong(sentence)
            worst = int(np.argmax(np.abs(X @ w - y)))
            raise Wrong(
                f"With your alpha constraint {worst} gives {X[worst] @ w:.4g} instead of {y[worst]:.4g}; an "
                f"error of {tol:g} is allowed."
            )
        known = wb.maximum_entropy(X, y, mu)
        value = float(np.sum(w * np.log(w / mu)))
        if value > known.value + 1e-4 * (1.0 + abs(known.value)):
            raise Wrong(f"The entropy of w is {value:.6g}, and {known.value:.6g} is possible.")

    rng = np.random.default_rng(4)
    X1, mu1 = rng.normal(size=(2, 6)), rng.uniform(0.2, 1.0, size=6)
    X2, mu2 = np.arange(1.0, 7.0)[None, :], np.full(6, 1.0 / 6.0)
    skewed = np.array([1.0, 0.03, 0.03, 0.03, 0.03, 0.03])
    inner = mu1[::-1] * (0.5 + rng.random(6))
    expect_solver(
        answer,
        [
            (X2, np.array([4.5]), mu2, 1e-8, 0),
            (X2, np.array([4.5]), mu2, 1e-8, 100),
            # Near the end that a six alone would have.
            (X2, np.array([5.999]), mu2, 1e-6, 200),
            # The prior hardly varies, so that a full step goes far beyond the minimum.
            (X2, np.array([4.5]), skewed / skewed.sum(), 1e-8, 100),
            (X1, X1 @ inner * mu1.sum() / inner.sum(), mu1, 1e-8, 200),
        ],
        lambda X, y, *rest: y.shape,
        judge,
        redraw=_another_prior,
    )


def _another_prior(case, rng):
    """Return a prior of the same sum: the constraints can still be met."""
    X, y, mu, *rest = case
    other = mu * rng.uniform(0.7, 1.4, mu.shape)
    return X, y, other * mu.sum() / other.sum(), *rest
