"""Conditions for a formula to be real and finite, recorded node by node before SymPy simplifies the whole.

SymPy makes u of sqrt(u)**2 and 0 of log(u) - log(u); what the square root and the logarithm need is kept.
"""

from typing import NamedTuple

import sympy as sp


class Need(NamedTuple):
    """`function` stands in the `relation` to 0: ">", ">=" or "!=".

    A power of `function` has an `exponent`, whose sign decides between ">=" and ">". What stands in a case of
    a formula is needed in this case alone: elsewhere `function` is a case that is 1.
    """

    function: sp.Expr
    relation: str
    exponent: sp.Expr | None = None

    @property
    def is_plain(self):
        """True if the signs of its symbols show that it is fulfilled."""
        x, exponent = self.function, self.exponent
        return bool(
            x.is_positive
            or (self.relation == "!=" and x.is_negative)
            or (self.relation == ">=" and x.is_nonnegative and (exponent is None or exponent.is_positive))
        )

    def map(self, change):
        """Return the need with its expressions changed."""
        exponent = None if self.exponent is None else change(self.exponent)
        return Need(change(self.function), self.relation, exponent)


def within(need, conditions):
    """Return the need where the last of some conditions holds and none of the others."""
    *others, last = conditions
    cases = [(sp.S.One, other) for other in others] + [(need.function, last), (sp.S.One, True)]
    return need._replace(function=sp.Piecewise(*cases))


def needs_of(function, *arguments):
    """Return the needs of a SymPy function, or of a power, of arguments whose own needs are known."""
    x = arguments[0]
    if function is sp.log:
        return [Need(argument, ">") for argument in arguments]
    if function is sp.Pow:
        exponent = arguments[1]
        if x == sp.E or (exponent.is_nonnegative and exponent.is_integer):
            return []
        return [Need(x, "!=")] if exponent.is_integer else [Need(x, ">=", exponent)]
    if function in (sp.asin, sp.acos, sp.atanh):
        kind = ">" if function is sp.atanh else ">="
        return [Need(1 - x, kind), Need(1 + x, kind)]
    if function is sp.acosh:
        return [Need(x - 1, ">=")]
    if function in (sp.tan, sp.sec):
        return [Need(sp.cos(x), "!=")]
    if function in (sp.cot, sp.csc):
        return [Need(sp.sin(x), "!=")]
    if function in (sp.coth, sp.csch):
        return [Need(x, "!=")]
    return [Need(x + sp.exp(-1), ">=")] if function is sp.LambertW else []


def all_needs(expression):
    """Return the needs of every part of an expression, each once, that hold a symbol."""
    needs: list[Need] = []
    if isinstance(expression, sp.Piecewise):
        conditions = [condition for _, condition in expression.args]
        for k, (value, condition) in enumerate(expression.args):
            needs += (within(need, conditions[: k + 1]) for need in all_needs(value))
            needs += (need for side in _sides(condition) for need in all_needs(side))
    elif isinstance(expression, sp.Expr):
        needs += needs_of(expression.func, *expression.args) if expression.args else []
        needs += [need for part in expression.args for need in all_needs(part)]
    return list(dict.fromkeys(need for need in needs if need.function.free_symbols))


def _sides(condition):
    relations = sp.sympify(condition).atoms(sp.core.relational.Relational)
    return [side for relation in relations for side in relation.args]
