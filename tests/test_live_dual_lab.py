"""The Dual lab as a file that solves in the browser: controls, runs, refusals, certificates."""

import lab_runs
import numpy as np
import pytest
from live_file import address, columns, opened
from page_browser import becomes

from workbench.pages import export
from workbench.pages.dual_lab.model import said

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"

SETTINGS = {
    "exact": {"loss": "Hinge", "regularizer": "Elastic net", "epsilon": 0.1, "lam": 0.001},
    "bounded": {"loss": "Smoothed hinge", "regularizer": "Squared ℓ2", "lam": 0.01, "update": "bounded"},
    "gradient": {
        "loss": "Logistic",
        "regularizer": "Squared ℓ2",
        "lam": 0.1,
        "update": "gradient",
        "eta": 0.1,
    },
    "signed": {"loss": "Squared hinge", "regularizer": "Entropy", "mu": 0.1, "lam": 0.01},
    "simplex": {"loss": "Huber", "regularizer": "Normalized entropy", "mu": 1.0, "lam": 0.01},
    "tube": {
        "loss": "ε-insensitive",
        "regularizer": "q-norm",
        "tube": 0.3,
        "q": 1.5,
        "lam": 0.01,
        "order": "cyclic",
    },
}


def test_a_run_converges_is_scrubbed_and_its_certificate_is_pythons(browser, file):
    settings = SETTINGS["bounded"]
    run = lab_runs.run_of(lab_runs.settings(**settings))
    with opened(browser, file, address(settings)) as page:
        page.locator("body[data-status=converged]").wait_for()
        end = int(page.locator("body").get_attribute("data-step"))
        lines = page.locator(".wb-line").all_inner_texts()
        at = int(page.locator("#x-frame").get_attribute("max"))
        assert at >= 3
        page.locator("#x-frame").fill("2")
        page.locator(f"body[data-step='{2 * run.epoch_steps}']").wait_for()
        assert page.locator(".wb-line").all_inner_texts() != lines
        page.locator("#x-frame").fill(str(at))
        page.locator(f"body[data-step='{end}']").wait_for()
        assert becomes(page.locator(".wb-line").all_inner_texts, lines) == lines
        numbers = page.locator("#x-line-objective").inner_text()
    run.step(end)
    found = run.certificate()
    assert found.relative_gap <= 1e-4
    assert numbers == said("objective", primal=found.primal, dual=found.dual)


def test_the_last_of_many_changes_counts(browser, file, held):
    """Problems that follow each other faster than they are solved leave nothing in the last one's curves."""
    with opened(browser, file, "#tolerance=0.000001&lam=0.001") as page:
        page.evaluate(
            """async () => {
                const [lam, term] = ["x-lam", "x-regularizer"].map((id) => document.getElementById(id));
                // Each runs for a second: its certificates are on their way when the next is asked for.
                for (let k = 0; k < 30; k++) {
                    lam.value = k % 5;
                    term.selectedIndex = k % 8 === 4 ? 2 : 0;
                    lam.dispatchEvent(new Event("input"));
                    await new Promise((done) => setTimeout(done, 20 + 7 * (k % 4)));
                }
                document.getElementById("x-tolerance").value = 1;
                lam.value = 40;
                lam.dispatchEvent(new Event("input"));
            }"""
        )
        wanted = ("loss", "regularizer", "lam", "tolerance")
        chosen = {name: held["controls"][name]["values"] for name in wanted}
        settings = {
            "loss": "Hinge",
            "regularizer": chosen["regularizer"][0],
            "lam": chosen["lam"][40],
            "tube": 0.1,
        }
        assert becomes(lambda: f"lam={settings['lam']:g}" in page.evaluate("location.hash"), True)
        page.locator("body[data-status=converged]").wait_for()
        found = columns(page, held, ("curves",))["curves"]
    run = lab_runs.run_of(lab_runs.settings(**settings))
    while not run.rows[-1]["relative_gap"] <= chosen["tolerance"][1]:
        run.epoch()
        run.record()
    rows = run.rows
    for name in ("primal", "dual", "gap"):
        np.testing.assert_allclose(found[name], [row[name] for row in rows], rtol=1e-6, atol=1e-9)


def test_sliders_keys_and_the_address(browser, file):
    with opened(browser, file, "#lam=7&loss=Logistic&constructor=1&regularizer=None") as page:
        page.locator("body[data-status=converged]").wait_for()
        # What is none of the page's is left as it was.
        assert page.get_by_label("Loss", exact=True).input_value() == "Logistic"
        assert page.get_by_label("λ weight").get_attribute("aria-valuetext") == "0.001"
        assert page.get_by_label("tube of the loss").count() == 0 or page.get_by_label("tube of").is_hidden()
        before = page.locator(".wb-stat").first.inner_text()
        page.get_by_label("λ weight").focus()
        page.keyboard.press("ArrowRight")
        assert becomes(lambda: page.locator(".wb-stat").first.inner_text() != before, True)
        assert becomes(lambda: "lam=0.0013" in page.evaluate("location.hash"), True)
        page.locator("body[data-status=converged]").wait_for()
        page.locator("body").click(position={"x": 700, "y": 15})
        page.keyboard.press("r")
        page.locator("body[data-status=paused][data-step='0']").wait_for()
        page.keyboard.press("ArrowRight")
        page.locator("body[data-status=paused][data-step='1']").wait_for()
        page.keyboard.press(" ")
        page.locator("body[data-status=converged]").wait_for()


def test_what_the_engine_refuses_is_a_sentence_and_the_picture_stays(browser, file):
    with opened(browser, file, "#regularizer=Entropy&loss=Logistic") as page:
        page.locator("body[data-status=converged]").wait_for()
        lines = page.locator(".wb-line").all_inner_texts()
        page.get_by_label("Update", exact=True).select_option("bounded")
        page.locator(".wb-status.bad", has_text="needs a bound of the curvature").wait_for()
        assert page.locator(".wb-line").all_inner_texts() == lines
        page.get_by_label("Update", exact=True).select_option("exact")
        page.locator("body[data-status=converged]").wait_for()
        assert page.locator(".wb-status.bad").count() == 0


def test_a_browser_without_webassembly_shows_a_picture(browser, file):
    with opened(browser, file, script="delete window.WebAssembly") as page:
        page.locator(".wb-status", has_text="no WebAssembly").wait_for()
        assert page.locator("canvas").count() >= 6
        assert "The optimum lies between" in page.locator("#x-line-objective").inner_text()


def test_only_known_data_and_settings_are_packed(tmp_path):
    from workbench.errors import InputError

    with pytest.raises(InputError, match="takes one of"):
        export.export("dual-lab", tmp_path / "x.html", given=[("source", "nothing")])
    given = [("loss", "Hinge"), ("regularizer", "Squared ℓ2"), ("lam", "0.1")]
    size = export.export("dual-lab", tmp_path / "y.html", given=given)
    assert size < 3e6
    assert "Regularizer: Squared ℓ2" in (tmp_path / "y.html").read_text(encoding="utf-8")
