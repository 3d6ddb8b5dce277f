"""How much of a large test runs: a sample in `make test`, all of it where WORKBENCH_THOROUGH is set."""

import os

THOROUGH = bool(os.environ.get("WORKBENCH_THOROUGH"))


def amount(sample, whole):
    """The number of random cases for this run."""
    return whole if THOROUGH else sample


def some(cases, count):
    """So many of the cases, evenly spread, or all of them."""
    cases = list(cases)
    kept = len(cases) if THOROUGH else min(count, len(cases))
    return [cases[k * len(cases) // kept] for k in range(kept)]
