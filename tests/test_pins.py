"""Curves that are pinned stay while settings change, in every figure, on a desk and on the wall."""

import re
from pathlib import Path

import pytest
from page_browser import becomes, choose, settle, visit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates", "dual-lab")
DERIVED = re.compile(r"Derived in")
# The curves of a figure by their names, what is pinned among them.
CURVES = """(name) => {
  const models = Bokeh.documents.flatMap((document) => [...document._all_models.values()]);
  const named = models.filter((each) => each.type === "Figure" && each.name === name);
  const plot = named.find((each) => Bokeh.index.find_one(each));
  return plot.renderers.filter(({ glyph }) => glyph.type === "Line").map((each) => {
    const { name, glyph, data_source: { data } } = each;
    return [name, Array.from(data[glyph.y.field]).filter(Number.isFinite)];
  });
}"""


def pinned(page, figure):
    """What is pinned in a figure: name -> the heights of its curves."""
    found = {}
    for name, heights in page.evaluate(CURVES, figure):
        if (name or "").startswith("pinned"):
            found.setdefault(name, []).append(heights)
    return found


def test_a_pinned_pair_stays_beside_the_next_ones(browser, address):
    with visit(browser, address, DERIVED) as page:
        pin = page.get_by_role("button", name="Pin the curves of p and its tangent")
        before = dict(page.evaluate(CURVES, "primal"))["p"]
        pin.click()
        assert becomes(lambda: list(pinned(page, "primal")), ["pinned"]) == ["pinned"]
        choose(page, "Pair", "Hinge")
        name = "pinned: Logistic, log(1 + exp(u)) …"
        assert becomes(lambda: list(pinned(page, "primal")), [name]) == [name]
        assert before in pinned(page, "primal")[name]
        # The fourth takes the place of the first; another figure has none of them.
        for option in ("Huber", "Quadratic", "One-sided Huber"):
            pin.click()
            page.locator(".wb-pins span", has_text=re.compile("pinned: ")).last.wait_for()
            choose(page, "Pair", option)
            page.locator(".wb-status", has_text=DERIVED).wait_for()
            settle(page, DERIVED)
        assert becomes(lambda: len(pinned(page, "primal")), 3) == 3
        assert name not in pinned(page, "primal")
        assert pinned(page, "dual") == {}
        page.get_by_role("button", name="Unpin").click()
        assert becomes(lambda: pinned(page, "primal"), {}) == {}
        assert becomes(page.locator(".wb-pins span").count, 0) == 0


def test_a_run_that_was_pinned_is_named_by_what_differs(browser, address):
    lab = address.rsplit("/", 1)[0] + "/dual-lab?source=Breast+cancer&lam=0.1"
    with visit(browser, lab, re.compile("Reached")) as page:
        page.get_by_role("button", name="Pin the curves of Duality gap").click()
        page.get_by_role("slider", name="λ weight of the regularizer").focus()
        page.keyboard.press("ArrowLeft")
        page.locator(".wb-pins", has_text="pinned: λ = 0.1").wait_for()
        with page.expect_download() as waiting:
            page.get_by_role("button", name="Save Duality gap as CSV").click()
        assert "pinned: λ = 0.1," in Path(waiting.value.path()).read_text("utf-8")


def test_a_key_pins_both_figures_of_the_wall(browser, address):
    with visit(browser, f"{address}?projector=on", width=1920, height=1080) as page:
        page.locator("#wb-wall .name").first.wait_for()
        page.keyboard.press("p")
        # Pinned where the curve itself is: the name waits in the line above until they part.
        for figure in ("primal", "dual"):
            assert becomes(lambda name=figure: list(pinned(page, name)), ["pinned"]) == ["pinned"]
        page.keyboard.press("u")
        assert becomes(lambda: pinned(page, "primal"), {}) == {}
