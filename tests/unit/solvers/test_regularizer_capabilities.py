"""Capabilities are asked of a regularizer: proximal points, gradients, parts; refusals say who has them."""

import mpmath
import numpy as np
import pytest

import workbench as wb
from workbench import regularizers
from workbench._support.errors import InputError

# Of a proximal point, relative to itself: Newton's last step and one evaluation of the map.
EXACT = 1e-13
OWN = {
    "cosh(u) - 1": mpmath.sinh,
    "u**4/4 + u**2/2": lambda w: w**3 + w,
    "abs(u)**(3/2)": lambda w: 1.5 * mpmath.sign(w) * mpmath.sqrt(abs(w)),
    "u**4": lambda w: 4 * w**3,
    "abs(u)/4 + 3*u**2": lambda w: mpmath.sign(w) / 4 + 6 * w,
}
ENTROPY = 0.3


def regularizer(name):
    return regularizers.get("entropy:mu=0.3") if name == "entropy" else regularizers.custom(name)


def slope(name):
    # The weight c_j is a float.
    return (lambda w: mpmath.log(w / mpmath.mpf(ENTROPY))) if name == "entropy" else OWN[name]


@pytest.mark.parametrize("name", [*OWN, "entropy"])
def test_a_proximal_point_solves_its_equation(name):
    rng = np.random.default_rng(0)
    transfer, psi = regularizer(name).at(12), slope(name)
    for tau in (1e-8, 1e-3, 1.0, 50.0, 1e6):
        for size in (1e-6, 1.0, 1e3):
            x = size * rng.normal(size=12)
            for place, proximal in zip(x, transfer.prox(x, tau), strict=True):
                assert distance(psi, tau, place, proximal, name) <= EXACT, (tau, place, proximal)


def distance(psi, tau, x, w, name):
    """Return how far w is from the root of w + tau psi(w) = x, relative to w, to first order."""
    if w == 0.0:
        # The map has underflowed, or w is on the flat piece of the map.
        level = (mpmath.mpf(x) - tau * psi(mpmath.mpf("1e-300"))) if name == "entropy" else 0.0
        return 0.0 if level <= 0.0 and (name == "entropy" or abs(x) <= tau / 4) else np.inf
    with mpmath.workdps(60):
        x, w, step = mpmath.mpf(float(x)), mpmath.mpf(float(w)), mpmath.mpf(10) ** -25

        def miss(at):
            return at + mpmath.mpf(tau) * psi(at) - x

        rise = (miss(w * (1 + step)) - miss(w * (1 - step))) / (2 * step)
        return float(abs(miss(w) / rise))


def test_the_parts_of_a_sum():
    assert regularizers.get("squared-l2").separable_parts == (0.0, 1.0)
    assert regularizers.get("elastic-net:epsilon=0.3").separable_parts == (0.3, 1.0)
    assert regularizers.get("l1").separable_parts == (1.0, 0.0)
    assert regularizers.custom("abs(u)/4 + 3*u**2").separable_parts == (0.25, 6.0)
    for other in ("entropy", "q-norm", "linf"):
        assert regularizers.get(other).separable_parts is None
    assert regularizers.custom("(u - 1)**2").separable_parts is None
    assert regularizers.custom("u**2/2").is_identity
    assert regularizers.get("elastic-net:epsilon=0").is_identity
    assert not regularizers.SquaredL2(K=(1.0, 2.0)).is_identity


def data():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 5))
    return X, X @ [1.0, -1.0, 0.5, 0.0, 0.0] + 0.2 * rng.normal(size=40)


@pytest.mark.parametrize("text", list(OWN))
def test_solvers_that_ask_for_a_capability_agree(text):
    X, y = data()
    problem = wb.Problem(X, y, "squared", regularizers.custom(text), lam=0.1)
    best = wb.solve(problem, "gauss-seidel", tol=1e-10)
    solvers = ["proximal-gradient"]
    solvers += ["lbfgs"] if problem.regularizer.has_gradient else []
    solvers += ["coordinate-descent"] if problem.regularizer.separable_parts else []
    for solver in solvers:
        solution = wb.solve(problem, solver, tol=1e-8)
        assert solution.status == "converged", solver
        # The certificate judges: Gauss-Seidel crawls where h'' is infinite.
        assert solution.relative_gap <= 1e-8
        assert best.dual * (1.0 - 1e-12) <= solution.primal <= best.primal * (1.0 + 1e-7), solver


def test_a_gradient_that_bends_too_sharply_is_refused():
    X, y = data()
    problem = wb.Problem(X, y, "squared", regularizers.custom("abs(u)**(11/10)"), lam=0.1)
    with pytest.raises(InputError, match=r"lbfgs: the slope of .* bends too sharply for gradient steps"):
        wb.solve(problem, "lbfgs")


def test_who_has_what():
    assert regularizers.having("separable_parts") == ["squared-l2", "elastic-net", "l1"]
    assert regularizers.having("squared_norm") == ["squared-l2", "q-norm", "p-norm"]
    assert {"l1", "trace", "entropy"} < set(regularizers.having("has_prox"))
    assert "normalized-entropy" not in regularizers.having("has_prox")
