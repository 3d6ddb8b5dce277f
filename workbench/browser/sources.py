"""The digest of everything that the built module depends on, without a build and without numba."""

import ast
import hashlib
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
HERE = PACKAGE / "browser"
# What is printed, and what it imports; what that imports of the two rooms comes in too.
FIRST, ROOMS = HERE / "printed.py", ("compiled", "solvers")
OTHERS = ("build.py", "layout.py", "libm.zig", "objects.py", "printed.py", "runtime.c")
TOOLS = ("llvmlite==", "numba==", "ziglang==")


def digest():
    """The SHA-256 of the sources and of the versions that they are built with, those of `constraints.txt`."""
    pinned = (PACKAGE.parent / "constraints.txt").read_text(encoding="utf-8").splitlines()
    state = hashlib.sha256("\n".join(line for line in pinned if line.startswith(TOOLS)).encode())
    for path in files():
        state.update(path.relative_to(PACKAGE).as_posix().encode())
        state.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return state.hexdigest()


def files():
    """The sources in a fixed order."""
    return sorted({*_reached(), *(HERE / name for name in OTHERS)})


def _reached():
    """The files that `printed` imports, and those of the two rooms that these do, directly or not."""
    found = set(_imported(FIRST))
    waiting = list(found)
    while waiting:
        inside = {path for path in _imported(waiting.pop()) if path.relative_to(PACKAGE).parts[0] in ROOMS}
        waiting += inside - found
        found |= inside
    return found


def _imported(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("workbench."):
            parts = node.module.split(".")[1:]
            for tail in ([], *([alias.name] for alias in node.names)):
                candidate = PACKAGE.joinpath(*parts, *tail).with_suffix(".py")
                if candidate.is_file():
                    yield candidate
