"""The page on SVM gaps in a real Chromium, by the worker of its browser and by the server's engine."""

import re

import numpy as np
import pytest

from tests.helpers.live_file import alone
from tests.helpers.page_browser import (
    arrows_move,
    becomes,
    choose,
    goes,
    leave_controls,
    lights,
    line,
    says,
    settle,
    shows,
    visit,
    walk,
)
from tests.helpers.page_checks import NOTES_SMOOTHING, STOPS
from tests.helpers.served_run import ENGINE, GHOST, SETTLED, at, hold, key, press
from tests.helpers.staged_frames import WITHOUT
from workbench import gaps
from workbench.data.examples.plane import MAX_POINTS, SOURCES, read_points, write_points
from workbench.pages.plane import FULL, TOO_FEW

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
POINTS = "Array.from(wb_page.figures.of('sources', 'points').data.{})"
# Keeps of every picture the step, the violation and C.
KEEP = """() => {
    const { figures } = wb_page, show = figures.show.bind(figures);
    window.shown = [];
    figures.show = (frame) => {
        window.shown.push([frame.step, frame.found.violation, frame.C]);
        show(frame);
    };
}"""
TOLD = "count => location.search.match(/points=([^&]+)/)[1].length === 5 * count"


def drawn(page, column):
    """A column of the points in the plane."""
    return page.evaluate(POINTS.replace("{}", column))


def points_of(page):
    return read_points(re.search(r"points=(\w+)", page.url).group(1))


def test_controls_points_and_keys(page, browser):
    line(page, "of 50 points are support vectors").wait_for()
    assert {*page.evaluate(STOPS)} == {-1}
    assert page.get_by_role("img", name="The plane and its boundary").count() == 1
    lights(page, "bottom", "bias", "bounds")
    arrows_move(page, "The plane and its boundary", "ArrowUp")
    # Until the server has heard of the point its controls are drawn anew, which may take a key.
    page.wait_for_url(re.compile("points=p"))
    walk(
        page,
        ("C weight", "ArrowRight", "?cost=1.3"),
        ("Gaussian", None, "RBF(gamma=1)"),
        ("γ of the Gaussian", "ArrowRight", "RBF(gamma=1.3)"),
        ("second-order", None, "'second-order'"),
        ("Stop at t̂ − b̂ of", "10⁻⁶", "tol=1e-06"),
        ("Preset", "Few against many", "of 46 points are support vectors"),
        ("Reveal", None, "beyond the margin keeps a = 0"),
    )
    says(page, SETTLED)
    page.get_by_role("button", name="-1", exact=True).click()
    page.mouse.click(*at(page, -2.0, 2.0))
    line(page, "of 47 points are support vectors").wait_for()
    page.wait_for_url(re.compile("points=p"))
    says(page, SETTLED)
    with visit(browser, page.url, SETTLED) as again:
        line(page, line(again, "are support vectors").inner_text()).wait_for()
    # The page has the keys of what was clicked; the scrub bar answers an arrow itself.
    page.get_by_role("button", name="step", exact=True).click()
    walk(page, (None, "r", "Paused after 0 steps"))
    for said in ("1 step.", "2 steps", "3 steps"):
        page.keyboard.press("ArrowRight")
        says(page, f"Paused after {said}")
    walk(page, ("Back one place", None, "Paused after 2 steps"), ("10 steps", None, "Paused after 3 steps"))
    walk(page, ("10 steps", None, "Paused after 13 steps"))
    choose(page, "Data", "Separable")
    says(page, SETTLED)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    slider = page.locator(".MuiSlider-root").first
    box = slider.bounding_box()
    slider.click(position={"x": 0.7 * box["width"], "y": 0.5 * box["height"]})
    page.wait_for_url(re.compile("cost="))
    says(page, SETTLED)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    page.keyboard.press(" ")
    says(page, SETTLED)
    # Who tabs to a button presses it.
    page.get_by_role("button", name="reset", exact=True).focus()
    for keys, said in ((("Tab", "Shift+Tab", " "), "0 steps"), (("Tab", " "), "1 step.")):
        for name in keys:
            page.keyboard.press(name)
        says(page, f"Paused after {said}")


def test_another_c_and_another_tolerance_go_on_with_the_run(page, address, capsys):
    """However quickly C is dragged, no picture in between is one at zero."""
    page.evaluate("wb_page.settled()")
    page.evaluate(KEEP)
    slider = page.get_by_role("slider", name="C weight")
    for _ in range(8):
        slider.press("ArrowRight", no_wait_after=True)
    assert becomes(lambda: page.evaluate("wb_page.lab?.C > 5"), True)
    page.evaluate("wb_page.settled()")
    seen = page.evaluate("shown")
    assert len({C for _, _, C in seen}) > 1
    assert min(step for step, _, _ in seen) > 0
    assert max(violation for _, violation, _ in seen) <= 1e-3 * (1 + 1e-9)
    # The steps before the solution have come, too, and the curve before stays as a ghost.
    steps = page.evaluate("wb_page.rows.map((row) => row.step)")
    assert steps == list(range(steps[-1] + 1))
    assert len(page.evaluate(GHOST, "bounds")[1]) > 1
    choose(page, "Stop at t̂ − b̂ of", "10⁻⁶")
    assert becomes(lambda: page.evaluate("wb_page.rows.at(-1).violation <= 1e-6"), True)
    page.evaluate("wb_page.settled()")
    assert page.evaluate("wb_page.rows.at(-1).step") > steps[-1]
    assert page.evaluate("wb_page.rows[0].step") == 0
    # The code that is shown takes as many steps.
    goes(page, f"{address}?cost=0.0123456789&kernel=Gaussian")
    shows(page, "C = 0.0123456789\n")
    page.evaluate("wb_page.settled()")
    exec(page.locator(".wb-code").inner_text(), {})
    assert int(capsys.readouterr().out.split()[0]) == page.evaluate("wb_page.rows.at(-1).step")


