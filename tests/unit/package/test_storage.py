"""Files whole or not at all, a cache that gives way, and temporary folders that go."""

import errno
import io
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from workbench._support.errors import InputError, WorkbenchWarning
from workbench._support.system import storage


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder for temporary folders, and no cache but where a test says so."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setenv(storage.CACHE, str(tmp_path / "cache"))
    monkeypatch.setattr(storage, "_usable", {})
    (tmp_path / "temporary").mkdir()
    yield tmp_path
    storage.discard()


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# Files


def fill(file):
    file.write(b"half")
    raise OSError(errno.ENOSPC, "No space left on device")


def interrupt(file):
    file.write(b"half")
    raise KeyboardInterrupt


@pytest.mark.parametrize(("end", "error"), [(fill, OSError), (interrupt, KeyboardInterrupt)])
@pytest.mark.parametrize("before", [None, b"before"])
def test_a_failed_write_keeps_the_old_file(tmp_path, before, end, error):
    path = tmp_path / "model.npz"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(error) as raised, storage.whole(path) as file:
        end(file)
    assert names(tmp_path) == ([] if before is None else ["model.npz"])
    assert before is None or path.read_bytes() == before
    if error is OSError:
        assert raised.value.filename == str(path)


def test_a_disk_that_fills_at_the_end_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda number: fill(io.BytesIO()))
    with pytest.raises(OSError, match="No space left"):
        storage.write(tmp_path / "a", b"content")
    assert names(tmp_path) == []


def test_a_link_is_followed_and_the_mode_stays(tmp_path):
    (tmp_path / "real").write_bytes(b"before")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    storage.write(tmp_path / "link", "after")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"after"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o640


def test_a_device_is_written_to_and_stays(tmp_path):
    before = Path(os.devnull).stat()
    storage.write(os.devnull, b"content")
    assert Path(os.devnull).stat().st_rdev == before.st_rdev


def test_an_invalid_place_is_named(tmp_path):
    with pytest.raises(InputError, match=r"the folder .* does not exist"):
        storage.write(tmp_path / "absent" / "file", b"")
    with pytest.raises(InputError, match="is a folder; name a file in it"):
        storage.write(tmp_path, b"")


# The cache


def test_the_cache_is_where_the_variable_says(place):
    assert storage.cache("kernels") == place / "cache" / "kernels"
    assert names(place / "temporary") == []


def refuse_all(monkeypatch, place):
    (place / "cache").write_text("a file in its place", encoding="utf-8")


def refuse_owner(monkeypatch, place):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    (place / "cache").mkdir()
    os.chown(place / "cache", 54321, -1)


def refuse_writing(monkeypatch, place):
    whole = tempfile.TemporaryFile

    def full(dir):
        if dir.is_relative_to(place / "cache"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return whole(dir=dir)

    monkeypatch.setattr(tempfile, "TemporaryFile", full)


@pytest.mark.parametrize("refuse", [refuse_all, refuse_owner, refuse_writing])
def test_an_unusable_cache_is_replaced(place, monkeypatch, refuse):
    if refuse is refuse_owner and os.getuid() != 0:
        pytest.skip("only the superuser gives files away")
    refuse(monkeypatch, place)
    with pytest.warns(WorkbenchWarning, match=f"set {storage.CACHE} to a folder") as said:
        folder = storage.cache("kernels")
    assert folder.parent.parent == place / "temporary"
    assert folder.is_dir()
    assert storage.cache("pairs").parent == folder.parent
    assert len(said) == 1


OTHERS = {"all": 0o777, "a group": 0o770, "all, sticky": 0o1777}


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
@pytest.mark.parametrize("place_of", ["cache", "cache/kernels", "cache/kernels/version", "."])
@pytest.mark.parametrize("mode", OTHERS.values(), ids=OTHERS)
def test_a_folder_writable_by_others_is_not_used_as_cache(place, monkeypatch, place_of, mode):
    monkeypatch.setattr(storage, "_is_own_group", lambda number: False)
    (place / "cache/kernels/version").mkdir(parents=True)
    (place / place_of).chmod(mode)
    if mode & stat.S_ISVTX and place_of != "cache/kernels/version":
        # Others can put folders beside ours there, and none in its place.
        assert storage.cache("kernels", "version") == place / "cache/kernels/version"
        return
    with pytest.warns(WorkbenchWarning, match=f"others can write to .*set {storage.CACHE}"):
        folder = storage.cache("kernels", "version")
    assert folder.is_relative_to(place / "temporary")
    assert stat.S_IMODE(folder.parent.parent.stat().st_mode) == 0o700


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_link_into_a_folder_of_others_is_judged_by_its_target(place):
    (place / "open").mkdir()
    (place / "open").chmod(0o777)
    (place / "cache").symlink_to(place / "open")
    with pytest.warns(WorkbenchWarning, match="others can write to .*open"):
        storage.cache("kernels")


@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_a_cache_is_made_for_its_user_alone(place):
    before = os.umask(0)
    try:
        folder = storage.cache("kernels", "version")
    finally:
        os.umask(before)
    assert {stat.S_IMODE(place.stat().st_mode) for place in (folder, *list(folder.parents)[:2])} == {0o700}


@pytest.mark.skipif(os.name != "posix", reason="groups of POSIX")
@pytest.mark.parametrize(
    ("group", "members", "own"),
    [("me", [], True), ("me", ["me"], True), ("me", ["me", "other"], False), ("users", [], False)],
)
def test_a_group_of_one_user_is_that_user(monkeypatch, group, members, own):
    import grp
    import pwd

    monkeypatch.setattr(grp, "getgrgid", lambda number: SimpleNamespace(gr_name=group, gr_mem=members))
    monkeypatch.setattr(pwd, "getpwuid", lambda number: SimpleNamespace(pw_name="me"))
    assert storage._is_own_group(1000) is own


# Temporary folders


def test_a_living_owner_keeps_its_folder(place):
    folder = storage.temporary("uploads")
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    storage.sweep()
    assert folder.is_dir()
    storage.discard(folder)
    assert names(place / "temporary") == []


def test_a_folder_without_owner_goes_when_it_was_left_alone_for_long(place):
    young, old = storage.temporary("uploads"), storage.temporary("uploads")
    for folder in (young, old):
        (folder / storage.OWNER).unlink()
    os.utime(old, (0, 0))
    storage.sweep()
    assert young.is_dir()
    assert not old.exists()


def test_others_folders_and_links_are_left_alone(place, monkeypatch):
    (place / "precious").mkdir()
    os.utime(place / "precious", (0, 0))
    (place / "temporary" / f"{storage.NAME}-link").symlink_to(place / "precious")
    folder = place / "temporary" / f"{storage.NAME}-uploads-other"
    folder.mkdir()
    os.utime(folder, (0, 0))
    monkeypatch.setattr(os, "getuid", lambda: folder.stat().st_uid + 1)
    storage.sweep()
    assert folder.is_dir()
    assert (place / "precious").is_dir()


KILLED = """
import os, signal, sys, tempfile
tempfile.tempdir = sys.argv[1]
from workbench._support.system import storage
folder = storage.temporary("uploads")
(folder / "secret.npz").write_bytes(b"x")
print(folder, flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_the_folder_of_a_killed_process_goes_at_the_next_start(place):
    command = [sys.executable, "-c", KILLED, str(place / "temporary")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        left = process.stdout.readline().strip()
        process.stdout.read()
        assert Path(left).exists()
        storage.sweep()
        assert not Path(left).exists()
