"""The page of conjugates in a real Chromium, served as a user serves it."""

import math
import re
from urllib.parse import urlencode

import pytest

from tests.helpers.page_browser import (
    KEYS,
    Gone,
    arrows_move,
    becomes,
    choose,
    goes,
    laid_out,
    leave_controls,
    lights,
    line,
    visit,
    walk,
)

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates",)
DERIVED, PREDICT = re.compile("Derived in"), re.compile("Predict")
LEFT, RIGHT, HOME, END = KEYS
FIELDS = ("p(u)", "Domain", "Parameters")
# Takes most of a minute; whoever asks for it cancels it, so that no cache answers.
LONG = "log(1 + exp(u)) + cosh(u)**2 + u**6 + exp(u**2) + exp(u**4) / 3"
# How many figures show that they are not of what was asked for last.
FADED = """() => Bokeh.documents.flatMap((each) => [...each._all_models.values()])
  .filter((each) => each.type === "Figure" && Bokeh.index.find_one(each)?.el.isConnected)
  .filter((each) => getComputedStyle(Bokeh.index.find_one(each).el).opacity < 1).length"""
# How many finite values the curve of that name has on the screen; a document may hold what it showed before.
DRAWN = """(name) => {
  const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
  const curves = models.filter((model) => model.type === "GlyphRenderer" && model.name === name);
  const curve = curves.find((model) => Bokeh.index.find_one(model) !== null);
  return Array.from(curve.data_source.data[name]).filter(Number.isFinite).length;
}"""
# Where the figure of q is, and what it shows.
PLACE = """
() => {
  const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
  const figures = models.filter(({ type, name }) => type === "Figure" && name === "dual");
  const figure = figures.find((each) => Bokeh.index.find_one(each)?.el.isConnected);
  const view = Bokeh.index.find_one(figure), box = view.el.getBoundingClientRect();
  const { left, top, width, height } = view.frame.bbox;
  return { left: box.x + left, top: box.y + top, width, height,
    x: [figure.x_range.start, figure.x_range.end], y: [figure.y_range.start, figure.y_range.end] };
}
"""
# True if a curve is drawn there that passes above the least value of q, at 1/2, by this share.
BY_HAND = """
(off) => {
  const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
  const figures = models.filter(({ type, name }) => type === "Figure" && name === "dual");
  const figure = figures.find((each) => Bokeh.index.find_one(each)?.el.isConnected);
  return figure.renderers.some(({ data_source: { data } }) => data.v?.length > 10 && [...data.v].some(
    (v, k) => Math.abs(v - 0.5) < 0.01 && Math.abs(data.q[k] + Math.log(2) - off) < 0.02));
}
"""


@pytest.fixture(scope="module")
def opened(browser, address):
    """One visit for all tests, and what it says of its first pair."""
    with visit(browser, address, DERIVED) as view:
        yield view, line(view, "touches p").inner_text()


@pytest.fixture
def page(opened, address):
    """The page at its first pair."""
    view, said = opened
    goes(view, address)
    assert becomes(line(view, "touches p").inner_text, said) == said
    view.wait_for_function("Bokeh.documents.every((document) => document.is_idle)")
    return view


def derive(page, formula, domain="", parameters=""):
    for label, text in zip(FIELDS, (formula, domain, parameters), strict=True):
        page.get_by_role("textbox", name=label).fill(text)
    page.get_by_role("button", name="Derive").click()


def number_after(text, words):
    match = re.search(re.escape(words) + r" ?(−?[\d.]+)", text)
    return float(match.group(1).replace("−", "-"))


def touching(page):
    """v and u of the tangent."""
    text = line(page, "touches p").inner_text()
    return number_after(text, "slope v ="), number_after(text, "at u =")


