"""The page of norms as a file that solves in the browser: its gaps, pictures and sentences are Python's."""

import html
import re

import live_file
import numpy as np
import pytest
from amounts import few
from live_file import agree, columns, opened, press
from page_browser import becomes
from workbench.pages.norms.frame import frame

from workbench import gaps
from workbench.certificates import certify
from workbench.pages import export
from workbench.pages.norms import model as norms
from workbench.pages.norms.figures import COLUMNS, NormsDrawing
from workbench.pages.norms.page import statistics
from workbench.pages.numerals import numerals

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "norms"

SETTINGS = {
    "groups": {},
    "lines": {"norm": "ℓ1", "ratio": 0.1, "intercept": False, "step": "backtracking", "restart": False},
    "largest": {"source": "Breast cancer", "norm": "Group ℓ1/ℓ∞", "loss": "Logistic", "best": True},
    "tree": {
        "source": "Breast cancer", "norm": "Tree", "loss": "Smoothed hinge", "first": 3, "second": 13,
        "halving": 20,
    },
    "sparse groups": {
        "source": "Digits · even or odd", "norm": "Sparse group", "loss": "Huber", "second": 9,
        "tolerance": 0.01,
    },
    "box": {"norm": "Elastic net"},
    "smooth box": {"source": "Breast cancer", "norm": "Elastic net", "loss": "Logistic"},
}  # fmt: skip
STEPS = 11
# Of a certificate, in units of P(0).
SAME = 1e-10


def address(settings):
    return live_file.address({k: str(v).lower() if isinstance(v, bool) else v for k, v in settings.items()})


def ended(page):
    page.wait_for_function("!['running', undefined].includes(document.body.dataset.status)")


def played(settings, steps):
    """Python's run of so many steps, each certified."""
    lab = norms.build(settings)
    for _ in range(steps):
        lab.run.step()
        lab.run.record()
    return lab


def shown(lab, model):
    return frame(lab, model.first, model.second) | {"halving": model.halving}


def check_picture(page, held, lab, model):
    """Every source, sentence and number of the page is what Python draws of the same run."""
    drawing, seen = NormsDrawing(), shown(lab, model)
    sentences = drawing.show(seen)
    for name, text in sentences.items():
        assert becomes(page.locator(f"#x-line-{name}").text_content, numerals(text)) == numerals(text)
    check_sources(page, held, lab, drawing)
    told = page.locator("#x-text-numbers").inner_text()
    for text in filter(None, re.sub(r"<[^>]*>", "|", statistics(seen)).split("|")):
        assert numerals(html.unescape(text)) in told
    assert page.locator(".katex-error").count() == 0


def check_sources(page, held, lab, drawing):
    """Every source of the page holds what Python's drawing of the lab does."""
    found, zero = columns(page, held, COLUMNS), lab.run.problem.zero_value
    for source, expected in drawing.sources.items():
        for column, values in expected.data.items():
            if source == "curves" and column != "step":
                # The gaps that are left of larger numbers, to the precision of these.
                ours = np.array([np.nan if x == "NaN" else x for x in found[source][column]], dtype=float)
                np.testing.assert_allclose(ours, values, rtol=0.0, atol=SAME * zero, err_msg=column)
            else:
                agree(found[source][column], values, f"{source}.{column}")


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_pictures_and_sentences_are_those_of_python(name, browser, file, held):
    model = norms.Norms(**{"ratio": 0.1} | SETTINGS[name])
    lab = played(model.settings(), STEPS)
    with opened(browser, file, address(SETTINGS[name])) as page:
        ended(page)
        press(page, "reset", 0)
        press(page, "step", 1)
        press(page, "10 steps", STEPS)
        check_picture(page, held, lab, model)
        code = norms.code(lab, model.tolerance)
        assert becomes(page.locator("#x-text-code pre").inner_text, code) == code


