"""Forged proof files: what may be changed in a genuine one, family by family, and changes that are drawn.

A forgery may still state something true, as where the coefficient of a case that stands twice is changed;
`tests.helpers.proof_oracle` decides that in numbers. `genuine_proofs.json` holds what is forged.
"""

import copy
import json
import random
import re
from pathlib import Path

GENUINE = json.loads(Path(__file__).with_name("genuine_proofs.json").read_text(encoding="utf-8"))
GARBAGE = "{v}**7 - 1000"


def families():
    """Yield (family, function): function(proof) yields forgeries of a proof."""
    return [
        (name.removeprefix("_"), function)
        for name, function in globals().items()
        if name.startswith("_") and getattr(function, "forges", False)
    ]


def forgeries(name):
    """Yield (family, forged proof) of the genuine proof with a name."""
    for family, function in families():
        for forged in function(GENUINE[name]):
            if forged != GENUINE[name]:
                yield family, forged


def _forges(function):
    """Turn a function that yields changes of the proof it gets into one that yields the changed proofs."""

    def all_of(proof):
        count = len(list(function(*_parts(copy.deepcopy(proof)))))
        for k in range(count):
            forged = copy.deepcopy(proof)
            list(function(*_parts(forged)))[k]()
            yield forged

    all_of.forges = True
    return all_of


def _parts(proof):
    return proof, proof["cases"], proof["function"], proof["dual"]


def _set(container, key, value):
    return lambda: container.__setitem__(key, value)


@_forges
def _orders(proof, cases, function, v):
    """Intervals that are turned around, empty, repeated or in another order."""
    for case in cases:
        for key in ("pieces", "spans"):
            rows = case[key]
            for row in rows:
                yield lambda row=row: row.__setitem__(slice(0, 2), [row[1], row[0]])
                yield _set(row, 0, row[1])
                yield _set(row, 1, "-oo")
                yield _set(row, 0, "oo")
            yield rows.reverse
            if rows:
                yield lambda rows=rows: rows.insert(0, copy.deepcopy(rows[0]))
        for row in case["spans"]:
            wrong = GARBAGE.format(v=v)
            yield lambda row=row, wrong=wrong: row.__setitem__(slice(0, 3), ["1", "0", wrong])
            yield lambda row=row, wrong=wrong: row.__setitem__(slice(0, 3), ["2", "2", wrong])
            yield lambda row=row, wrong=wrong: row.__setitem__(slice(0, 3), ["oo", "oo", wrong])
            yield lambda row=row, wrong=wrong: row.__setitem__(slice(0, 3), ["-oo", "-oo", wrong])


@_forges
def _ends(proof, cases, function, v):
    """Ends of the domain of q that belong to it or not, their values and their witnesses."""
    for case in cases:
        for side in (0, 1):
            end = case["ends"][side]
            yield _set(case["ends"], side, None if end else ["0", None])
            yield _set(case["ends"], side, ["7", None])
            yield _set(case["ends"], side, ["7", "_eps"])
            yield _set(case["ends"], side, ["0", "1/_eps"])
            yield _set(case["endless"], side, "_M**2")
            if end:
                yield _set(end, 0, f"({end[0]}) + 1")
                yield _set(end, 0, f"({end[0]}) - 1/1000")
        for row in case["spans"]:
            for place in (0, 1):
                if not row[place].endswith("oo"):
                    yield _set(row, place, f"({row[place]}) + {2 * place - 1}")
                    yield _set(row, place, f"({row[place]}) - {2 * place - 1}/100")
                    yield _set(row, place, "oo" if place else "-oo")
        for row in case["knots"]:
            yield _set(row, 1, f"({row[1]}) + 1/10**9")
            yield _set(row, 1, "99")
            yield _set(row, 0, f"({row[0]}) + 1/10")


@_forges
def _names(proof, cases, function, v):
    """Variables that are constants, functions, each other, keywords or look-alikes."""
    declared = function["parameters"]
    for name in (
        "e",
        "E",
        "pi",
        "oo",
        "inf",
        "exp",
        "Abs",
        "piecewise",
        "lambda",
        "_eps",
        "",
        "𝐮",
        "1",
        "u v",
    ):
        yield _set(function, "variable", name)
        yield _set(proof, "dual", name)
        yield lambda name=name: declared.update({name: []})
    yield _set(proof, "dual", function["variable"])
    yield _set(function, "variable", v)
    yield lambda: declared.update({v: []})
    yield lambda: declared.update({function["variable"]: []})
    for name in declared:
        yield _set(proof, "dual", name)

        def renamed(name=name):
            text = re.sub(rf"\b{name}\b", "pi", json.dumps(proof))
            proof.update(json.loads(text))

        yield renamed


