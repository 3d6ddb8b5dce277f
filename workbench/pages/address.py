"""The state of a page in its address: allow-listed keys with bounded values, read and written.

Nothing in an address is trusted: a key that the page does not know, a value out of its bounds and a text
that is too long are each refused with a sentence, and what they would have set keeps its default.
"""

import math
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

import param

MAX_CHARACTERS = 2000
MAX_KEYS = 40
SHOWN = 60
# A number is written with DIGITS digits if the relative error is at most ROUNDING: steps of a slider
# add up to no more, and a value that somebody dragged to is written whole.
DIGITS, ROUNDING = 12, 1e-15


class Key(NamedTuple):
    """One key of an address."""

    name: str
    read: Callable  # text to value; raises ValueError
    write: Callable  # value to text
    allowed: str  # what a user may write, for the refusal


def one_of(name, choices):
    """A key that takes one of these objects, written as their texts."""
    texts = {_shortest(choice): choice for choice in choices}

    def read(text):
        if text not in texts:
            raise ValueError(text)
        return texts[text]

    return Key(name, read, _shortest, f"one of {', '.join(texts)}")


def number(name, low, high, whole=False):
    """A key that takes a finite number between two bounds, themselves included."""

    def read(text):
        value = int(text) if whole else float(text)
        if not math.isfinite(value) or not low <= value <= high:
            raise ValueError(text)
        return value

    return Key(name, read, _shortest, f"a{' whole' if whole else ''} number from {low:g} to {high:g}")


def text(name, longest=120, characters=None):
    """A key that takes a short printable text, of these characters only where they are given."""

    def read(value):
        bad = not value.isprintable() or (characters is not None and not set(value) <= set(characters))
        if len(value) > longest or bad:
            raise ValueError(value)
        return value

    return Key(name, read, str, f"a text of at most {longest} printable characters")


def key_of(model, name):
    """The key that a parameter of a `param.Parameterized` stands for, with the parameter's own bounds."""
    parameter = model.param[name]
    if isinstance(parameter, param.Selector):
        return one_of(name, parameter.objects)
    if isinstance(parameter, param.Boolean):
        return one_of(name, (False, True))
    if isinstance(parameter, param.Number):
        return number(name, *parameter.bounds, whole=isinstance(parameter, param.Integer))
    # A parameter may say how long a text it takes, and refuses by itself what it cannot read.
    return text(name, getattr(parameter, "longest", 120))


def keys_of(model, names):
    """The keys of some of a model's parameters."""
    return {name: key_of(model, name) for name in names}


def read(query, keys):
    """The values that an address gives, and a sentence for everything in it that is refused.

    Parameters
    ----------
    query : str
        With or without its question mark.
    keys : sequence of Key

    Returns
    -------
    values : dict
    refusals : list of str
    """
    query = query.removeprefix("?")
    if len(query) > MAX_CHARACTERS:
        return {}, [f"The address is longer than {MAX_CHARACTERS} characters; nothing in it was used."]
    table = {key.name: key for key in keys}
    values, refusals = {}, []
    try:
        pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MAX_KEYS, errors="strict")
    except ValueError:
        return {}, [f"The address cannot be read, or has more than {MAX_KEYS} keys; nothing in it was used."]
    for name, value in pairs:
        if name not in table:
            refusals.append(f"{_short(name)} is not a setting of this page; it was ignored.")
        elif name in values:
            refusals.append(f"{name} appears twice in the address; the first value is used.")
        else:
            try:
                values[name] = table[name].read(value)
            except (ValueError, OverflowError):
                refusals.append(
                    f"{name} = {_short(value)} is refused: {name} takes {table[name].allowed}. "
                    "The default is used."
                )
    return values, refusals


def look_of(arguments):
    """Return the look of a page that an address asks for, and nothing else of it.

    Parameters
    ----------
    arguments : dict
        Lists of bytes by name, as a server reads an address.
    """
    pairs = {key.name: arguments[key.name] for key in LOOKS if key.name in arguments}
    values, _ = read(urlencode(pairs, doseq=True), LOOKS)
    return {key.name: [key.write(values[key.name]).encode()] for key in LOOKS if key.name in values}


def write(values, defaults, keys):
    """The query, question mark included, that gives these values back; "" where all are the defaults."""
    texts = ((key.name, key.write(values[key.name]), key.write(defaults[key.name])) for key in keys)
    changed = {name: text for name, text, usual in texts if text != usual}
    return f"?{urlencode(changed)}" if changed else ""


def _shortest(value):
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return _digits(value)
    return str(value)


def _digits(value):
    """A number with the digits it needs: those of 0.3 for the 0.30000000000000004 that a slider counts to."""
    short = f"{value + 0.0:.{DIGITS}g}"
    return short if abs(float(short) - value) <= ROUNDING * abs(value) else repr(value)


def _short(text):
    """A text from the address as it may be shown: cut, and with nothing that does not print."""
    cut = text if len(text) <= SHOWN else text[:SHOWN] + "…"
    return repr(cut)


# The keys that change the text of a page, not its document alone.
LOOKS = (one_of("theme", ("light", "dark")), one_of("projector", (False, True)))
