"""Machine code on disk: never stale, and a damaged file or a full disk costs a compilation only."""

import errno
import importlib
import os
import shutil
import subprocess
import sys
import types as python_types
from pathlib import Path

import pytest
from numba import types
from numba.core.caching import IndexDataCacheFile

from workbench._support.errors import WorkbenchWarning
from workbench._support.system import sources, storage
from workbench.kernels import compilation, formulas, kernel_cache
from workbench.pages.wasm import sources as browser_sources

ADDED = types.float64(types.float64, types.float64)


def added(x, y):
    return x + y


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(storage.CACHE, str(tmp_path))
    monkeypatch.setattr(storage, "_usable", {})
    monkeypatch.setattr(compilation, "patience", 0.0)
    kernel_cache._warn.cache_clear()
    yield kernel_cache.folder()
    storage.discard()


def is_cached():
    """Compile the function; returns whether its machine code came from the disk."""
    function = compilation.jit(added, ADDED)
    assert function(1.0, 2.0) == 3.0
    return bool(function.stats.cache_hits)


def test_machine_code_is_kept(folder):
    assert [is_cached(), is_cached()] == [False, True]


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
@pytest.mark.parametrize(
    "damage",
    [lambda content: b"", lambda content: b"words", lambda content: content[:-1], lambda content: bytes(99)],
    ids=["empty", "text", "cut", "zeros"],
)
def test_damaged_file_is_compiled_anew(folder, damage, suffix):
    is_cached()
    (path,) = folder.rglob(f"*{suffix}")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.warns(WorkbenchWarning, match="is damaged"):
        assert not is_cached()
    assert is_cached()


def test_full_disk_costs_a_compilation(folder, monkeypatch):
    def fail(self, name, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(IndexDataCacheFile, "_save_data", fail)
        with pytest.warns(WorkbenchWarning, match=f"No space left on device.*set {storage.CACHE}"):
            assert not is_cached()
        assert not is_cached()
    assert not is_cached()
    assert is_cached()


def test_folder_that_is_cleared_meanwhile_is_made_anew(folder):
    is_cached()
    shutil.rmtree(folder)
    assert [is_cached(), is_cached()] == [False, True]


# The digest


def edit(path, before, after):
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1
    path.write_text(text.replace(before, after), encoding="utf-8")


KERNEL = """
import numpy as np
from workbench.kernels import compilation, try_kernel
compilation.patience = 0.0
kernel = try_kernel.kernel()
scalar = compilation.formula("squared_value", compilation.SCALAR)
print(kernel(4.0), scalar(3.0, np.zeros(0)), *(bool(f.stats.cache_hits) for f in (kernel, scalar)))
"""


def test_edited_helper_of_another_file_gives_new_numbers(tmp_path):
    """In a copy of the package, as a wheel installs it: a helper, a constant and a generated scalar."""
    place = tmp_path / "workbench"
    shutil.copytree(sources.PACKAGE, place, ignore=shutil.ignore_patterns("__pycache__", "pages", "teaching"))
    (place / "kernels/try_helper.py").write_text(
        "from numba import njit\nSHIFT = 1.0\n@njit\ndef half(x):\n    return x / 2\n"
    )
    (place / "kernels/try_kernel.py").write_text(
        "from workbench.kernels.compilation import FLOAT, lazy_jit\n"
        "from workbench.kernels.try_helper import SHIFT, half\n"
        "def _kernel(x: FLOAT) -> FLOAT:\n    return half(x) + SHIFT\n"
        "kernel = lazy_jit(_kernel)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), storage.CACHE: str(tmp_path / "cache")}

    def numbers():
        command = [sys.executable, "-c", KERNEL]
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True, cwd=tmp_path
        )
        return done.stdout.split()

    first = numbers()
    assert (first[0], first[2:]) == ("3.0", ["False", "False"])
    edit(place / "kernels/try_helper.py", "x / 2", "x / 4")
    edit(place / "kernels/try_helper.py", "SHIFT = 1.0", "SHIFT = 5.0")
    assert numbers() == ["6.0", first[1], "False", "False"]
    path = place / "kernels/formulas.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text + "\n\n_plain = squared_value\n\n\ndef squared_value(u, theta):\n    return 7.0\n")
    assert numbers()[1:] == ["7.0", "False", "False"]


def _globals(code):
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, python_types.CodeType):
            yield from _globals(constant)


def test_digest_covers_every_file_that_kernels_are_made_of(monkeypatch):
    """From every function that is compiled on demand, through all package functions that it names."""
    waiting = []

    class Asked(Exception):
        pass

    def note(function, signature):
        waiting.append(function)
        raise Asked

    monkeypatch.setattr(compilation, "jit", note)
    for path in sources.files("kernels", "solvers", "problems", "certificates"):
        name = path.relative_to(sources.PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        for late in vars(importlib.import_module(name.removesuffix(".__init__"))).values():
            code = getattr(getattr(late, "__wrapped__", None), "__code__", None)
            if code is not None and code.co_argcount == 0 and "jit" in code.co_names:
                with pytest.raises(Asked):
                    late.__wrapped__()
    assert len(waiting) > 30
    visited = set()
    while waiting:
        function = waiting.pop()
        function = getattr(function, "py_func", function)
        if isinstance(function, python_types.FunctionType) and function not in visited:
            visited.add(function)
            waiting += [function.__globals__.get(name) for name in _globals(function.__code__)]
    ours = {Path(function.__code__.co_filename) for function in visited}
    ours = {path for path in ours if path.is_relative_to(sources.PACKAGE)}
    assert len(ours) > 20
    assert ours - set(sources.files(*kernel_cache.KERNELS)) == set()


def test_unknown_source_is_an_error():
    with pytest.raises(LookupError, match=r"nothing matches kernels/nothing\.py"):
        sources.digest("kernels/nothing.py")


def test_new_loss_leaves_the_digest_of_the_browsers_module(tmp_path, monkeypatch):
    names = browser_sources.defined()
    first = browser_sources.digest(names)
    path = tmp_path / "formulas.py"
    new = "\n\ndef new_coordinate(start, linear, quadratic, theta):\n    return start\n"
    path.write_text(Path(formulas.__file__).read_text(encoding="utf-8") + new, encoding="utf-8")
    monkeypatch.setattr(browser_sources, "FORMULAS", path)
    assert browser_sources.digest(names) == first
    assert browser_sources.lacking(names) == ["new"]
    edit(path, new.strip(), new.strip().replace("return start", "return linear"))
    assert browser_sources.digest([*names, "new_coordinate"]) != first
    with pytest.raises(KeyError):
        browser_sources.digest([*names, "absent_coordinate"])
