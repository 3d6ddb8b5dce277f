"""A page is one declaration and one frame, some 60 lines: it is registered, served, linked and exported."""

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.helpers.page_browser import free_port, need_chromium, visit, wait_for
from tests.pages.hosts import carriers
from workbench._support.errors import InputError
from workbench.pages import registry

# The page that CONTRIBUTING.md shows.
PAGE = '''
"""How the gap of dual coordinate steps falls, for each lambda."""

from pathlib import Path

import param

import workbench as wb
from workbench.data import load
from workbench.pages.drawing import Drawing, figure, line
from workbench.pages.hosts.figured import FigurePage
from workbench.pages.registry import Declaration


class DecayDrawing(Drawing):
    gaps = line("gaps", "epoch", "gap", "blue", says="relative gap")
    table = {"decay": figure("The gap", "epoch", "relative gap", gaps, y_axis_type="log", x_range=(0, 1))}


class Decay(FigurePage):
    title, drawing, bundle = "Decay of a gap", DecayDrawing, Path(__file__).with_suffix(".js")
    lam = param.Number(0.1, bounds=(0.001, 1.0), doc="weight of the regularizer")
    grids = {"lam": [0.001, 0.01, 0.1, 1.0]}
    slow, cards = ("run",), {"code": "Show me the code"}
    offered = {
        "controls": {"Problem": {"lam": ["logarithmic", "λ, weight of the regularizer"]}},
        "presets": {"A small λ is harder": {"lam": 0.01}},
        "questions": {},
    }
    lecture = {
        "thesis": "The gap falls by the same factor in every epoch.",
        "tries": ["Move λ to 0.01."],
        "story": [{"caption": "λ = 0.01", "figure": "decay", "state": {"lam": "0.01"}}],
    }

    def answer_run(self, lam):
        data = load("breast-cancer")
        problem = wb.Problem(data.X, data.y, "logistic", "squared-l2", lam)
        history = wb.solve(problem, "gauss-seidel", tol=1e-9).history
        return {"epoch": history["epoch"].to_numpy(float), "gap": history["relative_gap"].to_numpy()}

    def packed_messages(self):
        runs = [{"type": "run", "lam": lam} for lam in self.carried()["lam"]]
        return [{"type": "page"}, {"type": "bokeh"}, *runs]


PAGE = Declaration(
    "Decay of a gap", "How fast dual coordinate steps close the gap, for each λ.",
    lesson="05_gauss_seidel", hosted=":Decay", lecture=Decay.lecture,
)
'''
FRAME = """
// The figure of the gap.
var workbenchPage = {
  page: {
    needs: ({ lam }) => ({ run: { type: "run", lam } }),
    frame({ lam }, { run }) {
      const last = run.epoch.length - 1;
      const gap = run.gap[last].toExponential(1);
      return {
        sources: { gaps: run },
        ranges: [["range", "decay_x", 0, run.epoch[last]]],
        axes: {},
        sentences: { decay: `A gap of ${gap} after ${last} epochs at λ = ${lam}.` },
      };
    },
    code: ({ lam }) => `wb.solve(wb.Problem(X, y, "logistic", "squared-l2", ${lam}), "gauss-seidel")`,
  },
};
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder on the path of Python with the page, and nothing else."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "workbench_pages").mkdir()
    for suffix, text in (("py", PAGE), ("js", FRAME)):
        (folder / "workbench_pages" / f"decay.{suffix}").write_text(text, encoding="utf-8")
    return folder


def environment(folder):
    paths = os.pathsep.join(filter(None, (str(folder), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": paths}


def run(folder, *arguments):
    command = [Path(sys.executable).with_name("workbench"), *map(str, arguments)]
    return subprocess.run(command, env=environment(folder), capture_output=True, text=True)


READY = "() => globalThis.workbenchPages?.length > 0"
STATE = "async () => { const page = await workbenchPages[0]; await page.settled(); return %s; }"
GAPS = STATE % "Array.from(page.figures.of('sources', 'gaps').data.gap)"


def test_the_page_has_some_60_lines():
    assert len((PAGE + FRAME).strip().splitlines()) <= 70


def walk(page):
    """Choose the preset; the figure has the certificates of the run, down to its tolerance."""
    page.wait_for_function(READY)
    assert page.evaluate(STATE % "page.settings.lam") == 0.1
    before = page.evaluate(GAPS)
    page.get_by_label("Preset").select_option("A small λ is harder")
    gaps = page.evaluate(GAPS)
    assert len(gaps) > len(before) > 5
    assert gaps[-1] < 1e-8 < gaps[0]
    assert 'squared-l2", 0.01' in page.evaluate(STATE % "page.code")
    assert "at λ = 0.01" in page.evaluate(STATE % "page.view.lines.decay.textContent")
    assert "lam=0.01" in page.url


@pytest.mark.browser
def test_it_is_served_and_linked(folder, browser):
    need_chromium()
    port = free_port()
    command = [Path(sys.executable).with_name("workbench"), "serve", "--port", str(port), "--no-show"]
    server = subprocess.Popen(
        command, env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        wait_for(f"http://localhost:{port}/decay", server)
        with visit(browser, f"http://localhost:{port}/home", width=1700) as page:
            page.get_by_role("heading", name="Decay of a gap").click()
            page.wait_for_url(re.compile("/decay"))
            walk(page)
            page.locator("nav a[aria-current]", has_text="Decay of a gap").wait_for()
            with page.expect_download() as download:
                page.get_by_role("button", name="This page as a file").click()
            assert b'"lam": 0.01' in Path(download.value.path()).read_bytes()
    finally:
        server.terminate()
        output = server.communicate()[0]
    assert "Traceback" not in output


@pytest.mark.browser
def test_it_is_a_file(folder, browser, tmp_path):
    need_chromium()
    done = run(folder, "export", "decay", tmp_path / "decay.html")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "decay.html").stat().st_size < 2.5e6
    with carriers.view_of(browser, (tmp_path / "decay.html").as_uri(), offline=True) as (page, address):
        page.goto(address)
        walk(page)
        assert "same factor" in page.evaluate(STATE % "page.view.page.textContent")


COMMANDS = """
import sys
from workbench.__main__ import main
for sys.argv[1:] in (["export", "nothing", "x.html"], ["export", "decay", "x.html", "--set", "lam=7"]):
    try:
        main()
    except SystemExit:
        pass
