"""The result of the search as a proof for `checker`: pieces, spans and witnesses, all as text."""

import functools
import itertools
import re

import sympy as sp

from workbench.conjugates.convex.checker import claims, grammar
from workbench.conjugates.convex.checker.forms import BUDGET
from workbench.conjugates.convex.limited import attempt
from workbench.conjugates.convex.primitives import formula
from workbench.conjugates.convex.wording import typed

# Sequences of u to an infinite end, for which u v - p(u) comes within eps of its supremum, or above any M.
NEAR = ("log(_eps)", "log(_eps)/2", "log(_eps/(4 + 4*_eps))", "log(_eps/(4 + 4*_eps))/2")
CHORD_SECONDS = 2.0
CHORDS = (("-1", "1"), ("-1/2", "1/2"), ("0", "2"), ("-2", "0"), ("1", "3"), ("1/2", "3/2"), ("0", "1/2"))
FAR = ("exp(_M)", "_M", "_M**2", "exp(-_M)", "1/_M")


def proposal(pair, functions=None):
    """Return the proof of a pair, for `checker.check`; `functions` stand for the q of its cases."""
    parameters = {
        name: [text for bound in parameter.bounds for text in _bound(name, bound)]
        for name, parameter in pair.setting.parameters.items()
    }
    members = [
        (function, member)
        for function, case in matched(pair, functions)
        for member in getattr(case.pair, "members", (case.pair,))
    ]
    first, excluded = members[0][1], getattr(pair, "excluded", ())
    region = first.notes["wanted"]
    return {
        "version": claims.VERSION,
        "function": {
            "text": first.text,
            "variable": str(first.p.variable),
            "domain": "" if region is None else _domain(region, first.p.variable),
            "parameters": parameters,
        },
        "dual": str(first.q.variable),
        "cases": [_case(function, member) for function, member in members],
        "excluded": [[_condition(part) for part in _parts(where)] for where, _ in excluded],
        "chords": [_chord(getattr(error, "points", None)) for _, error in excluded],
    }


def _chord(points):
    """Return the ends of a chord from left, middle and right."""
    return points and [formula(points[0]), formula(points[2])]


def matched(pair, functions=None):
    """(q as it is evaluated, the case it was derived in) for every case; `ProofError` where they differ."""
    if functions is None:
        cases = {case.condition: case for case in pair.cases}
        evaluated = getattr(pair.q, "cases", ((sp.true, pair.q),))
        if {condition for condition, _ in evaluated} != set(cases) or len(evaluated) != len(cases):
            raise claims.ProofError("q is evaluated under other conditions than those that were derived")
        return [(function, cases[condition]) for condition, function in evaluated]
    return list(zip(functions, pair.cases, strict=True))


def _condition(condition):
    return typed(condition)


def _parts(condition):
    return condition.args if isinstance(condition, sp.And) else (condition,)


def _bound(name, bound):
    if bound.lower.is_finite is not False:
        yield f"{name} {'>' if bound.lower_open else '>='} {bound.lower}"
    if bound.upper.is_finite is not False:
        yield f"{name} {'<' if bound.upper_open else '<='} {bound.upper}"


def _domain(region, u):
    low, high = region.inf, region.sup
    if low == high:
        return f"{u} == {low}"
    parts = [] if low.is_infinite else [f"{u} {'>' if region.left_open else '>='} {low}"]
    parts += [] if high.is_infinite else [f"{u} {'<' if region.right_open else '<='} {high}"]
    return " and ".join(parts)


def _case(function, pair):
    """One case: what is evaluated there, cut wherever it or the derivation changes its formula."""
    if pair.shape is None:
        return _case_of_a_point(function, pair)
    order, conjugate_pieces = _order_of(pair.setting), pair.conjugate_pieces
    v, parts, knots = function.variable, function.parts, function.knots
    ends = [end for interval in (*conjugate_pieces, *parts) for end in (interval.low, interval.high)]
    cuts: list[sp.Expr] = []
    for place in sorted([*ends, *(knot.place for knot in knots)], key=functools.cmp_to_key(order)):
        if not cuts or order(cuts[-1], place):
            cuts.append(place)

    def over(low, high, pieces):
        return next(
            (piece for piece in pieces if order(piece.low, low) <= 0 and order(high, piece.high) <= 0), None
        )

    def value_at(place):
        """Return the value that a call gives at a cut."""
        match = next((knot for knot in knots if not order(knot.place, place)), None)
        if match is not None:
            return _formula_of(match.value)
        inside = next((part for part in parts if order(part.low, place) < 0 < order(part.high, place)), None)
        return None if inside is None or inside.implicit else formula(inside.expr.subs(v, place))

    entries = []
    for low, high in itertools.pairwise(cuts):
        piece, part = over(low, high, conjugate_pieces), over(low, high, parts)
        if piece is None or part is None:
            raise claims.ProofError("q is evaluated on other intervals than those that were derived")
        value = None if part.implicit else formula(part.expr)
        entries.append([formula(low), formula(high), value, _formula_of(piece.root), piece.piece_index])
    first, last = cuts[0], cuts[-1]
    closed = [any(not order(knot.place, end) for knot in knots) for end in (first, last)]
    return {
        "when": [_condition(part) for part in pair.setting.conditions],
        "pieces": [[formula(part) for part in (piece.low, piece.high, piece.expr)] for piece in pair.p.parts],
        "spans": entries,
        "knots": [[formula(place), value_at(place)] for place in cuts[1:-1] or cuts[: not entries]],
        "ends": [
            [value_at(end), None] if own else None for end, own in zip((first, last), closed, strict=True)
        ],
        "endless": [None, None],
    }


