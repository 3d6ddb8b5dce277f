"""From a name in text to a loss or a regularizer: "epsilon-insensitive:epsilon=0.1,p=2"."""

import dataclasses
import difflib

from workbench.errors import InputError


def resolve(kind, registry, choice, base):
    """The object that a name, a name with parameters, or an object already made stands for.

    Parameters
    ----------
    kind : str
        What is chosen, for the error's text: "loss" or "regularizer".
    registry : dict of str to class
        The known names.
    choice : str or base
        "name", "name:parameter=value,parameter=value", or an instance of `base`.
    """
    if isinstance(choice, base):
        return choice
    if not isinstance(choice, str):
        raise InputError(f"{kind}: {choice!r} is neither a name nor a {base.__name__}; {_known(registry)}")
    name, _, text = choice.strip().partition(":")
    check_known(kind, registry, name)
    return registry[name](**_parameters(kind, name, registry[name], text))


def check_known(kind, registry, name):
    """The name, or an `InputError` with the one that is nearest to it and all others."""
    if name not in registry:
        close = difflib.get_close_matches(name, registry, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise InputError(f"{kind}: {name!r} is not known; {hint}{_known(registry)}")
    return name


def _known(registry):
    return f"known are {', '.join(sorted(registry))}"


def _parameters(kind, name, cls, text):
    allowed = [field.name for field in dataclasses.fields(cls)]
    values = {}
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        key = key.strip()
        if not equals or key not in allowed:
            known = ", ".join(allowed) if allowed else "none"
            raise InputError(f"{kind} {name}: {item!r} is not a parameter; its parameters are: {known}")
        try:
            values[key] = float(value)
        except ValueError:
            raise InputError(f"{kind} {name}: {key} = {value!r} is not a number; write {key}=0.5") from None
    return values


def check_number(owner, name, value, *, above=None, at_least=None):
    """The value as a float, or an `InputError` that names it and its bound."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{owner}: {name} = {value!r} is not a number") from None
    if above is None and at_least is None and not abs(number) < float("inf"):
        raise InputError(f"{owner}: {name} = {value!r} must be a finite number")
    # nan fails every comparison, so the tests below are written to refuse it.
    if above is not None and not (above < number < float("inf")):
        raise InputError(f"{owner}: {name} = {value!r} must be a finite number above {above:g}")
    if at_least is not None and not (at_least <= number < float("inf")):
        raise InputError(f"{owner}: {name} = {value!r} must be a finite number, {at_least:g} or more")
    return number


def _shortest(number):
    """The number as the shortest text that reads back as the same."""
    return f"{number:g}" if float(f"{number:g}") == number else repr(float(number))


def spelled(item):
    """A loss or regularizer as the text that `resolve` reads back, its defaults left out."""
    given = [
        f"{field.name}={_shortest(getattr(item, field.name))}"
        for field in dataclasses.fields(item)
        if getattr(item, field.name) != field.default and isinstance(getattr(item, field.name), float | int)
    ]
    return f"{item.name}:{','.join(given)}" if given else item.name
