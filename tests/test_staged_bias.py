"""The served page on biases in the browser: what was recorded, by its worker and by the server's engine."""

import re
from urllib.parse import urlencode

import pytest
from golden_frames import differences, recorded
from page_browser import choose, line, says, shows, unfold, visit
from served_run import (
    SETTLED,
    played_by,
    press,
)
from staged_frames import WITHOUT, cases, frames, ranges

from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.theme import LIGHT

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)
QUICK = {"lam": 0.1, "loss": "Smoothed hinge"}
RANGES = ranges(BiasFigures(LIGHT))
TEXTS = {"steps": "why", "code": "code"}
CASES = cases("bias")


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without = WITHOUT if by == "socket" else ""
    expected, found = recorded("bias")[setting], {}
    for moment, frame in frames(browser, address, "bias", setting, "lam", RANGES, TEXTS, without):
        found[moment] = frame
        # Who guesses is answered in a test of its own.
        expected[moment]["texts"].pop("guess.answer", None)
    wrong = list(differences(found, expected, f"bias, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:20])


def test_weights_that_sum_to_zero_are_the_servers(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        page.get_by_text("Computed in this browser.").wait_for()
        choose(page, "Source of the constraint", bias.SUM)
        played_by(page, "server")
        page.get_by_text("Computed by the server.").wait_for()
        says(page, SETTLED)
        choose(page, "Source of the constraint", bias.BIAS)
        played_by(page, "browser")
        says(page, SETTLED)
        shows(page, "bias=True")


def test_one_algorithm_leaves_the_figures_of_the_other_empty(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        unfold(page)
        page.get_by_role("button", name=bias.FULL, exact=True).click()
        line(page, "Algorithm 3 is not running").wait_for()
        says(page, SETTLED)
        assert page.evaluate("wb_page.figures.of('sources', 'small_curves').data.time.length") == 0
        page.get_by_role("button", name="both", exact=True).click()
        says(page, re.compile("Algorithm 2 after.*Algorithm 3 after"))


def test_what_only_the_server_can_do_is_refused_when_it_is_gone(browser, address):
    """A worker needs no server; what only the server can do is refused in words."""
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        page.evaluate("wb_page.host.lost()")
        press(page, "reset")
        says(page, "after 0 steps")
        press(page, "run")
        says(page, SETTLED)
        page.evaluate("""() => {
            const { host } = wb_page, send = host.send;
            host.send = () => {};
            wb_page.host.kept.clear();
            wb_page.restart();
            host.lost();
            host.send = send;
        }""")
        says(page, "The server does not answer; the picture stays as it is.")
        assert page.evaluate("wb_page.figures.of('sources', 'full_curves').data.time.length") > 1


def test_a_worker_that_ends_is_told_and_the_next_one_goes_on(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        page.evaluate("""() => {
            const [{ engine }] = wb_page.runs.shown;
            engine.worker.terminate();
            wb_page.press("epoch");
            engine.worker.onerror(new Event("error"));
        }""")
        says(page, "ended by itself; the picture stays")
        assert page.evaluate("wb_page.figures.of('sources', 'full_curves').data.time.length") > 1
        press(page, "reset")
        says(page, "after 0 steps")
        press(page, "run")
        says(page, SETTLED)
