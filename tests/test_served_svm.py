"""The served page on SVM gaps that the browser solves: its numbers are Python's, a drag needs no server."""

import re

import numpy as np
import pytest
from amounts import few
from live_file import agree, alone, columns
from page_browser import becomes, choose, line, read_number, says, settle, visit
from served_run import ENGINE, SETTLED, at, begin, goes_on_alone, ids, in_a_run, on_the_wire, pauses, press

from workbench import gaps
from workbench.data.examples.plane import MOST_POINTS, SOURCES, read_points, write_points
from workbench.pages.plane import TOO_FEW
from workbench.pages.svm_gaps import model as svm_gaps
from workbench.pages.svm_gaps.figures import SvmDrawing

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
# So many steps that a browser is busy for seconds.
LONG = "?source=Crossed&cost=1000&tolerance=1e-06"
FILLED = ("points", "duals", "pair", "next", "least", "top", "bottom", "bounds")
SETTINGS = {
    "linear": {"source": "Overlapping"},
    "gaussian": {"source": "Crossed", "kernel": "Gaussian", "cost": 10.0},
    "polynomial": {
        "source": "An outlier", "kernel": "Polynomial", "degree": 2, "cost": 0.1, "selection": "second-order",
    },
}  # fmt: skip


def drawn(page, *sources):
    return columns(page, ids(page), sources)


def points_of(page):
    return read_points(re.search(r"points=(\w+)", page.url).group(1))


def solved(page):
    """Press run, and wait until the server has said what it has to say of it."""
    press(page, "run")
    says(page, SETTLED)
    page.get_by_text("of the top set").wait_for()


@pytest.mark.parametrize("name", few(SETTINGS, 1))
def test_the_browser_solves_and_what_it_draws_is_pythons(name, browser, address):
    query = "&".join(f"{key}={value}" for key, value in SETTINGS[name].items())
    with visit(browser, f"{address}?{query}", SETTLED) as page:
        begin(page)
        press(page, "step")
        says(page, "Paused after 1 step.")
        lab, drawing = svm_gaps.build(svm_gaps.SvmGaps(**SETTINGS[name]).settings()), SvmDrawing()
        # After a step that no box stops two samples tie: a unit in the last place says which one moves next.
        steps = 11 if lab.settings["selection"] == "first-order" else 1
        if steps > 1:
            press(page, "10 steps")
            says(page, f"Paused after {steps} steps")
        svm_gaps.step(lab, steps)
        frame = svm_gaps.frame(lab)
        drawing.show(frame)
        # The optimum is that of another run, and comes after the picture.
        assert becomes(lambda: line(page, "The optimum is certified").count(), 1) == 1
        found = drawn(page, *FILLED)
        for source in FILLED:
            for column, values in drawing.sources[source].data.items():
                agree(found[source][column], values, f"{source}.{column}")
        size = lab.settings["cost"] * lab.y.size
        assert abs(found["least"]["value"][0] - frame["found"].gap) <= 1e-10 * size
        shown = read_number(page.locator(".wb-stat b").first.inner_text())
        assert shown == pytest.approx(frame["found"].primal, rel=1e-5)
        # What the server says of a state that it has certified.
        page.get_by_text(svm_gaps.explain(lab)["title"].split(":")[0]).wait_for()


@pytest.mark.long
def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, address + LONG) as (page, travelled):
        says(page, re.compile("Running|Stopped|Reached"))
        in_a_run(
            page,
            lambda: goes_on_alone(page, travelled, lambda: drawn(page, "bounds")["bounds"]["step"][-1])
            and pauses(page),
        )
        page.get_by_text("of the top set").wait_for()


