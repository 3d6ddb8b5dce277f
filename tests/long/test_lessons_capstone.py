"""The capstone without Reuters-21578: it says so and goes on with a smaller data set."""

import nbformat
import pytest
from nbclient import NotebookClient

from tests.helpers.made_lessons import LESSONS
from workbench.data import reuters
from workbench.kernels import kernel_cache

(CAPSTONE,) = [path for path in LESSONS if "capstone" in path.stem]
SECONDS = 1800  # for one cell on a busy machine that compiles kernels


@pytest.mark.long
def test_the_capstone_falls_back_and_says_so(tmp_path, monkeypatch):
    # The kernels stay where they are; Reuters is neither in the data folder nor among the downloads.
    monkeypatch.setenv("WORKBENCH_CACHE", str(kernel_cache.folder().parents[1]))
    monkeypatch.setenv("WORKBENCH_DATA", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert reuters.locate() is None
    notebook = nbformat.read(CAPSTONE, as_version=4)
    resources = {"metadata": {"path": tmp_path}}
    NotebookClient(notebook, timeout=SECONDS, kernel_name="python3", resources=resources).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    graded = [cell for cell in notebook.cells if cell.metadata.get("nbgrader", {}).get("grade")]
    errors = [output.ename for output in outputs if output.output_type == "error"]
    assert errors == ["NotYet"] * len(graded)
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    said = "".join(output.get("text", "") for output in outputs)
    assert "Reuters-21578 is not on this machine: the smaller data set 'digits' takes its place." in said
    assert "certified" in said
