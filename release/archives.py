"""`make release`: what goes with the archives in dist, notes, the recipe for conda and checksums.

    python release/archives.py dist

Where the tag of a release is in the environment (GITHUB_REF_NAME), the version, the changelog and the
citation must agree with it.
"""

import hashlib
import os
import re
import sys
import tomllib
from pathlib import Path

import workbench

PROJECT = Path(__file__).resolve().parents[1]
UNRELEASED = "unreleased"


def section(changelog, version):
    """Return the date and the text of a version in a changelog."""
    match = re.search(rf"^## {re.escape(version)} - (\S+)\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    if match is None:
        raise SystemExit(f"CHANGELOG.md has no section '## {version} - DATE'; write it first")
    return match[1], match[2].strip() + "\n"


def check_tag(tag, version, date, citation):
    """Refuse a tag that the files do not agree with."""
    if tag != f"v{version}":
        raise SystemExit(f"the tag is {tag} and workbench.__version__ {version}; they must agree")
    if date == UNRELEASED:
        raise SystemExit(f"CHANGELOG.md says that {version} is unreleased; write the date there")
    for line in (f"version: {version}", f"date-released: {date}"):
        if line not in citation.splitlines():
            raise SystemExit(f"CITATION.cff lacks the line '{line}'")


def recipe(template, version, archive, address):
    """Return the recipe of conda for a source archive that lies at an address."""
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    text = re.sub(r'^  version: ".*"$', f'  version: "{version}"', template, count=1, flags=re.M)
    return text.replace("ARCHIVE", address).replace("DIGEST", digest)


def main(folder):
    """Write the files that belong to the archives in a folder."""
    version = workbench.__version__
    date, notes = section((PROJECT / "CHANGELOG.md").read_text("utf-8"), version)
    tag = os.environ.get("GITHUB_REF_NAME", "")
    is_release = os.environ.get("GITHUB_REF_TYPE") == "tag"
    if is_release:
        check_tag(tag, version, date, (PROJECT / "CITATION.cff").read_text("utf-8"))
    (archive,) = folder.glob("*.tar.gz")
    (folder / "NOTES.md").write_text(notes, "utf-8")
    address = archive.as_uri()
    if is_release:
        urls = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]
        address = f"{urls['Source']}/releases/download/{tag}/{archive.name}"
    template = (PROJECT / "release" / "recipe.yaml").read_text("utf-8")
    (folder / "recipe.yaml").write_text(recipe(template, version, archive, address), "utf-8")
    files = sorted([*folder.glob("*.whl"), archive])
    sums = (f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
    (folder / "SHA256SUMS").write_text("".join(sums), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
