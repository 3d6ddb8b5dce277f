"""Every change of a page is an entry of the history: Back and Ctrl Z restore the settings in place."""

import re

import pytest
from amounts import few
from page_browser import becomes, choose, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

# A list of each page, two of its entries and what the address says of each.
LISTS = {
    "conjugates": ("Pair", ("Hinge", "preset=Hinge"), ("Negative logarithm", "preset=6")),
    "transfer": ("Regularizer", ("q-norm", "q-norm"), ("Entropy", "=Entropy")),
    "bias": ("Loss", ("Logistic", "loss=Logistic"), ("Squared", "loss=Squared")),
    "roads": ("Regularizer", ("Elastic net", "Elastic"), ("ℓ1", "%E2%84%931")),
    "race": ("Loss", ("Hinge", "loss=Hinge"), ("Squared", "loss=Squared")),
}
PAGES = tuple(LISTS)


def stands(page):
    page.wait_for_function("document.body.classList.contains('wb-stands')")
    page.wait_for_function("Bokeh.documents.every((document) => document.is_idle)")


@pytest.mark.parametrize("name", few(PAGES, 2))
def test_back_restores_the_settings_without_a_new_page(browser, address, name):
    label, *entries = LISTS[name]
    with visit(browser, address.replace(PAGES[0], name), height=1000) as page:
        stands(page)
        page.evaluate("window.mine = true")
        shown = page.get_by_role("combobox", name=label, exact=True)
        first = shown.inner_text()
        for option, said in entries:
            choose(page, label, option)
            page.wait_for_url(re.compile(said))
        page.go_back()
        page.wait_for_url(re.compile(entries[0][1]))
        assert becomes(shown.inner_text, entries[0][0]) == entries[0][0]
        page.locator(".wb-head").first.click()
        page.keyboard.press("Control+z")
        assert becomes(shown.inner_text, first) == first
        page.go_forward()
        assert becomes(shown.inner_text, entries[0][0]) == entries[0][0]
        assert page.evaluate("window.mine") is True


def test_a_slider_that_moves_on_is_one_change(browser, address):
    with visit(browser, address, height=1000) as page:
        stands(page)
        slider = page.get_by_role("slider", name="v, slope")
        slider.wait_for()
        before = page.evaluate("history.length")
        slider.focus()
        for _ in range(30):
            page.keyboard.press("ArrowRight")
            page.wait_for_timeout(40)
        page.wait_for_url(re.compile("v="))
        assert page.evaluate("history.length") == before + 1


def test_what_a_page_has_put_into_a_field_is_undone(browser, address):
    """The browser undoes what was typed; beyond that the page goes back to the pair before."""
    with visit(browser, address, height=1000) as page:
        stands(page)
        field = page.get_by_role("textbox", name="p(u)")
        first = field.input_value()
        choose(page, "Pair", "Hinge")
        page.wait_for_url(re.compile("preset=Hinge"))
        assert becomes(lambda: field.input_value() != first, True)
        field.click()
        page.keyboard.press("Control+z")
        assert becomes(field.input_value, first) == first
