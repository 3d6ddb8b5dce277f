"""The page on biases as a file that solves in the browser; its pictures are those of the served page."""

import pytest

from tests.helpers import live_file
from tests.helpers.live_file import opened
from tests.helpers.page_browser import becomes
from workbench._support.errors import InputError
from workbench.pages import export
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import BiasFigures
from workbench.pages.bias.page import BiasPage

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "bias"


def ended(page, status="converged"):
    page.locator(f"body[data-status={status}]").wait_for()


def test_figures_are_folded_and_a_preset_diverges_and_says_what_helps(browser, file):
    with opened(browser, file) as page:
        ended(page)
        seen = {name: page.locator(f"#x-figure-{name}") for name in BiasFigures().titles}
        assert {name for name, figure in seen.items() if figure.is_visible()} == set(BiasPage.first)
        button = page.get_by_role("button", name="3 more figures")
        button.focus()
        page.keyboard.press("Enter")
        assert button.get_attribute("aria-expanded") == "true"
        for figure in seen.values():
            assert becomes(lambda f=figure: f.locator("canvas").first.bounding_box()["width"] > 300, True)
        button.click()
        assert seen["profile"].is_hidden()
        page.get_by_label("Presets and story").select_option("η too large: the multiplier oscillates")
        ended(page, "diverged")
        reason = "the multipliers swing and do not come to rest; lower eta = 3."
        assert f"diverged; {reason}" in page.locator("#x-status").inner_text()
        assert f"Diverged: {reason}" in page.locator("#x-line-small").inner_text()
        assert page.get_by_label("η step of s").get_attribute("aria-valuetext") == "3"
        assert becomes(lambda: "eta=3&" in page.evaluate("location.hash"), True)
        page.reload()
        ended(page, "diverged")
        page.get_by_label("Algorithms").select_option(bias.FULL)
        ended(page)
        assert "Algorithm 3 is not running" in page.locator("#x-line-small").inner_text()
        assert page.get_by_label("η step of s").is_hidden()
        assert page.get_by_label("Presets and story").input_value() == "Choose one"


def test_what_does_not_run_in_a_browser_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"constraints C v = b do not run .* 'workbench serve bias'"):
        export.export("bias", tmp_path / "x.html", given=[("constraint", bias.SUM)])
    with pytest.raises(InputError, match="takes one of"):
        export.export("bias", tmp_path / "x.html", given=[("source", "nothing")])
    assert list(tmp_path.iterdir()) == []


def test_other_data_come_with_their_presets(tmp_path, browser):
    settings = [("source", "Digits · even or odd"), ("source", "Breast cancer"), ("lam", "0.01")]
    path = tmp_path / "two.html"
    assert export.export("bias", path, given=settings) < 3e6
    with opened(browser, path) as page:
        ended(page)
        page.get_by_label("Presets and story").select_option("A regression with a bias")
        assert becomes(lambda: "source=Digits" in page.evaluate("location.hash"), True)
        ended(page)
        assert page.get_by_label("Data").input_value() == "Digits · even or odd"
        assert "wb.data.load('digits')" in page.locator("#x-text-code pre").inner_text()
    # None of the presets has this value.
    export.export("bias", path, given=[("mu", "7")], force=True)
    assert {entry["group"] for entry in live_file.record(path)["picks"]["entries"]} == {"Story"}
