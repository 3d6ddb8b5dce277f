"""Conjugates without a closed form: what a certificate takes of them bounds the supremum, at any slope."""

import math

import mpmath as mp
import numpy as np
import pytest

import workbench as wb
from tests.helpers import computed_roots
from workbench.solvers.stopping import Stopping

FEW = ("exp(u)+u**2", "exp(u**2)", "log(1+exp(u))+sqrt(1+u**2)")
# A loss, and a target at whose residual it is some 1e80.
STEEP = {"exp(u)+u**2": -185.0, "exp(u**2)": 13.5, "cosh(u)+u**2": 185.0, "exp(abs(u)**1.5)": 32.0}


def test_bounds_and_intervals_hold_at_slopes_to_1e9():
    counts, faults = computed_roots.judge(FEW[0], True, 2)
    assert not faults
    assert counts == {"converged": 2}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::workbench._support.errors.WorkbenchWarning")
@pytest.mark.parametrize(
    ("text", "is_loss"),
    [
        *((text, True) for text in computed_roots.LOSSES),
        *((text, False) for text in computed_roots.REGULARIZERS),
    ],
)
def test_bounds_and_intervals_of_all_functions_hold(text, is_loss):
    assert computed_roots.judge(text, is_loss, 5)[1] == []


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


@pytest.mark.parametrize("text", [pytest.param(t, marks=[pytest.mark.long] * (t not in FEW)) for t in STEEP])
@pytest.mark.parametrize("factor", [1.0, 1.6])
def test_a_point_far_above_the_optimum_is_not_converged(text, factor):
    """P(0) is 1e80 or infinite there and the optimum some 1e4, so that a share of P(0) says nothing."""
    y = factor * STEEP[text] * np.array([1.0, -0.01])
    problem = wb.Problem([[1.0], [0.1]], y, wb.losses.custom(text, "residual"), lam=1e-3)
    certificate = wb.certificate(problem, w=0.3 * y[:1])
    lower, upper = certificate.interval
    assert upper > 1e20 > 1e9 > lower
    assert certificate.relative_gap > 0.5
    assert certificate.relative_interval > 0.5
    assert Stopping(1e-6).met(certificate) is None


@pytest.mark.parametrize("text", [FEW[0], "u**2/2", pytest.param("abs(u)**3", marks=pytest.mark.long)])
def test_scale_of_a_gap_is_the_loss_at_zero_unless_it_is_steep(text):
    loss = wb.losses.custom(text, "residual")
    X, y = np.ones((3, 1)), np.array([-3.0, 100.0, -400.0])
    for targets in (y[:2], y):
        problem = wb.Problem(X[: len(targets)], targets, loss, lam=1.0)
        is_steep = "exp" in text and len(targets) == 3
        assert (problem.gap_scale < 1e-100 * problem.zero_value) == is_steep
        assert is_steep or problem.gap_scale == problem.zero_value
        assert problem.gap_scale >= np.mean(targets**2) / 2.0
