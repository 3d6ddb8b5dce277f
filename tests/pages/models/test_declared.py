"""A page is one declaration of some 40 lines: found, served, linked, exported; refused where it is wrong."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import param
import pytest

from tests.helpers.live_file import opened
from tests.helpers.page_browser import free_port, need_chromium, visit, wait_for
from workbench.pages import registry
from workbench.pages.declared import Declared, Figure, Line

# The page that CONTRIBUTING.md shows.
PAGE = '''
"""How the gap of dual coordinate steps falls, for each lambda."""

import param

import workbench as wb
from workbench.data import load
from workbench.pages.declared import Declared, Figure, Line


class Decay(param.Parameterized):
    lam = param.Number(0.1, bounds=(0.001, 1.0), doc="λ, weight of the regularizer")


def problem():
    data = load("breast-cancer")
    return wb.Problem(data.X, data.y, "logistic", "squared-l2", 0.1)


PAGE = Declared(
    "Decay of a gap",
    "How fast dual coordinate steps close the gap, for each λ.",
    lesson="05_gauss_seidel",
    model=Decay, problem=problem, solver=wb.solvers.GaussSeidel(),
    frame="""(settings, { rows, last }) => ({
        epochs: rows.map(({ epoch }) => epoch), gaps: rows.map(({ relative_gap }) => relative_gap),
        gap: last.relative_gap, passes: last.epoch,
    })""",
    figures={
        "decay": Figure("The gap", "epoch", "relative gap", {"gaps": Line("relative gap")},
                        "A gap of {gap} after {passes} epochs at λ = {lam}.", {"y_axis_type": "log"}),
    },
    bindings={"gaps": {"x": "epochs", "y": "gaps"}},
    code='wb.solve(wb.Problem(X, y, "logistic", "squared-l2", {lam}))',
    presets={"A small λ is harder": {"lam": 0.01}},
    questions={"Does a smaller λ take more epochs?": "Yes: the dual is less strongly convex."},
    lecture={"thesis": "The gap falls by the same factor in every epoch.", "tries": ["Move λ to 0.01."],
             "story": [{"caption": "λ = 0.01", "figure": "decay", "state": {"lam": "0.01"}}]},
)
'''


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder on the path of Python with the page, and nothing else."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "workbench_pages").mkdir()
    (folder / "workbench_pages" / "decay.py").write_text(PAGE, encoding="utf-8")
    return folder


def environment(folder):
    import os

    return os.environ | {"PYTHONPATH": str(folder)}


def run(folder, *arguments):
    command = [Path(sys.executable).with_name("workbench"), *map(str, arguments)]
    return subprocess.run(command, env=environment(folder), capture_output=True, text=True)


def test_the_page_has_40_lines():
    assert len(PAGE.strip().splitlines()) <= 40


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
            page.locator(".wb-line", has_text="epochs at λ = 0.1").wait_for()
            page.locator("nav a[aria-current]", has_text="Decay of a gap").wait_for()
            page.get_by_role("combobox", name="Preset").click()
            page.get_by_role("menuitem", name="A small λ is harder").click()
            page.locator(".wb-line", has_text="at λ = 0.01").wait_for()
            page.wait_for_url(re.compile("lam=0.01"))
            assert 'squared-l2", 0.01' in page.locator(".wb-code").inner_text()
            with page.expect_download() as download:
                page.get_by_role("button", name="Download this page as a file").click()
            assert b"\nload(" in Path(download.value.path()).read_bytes()
            # The figure has the certificates of the run, down to its tolerance.
            gaps = page.evaluate(
                "Bokeh.documents.flatMap((each) => [...each._all_models.values()])"
                ".find(({ name, type }) => name === 'gaps' && type === 'GlyphRenderer').data_source.data.y"
            )
            assert len(gaps) > 5
            assert gaps[-1] < 1e-8 < gaps[0]
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
    with opened(browser, tmp_path / "decay.html") as page:
        page.locator(".wb-line", has_text="epochs at λ = 0.1").wait_for()
        page.locator(".wb-thesis", has_text="same factor").wait_for()
        page.get_by_label("Preset").select_option("A small λ is harder")
        page.locator(".wb-line", has_text="at λ = 0.01").wait_for()


COMMANDS = """
import sys
from workbench.__main__ import main
for sys.argv[1:] in (["export", "nothing", "x.html"], ["export", "decay", "x.html", "--set", "lam=1"]):
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


class Numbers(param.Parameterized):
    a = param.Number(1.0, bounds=(0.0, 2.0))


CURVE = {"figure": Figure("A figure", "x", "y", {"curve": Line("a curve")}, "")}
WHOLE = {"curve": {"x": "u", "y": "p"}}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"bindings": {"curve": WHOLE["curve"] | {"z": "height"}}}, "'height' is bound to 'z'.*'curve'"),
        ({"bindings": WHOLE | {"other": {"x": "u"}}}, "'other' is of no curve; there are curve"),
        ({"bindings": {"curve": {"x": "u"}}}, "column y of 'curve' is bound to nothing"),
        ({"model": type("Free", (param.Parameterized,), {"b": param.Number(0.0)})}, "b is neither"),
    ],
)
def test_what_does_not_fit_is_refused_when_it_is_imported(changed, words):
    declared = {"model": Numbers, "figures": CURVE, "bindings": WHOLE}
    Declared("Page", **declared)
    with pytest.raises(ValueError, match=words):
        Declared("Page", **(declared | changed))


# --- the registry


def test_pages_come_in_the_order_of_the_lectures():
    names = list(registry.pages())
    assert names[:3] == ["home", "conjugates", "transfer"]
    assert names[-1] == "your-data"
    assert [page.place for page in registry.pages().values()] == list(range(len(names)))
    assert registry.of("dual_lab") is registry.of("dual-lab")


@pytest.mark.parametrize("name", list(registry.pages()))
def test_a_declaration_names_what_is_there(name):
    page = registry.of(name)
    kind = page.page_type or page.at(page.page)
    assert page.model_type is None or set(page.names) <= set(page.model_type.param)
    assert getattr(kind, "title", "Home") == page.title
    if page.file:
        assert page.keys()


ROOMS = {name.replace("-", "_") for name in registry.pages()}
# Your data is the Dual lab on a visitor's file; what the others share with a page is to leave its room.
EXTENDS = {"your_data": {"dual_lab"}, "bias": {"dual_lab"}, "race": {"dual_lab"}}


@pytest.mark.parametrize("room", sorted(ROOMS))
def test_no_page_imports_another(room):
    package = importlib.import_module(f"workbench.pages.{room}")
    for path in Path(package.__file__).parent.glob("*.py"):
        text = path.read_text("utf-8")
        imported = re.findall(r"^\s*(?:from|import) workbench\.pages\.(\w+)", text, re.MULTILINE)
        others = (ROOMS & set(imported)) - {room} - EXTENDS.get(room, set())
        assert not others, f"{path.name} of {room} imports {others}"


def test_each_page_has_a_file_for_panel_serve():
    files = (Path(__file__).resolve().parents[3] / "apps").glob("*.py")
    page = re.compile(r'registry\.of\("([a-z-]+)"\)')
    named = {path.stem: page.search(path.read_text("utf-8"))[1] for path in files}
    assert named == {name.replace("-", "_"): name for name in registry.pages()}
