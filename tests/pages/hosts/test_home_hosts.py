"""Home in a browser: keys, Back, motion, doors and lessons; on a server, as a file, and in other hosts."""

import pytest

from tests.helpers import page_checks
from tests.helpers.page_browser import becomes, laid_out, visit
from tests.pages.hosts import carriers
from tests.pages.hosts.moves import walk
from tests.pages.hosts.test_visits import VISITS
from workbench.pages.home.declaration import Home

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PAGES = ("home",)
READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async () => { const page = await workbenchPages[0]; await page.settled(); return %s; }"
SCREEN = STATE % "page.settings.screen"
ALPHA = STATE % "page.settings.alpha_1"


def test_keys_go_through_the_story_and_back_returns(browser, address):
    with visit(browser, f"{address}?theme=dark") as view:
        view.wait_for_function(READY)
        assert view.evaluate(SCREEN) == 1
        for screen in range(2, 9):
            view.keyboard.press("ArrowRight")
            assert view.evaluate(SCREEN) == screen
        view.keyboard.press("ArrowRight")
        view.keyboard.press("ArrowLeft")
        assert view.evaluate(SCREEN) == 7
        for screen in (8, 7, 6):
            view.go_back()
            assert becomes(lambda: view.evaluate(SCREEN), screen) == screen
        view.locator("a.deeper").click()
        view.wait_for_url("**/svm-gaps?projector=on&story=1*theme=dark")


def test_address_opens_a_screen_as_it_was(browser, address):
    with visit(browser, f"{address}?screen=3&alpha_1=0.24&alpha_2=0.26") as view:
        view.wait_for_function(READY)
        assert "gap = 0.0620 − 0.0620" in view.evaluate(STATE % "page.view.numbers.textContent")
        slider = view.get_by_role("slider", name="handle of sample 1")
        slider.press("ArrowRight")
        # The keys of a slider are its own.
        assert view.evaluate(SCREEN) == 3
        assert becomes(lambda: "alpha_1=0.24&" in view.url, False) is False
    with visit(browser, f"{address}?screen=9&alpha_1=2&nonsense=1") as view:
        view.wait_for_function(READY)
        refusals = view.locator(".notice").inner_text()
        assert all(name in refusals for name in ("screen", "alpha_1", "nonsense"))
        assert view.evaluate(SCREEN) == 1


def test_answers_move_at_once_where_motion_is_unwelcome(browser, address):
    with visit(browser, f"{address}?screen=4") as view:
        view.emulate_media(reduced_motion="reduce")
        view.wait_for_function(READY)
        view.get_by_role("button", name="Up to the price").click()
        # Nothing to wait for: the very next look sees the end.
        assert view.evaluate("async () => (await workbenchPages[0]).settings.alpha_1") == 0.24


def test_pointer_drags_the_tangent_and_a_point(browser, address):
    drag = "async () => (await workbenchPages[0]).settings"
    with visit(browser, f"{address}?screen=2") as view:
        view.wait_for_function(READY)
        for screen, mark in ((2, ".handle"), (6, ".grab >> nth=3")):
            view.evaluate(STATE % f"page.go({screen})")
            handle = view.locator(mark)
            handle.hover()  # once it is drawn and stands still
            laid_out(view)
            box = handle.bounding_box()
            x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
            before = view.evaluate(drag)["touch"]
            view.mouse.down()
            view.mouse.move(x + 60, y + 10, steps=3)
            view.mouse.up()
            if screen == 2:
                assert becomes(lambda before=before: view.evaluate(drag)["touch"] > before + 0.05, True)
        assert becomes(lambda: view.evaluate(drag)["point"], 4) == 4


def test_cards_lead_to_pages_and_lessons(browser, address):
    with visit(browser, address) as view:
        view.wait_for_function(READY)
        assert all(box.locator("path").count() for box in view.locator(".picture").all())
        view.get_by_role("button", name="Lesson 5. Gauss-Seidel").click()
        view.locator("article h1", has_text="Lesson 5. Gauss-Seidel").wait_for()
        view.locator("wb-tex .katex").first.wait_for()
        assert "lesson=05_gauss_seidel" in view.url
        view.go_back()
        view.locator("a.to", has_text="Simplex").locator(".picture").click()
        view.wait_for_url("**/simplex*")
        view.wait_for_function(READY)
        # The next page of the menu.
        view.locator("footer.next a", has_text="Next").click()
        view.wait_for_url("**/dual-lab*")
        view.get_by_role("link", name="Home").click()
        view.wait_for_url("**/home*")


def test_story_is_told_in_a_file(browser, tmp_path):
    with carriers.file(browser, tmp_path, Home().html(), READY) as view:
        view.set_viewport_size({"width": 390, "height": 844})
        for _ in range(7):
            assert page_checks.axe(view) == []
            assert view.evaluate("document.documentElement.scrollWidth - innerWidth") == 0
            view.get_by_role("button", name="Next →").click()
        assert page_checks.axe(view) == []
        assert view.evaluate(SCREEN) == 8
        assert view.evaluate("location.hash") == "#screen=8&alpha_1=0.24&alpha_2=0.26"
        # A lone file has no pages beside it, and no lessons.
        assert view.locator("a").count() == view.locator("a.deeper").count() == 1
        assert view.locator("a.deeper").is_hidden()
        assert view.locator("[data-do=lesson]").count() == 0


CELL = "import workbench as wb\ndisplay(wb.pages.Home(), wb.pages.Conjugates())"
# Of the second page of the notebook.
SECOND = """async () => {
    const page = await workbenchPages[1];
    await page.change({ v: 0.25 });
    await page.settled();
    return [page.frame.sentences.dual, page.refusal];
}"""


def test_home_and_another_page_stand_in_one_notebook(browser, tmp_path):
    with carriers.notebook(browser, tmp_path, CELL, "() => globalThis.workbenchPages?.length === 2") as view:
        walk(view, VISITS["home"][:6])
        # Of the logistic function: v log v + (1 - v) log(1 - v).
        said, refusal = view.evaluate(SECOND)
        assert "q(0.25) = −0.5623" in said
        assert refusal == ""
        assert view.evaluate(SCREEN) == 3
