"""Bundles are what the modules give, and what is wrong in a module is found."""

import json
import shutil
import subprocess

import pytest

from tests.helpers.node_engine import missing
from workbench._support.errors import InputError
from workbench.pages import bundling

# What is added to a module, and how it is found.
FAULTS = {
    "export const of_type = written(1, 2);\n": "error TS2345",
    "export const of_name = () => nowhere;\n": "error TS2304: Cannot find name 'nowhere'",
    "export function of_style() { const unused = 1; }\n": "lint/correctness/noUnusedVariables",
}


@pytest.fixture
def package(tmp_path):
    """A copy of the modules and their bundles, without the rest of the package."""
    for folder in (*bundling.PLACES, *bundling.PLACES.values()):
        shutil.copytree(bundling.PACKAGE / folder, tmp_path / "workbench" / folder)
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


def test_faults_are_found(package):
    with open(package / bundling.RUNTIME / "wording.js", "a", encoding="utf-8") as file:
        file.writelines(FAULTS)
    found = bundling.faults(package)
    assert "wording.js" in found
    assert [words for words in FAULTS.values() if words not in found] == []


def test_what_is_stale_is_named_and_written(package, capsys):
    modules, place = package / bundling.RUNTIME, package / bundling.PLACES[bundling.RUNTIME]
    before = (place / "wording.js").read_text("utf-8")
    (place / "wording.js").write_text("old", encoding="utf-8")
    (place / "left.js").write_text("left", encoding="utf-8")
    (modules / "two.js").write_text("const same = 2;\nexport const two = () => same;\n", encoding="utf-8")
    (modules / "entries" / "three.js").write_text(
        'import { two } from "../two.js";\nconst same = 1;\nexport const three = () => same + two();\n',
        encoding="utf-8",
    )
    assert bundling.main(["--check"], package) == 1
    told = capsys.readouterr().err.splitlines()
    states = {"wording": "is stale", "left": "has no entry", "three": "is missing"}
    assert set(told) == {f"{place / name}.js {state}; {bundling.FIX}" for name, state in states.items()}
    assert bundling.main([], package) == 0
    assert bundling.main(["--check"], package) == 0
    assert (place / "wording.js").read_text("utf-8") == before
    assert not (place / "left.js").exists()
    program = (place / "three.js").read_text("utf-8") + "console.log(JSON.stringify([three(), typeof same]));"
    output = subprocess.run([bundling.node(), "-e", program], capture_output=True, text=True, check=True)
    assert json.loads(output.stdout) == [3, "undefined"]


def test_an_entry_that_is_wrong_is_a_sentence(package, capsys):
    (package / bundling.RUNTIME / "entries" / "wrong.js").write_text("export {", encoding="utf-8")
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
