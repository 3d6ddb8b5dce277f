"""Exported pages in a real Chromium, from the disk and with the network off."""

import contextlib
import json
import re
from pathlib import Path

import nbformat
import pytest

from tests.helpers.page_browser import PATIENCE_MS, becomes, chromium, fits, laid_out, line
from tests.helpers.page_checks import LEGENDS, STOPS, axe
from workbench.pages import export, lectures, theme
from workbench.pages.conjugates.model import Preset

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

WIDTHS = (1280, 1920, 390)
FILES = {
    "conjugates": {
        "given": [("preset", "Hinge"), ("preset", "6 · Negative logarithm")],
        "own": Preset("cosh(u) - 1", says="Your own function."),
    },
    "inverse-time": {
        "given": [
            ("source", "Breast cancer"),
            ("samples", "60"),
            ("tolerance", "0.1"),
            ("lam", "0.01"),
            ("lam", "0.1"),
        ],
    },
    "roads": {"given": [("lam", "0.1"), ("lam", "1.0"), ("zoom", "1"), ("tolerance", "0.0001")]},
}


@pytest.fixture(scope="module")
def files(once):
    """Gives the file of a name, written once."""
    return lambda name: once(f"given-{name}.html", lambda path: export.export(name, path, **FILES[name]))


@pytest.fixture(scope="module")
def browser():
    with chromium() as chromium_browser:
        yield chromium_browser


@pytest.fixture
def at(files, browser):
    """Opens a file; in the end nothing was asked for but the file, and nothing was said on the console."""
    with contextlib.ExitStack() as stack:
        yield lambda name, width=1280, height=800: stack.enter_context(
            opened(browser, files(name), width, height)
        )


@contextlib.contextmanager
def opened(browser, path, width, height):
    context = browser.new_context(offline=True, viewport={"width": width, "height": height})
    view = context.new_page()
    view.set_default_timeout(PATIENCE_MS)
    requests, said = [], []
    # A blob is a piece of the page's own memory.
    view.on("request", lambda r: r.url.startswith("blob:") or requests.append(r.url))
    view.on("console", lambda m: m.type in ("error", "warning") and said.append(m.text))
    view.on("pageerror", lambda error: said.append(str(error)))
    view.goto(path.as_uri())
    view.locator("body[data-shown]").wait_for()
    view.locator(".wb-line", has_text=re.compile(r"\d")).first.wait_for()
    yield view
    context.close()
    assert requests == [path.as_uri()]
    assert said == []


def settle(page):
    """Wait until a kept run has come to rest."""
    page.wait_for_function("!['running', 'loading'].includes(document.body.dataset.status)")
    laid_out(page)


def drawn(page, name):
    """The picture of a figure as it stands on the screen, once that stands still."""
    before, now = None, _picture(page, name)
    while now != before:
        page.wait_for_timeout(100)
        before, now = now, _picture(page, name)
    return now


def _picture(page, name):
    laid_out(page)
    return page.evaluate(
        """name => {
            const plot = Bokeh.documents.at(-1).get_model_by_name(name);
            return Bokeh.index.find_one(plot).export("png").canvas.toDataURL();
        }""",
        name,
    )


def numbers_of_figures(page):
    """Check that no figure is a stop of the Tab key, and that each has its numbers as a table."""
    assert {*page.evaluate(STOPS)} == {-1}
    page.get_by_role("table", name="Numbers of").first.wait_for()
    named = page.locator("canvas[role=img]").evaluate_all("(all) => all.map((each) => each.ariaLabel)")
    assert named
    for name in filter(None, named):
        rows = page.get_by_role("table", name=f"Numbers of {name}").locator("tbody tr")
        rows.first.wait_for(state="attached")


def says_what_its_page_says(page, name):
    """Check the thesis and the notebook of a file, and that it fits windows of every width."""
    assert lectures.of(name)["thesis"] in page.locator(".wb-thesis").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Notebook").click()
    notebook = json.loads(Path(download.value.path()).read_text("utf-8"))
    nbformat.validate(nbformat.from_dict(notebook))
    assert notebook["cells"][1]["source"] == page.locator(".wb-code").first.inner_text()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        fits(page, width)
    page.set_viewport_size({"width": 1280, "height": 800})


def keys_of_the_page(page):
    page.locator("body").click(position={"x": 640, "y": 20})


