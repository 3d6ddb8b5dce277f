"""Points in the plane in a real Chromium: added, dragged, deleted and taken back, on both of their pages."""

import json
import re

import numpy as np
import pytest
from amounts import few
from page_browser import becomes, choose, line, says, shows, visit
from page_checks import wrong
from served_run import MODELS, at

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("dual-lab", "svm-gaps")
SETTLED = re.compile(r"Reached|Stopped|Stalled")
STARTS = {
    "dual-lab": "?source=Points+in+the+plane&lam=0.01&regularizer=Squared+%E2%84%932",
    "svm-gaps": "?source=Overlapping",
}
# What a column of a figure's source holds.
LINES = f"""() => {{
    {MODELS}
    const plot = models.find((each) => each.name === "plane");
    const source = plot.renderers.map((each) => each.data_source).find((each) => each?.data.dash);
    const plain = (column) => Array.from(column, (part) => Array.from(part));
    return JSON.stringify([plain(source.data.xs), plain(source.data.ys)]);
}}"""


def straight(lines):
    """Slope and place of each line, whoever has drawn it in whichever pieces."""
    found = [tuple(np.polyfit(y, x, 1)) for x, y in zip(*json.loads(lines), strict=True)]
    return sorted(found, key=lambda each: each[1])


def near(lines, others):
    one, other = straight(lines), straight(others)
    return len(one) == len(other) and np.allclose(one, other, atol=0.01)


def test_the_plane_comes_first_without_a_hole_and_a_button_undoes(browser, address):
    with visit(browser, address + "?source=Breast+cancer&lam=0.1", SETTLED, width=1366, height=768) as page:
        choose(page, "Data", "Points in the plane")
        line(page, "of 50 points").wait_for()
        says(page, SETTLED)
        assert becomes(lambda: wrong(page), {}) == {}

        def added():
            page.mouse.click(*at(page, -2.0, 2.0))
            page.wait_for_timeout(1500)
            return line(page, "of 51 points").count()

        assert becomes(added, 1) == 1
        page.get_by_role("button", name="Undo").click()
        line(page, "of 50 points").wait_for()


@pytest.mark.parametrize("name", few(PAGES, 1))
def test_points_are_edited_by_hand_and_the_boundary_follows(name, browser, address):
    # So high that the whole plane is in the window.
    with visit(browser, address.replace(PAGES[0], name) + STARTS[name], SETTLED, height=1000) as page:
        line(page, "of 50 points").wait_for()
        first = page.evaluate(LINES)

        def clicked():
            """Click until the point is seen; one that is there is not added again."""
            page.mouse.click(*at(page, -2.0, 2.0))
            page.wait_for_timeout(1500)
            return line(page, "of 51 points").count()

        assert becomes(clicked, 1) == 1
        says(page, SETTLED)
        if name == "dual-lab":
            # The run went on from the points before.
            assert page.evaluate("wb_page.runs.shown[0].rows[0].relative_gap") < 0.5
        added = page.evaluate(LINES)
        start, end = at(page, -2.0, 2.0), at(page, -2.2, -0.5)
        page.mouse.move(*start)
        page.mouse.down()
        page.wait_for_timeout(400)  # whoever thinks before moving it still has it in hand
        page.mouse.move(*end, steps=3)
        page.wait_for_function(f"(before) => ({LINES})() !== before", arg=added)  # it is still held
        page.mouse.move(*at(page, -2.0, -2.0), steps=3)
        page.mouse.up()
        page.wait_for_url(re.compile("points=p"))
        page.mouse.dblclick(*at(page, -2.0, -2.0))
        line(page, "of 50 points").wait_for()
        says(page, SETTLED)
        for count in (51, 51, 50):
            page.keyboard.press("Control+z")
            line(page, f"of {count} points").wait_for()
        page.wait_for_url(re.compile(r"^(?!.*points=)"))
        says(page, SETTLED)
        if name == "svm-gaps":  # the same optimum, as near as a run comes that begins elsewhere
            assert becomes(lambda: near(page.evaluate(LINES), first), True)
            return
        # Another loss, the server's news, forgets no point.
        assert becomes(clicked, 1) == 1
        choose(page, "Loss", "Logistic")
        shows(page, "read_points")
        line(page, "of 51 points").wait_for()


@pytest.mark.parametrize("name", few(PAGES, 1))
def test_a_brush_paints_a_cloud_and_one_undo_takes_it_back(name, browser, address):
    with visit(browser, address.replace(PAGES[0], name) + STARTS[name], SETTLED) as page:
        line(page, "of 50 points").wait_for()
        assert page.get_by_text("a drag between points paints a cloud").is_visible()
        page.get_by_role("switch", name="Brush").click()
        page.wait_for_timeout(1000)  # the server has heard of it
        start, end = at(page, -2.5, 2.5), at(page, -1.2, 2.5)
        page.mouse.move(*start)
        page.mouse.down()
        page.wait_for_timeout(400)  # whoever thinks before moving it still has it in hand
        page.mouse.move(*end, steps=12)
        page.mouse.up()
        line(page, re.compile("of 5[6-9] points")).wait_for()
        says(page, SETTLED)
        page.keyboard.press("Control+z")
        line(page, "of 50 points").wait_for()


@pytest.mark.parametrize("name", PAGES)
def test_a_telephone_finds_the_brush_from_the_plane(name, browser, address):
    place = address.replace(PAGES[0], name) + STARTS[name]
    with visit(browser, place, SETTLED, width=390, height=844) as page:
        brush = page.get_by_role("switch", name="Brush")
        button = page.get_by_role("button", name="Class and brush")
        assert becomes(brush.is_visible, False) is False  # its drawer closes at once
        button.click()
        assert becomes(lambda: brush.count() == 1 and brush.bounding_box() is not None, True)
        box = "(each) => { const { top, bottom } = each.getBoundingClientRect(); return [top, bottom]; }"
        assert becomes(lambda: 844 * 0.58 <= brush.evaluate(box)[0] < brush.evaluate(box)[1] <= 844, True)
        assert becomes(lambda: wrong(page), {}) == {}
        page.set_viewport_size({"width": 1280, "height": 800})
        assert becomes(button.is_visible, False) is False


def test_the_card_comes_and_goes_with_the_source(browser, address):
    with visit(browser, f"{address}?source=Breast+cancer&lam=0.1", SETTLED) as page:
        assert page.get_by_role("heading", name="The plane").count() == 0
        choose(page, "Data", "Points in the plane")
        line(page, "of 50 points").wait_for()
        choose(page, "Points to begin with", "Imbalanced")
        line(page, "of 46 points").wait_for()
        choose(page, "Data", "Breast cancer")
        page.get_by_role("heading", name="The plane").wait_for(state="hidden")
        says(page, SETTLED)
        assert page.get_by_role("heading", name="Duality gap").is_visible()
