"""The site of the documentation is built without a warning and without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import workbench as wb
from workbench import solvers, terms

PROJECT = Path(__file__).resolve().parents[1]
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "build", "made", "made_*")
FETCHED = re.compile(r'<(?:script|img|iframe|link)[^>]+(?:src|href)="(https?:[^"]+)"')


@pytest.mark.long
def test_the_site_has_a_page_for_each_term_and_public_name_and_asks_no_other_host(tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed; make venv")
    clone = tmp_path / "clone"
    shutil.copytree(PROJECT, clone, ignore=LEFT_OUT)
    without_network = ["unshare", "-rn"] if shutil.which("unshare") else []
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-b", "html", "docs", "site"]
    # Lessons and exported pages have tests of their own, and take minutes.
    environment = os.environ | {"DOCS_WITHOUT": "course pages", "PYTHONPATH": str(clone)}
    command = [*without_network, *build]
    done = subprocess.run(command, cwd=clone, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr[-4000:]
    made = clone / "site" / "made"
    pages = {path.relative_to(made).with_suffix("").as_posix() for path in made.rglob("*.html")}
    wanted = {f"losses/{term.name}" for term in terms.LOSSES}
    wanted |= {f"regularizers/{term.name}" for term in terms.REGULARIZERS}
    wanted |= {f"solvers/{name}" for name in solvers.REGISTRY}
    wanted |= {f"reference/{name}" for name in wb.__all__ if name != "__version__"}
    assert wanted <= pages, sorted(wanted - pages)
    for page in (clone / "site").rglob("*.html"):
        assert not FETCHED.findall(page.read_text("utf-8")), page
