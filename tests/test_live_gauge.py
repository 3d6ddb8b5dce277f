"""The gauge and "Why is this certain?" in the exported Dual lab."""

import pytest
from live_file import opened
from page_browser import becomes

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"


def fold(page):
    page.locator("summary", has_text="Why is this certain?").click()
    page.locator("#x-certainty table").wait_for()


def test_a_closed_fold_is_filled_when_it_opens(browser, file):
    with opened(browser, file, "#tolerance=0.01") as page:
        page.locator("body[data-status=converged]").wait_for()
        assert page.locator("#x-certainty tr").count() == 0
        fold(page)
        rows = page.locator("#x-certainty tbody tr").count()
        assert rows == 10 + 3
        # Scrubbing back, the table follows.
        before = page.locator("#x-certainty tbody").inner_text()
        page.locator("#x-frame").fill("3")
        assert becomes(lambda: page.locator("#x-certainty tbody").inner_text() != before, True)


def test_the_sum_follows_a_run(browser, file):
    with opened(browser, file, "#tolerance=0.000001&lam=0.000001") as page:
        page.locator("body[data-status=max_epochs]").wait_for()
        fold(page)
        page.evaluate(
            """() => {
                const table = document.querySelector("#x-certainty [data-html]");
                const sums = () => table.querySelector("tbody").innerText;
                window.seen = [sums()];
                new MutationObserver(() => seen.push(sums())).observe(table, { childList: true });
            }"""
        )
        # The run is over sooner than the sum is written again, unless the machine is slow.
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 20})
        page.get_by_role("button", name="run", exact=True).click()
        # That of the beginning, some on the way, and that of the end.
        assert becomes(lambda: len(set(page.evaluate("seen"))) >= 3, True) is True
