"""The coordinate step of every exponent p: against 50 digits, and it never lets the dual objective rise."""

import mpmath
import numpy as np
import pytest

import workbench as wb
from tests.helpers.cases import samples
from workbench import losses, solvers

# Relative to the minimizer, which a cancelling sum of linear and quadratic start may make small.
PRECISION = 1e-13
POWERS = (1.05, 1.2, 1.5, 1.8, 1.999, 2.5, 3.0, 4.5, 7.5, 20.0)
EXAMPLES = 60


def minimizer(name, p, epsilon, start, linear, quadratic):
    """argmin over nu of p*(nu) - linear nu + quadratic (nu - start)^2 / 2, by Newton's method."""
    p, epsilon, start, linear, quadratic = map(mpmath.mpf, (p, epsilon, start, linear, quadratic))
    sides = [(-1, mpmath.mpf(1))] if name == "hinge" else [(1, epsilon), (-1, -epsilon)]
    for side, at in sides:
        level = side * (linear - at + quadratic * start)
        if level <= 0:
            continue
        # The unknown with the power above one: s, or t = s^(1 / (p - 1)).
        steep, flat, power = (1, quadratic, 1 / (p - 1)) if p <= 2 else (quadratic, 1, p - 1)
        root = min(level / flat, (level / steep) ** (1 / power))
        for _ in range(300):
            move = (steep * root**power + flat * root - level) / (power * steep * root ** (power - 1) + flat)
            root -= move
            if abs(move) < root * mpmath.mpf(10) ** -45:
                break
        return side * (root if p <= 2 else root ** (p - 1))
    return mpmath.mpf(0)


def arguments(rng, decades):
    """A start, a linear and a quadratic coefficient over many decades, some of which cancel."""
    start, linear, quadratic = rng.choice([-1, 1], size=3) * 10.0 ** rng.uniform(-decades, decades, size=3)
    start, quadratic = -abs(start) * (rng.random() < 0.8), abs(quadratic)
    if rng.random() < 0.3:
        linear = 1.0 - rng.choice([1e-16, 1e-9, 1e-3]) * rng.normal()
    elif rng.random() < 0.3 and start:
        linear = -quadratic * start * (1.0 + rng.choice([1e-14, 1e-6]) * rng.normal())
    return float(start), float(linear), float(quadratic)


@pytest.mark.parametrize("decades", [10, 140])
@pytest.mark.parametrize("p", POWERS)
@pytest.mark.parametrize("name", ["hinge", "epsilon-insensitive"])
def test_the_step_is_the_minimizer_over_the_range_of_floats(name, p, decades):
    rng = np.random.default_rng(int(100 * p))
    epsilon = 0.0 if name == "hinge" else 0.3
    loss = losses.get(f"{name}:p={p}" + ("" if name == "hinge" else ",epsilon=0.3"))
    step = loss.scalar("coordinate")
    with mpmath.workdps(60):
        for _ in range(EXAMPLES):
            drawn = arguments(rng, decades)
            expected, minimum = minimizer(name, p, epsilon, *drawn), step(*drawn, loss.theta)
            if 1e-290 < abs(expected) < 1e290:
                assert abs(minimum - expected) <= PRECISION * abs(expected), drawn
            elif expected == 0:
                assert minimum == 0.0, drawn


@pytest.mark.parametrize(
    ("loss", "kind"),
    [
        ("max(0, 1 - u)**(3/2) / 3 * 2", "margin"),
        ("abs(u)**(5/4)", "residual"),
        ("max(0, u)**6", "prediction"),
    ],
)
def test_an_own_power_has_the_same_step(loss, kind):
    own = losses.custom(loss, kind=kind)
    step, slope = own.scalar("coordinate"), own.scalar("slope")
    for start, linear, quadratic in [(0.0, -3.0, 1e9), (-0.2, 0.4, 1e-9), (0.0, 2.0, 1e6), (-1e-9, 0.3, 2.0)]:
        start = float(np.clip(start, *own.interval))
        nu = step(start, linear, quadratic, own.theta)
        # y = linear - quadratic (nu - start) is where p has the slope nu, but for the rounding of y.
        y = linear - quadratic * (nu - start)
        off = 1e-12 * (abs(linear) + quadratic * (abs(nu) + abs(start)))
        assert slope(y - off, own.theta) <= nu + 1e-15
        assert slope(y + off, own.theta) >= nu - 1e-15


@pytest.mark.parametrize("regularizer", ["squared-l2", "elastic-net", "q-norm:q=1.5", "entropy:mu=0.3"])
@pytest.mark.parametrize("loss", ["hinge:p=1.5", "hinge:p=1.05", "epsilon-insensitive:p=1.05", "hinge:p=7.5"])
@pytest.mark.parametrize("lam", [1e-8, 1e-2, 1e4])
def test_the_dual_objective_never_falls_back(loss, regularizer, lam):
    X, labels, targets = samples(n=20)
    p = wb.Problem(X, labels if "hinge" in loss else targets, loss, regularizer, lam=lam)
    run = wb.Run(p, solvers.GaussSeidel())
    best = run.record().dual
    for _ in range(15):
        run.epoch()
        dual = run.record().dual
        assert dual >= best - 1e-12 * (p.zero_value + abs(best))
        best = dual
