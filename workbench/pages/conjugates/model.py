"""The model of the page of conjugates: which pair, which numbers, and the Python that gives them."""

import re
from typing import NamedTuple

import param

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


PRESETS = {
    "5 · Logistic": Preset(
        "log(1 + exp(u))",
        entry=5,
        says="The loss of logistic regression. Its conjugate is an entropy on [0, 1].",
    ),
    "1 · Quadratic": Preset(
        "k*u**2/2",
        parameters="k > 0",
        values="k=2",
        entry=1,
        says="One direction of a quadratic form: the steeper p, the flatter q.",
    ),
    "2 · Power of a norm": Preset(
        "abs(u)**r/r",
        parameters="r > 1",
        values="r=1.5",
        entry=2,
        says="Along a ray. r = 2 is its own conjugate; as r falls to 1, the conjugate becomes a box.",
    ),
    "3 · Unnormalized entropy": Preset(
        "u*log(u/(exp(1)*mu))",
        "u >= 0",
        "mu > 0",
        "mu=1",
        entry=3,
        says="One coordinate. The conjugate is an exponential: every slope occurs.",
    ),
    "4 · Normalized entropy": Preset(
        "u*log(u/mu) + (A - u)*log((A - u)/nu)",
        "0 <= u <= A",
        "A > 0; mu > 0; nu > 0",
        "A=1,mu=0.5,nu=0.5",
        entry=4,
        says="Coordinates u and A − u: v is the difference of their slopes, and q′ is a softmax.",
    ),
    "6 · Negative logarithm": Preset(
        "-log(u)",
        "u > 0",
        entry=6,
        says="A barrier: only negative slopes occur, and q is a barrier again.",
    ),
    "7 · Huber": Preset(
        "piecewise((u**2/2, abs(u) <= 1), (abs(u) - 1/2, True))",
        entry=7,
        says="Straight tails: the slopes stop at -1 and 1, and so does the domain of q.",
    ),
    "8 · Insensitive zone": Preset(
        "max(abs(u) - epsilon, 0)**r/r",
        "",
        "epsilon: positive; r > 1",
        "epsilon=0.5,r=2",
        entry=8,
        says="The flat zone of p becomes a kink of q at 0: this is where sparsity comes from.",
    ),
    "9 · One-sided Huber": Preset(
        "piecewise((0, u < 0), (u**2/2, u <= 1), (u - 1/2, True))",
        entry=9,
        says="The smoothed hinge, mirrored.",
    ),
    "10 · One-sided power": Preset(
        "max(u, 0)**r/r",
        "",
        "r > 1",
        "r=2",
        entry=10,
        says="Flat on one side: no tangent has a negative slope, so q is infinite below 0.",
    ),
    "Rule · Affine change": Preset(
        "a*log(1 + exp(s*u + t))",
        "",
        "a > 0; s > 0; t: real",
        "a=1,s=2,t=-1",
        entry="rule",
        says="The logistic pair, scaled and moved: watch which slider stretches q and which tilts it.",
    ),
    "Hinge": Preset(
        "max(0, 1 - u)",
        says="One kink and two lines: every slope between -1 and 0 touches at the kink u = 1.",
    ),
    "No closed form": Preset(
        "exp(u) + u**4/4",
        says="p′(u) = v has no solution in closed form; q is computed by solving it numerically.",
    ),
    "Not convex: two wells": Preset(
        "(u**2 - a)**2/4 + u/5",
        "-2 <= u <= 2",
        parameters="a: real",
        values="a=2",
        sketch="envelope",
        says="Between the wells p lies above its chord. Tangents never enter there, so p** takes the chord: "
        "it is the convex envelope of p. From a ≤ 0 on p is convex, and p** = p.",
    ),
    "No Slater point": Preset(
        "piecewise((1, u <= 0), (0, True))",
        "u >= 0",
        says="p(u) is the least exp(−x) over x²/y ≤ u and y > 0. For u = 0 only x = 0 is left: p(0) = 1, and "
        "no point has x²/y < 0, as Slater's condition asks. For u > 0 x may grow with y = x²/u: p(u) = 0. "
        "The dual value for a multiplier α ≥ 0 is the infimum of exp(−x) + α x²/y, which is 0 along y = x³: "
        "the best lower bound is 0 = p**(0), and the gap of 1 stays.",
    ),
}


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
