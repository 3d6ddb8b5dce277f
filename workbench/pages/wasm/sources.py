"""The digest of everything that the built module depends on, without a build and without numba."""

import hashlib

from workbench._support.system import sources
from workbench._support.system.sources import PACKAGE, WHOLE

HERE = PACKAGE / "pages" / "wasm"
# What is printed leads to every loop. Its formulas are named one by one, so that a new loss leaves the module
# as it is: until it is built again, what it lacks is computed by the server.
PRINTED, FORMULAS = HERE / "printed.py", PACKAGE / "kernels" / "formulas.py"
# Where machine code is kept is no part of it.
OUTSIDE = (
    FORMULAS,
    PACKAGE / "kernels" / "kernel_cache.py",
    PACKAGE / "_support" / "system",
    PACKAGE / "_support" / "errors",
)
BUILD = ("build.py", "layout.py", "libm.zig", "objects.py", "runtime.c")
TOOLS = ("llvmlite==", "numba==", "ziglang==")
# A loss and a regularizer have one of these.
MARKS = ("_coordinate", "_row_add")


def digest(formulas):
    """The SHA-256 of the sources of loops, these formulas and the build, and of the versions of its tools.

    The versions are those of `constraints.txt`. A formula that is there no longer raises a LookupError.
    """
    pinned = (PACKAGE.parent / "constraints.txt").read_text(encoding="utf-8").splitlines()
    state = hashlib.sha256("\n".join(line for line in pinned if line.startswith(TOOLS)).encode())
    state.update(sources.digest((PRINTED, WHOLE), without=OUTSIDE).encode())
    state.update(sources.digest(*_roots(formulas)).encode())
    for name in BUILD:
        state.update(name.encode() + (HERE / name).read_bytes().replace(b"\r\n", b"\n"))
    return state.hexdigest()


def files(formulas):
    """The files of all that."""
    loops = sources.files((PRINTED, WHOLE), without=OUTSIDE)
    return {*loops, *sources.files(*_roots(formulas)), *(HERE / name for name in BUILD)}


def lacking(formulas):
    """The losses and regularizers that have other formulas than these."""
    return sorted(
        name.removesuffix(mark).replace("_", "-")
        for name in sources.defined(FORMULAS) - set(formulas)
        for mark in MARKS
        if name.endswith(mark)
    )


def _roots(formulas):
    return [(FORMULAS, name) for name in sorted(formulas)]
