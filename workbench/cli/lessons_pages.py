"""What `workbench lessons` writes besides notebooks: pages of HTML, and the lecturer's pack."""

import secrets
from pathlib import Path

from workbench._support.errors import InputError
from workbench._support.system import extras, resources

# Beside what is made of the lessons.
KEPT = (
    ("lecturer/README.md", "README.md"),
    ("lecturer/questionnaire.py", "questionnaire.py"),
    ("LICENSE.md", "LICENSE.md"),
)


def pages(source, place, execute=True, say=print):
    """(path, contents) of a page for each lesson, which is run first if so wished."""
    from workbench.teaching.pages import page

    for name, notebook in _lessons(source, place, execute, say):
        yield Path(f"{name}.html"), page(notebook).encode()


def pack(source, place, execute=True, say=print):
    """(path, contents) of the lecturer's pack: slides, guides, quizzes, exams, graders, solutions."""
    from workbench.teaching import lecturer, problems
    from workbench.teaching.pages import page, text_page
    from workbench.teaching.source import as_json, for_nbgrader, notebooks, solutions

    for theirs, ours in KEPT:
        yield Path(ours), (source / theirs).read_bytes()
    # The guides come first: one that is not whole is said before the lessons are run.
    for file, _ in notebooks(source, for_nbgrader):
        name = Path(file).stem
        text = guide_of(source, name).read_text(encoding="utf-8")
        guide = lecturer.read(f"{name}.md", text)
        text = lecturer.with_quiz(text, guide)
        yield Path("guides", f"{name}.md"), text.encode()
        yield Path("guides", f"{name}.html"), text_page(guide.title, text).encode()
        yield Path("quiz", f"{name}.gift"), lecturer.gift(name, guide.quiz).encode()
        pool = lecturer.gift_pool(name, problems.of_lesson(int(name[:2])).values())
        yield Path("quiz", f"{name}-pool.gift"), pool.encode()
        yield Path("quiz", f"{name}.md"), lecturer.sheet(guide, guide.quiz, "Quiz").encode()
        yield Path("exam", f"{name}.md"), lecturer.sheet(guide, guide.exam, "Exam").encode()
    yield from course(source)
    for file, solved in notebooks(source, solutions):
        yield Path("solutions", file), as_json(solved)
    for name, notebook in _lessons(source, place, execute, say):
        yield Path("slides", f"{name}.html"), page(notebook, slides=True).encode()


def course(source):
    """(path, contents) of a course of nbgrader: notebooks, configuration, and what its judge alone reads."""
    from workbench.teaching.grading import CHECKS, SEEDS
    from workbench.teaching.source import as_json, exercises, for_nbgrader, notebooks

    seeds = {}
    for file, whole in notebooks(source, for_nbgrader):
        yield Path("source", Path(file).stem, file), as_json(whole)
        seeds |= {name: secrets.randbelow(2**31) for name in exercises(whole)}
    for path in sorted((source / "checks").glob("*.py")):
        yield CHECKS / path.name, path.read_bytes()
    yield SEEDS, as_json(seeds)
    yield Path("nbgrader_config.py"), (source / "lecturer" / "nbgrader_config.py").read_bytes()


def guide_of(source, name):
    """The lecturer's file of a lesson."""
    path = source / "lecturer" / f"{name}.md"
    if not path.is_file():
        raise InputError(f"lessons/lecturer has no {name}.md, which the lecturer's pack needs")
    return path


def _lessons(source, place, execute, say):
    extras.need("lessons", "making pages of the lessons", "nbconvert", "panel")
    import nbformat

    from workbench.teaching.pages import run

    paths = sorted(source.glob(resources.NOTEBOOK))
    for number, path in enumerate(paths, 1):
        notebook = nbformat.read(path, as_version=4)
        if execute:
            say(f"running {path.stem} ({number} of {len(paths)})")
            place.mkdir(parents=True, exist_ok=True)
            notebook = run(notebook, place)
        yield path.stem, notebook
