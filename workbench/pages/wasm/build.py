"""The build of `kernels.wasm` and `kernels.json`: objects from numba's code, a libm, one linked module."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from workbench._support.errors import InputError
from workbench.pages.wasm import sources

HERE = Path(__file__).resolve().parent
CHECKOUT = os.fsencode(HERE.parents[2])
MODULE, TABLE = HERE / "kernels.wasm", HERE / "kernels.json"
# What of musl is compiled: it keeps the bits the same in every browser.
MUSL = (
    "__expo2",
    "__math_divzero",
    "__math_invalid",
    "__math_oflow",
    "__math_uflow",
    "__math_xflow",
    "asinh",
    "exp_data",
    "expm1",
    "pow",
    "pow_data",
    "scalbn",
    "sinh",
)
INCLUDED = (
    "musl/src/internal",
    "musl/src/include",
    "musl/src/math",
    "musl/include",
    "include/generic-musl",
    "musl/arch/generic",
)
# Beside the printed functions: memory for arrays, and what a certificate asks of the libm.
RUNTIME = ("allocate", "release", "asinh", "exp", "expm1", "log", "log1p", "pow", "sinh")


def built():
    """The module and the table as bytes, made afresh in a process of its own: a fault in LLVM ends it."""
    libc = _libc()
    environment = {**os.environ, "NUMBA_OPT": "0"}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        subprocess.run(
            [sys.executable, "-m", "workbench.pages.wasm.build", name], check=True, env=environment
        )
        _link(folder, libc)
        return tuple((folder / path.name).read_bytes() for path in (MODULE, TABLE))


def emit(folder):
    """Write an object file for every printed function, and the table of how they are called."""
    from workbench.pages.wasm import layout, objects, printed

    target, functions, formulas = objects.machine(), {}, []
    for one in printed.everything():
        # numba keeps the paths of source files for its errors; the folder of this checkout is blanked out.
        code = objects.compiled(one, target).replace(CHECKOUT, b"." * len(CHECKOUT))
        (folder / f"{one.export}.o").write_bytes(code)
        functions[one.export] = layout.signature(one)
        formulas += [one.export] if one.is_formula else []
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(value)}" for name, value in functions.items())
    text = (
        f'{{\n "digest": "{sources.digest(formulas)}",\n "formulas": {json.dumps(formulas)},\n'
        f' "functions": {{\n{lines}\n }}\n}}\n'
    )
    (folder / TABLE.name).write_text(text, encoding="utf-8")


def _link(folder, libc):
    names = [*json.loads((folder / TABLE.name).read_bytes())["functions"], *RUNTIME]
    _zig(
        folder,
        "wasm-ld",
        "--no-entry",
        "--export-table",
        "--growable-table",
        "--gc-sections",
        "--strip-all",
        "-z",
        "stack-size=262144",
        *(f"--export={name}" for name in names),
        *(f"{name}.o" for name in names if (folder / f"{name}.o").exists()),
        _runtime(folder, libc),
        "-o",
        MODULE.name,
    )


def _runtime(folder, libc):
    """The library of `runtime.c`, `libm.zig` and parts of musl, compiled for the same target."""
    _zig(
        folder,
        "build-lib",
        "-static",
        "-target",
        "wasm32-freestanding",
        "-mcpu=generic+simd128",
        "-O",
        "ReleaseFast",
        "-fcompiler-rt",
        "-fstrip",
        "--name",
        "runtime",
        *(argument for part in INCLUDED for argument in ("-I", str(libc / part))),
        str(HERE / "libm.zig"),
        "-cflags",
        "-ffreestanding",
        "-fno-builtin",
        "--",
        str(HERE / "runtime.c"),
        *(str(libc / "musl" / "src" / "math" / f"{name}.c") for name in MUSL),
    )
    return "libruntime.a"


def _libc():
    """The folder of the C libraries that come with the linker."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None:
        raise InputError("ziglang is not installed, whose linker the build needs; run: make venv")
    return Path(spec.origin).resolve().parent / "lib" / "libc"


def _zig(folder, *arguments):
    caches = {f"ZIG_{kind}_CACHE_DIR": str(folder / "zig") for kind in ("GLOBAL", "LOCAL")}
    command = [sys.executable, "-m", "ziglang", *arguments]
    subprocess.run(command, check=True, cwd=folder, env={**os.environ, **caches})


if __name__ == "__main__":
    emit(Path(sys.argv[1]))
