"""The page of norms as a file that solves in the browser; its pictures are those of the served page."""

import contextlib
import io

import pytest

from tests.helpers import live_file
from tests.helpers.live_file import columns, opened, press
from tests.helpers.page_browser import becomes
from workbench._support.errors import InputError
from workbench.pages import export
from workbench.pages.norms import model as norms
from workbench.pages.norms.page import terms
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "norms"


def address(settings):
    return live_file.address({k: str(v).lower() if isinstance(v, bool) else v for k, v in settings.items()})


def ended(page):
    page.wait_for_function("!['running', undefined].includes(document.body.dataset.status)")


def test_a_run_is_sought_counted_refused_and_loaded_again(browser, file, record):
    """The certificates of a run stay where one looks back at it; Python's own run ends as the page's."""
    settings = {"norm": "ℓ1", "ratio": 0.3, "tolerance": "1e-9"}
    with opened(browser, file, address(settings)) as page:
        page.locator("body[data-status=converged]").wait_for()
        end = int(page.locator("body").get_attribute("data-step"))
        said = numerals(f"Reached a relative gap of 1e-09 after {end} steps.")
        assert page.locator("#x-status").inner_text() == said
        curves = columns(page, record, ["curves"])["curves"]
        page.locator("#x-frame").fill("7")
        page.locator("body[data-step='7']").wait_for()
        assert columns(page, record, ["curves"])["curves"] == curves
        repaired = f"Repaired, it is {numerals(format(curves['repaired'][7], '.2e'))}"
        assert repaired in page.locator("#x-line-norm_gaps").inner_text()
        page.reload()
        page.locator("body[data-status=converged]").wait_for()
        assert int(page.locator("body").get_attribute("data-step")) == end
        code, printed = page.locator("#x-text-code pre").inner_text(), io.StringIO()
        # What cannot be solved is refused in Python's sentence.
        for label, option, setting in (
            ("Regularizer", "Crossing groups", {"norm": "Crossing groups"}),
            ("Regularizer", "ℓ1", None),
            ("Loss", "Logistic", {"loss": "Logistic"}),
        ):
            page.get_by_label(label, exact=True).select_option(option)
            if setting is None:
                page.locator("body[data-status=converged]").wait_for()
                continue
            with pytest.raises(InputError) as refused:
                terms(norms.problem(norms.Norms(**setting).settings()))
            page.locator(".wb-status.bad", has_text=str(refused.value)).wait_for()
            page.get_by_role("button", name="step", exact=True).click()
            page.get_by_role("button", name="run", exact=True).click()
            assert page.locator(".wb-status.bad").inner_text() == str(refused.value)
        page.get_by_label("Data").select_option("Breast cancer")
        page.get_by_label("Regularizer").select_option("Tree")
        page.locator(".wb-status.bad").wait_for(state="detached")
        ended(page)
        press(page, "reset", 0)
        press(page, "step", 1)
        press(page, "10 steps", 11)
        before = columns(page, record, ["curves", "weights"])
        page.get_by_label("Section along").fill("20")
        page.get_by_label("Halving of the bisection").fill("30")
        names = norms.load("Breast cancer").names
        page.locator("#x-line-ball", has_text=f"In the section {names[20]} and {names[1]} vary").wait_for()
        page.locator("#x-line-bisection", has_text="Halving 30: [").wait_for()
        assert columns(page, record, ["curves", "weights"]) == before
        assert becomes(lambda: "first=20" in page.evaluate("location.hash"), True)
        assert page.locator("#x-figure-bisection").is_visible()
        page.get_by_label("Regularizer").select_option("ℓ1")
        assert becomes(page.locator("#x-figure-bisection").is_visible, False) is False
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    # Not every step of the code's run is certified, so it may end later.
    assert float(printed.getvalue().split()[0]) == pytest.approx(curves["primal"][-1], rel=1e-8)


def test_choices_are_fixed_and_refused_at_export(tmp_path):
    path = tmp_path / "norms.html"
    export.export("norms", path, given=[("norm", "Tree"), ("source", "Breast cancer"), ("loss", "Logistic")])
    known = live_file.record(path)
    assert [name["name"] for name in known["sources"]] == ["Breast cancer"]
    assert known["controls"]["norm"]["values"] == ["Tree"]
    with pytest.raises(InputError, match="form no tree"):
        export.export("norms", tmp_path / "refused.html", given=[("norm", "Crossing groups")])
    assert [path.name for path in tmp_path.iterdir()] == ["norms.html"]
