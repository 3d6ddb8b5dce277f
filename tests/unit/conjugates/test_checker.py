"""The checker decides by itself: it rejects every wrong proof, and what it accepts numbers bear out."""

import copy
import functools
import json
import math
import random
import subprocess
import sys

import pytest
import sympy as sp

import workbench as wb
from tests.helpers.amounts import amount, few, some
from tests.helpers.commands import invoke
from tests.helpers.drawn_formulas import INTERVALS, formula, values
from workbench.conjugates.convex.checker import balls, claims, forms, grammar
from workbench.conjugates.convex.checker.forms import Undecided, Undefined, settled

TEXTS = {
    "hinge": ("max(0, 1 - u)", {}),
    "squared hinge": ("max(0, 1 - u)**2/2", {}),
    "square": ("u**2", {}),
    "absolute value": ("abs(u)", {}),
    "logistic": ("log(1 + exp(-u))", {}),
    "exponential": ("exp(u)", {}),
    "powers": ("max(0, 1 - u)**p/p", {"p": "p >= 1"}),
    "pinball": ("max(tau*u, (tau - 1)*u)", {"tau": "0 < tau < 1"}),
    "Lambert": ("exp(u) + u**2/2", {}),
    "angle": ("-cos(u)", {}, "-pi/2 <= u <= pi/2"),
    "inverse angle": ("asin(u)", {}, "0 <= u <= 1"),
}


@functools.cache
def proof_of(name):
    text, parameters, *domain = TEXTS[name]
    return wb.conjugate(text, *domain, parameters=parameters).proof()


def missing(proof):
    return [claim.name for claim in claims.check(proof) if not claim.shown]


def test_the_checker_is_without_sympy():
    code = "import sys; import workbench.conjugates.convex.checker.claims; print('sympy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@pytest.mark.parametrize("name", TEXTS)
def test_a_proof_survives_json(name):
    assert missing(json.loads(json.dumps(proof_of(name)))) == []


# --- wrong proofs: each is false at a number that the test finds


def accepted(wrong):
    """Return True if all claims of a proof are shown; stop at the first that is not."""
    try:
        read = claims.Proof(wrong)
        return not any(getattr(read, name)() for name in claims.NAMES)
    except claims.ProofError:
        return False


def proof(text, q, witness):
    """That of a smooth function on the line whose conjugate has one formula."""
    return {
        "version": 1,
        "dual": "v",
        "function": {"text": text, "variable": "u", "domain": "", "parameters": {}},
        "cases": [
            {
                "when": [],
                "pieces": [["-oo", "oo", text]],
                "spans": [["-oo", "oo", q, witness, 0]],
                "knots": [],
                "ends": [None, None],
                "endless": [None, None],
            }
        ],
        "excluded": [],
    }


@pytest.mark.parametrize(
    "q",
    [
        "piecewise((-1, v == 0), (v**2/4, True))",
        "piecewise((7, v == 1), (v**2/4, True))",
        "v**2/4 + sign(v)**2 - 1",
        "v**2/4 + 0**(v**2)",
        "v**2/4 + sign(v - 1)**2 - 1",
    ],
)
def test_a_value_that_is_wrong_at_one_slope_is_rejected(q):
    assert not accepted(proof("u**2", q, "v/2"))


def test_undecided_values_are_not_covered():
    """To decide whether some a < 0 lies in neither needs a square root that does not exist."""
    open_ = proof("a*u**2", "v**2/(4*a)", "v/(2*a)")
    open_["function"]["parameters"]["a"], open_["cases"][0]["when"] = ["a != 0"], ["a > 0"]
    open_["chords"] = [["-1", "1"]]
    for excluded, missed in (("a < 0", []), ("sqrt(a) < 0", list(claims.NAMES))):
        open_["excluded"] = [[excluded]]
        assert missing(open_) == missed


def test_a_slope_where_a_formula_has_no_value_is_left_out():
    assert missing(proof("u**2", "v**3/(4*v)", "v/2")) == []


@pytest.mark.parametrize("seed", range(amount(25, 60)))
def test_decisions_on_drawn_formulas_hold_in_numbers(seed):
    chance = random.Random(seed)
    ends, text, kind = chance.choice(INTERVALS), formula(chance), chance.choice(("<=", ">=", "<", ">", "=="))
    other = chance.choice(("0", "1", f"sqrt(1 - ({text})**2)", f"({text})**2/({text})", formula(chance, 2)))
    text = f"({text}) - ({other})"
    tree, conditions = grammar.parse(text), [f"v > {ends[0]}", f"v < {ends[1]}"]

    def question(face):
        form = face.form(tree)
        return face.is_zero(form) if kind == "==" else face.is_(form, kind)

    try:
        with forms.BUDGET.limited_to(2.0):
            is_shown = settled(question, list(map(grammar.parse_condition, conditions)))
    except (Undecided, Undefined):
        is_shown = False
    if is_shown:
        for value in values(text, ends):
            assert grammar.compare_with_zero(0 if abs(value) < 1e-40 else value, kind), (text, kind, ends)