"""


def test_commands_name_it(folder):
    command = [sys.executable, "-c", COMMANDS]
    done = subprocess.run(command, env=environment(folder), capture_output=True, text=True)
    unknown, misused = done.stderr.splitlines()
    assert "decay" in unknown
    assert misused.startswith("error: ")


# --- the registry


def test_pages_come_in_the_order_of_the_lectures():
    names = list(registry.pages())
    assert names[:3] == ["home", "conjugates", "transfer"]
    assert names[-1] == "your-data"
    places = [page.place for page in registry.pages().values()]
    assert places == sorted(set(places))
    assert registry.of("dual_lab") is registry.of("dual-lab")


def test_a_former_name_is_the_page(monkeypatch):
    page = registry.Declaration("Norms", name="norms", former={"old-page": {"ratio": "0.2"}})
    monkeypatch.setattr(registry, "pages", lambda: {"norms": page})
    assert registry.of("old_page") is registry.of("norms") is page
    assert page.query_of("old-page", "?ratio=1&x=") == "ratio=1&x="
    assert page.query_of("old-page", "x=%C3%A9&y") == "ratio=0.2&x=%C3%A9&y"
    with pytest.raises(InputError, match="unknown page 'x'; expected one of norms"):
        registry.of("x")


def test_a_former_name_is_no_name_of_a_page():
    assert not registry.former().keys() & registry.pages().keys()


@pytest.mark.parametrize("name", list(registry.pages()))
def test_a_declaration_names_what_is_there(name):
    page = registry.of(name)
    assert page.page_type.title == page.title
    assert set(page.names) == set(page.page_type.names())


ROOMS = {name.replace("-", "_") for name in registry.pages()}
IMPORT = re.compile(
    r"""^\s*(?:from|import)\s+workbench\.pages\.(\w+)          # of Python
      | ^\s*from\s+workbench\.pages\s+import\s+(\w+(?:,\s*\w+)*)
      | (?:from\s|import\s|import\()\s*["']\.\./(\w+)/         # of JavaScript
    """,
    re.MULTILINE | re.VERBOSE,
)


def rooms_imported(text):
    """Return the rooms of pages that a module imports."""
    return ROOMS & {name for match in IMPORT.findall(text) for part in match for name in part.split(", ")}


@pytest.mark.parametrize(
    "text",
    [
        "from workbench.pages.bias import model",
        "    import workbench.pages.bias.model as bias",
        "from workbench.pages import terms, bias",
        'import { mean } from "../bias/frame.js";',
        "import * as bias from '../bias/frame.js'",
    ],
)
def test_import_of_a_page_is_seen(text):
    assert rooms_imported(f"import re\n{text}\n") == {"bias"}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_no_page_imports_another(room):
    package = importlib.import_module(f"workbench.pages.{room}")
    for path in Path(package.__file__).parent.iterdir():
        if path.suffix in (".py", ".js"):
            others = rooms_imported(path.read_text("utf-8")) - {room}
            assert not others, f"{path.name} of {room} imports {others}"


def test_each_page_has_a_file_for_panel_serve():
    files = (Path(__file__).resolve().parents[3] / "apps").glob("*.py")
    page = re.compile(r'registry\.of\("([a-z-]+)"\)')
    named = {path.stem: page.search(path.read_text("utf-8"))[1] for path in files}
    assert named == {name.replace("-", "_"): name for name in registry.pages()}
