"""The page on biases as a file that solves in the browser; its pictures are those of the served page."""

import live_file
import numpy as np
import pytest
from live_file import agree, columns, opened
from page_browser import becomes

import workbench as wb
from workbench.errors import InputError
from workbench.pages import export
from workbench.pages.bias import model as bias
from workbench.pages.bias.figures import TITLES
from workbench.pages.bias.page import FIRST

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "bias"


def ended(page, status="converged"):
    page.locator(f"body[data-status={status}]").wait_for()


def test_a_preset_diverges_and_says_what_helps(browser, file):
    with opened(browser, file) as page:
        ended(page)
        page.get_by_label("Presets and story").select_option("η too large: the multiplier oscillates")
        ended(page, "diverged")
        reason = "the multipliers swing and do not come to rest; lower eta = 3."
        assert f"diverged; {reason}" in page.locator("#x-status").inner_text()
        assert f"Diverged: {reason}" in page.locator("#x-line-small").inner_text()
        assert page.get_by_label("η, step").get_attribute("aria-valuetext") == "3"
        assert becomes(lambda: "eta=3&" in page.evaluate("location.hash"), True)
        page.reload()
        ended(page, "diverged")
        page.get_by_label("Algorithms").select_option(bias.FULL)
        ended(page)
        assert "Algorithm 3 is not running" in page.locator("#x-line-small").inner_text()
        assert page.get_by_label("η, step").is_hidden()
        assert page.get_by_label("Presets and story").input_value() == "Choose one"


def test_the_last_of_many_changes_counts(browser, file, held):
    """Problems that follow each other faster than they are solved leave nothing in the last one's curves."""
    with opened(browser, file, "#tolerance=0.000001&lam=0.001") as page:
        page.evaluate(
            """async () => {
                const names = ["x-eta", "x-algorithms", "x-loss"];
                const [eta, which, loss] = names.map((id) => document.getElementById(id));
                for (let k = 0; k < 20; k++) {
                    eta.value = k % 6;
                    which.selectedIndex = k % 3;
                    loss.selectedIndex = k % 2;
                    eta.dispatchEvent(new Event("input"));
                    await new Promise((done) => setTimeout(done, 20 + 7 * (k % 4)));
                }
                document.getElementById("x-tolerance").value = 1;
                document.getElementById("x-lam").value = 50;
                [eta.value, which.selectedIndex, loss.selectedIndex] = [6, 0, 0];
                eta.dispatchEvent(new Event("input"));
            }"""
        )
        lam = held["controls"]["lam"]["values"][50]
        assert becomes(lambda: f"lam={lam:g}" in page.evaluate("location.hash"), True)
        ended(page)
        found = columns(page, held, held["ids"]["sources"])
    settings = bias.BiasLab(eta=1.0).settings()
    problem = bias.problem("Breast cancer", bias.BIAS).replace("hinge", "squared-l2", lam)
    for algorithm, part in bias.PARTS.items():
        drawn, run = found[f"{part}_curves"], wb.Run(problem, bias.solver(settings, algorithm))
        gaps = [run.certificate().gap]
        for _ in drawn["time"][1:]:
            run.epoch()
            gaps.append(run.certificate().gap)
        agree(drawn["time"], list(range(len(gaps))), "time")
        np.testing.assert_allclose(drawn["certified"], gaps, rtol=1e-6, atol=1e-9)


def test_figures_are_folded_as_on_the_served_page(browser, file):
    with opened(browser, file, "#tolerance=0.01") as page:
        ended(page)
        seen = {name: page.locator(f"#x-figure-{name}") for name in TITLES}
        assert {name for name, figure in seen.items() if figure.is_visible()} == set(FIRST)
        button = page.get_by_role("button", name="3 more figures")
        button.focus()
        page.keyboard.press("Enter")
        assert button.get_attribute("aria-expanded") == "true"
        for figure in seen.values():
            assert becomes(lambda f=figure: f.locator("canvas").first.bounding_box()["width"] > 300, True)
        button.click()
        assert seen["profile"].is_hidden()


def test_keys_and_an_address_that_is_none_of_the_pages(browser, file):
    with opened(browser, file, "#lam=7&loss=Logistic&constraint=none&nothing=1&constructor=%ZZ") as page:
        ended(page)
        assert page.get_by_label("Loss", exact=True).input_value() == "Logistic"
        assert page.get_by_label("λ, weight").get_attribute("aria-valuetext") == "0.01"
        assert page.get_by_label("tube of the loss").is_hidden()
        page.locator("body").click(position={"x": 700, "y": 15})
        page.keyboard.press("r")
        page.locator("body[data-status=paused][data-step='0']").wait_for()
        page.keyboard.press("ArrowRight")
        page.locator("body[data-status=paused][data-step='1']").wait_for()
        page.keyboard.press(" ")
        ended(page)


def test_what_the_engine_refuses_is_a_sentence_and_the_picture_stays(browser, file):
    with opened(browser, file, "#regularizer=q-norm&q=3&lam=0.1") as page:
        ended(page)
        lines = page.locator(".wb-line").all_inner_texts()
        page.get_by_label("Update", exact=True).select_option("bounded")
        page.locator(".wb-status.bad", has_text="needs a bound of the curvature").wait_for()
        assert page.locator(".wb-line").all_inner_texts() == lines
        page.get_by_role("button", name="run", exact=True).click()
        page.get_by_label("Update", exact=True).select_option("exact")
        ended(page)
        assert page.locator(".wb-status.bad").count() == 0


def test_a_browser_without_webassembly_shows_a_picture(browser, file):
    with opened(browser, file, script="delete window.WebAssembly") as page:
        page.locator(".wb-status", has_text="no WebAssembly").wait_for()
        assert page.locator("canvas").count() >= 5
        assert "certified" in page.locator("#x-line-full").inner_text()


def test_what_does_not_run_in_a_browser_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"constraints C v = b do not run .* 'workbench serve bias'"):
        export.export("bias", tmp_path / "x.html", given=[("constraint", bias.SUM)])
    with pytest.raises(InputError, match="takes one of"):
        export.export("bias", tmp_path / "x.html", given=[("source", "nothing")])
    assert list(tmp_path.iterdir()) == []


def test_other_data_come_with_their_presets(tmp_path, browser):
    given = [("source", "Digits · even or odd"), ("source", "Breast cancer"), ("lam", "0.01")]
    path = tmp_path / "two.html"
    assert export.export("bias", path, given=given) < 3e6
    with opened(browser, path) as page:
        ended(page)
        page.get_by_label("Presets and story").select_option("A regression with a bias")
        assert becomes(lambda: "source=Digits" in page.evaluate("location.hash"), True)
        ended(page)
        assert page.get_by_label("Data").input_value() == "Digits · even or odd"
        assert "wb.data.load('digits')" in page.locator("#x-text-code pre").inner_text()
    # None of the presets has this value.
    export.export("bias", path, given=[("mu", "7")], force=True)
    assert {each["group"] for each in live_file.held(path)["picks"]["entries"]} == {"Story"}
