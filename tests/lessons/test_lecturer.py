"""The lecturer's pack, the pages of the lessons, and what they are made of."""

import re
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from typer.testing import CliRunner

from tests.helpers.made_lessons import FOLDER, LESSONS
from workbench._support.errors import InputError
from workbench._support.system import resources
from workbench.cli import app
from workbench.teaching import lecturer, pages
from workbench.teaching.problems import of_lesson

GUIDES = sorted(FOLDER.glob("lecturer/[0-9]*.md"))
MODEL = GUIDES[1]  # lesson 1; lesson 0 is an appendix
FETCHED = re.compile(r"""(src|href)=["']?https?:|@import|url\(["']?https?:""")


def invoke(*arguments):
    return CliRunner().invoke(app, ["lessons", *map(str, arguments)])


@pytest.fixture
def one_lesson(tmp_path, monkeypatch):
    """A course of one lesson."""
    source = tmp_path / "course"
    for part in (
        "LICENSE.md",
        "README.md",
        "lecturer/README.md",
        f"lecturer/{MODEL.name}",
        "lecturer/Containerfile",
        "lecturer/grade.sh",
        "lecturer/nbgrader_config.py",
        f"sources/{MODEL.stem}.ipynb",
        "checks/lesson_01.py",
        "practice/01.toml",
    ):
        (source / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FOLDER / part, source / part)
    monkeypatch.setattr(resources, "folder", lambda: source)
    return source


# --- the lecturer's files


def test_every_lesson_has_its_guide():
    assert [path.stem for path in GUIDES] == [path.stem for path in LESSONS]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_is_whole(path):
    guide = lecturer.read_guide(path.name, path.read_text(encoding="utf-8"))
    assert (len(guide.quiz), len(guide.exam)) == (lecturer.QUIZ, lecturer.EXAM)
    lesson = nbformat.read(dict(zip(GUIDES, LESSONS, strict=True))[path], as_version=4)
    asked = sum(len(re.findall(r"\*\*Predict", cell.source)) for cell in lesson.cells)
    answered = len(re.findall(r"^\d+\. ", guide.sections["Predictions"], re.MULTILINE))
    assert answered >= asked


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("## Quiz", "## Quizzes", "they must be Script, Predictions, Quiz"),
        ("10. The supremum", "11. The supremum", "questions 1 to 10"),
        ("**Answer:** (b). The line is", "The line is", r"Quiz 1 lacks '\*\*Answer:\*\*'"),
        ("(a) The sign is missing", "The sign is missing", r"Quiz 1 lacks a reason for \(a\)"),
        (
            "(b). The line is $u \\mapsto uv - q(v)$; put $u = 0$. ",
            "(b). ",
            r"Quiz 1 lacks a reason for \(b\)",
        ),
        ("(c) $v$ is a slope", "(a) $v$ is a slope", r"Quiz 1 lacks a reason for \(c\)"),
        ("(8 points) Derive the conjugate of the", "Derive the conjugate of the", "its points"),
        ("(8 points) Derive the conjugate of the", "(9 points) Derive", "9 points are promised"),
        ("- **12 to 20.", "- **14 to 20.", "without a hole"),
        ("*Cut (", "*Leave (", "marks nothing"),
    ],
)
def test_a_guide_that_is_not_whole_is_refused(old, new, said):
    text = (FOLDER / "lecturer" / "01_conjugates.md").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError, match=said):
        lecturer.read_guide("01_conjugates.md", text.replace(old, new))


def test_students_sheets_give_no_answer_away():
    text = MODEL.read_text(encoding="utf-8")
    guide = lecturer.read_guide(MODEL.name, text)
    for questions in (guide.quiz, guide.exam):
        sheet = lecturer.sheet(guide, questions, "Quiz")
        assert len(re.findall(r"^\d+\. ", sheet, re.MULTILINE)) == len(questions)
        assert not re.search("Answer|Marking|lecturer", sheet)


