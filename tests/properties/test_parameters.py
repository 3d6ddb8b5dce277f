"""Functions with parameters and narrow places: the tables are right, and what conjugation makes of them."""

import pytest

from tests.corpora import by_name, named
from tests.corpora.parameter_pairs import FAMILIES, PLACES
from tests.helpers.amounts import few, some
from tests.helpers.parameter_judge import judged
from tests.helpers.supremum import MP, Function, bend, evaluated, exact


def bends(function, witness, values):
    """Return True if p(middle) lies above the chord."""
    left, middle, right = (MP.convert(evaluated(text, exact(values))) for text in witness)
    low, high = function(left), function(right)
    return left < middle < right and function(middle) > low + (high - low) * (middle - left) / (right - left)


# --- the tables are right, whatever the engine says


@pytest.mark.parametrize("family", some(FAMILIES, 30), ids=named)
def test_a_family_is_convex_where_it_says_so_and_bent_where_it_says_so(family):
    for values in family.values:
        function = Function(family, values)
        low, high = function.reach(-1, 5), function.reach(1, 5)
        around = {x + MP.mpf(k) / 4 for x in (0, *exact(values).values()) for k in range(-12, 13)}
        assert bend(function, around | {low + (high - low) * k / 32 for k in range(33)}) is None, values
    for values, witness in family.nonconvex:
        assert bends(Function(family, values), witness, values), values


@pytest.mark.parametrize("place", some(PLACES, 16), ids=named)
def test_a_narrow_place_is_bent_and_its_twin_is_not(place):
    function = Function(place, place.values)
    if place.witness is not None:
        assert bends(function, place.witness, place.values)
        return
    twin = next(other for other in PLACES if place.name == f"{other.name}, convex twin")
    _, middle, right = (MP.convert(evaluated(text, {})) for text in twin.witness)
    steps = {*range(-400, 401, 8), *range(-20_000, 20_001, 500)}
    assert bend(function, {middle + (right - middle) * k / 20 for k in steps}) is None


# --- what the engine makes of a sample

PROVED = (
    "three lines",  # the middle piece vanishes at a = 5
    "dead zone of any width",  # no kink for negative a
    "lower of two parabolas",  # the two never cross
    "kink inside or before the end",
    "half square and slope",  # not convex for a > 5
    "a step that meets once",
)
REFUTED = (
    "bump a twentieth wide",
    "tiny kink far off",
    "near-flat quartic away from 0",
)
TWINS = ("tip of a tent above a parabola, convex twin", "two slopes close together, convex twin")


@pytest.mark.parametrize("family", few(by_name(FAMILIES, PROVED), 3), ids=named)
def test_a_family_is_right_in_every_region(family):
    outcome, detail = judged(family)
    assert outcome in (("proved", "refuted") if family.nonconvex else ("proved",)), detail


@pytest.mark.parametrize("place", few(by_name(PLACES, REFUTED), 1), ids=named)
def test_a_narrow_place_is_found(place):
    outcome, detail = judged(place)
    assert outcome == "refuted", detail


@pytest.mark.parametrize("place", by_name(PLACES, TWINS), ids=named)
def test_a_convex_twin_is_answered(place):
    outcome, detail = judged(place)
    assert outcome in ("proved", "checked"), detail


@pytest.mark.long
@pytest.mark.parametrize("row", [*FAMILIES, *PLACES], ids=named)
def test_no_row_is_wrong(row):
    outcome, detail = judged(row)
    assert outcome != "wrong", detail