def _case_of_a_point(function, pair):
    """One case in which p is finite at one place, where each slope has its supremum."""
    (knot,) = pair.p.knots
    place = formula(knot.place)
    return {
        "when": [_condition(part) for part in pair.setting.conditions],
        "pieces": [[place, place, formula(knot.value)]],
        "spans": [
            [formula(part.low), formula(part.high), formula(part.expr), place, None]
            for part in function.parts
        ],
        "knots": [[formula(knot.place), formula(knot.value)] for knot in function.knots],
        "ends": [None, None],
        "endless": [None, None],
    }


def _order_of(setting):
    """Return a function that orders two places all over the region: -1, 0, 1, or `ProofError`."""

    def order(a, b):
        a, b = sp.sympify(a), sp.sympify(b)
        if a == b:
            return 0
        if a.is_infinite or b.is_infinite:
            return -1 if a == -sp.oo or b == sp.oo else 1
        sign = setting.peek(setting.enter(b - a))
        if sign is None:
            raise claims.ProofError(f"which of {a} and {b} comes first is not known")
        return -sign

    return order


def _formula_of(value):
    return None if value is None else formula(value)


def completed(proof):
    """Return the proof with what u does where v is at an end of the domain of q: the first way that holds.

    Likewise with the first chord that shows p not to be convex, where parameters are excluded.
    """
    read = claims.Proof(proof)
    with BUDGET.limited_to(min(CHORD_SECONDS, BUDGET.remaining / 4)):
        for k, region in enumerate(read.excluded):
            ways = _chords(proof["chords"][k], proof["function"]["parameters"], proof["excluded"][k])
            proof["chords"][k] = next((way for way in ways if region.refutes(way)), None)
    for case, parsed in zip(proof["cases"], read.cases, strict=True):
        for side, place in enumerate(parsed.domain()):
            if place in (claims.INFINITY, claims.MINUS_INFINITY) or parsed.closes(side):
                continue
            endless = case["ends"][side] is None
            ways = itertools.chain(_ways(case["pieces"][-side], side, endless), _solved(proof, case, side))
            way = next((way for way in ways if _reaches(parsed, side, way)), None)
            if endless:
                case["endless"][side] = way
            else:
                case["ends"][side][1] = way
    return proof


def _chords(first, parameters, conditions):
    """Candidates for a chord below p: that of the witness, plain numbers, and multiples of what varies.

    That is a parameter, or its distance from the border of the range, towards which a chord shrinks.
    """
    yield from [first] if first else []
    yield from map(list, CHORDS)
    distances = [sides for text in conditions if len(sides := re.split(r" [<>] ", text)) == 2]
    for scale in (*parameters, *(f"({left} - ({right}))" for left, right in distances)):
        yield from ([f"{low}*{scale}", f"{high}*{scale}"] for low, high in CHORDS)


def _reaches(parsed, side, way):
    """Return whether u goes to the end of the domain, by rules that the checker knows."""
    try:
        return parsed.reaches(side, grammar.parse(way))
    except grammar.GrammarError:
        return False


def _solved(proof, case, side):
    """Yield the u at which u v - p(u) is just eps below its supremum, or just M, where SymPy finds one."""
    if not case["spans"]:
        return
    _, _, value = case["pieces"][-side]
    place, end = case["spans"][-side][side], case["ends"][side]
    if end and end[0] is None:
        return
    u, eps = (
        sp.Symbol(proof["function"]["variable"], real=True),
        sp.Symbol(claims.EPS if end else claims.LARGE, positive=True),
    )
    names = {
        name: sp.Symbol(name, **_signs(conditions))
        for name, conditions in proof["function"]["parameters"].items()
    }
    names |= {str(u): u, "E": sp.E}
    p, v, q = (sp.sympify(text, locals=names) for text in (value, place, end[0] if end else "0"))
    equation = p + q - u * v - eps if end else u * v - p - eps
    yield from map(str, attempt(sp.solve, equation, u, limit=1.0, default=()))


def _signs(conditions):
    """Return SymPy's assumptions for a parameter."""
    below = any(re.fullmatch(r"\w+ <=? 0", text) for text in conditions)
    return {"negative": True} if below else {"positive": True} if conditions else {"real": True}


def _ways(piece, side, endless):
    """Candidates for a witness in the first or last piece of p, which may be the only one."""
    low, high, value = piece
    end, other = (high, low) if side else (low, high)
    if not end.endswith("oo"):
        return [f"{end} {'-' if side else '+'} ({way})" for way in FAR[-2:]] if endless else [end]
    if endless:
        return [f"{'' if side else '-'}({way})" for way in FAR]
    near = (
        [f"{'-' if side else ''}({way})" for way in NEAR]
        if re.search("exp|log|sinh|cosh|tanh", value)
        else []
    )
    start, sign = "0" if other.endswith("oo") else other, "+" if side else "-"
    far = [f"{start} {sign} 1/_eps", f"{start} {sign} 1/_eps**2"]
    return ["0" if start != other else f"{other} {sign} 1", *near, *far]
