"""The table of published pairs: right by a numeric supremum, and what symbolic conjugation makes of it."""

import ast
import dataclasses
import json

import pytest
from amounts import few, some
from published_pairs import NEGATIVE, PAIRS, REFUSED, UNIT, WHOLE
from score_pairs import MP, Function, belongs, bend, evaluated, exact, outcomes, places, published, q_ends

# The supremum is found to some 24 digits at smooth places, 20 at kinks.
TOLERANCE = MP.mpf(10) ** -18
GRID = [MP.mpf(k) / 64 for k in range(-24 * 64, 24 * 64 + 1)]


def named(entry):
    return entry.name.replace(" ", "-").replace(",", "")


def by_name(table, names):
    found = {entry.name: entry for entry in table}
    return [found[name] for name in names]


def disagreement(pair):
    """The first place where the table and the supremum differ, with both; None where they agree."""
    for values in pair.values:
        function = Function(pair, values)
        lower, _, upper, _ = q_ends(pair, values)
        spots = {MP.mpf(v) for v in places(pair, values)} | {v for v in (lower, upper) if MP.isfinite(v)}
        for v in sorted(spots):
            want, found = published(pair, values, v, function), function.supremum(v)
            near = abs(want - found) <= TOLERANCE * (1 + abs(want)) if MP.isfinite(want) else found == want
            if not near or (belongs(pair, values, v) and not MP.isfinite(want)):
                return values, MP.nstr(v), MP.nstr(want, 20), MP.nstr(found, 20)
    return None


# --- the table is right, whatever the engine says


def test_table_is_large_and_its_names_differ():
    assert len(PAIRS) >= 160
    assert len(REFUSED) >= 25
    for table in (PAIRS, REFUSED):
        assert len({named(entry) for entry in table}) == len(table)


@pytest.mark.parametrize("pair", few(some(PAIRS, 90), 30), ids=named)
def test_q_is_the_supremum(pair):
    assert disagreement(pair) is None


@pytest.mark.parametrize("pair", some(PAIRS, 90), ids=named)
def test_p_is_convex_at_parameters_that_are_allowed(pair):
    for values in pair.values:
        assert set(values) == set(pair.parameters)
        assert all(evaluated(condition, exact(values)) for condition in pair.parameters.values())
        function = Function(pair, values)
        low, high = function.reach(-1, 4), function.reach(1, 4)
        spread = {low + (high - low) * k / 32 for k in range(33)} | set(GRID[::16])
        assert bend(function, spread) is None


@pytest.mark.parametrize("entry", REFUSED, ids=named)
def test_refused_input_has_no_conjugate(entry):
    assert all(evaluated(condition, exact(entry.values)) for condition in entry.parameters.values())
    function = Function(entry, entry.values)
    if entry.reason == "empty":
        assert not any(MP.isfinite(function(u)) for u in GRID)
    else:
        assert bend(function, GRID) is not None


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("exponential", {"q": "xlogx(v) - v + 1/10**12"}),
        ("exponential", {"q_domain": ("0", False, "oo", False)}),
        ("negative logarithm", {"q_domain": ("-oo", False, "0", True)}),
        ("negative logarithm", {"domain": "u > 1/50"}),
        ("softplus", {"q_domain": WHOLE}),
        ("negative square root", {"q_domain": ("-oo", False, "-1/2", True)}),
        ("inverse hyperbolic cosine", {"q_domain": ("-oo", False, "-1/4", True)}),
        ("line times arctangent", {"q_domain": ("-pi/2", False, "pi/2", True)}),
        ("indicator of a point", {"q": "3*v + max(v - 20, 0)"}),
        ("Jensen-Shannon", {"q_domain": NEGATIVE}),
        ("sextic and half square", {"q_domain": UNIT}),
        ("power", {"q": "abs(v)**(p/(p - 1))/p"}),
    ],
)
def test_a_wrong_entry_would_be_seen(name, change):
    (pair,) = by_name(PAIRS, [name])
    assert disagreement(pair) is None
    assert disagreement(dataclasses.replace(pair, **change)) is not None