def test_a_run_is_sought_certified_and_loaded_again(browser, file, held):
    """The run ends where Python's does; the certificate of a step in the past is Python's to 1e-10 P(0)."""
    settings = {"norm": "ℓ1", "ratio": 0.3, "tolerance": 1e-9}
    model = norms.Norms(**settings)
    lab = norms.build(model.settings())
    assert norms.play(lab, np.inf, model.tolerance)
    settings["tolerance"] = "1e-9"
    with opened(browser, file, address(settings)) as page:
        page.locator("body[data-status=converged]").wait_for()
        end = int(page.locator("body").get_attribute("data-step"))
        assert end == lab.run.steps
        said = norms.said("converged", tolerance=1e-9, steps=end)
        assert page.locator("#x-status").inner_text() == numerals(said)
        page.locator("#x-frame").fill("7")
        page.locator("body[data-step='7']").wait_for()
        past = played(model.settings(), 7)
        check_certificate(page, held, past)
        page.reload()
        page.locator("body[data-status=converged]").wait_for()
        assert int(page.locator("body").get_attribute("data-step")) == end
        check_picture(page, held, lab, model)


def check_certificate(page, held, lab):
    found, run = columns(page, held, ["curves", "weights"]), lab.run
    order = np.concatenate([np.array(group) for group in lab.found.groups])
    w = np.empty(order.size)
    w[order] = found["weights"]["weight"]
    np.testing.assert_allclose(w, run.problem.split(run.state.w)[0], rtol=0.0, atol=1e-12)
    assert found["curves"]["step"] == list(range(run.steps + 1))
    zero, gap = run.problem.zero_value, gaps.norm_gap(run.problem, w, float(run.state.b))
    primal = certify(run.problem, w=w).primal
    for name, expected in (("repaired", gap.repaired), ("better", gap.better), ("primal", primal)):
        assert abs(found["curves"][name][-1] - expected) <= SAME * zero


def test_what_is_looked_at_changes_no_step(browser, file, held):
    settings = {"source": "Breast cancer", "norm": "Tree", "loss": "Logistic"}
    with opened(browser, file, address(settings)) as page:
        ended(page)
        press(page, "reset", 0)
        press(page, "10 steps", 10)
        page.get_by_label("Section along").fill("20")
        page.get_by_label("Halving of the bisection").fill("30")
        model = norms.Norms(**settings, first=20, halving=30, ratio=0.1)
        check_picture(page, held, played(model.settings(), 10), model)
        assert becomes(lambda: "first=20" in page.evaluate("location.hash"), True)
        assert page.locator("#x-figure-bisection").is_visible()
        page.get_by_label("Regularizer").select_option("ℓ1")
        assert becomes(page.locator("#x-figure-bisection").is_visible, False) is False


@pytest.mark.parametrize(
    ("label", "option", "settings"),
    [
        ("Regularizer", "Crossing groups", {"norm": "Crossing groups"}),
        ("Loss", "Logistic", {"loss": "Logistic"}),
    ],
)
def test_what_cannot_be_solved_is_refused_in_pythons_sentence(label, option, settings, browser, file):
    with pytest.raises(norms.InputError) as refused:
        norms.build(norms.Norms(**settings).settings())
    with opened(browser, file) as page:
        ended(page)
        page.get_by_label(label, exact=True).select_option(option)
        page.locator(".wb-status.bad", has_text=str(refused.value)).wait_for()
        page.get_by_role("button", name="step", exact=True).click()
        page.get_by_role("button", name="run", exact=True).click()
        assert page.locator(".wb-status.bad").inner_text() == str(refused.value)
        page.get_by_label("Data").select_option("Breast cancer")
        page.get_by_label("Regularizer").select_option("Group ℓ1/ℓ2")
        page.locator("body[data-status=converged]").wait_for()


def test_without_webassembly_a_picture_stays(browser, file):
    with opened(browser, file, script="delete window.WebAssembly") as page:
        assert page.locator("body").get_attribute("data-shown") == "picture"
        assert "shows a picture" in page.locator("#x-status").inner_text()
        assert page.locator("canvas").count() > 0


def test_choices_are_fixed_and_refused_at_export(tmp_path):
    path = tmp_path / "norms.html"
    export.export("norms", path, given=[("norm", "Tree"), ("source", "Breast cancer"), ("loss", "Logistic")])
    known = live_file.held(path)
    assert list(known["sources"]) == ["Breast cancer"]
    assert known["controls"]["norm"]["values"] == ["Tree"]
    with pytest.raises(norms.InputError, match="form no tree"):
        export.export("norms", tmp_path / "refused.html", given=[("norm", "Crossing groups")])
    assert [each.name for each in tmp_path.iterdir()] == ["norms.html"]
