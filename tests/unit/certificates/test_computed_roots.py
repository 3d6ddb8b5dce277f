"""Conjugates without a closed form: what a certificate takes of them bounds the supremum, at any slope."""

import math

import mpmath as mp
import numpy as np
import pytest

import workbench as wb
from tests.long import computed_roots

FEW = ("exp(u)+u**2", "exp(u**2)", "log(1+exp(u))+sqrt(1+u**2)")


@pytest.mark.parametrize("text", FEW)
def test_bounds_and_intervals_hold_at_slopes_to_1e9(text):
    counts, faults = computed_roots.judge(text, True, 2)
    assert not faults
    assert counts == {"converged": 2}


@pytest.mark.parametrize("text", FEW[:2])
@pytest.mark.parametrize("v", [1e-300, 42.0, 1e100, 1e300, -1e300, math.inf])
def test_a_bound_is_above_the_supremum_or_infinite(text, v):
    loss = wb.losses.custom(text, "residual")
    bound = loss.scalar("conjugate")(v, loss.theta)
    assert not math.isnan(bound)
    if math.isfinite(bound):
        supremum = computed_roots.Function(text).supremum(mp.mpf(v))[0]
        assert mp.mpf(bound) * (1 + mp.sign(bound) * mp.mpf(1e-14)) >= supremum


def test_the_lower_bound_is_below_the_minimum():
    """It was 1.9e22, from a root that Newton's steps had not reached."""
    loss = wb.losses.custom("exp(u**2)", "residual")
    problem = wb.Problem(np.ones((1, 1)), np.zeros(1), loss, lam=1e-3)
    for v in (42.0, 1e6, -1e9):
        certificate = wb.certificate(problem, w=np.zeros(1), alpha=np.array([-v]))
        lower, upper = certificate.interval
        assert lower <= certificate.dual + 1e-9 * abs(certificate.dual)
        assert certificate.dual <= 1.0 <= upper


def test_a_bound_near_an_end_of_the_domain_is_finite():
    """There the slope of p rounds to the end, and no place is known where it is above v."""
    loss = wb.losses.custom("log(1+exp(u))+sqrt(1+u**2)", "residual")
    for v in (-1.0, np.nextafter(-1.0, 0.0), -1.0 + 1e-15):
        # u is some 1e8 there, and what p' may round by is some 1e-15.
        supremum = -math.sqrt((1.0 - v) * (1.0 + v))
        assert supremum <= loss.scalar("conjugate")(v, loss.theta) + 1e-15 <= 1e-4
