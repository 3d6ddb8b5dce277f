"""Pictures of the lessons: labels are certain where the best weights give them, and forces balance."""

import holoviews.plotting.bokeh  # noqa: F401  # the figures set options of Bokeh
import numpy as np
import pytest

import workbench as wb
from workbench.teaching.forces import at_rest, discs, margins, walls
from workbench.teaching.pictures import (
    certain_labels,
    dual_ball_repair,
    is_certain,
    support_vectors,
    value_functions,
    weight_balls,
)


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


def test_support_vectors_are_filled_and_the_dashed_lines_are_the_margins(solved):
    X, problem, best = solved
    zero, *sides, filled_up, _, filled_down, _ = support_vectors(X, problem.y, best.w, best.alpha)
    np.testing.assert_allclose(zero.array() @ best.w, 0.0, atol=1e-9)
    for line, level in zip(sides, (1.0, -1.0), strict=True):
        np.testing.assert_allclose(line.array() @ best.w, level)
    assert len(filled_up) + len(filled_down) == np.count_nonzero(best.alpha)
    for points, label in ((filled_up, 1.0), (filled_down, -1.0)):
        assert np.all(label * (points.array() @ best.w) <= 1.0 + 1e-6)


def test_the_lines_of_multipliers_lie_below_the_value_functions():
    prices = (0.7, 2.0)
    smooth, jump = value_functions(prices)
    for lines, least in ((list(smooth)[-2:], lambda t: -np.sqrt(t)), (list(jump)[-2:], lambda t: 0.0 * t)):
        for line, price in zip(lines, prices, strict=True):
            t, height = line.array().T
            slack = least(t) - height
            assert slack.min() == pytest.approx(0.0, abs=1e-4)
            assert slack.min() >= -1e-12
            np.testing.assert_allclose(np.diff(height) / np.diff(t), -price)


def test_a_ball_has_the_radius_of_its_gap():
    circle = next(iter(weight_balls({"a": (2.0, 1.0), "b": (0.0, 0.0)}, (0.2, 0.05), lam=0.1)))
    radius = np.hypot(circle.dimension_values(0) - 2.0, circle.dimension_values(1) - 1.0)
    np.testing.assert_allclose(radius, 2.0)


@pytest.mark.parametrize(("point", "repaired"), [((1.5, 0.75), (1.0, 0.5)), ((0.5, -0.25), (0.5, -0.25))])
def test_a_point_outside_the_dual_ball_is_scaled_to_its_boundary(point, repaired):
    *_, after = dual_ball_repair(point)
    np.testing.assert_allclose(after.array()[0], repaired)


ROOM = np.array([[1.0, 2.0], [1.0, 0.0], [-1.0, 0.0], [0.0, -1.0]]), np.array([4.0, 2.0, 0.0, 0.0])


@pytest.mark.parametrize("target", np.random.default_rng(0).uniform(-2, 5, size=(20, 2)).tolist())
def test_a_ball_at_rest_satisfies_the_kkt_conditions(target):
    (A, b), c = ROOM, np.array(target)
    w, nu = at_rest(A, b, c)
    assert np.all(A @ w <= b + 1e-9)
    assert np.all(nu >= 0)
    np.testing.assert_allclose(nu * (b - A @ w), 0, atol=1e-12)
    np.testing.assert_allclose(w - c + nu @ A, 0, atol=1e-12)


def test_pictures_of_forces_say_what_they_show():
    assert (
        walls(*ROOM, (3.0, 2.0)).opts.get().kwargs["title"] == "at rest at (2, 1), multipliers 0.5, 0.5, 0, 0"
    )
    assert discs(1.0).opts.get().kwargs["title"] == "optimum 0, no multipliers"
    assert "both multipliers 2.5" in discs(np.sqrt(1.01)).opts.get().kwargs["title"]


def test_samples_of_an_svm_are_counted_by_their_dual_variables(solved):
    X, problem, best = solved
    beta = best.alpha * problem.y
    z = problem.y * (X @ best.w)
    title = margins(X, problem.y, best.w, beta).opts.get().kwargs["title"]
    at_zero, between, at_one = (int(part.split()[0]) for part in title.split(", "))
    assert at_zero + between + at_one == 200
    assert at_zero == pytest.approx(np.sum(z > 1), abs=between)
    assert at_one == pytest.approx(np.sum(z < 1), abs=between)
