"""Functions with parameters and narrow places: the tables are right, and a sample of what is made of them.

`score_parameters.py`, `score_mutants.py` and `random_families.py` of tests/long run everything, for hours.
"""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, given, settings

import workbench
from tests.corpora import by_name, named
from tests.corpora.parameter_pairs import FAMILIES, PLACES
from tests.helpers import mutants
from tests.helpers.amounts import amount, few, some
from tests.long import random_families, score_mutants
from tests.long.score_pairs import MP, Function, bend, evaluated, exact
from tests.long.score_parameters import judged, slopes

# What concavity leaves open around a supremum that golden section found.
OPEN = MP.mpf(10) ** -15


def bends(function, witness, values):
    """Return True if p(middle) lies above the chord."""
    left, middle, right = (MP.convert(evaluated(text, exact(values))) for text in witness)
    low, high = function(left), function(right)
    return left < middle < right and function(middle) > low + (high - low) * (middle - left) / (right - left)


# --- the tables are right, whatever the engine says


def test_the_tables_are_large_and_their_names_differ():
    assert len(FAMILIES) >= 60
    assert sum(place.witness is not None for place in PLACES) >= 20
    assert sum(place.witness is None for place in PLACES) >= 20
    for table in (FAMILIES, PLACES):
        assert len({entry.name for entry in table}) == len(table)
        assert len({(entry.p, entry.domain) for entry in table}) == len(table)


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


@pytest.mark.parametrize("family", some(FAMILIES, 6), ids=named)
def test_concavity_encloses_the_supremum(family):
    values = family.values[0]
    function = Function(family, values)
    for v in slopes(function, family.slopes, values)[::3]:
        value, most = function.enclosure(MP.mpf(v))
        assert value == most or most - value <= OPEN * (1 + abs(value))


@settings(max_examples=amount(8, 20), derandomize=True, suppress_health_check=list(HealthCheck))
@given(random_families.randoms())
def test_the_two_judges_agree(function):
    for a in function.values()[::5]:
        pieces = function.pieces(a)
        if not random_families.convex(pieces):
            continue
        pair = type("Row", (), {"p": function.p, "domain": None, "variable": "u"})
        numeric = Function(pair, {"a": float(a)})
        for v in (Fraction(-1), Fraction(3, 4), Fraction(10)):
            want, concave = random_families.supremum(pieces, v), numeric.supremum(MP.mpf(float(v)))
            assert concave == want or abs(concave - MP.mpf(float(want))) <= OPEN * (1 + abs(concave))


def test_the_exact_judge_knows_what_is_bent():
    bent = random_families.Random("1*u**2 + (2 - a)*abs(u - (a))", "real", ("a",))
    assert [random_families.convex(bent.pieces(Fraction(a))) for a in (1, 2, 3)] == [True, True, False]
    flat = bent.pieces(Fraction(2))
    assert random_families.supremum(flat, Fraction(3)) == Fraction(9, 4)
    assert random_families.supremum([(None, None, 0, 1, 0)], Fraction(2)) == float("inf")


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
def test_random_functions_are_never_wrong():
    # Each takes some seconds of processor time; `random_families.py` runs 10^4.
    outcomes, wrong = random_families.run(60)
    assert not wrong
    assert outcomes.total() >= 1


# --- mutants of q

MUTATED = ("half square", "absolute value")


@pytest.mark.parametrize("entry", few(by_name(score_mutants.ENTRIES, MUTATED), 1), ids=named)
def test_no_mutant_of_q_is_proved(entry):
    own, count, proved = score_mutants.survivors(entry)
    assert own == "proved"
    assert count >= score_mutants.LEAST
    assert proved == []


def test_no_mutant_of_one_region_is_proved():
    (entry,) = by_name(score_mutants.ENTRIES, ["three lines"])
    kinds = some(("cases swapped", "case left out", "one case for all", "a very short one", "a > 53"), 3)
    own, count, proved = score_mutants.survivors(entry, kinds)
    assert own == "proved"
    assert count >= 3
    assert proved == []


def test_a_change_without_effect_is_not_a_mutant():
    (entry,) = by_name(score_mutants.ENTRIES, ["half square"])
    pair = workbench.conjugate(entry.p)
    mutations = mutants.Mutation(pair.q, {}).mutants()
    changes = [mutant.change for mutant in mutations if score_mutants.changes(mutant, entry)]
    assert "part 0: turned round" not in changes
    assert len(changes) >= score_mutants.LEAST
    assert not score_mutants.changes(mutants.Mutant("nothing", pair.q, (0.5, 3.0), {}), entry)
