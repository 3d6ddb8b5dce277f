"""Sizes of large tests: a sample or a covering array in `make test`, all in `make test-long`."""

import itertools
import os

import numpy as np
import pytest

THOROUGH = bool(os.environ.get("WORKBENCH_THOROUGH"))


def amount(sample, whole):
    """The number of random cases for this run."""
    return whole if THOROUGH else sample


def some(cases, count):
    """Return `count` of the cases, evenly spread, or all of them in the long run."""
    cases = list(cases)
    n_chosen = len(cases) if THOROUGH else min(count, len(cases))
    return [cases[k * len(cases) // n_chosen] for k in range(n_chosen)]


def pairs(*values):
    """Every pair of values with their places."""
    return set(itertools.combinations(enumerate(values), 2))


def covering(cases, parts=pairs, seed=0):
    """The places of cases in random order, so many that every part of any of them appears."""
    cases, covered = list(cases), set()
    for k in np.random.default_rng(seed).permutation(len(cases)):
        if not (pairs := parts(*cases[k])) <= covered:
            covered |= pairs
            yield k


def product(entries, parts=pairs):
    """Entries of `pytest.param`, of which those that `covering` leaves out are of the long run."""
    chosen = set(covering([entry.values for entry in entries], parts))
    return [
        entry if k in chosen else pytest.param(*entry.values, id=entry.id, marks=pytest.mark.long)
        for k, entry in enumerate(entries)
    ]


def few(cases, count):
    """Return parameters for all cases; those beyond an even spread of `count` are marked long."""
    cases = list(cases)
    chosen = {k * len(cases) // count for k in range(count)}
    return [
        case if k in chosen else pytest.param(case, marks=pytest.mark.long) for k, case in enumerate(cases)
    ]


def latin(rows, columns):
    """Parameters for all pairs, of which those off the diagonals that have each once are of the long run."""
    rows, columns = list(rows), list(columns)
    size = max(len(rows), len(columns))
    chosen = {(k % len(rows), k % len(columns)) for k in range(size)}
    return [
        pytest.param(row, column, marks=() if (i, j) in chosen else pytest.mark.long)
        for i, row in enumerate(rows)
        for j, column in enumerate(columns)
    ]
