"""Certificates along runs of every update, and against the optimum that a long run certifies."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import LOSSES, REGULARIZERS, problem
from tests.properties.test_certificate import AGREEMENT, assert_sound, size_of

combinations = pytest.mark.parametrize("regularizer", REGULARIZERS)
losses = pytest.mark.parametrize("loss", LOSSES)


@losses
@combinations
def test_the_caller_s_weights_are_worth_the_solver_s_own(loss, regularizer):
    """`join` puts signed weights where g is least, so nothing of the gap is lost on the way back."""
    p = problem(loss, regularizer, bias="constant", embed="balanced")
    solution = wb.solve(p, tol=1e-4, max_epochs=200)
    c = wb.certificate(p, w=solution.w, b=solution.b, alpha=solution.alpha)
    size = AGREEMENT * (size_of(p, c) + p.zero_value)
    assert c.gap <= solution.gap + size
    assert c.primal <= solution.primal + size
    assert c.dual == pytest.approx(solution.dual, abs=size)
    np.testing.assert_allclose(c.z, p.rows @ solution.w_embedded, atol=1e-10)
    if "entropy" in regularizer:
        np.testing.assert_allclose(c.w, solution.w_embedded, rtol=1e-6)


def test_weights_near_the_whole_sum_are_joined():
    """Most of the sum A may stand in one weight, where w+ w- is tiny beside w."""
    p = problem("hinge", "normalized-entropy:mu=0.3", embed="balanced")
    for share in (0.0, 0.5, 0.7, 0.9, 0.999, 1.0 - 1e-15, 1.0):
        w = np.array([0.0, share * 3.0, 0.0, 0.0, 0.0])
        c = wb.certificate(p, w=w)
        assert_sound(p, c)
        assert np.isfinite(c.gap)
        np.testing.assert_allclose(p.split(c.w)[0], w, atol=1e-12)
