"""The page of screening in a real Chromium, served as a user serves it."""

import re

import pytest
from page_browser import choose, leave_controls, line, says, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("screening",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")
# How many units of each axis a pixel of the picture of the ball shows.
SCALES = """() => Bokeh.documents.flatMap((document) => [...document._all_models.values()])
  .filter((model) => model.type === "Figure" && model.name === "ball")
  .flatMap((plot) => [(plot.x_range.end - plot.x_range.start) / plot.inner_width,
                      (plot.y_range.end - plot.y_range.start) / plot.inner_height])"""
DIMMED = """() => Bokeh.documents.flatMap((document) => [...document._all_models.values()])
  .filter((model) => model.type === "Figure").map((plot) => "opacity" in plot.styles)"""


@pytest.fixture
def page(browser, address):
    with visit(browser, address, SETTLED) as view:
        yield view


def discarded(page):
    return page.locator(".wb-stat b").first.inner_text()


def test_controls_change_what_is_shown(page):
    line(page, "of 120 features are discarded").wait_for()
    page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
    page.wait_for_url(re.compile("ratio=0.25"))
    line(page, "At 0.25 λ_max").wait_for()
    page.get_by_role("button", name="the λ before").click()
    page.locator(".wb-code", has_text="warm_start=q").wait_for()
    choose(page, "Regularizer", "Elastic net")
    line(page, "are certain to be nonzero").wait_for()
    page.get_by_role("slider", name="ε sparsity").press("ArrowRight")
    page.locator(".wb-code", has_text="epsilon=0.51").wait_for()
    choose(page, "Regularizer", "Group ℓ1/ℓ2")
    line(page, "of 30 groups are discarded").wait_for()
    page.get_by_role("switch", name="free intercept").click()
    page.locator(".wb-code").filter(has_not_text="bias=True").wait_for()
    says(page, SETTLED)
    choose(page, "Second feature or group", "features 1 to 4")
    line(page, "the edge of features 1 to 4").wait_for()
    page.get_by_role("button", name="the ball", exact=True).click()
    page.wait_for_url(re.compile("window=the"))
    choose(page, "Stop at a relative gap of", "0.01")
    says(page, "Reached a relative gap of 0.01")


def test_the_ball_is_round_at_every_width(page):
    for width in (1366, 390):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(f"() => {{ const [x, y] = ({SCALES})(); return Math.abs(x / y - 1) < 1e-6; }}")


def test_guess_then_see(page):
    page.get_by_text("At λ = 0.1 λ_max: how many can be discarded before the solve").wait_for()
    page.get_by_role("button", name="none", exact=True).click()
    page.get_by_text(re.compile(r"You were right: none, 0 of 120 \(0 before the solve")).wait_for()
    choose(page, "Question", "After 10 epochs")
    page.get_by_text("At λ = 0.05 λ_max, from w = 0").wait_for()
    page.get_by_role("button", name="all", exact=True).click()
    page.get_by_text(re.compile("You said “all”: .* of 120")).wait_for()


def test_keys_and_a_refusal_that_dims_what_was_there(page):
    leave_controls(page)
    page.keyboard.press("r")
    says(page, "Paused after 0 epochs")
    assert discarded(page) == "0"
    page.keyboard.press("ArrowRight")
    says(page, "Paused after 0.00833 epochs")
    page.get_by_role("button", name="epoch").click()
    says(page, "Paused after 1.01 epochs")
    # Else the button takes the key.
    leave_controls(page)
    page.keyboard.press(" ")
    says(page, SETTLED)
    choose(page, "Preset", "Refused: the hinge has no ball")
    says(page, "the loss hinge has no bounded curvature")
    page.wait_for_function(f"() => ({DIMMED})().every((dimmed) => dimmed)")
    choose(page, "Preset", "Breast cancer, logistic")
    line(page, "of 30 features are discarded").wait_for()
    page.wait_for_function(f"() => !({DIMMED})().some((dimmed) => dimmed)")
