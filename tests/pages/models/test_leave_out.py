"""Leaving a sample out in the Dual lab: the bound, the refit, and what is said of them."""

from typing import NamedTuple

import numpy as np
import pytest

import workbench as wb
from tests.helpers import lab_runs
from workbench._support.errors import InputError
from workbench.pages.dual_lab import leave_out
from workbench.solvers.run import Run

CHOICES = {
    "Hinge, squared l2": {"loss": "Hinge", "regularizer": "Squared ℓ2", "lam": 0.01},
    "Logistic, elastic net": {"loss": "Logistic", "regularizer": "Elastic net", "lam": 0.01},
    "Hinge, entropy": {"loss": "Hinge", "regularizer": "Normalized entropy", "mu": 1.0, "lam": 0.1},
}


class Solved(NamedTuple):
    settings: dict
    run: Run

    def leave(self, sample):
        return leave_out.leave(self.settings, self.run.last.alpha, sample)


def solved(epochs=400, **choices):
    chosen = lab_runs.settings(**choices)
    run = lab_runs.run_of(chosen)
    run.epoch(epochs)
    run.record()
    return Solved(chosen, run)


@pytest.fixture(scope="module")
def plain():
    return solved(**CHOICES["Hinge, squared l2"])


@pytest.mark.parametrize("name", CHOICES)
def test_the_refit_lies_within_the_bounds(name, plain):
    lab = plain if name == "Hinge, squared l2" else solved(**CHOICES[name])
    alpha = lab.run.last.alpha
    moved = int(np.abs(alpha).argmax())
    for sample in (moved, 3):
        left = lab.leave(sample)
        assert left.sample == sample
        assert left.refit_gap <= 1e-6
        assert left.truth <= left.bound + 1e-5
        assert left.low - 1e-5 <= left.again <= left.high + 1e-5
    assert lab.leave(moved).truth > 1e-6


def test_the_refit_is_that_of_another_solver(plain):
    """The problem without the sample, by its definition and another solver, has the same solution."""
    sample = int(np.abs(plain.run.last.alpha).argmax())
    left, problem = plain.leave(sample), plain.run.problem
    others = np.arange(problem.n_samples) != sample
    lam = problem.lam * problem.n_samples / (problem.n_samples - 1)
    d = wb.data.load("breast-cancer")
    other = wb.solve(
        wb.Problem(d.X[others], d.y[others], "hinge", lam=lam, bias="constant"), "sdca", tol=1e-9
    )
    moved = np.linalg.norm(plain.run.last.w - np.append(other.w, other.b))
    assert left.truth == pytest.approx(moved, abs=1e-4)


def test_a_sample_without_a_dual_variable_keeps_the_certificate(plain):
    idle = int(np.flatnonzero(plain.run.last.alpha == 0.0)[0])
    left = plain.leave(idle)
    assert left.alpha == 0.0
    assert left.reduced_gap <= plain.run.last.gap + 1e-12


def test_samples_that_cannot_be_left_out_are_refused(plain):
    with pytest.raises(InputError, match="there is no sample 455; give some of 0 to 454"):
        plain.leave(455)
