"""Every public name has an example in its docstring, and each does what it says."""

import doctest
import types

import pytest

import workbench as wb

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public():
    """Each public name, and each of a public module, with what it stands for."""
    things = {name: getattr(wb, name) for name in wb.__all__ if name != "__version__"}
    modules = {name: thing for name, thing in things.items() if isinstance(thing, types.ModuleType)}
    for name, module in modules.items():
        inside = {f"{name}.{public_name}": getattr(module, public_name) for public_name in module.__all__}
        things |= {name: thing for name, thing in inside.items() if callable(thing)}
    return things


NAMES = public()


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_public_name_does_what_it_says(name):
    thing = NAMES[name]
    # Of a module its own text alone: what it holds has examples of its own.
    home = thing if isinstance(thing, types.ModuleType) else None
    finder = doctest.DocTestFinder(recurse=False)
    (example,) = finder.find(thing, name, module=home or False, globs={})
    assert example.examples, f"wb.{name} has no example in its docstring"
    said = []
    failed, _ = doctest.DocTestRunner(optionflags=OPTIONS).run(example, out=said.append)
    assert not failed, "".join(said)