def test_keys_of_quizzes_are_balanced():
    """A student who always ticks one letter gets 4 of 10 at most, in each lesson."""
    guides = [lecturer.read_guide(path.name, path.read_text(encoding="utf-8")) for path in GUIDES]
    for guide in guides:
        keys = [question.key for question in guide.quiz]
        assert max(map(keys.count, range(3))) <= 4
        assert len({choice for question in guide.quiz for choice in question.choices}) > 20
    assert guides == [lecturer.read_guide(path.name, path.read_text(encoding="utf-8")) for path in GUIDES]


def shown_length(choice):
    """Return the number of characters that a student sees, a command of LaTeX counted as one."""
    plain = re.sub(r"\\operatorname\{(\w+)\}", r"\1", choice)
    return len(re.sub(r"[${}^_\\`]", "", re.sub(r"\\[a-zA-Z]+\s?", "x", plain)))


def is_right_one_longest(question):
    lengths = [*map(shown_length, question.choices)]
    return lengths.pop(question.key) > max(lengths)


def test_the_longest_choice_is_rarely_the_right_one():
    """A student who always ticks the longest choice gets at most 2 of 5."""
    guides = [lecturer.read_guide(path.name, path.read_text(encoding="utf-8")) for path in GUIDES]
    longest = [is_right_one_longest(question) for guide in guides for question in guide.quiz]
    assert sum(longest) <= 0.4 * len(longest)


def test_every_choice_has_a_reason_of_its_own():
    for path in GUIDES:
        for question in lecturer.read_guide(path.name, path.read_text(encoding="utf-8")).quiz:
            assert len(set(question.reasons)) == len(question.choices) == 3
            assert all(len(reason) > 10 for reason in question.reasons), question


def test_shuffling_keeps_what_is_right():
    text = MODEL.read_text(encoding="utf-8")
    guide = lecturer.read_guide(MODEL.name, text)
    first = guide.quiz[0]
    assert first.choices[first.key] == "$-q(v)$"
    shown = lecturer.with_quiz(text, guide)
    assert f"{first.text} **Answer:** {first.answer}" in shown
    why = dict(zip(first.choices, first.reasons, strict=True))
    assert why["$q(v)$"].startswith("The sign is missing")
    assert why["$p(v)$"].startswith("$v$ is a slope")
    assert lecturer.read_guide(MODEL.name, shown).quiz[0].reasons[first.key] == first.reasons[first.key]
    assert shown.count("**Answer:**") == text.count("**Answer:**")


def test_a_quiz_in_gift():
    question = lecturer.Choice(
        "What is $a_{1}$?", ["`x=1`", "$\\{2\\}$", "a < b"], ",", 1, ["No.", "So: it is.", "$a$"]
    )
    assert lecturer.gift("01", [question]) == (
        "::01 1::[html]What is \\\\(a_\\{1\\}\\\\)? {\n"
        "~<code>x\\=1</code>#No.\n"
        "=\\\\(\\\\\\{2\\\\\\}\\\\)#So\\: it is.\n"
        "~a &lt; b#\\\\(a\\\\)\n}\n"
    )


POOL = re.compile(r"::(\d+\.p\d+[a-z])::\[html\](.+) \{(#?)\n((?:[=~].*#.+\n)+)\}\n")


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_pool_of_a_lesson_asks_all_that_gift_can_judge(path):
    """A category for each kind, and in each problem the right answer, which no wrong one comes near."""
    listed = {
        name: problem
        for name, problem in of_lesson(int(path.stem[:2])).items()
        if not callable(problem.right) and not problem.graph
    }
    text = lecturer.gift_pool(path.stem, listed.values())
    pools = {name: (numeric, lines.splitlines()) for name, _, numeric, lines in POOL.findall(text)}
    assert pools.keys() == listed.keys()
    assert text.count("$CATEGORY: ") == len({name[:-1] for name in listed})
    for name, problem in listed.items():
        numeric, lines = pools[name]
        if problem.choices:
            assert [line[0] == "=" for line in lines] == [
                choice == problem.right for choice in problem.choices
            ]
        elif not numeric:
            sign = "-" * (problem.right < 0)
            accepted = [line.partition("#")[0] for line in lines]
            assert accepted == [f"={sign}{spelling}" for spelling in lecturer.INFINITY]
            assert lecturer.INFINITY[0] in problem.ask
        elif numeric:
            first, *others = (re.match(r"=%(\d+)%([^:]+):([^#]+)#", line).groups() for line in lines)
            assert first[0] == "100"
            assert abs(float(first[1]) - problem.right) <= float(first[2])
            for share, value, near in others:
                assert share == "0"
                assert abs(float(value) - problem.right) > float(near)