def test_a_point_is_dragged_in_the_browser_and_told_when_it_is_let_go(browser, address):
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    with on_the_wire(browser, f"{address}?source=Overlapping") as (page, travelled):
        says(page, SETTLED)
        begin(page)
        solved(page)
        page.mouse.move(*at(page, *X[sample].tolist()))
        page.mouse.down()
        # Whoever thinks before moving it still has it in hand.
        page.wait_for_timeout(500)
        before = drawn(page, "lines")["lines"]
        travelled.clear()
        page.mouse.move(*at(page, 0.5, -2.0), steps=5)
        says(page, "Solved again for every position")
        assert drawn(page, "lines")["lines"] != before
        assert travelled == []
        assert "points=" not in page.url
        page.mouse.up()
        page.wait_for_url(re.compile("points="))
        says(page, SETTLED)
        page.locator(".wb-code", has_text="read_points").wait_for()
        assert page.evaluate(ENGINE) == "browser"
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[sample], [0.5, -2.0], atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
        np.testing.assert_array_equal(labels, y)
        found = drawn(page, "points", "least")
        lab = svm_gaps.build(svm_gaps.SvmGaps(points=write_points(moved, labels)).settings())
        gap = gaps.svm(lab.K, lab.y, 1.0, np.array(found["points"]["a"]))
        assert gap.t_hat - gap.b_hat <= 1e-3 + 1e-10
        assert abs(found["least"]["value"][0] - gap.gap) <= 1e-10 * lab.y.size
        page.keyboard.press("Control+z")
        page.wait_for_url(re.compile(r"^(?!.*points=)"))
        assert becomes(lambda: drawn(page, "points")["points"]["x"], X[:, 0].tolist()) == X[:, 0].tolist()


def test_a_stroke_of_the_brush_is_painted_in_the_browser(browser, address):
    with visit(browser, f"{address}?source=Overlapping", SETTLED) as page:
        begin(page)
        page.get_by_role("switch", name="Brush").click()
        page.get_by_role("button", name="-1", exact=True).click()
        page.wait_for_timeout(1000)  # the server has heard of it
        page.mouse.move(*at(page, -2.5, 2.5))
        page.mouse.down()
        page.mouse.move(*at(page, -1.2, 2.5), steps=12)
        assert becomes(lambda: len(drawn(page, "points")["points"]["x"]) > 55, True)
        assert "points=" not in page.url
        page.mouse.up()
        page.wait_for_url(re.compile("points="))
        _, labels = points_of(page)
        assert set(labels[50:]) == {-1.0}
        line(page, f"of {labels.size} points").wait_for()
        says(page, SETTLED)
        page.keyboard.press("Control+z")
        line(page, "of 50 points").wait_for()


def test_an_edit_that_is_refused_leaves_the_points_and_says_why(browser, address):
    two = write_points(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0]))
    with visit(browser, f"{address}?points={two}", SETTLED) as page:
        begin(page)
        for _ in range(2):
            page.mouse.dblclick(*at(page, 1.0, 0.0))
            says(page, TOO_FEW.format(n=1, classes=1, most=MOST_POINTS))
            assert drawn(page, "points")["points"]["x"] == [-1.0, 1.0]
            press(page, "10 steps")
            says(page, re.compile("Stalled|Paused"))


def test_a_tolerance_goes_on_with_the_run_that_the_browser_has(browser, address):
    with visit(browser, f"{address}?source=Overlapping", SETTLED) as page:
        begin(page)
        solved(page)
        first = drawn(page, "bounds")["bounds"]["step"][-1]
        choose(page, "Stop at t̂ − b̂ of", "10⁻⁶")
        assert becomes(lambda: drawn(page, "bounds")["bounds"]["step"][-1] > first, True)
        assert becomes(lambda: drawn(page, "bounds")["bounds"]["violation"][-1] is None
                       or float(drawn(page, "bounds")["bounds"]["violation"][-1]) <= 1e-6, True)
        assert drawn(page, "bounds")["bounds"]["step"][0] == 0


def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script("delete window.WebAssembly")
    page = context.new_page()
    page.goto(f"{address}?source=Overlapping")
    settle(page, SETTLED)
    page.mouse.click(*at(page, -2.0, 2.0))
    line(page, "of 51 points").wait_for()
    page.get_by_role("slider", name="C weight").press("ArrowRight")
    page.wait_for_url(re.compile("cost=1.3"))
    says(page, SETTLED)
    np.testing.assert_allclose(points_of(page)[0][-1], [-2.0, 2.0], atol=0.03)
    assert page.evaluate(ENGINE) is None
    context.close()


