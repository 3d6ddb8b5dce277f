"""Predict, then reveal: questions on a second configuration, answered by the runs themselves."""

import math
from types import MappingProxyType
from typing import NamedTuple

from workbench.pages.wording import content

# Two counts that differ by less count as "about the same".
ALIKE = 0.1
SAME = "about as many"
# Of a run that came to no count, and of two.
ENDED = "the run ended before it reached that gap"
UNKNOWN = "Both runs ended before they reached that gap; press run to continue, or stop at a larger gap."


class Question(NamedTuple):
    """What changes in the second configuration, and what is to be guessed of it."""

    text: str
    fewer: str
    more: str
    change: dict  # parameter of the second configuration to its value
    measure: str  # of what the page's script counts
    unit: str
    why: str
    factors: dict = MappingProxyType({})  # to multiples of the first's, 1 at the most

    @property
    def options(self):
        return self.fewer, SAME, self.more


QUESTIONS = {name: Question(**entry) for name, entry in content("dual_lab")["questions"].items()}


def changes(question, settings):
    """The values of the second configuration's own parameters ("b_...") that the question asks about."""
    own = {name.removeprefix("b_") for name in settings if name.startswith("b_")}
    values = {name: settings[name] for name in own}
    factors = QUESTIONS[question].factors
    values |= QUESTIONS[question].change
    values |= {name: min(1.0, factor * settings[name]) for name, factor in factors.items()}
    return {f"b_{name}": value for name, value in values.items()}


def answer(question, counts):
    """The option that came true, and the counts in words; None where they are no counts.

    The option is None where neither run got there, so that nothing is known of either count.

    Parameters
    ----------
    question : str
        A key of `QUESTIONS`.
    counts : dict
        By measure the counts of both configurations, which may hold anything; None stands for a run that did
        not get there.
    """
    entry = QUESTIONS[question]
    pair = counts.get(entry.measure) if isinstance(counts, dict) else None
    if not (isinstance(pair, list) and len(pair) == 2 and all(map(_is_count, pair))):
        return None
    if pair == [None, None]:
        return None, UNKNOWN
    option = outcome(entry, *(math.inf if count is None else float(count) for count in pair))
    if None in pair:
        reached, other = ("after", "before") if pair[0] is None else ("before", "after")
        number = _count(pair[0] if pair[1] is None else pair[1])
        return option, f"{number} {entry.unit} {reached} the change; {other} it, {ENDED}"
    first, then = map(_count, pair)
    return option, f"{first} {entry.unit} before the change and {then} after it"


def _is_count(value):
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def outcome(question, first, then):
    """Which option two measured counts make true."""
    if first == then or abs(then - first) <= ALIKE * max(abs(first), abs(then)) < math.inf:
        return SAME
    return question.fewer if then < first else question.more


def _count(value):
    return f"{value:,.4g}" if value < 1e4 else f"{value:,.0f}"