@_forges
def _switches(proof, cases, function, v):
    """Formulas of q or p on one interval that jump at a single place, or have a kink."""
    u = function["variable"]
    for case in cases:
        for row in case["spans"]:
            for jump in (
                f"piecewise((7, {v} == 1), (0, True))",
                f"indicator({v} != 1/2)",
                f"sign({v} - 1)**2 - 1",
                f"cbrt({v} - 1)*0**(({v} - 1)**2)",
                f"0**(({v} - 1)**2)",
                f"0**abs({v} + 1/2)",
                f"(1 - ({v} - 1)/({v} - 1))",
                f"(7 if {v} < 1/3 else 0)",
            ):
                yield _set(row, 2, f"({row[2]}) + {jump}")
            blind = f"({row[3]})*({v} - 1)/({v} - 1)"

            def both(row=row, blind=blind):
                row[2:4] = [f"piecewise((7, {v} == 1), ({row[2]}, True))", blind]

            yield both
        for row in case["pieces"]:
            for kink in (f"abs({u})", f"sqrt({u}**2)", f"max(0, {u})", f"sign({u})", f"0**({u}**2)"):
                for sign in "+-":
                    text = f"({row[2]}) {sign} {kink}"

                    def everywhere(row=row, text=text, sign=sign, kink=kink):
                        row[2] = text
                        function["text"] = f"({function['text']}) {sign} {kink}"

                    yield _set(row, 2, text)
                    yield everywhere


@_forges
def _exclusions(proof, cases, function, v):
    """Parameters that are left out without a reason, and cases that never hold."""
    wrong = GARBAGE.format(v=v)
    declared = list(function["parameters"])

    def nonsense(when, excluded, chords):
        def change():
            for case in cases:
                case["when"] = when
                for row in case["spans"]:
                    row[2] = wrong
                for row in case["knots"]:
                    row[1] = wrong.replace(v, "2")
            proof.update(excluded=excluded, chords=chords)

        return change

    for chords in ([], [None], [["-1", "1"]], [["0", "0"]], [["-oo", "oo"]]):
        yield lambda chords=chords: proof.update(excluded=[[]], chords=chords)
        yield nonsense(["1 < 0"], [[]], chords)
        yield nonsense(["oo < 0"], [[]], chords)
        yield nonsense(["0 < 1"], [], chords)
        for name in declared:
            yield nonsense([f"{name} < 0", f"{name} > 0"], [[]], chords)
            yield nonsense([f"{name} > 2"], [[f"{name} <= 2"]], chords)
            yield lambda name=name, chords=chords: proof.update(excluded=[[f"{name} > 1"]], chords=chords)
    yield lambda: proof.pop("chords", None)
    if proof.get("excluded"):
        yield lambda: proof.update(excluded=[], chords=[])
        yield lambda: proof.update(chords=[None] * len(proof["excluded"]))
        yield lambda: proof.update(chords=[["1", "3"]] * len(proof["excluded"]))
        yield lambda: proof["excluded"].__setitem__(0, [])


@_forges
def _limits(proof, cases, function, v):
    """Ranges with infinite ends, numbers and formulas beyond any size."""
    for name in function["parameters"]:
        for condition in ("{} < oo", "oo > {}", "{} > oo", "{} < -oo", "-oo > {}", "{} == oo", "{} != oo"):
            yield lambda name=name, condition=condition: function["parameters"].update(
                {name: [condition.format(name)]}
            )
        yield lambda name=name: function["parameters"].update({name: []})
        yield lambda name=name: function["parameters"].update({name: [f"{name} > 0", f"{name} < 0"]})
    for condition in ("0 > oo", "oo < 0", "oo < oo", "-oo > -oo", "oo == -oo", "oo <= 0", "0 >= oo"):
        yield lambda condition=condition: [case.update(when=[condition]) for case in cases]
    for number in (
        "1e9999999",
        "1e-9999999",
        "10**10**10",
        "exp(exp(exp(exp(9))))",
        "oo",
        "-oo",
        "2*oo",
        "1e4001",
    ):
        yield _set(function, "text", f"({function['text']}) + {number}")
        for row in cases[0]["spans"][:1]:
            yield _set(row, 2, f"({row[2]}) + {number}")
            yield _set(row, 1, number)
    yield _set(function, "text", "(" * 300 + function["text"] + ")" * 300)
    yield _set(function, "text", "exp(" * 150 + function["text"] + ")" * 150)
    yield _set(function, "text", function["text"] + " + 0" * 6000)
    yield _set(function, "text", function["text"] + "  # + 1")
    yield lambda: proof.update(cases=cases * 300)


