"""A lesson as nbgrader takes it from the lecturer: with solutions, of which students get the signatures.

`nbgrader generate_assignment` clears what stands between BEGIN SOLUTION and END SOLUTION, and takes the
hidden tests away; `nbgrader autograde` puts the locked cells back as they are here.
"""

import copy

from workbench.errors import InputError

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
# Whatever a submission has made of `check` or its modules, they are imported anew.
FRESH = """\
### BEGIN HIDDEN TESTS
import sys

for module in [name for name in sys.modules if name.startswith("workbench.teaching")]:
    del sys.modules[module]
### END HIDDEN TESTS
"""


def merged(lesson, solutions):
    """The lecturer's notebook.

    Parameters
    ----------
    lesson, solutions : dict
        The two notebooks as JSON; an answer is told by its grade_id.

    Raises
    ------
    InputError
        An exercise has no solution.
    """
    notebook = copy.deepcopy(lesson)
    answers = [cell for cell in solutions["cells"] if _meta(cell).get("solution")]
    solved = {_meta(cell)["grade_id"]: _text(cell) for cell in answers}
    for cell in notebook["cells"]:
        meta = _meta(cell)
        if meta.get("solution"):
            if meta["grade_id"] not in solved:
                raise InputError(f"{meta['grade_id']}: the solutions have no cell of that name")
            _put(cell, marked(_text(cell), solved[meta["grade_id"]]))
        elif meta.get("grade"):
            _put(cell, FRESH + _text(cell))
    return notebook


def marked(asked, solved):
    """A solution with the marks around what the student is to write; `asked` is the cell of the lesson."""
    first, _, _ = asked.partition("\n")
    if not first.startswith("def "):
        return f"{asked}\n{BEGIN}\n{solved}\n{END}"
    before, head, body = solved.partition(f"{first}\n")
    if before or not head:
        raise InputError(f"a solution must begin with {first!r}; helpers go inside of it")
    return f"{head}    {BEGIN}\n{body}\n    {END}"


def _meta(cell):
    return cell["metadata"].get("nbgrader", {})


def _text(cell):
    return "".join(cell["source"])


def _put(cell, text):
    cell["source"] = text.splitlines(keepends=True)
