"""Intervals in balls hold the optimum, known to 50 digits, for all terms, parameters and extremes of lam.

One sample leaves a dual of one variable, which is minimized here by golden sections in mpmath with the
conjugates of `naive`.
"""

import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers import naive
from tests.helpers.golden_section import least

LAMS = (1e-12, 1e-6, 0.3, 1e6, 1e12)
X, Y = np.array([[0.7, -1.3, 0.1]]), {"residual": 1.7, "margin": -1.0, "prediction": 1.0, "classes": 1.0}
# Digits of the search, the share of a place that it leaves open, and what the optimum may be off by.
DIGITS, CLOSE, NEAR = 80, mpmath.mpf(10) ** -68, mpmath.mpf(10) ** -45
# By text: the kind.
LOSSES = {
    "squared": "residual",
    "huber:delta=0.7": "residual",
    "epsilon-insensitive:epsilon=0.1": "residual",
    "epsilon-insensitive:epsilon=0.1,p=2": "residual",
    "epsilon-insensitive:epsilon=0.3,p=1.1": "residual",
    "epsilon-insensitive:epsilon=0.3,p=7.3": "residual",
    "hinge": "margin",
    "squared-hinge": "margin",
    "hinge:p=1.1": "margin",
    "hinge:p=3.7": "margin",
    "smoothed-hinge:width=0.3": "margin",
    "logistic": "margin",
    "negative-log": "prediction",
    "custom": "margin",
    "multinomial": "classes",
}
# Of two classes alpha is the share of the other one.
SAME_CONJUGATE = {"custom": "hinge:p=3", "multinomial": "logistic"}
K, MU = (0.3, 3.0, 7.0), (0.1, 0.3, 3e-5)
REGULARIZERS = {
    "squared-l2": None,
    wb.regularizers.SquaredL2(K=K): lambda v: (
        mpmath.fsum(x * x / mpmath.mpf(k) for x, k in zip(v, K, strict=True)) / 2
    ),
    "elastic-net:epsilon=0.1": None,
    "entropy:mu=0.3": None,
    wb.regularizers.Entropy(mu=MU): lambda v: naive.regularizer_conjugate("entropy", v, MU),
    "normalized-entropy:mu=0.1": None,
    wb.regularizers.NormalizedEntropy(mu=MU): lambda v: naive.regularizer_conjugate(
        "normalized-entropy", v, MU
    ),
    "q-norm:q=1.5": None,
    "q-norm:q=1.1,power=3.3": None,
    "q-norm:q=6.7,power=1.3": None,
    "p-norm:p=1.3": None,
    "p-norm:p=1.7,ball=0.3": None,
    "l1": None,
    "l2": None,
    "linf": None,
    "group-l1l2:size=2": None,
    "custom": lambda v: mpmath.fsum(naive.power_conjugate(abs(x), mpmath.mpf(3)) for x in v),
}


def dual_of(loss, regularizer, lam):
    """The dual of one variable, in mpmath: D(alpha) = k(-alpha) + lam h(x alpha / lam)."""
    kind, x = LOSSES[loss], [mpmath.mpf(value) for value in X[0].tolist()]
    y = mpmath.mpf(Y[kind])
    h = REGULARIZERS[regularizer] or (lambda v: naive.regularizer_conjugate(regularizer, v))
    repeats = (-1, 1) if kind == "classes" else (1,)

    def dual(alpha):
        v = [sign * value * alpha / mpmath.mpf(lam) for value in x for sign in repeats]
        return naive.loss_conjugate(SAME_CONJUGATE.get(loss, loss), alpha, y) + lam * h(v)

    return dual


def made(loss, regularizer, lam):
    kind = LOSSES[loss]
    f = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin") if loss == "custom" else loss
    g = wb.regularizers.custom("abs(u)**3 / 3") if regularizer == "custom" else regularizer
    return wb.Problem(X, [Y[kind]], f, g, lam)


def alpha_of(problem, alpha):
    """The dual variables as floats, near enough inside the domain."""
    alpha = np.array([[float(alpha), -float(alpha)]]) if problem.columns else np.array([float(alpha)])
    return -alpha if problem.columns else alpha


CASES = [
    *((loss, "squared-l2") for loss in LOSSES),
    *((list(LOSSES)[(5 * k) % 12], regularizer) for k, regularizer in enumerate(REGULARIZERS)),
    *(pytest.param("squared", regularizer, marks=pytest.mark.long) for regularizer in REGULARIZERS),
]


@pytest.mark.parametrize(("loss", "regularizer"), CASES, ids=lambda value: str(value)[:40])
def test_balls_hold_the_optimum_at_every_lam(loss, regularizer):
    intervals = 0
    for lam in LAMS:
        problem = made(loss, regularizer, lam)
        with mpmath.workdps(DIGITS):
            dual = dual_of(loss, regularizer, lam)
            _, alpha = least(dual, CLOSE)
            optimum = -dual(alpha)
            certificate = wb.certificate(problem, alpha=alpha_of(problem, alpha), rigorous=True)
            if certificate.interval is None:
                assert certificate.gap == np.inf or "meets the constraints" in certificate.interval_reason
                continue
            intervals += 1
            lower, upper = (mpmath.mpf(end) for end in certificate.interval)
            slack = NEAR * max(abs(optimum), 1)
            assert lower <= optimum + slack, (lam, float(lower - optimum))
            assert optimum <= upper + slack, (lam, float(upper - optimum))
    assert intervals >= 3


def test_printed_numbers_that_were_rounded_are_balls():
    from workbench.certificates import rigorous

    value = rigorous.formula(wb.losses.custom("pi*u**2", kind="residual").formula("value"))
    with mpmath.workdps(DIGITS):
        at = value(rigorous._Ball(3.0), []).ball
        assert float(at.rad()) > 0.0
        assert abs(mpmath.mpf(float(at.mid())) - 9 * mpmath.pi) <= mpmath.mpf(float(at.rad())) + 4e-15
    third = rigorous.formula(wb.losses.custom("u**2/3", kind="residual").formula("value"))
    assert third(rigorous._Ball(3.0), []).ball.contains(3)
