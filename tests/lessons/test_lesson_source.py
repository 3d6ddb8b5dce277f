"""From one source come the students' copy, which gives nothing away, and solutions that are whole."""

import json
import re
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tests.helpers.made_lessons import FOLDER, LESSONS, SOURCES
from workbench._support.errors import InputError
from workbench._support.system import lessons as source
from workbench._support.system import resources
from workbench.pages import registry

TAGGED = {"tags": ["solution"]}
ANSWERED = {"nbgrader": {"grade": False, "grade_id": "answer-1-1", "solution": True}}
GRADED = {"grade": True, "grade_id": "check-1-1", "solution": False}
LOCKED = {"nbgrader": GRADED, "tags": ["raises-exception"]}
FUNCTION = """\
def f(x):
    "Twice x."
    ### BEGIN SOLUTION
    y = x + x
    return y
    ### END SOLUTION"""
VALUE = "proof = ...\n### BEGIN SOLUTION\nproof = 'a b'\n### END SOLUTION"
CHECK = 'from workbench.teaching import check\n\ncheck("1.1", f)'


def a_source(answer=FUNCTION):
    ran = new_code_cell("print(1)", execution_count=3, outputs=[new_output("stream", text="1\n")])
    cells = [
        new_markdown_cell("# Solutions", metadata=TAGGED),
        new_markdown_cell("# Lesson"),
        ran,
        new_markdown_cell("A reason.", metadata=TAGGED),
        new_code_cell(answer, metadata=ANSWERED),
        new_code_cell(CHECK, metadata=LOCKED),
    ]
    return json.loads(nbformat.writes(new_notebook(cells=cells)))


