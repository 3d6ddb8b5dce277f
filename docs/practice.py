"""The short problems of the course as one file of HTML that computes in the browser, without Python.

It needs no network and no other file: progress stays in the browser. Answers are in it, as in the package.
"""

import json
import re
from pathlib import Path

from workbench.pages.home import lesson_text
from workbench.teaching import diagnosis, problems

HERE = Path(__file__).parent
GOALS = re.compile(r"\*\*Goals\.\*\* (.+)")
EXERCISE = re.compile(r"^### Exercise ([\d.]+)", re.MULTILINE)


def page(lessons, quizzes=()):
    """Return the file, for students' copies of lessons.

    Parameters
    ----------
    lessons : sequence of pathlib.Path
    quizzes : sequence of (str, str, list of problems.Problem)
        The name, the title and the questions of each, listed after the lessons.
    """
    rules = {
        "half": diagnosis.HALF_DIGIT,
        "relative": diagnosis.RELATIVE,
        "absolute": diagnosis.ABSOLUTE,
        "attempts": problems.ATTEMPTS,
    }
    listed = [
        {
            "name": path.stem,
            "title": lesson_text.title(path),
            "problems": [*map(as_plain_data, _problems(path))],
        }
        for path in lessons
    ]
    listed += [
        {"name": name, "title": title, "problems": [*map(as_plain_data, questions)]}
        for name, title, questions in quizzes
    ]
    # A literal of JavaScript, which has infinities, unlike JSON; no text may end the script.
    data = json.dumps([rules, listed], ensure_ascii=False).replace("<", r"\u003c")
    script = (HERE / "practice.js").read_text("utf-8")
    shell = (HERE / "practice.html").read_text("utf-8")
    return shell.replace("<!-- script -->", f"<script>\nconst [RULES, LESSONS] = {data};\n{script}</script>")


def _problems(path):
    return problems.of_lesson(int(path.stem[:2])).values()


def as_plain_data(problem):
    """One problem as plain data; a formula as its values at some places."""
    fields = ("name", "title", "ask", "example", "hints", "solution", "choices", "right", "wrong")
    entry = {field: getattr(problem, field) for field in fields}
    entry["graph"] = problem.graph.svg() if problem.graph else ""
    if callable(problem.right):
        places = problem.right.places
        entry |= {"variable": problem.right.variable, "places": places}
        entry |= {"right": list(map(problem.right, places))}
        entry |= {"wrong": [(list(map(other, places)), said) for other, said in problem.wrong]}
    return entry


def objectives(lessons):
    """Return a table of Markdown: the goal of each lesson, its exercises and its kinds of problems."""
    lines = ["| lesson | you can then | exercises | short problems |", "| --- | --- | --- | --- |"]
    for path in lessons:
        number, kinds = int(path.stem[:2]), {problem.name[:-1]: problem.title for problem in _problems(path)}
        trained = "; ".join(f"{name} {title}" for name, title in kinds.items())
        text = "\n".join(text for kind, text in lesson_text.cells(path) if kind == "markdown")
        row = (str(number), GOALS.search(text)[1], ", ".join(EXERCISE.findall(text)), trained)
        lines.append(f"| {' | '.join(row)} |".replace("\n", " "))
    return "\n".join(lines)
