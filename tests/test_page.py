"""The Dual lab in a real Chromium, served as a user serves it."""

import re
import time

import pytest
from page_browser import choose, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab",)
SETTLED = re.compile(r"Reached|Stopped|Stands still")


@pytest.fixture
def page(browser, address):
    """A fresh visit; at its end no error was logged and nothing was fetched from elsewhere."""
    with visit(browser, address, SETTLED, width=1440, height=900) as view:
        yield view


@pytest.fixture
def small(browser, address):
    """A fresh visit to a problem that is solved at once."""
    with visit(browser, f"{address}?source=Breast+cancer&lam=0.1", SETTLED, width=1440, height=900) as view:
        yield view


def status(page):
    return page.locator(".wb-status").inner_text()


def wait_for_status(page, pattern):
    page.locator(".wb-status", has_text=pattern).wait_for()


def statistics(page):
    """The numbers of the cards, by name."""
    names = [re.split(r"\n", text)[0] for text in page.locator(".wb-stat").all_inner_texts()]
    return dict(zip(names, page.locator(".wb-stat b").all_inner_texts(), strict=True))


def number(text):
    return float(text.replace(",", "").replace("%", ""))


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def code(page):
    return page.locator(".wb-code").inner_text()


def test_first_visit_shows_a_solved_problem(page):
    wait_for_status(page, "Reached a relative gap")
    shown = statistics(page)
    primal, dual, gap = (number(shown[name]) for name in ("primal", "dual bound", "duality gap"))
    assert 0.0 <= gap <= 1e-4 * primal
    assert dual <= primal
    assert number(shown["test accuracy"]) > 90.0
    assert page.locator("canvas").count() >= 4


def test_single_steps_explain_themselves(small):
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    assert statistics(small)["support"] == "0"
    for count in (1, 2, 3):
        press(small, "step")
        small.get_by_text(f"Step {count} looked at sample").wait_for()
    assert 1 <= number(statistics(small)["support"]) <= 3
    assert small.locator("math").count() >= 3
    assert small.get_by_text(re.compile("dual objective -[0-9.]+e-")).count() == 1


def test_an_epoch_and_a_run_narrow_the_gap(small):
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    start = number(statistics(small)["duality gap"])
    press(small, "epoch")
    wait_for_status(small, "Paused after 1 epochs")
    after_one = number(statistics(small)["duality gap"])
    press(small, "run")
    wait_for_status(small, "Reached a relative gap")
    assert number(statistics(small)["duality gap"]) < after_one < start


def test_lambda_moves_the_solution(page):
    before = statistics(page)
    slider = page.get_by_role("slider", name="λ weight of the regularizer")
    slider.focus()
    for _ in range(5):
        slider.press("ArrowRight")
    page.locator(".wb-code", has_text="lam=0.0032").wait_for()
    wait_for_status(page, "Reached a relative gap")
    after = statistics(page)
    # A larger lambda can only raise the minimum.
    assert number(after["primal"]) > number(before["primal"])


def test_epsilon_thins_the_weights(page):
    before = number(statistics(page)["non-zeros"])
    slider = page.get_by_role("slider", name="ε sparsity")
    slider.focus()
    for _ in range(20):
        slider.press("ArrowRight")
    page.locator(".wb-code", has_text="epsilon=0.3").wait_for()
    wait_for_status(page, "Reached a relative gap")
    assert number(statistics(page)["non-zeros"]) < before


def test_regularizer_loss_and_data_can_be_picked(small):
    choose(small, "Regularizer", "Squared ℓ2")
    small.locator(".wb-code", has_text="squared-l2").wait_for()
    choose(small, "Loss", "Logistic")
    small.locator(".wb-code", has_text="logistic").wait_for()
    choose(small, "Data", "Digits · even or odd")
    small.locator(".wb-code", has_text="digits").wait_for()
    wait_for_status(small, SETTLED)
    assert number(statistics(small)["test accuracy"]) > 80.0


def test_pause_holds_a_run(page):
    choose(page, "Data", "Zhang's artificial data")
    page.get_by_role("button", name="gradient", exact=True).click()
    page.locator(".wb-code", has_text="gradient").wait_for()
    wait_for_status(page, "Running")
    press(page, "pause")
    wait_for_status(page, "Paused after")
    held = status(page)
    time.sleep(1.0)
    assert status(page) == held


def test_a_refused_choice_keeps_the_old_state(small):
    small.get_by_role("button", name="bounded", exact=True).click()
    small.locator(".wb-code", has_text="bounded").wait_for()
    wait_for_status(small, SETTLED)
    before = statistics(small)
    choose(small, "Regularizer", "Entropy")
    wait_for_status(small, "needs a bound of the curvature")
    assert statistics(small) == before
    small.get_by_role("button", name="exact", exact=True).click()
    small.locator(".wb-code", has_text="entropy").wait_for()
    wait_for_status(small, SETTLED)


def test_two_visitors_do_not_share_a_state(small, browser, address):
    other = browser.new_page()
    other.goto(f"{address}?source=Breast+cancer&lam=0.1")
    wait_for_status(other, SETTLED)
    press(small, "reset")
    wait_for_status(small, "Paused after 0 steps")
    assert SETTLED.search(status(other))
    other.close()
