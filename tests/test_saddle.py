"""The saddle over one weight and one dual variable, against the primal, the dual and the certificate."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_array

from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.saddle import saddle, watched
from workbench.problem import Problem

# The surface is a difference of sums of the size of the primal.
ROUNDING = 1e-12


def lab(**changes):
    made = dual_lab.build(dual_lab.DualLab(source="Breast cancer", lam=0.1, **changes).settings())
    made.run.epoch(2)
    made.run.record()
    return made


def at_point(picture):
    """Where the grid holds the present point, approximately: its nearest entry."""
    w, a = picture["point"]
    return np.argmin(np.abs(picture["dual"] - a)), np.argmin(np.abs(picture["weight"] - w))


@pytest.mark.parametrize("regularizer", dual_lab.REGULARIZERS)
@pytest.mark.parametrize("loss", ["Hinge", "Logistic", "Squared", "Huber", "ε-insensitive"])
def test_upward_lies_the_samples_own_share_of_the_gap(loss, regularizer):
    run = lab(loss=loss, regularizer=regularizer).run
    sample = int(np.argmax(run.last.sample_terms))
    picture = saddle(run, sample)
    w, a = picture["point"]
    assert picture["up"] == run.last.sample_terms[sample]
    # At the point's own weight the row interpolates: no dual value gains more than the term.
    column = np.array([np.interp(w, picture["weight"], row) for row in picture["surface"]])
    finite = column[np.isfinite(column)]
    spread = np.ptp(finite)
    assert finite.max() <= picture["up"] + 1e-2 * spread + ROUNDING
    assert picture["dual"][0] <= a <= picture["dual"][-1]


@pytest.mark.parametrize("regularizer", ["Squared ℓ2", "Elastic net", "q-norm"])
def test_convex_in_the_weight_and_concave_in_the_dual(regularizer):
    run = lab(regularizer=regularizer, loss="Logistic").run
    surface = saddle(run, watched(run))["surface"]
    inner = surface[1:-1, 1:-1]
    size = np.abs(inner).max() * 1e-9 + ROUNDING
    assert (surface[:, 2:] - 2.0 * surface[:, 1:-1] + surface[:, :-2] >= -size).all()
    assert (surface[2:] - 2.0 * surface[1:-1] + surface[:-2] <= size).all()


def test_the_point_lies_in_the_valley_and_downward_is_nothing():
    run = lab(regularizer="Squared ℓ2").run
    picture = saddle(run, watched(run))
    w, a = picture["point"]
    assert np.interp(a, picture["dual"], picture["valley"]) == pytest.approx(w, abs=1e-6)
    step = picture["weight"][1] - picture["weight"][0]
    assert picture["down"] <= run.problem.lam * step**2


def test_the_ridge_is_the_best_dual_value():
    run = lab(regularizer="Squared ℓ2", loss="Logistic").run
    sample = watched(run)
    picture, problem = saddle(run, sample), run.problem
    x = float(problem.rows[[sample], [picture["feature"]]].sum())
    conjugate, theta = problem.loss.scalar("conjugate"), problem.loss.theta
    for weight, best in zip(picture["weight"][::20], picture["ridge"][::20], strict=True):
        z = run.last.z[sample] + x * (weight - picture["point"][0])
        found = minimize_scalar(
            lambda nu, z=z: conjugate(nu, theta) + nu * 0.0 - problem.sign[sample] * nu * z,
            bounds=(-1.0 + 1e-9, -1e-9), method="bounded", options={"xatol": 1e-10},
        )  # fmt: skip
        assert best == pytest.approx(-problem.sign[sample] * found.x, abs=1e-5)


def test_a_sample_without_features_has_no_saddle():
    run = lab().run
    p = run.problem
    nothing = Problem(csr_array(p.rows.shape), p.y, p.loss, p.regularizer, p.lam)
    assert saddle(SimpleNamespace(problem=nothing, last=run.last), 0) is None
