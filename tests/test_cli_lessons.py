"""`workbench lessons` copies the course and never overwrites a file of the student's."""

from typer.testing import CliRunner

from workbench import resources
from workbench.cli import app, lessons


def invoke(*arguments):
    return CliRunner().invoke(app, ["lessons", *arguments])


def test_copies_everything_but_the_solutions(tmp_path):
    place = tmp_path / "course"
    said = invoke(str(place), "--no-open")
    assert said.exit_code == 0, said.output
    assert {path.name for path in place.iterdir()} == {
        "README.md",
        *(path.name for path in resources.lessons().values()),
    }


def test_solutions_come_when_asked_for(tmp_path):
    assert invoke(str(tmp_path), "--no-open", "--solutions").exit_code == 0
    assert len(list((tmp_path / "solutions").glob("*.ipynb"))) == len(resources.lessons())


def test_a_students_file_stays(tmp_path):
    name = next(iter(resources.lessons().values())).name
    (tmp_path / name).write_text("my answers", encoding="utf-8")
    for _ in range(2):
        said = invoke(str(tmp_path), "--no-open")
        assert f"kept your {name}" in said.output
        assert (tmp_path / name).read_text(encoding="utf-8") == "my answers"
    assert "nothing new to copy" in said.output


def test_a_file_in_place_of_the_folder(tmp_path):
    place = tmp_path / "file"
    place.write_text("", encoding="utf-8")
    said = invoke(str(place), "--no-open")
    assert said.exit_code == 2
    assert "name a folder" in said.output


def test_opens_jupyterlab_of_this_interpreter(tmp_path, monkeypatch):
    seen = []
    answer = type("Ended", (), {"returncode": 0})
    monkeypatch.setattr(lessons.subprocess, "run", lambda command: seen.append(command) or answer)
    assert invoke(str(tmp_path)).exit_code == 0
    assert seen[0][1:] == ["-m", "jupyterlab", str(tmp_path)]


def test_without_jupyterlab_the_files_are_there(tmp_path, monkeypatch):
    monkeypatch.setattr(lessons.importlib.util, "find_spec", lambda name: None)
    said = invoke(str(tmp_path))
    assert said.exit_code == 2
    assert "JupyterLab is not installed" in said.output
    assert (tmp_path / "README.md").exists()
