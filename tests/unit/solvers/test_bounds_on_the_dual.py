"""Constraints C v <= b on the dual, with multipliers that are at least zero."""

import numpy as np
import pytest

import workbench as wb
from tests.long import random_infinite


def problem_and_oracle(k):
    return random_infinite.constrained(np.random.default_rng([9, k]))


@pytest.mark.parametrize("k", range(6))
def test_random_bounds_agree_with_cvxpy(k):
    problem, oracle, text = problem_and_oracle(k)
    outcome, detail = random_infinite.compared(problem, oracle)
    assert outcome == "solved", f"{text}: {detail}"


def test_a_bound_that_binds_has_a_multiplier_and_one_that_does_not_has_none(tmp_path):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((30, 3)), np.sign(rng.standard_normal(30) + 0.5)
    plain = wb.solve(wb.Problem(X, y, "logistic", lam=0.1), tol=1e-9)
    level = float(plain.w.sum())
    far = wb.Problem(X, y, "logistic", lam=0.1, constraints=(np.ones((1, 3)), [level + 1.0], "<="))
    loose = wb.solve(far, tol=1e-8)
    assert loose.multipliers == pytest.approx([0.0], abs=1e-6)
    assert loose.w == pytest.approx(plain.w, abs=1e-4)
    near = wb.Problem(X, y, "logistic", lam=0.1, constraints=(np.ones((1, 3)), [level - 0.5], "<="))
    tight = wb.solve(near, tol=1e-8)
    assert tight.multipliers[0] > 0.1
    v = near.dual_vector(tight.alpha)
    assert v.sum() == pytest.approx(level - 0.5, abs=1e-6)
    own = wb.certificate(near, w=tight.w, alpha=tight.alpha, multipliers=tight.multipliers)
    assert own.relative_gap <= 1e-8
    tight.save(tmp_path / "s.npz")
    again = wb.Solution.load(tmp_path / "s.npz")
    assert (again.multipliers == tight.multipliers).all()
    assert wb.Run(near, "augmented-lagrangian", warm_start=again).until(gap=1e-7, max_epochs=3) == "converged"


def test_the_gap_counts_a_multiplier_of_a_bound_with_room():
    X, y = np.eye(2), np.array([1.0, -1.0])
    problem = wb.Problem(X, y, "squared", lam=1.0, constraints=([[1.0, 0.0]], [5.0], "<="))
    alpha = np.array([0.4, -0.4])
    without = wb.certificate(problem, alpha=alpha, multipliers=[0.0])
    charged = wb.certificate(problem, alpha=alpha, multipliers=[1.0])
    assert charged.gap == pytest.approx(charged.primal - charged.dual)
    assert charged.dual == pytest.approx(without.dual)
    # (1/2) [(w_1 - 1)^2 + (w_2 + 1)^2] + |w_0|^2 / 2 + s b with w_0 = v = 0.2 y and w = w_0 + (s, 0).
    assert charged.primal == pytest.approx(0.5 * (0.2**2 + 0.8**2) + 0.04 + 5.0)


def test_bad_senses_and_negative_multipliers_are_refused():
    X, y = np.eye(2), np.array([1.0, -1.0])
    for senses, text in ((">=", "'>='"), (["<=", "=="], "2 senses for 1 rows")):
        with pytest.raises(wb.InputError, match=text):
            wb.Problem(X, y, "squared", constraints=([[1.0, 0.0]], [5.0], senses))
    problem = wb.Problem(X, y, "squared", constraints=([[1.0, 0.0]], [5.0], "<="))
    with pytest.raises(wb.InputError, match=r"multipliers\[0\] is -1"):
        wb.certificate(problem, alpha=[0.1, 0.1], multipliers=[-1.0])
    with pytest.raises(wb.InputError, match="C v <= b"):
        wb.Problem(X, y, "hinge", constraints=([[1.0, 0.0]], [-5.0], "<="))


def test_another_sense_is_another_problem():
    X, y = np.eye(2), np.array([1.0, -1.0])
    digests = {wb.Problem(X, y, constraints=([[1.0, 0.0]], [0.1], s)).digest for s in ("==", "<=")}
    assert len(digests) == 2
