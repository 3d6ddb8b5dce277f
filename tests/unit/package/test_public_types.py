"""Everything that `import workbench` brings says what it takes and gives."""

import fnmatch
import functools
import inspect
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
