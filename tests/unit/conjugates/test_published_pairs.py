"""The table of published pairs: right by a numeric supremum, and what symbolic conjugation makes of it."""

import json

import pytest

from tests.corpora import named
from tests.corpora.published_pairs import PAIRS, REFUSED
from tests.helpers.amounts import THOROUGH, few, some
from tests.helpers.supremum import (
    MP,
    Function,
    belongs,
    bend,
    evaluated,
    exact,
    outcomes,
    places,
    published,
    q_ends,
)

# The supremum is found to some 24 digits at smooth places, 20 at kinks.
TOLERANCE = MP.mpf(10) ** -18
GRID = [MP.mpf(k) / 64 for k in range(-24 * 64, 24 * 64 + 1)]


def disagreement(pair):
    """The first place where the table and the supremum differ, with both; None where they agree."""
    for values in pair.values:
        function = Function(pair, values)
        lower, _, upper, _ = q_ends(pair, values)
        spots = {MP.mpf(v) for v in places(pair, values)} | {v for v in (lower, upper) if MP.isfinite(v)}
        for v in sorted(spots):
            want, supremum = published(pair, values, v, function), function.supremum(v)
            near = (
                abs(want - supremum) <= TOLERANCE * (1 + abs(want)) if MP.isfinite(want) else supremum == want
            )
            if not near or (belongs(pair, values, v) and not MP.isfinite(want)):
                return values, MP.nstr(v), MP.nstr(want, 20), MP.nstr(supremum, 20)
    return None


# --- the table is right, whatever the engine says


@pytest.mark.parametrize("pair", few(some(PAIRS, 60), 12), ids=named)
def test_q_is_the_supremum(pair):
    assert disagreement(pair) is None


@pytest.mark.parametrize("pair", some(PAIRS, 40), ids=named)
def test_p_is_convex_at_parameters_that_are_allowed(pair):
    for values in pair.values:
        assert set(values) == set(pair.parameters)
        assert all(evaluated(condition, exact(values)) for condition in pair.parameters.values())
        function = Function(pair, values)
        low, high = function.reach(-1, 4), function.reach(1, 4)
        spread = {low + (high - low) * k / 32 for k in range(33)} | set(GRID[::16])
        assert bend(function, spread) is None


@pytest.mark.parametrize("entry", some(REFUSED, 16), ids=named)
def test_refused_input_has_no_conjugate(entry):
    assert all(evaluated(condition, exact(entry.values)) for condition in entry.parameters.values())
    function = Function(entry, entry.values)
    if entry.reason == "empty":
        assert not any(MP.isfinite(function(u)) for u in GRID)
    else:
        assert bend(function, GRID) is not None


# --- what conjugation makes of the table: some of the representative ones here, all in the long run

CHOSEN = PAIRS if THOROUGH else some([pair for pair in PAIRS if pair.representative], 4)
CHOSEN_REFUSED = REFUSED if THOROUGH else some([entry for entry in REFUSED if entry.representative], 2)


@pytest.fixture(scope="module")
def outcome(once):
    """name -> (outcome, detail) of the representatives, in two processes."""
    return json.loads(once("representatives.json", write_outcomes).read_text())


def write_outcomes(file):
    rows = outcomes([*CHOSEN, *CHOSEN_REFUSED])
    file.write_text(json.dumps({entry.name: (outcome, detail) for entry, outcome, detail in rows}))


@pytest.mark.parametrize("pair", CHOSEN, ids=named)
def test_conjugate_is_the_published_one(pair, outcome):
    verdict, detail = outcome[pair.name]
    assert verdict in (("right",) if pair.q is not None else ("right", "implicit")), detail


@pytest.mark.parametrize("entry", CHOSEN_REFUSED, ids=named)
def test_input_without_a_conjugate_is_refused(entry, outcome):
    verdict, detail = outcome[entry.name]
    assert verdict == "right", detail
