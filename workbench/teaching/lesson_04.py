"""Checkers of lesson 4, regularizers and transfer functions."""

import numpy as np

from workbench.teaching.answers import expect_function
from workbench.teaching.checking import exercise

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
                "That jumps at epsilon; h is differentiable there, so the graph has no jump.",
            ),
            (
                lambda v, epsilon: np.maximum(v - epsilon, 0),
                "Negative v below -epsilon give weights as well; mirror the graph.",
            ),
            (
                lambda v, epsilon: v - epsilon * np.sign(v),
                "Between -epsilon and epsilon the weight is zero; your graph goes through to the other side.",
            ),
            (
                lambda v, epsilon: np.maximum(np.abs(v) - epsilon, 0) ** 2 / 2,
                "That is h itself; the transfer function is its derivative.",
            ),
            (
                lambda v, epsilon: np.clip(v, -epsilon, epsilon),
                "That bounds the weights; here small v are cut.",
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
            (lambda w: w**2 / 2, "The bound is missing: which w can a clipped v not be?"),
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
