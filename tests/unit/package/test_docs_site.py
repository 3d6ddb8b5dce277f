"""The site of the documentation is built without a warning and without a network."""

import importlib
import os
import re
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest

import workbench as wb
from tests.helpers.amounts import amount
from workbench import solvers, studies
from workbench.__main__ import main
from workbench._support import errors
from workbench._support.errors import explained
from workbench.conjugates import terms
from workbench.pages import registry
from workbench.pages.hosts import links

PROJECT = Path(__file__).resolve().parents[3]
LEFT_OUT = shutil.ignore_patterns(".venv", ".git", "build", "made", "made_*")
# What `make docs` tells Python.
SPHINX = re.search(r"(-m sphinx .*) docs build/docs", (PROJECT / "Makefile").read_text("utf-8"))[1].split()
FETCHED = re.compile(r'<(?:script|img|iframe|link)[^>]+(?:src|href)="(https?:[^"]+)"')


@pytest.mark.long
def test_the_site_has_a_page_for_each_term_and_public_name_and_asks_no_other_host(browser, tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed; make venv")
    clone = tmp_path / "clone"
    shutil.copytree(PROJECT, clone, ignore=LEFT_OUT)
    without_network = ["unshare", "-rn"] if shutil.which("unshare") else []
    build = [sys.executable, *SPHINX, "docs", "site"]
    # Lessons and exported pages have tests of their own, and take minutes.
    environment = os.environ | {"DOCS_WITHOUT": "course pages", "PYTHONPATH": str(clone)}
    command = [*without_network, *build]
    done = subprocess.run(command, cwd=clone, env=environment, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr[-4000:]
    made = clone / "site" / "made"
    pages = {path.relative_to(made).with_suffix("").as_posix() for path in made.rglob("*.html")}
    expected = {f"losses/{term.name}" for term in terms.LOSSES}
    expected |= {f"regularizers/{term.name}" for term in terms.REGULARIZERS}
    expected |= {f"solvers/{name}" for name in solvers.REGISTRY}
    expected |= {f"reference/{name}" for name in wb.__all__ if name != "__version__"}
    assert expected <= pages, sorted(expected - pages)
    doors = {f"{name}.html" for name in (*explained.EXPLAINS.values(), explained.OTHERWISE)}
    assert not {name for name in doors | {explained.LISTED} if not (clone / "site" / name).is_file()}
    gallery = (made / "gallery.html").read_text("utf-8")
    for name in registry.pages().keys() - {"home"}:
        assert f'id="{explained.SHOWN.format(name=name).partition("#")[2]}"' in gallery
    for page in (clone / "site").rglob("*.html"):
        assert not FETCHED.findall(page.read_text("utf-8")), page
    reference = (made / "reference" / "index.html").read_text("utf-8")
    for name in set(wb.__all__) - {"__version__"}:
        assert f'href="{name}.html"' in reference, name
    classifier = (made / "reference" / "DualClassifier.html").read_text("utf-8")
    for name in ("fit", "predict", "decision_function", "predict_proba"):
        assert f'id="workbench.DualClassifier.{name}"' in classifier
    # Each example of the gallery has drawn its picture.
    assert (clone / "site" / "gallery.html").read_text("utf-8").count("<img") == 12
    reproductions = (made / "reproductions.html").read_text("utf-8")
    assert all(f'id="{name}"' in reproductions for name in studies.NAMES)
    assert wide_pages(browser, clone / "site") == []


def wide_pages(browser, site):
    """Return the pages of a site that scroll sideways on a telephone or on a desk, with the width."""
    wide = []
    for width in (390, 1300):
        page = browser.new_context(offline=True, viewport={"width": width, "height": 800}).new_page()
        for path in site.rglob("*.html"):
            if path.parent.name not in ("live", "_static"):
                page.goto(path.as_uri(), wait_until="domcontentloaded")
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append((path.relative_to(site).as_posix(), width))
        page.context.close()
    return wide


FAULTS = {
    "[there](nowhere.md)": "'myst' cross-reference target not found: 'nowhere.md'",
    '<script src="https://example.org/a.js"></script>': "it loads from another host: https://example.org/a.js",
    '<a href="gone.html">there</a>': "index.html: a link that leads nowhere: gone.html",
    "```{eval-rst}\n.. autofunction:: documented.silent\n```": "'documented.silent':\n  GL08: ",
    r"$\frac{1}{$": "a formula: KaTeX parse error: Unexpected end of input",
    r"$\unheard$": r"a formula: KaTeX parse error: Undefined control sequence: \unheard",
}


def test_a_broken_link_a_missing_docstring_and_a_faulty_formula_end_every_build(tmp_path):
    pytest.importorskip("sphinx", reason="sphinx is not installed; make venv")
    (tmp_path / "index.md").write_text("# One page\n\n" + "\n\n".join(FAULTS), encoding="utf-8")
    (tmp_path / "documented.py").write_text("def silent(x):\n    return x\n", encoding="utf-8")
    # As it is configured, without the pages that are made from the package.
    plain = (
        "extensions=myst_nb,numpydoc,set_formulas,sphinx.ext.autodoc",
        "html_static_path=static",
        "html_extra_path=static",
        "html_css_files=site.css",
    )
    configured = ["-c", PROJECT / "docs", *(part for page in plain for part in ("-D", page))]
    command = [sys.executable, *SPHINX, *configured, tmp_path, tmp_path / "site"]
    environment = os.environ | {"PYTHONPATH": f"{PROJECT}{os.pathsep}{tmp_path}"}
    # The second build finds pages that have not changed.
    for _ in range(amount(1, 2)):
        done = subprocess.run(command, env=environment, text=True, capture_output=True)
        assert done.returncode == 1
        assert [said for said in FAULTS.values() if said not in done.stderr] == [], done.stderr
        assert done.stderr.count("WARNING") == len(FAULTS), done.stderr


def test_a_script_that_every_notebook_brings_is_one_file(monkeypatch, tmp_path):
    nodes = pytest.importorskip("docutils.nodes", reason="sphinx is not installed; make venv")
    monkeypatch.syspath_prepend(PROJECT / "docs")
    made = importlib.import_module("made")
    monkeypatch.setattr(made, "STATIC", tmp_path)
    app = types.SimpleNamespace(env=types.SimpleNamespace(docname="made/course/01_conjugates"))
    large, small = "x" * made.SHARED, "<script>{}</script>"
    address = "https://cdn.holoviz.org/panel/1.0/dist/css/loading.css?v=1.0"
    pages = []
    for _ in range(2):
        text = f'<script type="application/javascript">{large}</script><div></div>{small.format(address)}'
        page = nodes.container("", nodes.raw("", text, format="html"))
        made.share_scripts(app, page)
        pages.append(page)
    (file,) = tmp_path.glob("*.js")
    assert file.read_text("utf-8") == large
    assert (tmp_path / "panel/css/loading.css").is_file()
    small = small.format("../../_static/panel/css/loading.css")
    expected = f'<script src="../../_static/{file.name}"></script><div></div>{small}'
    assert [(page[0].astext(), page[0]["format"]) for page in pages] == [(expected, "html")] * 2


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
    # A folder without a site adds no address.
    assert [len(lines) for lines in said.values()] == [1, 2, 1]
    assert said["https://example.org/docs"][1] == "see https://example.org/docs/your-data.html"
    (tmp_path / "index.html").touch()
    assert explained.address(errors.ConvexityError(), "solve") == f"{tmp_path.as_uri()}/python.html"
    assert explained.of_page(registry.of("bias")) is None
    (note,) = errors.InputError("lam = -1").__notes__
    assert note == f"see {tmp_path.as_uri()}/guide.html"
    assert {name for name in explained.EXPLAINS if name[0].isupper()} <= set(dir(errors))


def test_the_header_of_a_page_leads_to_its_part_of_the_site(monkeypatch):
    assert "docs/made" not in links.header(registry.of("dual-lab"), {})
    monkeypatch.setenv(explained.VARIABLE, "https://example.org/docs/")
    place = "href='https://example.org/docs/made/gallery.html#live-{}'"
    assert place.format("dual-lab") in links.header(registry.of("dual-lab"), {})
    assert place.format("norms") in links.header(registry.of("norms"), {})
