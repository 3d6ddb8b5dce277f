"""Names and numbers that a caller gives: "epsilon-insensitive:epsilon=0.1,p=2", and the checks of values."""

from __future__ import annotations

import ast
import dataclasses
import decimal
import difflib
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, TypeVar

from workbench._support.errors import InputError, shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


Term = TypeVar("Term")


class Public:
    """An object whose public names alone are listed by `dir`, and so by Tab."""

    __slots__ = ()

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


def resolve(
    kind: str,
    registry: Mapping[str, type[Term]],
    choice: object,
    base: type[Term],
    aliases: Mapping[str, str] | None = None,
) -> Term:
    """Return the object that a name, a name with parameters, or an object already made stands for.

    Parameters
    ----------
    kind : str
        What is chosen, for the error's text: "loss" or "regularizer".
    registry : dict of str to class
        The known names.
    choice : str or base
        "name", "name:parameter=value,parameter=value", or an instance of `base`; _ may stand for -.
    aliases : dict of str to str, optional
        Other names of those of the registry.
    """
    if isinstance(choice, base):
        return choice
    if not isinstance(choice, str):
        raise InputError(
            f"{kind}: {shown(choice)} is neither a name nor a {base.__name__}; {_known(registry)}"
        )
    name, _, text = choice.strip().partition(":")
    name = name.replace("_", "-")
    if name not in registry:  # where others have registered it, it is theirs
        name = (aliases or {}).get(name, name)
    check_known(kind, registry, name)
    return registry[name](**_parameters(kind, name, registry[name], text))


