"""Every update rule against the formulas of Zhang (2002), written out in plain Python, step by step."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import workbench as wb
from tests.helpers.amounts import latin
from tests.helpers.cases import LOSSES, REGULARIZERS, problem
from workbench.problems.regularizers import SquaredL2
from workbench.solvers import GaussSeidel

# The paper's formulas and the kernel's round differently, and v gathers it.
ROUNDING = 1e-12
# scipy's bounded search stops at a relative sqrt of the rounding of its objective.
SCIPY = 1e-6
EPSILON = 0.3
K = (0.5, 1.0, 2.0, 4.0, 1.0)


def clip(x, low, high):
    return min(max(x, low), high)


# Zhang's closed forms: where the rule points before the clip, and alpha + Delta alpha


def hinge(a, y, c1, c2, scale=1.0):
    """(25), and with a factor the rule of section 6.2."""
    free = y * (a * y - scale * (c2 - y) / c1 * y)
    return free, y * max(min(a * y - scale * (c2 - y) / c1 * y, 1.0), 0.0)


def squared_hinge(a, y, c1, c2):
    """(26)."""
    free = a - (a + c2 - y) / (c1 + 1.0)
    return free, a + y * max(-(a + c2 - y) / (c1 + 1.0) * y, -a * y)


def insensitive(a, y, c1, c2):
    """The case p = 1 after (20)."""
    below, above = -(EPSILON + c2 - y) / c1, -(-EPSILON + c2 - y) / c1
    if a + below >= 0.0:
        return a + below, a + min(below, 1.0 - a)
    if a + above <= 0.0:
        return a + above, a + max(above, -1.0 - a)
    return 0.0, 0.0


def squared_insensitive(a, y, c1, c2):
    """The case p = 2 after (20)."""
    below = -(EPSILON + a + c2 - y) / (c1 + 1.0)
    above = -(-EPSILON + a + c2 - y) / (c1 + 1.0)
    if a + below >= 0.0:
        return a + below, a + below
    if a + above <= 0.0:
        return a + above, a + above
    return 0.0, 0.0


def ridge(a, y, c1, c2):
    """The minimizer of a^2 / 4 - a y + c2 (a - a0) + c1 (a - a0)^2 / 2, with the k of section 3.1."""
    new = (c1 * a + y - c2) / (c1 + 0.5)
    return new, new


CLOSED_FORMS = {
    "hinge": hinge,
    "squared-hinge": squared_hinge,
    "epsilon-insensitive:epsilon=0.3": insensitive,
    "epsilon-insensitive:epsilon=0.3,p=2": squared_insensitive,
    "squared": ridge,
}
# Where (10) puts the dual variable of an empty row, w.x = 0: a minimizer of k(-alpha, y) itself.
EMPTY_ROW = {
    "hinge": lambda y: y,
    "squared-hinge": lambda y: y,
    "epsilon-insensitive:epsilon=0.3": lambda y: math.copysign(1.0, y) if abs(y) > EPSILON else 0.0,
    "epsilon-insensitive:epsilon=0.3,p=2": lambda y: math.copysign(max(abs(y) - EPSILON, 0.0), y),
    "squared": lambda y: 2.0 * y,
}


def assert_event(event, index, before, free, after, prediction, curvature, change):
    assert event.index == index
    assert event.alpha_before == pytest.approx(before, abs=ROUNDING)
    assert event.alpha_free == pytest.approx(free, rel=ROUNDING, abs=ROUNDING)
    assert event.alpha_after == pytest.approx(after, rel=ROUNDING, abs=ROUNDING)
    assert event.prediction == pytest.approx(prediction, abs=ROUNDING)
    assert event.curvature == pytest.approx(curvature, rel=ROUNDING, nan_ok=True)
    assert event.dual_change == pytest.approx(change, rel=1e-9, abs=ROUNDING)


@pytest.mark.parametrize("regularizer", ["squared-l2", SquaredL2(K=K)], ids=["identity", "diagonal"])
@pytest.mark.parametrize("loss", CLOSED_FORMS)
def test_the_closed_forms_of_the_paper(loss, regularizer):
    p = problem(loss, regularizer)
    X, inverse = p.rows.toarray(), 1.0 / np.array(K if regularizer != "squared-l2" else np.ones(5))
    run = wb.Run(p, GaussSeidel(order="cyclic"))
    alpha, dual = np.zeros(12), run.certificate().dual
    for step in range(36):
        i = step % 12
        w = inverse * (X.T @ alpha) / p.lam_n
        c1, c2 = X[i] @ (inverse * X[i]) / p.lam_n, w @ X[i]
        a, y = alpha[i], p.y[i]
        free, new = CLOSED_FORMS[loss](a, y, c1, c2) if c1 > 0.0 else [EMPTY_ROW[loss](y)] * 2
        run.step()
        alpha[i] = new
        after = run.certificate().dual
        assert_event(run.last_event, i, a, free, new, c2, c1, dual - after)
        np.testing.assert_allclose(run.state.alpha, alpha, atol=ROUNDING)
        dual = after


@pytest.mark.parametrize("scale", [0.01, 0.1, 0.5, 10.0])
def test_the_scaled_rule_of_section_6_2_clips_after_scaling(scale):
    p = problem("hinge", "squared-l2")
    X = p.rows.toarray()
    run = wb.Run(p, GaussSeidel(order="cyclic", scale=scale))
    alpha, clipped = np.zeros(12), 0
    for step in range(36):
        i = step % 12
        w = X.T @ alpha / p.lam_n
        c1, c2 = X[i] @ X[i] / p.lam_n, w @ X[i]
        if c1 > 0.0:
            free, alpha[i] = hinge(alpha[i], p.y[i], c1, c2, scale)
            clipped += free != alpha[i]
        else:
            free = alpha[i] + scale * (p.y[i] - alpha[i])
            alpha[i] = p.y[i] * clip(free * p.y[i], 0.0, 1.0)
        run.step()
        assert run.last_event.alpha_free == pytest.approx(free, abs=ROUNDING * max(1.0, scale))
        np.testing.assert_allclose(run.state.alpha, alpha, atol=ROUNDING)
    assert clipped


# The gradient rule (11), with -k' as the paper prints it for each loss


def slope(loss, a, y, z):
    """-k'(-alpha, y), the bracket of (11) without w.x; at the kink with the sign of section 5.2."""
    sign = math.copysign(1.0, a) if a != 0.0 else -math.copysign(1.0, z - y)
    b = a * y
    return {
        "squared": lambda: a / 2.0 - y,
        "epsilon-insensitive:epsilon=0.3": lambda: sign * EPSILON - y,
        "epsilon-insensitive:epsilon=0.3,p=2": lambda: sign * (EPSILON + abs(a)) - y,
        "huber": lambda: a - y,
        "hinge": lambda: -y,
        "squared-hinge": lambda: a - y,
        "smoothed-hinge": lambda: a - y,
        "logistic": lambda: y * math.log(b / (1.0 - b)),
    }[loss]()