# --- the pack


def test_the_pack_holds_everything(one_lesson, tmp_path):
    place, name = tmp_path / "pack", MODEL.stem
    place.mkdir()
    (place / "README.md").write_text("my notes", encoding="utf-8")
    said = invoke(place, "--lecturer", "--no-run")
    assert said.exit_code == 0, said.output
    assert "kept your README.md" in said.output
    assert (place / "README.md").read_text(encoding="utf-8") == "my notes"
    written = {str(path.relative_to(place)) for path in place.rglob("*.*")}
    assert written == {
        "README.md",
        "LICENSE.md",
        f"guides/{name}.md",
        f"guides/{name}.html",
        f"quiz/{name}.md",
        f"quiz/{name}.gift",
        f"quiz/{name}-pool.gift",
        f"exam/{name}.md",
        f"source/{name}/{name}.ipynb",
        "nbgrader_config.py",
        "grade.sh",
        "seeds.json",
        f"solutions/{name}.ipynb",
        "module/README.md",
        "module/assignment.md",
        "module/lecturer.md",
        "quiz/module.gift",
        "slides/lecture-1.html",
        "slides/lecture-2.html",
    }
    assert (place / "Containerfile").is_file()
    for path in place.rglob("*.html"):
        assert not FETCHED.search(path.read_text(encoding="utf-8"))


def test_a_lesson_without_its_guide_is_named(one_lesson, tmp_path):
    (one_lesson / "lecturer" / MODEL.name).unlink()
    said = invoke(tmp_path / "pack", "--lecturer", "--no-run")
    assert said.exit_code == 2
    assert f"lacks {MODEL.name}" in said.output


def test_one_kind_at_a_time(tmp_path):
    said = invoke(tmp_path / "pack", "--lecturer", "--html")
    assert said.exit_code == 2
    assert "choose one of" in said.output
    assert not (tmp_path / "pack").exists()


# --- pages


LIVE = "application/vnd.holoviews_exec.v0+json"
SHEET = "<link href='https://cdn.holoviz.org/panel/1.8.2/dist/css/loading.css?v=1.8.2'>"


def a_lesson():
    code = new_code_cell("live(draw)")
    code.outputs = [
        new_output("display_data", {"application/javascript": "scripts()"}),
        new_output("display_data", {"text/html": f"<p>live</p>{SHEET}", LIVE: ""}),
        new_output("display_data"),
        new_output("display_data", {"image/png": "aGVsbG8="}),
        new_output("error", ename="NotYet", evalue="not yet", traceback=["not yet"]),
    ]
    graded = new_code_cell("check()", metadata={"nbgrader": {"grade": True}})
    first = new_markdown_cell("# A <lesson>\n\nText with $x < y$.\n\n## Part\n\n**Predict.** What?")
    return new_notebook(cells=[first, code, graded, new_markdown_cell("### Exercise\n\nDo it.")])


def test_a_page_shows_what_needs_no_kernel():
    page = pages.page(a_lesson())
    assert "A &lt;lesson&gt;" in page
    assert "<script>scripts()</script>" in page
    assert "<p>live</p>" in page
    assert "data:image/png;base64,aGVsbG8=" in page
    assert "not yet" in page
    assert "data:text/css;base64," in page
    assert "default-src 'none'" in page
    assert not FETCHED.search(page)
