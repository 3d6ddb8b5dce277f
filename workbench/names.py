"""From a name in text to a loss or a regularizer: "epsilon-insensitive:epsilon=0.1,p=2"."""

import ast
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


def class_of(base, name, row):
    """The class for a row of a generated table: a frozen dataclass with the row's parameters, checked."""
    defaults = row["defaults"] or [dataclasses.MISSING] * len(row["parameters"])
    fields = [
        (parameter, float) if default is dataclasses.MISSING else (parameter, float, default)
        for parameter, default in zip(row["parameters"], defaults, strict=True)
    ]

    def check(self):
        for parameter, (low, left_out, high, right_out) in zip(row["parameters"], row["ranges"], strict=True):
            least = {"above" if left_out else "at_least": low}
            value = check_number(name, parameter, getattr(self, parameter), **least)
            if value > high or (right_out and value == high):
                raise InputError(f"{name}: {parameter} = {value!r} is too large; {high:g} is the upper bound")

    title = "".join(word.capitalize() for word in name.split("-"))
    made = {"name": name, "__post_init__": check, "__doc__": row["source"], "__module__": base.__module__}
    return dataclasses.make_dataclass(title, fields, bases=(base,), frozen=True, namespace=made)


def unclaimed(table, classes):
    """The keys of a generated table that none of the classes reads."""
    claimed = {key for cls in classes for key in (cls.keys or (cls.name,))}
    return [key for key in table if key not in claimed]


def _known(registry):
    return f"known are {', '.join(sorted(registry))}"


def _parameters(kind, name, cls, text):
    values = numbers(kind, name, [field.name for field in dataclasses.fields(cls)], text)
    for field in dataclasses.fields(cls):
        if field.default is dataclasses.MISSING and field.name not in values:
            raise InputError(f"{kind} {name}: {field.name} is missing; write {name}:{field.name}=1")
    return values


def numbers(kind, name, allowed, text):
    """The parameters that "parameter=value,parameter=value" gives, by their names."""
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


def of_repr(kind, registry, text):
    """The object that a repr stands for: a class of the registry with its parameters as literals."""
    classes = {cls.__name__: cls for cls in registry.values()}
    try:
        call = ast.parse(text, mode="eval").body
        return classes[call.func.id](**{each.arg: ast.literal_eval(each.value) for each in call.keywords})
    except (SyntaxError, AttributeError, KeyError, TypeError, ValueError, MemoryError, RecursionError):
        raise InputError(
            f"{kind}: {str(text)[:60]} is none of the built-in ones; make the problem in Python and certify "
            "its point"
        ) from None


def check_number(owner, name, value, *, above=None, at_least=None):
    """The value as a float, or an `InputError` that names it and its bound."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{owner}: {name} = {value!r} is not a number") from None
    except OverflowError:  # a whole number beyond all floats
        number = float("inf")
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
    if hasattr(item, "choice"):
        name, values = item.choice
    else:
        name, values = item.name, {
            field.name: getattr(item, field.name)
            for field in dataclasses.fields(item)
            if getattr(item, field.name) != field.default
        }
    given = [f"{key}={_shortest(x)}" for key, x in values.items() if isinstance(x, float | int)]
    return f"{name}:{','.join(given)}" if given else name
