"""`workbench derive`: what it prints, as text, LaTeX and JSON, and that bad input ends in one sentence."""

import json
import re

import pytest
import sympy as sp
from typer.testing import CliRunner

from tests.corpora import table
from tests.unit.cli.test_cli import invoke, one_sentence
from workbench._support.errors import ExpressionError
from workbench.cli import app
from workbench.conjugates.convex.conjugate import conjugate
from workbench.conjugates.convex.report import declared, derivation

pytestmark = pytest.mark.usefixtures("one_worker")
KEYS = {"p", "q", "domain", "variable", "implicit", "steps", "status", "claims", "seconds"}
STEP, CLAIM = {"title", "latex", "text", "reason"}, {"name", "status", "detail"}
# Takes minutes; whatever derives it faster needs another.
ENDLESS = "exp(exp(u))*u**20 + log(1 + exp(u))**7*cosh(u) + exp(u**2)"
OUT_OF_TIME = r"took longer than 0\.5 s and was stopped; try a simpler formula"

FORMULAS = table("misuse")["derived"]


@pytest.mark.parametrize("text", FORMULAS)
def test_json_is_one_object_with_the_conjugate(text):
    options, (q, domain) = FORMULAS[text]
    result = invoke("derive", text, *options, "--json")
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    assert result.stdout.count("\n") == 1
    answer = json.loads(result.stdout, parse_constant=pytest.fail)
    assert set(answer) >= KEYS
    assert (answer["domain"], answer["variable"], answer["implicit"]) == (domain, "v", False)
    assert all(set(step) == STEP and all(step.values()) for step in answer["steps"])
    assert all(set(claim) == CLAIM for claim in answer["claims"])
    assert answer["status"] == "proved"
    assert answer["seconds"] > 0
    names = {name: sp.Symbol(name, positive=True) for name in ("a", "p")}
    difference = sp.sympify(answer["q"], names) - sp.sympify(q.replace("piecewise", "Piecewise"), names)
    assert sp.simplify(sp.expand(difference)) == 0


@pytest.mark.parametrize("text", ["log(1 + exp(u))", "-log(u)", "abs(u)", "max(0, 1 - u)**p/p"])
def test_output_can_be_typed_in_again(text):
    """The conjugate of the conjugate is the function."""
    options, _ = FORMULAS[text]
    there = derivation(text, *options[1:2] if "--domain" in options else (), parameters=["p > 1"])
    back = derivation(there["q"], there["domain"], ["p > 1"], there["variable"])
    assert (there["p_variable"], there["variable"], back["p_variable"]) == ("u", "v", "v")
    parameters, points = {"p": "p > 1"}, [0.1, 0.7, 1.9]
    p = conjugate(there["p"], there["p_domain"], parameters, "u").p
    again = conjugate(back["q"], back["domain"], parameters, back["variable"]).p
    assert again(points, p=1.5) == pytest.approx(p(points, p=1.5))


REGIONS = ("max(0, u - a, 2*u - 10)", "--parameter", "a > 0")
NARROWED = ("u**2/2 + (5 - a)*abs(u)", "--parameter", "a > 0")


def test_json_has_the_regions_of_the_parameters():
    answer = json.loads(invoke("derive", *REGIONS, "--json").stdout)
    # Both formulas hold on the border, so either region may have it.
    assert {case["condition"].replace("=", "") for case in answer["cases"]} == {"a < 5", "a > 5"}
    assert (answer["conditions"], answer["excluded"], answer["domain"]) == ("", [], "0 <= v <= 2")
    a, v = sp.symbols("a v", positive=True)
    (beyond,) = [case for case in answer["cases"] if ">" in case["condition"]]
    assert sp.sympify(beyond["q"], {"a": a, "v": v}) == 5 * v
    assert len([step for step in answer["steps"] if step["title"].startswith("The case")]) == 2


def test_text_shows_each_region_with_its_formula():
    result = invoke("derive", *REGIONS)
    assert result.exit_code == 0
    lines = [line.strip() for line in result.stdout.split("\n")]
    start = lines.index("The formula of the conjugate depends on the parameters:")
    below, beyond = (
        next(k for k, line in enumerate(lines) if k > start and re.fullmatch(heading, line))
        for heading in ("for a [<≤] 5:", "for a [>≥] 5:")
    )
    assert below != beyond
    assert "q(v) = 5⋅v   for 0 ≤ v ≤ 2" in lines[beyond : beyond + 4]
    assert "Eq(" not in result.stdout


