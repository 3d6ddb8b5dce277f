"""The page of the race in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest
from page_browser import choose, leave_controls, says, shows, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("race",)
READY, OVER = "Ready", re.compile("race is over")
QUICK = {"lam": 0.1, "loss": "Hinge"}


def test_the_keys_start_and_cancel_and_a_guess_starts_a_race_whose_table_fills(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK | {'seconds': 60})}", READY) as page:
        leave_controls(page)
        page.keyboard.press(" ")
        says(page, re.compile("Preparing|Racing"))
        page.keyboard.press(" ")
        says(page, "cancelled")
        choose(page, "Seconds", "5")
        says(page, READY)
        assert page.locator(".wb-table td", has_text="–").count() > 0
        page.get_by_role("button", name="liblinear", exact=True).click()
        says(page, OVER)
        page.get_by_text(re.compile("You (were right|said .liblinear.).* was first")).wait_for()
        page.locator(".wb-line", has_text="first to 0.001").wait_for()
        times = page.locator(".wb-table tbody tr", has_text="gauss-seidel").inner_text()
        assert len(re.findall(r"m?s\b", times)) >= 3
        leave_controls(page)
        page.keyboard.press("ArrowRight")
        shows(page, "'logistic'")
        says(page, READY)
        page.keyboard.press("r")
        shows(page, "lam=0.01")


def test_every_control_changes_the_course_and_the_address_restores_it(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK | {'seconds': 5})}", READY) as page:
        for label, option, pattern in (
            ("Data", "Breast cancer", "breast-cancer"),
            ("Loss", "Squared", "'squared'"),
            ("Regularizer", "Elastic net", "elastic-net"),
            ("Seconds", "20", "seconds=20"),
        ):
            choose(page, label, option)
            shows(page, pattern)
        for name, pattern in (("λ weight", r"lam=0\.1[0-9]"), ("ε sparsity", r"epsilon=0\.11")):
            page.get_by_role("slider", name=re.compile(name)).focus()
            page.keyboard.press("ArrowRight")
            shows(page, re.compile(pattern))
        page.wait_for_url(re.compile("epsilon=0.11"))
        with visit(browser, page.url, READY) as restored:
            assert restored.locator(".wb-code").inner_text() == page.locator(".wb-code").inner_text()
        choose(page, "Preset", "The support vector machine")
        shows(page, "'hinge'")


def test_the_wall_shows_the_only_figure_over_its_whole_width(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK | {'projector': 'on'})}") as page:
        half = page.locator("#wb-wall .half").first
        half.locator("select").wait_for()
        card, place = (each.bounding_box() for each in (page.locator(".bk-Figure"), half.locator(".place")))
        assert card["width"] > 0.9 * place["width"] > 1000
