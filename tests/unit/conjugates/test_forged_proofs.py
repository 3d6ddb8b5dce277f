"""No forger passes the checker: what it accepts holds by an oracle of numeric suprema."""

import copy
import json

import pytest

from tests.corpora.forged_proofs import GENUINE, drawn, families, forgeries
from tests.helpers.amounts import THOROUGH, amount, some
from tests.helpers.commands import invoke
from tests.helpers.proof_oracle import counterexample
from workbench.conjugates.convex.checker import claims, forms, reading, theorem

QUICK = ("affine", "absolute value", "pinball", "entropy less line", "negative logarithm", "scaled square")


def accepted(proof):
    """True if every claim is shown; the first that is not ends the check."""
    try:
        read = claims.Proof(proof)
    except claims.ProofError:
        return False
    return not any(getattr(read, name)() for name in claims.NAMES)


def judged(proof):
    """("rejected" | "true" | "false", the contradiction) of a proof."""
    if not accepted(proof):
        return "rejected", ""
    problem = counterexample(proof)
    return ("false" if problem else "true"), problem


def changed(name, change):
    proof = copy.deepcopy(GENUINE[name])
    change(proof, proof["cases"][0])
    return proof


# --- forgeries and what became of them


@pytest.mark.parametrize("name", some(GENUINE, 8))
def test_genuine_proofs_are_accepted_and_true(name):
    assert judged(GENUINE[name]) == ("true", "")


@pytest.mark.parametrize(("family", "function"), families(), ids=[family for family, _ in families()])
def test_accepted_forgeries_still_hold(family, function):
    """At least seven of each of nine families; in the long run all, of every genuine proof."""
    rows = [
        forged
        for name in (GENUINE if THOROUGH else QUICK)
        for forged in function(GENUINE[name])
        if forged != GENUINE[name]
    ]
    outcomes = [(judged(forged), forged) for forged in some(rows, 14)]
    assert len(outcomes) >= 7
    assert [(problem, forged) for (outcome, problem), forged in outcomes if outcome == "false"] == []


@pytest.mark.parametrize("seed", range(amount(3, 30)))
def test_drawn_changes_are_accepted_only_where_they_hold(seed):
    for name in QUICK:
        proof = drawn(name, seed, 1 + seed % 3)
        outcome, problem = judged(proof)
        assert outcome != "false", (problem, proof)


def test_oracle_contradicts_what_is_false():
    wrong = changed("scaled square", lambda _, case: case["spans"][0].__setitem__(2, "v**2/a"))
    assert counterexample(wrong).startswith("q(")
    wrong = changed("slope of any sign", lambda proof, _: proof.update(excluded=[["a > 0"]]))
    wrong["cases"] = [case for case in wrong["cases"] if "a > 0" not in case["when"]]
    assert counterexample(wrong)
    assert sum(1 for name in GENUINE for _ in forgeries(name)) >= 60


# --- the holes that were found, one by one


def excluding_all(proof, case):
    proof.update(excluded=[[]])
    case["when"] = ["1 < 0"]
    case["spans"][0][2] = "v**7"


def any_value_beyond(proof, case):
    proof["function"]["parameters"]["a"] = ["a > oo"]
    case["spans"][0][2] = "v**7"


def backward_span(proof, case):
    case["spans"] = [["-oo", "0", "v**2/(4*a)", "v/(2*a)", 0], ["1", "0", "v**7", "v", 0]]
    case["knots"] = [["0", "0"]]


def blind_witness(proof, case):
    """The witness has no value where q is wrong."""
    case["spans"][0][2] = f"piecewise((7, v == 1), ({case['spans'][0][2]}, True))"
    case["spans"][0][3] = f"({case['spans'][0][3]})*(v - 1)/(v - 1)"


def jump_of_a_power(proof, case):
    case["spans"][0][2] += " + 0**((v - 1)**2)"


def chord_of_one_point(proof, case):
    proof.update(excluded=[["a > 1"]], chords=[["1", "1"]])
    case["when"] = ["a <= 1"]


@pytest.mark.parametrize(
    "change",
    [excluding_all, any_value_beyond, backward_span, blind_witness, jump_of_a_power, chord_of_one_point],
)
def test_known_forgeries_are_rejected(change):
    assert accepted(GENUINE["scaled square"])
    assert not accepted(changed("scaled square", change))


def test_two_values_at_the_only_slope_are_rejected():
    assert not accepted(changed("affine", lambda _, case: case["knots"][0].__setitem__(1, "99")))


def test_a_piece_has_no_hole():
    """Each side of 1/u**2 is convex, and together they are not."""
    row = ["-oo", "oo", "1/u**2"]
    proof = changed("negative logarithm", lambda proof, case: case.update(pieces=[row]))
    proof["function"]["text"] = "1/u**2"
    (cover, *_) = claims.check(proof)
    assert not cover.shown
    # A hole of the typed formula alone is filled by its limit.
    filled = changed("scaled square", lambda proof, case: proof["function"].update(text="a*u**3/(2*u)"))
    assert accepted(filled)


def test_infinite_ends_follow_one_rule():
    for condition, holds in (
        ("a < oo", True),
        ("oo > a", True),
        ("a >= -oo", True),
        ("a > oo", False),
        ("oo < a", False),
        ("oo == oo", True),
        ("-oo < oo", True),
        ("oo < oo", False),
    ):
        tree = claims.grammar.parse_condition(condition)
        assert claims.grammar.compare_infinite(*tree) is holds
        assert forms.settled(lambda face, tree=tree: face.holds(tree)) is holds
        assert claims.balls.decided(tree, {"a": claims.balls.interval(1)}) is holds