def test_a_narrowed_range_is_said_with_the_reason():
    answer = json.loads(invoke("derive", *NARROWED, "--json").stdout)
    assert (answer["conditions"], [region["condition"] for region in answer["excluded"]]) == (
        "a <= 5",
        ["a > 5"],
    )
    assert "lies above the chord" in answer["excluded"][0]["reason"]
    text = invoke("derive", *NARROWED).stdout
    assert "The conjugate exists for a ≤ 5 only:" in text
    assert "for a > 5, the function is not convex" in text


def test_text_shows_p_the_steps_q_and_the_claims():
    result = invoke("derive", "log(1 + exp(u))")
    assert result.exit_code == 0
    assert result.stderr == ""  # no terminal, so nothing that moves
    lines = [line.rstrip() for line in result.stdout.split("\n")]
    assert "p(u) = log⎝ℯ  + 1⎠" in lines
    titles = ["What is asked", "The piece on (-∞, ∞)", "The domain", "The conjugate"]
    places = [lines.index(f"{number}. {title}") for number, title in enumerate(titles, 1)]
    assert places == sorted(places)
    assert "      q(v) = v⋅log(v) + (1 - v)⋅log(1 - v)   for 0 ≤ v ≤ 1" in lines[places[-1] :]
    assert any(line.split() == ["claim", "status", "detail"] for line in lines)
    assert any(line.startswith("convex") and "proved" in line for line in lines)
    assert any(line.startswith("status: proved, ") for line in lines)


def test_every_step_is_drawn_and_no_line_is_broken():
    names = [letter * 20 for letter in "abcdf"]
    options = [option for name in names for option in ("--parameter", f"{name} > 0")]
    result = invoke("derive", "*".join([*names, "u**2"]), *options)
    assert result.exit_code == 0, result.stderr
    assert f"p(u) = {'⋅'.join(names)}⋅u" in result.stdout


def test_an_implicit_conjugate_has_status_checked():
    answer = json.loads(invoke("derive", "u**4 + exp(u)", "--json").stdout)
    assert answer["implicit"] is True
    assert answer["status"] == "checked"
    assert any("missing step" in claim["detail"] for claim in answer["claims"])
    assert "u_star" in answer["q"]


def test_latex_is_a_fragment_of_the_steps():
    result = invoke("derive", "max(0, abs(u) - epsilon)", "--parameter", "epsilon > 0", "--latex")
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.rstrip().split("\n")
    assert (lines[0], lines[-1]) == (r"\begin{enumerate}", r"\end{enumerate}")
    items, formulas = lines[1:-1:2], lines[2:-1:2]
    assert all(line.startswith(r"  \item \textbf{") for line in items)
    assert all(line.startswith(r"    \[ ") and line.endswith(r" \]") for line in formulas)
    assert not any(letter in line.replace(r"\_", "") for line in items for letter in "_^#%&∞")
    for line in lines:
        assert line.count("{") == line.count("}")


def test_an_encoding_without_the_characters_prints_others():
    result = CliRunner(charset="ascii").invoke(app, ["derive", "abs(u)"])
    assert result.exit_code == 0, result.stderr
    assert "status: proved" in result.stdout


# Parameters


DECLARED = table("misuse")["declared"]


@pytest.mark.parametrize(("texts", "parameters"), DECLARED.values(), ids=DECLARED)
def test_parameters_from_texts(texts, parameters):
    assert declared(texts) == parameters


@pytest.mark.parametrize("text", ["", "p", " p ", "1 > 0", "exp"])
def test_a_text_without_a_declaration_is_refused(text):
    with pytest.raises(ExpressionError, match="write what it may be, as in 'p > 1'"):
        declared([text])


# Misuse

MISUSE = (
    *table("misuse")["derive"],
    (("(" * 5000 + "u" + ")" * 5000,), "formula"),
)


def is_told(result, as_json):
    """Return True if a refusal is one sentence, also in the object that --json prints."""
    message = json.loads(result.stdout)["error"] if as_json else ""
    return one_sentence(result.stderr) and message in result.stderr and (as_json or not result.stdout)


@pytest.mark.parametrize(
    ("arguments", "says"), MISUSE, ids=[" ".join(arguments)[:40] for arguments, _ in MISUSE]
)
def test_misuse_is_one_sentence_and_exit_code_two(arguments, says):
    result = invoke("derive", *arguments)
    assert result.exit_code == 2, result.output
    assert is_told(result, as_json="--json" in arguments)
    assert re.search(says, result.stderr), result.stderr
    assert result.stderr.rstrip("\n").isprintable()


def test_a_derivation_that_hangs_ends_at_its_limit():
    limit = 0.5
    result = invoke("derive", ENDLESS, "--timeout", limit, "--json")
    assert result.exit_code == 2
    assert is_told(result, as_json=True)
    assert re.search(OUT_OF_TIME, result.stderr)
