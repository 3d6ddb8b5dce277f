"""The page of roads in a real Chromium, served as a user serves it."""

import re

import pytest
from page_browser import choose, line, says, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("roads",)
SETTLED = re.compile(r"Reached|Stopped")
DIMMED = """() => Bokeh.documents.flatMap((document) => [...document._all_models.values()])
  .filter((model) => model.type === "Figure").map((plot) => "opacity" in plot.styles)"""


@pytest.fixture
def page(browser, address):
    with visit(browser, address, SETTLED) as view:
        yield view


def row(page, name):
    return page.locator(".wb-table tr", has_text=name).first


def test_controls_change_what_is_shown(page):
    row(page, "Proximal gradient").filter(has_text="no gradient at its kinks").wait_for()
    page.get_by_role("button", name="10", exact=True).click()
    line(page, "magnified 10 times").wait_for()
    page.wait_for_url(re.compile("zoom=10"))
    page.get_by_role("slider", name="λ weight").press("ArrowRight")
    page.locator(".wb-code", has_text="lam=0.13").wait_for()
    choose(page, "Loss", "Logistic")
    row(page, "Proximal gradient").filter(has_text="keeps w").wait_for()
    choose(page, "Regularizer", "Elastic net")
    page.get_by_role("slider", name="ε sparsity").press("ArrowRight")
    page.locator(".wb-code", has_text="epsilon=0.21").wait_for()
    choose(page, "Regularizer", "ℓ1")
    row(page, "Gauss-Seidel").filter(has_text="no smooth conjugate").wait_for()
    # What cannot be taken here cannot be guessed either.
    page.get_by_role("button", name="Gauss-Seidel", exact=True).wait_for(state="detached")
    choose(page, "Data", "Overlapping")
    page.get_by_role("switch", name="free intercept").click()
    page.locator(".wb-code", has_text="bias=True").wait_for()
    says(page, SETTLED)


def test_parts_are_compared_round_by_round(page):
    choose(page, "Preset", "Breast cancer, in 1 to 32 parts")
    says(page, re.compile(r"Reached: all 6 runs .* rounds"))
    page.wait_for_url(re.compile("compare=parts"))
    row(page, "32 parts").wait_for()
    page.get_by_role("button", name="5", exact=True).click()
    line(page, "A round is 5 passes of each part").wait_for()
    page.get_by_role("switch", name="free intercept").click()
    says(page, "cocoa: bias = True asks")


@pytest.mark.long
def test_a_refusal_dims_what_was_there(page):
    choose(page, "Data", "One sample, one weight")
    says(page, SETTLED)
    page.get_by_role("switch", name="free intercept").click()
    says(page, "holds only labels")
    page.wait_for_function(f"() => ({DIMMED})().every((dimmed) => dimmed)")
    choose(page, "Preset", "One weight: a spiral and a staircase")
    says(page, SETTLED)
    page.wait_for_function(f"() => !({DIMMED})().some((dimmed) => dimmed)")


def test_a_refused_problem_says_why_and_the_address_restores_a_page(browser, address):
    query = "source=One+sample%2C+one+weight&intercept=on&lam=7"
    with visit(browser, f"{address}?{query}") as page:
        says(page, "holds only labels")
        page.locator(".wb-refused p", has_text="lam").wait_for()
        page.get_by_role("switch", name="free intercept").click()
        says(page, SETTLED)
        page.wait_for_url(re.compile("^(?!.*intercept)"))  # the address follows the picture
        again, before = page.url, page.locator(".wb-code").inner_text()
    with visit(browser, again, SETTLED) as page:
        assert page.locator(".wb-code").inner_text() == before
