"""A lesson as `otter assign` takes it: raw cells around questions, solutions and tests.

Format: https://otter-grader.readthedocs.io/en/latest/otter_assign/notebook_format.html
"""

import copy
import secrets

from workbench.teaching.source import CHECK

CONFIG = "# ASSIGNMENT CONFIG\ninit_cell: false\nexport_cell: false\nsolutions_pdf: false"
TEST = '''\
""" # BEGIN TEST CONFIG
points: {points}
hidden: {hidden}
""" # END TEST CONFIG
import sys

for module in [name for name in sys.modules if name.startswith("workbench.teaching")]:
    del sys.modules[module]
from workbench.teaching.grading import passes

passes("{name}", {answer}{seed})'''
OTTERS = {"### BEGIN SOLUTION": "# BEGIN SOLUTION", "### END SOLUTION": "# END SOLUTION"}


def assignment(notebook):
    """The master notebook of `otter assign` for a lecturer's notebook.

    Parameters
    ----------
    notebook : dict
        As `source.for_nbgrader` returns it.

    Returns
    -------
    dict
        Each question has a public test without points and a hidden one with its points, on cases of a seed
        that only the hidden test knows.
    """
    made = copy.deepcopy(notebook)
    made["cells"] = [_raw(CONFIG)]
    for cell in notebook["cells"]:
        meta = cell["metadata"].get("nbgrader", {})
        if meta.get("solution"):
            text = "".join(cell["source"])
            for theirs, ours in OTTERS.items():
                text = text.replace(theirs, ours)
            solution = _code(text)
        elif meta.get("grade"):
            made["cells"] += _question(solution, "".join(cell["source"]), meta["points"])
        else:
            made["cells"].append(copy.deepcopy(cell))
    for number, cell in enumerate(made["cells"]):
        cell["id"] = f"otter-{number:03d}"
    return made


def _question(solution, text, points):
    name, answer = CHECK.search(text).groups()
    label = f"q{name.replace('.', '_')}"
    public = TEST.format(points=0, hidden="false", name=name, answer=answer, seed="")
    seed = f", {secrets.randbelow(2**31)}"
    hidden = TEST.format(points=points, hidden="true", name=name, answer=answer, seed=seed)
    return [
        _raw(f"# BEGIN QUESTION\nname: {label}"),
        _raw("# BEGIN SOLUTION"), solution, _raw("# END SOLUTION"),
        _raw("# BEGIN TESTS"), _code(public), _code(hidden), _raw("# END TESTS"),
        _raw("# END QUESTION"),
    ]  # fmt: skip


def _raw(text):
    return {"cell_type": "raw", "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(text):
    source = text.splitlines(keepends=True)
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