def bounded(loss, a, y):
    """alpha kept where k is finite."""
    if loss in ("epsilon-insensitive:epsilon=0.3", "huber"):
        return clip(a, -1.0, 1.0)
    if loss in ("hinge", "smoothed-hinge", "logistic"):
        return y * clip(a * y, 0.0, 1.0)
    return y * max(a * y, 0.0) if loss == "squared-hinge" else a


def gradient(loss, a, y, z, step):
    """alpha + Delta alpha: (11), (20) and (22) with the care for the kink that section 5.2 asks for."""
    tube = loss.startswith("epsilon") and abs(z - y) <= EPSILON
    if tube and a == 0.0:
        return 0.0
    new = a - step * (slope(loss, a, y, z) + z)
    if tube and new * a < 0.0:
        # |Delta alpha| <= |alpha| inside the tube
        new = 0.0
    return new


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("loss", "regularizer"), latin(LOSSES, REGULARIZERS))
def test_the_gradient_rule(loss, regularizer, weighted):
    p = problem(loss, regularizer, sample_weight=np.linspace(0.5, 2.0, 12) if weighted else None)
    X, eta = p.rows.toarray(), 0.005 if loss == "logistic" else 0.2
    run = wb.Run(p, GaussSeidel(update="gradient", eta=eta, order="cyclic"))
    alpha = p.alpha(np.full(12, p.loss.start))
    for step in range(24):
        i = step % 12
        z = p.transfer.map(X.T @ alpha / p.lam_n)[1] @ X[i]
        # The conjugate of c f is c k(-alpha / c), so all is as in the paper for alpha / c.
        c, a, y, dual = p.weight[i], alpha[i], p.y[i], run.certificate().dual
        free = c * gradient(loss, a / c, y, z, p.lam_n * eta / c)
        alpha[i] = c * bounded(loss, free / c, y)
        run.step()
        np.testing.assert_allclose(run.state.alpha, alpha, rtol=1e-9, atol=ROUNDING)
        assert_event(run.last_event, i, a, free, alpha[i], z, math.nan, dual - run.certificate().dual)
        alpha = run.state.alpha.copy()


