"""Exported pages in a real Chromium, from the disk and with the network off."""

import contextlib
import json
import re
from pathlib import Path

import nbformat
import pytest

from tests.helpers.page_browser import PATIENCE_MS, becomes, chromium, fits, laid_out
from tests.helpers.page_checks import LEGENDS, STOPS, axe
from workbench.pages import export, lectures

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

WIDTHS = (1280, 1920, 390)
FILES = {
    "norms": {
        "given": [("norm", "Tree"), ("ratio", "0.1"), ("intercept", "on"), ("intercept", "off")],
    },
    "screening": {"given": [("ratio", "0.3"), ("ratio", "0.63"), ("tolerance", "0.0001")]},
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


@pytest.mark.parametrize(("name", "choice"), [("screening", "λ / λ_max")])
def test_a_file_of_kept_runs_plays_them(at, name, choice):
    page = at(name)
    says_what_its_page_says(page, name)
    said, figure = page.locator("#x-at"), "ball"
    settle(page)
    ended, last, lines = said.inner_text(), drawn(page, figure), page.locator(".wb-line").all_inner_texts()
    numbers_of_figures(page)
    # The legends of recorded runs name what is drawn.
    assert page.evaluate(LEGENDS) == []
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


@pytest.mark.parametrize("name", ["norms"])
def test_a_file_that_solves_says_what_its_page_says(at, name):
    page = at(name)
    numbers_of_figures(page)
    says_what_its_page_says(page, name)