def test_classics_are_rejected():
    assert missing(proof("u**2", "v**2/4", "v/2")) == []
    # q = 0 at the witness u(v) = v, the double well, a function that bends down.
    assert {"bound", "attained"} <= set(missing(proof("u**2", "0", "v")))
    assert "convex" in missing(proof("(u**2 - 1)**2", "0", "0"))
    assert "convex" in missing(proof("-u**2", "-v**2/4", "-v/2"))


# --- its parts


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("log(1 + exp(log(v/(1 - v)))) + log(1 - v)", ["v > 0", "v < 1"]),
        ("(v**(1/(p - 1)))**p - v**(p/(p - 1))", ["v > 0", "p > 1"]),
        ("cosh(asinh(v)) - sqrt(1 + v**2)", []),
        ("sqrt(u**2) + u", ["u < 0"]),
        ("sign(u)*u - abs(u)", ["u < 0"]),
        ("log(8) - 3*log(2)", []),
        ("max(0, 1 - u)**p", ["u > 1", "p > 0"]),
    ],
)
def test_equal_values_have_equal_forms(text, conditions):
    tree = grammar.parse(text)
    assumptions = [grammar.parse_condition(condition) for condition in conditions]
    assert settled(lambda face: face.is_zero(face.form(tree)), assumptions)
    other = grammar.parse(f"({text}) + 1/1000")
    assert not settled(lambda face: face.is_zero(face.form(other)), assumptions)


@pytest.mark.parametrize(
    ("text", "error"),
    [("log(u)", Undefined), ("sqrt(u)", Undefined), ("1/(u - u)", Undefined), ("log(1 + u)", Undecided)],
)
def test_a_formula_without_a_value_says_so(text, error):
    with pytest.raises(error):
        settled(lambda face: face.form(grammar.parse(text)), [grammar.parse_condition("u < 0")], splits=0)


@pytest.mark.parametrize(
    ("text", "v", "q"),
    [
        ("u**2", 3.0, 2.25),
        ("max(0, 1 - u)", -0.5, -0.5),
        ("log(1 + exp(u))", 0.25, 0.25 * math.log(0.25) + 0.75 * math.log(0.75)),
        ("exp(u)", 2.0, 2 * math.log(2) - 2),
        ("abs(u)**3/3", 1 / 3, 2 / 3 * (1 / 3) ** 1.5),
    ],
)
def test_enclosures_decide(text, v, q):
    for convex in (True, False):
        supremum = balls.Supremum(grammar.parse(text), "u", {}, [1.0], convex=convex)
        for shift, verdict in ((0.0, "agrees"), (1e-6, "contradicts"), (-1e-6, "contradicts")):
            answer, _ = supremum.verdict(
                balls.interval(v),
                tuple(map(sum, zip(balls.interval(q), balls.interval(shift), (-1e-15, 1e-15), strict=True))),
            )
            assert answer == verdict or (answer == "undecided" and not convex)


# --- functions that are refused, with a witness that was decided


@pytest.mark.parametrize("k", range(4, 13))
def test_a_function_that_stops_being_convex_far_out_is_refused(k):
    for text in (
        f"u**2 - u**4/10**{k}",
        f"u**2 - exp(u/10**{k // 2})",
        f"exp(u) - u**2/10**{k}",
    ):
        with pytest.raises((wb.ConvexityError, wb.UndecidedError)) as caught:
            wb.conjugate(text)
        if points := getattr(caught.value, "points", None):
            left, middle, right = (balls.interval(point) for point in points)
            tree = grammar.parse(text)
            height = [balls.evaluate(tree, {"u": place}) for place in (left, middle, right)]
            assert 2 * height[1][0] > height[0][1] + height[2][1]


@pytest.mark.parametrize("k", [3, 30, 100, 300])
def test_scales_neither_break_nor_fool(k):
    for text in (f"1e-{k}*u**2", f"1e-{k}*abs(u)", f"max(0, 1 - 1e-{k}*u)"):
        assert wb.conjugate(text).verify().status in ("proved", "checked")


@pytest.mark.parametrize("p", few(["p > 0", "p > 1", "1 <= p <= 2", "p >= 1"], 2))
def test_powers_at_every_end_of_their_range(p):
    for text in some(("abs(u)**p/p", "max(0, u - 1)**p"), 1):
        pair = wb.conjugate(text, parameters={"p": p})
        assert pair.verify().status == "proved"
        assert str(pair.conditions) == ("p >= 1" if p == "p > 0" else "True")


def test_internal_errors_become_sentences():
    assert wb.conjugate("exp(exp(exp(u)))").verify().status == "checked"


# --- the command line


