"""The scrub bar in a real Chromium: runs of the server, by hand and by keys."""

import re

import pytest
from page_browser import fits, says, visit
from page_checks import wrong
from served_run import GHOST, MARK, bar, places, press, stands

from workbench.pages.norms import model as norms
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


def test_a_run_of_the_server_goes_back_and_on(browser, address):
    with visit(browser, address, SETTLED) as page:
        last = places(page)
        lab = norms.build(norms.Norms().settings())
        for _ in range(7):
            lab.run.step()
            lab.run.record()
        # As one drags: only the last place counts.
        for place in (20, 11, 9, 8, 7):
            bar(page).fill(str(place))
        stands(page, f"step 7 of {last}")
        says(page, "Paused after 7 steps")
        assert page.locator(".wb-stat b").nth(3).inner_text() == _number(lab.run.gaps[-1].repaired)
        assert page.evaluate(MARK, "norm_gaps") == 7.0
        bar(page).focus()
        page.keyboard.press("ArrowLeft")
        stands(page, f"step 6 of {last}")
        page.get_by_role("button", name="Forward one place").click()
        stands(page, f"step 7 of {last}")
        press(page, "step")
        stands(page, f"step 8 of {last}")
        press(page, "run")
        says(page, SETTLED)
        stands(page, f"step {last} of {last}")
        page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
        page.locator(".wb-key", has_text="before").wait_for()
        says(page, SETTLED)
        assert len(page.evaluate(GHOST, "norm_gaps")[1]) == last + 1
        assert wrong(page) == {}
        page.set_viewport_size({"width": 390, "height": 844})
        fits(page, 390)
        assert bar(page).bounding_box()["height"] >= 24


def _number(value):
    return numerals(f"{value:.2e}")
