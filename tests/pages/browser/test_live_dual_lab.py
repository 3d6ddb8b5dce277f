"""The Dual lab as a file that solves in the browser: controls, runs, refusals, certificates, points."""

import numpy as np
import pytest

import workbench as wb
from tests.helpers import lab_runs
from tests.helpers.live_file import address, alone, at, columns, converged, drag, opened, points_of
from tests.helpers.page_browser import becomes
from workbench._support.errors import InputError
from workbench.data.examples.plane import SOURCES, write_points
from workbench.pages import export
from workbench.pages.dual_lab import model as dual_lab

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "dual-lab"
SETTINGS = {"loss": "Smoothed hinge", "regularizer": "Squared ℓ2", "lam": 0.01, "update": "bounded"}
PLANE = {"source": dual_lab.PLANE, "lam": 0.01, "regularizer": "Squared ℓ2"}


def test_controls_keys_and_a_run_whose_certificate_is_pythons(browser, file):
    run = lab_runs.run_of(lab_runs.settings(**SETTINGS))
    # Unknown and invalid parameters keep the defaults.
    with opened(browser, file, address(SETTINGS) + "&constructor=1&epsilon=None&tolerance=7") as page:
        converged(page)
        end = int(page.locator("body").get_attribute("data-step"))
        lines = page.locator(".wb-line").all_inner_texts()
        last = int(page.locator("#x-frame").get_attribute("max"))
        assert last >= 3
        # A closed fold is filled when it opens, and follows the bar.
        assert page.locator("#x-certainty tr").count() == 0
        page.locator("summary", has_text="Why is this certain?").click()
        table = page.locator("#x-certainty tbody")
        assert becomes(table.locator("tr").count, 10 + 3) == 10 + 3
        terms = table.inner_text()
        page.locator("#x-frame").fill("2")
        page.locator(f"body[data-step='{2 * run.epoch_steps}']").wait_for()
        assert page.locator(".wb-line").all_inner_texts() != lines
        assert becomes(lambda: table.inner_text() != terms, True)
        page.locator("#x-frame").fill(str(last))
        page.locator(f"body[data-step='{end}']").wait_for()
        page.mouse.move(2, 2)  # from a row of the table, which lights its sample
        assert becomes(page.locator(".wb-line").all_inner_texts, lines) == lines
        numbers = page.locator("#x-line-objective").inner_text()
        page.locator("body").click(position={"x": 700, "y": 15})
        page.keyboard.press("r")
        page.locator("body[data-status=paused][data-step='0']").wait_for()
        page.keyboard.press("ArrowRight")
        page.locator("body[data-status=paused][data-step='1']").wait_for()
        page.keyboard.press(" ")
        converged(page)
        before = page.locator(".wb-formula").inner_text()
        weight = page.get_by_label("λ weight")
        assert weight.get_attribute("aria-valuetext") == "0.01"
        weight.press("ArrowRight")
        assert becomes(lambda: page.locator(".wb-formula").inner_text() != before, True)
        assert becomes(lambda: "lam=0.013" in page.evaluate("location.hash"), True)
        converged(page)
        # What the engine refuses is a sentence, and the picture stays.
        page.get_by_label("Update", exact=True).select_option("exact")
        page.get_by_label("Loss", exact=True).select_option("Logistic")
        page.get_by_label("Regularizer", exact=True).select_option("Entropy")
        assert becomes(lambda: "regularizer=Entropy" in page.evaluate("location.hash"), True)
        converged(page)
        lines = page.locator(".wb-line").all_inner_texts()
        page.get_by_label("Update", exact=True).select_option("bounded")
        page.locator(".wb-status.bad", has_text="needs a bound of the curvature").wait_for()
        assert page.locator(".wb-line").all_inner_texts() == lines
        page.get_by_label("Update", exact=True).select_option("exact")
        page.locator(".wb-status.bad").wait_for(state="detached")
        converged(page)
    run.step(end)
    certificate = run.certificate()
    assert certificate.relative_gap <= 1e-4
    assert numbers == dual_lab.format_text("objective", primal=certificate.primal, dual=certificate.dual)


