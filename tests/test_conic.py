"""Losses in parabolas, or touched by them, with norms and squares, as cone programs: against CVXPY."""

import cvxpy as cp
import numpy as np
import pytest
from cases import samples

import workbench as wb
from workbench.errors import InputError
from workbench.problem import Problem, cone_program

X, LABELS, TARGETS = samples(n=40, d=6, seed=4)
WEIGHT = np.linspace(0.5, 2.0, 40)
BEND = wb.losses.custom("max(0, 1 - u, 2 - 3*u)", kind="margin")
TILTED = wb.losses.custom("max(u/4, -3*u/4)", kind="residual")
# Each loss of z, as CVXPY has it.
LOSSES = {
    "hinge": ("hinge", LABELS, lambda z: cp.pos(1 - cp.multiply(LABELS, z))),
    "own margin": (
        BEND, LABELS,
        lambda z: cp.maximum(0, 1 - cp.multiply(LABELS, z), 2 - 3 * cp.multiply(LABELS, z)),
    ),
    "squared-hinge": ("squared-hinge", LABELS, lambda z: cp.square(cp.pos(1 - cp.multiply(LABELS, z))) / 2),
    "epsilon-insensitive": (
        "epsilon-insensitive:epsilon=0.2", TARGETS, lambda z: cp.pos(cp.abs(z - TARGETS) - 0.2),
    ),
    "no insensitivity": ("epsilon-insensitive:epsilon=0", TARGETS, lambda z: cp.abs(z - TARGETS)),
    "quantile": (TILTED, TARGETS, lambda z: cp.maximum((z - TARGETS) / 4, -3 * (z - TARGETS) / 4)),
    "huber": ("huber:delta=0.5", TARGETS, lambda z: cp.huber(z - TARGETS, 0.5) / 2),
    "squared": ("squared", TARGETS, lambda z: cp.square(z - TARGETS)),
    "logistic": ("logistic", LABELS, lambda z: cp.logistic(-cp.multiply(LABELS, z))),
}  # fmt: skip
PAIRS = tuple(slice(k, k + 2) for k in (0, 2, 4))
REGULARIZERS = {
    "l1": ("l1", cp.norm1),
    "linf": ("linf", cp.norm_inf),
    "l2": ("l2", cp.norm2),
    "group-l1linf": ("group-l1linf:size=2", lambda w: sum(cp.norm_inf(w[pair]) for pair in PAIRS)),
    "group-l1l2": ("group-l1l2:size=2", lambda w: sum(cp.norm2(w[pair]) for pair in PAIRS)),
    "sparse-group": (
        "sparse-group:size=2,share=0.5",
        lambda w: cp.norm1(w) / 2 + sum(cp.norm2(w[pair]) for pair in PAIRS),
    ),
    "elastic-net": ("elastic-net:epsilon=0.1", lambda w: 0.1 * cp.norm1(w) + cp.sum_squares(w) / 2),
    "tree": (
        wb.norms.Tree(groups=((0,), (1, 2), tuple(range(6)))),
        lambda w: cp.abs(w[0]) + cp.norm2(w[1:3]) + cp.norm2(w),
    ),
}  # fmt: skip
LAM = 0.02


@pytest.mark.parametrize("regularizer", REGULARIZERS)
@pytest.mark.parametrize("loss", LOSSES)
def test_the_optimum_is_that_of_cvxpy(loss, regularizer):
    chosen, y, value = LOSSES[loss]
    norm, penalty = REGULARIZERS[regularizer]
    problem = Problem(X, y, chosen, norm, LAM, bias=True, sample_weight=WEIGHT)
    found = wb.solve(problem, "conic", tol=1e-7)
    assert found.status == "converged"
    w, b = cp.Variable(6), cp.Variable()
    total = WEIGHT @ value(X @ w + b) / 40 + LAM * penalty(w)
    cp.Problem(cp.Minimize(total)).solve(solver="CLARABEL")
    assert found.primal == pytest.approx(float(total.value), rel=2e-6)
    assert wb.certificate(problem, w=found.w, b=found.b, alpha=found.alpha).relative_gap <= 1e-7


def test_magnitudes_that_the_dual_point_holds_at_zero_are_zero():
    found = wb.solve(Problem(X, TARGETS, "huber", "l1", 0.3), "conic", tol=1e-8)
    lasso = wb.solve(Problem(X, TARGETS, "huber", "l1", 0.3), "coordinate-descent", tol=1e-10)
    assert 0 < np.count_nonzero(lasso.w) < 6
    np.testing.assert_array_equal(found.w != 0.0, lasso.w != 0.0)


def test_a_linear_program_needs_no_extra(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "clarabel", None)
    assert wb.solve(Problem(X, LABELS, "hinge", "linf", LAM), "conic").status == "converged"
    with pytest.raises(InputError, match=r"duality-workbench\[cones\]"):
        wb.solve(Problem(X, LABELS, "squared-hinge", "linf", LAM), "conic")


def test_the_pieces_are_derived():
    assert wb.losses.get("logistic").parabolas.shape == (0, 5)
    low, high, a, b, c = BEND.parabolas.T
    for u in (-2.0, 0.7, 4.0):
        k = int(np.flatnonzero((low <= u) & (u <= high))[0])
        assert a[k] * u * u / 2 + b[k] * u + c[k] == pytest.approx(max(0.0, 1.0 - u, 2.0 - 3.0 * u))
    assert cone_program.is_linear(Problem(X, LABELS, BEND, "l1"))
    assert not cone_program.is_linear(Problem(X, LABELS, BEND, "l2"))