def texts(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"]]


@pytest.fixture
def one_lesson(tmp_path, monkeypatch):
    """A course of one lesson."""
    (tmp_path / "sources").mkdir()
    shutil.copy(SOURCES[0], tmp_path / "sources")
    monkeypatch.setattr(resources, "folder", lambda: tmp_path)
    return tmp_path


# --- the lessons


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_every_answer_has_its_reason_and_its_locked_check(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    kinds = "".join(map(kind, notebook.cells))
    # The title of the solutions, the lesson's own cells, and now and then a reason, an answer and its check.
    assert re.fullmatch(r"r(\.|rac)+", kinds)
    graded = [cell for cell in notebook.cells if kind(cell) in "ac"]
    for answer, check in zip(graded[::2], graded[1::2], strict=True):
        ids = [cell.metadata["nbgrader"]["grade_id"] for cell in (answer, check)]
        name, called = source.CHECK.search(check.source).groups()
        assert ids == [f"{part}-{name.replace('.', '-')}" for part in ("answer", "check")]
        assert re.match(rf"def {called}\(|{called} = ", answer.source)


def kind(cell):
    meta = cell.metadata.get("nbgrader", {})
    tagged = "solution" in cell.metadata.get("tags", [])
    return "r" if tagged else "a" if meta.get("solution") else "c" if meta.get("grade") else "."


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_the_students_copy_gives_nothing_away(path):
    cells = nbformat.read(path, as_version=4).cells
    answers = [cell.source for cell in cells if kind(cell) == "a"]
    assert answers
    for answer in answers:
        assert re.fullmatch(r"def \w+\(.*\):\n    return \.\.\.|\w+ = \.\.\.", answer)
    everything = "\n".join(cell.source for cell in cells)
    assert "END SOLUTION" not in everything
    whole = nbformat.read(FOLDER / "sources" / path.name, as_version=4).cells
    for reason in (cell.source for cell in whole if kind(cell) == "r"):
        assert not [part for part in reason.split("\n\n") if part in everything]


# --- what is made of a source


def test_the_students_copy():
    made = source.student(a_source())
    assert texts(made) == ["# Lesson", "print(1)", 'def f(x):\n    "Twice x."\n    return ...', CHECK]
    assert made["cells"][1]["outputs"] == []
    assert made["cells"][1]["execution_count"] is None
    assert made["cells"][-1]["metadata"] == LOCKED
    assert [cell["id"] for cell in made["cells"]] == [f"cell-{place:02d}" for place in range(4)]
    assert texts(source.student(a_source(VALUE)))[2] == "proof = ..."


def test_the_solutions():
    made = source.solutions(a_source())
    solved = 'def f(x):\n    "Twice x."\n    y = x + x\n    return y'
    assert texts(made) == ["# Solutions", source.SETUP, "A reason.", solved, 'check("1.1", f)']
    # A check that fails stops the run.
    assert not [cell for cell in made["cells"] if "tags" in cell["metadata"]]
    nbformat.validate(nbformat.reads(source.as_json(made).decode(), as_version=4))
    assert texts(source.solutions(a_source(VALUE)))[3] == "proof = 'a b'"


def test_what_nbgrader_gets():
    made = source.for_nbgrader(a_source(), {"1.1": 7})
    assert texts(made)[:3] == ["# Lesson", "print(1)", FUNCTION]
    assert texts(made)[3] == CHECK + source.HIDDEN.format("1.1", "f", 7)
    seeds = {}
    source.for_nbgrader(a_source(), seeds)
    assert list(seeds) == ["1.1"]


@pytest.mark.parametrize(
    "answer",
    [
        "def f(x):\n    return 2 * x",
        "### BEGIN SOLUTION\ndef f(x):\n    return 2 * x\n### END SOLUTION",
        "def f(x):\n    ### BEGIN SOLUTION\n    ### END SOLUTION",
        "def f(x):\n    ### BEGIN SOLUTION\n    return 2 * x",
        f"{FUNCTION}\nf(2)",
        f"{FUNCTION}\n    ### BEGIN SOLUTION\n    return y\n    ### END SOLUTION",
    ],
    ids=["no marks", "nothing above", "no solution", "no end", "more below", "twice"],
)
@pytest.mark.parametrize(
    "make", [source.student, source.solutions, lambda made: source.for_nbgrader(made, {})]
)
def test_an_answer_that_is_not_marked_is_refused(make, answer):
    with pytest.raises(InputError, match="must hold what students are given of it"):
        make(a_source(answer))


def test_solutions_need_a_title():
    notebook = a_source()
    del notebook["cells"][0]["metadata"]["tags"]
    notebook["cells"][3]["metadata"] = {}
    with pytest.raises(InputError, match="title of the solutions"):
        source.solutions(notebook)


def test_a_source_that_is_not_whole_is_named(one_lesson):
    path = one_lesson / "sources" / SOURCES[0].name
    text = path.read_text(encoding="utf-8")
    for broken in (text.replace("### END SOLUTION", "", 1), text[:-10]):
        path.write_text(broken, encoding="utf-8")
        with pytest.raises(InputError, match=f"^lessons/sources/{path.name}"):
            source.copy_of(path)


def test_an_installed_package_has_the_copies_themselves(one_lesson):
    shutil.rmtree(one_lesson / "sources")
    shutil.copy(LESSONS[0], one_lesson)
    ((name, path),) = resources.lessons().items()
    assert (name, path) == (LESSONS[0].stem, one_lesson / LESSONS[0].name)
    assert source.as_json(source.copy_of(path)) == LESSONS[0].read_bytes()


# --- the pages


OPENS = re.compile(r"wb\.(?:live\(|pages\.(\w+)\()")


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_each_lesson_opens_a_page_and_names_its_address(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    (place,) = [k for k, cell in enumerate(cells) if OPENS.match("".join(cell["source"]))]
    name = OPENS.match("".join(cells[place]["source"]))[1] or "DualLab"
    (page,) = [page for page in registry.pages().values() if page.hosted.endswith(f":{name}")]
    assert cells[place]["cell_type"] == "code"
    assert f"`workbench serve {page.name}`" in "".join(cells[place - 1]["source"])


@pytest.mark.parametrize("page", [page for page in registry.pages().values() if page.name != "home"])
def test_each_page_belongs_to_a_lesson_that_opens_it(page):
    source_text = (FOLDER / "sources" / f"{page.lesson}.ipynb").read_text(encoding="utf-8")
    assert f"`workbench serve {page.name}`" in source_text


MOST_WORDS = 1900


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_lesson_has_at_most_1900_words(path):
    cells = source.student(json.loads(path.read_text(encoding="utf-8")))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", " ", text, flags=re.DOTALL)
    assert len(re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", text)) <= MOST_WORDS


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_recorded_prediction_is_compared_below(path):
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    texts_of_cells = ["".join(cell["source"]) for cell in cells]
    recorded = [
        place for place, text in enumerate(texts_of_cells) if "its value goes into the next cell" in text
    ]
    assert recorded
    for place in recorded:
        assert "..." in texts_of_cells[place + 1]
        assert "answered(" in "".join(texts_of_cells[place + 2 : place + 7])
