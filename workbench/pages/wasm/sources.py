"""The digest of everything that the built module depends on, without a build and without numba."""

import ast
import hashlib

from workbench._support.system import sources
from workbench._support.system.sources import PACKAGE

HERE = PACKAGE / "pages" / "wasm"
# The loops that are printed. Their formulas are named one by one, so that a new loss leaves the module as it
# is: until it is built again, what it lacks is computed by the server.
FORMULAS = PACKAGE / "kernels" / "formulas.py"
LOOPS = (
    "pages/wasm/printed.py",
    "kernels/*.py",
    "solvers/algorithms/_*.py",
    "solvers/algorithms/orders.py",
    "problems/regularizers/p_norm.py",
)
# Not among them: the cache of machine code, and modules without loops in the browser.
OUTSIDE = ("kernels/formulas.py", "kernels/kernel_cache.py", "kernels/custom_functions.py")
BUILD = ("build.py", "layout.py", "libm.zig", "objects.py", "runtime.c")
TOOLS = ("llvmlite==", "numba==", "ziglang==")
# A loss and a regularizer have one of these.
MARKS = ("_coordinate", "_row_add")


def digest(formulas):
    """Return the SHA-256 of the sources of loops, these formulas and the build, and of its tools' versions.

    The versions are those of `constraints.txt`. A formula that is there no longer raises a LookupError.
    """
    pinned = (PACKAGE.parent / "constraints.txt").read_text(encoding="utf-8").splitlines()
    state = hashlib.sha256("\n".join(line for line in pinned if line.startswith(TOOLS)).encode())
    state.update(sources.digest(*LOOPS, without=OUTSIDE).encode())
    texts = defined()
    for name in sorted(formulas):
        state.update(f"\0{name}\0{texts[name]}".encode())
    for name in BUILD:
        state.update(name.encode() + (HERE / name).read_bytes().replace(b"\r\n", b"\n"))
    return state.hexdigest()


def files():
    """Return the files of all that."""
    return {*sources.files(*LOOPS, without=OUTSIDE), FORMULAS, *(HERE / name for name in BUILD)}


def defined():
    """Return the texts of the formulas by name; each is a function that calls no other."""
    text = FORMULAS.read_text(encoding="utf-8")
    lines = text.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
    }


def lacking(formulas):
    """Return the losses and regularizers that have other formulas than these."""
    return sorted(
        name.removesuffix(mark).replace("_", "-")
        for name in defined().keys() - set(formulas)
        for mark in MARKS
        if name.endswith(mark)
    )
