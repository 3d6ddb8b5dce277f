"""A custom function at run time: derived and printed once, then a module like the built-in ones.

The source lies in a cache folder of the derivation that printed it, so that a second process neither derives
it again nor loads SymPy, and numba keeps its machine code beside that of the other kernels.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import os
import sys
import types
from typing import TYPE_CHECKING

from workbench._support.errors import ExpressionError, InputError, shown
from workbench._support.names import check_number
from workbench._support.system import sources, storage
from workbench.kernels import compilation

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from workbench._support.names import Term


# Other versions' folders that stay.
KEPT_FOLDERS = 4
# Sources of `keep` by path, until they are a module: the folder may not take them.
_derived: dict[object, str] = {}


@functools.cache
def module(what, text, *rest):
    """Generate the module of a loss (text, kind, domain, values) or a regularizer (text, domain, values).

    Of a Fenchel-Young loss: (text, values).
    """
    path = _path(what, text, *rest)
    source = _derived.pop(path, None) or _read(path)
    if source is None:
        # The one place where run-time code derives: SymPy takes two seconds to load.
        from workbench.conjugates.codegen import custom, fenchel_young

        *plain, values = rest
        room = fenchel_young if what == "fenchel_young" else custom
        source = getattr(room, f"{what}_source")(text, *plain, dict(values))
        source = _signed(source)
        with contextlib.suppress(OSError, InputError):  # then the next process derives it again
            storage.write(path, source, sync=False)
    module = types.ModuleType(f"workbench_{path.stem}")
    module.__file__ = os.fspath(path)
    sys.modules[module.__name__] = module
    exec(compile(source, path, "exec"), vars(module))
    return module


def keep(source, what, text, *rest):
    """Take the source of a module that another process has derived, for the arguments of `module`."""
    path, source = _path(what, text, *rest), _signed(source)
    with contextlib.suppress(OSError, InputError):
        storage.write(path, source, sync=False)
    _derived[path] = source


def _path(what, text, *rest):
    digest = hashlib.sha256(repr((what, text, *rest)).encode()).hexdigest()[:16]
    return storage.cache("custom", _digest(), keep=KEPT_FOLDERS) / f"custom_{digest}.py"


def made(
    what: str,
    make: Callable[[tuple[tuple[str, float], ...]], Term],
    parameters: Mapping[str, float] | None,
    values: Mapping[str, float],
) -> Term:
    """Return a custom term for the numbers of the other names in its text, its module loaded.

    Parameters
    ----------
    what : str
        "custom loss", for the errors' text.
    make : callable
        Takes ((name, number), ...) and returns the term.
    parameters : dict of str to float or None
        Numbers by name, under the keyword of `workbench.conjugate`.
    values : dict of str to float
        Numbers passed as keywords.

    Raises
    ------
    ExpressionError
        A fault of the text; for a name without a number, the line to write, which was tried.
    """
    if not isinstance(parameters, dict | None):
        raise InputError(
            f'{what}: parameters = {shown(parameters)} is not a dict; write parameters={{"t": 0.5}}'
        )
    for name, value in (parameters or {}).items():
        if isinstance(value, str):
            raise InputError(
                f"{what}: {name} = {value!r} is a condition, as wb.conjugate takes them, where a number is "
                f'needed; write parameters={{"{name}": 0.5}}'
            )
    values = {**(parameters or {}), **values}
    numbers = {name: check_number(what, name, value) for name, value in values.items()}
    try:
        return _loaded(make, numbers)
    except ExpressionError as error:
        line = _working_parameters(make, numbers, error.undeclared)
        if line is None:
            raise
        names = " and ".join(error.undeclared)
        raise ExpressionError(
            f"{what}: {names} in the text must be a number; write parameters={line}"
        ) from None


def _working_parameters(make, numbers, names):
    """Return parameters with which the text is a term, as Python writes them; None where none was found."""
    for number in (0.5, 2.0) if names else ():
        parameters = numbers | dict.fromkeys(names, number)
        with contextlib.suppress(InputError):
            _loaded(make, parameters)
            return "{" + ", ".join(f'"{name}": {value:g}' for name, value in parameters.items()) + "}"
    return None


def _loaded(make, numbers):
    term = make(tuple(sorted(numbers.items())))
    _ = term.entry  # a fault of the text shows here and not in the middle of a solve
    return term


@functools.cache
def _digest():
    return sources.digest(
        "conjugates/codegen",
        "conjugates/convex",
        "conjugates/terms",
        without=("conjugates/convex/worker.py",),
    )


def _signed(source):
    """Return a source behind the digest that shows whether it is whole."""
    return f"# {hashlib.sha256(source.encode()).hexdigest()}\n{source}"


def _read(path):
    """Return the signed source of a file, None where it is missing or damaged."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return None
    return text if text == _signed(text.partition("\n")[2]) else None


@functools.cache
def compiled(module, part, signature):
    """One of the module's functions, compiled for a signature; no kernel is compiled anew."""
    return compilation.jit(getattr(module, f"custom_{part}"), signature)
