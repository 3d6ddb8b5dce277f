"""The page on SVM gaps as a file that solves in the browser: points by hand, and gaps that are Python's."""

import numpy as np
import pytest
from live_file import (
    address,
    alone,
    columns,
    converged,
    drag,
    opened,
    points_of,
)
from page_browser import becomes

from workbench import gaps
from workbench.data.examples.plane import SOURCES
from workbench.problem import Problem
from workbench.run import Run
from workbench.solvers import MaximalViolatingPair

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "svm-gaps"


@pytest.mark.long
def test_points_are_dragged_solved_sought_and_certified(browser, file, held):
    """Drag, run, seek back: the gap at that step is Python's to 1e-12 of the objective at zero."""
    with opened(browser, file, address({"source": "Overlapping"})) as page:
        converged(page)
        X, y = SOURCES["Overlapping"]()
        held_one = alone(X)
        drag(page, X[held_one].tolist(), [0.5, -2.0], "Solved again for every position")
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[held_one], [0.5, -2.0], atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, held_one, axis=0), np.delete(X, held_one, axis=0))
        np.testing.assert_array_equal(labels, y)
        end = int(page.locator("body").get_attribute("data-step"))
        # The steps before the solution come behind its picture.
        assert becomes(lambda: page.locator("#x-frame").get_attribute("max"), str(end)) == str(end)
        page.locator("#x-frame").fill("5")
        page.locator("body[data-step='5']").wait_for()
        least = columns(page, held, ["least", "points"])
        page.locator("#x-frame").fill(str(end))
        page.locator(f"body[data-step='{end}']").wait_for()
        last = columns(page, held, ["least", "points"])
    # P(0) in the units of 1/2 |f|^2 + C sum xi is the number of samples, and so is 1 / lam.
    K, size = moved @ moved.T, labels.size
    problem = Problem(moved, labels, "hinge", "squared-l2", 1.0 / size, bias=True, kernel="linear")
    run = Run(problem, MaximalViolatingPair(tol=0.0, selection="first-order", shrinking=False))
    run.step(5)
    np.testing.assert_allclose(least["points"]["a"], labels * run.state.alpha, atol=1e-12)
    for shown in (least, last):
        found = gaps.svm(K, labels, 1.0, shown["points"]["a"])
        assert abs(shown["least"]["value"][0] - found.gap) <= 1e-12 * size
    assert found.t_hat - found.b_hat <= 1e-3
