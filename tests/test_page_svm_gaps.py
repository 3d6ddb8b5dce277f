"""The page on SVM gaps in a real Chromium, served as a user serves it."""

import re

import pytest
from page_browser import choose, leave_controls, line, says, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


@pytest.fixture
def page(browser, address):
    with visit(browser, address, SETTLED) as view:
        yield view


def test_each_control_does_something(page):
    line(page, "of 50 points are support vectors").wait_for()
    page.get_by_role("slider", name="C weight").press("ArrowRight")
    page.wait_for_url(re.compile("cost=1.3"))
    page.get_by_role("button", name="Gaussian").click()
    page.locator(".wb-code", has_text="RBF(gamma=1)").wait_for()
    page.get_by_role("slider", name="γ of the Gaussian").press("ArrowRight")
    page.locator(".wb-code", has_text="RBF(gamma=1.3)").wait_for()
    page.get_by_role("button", name="second-order").click()
    page.locator(".wb-code", has_text="'second-order'").wait_for()
    choose(page, "Stop at t̂ − b̂ of", "10⁻⁶")
    page.locator(".wb-code", has_text="tol=1e-06").wait_for()
    choose(page, "Preset", "Few against many")
    line(page, "of 46 points are support vectors").wait_for()
    page.get_by_role("button", name="Reveal").click()
    page.get_by_text("beyond the margin keeps a = 0").wait_for()


def test_points_are_added_and_restored_from_the_address(browser, page):
    page.get_by_role("button", name="-1", exact=True).click()
    plane = page.locator("canvas").first.bounding_box()
    page.mouse.click(plane["x"] + 0.3 * plane["width"], plane["y"] + 0.3 * plane["height"])
    line(page, "of 51 points are support vectors").wait_for()
    page.wait_for_url(re.compile("points=p"))
    says(page, SETTLED)
    with visit(browser, page.url, SETTLED) as again:
        line(page, line(again, "are support vectors").inner_text()).wait_for()


def test_the_keys_and_a_bad_address(browser, address):
    with visit(browser, f"{address}?cost=-1&points=nonsense", SETTLED) as page:
        assert page.locator(".wb-refused p").count() == 2
        leave_controls(page)
        page.keyboard.press("r")
        says(page, "Paused after 0 steps")
        page.keyboard.press("ArrowRight")
        says(page, "Paused after 1 step.")
        page.get_by_text("of the top set").wait_for()
        page.get_by_role("button", name="10 steps").click()
        says(page, "Paused after 11 steps")
        leave_controls(page)
        page.keyboard.press(" ")
        says(page, SETTLED)
