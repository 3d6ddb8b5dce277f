"""The page on biases and multipliers in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import Gone, line, says, unfold, visit, walk
from tests.helpers.served_run import SETTLED, played_by, press
from workbench.pages.bias import model as bias

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)
QUICK = {"loss": "Smoothed hinge", "lam": 0.1}
CURVE = "wb_page.figures.of('sources', '{}_curves').data.time.length"
# The server does not answer what only it can do.
LOST = """() => {
    const { host } = wb_page, send = host.send;
    host.send = () => {};
    host.kept.clear();
    wb_page.restart();
    host.lost();
    host.send = send;
}"""
ENDS = """() => {
    const [{ engine }] = wb_page.runs.shown;
    engine.worker.terminate();
    wb_page.press("epoch");
    engine.worker.onerror(new Event("error"));
}"""


def runs_anew(page):
    press(page, "reset")
    says(page, "after 0 steps")
    press(page, "run")
    says(page, SETTLED)


def test_controls_presets_and_refusals(page):
    unfold(page)
    walk(
        page,
        ("Stop at", "0.01", "gap=0.01"),
        ("Not regularized", bias.SUM, "Computed by the server."),
        ("Not regularized", bias.BIAS, "Computed in this browser."),
        ("λ weight", "ArrowRight", re.compile("lam=0.1[1-9]")),
        ("μ softness", "ArrowRight", re.compile(r"mu=1\.[1-9]")),
        ("η step", "ArrowRight", re.compile(r"eta=0\.1[1-9]")),
        ("Epochs per step", "ArrowRight", "passes=2"),
        ("t scale", "ArrowRight", re.compile(r"scale=1\.[1-9]")),
        ("cyclic", None, "order='cyclic'"),
        ("gradient", None, "update='gradient'"),
        ("gradient update", "ArrowLeft", re.compile(r"rate=0\.00")),
        ("Loss", "ε-insensitive", "epsilon-insensitive"),
        ("Regularizer", "q-norm", "q-norm"),
        ("Regularizer", "Elastic net", "elastic-net"),
        ("Data", "Digits · even or odd", "'digits'"),
        (bias.FULL, None, "Algorithm 3 is not running"),
        ("Algorithm 3", None, "Algorithm 2 is not running"),
        ("both", None, Gone("is not running")),
        ("Preset", "η too large: the multiplier oscillates", "lower eta = 3"),
        ("Preset", "η too small: a slow multiplier", re.compile("Algorithm 3 after 1,?000 epochs: stopped")),
        ("it oscillates until it is stopped", None, "You were right: it oscillates"),
        ("Seed", "=many", "seed = 'many' is refused"),
        ("Seed", "=7", "seed=7"),
    )


def test_a_page_says_when_its_engine_has_ended(browser, address):
    """A worker needs no server; what only the server can do is refused in words, and the picture stays."""
    with visit(browser, f"{address}?{urlencode(QUICK)}", SETTLED) as page:
        played_by(page, "browser")
        page.get_by_role("button", name=bias.FULL, exact=True).click()
        line(page, "Algorithm 3 is not running").wait_for(state="attached")
        page.evaluate("wb_page.settled()")
        assert page.evaluate(CURVE.format("small")) == 0
        page.evaluate(ENDS)
        says(page, "ended by itself; the picture stays")
        assert page.evaluate(CURVE.format("full")) > 1
        runs_anew(page)
        page.evaluate("wb_page.host.lost()")
        runs_anew(page)
        page.evaluate(LOST)
        says(page, "The server does not answer; the picture stays as it is.")
        assert page.evaluate(CURVE.format("full")) > 1


def test_the_address_unfolds_a_figure(browser, address):
    query = urlencode({**QUICK, "figure": "profile"})
    with visit(browser, f"{address}?{query}", SETTLED) as page:
        plot = page.get_by_role("heading", name="over s")
        plot.wait_for()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save The primal over s, at the present weights as CSV").click()
        assert saved.value.suggested_filename == "profile.csv"
        page.get_by_role("button", name="more figures").click()
        plot.wait_for(state="hidden")
        unfold(page)
        plot.wait_for()