@pytest.mark.parametrize("p_", [1, 2])
def test_the_kink_at_zero_is_not_crossed_inside_the_tube(p_):
    """One sample x = 1, lam = 1: z = v = alpha."""
    for y, start, eta, expected in (
        (0.2, 0.0, 5.0, 0.0),  # |z - y| < epsilon at alpha = 0: stay
        (0.2, 0.1, 50.0, 0.0),  # a step that would cross: stop at zero
        (-0.2, -0.1, 50.0, 0.0),
        (0.31, 0.0, 0.5, 0.005),  # just outside: leave with sgn alpha = -sgn(z - y)
        (-0.31, 0.0, 0.5, -0.005),
        (2.0, -0.5, 1.0, None),  # far outside: crossing is right
    ):
        p = wb.Problem(np.ones((1, 1)), [y], f"epsilon-insensitive:epsilon=0.3,p={p_}", "squared-l2", lam=1.0)
        run = wb.Run(p, GaussSeidel(update="gradient", eta=eta), warm_start=[start])
        run.step()
        dual = run.state.alpha[0]
        assert dual > 0.0 if expected is None else dual == pytest.approx(expected, abs=1e-15)


# The exact search: the minimizer of (*)


def objective(p, alpha, i, nu):
    """(*) over n: the part of D that moves with the coordinate."""
    point = alpha.copy()
    point[i] = -p.weight[i] * p.sign[i] * nu
    h, _ = p.transfer.map(p.dual_vector(point))
    k = p.loss.scalar("conjugate")(nu, p.loss.theta) - p.shift[i] * nu
    return p.weight[i] * k / p.n_samples + p.lam * h


@pytest.mark.parametrize("regularizer", [r for r in REGULARIZERS if r != "squared-l2"])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_exact_search_finds_the_minimizer(loss, regularizer):
    p = problem(loss, regularizer, bias="constant", sample_weight=np.linspace(0.2, 3.0, 12), lam=0.02)
    run = wb.Run(p, GaussSeidel(order="cyclic"))
    lower, upper = p.loss.interval
    for _ in range(24):
        alpha = run.state.alpha.copy()
        run.step()
        i, minimizer = run.last_event.index, p.nu(run.state.alpha)[run.last_event.index]
        wide = (max(lower, minimizer - 3.0), min(upper, minimizer + 3.0))
        near = (max(lower, minimizer - 1e-3), min(upper, minimizer + 1e-3))
        best = objective(p, alpha, i, minimizer)
        for bounds in (wide, near):
            other = minimize_scalar(
                lambda nu, i=i, alpha=alpha: objective(p, alpha, i, nu),
                bounds=bounds,
                method="bounded",
                options={"xatol": 1e-12},
            )
            assert best <= other.fun + ROUNDING * (abs(best) + p.zero_value)
            # The minimizer is unique unless h is flat along the row, as the elastic net's is near zero.
            if regularizer != "elastic-net:epsilon=0.2":
                assert minimizer == pytest.approx(other.x, abs=2 * SCIPY * (1.0 + abs(minimizer)))
