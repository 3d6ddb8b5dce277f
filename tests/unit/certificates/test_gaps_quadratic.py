"""Gaps of quadratic and linear programs: equal, bounds of the truth, and honest where they are infinite."""

import cvxpy as cp
import numpy as np
import pytest

from tests.helpers.amounts import amount
from workbench._support.errors import InputError
from workbench.certificates.gaps import quadratic_program

# What the three gaps agree to, relative to the sizes that they are made of.
EQUAL = 1e-8
CLARABEL = 1e-7
PROGRAMS = amount(150, 500)


def program(seed):
    """A random QP (every third an LP, every third with a singular Q) with a feasible, bounded primal."""
    rng = np.random.default_rng(seed)
    k, extra = int(rng.integers(1, 8)), int(rng.integers(0, 9))
    rank = (0, int(rng.integers(0, k + 1)), k)[seed % 3]
    B = rng.normal(size=(k, rank))
    # A box around a known point keeps the primal bounded; further rows pass it at a random distance.
    inside = rng.normal(size=k)
    A = np.vstack([np.eye(k), -np.eye(k), rng.normal(size=(extra, k))])
    # A wide box holds the one maximizer of a regular Q, so that the gap there is finite as well.
    room = 2.0 if seed % 2 else 40.0
    d = A @ inside + rng.uniform(0.0, room, size=A.shape[0]) * (rng.random(A.shape[0]) < 0.8)
    Q = B @ B.T + (np.eye(k) if rank == k else 0.0)
    return Q, rng.normal(size=k) * 3.0, A, d, rng


def dual_point(Q, w, A, rng):
    """Multipliers in the domain: random ones, then the box's rows take up what is left in ker Q."""
    k = w.shape[0]
    values, vectors = np.linalg.eigh(Q)
    kernel = vectors[:, values <= 1e-11 * max(values.max(), 0.0)] if values.max() > 0.0 else vectors
    multipliers = rng.uniform(0.0, 2.0, size=A.shape[0]) * (rng.random(A.shape[0]) < 0.6)
    rest = kernel @ (kernel.T @ (w - A.T @ multipliers))
    multipliers[:k] += np.maximum(rest, 0.0)
    multipliers[k : 2 * k] += np.maximum(-rest, 0.0)
    return multipliers


def optimum(Q, w, A, d):
    u = cp.Variable(w.shape[0])
    values, vectors = np.linalg.eigh(Q)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))).T
    model = cp.Problem(cp.Maximize(-0.5 * cp.sum_squares(root @ u) + w @ u), [A @ u <= d])
    model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-10, tol_gap_rel=1e-10, tol_feas=1e-10)
    return model.value


@pytest.mark.parametrize("block", range(10))
def test_the_three_gaps_agree_and_bound_the_truth(block):
    finite = 0
    for seed in range(block * PROGRAMS // 10, (block + 1) * PROGRAMS // 10):
        Q, w, A, d, rng = program(seed)
        multipliers = dual_point(Q, w, A, rng)
        g = quadratic_program(Q, w, A, d, multipliers)
        assert g.in_domain
        assert min(g.forward, g.backward, g.sigma) >= 0.0
        assert np.isfinite(g.forward) == np.isfinite(g.backward) == np.isfinite(g.sigma)
        if not np.isfinite(g.backward):
            assert g.u_hat is None
            assert "satisfies the constraints" in g.reason
            assert g.primal_suboptimality_bound == np.inf
            continue
        finite += 1
        size = max(1.0, abs(g.dual_value), multipliers @ np.abs(d))
        assert g.forward == pytest.approx(g.backward, abs=EQUAL * size)
        assert g.sigma == pytest.approx(g.backward, abs=EQUAL * size)
        best = optimum(Q, w, A, d)
        value = -0.5 * g.u_hat @ Q @ g.u_hat + w @ g.u_hat
        assert (A @ g.u_hat <= d + 1e-8 * size).all()
        assert value == pytest.approx(g.dual_value - g.backward, abs=EQUAL * size)
        assert best - value <= g.primal_suboptimality_bound + CLARABEL * size
        assert g.dual_value >= best - CLARABEL * size
        # The gap bounds the dual's suboptimality as well, Lemma 4.
        assert g.dual_value - best <= g.backward + CLARABEL * size
    # A regular Q leaves no freedom, so its one point is often infeasible; the rest is what is tested.
    assert finite >= 0.4 * PROGRAMS / 10


def test_the_gap_vanishes_at_the_optimum():
    for seed in range(30):
        Q, w, A, d, _ = program(seed)
        u = cp.Variable(w.shape[0])
        values, vectors = np.linalg.eigh(Q)
        root = (vectors * np.sqrt(np.maximum(values, 0.0))).T
        constraint = A @ u <= d
        model = cp.Problem(cp.Maximize(-0.5 * cp.sum_squares(root @ u) + w @ u), [constraint])
        model.solve(solver=cp.CLARABEL, tol_gap_abs=1e-12, tol_gap_rel=1e-12, tol_feas=1e-12)
        # Clarabel's multipliers miss ker Q by its tolerance; the box's rows take up the rest.
        multipliers = np.maximum(constraint.dual_value, 0.0)
        k = w.shape[0]
        kernel = vectors[:, values <= 1e-11 * max(values.max(), 1e-300)]
        rest = kernel @ (kernel.T @ (w - A.T @ multipliers))
        multipliers[:k] += np.maximum(rest, 0.0)
        multipliers[k : 2 * k] += np.maximum(-rest, 0.0)
        g = quadratic_program(Q, w, A, d, multipliers)
        if np.isfinite(g.backward):
            assert g.backward <= 1e-5 * max(1.0, abs(model.value))
            assert g.dual_value == pytest.approx(model.value, abs=1e-5)


def test_a_linear_program_by_hand():
    # max u1 + u2 with u <= 1, u1 + u2 <= 1.5: at lam = (0, 0, 1) every u is a maximizer of L.
    A, d = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([1.0, 1.0, 1.5])
    best = quadratic_program(np.zeros((2, 2)), np.ones(2), A, d, [0.0, 0.0, 1.0])
    assert (best.forward, best.backward, best.sigma) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)
    assert best.u_hat.sum() == pytest.approx(1.5)
    # lam = (1, 1, 0) has psi = 2, and the best point of U_lam is worth 1.5.
    other = quadratic_program(np.zeros((2, 2)), np.ones(2), A, d, [1.0, 1.0, 0.0])
    assert (other.forward, other.backward, other.sigma) == pytest.approx((0.5, 0.5, 0.5))
    assert other.primal_suboptimality_bound == pytest.approx(0.5)


