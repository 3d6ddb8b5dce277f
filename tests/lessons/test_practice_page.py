"""The page of short problems, opened as a file without a network, judges as `check` does."""

import importlib.util
import re

import pytest

from tests.helpers.made_lessons import FOLDER, LESSONS
from tests.helpers.page_browser import chromium
from tests.lessons.test_practice import PROBLEMS
from workbench.teaching.answers import Wrong, expect, same

pytestmark = pytest.mark.browser

PLACE = FOLDER.parent / "docs" / "practice.py"
# What the page says of the right answer and of each wrong one, of all problems that have values to type in.
JUDGED = """() => LESSONS.flatMap((lesson) => lesson.problems).filter((each) => !each.variable)
.map((each) => {
  const values = [each.right, ...each.wrong.map(([other]) => other)];
  return [each.name, values.map((value) => judge(each, String(value)).said)];
})"""
# Each problem opened, answered by its key and checked; a graph's part is clicked.
SOLVED = """(formulas) => LESSONS.flatMap((lesson) => {
  chosen.value = lesson.name;
  return lesson.problems.map((problem) => {
    open(problem);
    const form = document.querySelector("main form"), part = document.querySelector("main [data-pick]");
    if (part) {
      const right = document.querySelector(`main [data-pick="${problem.right}"]`);
      right.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    } else if (problem.choices.length) {
      [...form.querySelectorAll("input")].find((input) => input.value === problem.right).checked = true;
    } else {
      form.querySelector("input").value = problem.variable ? formulas[problem.name] : String(problem.right);
    }
    form.requestSubmit();
    return [problem.name, document.querySelector("main .said").textContent];
  });
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
    "3²": 9.0,
    "2³ + 10¹²*0": 8.0,
    "√4": 2.0,
    "√(1 + 8)": 3.0,
    "2(3)": 6.0,
    "(1+1)(2+1)": 6.0,
    "2√9": 6.0,
    "-0.5(2)^2": -2.0,
    "2·3×2": 12.0,
    "arcsinh(0)": 0.0,
    "np.arcsinh(0) + asinh(0) + arctanh(0)": 0.0,
    "cosh(0)": 1.0,
    "infinity": float("inf"),
    "−∞": float("-inf"),
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


def typed(formula):
    """Return a formula as one types it, its parameters as numbers."""
    return re.sub(
        r"[A-Za-z]\w*",
        lambda word: word[0] if word[0] == formula.variable else str(formula.names.get(word[0], word[0])),
        formula.expression,
    )


def _same(one, other):
    return one == other if isinstance(one, str) else same(one, other)


def test_calculations_are_read(page):
    for text, value in CALCULATED.items():
        assert page.evaluate("evaluate", text) == value, text
    assert page.evaluate("evaluate('0.25v^2 + 2v(v - 1)', {v: 2})") == 5.0
    for text in ("1/2(3)", "1/2pi", "1/", "alert(1)", "2 3", "(1", "constructor", ""):
        assert page.evaluate("(text) => judge(LESSONS[0].problems[0], text).empty", text), text


def test_three_digits_are_right(page):
    judged = """([right, text]) => judge({choices: [], places: null, right, wrong: []}, text).said"""
    for right, text in ((1 / 3, "0.333"), (2 / 3, "0.667"), (0.0183156, "0.0183"), (-4 / 3, "-1.33")):
        assert page.evaluate(judged, [right, text]) == "", text
        expect(float(text), right)
    for right, text in ((1 / 3, "0.33"), (200, "200.4"), (2 / 3, "0.66"), (1250, "1254")):
        assert page.evaluate(judged, [right, text]), text
        with pytest.raises(Wrong):
            expect(float(text), right)


def test_every_key_is_accepted_through_the_page(page):
    """Each problem alone on the page, its key typed, chosen or clicked in the graph."""
    formulas = {name: typed(problem.right) for name, problem in PROBLEMS.items() if callable(problem.right)}
    accepted = page.evaluate(SOLVED, formulas)
    assert len(accepted) == len(PROBLEMS)
    assert [name for name, said in accepted if not said.startswith("Right.")] == []


def test_one_problem_at_a_time_and_another_like_it(page):
    page.evaluate("location.hash = '03_losses/3.p1a'")
    page.wait_for_selector('[id="3.p1a"]')
    assert page.locator("main section").count() == 1
    page.get_by_role("button", name="Another like it").click()
    assert page.locator("main section").get_attribute("id") == "3.p1b"
    page.get_by_role("button", name="Next problem").click()
    assert page.locator("main section").get_attribute("id").startswith("3.p2")
    page.get_by_role("button", name="Back").click()
    assert page.locator("main section").get_attribute("id").startswith("3.p1")


def test_wrong_twice_then_hints_then_right_is_kept(page):
    page.evaluate("location.hash = '01_conjugates/1.p7a'; for (const name in done) delete done[name]")
    page.evaluate("follow()")
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
