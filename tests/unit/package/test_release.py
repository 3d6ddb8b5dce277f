"""Notes, checksums and recipe of `make release`, and the versions that must agree."""

import hashlib
import importlib.util
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import workbench as wb

PROJECT = Path(__file__).resolve().parents[3]
CHANGELOG = "# Changelog\n\n## 0.2.0 - 2027-01-02\n\n### Added\n\n- a\n\n## 0.1.0 - unreleased\n\n- b\n"
RELEASED = r"^date-released: (\d{4}-\d\d-\d\d)$"
CITATION = (PROJECT / "CITATION.cff").read_text("utf-8")


@pytest.fixture(scope="module")
def archives():
    spec = importlib.util.spec_from_file_location("archives", PROJECT / "release" / "archives.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def project():
    return tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]


def test_notes_are_the_section_of_the_version(archives):
    assert archives.section(CHANGELOG, "0.2.0") == ("2027-01-02", "### Added\n\n- a\n")
    assert archives.section(CHANGELOG, "0.1.0") == ("unreleased", "- b\n")
    with pytest.raises(SystemExit, match=r"no section '## 0.3.0 - DATE'"):
        archives.section(CHANGELOG, "0.3.0")


def test_a_tag_must_agree_with_the_files(archives):
    citation = "version: 0.2.0\ndate-released: 2027-01-02\n"
    archives.check_tag("v0.2.0", "0.2.0", "2027-01-02", citation)
    for tag, date, text in (
        ("v0.1.0", "2027-01-02", citation),
        ("v0.2.0", "unreleased", citation),
        ("v0.2.0", "2027-01-03", citation),
    ):
        with pytest.raises(SystemExit):
            archives.check_tag(tag, "0.2.0", date, text)


def test_main_writes_notes_recipe_and_checksums(archives, tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_REF_TYPE", raising=False)
    wheel, source = tmp_path / "a-1-py3-none-any.whl", tmp_path / "a-1.tar.gz"
    wheel.write_bytes(b"wheel")
    source.write_bytes(b"source")
    archives.main(tmp_path)
    digest = hashlib.sha256(b"source").hexdigest()
    sums = (tmp_path / "SHA256SUMS").read_text("utf-8").splitlines()
    assert sums == [f"{hashlib.sha256(b'wheel').hexdigest()}  {wheel.name}", f"{digest}  {source.name}"]
    assert (tmp_path / "NOTES.md").read_text("utf-8").startswith("### ")
    recipe = yaml.safe_load((tmp_path / "recipe.yaml").read_text("utf-8"))
    assert recipe["source"] == {"url": source.as_uri(), "sha256": digest}
    assert recipe["context"]["version"] == wb.__version__


def test_the_recipe_of_a_release_names_the_archive_of_the_forge(archives, project, tmp_path, monkeypatch):
    for name, value in (("TYPE", "tag"), ("NAME", f"v{wb.__version__}")):
        monkeypatch.setenv(f"GITHUB_REF_{name}", value)
    monkeypatch.setattr(
        archives, "section", lambda _, version: (re.search(RELEASED, CITATION, re.M)[1], "notes")
    )
    for name in ("a-1-py3-none-any.whl", "a-1.tar.gz"):
        (tmp_path / name).write_bytes(b"")
    archives.main(tmp_path)
    address = yaml.safe_load((tmp_path / "recipe.yaml").read_text("utf-8"))["source"]["url"]
    assert address == f"{project['urls']['Source']}/releases/download/v{wb.__version__}/a-1.tar.gz"


def test_the_recipe_requires_what_the_project_does(project):
    recipe = yaml.safe_load((PROJECT / "release" / "recipe.yaml").read_text("utf-8"))
    assert recipe["package"]["name"] == project["name"]
    assert recipe["context"]["version"] == wb.__version__
    about, urls = recipe["about"], project["urls"]
    assert about["homepage"] == urls["Homepage"]
    assert about["summary"] == project["description"]
    assert about["license"] == project["license"]
    assert [about["license_file"]] == project["license-files"]
    built = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["build-system"]["requires"]
    host = [f"python {project['requires-python']}", "pip", *(text.replace(">", " >") for text in built)]
    assert recipe["requirements"]["host"] == host
    extras = project["optional-dependencies"]
    declared = [*project["dependencies"], *extras["cli"], *extras["proofs"]]
    # There xxhash is the library in C.
    declared = [re.sub("^xxhash", "python-xxhash", text) for text in declared]
    python = f"python {project['requires-python']}"
    assert recipe["requirements"]["run"] == [
        python,
        *sorted({re.sub(r"(?=>=)", " ", text) for text in declared}),
    ]
    assert f"workbench = {project['scripts']['workbench']}" in recipe["build"]["python"]["entry_points"]


def test_versions_agree(archives, project):
    assert f"version: {wb.__version__}" in CITATION.splitlines()
    (date,) = re.findall(RELEASED, CITATION, re.M)
    changelog = (PROJECT / "CHANGELOG.md").read_text("utf-8")
    assert archives.section(changelog, wb.__version__)[0] in (archives.UNRELEASED, date)
    assert yaml.safe_load(CITATION)["license"] == project["license"]
    assert yaml.safe_load(CITATION)["authors"] == project["authors"]
    checks = yaml.safe_load((PROJECT / ".github/workflows/checks.yml").read_text("utf-8"))
    tested = checks["jobs"]["tests"]["strategy"]["matrix"]["python"]
    named = [text.rpartition(" ")[2] for text in project["classifiers"] if re.search(r":: 3\.\d+$", text)]
    assert tested == named == ["3.11", "3.12", "3.13", "3.14"]
    assert all(address.startswith("https://") for address in project["urls"].values())
    assert {"Homepage", "Documentation", "Source", "Issues", "Changelog"} <= set(project["urls"])


def test_only_the_job_that_publishes_has_the_token_of_trusted_publishing():
    jobs = yaml.safe_load((PROJECT / ".github/workflows/release.yml").read_text("utf-8"))["jobs"]
    tokens = {name: job.get("permissions", {}).get("id-token") for name, job in jobs.items()}
    assert tokens == {"archives": None, "publish": "write"}
    assert jobs["publish"]["needs"] == "archives"
