"""Every lesson runs from a clean kernel, and none is committed with outputs."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

LESSONS = sorted((Path(__file__).resolve().parents[1] / "lessons").glob("*.ipynb"))
MOST_LINES = 300


def test_there_are_lessons():
    assert LESSONS


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_is_short_and_has_no_outputs(path):
    cells = nbformat.read(path, as_version=4).cells
    assert sum(len(cell.source.splitlines()) for cell in cells) <= MOST_LINES
    code = [cell for cell in cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lesson_runs(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    place = {"metadata": {"path": tmp_path}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=place).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    warned = [output.text for output in outputs if output.get("name") == "stderr"]
    assert warned == []
    assert any("certified" in output.get("text", "") for output in outputs)
