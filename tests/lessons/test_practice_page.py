"""The page of short problems, opened as a file without a network, judges as `check` does."""

import importlib.util

import pytest

from tests.helpers.made_lessons import FOLDER, LESSONS
from tests.helpers.page_browser import chromium
from tests.lessons.test_practice import PROBLEMS
from workbench.teaching.answers import same

pytestmark = pytest.mark.browser

PLACE = FOLDER.parent / "docs" / "practice.py"
# What the page says of the right answer and of each wrong one, of all problems that have values to type in.
JUDGED = """() => LESSONS.flatMap((lesson) => lesson.problems).filter((each) => !each.variable)
.map((each) => {
  const values = [each.right, ...each.wrong.map(([other]) => other)];
  return [each.name, values.map((value) => judge(each, String(value)).said)];
})"""
CALCULATED = {
    "1/4": 0.25,
    "-2**2": -4.0,
    "2*-3": -6.0,
    "2**-1": 0.5,
    "2^3^2": 512.0,
    "np.log(2)*0 + ln(1)": 0.0,
    "(1+2)*3/2 - .5": 4.0,
    "1e-3": 0.001,
    "max(1, 2, 3)": 3.0,
    "-inf": float("-inf"),
}


@pytest.fixture(scope="module")
def practice():
    spec = importlib.util.spec_from_file_location("practice_page", PLACE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page(practice, tmp_path_factory):
    """The page in a browser that is offline."""
    path = tmp_path_factory.mktemp("stick") / "practice.html"
    path.write_text(practice.page(LESSONS), encoding="utf-8")
    with chromium() as browser:
        context = browser.new_context(offline=True)
        opened = context.new_page()
        opened.goto(path.as_uri())
        yield opened


def test_every_answer_is_judged_as_in_a_notebook(page):
    judged = dict(page.evaluate(JUDGED))
    assert len(judged) >= 330
    for name, (right, *wrong) in judged.items():
        assert right == "", name
        problem = PROBLEMS[name]
        # Two mistakes may have one value: then the first is told.
        sentences = [
            next(s for other, s in problem.wrong if _same(other, value)) for value, _ in problem.wrong
        ]
        assert wrong == sentences, name


def _same(one, other):
    return one == other if isinstance(one, str) else same(one, other)


def test_calculations_are_read(page):
    for text, value in CALCULATED.items():
        assert page.evaluate("evaluate", text) == value, text
    for text in ("1/", "alert(1)", "2 3", "(1", "constructor", ""):
        assert page.evaluate("(text) => judge(LESSONS[0].problems[0], text).empty", text), text


def test_wrong_twice_then_hints_then_right_is_kept(page):
    page.evaluate("location.hash = '01_conjugates'")
    problem = PROBLEMS["1.p7a"]
    section = page.locator('[id="1.p7a"]')
    field, said = section.get_by_role("textbox"), section.locator(".said")

    def answer(text):
        field.fill(text)
        section.get_by_role("button", name="Check").click()
        return said.inner_text()

    assert "A hint may help" in answer("2*v**2/2")
    assert "At v = -2 your formula is -2" in answer("v")
    assert problem.solution in said.inner_text()
    for hint in problem.hints:
        section.get_by_role("button", name="Hint").click()
        assert hint in section.inner_text()
        assert "is due" in said.inner_text()
    assert section.get_by_role("button", name="Hint").is_disabled()
    assert answer("v^2/4").startswith("Right.")
    page.reload()
    assert said.inner_text().startswith("Right.")
    assert page.locator("#count").inner_text().startswith("1 of ")


def test_objectives_name_every_exercise_and_kind(practice):
    table = practice.objectives(LESSONS)
    assert table.count("\n") == len(LESSONS) + 1
    assert all(f"{name[:-1]} {problem.title}" in table for name, problem in PROBLEMS.items())
