"""The served page on SVM gaps in the browser: what was recorded, by its worker and by the server's engine."""

import copy
import re

import numpy as np
import pytest
from golden_frames import differences, recorded
from live_file import alone
from page_browser import becomes, choose, line, says, settle, visit
from served_run import ENGINE, GHOST, SETTLED, at, bar, key, on_the_wire, places, press, runs_alone, stands
from staged_frames import WITHOUT, cases, frames, ranges

from workbench import gaps
from workbench.data.examples.plane import MAX_POINTS, SOURCES, read_points, write_points
from workbench.pages.plane import FULL, TOO_FEW
from workbench.pages.svm_gaps.figures import SvmDrawing
from workbench.pages.theme import LIGHT

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("svm-gaps",)
RANGES = ranges(SvmDrawing(LIGHT))
# The reason of a step was recorded in three panes, and is in one.
REASON, TEXTS = ("step", "formula", "badge"), {"why": "why", "code": "code"}
CASES = cases("svm_gaps")
# A distance is measured from the end of a run of its own, which is certified to within less than this.
REFERENCE = 1e-8
# So many steps that a browser is busy for seconds.
LONG = "?source=Crossed&cost=1000&tolerance=1e-06"
POINTS = "Array.from(wb_page.figures.of('sources', 'points').data.{})"


def drawn(page, column):
    """A column of the points in the plane."""
    return page.evaluate(POINTS.replace("{}", column))


def points_of(page):
    return read_points(re.search(r"points=(\w+)", page.url).group(1))


def together(texts):
    said = " ".join(texts.pop(name).replace("$", " ") for name in REASON)
    return texts | {"why": " ".join(said.split())}


def lined(frame):
    """A frame whose lines begin where anybody would: who joins the pieces of a line begins it somewhere."""
    lines = frame["figures"]["plane"]["sources"]["lines"]
    pieces = [
        (width, dash, turned(list(zip(xs, ys, strict=True))))
        for xs, ys, width, dash in zip(*(lines[name] for name in ("xs", "ys", "width", "dash")), strict=True)
    ]
    pieces.sort(key=lambda piece: (piece[0], piece[1], rounded(piece[2][0])))
    lines |= {
        "xs": [[x for x, _ in places] for _, _, places in pieces],
        "ys": [[y for _, y in places] for _, _, places in pieces],
        "width": [width for width, _, _ in pieces],
        "dash": [dash for _, dash, _ in pieces],
    }
    return frame


def measure(found, expected):
    """Distances that agree within what the references are certified to are the same."""
    ours, theirs = (each["figures"]["bounds"]["sources"]["bounds"] for each in (found, expected))
    for name in ("primal", "dual"):
        if len(ours[name]) != len(theirs[name]):
            continue  # which is told of as it is
        pairs = zip(ours[name], theirs[name], strict=True)
        ours[name] = [other if is_near(one, other) else one for one, other in pairs]


def is_near(one, other):
    return "nan" not in (one, other) and abs(one - other) <= REFERENCE


def turned(places):
    """The places of a line from its least end on, of a closed one from its least place."""
    if rounded(places[0]) == rounded(places[-1]):
        least = min(range(len(places) - 1), key=lambda k: rounded(places[k]))
        places = [*places[least:-1], *places[: least + 1]]
        return min(places, places[::-1], key=lambda each: rounded(each[1]))
    return min(places, places[::-1], key=lambda each: rounded(each[0]))


def rounded(place):
    return tuple(round(each, 6) for each in place)


@pytest.mark.parametrize(("setting", "by"), CASES)
def test_the_page_shows_what_was_recorded(setting, by, browser, address):
    without = WITHOUT if by == "socket" else ""
    expected, found = copy.deepcopy(recorded("svm_gaps")[setting]), {}
    for moment, frame in frames(browser, address, "svm_gaps", setting, "cost", RANGES, TEXTS, without):
        found[moment], expected[moment] = lined(frame), lined(expected[moment])
        expected[moment]["texts"] = together(expected[moment]["texts"])
        measure(found[moment], expected[moment])
    wrong = list(differences(found, expected, f"svm_gaps, {setting}, {by}"))
    assert not wrong, "\n".join(wrong[:20])


def test_the_code_gives_the_same_number_of_steps(browser, address, capsys):
    with visit(browser, f"{address}?cost=0.0123456789&kernel=Gaussian", SETTLED) as page:
        said = page.locator(".wb-code").inner_text
        assert becomes(lambda: "C = 0.0123456789\n" in said(), True)
        exec(said(), {})
        assert int(capsys.readouterr().out.split()[0]) == page.evaluate("wb_page.rows.at(-1).step")