def test_texts_are_expressions_of_their_symbols():
    for pair in PAIRS:
        known = {"pi", "e", *pair.parameters}
        texts = ((pair.p, pair.variable), (pair.domain or "0", pair.variable), (pair.q or "0", "v"))
        for text, symbol in texts:
            nodes = list(ast.walk(ast.parse(text, mode="eval")))
            called = {node.func.id for node in nodes if isinstance(node, ast.Call)}
            used = {node.id for node in nodes if isinstance(node, ast.Name)} - called
            assert used <= known | {symbol}, (pair.name, text)


# --- the score: `python tests/score_pairs.py` runs the whole table, which takes minutes

# One or two of each kind of work that conjugation has to do; some of them here, the others in the long run.
REPRESENTATIVE = (
    "quadratic polynomial",  # three parameters
    "square of an affine function",  # affine change
    "power",  # symbolic exponent, both signs of v
    "power three halves, natural domain",  # the domain comes from the power
    "negative power below one",  # open end of the domain at 0
    "quartic and square",  # cubic with one real root
    "hyperbola",  # closed ends that no u attains
    "half circle",  # natural domain, infinite slopes at its ends
    "hyperbola's other branch",  # two roots, one extraneous
    "absolute value",  # a kink alone
    "pinball",  # a kink with parameters
    "dead zone with two slopes",  # piecewise((...)) of lines
    "constant",  # q lives at one point
    "indicator of an interval",  # parameters as ends of the domain
    "indicator of a point",  # p lives at one point
    "Huber",  # pieces that join smoothly
    "reversed Huber",  # pieces that join in kinks
    "squared epsilon-insensitive",  # max inside a power
    "elastic net",  # |u| among smooth terms
    "half square on an interval",  # restriction
    "exponential",  # closed end with 0 log 0
    "exponential and absolute value",  # kink between transcendental pieces
    "softplus",  # two closed ends with 0 log 0
    "log-cosh",  # the same through hyperbolic functions
    "three-term log-sum-exp",  # quadratic in exp(u)
    "Fermi-Dirac entropy",  # natural domain of two logarithms
    "Tsallis entropy",  # v below the slope at the end
    "negative logarithm",  # open end
    "barrier of the ball",  # root of a quadratic that is 0/0 at v = 0
    "dual fair loss",  # |u| inside a logarithm
    "sub-gamma cumulant",  # rational with a parameter
    "distance-weighted discrimination",  # conditional expression, rational tail
    "Jeffrey",  # Lambert's W
    "alpha divergence below one",  # open end in a parameter
    "hyperbolic sine on the half line",  # slope at the end of the domain
    "negative cosine",  # one root of many
    "tangent on the half range",
    "exponential and half square",  # Lambert's W at every v
    "perspective of the decaying exponential",  # the other branch of Lambert's W
    "softplus in x",  # another name
    "exponential and quartic",  # no closed form
    "line times arctangent",  # no closed form, closed ends
    "power and half square",  # no closed form, a parameter
)
SOME, SOME_REFUSED = 14, 6
REFUSALS = (
    "cube",
    "root of the absolute value",
    "logarithm",
    "barely not convex far away",
    "cosine beyond its half range",
    "ramp loss",
    "convex pieces, concave kink",
    "jump down",
    "one value too high",
    "reciprocal without a domain",
    "tangent over its pole",
    "half square with a gap",
    "contradicting domain",
    "logarithm of negative numbers",
    "power of any exponent",
)


@pytest.fixture(scope="module")
def outcome(once):
    """name -> (outcome, detail) of the representatives, in two processes."""
    return json.loads(once("representatives.json", write_outcomes).read_text())


def write_outcomes(file):
    chosen = [*by_name(PAIRS, some(REPRESENTATIVE, SOME)), *by_name(REFUSED, some(REFUSALS, SOME_REFUSED))]
    file.write_text(json.dumps({entry.name: (found, detail) for entry, found, detail, _ in outcomes(chosen)}))


@pytest.mark.parametrize("pair", by_name(PAIRS, some(REPRESENTATIVE, SOME)), ids=named)
def test_conjugate_is_the_published_one(pair, outcome):
    found, detail = outcome[pair.name]
    assert found in (("right",) if pair.q is not None else ("right", "implicit")), detail


@pytest.mark.parametrize("entry", by_name(REFUSED, some(REFUSALS, SOME_REFUSED)), ids=named)
def test_input_without_a_conjugate_is_refused(entry, outcome):
    found, detail = outcome[entry.name]
    assert found == "right", detail
