"""The pairs of the page of conjugates, their sliders, and the Python that gives them."""

import re
from typing import NamedTuple

import param

from workbench._support.errors import InputError
from workbench.pages.wording import content

LONGEST = 120
# Beyond these no drawing goes, and no address.
FAR = 1000.0
MAX_PARAMETERS = 6
OWN = "Your own function"
# Where curves are computed of which the browser has no formula: its widest window of slopes.
TABLE = [k / 10 for k in range(-120, 121)]


class Preset(NamedTuple):
    """A function on the line, the line of Appendix E that it stands for, and how it is shown first."""

    text: str
    domain: str = ""
    parameters: str = ""
    values: dict | None = None
    entry: int | str | None = None
    says: str = ""
    # Of `derivations.sketches`: a pair, or the convex envelope of a function that is not convex.
    sketch: str = "pair"


CONTENT = content("conjugates")
PRESETS = {name: Preset(**entry) for name, entry in CONTENT["pairs"].items()}


def label(name):
    """Return the name of a preset in a list, without its number in Appendix E."""
    return name.rpartition(" · ")[2]


class Text(param.String):
    """A short text that can be printed."""

    longest = LONGEST

    def _validate(self, val):
        super()._validate(val)
        check_text(self.name, val)


def check_text(name, text):
    """Refuse a text that is too long or cannot be printed."""
    if not isinstance(text, str):
        raise InputError(f"{name}: expected a text")
    if len(text) > LONGEST:
        raise InputError(f"{name} has {len(text)} characters; at most {LONGEST} are allowed")
    if not text.isprintable():
        raise InputError(f"{name} has characters that cannot be printed; type it again")


def own(formula, domain, parameters):
    """Return a function that somebody typed as a preset."""
    for name, text in (("formula", formula), ("domain", domain), ("parameters", parameters)):
        check_text(name, text)
    if not formula.strip():
        raise InputError("p(u) is empty; type a convex function such as exp(u) - u")
    return Preset(formula.strip(), domain.strip(), parameters.strip(), says="Your own function.")


def tabled(outcome):
    """Return which of "p" and "q" are drawn from values: both where neither has a script, else none."""
    return list(outcome["refused"]) if len(outcome["refused"]) > 1 else []


def request(preset):
    """Return formula, domain and parameters of a preset, as `derivations.sketches.pair` takes them."""
    return preset.text, preset.domain or None, tuple(split(preset.parameters))


def split(parameters):
    """Return the declarations, which semicolons separate."""
    return [part.strip() for part in parameters.split(";") if part.strip()]


def sliders(ranges, values):
    """Return the ends and the first value of the slider of each parameter.

    Parameters
    ----------
    ranges : dict of str to tuple
        Those of `sketches.pair`.
    values : dict of str to float
        Values of some parameters.
    """
    return {name: _slider(*ends, (values or {}).get(name)) for name, ends in ranges.items()}


def python(preset, declared=()):
    """Return the lines that make the pair in a notebook.

    Parameters
    ----------
    preset : Preset
    declared : sequence of str
        What was assumed of letters of which nothing was said.
    """
    arguments = [repr(preset.text)]
    if preset.domain:
        arguments.append(f"domain={preset.domain!r}")
    if declarations := [*split(preset.parameters), *declared]:
        arguments.append(f"parameters={dict(map(_declaration, declarations))!r}")
    return f"import workbench as wb\n\npair = wb.conjugate({', '.join(arguments)})\nprint(pair.q)"


def _declaration(text):
    name, colon, assumption = text.partition(":")
    if colon:
        return name.strip(), assumption.strip()
    return re.findall(r"[A-Za-z]\w*", text)[0], text


def _slider(low, high, borders, value):
    """Ends a little inside the range, which may be open, and beyond its borders, and a value between them."""
    if low is not None and high is not None:
        inset = 0.02 * (high - low)
        low, high = low + inset, high - inset
    elif low is not None:
        low, high = low + 0.05, max(low, *borders, low) + 4.0
    elif high is not None:
        low, high = min(high, *borders, high) - 4.0, high - 0.05
    else:
        low, high = min(0.0, *borders, 0.0) - 3.0, max(0.0, *borders, 0.0) + 3.0
        value = 1.0 if value is None else value
    middle = low + 0.4 * (high - low)
    value = round(middle, 2) if value is None else min(max(value, low), high)
    return round(low, 4), round(high, 4), value