@pytest.mark.usefixtures("one_worker")
def test_a_proof_is_written_and_checked(tmp_path):
    file, asked = tmp_path / "proof.json", tmp_path / "asked.smt2"
    done = invoke("prove", "a*max(0, u)", "--parameter", "a > 0", "--out", file, "--smt2", asked)
    assert done.exit_code == 0
    assert invoke("check", file).exit_code == 0
    report = json.loads(invoke("check", file, "--json").stdout)
    assert [claim["name"] for claim in report["claims"]] == list(claims.NAMES)
    proof = json.loads(file.read_text())
    proof["cases"][0]["spans"][0][2] += " + 1"
    file.write_text(json.dumps(proof))
    wrong = invoke("check", file)
    assert wrong.exit_code == 1
    assert "not shown" in wrong.stdout


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("[1,", "is not a proof"),
        ("{}", "version"),
        ('{"version": 7}', "version 7 is not 1"),
        ("7", "the proof cannot be read"),
    ],
)
def test_a_broken_proof_file_is_refused_in_a_sentence(tmp_path, content, says):
    file = tmp_path / "proof.json"
    file.write_text(content)
    result = invoke("check", file)
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit)
    assert says in result.stderr


@pytest.mark.usefixtures("one_worker")
def test_two_other_solvers_agree(tmp_path):
    import cvc5
    import z3

    file = tmp_path / "asked.smt2"
    invoke("prove", "max(0, 1 - u)", "--smt2", file)
    texts = file.read_text().split("(reset)\n")
    assert len(texts) > 5
    for text in texts:
        solver = z3.Solver()
        solver.from_string(text)
        assert solver.check() == z3.unsat
        solver = cvc5.Solver(cvc5.TermManager())
        parser = cvc5.InputParser(solver)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, "(set-logic QF_NRA)\n" + text, "asked")
        answers = []
        while not (command := parser.nextCommand()).isNull():
            answers.append(command.invoke(solver, parser.getSymbolManager()).strip())
        assert "unsat" in answers


# --- what evidence certificates carry


def test_a_certificate_has_the_proof_status_of_its_terms():
    data = wb.data.load("breast-cancer")
    X, y = data.X[:40], data.y[:40]
    built_in = wb.Problem(X, y, loss="hinge", regularizer="l1", lam=0.1)
    own = wb.losses.custom("u**4/4 + exp(u)", kind="residual")
    assert built_in.proof_status["hinge"]["bound"] == built_in.proof_status["l1"]["bound"] == "proved"
    solution = wb.solve(wb.Problem(X, y, loss=own, lam=0.1), max_epochs=2)
    assert solution.proof_status["custom"]["bound"] == "checked"
    assert solution.proof_status["squared-l2"]["bound"] == "proved"


def test_why_a_gap_is_never_negative():
    (left, right) = wb.conjugate("max(0, 1 - u)").why()
    u, v = (sp.Symbol(name, real=True) for name in "uv")
    assert sp.simplify(left.gap - (1 - u) * (1 + v)) == 0
    assert sp.simplify(right.gap - (u - 1) * -v) == 0
    assert {left.kind, right.kind} == {"product"}
    (face,) = wb.conjugate("u**2/2").why()
    assert face.kind == "square"
    (face,) = wb.conjugate("exp(u)").why()
    assert face.kind == "tangent"


def test_questions_are_recorded_where_asked():
    with forms.recorded() as asked:
        claims.check(wb.conjugate("abs(u)").proof())
    assert asked
    assert all(text.rstrip().endswith("(check-sat)") for text in asked)


# --- what a proof may not hide


def spoiled(proof, change):
    wrong = copy.deepcopy(proof)
    change(wrong)
    return wrong


@pytest.mark.parametrize(
    "change",
    [
        lambda proof: proof["cases"][0]["spans"][0].__setitem__(2, "u*v"),
        lambda proof: (proof["cases"][0].update(when=["u == 0"]), proof.update(excluded=[["u != 0"]])),
        lambda proof: proof.update(dual="u"),
        lambda proof: proof["function"]["parameters"].update(_eps=[]),
    ],
)
def test_names_stand_only_where_they_belong(change):
    with pytest.raises(claims.ProofError):
        claims.check(spoiled(proof_of("square"), change))


@pytest.mark.parametrize("name", ["eps", "M"])
def test_a_parameter_may_have_any_name(name):
    pair = wb.conjugate(f"{name}*log(1 + exp(u))", parameters={name: f"{name} > 0"})
    assert pair.verify().status == "proved"


def test_a_logarithm_splits_into_factors_of_known_sign_alone():
    """log(a b) is not bounded by a + b - 2, which two negative numbers would get below it."""
    assumptions = [grammar.parse_condition(text) for text in ("a*b > 0", "a != 0", "b != 0")]
    goal = grammar.parse_condition("log(a*b) <= a + b - 2")
    assert not settled(lambda face: face.holds(goal), assumptions)


def test_a_value_below_the_limit_at_an_end_does_not_cover_it():
    text = "piecewise((0, u == 0), (1 + u, u > 0), (oo, True))"
    proof = wb.conjugate("1 + u", "u >= 0").proof()
    proof["function"].update(text=text, domain="")
    assert "cover" in missing(proof)
    with pytest.raises(wb.ConvexityError, match="not convex"):
        wb.conjugate(text)
