"""Formulas and numbers as a book sets them, on pages and in files, at four sizes."""

import json
from importlib import resources

import pytest

from tests.helpers.page_browser import chromium, laid_out
from tests.helpers.page_checks import FORMULAS
from tests.pages.hosts.moves import READY
from workbench.pages import formulas
from workbench.pages.conjugates.texts import lines
from workbench.pages.dual_lab import explain
from workbench.pages.simplex.model import LOSS_LATEX
from workbench.pages.transfer.declaration import Transfer
from workbench.pages.transfer.model import NORM_LATEX

SIZES = ((390, 844), (820, 1180), (1366, 768), (1920, 1080))


def test_symbols_are_marked_where_they_stand_alone():
    curves = {"p(u)": "p", r"\hat t": "top"}
    assert formulas.lit("p(u) = up(u)", curves) == r"\htmlData{curve=p}{p(u)} = up(u)"
    assert formulas.lit(r"\hat t - \hat tau", curves) == r"\htmlData{curve=top}{\hat t} - \hat tau"
    assert formulas.lit("x", {}) == "x"


def test_text_around_formulas_is_escaped():
    shown = formulas.mixed("<b> $x < 1$ and\n$$y$$")
    assert "<b>" not in shown
    assert "<wb-tex class='inline'>x &lt; 1</wb-tex>" in shown
    assert "<wb-tex>y</wb-tex>" in shown


@pytest.mark.browser
def test_no_formula_is_clipped_or_overlaps_and_fonts_are_there(tmp_path):
    """Everything that Appendix E prints and derives, in a narrow column, from a file without a network."""
    pytest.importorskip("playwright.sync_api")
    record = json.loads(
        resources.files("workbench.conjugates.derivations").joinpath("outcomes.json").read_text("utf-8")
    )
    outcomes = record["outcomes"].values()
    pairs = [outcome for outcome in outcomes if isinstance(outcome, dict) and "q_latex" in outcome]
    rows = [text for pair in pairs for text in (pair["p_latex"], pair["q_latex"])]
    rows += [pair["row"]["printed"] for pair in pairs if pair["row"]]
    rows += [step["latex"] for pair in pairs for step in pair["steps"]]
    texts = [line for text in rows for line in lines(text)]
    texts += [*NORM_LATEX, *LOSS_LATEX, explain.SEARCH[0], explain.NEWTON[0], explain.GRADIENT[0]]
    assert len(texts) > 40
    boxes = "".join(map(formulas.formula, texts))
    path = tmp_path / "formulas.html"
    path.write_text(Transfer().html(), encoding="utf-8")
    with chromium() as browser:
        page = browser.new_context(offline=True).new_page()
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_function(READY)
        page.wait_for_function("() => customElements.get('wb-tex')")
        page.evaluate("(html) => { document.body.innerHTML = html; }", boxes)
        page.evaluate("() => document.fonts.ready.then(() => true)")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            laid_out(page)
            page.wait_for_timeout(200)
            assert page.evaluate(FORMULAS) == [], (width, height)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        fonts = page.evaluate("[...document.fonts].map((font) => [font.family, font.status])")
        assert {("KaTeX_Main", "loaded"), ("KaTeX_Math", "loaded")} <= set(map(tuple, fonts))
        assert page.locator("wb-tex math").count() == len(texts)
        assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
