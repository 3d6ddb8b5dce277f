"""What grading runs of the cells that students were given, and that no answer loses by it."""

import nbformat
import pytest

from tests.helpers.made_lessons import LESSONS, lecturers
from workbench.teaching.needed import needed

GIVEN = "import numpy as np\nimport panel as pn\npn.show()"
TABLE = "x = np.ones(3)\nx[0] = 2\nlarge = slow(x)"


@pytest.mark.parametrize(
    ("own", "kept"),
    [
        ("def f(v):\n    return v", []),
        ("def f(v):\n    return np.abs(v)", ["import numpy as np"]),
        ("f = lambda v: x @ v", ["import numpy as np", "x = np.ones(3)", "x[0] = 2"]),
        ("f = [pn for _ in ()]", ["import panel as pn"]),
        ("def f(np):\n    return np", []),
        ("f = (", []),
        ("f = np.abs(x", []),
        ("def f(v):\n    x = v\n    def g():\n        return x\n    return g()", []),
        ("%timeit np.abs(1)\nf = 2", ["import numpy as np"]),
    ],
)
def test_of_given_cells_only_what_is_needed_is_run(own, kept):
    found = needed([GIVEN, TABLE, own, ("1.1", "f")], {GIVEN, TABLE})
    assert found == [*kept, own, ("1.1", "f")]


def test_a_given_cell_that_was_changed_runs_whole():
    assert needed([GIVEN + "\n", ("1.1", "f")], {GIVEN}) == [GIVEN + "\n", ("1.1", "f")]


def test_what_an_answer_needs_is_run_with_what_that_needs():
    cells = ["a = 1", "b = 2", "def g():\n    return a", ("1.1", "g")]
    assert needed(cells, set(cells[:3])) == ["a = 1", "def g():\n    return a", ("1.1", "g")]


def test_what_stands_below_the_last_exercise_is_not_run():
    cells = ["a = 1", "def g():\n    return a", ("1.1", "g"), "a = slow()", "print(a)"]
    assert needed(cells, {"a = 1", "a = slow()"}) == cells[:3]


def test_lessons_need_little_of_their_cells():
    for path in LESSONS:
        cells = [cell for cell in nbformat.from_dict(lecturers(path)).cells if cell.cell_type == "code"]
        given = {cell.source for cell in cells if "nbgrader" not in cell.metadata}
        kept = needed([cell.source for cell in cells], given)
        assert not any("begin(" in text or "live(" in text for text in kept)