def test_excluded_parameters_need_a_reason():
    proof = GENUINE["slope of any sign"]
    assert accepted(proof)
    for chords in ([None], [["1", "2"]], [["0", "0"]]):
        assert not accepted({**proof, "chords": chords})
    assert not accepted({key: value for key, value in proof.items() if key != "chords"})


def test_a_domain_of_one_point_is_a_piece():
    function = {"text": "u**2", "variable": "u", "domain": "u == 3", "parameters": {}}
    proof = changed("scaled square", lambda proof, _: proof.update(function=function))
    proof["cases"][0].update(pieces=[["3", "3", "9"]], spans=[["-oo", "oo", "3*v - 9", "3", None]])
    assert judged(proof) == ("true", "")
    proof["function"]["domain"] = "u >= 3"
    assert not accepted(proof)


# --- what cannot be read


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda proof, case: proof.update(dual="pi"), "pi is a constant or a function"),
        (lambda proof, case: proof["function"].update(variable="e"), "e is a constant or a function"),
        (lambda proof, case: proof["function"]["parameters"].update(v=[]), "v names two things"),
        (
            lambda proof, case: proof["function"]["parameters"].update({"lambda": []}),
            "'lambda' is not a valid",
        ),
        (lambda proof, case: proof.update(note="trust me"), "unknown key 'note'"),
        (lambda proof, case: case.pop("knots"), "knots is missing"),
        (lambda proof, case: case["spans"][0].__setitem__(4, True), "True is not the number of a piece"),
        (lambda proof, case: case["spans"][0].__setitem__(2, "oo*v"), "oo stands inside a formula"),
        (lambda proof, case: case["spans"][0].__setitem__(2, "1e9999999"), "is not a decimal number"),
        (lambda proof, case: case["spans"][0].__setitem__(2, "sign(v)"), "sign of v"),
        (lambda proof, case: case["spans"][0].__setitem__(2, "v  # 2"), "a character that no formula has"),
        (lambda proof, case: case["spans"][0].__setitem__(2, "𝐯"), "a character that no formula has"),
        (lambda proof, case: case["ends"].__setitem__(0, ["0", None]), "an infinite end"),
        (lambda proof, case: proof.update(version=True), "version True is not 1"),
        (lambda proof, case: proof.update(cases=[case] * 300), "a list of at most 200"),
    ],
)
def test_a_wrong_field_is_named(change, says):
    with pytest.raises(reading.ProofError, match=says):
        claims.check(changed("scaled square", change))


# --- the theorem, and the second solver


def test_theorem_states_all_of_it():
    proof = GENUINE["slope of any sign"]
    statement = theorem.theorem(proof)
    assert statement["parameters"] == {"a": []}
    assert statement["excluded"] == [{"when": ["a < 0"], "chord": ["-1", "1"]}]
    assert {tuple(case["when"]) for case in statement["cases"]} == {tuple(c["when"]) for c in proof["cases"]}
    text = "\n".join(theorem.lines(statement))
    for part in ("a * Abs(u)", "for every real a", "excluded for a < 0", "infinite elsewhere"):
        assert part in text
    entropy = theorem.theorem(GENUINE["entropy less line"])
    assert entropy["domain"] == "u >= 0"
    assert entropy["cases"][0]["q"] == [["-oo", "oo", "exp(v)"]]


def test_a_second_solver_that_disagrees_overrules(monkeypatch):
    pytest.importorskip("cvc5")
    result = theorem.examine(GENUINE["pinball"])
    assert result["proved"]
    assert result["second_solver"]["unsat"] == len(result["queries"]) > 5
    monkeypatch.setattr(forms, "other_answer", lambda text: "sat")
    assert not theorem.examine(GENUINE["pinball"])["proved"]


def test_the_limit_of_z3_is_its_own_count(monkeypatch):
    """With no steps nothing is shown, however long it may take."""
    monkeypatch.setattr(forms, "STEPS", 1)
    assert not accepted(GENUINE["pinball"])


# --- the command


@pytest.mark.usefixtures("one_worker")
def test_check_prints_the_theorem_and_keeps_its_limits(tmp_path):
    file = tmp_path / "proof.json"
    file.write_text(json.dumps(GENUINE["power"]))
    done = invoke("check", file)
    assert done.exit_code == 0
    assert "Theorem, proved:" in done.stdout
    assert "p > 1" in done.stdout
    data = json.loads(invoke("check", file, "--json").stdout)
    assert data["proved"]
    assert data["theorem"]["parameters"] == {"p": ["p > 1"]}
    late = invoke("check", file, "--timeout", "0.02")
    assert late.exit_code == 2
    assert "the check took longer than 0.02 s" in late.stderr


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"version": 1, "version": 2}', "stands twice"),
        ("[" * 100_000, "is not a proof"),
        ("1" * 5000, "proof"),
    ],
)
def test_a_hostile_file_is_refused_in_a_sentence(tmp_path, content, says):
    file = tmp_path / "proof.json"
    file.write_text(content)
    done = invoke("check", file)
    assert done.exit_code == 2
    assert says in done.stderr
