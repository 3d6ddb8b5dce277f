"""The pairs of the page of conjugates and what it draws of them, without a browser."""

import asyncio
import functools
import json
import math

import pytest

from tests.helpers import coroutines
from tests.helpers.amounts import few
from tests.helpers.node_engine import module_script, printed
from workbench import conjugate
from workbench._support.errors import ConvexityError, ExpressionError, InputError
from workbench.conjugates.codegen import printer
from workbench.conjugates.derivations import outcomes as shipped_outcomes
from workbench.conjugates.derivations import sketches
from workbench.pages import derivations
from workbench.pages.conjugates import model as conjugates
from workbench.pages.conjugates.declaration import Conjugates
from workbench.pages.conjugates.model import OWN, PRESETS
from workbench.pages.conjugates.texts import explained

PAIRS = [name for name, preset in PRESETS.items() if preset.sketch == "pair"]


@pytest.fixture(scope="module")
def outcomes():
    """Every preset, as the package brings it."""

    def of(name):
        chosen = PRESETS[name]
        return shipped_outcomes.shipped()[
            shipped_outcomes.key(chosen.sketch, *conjugates.request(chosen), chosen.entry)
        ]

    return of


def test_the_seconds_of_a_pair_are_those_of_its_derivation_too(monkeypatch):
    pair, clock = conjugate("u**2"), iter((100.0, 107.0))
    monkeypatch.setattr(sketches.time, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(sketches, "_conjugate", lambda *args: pair)
    monkeypatch.setattr(sketches.report, "described", lambda conjugate: {"seconds": 0.5})
    assert sketches.pair("u**2")["seconds"] == 7.0


@pytest.mark.parametrize("name", PAIRS)
def test_every_preset_is_derived_and_has_a_script(name, outcomes):
    outcome = outcomes(name)
    assert outcome["status"] in ("proved", "checked")
    assert set(outcome["refused"]) == ({"q"} if name == "No closed form" else set())
    for function in ("p", "p_slope", "p_low", "q_high"):
        assert f"function {function}(" in outcome["script"]


@pytest.mark.parametrize("name", PRESETS)
def test_the_values_of_a_preset_name_its_parameters(name, outcomes):
    values = PRESETS[name].values or {}
    numbers = conjugates.sliders(outcomes(name)["ranges"], values)
    assert set(values) == set(numbers)
    for low, high, value in numbers.values():
        assert low <= value <= high


@pytest.mark.parametrize("name", [name for name in PAIRS if name != "No closed form"])
def test_the_scripts_satisfy_fenchel_and_young(name, outcomes):
    """p(u) + q(v) - u v is 0 where v is the slope of p at u, and never below 0."""
    outcome = outcomes(name)
    values = PRESETS[name].values or {}
    program = outcome["script"] + (
        f"const theta = {values!r};\nlet matched = 0, least = 0;\n"
        "const [a, b] = [p_low(0, theta), p_high(0, theta)].map((x) => Math.max(-3, Math.min(3, x)));\n"
        "for (let k = 1; k < 60; k += 1) {\n"
        "  const u = a + (b - a) * (k + 0.123) / 61, v = p_slope(u, theta);\n"
        "  matched = Math.max(matched, Math.abs(p(u, theta) + q(v, theta) - u * v));\n"
        "  for (let j = -20; j < 20; j += 1)"
        " least = Math.min(least, p(u, theta) + q(0.17 * j, theta) - u * 0.17 * j);\n"
        "}\nconsole.log(JSON.stringify([matched, least]));"
    )
    matched, least = printed(program)
    # Values are of order 10, so this is rounding.
    assert matched < 1e-12
    assert least > -1e-12


# By hand: the middle piece is there for a < 5.
REGION_VALUES = {1.0: (0.5, 5.5), 4.0: (2.0, 7.0), 5.0: (2.5, 7.5), 9.0: (2.5, 7.5)}


def test_a_script_changes_its_formula_with_the_region():
    outcome = sketches.pair("max(0, u - a, 2*u - 10)", None, ("1 <= a <= 9",))
    # Both formulas hold on the border, so either region may have it.
    assert {case["condition_text"].replace("≤", "<").replace("≥", ">") for case in outcome["cases"]} == {
        "a < 5",
        "a > 5",
    }
    assert outcome["ranges"] == {"a": (1.0, 9.0, (5.0,))}
    program = outcome["script"] + (
        f"for (const a of {list(REGION_VALUES)}) "
        "console.log(JSON.stringify([q(0.5, {a}), q(1.5, {a}), q(2.5, {a}) === Infinity, region(0, {a}), "
        "String(knot_1(0, {a}))]));"
    )
    rows = printed(program)
    for row, values in zip(rows, REGION_VALUES.values(), strict=True):
        assert row[:2] == pytest.approx(values)
        assert row[2] is True
    regions, kinks = zip(*(row[3:] for row in (rows[0], rows[1], rows[3])), strict=True)
    assert regions in ((0, 0, 1), (1, 1, 0))
    assert kinks == ("9", "6", "NaN")


def test_a_script_has_no_values_where_there_is_no_conjugate():
    outcome = sketches.pair("u**2/2 + (5 - a)*abs(u)", None, ("a > 0",))
    assert outcome["conditions_text"] == "a ≤ 5"
    ((low, high, _),) = conjugates.sliders(outcome["ranges"], {}).values()
    assert low < 5 < high
    program = outcome["script"] + (
        "for (const a of [4, 5, 6]) console.log(JSON.stringify([region(0, {a}) < 0, excluded(0, {a}), "
        "p(1, {a}), q(1, {a}), given(1, {a})]));"
    )
    # JSON has no NaN.
    assert printed(program) == [
        [False, -1, 1.5, 0, 1.5],
        [False, -1, 0.5, 0.5, 0.5],
        [True, 0, None, None, -0.5],
    ]


def test_errors_come_as_sentences():
    with pytest.raises(ConvexityError):
        sketches.pair("-u**2")
    with pytest.raises(ExpressionError):
        sketches.pair("import os")


def test_errata_come_with_their_entry():
    outcome = sketches.pair("log(1 + exp(u))", None, (), "rule")
    assert outcome["row"]["agrees"] is False
    (erratum,) = outcome["errata"]
    assert (erratum["where"], erratum["cause"]) == ("Appendix E, the closing rule", "misprint")
    said = explained(outcome, "")
    assert "the printed formula is wrong" in said
    assert "derived as printed" not in said


def test_a_table_solves_what_no_formula_gives():
    points = (0.5, 1.0, 2.0)
    values = sketches.table("exp(u) + u**4/4", None, (), "q", points, ())
    for v, value in zip(points, values, strict=True):
        best = max(v * u - math.exp(u) - u**4 / 4 for u in (k / 1000 for k in range(-2000, 2000)))
        # A grid of 1e-3 misses the supremum by half its square times the curvature.
        assert value == pytest.approx(best, abs=5e-6)


def test_the_code_shown_runs():
    names = {}
    exec(conjugates.python(PRESETS["8 · Insensitive zone"]), names)
    assert names["pair"].p(0.25, epsilon=0.5, r=2.0) == 0.0


def test_presets_are_listed_without_numbers_and_each_by_a_name_of_its_own():
    labels = [conjugates.label(name) for name in PRESETS]
    assert len(set(labels)) == len(PRESETS)
    assert labels[:2] == ["Logistic", "Quadratic"]
    assert not any(character.isdigit() for character in "".join(labels))


@pytest.mark.parametrize("text", ["u" * 121, "u\n+1", "u\x00"])
def test_texts_are_bounded(text):
    page = Conjugates(formula="u")
    with pytest.raises(InputError, match="formula"):
        page.change({"formula": text})
    with pytest.raises(InputError, match="formula"):
        coroutines.run(page.answer_own_pair(text, "", ""))
    assert page.formula == "u"


def test_a_slider_begins_between_ends_that_lie_inside_the_range_and_beyond_its_borders():
    ranges = {
        "both": (0.0, 1.0, ()),
        "low": (0.5, None, (5.0,)),
        "high": (None, -0.5, (-5.0,)),
        "free": (None, None, (-2.0, 2.0)),
    }
    for name, (low, high, value) in conjugates.sliders(ranges, {}).items():
        least, most, borders = ranges[name]
        assert low < value < high
        assert least is None or least < low
        assert most is None or high < most
        assert all(low < border < high for border in borders)


def test_letters_of_which_nothing_was_said_are_declared():
    answer = coroutines.run(Conjugates().answer_own_pair("a*abs(u) + b*u", "", ""))
    assert set(answer["sliders"]) == {"a", "b"}
    assert "parameters={'a': 'real', 'b': 'real'}" in answer["python"]
    assert "Assumed: a: real; b: real" in answer["html"]["pair"]


@pytest.mark.parametrize("message", [{"type": "pair", "preset": "Hinge "}, {"type": "pair", "preset": []}])
def test_pairs_of_other_names_are_refused(message):
    with pytest.raises(InputError, match="unknown preset"):
        Conjugates().answer(message)


def test_a_function_that_is_not_convex_has_its_envelope():
    answer = coroutines.run(Conjugates().answer_own_pair("-u**2", "", ""))
    assert not answer["convex"]
    assert "function given(" in answer["script"]


def test_values_of_curves_without_formulas_take_the_numbers_of_the_sliders(monkeypatch):
    monkeypatch.setattr(conjugates, "tabled", lambda outcome: ["q"])
    monkeypatch.setattr(conjugates, "TABLE", [1.0, 2.0])
    page, typed = Conjugates(), ("exp(u) + a*u**4/4", "", "a > 0")
    ask = functools.partial(page.answer_table, *typed)
    for values in ({}, {"a": "1"}, {"a": math.nan}, {"a": 1.0, "b": 2.0}, [], None):
        with pytest.raises(InputError, match="values: expected a number for each of a"):
            coroutines.run(ask(values))
    table = coroutines.run(ask({"a": 1.0}))["q"]
    # As `test_a_table_solves_what_no_formula_gives`, at v = 2.
    best = max(2.0 * u - math.exp(u) - u**4 / 4 for u in (k / 1000 for k in range(-2000, 2000)))
    assert table["y"][table["x"].index(2.0)] == pytest.approx(best, abs=5e-6)
    # A file has no values for other positions of the slider.
    own = {"type": "own_pair", "formula": typed[0], "domain": "", "parameters": typed[2]}
    with pytest.raises(InputError, match="cannot follow the parameter a"):
        coroutines.run(page.packed_answer(own))


def test_a_file_carries_all_pairs_and_what_was_typed():
    page = Conjugates(preset=OWN, formula="cosh(u) - 1")
    messages = page.packed_messages()
    assert [message["preset"] for message in messages if message["type"] == "pair"] == list(PRESETS)
    assert messages[-1] == {"type": "own_pair", "formula": "cosh(u) - 1", "domain": "", "parameters": ""}
    elsewhere = page.facts()["elsewhere"]
    # What was typed opens; other texts need Python.
    assert elsewhere["preset"] == []
    assert {"formula", "domain", "parameters"} <= set(elsewhere)
    assert Conjugates().facts()["elsewhere"]["preset"] == [OWN]


def test_a_desk_remembers_and_cancels():
    async def visit():
        desk = derivations.DerivationQueue()
        first = await desk.ask("pair", "u**2/2 + 0*u", None, ())
        assert await desk.ask("pair", "u**2/2 + 0*u", None, ()) is first
        slow = asyncio.ensure_future(desk.ask("pair", "exp(u) + u**8/8 + u**6/6", None, ()))
        await asyncio.sleep(0.05)
        desk.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow

    coroutines.run(visit())


DRAWN = """
const made = functions(printed, %d, {}, %s);
const { u, v } = windows(made);
const us = places(u, [...made.p_ends, ...made.knots]), vs = places(v, made.q_ends);
const { p, whole } = biconjugate(made, us, vs);
const heights = us.map(made.p);
const worst = us.map((_, k) => Math.abs(p[k] - heights[k]) / (1 + Math.abs(heights[k])));
const slope = opening(made, made.p_slope(u[0] + 0.68 * (u[1] - u[0])), (v[1] - v[0]) / 400);
const lines = tangents(made, { u, v });
console.log(JSON.stringify({
  worst: Math.max(...worst.filter((_, k) => Number.isFinite(heights[k]))), whole,
  missing: us.filter((_, k) => Number.isFinite(heights[k]) && !Number.isFinite(p[k])).length,
  slope, q: made.q(slope), ends: made.q_ends.map(String), lines,
  above: Math.max(
    ...lines.flatMap(([a, b]) => us.map((x, k) => a * x - b - heights[k])).filter(Number.isFinite)),
}));
"""


def drawn(outcome, theta=None):
    """Return the drawing of a pair: p**, the slope that it opens with, the family of tangents."""
    names = ", ".join(outcome["functions"])
    return printed(
        f"const printed = (() => {{\n{outcome['script']}\nreturn {{{names}}};\n}})();\n"
        + module_script("conjugates/curves")
        + DRAWN % (outcome["knots"], json.dumps(theta or {}))
    )


CUSTOM_FUNCTIONS = (
    "u**4/4",
    "exp(u)",
    "abs(u)",
    "u*log(u)",
    "-sqrt(1 - u**2)",
    "2*u + 1",
    "max(-u, 2*u, u**2)",
    "exp(3*u)",
)


@pytest.mark.parametrize("name", [*PAIRS, *few(CUSTOM_FUNCTIONS, 3)])
def test_p_double_star_is_p_over_the_whole_window(name, outcomes):
    """Whatever slopes p has in the window, p** from q is drawn everywhere and is p itself."""
    outcome = outcomes(name) if name in PRESETS else sketches.pair(name)
    theta = PRESETS[name].values or {} if name in PRESETS else {}
    numbers = drawn(outcome, theta)
    # Where slopes grow without bound they are followed to 1e-12 from the end, where a root has 1e-6.
    assert numbers["worst"] < 2e-6
    assert numbers["whole"]
    assert numbers["missing"] == 0
    assert numbers["above"] < 1e-9 * max(abs(q) + 1 for _, q in numbers["lines"])
    low, high = map(float, numbers["ends"])
    assert math.isfinite(numbers["q"])
    assert low < numbers["slope"] < high or low == high


def test_a_slope_that_cannot_be_printed_is_said_in_a_sentence(monkeypatch):
    def derivative(*_):
        raise ValueError("mixes v and |v|")

    monkeypatch.setattr(printer, "derivative", derivative)
    outcome = sketches.pair("u**2/2")
    assert conjugates.tabled(outcome) == ["p", "q"]
    assert "the slope of the formula of q cannot be printed" in explained(outcome, "")


@pytest.mark.parametrize("text", few(["abs(u)**3", "u**4/4", "max(abs(u) - 1, 0)**2", "log(1 + exp(u))"], 1))
def test_no_piece_is_listed_twice(text):
    outcome = sketches.pair(text)
    for titles in ([step["title"] for step in outcome["steps"]], [c["name"] for c in outcome["claims"]]):
        assert len(titles) == len(set(titles))
        assert not any("oo" in title for title in titles)
