"""The page of inverse time in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import becomes, line, visit, walk
from tests.helpers.served_run import played_by

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("inverse-time",)
# Small and quick: 12 training sets of breast cancer data.
QUICK = {
    "source": "Breast cancer",
    "measure": "Test accuracy",
    "target": 0.1,
    "lam": 0.05,
    "samples": 120,
    "seeds": 3,
    "tolerance": 0.1,
}
SWEPT = re.compile(r"Sweep done: 12")


def test_controls_presets_and_sweeps(browser, address):
    bad = {"p": 9, "batch": 1e9, "order": "x"}
    with visit(browser, f"{address}?{urlencode(QUICK | bad)}", SWEPT) as page:
        page.locator(".wb-refused p").nth(2).wait_for()
        played_by(page, "browser")
        # L-BFGS takes part in the server's sweep.
        line(page, re.compile("PGS takes .*, L-BFGS .*Processor times")).wait_for()
        assert page.evaluate("wb_page.swept.cells.every((cell) => cell.reference_steps >= 1)")
        line(page, "Certified: the average is within").wait_for()
        walk(page, (None, "r", "Paused after 0 steps"))
        page.evaluate("wb_page.settled()")
        assert page.evaluate("wb_page.swept.cells.length") == 12
        assert becomes(lambda: page.evaluate("wb_page.swept.running"), False) is False
        walk(
            page,
            (None, "ArrowRight", "Paused after 1 step."),
            (None, " ", "Reached a relative gap of 0.1"),
            ("p of the regularizer", "ArrowLeft", "p=1.95"),
            ("λ, Zhu's σ", "ArrowRight", "?lam=0.06"),
            ("samples per step", "ArrowRight", "batch=2"),
            ("shuffled", None, "order='shuffled'"),
            ("training samples m of the run", "60", "60, 0"),
            ("Stop at a relative gap of", "0.01", "tol=0.01"),
            ("Seed", "=7", "60, 7"),
            ("Seed", "=many", "seed = 'many' is refused"),
            ("Quantity to be approximated", "Test loss", "Theorem 2 (L = "),
            ("c of Theorem 2", "ArrowRight", "?c=0.0032"),
            ("target ε", "ArrowRight", re.compile(r"\?target=0\.1\d")),
            ("training sets for each m", "ArrowRight", re.compile("of 16|done: 16")),
            ("Preset", "Suboptimality does not profit", re.compile(r"Sweep: \d+ of 56")),
            ("cancel the sweep", None, re.compile(r"Cancelled after \d+ training sets")),
            ("repeat the sweep", None, re.compile(r"Sweep: \d+ of 56")),
            ("Data", "Breast cancer", re.compile(r"of 28|done: 28")),
        )
