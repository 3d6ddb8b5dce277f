"""The page on SVM gaps in a real Chromium, served as a user serves it."""

import re

import pytest
from page_browser import becomes, choose, leave_controls, line, says, visit
from page_checks import NOTES_SMOOTHING, STOPS

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")


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


def test_the_page_has_the_keys_of_what_was_clicked(page):
    page.get_by_role("button", name="step", exact=True).click()
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    # The scrub bar answers an arrow itself; it is no second step.
    for said in ("1 step.", "2 steps", "3 steps"):
        page.keyboard.press("ArrowRight")
        says(page, f"Paused after {said}")
    back = page.get_by_role("button", name="Back one place")
    for said in ("2 steps", "1 step."):
        back.click()
        says(page, f"Paused after {said}")
    page.keyboard.press("ArrowRight")
    says(page, "Paused after 2 steps")
    choose(page, "Stop at t̂ − b̂ of", "10⁻⁶")
    says(page, SETTLED)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    thumb = page.locator(".MuiSlider-thumb").first.bounding_box()
    page.mouse.click(thumb["x"] + 2.0 * thumb["width"], thumb["y"] + 0.5 * thumb["height"])
    page.wait_for_url(re.compile("cost="))
    says(page, SETTLED)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    page.keyboard.press(" ")
    says(page, SETTLED)


def test_who_tabs_to_a_button_presses_it(page):
    page.get_by_role("button", name="reset", exact=True).focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press(" ")
    says(page, "Paused after 0 steps")
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    says(page, "Paused after 1 step.")


def test_few_tabs_lead_to_a_control_and_none_to_a_figure(browser, address):
    with visit(browser, address, SETTLED) as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        focus = page.locator("css=*:focus")
        wanted = page.get_by_role("slider", name="C weight").element_handle()
        assert becomes(lambda: focus.last.evaluate("e => e.tabIndex >= 0 && !e.matches('.wb-skip')"), True)
        for _ in range(6):
            if wanted.evaluate("e => e === e.getRootNode().activeElement"):
                break
            page.keyboard.press("Tab")
        assert wanted.evaluate("e => e === e.getRootNode().activeElement")
        assert {*page.evaluate(STOPS)} == {-1}
        assert page.get_by_role("img", name="The plane and its boundary").count() == 1


def test_the_surface_is_drawn_smoothly(browser, address):
    context = browser.new_context()
    context.add_init_script(NOTES_SMOOTHING)
    page = context.new_page()
    page.goto(address)
    says(page, SETTLED)
    assert becomes(lambda: page.evaluate("smooth.length") > 0, True)
    assert page.evaluate("smooth.at(-1)")
