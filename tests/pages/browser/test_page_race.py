"""The page of the race in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import choose, says, visit, walk

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("race",)
READY, OVER = "Ready", re.compile("race is over")
QUICK = {"lam": 0.1, "loss": "Hinge", "seconds": 60}


def test_controls_keys_and_a_guess_that_starts_a_race_whose_table_fills(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", READY) as page:
        walk(page, (None, " ", re.compile("Preparing|Racing")), (None, " ", "cancelled"))
        choose(page, "Seconds", "5")
        says(page, READY)
        assert page.locator(".wb-table td", has_text="–").count() > 0
        page.get_by_role("button", name="liblinear", exact=True).click()
        says(page, OVER)
        page.get_by_text(re.compile("You (were right|said .liblinear.).* was first")).wait_for()
        page.locator(".wb-line", has_text="first to 0.001").wait_for()
        times = page.locator(".wb-table tbody tr", has_text="gauss-seidel").inner_text()
        assert len(re.findall(r"m?s\b", times)) >= 3
        walk(page, (None, "ArrowRight", "'logistic'"))
        says(page, READY)
        walk(
            page,
            (None, "r", "lam=0.01"),
            ("Data", "Breast cancer", "breast-cancer"),
            ("Loss", "Squared", "'squared'"),
            ("Regularizer", "Elastic net", "elastic-net"),
            ("Seconds", "20", "seconds=20"),
            ("λ weight", "ArrowRight", re.compile(r"lam=0\.01[1-9]")),
            ("ε sparsity", "ArrowRight", re.compile(r"epsilon=0\.11")),
            ("Preset", "The support vector machine", "'hinge'"),
            ("Dark", None, "?theme=dark"),
            # The projector shows the only figure over its whole width.
            ("Projector", None, "?projector=on"),
        )
        assert "loss=Hinge" in page.url
        half = page.locator("#wb-projector .half").first
        half.locator("select").wait_for()
        card, place = (
            locator.bounding_box() for locator in (page.locator(".bk-Figure"), half.locator(".place"))
        )
        assert card["width"] > 0.9 * place["width"] > 1000