@_forges
def _swaps(proof, cases, function, v):
    """Rows of another place, rows left out, a witness or piece of another row."""
    for case in cases:
        for key in ("pieces", "spans", "knots"):
            rows = case[key]
            for k in range(len(rows)):
                yield lambda rows=rows, k=k: rows.pop(k)
                for j in range(k):
                    for place in range(2, len(rows[k])):

                        def swap(rows=rows, j=j, k=k, place=place):
                            rows[j][place], rows[k][place] = rows[k][place], rows[j][place]

                        yield swap
        for row in case["spans"]:
            for k in (None, *range(len(case["pieces"])), -1, 99, True):
                yield _set(row, 4, k)
            for witness in (v, "0", f"({row[3]}) + 1", None):
                yield _set(row, 3, witness)
        yield lambda case=case: case.update(spans=[], knots=[["0", "0"]])
        yield lambda case=case: case["ends"].reverse()
        for k in range(len(case["spans"]) - 1):

            def without_knot(case=case, k=k):
                del case["spans"][k], case["knots"][k]

            yield without_knot
    for k in range(len(cases)):
        yield lambda k=k: cases.pop(k)


@_forges
def _coefficients(proof, cases, function, v):
    """Values of p or q that are somewhat different."""
    for change in (
        "2*({})",
        "-({})",
        "({}) + 1/10**12",
        "({}) - 1/1000",
        "({})**2",
        "0",
        "abs({})",
        "exp({})",
    ):
        yield _set(function, "text", change.format(function["text"]))
        for case in cases:
            for key in ("pieces", "spans"):
                for row in case[key]:
                    yield _set(row, 2, change.format(row[2]))


@_forges
def _domains(proof, cases, function, v):
    """Another domain of p, other ranges of the parameters or of a case."""
    u = function["variable"]
    domains = (
        f"{u} >= 0",
        f"{u} > 1",
        f"{u} != 0",
        f"{u} != 5",
        f"{u} < oo",
        f"{u} > oo",
        f"0 < {u} < 1",
        "1 < 0",
    )
    for domain in ("", *domains):
        yield _set(function, "domain", domain)
    for name, conditions in function["parameters"].items():
        for change in ((">", ">="), ("> 0", "> -1"), ("< 1", "< 2"), ("<", ">"), (">", "!=")):
            texts = [text.replace(*change) for text in conditions]
            yield lambda name=name, texts=texts: function["parameters"].update({name: texts})
    for case in cases:
        for k, text in enumerate(case["when"]):
            for change in ((">", ">="), ("<", "<="), ("==", ">="), ("<", ">"), (" 0", " 1")):
                yield _set(case["when"], k, text.replace(*change))
            yield lambda case=case, k=k: case["when"].pop(k)


# --- drawn

TOKEN = re.compile(r"\d+|\w+|\*\*|[<>!=]=|[-+*/<>]")
OPERATORS = ("+", "-", "*", "/", "**")
RELATIONS = ("<", "<=", ">", ">=", "==", "!=")
CALLS = ("exp", "log", "abs", "sqrt", "sign", "max", "min", "tanh", "asin")


def drawn(name, seed, changes=1):
    """A proof in which tokens of its texts, or whole texts, were changed as the seed says."""
    chance, proof = random.Random(f"{name} {seed}"), copy.deepcopy(GENUINE[name])
    for _ in range(changes):
        places = list(_texts(proof))
        container, key = chance.choice(places)
        if chance.random() < 0.2:
            other, another = chance.choice(places)
            container[key] = other[another]
        else:
            container[key] = _changed(container[key], chance, proof)
    return proof


def _texts(value):
    """Yield (container, key) of each text, without the names of variables."""
    rows = value.items() if isinstance(value, dict) else enumerate(value)
    for key, entry in rows:
        if isinstance(entry, str) and key not in ("variable", "dual"):
            yield value, key
        elif isinstance(entry, (dict, list)):
            yield from _texts(entry)


def _changed(text, chance, proof):
    tokens = list(TOKEN.finditer(text))
    if not tokens:
        return f"{proof['function']['variable']} >= 0"
    token = chance.choice(tokens)
    names = [proof["function"]["variable"], proof["dual"], *proof["function"]["parameters"], "pi", "e", "oo"]
    old = token[0]
    if old.isdigit():
        new = chance.choice((str(int(old) + 1), str(abs(int(old) - 1)), "0", "1", "2", "1/2", "-1", "oo"))
    elif old in RELATIONS:
        new = chance.choice(RELATIONS)
    elif old in OPERATORS:
        new = chance.choice(OPERATORS)
    elif old.lower() in CALLS:
        new = chance.choice(CALLS)
    else:
        new = chance.choice((*names, f"abs({old})", f"sqrt({old}**2)", f"({old} + 1)", f"0**{old}", "0"))
    return text[: token.start()] + new + text[token.end() :]
