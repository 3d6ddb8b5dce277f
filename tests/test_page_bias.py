"""The page on biases and multipliers in a real Chromium, served as a user serves it."""

import re
from urllib.parse import urlencode

import pytest
from page_browser import choose, says, shows, unfold, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("bias",)
SETTLED = re.compile("reached|stopped|diverged|stands still")
QUICK = {"loss": "Smoothed hinge", "lam": 0.1}


def test_every_control_does_something(page):
    for name, pattern in (
        ("λ weight", "lam=0.1[0-9]"),
        ("μ softness", r"mu=1\.[0-9]"),
        ("η step", r"eta=0\.1[0-9]"),
        ("Epochs per step", "passes=2"),
        ("t scale", r"scale=1\.[0-9]"),
    ):
        page.get_by_role("slider", name=re.compile(name)).focus()
        page.keyboard.press("ArrowRight")
        shows(page, re.compile(pattern))
    for button, pattern in (("cyclic", "order='cyclic'"), ("gradient", "update='gradient'")):
        page.get_by_role("button", name=button, exact=True).click()
        shows(page, pattern)
    page.get_by_role("slider", name=re.compile("gradient update")).focus()
    page.keyboard.press("ArrowLeft")
    shows(page, re.compile(r"rate=0\.00"))
    for label, option, pattern in (
        ("Loss", "ε-insensitive", "epsilon-insensitive"),
        ("Regularizer", "Elastic net", "elastic-net"),
        ("Source of the constraint", "weights that sum to zero", "constraints="),
        ("Data", "Digits · even or odd", "'digits'"),
        ("Stop at", "0.01", "gap=0.01"),
    ):
        choose(page, label, option)
        shows(page, pattern)
    page.get_by_role("button", name="Algorithm 3", exact=True).click()
    unfold(page)
    page.locator(".wb-line", has_text="Algorithm 2 is not running").wait_for()
    page.wait_for_url(re.compile("algorithms=Algorithm"))


def test_presets_show_what_instability_looks_like_and_the_address_restores_it(page, browser):
    choose(page, "Preset", "η too large: the multiplier oscillates")
    says(page, "lower eta = 3")
    unfold(page)
    page.locator(".wb-line", has_text="Diverged").first.wait_for()
    page.wait_for_url(re.compile("eta=3"))
    with visit(browser, page.url, "lower eta = 3") as restored:
        shown = [each.locator(".wb-stat b").all_inner_texts() for each in (page, restored)]
        assert shown[0] == shown[1]
    choose(page, "Preset", "η too small: a slow multiplier")
    says(page, re.compile("Algorithm 3 after 1,?000 epochs: stopped"))


def test_a_guess_is_answered_and_a_refusal_keeps_the_state(page):
    page.get_by_role("button", name="it oscillates until it is stopped").click()
    page.get_by_text("You were right: it oscillates").wait_for()
    choose(page, "Regularizer", "q-norm")
    shows(page, "q-norm")
    page.get_by_role("textbox", name="Seed").fill("many")
    page.keyboard.press("Enter")
    says(page, "seed = 'many' is refused")


def test_other_figures_are_folded_but_within_reach(browser, address):
    with visit(browser, address, SETTLED) as page:
        plot = page.get_by_role("heading", name="over the bias")
        assert not plot.is_visible()
        unfold(page)
        plot.wait_for()
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save The primal over the bias, at the present w as CSV").click()
        assert saved.value.suggested_filename == "profile.csv"
        page.get_by_role("button", name="more figures").click()
        plot.wait_for(state="hidden")
    with visit(browser, f"{address}?figure=profile", SETTLED) as page:
        page.get_by_role("heading", name="over the bias").wait_for()


def test_a_class_votes_through_a_link(browser, address):
    """Counts stay hidden until a round is closed; a second one stands beside the first; then it is over."""
    query = urlencode(QUICK)
    with visit(browser, f"{address}?{query}", SETTLED) as teacher:
        teacher.get_by_role("button", name="Let the class vote").click()
        link = teacher.locator("[data-vote]").get_attribute("data-vote")
        assert teacher.locator(".wb-vote svg path").count() > 0
        teacher.get_by_text("localhost leads to this computer alone").wait_for()
        answer = "it oscillates until it is stopped"
        with visit(browser, f"{address}?vote={link}") as student:
            student.get_by_role("button", name=answer).click()
            student.get_by_text("Counted: it oscillates").wait_for()
            teacher.get_by_text("Round 1: 1 answer.").wait_for()
            assert teacher.locator(".wb-bars").count() == 0
            teacher.get_by_role("button", name="Close the vote").click()
            teacher.get_by_role("row", name=f"{answer} 1", exact=True).wait_for()
            teacher.get_by_role("button", name="Vote again").click()
            student.get_by_role("button", name=answer).click()
            teacher.get_by_text("Round 2: 1 answer.").wait_for()
            student.reload()
            student.get_by_role("button", name=answer).click()
            student.get_by_text("This browser has an answer in this round already").wait_for()
        teacher.get_by_role("button", name="Close the vote").click()
        teacher.get_by_role("row", name=f"{answer} 1 1", exact=True).wait_for()
        teacher.get_by_role("button", name="End the vote").click()
        teacher.locator(".wb-bars").wait_for(state="detached")
        with visit(browser, f"{address}?{query}&vote={link}", SETTLED) as late:
            late.locator(".wb-refused", has_text="This vote is over").wait_for()
