"""Pictures of the lessons: a label is called certain only where the best weights give it."""

import holoviews.plotting.bokeh  # noqa: F401  # the figures set options of Bokeh
import numpy as np
import pytest

import workbench as wb
from workbench.teaching.pictures import certain_labels, dual_ball_repair, is_certain, weight_balls


@pytest.fixture(scope="module")
def solved():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = np.where(X @ [2.0, 1.0] + 0.7 * rng.normal(size=200) > 0, 1.0, -1.0)
    problem = wb.Problem(X, y, "hinge", lam=0.1)
    return X, problem, wb.solve(problem, tol=1e-9, max_epochs=10_000)


def test_certain_labels_are_those_of_the_best_weights(solved):
    X, problem, best = solved
    w = np.array([2.0, 1.0])
    sure = is_certain(X, w, wb.certificate(problem, w=w, alpha=best.alpha).gap, lam=0.1)
    assert 0 < sure.sum() < 200
    assert np.all(np.sign(X @ w)[sure] == np.sign(X @ best.w)[sure])


def test_filled_points_are_the_certain_ones(solved):
    X, _, best = solved
    picture = certain_labels(X, best.w, 1e-3, lam=0.1)
    _, filled_up, hollow_up, filled_down, hollow_down = picture
    filled = len(filled_up) + len(filled_down)
    assert filled == is_certain(X, best.w, 1e-3, lam=0.1).sum()
    assert filled + len(hollow_up) + len(hollow_down) == 200


def test_a_ball_has_the_radius_of_its_gap():
    circle = next(iter(weight_balls({"a": (2.0, 1.0), "b": (0.0, 0.0)}, (0.2, 0.05), lam=0.1)))
    radius = np.hypot(circle.dimension_values(0) - 2.0, circle.dimension_values(1) - 1.0)
    np.testing.assert_allclose(radius, 2.0)


@pytest.mark.parametrize(("point", "repaired"), [((1.5, 0.75), (1.0, 0.5)), ((0.5, -0.25), (0.5, -0.25))])
def test_a_point_outside_the_dual_ball_is_scaled_to_its_boundary(point, repaired):
    *_, after = dual_ball_repair(point)
    np.testing.assert_allclose(after.array()[0], repaired)
