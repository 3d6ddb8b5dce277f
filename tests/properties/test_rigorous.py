"""Intervals in balls hold the optimum, known to 50 digits, for all terms, parameters and extremes of lam.

One sample leaves a dual of one variable, which is minimized here by golden sections in mpmath with conjugates
that are written out by hand.
"""

import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers.golden_section import least

LAMS = (1e-12, 1e-6, 0.3, 1e6, 1e12)
X, Y = np.array([[0.7, -1.3, 0.1]]), {"residual": 1.7, "margin": -1.0, "prediction": 1.0, "classes": 1.0}
# Digits of the search, the share of a place that it leaves open, and what the optimum may be off by.
DIGITS, CLOSE, NEAR = 80, mpmath.mpf(10) ** -68, mpmath.mpf(10) ** -45
INFINITE = mpmath.inf


def powered(p):
    """p* of |u|^p / p, at |nu|."""
    q = mpmath.mpf(p) / (mpmath.mpf(p) - 1)
    return lambda size: size**q / q


def between(lower, upper, function):
    return lambda nu: function(nu) if lower <= nu <= upper else INFINITE


def shannon(p):
    return p * mpmath.log(p) if p else mpmath.mpf(0)


def hinge(p):
    return between(-INFINITE, 0, lambda nu: nu + powered(p)(abs(nu)))


def insensitive(epsilon, p):
    return lambda nu: mpmath.mpf(epsilon) * abs(nu) + powered(p)(abs(nu))


# By text: the kind, and p*.
LOSSES = {
    "squared": ("residual", lambda nu: nu**2 / 4),
    "huber:delta=0.7": ("residual", between(-mpmath.mpf(0.7), mpmath.mpf(0.7), lambda nu: nu**2 / 2)),
    "epsilon-insensitive:epsilon=0.1": ("residual", between(-1, 1, lambda nu: mpmath.mpf(0.1) * abs(nu))),
    "epsilon-insensitive:epsilon=0.1,p=2": ("residual", insensitive(0.1, 2)),
    "epsilon-insensitive:epsilon=0.3,p=1.1": ("residual", insensitive(0.3, 1.1)),
    "epsilon-insensitive:epsilon=0.3,p=7.3": ("residual", insensitive(0.3, 7.3)),
    "hinge": ("margin", between(-1, 0, lambda nu: nu)),
    "squared-hinge": ("margin", hinge(2)),
    "hinge:p=1.1": ("margin", hinge(1.1)),
    "hinge:p=3.7": ("margin", hinge(3.7)),
    "smoothed-hinge:width=0.3": ("margin", between(-1, 0, lambda nu: nu + mpmath.mpf(0.3) * nu**2 / 2)),
    "logistic": ("margin", between(-1, 0, lambda nu: shannon(-nu) + shannon(1 + nu))),
    "negative-log": (
        "prediction",
        lambda nu: -1 - mpmath.log(-nu) if nu < 0 else INFINITE,
    ),
    "custom": ("margin", hinge(3)),
    "multinomial": ("classes", between(0, 1, lambda a: shannon(a) + shannon(1 - a))),
}


def entropy(mu):
    return lambda v: mpmath.fsum(mpmath.mpf(m) * mpmath.exp(x) for m, x in zip(mu, v, strict=True))


def normalized(mu):
    def h(v):
        total = mpmath.fsum(mu)
        return total * mpmath.log(entropy(mu)(v) / total)

    return h


def norm(v, p):
    if p == INFINITE:
        return max(map(abs, v))
    return mpmath.fsum(abs(x) ** p for x in v) ** (1 / mpmath.mpf(p))


def dual_exponent(q):
    return mpmath.mpf(q) / (mpmath.mpf(q) - 1)


def q_norm(q, power):
    return lambda v: powered(power)(norm(v, dual_exponent(q)))


def p_norm(p, ball=INFINITE):
    def h(v):
        size, bend = norm(v, dual_exponent(p)), mpmath.mpf(p) - 1
        return bend * size**2 / 2 if bend * size <= ball else ball * size - mpmath.mpf(ball) ** 2 / (2 * bend)

    return h


