"""Conjugates of functions of several variables against CVXPY, and their gradients against differences."""

import cvxpy as cp
import numpy as np
import pytest

from workbench.conjugates.convex import vector
from workbench.conjugates.convex.catalogue import catalogue
from workbench.conjugates.convex.conjugate import conjugate

CONE = 2e-5  # what a cone solver reaches on powers and exponentials, relative to 1 + |value|
RANDOM = np.random.default_rng(7)
POINTS = RANDOM.normal(size=(4, 3)) * np.array([[0.2], [0.7], [1.5], [3.0]])
MATRICES = RANDOM.normal(size=(4, 2, 3)) * np.array([0.1, 0.25, 0.4, 1.0])[:, None, None]
K = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, -0.25], [0.0, -0.25, 1.5]])
MU = np.array([0.5, 2.0, 1.25])
ENTRIES = {entry.name: entry for entry in catalogue()}


def supremum(p, v, constraints=lambda u: []):
    """sup of <u, v> - p(u) by a cone solver; +inf where it says unbounded."""
    u = cp.Variable(v.shape)
    problem = cp.Problem(cp.Maximize(cp.sum(cp.multiply(u, v)) - p(u)), constraints(u))
    problem.solve(solver=cp.CLARABEL)
    return np.inf if problem.status in ("unbounded", "unbounded_inaccurate") else problem.value


def entropy(u, prior):
    return -cp.sum(cp.entr(u)) - u @ np.log(prior)


# entry -> (parameters, p in CVXPY, constraints)
SMOOTH = {
    "squared l2": ({"K": K}, lambda u: cp.quad_form(u, K) / 2, None),
    "elastic net": ({"epsilon": 0.3}, lambda u: 0.3 * cp.norm1(u) + cp.sum_squares(u) / 2, None),
    "unnormalized entropy": ({"mu": MU}, lambda u: entropy(u, np.e * MU), None),
    "normalized entropy": ({"mu": MU}, lambda u: entropy(u, MU), lambda u: [cp.sum(u) == MU.sum()]),
    # q = 1.5 has p = 3; q' = 1.75.
    "q-norm": ({"p": 3.0, "r": 1.75}, lambda u: cp.power(cp.pnorm(u, 1.5), 1.75) / 1.75, None),
    "squared p-norm": ({"p": 1.25}, lambda u: cp.square(cp.pnorm(u, 1.25)) / 0.5, None),
    "half squared p-norm on a ball": (
        {"p": 3.0, "B": 0.5},
        lambda u: cp.square(cp.pnorm(u, 3)) / 2,
        lambda u: [cp.pnorm(u, 3) <= 0.5],
    ),
    "squared p-norm on a ball": (
        {"p": 1.5, "B": 2.0},
        lambda u: cp.square(cp.pnorm(u, 1.5)),
        lambda u: [cp.pnorm(u, 1.5) <= 2],
    ),
}
NORMS = {
    "l1": cp.norm1,
    "l2": lambda u: cp.norm(u, 2),
    "linf": cp.norm_inf,
    "l1/l2": lambda u: cp.mixed_norm(u, 2, 1),
    "l1/linf": lambda u: cp.mixed_norm(u, "inf", 1),
    "trace": cp.normNuc,
}


@pytest.mark.parametrize("name", SMOOTH)
def test_conjugate_is_the_supremum(name):
    parameters, p, constraints = SMOOTH[name]
    pair = ENTRIES[name].pair
    for v in POINTS:
        expected = supremum(p, v, constraints or (lambda u: []))
        assert abs(pair.q(v, **parameters) - expected) <= CONE * (1 + abs(expected))


@pytest.mark.parametrize("name", SMOOTH)
def test_gradient_is_the_slope_and_attains_the_supremum(name):
    parameters, _, _ = SMOOTH[name]
    pair, step = ENTRIES[name].pair, 1e-6
    for v in POINTS:
        ahead, behind = ([pair.q(v + h * e, **parameters) for e in np.eye(3)] for h in (step, -step))
        differences = np.subtract(ahead, behind) / (2 * step)
        u = pair.gradient(v, **parameters)
        assert np.allclose(u, differences, rtol=1e-5, atol=1e-6)  # rounding of q over the step
        if "ball" not in name:  # on the sphere p is finite up to rounding only
            q = pair.q(v, **parameters)
            assert pair.p(u, **parameters) + q == pytest.approx(u @ v, abs=1e-9 * (1 + abs(q)))


@pytest.mark.parametrize("name", NORMS)
def test_conjugate_of_a_norm_is_the_indicator_of_the_dual_ball(name):
    pair = ENTRIES[name].pair
    seen = set()
    for v in MATRICES if "/" in name or name == "trace" else POINTS:
        value = float(pair.q(v))
        seen.add(value)
        assert supremum(NORMS[name], v) == pytest.approx(value, abs=CONE)
    assert seen == {0.0, np.inf}


