"""Conditions on parameters as a reader writes them: "0 < a ≤ 5", "a ≤ 1 or a ≥ 3"."""

import re

import sympy as sp

SIGNS = {"<": " < ", "<=": " ≤ ", ">": " > ", ">=": " ≥ ", "==": " = ", "!=": " ≠ "}
TYPED = {"≤": "<=", "≥": ">=", "≠": "!=", " = ": " == "}


def words(condition):
    """Return the condition in one line; empty where it always holds."""
    condition = sp.sympify(condition)
    if condition == sp.true:
        return ""
    if condition == sp.false:
        return "never"
    if isinstance(condition, sp.Or):
        parts = [words(part) for part in _ordered(condition.args)]
        nested = any(isinstance(part, sp.And) for part in condition.args)
        return " or ".join(f"({part})" if nested and " and " in part else part for part in parts)
    if isinstance(condition, sp.And):
        return _chained(condition.args) or " and ".join(words(part) for part in _ordered(condition.args))
    if isinstance(condition, sp.Not):
        return f"not ({words(condition.args[0])})"
    return _relation(condition)


def typed(condition):
    """Return the condition as the workbench reads it: "a <= 5"."""
    text = words(condition)
    for symbol, plain in TYPED.items():
        text = text.replace(symbol, plain)
    return text


def interval(low, high):
    """Return an open interval in one line: "(-∞, 2*a)"."""
    return re.sub(r"\boo\b", "∞", f"({low}, {high})").replace("**", "^")


def _relation(relation):
    if relation.lhs.is_number and not relation.rhs.is_number:
        relation = relation.reversed
    return f"{relation.lhs}{SIGNS[relation.rel_op]}{relation.rhs}"


def _chained(relations):
    """Such as "0 < a ≤ 5" for a lower and an upper bound of one symbol; else empty."""
    if len(relations) != 2 or not all(isinstance(r, sp.core.relational.Relational) for r in relations):
        return ""
    turned = [r.reversed if r.lhs.is_number else r for r in relations]
    lower = next((r for r in turned if r.rel_op in (">", ">=")), None)
    upper = next((r for r in turned if r.rel_op in ("<", "<=")), None)
    if lower is None or upper is None or lower.lhs != upper.lhs or not lower.lhs.is_Symbol:
        return ""
    return f"{lower.rhs}{SIGNS[lower.reversed.rel_op]}{upper.lhs}{SIGNS[upper.rel_op]}{upper.rhs}"


def _ordered(parts):
    """By the number that they compare with, so that regions read from left to right."""

    def place(part):
        numbers = [float(n) for n in part.atoms(sp.Number) if n.is_finite]
        return (min(numbers, default=0.0), str(part))

    return sorted(parts, key=place)
