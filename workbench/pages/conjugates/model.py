"""The model of the page of conjugates: which pair, which numbers, and the Python that gives them."""

import re
from typing import NamedTuple

import param

from workbench.pages.wording import content

LONGEST = 120
# Beyond these no drawing goes, and no address.
FAR = 1000.0
# Names of sliders with their numbers, as an address has them: "epsilon=0.5,r=2".
VALUES = re.compile(r"[A-Za-z]\w{0,30}=-?\d{1,4}(\.\d{0,6})?", re.ASCII)
MAX_PARAMETERS = 6
OWN = "Your own function"
# Where curves are computed of which the browser has no formula: its widest window of slopes.
TABLE = [k / 10 for k in range(-120, 121)]


class Preset(NamedTuple):
    """A function on the line, the line of Appendix E that it stands for, and how it is shown first."""

    text: str
    domain: str = ""
    parameters: str = ""
    values: str = ""
    entry: int | str | None = None
    says: str = ""
    # Of `derivations.sketches`: a pair, or the convex envelope of a function that is not convex.
    sketch: str = "pair"


PRESETS = {name: Preset(**entry) for name, entry in content("conjugates")["presets"].items()}


def label(name):
    """What a preset is called in a list: without its number in Appendix E, which stands beside the pair."""
    return name.rpartition(" · ")[2]


class Conjugates(param.Parameterized):
    """Choices of the page, with the bounds that its controls and its address share."""

    preset = param.Selector(objects=[*PRESETS, OWN], doc="a pair of Appendix E, or a function of one's own")
    formula = param.String("", doc="p, where it is one's own")
    domain = param.String("", doc="where it is finite; all of the line where empty")
    parameters = param.String("", doc="what its parameters may be, separated by semicolons")
    values = param.String("", doc="the numbers of the sliders of the parameters")
    u = param.Number(None, bounds=(-FAR, FAR), allow_None=True, doc="where the gap is read")
    v = param.Number(None, bounds=(-FAR, FAR), allow_None=True, doc="slope of the tangent")
    predict = param.Boolean(False, doc="q is hidden until it is found")

    @param.depends("formula", "domain", "parameters", watch=True)
    def _check_lengths(self):
        for name in ("formula", "domain", "parameters"):
            check_text(name, getattr(self, name))

    def chosen(self):
        """The preset that is to be drawn; a function of one's own comes as one."""
        if self.preset != OWN:
            return PRESETS[self.preset]
        return Preset(self.formula, self.domain, self.parameters, says="Your own function.")

    def declare(self, declared):
        """Take in what was assumed of the letters of a function of one's own."""
        if declared:
            self.parameters = "; ".join([*split(self.parameters), *declared])

    def numbers(self, ranges):
        """Of every parameter the slider's ends and its value: name -> (low, high, value).

        `ranges` are those of `sketches.pair`.
        """
        numbers = parse_values(self.values) or parse_values(self.chosen().values)
        return {name: _slider(*ends, numbers.get(name)) for name, ends in ranges.items()}

    def python(self):
        """The lines that make the pair in a notebook."""
        choice = self.chosen()
        arguments = [repr(choice.text)]
        if choice.domain:
            arguments.append(f"domain={choice.domain!r}")
        if choice.parameters:
            declared = dict(_declaration(text) for text in split(choice.parameters))
            arguments.append(f"parameters={declared!r}")
        return f"import workbench as wb\n\npair = wb.conjugate({', '.join(arguments)})\nprint(pair.q)"


def check_text(name, text):
    """Refuse a text that is too long or does not print."""
    if len(text) > LONGEST:
        raise ValueError(f"{name} has {len(text)} characters; at most {LONGEST} are allowed")
    if not text.isprintable():
        raise ValueError(f"{name} has characters that cannot be printed; type it again")


def tabled(outcome):
    """Which of "p" and "q" are drawn from values: where neither has a script, the browser solves nothing."""
    return list(outcome["refused"]) if len(outcome["refused"]) > 1 else []


def request(preset):
    """The formula, the domain and the parameters of a preset, as `derivations.sketches.pair` takes them."""
    return preset.text, preset.domain or None, tuple(split(preset.parameters))


def split(parameters):
    """Declarations that are separated by semicolons."""
    return [part.strip() for part in parameters.split(";") if part.strip()]


def parse_values(text):
    """The numbers of "epsilon=0.5,r=2"; what is not of that form is left out."""
    pairs = [part for part in text.split(",")[:MAX_PARAMETERS] if VALUES.fullmatch(part)]
    return {name: float(number) for name, number in (part.split("=") for part in pairs)}


def write_values(values):
    return ",".join(f"{name}={value:.6g}" for name, value in values.items())


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