def test_log_sum_exp():
    pair = vector.log_sum_exp()
    assert pair.verification.status == "proved"
    for v in (np.array([0.2, 0.3, 0.5]), np.array([0.9, 0.05, 0.05])):
        assert pair.q(v) == pytest.approx(supremum(cp.log_sum_exp, v), abs=CONE)
    assert pair.q([0.0, 0.0, 1.0]) == 0
    assert pair.q([0.3, 0.3, 0.3]) == pair.q([-0.1, 0.6, 0.5]) == np.inf
    assert pair.p(np.array([1000.0, 0.0, 0.0])) == 1000.0


def test_ball_scales_radially():
    pair = ENTRIES["squared p-norm on a ball"].pair
    far = pair.gradient(np.array([30.0, -20.0, 5.0]), p=1.5, B=2.0)
    near = ENTRIES["squared p-norm"].pair.gradient(np.array([30.0, -20.0, 5.0]), p=1.5)
    assert vector.power_norm(far, 1.5) == pytest.approx(2)
    assert np.allclose(far / near, far[0] / near[0])


def test_a_checked_pair_names_its_missing_parts():
    (claim,) = [claim for claim in ENTRIES["trace"].verification.claims if claim.status != "proved"]
    assert claim.status == "checked"
    assert "missing step" in claim.detail
    assert "von Neumann" in claim.detail


def test_a_norm_of_a_base_that_was_only_checked_is_not_proved():
    base = conjugate("u**4/4 + u**2/2 + exp(u) - u", "u >= 0")
    assert base.verify().status == "checked"
    assert vector.of_norm(base, "l2", "no closed form").verification.status == "checked"


# --- losses: k(-alpha, y) as a function of alpha or of beta = alpha y

LABELS = (-1.0, 1.0)
LOSSES = {
    "squared": (lambda z: z**2, {}, (-2.0, 0.5, 3.0)),
    "epsilon-insensitive, p = 1": (lambda z: max(abs(z) - 0.25, 0), {"epsilon": 0.25}, (-0.9, 0.0, 0.5)),
    "epsilon-insensitive, p = 2": (
        lambda z: max(abs(z) - 0.25, 0) ** 2 / 2,
        {"epsilon": 0.25},
        (-2.0, 0.0, 1.5),
    ),
    "epsilon-insensitive, p > 1": (
        lambda z: max(abs(z) - 0.25, 0) ** 3 / 3,
        {"epsilon": 0.25, "p": 3},
        (-2.0, 0.0, 1.5),
    ),
    "Huber": (lambda z: z**2 / 2 if abs(z) <= 1 else abs(z) - 0.5, {}, (-0.75, 0.0, 0.5)),
    "hinge, p = 1": (lambda m: max(0, 1 - m), {}, (0.25, 0.9)),
    "hinge, p = 2": (lambda m: max(0, 1 - m) ** 2 / 2, {}, (0.25, 3.0)),
    "hinge, p > 1": (lambda m: max(0, 1 - m) ** 1.5 / 1.5, {"p": 1.5}, (0.25, 2.0)),
    "smoothed hinge": (lambda m: 0 if m > 1 else (0.5 - m if m < 0 else (1 - m) ** 2 / 2), {}, (0.25, 0.9)),
    "logistic": (lambda m: np.logaddexp(0, -m), {}, (0.25, 0.9)),
    "negative logarithm": (lambda z: -np.log(z) if z > 0 else np.inf, {}, (0.25, 2.0)),
}


@pytest.mark.parametrize("name", LOSSES)
def test_loss_in_the_dual(name):
    f, parameters, places = LOSSES[name]
    q = ENTRIES[name].pair.q
    grid = np.concatenate([np.linspace(-40, 40, 160001), np.geomspace(1e-9, 1, 2001)])
    margin = name in ("logistic", "smoothed hinge") or name.startswith("hinge")
    residual = not margin and name != "negative logarithm"
    values = np.array([f(z) for z in grid])
    for place in places:
        if margin:  # f(a, y) = p(y a) at alpha = place y: the label cancels
            for y in LABELS:
                alpha, z = place * y, grid * y
                assert q(place, **parameters) == pytest.approx(np.max(-alpha * z - values), abs=1e-6)
        elif residual:
            assert q(place, y=0.75, **parameters) == pytest.approx(
                np.max(-place * (grid + 0.75) - values), abs=1e-6
            )
        else:
            assert q(place, **parameters) == pytest.approx(np.max(-place * grid - values), abs=1e-6)


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("epsilon-insensitive, p = 1", (-1.1, 1.1)),
        ("Huber", (-1.1, 1.1)),
        ("hinge, p = 1", (-0.1, 1.1)),
        ("hinge, p = 2", (-0.1,)),
        ("smoothed hinge", (-0.1, 1.1)),
        ("logistic", (-0.1, 1.1)),
        ("negative logarithm", (0.0, -0.1)),
    ],
)
def test_loss_is_infinite_off_its_domain(name, places):
    _, parameters, _ = LOSSES[name]
    entry = ENTRIES[name]
    extra = {"y": 1.0} if r"\beta" not in entry.derived and name != "negative logarithm" else {}
    assert all(entry.pair.q(place, **parameters, **extra) == np.inf for place in places)


@pytest.mark.long
def test_every_entry_reads_whole():
    for entry in ENTRIES.values():
        assert entry.derived
        assert entry.steps
        assert entry.source
        assert all(step.title and step.latex and step.reason for step in entry.steps)