def in_ball(dual_norm):
    return lambda v: mpmath.mpf(0) if dual_norm(v) <= 1 else INFINITE


def soft_squares(epsilon):
    return lambda v: mpmath.fsum(max(abs(x) - mpmath.mpf(epsilon), mpmath.mpf(0)) ** 2 / 2 for x in v)


def group_size(v):
    """The dual norm of groups of two neighbours."""
    return max(norm(v[k : k + 2], 2) for k in range(0, len(v), 2))


REGULARIZERS = {
    "squared-l2": lambda v: mpmath.fsum(x * x for x in v) / 2,
    wb.regularizers.SquaredL2(K=(0.3, 3.0, 7.0)): lambda v: (
        mpmath.fsum(x * x / mpmath.mpf(k) for x, k in zip(v, (0.3, 3.0, 7.0), strict=True)) / 2
    ),
    "elastic-net:epsilon=0.1": soft_squares(0.1),
    "entropy:mu=0.3": entropy([0.3] * 3),
    wb.regularizers.Entropy(mu=(0.1, 0.3, 3e-5)): entropy([0.1, 0.3, 3e-5]),
    "normalized-entropy:mu=0.1": normalized([0.1] * 3),
    wb.regularizers.NormalizedEntropy(mu=(0.1, 0.3, 3e-5)): normalized([0.1, 0.3, 3e-5]),
    "q-norm:q=1.5": q_norm(1.5, 2),
    "q-norm:q=1.1,power=3.3": q_norm(1.1, 3.3),
    "q-norm:q=6.7,power=1.3": q_norm(6.7, 1.3),
    "p-norm:p=1.3": p_norm(1.3),
    "p-norm:p=1.7,ball=0.3": p_norm(1.7, 0.3),
    "l1": in_ball(lambda v: norm(v, INFINITE)),
    "l2": in_ball(lambda v: norm(v, 2)),
    "linf": in_ball(lambda v: norm(v, 1)),
    "group-l1l2:size=2": in_ball(group_size),
    "custom": lambda v: mpmath.fsum(mpmath.mpf(2) / 3 * abs(x) ** mpmath.mpf(1.5) for x in v),
}


def dual_of(loss, regularizer, lam):
    """The dual of one variable, in mpmath: D(alpha) = k(-alpha) + lam h(x alpha / lam)."""
    kind, conjugate = LOSSES[loss]
    h, x, y = REGULARIZERS[regularizer], [mpmath.mpf(value) for value in X[0].tolist()], mpmath.mpf(Y[kind])
    repeats = (-1, 1) if kind == "classes" else (1,)

    def dual(alpha):
        v = [sign * value * alpha / mpmath.mpf(lam) for value in x for sign in repeats]
        if kind in ("margin", "prediction"):
            k = conjugate(-alpha / y)
        else:
            # k(-alpha) = p*(-alpha) - y alpha; with two classes alpha is the share of the other one.
            k = conjugate(-alpha) - y * alpha if kind == "residual" else conjugate(alpha)
        return k + lam * h(v)

    return dual


def made(loss, regularizer, lam):
    kind = LOSSES[loss][0]
    f = wb.losses.custom("max(0, 1 - u)**3 / 3", kind="margin") if loss == "custom" else loss
    g = wb.regularizers.custom("abs(u)**3 / 3") if regularizer == "custom" else regularizer
    return wb.Problem(X, [Y[kind]], f, g, lam)


def alpha_of(problem, alpha):
    """The dual variables as floats, near enough inside the domain."""
    alpha = np.array([[float(alpha), -float(alpha)]]) if problem.columns else np.array([float(alpha)])
    return -alpha if problem.columns else alpha


CASES = [(loss, "squared-l2") for loss in LOSSES] + [
    (loss, regularizer)
    for k, regularizer in enumerate(REGULARIZERS)
    for loss in (list(LOSSES)[(5 * k) % 12], "squared")
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
