"""Imports run one way, run-time modules know no SymPy, and the package itself loads nothing heavy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "workbench"
# Each room may import those before it. Rooms on one line stand side by side and know each other.
ORDER = (
    ("errors", "names", "signals"),
    ("allowance", "storage", "extras"),
    ("convex",),
    ("terms",),
    ("outcomes",),
    ("codegen", "verification", "sketches", "sketches_regions"),
    ("_formulas", "_kernel_cache", "_compile", "_extremes", "fenchel_young"),
    ("_loops", "_kernel_rows", "custom"),
    ("_groups", "_group_loops"),
    ("losses", "multinomial", "regularizers", "p_norm", "norms", "norm_transfers"),
    ("design", "definiteness", "attainable"),
    ("kernels",),
    ("constraints",),
    ("problem",),
    ("_bias_loops",),
    ("bias",),
    ("samples", "scaling", "kinks"),
    ("warm_start",),
    ("certificate", "kernel_certificate", "constrained_certificate"),
    ("gaps",),
    ("solvers",),
    ("files", "iteration"),
    ("run",),
    ("solution",),
    ("path", "estimators", "maximum_entropy"),
    ("data", "resources"),
    ("experiments", "race"),
    ("views",),
    ("teaching",),
    ("server",),
    ("serve",),
    ("cli", "__main__"),
)
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}
SYMBOLIC = {"convex", "terms", "codegen", "verification", "sketches", "sketches_regions"}
# Symbolic modules that anyone may import: SymPy is loaded when they derive, mostly in another process.
DOORS = (
    "workbench.convex.report", "workbench.convex.worker", "workbench.convex.errata.entry",
    "workbench.derivations.verification", "workbench.derivations.sketches",
)  # fmt: skip
HEAVY = ("numpy", "numba", "scipy", "sympy", "panel", "pandas", "bokeh", "sklearn")
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def room(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imports(path):
    """Every module that a file imports anywhere, with its full dotted name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path):
    for module in imports(path):
        parts = module.split(".")
        if parts[0] == "workbench" and len(parts) > 1 and parts[1] in LEVEL:
            assert LEVEL[parts[1]] <= LEVEL[room(path)], f"{path.name} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_symbolic_and_run_time_modules_stay_apart(path):
    roots = {module.split(".")[0] for module in imports(path)}
    if room(path) in SYMBOLIC:
        assert not roots & {"numba", "panel", "bokeh", "holoviews"}
    elif path.name == "custom.py":
        # The one late import: a learner's own function is derived when it is first asked for.
        assert "sympy" not in roots
        assert "workbench.codegen.custom" in set(imports(path))
    else:
        assert "sympy" not in roots
        symbolic = tuple(f"workbench.{name}" for name in SYMBOLIC)
        inside = {module for module in imports(path) if module.startswith(symbolic)}
        assert not {module for module in inside if not module.startswith(DOORS)}


def test_importing_a_door_loads_no_sympy():
    text = f"import sys, {', '.join(DOORS)}; print('sympy' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "False"


def test_every_room_has_its_place():
    assert {room(path) for path in FILES} == set(LEVEL)


def test_importing_the_package_loads_nothing_heavy():
    text = f"import sys, workbench; print([name for name in {HEAVY!r} if name in sys.modules])"
    output = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


def test_every_public_name_is_there():
    import workbench

    assert all(getattr(workbench, name) is not None for name in workbench.__all__)
    with pytest.raises(AttributeError, match="no attribute 'conjugates'"):
        workbench.conjugates  # noqa: B018
