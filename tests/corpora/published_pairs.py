"""Published pairs of a convex function and its conjugate; `published_pairs.toml` says what a row holds."""

import re
from dataclasses import dataclass, field

from tests.corpora import table

# The lower end, whether it belongs, the upper end, whether it belongs.
Domain = tuple[str, bool, str, bool]


def interval(text):
    """The domain that is written as an interval, "[0, oo)"."""
    opened, low, high, closed = re.fullmatch(r"([\[(])(.+), (.+)([\])])", text).groups()
    return low, opened == "[", high, closed == "]"


WHOLE: Domain = interval("(-oo, oo)")
NEGATIVE: Domain = interval("(-oo, 0)")
UNIT: Domain = interval("[0, 1]")


@dataclass(frozen=True)
class Pair:
    """A convex function p and its conjugate q."""

    name: str
    p: str
    q: str | None = None
    domain: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    variable: str = "u"
    q_domain: Domain = WHOLE
    values: tuple[dict[str, float], ...] = ({},)
    source: str = "by hand"
    representative: bool = False


@dataclass(frozen=True)
class Refused:
    """An input without a conjugate to give."""

    name: str
    p: str
    reason: str
    domain: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    variable: str = "u"
    values: dict[str, float] = field(default_factory=dict)
    representative: bool = False


def _pair(q_domain="(-oo, oo)", values=({},), **fields):
    return Pair(q_domain=interval(q_domain), values=tuple(values), **fields)


_TABLES = table("published_pairs")
PAIRS = tuple(_pair(**row) for row in _TABLES["pairs"])
REFUSED = tuple(Refused(**row) for row in _TABLES["refused"])
