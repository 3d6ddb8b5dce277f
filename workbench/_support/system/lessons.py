"""A lesson's one source, lessons/sources/NN_NAME.ipynb, and the notebooks that are made from it.

Students' copies are made where they are needed: by `workbench lessons`, for the site, and for the wheel,
which has them in place of the sources. In a source an answer stands between BEGIN SOLUTION and END
SOLUTION, below the line that students are given of it. Cells with the tag "solution", such as the reasons,
belong to the solutions alone. This module imports Python's own packages alone: the wheel is built with it.
"""

import json
import re
import secrets

from workbench._support.errors import InputError
from workbench._support.system import resources

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
TAG = "solution"
ANSWER = re.compile(rf"(.+)\n *{BEGIN}\n(.+)\n *{END}", re.DOTALL)
CHECK = re.compile(r'check\("([\d.]+)", (\w+)\)')
# The solutions run on their own: this stands below their title.
SETUP = "import numpy as np\n\nfrom workbench.teaching import check"
# Below a locked cell's check in the lecturer's copy; students do not get it.
HIDDEN = """
### BEGIN HIDDEN TESTS
check("{}", {}, seed={})
### END HIDDEN TESTS"""


def notebooks(folder, make):
    """(name, notebook) of each lesson, as `student`, `solutions` or `for_nbgrader` makes it of its source.

    Parameters
    ----------
    folder : Path
        Of the lessons; the sources are in its folder `sources`.
    make : callable

    Raises
    ------
    InputError
        It names the source that is not as it should be.
    """
    for path in sorted((folder / "sources").glob(resources.NOTEBOOK)):
        yield path.name, notebook_of(path, make)


def notebook_of(path, make):
    """Return the notebook that is made of one source."""
    try:
        return make(json.loads(path.read_text(encoding="utf-8")))
    except ValueError as error:
        raise InputError(f"lessons/sources/{path.name} is not a notebook: {error}") from None
    except InputError as error:
        raise InputError(f"lessons/sources/{path.name}: {error}") from None


def copy_of(path):
    """Return a lesson as students get it, of its source in a clone, or as an installed package has it.

    Parameters
    ----------
    path : Path
        One of `resources.lessons`.
    """
    return notebook_of(path, student if path.parent.name == "sources" else dict)


def student(source):
    """Return the students' copy: no solution, and of an answer only what stands above it."""
    return _notebook(source, [_edited(cell, answer=stub) for cell in source["cells"] if not _tagged(cell)])


def solutions(source):
    """Return the answers and the reasons alone, as a notebook that runs on its own."""
    cells = [cell for cell in source["cells"] if _tagged(cell) or _meta(cell)]
    if not cells or not _tagged(cells[0]):
        raise InputError(f'a cell with the tag "{TAG}" and the title of the solutions must stand first')
    title, *rest = (_edited(_untagged(cell), answer=solved, locked=_check_alone) for cell in cells)
    setup = {
        "cell_type": "code",
        "execution_count": None,
        "id": "",
        "metadata": {},
        "outputs": [],
        "source": _lines(SETUP),
    }
    return _notebook(source, [title, setup, *rest])


def for_nbgrader(source, seeds):
    """Return the lecturer's notebook for nbgrader: solutions between marks, locked cells with a hidden check.

    `nbgrader generate_assignment` clears both; `nbgrader autograde` puts the locked cells back as they are
    here.

    Parameters
    ----------
    source : dict
    seeds : dict of int
        The seed of an exercise's hidden cases, by its name; a missing one is drawn and added.
    """

    def locked(text):
        name, answer = _called(text).groups()
        seed = seeds.setdefault(name, secrets.randbelow(2**31))
        return text + HIDDEN.format(name, answer, seed)

    cells = [cell for cell in source["cells"] if not _tagged(cell)]
    return _notebook(source, [_edited(cell, answer=_marked, locked=locked) for cell in cells])


def stub(text):
    """Return the students' text of the cell of an answer."""
    above, _ = _parts(text)
    return f"{above}\n    return ..." if _is_function(above) else above


def solved(text):
    """Return the answer without its marks."""
    above, solution = _parts(text)
    return f"{above}\n{solution}" if _is_function(above) else solution


def as_json(notebook):
    """Return a notebook as its file holds it."""
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode()


def _parts(text):
    match = ANSWER.fullmatch(text)
    if match is None or text.count(BEGIN) != 1 or text.count(END) != 1:
        raise InputError(
            "the cell of an answer must hold what students are given of it, as 'def f(x):' or 'f = ...', "
            f"then {BEGIN}, the solution and {END}; this one reads {text!r}"
        )
    return match.groups()


def _marked(text):
    _parts(text)
    return text


def _is_function(above):
    return re.search("^def ", above, re.MULTILINE) is not None


def _called(text):
    match = CHECK.search(text)
    if match is None:
        raise InputError(f'a locked cell must call check("1.1", answer); this one reads {text!r}')
    return match


def _check_alone(text):
    return _called(text)[0]


def _meta(cell):
    return cell["metadata"].get("nbgrader", {})


def _tagged(cell):
    return TAG in cell["metadata"].get("tags", ())


def _untagged(cell):
    """Without the tag by which a check that fails does not stop a run, and without `TAG`."""
    return cell | {"metadata": {key: value for key, value in cell["metadata"].items() if key != "tags"}}


def _edited(cell, answer, locked=None):
    """Return a cell after a function of its text, where it is an answer or locked."""
    edit = answer if _meta(cell).get("solution") else locked if _meta(cell).get("grade") else None
    return cell | {"source": _lines(edit("".join(cell["source"])))} if edit else cell


def _lines(text):
    return text.splitlines(keepends=True)


def _notebook(source, cells):
    """Return a notebook of these cells, without outputs and with ids by their places."""
    bare: dict[str, object] = {"execution_count": None, "outputs": []}
    return source | {
        "cells": [
            cell | {"id": f"cell-{place:02d}"} | (bare if cell["cell_type"] == "code" else {})
            for place, cell in enumerate(cells)
        ]
    }