def test_the_last_of_many_changes_counts(browser, file, record):
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
        names = ("loss", "regularizer", "lam", "tolerance")
        chosen = {name: record["controls"][name]["values"] for name in names}
        settings = {
            "loss": "Hinge",
            "regularizer": chosen["regularizer"][0],
            "lam": chosen["lam"][40],
            "tube": 0.1,
        }
        assert becomes(lambda: f"lam={settings['lam']:g}" in page.evaluate("location.hash"), True)
        page.locator("body[data-status=converged]").wait_for()
        curves = columns(page, record, ("curves",))["curves"]
    run = lab_runs.run_of(lab_runs.settings(**settings))
    while not run.rows[-1]["relative_gap"] <= chosen["tolerance"][1]:
        run.epoch()
        run.record()
    rows = run.rows
    for name in ("primal", "dual", "gap"):
        np.testing.assert_allclose(curves[name], [row[name] for row in rows], rtol=1e-6, atol=1e-9)


def test_points_are_moved_by_hand(browser, file, record):
    """A drag goes on from the dual variables that there were; what is under the pointer is lit everywhere."""
    X, y = SOURCES["Overlapping"]()
    sample, ids = alone(X), {"ids": record["plane"]["ids"]}
    with opened(browser, file, "#tolerance=0.01") as page:
        converged(page)
        card = page.locator("section.x-card", has=page.locator("#x-figure-plane"))
        assert card.is_hidden()
        assert page.get_by_label("Points to begin with").is_hidden()
        page.get_by_label("Data", exact=True).select_option(dual_lab.PLANE)
        page.locator("#x-line-plane", has_text="of 50 points").wait_for()
        assert page.locator("#x-figure-plane canvas").first.bounding_box()["width"] > 200
        assert page.get_by_label("Points to begin with").is_visible()
        page.get_by_label("Data", exact=True).select_option("Breast cancer")
        assert becomes(card.is_hidden, True)
        page.locator("#x-line-weights", has_text="Held-out score").wait_for()
    with opened(browser, file, address(PLANE)) as page:
        converged(page)
        page.locator("#x-figure-plane").scroll_into_view_if_needed()
        page.mouse.move(*at(page, X[sample].tolist()))

        def lit():
            return columns(page, record, ["lit"])["lit"]

        assert becomes(lambda: lit()["sample"], [sample]) == [sample]
        point, duals = lit(), columns(page, record, ["duals"])["duals"]
        assert [point["x"][0], point["y"][0]] == X[sample].tolist()
        assert point["place"][0] == duals["place"][duals["sample"].index(sample)]
        before, place = columns(page, ids, ["points", "lines"]), X[sample] + [0.4, -0.4]
        drag(page, X[sample].tolist(), place.tolist(), "from the dual variables of the place before")
        assert columns(page, ids, ["lines"])["lines"] != before["lines"]
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[sample], place, atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
        np.testing.assert_array_equal(labels, y)
        alpha = columns(page, ids, ["points"])["points"]["alpha"]
        curves = columns(page, record, ["curves"])["curves"]
        page.locator("summary", has_text="Why is this certain?").click()
        row = page.locator("#x-certainty tr[data-sample]").first
        row.hover()
        other = int(row.get_attribute("data-sample"))
        assert becomes(lambda: lit()["sample"], [other]) == [other]
        assert [lit()["x"][0], lit()["y"][0]] == moved[other].tolist()
    model = dual_lab.DualLab(**PLANE, points=write_points(moved, labels))
    point = wb.certificate(dual_lab.problem(model.settings()), alpha=np.array(alpha))
    assert point.relative_gap <= model.tolerance * (1 + 1e-6)
    assert curves["primal"][-1] == pytest.approx(point.primal, rel=1e-9)
    # At zero the gap is 1. A busy machine makes one of all moves of the mouse, so the place is not far.
    assert curves["gap"][0] < 0.1


def test_a_browser_without_webassembly_shows_a_picture(browser, file):
    with opened(browser, file, script="delete window.WebAssembly") as page:
        page.locator(".wb-status", has_text="no WebAssembly").wait_for()
        assert page.locator("canvas").count() >= 6
        assert "The optimum lies between" in page.locator("#x-line-objective").inner_text()


def test_only_known_data_and_settings_are_packed(tmp_path):
    with pytest.raises(InputError, match="takes one of"):
        export.export("dual-lab", tmp_path / "x.html", given=[("source", "nothing")])
    settings = [("source", "Breast cancer"), ("loss", "Hinge"), ("regularizer", "Squared ℓ2"), ("lam", "0.1")]
    size = export.export("dual-lab", tmp_path / "y.html", given=settings)
    assert size < 3e6
    text = (tmp_path / "y.html").read_text(encoding="utf-8")
    assert "Regularizer: Squared ℓ2" in text
    # Without the plane there are no points to begin with.
    assert "x-figure-plane'" not in text
    assert "Points to begin with" not in text
