"""`workbench lessons` copies the course and never overwrites a file of the student's."""

import errno
import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from workbench._support.system import extras, resources
from workbench.cli import app
from workbench.cli.lessons import _for_root, copies, write_missing

PROJECT = Path(__file__).resolve().parents[3]
# In place of JupyterLab: it answers Ctrl-C in its own time and with its own code.
CODE, PATIENCE = 7, 600
STUB = f"""
import sys, time
try:
    print("stub", *sys.argv[1:], flush=True)
    time.sleep({PATIENCE})
except KeyboardInterrupt:
    time.sleep(0.5)
    print("asked first", flush=True)
    sys.exit({CODE})
"""


def invoke(*arguments):
    return CliRunner().invoke(app, ["lessons", *arguments])


def test_copies_everything_but_the_solutions(tmp_path):
    place = tmp_path / "course"
    said = invoke(str(place), "--no-open")
    assert said.exit_code == 0, said.output
    assert {path.name for path in place.iterdir()} == {
        "README.md",
        "LICENSE.md",
        *(path.name for path in resources.lessons().values()),
    }


def test_solutions_come_when_asked_for(tmp_path):
    assert invoke(str(tmp_path), "--no-open", "--solutions").exit_code == 0
    assert len(list((tmp_path / "solutions").glob("*.ipynb"))) == len(resources.lessons())


@pytest.mark.parametrize("option", ["--solutions", "--nbgrader", "--lecturer"])
def test_an_installed_package_has_no_solutions(option, tmp_path, monkeypatch):
    lessons = tmp_path / "installed"
    lessons.mkdir()
    monkeypatch.setattr(resources, "folder", lambda: lessons)
    said = invoke(str(tmp_path / "course"), "--no-open", option)
    assert said.exit_code == 2
    assert "the solutions are not installed" in said.output
    assert not (tmp_path / "course").exists()


def test_the_wheel_leaves_out_the_lecturers_files():
    with (PROJECT / "pyproject.toml").open("rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {"/lessons/sources", "/lessons/solutions", "/lessons/lecturer"} <= set(wheel["exclude"])


def test_sources_for_nbgrader(tmp_path):
    assert invoke(str(tmp_path), "--no-open", "--nbgrader").exit_code == 0
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*.*"))
    lessons = resources.lessons()
    assert written == [
        Path("grade.sh"),
        Path("nbgrader_config.py"),
        Path("seeds.json"),
        *(Path("source", name, f"{name}.ipynb") for name in lessons),
    ]
    assert (tmp_path / "Containerfile").is_file()
    seeds = json.loads((tmp_path / "seeds.json").read_text(encoding="utf-8"))
    notebooks = "".join(path.read_text(encoding="utf-8") for path in tmp_path.glob("source/*/*"))
    assert all(f"seed={seed})" in notebooks for seed in seeds.values())
    # Drawn once for a course: what is there stays as it is.
    said = invoke(str(tmp_path), "--no-open", "--nbgrader").output
    assert said == f"nothing new to copy to {tmp_path}\n"


def test_seeds_that_cannot_be_read_are_named(tmp_path):
    (tmp_path / "seeds.json").write_text("[1", encoding="utf-8")
    said = invoke(str(tmp_path), "--no-open", "--nbgrader")
    assert said.exit_code == 2
    assert "seeds.json holds no seeds as JSON" in " ".join(said.output.split())


def test_a_students_file_stays(tmp_path):
    name = next(iter(resources.lessons().values())).name
    (tmp_path / name).write_text("my answers", encoding="utf-8")
    for _ in range(2):
        said = invoke(str(tmp_path), "--no-open")
        assert f"kept your {name}" in said.output
        assert (tmp_path / name).read_text(encoding="utf-8") == "my answers"
    assert "nothing new to copy" in said.output


def test_a_dangling_link_is_kept(tmp_path):
    place, beyond = tmp_path / "course", tmp_path / "beyond"
    place.mkdir()
    (place / "README.md").symlink_to(beyond)
    _, missing = write_missing(place, copies(resources.folder()))
    assert missing == ["README.md"]
    assert not beyond.exists()


def test_a_full_disk_leaves_no_half_of_a_lesson(tmp_path, monkeypatch):
    def full(_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        write_missing(tmp_path / "course", copies(resources.folder()))
    assert list((tmp_path / "course").iterdir()) == []


def test_a_file_in_place_of_the_folder(tmp_path):
    place = tmp_path / "file"
    place.write_text("", encoding="utf-8")
    said = invoke(str(place), "--no-open")
    assert said.exit_code == 2
    assert "name a folder" in said.output


def test_opens_jupyterlab_and_leaves_interrupts_to_it(tmp_path):
    stub = tmp_path / "path" / "jupyterlab"
    stub.mkdir(parents=True)
    (stub / "__init__.py").write_text("")
    (stub / "__main__.py").write_text(STUB, encoding="utf-8")
    place = tmp_path / "course"
    path = os.pathsep.join([str(stub.parent), str(PROJECT)])
    run = subprocess.Popen(
        [sys.executable, "-m", "workbench", "lessons", str(place), "--no-browser", "--port", "8890"],
        env=os.environ | {"PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    said = []
    while not said or "stub" not in said[-1]:
        said.append(run.stdout.readline())
        assert said[-1], "".join(said)
    os.killpg(run.pid, signal.SIGINT)
    rest = run.communicate(timeout=PATIENCE)[0]
    root = ["--allow-root"] if os.geteuid() == 0 else []
    first = str(place / "01_conjugates.ipynb")
    assert said[-1].split() == ["stub", first, *root, "--no-browser", "--port", "8890"]
    assert "asked first" in rest
    assert "Traceback" not in rest
    assert run.returncode == CODE


@pytest.mark.parametrize(
    ("user", "options", "passed"),
    [
        (0, ["--ip=0.0.0.0"], ["--allow-root", "--ip=0.0.0.0"]),
        (0, ["--allow-root"], ["--allow-root"]),
        (1000, ["--ip=0.0.0.0"], ["--ip=0.0.0.0"]),
    ],
)
def test_root_gets_the_flag_that_jupyter_asks_for(monkeypatch, user, options, passed):
    monkeypatch.setattr("os.geteuid", lambda: user)
    assert _for_root(options) == passed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--htlm"], "no such option: --htlm; did you mean --html?"),
        (["course", "--no-open", "--port", "1"], "--port: only JupyterLab takes further arguments"),
    ],
)
def test_options_that_nobody_takes_are_refused(tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    said = invoke(*arguments)
    assert said.exit_code == 2
    assert sentence in said.output
    assert list(tmp_path.iterdir()) == []


def test_without_jupyterlab_the_files_are_there(tmp_path, monkeypatch):
    monkeypatch.setattr(extras, "_is_there", lambda name: name != "jupyterlab")
    said = invoke(str(tmp_path))
    assert said.exit_code == 2
    assert "needs jupyterlab, which is not installed" in said.output
    assert (tmp_path / "README.md").exists()
