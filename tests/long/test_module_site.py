"""The module from a folder of static files: slides with their live pages, problems and quiz, without Python.

And the pages of all lessons, none of which is wider than a window of 900 pixels.
"""

import functools
import http.server
import importlib.util
import threading

import nbformat
import pytest

from tests.helpers.made_lessons import FOLDER, LESSONS
from tests.helpers.page_browser import PATIENCE_MS, chromium
from workbench.pages import site
from workbench.teaching import deck, pages

pytestmark = [pytest.mark.long, pytest.mark.browser]

WIDTH = 900


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Files without a log."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def practice():
    spec = importlib.util.spec_from_file_location("practice_page", FOLDER.parent / "docs" / "practice.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def address(practice, tmp_path_factory):
    """Serve the folder that `make docs` fills, and yield its address."""
    folder = tmp_path_factory.mktemp("site")
    site.write(folder / "live")
    (folder / "module").mkdir()
    for lecture in deck.LECTURES:
        (folder / "module" / f"{lecture}.html").write_text(deck.page(lecture, "../live"), encoding="utf-8")
    quiz = [(deck.QUIZ, "Quiz of the module", deck.quiz())]
    (folder / "practice.html").write_text(practice.page(LESSONS, quiz), encoding="utf-8")
    handler = functools.partial(Quiet, directory=folder)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(address):
    """A visit; at its end nothing was fetched from elsewhere, and no error was logged."""
    requests, errors = [], []
    with chromium() as browser:
        context = browser.new_context(viewport={"width": 1280, "height": 720})
        context.set_default_timeout(PATIENCE_MS)
        context.on("request", lambda request: requests.append(request.url))
        context.on("weberror", lambda error: errors.append(str(error.error)))
        # A browser asks every server for an icon.
        context.on(
            "console",
            lambda line: (
                errors.append(line.text)
                if line.type == "error" and "favicon" not in str(line.location)
                else None
            ),
        )
        yield context.new_page()
    assert errors == []
    assert [url for url in requests if not url.startswith((address, "data:", "blob:"))] == []


@pytest.mark.parametrize("lecture", deck.LECTURES)
def test_the_live_page_of_a_lecture_draws_within_its_slide(page, address, lecture):
    page.goto(f"{address}/module/{lecture}.html")
    frame = page.locator("iframe")
    frame.scroll_into_view_if_needed()
    live = frame.element_handle().content_frame()
    live.locator("canvas").first.wait_for()
    assert live.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_live_pages_that_the_module_names_open(page, address):
    for name in deck.LIVE:
        page.goto(f"{address}/live/{name}.html")
        page.locator("canvas").first.wait_for()


def test_the_quiz_gives_each_reason_and_keeps_right_answers(page, address):
    page.goto(f"{address}/practice.html#{deck.QUIZ}")
    for question in deck.quiz():
        section = page.locator(f'[id="{question.name}"]')
        answer = section.get_by_role("button", name="Check")
        assert section.get_by_role("button").count() == 1
        for choice, reason in question.wrong:
            section.get_by_label(choice, exact=True).check()
            answer.click()
            assert reason in section.locator(".said").inner_text()
        section.get_by_label(question.right, exact=True).check()
        answer.click()
        assert section.locator(".said").inner_text() == f"Right. {question.solution}"
    page.reload()
    assert page.locator("#count").inner_text() == "10 of 10 right."


def test_problems_of_the_three_lessons_take_their_answers(page, address):
    for name in deck.LESSONS:
        page.goto("about:blank")
        page.goto(f"{address}/practice.html#{name}")
        solved = page.evaluate(
            "(name) => LESSONS.find((lesson) => lesson.name === name).problems.filter((problem) => "
            "!problem.variable).map((problem) => judge(problem, String(problem.right)).said)",
            name,
        )
        assert len(solved) > 15
        assert set(solved) == {""}


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_page_of_a_lesson_is_wider_than_its_window(tmp_path, path):
    file = tmp_path / "page.html"
    file.write_text(pages.page(nbformat.read(path, as_version=4)), encoding="utf-8")
    with chromium() as browser:
        view = browser.new_page(viewport={"width": WIDTH, "height": 700})
        view.goto(file.as_uri())
        view.locator(".katex").first.wait_for()
        assert view.evaluate("document.documentElement.scrollWidth") == WIDTH
        assert view.locator("math, .katex-error").count() == 0