def test_conjugates_move_are_pinned_and_follow_the_choice(at):
    page = at("conjugates")
    said = line(page, "touches p at u")
    said.wait_for()
    numbers_of_figures(page)
    before, text = drawn(page, "primal"), said.inner_text()
    for _ in range(5):
        page.get_by_role("slider", name="v, slope").press("ArrowLeft")
    said.filter(has_not_text=text).wait_for()
    assert becomes(lambda: drawn(page, "primal") != before, True)
    page.keyboard.press("Control+z")
    assert becomes(said.inner_text, text) == text
    box = page.locator("canvas").first.bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.4 * box["height"])
    page.mouse.down()
    page.wait_for_timeout(400)  # a slow drag still holds it
    page.mouse.move(box["x"] + 0.35 * box["width"], box["y"] + 0.4 * box["height"], steps=6)
    page.mouse.up()
    said.filter(has_not_text=text).wait_for()
    assert page.locator("math").count() >= 4
    assert page.locator(".katex-error").count() == 0
    assert page.locator(".wb-badge", has_text="proved").count() >= 5
    for kind, start in (("CSV", b"curve,x,y"), ("PNG", b"\x89PNG"), ("SVG", b"<svg")):
        with page.expect_download() as saved:
            page.get_by_role("button", name=f"Save p and its tangent as {kind}").click()
        with open(saved.value.path(), "rb") as file:
            assert start in file.read(2000)
    page.get_by_role("button", name="Pin the curves of The conjugate q").click()
    page.get_by_label("Pair").select_option("Negative logarithm")
    page.locator("body[data-shown^='Negative']").wait_for()
    page.locator(".wb-pins", has_text=re.compile("pinned: (?!Negative)")).wait_for()
    said.wait_for()
    cards = "[Bokeh.documents.length, document.querySelectorAll('#x-cards > *').length]"
    assert page.evaluate(cards) == [1, 1]
    keys_of_the_page(page)
    page.keyboard.press(" ")
    line(page, "points found").wait_for()
    page.keyboard.press(" ")
    says_what_its_page_says(page, "conjugates")
    assert [violation for violation in axe(page) if violation[1] != "minor"] == []


@pytest.mark.parametrize(
    ("name", "choice"),
    [("roads", "λ weight")],
)
def test_a_file_of_kept_runs_plays_them(at, name, choice):
    page = at(name)
    says_what_its_page_says(page, name)
    said, figure = page.locator("#x-at"), "saddle"
    settle(page)
    ended, last, lines = said.inner_text(), drawn(page, figure), page.locator(".wb-line").all_inner_texts()
    numbers_of_figures(page)
    # The legends of recorded runs name what is drawn.
    assert page.evaluate(LEGENDS) == []
    assert page.locator(".wb-key i").count() > 4
    assert page.locator(".wb-key", has_text="Proximal gradient").count() == 0
    # Another choice has another run, which begins by itself.
    page.get_by_label(choice).focus()
    page.keyboard.press("ArrowUp")
    settle(page)
    assert drawn(page, figure) != last
    assert page.locator(".wb-line").all_inner_texts() != lines
    page.keyboard.press("ArrowDown")
    settle(page)
    assert page.locator(".wb-line").all_inner_texts() == lines
    assert said.inner_text() == ended
    # A button that was clicked leaves the keys to the page.
    page.get_by_role("button", name="reset").click()
    settle(page)
    start = said.inner_text()
    assert start != ended
    page.get_by_role("button", name="step", exact=True).click()
    assert becomes(lambda: said.inner_text() != start, True)
    once = said.inner_text()
    page.keyboard.press("ArrowRight")
    assert becomes(lambda: said.inner_text() not in (start, once), True)
    page.keyboard.press(" ")
    assert becomes(said.inner_text, ended) == ended
    page.keyboard.press("r")
    assert becomes(said.inner_text, start) == start
    # Who has tabbed to a button presses it with the space bar.
    page.get_by_role("button", name="reset").focus()
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    assert becomes(said.inner_text, once) == once
    assert page.locator(".wb-stat, .wb-formula", has_text=re.compile(r"gap")).count() >= 1
    assert page.locator(".katex-error").count() == 0
    assert [violation for violation in axe(page) if violation[1] != "minor"] == []


@pytest.mark.parametrize("name", ["inverse-time"])
def test_a_file_that_solves_says_what_its_page_says(at, name):
    page = at(name)
    numbers_of_figures(page)
    says_what_its_page_says(page, name)


def test_a_file_is_shown_in_the_look_that_its_address_asks_for(files, browser):
    """Colours, sizes and lines are those of the file that is written in that look."""
    path = files("conjugates")
    sizes = {}
    looks = {"": theme.look(), "?theme=dark&projector=on": theme.look(dark=True, projector=True)}
    for query, look in looks.items():
        context = browser.new_context(offline=True)
        page = context.new_page()
        page.goto(path.as_uri() + query)
        page.locator("body[data-shown]").wait_for()
        # On the projector a line has 4 pixels of a window that is 1920 wide, and this one has 1280.
        drawn = [look.paper, 2.67 if look.projector else look.line]
        plot = (
            "(({ background_fill_color, renderers }) => [background_fill_color.toLowerCase(), "
            "Number(renderers.find(({ glyph }) => glyph.type === 'Line').glyph.line_width.value.toFixed(2))])"
            "(Bokeh.documents.at(-1).get_model_by_name('primal'))"
        )
        assert becomes(lambda page=page, plot=plot: page.evaluate(plot), drawn) == drawn
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert ground == f"rgb{tuple(int(look.ground[k : k + 2], 16) for k in (1, 3, 5))}"
        title = page.locator(".wb-card-title").first
        sizes[query] = title.evaluate("(each) => getComputedStyle(each).fontSize")
        if look.projector:
            # The projector shows its two figures; the switches are on the desk, one key away.
            page.keyboard.press("Escape")
            page.wait_for_url(re.compile("projector=off"))
        page.get_by_role("button", name="Light" if look.dark else "Dark").click()
        page.wait_for_url(re.compile("theme=light" if look.dark else "theme=dark"))
        context.close()
    assert list(sizes.values()) == ["14px", "21.7778px"]
