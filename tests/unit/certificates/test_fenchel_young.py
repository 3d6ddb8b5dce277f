"""Sums of Fenchel-Young terms: rounding is removed and measured, a wrong formula is found."""

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workbench import regularizers
from workbench.kernels import term_loops
from workbench.kernels.fenchel_young import ROUNDING_UNITS, Bracket
from workbench.problems import Problem


def column(*numbers):
    return [np.array([float(x)]) for x in numbers]


def test_a_term_below_zero_by_rounding_becomes_zero_and_is_counted():
    above = np.nextafter(1.0, 2.0)
    term, units = term_loops.young(1.0, -above - 2 * np.spacing(1.0), 0.0)
    assert (term, units) == (0.0, 3.0)
    bracket = Bracket.checked(np.array([term]), 0.5, units)
    assert bracket.terms.tolist() == [0.0]
    assert bracket.units == 3.0
    assert (bracket.sum, bracket.value) == (0.0, 0.5)


@pytest.mark.parametrize("units", [9, 1000, 1e15])
def test_a_term_below_zero_by_more_is_a_bug(units):
    term, beyond = term_loops.young(1.0, 0.25, 1.25 + units * np.spacing(1.25))
    with pytest.raises(ArithmeticError, match="units in the last place below zero"):
        Bracket.checked(np.array([term]), 0.0, beyond)


def test_units_are_those_of_the_largest_part():
    assert term_loops.young(1.0, -1.0 - 2.0**-51, 0.0) == (0.0, 2.0)
    assert term_loops.young(1e6, -1e6 - 2.0**-33, 0.0) == (0.0, 1.0)
    assert ROUNDING_UNITS == 8.0


def test_infinite_parts_make_infinite_terms():
    terms = [term_loops.young(a, b, 0.0)[0] for a, b in ((1.0, 1.0), (np.inf, -np.inf), (2.0, np.nan))]
    assert terms == [2.0, np.inf, np.inf]


# Young's sum


def of_norms(a, b, p):
    """|a|^p / p + |b|^q / q - a b: in one coordinate Hoelder's sum makes up for the signs alone."""
    return term_loops.norm_sum()(*column(a, b), 1.5, p)


SIZES = st.floats(-60.0, 60.0).map(lambda k: 10.0**k)


@given(SIZES, st.floats(-3.0, 3.0), st.floats(-2.0, 1.5), st.sampled_from([-1.0, 1.0]))
def test_young_s_sum_is_right_near_equality_and_far(b, distance, logarithm, sign):
    """a = b^(q-1) e^distance: the parts sum to |a|^p / p + |b|^q / q - a b and are never negative."""
    p = 1.0 + 10.0**logarithm
    with mpmath.workdps(60):
        exact_p = mpmath.mpf(p)
        exact_q = exact_p / (exact_p - 1)
        a = float(mpmath.mpf(b) ** (exact_q - 1) * mpmath.exp(distance))
        first, second = mpmath.mpf(a) ** exact_p, mpmath.mpf(b) ** exact_q
        # Inside the range of floats, where no part has underflowed.
        assume(all(mpmath.mpf("1e-250") < part < mpmath.mpf("1e250") for part in (a, first, second)))
        exact = float(first / exact_p + second / exact_q - sign * mpmath.mpf(a) * b)
        size = float(first + second)
    # A power rounds by the logarithm of its result, here up to ln 1e250 = 576.
    total, _, units = of_norms(sign * a, b, p)
    assert units <= ROUNDING_UNITS
    assert total == pytest.approx(exact, abs=4e-16 * 600 * size)


def test_young_s_sum_at_zero():
    for a, b, expected in ((0.0, 0.0, 0.0), (2.0, 0.0, 4.0 / 2), (0.0, 3.0, 9.0 / 2)):
        assert of_norms(a, b, 2.0)[0] == expected


# The brackets of the regularizers at their own image, where they are zero