def test_what_another_c_shows_first_is_its_solution(browser, address):
    """However quickly C is dragged, no picture in between is one at zero."""
    with visit(browser, address, SETTLED) as page:
        page.evaluate("wb_page.settled()")
        page.evaluate("""() => {
            const { figures } = wb_page, show = figures.show.bind(figures);
            window.shown = [];
            figures.show = (frame) => {
                window.shown.push([frame.step, frame.found.violation, frame.C]);
                show(frame);
            };
        }""")
        slider = page.get_by_role("slider", name="C weight")
        for _ in range(8):
            slider.press("ArrowRight", no_wait_after=True)
        assert becomes(lambda: page.evaluate("wb_page.lab.C") > 5, True)
        page.evaluate("wb_page.settled()")
        seen = page.evaluate("shown")
        assert len({C for _, _, C in seen}) > 1
        assert min(step for step, _, _ in seen) > 0
        assert max(violation for _, violation, _ in seen) <= 1e-3 * (1 + 1e-9)
        # The steps before the solution have come, too, and the curve before stays as a ghost.
        steps = page.evaluate("wb_page.rows.map((row) => row.step)")
        assert steps == list(range(steps[-1] + 1))
        assert len(page.evaluate(GHOST, "bounds")[1]) > 1


def test_nothing_travels_while_the_browser_runs(browser, address):
    with on_the_wire(browser, address + LONG) as (page, travelled):
        says(page, SETTLED)
        page.evaluate("wb_page.settled()")
        press(page, "reset")
        says(page, "Paused after 0 steps")
        press(page, "run")
        runs_alone(page, travelled)
        says(page, re.compile("Paused after [1-9]"))


def test_a_run_goes_back_and_on_and_slowly(browser, address):
    with visit(browser, address, SETTLED) as page:
        page.evaluate("wb_page.settled()")
        last, said = places(page), page.locator(".wb-status").inner_text()
        bar(page).fill("12")
        stands(page, f"step 12 of {last}")
        key(page, "ArrowLeft")
        stands(page, f"step 11 of {last}")
        press(page, "10 steps")
        stands(page, f"step 21 of {last}")
        press(page, "run")
        says(page, said)
        stands(page, f"step {last} of {last}")
        page.get_by_role("combobox", name="Speed").select_option("slow")
        page.get_by_role("slider", name="C weight").press("ArrowRight")
        says(page, re.compile("Running: [2-9] steps"))
        press(page, "pause")
        says(page, re.compile("Paused after [2-9] steps"))


def test_a_point_is_dragged_in_the_browser_and_told_when_it_is_let_go(browser, address):
    X, y = SOURCES["Overlapping"]()
    sample = alone(X)
    with on_the_wire(browser, f"{address}?source=Overlapping") as (page, travelled):
        says(page, SETTLED)
        page.evaluate("wb_page.settled()")
        page.mouse.move(*at(page, *X[sample].tolist()))
        page.mouse.down()
        # Whoever thinks before moving it still has it in hand.
        page.wait_for_timeout(500)
        travelled.clear()
        page.mouse.move(*at(page, 0.5, -2.0), steps=5)
        says(page, "Solved again for every position")
        assert travelled == []
        assert "points=" not in page.url
        page.mouse.up()
        page.wait_for_url(re.compile("points="))
        says(page, SETTLED)
        page.locator(".wb-code", has_text="read_points").wait_for()
        page.evaluate("wb_page.settled()")
        moved, labels = points_of(page)
        np.testing.assert_allclose(moved[sample], [0.5, -2.0], atol=0.03)
        np.testing.assert_array_equal(np.delete(moved, sample, axis=0), np.delete(X, sample, axis=0))
        np.testing.assert_array_equal(labels, y)
        found = gaps.svm(moved @ moved.T, labels, 1.0, np.array(drawn(page, "a")))
        assert found.t_hat - found.b_hat <= 1e-3 + 1e-10
        key(page, "Control+z")
        page.wait_for_url(re.compile(r"^(?!.*points=)"))
        assert becomes(lambda: drawn(page, "x"), X[:, 0].tolist()) == X[:, 0].tolist()


