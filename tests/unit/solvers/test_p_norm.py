"""The squared p-norm, also on a ball: against its definition to 50 digits, and under Gauss-Seidel."""

import cvxpy as cp
import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import samples
from tests.helpers.naive import exact
from workbench.problems import Problem
from workbench.problems.regularizers import PNorm, get

CHOICES = [(1.02, None), (1.2, 0.7), (1.5, None), (1.5, 0.4), (1.8, 0.05), (2.0, None), (2.0, 1.3)]
# A power of exponent q rounds by about q units in the last place times the logarithm of its base.
ROUNDING = 1e-12
# Below it a slope is zero to the differences of 50 digits.
UNDERFLOW = 1e-40
X, LABELS, _ = samples(n=30, d=5, seed=3)


def text(p, ball):
    return f"p-norm:p={p}" + ("" if ball is None else f",ball={ball}")


def conjugate(numbers, p, ball):
    """sup over |w|_p <= B of w.v - |w|^2 / (2 (p - 1)): over the length r of w, at w.v = r |v|_q."""
    p = mpmath.mpf(p)
    norm = mpmath.fsum(abs(x) ** (p / (p - 1)) for x in numbers) ** (1 - 1 / p)
    r = (p - 1) * norm
    r = r if ball is None else min(r, mpmath.mpf(ball))
    return r * norm - r**2 / (2 * (p - 1))


@pytest.mark.parametrize(("p", "ball"), CHOICES)
def test_h_and_its_gradient(p, ball):
    rng = np.random.default_rng(0)
    transfer = get(text(p, ball)).at(4)
    for size in (1e-3, 1.0, 1e3):
        v = size * rng.normal(size=4)
        h, w = transfer.map(v)
        assert h == pytest.approx(float(conjugate(exact(v), p, ball)), rel=ROUNDING)
        for j in range(4):
            before, own, after = exact(v[:j]), mpmath.mpf(float(v[j])), exact(v[j + 1 :])
            slope = float(mpmath.diff(lambda x, a=before, b=after: conjugate([*a, x, *b], p, ball), own))
            assert w[j] == pytest.approx(slope, rel=1e-9, abs=UNDERFLOW)
    assert transfer.map(np.zeros(4))[0] == 0.0
    assert not transfer.map(np.zeros(4))[1].any()


@pytest.mark.parametrize(("p", "ball"), CHOICES)
def test_the_bracket_is_that_of_the_definition(p, ball):
    rng = np.random.default_rng(1)
    transfer = get(text(p, ball)).at(4)
    for _ in range(20):
        v, w = rng.normal(size=4), rng.normal(size=4)
        if ball is not None:
            w *= ball * rng.random() / np.sum(np.abs(w) ** p) ** (1 / p)
        h, own = transfer.map(v)
        g = np.sum(np.abs(w) ** p) ** (2 / p) / (2 * (p - 1))
        bracket = transfer.bracket(w, v, h)
        assert bracket.value == pytest.approx(g, rel=ROUNDING)
        assert bracket.sum == pytest.approx(g + h - w @ v, rel=1e-9, abs=ROUNDING)
        assert transfer.bracket(own, v, h).sum <= ROUNDING * max(h, 1e-300) * 100
    if ball is not None:
        outside = np.array([1.01 * ball, 0.0, 0.0, 0.0])
        assert transfer.bracket(outside, v, h).sum == np.inf


def test_for_p_of_two_it_is_squared_l2():
    one, other = (
        wb.solve(Problem(X, LABELS, "logistic", r), tol=1e-10, max_epochs=5000)
        for r in ("squared-l2", "p-norm:p=2")
    )
    np.testing.assert_allclose(one.w, other.w, rtol=1e-4)
    assert one.primal == pytest.approx(other.primal, rel=1e-9)


@pytest.mark.parametrize("tau", [1e-3, 0.5, 30.0])
@pytest.mark.parametrize("ball", [None, 0.7])
@pytest.mark.parametrize("p", [1.1, 1.5, 2.0])
def test_proximal_points_satisfy_their_equation(p, ball, tau):
    # w - x + tau / (p - 1) |w|^(2 - p) |w_j|^(p - 1) sgn w_j = 0, with more in place of tau on the sphere.
    x = np.array([1.3, -0.4, 0.0, 2.0, -1e-3])
    w = PNorm(p=p, ball=ball).at(5).prox(x, tau)
    size = np.linalg.norm(w, ord=p)
    pull = size ** (2.0 - p) * np.sign(w) * np.abs(w) ** (p - 1.0)
    strength = tau / (p - 1.0)
    if ball is not None:
        assert size <= ball * (1.0 + 1e-14)
    if ball is not None and size >= ball * (1.0 - 1e-12):
        multiplier = (x - w) @ pull / (pull @ pull)
        assert multiplier >= strength * (1.0 - 1e-12)
        strength = multiplier
    np.testing.assert_allclose(w + strength * pull, x, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("bias", [False, True])
def test_classes_on_the_ball_agree_with_a_cone_solver(bias, tmp_path):
    random = np.random.default_rng(0)
    X, y = random.normal(size=(30, 4)), random.integers(0, 3, 30)
    problem = wb.Problem(X, y, "multinomial", PNorm(p=1.5, ball=0.5), lam=0.01, bias=bias)
    solution = wb.solve(problem, tol=1e-8)
    W, b = cp.Variable((4, 3)), cp.Variable((1, 3)) if bias else np.zeros((1, 3))
    z, size = X @ W + np.ones((30, 1)) @ b, cp.pnorm(cp.vec(W, order="C"), 1.5)
    total = cp.sum(cp.log_sum_exp(z, axis=1)) - cp.sum(cp.multiply(z, np.eye(3)[y]))
    objective = total / 30 + 0.01 * cp.square(size)
    expected = cp.Problem(cp.Minimize(objective), [size <= 0.5]).solve(solver="CLARABEL")
    assert (solution.status, solution.solver) == ("converged", "proximal-gradient")
    assert solution.primal == pytest.approx(expected, rel=1e-7)
    assert np.linalg.norm(solution.w.ravel(), ord=1.5) == pytest.approx(0.5, rel=1e-12)
    solution.save(tmp_path / "s.npz")
    np.testing.assert_array_equal(wb.Solution.load(tmp_path / "s.npz").predict(X), solution.predict(X))
    assert wb.certificate(problem, w=solution.w, b=solution.b if bias else None).relative_gap <= 1e-7
