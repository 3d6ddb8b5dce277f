"""The page on biases and multipliers in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import Gone, line, says, unfold, visit, walk
from tests.helpers.served_run import SETTLED, played_by, press
from workbench.pages import votes
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


def test_who_computes_may_end_or_be_gone(browser, address):
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


def test_a_class_votes_through_a_link(page, browser, address):
    """Counts stay hidden until a round is closed; a second one stands beside the first; then it is over."""
    page.get_by_role("button", name=votes.OPEN).click()
    link = page.locator("[data-vote]").get_attribute("data-vote")
    assert page.locator(".wb-vote svg path").count() > 0
    page.get_by_text("localhost leads to this computer alone").wait_for()
    answer = "it oscillates until it is stopped"
    with visit(browser, f"{address}?vote={link}") as student:
        student.get_by_role("button", name=answer).click()
        student.get_by_text("Counted: it oscillates").wait_for()
        page.get_by_text("Round 1: 1 answer.").wait_for()
        assert page.locator(".wb-bars").count() == 0
        page.get_by_role("button", name="Close the vote").click()
        page.get_by_role("row", name=f"{answer} 1", exact=True).wait_for()
        page.get_by_role("button", name="Vote again").click()
        student.get_by_role("button", name=answer).click()
        page.get_by_text("Round 2: 1 answer.").wait_for()
        student.reload()
        student.get_by_role("button", name=answer).click()
        student.get_by_text("This browser has an answer in this round already").wait_for()
        page.get_by_role("button", name="Close the vote").click()
        page.get_by_role("row", name=f"{answer} 1 1", exact=True).wait_for()
        page.get_by_role("button", name=votes.END).click()
        page.locator(".wb-bars").wait_for(state="detached")
        student.get_by_text(votes.OVER).wait_for()
        student.get_by_role("link", name="Open the page itself").click()
        student.locator(".wb-line").first.wait_for()
    # Who comes late reads that, on a page that works; its address unfolds a figure.
    query = urlencode({**QUICK, "vote": link, "figure": "profile"})
    with visit(browser, f"{address}?{query}", SETTLED) as late:
        late.locator(".wb-refused", has_text=votes.OVER).wait_for()
        plot = late.get_by_role("heading", name="over s")
        plot.wait_for()
        with late.expect_download() as saved:
            late.get_by_role("button", name="Save The primal over s, at the present weights as CSV").click()
        assert saved.value.suggested_filename == "profile.csv"
        late.get_by_role("button", name="more figures").click()
        plot.wait_for(state="hidden")
        unfold(late)
        plot.wait_for()
