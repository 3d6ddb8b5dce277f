"""Compiled kernels on disk: a damaged file costs a compilation, never a run or a wrong number."""

import shutil
import sys
import warnings

import pytest
from numba import types

from workbench._support.errors import WorkbenchWarning
from workbench._support.system import storage
from workbench.kernels import compilation, kernel_cache

ADDED = types.float64(types.float64, types.float64)


def added(x, y):
    return x + y


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(storage.CACHE, str(tmp_path))
    monkeypatch.setattr(storage, "_usable", {})
    monkeypatch.setattr(kernel_cache, "_told", set())
    yield compilation.cache_folder()
    storage.discard()


def compiled():
    """The function, and whether its machine code came from the disk."""
    function = compilation.jit(added, ADDED)
    assert function(1.0, 2.0) == 3.0
    return bool(function.stats.cache_hits)


def test_a_second_process_finds_what_the_first_compiled(folder):
    assert [compiled(), compiled()] == [False, True]
    assert [path.suffix for path in folder.iterdir()] == [".nbc"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: b"words",
        lambda content: content[:-1],
        lambda content: content[:-100] + bytes([content[-100] ^ 1]) + content[-99:],
        lambda content: bytes(len(content)),
    ],
    ids=["empty", "text", "cut", "flipped", "zeros"],
)
def test_a_damaged_file_is_discarded_told_once_and_made_anew(folder, damage):
    compiled()
    (path,) = folder.iterdir()
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(WorkbenchWarning, match="it is damaged") as said:
        assert not compiled()
    assert len(said) == 1
    assert compiled()


def test_a_folder_in_place_of_a_file_costs_a_compilation(folder):
    compiled()
    (path,) = folder.iterdir()
    path.unlink()
    path.mkdir()
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert not compiled()
    assert all(issubclass(each.category, WorkbenchWarning) for each in said)
    assert said


def test_a_folder_that_goes_meanwhile_is_made_anew(folder):
    shutil.rmtree(folder)
    assert not compiled()
    assert compiled()


def test_a_disk_that_is_full_keeps_kernels_in_a_temporary_folder(folder, monkeypatch):
    write = storage.write

    def full(path, content, sync=True):
        if path.is_relative_to(folder):
            raise OSError(28, "No space left on device", str(path))
        write(path, content, sync)

    monkeypatch.setattr(storage, "write", full)
    with pytest.warns(WorkbenchWarning, match=f"No space left on device.*set {storage.CACHE}"):
        assert not compiled()
    assert compiled()
    assert not list(folder.iterdir())


def test_the_folder_is_of_these_versions():
    assert sys.implementation.cache_tag is not None
    assert compilation._versions() == compilation.cache_folder().name
