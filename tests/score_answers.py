"""Right answers written otherwise and plausible wrong ones: `python tests/score_answers.py [FIRST [LAST]]`.

All exercises, through `check`; what a function returns also as a judge receives it from a submission. Counts
what is misjudged, and the sentences that name the mistake, that only show where it differs, with both
values, or neither. Takes minutes.
"""

import contextlib
import functools
import io
import json
import random
import re
import sys
from collections import Counter
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
import sympy
from answer_mutants import mutants, nearby
from scipy import sparse
from test_lesson_answers import DRAWS, FUNCTIONS, NUMBERS, SOLVED, TEXTS, answer_of, differs, inputs_of
from test_lesson_builds import RIGHT, WRONG

from workbench.teaching import NotYet, check, exchange

# Of each function so many mutants of its solution, drawn with this seed.
MUTANTS, SEED = 4, 0
PLACE = re.compile(r"too (large|small)")
DUE = re.compile(r"There it should be \S+\.$")
SIGN = re.compile("sign|negative|minus|below|Turn|never|lower|upper|-D|opposite|smallest|mirror", re.IGNORECASE)
SIZE = re.compile(r"factor|times|divide|half|twice|1/2|1/n|halves|double| 2 |squared|sum|mean|average|length", re.IGNORECASE)


def _exact(value):
    """A number as a Fraction, or as SymPy has an infinity."""
    return Fraction(float(value)) if np.isfinite(value) else sympy.sympify(float(value))


def _symbol(value):
    return sympy.sympify(float(value))


# What else may stand for a number, for a row of numbers and for a matrix.
DRESSED = (
    {
        "SymPy": _symbol, "Fraction": _exact, "Decimal": lambda x: Decimal(float(x)), "(1, 1)": lambda x: np.array([[x]]),
        "Series": lambda x: pd.Series([x]), "array": np.array, "list": lambda x: [x], "float32 of whole": lambda x:
        np.float32(x) if float(np.float32(x)) == x else x,
    },
    {
        "column": lambda x: x[:, None], "row": lambda x: x[None, :], "Series": lambda x: pd.Series(x, index=range(5, 5 + len(x))),
        "DataFrame": pd.DataFrame, "list of SymPy": lambda x: list(map(_symbol, x)), "tuple of Fraction": lambda x:
        tuple(map(_exact, x)), "matrix": np.asmatrix, "objects": lambda x: np.array([_exact(each) for each in x], dtype=object),
        "SymPy column": lambda x: sympy.Matrix(list(map(_symbol, x))), "masked": np.ma.array,
    },
    {
        "DataFrame": pd.DataFrame, "lists": np.ndarray.tolist, "SymPy": lambda x: sympy.Matrix(x.tolist()),
        "sparse": sparse.csr_array, "sparse matrix": sparse.csr_matrix, "Fortran": np.asfortranarray,
        "list of rows": list, "objects": lambda x: x.astype(object),
    },
)  # fmt: skip
FLAGS = {"whole": lambda x: np.asarray(x).astype(int), "list": lambda x: np.asarray(x).tolist(), "Series": pd.Series,
         "column": lambda x: np.asarray(x)[:, None], "SymPy": lambda x: [sympy.true if each else sympy.false for each in x]}
NAMES = {"tuple": tuple, "array": np.array, "Series": pd.Series, "column": lambda x: np.array(x)[:, None],
         "capitals": lambda x: [each.upper() for each in x]}  # fmt: skip


def forms(value):
    """(name, the same value in another form)."""
    if isinstance(value, str):
        yield from ((name, how(value)) for name, how in {"capitals": str.upper, "spaces": " {} ".format, "of NumPy": np.str_}.items())
        return
    if isinstance(value, tuple):
        parts = [dict(forms(each)) for each in value]
        count = max(map(len, parts))
        for k in range(count):
            chosen = [list(part.items())[k % len(part)] for part in parts]
            yield " and ".join(name for name, _ in chosen), (list if k % 2 else tuple)(each for _, each in chosen)
        return
    array = np.asarray(value)
    if array.dtype.kind == "U":
        kinds = NAMES
    elif array.dtype.kind == "b" and array.ndim == 1:
        kinds = FLAGS
    elif array.ndim < 3:
        kinds, value = DRESSED[array.ndim], (array.astype(float) if array.ndim else float(array))
    else:
        kinds = {"lists": np.ndarray.tolist}
    for name, how in kinds.items():
        yield name, how(value)


def kinds(name, solution, place):
    """The names of the forms in which this answer can be returned."""
    return [kind for kind, _ in forms(solution(*place))]


def dressed(solution, kind):
    def answer(*arguments):
        return dict(forms(solution(*arguments)))[kind]

    return answer


def crossing(value):
    """What a judge receives of a value that a submission returns."""
    return exchange.restored(json.loads(json.dumps(exchange.plain(value))))


def crossed(answer):
    return lambda *arguments: crossing(answer(*arguments))


