"""Output of `workbench lessons` besides notebooks: pages of HTML, and the lecturer's pack."""

import functools
import json
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import extras, resources
from workbench._support.system.lessons import as_json, copy_of, for_nbgrader, notebooks, solutions

# Beside what is made of the lessons.
KEPT = (("lecturer/README.md", "README.md"), ("LICENSE.md", "LICENSE.md"))
# Files for grading beside the notebooks; seeds by the names of exercises.
GRADING, SEEDS = ("nbgrader_config.py", "Containerfile", "grade.sh"), Path("seeds.json")


def pages(_source, place, execute=True, report=print):
    """(path, contents) of a page for each lesson, which is run first if so wished."""
    from workbench.teaching.pages import page

    for name, notebook in _lessons(place, execute, report):
        yield Path(f"{name}.html"), page(notebook).encode()


def pack(source, place, _execute=True, report=print):
    """(path, contents) of the lecturer's pack: slides, guides, quizzes, exams, graders, solutions."""
    from workbench.teaching import deck, lecturer, problems  # type: ignore[attr-defined]  # they lie in lessons
    from workbench.teaching.pages import text_page

    for theirs, ours in KEPT:
        yield Path(ours), (source / theirs).read_bytes()
    # The guides come first: one that is not whole is said before the lessons are run.
    for file, _ in notebooks(source, solutions):
        name = Path(file).stem
        text = guide_of(source, name).read_text(encoding="utf-8")
        guide = lecturer.read_guide(f"{name}.md", text)
        text = lecturer.with_quiz(text, guide)
        yield Path("guides", f"{name}.md"), text.encode()
        yield Path("guides", f"{name}.html"), text_page(text).encode()
        yield Path("quiz", f"{name}.gift"), lecturer.gift(name, guide.quiz).encode()
        pool = lecturer.gift_pool(name, problems.of_lesson(int(name[:2])).values())
        yield Path("quiz", f"{name}-pool.gift"), pool.encode()
        yield Path("quiz", f"{name}.md"), lecturer.sheet(guide, guide.quiz, "Quiz").encode()
        yield Path("exam", f"{name}.md"), lecturer.sheet(guide, guide.exam, "Exam").encode()
    yield from course(source, place)
    for file, solved in notebooks(source, solutions):
        yield Path("solutions", file), as_json(solved)
    for file in ("README.md", "assignment.md", "lecturer.md"):
        yield Path("module", file), (deck.FOLDER / file).read_bytes()
    yield Path("quiz", "module.gift"), lecturer.gift_pool("module", deck.quiz()).encode()
    for lecture in deck.LECTURES:
        report(f"drawing the slides of {lecture}")
        yield Path("slides", f"{lecture}.html"), deck.page(lecture).encode()


def course(source, place):
    """(path, contents) of a course of nbgrader: notebooks, configuration, the container, the hidden seeds."""
    # The seeds of a course that is there stay, and with them its notebooks.
    file = place / SEEDS
    try:
        seeds = dict(json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else {}
    except (ValueError, TypeError):
        raise InputError(f"{file} holds no seeds as JSON; put back the course's own, or delete it") from None
    for file, whole in notebooks(source, functools.partial(for_nbgrader, seeds=seeds)):
        yield Path("source", Path(file).stem, file), as_json(whole)
    yield SEEDS, as_json(seeds)
    for name in GRADING:
        yield Path(name), (source / "lecturer" / name).read_bytes()


def guide_of(source, name):
    """Return the lecturer's file of a lesson."""
    path = source / "lecturer" / f"{name}.md"
    if not path.is_file():
        raise InputError(f"lessons/lecturer lacks {name}.md, which the lecturer's pack needs")
    return path


def _lessons(place, execute, report):
    extras.need("lessons", "making pages of the lessons", "nbconvert", "panel")
    import nbformat

    from workbench.teaching.pages import run

    lessons = resources.lessons()
    for number, (name, path) in enumerate(lessons.items(), 1):
        notebook = nbformat.reads(as_json(copy_of(path)).decode(), as_version=4)
        if execute:
            report(f"running {name} ({number} of {len(lessons)})")
            place.mkdir(parents=True, exist_ok=True)
            notebook = run(notebook, place)
        yield name, notebook