def test_shift_paints_a_cloud_until_the_square_is_full(browser, address):
    X, y = SOURCES["Overlapping"]()
    near = np.linspace([-1.5, -1.0], [-1.0, -1.5], MAX_POINTS - 4 - y.size)
    begun = write_points(np.vstack([X, near]), np.append(y, -np.ones(len(near))))
    with visit(browser, f"{address}?source=Overlapping&adds=-1&points={begun}", SETTLED) as page:
        page.evaluate("wb_page.settled()")

        def stroke(*places):
            page.mouse.move(*at(page, *places[0]))
            page.mouse.down()
            # Whoever thinks before moving it still has it in hand.
            page.wait_for_timeout(500)
            for place in places[1:]:
                page.mouse.move(*at(page, *place), steps=6)

        stroke((-2.5, 2.5), (-1.2, 2.5))
        page.mouse.up()  # neither Shift nor the brush
        page.keyboard.down("Shift")
        stroke((-2.5, 2.7), (-1.2, 2.7), (-2.5, 2.5))
        assert becomes(lambda: len(drawn(page, "x")), MAX_POINTS) == MAX_POINTS
        assert points_of(page)[1].size == MAX_POINTS - 4
        page.mouse.up()
        page.keyboard.up("Shift")
        says(page, FULL.format(most=MAX_POINTS))
        told = "count => location.search.match(/points=([^&]+)/)[1].length === 5 * count"
        page.wait_for_function(told, arg=MAX_POINTS)
        cloud, labels = points_of(page)
        assert set(labels[-4:]) == {-1.0}
        assert (cloud[-4:, 1] > 1.5).all()
        key(page, "Control+z")
        page.wait_for_function(told, arg=MAX_POINTS - 4)
        choose(page, "Data", "Imbalanced")
        line(page, "of 46 points").wait_for()
        page.wait_for_url(re.compile(r"^(?!.*points=)"))


def test_an_edit_that_is_refused_leaves_the_points_and_says_why(browser, address):
    two = write_points(np.array([[-1.0, 0.0], [1.0, 0.0]]), np.array([-1.0, 1.0]))
    with visit(browser, f"{address}?points={two}", SETTLED) as page:
        page.evaluate("wb_page.settled()")
        for _ in range(2):
            page.mouse.dblclick(*at(page, 1.0, 0.0))
            says(page, TOO_FEW.format(n=1, classes=1, most=MAX_POINTS))
            assert drawn(page, "x") == [-1.0, 1.0]
            press(page, "10 steps")
            says(page, re.compile("Stalled|Paused"))


def test_a_tolerance_goes_on_with_the_run_that_the_browser_has(browser, address):
    with visit(browser, f"{address}?source=Overlapping", SETTLED) as page:
        page.evaluate("wb_page.settled()")
        first = page.evaluate("wb_page.rows.at(-1).step")
        choose(page, "Stop at t̂ − b̂ of", "10⁻⁶")
        assert becomes(lambda: page.evaluate("wb_page.rows.at(-1).violation <= 1e-6"), True)
        page.evaluate("wb_page.settled()")
        assert page.evaluate("wb_page.rows.at(-1).step") > first
        assert page.evaluate("wb_page.rows[0].step") == 0


def test_a_browser_without_webassembly_is_served(browser, address):
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(WITHOUT)
    page = context.new_page()
    page.goto(f"{address}?source=Overlapping")
    settle(page, SETTLED)
    assert page.evaluate(ENGINE) == "server"
    page.get_by_text("Computed by the server.").wait_for()
    page.mouse.click(*at(page, -2.0, 2.0))
    line(page, "of 51 points").wait_for()
    page.get_by_role("slider", name="C weight").press("ArrowRight")
    page.wait_for_url(re.compile("cost=1.3"))
    says(page, SETTLED)
    np.testing.assert_allclose(points_of(page)[0][-1], [-2.0, 2.0], atol=0.03)
    context.close()


def test_a_worker_that_ends_is_told_and_the_next_one_goes_on(browser, address):
    with visit(browser, address, SETTLED) as page:
        page.evaluate("""async () => {
            await wb_page.settled();
            wb_page.press("reset");
            await wb_page.settled();
            const engine = await wb_page.lab.engine;
            engine.worker.terminate();
            wb_page.press("step");
            engine.worker.onerror(new Event("error"));
        }""")
        says(page, "ended by itself; the picture stays")
        assert len(drawn(page, "x")) == 50
        press(page, "reset")
        says(page, "Paused after 0 steps")
        press(page, "run")
        says(page, SETTLED)