EXPONENTS = [(1.01, 2.0), (1.18, 20.3), (2.0, 2.0), (3.0, 1.5), (6.7, 1.33), (14.6, 1.02), (29.6, 15.7)]


@pytest.mark.parametrize(("q", "power"), EXPONENTS)
@pytest.mark.parametrize("size", [1, 7, 20_000])
def test_no_exponent_makes_the_norms_bracket_negative(q, power, size):
    rng = np.random.default_rng(0)
    transfer = regularizers.QNorm(q=q, power=power).at(size)
    for spread in (0.0, 1.0, 3.0):
        for shift in (-3.0, 0.0, 1.0):
            v = rng.normal(size=size) * 10.0 ** (shift + spread * rng.uniform(-1, 1, size=size))
            h, w = transfer.map(v)
            if not np.isfinite(h) or not w.any():
                continue
            bracket = transfer.bracket(w, v, h)
            assert bracket.units <= ROUNDING_UNITS
            assert bracket.sum <= 1e-13 * abs(w @ v)


def test_the_entropy_bracket_where_weights_underflow():
    """w* = 0.9 e^v / sum e^v holds 1e-304, numbers with few digits, and zeros."""
    v = np.array([0.0, -690.0, -699.0, -735.0, -744.5, -746.0, -800.0, -1e5])
    transfer = regularizers.NormalizedEntropy(mu=0.1).at(8)
    h, star = transfer.map(v)
    assert (star == 0.0).sum() >= 2
    at_image = transfer.bracket(star, v, h)
    assert at_image.sum <= 1e-15
    for j in range(1, 8):
        w = star.copy()
        w[0], w[j] = 0.5 * star[0], 0.8 - 0.5 * star[0]
        w *= 0.8 / w.sum()
        bracket = transfer.bracket(w, v, h)
        # w ln(w/mu) summed, plus h, minus w.v: all of it finite, though w / w* is not.
        with np.errstate(divide="ignore", invalid="ignore"):
            g = np.where(w > 0.0, w * np.log(w / 0.1), 0.0).sum()
        assert bracket.value == pytest.approx(g, rel=1e-12)
        assert bracket.sum == pytest.approx(g + h - w @ v, rel=1e-12)


def test_weights_off_the_simplex_have_an_infinite_entropy():
    transfer, v = regularizers.NormalizedEntropy(mu=0.1).at(3), np.zeros(3)
    h, w = transfer.map(v)
    assert np.isfinite(transfer.bracket(w, v, h).sum)
    for wrong in (w * (1 + 1e-6), w * (1 - 1e-6), w + np.array([0.2, -0.2, 0.0])):
        bracket = transfer.bracket(wrong, v, h)
        assert bracket.sum == bracket.value == np.inf


@pytest.mark.parametrize("value", [1e-300, 1e-315, 5e-324])
def test_tiny_entropies_are_tiny(value):
    """w ln(w / c) is zero, not minus infinity, where w / c underflows."""
    transfer = regularizers.Entropy(mu=1e10).at(2)
    w = np.array([value, 1.0])
    bracket = transfer.bracket(w, np.zeros(2), transfer.map(np.zeros(2))[0])
    assert bracket.value == pytest.approx(1.0 * np.log(1.0 / 1e10) - 1.0)
    assert np.isfinite(bracket.sum)


def test_squares_that_underflow_are_no_wrong_formula():
    """With u = 4e-158 the loss u^2 / 2 is a float of few digits, and a weight of 100 multiplies its error."""
    from workbench.certificates import certify

    for u in 10.0 ** np.linspace(-163, -150, 53):
        for loss in ("huber", "squared", "epsilon-insensitive:epsilon=0,p=2"):
            p = Problem(np.eye(3), np.zeros(3), loss, lam=1.0, sample_weight=[100.0, 3.0, 1.0])
            c = certify(p, w=np.full(3, u))
            assert c.rounding_units <= ROUNDING_UNITS
            assert 0.0 <= c.gap < 1e-290