def test_keys_drags_and_a_hidden_q(page, address):
    start, (v, u) = line(page, "touches p").inner_text(), touching(page)
    # The logistic pair: the tangent of slope v touches where e^u/(1 + e^u) = v.
    assert abs(u - math.log(v / (1.0 - v))) < 5e-3
    assert page.locator("canvas").count() >= 4
    assert page.locator("math").count() >= 3
    assert page.locator(".wb-badge", has_text="proved").count() >= 5
    handle = page.get_by_role("slider", name="v, slope")

    def pressed():
        handle.press(LEFT)
        return handle.get_attribute("aria-valuetext")

    # A slider meets round numbers.
    assert becomes(pressed, "0.50") == "0.50"

    def slope():
        return number_after(line(page, "its slope there").inner_text(), "q(")

    box = page.locator("canvas").nth(1).bounding_box()
    for end, wait, sign in ((0.42, 400, -1.0), (0.7, 0, 1.0)):  # a slow drag still holds it
        first = slope()
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
        page.mouse.down()
        page.wait_for_timeout(wait)
        page.mouse.move(box["x"] + end * box["width"], box["y"] + 0.4 * box["height"], steps=6)
        page.mouse.up()
        assert becomes(lambda first=first, sign=sign: sign * (slope() - first) > 0, True)
    for title, key in (
        ("p and its tangent", RIGHT),
        ("The conjugate q", RIGHT),
        ("Fenchel-Young gap", "ArrowUp"),
    ):
        arrows_move(page, title, key)
    lights(page, "q", "dual")
    goes(page, address)
    assert becomes(line(page, "touches p").inner_text, start) == start
    # A hidden q is found by tangents.
    walk(page, (PREDICT, None, "points found"))
    for _ in range(4):
        handle.press(RIGHT)
    line(page, re.compile(r"^[3-9] points found")).wait_for()
    # Or it is drawn by hand: the truth is laid over the drawing, with how far off that is.
    laid_out(page)
    off, drawn_at = 0.05, [0.1 + 0.05 * k for k in range(17)]

    def drawn():
        """Draw; a layout that still moves takes the figure from under the pointer."""
        place = page.evaluate(PLACE)

        def point(v, q):
            across, up = (
                (value - place[axis][0]) / (place[axis][1] - place[axis][0])
                for value, axis in ((v, "x"), (q, "y"))
            )
            return place["left"] + across * place["width"], place["top"] + (1.0 - up) * place["height"]

        page.mouse.move(*point(0.1, -0.3))
        page.mouse.down()
        for v in drawn_at:
            page.mouse.move(*point(v, v * math.log(v) + (1.0 - v) * math.log(1.0 - v) + off))
        page.mouse.up()
        return page.evaluate(BY_HAND, off)

    assert becomes(drawn, True)
    walk(page, (PREDICT, None, "Your curve is"))
    sentence = line(page, "Your curve is").inner_text()
    assert abs(number_after(sentence, "Your curve is") - off) < 0.02
    # A new prediction has no verdict yet.
    walk(page, (PREDICT, None, Gone("Your curve is")), (PREDICT, None, "its slope there"))
    assert line(page, "Your curve is").count() == 0
    leave_controls(page)
    keys = page.locator("details.help")
    assert keys.get_attribute("open") is None
    page.keyboard.press("?")
    page.get_by_text("show these keys").wait_for()
    page.keyboard.press("Escape")
    assert becomes(lambda: keys.get_attribute("open"), None) is None


def test_presets_and_an_address(page, browser, address):
    choose(page, "Pair", "Insensitive zone")
    page.wait_for_url(re.compile("preset=8"))
    epsilon = page.get_by_role("slider", name="epsilon")
    for _ in range(3):
        epsilon.press(RIGHT)
    value_text = epsilon.get_attribute("aria-valuetext")
    page.wait_for_url(re.compile(rf"epsilon%3D{re.escape(value_text)}\b"))
    said, before = line(page, "touches p").inner_text(), page.url
    walk(
        page,
        ("Pair", "Power of a norm", "our transcription of the formula is wrong"),
        ("Pair", "No Slater point", "p**(0) = 0: the gap of 1 stays"),
        ("Pair", "No closed form", "q is computed numerically"),
    )
    v, u = touching(page)
    # Both are shown with four digits.
    assert abs(math.exp(u) + u**3 - v) < 2e-3 * (1.0 + abs(v))
    assert page.get_by_text("the printed formula is wrong").count() == 0
    goes(page, before)
    line(page, said).wait_for()
    # An address may give a function, which is only ever parsed.
    with visit(browser, f"{address}?formula=u**2", DERIVED) as view:
        view.get_by_text("Your own function.").wait_for()
        goes(view, f"{address}?{urlencode({'preset': 'Your own function', 'formula': 'alert(1)'})}")
        view.locator(".wb-status.bad", has_text="alert").wait_for()
        line(view, "touches p").wait_for()