def test_points_are_moved_and_painted_by_hand(page, address):
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    goes(page, f"{address}?source=Overlapping")
    assert becomes(lambda: drawn(page, "x"), X[:, 0].tolist()) == X[:, 0].tolist()
    page.evaluate("wb_page.settled()")
    send = "() => { window.sent = 0; const { send } = WebSocket.prototype;"
    page.evaluate(
        f"{send} WebSocket.prototype.send = function (...all) {{ sent++; send.apply(this, all); }} }}"
    )
    hold(page, *X[sample])
    before = page.evaluate("sent")
    page.mouse.move(*at(page, 0.5, -2.0), steps=5)
    says(page, "Solved again for every position")
    assert page.evaluate("sent") == before
    assert "points=" not in page.url
    page.mouse.up()
    page.wait_for_url(re.compile("points="))
    shows(page, "read_points")
    page.evaluate("wb_page.settled()")
    moved, labels = points_of(page)
    np.testing.assert_allclose(moved[sample], [0.5, -2.0], atol=0.03)
    np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
    np.testing.assert_array_equal(labels, y)
    certificate = gaps.svm(moved @ moved.T, labels, 1.0, np.array(drawn(page, "a")))
    assert certificate.t_hat - certificate.b_hat <= 1e-3 + 1e-10
    key(page, "Control+z")
    page.wait_for_url(re.compile(r"^(?!.*points=)"))
    assert becomes(lambda: drawn(page, "x"), X[:, 0].tolist()) == X[:, 0].tolist()
    # Shift paints until the square is full.
    near = np.linspace([-1.5, -1.0], [-1.0, -1.5], MAX_POINTS - 4 - y.size)
    begun = write_points(np.vstack([X, near]), np.append(y, -np.ones(len(near))))
    goes(page, f"{address}?source=Overlapping&adds=-1&points={begun}")
    assert becomes(lambda: len(drawn(page, "x")), MAX_POINTS - 4) == MAX_POINTS - 4
    page.evaluate("wb_page.settled()")
    hold(page, -2.5, 2.5)
    page.mouse.move(*at(page, -1.2, 2.5), steps=6)
    page.mouse.up()  # neither Shift nor the brush
    page.keyboard.down("Shift")
    hold(page, -2.5, 2.7)
    for place in ((-1.2, 2.7), (-2.5, 2.5)):
        page.mouse.move(*at(page, *place), steps=6)
    assert becomes(lambda: len(drawn(page, "x")), MAX_POINTS) == MAX_POINTS
    assert points_of(page)[1].size == MAX_POINTS - 4
    page.mouse.up()
    page.keyboard.up("Shift")
    says(page, FULL.format(most=MAX_POINTS))
    page.wait_for_function(TOLD, arg=MAX_POINTS)
    cloud, labels = points_of(page)
    assert set(labels[-4:]) == {-1.0}
    assert (cloud[-4:, 1] > 1.5).all()
    key(page, "Control+z")
    page.wait_for_function(TOLD, arg=MAX_POINTS - 4)
    choose(page, "Data", "Imbalanced")
    line(page, "of 46 points").wait_for()
    page.wait_for_url(re.compile(r"^(?!.*points=)"))
    # An edit that is refused leaves the points and says why.
    two = write_points(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0]))
    goes(page, f"{address}?points={two}")
    assert becomes(lambda: drawn(page, "x"), [-1.0, 1.0]) == [-1.0, 1.0]
    for _ in range(2):
        page.evaluate("wb_page.settled()")
        page.mouse.dblclick(*at(page, 1.0, 0.0))
        says(page, TOO_FEW.format(n=1, classes=1, most=MAX_POINTS))
        assert drawn(page, "x") == [-1.0, 1.0]
        press(page, "10 steps")
        says(page, re.compile("Stalled|Paused"))


def test_a_browser_without_webassembly_is_served(browser, address):
    """An address with bad settings still opens the page; the surface is drawn smoothly."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WITHOUT + NOTES_SMOOTHING)
    page = context.new_page()
    page.goto(f"{address}?source=Overlapping&cost=-1&points=nonsense")
    settle(page, SETTLED)
    assert page.locator(".wb-refused p").count() == 2
    assert page.evaluate(ENGINE) == "server"
    page.get_by_text("Computed by the server.").wait_for()
    page.mouse.click(*at(page, -2.0, 2.0))
    line(page, "of 51 points").wait_for()
    page.get_by_role("slider", name="C weight").press("ArrowRight")
    page.wait_for_url(re.compile("cost=1.3"))
    says(page, SETTLED)
    np.testing.assert_allclose(points_of(page)[0][-1], [-2.0, 2.0], atol=0.03)
    leave_controls(page)
    page.keyboard.press("r")
    says(page, "Paused after 0 steps")
    page.keyboard.press("ArrowRight")
    page.get_by_text("of the top set").wait_for()
    assert becomes(lambda: page.evaluate("smooth.length") > 0, True)
    assert page.evaluate("smooth.at(-1)")
    context.close()