def test_corollary_2_needs_the_pseudo_inverse():
    """max 3u - u^2 (Q = 2), u <= 2 at lam = 0: Q+ w = 1.5 is the optimum, the printed w = 3 is infeasible."""
    g = quadratic_program([[2.0]], [3.0], [[1.0]], [2.0], [0.0])
    assert g.u_hat == pytest.approx([1.5])
    assert g.backward == g.forward == g.sigma == 0.0


def test_a_point_outside_the_domain_is_told():
    g = quadratic_program(np.diag([1.0, 0.0]), [1.0, 1.0], np.eye(2), [1.0, 1.0], [0.0, 0.5])
    assert not g.in_domain
    assert (g.forward, g.backward, g.sigma, g.dual_value) == (np.inf,) * 4
    assert "outside the domain" in g.reason
    assert "length 0.5" in g.reason
    assert g.u_hat is None


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_gap_scales_with_the_objective(scale):
    Q, w, A, d, rng = program(3)
    multipliers = dual_point(Q, w, A, rng)
    one = quadratic_program(Q, w, A, d, multipliers)
    g = quadratic_program(scale * Q, scale * w, A, d, scale * multipliers)
    assert np.isfinite(one.backward)
    for name in ("forward", "backward", "sigma"):
        assert getattr(g, name) == pytest.approx(scale * getattr(one, name), rel=1e-7)


BAD = {
    "a negative multiplier": ({"multipliers": [0.1, -0.1]}, r"multipliers\[1\] is -0.1; .* 0 or more"),
    "too few multipliers": ({"multipliers": [0.1]}, r"multipliers has shape \(1,\) where \(2,\)"),
    "A transposed": ({"A": np.ones((1, 2))}, r"A has shape \(1, 2\) where \(2, 1\)"),
    "Q of another size": ({"Q": np.eye(2)}, r"Q has shape \(2, 2\) where \(1, 1\)"),
    "Q indefinite": ({"Q": [[-1.0]]}, "Q has the eigenvalue -1; it must be positive semidefinite"),
    "Q a vector": ({"Q": [1.0]}, r"Q has shape \(1,\); give a matrix"),
    "w nan": ({"w": [np.nan]}, r"w\[0\] is nan"),
    "d infinite": ({"d": [1.0, np.inf]}, r"d\[1\] is inf"),
    "text": ({"A": [["a"], ["b"]]}, "A cannot be read as numbers"),
    "nothing": ({"d": []}, r"d has shape \(0,\)"),
}


@pytest.mark.parametrize(("change", "message"), BAD.values(), ids=BAD)
def test_bad_input_is_refused_by_name(change, message):
    good = {"Q": [[1.0]], "w": [1.0], "A": [[1.0], [-1.0]], "d": [1.0, 1.0], "multipliers": [0.1, 0.1]}
    assert quadratic_program(**good).in_domain
    with pytest.raises(InputError, match=message):
        quadratic_program(**(good | change))


def test_an_unsymmetric_q_is_refused():
    with pytest.raises(InputError, match="Q is not symmetric"):
        quadratic_program([[1.0, 0.5], [0.0, 1.0]], [1.0, 1.0], np.eye(2), [1.0, 1.0], [0.0, 0.0])
