"""Judge the statement of a proof file by numeric suprema in 110 digits, without the checker."""

import itertools
import random
from types import SimpleNamespace

from tests.helpers.supremum import MP, Function, bend, evaluated, exact

TOLERANCE, DRAWS = MP.mpf(10) ** -15, 5
NUMBERS = ("0", "1/4", "1/2", "3/4", "1", "3/2", "2", "5", "-1/4", "-1/2", "-1", "-3", "1/1000", "100")
INSIDE = ("-3", "-1/2", "0", "7/10", "4")
SPELLINGS = (("Abs(", "abs("), ("Max(", "max("), ("Min(", "min("), ("Piecewise(", "piecewise("), ("^", "**"))
GRID = [MP.mpf(k) / 16 for k in range(-160, 161)]
MULTIPLES = [MP.mpf(k) / 8 for k in range(-24, 25)]


def counterexample(proof, seed=0):
    """Return where the statement of a proof is wrong, in words; "" where no number contradicts it.

    Parameters are drawn from their declared range. For each draw some case, in whose range it lies, gives q;
    where it is excluded instead, p must not be convex.
    """
    chance, checked = random.Random(seed), 0
    names = list(proof["function"]["parameters"])
    draws = list(itertools.product(map(_number, NUMBERS), repeat=len(names)))
    conditions = [text for texts in proof["function"]["parameters"].values() for text in texts]
    for draw in chance.sample(draws, len(draws)):
        values = dict(zip(names, draw, strict=True))
        if not _holds(conditions, values):
            continue
        cases = [case for case in proof["cases"] if _holds(case["when"], values)]
        excluded = any(_holds(texts, values) for texts in proof["excluded"])
        problem = _of_case(proof, cases, excluded, values)
        if problem:
            return f"{problem} for { ({name: MP.nstr(value) for name, value in values.items()}) }"
        checked += 1
        if checked == DRAWS:
            break
    return "" if checked else "no drawn values of the parameters are in their range"


def _of_case(proof, cases, excluded, values):
    p, grid = _function(proof, values), {*GRID, *(x * k for x in values.values() for k in MULTIPLES)}
    if p.inner is None:
        return "" if excluded and not cases else "p is finite at no number"
    if not cases:
        if not excluded:
            return "no case holds and nothing is excluded"
        return "" if bend(p, grid) is not None else "p seems convex although it is excluded"
    places = {u for u in (*grid, p.inner) if not _is_hole(p, u)}
    if (place := bend(p, places)) is not None:
        return f"p is not convex at {MP.nstr(place)}"
    for case in cases:
        for v, q in _values(case, proof["dual"], values):
            expected = p.supremum(v)
            close = abs(expected - q) <= TOLERANCE * (1 + abs(q)) if MP.isfinite(q) else expected == q
            if not close:
                return f"q({MP.nstr(v)}) = {MP.nstr(q, 20)}, not {MP.nstr(expected, 20)}"
    return ""


def _is_hole(p, u):
    """True if the formula, and not the domain, leaves out a single place, where p is its limit."""
    step = MP.mpf(2) ** -200
    in_domain = p.domain is None or evaluated(p.domain, {**p.parameters, p.variable: u})
    return in_domain and not MP.isfinite(p(u)) and MP.isfinite(p(u - step)) and MP.isfinite(p(u + step))


def _function(proof, values):
    function = proof["function"]
    pair = SimpleNamespace(
        p=_spelled(function["text"]),
        domain=_spelled(function["domain"]) or None,
        variable=function["variable"],
    )
    return Function(pair, values)


def _values(case, dual, values):
    """Slopes with the value of q that the case states there."""
    spans = [(_at(low, values), _at(high, values), value) for low, high, value, *_ in case["spans"]]
    for low, high, value in spans:
        for v in _places(low, high):
            try:
                yield v, _at(value, {**values, dual: v})
            except ZeroDivisionError:
                continue  # q is its limit there
    for place, value in case["knots"]:
        yield _at(place, values), _at(value, values)
    ends = (spans[0][0], spans[-1][1]) if spans else (_at(case["knots"][0][0], values),) * 2
    for end, place, side in zip(case["ends"], ends, (-1, 1), strict=True):
        if MP.isfinite(place):
            yield place, MP.inf if end is None else _at(end[0], values)
            yield place + side * MP.mpf("0.0625"), MP.inf


def _places(low, high):
    if MP.isfinite(low) and MP.isfinite(high):
        return [low + (high - low) * MP.mpf(share) / 64 for share in (1, 19, 40, 62)]
    if MP.isfinite(low) or MP.isfinite(high):
        steps = [MP.mpf(step) for step in ("0.015625", "0.8", "3.2", "11")]
        return [low + step for step in steps] if MP.isfinite(low) else [high - step for step in steps]
    return [_number(text) for text in INSIDE]


def _holds(texts, values):
    return all(evaluated(_spelled(text), exact(values)) for text in texts)


def _at(text, values):
    return MP.convert(evaluated(_spelled(text), exact(values)))


def _number(text):
    return MP.convert(evaluated(text, {}))


def _spelled(text):
    """The text with the names that the oracle has."""
    for old, new in SPELLINGS:
        text = text.replace(old, new)
    return text
