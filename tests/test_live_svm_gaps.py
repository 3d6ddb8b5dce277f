"""The page on SVM gaps as a file that solves in the browser: its gaps and pictures are Python's."""

import html
import re

import numpy as np
import pytest
from amounts import few
from live_file import (
    address,
    agree,
    alone,
    at,
    check_points_by_hand,
    columns,
    converged,
    drag,
    opened,
    points_of,
    press,
)
from page_browser import becomes

from workbench import gaps
from workbench.data.examples.plane import MOST_POINTS, SOURCES, write_points
from workbench.pages.numerals import numerals
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.svm_gaps.page import statistics

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGE = "svm-gaps"

FILLED = ("points", "duals", "pair", "next", "least", "top", "bottom", "bounds")
CURVES = ("curve", "breaks")
SETTINGS = {
    "linear": {"source": "Overlapping", "cost": 1.0, "kernel": "Linear"},
    "gaussian": {"source": "Crossed", "cost": 10.0, "kernel": "Gaussian", "gamma": 1.0},
    "polynomial": {
        "source": "An outlier", "cost": 0.1, "kernel": "Polynomial", "degree": 2,
        "selection": "second-order",
    },
}  # fmt: skip

def lines(data):
    """The points of all lines in one order, since languages begin a line in different places."""
    pieces = zip(data["xs"], data["ys"], strict=True)
    points = [point for xs, ys in pieces for point in zip(xs, ys, strict=True)]
    return np.array(sorted({(round(x, 9), round(y, 9)) for x, y in points}))


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_pictures_and_sentences_are_those_of_python(name, browser, file, held):
    model = svm_gaps.SvmGaps(**SETTINGS[name])
    lab, drawing = svm_gaps.build(model.settings()), SvmDrawing()
    # After a step that no box stops two samples tie, and a unit in the last place says which one moves next.
    steps = 11 if lab.settings["selection"] == "first-order" else 1
    svm_gaps.step(lab, steps)
    with opened(browser, file, address(SETTINGS[name])) as page:
        converged(page)
        press(page, "reset", 0)
        press(page, "step", 1)
        if steps > 1:
            press(page, "10 steps", steps)
        frame = svm_gaps.frame(lab)
        sentences = drawing.show(frame)
        # The optimum comes from a run of its own.
        said = page.locator("#x-line-bounds").inner_text
        told = numerals(sentences["bounds"]).split(" The optimum")[0]
        assert becomes(lambda: said().split(" The optimum")[0], told) == told
        shown, expected = columns(page, held, [*FILLED, *CURVES, "surface", "lines"]), drawing.sources
        for source in FILLED:
            for column, values in expected[source].data.items():
                agree(shown[source][column], values, f"{source}.{column}")
        for source in CURVES:
            # Breakpoints that rounding alone keeps apart are one in one language and two in the other.
            b, values = (np.array(shown[source][name]) for name in ("b", "value"))
            agree(values, frame["found"].at(b), source)
            assert np.abs(expected[source].data["b"][:, None] - b).min(axis=1).max(initial=0.0) < 1e-9
        surface = np.array(shown["surface"]["image"][0])
        np.testing.assert_allclose(surface, np.ravel(expected["surface"].data["image"][0]), rtol=1e-6)
        np.testing.assert_allclose(lines(shown["lines"]), lines(expected["lines"].data), atol=2e-9)
        for figure in ("plane", "bias", "pair_duals"):
            assert page.locator(f"#x-line-{figure}").inner_text() == numerals(sentences[figure])
        for text in filter(None, re.sub(r"<[^>]*>", "|", statistics(frame)).split("|")):
            assert numerals(html.unescape(text)) in page.locator("#x-text-numbers").inner_text()
        explained = svm_gaps.explain(lab)
        assert numerals(explained["title"]) in page.locator("#x-text-why").inner_text()
        assert explained["badge"] in page.locator("#x-text-why").inner_text()
        assert page.locator(".katex-error").count() == 0
        code = svm_gaps.code(lab, model.tolerance)
        assert becomes(page.locator("#x-text-code pre").inner_text, code) == code


def test_points_are_dragged_solved_sought_and_certified(browser, file, held):
    """Drag, run, seek back: the gap at that step is Python's to 1e-12 of the objective at zero."""
    with opened(browser, file, address({"source": "Overlapping"})) as page:
        converged(page)
        X, y = SOURCES["Overlapping"]()
        held_one = alone(X)
        drag(page, X[held_one].tolist(), [0.5, -2.0], "Solved again for every position")
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[held_one], [0.5, -2.0], atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, held_one, axis=0), np.delete(X, held_one, axis=0))
        np.testing.assert_array_equal(labels, y)
        end = int(page.locator("body").get_attribute("data-step"))
        page.locator("#x-frame").fill("5")
        page.locator("body[data-step='5']").wait_for()
        least = columns(page, held, ["least", "points"])
        page.locator("#x-frame").fill(str(end))
        page.locator(f"body[data-step='{end}']").wait_for()
        last = columns(page, held, ["least", "points"])
    model = svm_gaps.SvmGaps(source="Overlapping", points=write_points(moved, labels))
    lab = svm_gaps.build(model.settings())
    svm_gaps.step(lab, 5)
    size = lab.run.problem.n_samples  # P(0) in the units of 1/2 |f|^2 + C sum xi
    np.testing.assert_allclose(least["points"]["a"], svm_gaps.dual_variables(lab.run, lab.y, 1.0), atol=1e-12)
    for shown in (least, last):
        found = gaps.svm(lab.K, lab.y, 1.0, shown["points"]["a"])
        assert abs(shown["least"]["value"][0] - found.gap) <= 1e-12 * size
    assert found.t_hat - found.b_hat <= 1e-3


def test_points_are_added_deleted_and_taken_back(browser, file, held):
    with opened(browser, file, address({"source": "Separable", "adds": "-1"})) as page:
        converged(page)

        def count():
            return len(columns(page, held, ["points"])["points"]["x"])

        check_points_by_hand(page, count, len(SOURCES["Separable"]()[1]), "Data")


def test_what_cannot_be_solved_is_refused_in_a_sentence(browser, file, held):
    two = write_points(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0]))
    with opened(browser, file, f"#points={two}&cost=1") as page:
        converged(page)
        page.mouse.dblclick(*at(page, [1.0, 0.0]))
        refused = svm_gaps.said("too_few", n=1, classes=1, most=MOST_POINTS)
        page.locator(".wb-status.bad", has_text=refused).wait_for()
        assert columns(page, held, ["points"])["points"]["x"] == [-1.0, 1.0]
    for wrong in ("p0000", "pzzzzm0000", "nothing", "p000"):
        with opened(browser, file, f"#points={wrong}") as page:
            converged(page)
            assert len(columns(page, held, ["points"])["points"]["x"]) == len(SOURCES["Overlapping"]()[1])
