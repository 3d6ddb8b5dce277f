"""Predict, then reveal: questions on a second configuration, answered by the runs themselves."""

import math
from typing import NamedTuple

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
    change: dict  # parameter of the second configuration to its value, or to a function of the first's
    measure: str  # of what the page's script counts
    unit: str
    why: str

    @property
    def options(self):
        return self.fewer, SAME, self.more


QUESTIONS = {
    "A shorter step": Question(
        "If every step is only a tenth as long (t = 0.1), how many epochs does the gap need?",
        "fewer",
        "more",
        {"scale": 0.1},
        "epochs",
        "epochs",
        "A coordinate step with t = 1 is the exact minimum along its coordinate: a tenth of it gives up "
        "most of the gain; but the curve falls more smoothly, since no step undoes what others did.",
    ),
    "A larger λ": Question(
        "If λ is ten times larger, how many weights are not zero?",
        "fewer",
        "more",
        {"lam": lambda lam: min(1.0, 10.0 * lam)},
        "nonzeros",
        "non-zero weights",
        "w = ∇h(v) with v = Σ αᵢ xᵢ / λn: a larger λ shrinks v, and with an elastic net every |v| ≤ ε gives "
        "a weight of zero. Where the regularizer does not produce zeros, none appear.",
    ),
    "A smooth loss": Question(
        "With the logistic loss, how many samples are support vectors (α ≠ 0)?",
        "fewer",
        "more",
        {"loss": "Logistic"},
        "support",
        "support samples",
        "α = -f'(z) at the optimum. The hinge is flat beyond its margin, where its α is zero; the logistic "
        "loss has a slope everywhere, so every sample contributes.",
    ),
    "No sparsity": Question(
        "With the squared ℓ2 norm in place of this regularizer, how many weights are not zero?",
        "fewer",
        "more",
        {"regularizer": "Squared ℓ2"},
        "nonzeros",
        "non-zero weights",
        "The squared norm is smooth, so w = v: a weight is zero only where no support sample has "
        "its feature. A kink of g at zero, as in the elastic net, makes zeros.",
    ),
}


def changes(question, settings):
    """The values of the second configuration's own parameters ("b_...") that the question asks about."""
    own = {name.removeprefix("b_") for name in settings if name.startswith("b_")}
    values = {name: settings[name] for name in own}
    for name, value in QUESTIONS[question].change.items():
        values[name] = value(settings[name]) if callable(value) else value
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
