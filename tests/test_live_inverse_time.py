"""The page of inverse time as a file that solves in the browser: samples, steps and pictures are Python's."""

import html
import re

import live_file
import numpy as np
import pytest
from amounts import few
from live_file import agree, columns, opened, press
from page_browser import becomes, laid_out

from workbench.certificates import certify
from workbench.data.examples.gaussians import CANCER, means, two_gaussians
from workbench.errors import InputError
from workbench.pages import export
from workbench.pages.inverse_time import model as inverse_time
from workbench.pages.inverse_time import normals
from workbench.pages.inverse_time import sweep as sweeps
from workbench.pages.inverse_time.captions import said
from workbench.pages.inverse_time.figures import InverseTimeDrawing
from workbench.pages.inverse_time.page import frame, statistics
from workbench.pages.inverse_time.training_sets import HERE
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "inverse-time"

SETTINGS = {
    "gaussians": {"samples": 200, "seeds": 3},
    "batches": {
        "source": "Two Gaussians, 20 features", "p": 1.5, "batch": 10, "order": "shuffled", "samples": 400,
        "seed": 3, "seeds": 3, "measure": "Direction", "target": 0.2, "lam": 0.01,
    },
    "rows": {
        "source": CANCER, "samples": 60, "seeds": 3, "measure": "Test accuracy", "lam": 0.01, "p": 1.2,
    },
}  # fmt: skip
DRAW = HERE / "draw.js"
SWEPT = ("cells", "missed", "steps", "bound")
TIMED = ("seconds",)
# Of a certificate, in units of P(0).
SAME = 1e-10


def address(settings):
    return live_file.address({"tolerance": 0.1, "seeds": 3} | settings)


def ended(page):
    page.wait_for_function("!['running', undefined].includes(document.body.dataset.status)")


def swept(page, settings):
    count = settings["seeds"] * len(inverse_time.sizes(settings["source"]))
    page.locator(f"body[data-cells='{count}']").wait_for()
    assert page.locator("#x-text-sweep").inner_text() == said("swept", count=count)


def said_under(page, sentences):
    for name, text in sentences.items():
        assert becomes(page.locator(f"#x-line-{name}").text_content, numerals(text)) == numerals(text)


def check_run(page, held, lab):
    """The run's curves, sentences and numbers are what Python draws of the same steps."""
    drawing, seen = InverseTimeDrawing(), frame(lab)
    said_under(page, drawing.show(seen))
    found, zero = columns(page, held, ["run"])["run"], lab.run.problem.zero_value
    for column, values in drawing.sources["run"].data.items():
        atol = 0.0 if column in ("step", "theorem") else SAME * zero
        np.testing.assert_allclose(found[column], values, rtol=1e-12, atol=atol, err_msg=column)
    told = page.locator("#x-text-numbers").inner_text()
    for text in filter(None, re.sub(r"<[^>]*>", "|", statistics(lab, seen)).split("|")):
        assert numerals(html.unescape(text)) in told


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_pictures_and_sentences_are_those_of_python(name, browser, file, held, monkeypatch):
    model = inverse_time.InverseTime(**SETTINGS[name])
    settings = model.settings()
    lab = inverse_time.build(settings)
    lab.run.step(1)
    lab.run.record()
    lab.run.epoch()
    lab.run.record()
    # L-BFGS is not in the browser.
    monkeypatch.setattr(sweeps, "REFERENCES", 0)
    cells = list(sweeps.sweep(settings, lambda: False))
    largest = inverse_time.make_problem(settings, inverse_time.sizes(settings["source"])[-1], 0)
    constants = inverse_time.constants(largest, inverse_time.population(settings["source"]).reference)
    drawing = InverseTimeDrawing()
    sentences = drawing.show_sweep(cells, settings, constants, model.c, False)
    with opened(browser, file, address(SETTINGS[name])) as page:
        ended(page)
        press(page, "reset", 0)
        press(page, "step", 1)
        press(page, "epoch", lab.run.steps)
        check_run(page, held, lab)
        swept(page, settings)
        said_under(page, {"sweep_steps": sentences["sweep_steps"]})
        found = columns(page, held, (*SWEPT, *TIMED))
        for source in SWEPT:
            for column, values in drawing.sources[source].data.items():
                agree(found[source][column], values, f"{source}.{column}")
        # How long it took is nobody else's.
        for source in TIMED:
            np.testing.assert_array_equal(found[source]["m"], drawing.sources[source].data["m"])
            assert min(found[source]["median"]) >= 0.0
        code = inverse_time.code(settings, 0.1)
        assert becomes(page.locator("#x-text-code pre").inner_text, code) == code


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
        assert any("30" in [each["text"] for each in drawn] for drawn in page.evaluate("texts_drawn()"))