def check_known(kind: str, registry: Mapping[str, object], name: str) -> str:
    """Return the name, or an `InputError` with the one that is nearest to it and all others."""
    if name not in registry:
        close = difflib.get_close_matches(name, registry, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise InputError(f"{kind}: {shown(name)} is not known; {hint}{_known(registry)}")
    return name


def class_of(base: type[Term], name: str, row: Mapping[str, Any]) -> type[Term]:
    """Return the class of a row of a generated table: a frozen dataclass with checked parameters."""
    fields = [
        (parameter, float) if default is None else (parameter, float, default)
        for parameter, (*_, default) in row["parameters"].items()
    ]

    title = "".join(word.capitalize() for word in name.split("-"))
    made = {
        "name": name,
        "__post_init__": validate_parameters,
        "__doc__": row["source"],
        "__module__": base.__module__,
    }
    return dataclasses.make_dataclass(title, fields, bases=(base,), frozen=True, namespace=made)


def default(row: Mapping[str, Any], parameter: str) -> float:
    """Return the default of a parameter in a row of a generated table."""
    return float(row["parameters"][parameter][-1])


def validate_parameters(item: Any) -> None:
    """Check the parameters of a loss or regularizer by the ranges of its row, and keep them as numbers."""
    for name, (low, left_out, high, right_out, _) in item.row["parameters"].items():
        value = validate_number(item, name, **{"above" if left_out else "at_least": low})
        if value > high or (right_out and value == high):
            bound = f"{'below' if right_out else 'at most'} {high:g}"
            raise InputError(f"{item.name}: {name} = {shown(value)} must be {bound}")


def unclaimed(table: Iterable[str], classes: Iterable[Any]) -> list[str]:
    """Return the keys of a generated table that none of the classes reads."""
    claimed = {key for cls in classes for key in (cls.keys or (cls.name,))}
    return [key for key in table if key not in claimed]


def _known(registry: Mapping[str, object]) -> str:
    named = (
        f"{name} ({text})" if (text := getattr(registry[name], "formula_text", "")) else name
        for name in sorted(registry)
    )
    return f"known are {', '.join(named)}"


def _parameters(kind: str, name: str, cls: Any, text: str) -> dict[str, float]:
    values = numbers(kind, name, [field.name for field in dataclasses.fields(cls)], text)
    for field in dataclasses.fields(cls):
        if field.default is dataclasses.MISSING and field.name not in values:
            raise InputError(f"{kind} {name}: {field.name} is missing; write {name}:{field.name}=1")
    return values


def numbers(kind: str, name: str, allowed: Sequence[str], text: str) -> dict[str, float]:
    """Return the parameters that "parameter=value,parameter=value" gives, by their names."""
    values = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        key = key.strip()
        if not equals or key not in allowed:
            known = ", ".join(allowed) if allowed else "none"
            raise InputError(f"{kind} {name}: {shown(item)} is not a parameter; its parameters are: {known}")
        try:
            values[key] = float(value)
        except ValueError:
            raise InputError(
                f"{kind} {name}: {key} = {shown(value)} is not a number; write {key}=0.5"
            ) from None
    return values


def of_repr(kind: str, registry: Mapping[str, type[Term]], text: str) -> Term:
    """Return the object that a repr stands for: a class of the registry with its parameters as literals."""
    classes = {cls.__name__: cls for cls in registry.values()}
    try:
        call: Any = ast.parse(text, mode="eval").body
        parameters = {keyword.arg: ast.literal_eval(keyword.value) for keyword in call.keywords}
        return classes[call.func.id](**parameters)
    except (SyntaxError, AttributeError, KeyError, TypeError, ValueError, MemoryError, RecursionError):
        raise InputError(
            f"{kind}: {str(text)[:60]} is not built in; make the problem in Python and certify its point"
        ) from None


def check_number(
    owner: str,
    name: str,
    value: object,
    *,
    above: float | None = None,
    at_least: float | None = None,
    usual: float | None = None,
) -> float:
    """Return the value as a float, or an `InputError` that names it, its bound and a value that is usual.

    A truth value, a text, a complex number or an array is refused, even where `float` would convert it.
    """
    number = _as_float(value)
    if number is None:
        usual = (above + 0.5 if above is not None else at_least or 0.5) if usual is None else usual
        raise InputError(f"{owner}: {name} = {shown(value)} is not a number; write {name}={usual:g}")
    if above is None and at_least is None and not abs(number) < float("inf"):
        raise InputError(f"{owner}: {name} = {shown(value)} must be a finite number")
    # nan fails every comparison, so the tests below are written to refuse it.
    if above is not None and not (above < number < float("inf")):
        raise InputError(f"{owner}: {name} = {shown(value)} must be a finite number above {above:g}")
    if at_least is not None and not (at_least <= number < float("inf")):
        raise InputError(f"{owner}: {name} = {shown(value)} must be a finite number, {at_least:g} or more")
    return number


def _as_float(value: Any) -> float | None:
    """Return a real number of Python, NumPy or SymPy as a float; None for anything else."""
    plain = value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value
    if isinstance(plain, bool) or not isinstance(plain, Real | decimal.Decimal):
        return None
    try:
        return float(plain)
    except OverflowError:  # a whole number beyond all floats
        return float("inf")
    except (TypeError, ValueError):
        return None


def check_effort(
    owner: str, tol: object, max_epochs: object, name: str = "max_epochs"
) -> tuple[float, float | None]:
    """Return the relative gap to reach and the most epochs as floats; None for unlimited epochs.

    `name` is the owner's name of the second.
    """
    if max_epochs is not None:
        max_epochs = check_number(owner, name, max_epochs, above=0.0, usual=1000)
    return check_number(owner, "tol", tol, at_least=0.0, usual=1e-6), max_epochs


def validate_number(item: Any, name: str, owner: str | None = None, **bounds: float) -> float:
    """Check the parameter of a frozen object, which keeps it as a number of Python's own; as a float."""
    value = getattr(item, name)
    number = check_number(owner or item.name, name, value, **bounds)
    object.__setattr__(item, name, value.item() if hasattr(value, "item") else value)
    return number


def validate_choice(item: Any, name: str, known: Collection[str]) -> None:
    """Check a parameter that is one of a few names."""
    value = getattr(item, name)
    if value not in known:
        raise InputError(f"{item.name}: {name} = {shown(value)} is not known; use {' or '.join(known)}")


def validate_integer(item: Any, name: str, least: float, what: str = "a whole number") -> None:
    """Check a parameter that is a whole number, as an int or as a float: texts give floats."""
    value = getattr(item, name)
    number = _as_float(value)
    if number is None or not least <= number < float("inf") or number % 1.0:
        raise InputError(f"{item.name}: {name} = {shown(value)} is not {what}, {least} or more")
    object.__setattr__(item, name, value.item() if hasattr(value, "item") else value)


def check_whole(
    owner: str, name: str, value: object, least: int, most: int | None = None, usual: int | None = None
) -> int:
    """Return the value as an int, or an `InputError` that names it and its bounds."""
    if (
        not isinstance(value, Integral)
        or isinstance(value, bool)
        or not (least <= int(value) and (most is None or int(value) <= most))
    ):
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        usual = least if usual is None else usual
        raise InputError(
            f"{owner}: {name} = {shown(value)} is not a whole number, {bounds}; write {name}={usual}"
        )
    return int(value)


def _shortest(number: float) -> str:
    """Return the number as the shortest text that reads back as the same."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(float(number))


def spelled(item: Any) -> str:
    """Return a loss or regularizer as the text that `resolve` reads back, its defaults left out."""
    if hasattr(item, "choice"):
        name, values = item.choice
    else:
        name, values = (
            item.name,
            {
                field.name: getattr(item, field.name)
                for field in dataclasses.fields(item)
                if getattr(item, field.name) != field.default
            },
        )
    parameters = [f"{key}={_shortest(x)}" for key, x in values.items() if isinstance(x, float | int)]
    return f"{name}:{','.join(parameters)}" if parameters else name
