"""The page of online rules in a real Chromium, served as a user serves it."""

import re

import pytest
from page_browser import choose, leave_controls, line, visit

import workbench as wb
from workbench.data import examples

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("online",)


def mistakes(page):
    return int(line(page, "On the same stream").locator("b").first.inner_text())


def test_points_come_and_mistakes_count_under_their_bound(browser, address):
    with visit(browser, f"{address}?seed=3&margin=0.05&gamma=0.05&dimension=5&seen=200") as page:
        line(page, "On the same stream").wait_for()
        X, y, u = examples.stream(5, 1, 0.05, 0.0, 3)
        found = wb.bounds.perceptron(X, y, u, margin=0.05)
        assert mistakes(page) == found.mistakes
        bound = line(page, "On the same stream").locator("b").nth(1).inner_text()
        assert float(bound) == pytest.approx(found.bound, rel=1e-3)
        # Keys: back to the first point, one more, and a run that is stopped.
        leave_controls(page)
        page.keyboard.press("r")
        line(page, "Point 1 of 200").wait_for()
        page.keyboard.press("ArrowRight")
        line(page, "Point 2 of 200").wait_for()
        page.keyboard.press(" ")
        page.get_by_role("button", name="Pause").wait_for()
        page.keyboard.press(" ")
        page.get_by_role("button", name="Run", exact=True).wait_for()
        page.get_by_role("button", name="Next mistake").click()
        line(page, "a mistake: v moves").wait_for()
        page.wait_for_url(re.compile(r"seen=\d+"))
        # Another rule in the browser brings its formulas, its question and its address.
        page.get_by_role("button", name="p-norm rule").click()
        page.get_by_role("slider", name="p, norm").wait_for()
        page.get_by_text("What happens to the weights of irrelevant features?").wait_for()
        page.wait_for_url(re.compile("rule=p-norm"))
        choose(page, "Preset", "Winnow too fast: no bound")
        line(page, "No bound: ηγ − ln cosh η = −0.13").wait_for()
        page.get_by_text("wb.solvers.Winnow(eta=0.8").wait_for()
        choose(page, "Preset", "Wrong labels: no margin, a shortfall")
        line(page, "No margin: the least y u·x is").wait_for()
        choose(page, "Preset", "Orthonormal points: the bound is met")
        line(page, "20 mistakes. Bound: 20 (100 % of it)").wait_for()
