"""The page of inverse time in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest
from page_browser import choose, leave_controls, says, shows, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("inverse-time",)
# Small and quick: 12 training sets of breast cancer data.
QUICK = {
    "source": "Breast cancer",
    "measure": "Test accuracy",
    "target": 0.1,
    "lam": 0.05,
    "samples": 120,
    "seeds": 3,
    "tolerance": 0.1,
}
SWEPT = re.compile(r"Sweep done: 12")


@pytest.fixture
def page(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SWEPT) as view:
        yield view


def test_each_control_does_something(page):
    line = page.locator(".wb-line")
    line.filter(has_text="Certified: the average is within").wait_for()
    page.get_by_role("slider", name="p of the regularizer").press("ArrowLeft")
    shows(page, "p=1.95")
    page.get_by_role("slider", name="λ, Zhu's σ").press("ArrowRight")
    page.wait_for_url(re.compile("lam=0.06"))
    page.get_by_role("slider", name="samples per step").press("ArrowRight")
    shows(page, "batch=2")
    page.get_by_role("button", name="shuffled").click()
    shows(page, "order='shuffled'")
    choose(page, "training samples m of the run", "60")
    shows(page, "60, 0")
    choose(page, "Stop at a relative gap of", "0.01")
    shows(page, "tol=0.01")
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Seed").press("Enter")
    shows(page, "60, 7")
    page.get_by_label("Seed").fill("many")
    page.get_by_label("Seed").press("Enter")
    says(page, "seed = 'many' is refused")
    choose(page, "Quantity to be approximated", "Test loss")
    line.filter(has_text="Theorem 2").wait_for()
    page.get_by_role("slider", name="c of Theorem 2").press("ArrowRight")
    page.wait_for_url(re.compile("[?&]c=0.0032"))
    page.get_by_role("slider", name="target ε").press("ArrowRight")
    page.wait_for_url(re.compile("target=0.1[0-9]"))
    page.get_by_role("slider", name="training sets for each m").press("ArrowRight")
    says(page, re.compile("of 16|done: 16"))


def test_presets_and_a_sweep_that_is_cancelled(page):
    choose(page, "Preset", "Suboptimality does not profit")
    says(page, re.compile(r"Sweep: \d+ of 56"))
    page.get_by_role("button", name="cancel the sweep").click()
    says(page, re.compile(r"Cancelled after \d+ training sets"))
    page.get_by_role("button", name="repeat the sweep").click()
    says(page, re.compile(r"Sweep: \d+ of 56"))
    choose(page, "Data", "Breast cancer")
    says(page, re.compile(r"of 28|done: 28"))


def test_the_keys_and_the_address(browser, address, page):
    leave_controls(page)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    page.evaluate("wb_page.settled()")
    page.keyboard.press("ArrowRight")
    says(page, "Paused after 1 step.")
    page.keyboard.press(" ")
    says(page, "Reached a relative gap of 0.1")
    with visit(browser, page.url, SWEPT) as other:
        assert other.locator(".wb-code").inner_text() == page.locator(".wb-code").inner_text()
    with visit(browser, f"{address}?{urlencode(QUICK | {'p': 3, 'seeds': 1e9, 'order': 'x'})}") as other:
        other.locator(".wb-refused p").nth(2).wait_for()
