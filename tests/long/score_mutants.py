"""Mutation test of `Pair.verify`: no q that differs from the conjugate may be called proved.

    python tests/long/score_mutants.py            every published pair, some with parameters, and a summary
    python tests/long/score_mutants.py entropy    those whose name has these letters

A pair whose own q is not proved has nothing to show, and is counted apart. A mutant that the numeric
supremum does not tell from q is left out.
"""

import argparse
import sys
import time

import mpmath

import workbench
from tests.corpora.parameter_pairs import FAMILIES
from tests.corpora.published_pairs import PAIRS
from tests.helpers.mutants import mutants_of
from tests.long.score_pairs import MP, Function, outcomes

LIMIT = 1200  # seconds for one pair with all its mutants
LEAST = 20
# Relative to the value; a mutant differs by a millionth at least, in one place at least.
SEEN = 1e-12
PARAMETRIC = (
    "three lines",
    "dead zone of any width",
    "square with a floor",
    "half square and slope",
    "hinge up to a",
    "Huber with threshold a",
    "square beyond a and hinge at 4",
)
ENTRIES = (*PAIRS, *(family for family in FAMILIES if family.name in PARAMETRIC))


def changes(mutant, entry):
    """Return True if the supremum tells the mutant from the conjugate at one of its places."""
    function = Function(entry, mutant.values)
    try:
        evaluate = mutant.q.evaluator(mutant.q.setting.values(mutant.values))
        with mpmath.workdps(40):
            numbers = [mpmath.mpf(evaluate(place)) for place in mutant.places]
    except Exception:  # a formula that cannot be evaluated is not a conjugate
        return True
    for place, value in zip(mutant.places, numbers, strict=True):
        want = function.supremum(MP.mpf(place))
        value = MP.mpf(value)
        if MP.isnan(value) or MP.isinf(value) != MP.isinf(want):
            return True
        if MP.isfinite(want) and abs(value - want) > SEEN * (1 + abs(want)):
            return True
    return False


def survivors(entry, kinds=()):
    """(status of the pair itself, number of mutants, those called proved); of some kinds only, if named."""
    pair = workbench.conjugate(entry.p, domain=entry.domain, parameters=entry.parameters or None)
    own = pair.verify().status
    if own != "proved":
        return own, 0, []
    mutants = mutants_of(pair, entry.values[0])
    selected = [mutant for mutant in mutants if not kinds or any(kind in mutant.change for kind in kinds)]
    changed = [mutant for mutant in selected if changes(mutant, entry)]
    proved = []
    for mutant in changed:
        pair.q = mutant.q
        if pair.verify().status == "proved":
            proved.append(mutant.change)
    return own, len(changed), proved


def timed(entry):
    start = time.perf_counter()
    try:
        own, count, proved = survivors(entry)
        outcome, detail = ("wrong" if proved else own), (own, count, proved)
    except workbench.InputError as error:
        outcome, detail = "refused", (str(error), 0, [])
    return outcome, detail, time.perf_counter() - start


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Mutation test of the verification of conjugate pairs.")
    parser.add_argument("name", nargs="?", default="", help="only pairs whose name has these letters")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds for one pair")
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    options = parser.parse_args(arguments)
    pairs = mutants = alive = unproved = 0
    chosen = [entry for entry in ENTRIES if options.name in entry.name]
    for entry, outcome, detail, seconds in outcomes(chosen, options.limit, options.workers, timed):
        if not isinstance(detail, tuple):
            detail = (detail, 0, [])
        own, count, proved = detail
        pairs += count > 0
        unproved += count == 0
        mutants += count
        alive += len(proved)
        few = f" (fewer than {LEAST})" if 0 < count < LEAST else ""
        says = f"{entry.name}: {count} mutants{few}, {len(proved)} proved"
        print(f"{outcome:9}{seconds:7.1f} s  {says}", flush=True)
        for change in proved:
            print(f"                    {change}", flush=True)
        if not count:
            print(f"                    the pair itself: {own}", flush=True)
    print(f"{pairs} proved pairs, {mutants} mutants, {alive} called proved; {unproved} pairs not proved")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
