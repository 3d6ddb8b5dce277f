"""Expressions in the parameters in lowest terms."""

import sympy as sp


def tidy(expression):
    """Exponents and rational coefficients in lowest terms."""

    def lowest(node):
        exponent = sp.factor(sp.together(node.exp)) if node.exp.free_symbols else node.exp
        return sp.Pow(node.base, exponent) if exponent != node.exp else node

    expression = expression.replace(lambda node: node.is_Pow, lowest)
    if isinstance(expression, sp.Add):
        return sp.Add(*(_factored(term) for term in expression.args))
    return _factored(expression)


def _factored(term):
    """A product whose factors without powers of symbols are brought together."""
    if not isinstance(term, sp.Mul):
        return term
    rational = [factor for factor in term.args if factor.is_rational_function() and factor.free_symbols]
    if not rational:
        return term
    rest = sp.Mul(*(factor for factor in term.args if factor not in rational))
    return sp.factor(sp.Mul(*rational)) * rest


