"""Outcomes of derivations that stay: which are used, which are not, and a disk that takes none."""

import cProfile
import errno
import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench._support.system import sources, storage
from workbench.conjugates.derivations import outcomes, sketches
from workbench.pages import preset_outcomes

KEY = outcomes.key("pair", "u**2/2", None, (), 1)
OUTCOME = {"q": "v**2/2", "seconds": 0.5, "steps": [1.0, None, "ε"], "y": [float("inf")]}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(storage.CACHE, str(tmp_path))
    monkeypatch.setattr(storage, "_usable", {})
    outcomes.write(KEY, OUTCOME)
    return outcomes.folder()


def test_another_process_reads_an_outcome(folder):
    code = (
        "import sys; from workbench.conjugates.derivations import outcomes; "
        f"outcome = outcomes.read_outcome({KEY!r}); inf = float('inf'); "
        f"assert outcome == {OUTCOME!r}, outcome; assert 'sympy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert outcomes.read_outcome(outcomes.key("pair", "u**2")) is None


DAMAGE = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-9],
    "another": lambda content: b"null",
    "list": lambda content: b"[1]",
    "deep": lambda content: b"[" * 100_000,
    "another key": lambda content: content.replace(b"u**2/2", b"u**3/2"),
    "bytes": lambda content: b"\xff\xfe" + content,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damaged_file_counts_as_missing(folder, damage):
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    assert outcomes.read_outcome(KEY) is None
    outcomes.write(KEY, OUTCOME)
    assert outcomes.read_outcome(KEY) == OUTCOME


def test_full_disk_keeps_nothing_and_raises_nothing(folder, monkeypatch):
    def fail(*paths):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(storage.os, "replace", fail)
    outcomes.write(outcomes.key("other"), OUTCOME)
    assert outcomes.read_outcome(outcomes.key("other")) is None
    assert outcomes.read_outcome(KEY) == OUTCOME
    assert len(list(folder.iterdir())) == 1


def test_files_stay_within_their_bytes(folder, monkeypatch):
    monkeypatch.setattr(outcomes, "MAX_BYTES", 10_000)
    for k in range(40):
        outcomes.write(outcomes.key("pair", k), OUTCOME | {"filling": "x" * 500})
        os.utime(outcomes._path(outcomes.key("pair", k)), (k, k))
    assert 3_000 < sum(path.stat().st_size for path in folder.iterdir()) <= 10_000
    assert outcomes.read_outcome(outcomes.key("pair", 39)) is not None
    assert outcomes.read_outcome(outcomes.key("pair", 0)) is None


# The digest


def test_digest_covers_all_files_that_derive():
    profile = cProfile.Profile(subcalls=False, builtins=False)
    profile.enable()
    sketches.pair("max(0, 1 - u)", None, (), 1)
    sketches.transfer("squared-l2")
    sketches.simplex("u**2/2")
    profile.disable()
    codes = {entry.code for entry in profile.getstats() if inspect.iscode(entry.code)}
    # A module that is imported here runs, and its functions alone derive.
    functions = [code for code in codes if code.co_flags & inspect.CO_OPTIMIZED]
    ran = {Path(code.co_filename) for code in functions if "<" not in code.co_filename}
    ran = {path for path in ran if path.is_relative_to(sources.PACKAGE)} - {sources.PACKAGE / "__init__.py"}
    assert len(ran) > 40
    assert ran - set(sources.files(*outcomes.DERIVING, without=outcomes.OUTSIDE)) == set()


# With the package


def test_package_brings_every_preset():
    shipped = outcomes.shipped()
    assert shipped, preset_outcomes.FIX
    for request in preset_outcomes.requests():
        assert outcomes.key(*request) in shipped, preset_outcomes.FIX
    assert preset_outcomes.main(["--check"]) == 0


def test_outcome_of_the_package_is_what_is_derived():
    request = next(request for request in preset_outcomes.requests() if request[1] == "max(0, 1 - u)")
    derived = json.loads(json.dumps(getattr(sketches, request[0])(*request[1:])))
    shipped = outcomes.shipped()[outcomes.key(*request)]
    assert derived | {"seconds": 0} == shipped | {"seconds": 0}


def test_stale_file_is_noticed_and_not_used(tmp_path, monkeypatch, capsys):
    content = outcomes.SHIPPED.read_text(encoding="utf-8")
    monkeypatch.setattr(outcomes, "SHIPPED", tmp_path / "outcomes.json")
    for stale in (content.replace(outcomes.digest(), "0" * 32), content[:-20], "", "[]"):
        outcomes.SHIPPED.write_text(stale, encoding="utf-8")
        outcomes.shipped.cache_clear()
        assert outcomes.shipped() == {}
        assert preset_outcomes.main(["--check"]) == 1
        assert preset_outcomes.FIX in capsys.readouterr().err
    outcomes.shipped.cache_clear()
