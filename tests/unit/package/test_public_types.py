"""Everything that `import workbench` brings says what it takes and gives."""

import fnmatch
import functools
import inspect
import re
import tomllib
from pathlib import Path

import pytest

import workbench as wb


def functions(name):
    """Yield each public function of a public name: itself, or the methods and properties of a class."""
    item = getattr(wb, name)
    if inspect.isfunction(item):
        yield name, item
    elif inspect.isclass(item):
        for attribute, value in vars(item).items():
            if not attribute.startswith("_") or attribute == "__init__":
                if isinstance(value, property):
                    value = value.fget
                elif isinstance(value, functools.cached_property):
                    value = value.func
                value = inspect.unwrap(getattr(value, "__func__", value))
                if inspect.isfunction(value) and value.__module__.startswith("workbench"):
                    yield f"{name}.{attribute}", value


@pytest.mark.parametrize("name", [name for name in wb.__all__ if callable(getattr(wb, name))])
def test_every_public_signature_is_annotated(name):
    for place, function in functions(name):
        signature = inspect.signature(function)
        missing = [
            parameter.name
            for parameter in signature.parameters.values()
            if parameter.annotation is parameter.empty and parameter.name not in ("self", "cls")
        ]
        assert not missing, f"{place}: what type has {', '.join(missing)}?"
        if not place.endswith("__init__"):
            assert signature.return_annotation is not signature.empty, f"{place}: what does it return?"


ROOT = Path(__file__).resolve().parents[3]
STRICT = (
    "problems",
    "certificates",
    "estimators",
    "solvers/contract.py",
    "solvers/run.py",
    "solvers/solution.py",
)
MOST_IGNORES = 20


def strict_files():
    paths = [ROOT / "workbench" / name for name in STRICT]
    return [file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])]


def test_strict_rooms_are_in_no_loose_list_of_mypy():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    assert settings["strict"]
    loose = [
        name for row in settings["overrides"] if not row.get("warn_return_any") for name in row["module"]
    ]
    modules = [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in strict_files()]
    assert len(modules) > 50
    for module in modules:
        assert not any(fnmatch.fnmatch(module.removesuffix(".__init__"), pattern) for pattern in loose), (
            module
        )


def test_only_pages_may_have_unchecked_functions():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mypy"]
    unchecked = [name for row in settings["overrides"] if row.get("ignore_errors") for name in row["module"]]
    assert all(name.startswith("workbench.pages") for name in unchecked), unchecked


def test_each_ignored_type_error_has_its_code_and_its_reason():
    files = (ROOT / "workbench").rglob("*.py")
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    ignores = [line for line in lines if "type: ignore" in line]
    assert 0 < len(ignores) <= MOST_IGNORES
    for line in ignores:
        assert re.search(r"# type: ignore\[[a-z, -]+\]  # \S+ \w+", line), line
