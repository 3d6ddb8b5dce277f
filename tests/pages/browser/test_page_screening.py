"""The page of screening in a real Chromium, served as a user serves it."""

import re

import pytest

from tests.helpers.page_browser import DIMMED, Gone, line, says, walk

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("screening",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")
# How many units of each axis a pixel of the picture of the ball shows.
SCALES = """() => Bokeh.documents.flatMap((document) => [...document._all_models.values()])
  .filter((model) => model.type === "Figure" && model.name === "ball")
  .flatMap((plot) => [(plot.x_range.end - plot.x_range.start) / plot.inner_width,
                      (plot.y_range.end - plot.y_range.start) / plot.inner_height])"""


def test_controls_keys_guesses_and_refusals(page):
    line(page, "of 120 features are discarded").wait_for()
    for width in (390, 1366):  # the ball is round
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_function(f"() => {{ const [x, y] = ({SCALES})(); return Math.abs(x / y - 1) < 1e-6; }}")
    page.get_by_text("At λ = 0.1 λ_max: how many can be discarded before the solve").wait_for()
    walk(
        page,
        ("none", None, re.compile(r"You were right: none, 0 of 120 \(0 before the solve")),
        ("Question", "After 10 epochs", "At λ = 0.05 λ_max, from w = 0"),
        ("all", None, re.compile("You said “all”: .* of 120")),
        (None, "r", "Paused after 0 epochs"),
    )
    assert page.locator(".wb-stat b").first.inner_text() == "0"
    walk(
        page,
        (None, "ArrowRight", "Paused after 0.00833 epochs"),
        ("epoch", None, "Paused after 1.01 epochs"),
        (None, " ", SETTLED),
        ("λ / λ_max", "ArrowRight", "?ratio=0.063"),
        ("the λ before", None, "warm_start=q"),
        ("Regularizer", "Elastic net", "are certain to be nonzero"),
        ("ε sparsity", "ArrowRight", "epsilon=0.51"),
        ("Regularizer", "Group ℓ1/ℓ2", "of 30 groups are discarded"),
        ("free intercept", None, Gone("bias=True")),
        ("Second feature or group", "features 1 to 4", "the edge of features 1 to 4"),
        ("the ball", None, "?window=the"),
        ("Stop at a relative gap of", "0.01", "Reached a relative gap of 0.01"),
        ("Preset", "Refused: the hinge has no ball", "the loss hinge has no bounded curvature"),
    )
    page.wait_for_function(f"() => ({DIMMED})().every((dimmed) => dimmed)")
    walk(page, ("Preset", "Breast cancer, logistic", "of 30 features are discarded"))
    page.wait_for_function(f"() => !({DIMMED})().some((dimmed) => dimmed)")
    says(page, SETTLED)
