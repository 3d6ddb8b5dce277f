"""The page of conjugates in a real Chromium, served as a user serves it."""

import math
import re
from urllib.parse import urlencode

import pytest
from page_browser import becomes, goes, laid_out, leave_controls, line, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates",)
DERIVED = re.compile(r"Derived in")


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


def slider(page, name):
    return page.get_by_role("slider", name=name)


def choose(page, option):
    page.get_by_role("combobox", name="Pair").click()
    page.get_by_role("menuitem", name=option, exact=True).click()


def type_function(page, formula, domain="", parameters=""):
    for label, text in (("p(u)", formula), ("Domain", domain), ("Parameters", parameters)):
        page.get_by_role("textbox", name=label).fill(text)
    page.get_by_role("button", name="Derive").click()


def drawn(page, name):
    """How many finite values the curve of that name has on the screen."""
    return page.evaluate(
        """(name) => {
          // A document may still hold what it showed before.
          const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
          const curves = models.filter((model) => model.type === "GlyphRenderer" && model.name === name);
          const curve = curves.find((model) => Bokeh.index.find_one(model) !== null);
          return Array.from(curve.data_source.data[name]).filter(Number.isFinite).length;
        }""",
        name,
    )


def number_after(text, words):
    found = re.search(re.escape(words) + r" ?(−?[\d.]+)", text)
    return float(found.group(1).replace("−", "-"))


def touching(page):
    """v and u of the tangent."""
    text = line(page, "touches p").inner_text()
    return number_after(text, "slope v ="), number_after(text, "at u =")


def test_the_first_visit_says_its_numbers_which_keys_and_drags_move(page):
    v, u = touching(page)
    # The logistic pair: the tangent of slope v touches where e^u/(1 + e^u) = v.
    assert abs(u - math.log(v / (1.0 - v))) < 5e-3
    assert page.locator("canvas").count() >= 4
    assert page.locator("math").count() >= 3
    assert page.locator(".wb-badge", has_text="proved").count() >= 5
    handle, before = slider(page, "v, slope"), line(page, "touches p").inner_text()
    handle.focus()

    def pressed():
        handle.press("ArrowLeft")
        return handle.get_attribute("aria-valuetext")

    # A slider meets round numbers.
    assert becomes(pressed, "0.50") == "0.50"
    line(page, "touches p").filter(has_not_text=before).wait_for()
    box = page.locator("canvas").nth(1).bounding_box()
    for end, wait, sign in ((0.42, 400, -1.0), (0.7, 0, 1.0)):  # whoever thinks before moving still has it
        first = number_after(line(page, "its slope there").inner_text(), "q(")
        page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
        page.mouse.down()
        page.wait_for_timeout(wait)
        page.mouse.move(box["x"] + end * box["width"], box["y"] + 0.4 * box["height"], steps=6)
        page.mouse.up()
        assert becomes(
            lambda first=first, sign=sign: (
                sign * (number_after(line(page, "its slope there").inner_text(), "q(") - first) > 0
            ),
            True,
        )


def test_a_preset_brings_its_parameters_and_the_address_restores_them(page, browser):
    choose(page, "Insensitive zone")
    slider(page, "r").first.wait_for()
    page.wait_for_url(re.compile("preset=8"))
    slider(page, "epsilon").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    epsilon = slider(page, "epsilon").get_attribute("aria-valuetext")
    page.wait_for_url(re.compile(rf"epsilon%3D{re.escape(epsilon)}\b"))
    said = line(page, "touches p").inner_text()
    with visit(browser, page.url, DERIVED) as other:
        line(other, said).wait_for()
    choose(page, "Power of a norm")
    page.get_by_text("Slip in our transcription").first.wait_for()
    page.get_by_text("our transcription of the formula is wrong").wait_for()
    assert page.get_by_text("the printed formula is wrong").count() == 0
    choose(page, "No Slater point")
    line(page, "p**(0) = 0: the gap of 1 stays").wait_for()
    choose(page, "No closed form")
    page.get_by_text("q is computed numerically").wait_for()
    v, u = touching(page)
    # Both are shown with four digits.
    assert abs(math.exp(u) + u**3 - v) < 2e-3 * (1.0 + abs(v))


