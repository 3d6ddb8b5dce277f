"""A symbol of a formula lights what it names in the figures, in a real Chromium."""

import pytest
from page_browser import becomes, visit

from workbench.pages.formulas import lit

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("conjugates", "transfer", "dual-lab", "svm-gaps")
# By page: the query of a small problem, what to open first, a symbol's name, and figures where it lights.
SYMBOLS = {
    "conjugates": ("", "", "q", ("dual",)),
    "transfer": ("", "", "map", ("slope",)),
    "dual-lab": ("?source=Breast+cancer&lam=0.1", "Why is this certain?", "primal", ("objective",)),
    "svm-gaps": ("", "", "bottom", ("bias", "bounds")),
}
# What a symbol of the Dual lab's sum lights in the table below it: a column's head, or a row's.
PARTS = {"loss": "f(zᵢ)", "conjugate": "k(−αᵢ)", "product": "αᵢ zᵢ", "regularizer": "the regularizer"}
LIT_HEADS = """root => [...root.getRootNode().querySelectorAll(".wb-table .lit")].map((part) => {
  const column = [...part.parentElement.children].indexOf(part) + 2; // the first one spans three
  return (part.matches("col") ? part.closest("table").rows[0].cells[column] : part.cells[0]).textContent;
})"""
# Of each figure: how many renderers stand out while others fade.
STANDS_OUT = """() => Object.fromEntries(Bokeh.documents.flatMap((each) => [...each._all_models.values()])
  .filter(({ type, renderers }) => type === "Figure" && renderers.some(({ muted }) => muted))
  .map(({ name, renderers }) => [name, renderers.filter(({ muted }) => !muted).length]))"""


def test_symbols_are_marked_where_they_stand_alone():
    curves = {"p(u)": "p", r"\hat t": "top"}
    assert lit("p(u) = up(u)", curves) == r"\htmlData{curve=p}{p(u)} = up(u)"
    assert lit(r"\hat t - \hat tau", curves) == r"\htmlData{curve=top}{\hat t} - \hat tau"
    assert lit("x", {}) == "x"


@pytest.mark.parametrize("name", PAGES)
def test_a_symbol_under_the_pointer_lights_its_curve(name, browser, address):
    query, opened, symbol, figures = SYMBOLS[name]
    with visit(browser, address.replace(PAGES[0], name) + query) as page:
        if opened:
            page.get_by_text(opened).click()
        mark = page.locator(f".katex-html [data-curve={symbol}]").first
        mark.scroll_into_view_if_needed()
        assert page.evaluate(STANDS_OUT) == {}
        assert becomes(lambda: (mark.hover(), page.evaluate(STANDS_OUT))[1], dict.fromkeys(figures, 1)) == (
            dict.fromkeys(figures, 1)
        )
        page.mouse.move(2, 2)
        assert becomes(lambda: page.evaluate(STANDS_OUT), {}) == {}
        # By the keyboard a formula lights all that it names.
        page.locator("wb-tex[data-curve]", has=page.locator(f"[data-curve={symbol}]")).first.focus()
        assert becomes(lambda: set(figures) <= set(page.evaluate(STANDS_OUT)), True)


def test_a_symbol_under_the_pointer_lights_its_numbers_in_a_table(browser, address):
    query, opened, *_ = SYMBOLS["dual-lab"]
    with visit(browser, address.replace(PAGES[0], "dual-lab") + query) as page:
        page.get_by_text(opened).click()
        root = page.locator("wb-tex", has=page.locator("[data-curve=primal]"))
        for name, head in PARTS.items():
            mark = page.locator(f".katex-html [data-curve={name}]")
            assert becomes(lambda mark=mark: (mark.hover(), root.evaluate(LIT_HEADS))[1], [head]) == [head]
            assert page.evaluate(STANDS_OUT) == {}
        page.mouse.move(2, 2)
        assert becomes(lambda: root.evaluate(LIT_HEADS), []) == []
        root.focus()
        assert becomes(lambda: root.evaluate(LIT_HEADS), list(PARTS.values())) == list(PARTS.values())
