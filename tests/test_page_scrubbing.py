"""The scrub bar in a real Chromium: runs of the visitor's browser and of the server, by hand and by keys."""

import re

import pytest
from live_file import columns
from page_browser import becomes, line, says, visit
from page_checks import wrong
from served_run import GHOST, MARK, back_and_on, bar, ids, key, places, press, stands
from test_served_engine import in_browser, lam_shown, move_lambda, told_step

from workbench.pages.dual_lab import model as dual_lab
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
SETTLED = re.compile(r"Reached|Stopped|Stalled")
# A run of some dozens of epochs.
LAB = "?source=Breast+cancer&lam=0.003&tolerance=1e-04"


def gap_shown(page):
    return page.locator(".wb-stat b").nth(2).inner_text()


def test_a_run_of_the_browser_goes_back_and_on(browser, address):
    with visit(browser, address + LAB, SETTLED) as page:
        in_browser(page)
        # A run that the server began has fewer places than epochs.
        press(page, "reset")
        says(page, "Paused after 0 steps")
        press(page, "run")
        says(page, SETTLED)
        last = places(page)
        assert last > 12
        lab = dual_lab.build(dual_lab.DualLab(source="Breast cancer", lam=lam_shown(page)).settings())
        while lab.run.epochs < 12:
            lab.run.epoch()
            lab.run.record()
        bar(page).fill("12")
        stands(page, f"epoch 12 of {last}")
        line(page, f"A: {_number(lab.run.last.gap)} after 12 epochs").wait_for()
        assert page.evaluate(MARK, "gap") == 12.0
        sources = columns(page, ids(page), ("curves", "duals"))
        # The curves stay, all else is of that epoch.
        assert sources["curves"]["time"][-1] == last
        assert becomes(lambda: told_step(page), lab.run.steps) == lab.run.steps
        back_and_on(page, 12, last)
        press(page, "run")
        says(page, SETTLED)
        stands(page, f"epoch {last} of {last}")
        assert becomes(lambda: page.evaluate(MARK, "gap"), None) is None
        key(page, "ArrowRight")
        says(page, "Paused after")
        assert becomes(lambda: places(page), last + 1) == last + 1
        page.get_by_role("combobox", name="Speed").select_option("slow")
        bar(page).fill("3")
        stands(page, f"epoch 3 of {last}.*")
        press(page, "run")
        # A busy machine may see only some of the epochs between.
        stands(page, rf"epoch ([5-9]|\d\d+) of {last}.*")
        press(page, "pause")
        says(page, re.compile(r"Paused after ([5-9]|\d\d+) epochs"))


def test_the_curve_before_stays_as_a_ghost(browser, address):
    with visit(browser, address + LAB, SETTLED) as page:
        assert page.evaluate(GHOST, "gap")[1] == []
        in_browser(page)
        before = columns(page, ids(page), ("curves",))["curves"]["gap"]
        move_lambda(page, "ArrowRight")
        assert becomes(lambda: len(page.evaluate(GHOST, "gap")[1]), len(before)) == len(before)
        # The server certifies the last one itself.
        assert page.evaluate(GHOST, "gap")[1] == pytest.approx(before, rel=1e-6)
        says(page, SETTLED)
        assert becomes(lambda: page.evaluate(GHOST, "gap")[0], "epoch") == "epoch"
        page.locator(".wb-key", has_text=re.compile(r"before, to epoch \d+$")).wait_for()
        assert wrong(page) == {}
        press(page, "reset")
        says(page, "Paused after 0 steps")
        press(page, "step")
        says(page, "Paused after 1 step")
        assert becomes(lambda: page.evaluate(GHOST, "gap")[0], "step") == "step"


def _number(value):
    return numerals(f"{value:.2e}")