def test_a_typed_function_is_derived(page):
    type_function(page, "cosh(u) - 1")
    page.get_by_text("Your own function.").wait_for()
    assert page.get_by_role("combobox", name="Pair").inner_text() == "Your own function"
    assert becomes(lambda: abs(math.sinh(touching(page)[1]) - touching(page)[0]) < 0.05, True)
    type_function(page, "cos(u)")
    line(page, "p, 1 there, lies above it").wait_for()
    line(page, re.compile(r"p\*\* = −1 lies 2 below p = 1")).wait_for()
    line(page, re.compile(r"No line of slope|slope v = 0 touches")).wait_for()
    type_function(page, "-u**2")
    line(page, "No line lies below p: p** = −∞").wait_for()
    # A letter of which nothing was said has a slider.
    type_function(page, "a*abs(u) + b*u")
    slider(page, re.compile("^b$")).wait_for()
    assert page.get_by_role("textbox", name="Parameters").input_value() == "a: real; b: real"
    line(page, "touches p at u = 0").wait_for()


def test_a_slider_across_a_border_changes_the_formula(page):
    type_function(page, "max(0, u - a, 2*u - 10)", "", "1 <= a <= 9")
    handle = slider(page, re.compile("^a$"))
    handle.focus()
    # The kinks of p: 5 alone for a >= 5, else a and 10 - a; the slider stays 2 % inside its range.
    beyond, before = re.compile("of 2, a [>≥] 5"), re.compile("of 2, a [<≤] 5")
    for key, where, kinks in (("End", beyond, {5.0}), ("Home", before, {1.16, 8.84})):
        page.keyboard.press(key)
        line(page, where).wait_for()
        assert touching(page)[1] in kinks


def test_beyond_the_conditions_the_page_shows_the_witness_and_no_old_curve(page):
    type_function(page, "u**2/2 + (5 - a)*abs(u)", "", "a > 0")
    slider(page, re.compile("^a$")).focus()
    page.keyboard.press("End")
    said = line(page, "a = 9 is outside a ≤ 5").inner_text()
    assert "p, 0 there, lies above it" in said
    assert number_after(said, "at height") == -3.5
    assert becomes(lambda: drawn(page, "q"), 0) == 0
    line(page, "None outside a ≤ 5").first.wait_for()
    page.keyboard.press("Home")
    line(page, re.compile("of 2, a < 5|within a ≤ 5")).wait_for()
    assert becomes(lambda: drawn(page, "q") > 0, True)


def faded(page):
    """How many figures show that they are not of what was asked for last."""
    return page.evaluate(
        "Bokeh.documents.flatMap((each) => [...each._all_models.values()])"
        ".filter((each) => each.type === 'Figure' && Bokeh.index.find_one(each)?.el.isConnected)"
        ".filter((each) => getComputedStyle(Bokeh.index.find_one(each).el).opacity < 1).length"
    )


def test_what_is_refused_leaves_the_pair_faded_until_something_is_derived(page):
    assert faded(page) == 0
    before = line(page, "touches p").inner_text()
    for formula, sentence in (("u**", "formula"), ("", "p(u) is empty"), ("__import__('os')", "formula")):
        type_function(page, formula)
        page.locator(".wb-status.bad", has_text=sentence).wait_for()
        assert becomes(lambda: faded(page), 4) == 4
        assert line(page, "touches p").inner_text() == before
    type_function(page, "exp(u)")
    page.locator(".wb-status:not(.bad)", has_text=DERIVED).wait_for()
    assert becomes(lambda: faded(page), 0) == 0


