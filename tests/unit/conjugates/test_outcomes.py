"""Outcomes of derivations that stay: what is never used, what is taken away, and who may write."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench._support.system import sources
from workbench.conjugates.derivations import outcomes
from workbench.conjugates.derivations.outcomes import Shelf
from workbench.pages import preset_outcomes

KEY = outcomes.key("pair", "u**2/2", None, (), 1)
OUTCOME = {"q": "v**2/2", "seconds": 0.5, "steps": [1.0, None, "ε"], "y": [float("inf")]}


@pytest.fixture
def shelf(tmp_path):
    made = Shelf(tmp_path / "derivations")
    made.write(KEY, OUTCOME)
    return made


def entry(shelf):
    (path,) = shelf.folder.iterdir()
    return path


# On disk


def test_what_is_kept_is_read_by_another_process(shelf):
    code = (
        "import sys; from workbench.conjugates.derivations.outcomes import Shelf; "
        f"found = Shelf({str(shelf.folder)!r}).read({KEY!r}); "
        "inf = float('inf'); "
        f"assert found == {OUTCOME!r}, found; assert 'sympy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert shelf.read(outcomes.key("pair", "u**2")) is None


def flipped(content):
    place = content.index(b"v**2")
    return content[:place] + b"w" + content[place + 1 :]


DAMAGE = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-9],
    "flipped": flipped,
    "another": lambda content: b"null\nnull",
    "bytes": lambda content: b"\xff\xfe" + content,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_damaged_is_discarded(shelf, damage):
    path = entry(shelf)
    path.write_bytes(damage(path.read_bytes()))
    assert shelf.read(KEY) is None
    assert not path.exists()
    shelf.write(KEY, OUTCOME)
    assert shelf.read(KEY) == OUTCOME


def test_the_folder_is_its_owner_s_alone(shelf):
    assert shelf.folder.stat().st_mode & 0o777 == 0o700
    for mode in (0o770, 0o707, 0o777):
        shelf.folder.chmod(mode)
        if mode & 0o022:
            assert shelf.read(KEY) is None
            shelf.write(outcomes.key("other"), OUTCOME)
    shelf.folder.chmod(0o700)
    assert shelf.read(KEY) == OUTCOME
    assert shelf.read(outcomes.key("other")) is None


def test_a_link_to_another_folder_is_not_followed(shelf, tmp_path):
    (tmp_path / "link").symlink_to(shelf.folder)
    linked = Shelf(tmp_path / "link")
    assert linked.read(KEY) is None


def test_without_a_folder_nothing_is_kept(tmp_path):
    (tmp_path / "file").write_text("")
    nowhere = Shelf(tmp_path / "file" / "derivations")
    nowhere.write(KEY, OUTCOME)
    assert nowhere.read(KEY) is None
    with nowhere.claim(KEY):
        pass


def test_files_stay_within_their_bytes(tmp_path):
    small = Shelf(tmp_path / "derivations", most=10_000)
    for k in range(40):
        small.write(outcomes.key("pair", k), OUTCOME | {"filling": "x" * 500})
        os.utime(small._path(outcomes.key("pair", k)), (k, k))
    assert 3_000 < sum(path.stat().st_size for path in small.folder.iterdir()) <= 10_000
    assert small.read(outcomes.key("pair", 39)) is not None
    assert small.read(outcomes.key("pair", 0)) is None


def test_one_derives_a_key_at_a_time(shelf):
    with shelf.claim(KEY):
        assert shelf.claim(KEY) is None
        with shelf.claim(outcomes.key("other")) as other:
            assert other is not None
    with shelf.claim(KEY):
        pass
    assert [path.suffix for path in shelf.folder.iterdir()] == [".json"]


def test_a_claim_ends_with_its_process(shelf):
    code = (
        "import os, signal; from workbench.conjugates.derivations.outcomes import Shelf; "
        f"claim = Shelf({str(shelf.folder)!r}).claim({KEY!r}); assert claim is not None; "
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    subprocess.run([sys.executable, "-c", code], check=False)
    with shelf.claim(KEY) as claim:
        assert claim is not None


# The digest


# Derives, and tells which functions of the package ran.
RAN = """
import cProfile, inspect
from workbench.conjugates.derivations import sketches
profile = cProfile.Profile(subcalls=False, builtins=False)
profile.enable()
sketches.pair('max(0, 1 - u)', None, (), 1)
sketches.transfer('squared-l2')
sketches.simplex('u**2/2')
profile.disable()
for code in {entry.code for entry in profile.getstats()}:
    if code.co_flags & inspect.CO_OPTIMIZED:  # a function, no body of a class
        print(code.co_filename, code.co_qualname.partition('.')[0], sep='\\t')
"""


def test_the_digest_has_all_that_derives():
    """Each function that ran is among the definitions; what Python makes up itself has no name."""
    done = subprocess.run([sys.executable, "-c", RAN], capture_output=True, text=True, check=True)
    lines = (line.split("\t") for line in done.stdout.splitlines())
    ran = {(Path(path), name) for path, name in lines if "<" not in name and not path.endswith("__init__.py")}
    ran = {(path, name) for path, name in ran if path.is_relative_to(sources.PACKAGE)}
    known = sources._reached([(outcomes.SKETCHES, sources.WHOLE)], without=())
    assert len(ran) > 200
    assert ran - known == set()


# With the package


def test_what_the_package_brings_has_every_preset():
    kept = outcomes.shipped()
    assert kept, preset_outcomes.FIX
    for request in preset_outcomes.requests():
        assert outcomes.key(*request) in kept, preset_outcomes.FIX
    assert preset_outcomes.main(["--check"]) == 0


def test_what_the_package_brings_is_what_is_derived():
    """One of them anew, and every one proved or said to be less."""
    request = next(request for request in preset_outcomes.requests() if request[1] == "max(0, 1 - u)")
    from workbench.conjugates.derivations import sketches

    found = json.loads(json.dumps(getattr(sketches, request[0])(*request[1:])))
    kept = outcomes.shipped()[outcomes.key(*request)]
    assert found | {"seconds": 0} == kept | {"seconds": 0}


def test_a_stale_file_is_noticed_and_not_used(tmp_path, monkeypatch, capsys):
    content = outcomes.SHIPPED.read_text(encoding="utf-8")
    monkeypatch.setattr(outcomes, "SHIPPED", tmp_path / "outcomes.json")
    for stale in (content.replace(outcomes.digest("pair"), "0" * 32), content[:-20], ""):
        outcomes.SHIPPED.write_text(stale, encoding="utf-8")
        outcomes.shipped.cache_clear()
        assert not any(name.startswith('["pair"') for name in outcomes.shipped())
        assert preset_outcomes.main(["--check"]) == 1
        assert preset_outcomes.FIX in capsys.readouterr().err
    outcomes.shipped.cache_clear()
