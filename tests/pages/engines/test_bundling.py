"""Bundles are what the modules give, and what is wrong in a module is found."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.helpers.node_engine import missing
from workbench._support.errors import InputError
from workbench.pages import bundling

# What is added to a module, and how it is found.
FAULTS = {
    "export const of_type = written(1, 2);\n": "error TS2345",
    "export const of_name = () => nowhere;\n": "error TS2304: Cannot find name 'nowhere'",
    "export function of_style() { const unused = 1; }\n": "lint/correctness/noUnusedVariables",
    "export const of_format = [1,2];\n": "export·const·of_format·=·[1,·2];",
}


@pytest.fixture
def package(tmp_path):
    """A copy of the modules and their bundles, without the rest of the package."""

    def others(folder, names):
        return [name for name in names if "." in name and Path(name).suffix not in (".js", ".json", ".ts")]

    shutil.copytree(bundling.PACKAGE / "pages", tmp_path / "workbench" / "pages", ignore=others)
    return tmp_path / "workbench"


@pytest.fixture(autouse=True, scope="module")
def tools():
    try:
        bundling.tools()
    except InputError as error:
        missing(str(error))


def test_the_bundles_are_what_the_modules_give(capsys):
    assert bundling.main(["--check"]) == 0, capsys.readouterr().err


def test_the_modules_have_no_fault():
    assert bundling.faults() == ""


def modules():
    """Return the text of each module that is written by hand, by its path."""
    pages = bundling.PACKAGE / bundling.PAGES
    paths = (path for path in pages.rglob("*.js") if not {"bundles", "vendor"} & {*path.parts})
    return {path.relative_to(pages).as_posix(): path.read_text("utf-8") for path in paths}


def test_every_script_is_a_module_of_at_most_400_lines():
    texts = modules()
    assert len(texts) > 100
    assert [name for name, text in texts.items() if not re.search(r"^(import|export)\b", text, re.M)] == []
    assert {name for name, text in texts.items() if text.count("\n") > 400} == set()


def test_no_class_assigns_an_object_to_itself():
    texts = modules()
    assert [name for name in texts if "Object.assign(this," in texts[name]] == []


def test_pure_functions_hold_under_node():
    command = [bundling.node(), "--test", Path(__file__).with_name("runtime.test.mjs")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stdout


def test_faults_are_found(package):
    with open(package / "pages" / "runtime" / "wording.js", "a", encoding="utf-8") as file:
        file.writelines(FAULTS)
    faults_of_package = bundling.faults(package)
    assert "wording.js" in faults_of_package
    assert [words for words in FAULTS.values() if words not in faults_of_package] == []


def test_what_is_stale_is_named_and_written(package, capsys):
    modules, place = package / bundling.PAGES, package / bundling.PLACES[bundling.PAGES]
    before = (place / "frame.js").read_text("utf-8")
    (place / "frame.js").write_text("old", encoding="utf-8")
    (place / "left.js").write_text("left", encoding="utf-8")
    (modules / "runtime" / "two.js").write_text(
        "const same = 2;\nexport const two = () => same;\n", encoding="utf-8"
    )
    text = (
        'import { two } from "../runtime/two.js";\nconst same = 1;\nexport const three = () => same + two();'
    )
    (modules / "entries" / "three.js").write_text(text, encoding="utf-8")
    assert bundling.main(["--check"], package) == 1
    messages = capsys.readouterr().err.splitlines()
    states = {"frame": "is stale", "left": "has no entry", "three": "is missing"}
    assert set(messages) == {f"{place / name}.js {state}; {bundling.FIX}" for name, state in states.items()}
    assert bundling.main([], package) == 0
    assert bundling.main(["--check"], package) == 0
    assert (place / "frame.js").read_text("utf-8") == before
    assert not (place / "left.js").exists()
    program = (place / "three.js").read_text("utf-8") + "console.log(three());"
    command = [bundling.node(), "--input-type=module", "-e", program]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "3\n"


def test_an_entry_that_is_wrong_is_a_sentence(package, capsys):
    (package / bundling.PAGES / "entries" / "wrong.js").write_text("export {", encoding="utf-8")
    assert bundling.main([], package) == 2
    assert "wrong.js:1" in capsys.readouterr().err


def test_without_the_network_it_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(bundling.sys, "prefix", str(tmp_path))
    monkeypatch.setenv("npm_config_registry", "http://localhost:9/")
    monkeypatch.setenv("npm_config_fetch_retries", "0")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "cache"))
    with pytest.raises(InputError, match=r"package\.json names cannot be installed \(.*\); they are fetched"):
        bundling.tools()
    assert list(tmp_path.glob("node-tools*")) == []
