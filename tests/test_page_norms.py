"""The page of norms in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest
from page_browser import choose, leave_controls, line, says, unfold, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


def numbers(page):
    names = [text.split("\n")[0] for text in page.locator(".wb-stat").all_inner_texts()]
    return dict(zip(names, page.locator(".wb-stat b").all_inner_texts(), strict=True))


def test_each_control_does_something(page):
    assert numbers(page)["raw gap"] == "∞"
    # A figure from which a question takes the answer says so.
    page.get_by_text("the section is hidden until the answer is shown").wait_for()
    page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
    page.wait_for_url(re.compile("ratio=0.12"))
    page.get_by_role("switch", name="κ at the best intercept").click()
    line(page, "raw gap").filter(has_not_text="Σκ =").wait_for()
    page.get_by_role("switch", name="free intercept").click()
    page.locator(".wb-code").filter(has_not_text="bias=True").wait_for()
    choose(page, "Regularizer", "Elastic net")
    line(page, "has no ball").wait_for()
    page.get_by_role("slider", name="ε sparsity").press("ArrowRight")
    page.locator(".wb-code", has_text="epsilon=0.51").wait_for()
    choose(page, "Regularizer", "Sparse group")
    page.get_by_role("slider", name="share of the ℓ1 part").press("ArrowRight")
    page.wait_for_url(re.compile("share=0.6"))
    page.get_by_role("button", name="backtracking").click()
    page.locator(".wb-code", has_text="backtracking").wait_for()
    page.get_by_role("switch", name="restart the momentum").click()
    page.locator(".wb-code", has_text="restart=False").wait_for()
    choose(page, "Stop at a relative gap of", "0.01")
    says(page, "Reached a relative gap of 0.01")
    choose(page, "Section across", "feature 5")
    line(page, "feature 1 and feature 5").wait_for()
    page.get_by_role("button", name="Reveal").click()
    page.get_by_text("sets single weights to zero").wait_for()


def test_a_tree_is_bisected_step_by_step(browser, address):
    state = {"source": "Breast cancer", "norm": "Tree", "loss": "Logistic", "tolerance": 0.01, "halving": 2}
    with visit(browser, f"{address}?{urlencode(state)}", SETTLED) as page:
        line(page, "Halving 2: [").wait_for()
        page.get_by_role("slider", name="Halving of the bisection").press("ArrowRight")
        line(page, "Halving 3: [").wait_for()
        page.get_by_role("slider", name="weight of a level").press("ArrowRight")
        page.locator(".wb-code", has_text="0.63").wait_for()
        page.wait_for_url(re.compile("decay=.*halving=3"))
        # The number stands in the label, which a second one at the handle would cover.
        assert page.locator(".MuiSlider-valueLabel").count() == 0
        # The address gives a fresh browser the same state.
        again, before = page.url, page.locator(".wb-code").inner_text()
    with visit(browser, again, SETTLED) as page:
        line(page, "Halving 3: [").wait_for()
        assert page.locator(".wb-code").inner_text() == before


def test_presets_refusals_and_the_keys(page):
    before = numbers(page)
    choose(page, "Preset", "Refused: groups that cross")
    says(page, "overlap and neither holds the other")
    assert numbers(page) == before
    choose(page, "Preset", "All weights are zero: λ above λ_max")
    unfold(page)
    line(page, "All 24 weights are zero").wait_for()
    leave_controls(page)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    page.keyboard.press("ArrowRight")
    says(page, "Paused after 1 step.")
    page.get_by_role("button", name="10 steps").click()
    says(page, "Paused after 11 steps")
    leave_controls(page)
    page.keyboard.press(" ")
    says(page, SETTLED)
