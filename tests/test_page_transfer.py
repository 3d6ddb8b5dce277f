"""The page of transfer functions in a real Chromium, served as a user serves it."""

import math
import re
from urllib.parse import urlencode

import pytest
from page_browser import becomes, goes, leave_controls, line, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("transfer",)


@pytest.fixture(scope="module")
def opened(browser, address):
    with visit(browser, address) as view:
        line(view, "has h =").wait_for()
        yield view


@pytest.fixture
def at(opened, address):
    """Brings the one visit of all tests to a state."""

    def go(**state):
        goes(opened, f"{address}?{urlencode(state)}")
        return opened

    return go


def image(page):
    """w as the sentence under its plane gives it; none where a norm has none."""
    text = " ".join(line(page, "∇h(v) = (").all_inner_texts()) or "∇h(v) = (nan, nan)"
    return [float(x.replace("−", "-")) for x in re.search(r"∇h\(v\) = \(([^,]+), ([^)]+)\)", text).groups()]


# v = (1.6, 0.6) and what the formulas of the sources make of it.
LENGTH = math.hypot(1.6, 0.6)
IMAGES = {
    "Elastic net": ({"epsilon": 0.5}, (1.1, 0.1)),
    "Squared ℓ2": ({"K": 2.0}, (0.8, 0.6)),
    "Entropy": ({"mu_1": 0.5, "mu_2": 1.0}, (0.5 * math.exp(1.6), math.exp(0.6))),
    "Normalized entropy": (
        {"mu_1": 0.5, "mu_2": 0.5},
        (math.exp(1.0) / (1.0 + math.exp(1.0)), 1.0 / (1.0 + math.exp(1.0))),
    ),
    "q-norm": ({"q": 2.0, "power": 2.0}, (1.6, 0.6)),
    "Half squared p-norm on a ball": ({"p": 2.0, "B": 1.0}, (1.6 / LENGTH, 0.6 / LENGTH)),
}


@pytest.mark.parametrize("name", IMAGES)
def test_the_map_is_that_of_the_sources(at, name):
    state, wanted = IMAGES[name]
    page = at(regularizer=name, v1=1.6, v2=0.6, **state)
    # The sentence has four digits.
    assert becomes(lambda: image(page) == pytest.approx(wanted, rel=1e-3), True), image(page)


def test_a_norm_says_that_it_decides_nothing(at):
    page = at(regularizer="ℓ1 norm", v1=1.6, v2=0.6)
    line(page, "No single w belongs").wait_for()
    line(page, "outside the dual ball").wait_for()


def test_sliders_and_drags_move_v(at):
    page = at(regularizer="q-norm", q=2.0, power=2.0, v1=1.6, v2=0.6)
    assert becomes(lambda: image(page), [1.6, 0.6]) == [1.6, 0.6]
    before = image(page)
    page.get_by_role("slider", name="v₁").focus()
    for _ in range(10):
        page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("v1=1.7"))
    moved = image(page)
    assert moved[0] == pytest.approx(before[0] + 0.1, abs=1e-3)
    box = page.locator("canvas").nth(2).bounding_box()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.4 * box["height"])
    page.mouse.down()
    page.wait_for_timeout(400)  # whoever thinks before moving it still has it in hand
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"], steps=6)
    page.mouse.up()
    page.wait_for_url(re.compile("v1=-"))


def test_a_real_v_is_mapped(at):
    page = at(regularizer="Elastic net", epsilon=0.0)
    line(page, "Of 30 weights 30 are not zero").wait_for()
    sparse = at(regularizer="Elastic net", epsilon=2.0)
    line(sparse, re.compile(r"Of 30 weights [12]?\d are not zero")).wait_for()
    positive = at(regularizer="Normalized entropy")
    line(positive, "none is negative").wait_for()


def test_presets_and_the_keys(at):
    page = at()
    page.get_by_role("combobox", name="Preset").click()
    page.get_by_role("menuitem", name="A softmax is bounded").click()
    line(page, "segment").wait_for()
    leave_controls(page)
    page.keyboard.press("ArrowRight")
    line(page, "which w never leaves").wait_for()
    page.keyboard.press(" ")
    page.get_by_text("beyond, |w|_p stays B").wait_for()