def test_a_run_is_sought_certified_and_loaded_again(browser, file, held):
    """The run ends where Python's does, and the steps that are looked back at are Python's."""
    model = inverse_time.InverseTime(samples=800, lam=0.01, seed=2)
    lab = inverse_time.build(model.settings())
    assert inverse_time.play(lab, np.inf, 0.1)
    with opened(browser, file, address({"samples": 800, "lam": 0.01, "seed": 2})) as page:
        page.locator("body[data-status=converged]").wait_for()
        check_run(page, held, lab)
        end = lab.run.steps
        assert page.locator("#x-status").inner_text() == said("converged", tolerance=0.1, steps=end)
        page.locator("#x-frame").fill("9")
        past = inverse_time.build(model.settings())
        for row in lab.run.rows[1:10]:
            past.run.step(row["step"] - past.run.steps)
            past.run.record()
        page.locator(f"body[data-step='{past.run.steps}']").wait_for()
        check_run(page, held, past)
        run, problem = columns(page, held, ["run"])["run"], past.run.problem
        certificate = certify(problem, **past.run.solver.point(past.run.state))
        assert abs(run["gap"][-1] - certificate.gap) <= SAME * problem.zero_value
        page.reload()
        page.locator(f"body[data-status=converged][data-step='{end}']").wait_for()
        assert page.get_by_label("Training samples of the run").get_attribute("aria-valuetext") == "800"


def test_other_data_have_other_sizes_and_c_moves_the_bound_alone(browser, file, held):
    with opened(browser, file, address({"samples": 6400})) as page:
        ended(page)
        page.get_by_label("Data").select_option(CANCER)
        output = page.locator("#x-samples-said")
        assert becomes(output.inner_text, "455") == "455"
        page.locator("body[data-cells='12']").wait_for()
        page.get_by_label("Data").select_option("Two Gaussians, 10 features")
        assert becomes(output.inner_text, "1,600") == "1,600"
        page.locator("body[data-cells='24']").wait_for()
        before = columns(page, held, ["bound", "cells"])
        page.get_by_label("c of Theorem 2").focus()
        page.keyboard.press("ArrowRight")
        assert becomes(lambda: columns(page, held, ["bound"])["bound"] != before["bound"], True)
        assert columns(page, held, ["cells"])["cells"] == before["cells"]
        page.get_by_label("Quantity to be approximated").select_option("Direction")
        page.locator("#x-line-sweep_steps", has_text=said("silent")).wait_for()


def test_samples_are_drawn_as_numpy_draws_them(browser):
    """The classes and all normal numbers to the bit, but for the last place of the tail's logarithm."""
    d, m, seed = 40, 5000, [3, 5000]
    mean, deviation = means(d)
    page = browser.new_page()
    page.add_script_tag(path=DRAW)
    given = [{"mean": mean.tolist(), "deviation": deviation.tolist()}, m, normals.state(seed)]
    drawn = page.evaluate(
        """([population, m, state, strips]) => {
            const { values, y } = two_gaussians(population, m, state, Float64Array.from(strips));
            return [Array.from(values), Array.from(y)];
        }""",
        [*given, normals.strips().tolist()],
    )
    page.close()
    X, y = two_gaussians(d, m, np.random.default_rng(seed))
    values = np.reshape(drawn[0], X.shape)
    np.testing.assert_array_equal(drawn[1], y)
    assert np.count_nonzero(values != X) <= 1e-3 * X.size
    np.testing.assert_allclose(values, X, rtol=0.0, atol=2e-15)


def test_without_webassembly_a_picture_stays(browser, file):
    with opened(browser, file, script="delete window.WebAssembly") as page:
        assert page.locator("body").get_attribute("data-shown") == "picture"
        assert "shows a picture" in page.locator("#x-status").inner_text()
        assert page.locator("canvas").count() > 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([("measure", "Suboptimality")], "needs a lower bound by L-BFGS"),
        ([("source", CANCER), ("samples", "800")], "use 455 or less"),
    ],
)
def test_what_does_not_run_in_a_browser_is_refused_at_export(given, words, tmp_path):
    with pytest.raises(InputError, match=words):
        export.export("inverse-time", tmp_path / "refused.html", given=given)
    assert list(tmp_path.iterdir()) == []
