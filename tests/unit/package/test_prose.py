"""Comments, docstrings and documents cite files that exist, and count lines rightly or not at all."""

import re
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from benchmarks.words import ROOT, files, words

CITED = re.compile(r"(?<![\w/.*{-])((?:[\w-]+/)*[\w-]+\.(?:py|js))\b(?!\()")
COUNTED = re.compile(r"([\w./-]+\.(?:py|js))[`)\]]* \(([\d,]+)(?: lines)?\)")
PLACEHOLDER = re.compile(r"[A-Z]{2,}")  # NAME.py stands for any name


@pytest.fixture(scope="module")
def tracked():
    """Return the files that each path and each of its ends stands for."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("the files of a clone are listed by git")
    ends = defaultdict(list)
    for name in filter(None, listed.stdout.split("\n")):
        parts = name.split("/")
        for k in range(len(parts)):
            ends["/".join(parts[k:])].append(name)
    return ends


def missing_files(text, tracked):
    cited = {match.lstrip("./") for match in CITED.findall(text) if not PLACEHOLDER.search(match)}
    return sorted(cited - tracked.keys())


def wrong_counts(text, tracked):
    """Return (name, count) of files whose lines are counted wrongly in a text."""
    wrong = []
    for name, count in COUNTED.findall(text):
        lengths = {
            len((ROOT / path).read_text("utf-8").splitlines()) for path in tracked.get(name.lstrip("./"), ())
        }
        if int(count.replace(",", "")) not in lengths:
            wrong.append((name, count))
    return wrong


def faults(check, tracked):
    """Return (file, line, fault) of comments, docstrings and paragraphs; files without any are not parsed."""
    return [
        (path.relative_to(ROOT).as_posix(), line, fault)
        for path in files()
        if check(path.read_text("utf-8"), tracked)
        for kind, line, text in words(path)
        if kind == "docstrings" or (kind == "prose" and (path.suffix != ".py" or text.startswith("#")))
        for fault in check(text, tracked)
    ]


@pytest.mark.parametrize("check", [missing_files, wrong_counts])
def test_cited_files_exist_and_have_the_lines_that_are_counted(check, tracked):
    assert faults(check, tracked) == []


def test_every_pattern_of_the_mutants_matches_a_file():
    from tests.long import mutation

    package = Path(mutation.workbench.__file__).parent
    assert [p for patterns in mutation.ROOMS.values() for p in patterns if not any(package.glob(p))] == []
