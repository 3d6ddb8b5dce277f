"""A proof file, read strictly and once, before any claim: claims are about what has passed here.

A proof is plain data (JSON), all formulas as text in the `grammar` of what is typed:

    version     1
    function    {"text", "variable", "domain": condition or "", "parameters": {name: [conditions]}}
    dual        the name of the variable of q
    cases       [{"when": [conditions],
                  "pieces": [[low, high, p]],              p on consecutive open intervals; or [[a, a, p]],
                                                           where p is finite at a alone
                  "spans": [[low, high, q, witness, k]],   q on consecutive open intervals of slopes; the
                                                           supremum stands at u = witness, in piece k, or
                                                           where pieces meet or end if k is null
                  "knots": [[place, q]],                   between spans; without spans, the only slope
                  "ends": [end, end]}]                     null: does not belong to the domain of q;
                                                           or [q, witness]; the witness may hold _eps
                  "endless": [witness, witness]            of ends that do not belong: u(_M), or null
    excluded    [[conditions]]                             values of the parameters without a result
    chords      [[left, right] or null]                    for each of them two places, at whose middle p
                                                           lies above its chord; null: p is finite nowhere

Nothing else may stand in it. Names differ from each other, from constants and from functions, and stand only
where they have a meaning. An infinite number is an end, a side of a comparison or the value of a case. A
formula of p or q on an interval is continuous wherever it has a value, so that its values at ends are limits.
"""

import keyword
import re
import unicodedata
from typing import NamedTuple

from workbench.conjugates.convex.checker import grammar
from workbench.conjugates.convex.checker.grammar import INFINITY, MINUS_INFINITY, TRUE, times

VERSION = 1
# Names that no typed formula can have.
EPS, LARGE = "_eps", "_M"
MOST_ENTRIES = 200
NAME, TEXT = re.compile(r"[^\W\d_]\w*"), re.compile(r"[\w .,+\-*/^()<>=!&|~]*")
# Formulas with the first may jump; with any of them the slope may.
JUMPS = {"sign", "cases"}
SWITCHES = {*JUMPS, "abs", "max", "min"}


class ProofError(Exception):
    """A proof file that cannot be read."""


class ProofCase(NamedTuple):
    """One range of the parameters; formulas are trees, None where the file says null."""

    when: list
    pieces: list
    spans: list
    knots: list
    ends: list
    endless: list


class Reading(NamedTuple):
    """The contents of a proof file: `typed` is p on its `domain`, `excluded` pairs conditions and a chord."""

    u: str
    v: str
    parameters: list
    typed: tuple
    domain: tuple
    cases: list
    excluded: list


def read_proof(proof):
    """Return the `Reading` of a proof; `ProofError` names the field that is wrong."""
    if isinstance(proof, dict) and (type(proof.get("version")), proof.get("version")) != (int, VERSION):
        raise ProofError(f"version {proof.get('version')!r} is not {VERSION}")
    fields = _fields(
        proof, "proof", ("version", "function", "dual", "cases", "excluded"), optional=("chords",)
    )
    function = _fields(fields["function"], "function", ("text", "variable", "domain", "parameters"))
    u, v = function["variable"], fields["dual"]
    if not isinstance(function["parameters"], dict):
        raise ProofError(f"parameters: expected an object, not {_shown(function['parameters'])}")
    declared = list(function["parameters"])
    _check_names([u, v, *declared])
    parameters = [
        _condition(text, f"parameter {name}", declared)
        for name, texts in function["parameters"].items()
        for text in _entries(texts, f"parameter {name}")
    ]
    typed = _formula(function["text"], "text", [u, *declared])
    domain = TRUE if function["domain"] == "" else _condition(function["domain"], "domain", [u, *declared])
    typed = ("cases", (typed, domain), (INFINITY, TRUE))
    cases = [
        _case(case, f"case {k}", u, v, declared)
        for k, case in enumerate(_entries(fields["cases"], "cases"), 1)
    ]
    if not cases:
        raise ProofError("cases: expected at least one case")
    excluded = _entries(fields["excluded"], "excluded")
    chords = _entries(fields.get("chords", [None] * len(excluded)), "chords", len(excluded))
    ranges = [
        (
            [_condition(text, "excluded", declared) for text in _entries(conditions, "excluded")],
            chord and [_formula(text, "chord", declared) for text in _entries(chord, "chord", 2)],
        )
        for conditions, chord in zip(excluded, chords, strict=True)
    ]
    return Reading(u, v, parameters, typed, domain, cases, ranges)


def _case(case, where, u, v, declared):
    fields = _fields(case, where, ("when", "pieces", "spans", "knots", "ends", "endless"))
    pieces = [_piece(row, f"{where}, pieces", u, declared) for row in _entries(fields["pieces"], where)]
    if not pieces:
        raise ProofError(f"{where}, pieces: expected at least one piece")
    spans = [_span(row, f"{where}, spans", v, declared, pieces) for row in _entries(fields["spans"], where)]
    number = len(spans) - 1 if spans else 1
    knots = [
        _row(row, f"{where}, knots", (declared, declared))
        for row in _entries(fields["knots"], f"{where}, knots", number)
    ]
    ends = [
        end and _row(end, f"{where}, ends", (declared, [*declared, EPS]))
        for end in _entries(fields["ends"], f"{where}, ends", 2)
    ]
    for end, place in zip(ends, (spans[0][0], spans[-1][1]) if spans else (), strict=False):
        if end is not None and place in (INFINITY, MINUS_INFINITY):
            raise ProofError(f"{where}, ends: an infinite end belongs to no domain; write null")
    endless = [
        _formula(text, f"{where}, endless", [*declared, LARGE], optional=True)
        for text in _entries(fields["endless"], f"{where}, endless", 2)
    ]
    when = [_condition(text, f"{where}, when", declared) for text in _entries(fields["when"], where)]
    return ProofCase(when, pieces, spans, knots, ends, endless)


