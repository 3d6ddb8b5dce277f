"""The served page of inverse time in the browser: what was recorded, by its worker and by the server."""

import re
from urllib.parse import urlencode

import pytest
from golden_frames import SECONDS_A_STEP, SETTINGS, differences, recorded
from page_browser import becomes, says, visit
from served_run import ENGINE, press
from staged_frames import WITHOUT, cases, frames, ranges

from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time.figures import InverseTimeFigures
from workbench.pages.inverse_time.sweep import cell
from workbench.pages.shell import Visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("inverse-time",)
RANGES = ranges(InverseTimeFigures())
TEXTS = {"sweep_status": "sweep", "code": "code"}
CASES = cases("inverse_time")
# A sweep that nobody waits for: its cells so far, in place of those of the page's own.
SWEPT = """async (swept) => {
    await wb_page.settled();
    wb_page.sweep = () => {};
    wb_page.sweeps++;
    wb_page.swept = { settings: wb_page.settings, ...swept };
}"""
QUICK = {"samples": 200, "lam": 0.05, "seeds": 3, "measure": "Test accuracy", "target": 0.5}
SETTLED = re.compile("Reached|Stopped")


def sweep(setting):
    """What a sweep over few sizes has found: after its first training set, and in the end."""
    model = inverse_time.InverseTime()
    assert (
        Visit(
            model,
            (*inverse_time.INPUTS, *inverse_time.SWEPT, "c", "tolerance"),
            SETTINGS["inverse_time"][setting],
        ).refusals
        == []
    )
    settings = model.settings()
    sizes = inverse_time.sizes(settings["source"])[:3]
    cells = [
        each._replace(seconds=SECONDS_A_STEP * each.steps, reference_seconds=1e-3 * each.reference_steps)
        for each in (cell(settings, m, seed) for seed in (0, 1) for m in sizes)
    ]
    problem = inverse_time.make_problem(settings, sizes[-1], 0)
    constants = inverse_time.constants(problem, inverse_time.population(settings["source"]).reference)
    whole = {"constants": constants._asdict(), "whole": len(cells)}
    told = [each._asdict() for each in cells]
    return whole | {"cells": told[:1], "running": True}, whole | {"cells": told, "running": False}


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without, (first, last) = WITHOUT if by == "socket" else "", sweep(setting)

    def before(page, moment):
        if moment in ("zero", "one step"):
            page.evaluate(SWEPT, first if moment == "zero" else last)

    expected = recorded("inverse_time")[setting]
    found = dict(frames(browser, address, "inverse_time", setting, "lam", RANGES, TEXTS, without, before))
    wrong = list(differences(found, expected, f"inverse time, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:20])


def test_the_server_sweeps_and_l_bfgs_takes_part(browser, address):
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        says(page, "Sweep done: 24")
        assert page.evaluate(ENGINE) == "browser"
        page.locator(".wb-line", has_text=re.compile("PGS takes .*, L-BFGS .*Processor times")).wait_for()
        assert page.evaluate("wb_page.swept.cells.every((cell) => cell.reference_steps >= 1)")
        before = page.evaluate("wb_page.swept.cells.length")
        press(page, "reset")
        says(page, "Paused after 0 steps")
        assert page.evaluate("wb_page.swept.cells.length") == before
        assert becomes(lambda: page.evaluate("wb_page.swept.running"), False) is False
