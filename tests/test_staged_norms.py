"""The served page of norms in the browser: what was recorded, by its worker and by the server's engine."""

import re
from urllib.parse import urlencode

import pytest
from golden_frames import differences, recorded
from page_browser import becomes, choose, line, says, settle, visit
from served_run import (
    ENGINE,
    GHOST,
    MARK,
    SETTLED,
    bar,
    key,
    on_the_wire,
    places,
    played_by,
    press,
    stands,
)
from staged_frames import WITHOUT, cases, frames, ranges

from workbench.pages.norms.figures import NormsFigures

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("norms",)
# So many steps that a browser is busy for seconds.
LONG = {
    "source": "Digits · even or odd",
    "norm": "Sparse group",
    "ratio": 0.001,
    "tolerance": 1e-9,
    "restart": "off",
}
RANGES = ranges(NormsFigures())
CASES = cases("norms")


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without = WITHOUT if by == "socket" else ""
    expected = recorded("norms")[setting]
    found = dict(frames(browser, address, "norms", setting, "ratio", RANGES, {"code": "code"}, without))
    wrong = list(differences(found, expected, f"norms, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:20])


def query(address, **settings):
    return f"{address}?{urlencode(settings)}"


def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, query(address, **LONG)) as (page, travelled):
        says(page, "Running")
        page.wait_for_timeout(500)
        travelled.clear()
        at = "wb_page.rows.at(-1).step"
        before = page.evaluate(at)
        assert becomes(lambda: page.evaluate(at) > before, True)
        seen = list(travelled)
        assert page.evaluate("wb_page.playing")
        assert seen == []
        assert page.evaluate(ENGINE) == "browser"
        press(page, "pause")
        says(page, re.compile("Paused after [1-9]"))
        # A run that was paused stands at its end.
        assert page.evaluate("wb_page.at === wb_page.rows.length - 1")


def test_a_run_goes_back_and_on_and_slowly_and_stays_as_a_ghost(browser, address):
    with visit(browser, address, SETTLED) as page:
        last = places(page)
        # As one drags: only the last place counts.
        for place in (20, 11, 9, 8, 7):
            bar(page).fill(str(place))
        stands(page, f"step 7 of {last}")
        says(page, "Paused after 7 steps")
        assert page.evaluate(MARK, "norm_gaps") == 7.0
        key(page, "ArrowLeft")
        stands(page, f"step 6 of {last}")
        page.get_by_role("button", name="Forward one place").click()
        press(page, "step")
        stands(page, f"step 8 of {last}")
        page.get_by_role("combobox", name="Speed").select_option("slow")
        press(page, "run")
        stands(page, f"step 10 of {last}")
        press(page, "pause")
        says(page, re.compile(r"Paused after 1\d steps"))
        page.get_by_role("combobox", name="Speed").select_option("normal")
        press(page, "run")
        says(page, SETTLED)
        stands(page, f"step {last} of {last}")
        repaired = page.evaluate("wb_page.rows.map((row) => row.repaired)")
        page.get_by_role("slider", name="λ / λ_max").press("ArrowRight")
        page.locator(".wb-key", has_text=f"before, to step {last}").wait_for()
        says(page, SETTLED)
        assert page.evaluate(GHOST, "norm_gaps")[1] == pytest.approx(repaired, rel=1e-12)


def test_what_is_looked_at_changes_no_step_and_needs_no_server(browser, address):
    settings = {"source": "Breast cancer", "norm": "Tree", "loss": "Logistic"}
    with visit(browser, query(address, **settings), SETTLED) as page:
        press(page, "reset")
        press(page, "10 steps")
        says(page, "Paused after 10 steps")
        choose(page, "Section along", "mean concavity")
        line(page, "In the section mean concavity and").wait_for()
        page.get_by_role("slider", name="Halving of the bisection").press("ArrowRight")
        page.wait_for_url(re.compile("first=.*halving=7"))
        line(page, "Halving 7: [").wait_for()
        says(page, "Paused after 10 steps")
        assert page.evaluate("wb_page.rows.length") == 11


@pytest.mark.parametrize("without", ["", WITHOUT])
def test_a_refusal_stands_and_the_page_goes_on_after_it(without, browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(without)
    page = context.new_page()
    page.goto(query(address, norm="Crossing groups"))
    says(page, "overlap and neither holds the other")
    for name in ("step", "run"):
        press(page, name)
    says(page, "overlap and neither holds the other")
    choose(page, "Regularizer", "ℓ1")
    settle(page, SETTLED)
    line(page, "of 24 weights are not zero").wait_for(state="attached")
    played_by(page, "server" if without else "browser")
    choose(page, "Loss", "Logistic")
    says(page, "label")
    choose(page, "Loss", "Huber")
    says(page, SETTLED)
    context.close()