def right_ones(name, patch):
    """(how, answer) of right answers written otherwise."""
    if name in TEXTS:
        yield from ((f"text {k}", each) for k, each in enumerate(TEXTS[name][0]))
    yield from ((f"other {k}", each) for k, each in enumerate(RIGHT.get(name, ())))
    solution = answer_of(name)
    if not callable(solution):
        if name not in TEXTS or not isinstance(solution, str):
            yield from forms(solution)
        return
    if name in FUNCTIONS:
        (place, *_) = inputs_of(name, patch)
        for kind in kinds(name, solution, place):
            yield kind, dressed(solution, kind)
            yield f"{kind}, crossed", crossed(dressed(solution, kind))
    else:
        yield "crossed", crossed(solution)


def changes(solution, places):
    """(what is changed, its sentence's words, wrong answer): typical mistakes of any function of numbers."""
    value = np.asarray(solution(*places[0]))
    if value.dtype.kind not in "fi":
        return

    def made(change):
        return lambda *given: change(np.asarray(solution(*given), dtype=float), *given)

    yield "sign", SIGN, made(lambda x, *given: -x)
    yield "twice", SIZE, made(lambda x, *given: 2 * x)
    yield "half", SIZE, made(lambda x, *given: x / 2)
    yield "one more", None, made(lambda x, *given: x + 1)
    for k, each in enumerate(places[0]):
        if isinstance(each, float):
            yield "times an argument", SIZE, made(lambda x, *given, k=k: x * given[k])
        elif isinstance(each, np.ndarray) and each.ndim:
            yield "times a length", SIZE, made(lambda x, *given, k=k: x * len(given[k]))
            yield "over a length", SIZE, made(lambda x, *given, k=k: x / len(given[k]))
            if each.ndim == 1 and np.all(np.abs(each) == 1):
                yield "labels", None, lambda *given, k=k: solution(*given[:k], -given[k], *given[k + 1 :])
    if value.ndim == 1:
        yield "backwards", None, made(lambda x, *given: x[::-1])
        yield "the sum", None, made(lambda x, *given: x.sum())
        yield "one short", None, made(lambda x, *given: x[:-1])
    if value.ndim == 2:
        yield "transposed", None, made(lambda x, *given: x.T)


def wrong_ones(name, patch):
    """(how, words that its sentence should have or None, answer) of plausible wrong answers."""
    yield from ((f"listed {k}", None, each) for k, each in enumerate(WRONG[name]))
    if name in TEXTS:
        yield from ((f"text {k}", None, each) for k, each in enumerate(TEXTS[name][1]))
    if name not in FUNCTIONS:
        return
    rng, solution = np.random.default_rng(SEED), answer_of(name)
    inputs = inputs_of(name, patch)
    places = [*inputs, *(nearby(place, rng) for place in inputs for _ in range(DRAWS))]
    with np.errstate(all="ignore"):
        yield from (each for each in changes(solution, inputs) if differs(each[2], solution, places))
        others = [each for each in mutants(*SOLVED[name]) if differs(each[1], solution, places)]
        for text, answer in random.Random(f"{SEED} {name}").sample(others, min(MUTANTS, len(others))):
            yield f"mutant: {text.splitlines()[-1].strip()}", None, answer


def said(name, answer):
    """What `check` says; "" where it passes."""
    with contextlib.redirect_stdout(io.StringIO()):
        try:
            check(name, answer)
        except NotYet as error:
            return str(error)
    return ""


def kind_of(sentence, words):
    """How a sentence tells a mistake."""
    if PLACE.search(sentence):
        return "place" if DUE.search(sentence) else "neither"
    return "named" if words is None or words.search(sentence) else "other"


def score(number, patch, show=print):
    """Counts of one lesson; `show` is told each answer that is misjudged, and each sentence of no help."""
    found = Counter()
    for name in SOLVED:
        if int(name.split(".")[0]) != number:
            continue
        for how, answer in right_ones(name, patch):
            found["right"] += 1
            sentence = said(name, answer)
            if sentence:
                found["refused"] += 1
                show(f"  REFUSED {name}, {how}: {sentence}")
        for how, words, answer in wrong_ones(name, patch):
            found["wrong"] += 1
            sentence = said(name, answer)
            if not sentence:
                found["accepted"] += 1
                show(f"  ACCEPTED {name}, {how}")
                continue
            kind = kind_of(sentence, words)
            found[kind] += 1
            if kind != "named":
                show(f"  {kind} {name}, {how}: {sentence}")
    return found


COLUMNS = ("right", "refused", "wrong", "accepted", "named", "other", "place", "neither")


def main(first=0, last=None):
    last = (first if first else 99) if last is None else last
    total = Counter()
    print(f"{'lesson':8}" + "".join(f"{column:>9}" for column in COLUMNS), flush=True)
    with pytest.MonkeyPatch.context() as patch:
        for number in NUMBERS:
            if int(first) <= number <= int(last):
                found = score(number, patch)
                total += found
                print(f"{number:<8}" + "".join(f"{found[column]:9}" for column in COLUMNS), flush=True)
    print(f"{'all':8}" + "".join(f"{total[column]:9}" for column in COLUMNS))
    return int(any(total[column] for column in ("refused", "accepted", "neither")))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
