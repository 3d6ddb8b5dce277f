"""The page of roads in a real Chromium, served as a user serves it."""

import re

import pytest

from tests.helpers.page_browser import DIMMED, Gone, goes, says, visit, walk

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("roads",)
SETTLED = re.compile(r"Reached|Stopped")


def test_controls_parts_and_refusals(browser, address):
    # An address whose problem is refused says why, and names what it cannot take.
    query = "source=One+sample%2C+one+weight&intercept=on&lam=7"
    with visit(browser, f"{address}?{query}") as page:
        says(page, "holds only labels")
        page.locator(".wb-refused p", has_text="lam").wait_for()
        walk(page, ("free intercept", None, Gone("holds only labels")))
        page.wait_for_url(re.compile("^(?!.*intercept)"))  # the address follows the picture
        says(page, SETTLED)
        code, again = page.locator(".wb-code").inner_text(), page.url
        walk(page, ("free intercept", None, "holds only labels"))
        page.wait_for_function(f"() => ({DIMMED})().every((dimmed) => dimmed)")
        walk(page, ("Preset", "One weight: a spiral and a staircase", Gone("holds only labels")))
        page.wait_for_function(f"() => !({DIMMED})().some((dimmed) => dimmed)")
        goes(page, f"{address}?tolerance=0.01")
        walk(
            page,
            ("10", None, "magnified 10 times"),
            ("λ weight", "ArrowRight", "lam=0.13"),
            ("Loss", "Logistic", Gone("no gradient at its kinks")),
            ("Regularizer", "Elastic net", "elastic-net"),
            ("ε sparsity", "ArrowRight", "epsilon=0.21"),
            ("Regularizer", "ℓ1", "no smooth conjugate"),
        )
        # What cannot be taken here cannot be guessed either.
        page.get_by_role("button", name="Gauss-Seidel", exact=True).wait_for(state="detached")
        walk(
            page,
            ("Data", "Overlapping", "Overlapping"),
            ("free intercept", None, "bias=True"),
            ("Preset", "Breast cancer, in 1 to 32 parts", re.compile(r"Reached: all 6 runs .* rounds")),
            ("5", None, "A round is 5 passes of each part"),
            ("free intercept", None, "cocoa: bias = True asks"),
        )
        assert "compare=parts" in page.url
        page.locator(".wb-table tr", has_text="32 parts").first.wait_for()
        goes(page, again)
        page.locator(".wb-code", has_text=code.splitlines()[-1]).wait_for()