def _piece(row, where, u, declared):
    low, high, value = _entries(row, where, 3)
    value = _formula(value, where, [u, *declared])
    return (*_interval(low, high, where, declared), _continuous(value, u, SWITCHES, where))


def _span(row, where, v, declared, pieces):
    low, high, value, witness, k = _entries(row, where, 5)
    if k is not None and (type(k) is not int or not 0 <= k < len(pieces)):
        raise ProofError(f"{where}: {_shown(k)} is not the number of a piece or null")
    value, witness = (_formula(text, where, [v, *declared], optional=True) for text in (value, witness))
    value = value and _continuous(value, v, JUMPS, where)
    return (*_interval(low, high, where, declared), value, witness, k)


def _row(row, where, names):
    """Return a row of formulas, of which all may be null."""
    return tuple(
        _formula(text, where, known, optional=True)
        for text, known in zip(_entries(row, where, len(names)), names, strict=True)
    )


def _interval(low, high, where, declared):
    low, high = (_formula(text, where, declared, infinite=True) for text in (low, high))
    if low == INFINITY or high == MINUS_INFINITY:
        raise ProofError(f"{where}: an interval does not begin at oo or end at -oo")
    return low, high


# --- data


def _fields(value, where, keys, optional=()):
    if not isinstance(value, dict):
        raise ProofError(f"{where}: expected an object with {', '.join(keys)}, not {_shown(value)}")
    for key in keys:
        if key not in value:
            raise ProofError(f"{where}: {key} is missing")
    for key in value:
        if key not in (*keys, *optional):
            raise ProofError(f"{where}: unknown key {_shown(key)}; expected {', '.join((*keys, *optional))}")
    return value


def _entries(value, where, number=None):
    if not isinstance(value, list) or len(value) > MOST_ENTRIES:
        raise ProofError(f"{where}: expected a list of at most {MOST_ENTRIES} entries, not {_shown(value)}")
    if number is not None and len(value) != number:
        raise ProofError(f"{where}: expected {number} entries, not {len(value)}")
    return value


def _shown(value):
    return repr(value)[:60]


# --- names and formulas


def _check_names(names):
    for k, name in enumerate(names):
        if not isinstance(name, str) or not NAME.fullmatch(name) or keyword.iskeyword(name):
            raise ProofError(f"{_shown(name)} is not a valid name")
        if name in grammar.RESERVED:
            raise ProofError(f"{name} is a constant or a function; the name of a variable has to differ")
        if name in names[:k]:
            raise ProofError(f"{name} names two things; variable, dual and parameters have to differ")


def _condition(text, where, known):
    return _checked(grammar.parse_condition, text, where, known)


def _formula(text, where, known, optional=False, infinite=False):
    if text is None and optional:
        return None
    return _checked(grammar.parse, text, where, known, infinite)


def _checked(reader, text, where, known, infinite=False):
    """Return the tree of a text with known names, in which nothing is hidden from its reader."""
    if not isinstance(text, str):
        raise ProofError(f"{where}: expected text, not {_shown(text)}")
    if not TEXT.fullmatch(text) or unicodedata.normalize("NFKC", text) != text:
        raise ProofError(f"{where}: {_shown(text)} holds a character that no formula has")
    try:
        tree = reader(text)
    except grammar.GrammarError as error:
        raise ProofError(f"{where}: {error}") from None
    if strange := grammar.names(tree) - set(known):
        raise ProofError(f"{where}: {min(strange)} is not known in {_shown(text)}")
    if not (infinite and tree in (INFINITY, MINUS_INFINITY)) and _has_stray_infinity(tree):
        raise ProofError(f"{where}: oo stands inside a formula in {_shown(text)}")
    return tree


def _has_stray_infinity(tree):
    kind, *parts = tree
    if kind == "cases":
        parts = [part for row in parts for part in row if part != INFINITY]
    if kind in grammar.COMPARISONS:
        parts = [part for part in parts if part not in (INFINITY, MINUS_INFINITY)]
    return tree == INFINITY or any(_has_stray_infinity(part) for part in parts if isinstance(part, tuple))


def _continuous(tree, name, switches, where):
    """Return the formula, continuous in a name wherever it has a value: no switch depends on the name.

    0**v jumps, so a power whose exponent varies is read as exp(exponent log(base)), for positive bases.
    """
    if name not in grammar.names(tree):
        return tree
    kind, *parts = tree
    if kind in switches:
        raise ProofError(f"{where}: {kind} of {name} in a formula on one interval; cut the interval there")
    parts = [_continuous(part, name, switches, where) if isinstance(part, tuple) else part for part in parts]
    if kind == "power" and name in grammar.names(parts[1]):
        return ("exp", times(parts[1], ("log", parts[0])))
    return (kind, *parts)
