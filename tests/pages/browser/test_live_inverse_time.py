"""The page of inverse time as a file that solves in the browser; the served page has the same pictures."""

import contextlib
import io

import pytest

import workbench as wb
from tests.helpers import live_file
from tests.helpers.live_file import columns, opened, press
from tests.helpers.page_browser import becomes, laid_out
from workbench._support.errors import InputError
from workbench.data.examples.gaussians import CANCER
from workbench.pages import export
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.wording import Wording

format_text = Wording("inverse_time").format_text

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "inverse-time"


def address(settings):
    return live_file.address({"tolerance": 0.1, "seeds": 3} | settings)


def ended(page):
    page.wait_for_function("!['running', undefined].includes(document.body.dataset.status)")


def test_labels_of_a_short_logarithmic_axis_do_not_touch_on_a_telephone(browser, file):
    settings = {"source": CANCER, "samples": 60, "seeds": 3}
    with opened(browser, file, live_file.address(settings), script=live_file.NOTES_TEXTS) as page:
        page.set_viewport_size({"width": 390, "height": 844})
        page.locator("body[data-status]").wait_for()
        press(page, "reset", 0)
        # Below two decades an axis has labels between the powers of ten.
        press(page, "epoch", 60)
        laid_out(page)
        assert live_file.clashes(page) == []
        assert any("30" in [label["text"] for label in drawn] for drawn in page.evaluate("texts_drawn()"))


def test_a_run_and_its_sweep_are_sought_and_loaded_again_and_other_data_have_other_sizes(
    browser, file, record
):
    settings = {"samples": 800, "seed": 2}
    with opened(browser, file, address(settings)) as page:
        page.locator("body[data-status=converged]").wait_for()
        end = int(page.locator("body").get_attribute("data-step"))
        assert page.locator("#x-status").inner_text() == format_text("converged", tolerance=0.1, steps=end)
        page.locator("body[data-cells='24']").wait_for()
        assert page.locator("#x-text-sweep").inner_text() == format_text("swept", count=24)
        page.locator("#x-line-sweep_time", has_text="PGS takes").wait_for()
        assert "L-BFGS" not in page.locator("#x-line-sweep_time").inner_text()
        figures = columns(page, record, ["cells", "missed", "seconds", "reference", "run"])
        assert len(figures["cells"]["m"]) + len(figures["missed"]["m"]) == 24
        assert figures["reference"]["m"] == []
        assert min(figures["seconds"]["median"]) >= 0.0
        page.locator("#x-frame").fill("9")
        page.locator(f"body[data-step='{int(figures['run']['step'][9])}']").wait_for()
        assert columns(page, record, ["run"])["run"] == figures["run"]
        page.reload()
        page.locator(f"body[data-status=converged][data-step='{end}']").wait_for()
        assert page.get_by_label("training samples m of the run").get_attribute("aria-valuetext") == "800"
        code, printed = page.locator("#x-text-code pre").inner_text(), io.StringIO()
        # Other data have other sizes, and c moves the bound alone.
        page.get_by_label("Data").select_option(CANCER)
        output = page.locator("#x-samples-said")
        assert becomes(output.inner_text, "455") == "455"
        page.locator("body[data-cells='12']").wait_for()
        page.get_by_label("Data").select_option("Two Gaussians, 10 features")
        assert becomes(output.inner_text, "1,600") == "1,600"
        page.locator("body[data-cells='24']").wait_for()
        before = columns(page, record, ["bound", "cells"])
        page.get_by_label("c of Theorem 2").focus()
        page.keyboard.press("ArrowRight")
        assert becomes(lambda: columns(page, record, ["bound"])["bound"] != before["bound"], True)
        assert columns(page, record, ["cells"])["cells"] == before["cells"]
        page.get_by_label("Quantity to be approximated").select_option("Direction")
        page.locator("#x-line-sweep_steps", has_text=format_text("silent")).wait_for()
    with contextlib.redirect_stdout(printed):
        exec(code, {})
    primal, dual, _ = map(float, printed.getvalue().split())
    chosen = inverse_time.InverseTime(**settings).settings()
    best = wb.solve(inverse_time.make_problem(chosen, 800, 2), tol=1e-6)
    assert dual <= best.primal <= primal


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ([("measure", "Suboptimality")], "needs a lower bound by L-BFGS"),
        ([("source", CANCER), ("samples", "800")], "use 455 or less"),
    ],
)
def test_what_does_not_run_in_a_browser_is_refused_at_export(settings, words, tmp_path):
    with pytest.raises(InputError, match=words):
        export.export("inverse-time", tmp_path / "refused.html", given=settings)
    assert list(tmp_path.iterdir()) == []
