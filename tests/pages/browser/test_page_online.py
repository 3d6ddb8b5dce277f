"""The page of online rules in a real Chromium, served as a user serves it."""

import re

import pytest

import workbench as wb
from tests.helpers.page_browser import Gone, line, visit, walk
from workbench.data import examples

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("online",)


def test_points_come_and_mistakes_count_under_their_bound(browser, address):
    with visit(browser, f"{address}?seed=3&margin=0.05&gamma=0.05&dimension=5&seen=200") as page:
        said = line(page, "On the same stream").locator("b")
        said.first.wait_for()
        X, y, u = examples.stream(5, 1, 0.05, 0.0, 3)
        result = wb.bounds.perceptron(X, y, u, margin=0.05)
        assert int(said.first.inner_text()) == result.mistakes
        assert float(said.nth(1).inner_text()) == pytest.approx(result.bound, rel=1e-3)
        walk(page, (None, "r", "Point 1 of 200"), (None, "ArrowRight", "Point 2 of 200"))
        page.keyboard.press(" ")
        page.get_by_role("button", name="Pause").wait_for()
        page.keyboard.press(" ")
        page.get_by_role("button", name="Run", exact=True).wait_for()
        walk(page, (None, "r", "Point 1 of 200"), ("Next mistake", None, Gone("Point 1 of 200")))
        line(page, "a mistake: v moves").wait_for()
        page.wait_for_url(re.compile(r"seen=\d+"))
        # Another rule in the browser brings its formulas, its question and its address.
        walk(page, ("p-norm rule", None, "What happens to the weights of irrelevant features?"))
        page.get_by_role("slider", name="p, norm").wait_for()
        page.wait_for_url(re.compile("rule=p-norm"))
        walk(
            page,
            ("Preset", "Winnow too fast: no bound", "No bound: ηγ − ln cosh η = −0.13"),
            ("Preset", "Wrong labels: no margin, a shortfall", "No margin: the least y u·x is"),
            ("Preset", "Orthonormal points: the bound is met", "20 mistakes. Bound: 20 (100 % of it)"),
        )