def test_a_typed_function_is_derived_or_refused(page, browser, address):
    said = line(page, "touches p").inner_text
    # Another visitor is answered while a derivation runs, which is cancelled.
    before = said()
    derive(page, LONG)
    page.locator(".wb-status", has_text="Deriving").wait_for()
    with visit(browser, address, DERIVED) as other:
        other.get_by_role("slider", name="v, slope").press(LEFT)
        other.wait_for_url(re.compile("v="))
    page.get_by_role("button", name="Cancel").click()
    page.locator(".wb-status.bad", has_text="Cancelled").wait_for()
    assert said() == before
    for formula, sentence in (("u**", "formula"), ("", "p(u) is empty"), ("__import__('os')", "formula")):
        derive(page, formula)
        page.locator(".wb-status.bad", has_text=sentence).wait_for()
        assert becomes(lambda: page.evaluate(FADED), 4) == 4
        assert said() == before
    derive(page, "cosh(u) - 1")
    page.locator(".wb-status:not(.bad)", has_text=DERIVED).wait_for()
    assert becomes(lambda: page.evaluate(FADED), 0) == 0
    page.get_by_text("Your own function.").wait_for()
    assert page.get_by_role("combobox", name="Pair").inner_text() == "Your own function"
    assert becomes(lambda: abs(math.sinh(touching(page)[1]) - touching(page)[0]) < 0.05, True)
    derive(page, "cos(u)")
    line(page, "p, 1 there, lies above it").wait_for()
    line(page, re.compile(r"p\*\* = −1 lies 2 below p = 1")).wait_for()
    line(page, re.compile(r"No line of slope|slope v = 0 touches")).wait_for()
    derive(page, "-u**2")
    line(page, "No line lies below p: p** = −∞").wait_for()
    # A letter of which nothing was said has a slider.
    derive(page, "a*abs(u) + b*u")
    page.get_by_role("slider", name=re.compile("^b$")).wait_for()
    assert page.get_by_role("textbox", name="Parameters").input_value() == "a: real; b: real"
    line(page, "touches p at u = 0").wait_for()


def test_a_slider_across_a_border_changes_the_formula(page):
    derive(page, "max(0, u - a, 2*u - 10)", "", "1 <= a <= 9")
    a = page.get_by_role("slider", name=re.compile("^a$"))
    # The kinks of p: 5 alone for a >= 5, else a and 10 - a; the slider stays 2 % inside its range.
    beyond, before = re.compile("of 2, a [>≥] 5"), re.compile("of 2, a [<≤] 5")
    for pressed, where, kinks in ((END, beyond, {5.0}), (HOME, before, {1.16, 8.84})):
        a.press(pressed)
        line(page, where).wait_for()
        assert touching(page)[1] in kinks
    # Beyond its conditions the page shows the witness and no old curve.
    derive(page, "u**2/2 + (5 - c)*abs(u)", "", "c > 0")
    c = page.get_by_role("slider", name=re.compile("^c$"))
    c.press(END)
    said = line(page, "c = 9 is outside c ≤ 5").inner_text()
    assert "p, 0 there, lies above it" in said
    assert number_after(said, "at height") == -3.5
    assert becomes(lambda: page.evaluate(DRAWN, "q"), 0) == 0
    line(page, "None outside c ≤ 5").first.wait_for()
    c.press(HOME)
    line(page, re.compile("of 2, c < 5|within c ≤ 5")).wait_for()
    assert becomes(lambda: page.evaluate(DRAWN, "q") > 0, True)
