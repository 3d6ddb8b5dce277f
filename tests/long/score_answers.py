"""Right answers written otherwise and plausible wrong ones.

    python tests/long/score_answers.py [FIRST [LAST]]

All exercises, through `check`. Counts what is misjudged, and the sentences that name the mistake, that
only show where it differs, with both values, or neither. Takes minutes.
"""

import contextlib
import io
import random
import re
import sys
from collections import Counter

import numpy as np
import pytest

from tests.helpers.answer_forms import dressed, forms
from tests.helpers.answer_mutants import mutants, nearby
from tests.lessons.test_lesson_answers import (
    DRAWS,
    FUNCTIONS,
    NUMBERS,
    SOLVED,
    TEXTS,
    answer_of,
    differs,
    inputs_of,
)
from tests.lessons.test_lesson_builds import RIGHT, WRONG
from workbench.teaching import NotYet, check

# Number of mutants of each function's solution, drawn with this seed.
MUTANTS, SEED = 4, 0
PLACE = re.compile(r"(, |which is )too (large|small)\b|of the other sign")
DUE = re.compile(r"There it should be \S+\.$")
SIGN = re.compile(
    "sign|negative|minus|below|Turn|never|lower|upper|-D|opposite|smallest|mirror", re.IGNORECASE
)
SIZE = re.compile(
    r"factor|times|divide|half|twice|1/2|1/n|halves|double| 2 |squared|sum|mean|average|length", re.IGNORECASE
)


def right_ones(name, patch):
    """(how, answer) of right answers written otherwise."""
    if name in TEXTS:
        yield from ((f"text {k}", answer) for k, answer in enumerate(TEXTS[name][0]))
    yield from ((f"other {k}", answer) for k, answer in enumerate(RIGHT.get(name, ())))
    solution = answer_of(name)
    if not callable(solution):
        if name not in TEXTS or not isinstance(solution, str):
            yield from forms(solution).items()
        return
    if name in FUNCTIONS:
        (place, *_) = inputs_of(name, patch)
        yield from dressed(solution, place).items()


def changes(solution, places):
    """(what is changed, its sentence's words, wrong answer): typical mistakes of any function of numbers."""
    value = np.asarray(solution(*places[0]))
    if value.dtype.kind not in "fi":
        return

    def made(change):
        return lambda *args: change(np.asarray(solution(*args), dtype=float), *args)

    yield "sign", SIGN, made(lambda x, *args: -x)
    yield "twice", SIZE, made(lambda x, *args: 2 * x)
    yield "half", SIZE, made(lambda x, *args: x / 2)
    yield "one more", None, made(lambda x, *args: x + 1)
    for k, argument in enumerate(places[0]):
        if isinstance(argument, float):
            yield "times an argument", SIZE, made(lambda x, *args, k=k: x * args[k])
        elif isinstance(argument, np.ndarray) and argument.ndim:
            yield "times a length", SIZE, made(lambda x, *args, k=k: x * len(args[k]))
            yield "over a length", SIZE, made(lambda x, *args, k=k: x / len(args[k]))
            if argument.ndim == 1 and np.all(np.abs(argument) == 1):
                yield "labels", None, lambda *args, k=k: solution(*args[:k], -args[k], *args[k + 1 :])
    if value.ndim == 1:
        yield "backwards", None, made(lambda x, *args: x[::-1])
        yield "the sum", None, made(lambda x, *args: x.sum())
        yield "one short", None, made(lambda x, *args: x[:-1])
    if value.ndim == 2:
        yield "transposed", None, made(lambda x, *args: x.T)


def wrong_ones(name, patch):
    """(how, words that its sentence should have or None, answer) of plausible wrong answers."""
    yield from ((f"listed {k}", None, answer) for k, answer in enumerate(WRONG[name]))
    if name in TEXTS:
        yield from ((f"text {k}", None, answer) for k, answer in enumerate(TEXTS[name][1]))
    if name not in FUNCTIONS:
        return
    rng, solution = np.random.default_rng(SEED), answer_of(name)
    inputs = inputs_of(name, patch)
    places = [*inputs, *(nearby(place, rng) for place in inputs for _ in range(DRAWS))]
    with np.errstate(all="ignore"):
        yield from (mutant for mutant in changes(solution, inputs) if differs(mutant[2], solution, places))
        others = [mutant for mutant in mutants(*SOLVED[name]) if differs(mutant[1], solution, places)]
        for text, answer in random.Random(f"{SEED} {name}").sample(others, min(MUTANTS, len(others))):
            yield f"mutant: {text.splitlines()[-1].strip()}", None, answer


def said(name, answer):
    """Return what `check` says; "" where it passes."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            check(name, answer)
        except NotYet as error:
            return str(error)
    return ""


def kind_of(sentence, words):
    """Return the kind of mistake that a sentence tells."""
    if PLACE.search(sentence):
        return "place" if DUE.search(sentence) else "neither"
    return "named" if words is None or words.search(sentence) else "other"


def score(number, patch, show=print):
    """Counts of one lesson; `show` is told each answer that is misjudged, and each sentence of no help."""
    counts = Counter()
    for name in SOLVED:
        if int(name.split(".")[0]) != number:
            continue
        for how, answer in right_ones(name, patch):
            counts["right"] += 1
            sentence = said(name, answer)
            if sentence:
                counts["refused"] += 1
                show(f"  REFUSED {name}, {how}: {sentence}")
        for how, words, answer in wrong_ones(name, patch):
            counts["wrong"] += 1
            sentence = said(name, answer)
            if not sentence:
                counts["accepted"] += 1
                show(f"  ACCEPTED {name}, {how}")
                continue
            kind = kind_of(sentence, words)
            counts[kind] += 1
            if kind != "named":
                show(f"  {kind} {name}, {how}: {sentence}")
    return counts


COLUMNS = ("right", "refused", "wrong", "accepted", "named", "other", "place", "neither")


def main(first=0, last=None):
    last = (first if first else 99) if last is None else last
    total = Counter()
    print(f"{'lesson':8}" + "".join(f"{column:>9}" for column in COLUMNS), flush=True)
    with pytest.MonkeyPatch.context() as patch:
        for number in NUMBERS:
            if int(first) <= number <= int(last):
                counts = score(number, patch)
                total += counts
                print(f"{number:<8}" + "".join(f"{counts[column]:9}" for column in COLUMNS), flush=True)
    print(f"{'all':8}" + "".join(f"{total[column]:9}" for column in COLUMNS))
    return int(any(total[column] for column in ("refused", "accepted")))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
