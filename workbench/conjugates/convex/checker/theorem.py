"""The theorem that a proof file states, as plain data and as lines of text."""

import ast
from collections import Counter

from workbench.conjugates.convex.checker import claims, forms, reading


def examine(proof):
    """Return the theorem of a proof and the status of its claims, as plain data.

    Returns
    -------
    dict
        "theorem" as `theorem` gives it; "proved", whether every claim was shown; "claims"; "second_solver",
        how often cvc5 answered what z3 had found to be unsat, null where it is not installed; "queries",
        these questions in SMT-LIB 2.
    """
    statement = theorem(proof)
    with forms.recorded() as queries, forms.asked_twice() as answers:
        results = claims.check(proof)
    return {
        "theorem": statement,
        "proved": all(claim.shown for claim in results),
        "claims": [claim._asdict() for claim in results],
        "second_solver": None if answers is None else {"name": "cvc5", **Counter(answers)},
        "queries": queries,
    }


def theorem(proof):
    """Return the theorem of a proof, in formulas as they were parsed, without remarks or doubtful spellings.

    Returns
    -------
    dict
        "p", "variable", "domain", "dual", "parameters" (conditions), "cases" (each with "when" and "q", rows
        of low, high and value of which equal ends are a single slope) and "excluded" (conditions, and the
        chord below p, or null where p is finite nowhere).
    """
    reading.read_proof(proof)
    function = proof["function"]
    chords = proof.get("chords", [None] * len(proof["excluded"]))
    return {
        "variable": function["variable"],
        "dual": proof["dual"],
        "p": _plain(function["text"]),
        "domain": _plain(function["domain"]) if function["domain"] else "",
        "parameters": {name: list(map(_plain, texts)) for name, texts in function["parameters"].items()},
        "cases": [{"when": list(map(_plain, case["when"])), "q": _values(case)} for case in proof["cases"]],
        "excluded": [
            {"when": list(map(_plain, texts)), "chord": chord and list(map(_plain, chord))}
            for texts, chord in zip(proof["excluded"], chords, strict=True)
        ],
    }


def lines(statement):
    """Return the theorem as lines for a reader."""
    u, v = statement["variable"], statement["dual"]
    where = statement["domain"] or f"all {u}"
    text = [
        f"q({v}) = sup over {u} of {u}*{v} - p({u})",
        f"p({u}) = {statement['p']}",
        f"    for {where} at which this is real and finite, with its limit at a single place without a "
        "value; infinite elsewhere",
    ]
    for name, conditions in statement["parameters"].items():
        text.append(f"for every real {name}" + "".join(f", {condition}" for condition in conditions))
    for case in statement["cases"]:
        text.append(f"q({v}){_when(case['when'])}:")
        text += [f"    {_unknown(value)}   {_span(v, low, high)}" for low, high, value in case["q"]]
        text.append("    infinite elsewhere; its limit at a single slope without a value")
    for region in statement["excluded"]:
        chord = region["chord"]
        reason = (
            f"p is not convex: it lies above its chord from {chord[0]} to {chord[1]} at the midpoint"
            if chord
            else "p is finite nowhere"
        )
        text.append(f"excluded{_when(region['when'])}: {reason}")
    return text


def _values(case):
    """Rows (low, high, value) of q from left to right; a row with equal ends is a single slope."""
    spans = [[_plain(low), _plain(high), _plain(value)] for low, high, value, *_ in case["spans"]]
    knots = [[_plain(place), _plain(place), _plain(value)] for place, value in case["knots"]]
    if not spans:
        return knots
    rows = [spans[0]]
    for knot, span in zip(knots, spans[1:], strict=True):
        rows += [knot, span]
    first, last = (
        [place, place, end and _plain(end[0])] for place, end in zip(_ends(spans), case["ends"], strict=True)
    )
    return [*([first] if case["ends"][0] else []), *rows, *([last] if case["ends"][1] else [])]


def _ends(spans):
    return spans[0][0], spans[-1][1]


def _plain(text):
    """Return the text as it was parsed; None for none."""
    return None if text is None else ast.unparse(ast.parse(text.strip().replace("^", "**"), mode="eval"))


def _when(conditions):
    return f" for {' and '.join(conditions)}" if conditions else ""


def _unknown(value):
    return "not given in closed form" if value is None else value


def _span(v, low, high):
    if low == high:
        return f"at {v} = {low}"
    below, above = "" if low == "-oo" else f"{low} < ", "" if high == "oo" else f" < {high}"
    return f"for {below}{v}{above}" if below or above else f"for all {v}"
