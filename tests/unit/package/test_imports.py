"""Imports run one way, run-time modules know no SymPy, and the package itself loads nothing heavy."""

import ast
import functools
import graphlib
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[3] / "workbench"
# The rooms. Each may import those before it.
ORDER = (
    "_support",
    "conjugates",
    "kernels",
    "problems",
    "certificates",
    "solvers",
    "data",
    "estimators",
    "studies",
    "pages",
    "teaching",
    "cli",
    "__main__",
)
LEVEL = {room: level for level, room in enumerate(ORDER)}
# Beside `__init__` and `__main__`.
MOST_AT_THE_TOP = 14
# They derive with SymPy; the errata, in the same room, have numbers alone.
SYMBOLIC = tuple(f"conjugates.{name}" for name in ("convex", "terms", "codegen", "derivations"))
# Symbolic modules that anyone may import: SymPy is loaded when they derive, mostly in another process.
DOORS = (
    "workbench.conjugates.convex.report",
    "workbench.conjugates.convex.worker",
    "workbench.conjugates.convex.checker",
    "workbench.conjugates.derivations.outcomes",
    "workbench.conjugates.derivations.verification",
    "workbench.conjugates.derivations.sketches",
)
# Late imports: a learner's own function is derived, and an answer's formula is read, when it is asked for.
LATE = {
    "custom_functions.py": ("workbench.conjugates.codegen",),
    "problems.py": ("workbench.conjugates.convex.parse",),
}
HEAVY = ("numpy", "numba", "scipy", "sympy", "panel", "pandas", "bokeh", "sklearn")
FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if path != PACKAGE / "__init__.py"]


def room(path):
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def is_symbolic(path):
    return name_of(path).startswith(tuple(f"workbench.{name}" for name in SYMBOLIC))


def name_of(path):
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def statements(body, with_types):
    """Yield all imports of a module, late ones included; those for type checkers alone where asked for."""
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        if getattr(getattr(node, "test", None), "id", "") == "TYPE_CHECKING" and not with_types:
            continue
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, block, ()), with_types)


@functools.cache
def imported(path, with_types=True):
    return list(statements(ast.parse(path.read_text(encoding="utf-8")).body, with_types))


def imports(path):
    """Every module that a file imports anywhere, with its full dotted name."""
    for node in imported(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        else:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules_of(path, known):
    """Return the `known` modules that a file runs with; of `from package import module` the module."""
    for node in imported(path, with_types=False):
        if isinstance(node, ast.Import):
            yield from ({alias.name for alias in node.names} & known)
        else:
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (inside & known or {node.module} & known)


@functools.cache
def imports_of_all():
    return {path: set(imports(path)) for path in FILES}


def test_rooms_import_one_way():
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {module}"
        for path, modules in imports_of_all().items()
        for module in modules
        if module.startswith("workbench.") and LEVEL.get(module.split(".")[1], -1) > LEVEL[room(path)]
    ]
    assert not wrong


def test_no_module_imports_itself_in_a_circle():
    """Late imports count: what two modules need of each other belongs in a third."""
    known = {name_of(path) for path in FILES}
    graph = {name_of(path): modules_of(path, known) for path in FILES}
    graphlib.TopologicalSorter(graph).prepare()


def test_symbolic_and_run_time_modules_stay_apart():
    for path, modules in imports_of_all().items():
        roots = {module.split(".")[0] for module in modules}
        if is_symbolic(path):
            assert not roots & {"numba", "panel", "bokeh", "holoviews"}, path
            continue
        assert "sympy" not in roots, path
        inside = {m for m in modules if m.startswith(tuple(f"workbench.{name}" for name in SYMBOLIC))}
        packages = {f"workbench.{name}" for name in SYMBOLIC}
        allowed = (*DOORS, *LATE.get(path.name, ()))
        assert not {m for m in inside - packages if not m.startswith(allowed)}, path


def test_the_top_of_the_package_is_easy_to_survey():
    assert len([path for path in PACKAGE.iterdir() if not path.name.startswith("__")]) <= MOST_AT_THE_TOP


def test_importing_a_door_loads_no_sympy():
    text = f"import sys, {', '.join(DOORS)}; print('sympy' in sys.modules)"
    output = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "False"


def test_every_room_has_its_place():
    assert {room(path) for path in FILES} == set(LEVEL)


def test_importing_the_package_is_light():
    text = f"import sys, workbench; print([name for name in {HEAVY!r} if name in sys.modules])"
    output = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout
    assert output.strip() == "[]"


def test_every_public_name_is_defined():
    import workbench

    assert sorted(workbench.__all__) == sorted(["__version__", *workbench._HOMES, *workbench._MODULES])
    assert all(getattr(workbench, name) is not None for name in workbench.__all__)
    with pytest.raises(AttributeError, match="no attribute 'conjugate_pairs'"):
        workbench.conjugate_pairs  # noqa: B018
