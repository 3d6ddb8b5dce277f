"""The site of the documentation is built without a warning and without a network."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import workbench as wb
from workbench import errors, solvers, terms
from workbench.__main__ import main
from workbench.errors import explained
from workbench.pages import header, registry, shell

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
    doors = {f"{name}.html" for name in (*explained.EXPLAINS.values(), explained.OTHERWISE)}
    assert not {name for name in doors | {explained.LISTED} if not (clone / "site" / name).is_file()}
    gallery = (made / "gallery.html").read_text("utf-8")
    for name in registry.files():
        assert f'id="{explained.SHOWN.format(name=name).partition("#")[2]}"' in gallery
    for page in (clone / "site").rglob("*.html"):
        assert not FETCHED.findall(page.read_text("utf-8")), page


def test_a_refusal_says_where_the_site_explains_it(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["workbench", "solve", "--nothing"])
    monkeypatch.setenv(explained.VARIABLE, "https://example.org")
    with pytest.raises(SystemExit):
        main()
    assert capsys.readouterr().err.splitlines()[-1] == "see https://example.org/your-data.html"
    said = {}
    for site in ("", "https://example.org/docs", str(tmp_path)):
        monkeypatch.setenv(explained.VARIABLE, site)
        monkeypatch.setattr(sys, "argv", ["workbench", "solve", "nowhere.csv"])
        with pytest.raises(SystemExit):
            main()
        said[site] = capsys.readouterr().err.splitlines()
    # A folder without a site is no door.
    assert [len(lines) for lines in said.values()] == [1, 2, 1]
    assert said["https://example.org/docs"][1] == "see https://example.org/docs/your-data.html"
    (tmp_path / "index.html").touch()
    assert explained.address(errors.ConvexityError(), "solve") == f"{tmp_path.as_uri()}/python.html"
    assert explained.of_page(registry.of("bias")) is None
    (note,) = errors.InputError("lam = -1").__notes__
    assert note == f"see {tmp_path.as_uri()}/guide.html"
    assert {name for name in explained.EXPLAINS if name[0].isupper()} <= set(dir(errors))


def test_the_header_of_a_page_leads_to_its_part_of_the_site(monkeypatch):
    visit = shell.Visit()
    assert "About this page" not in header.html_of("Dual lab", visit, {}, {})
    monkeypatch.setenv(explained.VARIABLE, "https://example.org/docs/")
    shown = header.html_of("Dual lab", visit, {}, {})
    assert "href='https://example.org/docs/made/gallery.html#live-dual-lab'" in shown
    assert "href='https://example.org/docs/pages.html'" in header.html_of("Your data", visit, {}, {})