def test_an_address_may_give_a_function_which_is_only_ever_parsed(browser, address):
    with visit(browser, address + "?formula=exp(u)", DERIVED) as page:
        page.get_by_text("Your own function.").wait_for()
        choose(page, "Hinge")
        page.wait_for_url(re.compile(r"preset=Hinge(?!.*formula)"))
    query = {"preset": "Your own function", "formula": "alert(1)"}
    with visit(browser, f"{address}?{urlencode(query)}", re.compile("alert")) as view:
        # The page falls back on its first pair, and the refusal stays to be read.
        line(view, "touches p").wait_for()
        assert view.locator(".wb-status.bad").count() == 1


# Takes most of a minute; whoever asks for it cancels it, so that no cache answers.
LONG = "log(1 + exp(u)) + cosh(u)**2 + u**6 + exp(u**2) + exp(u**4) / 3"


def test_another_visitor_is_answered_while_a_derivation_runs_that_is_cancelled(page, browser, address):
    """Sliders live in the browser, and the server only waits for the worker."""
    before = line(page, "touches p").inner_text()
    type_function(page, LONG)
    page.locator(".wb-status", has_text="Deriving").wait_for()
    with visit(browser, address, DERIVED) as other:
        line(other, "touches p").wait_for()
        slider(other, "v, slope").focus()
        other.keyboard.press("ArrowLeft")
        other.wait_for_url(re.compile("v="))
    page.get_by_role("button", name="Cancel").click()
    page.locator(".wb-status.bad", has_text="Cancelled").wait_for()
    assert line(page, "touches p").inner_text() == before


# Where the figure of q is, and what it shows.
PLACE = """
() => {
  const figure = Bokeh.documents.map((each) => each.get_model_by_name("dual")).find(Boolean);
  const view = Bokeh.index.find_one(figure), box = view.el.getBoundingClientRect();
  const { left, top, width, height } = view.frame.bbox;
  return { left: box.x + left, top: box.y + top, width, height,
    x: [figure.x_range.start, figure.x_range.end], y: [figure.y_range.start, figure.y_range.end] };
}
"""
# Whether a curve is drawn there that passes above the least value of q, at 1/2, by so much.
BY_HAND = """
(off) => {
  const figure = Bokeh.documents.map((each) => each.get_model_by_name("dual")).find(Boolean);
  return figure.renderers.some(({ data_source: { data } }) => data.v?.length > 10 && [...data.v].some(
    (v, k) => Math.abs(v - 0.5) < 0.01 && Math.abs(data.q[k] + Math.log(2) - off) < 0.02));
}
"""


def test_hidden_q_is_found_by_tangents(page):
    page.get_by_role("button", name="Predict").click()
    line(page, "points found").wait_for()
    slider(page, "v, slope").focus()
    for _ in range(4):
        page.keyboard.press("ArrowRight")
    line(page, re.compile(r"^[3-9] points found")).wait_for()
    page.get_by_role("button", name="Predict").click()
    line(page, "its slope there").wait_for()


def test_q_is_drawn_by_hand_before_it_is_shown(browser, address):
    """The truth is laid over the drawing, with how far off that is; a new prediction has no verdict yet."""
    with visit(browser, address, DERIVED) as page:
        predict = page.get_by_role("button", name="Predict")
        predict.click()
        line(page, "points found").wait_for()
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
        predict.click()
        told = line(page, "Your curve is").inner_text()
        assert abs(number_after(told, "Your curve is") - off) < 0.02
        predict.click()
        line(page, "points found").wait_for()
        predict.click()
        line(page, "its slope there").wait_for()
        assert line(page, "Your curve is").count() == 0


def test_a_figure_is_saved_and_a_question_mark_opens_the_help(page):
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save Fenchel-Young gap as CSV").click()
    assert saved.value.suggested_filename == "gap.csv"
    leave_controls(page)
    keys = page.locator("details.help")
    assert keys.get_attribute("open") is None
    page.keyboard.press("?")
    page.get_by_text("show these keys").wait_for()
    page.keyboard.press("Escape")
    assert becomes(lambda: keys.get_attribute("open"), None) is None
